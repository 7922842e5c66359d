"""Dice as pictures: what fire could do beside what fell, and how often each face of a die fell."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from referee.core.beside import Broadside, DiceFallen
from referee.report.oddstext import percent
from referee.report.ssdsvg import shown

WIDTH = 560
_TALL, _TOP = 84, 30
_EVEN = 6

STYLE = """
.dice text { font: 12px system-ui, sans-serif; fill: #1c2430; text-anchor: middle; } .dice .told { text-anchor: start; font-weight: 600; }
.dice .soft { fill: #566070; } .dice .likely { fill: #7fb0dd; } .dice .fell { fill: #0b3f73; }
.dice .axis, .dice .even { stroke: #566070; fill: none; } .dice .even { stroke-dasharray: 4 3; } .dice .bold { font-weight: 700; }
@media (prefers-color-scheme: dark) { .dice text { fill: #e4e8ee; } .dice .soft { fill: #a7b0bd; } .dice .likely { fill: #3a6a99; }
.dice .fell { fill: #cfe6ff; } .dice .axis, .dice .even { stroke: #a7b0bd; } }
@media print { .dice text { fill: #000; } .dice .likely { fill: #bbb; } .dice .fell { fill: #000; } .dice .axis, .dice .even { stroke: #000; } }
"""


def broadside_svg(fired: Broadside) -> str:
    """Each number of points as a column as high as it is likely; what fell is dark, and pointed at."""
    known = [*fired.chances, *([] if fired.fell is None else [fired.fell])]
    least, most = min(known), max(known)
    chances = {points: fired.chances.get(points, 0.0) for points in range(least, most + 1)}
    if fired.fell is None:
        mean = sum(points * chance for points, chance in fired.chances.items())
        heading = f"{least} to {most} points, {mean:.2f} on average"
        below = "points it could do; no dice are recorded"
        return _columns(chances, None, heading, below, f"{fired.summary}: {heading}", None)
    fewer = sum(chance for points, chance in fired.chances.items() if points < fired.fell)
    more = sum(chance for points, chance in fired.chances.items() if points > fired.fell)
    heading = f"{fired.fell} fell; fewer {percent(fewer)}, just so {percent(1 - fewer - more)}, more {percent(more)}"
    below = "points it could do; the strong column is what fell"
    return _columns(chances, fired.fell, heading, below, f"{fired.summary}: {heading}", None)


def faces_svg(dice: DiceFallen) -> str:
    """How often each face fell, beside how often it would if all fell alike."""
    rolled = sum(dice.counts)
    counts = {face: float(count) for face, count in enumerate(dice.counts, 1)}
    heading = f"{rolled} dice of {dice.who}, {sum(f * n for f, n in counts.items()) / max(1, rolled):.2f} on average"
    below = "how often each face fell; the line is even"
    each = ", ".join(f"{face}: {count:.0f}" for face, count in counts.items())
    return _columns(counts, None, heading, below, f"{heading}: {each}", rolled / _EVEN)


def _columns(
    values: Mapping[int, float], fell: int | None, heading: str, below: str, label: str, even: float | None
) -> str:
    most = max([*values.values(), even or 0.0]) or 1.0
    wide = min(46.0, (WIDTH - 24) / len(values))
    high = _TOP + 16 + _TALL + 40
    base = _TOP + 16 + _TALL
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {high}" width="{WIDTH}" height="{high}" class="dice"'
        f' role="img" aria-label="{shown(label, 400)}">',
        f'<text class="told" x="12" y="18">{shown(heading, 120)}</text>',
        *_bars(values, fell, wide, base, most, counted=even is not None),
        f'<path class="axis" d="M12 {base}h{wide * len(values):.1f}"/>',
    ]
    if even is not None:
        parts.append(
            f'<path class="even" d="M12 {base - _TALL * even / most:.1f}h{wide * len(values):.1f}"/>'
        )
    parts.append(
        f'<text class="soft" style="text-anchor: start" x="12" y="{base + 34}">{shown(below)}</text></svg>'
    )
    return "\n".join(parts)


def _bars(
    values: Mapping[int, float], fell: int | None, wide: float, base: int, most: float, *, counted: bool
) -> Iterator[str]:
    every = max(1, round(24 / wide))
    for n, (value, amount) in enumerate(values.items()):
        tall, x = _TALL * amount / most, 12 + n * wide
        kind = "fell" if value == fell else "likely"
        tip = f"{value}: {amount:.0f}" if counted else f"{value}: {percent(amount)}"
        yield (
            f'<rect class="{kind}" x="{x + 1.5:.1f}" y="{base - tall:.1f}" width="{wide - 3:.1f}" height="{tall:.1f}">'
            f"<title>{shown(tip)}</title></rect>"
        )
        middle = f"{x + wide / 2:.1f}"
        if value == fell or (n % every == 0 and (fell is None or abs(value - fell) >= every)):
            strong = ' class="bold"' if value == fell else ""
            yield f'<text x="{middle}" y="{base + 15}"{strong}>{value}</text>'
        if counted or (wide >= 34 and amount >= 0.0005):
            number = f"{amount:.0f}" if counted else percent(amount)
            yield f'<text class="soft" x="{middle}" y="{base - tall - 4:.1f}">{number}</text>'
        if value == fell and not (wide >= 34):
            yield f'<text x="{middle}" y="{base - tall - 4:.1f}">▼</text>'
