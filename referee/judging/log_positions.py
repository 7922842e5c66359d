"""A VASSAL log as it is looked at: the game after every step that moved a counter, marked a display or said something."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from referee.adjudicator.movement_seen import SeenCourse
from referee.core.errors import BadInput
from referee.core.finding import Finding, LogEvent
from referee.core.frozen import replace
from referee.core.positions import MapBounds, PlayedGame, Position, UnitShown, findings_by, looked_at
from referee.formats.vassal.course import MapChart
from referee.formats.vassal.fleet import named_apart
from referee.formats.vassal.recognise import ships_among
from referee.formats.vassal.replay import Board as LogBoard
from referee.judging.boards import board_in
from referee.judging.broadsides import fallen, of_log
from referee.judging.files import reported
from referee.logs.audit import game_of, judge_game
from referee.logs.dice import throws_of
from referee.logs.reading import read_game
from referee.sources.asked import Asked
from referee.sources.counters import is_seeker
from referee.sources.inputs import InputBytes
from referee.sources.saves import map_of, with_map
from referee.sources.ships import display_of, sides_of

if TYPE_CHECKING:
    from referee.core.account import Account
    from referee.core.ship import ShipClass
    from referee.core.state import ShipState
    from referee.formats.modulemap import ModuleMap
    from referee.formats.vassal.course import TakenBack
    from referee.formats.vassal.game import Save, StepForward
    from referee.formats.vassal.module import Module
    from referee.formats.vassal.recognise import ShipOnTable
    from referee.rulebooks.base import Rulebook


def log_played(source: InputBytes, asked: Asked, save: Save, step: int | None = None) -> PlayedGame:
    """A log's positions, with what its audit finds at each step; with a step those up to it. Raises BadInput as the
    audit does, and for a step there is not."""
    if step is not None and not 0 <= step <= len(save.steps):
        hint = f"it has steps 0 to {len(save.steps)}"
        raise BadInput(f"has no step {step}", file=source.name, hint=hint)
    module_map = map_of(asked)
    read = read_game(save, with_map(asked, module_map), module_map)
    game = game_of(read)
    report = reported(judge_game(game), source, asked)
    ships = {
        audited.ship.name: (audited.chosen, audited.rulebook.table("box_labels")) for audited in read.judged
    }
    fleet = _Fleet(save, read.module, module_map, ships)
    found = findings_by(report, lambda place: place.step)
    happened: dict[int, list[LogEvent]] = {}
    for event in report.events:
        happened.setdefault(event.step, []).append(event)
    classes = {name: chosen for name, (chosen, _) in ships.items()}
    if not classes:
        hint = '--ship "NAME=CLASS" names one'
        raise BadInput("has no ship whose class is known", file=source.name, hint=hint)
    steps = save.steps if step is None else save.steps[:step]
    moving = _Moving(game.played.account, read.judged[0].rulebook, classes)
    positions = _positions(steps, fleet, moving, happened, found, read.logged.taken_back)
    rows = game.played.volleys.rows if game.played.volleys else ()
    fire = of_log(read.judged[0].rulebook, rows)
    dice: dict[str, Counter[int]] = {}
    for throw in throws_of(read.logged, read.module, frozenset()):
        if throw.sides == 6 and throw.undone is None:
            dice.setdefault(throw.player or "a player", Counter()).update(throw.faces)
    rulebook = read.judged[0].rulebook
    return looked_at(
        report,
        source.name,
        positions,
        classes,
        fire=fire,
        dice=fallen(dice),
        board=fleet.there,
        in_force=rulebook,
    )


def _positions(
    steps: Iterable[StepForward],
    fleet: _Fleet,
    moving: _Moving,
    happened: Mapping[int, list[LogEvent]],
    found: Mapping[int | None, list[Finding]],
    taken: Iterable[TakenBack],
) -> Iterator[Position]:
    undone = {change.step for back in taken for change in back.changes}
    undoes = {back.step: back.first for back in taken}
    moments = [event for events in happened.values() for event in events if event.turn is not None]
    first = min(moments, key=lambda event: event.step, default=None)
    turn, impulse = (first.turn or 0, first.impulse) if first else (0, None)
    units = tuple(fleet.units())
    yield Position(turn, None, "", "the log begins", "step 0", moving.by(0, units), tuple(found.get(0, ())))
    for n, step in enumerate(steps, 1):
        touched = fleet.board.play(step)
        now = tuple(fleet.units(touched)) if touched else units
        for event in happened.get(n, ()):
            turn = turn if event.turn is None else event.turn
            impulse = event.impulse if event.turn is not None else impulse
        if n not in happened and n not in found and now == units:
            continue
        lines = [f"{event.who}: {event.what}" for event in happened.get(n, ())]
        if n in undoes:
            lines.append(f"takes back step {undoes[n]}")
        text = "; ".join(lines or _seen(units, now))
        units = now
        against = tuple(found.get(n, ()))
        yield Position(turn, impulse, "", text, f"step {n}", moving.by(n, units), against, n in undone)


def _seen(before: Iterable[UnitShown], now: Iterable[UnitShown]) -> Iterator[str]:
    """What counters were seen to do in a step of which the log's audit tells nothing: what was taken back later, or came
    to nothing."""
    stood = {unit.name: unit for unit in before}
    for unit in now:
        was = stood.pop(unit.name, None)
        if was is None or (not was.at and unit.at):
            yield f"{unit.name}: put down{f' in {unit.at}' * bool(unit.at)}"
        elif was.hex == unit.hex and was.at != unit.at:
            yield f"{unit.name}: {was.facing} to {unit.facing}"
        elif was.at != unit.at:
            yield f"{unit.name}: {was.at} to {unit.at or 'off the map'}"
        elif was.state != unit.state:
            yield f"{unit.name}: its display is changed"
    yield from (f"{name}: taken away" for name in stood)


class _Moving:
    """How the ships of a log have moved so far, by which it is known where they may go."""

    def __init__(self, account: Account | None, rulebook: Rulebook, classes: Mapping[str, ShipClass]) -> None:
        by_id = {chosen.id: chosen for chosen in classes.values()}
        self._course = SeenCourse(rulebook, by_id.__getitem__, account) if account else None
        events = account.events[1:] if account else ()
        self._events = (
            event for event in events if event.type != "order" or not SeenCourse.alone.isdisjoint(event.data)
        )
        self._next = next(self._events, None)

    def by(self, step: int, units: Iterable[UnitShown]) -> tuple[UnitShown, ...]:
        """The units, each with how it has moved up to a step."""
        while self._course is not None and self._next is not None and (self._next.at.step or 0) <= step:
            self._course.take(self._next)
            self._next = next(self._events, None)
        stand = self._course.track.units if self._course is not None else {}
        return tuple(replace(unit, moves=stand.get(unit.name)) for unit in units)


class _Fleet:
    """The ships and seekers of a log as its pieces show them; only what a step touched is looked at again."""

    def __init__(
        self,
        save: Save,
        module: Module | None,
        module_map: ModuleMap | None,
        known: Mapping[str, tuple[ShipClass, Mapping[str, object]]],
    ) -> None:
        self.board: LogBoard = LogBoard(save, module)
        self.chart: MapChart = MapChart(module, module_map)
        self.file, self.module_map, self.known = save.file, module_map, known
        self._ships: tuple[ShipOnTable, ...] = ()
        self._units: dict[str, UnitShown] = {}
        self._look()

    @property
    def there(self) -> MapBounds:
        """The map the ships stand on."""
        counters = (self.board.pieces.get(ship.counter.id) for ship in self._ships if ship.counter)
        return board_in(
            self.chart, self.board.boards, [counter.map for counter in counters if counter and counter.map]
        )

    def units(self, touched: Iterable[str] = ()) -> Iterable[UnitShown]:
        """The units as they stand after a step that touched some pieces."""
        if self.board.altered:
            self._look()
        else:
            ids = set(touched)
            for ship in self._ships:
                if ship.counter is not None and ship.counter.id in ids:
                    self._show(ship)
        return self._units.values()

    def _look(self) -> None:
        self._ships = named_apart(ships_among(self.board.pieces.values(), self.file, self.module_map))
        before, self._units = self._units, {}
        for ship in self._ships:
            self._show(ship)
        # A piece that is touched goes to the top of the table; the order of the game's units stays.
        order = {name: n for n, name in enumerate(before)}
        self._units = dict(sorted(self._units.items(), key=lambda named: order.get(named[0], len(order))))

    def _show(self, ship: ShipOnTable) -> None:
        """One ship or seeker as it stands; a counter of anything else is not shown."""
        counter = self.board.pieces.get(ship.counter.id) if ship.counter is not None else None
        stand = self.chart.stand(counter, self.board.boards)
        facing = stand.facing if stand.hex is not None else None
        if ship.name in self.known:
            chosen, labels = self.known[ship.name]
            before = self._units.get(ship.name)
            state: ShipState | None = before.state if before else display_of(ship, chosen, labels)
            side = " ".join(sides_of(ship, chosen)[:1])
            self._units[ship.name] = UnitShown(ship.name, "ship", stand.hex, facing, side, state=state)
        elif counter is not None and is_seeker(ship, self.module_map):
            self._units[ship.name] = UnitShown(ship.name, "seeker", stand.hex, facing, ship.side)
