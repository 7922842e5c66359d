"""What fuzzing begins with is read, by each harness, without atheris."""

from __future__ import annotations

import pytest

from fuzz.harness import NAMES, harness, play


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", NAMES)
def test_what_a_harness_begins_with_is_read(name: str) -> None:
    one = harness(name)
    told = [play(one, seed) for seed in one.seeds()]
    assert told.count("") > len(told) / 2, told
