"""The compliance statement of a program, as text and as one HTML page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from html import escape
from typing import Any

from referee.core.naming import how_many
from referee.core.safe import safe_line

KINDS = ("passed", "failed", "skipped", "errored")


def compliance_text(statement: dict[str, Any], most: int = 50) -> str:
    """The statement for a terminal: a line a chapter, then the cases that did not pass, `most` of each kind."""
    rows = [("", *KINDS), *_rows(statement)]
    widths = [max(len(row[n]) for row in rows) for n in range(len(rows[0]))]
    table = [
        "  ".join(
            [row[0].ljust(widths[0]), *(cell.rjust(w) for cell, w in zip(row[1:], widths[1:], strict=True))]
        )
        for row in rows
    ]
    return "\n".join([_title(statement), "", *table, "", *_open(statement, most), _verdict(statement)]) + "\n"


def _title(statement: dict[str, Any]) -> str:
    program = statement["program"]
    named = " ".join(filter(None, (program["name"] or "a program without a name", program["version"])))
    return safe_line(f"{named} on the cases {statement['corpus']}")


def _rows(statement: dict[str, Any]) -> Iterator[tuple[str, ...]]:
    for row in statement["chapters"]:
        yield (f"{row['rulebook']} {row['chapter']}", *(str(row[kind] or "-") for kind in KINDS))
    yield ("all", *(str(statement["counts"][kind] or "-") for kind in KINDS))


def _open(statement: dict[str, Any], most: int) -> Iterator[str]:
    for kind in ("failed", "errored"):
        mine = [each for each in statement["open"] if each["outcome"] == kind]
        for each in mine[:most]:
            yield safe_line(f"{kind}  {each['id']}  {each['says']}: {each['why']}")
        if len(mine) > most:
            yield f"{kind}  and {len(mine) - most} more"
        if mine:
            yield ""
    reasons = _skipped(statement)
    for why, count in reasons:
        yield safe_line(f"skipped  {how_many(count, 'case')}: {why}")
    if reasons:
        yield ""


def _skipped(statement: dict[str, Any]) -> list[tuple[str, int]]:
    """Why cases were skipped, and how many for each reason."""
    return sorted(Counter(each["why"] for each in statement["open"] if each["outcome"] == "skipped").items())


def _verdict(statement: dict[str, Any]) -> str:
    counts = statement["counts"]
    if statement["complies"]:
        return f"It complies with all {how_many(counts['passed'], 'case')} that it answers."
    if not counts["passed"]:
        return "It does not comply: no case passed."
    return f"It does not comply: {how_many(counts['failed'] + counts['errored'], 'case')} did not pass."


_STYLE = """
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; margin: 1rem 0; }
th, td { padding: .3rem .6rem; border-bottom: 1px solid #8884; text-align: right; }
th:first-child, td:first-child { text-align: left; }
.open th, .open td { text-align: left; vertical-align: top; }
.all td { font-weight: 600; }
.bad { color: light-dark(#a11, #f88); font-weight: 600; }
"""


def compliance_html(statement: dict[str, Any]) -> str:
    """The statement as a page: no script, nothing loaded from elsewhere."""
    title = escape(_title(statement))
    head = "".join(f"<th scope=col>{kind}</th>" for kind in KINDS)
    rows = "".join(_html_row(row) for row in _rows(statement))
    mine = [each for kind in ("failed", "errored") for each in statement["open"] if each["outcome"] == kind]
    open_rows = "".join(
        "<tr>"
        + "".join(f"<td>{escape(safe_line(each[name]))}</td>" for name in ("outcome", "id", "says", "why"))
        + "</tr>"
        for each in mine
    )
    cases = (
        "<h2>Cases that did not pass</h2><table class=open><thead><tr><th scope=col>Outcome</th>"
        "<th scope=col>Case</th><th scope=col>What it is</th><th scope=col>Why</th></tr></thead>"
        f"<tbody>{open_rows}</tbody></table>"
    )
    reasons = "".join(
        f"<tr><td>{count}</td><td>{escape(safe_line(why))}</td></tr>" for why, count in _skipped(statement)
    )
    skipped = (
        "<h2>Cases that were skipped</h2><table class=open><thead><tr><th scope=col>Cases</th>"
        f"<th scope=col>Why</th></tr></thead><tbody>{reasons}</tbody></table>"
    )
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
        '<meta name="viewport" content="width=device-width">'
        f"<style>{_STYLE}</style></head><body><h1>{title}</h1><p>{escape(_verdict(statement))}</p>"
        f"<table><thead><tr><th scope=col>Chapter</th>{head}</tr></thead><tbody>{rows}</tbody></table>"
        f"{cases if open_rows else ''}{skipped if reasons else ''}</body></html>\n"
    )


def _html_row(row: tuple[str, ...]) -> str:
    cells = "".join(
        f"<td{' class=bad' if kind in ('failed', 'errored') and cell != '-' else ''}>{cell}</td>"
        for kind, cell in zip(KINDS, row[1:], strict=True)
    )
    return f"<tr{' class=all' if row[0] == 'all' else ''}><td>{escape(row[0])}</td>{cells}</tr>"
