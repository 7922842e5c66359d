"""Every worked example of the sources is a case: a case's name begins with the example's, `D4.31-12s: ...`."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests import casefile
from tests.casefile import form_from, turns_of
from tests.exampleplays import CADET, FED, PLAYS, Vector, sheet
from tests.unit.rulebooks.sfb import movement_book
from tests.unit.rulebooks.sfb.firecases import fire_cases
from tests.unit.rulebooks.sfb.robotcases import robot_cases

VECTORS = json.loads(Path(__file__).with_name("worked_examples.json").read_bytes())
"""The examples with figures: what goes in and what comes out."""

FURTHER = {
    "000": ("D4.5-cadet-fire",),
    "001": ("FD4.21-racks", "D4.351-gorn"),
    "002": (
        "B3.0-note-movement",
        "E3.2-not-held",
        "H6.1-thrice",
        "B3.0-15-rating",
        "ROBOT-3-left",
        "ROBOT-8-turns",
        "ROBOT-9-photons",
        "FAST-3-halt",
    ),
    "003": ("D2.1-centreline",),
}
"""What else the sources work out in passing."""


@cache
def cases_by_example() -> dict[str, set[str]]:
    """The cases of each example, by the beginning of their names."""
    named = [(case.rule, case.name) for case in casefile.all_cases()]
    named += [(case.rule, case.name) for case in fire_cases()]
    named += [(case.rule, case.name) for case in movement_book.all_cases()]
    named += [(case.rule, case.name) for case in robot_cases()]
    found: dict[str, set[str]] = defaultdict(set)
    for rule, name in named:
        example, colon, _ = name.partition(": ")
        if colon:
            found[example].add(f"{rule}: {name}")
    return found


@pytest.mark.parametrize(
    "example",
    [
        *(vector["id"] for vector in VECTORS),
        *(example for examples in FURTHER.values() for example in examples),
    ],
)
def test_an_example_is_a_case(example: str) -> None:
    assert cases_by_example().get(example), f"no case is named `{example}: ...`"


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["id"])
def test_an_example_comes_out_as_it_says(vector: Vector) -> None:
    PLAYS[vector["kind"]](vector)


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["id"])
def test_another_outcome_would_be_found(vector: Vector) -> None:
    """With any other figure an example fails: what it says comes out is really held against what does."""
    figures = {name: said for name, said in outcome(vector).items() if name not in REMARKS}
    others = list(spoilt(figures))
    assert others
    for other in others:
        expect = {**outcome(vector), **other}
        with pytest.raises((AssertionError, KeyError, ValueError)):
            PLAYS[vector["kind"]]({**vector, "expect": expect.get("", expect)})


REMARKS = {"module_says", "turn6_zero", "turn7_zero"}
"""What an example says in words; its play holds what they mean."""


def outcome(vector: Vector) -> dict[str, Any]:
    """What an example says comes out, by name; under an empty one where it has none."""
    return vector["expect"] if isinstance(vector["expect"], dict) else {"": vector["expect"]}


def spoilt(expect: Any) -> Iterator[Any]:
    """An outcome with one of its figures changed."""
    if isinstance(expect, bool):
        yield not expect
    elif isinstance(expect, int | float):
        yield expect + 1
    elif isinstance(expect, str):
        yield f"x{expect}"
    else:
        places = expect.items() if isinstance(expect, dict) else enumerate(expect)
        for place, value in list(places):
            for other in spoilt(value):
                changed = expect.copy()
                changed[place] = other
                yield changed


def test_no_example_is_missing(shared: Path) -> None:
    """Ours are those of the shared file, without its remarks."""
    theirs = json.loads((shared / "rules/sfb/test_vectors.json").read_bytes())
    assert [{name: vector[name] for name in VECTORS[0]} for vector in theirs] == VECTORS


@pytest.mark.parametrize(
    ("warp", "impulse", "hexes"), [(1, 0, 2), (0, 1, 1), (3, 0, 6)], ids=["warp", "impulse", "more warp"]
)
def test_half_a_point_a_hex(warp: int, impulse: int, hexes: int) -> None:
    """Line 14, on other ships: at a cost of a half a point of warp moves two hexes, one of impulse still one."""
    ship = replace(FED, figures={**FED.figures, "move_cost": "1/2"})
    form = sheet(Warp_Power=warp, Impulse_Power=impulse, Reactor_Power=0, Movement=warp + impulse)
    (turn,) = turns_of(CADET, ship, form_from(form, CADET))
    assert turn.movement.hexes == hexes
