"""`referee trek work`: how values are written, and what is refused because it cannot be."""

from __future__ import annotations

import json
from typing import Any

import pytest

from referee.core.errors import BadInput
from referee.rulebooks.registry import load_rulebook
from referee.rulebooks.trek.shipyard import library
from referee.rulebooks.trek.working import work_out, worked_from
from tests.unit.rulebooks.trek.test_trek_duel import Command, fits, trek

__all__ = ["trek"]
BOOK = load_rulebook("trek")


def worked(line: str) -> Any:
    """What a line such as `trek-61 power=10 distance=3` comes to."""
    rule, *given = line.split()
    return work_out(BOOK, library(BOOK).charts, rule, worked_from(given))


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("trek-65 rolls=7,3,4 points=9", {"more": 0, "systems": {"shields": 4, "helm": 4}}),
        ("trek-65 rolls=7,3,4 points=9", worked("trek-65 rolls=[7,3,4] points=9")),
        ("trek-65 rolls=0 points=9", {"more": 0, "systems": {}}),
        ("trek-71 hits=9,7 per_five=true", 4),
        ("trek-71 hits=9 per_five=true", 2),
        ("trek-28 own=beta lockers=beta,alpha", ["alpha", "beta"]),
        ("trek-28 own=beta lockers=", ["beta"]),
        ("trek-44 start=1510 end=1511", 1),
        ("trek-46 needed=9 roll=0", False),
        (
            "trek-51 damage=3 wished=null left=1.5 shield_power=2 ratio=0.5",
            worked("trek-51 damage=3 wished=3 left=3/2 shield_power=2 ratio=1/2"),
        ),
    ],
    ids=str,
)
def test_a_value_is_read_as_what_the_rule_takes(line: str, expected: Any) -> None:
    assert worked(line) == expected


REFUSED = [
    ("trek-51 damage=10 wished=10 left=30 shield_power=12 ratio=1/0", "write ratio=1/2"),
    ("trek-51 damage=10 wished=10 left=30 shield_power=12 ratio=0", "more than 0"),
    ("trek-51 damage=10 wished=10 left=30 shield_power=12 ratio=-1", "more than 0"),
    ("trek-51 damage=10 wished=10 left=30 shield_power=12 ratio=1/2 cap=cat", "power or points"),
    ("trek-62 superstructure=0 damage=3 mult=2", "1 to 9999"),
    ("trek-62 superstructure=9 damage=3 mult=3", "0 to 2"),
    ("trek-63 die=11", "1 to 10"),
    ("trek-22 now=1 wanted=-1 success=true", "0 to 99"),
    ("trek-36 maximum=2 power=9", "at most 4"),
    ("trek-36 maximum=2 power=0", "1 to 9999"),
    ("trek-66 bank=4 damage=8 roll=6", "1 to 3"),
    ("trek-66 bank=2 damage=0 roll=6", "1 to 9999"),
    ("trek-57 engine=3 left=5 points=-7", "0 to 9999"),
    ("trek-61 power=10 distance=1e9", "whole number"),
    ("trek-61 power=10 distance=100000", "0 to 9999"),
    ("trek-61 power=10 power=9 distance=1", "given twice"),
    ("trek-61 power=10", "missing a required argument: 'distance'); it takes power, distance"),
    ("trek-61 power=true distance=3", "write power=4"),
    ("trek-65 rolls=7,x points=9", "write rolls=4,4 or rolls=[4, 4]"),
    ("trek-65 rolls=7,3,4,5 points=9", "calls for 3 of these rolls, not 4"),
    ("trek-71 hits=[]", "one at least"),
    ("trek-9 sides=A,B", """write sides='[["A", "A"], ["A", "A"]]'"""),
    ("trek-8 scores=7", """write scores='{"A": [4, 4]}'"""),
    ('trek-8 scores={"A":[60]}', "list of 2"),
    ("trek-3 casualties=101 die=100", "0 to 100"),
    ("trek-3 casualties=10 die=6", "10 or 100"),
    ("trek-5 captain=2 efficiency=30", "3 to 30"),
    ("trek-11 produced=1e999999999 spent=1", "5 or 1/2"),
    ("trek-11 produced=4 spent=5", "at most 4"),
    ("trek-14 action=cat movement=1", "move or reverse"),
    ('trek-19 warp=8 success=true engine={"8":4} superstructure={"8":4}', "a chart that has warp 7"),
    ("trek-24 held=\udcff taken=", "write held=A"),
    ("trek-44 start=1 end=0505", "not a hex"),
    ("trek-49 kind=plasma range=3", "no plasma table"),
    ("trek-49 kind=cat range=3", "beam or laser"),
    ("trek-52 maximum=4 round=4", "1 to 3"),
    ("trek-54 damage=4 absorbed=5", "at most 4, with damage=4"),
    ("trek-59 points=4 success=yes", "write success=true"),
    ("trek-68 shield=7", "1 to 6"),
    ("trek-72 skill=40 roll=0 power=1 original=4", "1 to 100"),
    ("trek-72 skill=40 roll=9 power=5 original=4", "at most 4"),
]


@pytest.mark.parametrize(("line", "said"), REFUSED, ids=[line for line, _ in REFUSED])
def test_what_cannot_be_is_refused_with_what_can(line: str, said: str) -> None:
    with pytest.raises(BadInput) as refused:
        worked(line)
    assert said in str(refused.value)


@pytest.mark.parametrize("line", [line for line, _ in REFUSED[:8]])
def test_a_refusal_is_one_line_and_exit_2(trek: Command, line: str) -> None:
    code, out, err = trek("work", *line.split())
    assert (code, out, err.count("\n")) == (2, "", 1)


def test_the_printed_vector_with_a_comma_list(trek: Command) -> None:
    code, out, _ = trek("work", "trek-71", "hits=9,7", "per_five=true")
    assert (code, out) == (0, "4\n")
    document = json.loads(trek("work", "trek-71", "hits=9,7", "per_five=true", "--json")[1])
    fits(document)
    assert document["result"] == 4
