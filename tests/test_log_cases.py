"""Logs as a player would tell them, and what should be found in them: the cases of `tests/cases/logs`."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from referee.core.finding import Finding, Report, Severity
from referee.judging.files import judge_file
from referee.sources.asked import Asked
from referee.sources.inputs import InputBytes
from referee.sources.settings import Settings
from tests.logtable import LogTable
from tests.unit.formats.vassal.game_logs import module_bytes

CASES = Path(__file__).parent / "cases" / "logs"
KNOWN = {
    "name",
    "ships",
    "lost",
    "clock",
    "begun",
    "before",
    "options",
    "log",
    "found",
    "open",
    "not_open",
    "judged",
    "ended",
}
FACTS = {"key", "severity", "subject", "when", "line", "words"}
FILES = {path.stem: tomllib.loads(path.read_text(encoding="utf-8")) for path in sorted(CASES.glob("*.toml"))}
EVERY = [
    pytest.param({**file.get("all", {}), **case}, id=f"{stem}: {case['name']}")
    for stem, file in FILES.items()
    for case in file["case"]
]


def log_of(case: dict[str, Any]) -> tuple[LogTable, bytes]:
    """The table of a case, and the log of what is played at it."""
    table = LogTable(case["ships"], case.get("lost", {}), case.get("clock", "1.1"))
    table.begun(case.get("begun", ""))
    return table, table.played(case.get("before", "") + case["log"], case.get("ended", True))


@pytest.fixture(scope="module")
def module(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("module") / "generated.vmod"
    path.write_bytes(module_bytes())
    return str(path)


@pytest.mark.parametrize("case", EVERY)
def test_a_log_is_understood(case: dict[str, Any], module: str) -> None:
    """Just what is expected is found, but for notes; of these, those that are expected."""
    assert set(case) <= KNOWN, set(case) - KNOWN
    table, log = log_of(case)
    named = tuple(f"{name}={ship.id}" for name, ship in table.classes.items())
    speeds = set(table.speeds.values())
    options = {"previous_speed": str(speeds.pop())} if len(speeds) == 1 else {}
    options |= case.get("options", {})
    (rulebook,) = {ship.rulebook for ship in table.classes.values()}
    asked = Asked(Settings(rulebook, options), ships=named, module=module, digests=False)
    report = judge_file(InputBytes("game.vlog", log, "save"), asked)
    left = list(report.findings)
    for expected in case["found"]:
        assert {"key", "severity"} <= set(expected) <= FACTS, expected
        fits = [finding for finding in left if as_expected(finding, expected, table)]
        assert fits, f"not found: {expected}\n{shown(report)}"
        left.remove(fits[0])
    assert not [one for one in left if one.severity is not Severity.NOTE], shown(report)
    never = {expected["key"] for expected in case["found"]}
    assert not [one for one in left if one.key in never], f"found more often than expected\n{shown(report)}"
    reasons = "\n".join(f"{one.key} {one.subject}: {one.reason}" for one in report.not_checked)
    for words in case.get("open", ()):
        assert words in reasons, f"not said to be open: {words}\n{reasons}"
    for words in case.get("not_open", ()):
        assert words not in reasons, f"said to be open: {words}"
    assert set(case.get("judged", ())) <= set(report.checked), report.checked


def as_expected(finding: Finding, expected: dict[str, Any], table: LogTable) -> bool:
    when = ".".join(str(part) for part in (finding.turn, finding.impulse) if part is not None)
    facts = {"key": finding.key, "severity": finding.severity.value, "subject": finding.subject, "when": when}
    told = f"{finding.message} {finding.expected} {finding.found} {finding.fix}"
    return (
        all(facts[name] == value for name, value in expected.items() if name in facts)
        and all(words in told for words in expected.get("words", ()))
        and ("line" not in expected or finding.location.step == table.steps[expected["line"]])
    )


def shown(report: Report) -> str:
    return (
        "\n".join(
            f"{f.severity.value} {f.key} {f.subject} {f.turn}.{f.impulse} step {f.location.step}: {f.message}"
            f" | {f.expected} | {f.found}"
            for f in report.findings
        )
        + "\n"
        + "\n".join(f"open {one.key} {one.subject}: {one.reason}" for one in report.not_checked)
    )


def test_each_kind_is_found_and_not_found() -> None:
    """Each file has a case in which something is found and one in which nothing is."""
    for stem, file in FILES.items():
        cases = file["case"]
        assert any(case["found"] for case in cases) and any(not case["found"] for case in cases), stem
        assert len({case["name"] for case in cases}) == len(cases), stem
    assert sum(len(file["case"]) for file in FILES.values()) >= 60
