"""What is judged of each book: every number listed, every rule counted, the pages fresh."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from referee.core.finding import rule_number
from referee.rulebooks.base import Rulebook
from referee.rulebooks.coverage import NOT_JUDGED, SWITCHED_OFF, BookCoverage, coverage_of
from referee.rulebooks.registry import descriptors, folder_of, load_rulebook, rulebook_ids
from tests.unit.rulebooks.test_data_files import complaints
from tests.write_coverage import COMMAND, counts_file, counts_text, page_file, page_text

LISTS = {id: book["folder"] for id, book in descriptors().items()}
NUMBERS = {"sfb-cadet": 111, "sfb-standard": 111, "trek": 77}


def listed(id: str) -> dict[str, Any]:
    data: dict[str, Any] = json.loads((folder_of(id) / "coverage.json").read_bytes())
    return data


def coverage(id: str) -> BookCoverage:
    return coverage_of(load_rulebook(id))


@pytest.mark.parametrize("id", sorted(LISTS))
def test_the_list_is_well_made(id: str) -> None:
    data = listed(id)
    assert complaints("rule-list", data) == []
    assert data["rulebook"] == id
    inherited = {
        covered["number"] for parent in load_rulebook(id).chain for covered in listed(parent)["rules"]
    }
    assert set(data.get("not_here", {})) <= inherited
    rules = load_rulebook(id).rules
    assert set(data.get("excused", {})) <= set(rules)


@pytest.mark.parametrize("id", rulebook_ids())
def test_every_number_is_judged_or_says_why_not(id: str) -> None:
    numbered = coverage(id).numbered
    assert [int(covered.number) for covered in numbered] == list(range(1, NUMBERS[id] + 1))
    silent = [covered.number for covered in numbered if covered.status == NOT_JUDGED and not covered.why]
    assert not silent, f"{id}: neither judged nor excused: {', '.join(silent)}"


@pytest.mark.parametrize("id", sorted(LISTS))
def test_every_rule_that_is_named_is_registered(id: str) -> None:
    playable = [book for book in map(load_rulebook, rulebook_ids()) if id in book.chain]
    known = {key for book in playable for key in book.rules}
    named = {key for entry in listed(id)["rules"] for key in entry.get("rules", ())}
    assert named <= known, named - known


@pytest.mark.parametrize("id", rulebook_ids())
def test_no_rule_is_left_out_and_each_has_its_cases(id: str) -> None:
    found = coverage(id)
    carried = {each.rule.key: each for covered in found.numbered for each in covered.rules}
    carried |= {each.rule.key: each for each in found.further}
    hidden = set(load_rulebook(id).rules) - set(carried)
    elsewhere = {covered.number for covered in found.numbered if covered.why}
    entries = [entry for parent in load_rulebook(id).chain for entry in listed(parent)["rules"]]
    of_another_game = {
        key for entry in entries if entry["number"] in elsewhere for key in entry.get("rules", ())
    }
    assert hidden <= of_another_game
    for key, each in carried.items():
        against = each.cases.illegal + each.cases.cannot_tell
        assert each.cases.legal or each.excused, key
        assert against or each.excused, key


@pytest.mark.parametrize("id", rulebook_ids())
def test_rules_beyond_the_list_have_numbers_of_their_own(id: str) -> None:
    further = coverage(id).further
    assert all(each.number and each.in_book and each.source for each in further)
    rows = [row for parent in load_rulebook(id).chain for row in listed(parent).get("further", ())]
    numbers = [row["number"] for row in rows]
    assert numbers == [f"+{n}" for n in range(1, len(rows) + 1)]
    playable = [
        book for book in map(load_rulebook, rulebook_ids()) if book.chain[-1] in load_rulebook(id).chain
    ]
    assert {row["rule"] for row in rows} <= {key for book in playable for key in book.rules}
    named = {key for covered in coverage(id).numbered for key in (rule.rule.key for rule in covered.rules)}
    assert not named & {row["rule"] for row in rows}, "a rule stands in one place"


@pytest.mark.parametrize("id", rulebook_ids())
def test_the_cases_are_counted_as_they_are(id: str) -> None:
    packaged = counts_file(id).read_text(encoding="utf-8")
    assert complaints("case-counts", json.loads(packaged)) == []
    assert packaged == counts_text(id), f"stale: run {COMMAND}"


@pytest.mark.parametrize("id", rulebook_ids())
def test_the_page_is_fresh(id: str) -> None:
    assert page_file(id).read_text(encoding="utf-8") == page_text(id), f"stale: run {COMMAND}"


def test_a_rule_switched_off_is_not_called_judged() -> None:
    book = load_rulebook("sfb-cadet")
    before = coverage_of(book)
    without: Rulebook = book.without(["C3.43"])
    (turned,) = (each for each in coverage_of(without).numbered if each.number == "12")
    assert turned.status == SWITCHED_OFF and not turned.rules
    assert next(each for each in before.numbered if each.number == "12").status == "resolved"
    assert coverage_of(without).cases.legal < before.cases.legal


# -- against the sources ------------------------------------------------------------------


def rows_of_the_table(shared: Path) -> dict[str, str]:
    """The numbers of the rules, and the book's number of each, as the paraphrase has them."""
    text = (shared / "rules/sfb/RULES.md").read_text(encoding="utf-8")
    rows = (re.match(r"\| (\d+) \| ([^|]+) \|", line) for line in text.splitlines())
    return {row[1]: row[2].strip() for row in rows if row}


def test_no_number_of_the_book_is_missing(shared: Path) -> None:
    ours = {entry["number"]: entry["book"] for entry in listed("sfb")["rules"]}
    theirs = rows_of_the_table(shared)
    assert ours.keys() == theirs.keys()
    for number, book in theirs.items():
        found = re.search(r"\b(?:FD|[A-EGH])\d+\.\d+", book)
        assert found is None or rule_number(found[0])[:4] in ours[number], (number, book, ours[number])


def test_the_titles_are_our_own(shared: Path) -> None:
    """No six words in a row stand so in a source."""
    sources = " ".join(
        path.read_text(encoding="utf-8") for path in sorted((shared / "sources").glob("00*.txt"))
    )
    said = set(_runs(sources))
    for id in LISTS:
        for entry in listed(id)["rules"]:
            for text in (entry["title"], entry.get("why", ""), entry.get("left", "")):
                copied = set(_runs(text)) & said
                assert not copied, (entry["number"], copied)


def _runs(text: str) -> Iterator[tuple[str, ...]]:
    words = re.findall(r"[a-z0-9']+", text.casefold())
    return zip(*(words[n:] for n in range(6)), strict=False)
