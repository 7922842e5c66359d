"""The published cases are those of the tests, complete, in form, and packaged."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from referee.corpus.agreement import disagreement
from referee.corpus.answering import SORTS, answer
from referee.corpus.published import contents, corpus_folder, published
from referee.formats.schemas import hold_against, read_schema
from referee.rulebooks.registry import load_rulebook, rulebook_ids
from tests.write_corpus import COMMAND, CORPUS, EXAMPLES, corpus_texts

CASES = list(published())
ISSUES = json.loads((CORPUS / "issues.json").read_bytes())["issues"]


def test_the_published_cases_are_written_anew_alike() -> None:
    texts = corpus_texts()
    stale = [
        path.name for path, text in texts.items() if not path.is_file() or path.read_text("utf-8") != text
    ]
    gone = [
        path.name
        for path in CORPUS.glob("*/*.json")
        if path not in texts and path.parent.name in rulebook_ids()
    ]
    assert not stale and not gone, f"{stale} {gone}: {COMMAND}"


def test_files_fit_their_schemas() -> None:
    for path in sorted(CORPUS.rglob("*.json")):
        data = json.loads(path.read_bytes())
        if "schema" in data:
            hold_against(data, data["schema"].split("/")[1], path.name)


def test_there_are_enough_of_them_over_the_three_rulebooks() -> None:
    facts = [case for case in CASES if "facts" in case.data["input"]]
    assert (len(CASES), len(facts)) == (contents()["cases"], contents()["facts"])
    assert len(CASES) - len(facts) >= 1200
    assert {case.rulebook for case in CASES} == set(rulebook_ids()) == {"sfb-cadet", "sfb-standard", "trek"}


def test_every_fact_is_explained() -> None:
    """A program that has only the files can tell what each name of a fact means, and no name is explained for nothing."""
    said = json.loads((corpus_folder() / "facts.json").read_bytes())
    used: dict[str, set[str]] = {}
    for case in CASES:
        if "facts" in case.data["input"]:
            used.setdefault(case.rule, set()).update(case.data["input"]["facts"])
    for rule, names in used.items():
        assert names <= {**said["common"], **said["rules"].get(rule, {})}.keys(), rule
    assert set(said["rules"]) <= set(used)
    for rule, names in said["rules"].items():
        assert set(names) <= used[rule], rule


def test_ids_are_their_own_and_name_their_rule() -> None:
    assert len({case.id for case in CASES}) == len(CASES)
    for case in CASES:
        start, _, number = case.id.rpartition("/")
        assert start == f"{case.rulebook}/{case.rule}" and number.isdigit()


@pytest.mark.parametrize("rulebook", rulebook_ids())
def test_each_rule_has_a_legal_and_an_illegal_case_or_an_excuse(rulebook: str) -> None:
    excused = contents()["excused"][rulebook]
    for key in load_rulebook(rulebook).rules:
        verdicts = {
            case.data["expected"]["verdict"]
            for case in CASES
            if (case.rulebook, case.rule) == (rulebook, key)
        }
        assert {"legal", "illegal"} <= verdicts or excused.get(key), key
    assert all(len(reason.split()) > 3 for reason in excused.values())


def test_no_case_is_there_twice() -> None:
    """What is asked of a rule twice counts twice; only claims about it may be several, or what another option leaves."""
    asked = Counter(
        json.dumps({**case.asked(), "id": ""}, sort_keys=True)
        for case in CASES
        if case.data["expected"]["verdict"] == "legal" and "values" not in case.data["expected"]
    )
    assert not [each for each, times in asked.items() if times > 1]


def test_every_worked_example_is_published() -> None:
    shown = {case.data["example"] for case in CASES if "example" in case.data}
    assert shown == EXAMPLES


def test_another_answer_does_not_agree() -> None:
    """Each case holds: a program that says the opposite, or another figure, is caught by it."""
    other = {"legal": "illegal", "illegal": "legal", "cannot-tell": "legal"}
    for case in CASES:
        expected = case.data["expected"]
        assert disagreement(expected, {"verdict": other[expected["verdict"]]}), case.id
        for name in expected.get("values", {}):
            assert disagreement(expected, {"verdict": expected["verdict"], "values": {name: "?"}}), case.id


def test_legal_cases_have_nothing_against_them() -> None:
    for case in CASES:
        if case.data["expected"]["verdict"] == "legal" and "claim" not in case.data:
            found = answer(case.asked()).get("findings", ())
            assert case.data["kind"] == "legal" or not [
                each for each in found if each["severity"] == "error"
            ], case.id


def test_flags_name_the_sort_of_input_and_open_issues() -> None:
    numbers = [issue["number"] for issue in ISSUES]
    assert numbers == list(range(1, len(numbers) + 1))
    for case in CASES:
        (sort,) = case.data["input"]
        assert f"input:{sort}" in case.data["flags"] and sort in SORTS
        named = [int(flag.partition(":")[2]) for flag in case.data["flags"] if flag.startswith("issue:")]
        assert set(named) <= set(numbers)


def test_issues_name_rules_there_are_and_a_reading_preferred() -> None:
    for issue in ISSUES:
        rules = {key for id in issue["rulebooks"] for key in load_rulebook(id).rules}
        assert set(issue["rules"]) <= rules, issue["number"]
        assert 1 <= issue["preferred"] <= len(issue["readings"])
        options = {name for id in issue["rulebooks"] for name in load_rulebook(id).options}
        assert issue.get("option", "") in {"", *options}, issue["number"]


def test_every_sort_of_input_is_in_the_schema_and_on_the_page() -> None:
    page = (corpus_folder().parent / "docs" / "corpus.md").read_text(encoding="utf-8")
    case: Any = read_schema("corpus-cases")["properties"]["cases"]["items"]
    assert set(case["properties"]["input"]["propertyNames"]["enum"]) == set(SORTS)
    for sort in SORTS:
        assert f"`{sort}`" in page, sort


def test_the_cases_go_into_the_package() -> None:
    project = (Path(CORPUS).parent / "pyproject.toml").read_text(encoding="utf-8")
    assert '"corpus" = "referee/corpus/cases"' in project
