"""Odds as a picture: for each system a strip of boxes, darker where that many are likelier lost."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from html import escape
from typing import Any

from referee.core.naming import how_many
from referee.core.safe import safe_line
from referee.report.oddstext import percent
from referee.report.volleytext import words

WIDTH = 920
_LABEL, _LEFT, _RIGHT = 150, 170, 150
_ROW, _TOP = 27, 110
_STYLE = """
.odds { max-width: 100%; height: auto; } .odds text { font: 13px system-ui, sans-serif; fill: #1c2430; } .odds .paper { fill: #fff; }
.odds .title { font-size: 20px; font-weight: 700; } .odds .soft { fill: #566070; font-size: 12px; }
.odds .head { font-weight: 700; } .odds .n { text-anchor: end; } .odds .chance { font-size: 10px; text-anchor: middle; }
.odds .dark { fill: #fff; } .odds .cell { stroke: #b9c1cc; stroke-width: .5; fill: #0b5fa5; } .odds .mean { fill: #1c2430; }
.odds .bar { fill: #0b5fa5; } .odds .line { fill: none; stroke-width: 2.2; } .odds .axis { stroke: #6d7785; stroke-width: 1; fill: none; }
.odds .power { stroke: #0b5fa5; } .odds .weapons { stroke: #8a5a00; stroke-dasharray: 8 4; } .odds .destroyed { stroke: #b3261e; stroke-dasharray: 2 3; }
.odds .first { fill: #0b5fa5; } .odds .other { fill: #fff; stroke: #b34700; stroke-width: 2; } .odds .error { stroke: #1c2430; stroke-width: 1.4; fill: none; }
@media (prefers-color-scheme: dark) { .odds text { fill: #e4e8ee; } .odds .paper { fill: #14181e; } .odds .soft { fill: #a7b0bd; }
.odds .dark { fill: #0b1017; } .odds .cell { stroke: #48525f; fill: #8cc4ff; } .odds .mean { fill: #e4e8ee; } .odds .bar, .odds .first { fill: #66b3ff; }
.odds .axis { stroke: #94a0b0; } .odds .power { stroke: #66b3ff; } .odds .weapons { stroke: #f0c060; } .odds .destroyed { stroke: #ff8a80; }
.odds .other { fill: #14181e; stroke: #ff9a52; } .odds .error { stroke: #fff; } }
@media print { .odds text { fill: #000; } .odds .paper { fill: #fff; } .odds .dark { fill: #fff; } .odds .cell { fill: #000; stroke: #999; } .odds .mean { fill: #000; } }
"""
_CURVES = ("power", "weapons", "destroyed")


def odds_svg(document: Mapping[str, Any]) -> str:
    """A document of `schemas/odds.schema.json` as an SVG picture that needs nothing else."""
    documents = [document]
    parts: list[str] = []
    top = 0.0
    if "comparison" in document:
        parts, top = _difference(document, document["comparison"])
        documents.append(document["comparison"]["other"])
    for ship in documents:
        drawn, height = _panel(ship, top)
        parts += drawn
        top += height
    name = _shown(document["name"])
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {top:g}" width="{WIDTH}" height="{top:g}"'
        f' class="odds" role="img" aria-label="{name}: odds of {how_many(document["damage"], "point")}">\n<style>{_STYLE}</style>\n'
        f'<rect width="{WIDTH}" height="{top:g}" class="paper"/>\n' + "\n".join(parts) + "\n</svg>\n"
    )


def _shown(text: str) -> str:
    return escape(safe_line(text, 110))


def _text(x: float, y: float, text: str, style: str = "") -> str:
    kind = f' class="{style}"' if style else ""
    return f'<text x="{x:g}" y="{y:g}"{kind}>{_shown(text)}</text>'


def _panel(document: Mapping[str, Any], top: float) -> tuple[list[str], float]:
    """One ship's picture and its height."""
    parts = list(_header(document, top))
    y = top + _TOP
    if "curve" in document:
        parts += _curve(document["curve"], y)
        return parts, _TOP + 330
    rows = [name for name, boxes in document["boxes"].items() if boxes["before"]]
    parts.append(
        _text(
            _LEFT,
            y - 8,
            "boxes lost from 0 on, and the chance of each number in percent; the mark is the mean",
            "soft",
        )
    )
    parts.append(_text(WIDTH - _RIGHT + 60, y - 8, "mean", "soft n"))
    parts.append(_text(WIDTH - 20, y - 8, "all lost", "soft n"))
    for name in rows:
        parts += _strip(document, name, y)
        y += _ROW
    y += 34
    for title, key in (("Power next turn", "power"), ("Weapons left", "weapons")):
        parts += _columns(title, document[key], y)
        y += 92
    return parts, y - top


def _difference(document: Mapping[str, Any], comparison: Mapping[str, Any]) -> tuple[list[str], float]:
    """By how much one ship loses more than the other, system by system: to the right the first, to the left the other."""
    other, differences = comparison["other"], comparison["difference"]
    first, second = document["name"], other["name"]
    rows = [name for name in document["mean"] if name in differences and name in other["mean"]]
    rows = [name for name in rows if document["boxes"][name]["before"] or other["boxes"][name]["before"]]
    spread = {name: 2 * differences[name].get("standard_error", 0.0) for name in rows}
    most = max((abs(differences[name]["mean"]) + spread[name] for name in rows), default=0.0) or 1.0
    sampled = "; the thin line is two standard errors" if any(spread.values()) else ""
    middle, half = WIDTH / 2 + 20, (WIDTH - _LEFT - _RIGHT) / 2
    parts = [
        _text(20, 34, "The difference", "title"),
        _text(20, 54, f"boxes lost on average, system by system{sampled}", "soft"),
        f'<rect class="other" x="{_LEFT:g}" y="68" width="14" height="12"/>',
        _text(_LEFT + 22, 79, f"{second} loses more"),
        f'<rect class="first" x="{middle:g}" y="68" width="14" height="12"/>',
        _text(middle + 22, 79, f"{first} loses more"),
    ]
    y = 96.0
    for name in rows:
        mean = differences[name]["mean"]
        long, error = half * abs(mean) / most, half * spread[name] / most
        end = middle + (long if mean > 0 else -long)
        title = f"{words(name)}: {mean:+.2f}"
        parts.append(_text(_LABEL, y + 14, words(name), "n"))
        parts.append(
            f'<rect class="{"first" if mean > 0 else "other"}" x="{min(middle, end):.2f}" y="{y + 3:g}" width="{long:.2f}"'
            f' height="{_ROW - 13}"><title>{_shown(title)}</title></rect>'
        )
        if error >= 0.5:
            parts.append(
                f'<path class="error" d="M{end - error:.2f} {y + 10:g}h{2 * error:.2f}m0 -4v8m{-2 * error:.2f} 0v-8"/>'
            )
        parts.append(_text(WIDTH - 20, y + 14, f"{mean:+.2f}", "n"))
        y += _ROW - 4
    parts.append(f'<path class="axis" d="M{middle:g} 92V{y:g}"/>')
    for ship in (document, other):
        if alone := [name for name, boxes in ship["boxes"].items() if boxes["before"] and name not in rows]:
            y += 18
            parts.append(_text(20, y, f"only {ship['name']} has: {', '.join(map(words, alone))}", "soft"))
    return parts, y + 20


def _header(document: Mapping[str, Any], top: float) -> Iterator[str]:
    shield = document.get("shield")
    past = "past the shields" if document["armor"]["before"] else "inside"
    struck = f"on shield {shield['number']}" if shield else past
    fired = (
        f"{document['fire']}, {document['damage_mean']:.1f} points on average" if "fire" in document else ""
    )
    points = fired or how_many(document["damage"], "point")
    most = " at most" if fired else ""
    method = (
        "exact"
        if document["method"] == "exact"
        else f"{document['volleys']:,} volleys, seed {document['seed']}"
    )
    yield _text(20, top + 34, document["name"], "title")
    yield _text(
        20,
        top + 54,
        f"{document['ship']}, {points} {struck}, {document['internals']} internals{most}",
        "soft",
    )
    yield _text(
        20,
        top + 72,
        f"{method}; owner's choices by {document['policy']}; destroyed {percent(document['destroyed'])}",
        "soft",
    )


def _strip(document: Mapping[str, Any], name: str, y: float) -> Iterator[str]:
    """One system: a cell for each number lost from 0 on, its mean marked."""
    before = document["boxes"][name]["before"]
    chances = document["distribution"][name]
    wide = min(36.0, (WIDTH - _LEFT - _RIGHT) / (before + 1))
    yield _text(_LABEL, y + 15, words(name), "n")
    for boxes in range(before + 1):
        chance = chances.get(str(boxes), 0.0)
        x = _LEFT + boxes * wide
        shade = 0.0 if not chance else 0.06 + 0.94 * chance
        yield (
            f'<rect x="{x:.2f}" y="{y:g}" width="{wide:.2f}" height="{_ROW - 7}" class="cell" fill-opacity="{shade:.3f}"><title>{boxes} lost: {_shown(percent(chance))}</title></rect>'
        )
        if chance >= 0.01 and wide >= 24:
            label = ">99" if 0.995 <= chance < 1 else f"{100 * chance:.0f}"
            yield _text(x + wide / 2, y + 13, label, "chance dark" if chance > 0.5 else "chance")
    x = _LEFT + (document["mean"][name] + 0.5) * wide
    yield f'<path d="M{x:.2f} {y + _ROW - 9:g}l4 6h-8z" class="mean"/>'
    yield _text(WIDTH - _RIGHT + 60, y + 15, f"{document['mean'][name]:.2f} of {before}", "n")
    none = document["last_lost"].get(name, 0.0)
    yield _text(WIDTH - 20, y + 15, percent(none) if none else "-", "n")


def _columns(title: str, left: Mapping[str, Any], y: float) -> Iterator[str]:
    """What is left as columns, one for each number."""
    chances = {int(n): chance for n, chance in left["distribution"].items()}
    if not left["before"]:
        return
    low, high = min(chances), max(chances)
    wide = min(28.0, (WIDTH - _LEFT - _RIGHT) / (high - low + 1))
    most = max(chances.values())
    yield _text(_LABEL, y + 40, title, "head n")
    yield _text(WIDTH - 20, y + 40, f"{left['mean']:.2f} of {left['before']}", "n")
    for n in range(low, high + 1):
        chance = chances.get(n, 0.0)
        tall = 56 * chance / most
        x = _LEFT + (n - low) * wide
        yield (
            f'<rect x="{x + 1:.2f}" y="{y + 56 - tall:.2f}" width="{wide - 2:.2f}" height="{tall:.2f}" class="bar">'
            f"<title>{n} left: {_shown(percent(chance))}</title></rect>"
        )
        if wide >= 16 or n in (low, high) or n % 5 == 0:
            yield _text(x + wide / 2, y + 70, str(n), "chance")


def _curve(curve: Any, y: float) -> Iterator[str]:
    """What is left of power and weapons, and the chance of destruction, by internals."""
    x0, wide, tall = 60.0, WIDTH - 100.0, 250.0
    last = max(1, curve[-1]["internals"])
    tops = {
        "power": curve[0]["power"] or 1.0,
        "weapons": curve[0]["weapons"] or 1.0,
        "destroyed": 1.0,
    }
    for quarter in range(5):
        line = y + tall * quarter / 4
        yield f'<path d="M{x0:g} {line:g}h{wide:g}" class="axis" stroke-opacity=".3"/>'
        yield _text(x0 - 8, line + 4, f"{100 - 25 * quarter}%", "soft n")
    for n in range(0, last + 1, max(1, last // 12)):
        yield _text(x0 + wide * n / last - 4, y + tall + 18, str(n), "soft")
    for place, key in enumerate(_CURVES):
        points = " ".join(
            f"{x0 + wide * step['internals'] / last:.1f},{y + tall * (1 - step[key] / tops[key]):.1f}"
            for step in curve
        )
        yield f'<polyline points="{points}" class="line {key}"/>'
        label = {
            "power": f"power left, of {tops['power']:g}",
            "weapons": f"weapons left, of {tops['weapons']:g}",
            "destroyed": "chance of destruction",
        }[key]
        yield f'<path d="M{x0 + place * 220:g} {y + tall + 36:g}h26" class="line {key}"/>'
        yield _text(x0 + 32 + place * 220, y + tall + 41, label)
    yield _text(WIDTH - 110, y + tall + 18 + 23, "internals →", "soft")
