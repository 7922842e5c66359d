"""The report on a battle as Markdown, to paste into a forum. What players wrote is escaped as in a check report."""

from __future__ import annotations

from collections.abc import Iterator

from referee.core.battle import Battle
from referee.core.safe import safe_text
from referee.report.battleblocks import parts_of, result_line
from referee.report.battletext import sheet_lines
from referee.report.blocks import Block, Facts, Lines, Part, Plain, Sheets, Text, TextTable
from referee.report.checkmarkdown import literal


def battle_markdown(battle: Battle) -> str:
    """The report as Markdown."""
    blocks = [f"# {literal(battle.title)}", f"**{literal(result_line(battle))}**"]
    for part in parts_of(battle):
        blocks += _part(part, battle, "##")
    return "\n\n".join(blocks) + "\n"


def _part(part: Part, battle: Battle, level: str) -> Iterator[str]:
    yield f"{level} {literal(part.title)}"
    for block in part.blocks:
        yield "\n".join(_block(block, battle))
    for inner in part.parts:
        yield from _part(inner, battle, f"{level}#")


def _block(block: Block, battle: Battle) -> Iterator[str]:
    match block:
        case Text(text=text, soft=soft):
            yield f"*{_long(text)}*" if soft else _long(text)
        case Facts(rows=rows):
            yield from (f"- **{literal(name)}**: {_long(value)}" for name, value in rows)
        case Lines(rows=rows):
            for row in rows:
                when = f"**{row.when}** " if row.when else ""
                place = f" ({literal(row.place)})" if row.place else ""
                yield f"- {when}{_long(row.text)}{place}"
        case TextTable(heads=heads, rows=rows, words=words):
            yield f"| {' | '.join(heads)} |"
            yield (
                "|" + "|".join(" --- " if not n or n in words else " ---: " for n in range(len(heads))) + "|"
            )
            yield from (f"| {' | '.join(literal(cell) for cell in row)} |" for row in rows)
        case Sheets(turn=turn, when=when):
            yield f"<details><summary>SSDs {when}</summary>\n"
            yield "```"
            for ship in turn.ships:
                yield from (
                    line.replace("`", "'") for line in sheet_lines(ship, battle.classes.get(ship.name))
                )
            yield "```\n\n</details>"
        case Plain(text=text):
            yield "```"
            yield from (safe_text(line).replace("`", "'") for line in text.split("\n"))
            yield "```"


def _long(text: str) -> str:
    """A text of any length in which Markdown sees nothing but letters."""
    return "".join(literal(text[start : start + 400]) for start in range(0, len(text), 400))
