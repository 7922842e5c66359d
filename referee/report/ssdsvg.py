"""A ship drawn as on its SSD: shields around, systems in groups, destroyed boxes crossed, a volley's boxes marked."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import field
from html import escape

from referee.core.frozen import frozen
from referee.core.safe import safe_line
from referee.core.ship import ShipClass
from referee.core.state import ShipState, live_boxes
from referee.report.volleytext import power_told, words

WIDTH = 760
BOX = 20
SHIELD_BOX = 13
GAP = 14
LABEL = 15
_HEAD = 70
_SIDE_ACROSS = 5
_HULL = 20 + _SIDE_ACROSS * SHIELD_BOX + 22
"""Where the hull begins, beside the shields of a flank."""
_END_ACROSS = 38
SIGNS = {"verified": "", "single-source": "*", "provisional": "?"}

_FRONT = (
    "bridge",
    "flag_bridge",
    "emergency_bridge",
    "aux_control",
    "security",
    "forward_hull",
    "center_hull",
)
_REAR = ("battery", "apr", "impulse", "center_warp", "aft_hull")
_LAUNCHED = ("drone", "plasma")
"""The weapons that are seekers: what their types begin with."""
_FLANKS = ("left_warp", "right_warp")

STYLE = """
.ssd { max-width: 100%; height: auto; }
.ssd text { font: 12px system-ui, sans-serif; fill: #1c2430; }
.ssd .title { font-size: 19px; font-weight: 700; } .ssd .soft { fill: #566070; }
.ssd .mark { font-size: 11px; text-anchor: middle; } .ssd .mid { text-anchor: middle; }
.ssd .hull { fill: #f3f5f8; stroke: #b9c1cc; } .ssd .paper { fill: #fff; }
.ssd .box { fill: #fff; stroke: #3f4a59; } .ssd .unsure { stroke-dasharray: 3 2; }
.ssd .gone { fill: #d3d8df; stroke: #6d7785; } .ssd .now { fill: #f7c99b; stroke: #8c3d00; stroke-width: 2.2; }
.ssd .cross { stroke: #4d5663; stroke-width: 1.4; } .ssd .nowcross { stroke: #8c3d00; stroke-width: 1.6; }
.ssd .hit { font-size: 11px; font-weight: 700; fill: #5c2800; text-anchor: middle; paint-order: stroke; stroke: #f7c99b; stroke-width: 3px; }
.ssd .banner { font-size: 26px; font-weight: 700; fill: #8c3d00; text-anchor: middle; paint-order: stroke; stroke: #fff; stroke-width: 8px; }
@media (prefers-color-scheme: dark) { .ssd text { fill: #e4e8ee; } .ssd .soft { fill: #a7b0bd; } .ssd .paper { fill: #14181e; }
.ssd .hull { fill: #1d232b; stroke: #48525f; } .ssd .box { fill: #14181e; stroke: #b4bdc9; } .ssd .gone { fill: #39424d; stroke: #7d8794; }
.ssd .cross { stroke: #b4bdc9; } .ssd .now { fill: #7a3d0c; stroke: #ffb978; } .ssd .nowcross { stroke: #ffb978; }
.ssd .hit { fill: #fff; stroke: #7a3d0c; } .ssd .banner { fill: #ffb978; stroke: #14181e; } }
@media print { .ssd text { fill: #000; } .ssd .paper, .ssd .hull, .ssd .box { fill: #fff; } .ssd .box { stroke: #000; }
.ssd .gone { fill: #ccc; } .ssd .now { fill: #fff; stroke: #000; } .ssd .nowcross, .ssd .cross { stroke: #000; } .ssd .hit { fill: #000; stroke: #fff; } }
"""


@frozen
class SsdMarks:
    """What is drawn beside what is left of a ship: the boxes this volley took with the number of the hit, the shield
    boxes it took by shield, words beside a weapon (`{"PHOT/A": "armed"}`), and what bold boxes are in the legend."""

    hits: Mapping[str, str] = field(default_factory=dict)
    shields: Mapping[int, int] = field(default_factory=dict)
    weapons: Mapping[str, str] = field(default_factory=dict)
    bold: str = "this volley, with the number of the hit"


@frozen
class Group:
    """A system's boxes under its label: each box's id and what is printed in it, so many side by side."""

    label: str
    boxes: tuple[tuple[str, str], ...]
    across: int
    unsure: bool
    each: int = BOX

    @property
    def wide(self) -> int:
        return max(min(len(self.boxes), self.across) * self.each, int(len(self.label) * 6.4) + 2)

    @property
    def high(self) -> int:
        return LABEL + -(-len(self.boxes) // self.across) * BOX


def ssd_svg(ships: Sequence[tuple[ShipClass, ShipState, str, SsdMarks]]) -> str:
    """The SSDs of some ships below each other as one SVG picture that needs nothing else: class, what is left of it, its
    name in the game (empty for the class's own) and the marks. The same ships give the same bytes."""
    drawn, top = [], 0
    for ship, state, name, marks in ships:
        parts, high = ssd_parts(ship, state, name, marks)
        drawn.append(f'<g transform="translate(0 {top})">\n' + "\n".join(parts) + "\n</g>")
        top += high
    label = shown("; ".join(describe(ship, state, name) for ship, state, name, _ in ships), 2000)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {top}" width="{WIDTH}" height="{top}" class="ssd"'
        f' role="img" aria-label="{label}">\n<style>{STYLE}</style>\n'
        f'<rect width="{WIDTH}" height="{top}" class="paper"/>\n' + "\n".join(drawn) + "\n</svg>\n"
    )


def describe(ship: ShipClass, state: ShipState, name: str = "") -> str:
    """The picture in words: the ship, its shields, what it has lost."""
    shields = ", ".join(
        f"{n} {state.shields.get(n, 0)} of {boxes}" for n, boxes in sorted(ship.shields.items())
    )
    lost = {
        system: len(ship.box_ids(system)) - len(live_boxes(ship, state, system)) for system in ship.systems
    }
    gone = ", ".join(f"{words(system)} {n}" for system, n in lost.items() if n)
    dead = "destroyed; " if state.dead else ""
    return f"{name or ship.name}: {dead}shields {shields or 'none'}; lost: {gone or 'nothing'}"


def shown(text: str, most: int = 90) -> str:
    """A text that may come from players, as it may stand in a picture."""
    return escape(safe_line(text, most))


def text_at(x: float, y: float, text: str, style: str = "") -> str:
    """A text at a place, in a class of the style."""
    kind = f' class="{style}"' if style else ""
    return f'<text x="{x:g}" y="{y:g}"{kind}>{shown(text)}</text>'


def ssd_parts(ship: ShipClass, state: ShipState, name: str, marks: SsdMarks) -> tuple[list[str], int]:
    """One ship's picture from the height 0, and how high it is."""
    left, middle, right = columns_of(ship, marks)
    ahead, astern = _shield_high(ship, 1), _shield_high(ship, 4)
    flank = max(_column_wide(left), _column_wide(right))
    room = WIDTH - 2 * (_HULL + GAP + (flank + 2 * GAP if flank else 0))
    rows = packed(middle, room)
    inside = (
        max(_column_high(left), _column_high(right), rows_high(rows), _flank_shields_high(ship)) + 2 * GAP
    )
    top = _HEAD + ahead
    key = list(key_lines(ship, marks))
    high = top + inside + astern + GAP + 18 * len(key) + 14
    parts = list(_title(ship, state, name))
    parts.append(
        f'<rect x="{_HULL}" y="{top}" width="{WIDTH - 2 * _HULL}" height="{inside}" rx="26" class="hull"/>'
    )
    parts += _end_shield(ship, state, 1, _HEAD, marks)
    parts += _end_shield(ship, state, 4, top + inside, marks)
    for number in (6, 5, 2, 3):
        parts += _side_shield(ship, state, number, top, inside, marks)
    parts += _column(left, _HULL + GAP, top + GAP, state, marks)
    parts += _column(right, WIDTH - _HULL - GAP - _column_wide(right), top + GAP, state, marks)
    parts += _rows(rows, top + GAP, state, marks)
    if state.dead:
        parts.append(text_at(WIDTH / 2, top + inside / 2, "DESTROYED", "banner"))
    below = high - 18 * len(key)
    parts += (text_at(20, below + 18 * n, line, "soft") for n, line in enumerate(key))
    return parts, high


def _title(ship: ShipClass, state: ShipState, name: str) -> Iterator[str]:
    yield text_at(20, 28, name or ship.name, "title")
    yield text_at(20, 46, f"{ship.kind}  ({ship.id})", "soft")
    cost = movement_told(ship)
    mode = ship.turn_mode if isinstance(ship.turn_mode, str) else "on its chart"
    turn = f", turn mode {mode}" if mode else ""
    speed = "" if state.speed is None else f", speed {state.speed}"
    yield f'<text x="{WIDTH - 20}" y="28" text-anchor="end" data-power="">power {power_told(ship, state)}{speed}</text>'
    yield f'<text x="{WIDTH - 20}" y="46" text-anchor="end" class="soft">{shown(cost + turn)}</text>'


def columns_of(ship: ShipClass, marks: SsdMarks) -> tuple[list[Group], list[Group], list[Group]]:
    """What is drawn on the left, in the middle from ahead to astern, and on the right."""
    left, right, ahead, astern = _weapons(ship, marks)
    systems = [name for name in ship.boxes if name not in (*_FRONT, *_REAR, *_FLANKS)]
    front = [name for name in _FRONT if name in ship.boxes]
    rear = [name for name in _REAR if name in ship.boxes]
    tracks = [_track(ship, track) for track in ship.tracks]
    middle = [*ahead, *(_system(ship, name, 6) for name in (*front, *systems)), *tracks]
    middle += [*(_system(ship, name, 6) for name in rear), *astern]
    warp = {name: [_system(ship, name, 3)] if name in ship.boxes else [] for name in _FLANKS}
    return (
        [*left, *warp["left_warp"]],
        [group for group in middle if group.boxes],
        [*right, *warp["right_warp"]],
    )


def _system(ship: ShipClass, system: str, across: int) -> Group:
    status = ship.status_of(f"boxes/{system}")
    boxes = tuple((box, "") for box in ship.box_ids(system))
    return Group(f"{words(system)}{SIGNS[status]}", boxes, across, status == "provisional")


def _track(ship: ShipClass, track: str) -> Group:
    status = ship.status_of(f"tracks/{track}")
    boxes = tuple((box, str(n)) for box, n in zip(ship.box_ids(track), ship.tracks[track], strict=True))
    return Group(f"{words(track)}{SIGNS[status]}", boxes, 8, status == "provisional")


def _weapons(ship: ShipClass, marks: SsdMarks) -> tuple[list[Group], list[Group], list[Group], list[Group]]:
    """Weapons by the side they bear to, those of a type and arc that are as sure together: left, right, ahead, astern."""
    sides: tuple[list[Group], ...] = ([], [], [], [])
    kinds = dict.fromkeys((mount.type, mount.arc, mount.status) for mount in ship.mounts)
    for kind, arc, status in kinds:
        mounts = [m for m in ship.mounts if (m.type, m.arc, m.status) == (kind, arc, status)]
        note = ", ".join(dict.fromkeys(marks.weapons[m.id] for m in mounts if m.id in marks.weapons))
        label = f"{kind} {arc}{SIGNS[status]}" + (f" {note}" if note else "")
        boxes = tuple((mount.id, mount.mark) for mount in mounts)
        group = Group(
            label, boxes, 4, status == "provisional", max(BOX, 8 * max(len(mark) for _, mark in boxes))
        )
        sides[_side(arc)].append(group)
    return sides[0], sides[1], sides[2], sides[3]


def _side(arc: str) -> int:
    """0 left, 1 right, 2 ahead, 3 astern: the side of the ship an arc is drawn at."""
    parts = arc.split("+")
    if {"FA", "FX", "FH", "360"} & set(parts):
        return 2
    if {"RA", "RX", "RH"} & set(parts):
        return 3
    left, right = (sum(part.startswith(side) for part in parts) for side in "LR")
    return 2 if left == right else 0 if left > right else 1


def _column_wide(groups: Sequence[Group]) -> int:
    return max((group.wide for group in groups), default=0)


def _column_high(groups: Sequence[Group]) -> int:
    return sum(group.high + GAP for group in groups)


def _column(groups: Sequence[Group], x: int, y: int, state: ShipState, marks: SsdMarks) -> Iterator[str]:
    for group in groups:
        yield from group_parts(group, x, y, state, marks)
        y += group.high + GAP


def packed(groups: Sequence[Group], room: int) -> list[list[Group]]:
    """The middle's groups in rows that fit between the flanks."""
    rows: list[list[Group]] = []
    for group in groups:
        if rows and sum(before.wide + GAP for before in rows[-1]) + group.wide <= room:
            rows[-1].append(group)
        else:
            rows.append([group])
    return rows


def rows_high(rows: Sequence[Sequence[Group]]) -> int:
    return sum(max(group.high for group in row) + GAP for row in rows)


def _rows(rows: Sequence[Sequence[Group]], y: int, state: ShipState, marks: SsdMarks) -> Iterator[str]:
    for row in rows:
        x = (WIDTH - sum(group.wide for group in row) - GAP * (len(row) - 1)) // 2
        for group in row:
            yield from group_parts(group, x, y, state, marks)
            x += group.wide + GAP
        y += max(group.high for group in row) + GAP


def group_parts(group: Group, x: int, y: int, state: ShipState, marks: SsdMarks) -> Iterator[str]:
    yield text_at(x, y + 10, group.label)
    for place, (box, mark) in enumerate(group.boxes):
        row, column = divmod(place, group.across)
        there = x + column * group.each, y + LABEL + row * BOX
        yield from _box(
            *there, group.each - 2, BOX - 2, box, mark, group.unsure, state.destroyed, marks.hits.get(box)
        )


def _box(
    x: int,
    y: int,
    wide: int,
    high: int,
    box: str,
    mark: str,
    unsure: bool,
    gone: Collection[str],
    hit: str | None,
) -> Iterator[str]:
    style = "now" if hit is not None else "gone" if box in gone else "box"
    title = (
        f"{box}: hit {hit}"
        if hit
        else f"{box}: lost now"
        if style == "now"
        else f"{box}: lost"
        if style == "gone"
        else box
    )
    kind = f"{style} unsure" if unsure else style
    yield (
        f'<rect x="{x}" y="{y}" width="{wide}" height="{high}" class="{kind}" data-box="{shown(box)}">'
        f"<title>{shown(title)}</title></rect>"
    )
    if mark:
        yield text_at(x + wide / 2, y + high - 4.5, mark, "mark")
    if style != "box":
        cross = f"M{x} {y}l{wide} {high}" + (f"M{x + wide} {y}l-{wide} {high}")
        yield f'<path d="{cross}" class="{"nowcross" if style == "now" else "cross"}"/>'
    if hit:
        yield text_at(x + wide / 2, y + high - 4.5, hit, "hit")


def _shield_high(ship: ShipClass, number: int) -> int:
    """How much a shield ahead or astern takes, its label with it."""
    boxes = ship.shields.get(number, 0)
    return -(-boxes // _END_ACROSS) * SHIELD_BOX + LABEL + 8 if boxes else 8


def _flank_shields_high(ship: ShipClass) -> int:
    sides = ((6, 5), (2, 3))
    return max(
        sum(-(-ship.shields.get(n, 0) // _SIDE_ACROSS) * SHIELD_BOX + LABEL + GAP for n in side)
        for side in sides
    )


def shield_boxes(
    ship: ShipClass, state: ShipState, number: int, x: int, y: int, across: int, marks: SsdMarks
) -> Iterator[str]:
    """A shield's boxes: the last ones are crossed as they are lost, those of this volley marked."""
    printed, left = ship.shields.get(number, 0), state.shields.get(number, 0)
    now = marks.shields.get(number, 0)
    unsure = ship.status_of(f"shields/{number}") == "provisional"
    for place in range(max(printed, left)):
        row, column = divmod(place, across)
        there = x + column * SHIELD_BOX, y + row * SHIELD_BOX
        id = f"shield {number}/{place + 1}"
        gone = (id,) if place >= left else ()
        hit = "" if left <= place < left + now else None
        yield from _box(*there, SHIELD_BOX - 2, SHIELD_BOX - 2, id, "", unsure, gone, hit)


def shield_label(ship: ShipClass, state: ShipState, number: int) -> str:
    sign = SIGNS[ship.status_of(f"shields/{number}")]
    down = " down" if state.shields_down else ""
    return f"{number}: {state.shields.get(number, 0)}/{ship.shields.get(number, 0)}{sign}{down}"


def _end_shield(ship: ShipClass, state: ShipState, number: int, y: int, marks: SsdMarks) -> Iterator[str]:
    """The shield ahead or astern, in rows across the middle."""
    boxes = ship.shields.get(number, 0)
    if not boxes:
        return
    wide = min(boxes, _END_ACROSS) * SHIELD_BOX
    label = shield_label(ship, state, number)
    rows = -(-boxes // _END_ACROSS) * SHIELD_BOX
    at = y + LABEL - 2 if number == 1 else y + 4
    below = y + 8 if number == 1 else y + rows + 18
    yield f'<text x="{WIDTH / 2:g}" y="{below}" class="mid" data-shield="{number}">shield {shown(label)}</text>'
    yield from shield_boxes(ship, state, number, (WIDTH - wide) // 2, at, _END_ACROSS, marks)


def _side_shield(
    ship: ShipClass, state: ShipState, number: int, top: int, inside: int, marks: SsdMarks
) -> Iterator[str]:
    """A shield of a flank, in columns beside the hull: 6 and 2 ahead, 5 and 3 astern."""
    boxes = ship.shields.get(number, 0)
    if not boxes:
        return
    x = 20 if number in (5, 6) else WIDTH - 20 - _SIDE_ACROSS * SHIELD_BOX
    rows = -(-boxes // _SIDE_ACROSS) * SHIELD_BOX
    y = top + GAP if number in (6, 2) else top + inside - GAP - rows - LABEL
    label = shield_label(ship, state, number)
    yield f'<text x="{x}" y="{y + 10}" data-shield="{number}">{shown(label)}</text>'
    yield from shield_boxes(ship, state, number, x, y + LABEL, _SIDE_ACROSS, marks)


def movement_told(ship: ShipClass) -> str:
    """What a hex costs a ship."""
    known = "figures/move_cost" not in ship.missing
    return f"movement {ship.move_cost} a hex" if known else "movement not known"


def not_known(ship: ShipClass) -> str:
    """What an SSD has and no source tells of a ship: where its shields or all its boxes are among it, it must not look as
    if it had none. Empty for any other ship."""
    if not any(path == "boxes" or path.startswith("shields/") for path in ship.missing):
        return ""
    parts = (path.partition("/") for path in ship.missing if not path.startswith("figures/"))
    named = [words(section if section == "shields" else name or section) for section, _, name in parts]
    return f"not known here: {', '.join(dict.fromkeys(named))}"


def key_lines(ship: ShipClass, marks: SsdMarks) -> Iterator[str]:
    """What the marks mean, of those that are in the picture; a line each."""
    yield "crossed: destroyed" + (f"; bold: {marks.bold}" if marks.hits or marks.shields else "")
    launched = dict.fromkeys(mount.type for mount in ship.mounts if mount.type.startswith(_LAUNCHED))
    if launched:
        yield f"{', '.join(launched)}: launched, and flies to its target; its box is the rack or tube"
    statuses = {number.status for number in ship.sources.values()}
    meanings = (
        ["dashed and ?: provisional, the SSD on the table decides"] if "provisional" in statuses else []
    )
    meanings += ["*: from one source"] if "single-source" in statuses else []
    if meanings:
        yield "; ".join(meanings)
    if lacking := not_known(ship):
        yield lacking
