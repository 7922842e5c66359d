"""The stretches of an account in which ships do nothing but move, each when it is called and in its turn, straight ahead
or turning when its turn mode allows it, and seekers follow them (`plain_flights`); and in which they fire as they may
(`plain_fire`).

Most of a game is that, and no rule has anything against it: a rule that could has not said `passes="plain"`, and then
every event is judged by itself. Where a log is only judged, such a stretch is carried out at once.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from typing import Any

from referee.adjudicator.plain_fire import PlainFire
from referee.adjudicator.plain_flights import PlainFlights
from referee.adjudicator.record_fire import RecordFire
from referee.adjudicator.record_movement import GameCourse
from referee.adjudicator.stated import StatedFigures
from referee.adjudicator.tracker import Track
from referee.core.account import Event
from referee.core.frozen import maker
from referee.core.gameorders import after
from referee.core.hexgrid import Hex
from referee.core.orders import Way
from referee.core.play import ShipInPlay
from referee.core.stretch import StraightRun, Stretch, Turning, TurnStart
from referee.core.toldfold import TakenFold
from referee.rulebooks.base import Rulebook

_TO_A_SIDE = ("left", "right")
_MOVE, _MOVE_DATA = len(("text", "player", "turn", "impulse", "move")), len(("ship", "way"))
"""How many things an order of a move says, and of the move."""
_SPEED = {"text", "player", "turn", "speed"}
_run, _turning = maker(StraightRun), maker(Turning)
MOST_TURN = 999
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

    def __init__(self, unit: ShipInPlay, player: str, impulse: int) -> None:
        self.player = player
        self.goes_ahead = {"ship": unit.name, "way": "ahead"}
        """What is said of it where it goes straight ahead."""
        self.runs: list[StraightRun | Turning] = []
        self.ahead = 0
        """The hexes it went straight ahead since it turned last."""
        self.last = impulse if unit.moved_on == impulse else 0
        """The impulse it moved in last."""
        self._unit = unit
        self._hex = unit.hex

    @property
    def hex(self) -> Hex:
        """Where it is now."""
        if self._hex is None:
            unit = self._unit
            assert unit.hex is not None and unit.facing is not None
            self._hex = unit.hex.step(unit.facing, self.ahead)
        return self._hex

    def goes_on(self) -> None:
        """Goes one hex straight ahead."""
        self.ahead += 1
        self._hex = None

    def turns(self, way: Way, impulse: int, track: Track) -> bool:
        """Turns to one side and enters the hex ahead, if it may."""
        unit = self.stands()
        assert unit.hex is not None and unit.facing is not None
        if not track.movement.may_turn(track.classes[unit.name], unit):
            return False
        hex, facing = after(unit.hex, unit.facing, way)
        turning = _turning(unit.name, hex, facing, impulse)
        self.runs.append(turning)
        self._unit, self._hex = turning.of(unit), hex
        return True

    def stands(self) -> ShipInPlay:
        """The ship as it is now; its last run has ended."""
        unit = self._unit
        if self.ahead:
            assert unit.hex is not None and unit.facing is not None
            run = _run(unit.name, self.ahead, self.hex, self.last)
            self.runs.append(run)
            self._unit, self.ahead = run.of(unit), 0
        return self._unit


Row = tuple[str | None, ...]
"""The ships that are called in an impulse, in their order; None where two come at the same time."""


class _Called:
    """The ships of a game as they are called in the impulses of a turn, by their ratings."""

    def __init__(self, movement: Any, ratings: Sequence[tuple[Any, str]]) -> None:
        self._chart, self._ratings = movement.chart, sorted(ratings)
        self._known: dict[int, Row] = {}

    def on(self, impulse: int) -> Row:
        """Those that are called on an impulse."""
        if impulse not in self._known:
            self._known[impulse] = self.of(impulse, ())
        return self._known[impulse]

    def of(self, impulse: int, moved: Container[str]) -> Row:
        """Those that are called on an impulse and have not moved in it."""
        called = [
            (rating, name)
            for rating, name in self._ratings
            if self._chart.calls(rating.speed, impulse) and name not in moved
        ]
        return tuple(
            [
                None if n + 1 < len(called) and not rating < called[n + 1][0] else name
                for n, (rating, name) in enumerate(called)
            ]
        )


class PlainPlay:
    """Finds the plain stretches of a game, and carries them out."""

    def __init__(self, rulebook: Rulebook, course: GameCourse, fire: PlainFire, fold: TakenFold) -> None:
        self._course, self._fire, self._fold = course, fire, fold
        self._flights = PlainFlights(rulebook, course.track.movement, fold)
        steps = rulebook.descriptor["sequence_of_play"]
        self._step: str = steps["impulse"][0]
        asked = [rule for on in ("move", "impulse", "timed") for rule in rulebook.rules_on(on, "check")]
        moves, speeds = (steps["steps_of"].get(kind, ()) for kind in ("movement", "speed"))
        first: str = rulebook.offers.moments(rulebook, 1)[0][2]
        self._first_step = first if first in speeds else None
        """The step a turn begins with, if speeds are said in it."""
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
        self._called: dict[tuple[Any, ...], _Called] = {}
        self._ratings: dict[tuple[Any, ...], Any] = {}
        """Where each ship stands in the order of movement, by its speed."""
        self._nobody = _Called(course.track.movement, ())
        self._next = 0
        """Where a stretch may begin again: past the event that ended the last one."""

    def others(self, events: Sequence[Event]) -> Iterator[Event]:
        """The events that must be judged by themselves; the stretches between them are carried out as they are come to."""
        at = 1
        while at < len(events):
            end = self._passed(events, at) if self.possible else at
            if end == at and self._fire.possible:
                end = self._fire.passed(events, at)
            if end == at:
                yield events[at]
            at = max(end, at + 1)

    def _passed(self, events: Sequence[Event], at: int) -> int:
        end = self.passed(events, at)
        return self.begun(events, at) if end == at else end

    def begun(self, events: Sequence[Event], at: int) -> int:
        """Carries out the beginning of a turn, with the speeds said in it, and gives where it ends; `at` where it is not
        plain."""
        event, (turn, impulse, step) = events[at], self._course.moment
        to = turn + 1
        if event.type != "step" or event.data != {"turn": to, "step": self._first_step} or to > MOST_TURN:
            return at
        movers, called = self._movers()
        if not movers or impulse is None or any(ship.forms for ship in self._fold.ships.values()):
            return at
        waits = self._waiting(movers, called) if step == self._step else ()
        if waits or any(map(called.on, range(impulse + 1, self._course.track.movement.of + 1))):
            return at
        orders: list[tuple[int, Any]] = []
        speeds: dict[str, int] = {}
        for order in events[at + 1 : at + 1 + len(movers)]:
            name, speed = _speed_said(order, to)
            unit = self._course.track.units.get(name)
            if unit is None or name in speeds or order.data["player"] != movers[name].player:
                break
            if speed not in self._course.track.movement.speeds or not self._course.track.fits(
                to, unit, speed
            ):
                break
            orders.append((order.seq, order.data))
            speeds[name] = speed
        start = TurnStart(event, orders, speeds)
        self._course.begin(start)
        self._fold.begin(start)
        return at + 1 + len(orders)

    def _waiting(self, movers: Mapping[str, _Mover], called: _Called) -> Row:
        """The ships that are called in the impulse and have not moved in it."""
        impulse = self._course.moment[1] or 0
        return called.of(impulse, [name for name, mover in movers.items() if mover.last == impulse])

    def passed(self, events: Sequence[Event], at: int) -> int:
        """Carries out the stretch that begins with an event, and gives where it ends; `at` where there is none."""
        if at < self._next or not _is_plain(events[at]):
            return at
        movers, called = self._movers()
        if not movers:
            return at
        turn, before, step = self._course.moment
        impulse, moving = before or 0, step == self._step
        waits, gone = self._waiting(movers, called) if moving else (), 0
        """The ships that are to move in the impulse, and how many of them have."""
        over: list[int] = []
        steps = None
        moves: list[tuple[int, Any]] = []
        orders: list[tuple[int, Any]] = []
        end, last = at, len(events)
        flights = self._flights
        flights.begin(turn, impulse)
        flying = step in flights.steps
        while end < last:
            event = events[end]
            data = event.data
            if event.type == "order":
                if data.get("impulse") != impulse or data.get("turn") != turn:
                    break
                if "seeker" in data:
                    if not flying or len(data) != _MOVE or "text" not in data:
                        break
                    if not flights.goes_on(data["seeker"], data.get("player"), impulse, movers):
                        break
                    orders.append((event.seq, data))
                    end += 1
                    continue
                # Each moves as it is called, before all that are to move after it.
                mover = movers.get(waits[gone] or "") if gone < len(waits) else None
                if mover is None:
                    break
                if len(data) != _MOVE or "text" not in data or data.get("player") != mover.player:
                    break
                stated = data.get("move")
                if stated == mover.goes_ahead:
                    mover.goes_on()
                elif not self._turns(mover, stated, impulse):
                    break
                mover.last = impulse
                gone += 1
                moves.append((event.seq, data))
                orders.append(moves[-1])
            elif event.type != "step" or len(data) != 3 or data.get("turn") != turn or gone < len(waits):
                break
            elif data.get("impulse") == impulse and moving and data.get("step") in self._later:
                over.append(impulse)
                moving, steps, flying = False, event, data["step"] in flights.steps
            else:
                to = data.get("impulse")
                if to is None or to <= impulse or data.get("step") != self._step:
                    break
                if to > impulse + 1 and any(map(called.on, range(impulse + 1, to))):
                    break
                over += range(impulse if moving else impulse + 1, to)
                impulse, moving, steps, flying = to, True, event, False
                waits, gone = called.on(to), 0
            end += 1
        self._next = end + 1
        if end - at < SHORTEST:
            return at
        units = {name: mover.stands() for name, mover in movers.items()}
        runs = [run for mover in movers.values() for run in mover.runs]
        stretch = Stretch(
            end - at,
            moves,
            runs,
            tuple(over),
            steps,
            frozenset([name for name, mover in movers.items() if mover.last == impulse]),
            units,
            orders,
            flights.seekers,
            flights.moved_in(impulse),
        )
        self._course.run(stretch)
        self._fold.run(stretch)
        return end

    def _movers(self) -> tuple[dict[str, _Mover], _Called]:
        """The ships of the game as they stand, and as they are called; none where anything about one of them is not
        known."""
        course, ships = self._course, self._fold.ships
        turn, impulse, _ = course.moment
        track = course.track
        movement = track.movement
        movers: dict[str, _Mover] = {}
        ratings: list[tuple[Any, str]] = []
        nobody: tuple[dict[str, _Mover], _Called] = {}, self._nobody
        if not course.is_plain:
            return nobody
        for name, unit in track.units.items():
            about = name, unit.class_id, unit.kind, unit.speed
            if about not in self._ratings:
                self._ratings[about] = movement.rating(track.classes[name], unit)
            rating = self._ratings[about]
            ship = ships[name]
            known = unit.hex is not None and unit.facing is not None and turn in ship.speeds
            if rating is None or not known or ship.state.dead or rating.speed not in movement.speeds:
                return nobody
            ratings.append((rating, name))
            movers[name] = _Mover(unit, ship.player, impulse or 0)
        key = tuple(ratings)
        if key not in self._called:
            self._called[key] = _Called(movement, ratings)
        return movers, self._called[key]

    def _turns(self, mover: _Mover, stated: Any, impulse: int) -> bool:
        """Does what is stated make a ship turn, and may it turn so? Then it has turned."""
        if (
            type(stated) is not dict
            or len(stated) != _MOVE_DATA
            or stated.get("ship") != mover.goes_ahead["ship"]
        ):
            return False
        way = stated.get("way")
        return way in _TO_A_SIDE and mover.turns(way, impulse, self._course.track)


def _speed_said(event: Event, turn: int) -> tuple[str, int]:
    """The ship and the speed that an order says as a turn begins; neither where it says anything else."""
    data = event.data
    stated = data.get("speed")
    plain = event.type == "order" and data.keys() == _SPEED and data["turn"] == turn
    if plain and type(stated) is dict and stated.keys() == {"ship", "speed"}:
        name, speed = stated["ship"], stated["speed"]
        if type(name) is str and type(speed) is int:
            return name, speed
    return "", 0


def _is_plain(event: Event) -> bool:
    """May a stretch begin with an event?"""
    return event.type == "step" if event.type != "order" else "move" in event.data or "seeker" in event.data
