"""Battles fought by the rules and logged are audited clean; one thing spoilt is found at its step."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from referee.core.finding import Report, Severity
from referee.judging.files import judge_file
from referee.sources.asked import Asked
from referee.sources.inputs import InputBytes
from referee.sources.settings import Settings
from tests.conftest import examples, mostly_long
from tests.unit.formats.vassal.battle_logs import CADET, SPOILS, STANDARD, battle
from tests.unit.formats.vassal.game_logs import module_bytes

Audit = Callable[[bytes], Report]
NOT_ODD = (Severity.NOTE,)


@pytest.fixture(scope="module")
def audit(tmp_path_factory: pytest.TempPathFactory) -> Audit:
    path = tmp_path_factory.mktemp("module") / "generated.vmod"
    path.write_bytes(module_bytes())
    asked = Asked(Settings(options={"previous_speed": "8"}), module=str(path), digests=False)
    return lambda data: judge_file(InputBytes("game.vlog", data, "save"), asked)


def show(report: Report) -> str:
    found = [f"{f.severity} {f.key} {f.subject} {f.location}: {f.message}" for f in report.findings]
    return "\n".join([*found, *map(str, report.not_checked)])


@pytest.mark.parametrize("side", [CADET, STANDARD], ids=["cadet", "standard"])
@given(seed=st.integers(0, 2**32))
@example(seed=2377217)  # the answer comes from the same hex
@examples(40)
def test_a_legal_battle_is_clean(audit: Audit, side: object, seed: int) -> None:
    fought = battle(Random(seed), side)  # type: ignore[arg-type]
    if fought is None:
        return
    report = audit(fought.data)
    assert [f for f in report.findings if f.severity not in NOT_ODD] == [], show(report)
    assert "E1.1" in report.checked


@pytest.mark.one_in(2)
@pytest.mark.parametrize("enough", mostly_long([2, 6], lambda enough: enough == 2))
@pytest.mark.parametrize("spoil", SPOILS)
def test_what_is_spoilt_is_found(audit: Audit, spoil: str, enough: int) -> None:
    found = 0
    for seed in range(40):
        side = (CADET, STANDARD)[seed % 2]
        fought = battle(Random(seed), side, spoil)
        if fought is None:
            continue
        report = audit(fought.data)
        errors = [
            (f.rule, f.subject, f.location.step) for f in report.findings if f.severity is Severity.ERROR
        ]
        assert (fought.rule, fought.subject, fought.wrong) in errors, f"seed {seed}\n{show(report)}"
        assert {step for _, _, step in errors} == {fought.wrong}, f"seed {seed}\n{show(report)}"
        found += 1
        if found == enough:
            return
    assert found, "nothing was spoilt"
