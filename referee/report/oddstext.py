"""Odds as players read them: for each system a bar, the mean, and how likely each loss is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from shlex import quote
from typing import Any

from referee.core.safe import safe_line
from referee.report.paint import Paint, hung
from referee.report.volleytext import words

_BAR = 16
_LEVELS = " ▁▂▃▄▅▆▇█"
Document = Mapping[str, Any]


def odds_table(document: Document, *, paint: Paint) -> str:
    """A document of `schemas/odds.schema.json` as plain text in columns."""
    blocks = [list(_header(document, paint))]
    if "comparison" in document:
        blocks.append(list(_comparison(document, paint)))
    elif "curve" in document:
        blocks.append(list(_curve(document["curve"], paint)))
    else:
        blocks.append(list(_systems(document, paint)))
    blocks.append(list(_summary(document, paint)))
    if "comparison" in document:
        other = document["comparison"]["other"]
        blocks.append([*_struck(other, paint), *_summary(other, paint)])
    blocks.append(list(_footer(document, paint)))
    return "\n\n".join("\n".join(block) for block in blocks) + "\n"


def percent(chance: float) -> str:
    """A chance as people say it; never 0 or 100 for what may go otherwise."""
    if 0 < chance < 0.0005:
        return "<0.1%"
    if 0.9995 <= chance < 1:
        return ">99.9%"
    return f"{100 * chance:.1f}%" if chance < 0.0995 or chance > 0.9905 else f"{100 * chance:.0f}%"


def spark(chances: Sequence[float]) -> str:
    """One sign for each number of boxes from none on, higher where it is likelier."""
    most = max(chances, default=0.0) or 1.0
    return "".join(
        _LEVELS[max(1, round(8 * chance / most))] if chance >= 0.001 else "·" for chance in chances
    )


def _header(document: Document, paint: Paint) -> Iterator[str]:
    """What was asked about the first ship."""
    first, *rest = _struck(document, paint)
    yield first
    yield paint(f"  by {safe_line(document['title'])}", "dim")
    yield from rest


def _struck(document: Document, paint: Paint) -> Iterator[str]:
    """A ship, the points that strike it, the shield and reinforcement that stop some of them, and how its odds were
    found."""
    name = paint(safe_line(document["name"]), "bold")
    points = f"{document['damage']} point{'s' * (document['damage'] != 1)}"
    shield = document.get("shield")
    armor = document["armor"]
    past = "past the shields" if armor["before"] else "inside"
    struck = f"on shield {shield['number']}" if shield else past
    if "fire" in document:
        struck = f"{safe_line(document['fire'])} {struck}, {document['damage_mean']:.1f} points on average"
        yield f"{name} ({safe_line(document['ship'])}): {struck}"
    else:
        yield f"{name} ({safe_line(document['ship'])}): {points} {struck}"
    if document["reinforcement"]:
        yield f"  reinforcement  {document['reinforcement']} absorbed"
    if shield and "fire" not in document:
        yield f"  shield {shield['number']:<6}  {shield['before']} → {shield['after']}"
    if armor["before"] and "fire" not in document:
        yield f"  armor          {armor['before']} → {armor['after']}"
    most = " at most" if "fire" in document else ""
    yield f"  internals      {document['internals']}{most}"
    yield f"  odds           {_method(document)}"
    if "states_tried" in document:
        tried = f"{document['states_tried']:,}"
        yield f"                 an exact answer takes over {tried} states; --exact may reach it"


def _method(document: Document) -> str:
    owner = f"owner's choices by {safe_line(document['policy'])}"
    if document["method"] == "exact":
        return f"exact; {owner}"
    return f"from {document['volleys']:,} volleys; {owner}"


def _systems(document: Document, paint: Paint) -> Iterator[str]:
    sampled = document["method"] == "sampled"
    present = [name for name, boxes in document["boxes"].items() if boxes["before"]]
    if not document["internals"] and not document["mean"].get("armor"):
        yield "  Nothing gets inside: no box is lost."
        return
    rows = [name for name in present if document["distribution"][name].get("0") != 1]
    width = max((len(words(name)) for name in rows), default=9)
    error = "      ±" if sampled else ""
    yield paint(
        f"  {'boxes lost':<{width}}  {'':<{_BAR}}   mean{error}  of     any     all  0 1 2 ... lost", "dim"
    )
    for name in rows:
        mean, before = document["mean"][name], document["boxes"][name]["before"]
        chances = document["distribution"][name]
        full = round(_BAR * mean / before)
        bar = paint("█" * full, "cyan") + paint("░" * (_BAR - full), "dim")
        shown = f"  {_short_error(document['standard_error'][name])}" if sampled else ""
        counts = [chances.get(str(n), 0.0) for n in range(max(map(int, chances), default=0) + 1)]
        none = document["last_lost"].get(name, 0.0)
        line = (
            f"  {words(name):<{width}}  {bar}  {mean:5.2f}{shown}  {before:2d}  "
            f"{percent(1 - chances.get('0', 0.0)):>6}  "
        )
        lost = f"{percent(none) if none else '-':>6}"
        yield line + (paint(lost, "red") if none >= 0.5 else lost) + f"  {spark(counts)}"
    untouched = [words(name) for name in present if name not in rows]
    if untouched:
        never = "never lost: " if not sampled else "never lost here: "
        yield from hung(never + ", ".join(untouched), "  ", "    ")


def _short_error(error: float) -> str:
    """A standard error in five places."""
    return f"{error:5.3f}" if error >= 0.0005 or not error else "<.001"


def _summary(document: Document, paint: Paint) -> Iterator[str]:
    if "curve" not in document:
        yield from _left("Power next turn", document["power"])
        yield from _left("Weapons left", document["weapons"])
        lost = [
            f"{safe_line(box)} {percent(chance)}"
            for box, chance in document["weapons"]["lost"].items()
            if chance
        ]
        if lost:
            yield from hung(", ".join(lost), "Weapons lost: ", " " * 14)
    chance = document["destroyed"]
    error = document["destroyed_error"]
    shown = percent(chance) + (f" ± {100 * error:.2g}%" if error else "")
    yield f"Destroyed: {paint(shown, 'red') if chance >= 0.01 else shown}"


def _left(title: str, left: Mapping[str, Any]) -> Iterator[str]:
    if not left["before"]:
        return
    chances = {int(n): chance for n, chance in left["distribution"].items()}
    low, high = _middle(chances)
    likely = f"mostly {low} to {high}" if low != high else f"nearly always {low}"
    counts = [chances.get(n, 0.0) for n in range(min(chances), max(chances) + 1)]
    start = f"  {min(chances)} {spark(counts)} {max(chances)}" if 1 < len(counts) <= 40 else ""
    yield f"{title}: {left['mean']:.2f} of {left['before']}, {likely}{start}"


def _middle(chances: Mapping[int, float]) -> tuple[int, int]:
    """The numbers between which nine volleys of ten end."""
    low, high, below = min(chances), max(chances), 0.0
    for n in sorted(chances):
        below += chances[n]
        if below > 0.05:
            low = n
            break
    above = 0.0
    for n in sorted(chances, reverse=True):
        above += chances[n]
        if above > 0.05:
            high = n
            break
    return low, high


def _curve(curve: Sequence[Mapping[str, Any]], paint: Paint) -> Iterator[str]:
    """A line for each number of internals: what is left, and a few systems players ask about."""
    first = curve[0]
    asked = [name for name in ("bridge", "phaser", "torpedo", "hull") if name in first["mean"]][:3]
    heads = "".join(f"{words(name):>8}" for name in asked)
    lost = f"   lost:{heads}" if asked else ""
    yield paint(f"  internals   power  {'':<12}  weapons  destroyed{lost}", "dim")
    most = first["power"] or 1.0
    for step in curve:
        full = round(12 * step["power"] / most)
        bar = paint("█" * full, "green") + "·" * (12 - full)
        cells = "".join(f"{step['mean'][name]:8.2f}" for name in asked)
        gap = " " * 8 if asked else ""
        yield (
            f"  {step['internals']:9d}  {step['power']:6.2f}  {bar}  {step['weapons']:7.2f}  "
            f"{percent(step['destroyed']):>9}{gap}{cells}"
        )


def _comparison(document: Document, paint: Paint) -> Iterator[str]:
    """Both ships' mean losses side by side, and by how much they differ."""
    other = document["comparison"]["other"]
    differences = document["comparison"]["difference"]
    sampled = "sampled" in (document["method"], other["method"])
    names = list(dict.fromkeys([*document["mean"], *other["mean"]]))
    width = max((len(words(name)) for name in names), default=6)
    first, second = (
        safe_line(ship["ship"].partition("/")[2] or ship["ship"], 16) for ship in (document, other)
    )
    yield paint(
        f"  {'boxes lost':<{width}}  {first:>16}  {second:>16}  difference{'       ±' if sampled else ''}",
        "dim",
    )
    for name in names:
        cells = [
            f"{ship['mean'][name]:6.2f} of {ship['boxes'][name]['before']:2d}"
            if name in ship["mean"]
            else "-"
            for ship in (document, other)
        ]
        if not any(ship["boxes"].get(name, {}).get("before") for ship in (document, other)):
            continue
        difference = differences.get(name)
        shown = f"{difference['mean']:+10.3f}" if difference else ""
        error = f"  {_short_error(difference['standard_error'])}" if difference and sampled else ""
        yield f"  {words(name):<{width}}  {cells[0]:>16}  {cells[1]:>16}  {shown}{error}".rstrip()


def _footer(document: Document, paint: Paint) -> Iterator[str]:
    ships = (document, *(compared["other"] for compared in [document.get("comparison")] if compared))
    sampled = next((ship for ship in ships if ship["method"] == "sampled"), None)
    if sampled is None:
        yield paint("Exact: every way the dice can fall is counted.", "dim")
        return
    again = f"--seed {quote(sampled['seed'])} --volleys {sampled['volleys']}"
    yield paint(f"± is one standard error. The same volleys again with {again}", "dim")
