"""A volley drawn on the ship's SSD: the boxes it took bear the number of their hit, and every hit is told below."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from referee.core.events import ArmorHit
from referee.core.naming import how_many
from referee.core.volley import Hit, VolleyResult
from referee.report.ssdsvg import STYLE, WIDTH, SsdMarks, shown, ssd_parts, text_at
from referee.report.volleytext import inside, power_left, weapons_lost, words

_TOP = 58
_HITS_ACROSS = 3
_ROW = 18


def volley_svg(result: VolleyResult, *, rulebook_title: str = "", dice_source: str = "") -> str:
    """The volley as an SVG picture that needs nothing else."""
    sheet, sheet_high = ssd_parts(result.ship, result.state, "", _marks(result))
    hits_top = _TOP + sheet_high + 26
    rows = -(-len(result.hits) // _HITS_ACROSS)
    height = hits_top + rows * _ROW + 46
    parts = [
        *_header(result, rulebook_title),
        f'<g transform="translate(0 {_TOP})">',
        *sheet,
        "</g>",
        *_hits(result.hits, hits_top, rows),
        *_footer(result, hits_top + rows * _ROW + 12, dice_source),
    ]
    label = f"{shown(result.ship.name)}: a volley of {result.order.points}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}"'
        f' class="ssd" role="img" aria-label="{label}">\n<style>{STYLE}</style>\n'
        f'<rect width="{WIDTH}" height="{height}" class="paper"/>\n' + "\n".join(parts) + "\n</svg>\n"
    )


def _marks(result: VolleyResult) -> SsdMarks:
    """The boxes that this volley took, those of armor without a number, and the shield boxes."""
    armor = {box: "" for event in result.events if isinstance(event, ArmorHit) for box in event.boxes}
    taken = {hit.box: str(hit.n) for hit in result.hits if hit.box}
    shields = {}
    if result.order.shield and result.shield_before is not None and result.shield_after is not None:
        shields = {result.order.shield: result.shield_before - result.shield_after}
    return SsdMarks(armor | taken, shields)


def _header(result: VolleyResult, title: str) -> Iterator[str]:
    order = result.order
    struck = inside(result) if order.internal else f"on shield {order.shield}" if order.shield else ""
    facts = [f"{how_many(order.points, 'point')} {struck}".strip()]
    facts += [f"reinforcement {result.reinforcement}"] if result.reinforcement else []
    facts += [f"armor {result.armor_before} → {result.armor_after}"] if result.armor_before else []
    if order.shield and result.shield_before is not None and result.shield_after is not None:
        facts.append(f"shield {order.shield}: {result.shield_before} → {result.shield_after}")
    facts.append(f"internals {result.internals}")
    yield text_at(20, 26, f"A volley: {', '.join(facts)}")
    yield text_at(20, 44, title, "soft")


def _hits(hits: Sequence[Hit], top: int, rows: int) -> Iterator[str]:
    """Every hit, down and then across."""
    wide = (WIDTH - 40) / _HITS_ACROSS
    for place, hit in enumerate(hits):
        column, row = divmod(place, rows)
        roll = "" if hit.roll is None else f"{hit.roll}, "
        lost = hit.box or words(hit.result)
        yield text_at(20 + column * wide, top + row * _ROW, f"{hit.n}.  {roll}{hit.cell or '-'}  {lost}")


def _footer(result: VolleyResult, y: int, dice_source: str) -> Iterator[str]:
    power = power_left(result.ship, result.state)
    parts = " + ".join(f"{source} {points}" for source, points in power.items())
    lost = len(weapons_lost(result))
    yield text_at(20, y, f"Power next turn: {sum(power.values())} ({parts}).  Weapons lost: {lost}.")
    if dice_source:
        yield text_at(20, y + _ROW, f"Dice: {dice_source}", "soft")
