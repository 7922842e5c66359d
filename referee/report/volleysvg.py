"""A volley drawn on the ship's boxes, as on an SSD: lost boxes crossed, each with the hit that took it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from xml.sax.saxutils import escape

from referee.core.events import ArmorHit
from referee.core.frozen import frozen
from referee.core.naming import how_many
from referee.core.safe import safe_line
from referee.core.ship import ShipClass
from referee.core.volley import Hit, VolleyResult
from referee.report.volleytext import inside, power_left, weapons_lost, words

WIDTH = 920
_BOX = 24
_LABEL = 130
_HALF = WIDTH // 2
_FIT = (_HALF - _LABEL - 30) // _BOX
_ROW = 30
_TOP = 118
_HITS_ACROSS = 4

_STYLE = """
text { font: 13px system-ui, sans-serif; fill: #1c2430; }
.title { font-size: 20px; font-weight: 700; } .soft { fill: #5b6675; font-size: 12px; }
.mark { font-size: 11px; text-anchor: middle; }
.n { paint-order: stroke; stroke: #fbdad7; stroke-width: 3px; }
.n { font-size: 11px; font-weight: 700; fill: #b3261e; text-anchor: middle; }
.corner { font-size: 9px; text-anchor: start; }
.banner { font-size: 20px; font-weight: 700; fill: #b3261e; }
.box { fill: #fff; stroke: #4a5565; } .now { fill: #fbdad7; stroke: #b3261e; } .gone { fill: #dde2e9; stroke: #8a94a3; }
.x { stroke: #b3261e; stroke-width: 1.5; } .xgone { stroke: #8a94a3; }
.left { fill: #2f8f57; } .lost { fill: #e0766d; } .old { fill: #dde2e9; }
"""


@frozen
class _Line:
    """A labelled row of boxes: each box's id and what is printed in it."""

    label: str
    boxes: tuple[tuple[str, str], ...]


def volley_svg(result: VolleyResult, *, rulebook_title: str = "", dice_source: str = "") -> str:
    """The volley as an SVG picture that needs nothing else."""
    left, right = _lines(result.ship)
    rows = max(len(left), len(right))
    hits_top = _TOP + rows * _ROW + 30
    hit_rows = -(-len(result.hits) // _HITS_ACROSS)
    height = hits_top + hit_rows * 18 + 80
    parts = [*_header(result, rulebook_title), *_boxes(result, left, 20), *_boxes(result, right, _HALF + 10)]
    parts += [
        *_hits(result.hits, hits_top, hit_rows),
        *_footer(result, hits_top + hit_rows * 18 + 20, dice_source),
    ]
    name = _shown(result.ship.name)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}"'
        f' role="img" aria-label="{name}: a volley of {result.order.points}">\n<style>{_STYLE}</style>\n'
        f'<rect width="{WIDTH}" height="{height}" fill="#fff"/>\n' + "\n".join(parts) + "\n</svg>\n"
    )


def _shown(text: str) -> str:
    return escape(safe_line(text, 80), {'"': "&quot;"})


def _text(x: float, y: float, text: str, style: str = "") -> str:
    kind = f' class="{style}"' if style else ""
    return f'<text x="{x:g}" y="{y:g}"{kind}>{_shown(text)}</text>'


def _lines(ship: ShipClass) -> tuple[list[_Line], list[_Line]]:
    """Systems on the left; weapons by type, then tracks, on the right, and as many of the last systems
    as make both sides equally long."""
    left = [list(_run_on(words(system), _unmarked(ship.box_ids(system)))) for system in ship.boxes]
    right = []
    for kind in dict.fromkeys(mount.type for mount in ship.mounts):
        right.append(
            list(_run_on(kind, [(mount.id, mount.mark) for mount in ship.mounts if mount.type == kind]))
        )
    for track, numbers in ship.tracks.items():
        boxes = list(zip(ship.box_ids(track), map(str, numbers), strict=True))
        right.append(list(_run_on(words(track), boxes)))
    end = len(right)
    while left and sum(map(len, left[:-1])) >= sum(map(len, right)) + len(left[-1]):
        right.insert(end, left.pop())
    return [line for system in left for line in system], [line for system in right for line in system]


def _unmarked(boxes: Sequence[str]) -> list[tuple[str, str]]:
    return [(box, "") for box in boxes]


def _run_on(label: str, boxes: Sequence[tuple[str, str]]) -> Iterator[_Line]:
    for start in range(0, len(boxes), _FIT):
        yield _Line("" if start else label, tuple(boxes[start : start + _FIT]))


def _header(result: VolleyResult, title: str) -> Iterator[str]:
    order = result.order
    struck = inside(result) if order.internal else f"on shield {order.shield}" if order.shield else ""
    yield _text(20, 34, result.ship.name, "title")
    yield _text(20, 54, f"{result.ship.id}  {title}".strip(), "soft")
    facts = [f"{how_many(order.points, 'point')} {struck}".strip()]
    facts += [f"reinforcement {result.reinforcement}"] if result.reinforcement else []
    facts += [f"armor {result.armor_before} → {result.armor_after}"] if result.armor_before else []
    facts.append(f"internals {result.internals}")
    yield _text(20, 80, ", ".join(facts))
    if result.shield_before is not None and result.shield_after is not None:
        yield from _shield(result, result.shield_before, result.shield_after)


def _shield(result: VolleyResult, before: int, after: int) -> Iterator[str]:
    """The struck shield as a bar: left, lost now, lost earlier."""
    number = result.order.shield or 0
    printed = max(result.ship.shields.get(number, before), before, 1)
    x, wide = _HALF + 10, 300
    yield _text(x, 80, f"shield {number}: {before} → {after}")
    for style, boxes in (("old", printed), ("lost", before), ("left", after)):
        yield f'<rect x="{x}" y="88" width="{wide * boxes / printed:g}" height="10" class="{style}"/>'


def _boxes(result: VolleyResult, lines: Sequence[_Line], x: int) -> Iterator[str]:
    taken = {hit.box: str(hit.n) for hit in result.hits if hit.box}
    armor = {box: "" for event in result.events if isinstance(event, ArmorHit) for box in event.boxes}
    now = armor | taken
    for row, line in enumerate(lines):
        y = _TOP + row * _ROW
        if line.label:
            yield _text(x, y + 16, line.label)
        for column, (box, mark) in enumerate(line.boxes):
            there = x + _LABEL + column * _BOX
            if box in now:
                yield from _box(there, y, "now", box, mark, now[box])
            else:
                yield from _box(there, y, "gone" if box in result.state.destroyed else "box", box, mark, "")


def _box(x: int, y: int, style: str, box: str, mark: str, hit: str) -> Iterator[str]:
    side = _BOX - 2
    told = f"{box}: hit {hit}" if hit else f"{box}: lost earlier" if style == "gone" else box
    yield f'<rect x="{x}" y="{y}" width="{side}" height="{side}" class="{style}"><title>{_shown(told)}</title></rect>'
    if style != "box":
        cross = f"M{x} {y}l{side} {side}M{x + side} {y}l-{side} {side}"
        yield f'<path d="{cross}" class="{"x" if style == "now" else "xgone"}" opacity=".55"/>'
    if mark:
        yield _text(x + side - 6, y + 19, mark, "mark") if hit else _text(x + side / 2, y + 15, mark, "mark")
    if hit:
        yield _text(x + 1, y + 9, hit, "n corner") if mark else _text(x + side / 2, y + 15, hit, "n")


def _hits(hits: Sequence[Hit], top: int, rows: int) -> Iterator[str]:
    """Every hit, down and then across."""
    wide = (WIDTH - 40) / _HITS_ACROSS
    for place, hit in enumerate(hits):
        column, row = divmod(place, rows)
        roll = "" if hit.roll is None else f"{hit.roll}, "
        lost = hit.box or words(hit.result)
        yield _text(20 + column * wide, top + row * 18, f"{hit.n}.  {roll}{hit.cell or '-'}  {lost}")


def _footer(result: VolleyResult, y: int, dice_source: str) -> Iterator[str]:
    power = power_left(result.ship, result.state)
    parts = " + ".join(f"{source} {points}" for source, points in power.items())
    lost = len(weapons_lost(result))
    yield _text(20, y, f"Power next turn: {sum(power.values())} ({parts}).  Weapons lost: {lost}.")
    if dice_source:
        yield _text(20, y + 18, f"Dice: {dice_source}", "soft")
    if result.destroyed:
        yield _text(20, y + 44, "DESTROYED", "banner")
