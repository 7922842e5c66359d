"""What fuzzing found once is never found again: every kept input through its harness, without atheris."""

from __future__ import annotations

from pathlib import Path

import pytest

from fuzz.harness import KEPT, NAMES, harness, play

FOUND = sorted(path for path in KEPT.glob("*/*") if path.is_file())


@pytest.mark.parametrize("path", FOUND, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_what_was_found_is_told_to_people_in_a_line(path: Path) -> None:
    play(harness(path.parent.name), path.read_bytes())


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", NAMES)
def test_what_a_harness_begins_with_is_read(name: str) -> None:
    one = harness(name)
    told = [play(one, seed) for seed in one.seeds()]
    assert told.count("") > len(told) / 2, told
