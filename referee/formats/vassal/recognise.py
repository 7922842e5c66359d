"""Finds the ships in a save without being told what the module's names mean."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from math import hypot
from operator import attrgetter
from types import MappingProxyType
from typing import TYPE_CHECKING

from referee.core.frozen import frozen, replace
from referee.core.once import pattern
from referee.core.sheet import Sheet
from referee.formats.vassal.game import Save
from referee.formats.vassal.marks import boxes_marked, boxes_shown, shield_of, shields_marked, shows_same
from referee.formats.vassal.pairing import pair_up
from referee.formats.vassal.pieces import Piece
from referee.formats.vassal.trackers import named_turns
from referee.formats.vassal.traits import integer
from referee.formats.vassal.turns import TurnState

if TYPE_CHECKING:
    from referee.formats.modulemap import ModuleMap
    from referee.formats.vassal.module import Module

Boxes = Mapping[str, tuple[int, int | None]]

_SSD_WORD = pattern(r"(?i)\bssd\b")
_KIND_AND_NAME = attrgetter("kind", "name")
_MANY = 5  # layers or properties that make a piece look like a ship's display


@frozen
class ShipOnTable:
    """A ship: its counter, its system display, or both, which may be one piece.

    `hints` are texts that may tell its class. Boxes are left and total by label as found; the
    total is None where the save does not hold it, and left below nought where only the lost are shown.
    """

    name: str
    counter: Piece | None
    ssd: Piece | None
    hints: tuple[str, ...]
    table: Sheet | None
    boxes_left: Boxes
    shields: Mapping[int, tuple[int, int | None]]
    side: str = ""


@frozen
class Clock:
    """Where the game stands; None where the tracker does not tell. `impulses` are those of a turn."""

    turn: int | None = None
    impulse: int | None = None
    step: str | None = None
    step_number: int | None = None
    impulses: int | None = None

    @property
    def moment(self) -> tuple[int, int] | None:
        """Turn and impulse, None where either is not known."""
        return None if self.turn is None or self.impulse is None else (self.turn, self.impulse)


@frozen
class TableState:
    """The ships in a save, and when it was made in the game."""

    ships: tuple[ShipOnTable, ...]
    clock: Clock


def recognise(save: Save, module: Module | None = None, module_map: ModuleMap | None = None) -> TableState:
    """The ships and the clock of a save, or of a log's start; a map says what the module's names mean."""
    state = tracker_told(named_turns(save, module), module_map)
    values = {item.name: item.value for item in save.properties}
    clock = read_properties(read_clock(state, module_map) if state else Clock(), values, module_map)
    return TableState(ships_among(save.pieces, save.file, module_map), clock)


def ships_among(
    pieces: Iterable[Piece],
    file: str,
    module_map: ModuleMap | None = None,
    known: Mapping[str, str] = MappingProxyType({}),
    seen: Mapping[str, ShipOnTable] = MappingProxyType({}),
) -> tuple[ShipOnTable, ...]:
    """The ships that pieces make; of counters that fit a display alike it has the `known` one, told by ids. What
    was worked out of ships `seen` before, by the ids of their displays, is used again."""
    visible = [p for p in pieces if p.kind == "piece" and not p.masked and not p.hidden]
    visible = [piece for piece in visible if not (module_map and module_map.ignores(piece))]
    shown = [piece for piece in visible if displays_ship(piece, module_map)]
    both = [piece for piece in shown if is_counter(piece, module_map) and not _named_display(piece)]
    displays = [piece for piece in shown if piece not in both] if both else shown
    counters = [piece for piece in visible if is_counter(piece, module_map) and piece not in shown]
    lying = _lying(visible, shown, module_map)
    pairs = pair_up(counters, displays, both, module_map, known)
    return tuple(
        [
            _ship(counter, ssd, file, module_map, lying, seen.get(ssd.id) if ssd else None)
            for counter, ssd in pairs
        ]
    )


def _lying(
    pieces: Iterable[Piece], displays: Iterable[Piece], module_map: ModuleMap | None
) -> Mapping[str, tuple[str, ...]]:
    """The names of the marks of damage that lie on each display, by its id."""
    found: dict[str, tuple[str, ...]] = {}
    ways = [way for way in module_map.damage if way.way == "markers"] if module_map else []
    for mark in pieces if ways else ():
        within = max((way.within for way in ways if mark.basic_name in way.names), default=-1)
        near = [
            (far, display.id)
            for display in displays
            if display.map == mark.map and (far := hypot(display.x - mark.x, display.y - mark.y)) <= within
        ]
        if near:
            found[min(near)[1]] = (*found.get(min(near)[1], ()), mark.basic_name)
    return found


def displays_ship(piece: Piece, module_map: ModuleMap | None = None) -> bool:
    """Whether a piece is a ship's display: it has its form or its boxes, or is as the map says."""
    mapped = module_map.is_display(piece) if module_map else None
    return _is_display(piece) if mapped is None else mapped


def read_clock(state: TurnState, module_map: ModuleMap | None = None) -> Clock:
    """Turn, impulse and step of a tracker, by level names where known and by order otherwise."""
    turn = impulse = step = step_number = impulses = None
    # A list counts its entries from 1, as people do.
    for role, level in zip(roles_of(state, module_map), state.levels, strict=True):
        if role == "step":
            step, step_number = level.text or None, level.number + 1
        elif role == "impulse":
            impulse, impulses = level.number + (level.kind == "list"), level.most
        elif role == "turn":
            turn = level.number + (level.kind == "list")
    return Clock(turn, impulse, step, step_number, impulses)


def roles_of(state: TurnState, module_map: ModuleMap | None = None) -> tuple[str, ...]:
    """What each level of a tracker tells: `turn`, `impulse` or `step`, nothing where another tells it: the
    first turn and impulse, and the last step."""
    named = tuple([(name, role) for role, name in module_map.levels.items()]) if module_map else ()
    return _roles(tuple(map(_KIND_AND_NAME, state.levels)), named)


@lru_cache(maxsize=64)
def _roles(levels: tuple[tuple[str, str], ...], named: tuple[tuple[str, str], ...]) -> tuple[str, ...]:
    """What each level tells by its kind and name, and by what is said of names."""
    role_of = dict(named)
    roles: list[str] = []
    for kind, level in levels:
        name = level.lower()
        role = role_of.get(level) or (
            "step" if kind == "list"
            else "impulse" if "impulse" in name
            else "turn" if "turn" in name or "turn" not in roles
            else "impulse"
        )  # fmt: skip
        if role == "step":
            roles = ["" if earlier == "step" else earlier for earlier in roles]
        roles.append("" if role in roles else role)
    return tuple(roles)


def tracker_told(states: Iterable[TurnState], module_map: ModuleMap | None = None) -> TurnState | None:
    """The turn tracker that tells the time: the one the map names, else the first."""
    if module_map is None or not module_map.tracker:
        return next(iter(states), None)
    there = list(states)
    named = [state for state in there if state.name == module_map.tracker]
    return next(iter(named or there), None)


def read_properties(clock: Clock, values: Mapping[str, str], module_map: ModuleMap | None) -> Clock:
    """The clock with what a map says global properties hold of it."""
    held = module_map.properties if module_map else {}
    shown = {role: values[name].strip() for role, name in held.items() if name in values}
    numbers = {role: integer(value) for role, value in shown.items()}
    return replace(
        clock,
        turn=numbers.get("turn", clock.turn),
        impulse=numbers.get("impulse", clock.impulse),
        step=clock.step if numbers.get("step", 0) is not None else shown["step"][:200],
        step_number=numbers.get("step", clock.step_number),
    )


def _named_display(piece: Piece) -> bool:
    return _SSD_WORD.search(piece.basic_name) is not None or "SSD" in piece.markers.values()


def _is_display(piece: Piece) -> bool:
    if _named_display(piece):
        return True
    ticks = any(item.ticks for sheet in piece.sheets for item in sheet.fields)
    if piece.tables or ticks:
        return True
    return not piece.facings and (len(piece.layers) >= _MANY or len(piece.dynamic) >= _MANY)


def is_counter(piece: Piece, module_map: ModuleMap | None = None) -> bool:
    """Whether a piece is a unit on the map: one that can point along a hex grid, or as the map says."""
    mapped = module_map.is_counter(piece) if module_map else None
    if mapped is not None:
        return mapped
    return any(facing.of % 6 == 0 for facing in piece.facings)


def _ship(
    counter: Piece | None,
    ssd: Piece | None,
    file: str,
    module_map: ModuleMap | None = None,
    lying: Mapping[str, tuple[str, ...]] | None = None,
    like: ShipOnTable | None = None,
    name: str | None = None,
) -> ShipOnTable:
    pieces = [piece for piece in (counter, ssd if ssd is not counter else None) if piece]
    boxes, shields = _shown(ssd, module_map, lying, like)
    listed = module_map.listed(counter) if module_map else None
    if name is None:
        name = (listed.name if listed else "") or _name(counter, ssd)
    return ShipOnTable(
        name, counter, ssd, _hints(pieces), _table(pieces, file, module_map), boxes, shields,
        module_map.side_of(counter) if module_map else "",
    )  # fmt: skip


def _shown(
    ssd: Piece | None,
    module_map: ModuleMap | None,
    lying: Mapping[str, tuple[str, ...]] | None,
    like: ShipOnTable | None,
) -> tuple[Boxes, Mapping[int, tuple[int, int | None]]]:
    """The boxes and shields that a display shows: those of a ship `like` it where it shows the same."""
    if module_map is None and ssd and like and like.ssd and shows_same(ssd, like.ssd):
        return like.boxes_left, like.shields
    boxes: dict[str, tuple[int, int | None]] = {}
    shields: dict[int, tuple[int, int | None]] = {}
    for label, count in boxes_shown(ssd) if ssd else ():
        if number := shield_of(label):
            shields.setdefault(number, count)
        else:
            boxes.setdefault(label, count)
    if ssd and module_map and module_map.damage:
        boxes = boxes_marked(ssd, module_map.damage, (lying or {}).get(ssd.id, ()))
        boxes = {label: count for label, count in boxes.items() if not shield_of(label)}
    if ssd and module_map and module_map.shields:
        shields = shields_marked(ssd, module_map.shields)
    return boxes, shields


def as_it_stood(
    ship: ShipOnTable,
    pieces: Mapping[str, Piece],
    file: str,
    module_map: ModuleMap | None = None,
    *,
    like: ShipOnTable | None = None,
) -> ShipOnTable:
    """A ship with its counter and display as they were among the pieces of another moment; what was worked
    out of a ship `like` it, as of a moment before, is used again where its display shows the same."""
    counter = pieces.get(ship.counter.id) if ship.counter else None
    ssd = pieces.get(ship.ssd.id) if ship.ssd else None
    lying = None
    if ssd and module_map and module_map.damage:
        lying = _lying(
            pieces.values(), [p for p in pieces.values() if displays_ship(p, module_map)], module_map
        )
    return _ship(counter, ssd, file, module_map, lying, like, ship.name)


def _name(counter: Piece | None, ssd: Piece | None) -> str:
    if counter:
        return counter.basic_name
    name = ssd.basic_name if ssd else ""
    return " ".join(_SSD_WORD.sub(" ", name).split()).strip(" -:") or name


def _hints(pieces: list[Piece]) -> tuple[str, ...]:
    texts = [piece.basic_name for piece in pieces]
    texts += [value for piece in pieces for value in piece.markers.values()]
    return tuple(dict.fromkeys(text for text in texts if text))


def _table(pieces: list[Piece], file: str, module_map: ModuleMap | None) -> Sheet | None:
    found = table_of(pieces, module_map)
    if found is None:
        return None
    sheet = found[0].table_sheet(found[1], file)
    return replace(sheet, rows=_laid_out(sheet.rows, module_map)) if module_map else sheet


def _laid_out(rows: tuple[tuple[str, ...], ...], module_map: ModuleMap) -> tuple[tuple[str, ...], ...]:
    """A table with its labels in the first column and nothing above its heading, every figure where it is."""
    labels, heading = told_where(rows, module_map)
    if labels:
        rows = tuple((*row[labels : labels + 1], *("",) * labels, *row[labels + 1 :]) for row in rows)
    if heading is None:
        return rows
    above = tuple(("",) * len(row) for row in rows[:heading])
    return (*above, *(("Turn", *row[1:]) for row in rows[heading : heading + 1]), *rows[heading + 1 :])


def told_where(rows: tuple[tuple[str, ...], ...], module_map: ModuleMap) -> tuple[int, int | None]:
    """The column of labels and the row of headings that a map tells of a table, 0 and None where it tells
    none, or one where figures stand: a column must hold words or different numbers, a row as many
    numbers that rise as any."""
    column = [row[module_map.label_column] for row in rows if len(row) > module_map.label_column]
    filled = [text for text in column if text.strip()]
    different = len(filled) > 1 and len(set(filled)) == len(filled)
    labels = module_map.label_column if different or any(map(str.isalpha, "".join(filled))) else 0
    heading = module_map.header_row
    if heading is not None and heading < len(rows):
        rising = [_rising(row[labels + 1 :]) for row in rows]
        numbers = any(integer(text.strip()) is not None for text in rows[heading][labels + 1 :])
        if numbers and rising[heading] < max(rising):
            heading = None
    return labels, heading


def _rising(cells: Iterable[str]) -> int:
    """How many numbers cells hold that rise from one to the next, 0 where they do not."""
    found = [number for text in cells if (number := integer(text.strip())) is not None]
    return len(found) if found == sorted(set(found)) else 0


def table_of(pieces: list[Piece], module_map: ModuleMap | None = None) -> tuple[Piece, int] | None:
    """The largest table of the display, else of the counter; of those the map names, where it does: the piece
    and which of its tables."""
    title = module_map.title if module_map else ""
    for piece in reversed(pieces):
        tables = [(index, table) for index, table in enumerate(piece.tables) if table.rows]
        sizes = [(len(table.rows), -index) for index, table in tables if title in ("", table.title)]
        if sizes:
            return piece, -max(sizes)[1]
    return None


# -- what is no ship's -------------------------------------------------------------------


def loose(
    pieces: Iterable[Piece], ships: Iterable[ShipOnTable], module_map: ModuleMap | None = None
) -> Iterator[Piece]:
    """The pieces in plain sight that belong to none of the ships, and of which a map says nothing."""
    taken = {piece.id for ship in ships for piece in (ship.counter, ship.ssd) if piece}
    for piece in pieces:
        if piece.kind != "piece" or piece.id in taken or not piece.basic_name or piece.masked:
            continue
        seeker = module_map.seeker if module_map else None
        if not (
            module_map
            and (module_map.ignores(piece) or module_map.is_mark(piece) or (seeker and seeker.fits(piece)))
        ):
            yield piece


def on_displays(
    pieces: Iterable[Piece], ships: Sequence[ShipOnTable]
) -> Iterator[tuple[Piece, ShipOnTable, bool]]:
    """Those of some pieces that lie on a map with displays, each with the ship whose display is nearest, and
    whether the map is one for displays, without a ship's counter."""
    space = {ship.counter.map for ship in ships if ship.counter and ship.counter is not ship.ssd}
    shown = [(ship.ssd, ship) for ship in ships if ship.ssd and ship.ssd is not ship.counter]
    for piece in pieces:
        near = [
            (hypot(display.x - piece.x, display.y - piece.y), number)
            for number, (display, _) in enumerate(shown)
            if display.map == piece.map and piece.map is not None
        ]
        if near:
            yield piece, shown[min(near)[1]][1], piece.map not in space
