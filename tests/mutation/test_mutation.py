"""The trial of mutants can fail: a change nobody looks at is reported, one that a case looks at is not."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("mutmut", reason="the mutation extra is not installed")

from tests.mutation.__main__ import KINDS, ROOT, excused
from tests.mutation.mutants import Mutant, all_mutants, mutated, sample, source_of
from tests.mutation.ruled import registered, ruled

pytestmark = pytest.mark.long

ONE_LINE = "referee/rulebooks/sfb/board.py"
CASES = "tests/net/test_corpus.py"


def trial(*arguments: str) -> subprocess.CompletedProcess[str]:
    """The command, with only the mutants of one small file."""
    command = [sys.executable, "-m", "tests.mutation", "--of", ONE_LINE, *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def mutants() -> dict[str, Mutant]:
    return all_mutants()


def test_a_change_that_no_case_looks_at_is_reported(tmp_path: Path) -> None:
    told = tmp_path / "told.json"
    run = trial("--against", "tests/net/test_law.py", "--sample", "3", "--json", str(told))
    assert run.returncode == 1, run.stderr
    data: Any = json.loads(told.read_bytes())
    assert len(data["survivors"]) == data["chapters"]["all"]["mutants"] == 3
    for survivor in data["survivors"]:
        assert survivor["place"].startswith(ONE_LINE) and survivor["id"] in run.stdout


def test_a_change_that_a_case_looks_at_is_noticed() -> None:
    run = trial("--sample", "3", "--against", CASES)
    assert run.returncode == 0, run.stdout + run.stderr
    assert "0.0 % survive" in run.stdout


def test_a_test_that_fails_unchanged_ends_the_trial(tmp_path: Path) -> None:
    broken = tmp_path / "test_broken.py"
    broken.write_text("def test_broken():\n    assert False\n", encoding="utf-8")
    run = trial("--sample", "1", "--against", str(broken))
    assert run.returncode == 1
    assert "test_broken" in run.stdout + run.stderr


def test_every_registered_rule_is_among_the_functions_and_has_mutants(mutants: dict[str, Mutant]) -> None:
    assert set(registered()) <= set(ruled())
    without = set(registered()) - {mutant.key for mutant in mutants.values()}
    assert len(without) < len(registered()) / 10, sorted(without)


def test_a_mutant_is_its_module_with_one_change(mutants: dict[str, Mutant]) -> None:
    for mutant in sample(mutants.values(), 1, 25):
        before, after = source_of(mutant.key[0]), mutated(mutant)
        assert before != after
        compile(after, mutant.place, "exec")
        lines = [(one, other) for one, other in zip(before.splitlines(), after.splitlines(), strict=False)]
        assert all(one == other for one, other in lines[: mutant.line - 1]), mutant


def test_what_people_read_is_left_out(mutants: dict[str, Mutant]) -> None:
    changed = [mutant.now for mutant in mutants.values()]
    assert not [now for now in changed if re.fullmatch(r'"[^"]* [^"]*"', now)]
    assert not [now for now in changed if "error(None" in now]


def test_the_lot_hangs_on_the_mutant_alone(mutants: dict[str, Mutant]) -> None:
    drawn = sample(mutants.values(), 1, 100)
    gone = {mutant.key[0] for mutant in drawn[:5]}
    others = [mutant for mutant in mutants.values() if mutant.key[0] not in gone]
    assert set(sample(others, 1, 50)) >= {each for each in drawn[:50] if each.key[0] not in gone}
    assert sample(mutants.values(), 2, 100) != drawn


def test_excuses_are_of_mutants_there_are_and_say_why(mutants: dict[str, Mutant]) -> None:
    for id, row in excused().items():
        assert id in mutants, f"{id} {row['where']}: the code has changed; is the excuse still right?"
        mutant = mutants[id]
        assert (row["was"], row["now"]) == (mutant.was, mutant.now), id
        assert row["kind"] in KINDS and len(row["why"].split()) > 3, id
