"""`referee volley --repeat` and `--batch`: many volleys in one run, each to be had again alone."""

from __future__ import annotations

from collections.abc import Callable
from json import loads
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Run

pytestmark = pytest.mark.net

Holds = Callable[[Any], None]
D7 = ("volley", "standard/klingon-d7", "--internals", "25")


def test_each_of_many_is_what_its_seed_gives_alone(referee: Run, holds: Holds) -> None:
    many = referee(*D7, "--repeat", "3", "--seed", "a", "--json").json
    holds(many)
    assert [one["seed"] for one in many["volleys"]] == ["a/1", "a/2", "a/3"]
    for one in many["volleys"]:
        holds(one)
        alone = referee(*D7, "--seed", one["seed"], "--json").json
        assert {**alone, "seed": one["seed"]} == one


def test_every_volley_strikes_the_ship_as_it_was(referee: Run, d6_shield_8: Path) -> None:
    asked = ("volley", "cadet/klingon-d6", "--damage", "20", "--shield", "1", "--state", d6_shield_8)
    many = referee(*asked, "--repeat", "2", "--seed", "a", "--json").json
    befores = [one["shield"]["before"] for one in many["volleys"]]
    assert befores == [8, 8]


def test_json_lines_and_text_have_a_line_a_volley(referee: Run) -> None:
    lines = referee(*D7, "--repeat", "4", "--seed", "a", "--jsonl").out.splitlines()
    assert [loads(line)["seed"] for line in lines] == ["a/1", "a/2", "a/3", "a/4"]
    text = referee(*D7, "--repeat", "4", "--seed", "a").out.splitlines()
    assert text[4] == "" and "a/3" in text[2] and "25 internals" in text[2]


def test_a_batch_in_csv_and_in_json_lines_is_one(referee: Run, own_folder: Path, holds: Holds) -> None:
    Path("v.csv").write_text(
        "Ship,damage,shield,reinforcement,seed,label\n"
        'standard/klingon-d7,55,1,"2,3",x,first pass\n'
        "\n"
        "cadet/klingon-d6,40,2,,,\n"
    )
    Path("v.jsonl").write_text(
        '{"ship": "standard/klingon-d7", "damage": 55, "shield": 1, "reinforcement": "2,3", "seed": "x", "label": "first pass"}\n'
        "\n\n"
        '{"ship": "cadet/klingon-d6", "damage": 40, "shield": 2}\n'
    )
    ran = referee("volley", "--batch", "v.csv", "--seed", "s", "--json")
    holds(ran.json)
    assert ran.json == referee("volley", "--batch", "v.jsonl", "--seed", "s", "--json").json
    first, second = ran.json["volleys"]
    assert (first["label"], first["seed"], second["seed"]) == ("first pass", "x", "s/4")
    asked = ("--damage", "55", "--shield", "1", "--reinforcement", "2,3", "--seed", "x", "--json")
    assert referee("volley", "standard/klingon-d7", *asked).json["hits"] == first["hits"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("ship,damge\nstandard/klingon-d7,5\n", "line 1: no column damge; did you mean damage?"),
        ("a,b\n1,2\n", "line 1: its first row names no column ship"),
        ("ship,damage,shield\nstandard/klingon-d7,-5,1\n", "line 2: damage -5 is no whole number"),
        ("ship,damage\nstandard/klingon-d7,5\n", "line 2: say which shield is struck"),
        ("ship,damage,shield\nstandard/klingon-d77,5,1\n", "line 2: no ship standard/klingon-d77"),
        ("ship,damage,shield\nstandard/klingon-d7,5,1,9\n", "line 2: has more cells"),
        ("ship,damage,shield\n", "has no volleys"),
        ('{"ship": "standard/klingon-d7", "damage": 1.5, "shield": 1}\n', "line 1: damage"),
        ('{"ship": "a\\u202eb"}\n', "line 1: ship is no short line of text"),
    ],
)
def test_what_is_wrong_in_a_batch_is_named_at_its_line(
    referee: Run, own_folder: Path, text: str, told: str
) -> None:
    Path("v.csv").write_text(text)
    ran = referee("volley", "--batch", "v.csv")
    assert ran.code == 2 and told.split(";")[0] in ran.err, ran.err
    assert ran.out == ""


@pytest.mark.parametrize(
    "beside",
    [("--dice", "6 7"), ("--ask",), ("--state-out", "s.json"), ("--game", "g.jsonl"), ("--choose", "ask")],
)
def test_what_is_of_one_volley_alone_is_refused(referee: Run, beside: tuple[str, ...]) -> None:
    ran = referee(*D7, "--repeat", "2", *beside)
    assert ran.code == 2 and f"{beside[0]} with --repeat" in ran.err


@pytest.mark.parametrize("times", ["0", "-3", "100001"])
def test_how_often_is_bounded(referee: Run, times: str) -> None:
    assert referee(*D7, "--repeat", times).code == 2


def test_a_ship_without_an_ssd_has_no_batch_of_volleys(referee: Run) -> None:
    ran = referee("volley", "trek/fed-constitution-mk-i", "--damage", "5", "--repeat", "2")
    assert ran.code == 2 and "SSD" in ran.err


def test_of_many_bad_rows_fifty_are_told(referee: Run, own_folder: Path) -> None:
    Path("b.csv").write_text("ship,damage,shield\n" + "cadet/klingon-d6,x,1\n" * 60)
    told = referee("volley", "--batch", "b.csv").err
    assert told.endswith("line 51: damage x is no whole number\nreferee: and 10 more\n")


def test_the_tally_is_of_what_was_lost(referee: Run) -> None:
    volleys = referee(*D7, "--repeat", "4", "--seed", "a", "--json").json["volleys"]
    lost = sum(volley["lost"]["phaser"] for volley in volleys)
    assert lost and all(sum(volley["lost"].values()) == 25 for volley in volleys)
    assert f"phaser {lost / 4:.2f}" in referee(*D7, "--repeat", "4", "--seed", "a").out
