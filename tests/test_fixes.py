"""One fix ends the matter: what a finding on a form proposes is written into the form; then the finding is gone, and no
error has come in its place."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

import pytest

from referee.core.energy import parse_energy, show_energy
from referee.core.finding import Finding, Report, Severity
from referee.corpus.forms import report_on, rows_of, text_of
from referee.formats.sheets.grid import cell_position
from tests.casefile import FORM_KINDS, Case, all_cases, book_of

Rows = list[list[str]]
FIGURE = "[0-9]*[½¼¾⅓⅔]|[0-9]+(?:/[0-9]+)?"
WRITE = re.compile(
    rf"write ({FIGURE}) on line (?:[0-9]+ )?([A-Z][A-Za-z/0-9 ]+?)(?: \(([A-Z]+[0-9]+)\))?(?=$|,|:| and | to )"
)
CUT = re.compile(rf"cut ({FIGURE}) points? on lines 7 to 19")
HERE = re.compile(r"(?:pay|add|fire) (?:no more than )?(.+)$|(nothing)$")
SUMS = ("B3.0-4", "B3.0-20/sum", "B3.0-5", "H6.1")
"""Lines that a player brings in line with what was changed: totals, and what the next turn is begun with."""
KEPT = ("7", "8", "10", "11", "19")
"""Lines of which a part buys nothing: points are cut on the others first."""
PROPOSES_NOTHING = Counter[str]()


class Told(NamedTuple):
    """A finding of a case that says what to do."""

    case: Case
    n: int
    finding: Finding
    report: Report

    @property
    def id(self) -> str:
        return f"{self.case.id} #{self.n} {self.finding.key}"


def told() -> Iterator[Told]:
    for case in all_cases():
        if case.kind in FORM_KINDS and "form" in case.says:
            report = report_on(book_of(case), case.says)
            yield from (Told(case, n, f, report) for n, f in enumerate(report.findings) if f.fix)


def ways(one: Told) -> Iterator[Rows]:
    """The form after each thing that the finding offers to do."""
    rows = rows_of(one.case.says["form"])
    if not one.finding.location.cell:
        return
    place = cell_position(one.finding.location.cell)
    assert place
    for offered in one.finding.fix.partition(";")[0].split(", or "):
        changed = [list(row) for row in rows]
        for figure, title, cell in WRITE.findall(offered):
            row, column = cell_position(cell) or (len(changed), place[1])
            if not cell:
                changed.append([title])
            put(changed, row, column, figure)
        for points in CUT.findall(offered):
            cut(changed, one, parse_energy(points))
        if changed != rows:
            yield changed
        elif here := HERE.match(offered):
            for figure in re.findall(FIGURE, here[1] or "0"):
                put(changed, *place, figure)
                yield [list(row) for row in changed]


def put(rows: Rows, row: int, column: int, figure: str) -> None:
    rows[row] += [""] * (column + 1 - len(rows[row]))
    rows[row][column] = figure


def cut(rows: Rows, one: Told, points: Fraction) -> None:
    """Takes points off the turn's spending."""
    ledger = next(each for each in one.report.ledgers if each.turn == one.finding.turn)
    for line in sorted(ledger.lines, key=lambda each: (each.line.startswith(KEPT), -Fraction(each.amount))):
        row, column = cell_position(line.cell) or (0, 0)
        paid = parse_energy(rows[row][column])
        less = paid if line.line.startswith(KEPT) else min(points, paid)
        if points > 0:
            put(rows, row, column, show_energy(paid - less))
            points -= less


def against(report: Report) -> set[tuple[str, int | None]]:
    return {(f.key, f.turn) for f in report.findings if f.severity is Severity.ERROR}


def outcome(one: Told, rows: Rows) -> str:
    """What is wrong when the form is changed so, and its sums after it."""
    before = against(one.report)
    for _ in range(4):
        case = Case(**{**vars(one.case), "says": {**one.case.says, "form": text_of(rows)}})
        report = report_on(book_of(case), case.says)
        new = [f for f in report.findings if f.severity is Severity.ERROR and (f.key, f.turn) not in before]
        sums = [(n, f) for n, f in enumerate(new) if f.key in SUMS]
        if not sums:
            break
        rows = next(ways(Told(case, *sums[0], report)))
    same = [
        f
        for f in report.findings
        if (f.key, f.turn, f.severity, f.location.cell)
        == (one.finding.key, one.finding.turn, one.finding.severity, one.finding.location.cell)
    ]
    return "; ".join(f"{f.key} turn {f.turn} {f.message}: {f.fix}" for f in [*same, *new])


@pytest.mark.parametrize("one", [pytest.param(one, id=one.id) for one in told()])
def test_what_a_fix_proposes_ends_the_matter(one: Told) -> None:
    done = list(ways(one))
    wrong = [(text_of(rows), said) for rows in done if (said := outcome(one, rows))]
    assert not wrong, one.finding.fix + "\n" + "\n".join(map("\n".join, wrong))
