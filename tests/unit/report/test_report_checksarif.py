"""SARIF: what the standard demands of the parts that are used."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from referee.core.finding import Finding, Report, Severity
from referee.core.location import Location
from referee.report.checksarif import render


def _run(report: Report) -> dict[str, Any]:
    log = json.loads(render(report))
    assert log["version"] == "2.1.0"
    assert log["$schema"].endswith("sarif-2.1.0.json")
    (run,) = log["runs"]
    assert isinstance(run, dict)
    return run


def test_golden(report: Report, golden: Callable[[str, str], None]) -> None:
    golden("check.sarif", render(report))


def test_results_point_at_their_rule_and_file(report: Report) -> None:
    run = _run(report)
    rules = run["tool"]["driver"]["rules"]
    assert len({rule["id"] for rule in rules}) == len(rules)
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        for location in result.get("locations", ()):
            place = location["physicalLocation"]["artifactLocation"]
            assert run["artifacts"][place["index"]]["location"]["uri"] == place["uri"]


def test_only_a_failed_result_has_a_level(report: Report) -> None:
    for result in _run(report)["results"]:
        assert (result["kind"] == "fail") == (result["level"] != "none")
    kinds = [result["kind"] for result in _run(report)["results"]]
    assert kinds == ["fail", "fail", "review", "fail"]


def test_a_rule_not_checked_is_no_result(report: Report) -> None:
    run = _run(report)
    (told,) = run["invocations"][0]["toolExecutionNotifications"]
    rule = run["tool"]["driver"]["rules"][told["associatedRule"]["index"]]
    assert rule["id"] == told["associatedRule"]["id"] == "B3.0-14/acceleration"


def test_inputs_bear_their_hash(report: Report) -> None:
    assert _run(report)["artifacts"][0]["hashes"] == {"sha-256": "ab" * 32}


def test_a_file_without_a_hash_and_an_absolute_one() -> None:
    place = Location(file="/games/duel 1.csv", line=3)
    run = _run(Report(findings=(Finding("C5.2", Severity.ERROR, "no", location=place),)))
    assert run["artifacts"] == [{"location": {"uri": "file:///games/duel%201.csv"}}]


def test_empty_report() -> None:
    assert _run(Report())["results"] == []


def test_hostile_text_is_spelt_out(hostile_report: Report) -> None:
    text = render(hostile_report)
    assert not any(sign in text for sign in ("\x1b", "\u202e", "\x9b", "\x00"))
    run = _run(hostile_report)
    (failed,) = run["results"]
    for told in (failed, *run["invocations"][0]["toolExecutionNotifications"]):
        message = told["message"]["text"]
        assert "\\[/x\\]" in message
        assert "{{{{7*7}}}}" in message
        assert "\n" not in message
    uri = failed["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert uri.isascii()
    assert not set(uri) & set('<>| `"{}')
