"""The map of a whole game: its hexes drawn once, and its units as counters that a page moves."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from referee.core.frozen import frozen
from referee.core.hexgrid import Hex
from referee.core.positions import PlayedGame, UnitShown
from referee.core.safe import safe_line
from referee.report.hexdraw import HALF, SIDE, Point, arrowhead, hex_middle, hex_number, hex_side, hexagon
from referee.report.mapsvg import STYLE, border_svg, sides_of
from referee.report.mapunits import shown_name

_MARGIN = 1
_LEAST = 9
"""The columns or rows that a map shows at least, where it has them."""
_NAME = 80
"""Pixels to the right of the map, for the name of a unit at its edge."""
_NAMED = 2500
"""More hexes than this are named every fifth column and row only."""


_SHIELDS = "".join(
    '<polyline class="struck" data-struck="{}" points="{:.1f},{:.1f} {:.1f},{:.1f}" style="display:none"/>'.format(
        number, *(0.86 * part for end in hex_side((0.0, 0.0), number - 1) for part in end)
    )
    for number in range(1, 7)
)
"""The sides a ship's shields cover, as it faces up; the page shows those that were struck."""


@frozen
class MapPicture:
    """The picture of a game's map, and what moves a hex's middle to its place in it, in pixels."""

    svg: str
    dx: float
    dy: float


def units_in(game: PlayedGame) -> tuple[UnitShown, ...]:
    """Every unit there ever is in a game, in the order it came, as it came."""
    found: dict[str, UnitShown] = {}
    for position in game.positions:
        for unit in position.units:
            found.setdefault(unit.name, unit)
    return tuple(found.values())


def board_svg(game: PlayedGame) -> MapPicture:
    """The hexes that any unit of a game ever stands in, with a margin, and its units as they stand in the end."""
    hexes = {unit.hex for position in game.positions for unit in position.units if unit.hex is not None}
    edges = game.board.edges
    columns = _span([hex.column for hex in hexes] or [1], edges and (edges[0].column, edges[1].column))
    rows = _span([hex.row for hex in hexes] or [1], edges and (edges[0].row, edges[1].row))
    first = hex_middle(Hex(columns[0], rows[0]))
    dx = SIDE + 6 - first[0]
    dy = HALF + 6 - min(hex_middle(Hex(column, rows[0]))[1] for column in columns[:2])
    width = (columns[-1] - columns[0]) * 1.5 * SIDE + 2 * SIDE + 12 + _NAME
    height = (rows[-1] - rows[0]) * 2 * HALF + 3 * HALF + 12
    board = [Hex(column, row) for column in columns for row in rows]
    few = len(board) <= _NAMED
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" viewBox="0 0 {width:.0f} {height:.0f}"'
        ' class="map" role="img" aria-label="The map; the log below tells every move">',
        f"<style>{STYLE}</style>",
    ]
    for hex in board:
        x, y = hex_middle(hex)
        parts.append(hexagon((x + dx, y + dy), "hex"))
        if few or (hex.column % 5 == 0 and hex.row % 5 == 0):
            name = escape(safe_line(game.board.named(hex), 12))
            parts.append(hex_number(name, (x + dx, y + dy)))

    def at(hex: Hex) -> Point:
        x, y = hex_middle(hex)
        return x + dx, y + dy

    parts += border_svg(board, edges, at)
    units = units_in(game)
    side = sides_of(units)
    parts += [
        f'<polyline class="track t{side[unit.side]}" data-track="{n}" points=""/>'
        for n, unit in enumerate(units)
    ]
    parts.append('<g id="units">')
    parts += _counters(units, game, dx, dy)
    return MapPicture("\n".join([*parts, "</g></svg>"]), dx, dy)


def _span(numbers: Sequence[int], ends: tuple[int, int] | None) -> range:
    """The columns or rows that are drawn: a margin around what is used, as far as the map goes."""
    low, high = max(1, min(numbers) - _MARGIN), max(numbers) + _MARGIN
    short = max(0, _LEAST - (high - low + 1))
    low, high = max(1, low - short // 2), high + (short + 1) // 2
    if ends is not None:
        low, high = min(max(low, ends[0]), *numbers), max(min(high, ends[1]), *numbers)
    return range(low, high + 1)


def _counters(units: Sequence[UnitShown], game: PlayedGame, dx: float, dy: float) -> Iterable[str]:
    """Each unit's counter, pointing up and turned to its facing, where it stands in the end."""
    end = {unit.name: unit for unit in game.positions[-1].units} if game.positions else {}
    side = sides_of(units)
    for n, unit in enumerate(units):
        now = end.get(unit.name)
        x, y = hex_middle(now.hex) if now is not None and now.hex is not None else (0.0, 0.0)
        hidden = "" if now is not None and now.hex is not None else ' style="display:none"'
        turned = "ABCDEF".index(now.facing) * 60 if now is not None and now.facing else 0
        size = 0.52 if unit.kind == "ship" else 0.26
        counter = arrowhead((0.0, 0.0), "A", f"counter s{side[unit.side]}", size)
        yield (
            f'<g class="u" data-unit="{n}" transform="translate({x + dx:.1f} {y + dy:.1f})"{hidden}>'
            f'<g transform="rotate({turned})">{counter}{_SHIELDS * (unit.kind == "ship")}</g>'
            f'<text class="name" x="{SIDE * 0.62:.1f}" y="-6">{shown_name(unit.name)}</text></g>'
        )
