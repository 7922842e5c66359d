"""A check report as one HTML page: no script, nothing loaded from elsewhere, light or dark, prints well.

Every text passes `safe_line` and jinja2's escaping.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jinja2 import Environment, StrictUndefined

from referee import __version__
from referee.core.beside import Beside, FormPart, all_beside
from referee.core.energy import show_energy
from referee.core.finding import Finding, NotChecked, Report, TurnLedger, Verdict
from referee.core.location import Location
from referee.core.safe import safe_line
from referee.report import dicesvg, ssdsvg
from referee.report.checktext import by_verdict, file_rows, tally
from referee.report.dicesvg import broadside_svg, faces_svg
from referee.report.ssdnarrow import narrow_ssd_svg
from referee.report.ssdsvg import SsdMarks

if TYPE_CHECKING:
    from jinja2 import Template

_VERDICT = {
    Verdict.LEGAL: ("legal", "Legal"),
    Verdict.ILLEGAL: ("error", "Illegal"),
    Verdict.CANNOT_TELL: ("undecided", "Cannot tell"),
}
_PAGES = Path(__file__).parent / "pages"
_HUES = (212, 150, 28, 275, 340, 190, 95, 48)
"""Colours of the bars, as hues; lines beyond them begin again."""

_PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{{ word }}: {{ title }}</title>
<style>STYLE</style>
</head>
<body>
<header>
<span class="badge {{ colour }}">{{ word }}</span>
<h1>{{ title }}</h1>
<span class="soft">{{ summary }}</span>
</header>
{% if files|length > 1 %}
<div class="wide" tabindex="0" role="region" aria-label="files"><table class="part">
<thead><tr><th>File</th><th>Ship</th><th>Verdict</th><th>Errors</th></tr></thead>
<tbody>
{% for row in files %}<tr>{% for cell in row %}<td>{{ cell }}</td>{% endfor %}</tr>
{% endfor %}
</tbody></table></div>
<p>{{ counted }}.</p>
{% endif %}
{% for ship in ships %}
<section>
<h2>{{ ship.name }}{% if ship.id %} <span class="soft small">{{ ship.id }}</span>{% endif %}</h2>
{% if not ship.turns %}<p>Nothing against the rules.</p>{% endif %}
{% for turn in ship.turns %}
<h3>{{ turn.name }}</h3>
{% for f in turn.findings %}
<article class="{{ f.severity }}">
<p><span class="severity">{{ f.severity }}</span> <code>{{ f.key }}</code> {{ f.message }}
{%- if f.house %} <span class="soft">(house rule: {{ f.house }})</span>{% endif %}</p>
<p class="facts small">
{% for name, value in f.facts %}
<span class="{{ name }}"><b>{{ name }}</b> {{ value }}</span>
{% endfor %}
</p>
{% if f.part %}
<div class="beside wide" tabindex="0" role="region" aria-label="rows of the form"><table class="part">
<caption class="unseen">The rows about {{ f.part.cell }}</caption>
<thead><tr>{% if f.part.placed %}<th class="place">row</th>{% endif %}<th>line</th>{% for head in f.part.heads %}<th{% if loop.index0 in f.part.far %} class="far"{% endif %}>{{ head }}</th>{% endfor %}</tr></thead>
<tbody>
{% for row in f.part.rows %}
<tr{% if row.here %} class="here"{% endif %}>{% if f.part.placed %}<td class="soft place">{{ row.place }}</td>{% endif %}<td class="soft line">{{ row.line }}</td>
{% for cell in row.cells %}<td{% if row.here and loop.index0 == f.part.column %} class="cell"{% elif loop.index0 in f.part.far %} class="far"{% endif %}>{{ cell }}</td>{% endfor %}</tr>
{% endfor %}
</tbody></table></div>
{% endif %}
{% for picture in f.pictures %}
<figure class="beside" tabindex="0">{{ picture.svg|safe }}<figcaption>{{ picture.told }}</figcaption></figure>
{% endfor %}
</article>
{% endfor %}
{% for ledger in turn.ledgers %}
<div class="bars small" role="img" aria-label="energy by source; the table says the same">
{% for bar in ledger.bars %}
<span>{{ bar.source }} {{ bar.total }}</span>
<span class="bar">
{% for part in bar.parts %}
<span{% if part.hue is none %} class="idle"{% endif %} title="{{ part.name }}: {{ part.amount }}"
style="flex: {{ part.share }}; --hue: {{ part.hue or 0 }}">{{ part.amount }}</span>
{% endfor %}
</span>
{% endfor %}
</div>
<div class="wide" tabindex="0" role="region" aria-label="energy of {{ turn.name }}"><table class="small">
<thead><tr><th>Energy</th><th>spent</th>{% for s in ledger.sources %}<th>{{ s }}</th>{% endfor %}</tr></thead>
<tbody>
{% for row in ledger.rows %}
<tr><td><span class="chip" style="--hue: {{ row.hue }}"></span>{{ row.name }}</td>
<td>{{ row.amount }}</td>
{% for amount, kind in row.cells %}<td class="{{ kind }}">{{ amount }}</td>{% endfor %}</tr>
{% endfor %}
</tbody>
<tfoot>
<tr><td>left unused</td><td></td>{% for cell in ledger.left %}<td>{{ cell }}</td>{% endfor %}</tr>
<tr><td>available</td><td></td>{% for cell in ledger.available %}<td>{{ cell }}</td>{% endfor %}</tr>
</tfoot>
</table></div>
<p class="small soft">{% if ledger.shortage %}{{ ledger.shortage|capitalize }}. {% endif %}To the next turn: {{ ledger.carried }}.</p>
{% endfor %}
{% endfor %}
</section>
{% endfor %}
{% if dice %}
<h2>Dice</h2>
{% for picture in dice %}
<figure class="beside" tabindex="0">{{ picture.svg|safe }}</figure>
{% endfor %}
{% endif %}
{% if not_checked %}
<h2>Rules not checked</h2>
<dl class="small">
{% for key, reason in not_checked %}<dt><code>{{ key }}</code></dt><dd>{{ reason }}</dd>
{% endfor %}</dl>
{% endif %}
{% if checked %}
<h2>Rules checked</h2>
<ul class="keys small">{% for key in checked %}<li><code>{{ key }}</code></li>{% endfor %}</ul>
{% endif %}
<footer class="small soft">
{% for line in foot %}<p>{{ line }}</p>
{% endfor %}</footer>
</body>
</html>
"""


def render(report: Report) -> str:
    """The report as one page."""
    colour, word = _VERDICT[report.verdict]
    beside = all_beside(report.beside)
    names = dict.fromkeys(ship.get("name", "") for ship in report.ships)
    return _template().render(
        colour=colour,
        word=word,
        title=safe_line(", ".join(name for name in names if name)) or "Report",
        summary=tally(report),
        files=[[safe_line(cell, 300) for cell in row] for row in file_rows(report)],
        counted=by_verdict(report),
        ships=[_ship(report, beside, name) for name in _subjects(report)],
        not_checked=[(safe_line(item.key), safe_line(_reason(item))) for item in report.not_checked],
        checked=[safe_line(key) for key in report.checked],
        dice=[{"svg": faces_svg(fallen)} for fallen in beside.dice if sum(fallen.counts)],
        foot=_foot(report),
    )


@cache
def _template() -> Template:
    page = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    style = (_PAGES / "check.css").read_text(encoding="utf-8") + ssdsvg.STYLE + dicesvg.STYLE
    return page.from_string(_PAGE.replace("STYLE", f"{{% raw %}}{style}{{% endraw %}}"))


def _reason(item: NotChecked) -> str:
    return f"{item.subject}: {item.reason}" if item.subject else item.reason


def _foot(report: Report) -> list[str]:
    options = ", ".join(f"{name} = {value}" for name, value in report.options.items())
    lines = [
        safe_line(f"Rulebook {report.rulebook}") if report.rulebook else "",
        safe_line(f"Options: {options}", 4000) if options else "",
    ]
    lines += [safe_line(f"Judged: {item.file}, sha256 {item.sha256}") for item in report.inputs]
    return [*filter(None, lines), f"referee {__version__}"]


def _subjects(report: Report) -> list[str]:
    """Whom the report is about, ships first, then what else has findings."""
    named = [ship.get("name", "") for ship in report.ships]
    named += [_whose(report, finding.subject) for finding in report.findings]
    return list(dict.fromkeys([*named, *(ledger.ship for ledger in report.ledgers)]))


def _whose(report: Report, subject: str) -> str:
    """The ship that a subject is, or a part of, as `Constellation PH-1/A` is; else the subject."""
    names = [name for ship in report.ships if (name := ship.get("name", ""))]
    return max((name for name in names if f"{subject} ".startswith(f"{name} ")), key=len, default=subject)


def _ship(report: Report, beside: Beside, name: str) -> dict[str, Any]:
    """One ship's section: its turns in order, what belongs to no turn first."""
    findings = [finding for finding in report.findings if _whose(report, finding.subject) == name]
    ledgers = [ledger for ledger in report.ledgers if ledger.ship == name]
    ids = [ship.get("ship", "") for ship in report.ships if ship.get("name", "") == name]
    turns = {finding.turn for finding in findings} | {ledger.turn for ledger in ledgers}
    drawn: set[Location] = set()
    return {
        "name": safe_line(name) or "Files",
        "id": safe_line(", ".join(filter(None, dict.fromkeys(ids)))),
        "turns": [
            {
                "name": "In general" if turn is None else f"Turn {turn}",
                "findings": [
                    _finding(finding, finding.subject[len(name) :].strip(), beside, drawn)
                    for finding in findings
                    if finding.turn == turn
                ],
                "ledgers": [_ledger(ledger) for ledger in ledgers if ledger.turn == turn],
            }
            for turn in sorted(turns, key=lambda turn: -1 if turn is None else turn)
        ],
    }


def _finding(finding: Finding, of: str, beside: Beside, drawn: set[Location]) -> dict[str, Any]:
    """A finding, about a part `of` the ship, with what is drawn beside it where nothing has drawn its place before."""
    rests = f"a number that is {finding.data_status}: the printed SSD or chart decides"
    facts = (
        ("where", finding.where),
        ("impulse", "" if finding.impulse is None else str(finding.impulse)),
        ("expected", finding.expected),
        ("found", finding.found),
        ("fix", finding.fix),
        ("rests on", rests if finding.data_status else ""),
    )
    return {
        "severity": finding.severity.value,
        "key": safe_line(finding.key),
        "message": safe_line(f"{of}: {finding.message}" if of else finding.message),
        "house": safe_line(finding.house_rule),
        "facts": [(name, safe_line(value)) for name, value in facts if value],
        "part": _part(beside.forms.get(finding.location), finding),
        "pictures": list(_pictures(finding.location, beside, drawn)),
    }


def _part(part: FormPart | None, finding: Finding) -> dict[str, Any] | None:
    """The rows of a form about the cell of a finding."""
    if part is None:
        return None
    return {
        "cell": safe_line(
            finding.location.cell or finding.location.pointer or f"line {finding.location.line}"
        ),
        "heads": [safe_line(head, 40) for head in part.heads],
        "column": part.column,
        "far": [n for n in range(len(part.heads)) if abs(n - part.column) > 1 or n == 0 < part.column],
        "placed": any(row.place for row in part.rows),
        "rows": [
            {
                "place": safe_line(row.place, 12),
                "line": safe_line(row.line, 40),
                "cells": [safe_line(cell, 40) for cell in row.cells],
                "here": n == part.row,
            }
            for n, row in enumerate(part.rows)
        ],
    }


def _pictures(place: Location, beside: Beside, drawn: set[Location]) -> Iterator[dict[str, str]]:
    """The ships that the volley of a place struck, and what the fire could do."""
    if place in drawn:
        return
    drawn.add(place)
    for struck in beside.ships.get(place, ()):
        marks = SsdMarks(dict.fromkeys(struck.boxes, ""), struck.shields, bold="this volley")
        svg = narrow_ssd_svg(struck.ship, struck.state, struck.name, marks)
        yield {"svg": svg, "told": safe_line(struck.summary, 300)}
    for fired in beside.fire.get(place, ()):
        yield {"svg": broadside_svg(fired), "told": safe_line(fired.summary, 300)}


def _ledger(ledger: TurnLedger) -> dict[str, Any]:
    """The table of a turn's energy, a row a line, a column a source, and a bar a source."""
    sources = dict.fromkeys([*ledger.available, *(name for line in ledger.lines for name in line.sources)])
    return {
        "sources": [safe_line(source) for source in sources],
        "bars": [_bar(ledger, source) for source in ledger.available],
        "rows": [
            {
                "name": safe_line(line.named),
                "hue": _HUES[n % len(_HUES)],
                "amount": _points(line.amount),
                "cells": [
                    (_points(line.sources.get(source)), "unpaid" if source == "unpaid" else "paid")
                    for source in sources
                ],
            }
            for n, line in enumerate(ledger.lines)
        ],
        "left": [_points(ledger.left.get(source)) for source in sources],
        "available": [_points(ledger.available.get(source)) for source in sources],
        "shortage": ledger.shortage,
        "carried": ", ".join(f"{safe_line(name)} {_points(n)}" for name, n in ledger.carried.items())
        or "nothing",
    }


def _bar(ledger: TurnLedger, source: str) -> dict[str, Any]:
    """Where one source's energy went: a part a line, the rest idle (its hue is None)."""
    spent = [
        (safe_line(line.named), line.sources[source], _HUES[n % len(_HUES)])
        for n, line in enumerate(ledger.lines)
        if source in line.sources
    ]
    idle = [("left", ledger.left[source], None)] if source in ledger.left else []
    return {
        "source": safe_line(source),
        "total": _points(ledger.available[source]),
        "parts": [
            {"name": name, "amount": _points(amount), "share": f"{float(Fraction(amount)):.3f}", "hue": hue}
            for name, amount, hue in [*spent, *idle]
        ],
    }


def _points(amount: str | None) -> str:
    return "" if amount is None else show_energy(Fraction(amount))
