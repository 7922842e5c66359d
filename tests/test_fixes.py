"""One fix ends the matter: what a finding on a form proposes is written into the form; then the finding is gone, and no
error has come in its place."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

import pytest

from referee.core.energy import parse_energy, show_energy
from referee.core.finding import Finding, Report, Severity
from referee.corpus.forms import report_on, rows_of, text_of
from referee.formats.sheets.grid import cell_position
from tests.casefile import FORM_KINDS, Case, all_cases, book_of, judge

Rows = list[list[str]]
FIGURE = "[0-9]*[½¼¾⅓⅔]|[0-9]+(?:/[0-9]+)?"
WRITE = re.compile(
    rf"write ({FIGURE}) on line (?:[0-9]+ )?([A-Z][A-Za-z/0-9 ]+?)(?: \(([A-Z]+[0-9]+)\))?(?=$|:| and )"
)
CUT = re.compile(rf"cut ({FIGURE}) points? on lines 7 to 19")
HERE = re.compile("(?:pay|add|fire) (?:no more than )?(.+)")
SUMS = ("B3.0-4", "B3.0-20/sum", "B3.0-5", "H6.1")
"""Lines that a player brings in line with what was changed: totals, and what a turn is begun with."""
WHOLE = ("7", "8", "10", "11", "19")
"""Lines of which a part buys nothing: points are cut on the others first."""
NO_FIGURE = {
    # The player alone knows what was meant.
    "one row|say (what|which shield)|even number|agree$|whole hexes|it as|fill in|a tube the ship": 29,
    # The SSD decides, or what was fired.
    "count |miscounted|SSD|record": 134,
    # Nothing is wrong on the form: an option, or a map file.
    "--option|map file": 8,
    # Which tube is given up is free, and what is given up may stay so.
    "fewer tubes|step that is due": 2,
}
"""What says no figure to write, by its words, and how often. It may become less, and not more."""


class Told(NamedTuple):
    """A finding of a case that says what to do."""

    case: Case
    finding: Finding
    report: Report


TOLD = [
    Told(case, finding, report)
    for case in all_cases()
    if case.kind in FORM_KINDS and "form" in case.says
    for report in [judge(case)]
    for finding in report.findings
    if finding.fix
]


def ways(one: Told) -> Iterator[Rows]:
    """The form after each thing that the finding offers to do."""
    rows = rows_of(one.case.says["form"])
    if (place := cell_position(one.finding.location.cell or "")) is None:
        return
    for offered in one.finding.fix.partition(";")[0].split(", or "):
        changed = [list(row) for row in rows]
        for figure, title, cell in WRITE.findall(offered):
            row, column = cell_position(cell) or (len(changed), place[1])
            changed += [[title]] * (not cell)
            put(changed, row, column, figure)
        for points in CUT.findall(offered):
            cut(changed, one, parse_energy(points))
        here = HERE.match(offered) if changed == rows else None
        for figure in re.findall(FIGURE, here[1]) if here else ():
            put(changed, *place, figure)
            yield [list(row) for row in changed]
        if changed != rows and not here:
            yield changed


def put(rows: Rows, row: int, column: int, figure: str) -> None:
    rows[row] = rows[row] + [""] * (column + 1 - len(rows[row]))
    rows[row][column] = figure


def cut(rows: Rows, one: Told, points: Fraction) -> None:
    """Takes points off what the turn spends."""
    ledger = next(each for each in one.report.ledgers if each.turn == one.finding.turn)
    for line in sorted(ledger.lines, key=lambda each: (each.line.startswith(WHOLE), -Fraction(each.amount))):
        row, column = cell_position(line.cell) or (0, 0)
        paid = parse_energy(rows[row][column])
        less = (paid if line.line.startswith(WHOLE) else min(points, paid)) if points > 0 else 0
        put(rows, row, column, show_energy(paid - less))
        points -= less


def left_of(one: Told, rows: Rows) -> list[Finding]:
    """What is still wrong when the form is changed so, its sums are brought in line, and later turns follow it."""
    old = {(f.key, f.turn) for f in one.report.findings if f.severity is Severity.ERROR}
    told = one.finding
    for _ in range(6):
        case = replace(one.case, says={**one.case.says, "form": text_of(rows)})
        report = report_on(book_of(case), case.says)
        new = [f for f in report.findings if f.severity is Severity.ERROR and (f.key, f.turn) not in old]
        follows = [f for f in new if f.key in SUMS or (f.turn or 0) > (told.turn or 0)]
        if not follows:
            break
        rows = next(ways(Told(case, follows[0], report)))
    place = told.key, told.turn, told.severity, told.location.cell
    return new + [f for f in report.findings if (f.key, f.turn, f.severity, f.location.cell) == place]


@pytest.mark.parametrize("one", [pytest.param(one, id=f"{one.case.id} {one.finding.key}") for one in TOLD])
def test_what_a_fix_proposes_ends_the_matter(one: Told) -> None:
    for rows in ways(one):
        assert not (left := left_of(one, rows)), (one.finding.fix, text_of(rows), left)


def test_what_cannot_be_done_says_no_figure() -> None:
    others = [one.finding.fix for one in TOLD if not any(True for _ in ways(one))]
    found = {words: sum(bool(re.search(words, fix)) for fix in others) for words in NO_FIGURE}
    assert found == NO_FIGURE and sum(found.values()) == len(others), others
