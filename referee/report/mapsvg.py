"""The hexes in play as a picture: ships and seekers with their facings and tracks, a weapon's arc and range bands, the
hexes a ship may enter next, shields that were struck."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from html import escape
from textwrap import wrap

from referee.core.frozen import frozen
from referee.core.hexgrid import FACINGS, Hex
from referee.core.positions import Position, UnitShown
from referee.core.safe import safe_line
from referee.report.documents import happened
from referee.report.hexdraw import HALF, SIDE, Point, hex_middle, hex_number, hex_side, hexagon
from referee.report.mapunits import Box, number_box, points, units_svg

_LETTER = 6.0
"""Pixels that a letter below the map is wide, at most."""
SEEKERS = "small arrowhead: a drone or another seeker that was launched"
MOST_HEXES = 60
"""A picture shows at most so many columns and rows; what is beyond them is named below it."""
_SMALL = 600
"""Pixels up to which a map is made narrower for a phone: a wider one scrolls, its numbers would be too small."""
_MARGIN = 2
_NEAR = 5
"""The last range band a picture makes room for."""
_SIDES = 4
"""Sides are told apart by colour and by shape of four kinds."""

STYLE = """
.map text { font: 9px system-ui, sans-serif; fill: #667; text-anchor: middle; }
.map.small { max-width: 100%; height: auto; }
.map .title { font: 700 15px system-ui, sans-serif; fill: #1c2430; text-anchor: start; }
.map .key { font: 11.5px system-ui, sans-serif; fill: #333c49; text-anchor: start; }
.map .name { font: 600 11px system-ui, sans-serif; fill: #10151c; text-anchor: start; paint-order: stroke; stroke: #fff; stroke-width: 3px; }
.map .paper, .map .hex { fill: #fff; } .map .hex { stroke: #d5dae2; }
.map .b0 { fill: #cfe0f3; stroke: #9db8d6; } .map .b1 { fill: #e6eff9; stroke: #b9cce2; }
.map .next { fill: none; stroke: #1b7f4b; stroke-width: 2.4; }
.map .track { fill: none; stroke-width: 2.2; stroke-dasharray: 5 3; opacity: .85; } .map .aim { stroke: #667; stroke-width: 1; stroke-dasharray: 1 3; fill: none; }
.map .struck { fill: none; stroke: #8c3d00; stroke-width: 5; } .map .edge { fill: none; stroke: #566070; stroke-width: 4; stroke-linecap: round; }
.map .s0 { fill: #0b5fa5; stroke: #0b5fa5; } .map .s1 { fill: #fff; stroke: #b34700; stroke-width: 2.2; }
.map .s2 { fill: #2c7a4b; stroke: #111; stroke-width: 2.2; } .map .s3 { fill: #fff; stroke: #6a3d9a; stroke-width: 2.2; stroke-dasharray: 7 1.5; }
.map .t0 { stroke: #0b5fa5; } .map .t1 { stroke: #b34700; } .map .t2 { stroke: #2c7a4b; } .map .t3 { stroke: #6a3d9a; }
@media (prefers-color-scheme: dark) { .map text { fill: #94a0b0; } .map .title, .map .key { fill: #e4e8ee; }
.map .name { fill: #fff; stroke: #14181e; } .map .paper, .map .hex { fill: #14181e; } .map .hex { stroke: #323b47; }
.map .b0 { fill: #1d3a57; stroke: #44678c; } .map .b1 { fill: #1a2a3b; stroke: #365069; } .map .next { stroke: #57d393; }
.map .struck { stroke: #ffb978; } .map .edge { stroke: #a7b0bd; } .map .s0 { fill: #66b3ff; stroke: #66b3ff; } .map .s1 { fill: #14181e; stroke: #ff9a52; }
.map .s2 { fill: #57d393; stroke: #eee; } .map .s3 { fill: #14181e; stroke: #c79bf2; }
.map .t0 { stroke: #66b3ff; } .map .t1 { stroke: #ff9a52; } .map .t2 { stroke: #57d393; } .map .t3 { stroke: #c79bf2; } }
@media print { .map .paper, .map .hex { fill: #fff; } .map text, .map .title, .map .key, .map .name { fill: #000; } .map .name { stroke: #fff; } }
"""


_BANDS = 15
"""The range bands that a picture names at most."""


@frozen
class Bearing:
    """Where a weapon bears: the range band of every hex in its arc (0 for the nearest), what the weapon is called,
    the ranges of each band, and whether it is a seeker that is launched."""

    title: str
    bands: Mapping[Hex, int]
    ranges: Sequence[str] = ()
    launched: bool = False


@frozen
class MapMarks:
    """What a map shows beside where the units stand: tracks by unit, the hexes a ship may enter next, a weapon's bearing,
    shields struck by ship, the first and last hex of a board that has edges, and in words what the next hexes are."""

    tracks: Mapping[str, Sequence[Hex]] = field(default_factory=dict)
    next: Collection[Hex] = ()
    bearing: Bearing | None = None
    struck: Mapping[str, Collection[int]] = field(default_factory=dict)
    edges: tuple[Hex, Hex] | None = None
    next_told: str = ""


NOTHING = MapMarks()


def map_svg(
    position: Position, title: str, shown: MapMarks = NOTHING, named: Callable[[Hex], str] = str
) -> str:
    """The map of a position as an SVG picture that needs nothing else; `named` names a hex as the players' board does. A
    picture of the same position has the same bytes."""
    units = [unit for unit in position.units if unit.hex is not None]
    first, last, beyond = _window(units, shown)
    left, top = hex_middle(first)
    dx, dy = SIDE + 14 - left, HALF + 62 - min(top, hex_middle(Hex(first.column | 1, first.row))[1])
    map_wide = (last.column - first.column) * 1.5 * SIDE + 2 * SIDE + 28
    width = max(map_wide, 460.0)
    dx += (width - map_wide) / 2
    letters = int((width - 28) / _LETTER)
    above = wrap(safe_line(told_of(position), 300), letters)[:3]
    edge = comes_to_edge(first, last, shown.edges)
    key = ["thick grey line: the edge of the map"] * edge + _key(position, units, shown, beyond)
    below = [part for line in key for part in wrap(safe_line(line, 600), letters)]
    dy += 15 * (len(above) - 1)
    map_high = (last.row - first.row) * 2 * HALF + 3 * HALF + 66 + 15 * (len(above) - 1)
    height = map_high + 16 * len(below) + 18

    def at(hex: Hex) -> Point:
        x, y = hex_middle(hex)
        return x + dx, y + dy

    board = [
        hex
        for column in range(first.column, last.column + 1)
        for row in range(first.row, last.row + 1)
        if on_board(hex := Hex(column, row), shown.edges)
    ]
    there = {*board, *(unit.hex for unit in units if unit not in beyond)}
    standing = {unit.hex for unit in units}
    side = sides_of(position.units)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" viewBox="0 0 {width:.0f} {height:.0f}"'
        f' class="map{" small" * (width <= _SMALL)}" role="img" aria-label="{_shown(describe(position), 2000)}">',
        f"<style>{STYLE}</style>",
        f'<rect width="{width:.0f}" height="{height:.0f}" class="paper"/>',
        f'<text class="title" x="14" y="24">{_shown(title)}</text>',
        *(
            f'<text class="key" x="14" y="{42 + 15 * n}">{_shown(line, 300)}</text>'
            for n, line in enumerate(above)
        ),
    ]
    border = border_svg(board, shown.edges, at)
    bands = shown.bearing.bands if shown.bearing else {}
    parts += [hexagon(at(hex), f"hex b{bands[hex] % 2}" if hex in bands else "hex") for hex in board]
    struck = {name: sorted(numbers) for name, numbers in shown.struck.items()}
    drawn = [unit for unit in units if unit.hex in there]
    counters, written = units_svg(drawn, at, side, struck, Box(4, 48, width - 4, map_high))
    parts += [
        hex_number(_shown(named(hex)), at(hex))
        for hex in board
        if hex not in standing and not any(map(number_box(at(hex)).meets, written))
    ]
    parts += [hexagon(at(hex), "next") for hex in shown.next if hex in there]
    for unit in units:
        if len(track := [at(hex) for hex in shown.tracks.get(unit.name, ()) if hex in there]) > 1:
            parts.append(f'<polyline class="track t{side[unit.side]}" points="{points(track)}"/>')
    parts += border
    parts += counters
    parts += [
        f'<text class="key" x="14" y="{map_high + 16 * n + 14:.0f}">{_shown(line, 600)}</text>'
        for n, line in enumerate(below)
    ]
    return "\n".join([*parts, "</svg>", ""])


def on_board(hex: Hex, edges: tuple[Hex, Hex] | None) -> bool:
    """Is a hex on a board with these corners? One without is on any."""
    if edges is None:
        return True
    first, last = edges
    return first.column <= hex.column <= last.column and first.row <= hex.row <= last.row


def comes_to_edge(first: Hex, last: Hex, edges: tuple[Hex, Hex] | None) -> bool:
    """Does a picture from one hex to another come to the edge of the board?"""
    if edges is None:
        return False
    (left, top), (right, bottom) = ((hex.column, hex.row) for hex in edges)
    return first.column <= left or first.row <= top or last.column >= right or last.row >= bottom


def border_svg(
    board: Iterable[Hex], edges: tuple[Hex, Hex] | None, at: Callable[[Hex], Point]
) -> Iterator[str]:
    """The edge of the board, where a picture comes to it: the sides of its hexes beyond which it has none."""
    if edges is None:
        return
    sides = [
        "M{:.1f} {:.1f}L{:.1f} {:.1f}".format(*start, *end)
        for hex in board
        for n, facing in enumerate(FACINGS)
        if not on_board(hex.step(facing), edges)
        for start, end in [hex_side(at(hex), n)]
    ]
    if sides:
        yield f'<path class="edge" d="{"".join(sides)}"/>'


def describe(position: Position) -> str:
    """The map in words: when, and where each unit stands."""
    units = "; ".join(f"{unit.name} at {unit.at}" for unit in position.units if unit.at)
    return f"Turn {position.when}: {units or 'nothing is on the map'}"


def told_of(position: Position) -> str:
    """When it is, and what has just happened."""
    part = "round" if position.log else "impulse"
    at = f"turn {position.turn}" + (f", {part} {position.impulse}" if position.impulse is not None else "")
    step = f", {position.step}" if position.step else ""
    event = happened(position)
    return f"{at}{step}: {event}" if event else f"{at}{step}"


def _shown(text: str, most: int = 60) -> str:
    return escape(safe_line(text, most))


def sides_of(units: Iterable[UnitShown]) -> dict[str, int]:
    """The number of each side, in the order of its first unit."""
    return {side: n % _SIDES for n, side in enumerate(dict.fromkeys(unit.side for unit in units))}


def _window(units: Sequence[UnitShown], shown: MapMarks) -> tuple[Hex, Hex, list[UnitShown]]:
    """The corners of what is drawn, and the units that do not fit: all are in it where they can be, the rest of what is
    shown as far as there is room."""
    wanted = [unit.hex for unit in units if unit.hex is not None]
    if not wanted:
        return Hex(1, 1), Hex(12, 8), []
    near = (hex for hex, band in shown.bearing.bands.items() if band <= _NEAR) if shown.bearing else ()
    also = [*wanted, *(hex for track in shown.tracks.values() for hex in track), *shown.next, *near]
    columns = _span([hex.column for hex in wanted], [hex.column for hex in also])
    rows = _span([hex.row for hex in wanted], [hex.row for hex in also])
    beyond = [
        unit
        for unit in units
        if unit.hex is not None and (unit.hex.column not in columns or unit.hex.row not in rows)
    ]
    return Hex(columns[0], rows[0]), Hex(columns[-1], rows[-1]), beyond


def _span(needed: Sequence[int], also: Sequence[int]) -> range:
    """The columns or rows that are drawn, from 1."""
    low, high = max(1, min(needed) - _MARGIN), max(needed) + _MARGIN
    low, high = min(low, *(max(1, n) for n in also)), max(high, *also)
    if high - low >= MOST_HEXES:
        low, high = max(1, min(needed) - _MARGIN), max(needed) + _MARGIN
    if high - low >= MOST_HEXES:
        middle = sorted(needed)[len(needed) // 2]
        low = max(1, middle - MOST_HEXES // 2)
        high = low + MOST_HEXES - 1
    return range(low, high + 1)


def _key(
    position: Position, units: Sequence[UnitShown], shown: MapMarks, beyond: Sequence[UnitShown]
) -> list[str]:
    """What the marks mean and what could not be drawn, a line each."""
    lines = ["dashed: the way of this turn" * any(len(track) > 1 for track in shown.tracks.values())]
    lines.append("thick edge: a shield struck in this turn" * bool(shown.struck))
    lines.append(SEEKERS * any(unit.kind == "seeker" for unit in units))
    lines.append("dotted: what a seeker goes after" * any(unit.target for unit in units))
    lines.append(f"green edge: {shown.next_told or 'a hex that may be entered next'}" * bool(shown.next))
    if shown.bearing and shown.bearing.launched:
        bands = "tinted by the hexes it has flown" if shown.bearing.ranges else "it has no range bands"
        lines.append(f"{shown.bearing.title}: launched, and follows its target; {bands}")
    if shown.bearing and shown.bearing.bands:
        lines.append(f"tinted: where {shown.bearing.title} bears; a range band dark, the next light")
        if ranges := shown.bearing.ranges:
            lines.append(f"range bands: {', '.join(ranges[:_BANDS])}{' and so on' * (len(ranges) > _BANDS)}")
    if beyond:
        lines.append(f"not in the picture: {', '.join(f'{unit.name} at {unit.at}' for unit in beyond)}")
    if off := [unit.name for unit in position.units if unit.hex is None]:
        lines.append(f"not on the map: {', '.join(off)}")
    return [line for line in lines if line]
