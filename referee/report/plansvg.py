"""A movement plan as a picture: a hex map with an arrowhead for each way the ship can face."""

from __future__ import annotations

from html import escape

from referee.core.hexgrid import FACINGS, Hex
from referee.core.naming import how_many
from referee.core.play import Plan, Reached
from referee.core.safe import safe_line
from referee.report.hexdraw import HALF, SIDE, arrowhead, hex_middle, hex_number, hexagon

_STYLE = """
text { font: 9px sans-serif; fill: #556; text-anchor: middle }
.title { font: bold 14px sans-serif; fill: #111; text-anchor: start }
.key { font: 11px sans-serif; fill: #333; text-anchor: start }
.hex { fill: #fff; stroke: #ccd }
.in { fill: #dcebff; stroke: #7a9cc6 }
.way { fill: #1f5fa8 }
.ship { fill: #c0392b }
.track { fill: none; stroke: #c0392b; stroke-width: 2; stroke-dasharray: 5 3 }
"""


def plan_svg(plan: Plan, to: Reached | None = None) -> str:
    """The map: the ship in red, reachable hexes tinted with an arrowhead for each facing, and the track
    to `to` if one is given."""
    hexes = {reached.hex for reached in plan.reached} | {plan.hex}
    columns = [hex.column for hex in hexes]
    rows = [hex.row for hex in hexes]
    # A hex of margin, but none beyond the edge of the map.
    first, last = plan.within
    left, right = max(first.column, min(columns) - 1), min(last.column, max(columns) + 1)
    top, bottom = max(first.row, min(rows) - 1), min(last.row, max(rows) + 1)
    # Odd columns begin half a hex higher, even ones end half a hex lower, wherever the map begins.
    dx, dy = SIDE + 12 - left * 1.5 * SIDE, HALF + 62 - top * 2 * HALF
    width = (right - left) * 1.5 * SIDE + 2 * SIDE + 24
    height = (bottom - top) * 2 * HALF + 3 * HALF + 74
    title, key = plan_heading(plan)
    # As wide as what is written over it: a letter of the title takes 9 pixels at most on the average, of the key 7.
    width = max(width, 24 + 9.0 * len(title), 24 + 7.0 * len(key))

    def at(hex: Hex) -> tuple[float, float]:
        x, y = hex_middle(hex)
        return x + dx, y + dy

    facings: dict[Hex, list[str]] = {}
    for reached in plan.reached:
        facings.setdefault(reached.hex, []).append(reached.facing)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="0 0 {width:.0f} {height:.0f}" role="img">',
        f"<title>{escape(title)}</title><style>{_STYLE}</style>",
        f'<rect width="{width:.0f}" height="{height:.0f}" fill="#fff"/>',
        f'<text class="title" x="12" y="22">{escape(title)}</text>',
        f'<text class="key" x="12" y="40">{escape(key)}</text>',
    ]
    board = [Hex(column, row) for column in range(left, right + 1) for row in range(top, bottom + 1)]
    parts += [hexagon(at(hex), "hex in" if hex in facings else "hex") for hex in board]
    if to is not None:
        points = " ".join(f"{x:.1f},{y:.1f}" for x, y in map(at, hexes_of(plan, to)))
        parts.append(f'<polyline class="track" points="{points}"/>')
    # What is to be read stands above the track, and a ship above the number of no hex.
    parts += [hex_number(str(hex), at(hex), low=hex == plan.hex) for hex in board]
    parts += [arrowhead(at(hex), bow, "way", 0.6, 0.22) for hex, bows in facings.items() for bow in bows]
    parts.append(arrowhead(at(plan.hex), plan.facing, "ship", 0.0, 0.5))
    parts.append("</svg>\n")
    return "\n".join(parts)


def plan_heading(plan: Plan) -> tuple[str, str]:
    """Who stands where and plans which impulses; how many places there are, and when it may turn."""
    name = safe_line(plan.ship, 60)
    when = f"impulse {plan.first}" if plan.first == plan.last else f"impulses {plan.first} to {plan.last}"
    speeds = str(plan.speed)
    if plan.then:
        over = plan.first > plan.of
        when = f"{'its end' if over else f'impulse {plan.first}'} to turn {plan.then[-1].turn}, impulse {plan.last}"
        speeds = ", then ".join(str(speed) for speed in (plan.speed, *(leg.speed for leg in plan.then)))
    places = len({reached.hex for reached in plan.reached})
    free = max(0, plan.turn_mode - plan.count)
    turns = "may turn at once" if not free else f"may turn after {free} more"
    found = f"{how_many(places, 'hex', 'hexes')}, {len(plan.reached)} with facings"
    if plan.must_leave:
        found = f"it must leave the map ({plan.within[0]}-{plan.within[1]}): every way leads off it"
    return (
        f"{name}, {plan.hex}{plan.facing}, speed {speeds}: turn {plan.turn}, {when} of {plan.of}",
        f"{found}; turn mode {plan.turn_mode}, {turns}",
    )


def hexes_of(plan: Plan, to: Reached) -> list[Hex]:
    """The hexes of a track, the first being where the ship stands."""
    hexes, facing = [plan.hex], FACINGS.index(plan.facing)
    for step in to.track:
        facing = (facing + {"ahead": 0, "right": 1, "left": 5}[step.way]) % 6
        hexes.append(hexes[-1].step(FACINGS[facing]))
    return hexes
