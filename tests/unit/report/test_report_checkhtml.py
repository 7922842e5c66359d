"""HTML: one page that loads nothing, runs nothing, and shows players' text as text."""

from __future__ import annotations

import re
from collections.abc import Callable
from html.parser import HTMLParser

import pytest
from lxml import html

from referee.core.finding import Finding, Report, Severity
from referee.report.checkhtml import render


class _Tags(HTMLParser):
    """Collects tags and attributes, and holds closing tags against opening ones."""

    VOID = frozenset({"meta"})

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def _parsed(report: Report) -> _Tags:
    tags = _Tags()
    tags.feed(render(report))
    assert tags.open == []
    return tags


def test_golden(report: Report, golden: Callable[[str, str], None]) -> None:
    page = render(report)
    golden("check.html", re.sub(r"(?s)<style>.*</style>", "<style></style>", page))


def test_loads_and_runs_nothing(report: Report, hostile_report: Report) -> None:
    for each in (report, hostile_report):
        for tag, attributes in _parsed(each).seen:
            assert tag not in ("script", "link", "img", "iframe", "object", "form", "base", "a")
            assert not {name for name in attributes if name.startswith("on") or name in ("src", "href")}
            assert "url(" not in (attributes.get("style") or "")


@pytest.mark.parametrize(
    ("severity", "word"),
    [(Severity.ERROR, "Illegal"), (Severity.UNDECIDED, "Cannot tell"), (Severity.NOTE, "Legal")],
)
def test_badge(severity: Severity, word: str) -> None:
    page = _parsed(Report(findings=(Finding("C5.2", severity, "so"),)))
    assert f"{word}: Report" in page.text


def test_a_ship_without_findings_is_said_to_have_none() -> None:
    page = _parsed(Report(ships=({"name": "Fox", "ship": "cadet/fox"},)))
    assert "Nothing against the rules." in page.text


def test_energy_is_shown_as_players_write_it(report: Report) -> None:
    assert "2½" in _parsed(report).text


def test_hostile_text_is_spelt_out(hostile_report: Report) -> None:
    page = render(hostile_report)
    assert not any(sign in page for sign in ("\x1b", "\u202e", "\x9b", "\x00", "<script"))
    assert "49" not in _parsed(hostile_report).text.replace("{{7*7}}", "")


def test_a_finding_on_a_weapon_stands_with_its_ship() -> None:
    fouls = tuple(
        Finding("E1.2", Severity.ERROR, "it is declared twice", subject=subject, turn=1)
        for subject in ("War Bird PH-1/A", "War DRN/1 t1", "Warden", "War")
    )
    ships = tuple({"name": name, "ship": "cadet/klingon-d6"} for name in ("War", "War Bird"))
    page = html.fromstring(render(Report(findings=fouls, ships=ships)))
    told = {" ".join(one.text_content().split()) for one in page.iter("section")}
    war, bird = (
        next(text for text in told if text.startswith(f"{name} cadet")) for name in ("War", "War Bird")
    )
    assert "DRN/1 t1: it is declared twice" in war and "PH-1/A" not in war
    assert "PH-1/A: it is declared twice" in bird and "Nothing against" not in bird
    assert any(text.startswith("Warden") for text in told)


def test_every_option_in_force_is_told() -> None:
    options = {f"choice_{n}": "a value of some length" for n in range(40)}
    assert "choice_39 = a value of some length" in render(Report(options=options))
