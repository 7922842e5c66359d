"""A check report as one HTML page: no script, nothing loaded from elsewhere, light or dark, prints well.

Every text passes `safe_line` and jinja2's escaping.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, Any

from referee import __version__
from referee.core.energy import show_energy
from referee.core.finding import Finding, NotChecked, Report, Severity, TurnLedger, Verdict
from referee.core.naming import how_many
from referee.core.safe import safe_line

if TYPE_CHECKING:
    from jinja2 import Template

_VERDICT = {
    Verdict.LEGAL: ("legal", "Legal"),
    Verdict.ILLEGAL: ("error", "Illegal"),
    Verdict.CANNOT_TELL: ("undecided", "Cannot tell"),
}
_HUES = (212, 150, 28, 275, 340, 190, 95, 48)
"""Colours of the bars, as hues; lines beyond them begin again."""

_STYLE = """
:root { color-scheme: light dark; --ink: #1c2430; --soft: #5b6675; --paper: #fff; --panel: #f4f6f9;
  --rule: #d5dbe3; --error: #b3261e; --undecided: #7b3fa0; --warning: #8a5a00; --note: #2a5f8f;
  --legal: #1d6b3a; --bar: 45%; --idle: #dde2e9; }
@media (prefers-color-scheme: dark) { :root { --ink: #e4e8ee; --soft: #9aa6b5; --paper: #14181f;
  --panel: #1d232c; --rule: #353e4a; --error: #ff8a80; --undecided: #d0a3ef; --warning: #f0c060;
  --note: #8ec3f2; --legal: #7fd39b; --bar: 38%; --idle: #39424f; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 62rem; padding: 1.5rem 1.25rem 3rem; background: var(--paper);
  color: var(--ink); font: 16px/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.35rem; margin: 0; } h2 { font-size: 1.2rem; margin: 2.2rem 0 .4rem; }
h3 { font-size: 1rem; margin: 1.4rem 0 .5rem; } p { margin: .3rem 0; }
header { display: flex; flex-wrap: wrap; gap: .4rem 1rem; align-items: center;
  border-bottom: 2px solid var(--rule); padding-bottom: .9rem; }
.badge { font-weight: 700; letter-spacing: .03em; color: var(--paper); padding: .2rem .8rem;
  border-radius: .3rem; } .soft { color: var(--soft); } .small { font-size: .875rem; }
.badge.legal { background: var(--legal); } .badge.error { background: var(--error); }
.badge.undecided { background: var(--undecided); }
article { border-left: 4px solid var(--note); background: var(--panel); padding: .55rem .9rem;
  margin: .55rem 0; break-inside: avoid; }
article.error { border-color: var(--error); } article.undecided { border-color: var(--undecided); }
article.warning { border-color: var(--warning); }
.severity { font-weight: 700; } .error .severity { color: var(--error); }
.undecided .severity { color: var(--undecided); } .warning .severity { color: var(--warning); }
.note .severity { color: var(--note); } code { font: .875em ui-monospace, monospace; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0 .8rem; margin: .25rem 0 0; }
dt, .facts b { color: var(--soft); font-weight: normal; } dd { margin: 0; }
.facts span { margin-right: 1.2rem; } .facts .mend { display: block; }
.wide { overflow-x: auto; } table { border-collapse: collapse; white-space: nowrap; font-variant-numeric: tabular-nums; }
th, td { padding: .18rem .7rem; text-align: right; border-bottom: 1px solid var(--rule); }
th { color: var(--soft); font-weight: 600; }
th:first-child, td:first-child { text-align: left; padding-left: 0; }
tfoot td { color: var(--soft); } td.unpaid { color: var(--error); font-weight: 700; }
.chip { display: inline-block; width: .7rem; height: .7rem; border-radius: .15rem; margin-right: .5rem; }
.bars { display: grid; grid-template-columns: max-content 1fr; gap: .25rem .7rem; max-width: 40rem;
  margin: .6rem 0; align-items: center; break-inside: avoid; }
.bar { display: flex; height: 1.35rem; } .bar span { min-width: 0; overflow: hidden; text-align: center;
  color: #fff; font-size: .78rem; line-height: 1.35rem; border-right: 1px solid var(--paper); }
.bar span.idle { background: var(--idle); color: var(--ink); }
.bar span, .chip { background: hsl(var(--hue) 55% var(--bar)); }
.bar span, .chip, .badge, article { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
.keys { columns: 13rem; padding-left: 1.1rem; margin: .4rem 0; }
footer { margin-top: 2.5rem; border-top: 1px solid var(--rule); padding-top: .7rem; }
@media print { body { font-size: 11pt; max-width: none; padding: 0; } h2, h3, .bars { break-after: avoid; }
  .wide { break-inside: avoid; } }
"""

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
<div class="wide"><table class="small">
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
<p class="small soft">To the next turn: {{ ledger.carried }}.</p>
{% endfor %}
{% endfor %}
</section>
{% endfor %}
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
    names = dict.fromkeys(ship.get("name", "") for ship in report.ships)
    return _template().render(
        colour=colour,
        word=word,
        title=safe_line(", ".join(name for name in names if name)) or "Report",
        summary=_summary(report),
        ships=[_ship(report, name) for name in _subjects(report)],
        not_checked=[(safe_line(item.key), safe_line(_reason(item))) for item in report.not_checked],
        checked=[safe_line(key) for key in report.checked],
        foot=[safe_line(line) for line in _foot(report)],
    )


@cache
def _template() -> Template:
    from jinja2 import Environment, StrictUndefined

    page = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    return page.from_string(_PAGE.replace("STYLE", _STYLE))


def _summary(report: Report) -> str:
    counts = [(severity, sum(f.severity is severity for f in report.findings)) for severity in Severity]
    told = ", ".join(
        f"{count} {severity.value}{'s' if count > 1 and severity is not Severity.UNDECIDED else ''}"
        for severity, count in counts
        if count
    )
    return f"{told or 'nothing against the rules'}; {how_many(len(report.checked), 'rule')} checked"


def _reason(item: NotChecked) -> str:
    return f"{item.subject}: {item.reason}" if item.subject else item.reason


def _foot(report: Report) -> list[str]:
    options = ", ".join(f"{name} = {value}" for name, value in report.options.items())
    lines = [
        f"Rulebook {report.rulebook}" if report.rulebook else "",
        f"Options: {options}" if options else "",
    ]
    lines += [f"Judged: {item.file}, sha256 {item.sha256}" for item in report.inputs]
    return [*filter(None, lines), f"referee {__version__}"]


def _subjects(report: Report) -> list[str]:
    """Whom the report is about, ships first, then what else has findings."""
    named = [ship.get("name", "") for ship in report.ships]
    named += [finding.subject for finding in report.findings] + [ledger.ship for ledger in report.ledgers]
    return list(dict.fromkeys(named))


def _ship(report: Report, name: str) -> dict[str, Any]:
    """One ship's section: its turns in order, what belongs to no turn first."""
    findings = [finding for finding in report.findings if finding.subject == name]
    ledgers = [ledger for ledger in report.ledgers if ledger.ship == name]
    ids = [ship.get("ship", "") for ship in report.ships if ship.get("name", "") == name]
    turns = {finding.turn for finding in findings} | {ledger.turn for ledger in ledgers}
    return {
        "name": safe_line(name) or "Files",
        "id": safe_line(", ".join(filter(None, dict.fromkeys(ids)))),
        "turns": [
            {
                "name": "In general" if turn is None else f"Turn {turn}",
                "findings": [_finding(finding) for finding in findings if finding.turn == turn],
                "ledgers": [_ledger(ledger) for ledger in ledgers if ledger.turn == turn],
            }
            for turn in sorted(turns, key=lambda turn: -1 if turn is None else turn)
        ],
    }


def _finding(finding: Finding) -> dict[str, Any]:
    rests = f"a number that is {finding.data_status}: the printed SSD or chart decides"
    facts = (
        ("where", finding.where),
        ("impulse", "" if finding.impulse is None else str(finding.impulse)),
        ("expected", finding.expected),
        ("found", finding.found),
        ("mend", finding.fix),
        ("rests on", rests if finding.data_status else ""),
    )
    return {
        "severity": finding.severity.value,
        "key": safe_line(finding.key),
        "message": safe_line(finding.message),
        "house": safe_line(finding.house_rule),
        "facts": [(name, safe_line(value)) for name, value in facts if value],
    }


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
