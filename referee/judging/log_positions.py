"""A VASSAL log as it is looked at: the game after every step that moved a counter, marked a display or said something."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from referee.core.finding import Finding, LogEvent
from referee.core.naming import folded
from referee.core.positions import PlayedGame, Position, UnitShown, findings_by, looked_at
from referee.judging.files import judge_file
from referee.sources.asked import Asked
from referee.sources.counters import is_seeker
from referee.sources.inputs import InputBytes
from referee.sources.ships import display_of, sides_of

if TYPE_CHECKING:
    from referee.core.ship import ShipClass
    from referee.core.state import ShipState
    from referee.formats.modulemap import ModuleMap
    from referee.formats.vassal.course import Chart
    from referee.formats.vassal.game import Save
    from referee.formats.vassal.module import Module
    from referee.formats.vassal.recognise import ShipOnTable
    from referee.formats.vassal.replay import Board


def log_played(source: InputBytes, asked: Asked) -> PlayedGame:
    """A log's positions, with what its audit finds at each step. Raises BadInput as the audit does."""
    from referee.formats.vassal.game import read_save
    from referee.play.save_ships import table_in
    from referee.sources.modules import module_beside
    from referee.sources.saves import map_of

    report = judge_file(source, asked)
    save = read_save(source.data, source.name, asked.encoding)
    says = map_of(asked)
    module, _ = module_beside(save, asked)
    # Forms that are written in the log tell classes that its first moment does not.
    judged = {folded(one["name"]): one["ship"] for one in report.ships if one.get("name") and one.get("ship")}
    there = table_in(save, asked, judged)
    ships = {ship.ship.name: ship for ship in there.ships}
    fleet = _Fleet(
        save, module, says, {name: (one.chosen, one.book.table("box_labels")) for name, one in ships.items()}
    )
    found = findings_by(report, lambda place: place.step)
    told: dict[int, list[LogEvent]] = {}
    for event in report.events:
        told.setdefault(event.step, []).append(event)
    classes = {name: ship.chosen for name, ship in ships.items()}
    return looked_at(report, source.name, _positions(save, fleet, told, found), classes)


def _positions(
    save: Save,
    fleet: _Fleet,
    told: Mapping[int, list[LogEvent]],
    found: Mapping[int | None, list[Finding]],
) -> Iterator[Position]:
    moments = [event for events in told.values() for event in events if event.turn is not None]
    first = min(moments, key=lambda event: event.step, default=None)
    turn, impulse = (first.turn or 0, first.impulse) if first else (0, None)
    units = tuple(fleet.units())
    yield Position(turn, None, "", "the log begins", "step 0", units, tuple(found.get(0, ())))
    for n, step in enumerate(save.steps, 1):
        touched = fleet.board.play(step)
        now = tuple(fleet.units(touched)) if touched else units
        for event in told.get(n, ()):
            turn = turn if event.turn is None else event.turn
            impulse = event.impulse if event.turn is not None else impulse
        if n not in told and n not in found and now == units:
            continue
        units = now
        text = "; ".join(f"{event.who}: {event.what}" for event in told.get(n, ()))
        yield Position(turn, impulse, "", text, f"step {n}", units, tuple(found.get(n, ())))


class _Fleet:
    """The ships and seekers of a log as its pieces show them; only what a step touched is looked at again."""

    def __init__(
        self,
        save: Save,
        module: Module | None,
        says: ModuleMap | None,
        known: Mapping[str, tuple[ShipClass, Mapping[str, object]]],
    ) -> None:
        from referee.formats.vassal.course import Chart
        from referee.formats.vassal.replay import Board

        self.board: Board = Board(save, module)
        self.chart: Chart = Chart(module, says)
        self.file, self.says, self.known = save.file, says, known
        self._ships: tuple[ShipOnTable, ...] = ()
        self._units: dict[str, UnitShown] = {}
        self._look()

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
        from referee.formats.vassal.fleet import named_apart
        from referee.formats.vassal.recognise import ships_among

        self._ships = named_apart(ships_among(self.board.pieces.values(), self.file, self.says))
        self._units = {}
        for ship in self._ships:
            self._show(ship)

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
        elif counter is not None and is_seeker(ship, self.says):
            self._units[ship.name] = UnitShown(ship.name, "seeker", stand.hex, facing, ship.side)
