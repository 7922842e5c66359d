"""A volley as players read it: what absorbed it, every hit with its roll, and what is left."""

from __future__ import annotations

import shlex
import textwrap
from collections.abc import Iterator, Sequence

from referee.core.frozen import frozen
from referee.core.safe import safe_line
from referee.core.ship import ShipClass
from referee.core.state import ShipState, live_boxes
from referee.core.volley import Hit, VolleyResult, hits_by_system
from referee.report.paint import Paint, hung

WIDTH = 79
_BAR = 30
_SCORED = " scored already"
_MOST_UNSURE = 8
_POWER = ("left_warp", "right_warp", "center_warp", "impulse", "apr")


@frozen
class SystemLoss:
    """What a volley cost one system: boxes lost now, left, and printed on the SSD."""

    system: str
    lost: int
    left: int
    total: int


def volley_table(
    result: VolleyResult, *, dice_source: str, rolls: Sequence[int], paint: Paint, rulebook_title: str
) -> str:
    """The volley as plain text in columns, at most 79 wide where names are of a common length."""
    blocks = [_header(result, rulebook_title, paint)]
    if result.hits:
        blocks.append(_hit_table(result.hits, paint))
    if result.internals:
        blocks.append(_summary(result, paint))
    blocks.append(_dice(result, dice_source, rolls, paint))
    unsure = result.ship.unsure("boxes", "shields", "tracks")
    if unsure:
        blocks.append(_unsure(unsure))
    return "\n\n".join("\n".join(block) for block in blocks) + "\n"


def _unsure(paths: tuple[str, ...]) -> list[str]:
    shown = ", ".join(safe_line(path) for path in paths[:_MOST_UNSURE])
    more = f" and {len(paths) - _MOST_UNSURE} more" if len(paths) > _MOST_UNSURE else ""
    text = f"Not verified, the SSD on the table decides: {shown}{more}"
    return hung(text, "", "  ")


def losses(result: VolleyResult) -> tuple[SystemLoss, ...]:
    """What the volley cost each system, in the order first hit."""
    return tuple(
        SystemLoss(
            system, lost, len(live_boxes(result.ship, result.state, system)), len(result.ship.box_ids(system))
        )
        for system, lost in hits_by_system(result.hits).items()
    )


def weapons_lost(result: VolleyResult) -> tuple[str, ...]:
    """The weapons that the volley destroyed."""
    return tuple(hit.box for hit in result.hits if result.ship.mount(hit.box))


def power_left(ship: ShipClass, state: ShipState) -> dict[str, int]:
    """Energy points the next turn's allocation starts with, by source; batteries not counted."""
    left = {"warp": 0, "impulse": 0, "apr": 0}
    for system in _POWER:
        left["warp" if system.endswith("_warp") else system] += len(live_boxes(ship, state, system))
    return left


def power_told(ship: ShipClass, state: ShipState) -> str:
    """These points in all; `not known` of a ship whose engines or reactors are not."""
    engines = {"boxes", "boxes/warp", *(f"boxes/{system}" for system in _POWER)}
    return "not known" if engines.intersection(ship.missing) else str(sum(power_left(ship, state).values()))


def words(system: str) -> str:
    """A system's id as words: `left_warp` is `left warp`."""
    return safe_line(system).replace("_", " ")


def repeat_flags(dice_source: str, rolls: Sequence[int]) -> str:
    """What to add to the command to have the same dice again; empty where no die was rolled."""
    seed = dice_source.removeprefix("seed ")
    if seed != dice_source and safe_line(seed) == seed:
        return f"--seed {shlex.quote(seed)}"
    return f'--dice "{" ".join(map(str, rolls))}"' if rolls else ""


def inside(result: VolleyResult) -> str:
    """Where points are that no shield stops any more: armor may."""
    return "past the shields" if result.armor_before else "inside"


def _header(result: VolleyResult, title: str, paint: Paint) -> list[str]:
    order = result.order
    struck = inside(result) if order.internal else f"on shield {order.shield}" if order.shield else "striking"
    name = paint(safe_line(result.ship.name), "bold")
    points = f"{order.points} point{'s' * (order.points != 1)}"
    lines = [f"{name} ({safe_line(result.ship.id)}): {points} {struck}"]
    lines.append(paint(f"  by {safe_line(title)}", "dim"))
    if result.reinforcement:
        lines.append(f"  reinforcement  {result.reinforcement} absorbed")
    if result.shield_before is not None and result.shield_after is not None:
        printed = result.ship.shields.get(order.shield or 0, result.shield_before)
        drawn = _bar(result.shield_before, result.shield_after, printed, paint)
        lines.append(
            f"  {f'shield {order.shield}':<13}  {result.shield_before} → {result.shield_after}  {drawn}"
        )
    if result.armor_before:
        drawn = _bar(result.armor_before, result.armor_after, len(result.ship.box_ids("armor")), paint)
        lines.append(f"  armor          {result.armor_before} → {result.armor_after}  {drawn}")
    lines.append(f"  internals      {result.internals}")
    return lines


def _bar(before: int, after: int, printed: int, paint: Paint) -> str:
    """Boxes left, lost now, and lost earlier, one sign a box, or fewer on a big shield."""
    printed = max(printed, before)
    scale = min(1.0, _BAR / printed) if printed else 0.0
    left, there, drawn = round(after * scale), round(before * scale), round(printed * scale)
    left = max(left, 1 if after else 0)
    there = max(there, left)
    return paint("█" * left, "green") + paint("░" * (there - left), "red") + "·" * (drawn - there)


def _hit_table(hits: Sequence[Hit], paint: Paint) -> list[str]:
    """One row a hit; a long note runs on below itself."""
    rows = [
        (
            str(hit.n),
            "-" if hit.roll is None else str(hit.roll),
            safe_line(hit.cell) or "-",
            words(hit.result),
            safe_line(hit.box) or "-",
            _short(safe_line(hit.note)),
        )
        for hit in hits
    ]
    heads = ("hit", "roll", "cell", "result", "box", "note")
    widths = [max(len(row[n]) for row in [heads, *rows]) for n in range(5)]
    noted = any(row[5] for row in rows)
    lines = [paint((_columns(heads[:5], widths) + ("  note" if noted else "")).rstrip(), "dim")]
    for row in rows:
        lines += _row(row, widths, paint)
    return lines


def _short(note: str) -> str:
    """A note with its like parts together: `no cargo; no apr; 9A scored already` is
    `9A scored already; no cargo, apr`."""
    parts = note.split("; ") if note else []
    scored = [part.removesuffix(_SCORED) for part in parts if part.endswith(_SCORED)]
    lacking = [part.removeprefix("no ") for part in parts if part.startswith("no ")]
    rest = [part for part in parts if not part.endswith(_SCORED) and not part.startswith("no ")]
    shortened = [", ".join(scored) + _SCORED] if scored else []
    shortened += ["no " + ", ".join(lacking)] if lacking else []
    return "; ".join([*shortened, *rest])


def _row(row: tuple[str, ...], widths: list[int], paint: Paint) -> Iterator[str]:
    start = sum(widths) + 2 * len(widths) + 2
    note = textwrap.wrap(row[5], max(20, WIDTH - start)) or [""]
    cells = _columns(row[:5], widths)
    yield f"{cells}  {paint(note[0], 'dim')}" if note[0] else cells.rstrip()
    for more in note[1:]:
        yield " " * start + paint(more, "dim")


def _columns(cells: Sequence[str], widths: Sequence[int]) -> str:
    """Numbers to the right, words to the left."""
    shown = [f"{cells[0]:>{widths[0]}}", f"{cells[1]:>{widths[1]}}"]
    shown += [f"{cell:<{width}}" for cell, width in zip(cells[2:], widths[2:], strict=True)]
    return "  " + "  ".join(shown)


def _summary(result: VolleyResult, paint: Paint) -> list[str]:
    lines = [paint("Boxes lost", "bold")]
    rows = losses(result)
    width = max((len(words(row.system)) for row in rows), default=0)
    for row in rows:
        left = f"{row.left} of {row.total} left"
        lines.append(
            f"  {words(row.system):<{width}}  {row.lost:>2}   {left if row.left else paint(f'none of {row.total} left', 'red')}"
        )
    if not rows:
        lines.append("  none")
    if weapons := weapons_lost(result):
        lines += _wrapped("Weapons lost: ", ", ".join(map(safe_line, weapons)))
    if result.wasted:
        lines.append(f"Points wasted: {result.wasted}")
    power = power_left(result.ship, result.state)
    parts = " + ".join(f"{source} {points}" for source, points in power.items())
    lines.append(f"Power next turn: {sum(power.values())} ({parts})")
    if result.destroyed:
        lines += ["", paint(f"*** {safe_line(result.ship.name)} IS DESTROYED ***", "red")]
    return lines


def _wrapped(head: str, text: str) -> list[str]:
    return hung(text, head, " " * len(head))


def _dice(result: VolleyResult, source: str, rolls: Sequence[int], paint: Paint) -> list[str]:
    flags = repeat_flags(source, rolls)
    if not rolls:
        lines = ["No dice were rolled"]
    else:
        lines = [
            f"Dice: {safe_line(source)}; {len(rolls)} roll{'s' * (len(rolls) != 1)}; the same again with {flags}"
        ]
    if result.hits:
        lines.append(f"Boxes chosen by: {safe_line(result.chooser)}")
    return [paint(line, "dim") for line in lines]
