"""A ship's SSD as narrow as a phone: what `ssdsvg` draws at the sides stands below each other, in letters that can be read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, zip_longest
from textwrap import wrap

from referee.core.safe import safe_line
from referee.core.ship import ShipClass
from referee.core.state import ShipState
from referee.report.ssdsvg import (
    GAP,
    LABEL,
    SHIELD_BOX,
    Group,
    SsdMarks,
    columns_of,
    describe,
    group_parts,
    key_lines,
    movement_told,
    packed,
    rows_high,
    shield_boxes,
    shield_label,
    shown,
    text_at,
)
from referee.report.volleytext import power_told

WIDTH = 372
_MARGIN = 10
_HEAD = 92
_ACROSS = 8
"""Boxes of a shield side by side: three shields stand in a row."""
_LETTERS = 56
"""Letters of a line below the picture."""
_ROWS = ((6, 1, 2), (5, 4, 3))
"""The shields ahead of the hull and behind it, from left to right."""


def narrow_ssd_svg(ship: ShipClass, state: ShipState, name: str, marks: SsdMarks) -> str:
    """The SSD of a ship for a page that has the style of `ssdsvg`. The same ship gives the same bytes."""
    left, middle, right = columns_of(ship, marks)
    # The warp engines end the columns of the flanks: they stand below all else, beside each other.
    weapons, engines = _taken_apart(ship, left, right)
    room = WIDTH - 2 * _MARGIN - 2 * GAP
    rows = [*packed([*weapons, *middle], room), *packed(engines, room)]
    ahead, astern = (_shields_high(ship, row) for row in _ROWS)
    top = _HEAD + ahead
    inside = rows_high(rows) + GAP
    key = [part for line in key_lines(ship, marks) for part in wrap(line, _LETTERS)]
    high = top + inside + astern + GAP + 16 * len(key) + 6
    parts = [
        *_title(ship, state, name),
        *_shields(ship, state, _ROWS[0], _HEAD, marks),
        f'<rect x="{_MARGIN}" y="{top}" width="{WIDTH - 2 * _MARGIN}" height="{inside}" rx="16" class="hull"/>',
        *_groups(rows, top + GAP, state, marks),
        *_shields(ship, state, _ROWS[1], top + inside + 6, marks),
    ]
    if state.dead:
        parts.append(text_at(WIDTH / 2, top + inside / 2, "DESTROYED", "banner"))
    parts += (text_at(_MARGIN, high - 16 * (len(key) - n) + 8, line, "soft") for n, line in enumerate(key))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {high}" width="{WIDTH}" height="{high}" class="ssd"'
        f' role="img" aria-label="{shown(describe(ship, state, name), 2000)}">\n'
        f'<rect width="{WIDTH}" height="{high}" class="paper"/>\n' + "\n".join(parts) + "\n</svg>\n"
    )


def _taken_apart(
    ship: ShipClass, left: Sequence[Group], right: Sequence[Group]
) -> tuple[list[Group], list[Group]]:
    """The weapons of both flanks, those that are opposite beside each other, and the warp engines."""
    ends = [len(side) - (name in ship.boxes) for side, name in ((left, "left_warp"), (right, "right_warp"))]
    pairs = chain(*zip_longest(left[: ends[0]], right[: ends[1]]))
    return [group for group in pairs if group is not None], [*left[ends[0] :], *right[ends[1] :]]


def _title(ship: ShipClass, state: ShipState, name: str) -> Iterator[str]:
    yield text_at(_MARGIN, 26, safe_line(name or ship.name, 32), "title")
    yield text_at(_MARGIN, 44, safe_line(f"{ship.kind}  ({ship.id})", _LETTERS), "soft")
    mode = ship.turn_mode if isinstance(ship.turn_mode, str) else "on its chart"
    cost = movement_told(ship) + (f", turn mode {mode}" if mode else "")
    yield text_at(_MARGIN, 60, cost, "soft")
    speed = "" if state.speed is None else f", speed {state.speed}"
    yield f'<text x="{_MARGIN}" y="76" data-power="">power {power_told(ship, state)}{speed}</text>'


def _shields_high(ship: ShipClass, row: Sequence[int]) -> int:
    most = max(ship.shields.get(number, 0) for number in row)
    return -(-most // _ACROSS) * SHIELD_BOX + LABEL + 8 if most else 0


def _shields(ship: ShipClass, state: ShipState, row: Sequence[int], y: int, marks: SsdMarks) -> Iterator[str]:
    """Three shields side by side, each under its number."""
    wide = _ACROSS * SHIELD_BOX
    for place, number in enumerate(row):
        if ship.shields.get(number, 0):
            x = _MARGIN + place * (WIDTH - 2 * _MARGIN - wide) // 2
            label = shown(shield_label(ship, state, number))
            yield f'<text x="{x}" y="{y + 10}" data-shield="{number}">{label}</text>'
            yield from shield_boxes(ship, state, number, x, y + LABEL, _ACROSS, marks)


def _groups(rows: Sequence[Sequence[Group]], y: int, state: ShipState, marks: SsdMarks) -> Iterator[str]:
    for row in rows:
        x = _MARGIN + GAP
        for group in row:
            yield from group_parts(group, x, y, state, marks)
            x += group.wide + GAP
        y += max(group.high for group in row) + GAP
