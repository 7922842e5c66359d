"""The report on a battle as plain text."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from itertools import zip_longest

from referee.core.battle import Battle, ShipThen
from referee.core.place_words import standing_text
from referee.core.safe import safe_line, safe_text
from referee.core.ship import ShipClass
from referee.core.state import live_boxes
from referee.report.battleblocks import parts_of, result_line
from referee.report.blocks import Block, Facts, Lines, Part, Plain, Sheets, Text, TextTable
from referee.report.paint import hung, window
from referee.report.volleytext import power_told, words

_WIDEST = 100


def battle_text(battle: Battle) -> str:
    """The report, to be read in a terminal."""
    title = safe_line(battle.title)
    lines = [title, "=" * len(title), "", safe_line(result_line(battle))]
    for part in parts_of(battle):
        lines += _part(part, battle, "-")
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _part(part: Part, battle: Battle, under: str) -> Iterator[str]:
    yield from ("", part.title, under * len(part.title))
    for n, block in enumerate(part.blocks):
        if n and not isinstance(block, Lines):
            yield ""
        yield from _block(block, battle)
    for inner in part.parts:
        yield from _part(inner, battle, ".")


def _block(block: Block, battle: Battle) -> Iterator[str]:
    match block:
        case Text(text=text):
            yield from textwrap.wrap(safe_line(text, 4000), _wide())
        case Facts(rows=rows):
            for name, value in rows:
                yield from _beside(f"{name}:", safe_line(value, 2000), 18)
        case Lines(rows=rows):
            wide = max(len(row.when) for row in rows)
            for row in rows:
                place = f"  ({row.place})" if row.place else ""
                yield from _beside(
                    row.when if wide else "-", safe_line(row.text, 4000) + place, (wide or 1) + 2
                )
        case TextTable():
            yield from table_lines(block)
        case Sheets(turn=turn, when=when):
            yield f"Ships {when}:"
            for ship in turn.ships:
                yield from sheet_lines(ship, battle.classes.get(ship.name))
        case Plain(text=text):
            yield from (safe_text(line) for line in text.split("\n"))


def _beside(head: str, text: str, indent: int) -> Iterator[str]:
    """Text behind a head, its further lines below itself."""
    yield from hung(text, f"{head:<{indent - 1}} ", " " * indent, _wide())


def table_lines(table: TextTable, room: int = 10**9) -> Iterator[str]:
    """A table in columns: words to the left, figures to the right. Where there is no room for it, the widest of the words
    behind the first column go on in further rows."""
    rows = [tuple(safe_line(cell, 80) for cell in row) for row in (table.heads, *table.rows)]
    widths = [max(len(row[n]) for row in rows) for n in range(len(table.heads))]
    while sum(widths) + 2 * len(widths) - 2 > room:
        widest = max(set(table.words) - {0}, key=widths.__getitem__)
        widths[widest] -= 1
    for row in rows:
        parts = (textwrap.wrap(cell, wide) for cell, wide in zip(row, widths, strict=True))
        for line in zip_longest(*parts, fillvalue=""):
            yield "  ".join(
                f"{cell:<{widths[n]}}" if n == 0 or n in table.words else f"{cell:>{widths[n]}}"
                for n, cell in enumerate(line)
            )


def _wide() -> int:
    return min(_WIDEST, window())


def sheet_lines(ship: ShipThen, known: ShipClass | None) -> Iterator[str]:
    """An SSD in text: shields, then every system with its boxes, `x` for one that is gone."""
    where = f" {standing_text(ship.position)}" if ship.position else ""
    speed = f", speed {ship.speed}" if ship.speed else ""
    state = ship.state
    if state is None or known is None:
        yield safe_line(f"  {ship.name}{where}{speed}: its SSD is not known")
        return
    fate = "DESTROYED" if state.dead else f"power {power_told(known, state)}"
    yield safe_line(f"  {ship.name} ({known.id}){where}{speed}: {fate}")
    shields = "  ".join(
        f"#{n} {state.shields.get(n, 0)}/{boxes}" for n, boxes in sorted(known.shields.items())
    )
    yield f"    shields {shields}"
    cells = []
    for system in known.systems:
        ids, live = known.box_ids(system), set(live_boxes(known, state, system))
        if known.mount(ids[0]) is not None if ids else False:
            cells += [f"{box} {'□' if box in live else 'x'}" for box in ids]
        elif ids:
            cells.append(f"{words(system)} " + "".join("□" if box in live else "x" for box in ids))
    yield from textwrap.wrap(
        "   ".join(cells).replace(" ", "\u00a0").replace("\u00a0\u00a0\u00a0", "   "),
        _wide(),
        initial_indent="    ",
        subsequent_indent="    ",
        break_on_hyphens=False,
        break_long_words=False,
    )
