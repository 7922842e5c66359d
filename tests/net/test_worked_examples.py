"""Every worked example of the sources comes out as it says, asked of the program; each is a published case besides."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.net.exampleplays import PLAYS, Vector, carried, own_ship, sheet

pytestmark = [pytest.mark.net, pytest.mark.usefixtures("own_folder")]
VECTORS = json.loads((Path(__file__).parents[1] / "worked_examples.json").read_bytes())
"""The examples with figures: what goes in and what comes out."""


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
    """Line 14, on other ships: at a cost of half a point of warp moves two hexes, one of impulse still one."""
    ship = own_ship({"PH-1/1": ("phaser-1", "FA")}, cost="1/2")
    form = sheet(Warp_Power=warp, Impulse_Power=impulse, Reactor_Power=0, Movement=warp + impulse)
    assert carried(form, ship)[0]["speed"] == str(hexes)
