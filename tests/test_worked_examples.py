"""Every worked example of the sources is a case: a case's name begins with the example's, `D4.31-12s: ...`."""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path

import pytest

from tests import casefile
from tests.unit.combat.firecases import fire_cases
from tests.unit.movement import movement_book

VECTORS = {
    "000": ("D4.5-cadet-shields", "D4.5-cadet-dac"),
    "001": (
        *("D4.5-standard", "D4.31-12s", "D4.31-9s", "D4.31-10-4", "D4.321-direction"),
        *("D6.21-range", "cloak-fade", "cloak-fadeout"),
    ),
    "002": (
        *("B3-power-fed", "B3-power-rom", "B3-14-accel", "B3-14-move", "E4.21-speed", "B3-16-battery"),
        *("H6-capacity", "H6.3-flow", "E4.22", "B3-20", "module-note-turnA", "module-note-turnB"),
        *("fast-damage", "robot-gap"),
    ),
    "003": (
        *("E1.5-8", "C1.2", "C1.2-shields", "C3.3", "C3.41", "C3.1-half-circle"),
        *("D2.1-in", "D2.1-out", "E2.4-1", "E2.4-2"),
    ),
}
"""The examples of the shared vectors, by source."""

FURTHER = {
    "000": ("D4.5-cadet-fire",),
    "001": ("FD4.21-racks", "D4.351-gorn"),
    "002": ("B3.0-note-movement", "E3.2-not-held", "H6.1-thrice", "B3.0-15-rating"),
    "003": ("D2.1-centreline",),
}
"""What else the sources work out in passing."""


def cases_by_example() -> dict[str, set[str]]:
    """The cases of each example, by the beginning of their names."""
    named = [(case.rule, case.name) for case in casefile.all_cases()]
    named += [(case.rule, case.name) for case in fire_cases()]
    named += [(case.rule, case.name) for case in movement_book.all_cases()]
    found: dict[str, set[str]] = defaultdict(set)
    for rule, name in named:
        example, colon, _ = name.partition(": ")
        if colon:
            found[example].add(f"{rule}: {name}")
    return found


@pytest.mark.parametrize(
    "example", [each for sources in (VECTORS, FURTHER) for examples in sources.values() for each in examples]
)
def test_an_example_is_a_case(example: str) -> None:
    assert cases_by_example().get(example), f"no case is named `{example}: ...`"


def test_no_example_is_missing(shared: Path) -> None:
    vectors = json.loads((shared / "rules/sfb/test_vectors.json").read_bytes())
    ids = {(vector["source"], vector["id"]) for vector in vectors}
    assert ids == {(source, example) for source, examples in VECTORS.items() for example in examples}
