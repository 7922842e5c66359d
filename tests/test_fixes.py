"""One fix ends the matter: what a finding on a form proposes is written into the form; then the finding is gone, and no
error has come in its place."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import zip_longest
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest

from referee.core.energy import show_energy
from referee.core.finding import Finding, Report, Severity
from referee.corpus.forms import form_from, report_on, rows_of, text_of
from referee.formats.sheets.grid import cell_position
from referee.rulebooks.sfb.allocation import spends
from tests.casefile import FORM_KINDS, Case, all_cases, book_of, judge

Rows = list[list[str]]
FIGURE = "[0-9]*[½¼¾⅓⅔]|(?:[0-9]+ )?[0-9]+/[0-9]+|[0-9]+"
WRITE = re.compile(
    rf"({FIGURE}) on line (?:[0-9]+ )?([A-Z][A-Za-z/0-9 ]+?)(?: \(([A-Z]+[0-9]+)\))?(?=$|:|,| and )"
)
WRITTEN = re.compile(rf"write ({FIGURE}) on line [^()]+\(([A-Z]+[0-9]+)\)")
THEN = re.compile(r"write (.+) on line .+?\(([A-Z]+[0-9]+)\)")
HERE = re.compile("(?:pay|add|fire) (?:no more than )?(.+)")
NO_FIGURE = {
    # The player alone knows what was meant.
    "one row|say (what|which shield)|agree$|it as|fill in|a tube the ship": 23,
    # The SSD decides, or what was fired.
    "count |miscounted|SSD|record": 134,
    # Nothing is wrong on the form: an option, or a map file.
    "--option|map file": 8,
    # Which tube is given up is free, and what is given up may stay so.
    "fewer tubes|step that is due": 2,
}
"""What says no figure to write, by its words, and how often. It may become less, and not more."""


OPEN = 1
"""How many random forms of 200 are not free of errors when all fixes were done twice. It may become less, and not more."""


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


def ways(rows: Rows, told: Finding) -> Iterator[Rows]:
    """The form after each thing that the finding offers to do."""
    if (place := cell_position(told.location.cell or "")) is None:
        return
    fix, _, rest = told.fix.partition("; then ")
    then = THEN.match(rest)
    for offered in fix.partition(";")[0].split(", or "):
        changed = [list(row) for row in rows]
        written = WRITE.findall(offered)
        for figure, title, cell in written:
            row, column = cell_position(cell) or (len(changed), place[1])
            row = row if cell else next((n for n, cells in enumerate(rows) if cells[0] == title), row)
            changed += [[title]] * (row == len(changed))
            put(changed, row, column, figure)
        here = not written and HERE.match(offered)
        figures = re.findall(FIGURE, here[1]) if here else [""] * bool(written or then)
        sums = then[1].split(" or ") if then else []
        for figure, total in zip_longest(figures, sums):
            if figure:
                put(changed, *place, figure)
            if then and re.fullmatch(FIGURE, total):
                put(changed, *(cell_position(then[2]) or place), total)
            yield [list(row) for row in changed]


def put(rows: Rows, row: int, column: int, figure: str) -> None:
    rows[row] = rows[row] + [""] * (column + 1 - len(rows[row]))
    rows[row][column] = figure


def added_up(rows: Rows, case: Case, *done: Finding) -> Report:
    """The report when the sums are written that fixes together come to."""
    for cell in (then[2] for told in done if (then := THEN.search(told.fix)) and "the sum" in told.fix):
        row, column = cell_position(cell) or (0, 0)
        form = form_from(text_of(rows), book_of(case))
        (turn,) = (turn for turn in form.allocations if turn.place_of("20").cell == cell)
        total = sum((figure.amount for line, figure in turn.entries.items() if spends(line)), Fraction(0))
        put(rows, row, column, show_energy(total))
    return report_of(rows, case)


def report_of(rows: Rows, case: Case) -> Report:
    return report_on(book_of(case), {**case.says, "form": text_of(rows)})


def errors(report: Report) -> list[Finding]:
    return [found for found in report.findings if found.severity is Severity.ERROR]


def place_of(found: Finding) -> tuple[object, ...]:
    return found.key, found.turn, found.severity, found.location.cell


@pytest.mark.parametrize("one", [pytest.param(one, id=f"{one.case.id} {one.finding.key}") for one in TOLD])
def test_what_a_fix_proposes_ends_the_matter(one: Told) -> None:
    old = {(f.key, f.turn) for f in errors(one.report)} - {(one.finding.key, one.finding.turn)}
    for rows in ways(rows_of(one.case.says["form"]), one.finding):
        report = report_of(rows, one.case)
        # What the turn after is begun with follows it.
        left = [
            f
            for f in errors(report)
            if (f.key, f.turn) not in old and (f.turn or 0) <= (one.finding.turn or 0)
        ]
        left += [f for f in report.findings if place_of(f) == place_of(one.finding)]
        assert not left, (one.finding.fix, text_of(rows), left)


@pytest.mark.parametrize(
    "case", [pytest.param(one, id=one.id) for one in {t.case.id: t.case for t in TOLD}.values()]
)
def test_all_fixes_of_a_form_go_together(case: Case) -> None:
    report, rows, turn = judge(case), rows_of(case.says["form"]), 0
    while found := [f for f in errors(report) if not any(re.search(words, f.fix) for words in NO_FIGURE)]:
        assert min(f.turn or 0 for f in found) > turn, (text_of(rows), found)
        turn = min(f.turn or 0 for f in found)
        done = [f for f in report.findings if f.fix]
        for told in done:
            rows = next(ways(rows, told), rows)
        report = added_up(rows, case, *done)


def already_there(report: Report, text: str) -> list[str]:
    """The fixes that say to write the figure that the cell has."""
    rows = rows_of(text)
    figures = {(r, c): cell for r, cells in enumerate(rows) for c, cell in enumerate(cells)}
    return [
        found.fix
        for found in report.findings
        for figure, cell in WRITTEN.findall(found.fix)
        if figures.get(cell_position(cell) or (0, 0)) == figure
    ]


@pytest.mark.parametrize("one", [pytest.param(one, id=f"{one.case.id} {one.finding.key}") for one in TOLD])
def test_no_fix_writes_what_is_there(one: Told) -> None:
    assert not already_there(one.report, one.case.says["form"])


def random_form(dice: Random) -> tuple[str, str, str]:
    """A rulebook, a ship and a form of one to three turns, most of them over their power."""
    book, ship, tubes = dice.choice(
        [
            ("sfb-cadet", "cadet/federation-ca", ["PHOT A", "PHOT B"]),
            ("sfb-cadet", "cadet/klingon-d6", ["DISR A", "DISR B"]),
            ("sfb-standard", "standard/federation-ca", ["PHOT A", "PHOT B", "PHOT C", "PHOT D"]),
            ("sfb-standard", "standard/klingon-d7", ["DISR A", "DISR B", "DISR C", "DISR D"]),
        ]
    )
    warp = 16 if book == "sfb-cadet" else 30
    may = {
        "Batteries Available": [2, ""],
        "Batteries Discharged": ["", "", 0, 1, 2],
        "Life Support": [] if warp == 16 else [1, 1, 0],
        "Fire Control": [] if warp == 16 else [1, 1, 0],
        "Phasers": [0, 1, 2, 3],
        **{tube: [0, 2, 2, 3] for tube in tubes},
        "Shields": [] if warp == 16 else [2, 2, 1],
        "Movement": range(warp - 8, warp + 2),
        "Recharge Batteries": [0, 0, 0, 1],
        "Batteries Used In Turn": ["", "", "", 1],
    }
    turns = range(dice.randint(1, 3))
    rows = [[name, *(dice.choice(some) for _ in turns)] for name, some in may.items() if some]
    spent = [row for row in rows if "Batteries" not in row[0] or row[0] == "Recharge Batteries"]
    total = ["Total Power Used", *(sum(row[1 + turn] for row in spent) for turn in turns)]
    head = [["Turn", *(1 + turn for turn in turns)]]
    return book, ship, text_of([[str(cell) for cell in row] for row in (*head, *rows, total)])


def with_all_fixes(report: Report, case: Case) -> tuple[Report, Case]:
    """A form in which all that its findings propose is written, and the report on it."""
    rows, done = rows_of(case.says["form"]), [f for f in report.findings if f.fix]
    for told in done:
        rows = next(ways(rows, told), rows)
    report = added_up(rows, case, *done)  # which writes the sums
    return report, replace(case, says={**case.says, "form": text_of(rows)})


def test_all_fixes_of_random_forms_end_in_two_rounds() -> None:
    dice, left = Random(39), []
    for _ in range(200):
        book, ship, text = random_form(dice)
        case = Case(book, "", "", "illegal", {"ship": ship, "form": text}, Path())
        report = judge(case)
        for _ in range(2):
            assert not already_there(report, case.says["form"])
            report, case = with_all_fixes(report, case)
        if errors(report):
            left.append((case, report))
    assert len(left) == OPEN


def test_what_cannot_be_done_says_no_figure() -> None:
    others = [
        one.finding.fix
        for one in TOLD
        if not any(True for _ in ways(rows_of(one.case.says["form"]), one.finding))
    ]
    found = {words: sum(bool(re.search(words, fix)) for fix in others) for words in NO_FIGURE}
    assert found == NO_FIGURE and sum(found.values()) == len(others), others
