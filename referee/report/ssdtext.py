"""A ship as on its SSD, in the terminal: shields around, systems in groups, lost boxes crossed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from textwrap import wrap

from referee.core.safe import safe_line
from referee.core.ship import ShipClass
from referee.core.state import ShipState
from referee.report.paint import Paint
from referee.report.ssdsvg import SIGNS, Group, SsdMarks, columns_of, not_known
from referee.report.volleytext import power_told

WIDTH = 79
_INSIDE = WIDTH - 4
_GAP = 2
Ship = tuple[ShipClass, ShipState, str]


def ssd_text(ships: Sequence[Ship], paint: Paint) -> str:
    """The SSDs of some ships below each other."""
    return "\n\n".join("\n".join(_sheet(ship, state, name, paint)) for ship, state, name in ships) + "\n"


def _sheet(ship: ShipClass, state: ShipState, name: str, paint: Paint) -> Iterator[str]:
    figures = f"power {power_told(ship, state)}"
    figures += "" if state.speed is None else f", speed {state.speed}"
    title = safe_line(name or ship.name, 40)
    yield paint(title, "bold") + " " * max(2, WIDTH - len(title) - len(figures)) + figures
    yield paint(safe_line(f"{ship.kind}  ({ship.id})", WIDTH), "dim") + ("  DESTROYED" if state.dead else "")
    yield _centred(_shield(ship, state, 1))
    yield from _flanks(ship, state, 6, 2)
    yield f"╭{'─' * (WIDTH - 2)}╮"
    for line in _hull(ship, state):
        yield f"│ {line:<{_INSIDE}} │"
    yield f"╰{'─' * (WIDTH - 2)}╯"
    yield from _flanks(ship, state, 5, 3)
    yield _centred(_shield(ship, state, 4))
    statuses = {number.status for number in ship.sources.values()}
    unsure = ["? provisional: the SSD on the table decides"] if "provisional" in statuses else []
    unsure += ["* from one source"] if "single-source" in statuses else []
    yield paint("; ".join(["[X] and x: lost", *unsure]), "dim")
    yield from (paint(part, "dim") for part in wrap(safe_line(not_known(ship), 600), WIDTH))


def _shield(ship: ShipClass, state: ShipState, number: int) -> str:
    printed, left = ship.shields.get(number, 0), state.shields.get(number, 0)
    if not printed:
        return ""
    sign = SIGNS[ship.status_of(f"shields/{number}")]
    down = " down" if state.shields_down else ""
    return f"shield {number}{sign} {left}/{printed}{down} {'□' * left}{'x' * (printed - left)}"


def _centred(text: str) -> str:
    return text.center(WIDTH).rstrip()


def _flanks(ship: ShipClass, state: ShipState, left: int, right: int) -> Iterator[str]:
    """Two shields of a flank, the boxes below their figures where both do not fit beside each other."""
    pair = _shield(ship, state, left), _shield(ship, state, right)
    rows = [pair]
    if len(pair[0]) + len(pair[1]) + _GAP > WIDTH:
        parts = [shield.rpartition(" ") for shield in pair]
        rows = [(parts[0][0], parts[1][0]), (parts[0][2], parts[1][2])]
    for first, second in rows:
        yield (first + second.rjust(WIDTH - len(first)) if second else first).rstrip()


def _hull(ship: ShipClass, state: ShipState) -> Iterator[str]:
    """The systems: what bears left at the left, what bears right at the right, the rest in rows between."""
    left, middle, right = columns_of(ship, SsdMarks())
    first, last = _column(left, state), _column(right, state)
    wide, end = _wide(first), _wide(last)
    room = _INSIDE - (wide + _GAP if first else 0) - (end + _GAP if last else 0)
    rows: list[list[list[str]]] = []
    for block in (_block(group, state) for group in middle):
        used = sum(_wide(before) + _GAP for before in rows[-1]) if rows else room
        if rows and used + _wide(block) <= room:
            rows[-1].append(block)
        else:
            rows.append([block])
    between = [line for row in rows for line in _beside(row)]
    for n in range(max(len(first), len(between), len(last))):
        parts = [lines[n] if n < len(lines) else "" for lines in (first, between, last)]
        start = f"{parts[0]:<{wide}}{' ' * _GAP}" if first else ""
        yield (
            f"{start}{parts[1].center(room)}" + (f"{' ' * _GAP}{parts[2]:<{end}}" if last else "")
        ).rstrip()


def _wide(block: Sequence[str]) -> int:
    return max((len(line) for line in block), default=0)


def _column(groups: Sequence[Group], state: ShipState) -> list[str]:
    return [line for group in groups for line in _block(group, state)]


def _block(group: Group, state: ShipState) -> list[str]:
    """A system under its label; a lost box is crossed."""
    boxes = [f"[{'X' if box in state.destroyed else mark or ' '}]" for box, mark in group.boxes]
    rows = [boxes[n : n + group.across] for n in range(0, len(boxes), group.across)]
    return [group.label, *("".join(row) for row in rows)]


def _beside(row: Sequence[Sequence[str]]) -> Iterator[str]:
    for n in range(max(len(block) for block in row)):
        cells = (f"{block[n] if n < len(block) else '':<{_wide(block)}}" for block in row)
        yield (" " * _GAP).join(cells)
