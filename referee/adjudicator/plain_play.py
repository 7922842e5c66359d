"""The stretches of an account in which ships do nothing but move, each when it is called and in its turn, straight ahead
or turning when its turn mode allows it; and in which they fire as they may (`plain_fire`).

Most of a game is that, and no rule has anything against it: a rule that could has not said `passes="plain"`, and then
every event is judged by itself. Where a log is only judged, such a stretch is carried out at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from referee.adjudicator.plain_fire import PlainFire
from referee.adjudicator.record_fire import RecordFire
from referee.adjudicator.record_movement import GameCourse
from referee.adjudicator.stated import StatedFigures
from referee.core.account import Event
from referee.core.gameorders import after
from referee.core.hexgrid import DIRECTIONS, FACINGS, Hex
from referee.core.orders import Way
from referee.core.play import ShipInPlay
from referee.core.stretch import Run, Stretch, Turning
from referee.core.toldfold import TakenFold
from referee.rulebooks.base import Rulebook

_TOWARD = dict(zip(FACINGS, DIRECTIONS, strict=True))
_MOVE = {"text", "player", "turn", "impulse", "move"}
_SAID = {"ship", "way"}
_TO_A_SIDE = ("left", "right")
_STEP = {"turn", "impulse", "step"}
SHORTEST = 3
"""Events a stretch has at least: for fewer it is not worth while."""


def others(
    rulebook: Rulebook,
    course: GameCourse,
    fire: RecordFire,
    stated: StatedFigures,
    fold: TakenFold,
    events: Sequence[Event],
) -> Iterator[Event]:
    """The events of a game that must be judged by themselves, but for the first; the others are carried out."""
    volleys = PlainFire(rulebook, fire, stated, fold)
    return PlainPlay(rulebook, course, volleys, fold).others(events)


class _Mover:
    """A ship while a stretch is looked through."""

    def __init__(
        self, unit: ShipInPlay, player: str, rating: Any, calls: frozenset[int], impulse: int
    ) -> None:
        self.player, self.rating, self.calls = player, rating, calls
        self.runs: list[Run | Turning] = []
        self.last = impulse if unit.moved_on == impulse else 0
        """The impulse it moved in last."""
        self._stands(unit)

    def _stands(self, unit: ShipInPlay) -> None:
        assert unit.hex is not None and unit.facing is not None
        self._unit, self._hexes = unit, 0
        self._column, self._slanted = unit.hex.column, unit.hex.row - (unit.hex.column + 1) // 2
        self._x, self._z = _TOWARD[unit.facing]

    def goes_ahead(self, impulse: int) -> None:
        """One hex straight ahead."""
        self._column += self._x
        self._slanted += self._z
        self._hexes += 1
        self.last = impulse

    def turns(self, way: Way, impulse: int, may_turn: Callable[[ShipInPlay], bool]) -> bool:
        """Turns to one side and enters the hex ahead, if it may."""
        unit = self._halt()
        assert unit.hex is not None and unit.facing is not None
        if not may_turn(unit):
            return False
        hex, facing = after(unit.hex, unit.facing, way)
        turning = Turning(unit.name, hex, facing, impulse)
        self.runs.append(turning)
        self._stands(turning.of(unit))
        self.last = impulse
        return True

    def all_runs(self) -> Sequence[Run | Turning]:
        """All it did, in its order."""
        self._halt()
        return self.runs

    def _halt(self) -> ShipInPlay:
        """The ship as it is now; its last run has ended."""
        if self._hexes:
            hex = Hex(self._column, self._slanted + (self._column + 1) // 2)
            run = Run(self._unit.name, self._hexes, hex, self.last)
            self.runs.append(run)
            self._stands(run.of(self._unit))
        return self._unit


class PlainPlay:
    """Finds the plain stretches of a game, and carries them out."""

    def __init__(self, rulebook: Rulebook, course: GameCourse, fire: PlainFire, fold: TakenFold) -> None:
        self._course, self._fire, self._fold = course, fire, fold
        steps = rulebook.descriptor["sequence_of_play"]
        self._step: str = steps["impulse"][0]
        asked = [rule for on in ("move", "impulse", "timed") for rule in rulebook.rules_on(on, "check")]
        moves = steps["steps_of"].get("movement", ())
        self.possible = (
            all(rule.passes == "plain" for rule in asked)
            and self._step in moves
            and not course.track.movement.map
            and not (fold.taken_back.gone or fold.taken_back.stayed)
        )
        """Can the rules of a game be so sure? On a map with edges, or where they are the players' own, they cannot."""
        of_impulse = steps["impulse"]
        self._later = frozenset(of_impulse[1:])
        """The steps of an impulse after its moves."""
        self._calls: dict[int, frozenset[int]] = {}
        self._next = 0
        """Where a stretch may begin again: past the event that ended the last one."""

    def others(self, events: Sequence[Event]) -> Iterator[Event]:
        """The events that must be judged by themselves; the stretches between them are carried out as they are come to."""
        at = 1
        while at < len(events):
            end = self.passed(events, at) if self.possible else at
            if end == at and self._fire.possible:
                end = self._fire.passed(events, at)
            if end == at:
                yield events[at]
            at = max(end, at + 1)

    def passed(self, events: Sequence[Event], at: int) -> int:
        """Carries out the stretch that begins with an event, and gives where it ends; `at` where there is none."""
        if at < self._next or not _is_plain(events[at]):
            return at
        movers = self._movers()
        if not movers:
            return at
        turn, impulse, step = self._course.moment
        assert impulse is not None
        moving = step == self._step
        over: list[int] = []
        steps = None
        moves: list[tuple[int, Any]] = []
        end = at
        while end < len(events):
            event = events[end]
            data = event.data
            if event.type == "order":
                if not moving or data.keys() != _MOVE or not self._goes(movers, data, turn, impulse):
                    break
                moves.append((event.seq, data))
            elif event.type != "step" or data.keys() != _STEP or data["turn"] != turn:
                break
            elif data["impulse"] == impulse and moving and data["step"] in self._later:
                if self._lags(movers, impulse, impulse + 1, moving):
                    break
                over.append(impulse)
                moving, steps = False, event
            else:
                to = data["impulse"]
                if to <= impulse or data["step"] != self._step or self._lags(movers, impulse, to, moving):
                    break
                over += range(impulse if moving else impulse + 1, to)
                impulse, moving, steps = to, True, event
            end += 1
        self._next = end + 1
        if end - at < SHORTEST:
            return at
        runs = [run for one in movers.values() for run in one.all_runs()]
        moved = frozenset(name for name, one in movers.items() if one.last == impulse)
        stretch = Stretch(end - at, moves, runs, tuple(over), steps, moved)
        self._course.run(stretch)
        self._fold.run(stretch)
        return end

    def _movers(self) -> dict[str, _Mover]:
        """The ships of the game as they stand; none where anything about one of them is not known."""
        course, ships = self._course, self._fold.ships
        turn, impulse, _ = course.moment
        if impulse is None or not course.is_plain:
            return {}
        track = course.track
        movement, movers = track.movement, {}
        for name, unit in track.units.items():
            rating = movement.rating(track.classes[name], unit)
            ship = ships[name]
            known = unit.hex is not None and unit.facing is not None and turn in ship.speeds
            if rating is None or not known or ship.state.dead or int(unit.speed or 0) not in movement.speeds:
                return {}
            speed = int(unit.speed or 0)
            if speed not in self._calls:
                self._calls[speed] = frozenset(movement.chart.called(speed))
            movers[name] = _Mover(unit, ship.player, rating, self._calls[speed], impulse)
        return movers

    def _goes(self, movers: dict[str, _Mover], data: Any, turn: int, impulse: int) -> bool:
        """Moves a ship as it is called and may, before all that are to move after it? Then it has moved."""
        said = data["move"]
        if type(said) is not dict or said.keys() != _SAID or data["turn"] != turn:
            return False
        name, way = said["ship"], said["way"]
        one = movers.get(name) if type(name) is str else None
        if one is None or data["player"] != one.player or data["impulse"] != impulse:
            return False
        if impulse not in one.calls or one.last == impulse:
            return False
        for other in movers.values():
            if (
                other is not one
                and impulse in other.calls
                and other.last != impulse
                and not one.rating < other.rating
            ):
                return False
        if way == "ahead":
            one.goes_ahead(impulse)
            return True
        track = self._course.track
        return way in _TO_A_SIDE and one.turns(
            way, impulse, lambda unit: track.movement.may_turn(track.classes[name], unit)
        )

    @staticmethod
    def _lags(movers: dict[str, _Mover], now: int, to: int, moving: bool) -> bool:
        """Is a ship called in an impulse that is passed, and has not moved in it?"""
        for one in movers.values():
            for impulse in range(now, to):
                if impulse in one.calls and (moving or impulse > now) and one.last != impulse:
                    return True
        return False


def _is_plain(event: Event) -> bool:
    """May a stretch begin with an event?"""
    return event.type == "step" if event.type != "order" else "move" in event.data
