"""The report on a battle as one page: no script, nothing loaded from elsewhere, light or dark, phone to paper.

Every text passes `safe_line` and jinja2's escaping; SSDs escape their own.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jinja2 import Environment

from referee import __version__
from referee.core.battle import Battle, ShipThen
from referee.core.safe import safe_line, safe_text
from referee.core.ship import ShipClass
from referee.core.state import ShipState
from referee.report.battleblocks import parts_of, result_line
from referee.report.blocks import Block, Facts, Lines, Part, Plain, Sheets, Text, TextTable
from referee.report.ssdsvg import STYLE, SsdMarks, ssd_svg

if TYPE_CHECKING:
    from jinja2 import Template

_FEW_TURNS = 4
"""The turns of a game of so many, or fewer, stand open."""

_PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{{ title }}: the report</title>
<style>STYLE</style>
</head>
<body>
{% macro block(b) %}
{% if b.kind == "text" %}
<p{% if b.soft %} class="soft"{% endif %}>{{ b.text }}</p>
{% elif b.kind == "facts" %}
<dl>
{% for name, value in b.rows %}
<dt>{{ name }}</dt><dd>{{ value }}</dd>
{% endfor %}
</dl>
{% elif b.kind == "lines" %}
<ol class="lines{% if b.bare %} bare{% endif %}">
{% for row in b.rows %}
<li class="{{ row.kind }}">{% if not b.bare %}<span class="when{% if row.again %} again{% endif %}">{{ row.when }}</span>{% endif %}<span class="said">{{ row.text }}{% if row.place %} <span class="soft">{{ row.place }}</span>{% endif %}</span></li>
{% endfor %}
</ol>
{% elif b.kind == "table" %}
<div class="wide" tabindex="0" role="region" aria-label="{{ b.name }}"><table>
<thead><tr>{% for head in b.heads %}<th scope="col"{% if head.w %} class="w"{% endif %}>{{ head.text }}</th>{% endfor %}{% if b.bars %}<td class="fell"></td>{% endif %}</tr></thead>
<tbody>
{% for row in b.rows %}
<tr>{% for cell in row %}<td{% if cell.w %} class="w"{% endif %}>{{ cell.text }}</td>{% endfor %}
{%- if b.bars %}<td class="fell" aria-hidden="true"><span class="bar" style="width: {{ b.bars[loop.index0][0] }}%"></span><span class="fair" style="left: {{ b.bars[loop.index0][1] }}%"></span></td>{% endif %}</tr>
{% endfor %}
</tbody></table></div>
{% elif b.kind == "sheets" %}
<details><summary>SSDs {{ b.when }}; marked is what the turn cost</summary>
<div class="in sheets">
{% for sheet in b.sheets %}
<div>{{ sheet|safe }}</div>
{% endfor %}
</div></details>
{% else %}
<pre>{{ b.text }}</pre>
{% endif %}
{% endmacro %}
<header>
<h1>{{ title }}</h1>
<p class="result">{{ result }}</p>
<nav aria-label="Parts of the report"><ul>
{% for part in parts %}
<li><a href="#{{ part.id }}">{{ part.title }}</a></li>
{% endfor %}
</ul></nav>
</header>
<main>
{% for part in parts %}
<section aria-labelledby="{{ part.id }}">
<h2 id="{{ part.id }}">{{ part.title }}</h2>
{% for b in part.blocks %}{{ block(b) }}{% endfor %}
{% for inner in part.parts %}
<details id="{{ inner.id }}"{% if inner.open %} open{% endif %}><summary><h3>{{ inner.title }}</h3></summary>
<div class="in">
{% for b in inner.blocks %}{{ block(b) }}{% endfor %}
</div></details>
{% endfor %}
</section>
{% endfor %}
</main>
<footer class="soft">referee {{ version }}; from {{ file }}</footer>
</body>
</html>
"""


def battle_html(battle: Battle) -> str:
    """The page of a battle. The same battle gives the same bytes."""
    parts = parts_of(battle)
    open_all = len(battle.turns) <= _FEW_TURNS + 1
    return _template().render(
        title=safe_line(battle.title, 120),
        result=safe_line(result_line(battle)),
        parts=[_part(part, battle, open_all) for part in parts],
        version=__version__,
        file=safe_line(battle.file.replace("\\", "/").rpartition("/")[2], 120),
    )


@cache
def _template() -> Template:
    style = (Path(__file__).parent / "pages" / "battle.css").read_text(encoding="utf-8") + STYLE
    page = _PAGE.replace("STYLE<", f"{{% raw %}}{style}{{% endraw %}}<", 1)
    return Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True).from_string(page)


def _part(part: Part, battle: Battle, is_open: bool) -> dict[str, Any]:
    return {
        "id": part.id,
        "title": part.title,
        "open": is_open,
        "blocks": [_block(block, battle, part.title) for block in part.blocks],
        "parts": [_part(inner, battle, is_open) for inner in part.parts],
    }


def _block(block: Block, battle: Battle, title: str) -> dict[str, Any]:
    match block:
        case Text(text=text, soft=soft):
            return {"kind": "text", "text": safe_line(text, 4000), "soft": soft}
        case Facts(rows=rows):
            return {"kind": "facts", "rows": [(name, safe_line(value, 2000)) for name, value in rows]}
        case Lines(rows=rows):
            lines = [
                {
                    "when": row.when,
                    "again": n > 0 and rows[n - 1].when == row.when,
                    "text": safe_line(row.text, 4000),
                    "place": safe_line(row.place, 80),
                    "kind": row.kind,
                }
                for n, row in enumerate(rows)
            ]
            return {"kind": "lines", "rows": lines, "bare": not any(row.when for row in rows)}
        case TextTable():
            return _table(block, title)
        case Sheets(turn=turn, before=before):
            then = {ship.name: ship.state for ship in before.ships} if before is not None else {}
            sheets = [
                _sheet(ship, battle.classes[ship.name], then.get(ship.name))
                for ship in turn.ships
                if ship.state is not None and ship.name in battle.classes
            ]
            return {"kind": "sheets", "when": block.when, "sheets": sheets}
        case Plain(text=text):
            return {"kind": "plain", "text": safe_text(text)}


def _table(table: TextTable, title: str) -> dict[str, Any]:
    def cells(row: tuple[str, ...]) -> list[dict[str, Any]]:
        return [{"text": safe_line(cell, 120), "w": not n or n in table.words} for n, cell in enumerate(row)]

    heads = cells(table.heads)
    most = max((max(bar) for bar in table.bars), default=1.0) or 1.0
    bars = [(f"{95 * long / most:.1f}", f"{95 * fair / most:.1f}") for long, fair in table.bars]
    return {
        "kind": "table",
        "name": f"{title}: a table",
        "heads": heads,
        "bars": bars,
        "rows": [cells(row) for row in table.rows],
    }


def _sheet(ship: ShipThen, known: ShipClass, before: ShipState | None) -> str:
    """A ship's SSD, with what the turn cost marked."""
    state = ship.state
    assert state is not None
    if ship.speed.isdecimal():  # A form's speed is the ship's before its state is.
        state = replace(state, speed=Fraction(ship.speed))
    lost = dict.fromkeys(state.destroyed - before.destroyed, "") if before is not None else {}
    shields = {
        n: before.shields.get(n, 0) - left
        for n, left in state.shields.items()
        if before is not None and before.shields.get(n, 0) > left
    }
    picture = ssd_svg([(known, state, ship.name, SsdMarks(lost, shields, bold="lost in this turn"))])
    return picture.replace(f"<style>{STYLE}</style>\n", "", 1)  # The page has it once.
