"""A program that is wrong in one thing is caught, by a case of the rule it is wrong in."""

from __future__ import annotations

import shlex
import sys

import pytest

from referee.corpus.published import published
from referee.corpus.running import run_cases
from tests.conftest import mostly_long
from tests.unit.corpus.broken import FAULTS


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", mostly_long(FAULTS, lambda name: name in list(FAULTS)[::5]))
def test_a_broken_program_is_caught_by_name(name: str) -> None:
    fault = FAULTS[name]
    cases = [case for case in published(fault.rulebook) if case.rule == fault.caught_by]
    program = shlex.join([sys.executable, "-m", "tests.unit.corpus.broken", name])
    run = run_cases(cases, program)
    failed = [each for each in run.outcomes if each.outcome == "failed"]
    assert failed and not run.complies, [(each.outcome, each.why) for each in run.outcomes]


def test_there_are_twenty_of_them() -> None:
    assert len(FAULTS) >= 20 and len({fault.caught_by for fault in FAULTS.values()}) >= 20
