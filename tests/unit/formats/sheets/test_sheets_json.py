from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import pytest

from referee.core.errors import BadInput
from referee.core.forms import EnergyForm
from referee.formats.eaform import read_json_form
from referee.rulebooks.sfb import LINES

SCHEMA = "referee/energy-allocation/1"


def read(value: Any) -> EnergyForm:
    return read_json_form(value if isinstance(value, bytes) else json.dumps(value).encode(), "t.json", LINES)


def turns(*lines: Any) -> dict[str, Any]:
    return {"schema": SCHEMA, "turns": [{"turn": n, "lines": line} for n, line in enumerate(lines, 1)]}


def test_the_contract_form() -> None:
    lines = {"1": 16, "2": 2, "3": 2, "9": "3", "10": {"PHOT/A": 2}, "13": {"1": 2}, "14": 13}
    form = read({"ship": "cadet/federation-ca", **turns(lines)})
    (turn,) = form.allocations
    assert form.ship == "cadet/federation-ca" and not form.problems
    assert {line: entry.amount for line, entry in turn.entries.items()} == {
        "1": 16, "2": 2, "3": 2, "9": 3, "10:PHOT/A": 2, "13:1": 2, "14": 13,
    }  # fmt: skip
    assert turn.entries["10:PHOT/A"].location.pointer == "/turns/0/lines/10/PHOT~1A"
    assert turn.place.pointer == "/turns/0"


def test_numbers_and_parts() -> None:
    lines = b'{"9": 2.5, "9:held": "2 1/2", "19": {"wild_weasel": 1}, "7": "", "speed": 8}'
    raw = b'{"schema":"%s","turns":[{"turn":2,"lines":%s}]}'
    (turn,) = read(raw % (SCHEMA.encode(), lines)).allocations
    assert turn.amount("9") == turn.amount("9:held") == Fraction(5, 2)
    assert turn.amount("19:wild_weasel") == 1 and turn.amount("speed") == 8 and "7" not in turn.entries


def test_turns_are_ordered_and_named_once() -> None:
    form = read(
        {"schema": SCHEMA, "turns": [{"turn": n, "lines": {"14": k}} for k, n in enumerate((3, 1, 3))]}
    )
    assert [(turn.turn, turn.amount("14")) for turn in form.allocations] == [(1, 1), (3, 0)]
    assert [(problem.kind, problem.location.pointer) for problem in form.problems] == [
        ("heading", "/turns/2/turn")
    ]
    assert read(turns({}, {"14": 1})).allocations[0].turn == 2


@pytest.mark.parametrize("value", [-1, "-1", 1_000_000, "1e5", "NaN", "٣", -0.5])
def test_figures_that_are_no_energy_are_collected(value: object) -> None:
    form = read(turns({"14": value, "13": {"2": value}, "7": 1}))
    assert [(problem.kind, problem.location.pointer) for problem in form.problems] == [
        ("unreadable", "/turns/0/lines/14"),
        ("unreadable", "/turns/0/lines/13/2"),
    ]
    assert form.allocations[0].entries.keys() == {"7"}


def test_a_part_given_twice() -> None:
    form = read(turns({"10": {"PHOT/A": 1, "phot/a": 2}, "10:PHOT/A": 3}))
    assert [problem.kind for problem in form.problems] == ["given-twice", "given-twice"]
    assert form.allocations[0].known("10:PHOT/A") is None


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ([], "t.json: is not an object"),
        ({"turns": []}, "t.json: /schema: is missing"),
        (
            {"schema": "x/1", "turns": []},
            "/schema: is x/1; of an energy form it is referee/energy-allocation/1",
        ),
        ({"schema": SCHEMA}, "/turns: is missing"),
        ({"schema": SCHEMA, "turns": {}}, "/turns: is not a list"),
        ({"schema": SCHEMA, "turns": [], "shp": "x"}, "/shp: unknown field; known are schema, ship, turns"),
        ({"schema": SCHEMA, "turns": [], "ship": 3}, "/ship: is not the name of a ship"),
        ({"schema": SCHEMA, "turns": [3]}, "/turns/0: is not an object"),
        ({"schema": SCHEMA, "turns": [{"turn": 1, "lines": {}, "note": 1}]}, "/turns/0/note: unknown field"),
        ({"schema": SCHEMA, "turns": [{"turn": True, "lines": {}}]}, "/turns/0/turn: is not a turn number"),
        ({"schema": SCHEMA, "turns": [{"turn": 0, "lines": {}}]}, "/turns/0/turn: is not a turn number"),
        ({"schema": SCHEMA, "turns": [{"turn": 1, "lines": []}]}, "/turns/0/lines: is not an object"),
        (turns({"22": 1}), "/turns/0/lines/22: is not a line of the form"),
        (turns({"warp": 1}), "/turns/0/lines/warp: is not a line"),
        (turns({"14": True}), "/turns/0/lines/14: is not a number of energy points"),
        (turns({"14": None}), "/turns/0/lines/14: is not a number"),
        (turns({"14": [1]}), "/turns/0/lines/14: is not a number"),
        (turns({"13": {"7": 1}}), "/turns/0/lines/13/7: is not a part of line 13"),
        (turns({"9": {"charged": 1}}), "/turns/0/lines/9/charged: is not a part"),
        (turns({"14": {"warp": 8}}), "/turns/0/lines/14/warp: line 14 has no parts: give one figure"),
        (turns({"2:x": 1}), "/turns/0/lines/2:x: line 2 has no parts"),
        (turns({"10": {"a\nb": 1}}), "is not a part of line 10"),
        (b'{"schema":1,"schema":2}', "t.json"),
        (b'{"schema": NaN}', "t.json"),
        (b"\xff", "t.json"),
        (b'{"turns": 1e400}', "t.json"),
    ],
)
def test_refusals(value: object, words: str) -> None:
    with pytest.raises(BadInput) as caught:
        read(value)
    assert words in str(caught.value)
