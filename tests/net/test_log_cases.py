"""Logs as a player would tell them, and what should be found in them: the cases of `tests/cases/logs`."""

from __future__ import annotations

from typing import Any

import pytest

from tests.net.gamefiles import Game, games, play
from tests.net.logcases import Case, cases, digest, files

pytestmark = pytest.mark.net
FACTS = {"key", "severity", "subject", "when", "line", "words"}
KNOWN = {
    *("name", "ships", "lost", "clock", "begun", "before", "options", "log", "found"),
    *("open", "not_open", "judged", "ended"),
}
WRITE = "the case is new or changed: python -m tests.write_games"
LOGS = {game["game"]: game for game in games("logs")}


@pytest.mark.usefixtures("own_folder")
@pytest.mark.parametrize("name", cases())
def test_a_log_is_understood(name: str) -> None:
    """Just what is expected is found, but for notes; of these, those that are expected."""
    case = cases()[name]
    assert set(case) <= KNOWN, set(case) - KNOWN
    assert name in LOGS and LOGS[name]["of"] == digest(case), WRITE
    differs(case, LOGS[name])


def differs(case: Case, game: Game) -> None:
    """Holds what is found in the log of a case against what the case says."""
    ((_, ran),) = play(game)
    report = ran.json
    left = list(report["findings"])
    for expected in case["found"]:
        assert {"key", "severity"} <= set(expected) <= FACTS, expected
        fits = [finding for finding in left if as_expected(finding, expected, game["steps"])]
        assert fits, f"not found: {expected}\n{ran.out}"
        left.remove(fits[0])
    assert not [one for one in left if one["severity"] != "note"], ran.out
    never = {expected["key"] for expected in case["found"]}
    assert not [one for one in left if one["key"] in never], f"found more often than expected\n{ran.out}"
    reasons = "\n".join(
        f"{one['key']} {one.get('subject', '')}: {one['reason']}" for one in report["not_checked"]
    )
    for words in case.get("open", ()):
        assert words in reasons, f"not said to be open: {words}\n{reasons}"
    for words in case.get("not_open", ()):
        assert words not in reasons, f"said to be open: {words}"
    assert set(case.get("judged", ())) <= set(report["checked"]), report["checked"]


def as_expected(finding: Any, expected: dict[str, Any], steps: dict[str, int]) -> bool:
    when = ".".join(str(finding[part]) for part in ("turn", "impulse") if finding.get(part) is not None)
    facts = {"subject": "", **finding, "when": when}
    told = " ".join(str(finding.get(part, "")) for part in ("message", "expected", "found", "fix"))
    return (
        all(facts[name] == value for name, value in expected.items() if name not in ("words", "line"))
        and all(words in told for words in expected.get("words", ()))
        and ("line" not in expected or finding.get("location", {}).get("step") == steps[expected["line"]])
    )


def test_each_kind_is_found_and_not_found() -> None:
    """Each file has a case in which something is found and one in which nothing is."""
    for stem, file in files().items():
        found = [case["found"] for case in file["case"]]
        assert any(found) and not all(found), stem
        assert len({case["name"] for case in file["case"]}) == len(found), stem
    assert set(LOGS) == set(cases()) and len(LOGS) >= 60
