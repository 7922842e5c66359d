"""Drones that fly by the rules are free of errors however their counters are treated; one thing spoilt is found."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from referee.core.finding import Finding, Severity
from referee.judging.files import judge_file
from referee.sources.asked import Asked
from referee.sources.inputs import InputBytes
from referee.sources.settings import Settings
from tests.conftest import examples
from tests.unit.formats.vassal.flight_logs import DRONE, Flights
from tests.unit.formats.vassal.game_logs import module_bytes

Audit = Callable[[Flights], list[Finding]]
ENOUGH = 6


@pytest.fixture(scope="module")
def audit(tmp_path_factory: pytest.TempPathFactory) -> Audit:
    """What is found against the drone, but for notes; fire at it is not looked at."""
    path = tmp_path_factory.mktemp("module") / "generated.vmod"
    path.write_bytes(module_bytes())
    asked = Asked(Settings(), module=str(path), digests=False)

    def once(writer: Flights) -> list[Finding]:
        report = judge_file(InputBytes("game.vlog", writer.fought(), "save"), asked)
        about = [f for f in report.findings if f.key.startswith("F2") or f.subject == DRONE]
        return [f for f in about if f.severity not in (Severity.NOTE, Severity.WARNING)]

    return once


@given(st.integers(0, 2**32))
@example(27)  # hit by fire of unknown points, it lies there and is put on a heap later
@example(92)  # put away in the fire step, once it had been out of sight
@example(135)  # dragged too far, put right and put away in one impulse
@examples(20)
def test_a_drone_is_free_of_errors(audit: Audit, seed: int) -> None:
    writer = Flights(Random(seed))
    found = audit(writer)
    assert not [f for f in found if f.severity is Severity.ERROR], found
    assert writer.doubtful or not found, found


@pytest.mark.one_in(2)
@pytest.mark.parametrize(("spoil", "rule"), [("hex", "F2.0"), ("dead", "F2.0/destroyed")])
def test_what_is_spoilt_is_found(audit: Audit, spoil: str, rule: str) -> None:
    told = 0
    for seed in range(60):
        writer = Flights(Random(seed), spoil)
        found = audit(writer)
        if not writer.wrong or writer.doubtful:
            continue
        assert (rule, writer.wrong) in [(f.key, f.location.step) for f in found], (seed, found)
        told += 1
        if told == ENOUGH:
            return
    raise AssertionError("nothing was spoilt")
