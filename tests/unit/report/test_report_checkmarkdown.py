"""Markdown: errors first, and nothing a player wrote is markup."""

from __future__ import annotations

import re
from collections.abc import Callable

from referee.core.finding import Finding, Report, Severity
from referee.core.location import Location
from referee.report.checkmarkdown import literal, render


def test_golden(report: Report, golden: Callable[[str, str], None]) -> None:
    golden("check.md", render(report))


def test_nothing_found() -> None:
    assert render(Report(checked=("C5.2",))).startswith(
        "**Legal:** nothing against the rules; 1 rule checked."
    )


def test_folders_are_not_told() -> None:
    for file in ("/home/alice/duel/turn1.csv", "C:\\games\\turn1.csv"):
        text = render(Report(findings=(Finding("C5.2", Severity.ERROR, "no", location=Location(file=file)),)))
        assert "| turn1.csv |" in text


def test_words_stay_readable() -> None:
    assert literal("--option life_support=true (+2)") == "--option life_support=true (+2)"
    assert literal("_a_ *b* `c` |") == "\\_a\\_ \\*b\\* \\`c\\` \\|"


def test_no_link_and_nobody_called() -> None:
    assert literal("see http://x.y, www.x.y, @all") == "see http\\://x.y, www\\.x.y, ＠all"


def test_every_row_has_four_cells(report: Report, hostile_report: Report) -> None:
    for each in (report, hostile_report):
        rows = [line for line in render(each).split("\n\n")[1].splitlines() if line.startswith("|")]
        assert {len(re.findall(r"(?<!\\)\|", row)) for row in rows} == {5}


def test_hostile_text_is_spelt_out(hostile_report: Report) -> None:
    text = render(hostile_report)
    assert not any(sign in text for sign in ("\x1b", "\u202e", "\x9b", "\x00", "@", "http:"))
    assert not re.search(r"(?<!\\)<(?!/?details>|/?summary>)", text)
    assert not re.search(r"(?<!\\)[`\[]", text)
