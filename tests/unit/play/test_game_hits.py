"""`hit` in a record: met by what the form pays for, and never twice for what strikes by itself."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from referee.record.reading import read
from tests.cli.conftest import Run
from tests.unit.play.test_game_play import GAME, begin, filed, say

BOUGHT = {"Movement": 8, "General Reinforcement": 4, "Shield Reinforcement 1": 2}
ALONE = {"Movement": 8}


def volleys() -> list[tuple[int, int, int]]:
    """Points, general and specific reinforcement of every volley in the record."""
    said = (entry.data["volley"] for entry in read(GAME) if "volley" in entry.data)
    return [(one["points"], one["general"], one["specific"]) for one in said]


def shields(referee: Run, ship: str) -> dict[str, int]:
    ships: list[dict[str, Any]] = referee("game", "status", GAME, "--json").json["ships"]
    found: dict[str, int] = next(one["state"]["shields"] for one in ships if one["name"] == ship)
    return found


# -- reinforcement -----------------------------------------------------------------------


@pytest.mark.parametrize("door", ["say", "volley"])
def test_a_hit_is_met_by_what_the_form_pays_for(referee: Run, door: str) -> None:
    """And the second by what the first has left of it."""
    begin(referee, "--option", "reinforcement=true")
    filed(referee, BOUGHT, ALONE)
    assert referee("game", "next", GAME, "--to", "1.1.resolve-fire").code == 0
    before = shields(referee, "Constellation")["1"]
    for _ in range(2):
        if door == "say":
            say(referee, "Constellation: hit 5 on 1")
        else:
            ran = referee(
                "volley", "Constellation", "--game", GAME, "--damage", 5, "--shield", 1, "--as", "fed"
            )
            assert ran.code == 0, ran.err
    assert volleys() == [(5, 2, 2), (5, 0, 0)]
    assert before - shields(referee, "Constellation")["1"] == 1 + 5
    assert referee("check", GAME).code == 0


def test_reinforcement_said_otherwise_than_the_form(referee: Run) -> None:
    begin(referee, "--option", "reinforcement=true")
    filed(referee, BOUGHT, ALONE)
    assert referee("game", "next", GAME, "--to", "1.1.resolve-fire").code == 0
    before = GAME.read_bytes()
    asked = ("volley", "Constellation", "--game", GAME, "--damage", 5, "--shield", 1, "--as", "fed")
    ran = referee(*asked, "--reinforcement", "3,2")
    assert ran.code == 2 and "leaves 2 general and 2 for shield 1" in ran.err
    assert GAME.read_bytes() == before
    assert referee(*asked, "--reinforcement", "2,2").code == 0


def test_where_no_form_is_in_the_record_what_is_said_counts(referee: Run) -> None:
    begin(referee)
    assert referee("game", "next", GAME, "--to", "1.1.resolve-fire", "--as", "fed").code == 0
    asked = ("volley", "Constellation", "--game", GAME, "--damage", 5, "--shield", 1, "--as", "fed")
    assert referee(*asked, "--reinforcement", "3,1").code == 0
    assert volleys() == [(5, 3, 1)]


# -- a strike is counted once ------------------------------------------------------------


ARRIVES = (
    "Constellation: speed 8", "Destruction: speed 8", "impulse 1",
    "Destruction: launch DRN/1 at Constellation", "impulse 2", "Constellation: ahead", "Destruction: ahead",
)  # fmt: skip


def struck(referee: Run) -> dict[str, Any]:
    """The drone of the Destruction has struck, and its volley is due."""
    begin(referee)
    say(referee, *ARRIVES)
    while not (due := [e.data["strike"] for e in read(GAME) if e.data.get("strike", {}).get("volleys")]):
        assert referee("game", "next", GAME, "--force", "--as", "fed").code == 0
    found: dict[str, Any] = due[0]["volleys"][0]
    return found


@pytest.mark.parametrize("door", ["say", "volley", "apply"])
def test_a_hit_that_is_the_strike_settles_it(referee: Run, door: str) -> None:
    due = struck(referee)
    points, shield = due["points"], due["shield"]
    before = shields(referee, "Constellation")[str(shield)]
    order = f"Constellation: hit {points} on {shield}"
    if door == "say":
        say(referee, order)
    elif door == "apply":
        Path("robot.txt").write_text(order + "\n")
        assert referee("game", "apply", GAME, "robot.txt").code == 0
    else:
        asked = ("--damage", points, "--shield", shield, "--as", "fed")
        assert referee("volley", "Constellation", "--game", GAME, *asked).code == 0
    assert before - shields(referee, "Constellation")[str(shield)] == min(points, before)
    ran = referee("game", "resolve", GAME)
    assert ran.code == 0 and "nothing is due" in ran.out
    assert len(volleys()) == 1
    assert "NOTE/unexplained-volley" not in referee("check", GAME).out


@pytest.mark.parametrize("by", ["hit", "resolve"])
def test_a_strike_that_is_marked_is_not_marked_again(referee: Run, by: str) -> None:
    due = struck(referee)
    order = f"Constellation: hit {due['points']} on {due['shield']}"
    if by == "hit":
        say(referee, order)
    else:
        assert referee("game", "resolve", GAME).code == 0
    before = GAME.read_bytes()
    ran = referee("game", "say", GAME, order)
    assert ran.code == 2 and "was marked in this impulse" in ran.err and ran.err.count("\n") == 1
    assert GAME.read_bytes() == before
    say(referee, f"Constellation: hit {due['points'] + 1} on {due['shield']}")


def test_another_hit_waits_for_the_strike(referee: Run) -> None:
    due = struck(referee)
    before = GAME.read_bytes()
    ran = referee("game", "say", GAME, f"Constellation: hit {due['points'] + 1} on {due['shield']}")
    assert ran.code == 2 and "that comes first" in ran.err and "game resolve" in ran.err
    assert GAME.read_bytes() == before
    if onward := re.search(r"game next RECORD --to (\S+), then", ran.err):
        # What it says first is what leads there.
        assert referee("game", "next", GAME, "--to", onward[1]).code == 0
    ran = referee("game", "resolve", GAME)
    assert ran.code == 0 and "nothing is due" not in ran.out
    assert GAME.read_bytes() != before


def test_a_hit_beside_fire_that_is_not_rolled(referee: Run) -> None:
    """The record's dice decide what fire scores; said beforehand it would count twice."""
    begin(referee)
    say(referee, "impulse 1", "Constellation: fire PH-1A at Destruction on 6")
    before = GAME.read_bytes()
    ran = referee("game", "say", GAME, "Destruction: hit 4 on 6")
    assert ran.code == 2 and "the dice of Constellation's fire at Destruction come first" in ran.err
    assert GAME.read_bytes() == before
    assert referee("game", "resolve", GAME).code == 0
    assert len(volleys()) == 1


# -- a weapon named twice ----------------------------------------------------------------


def test_a_weapon_named_twice_by_force_is_rolled_twice(referee: Run) -> None:
    begin(referee)
    say(referee, "impulse 1")
    twice = "Constellation: fire PH-1A, PH-1A at Destruction on 6"
    assert referee("game", "say", GAME, twice).code == 1
    assert referee("game", "say", GAME, twice, "--force").code == 0
    assert referee("game", "say", GAME, "Constellation: fire PH-1A at Destruction on 6", "--force").code == 0
    assert referee("game", "resolve", GAME).code == 0
    declared = next(entry.data for entry in read(GAME) if entry.type == "declare")
    assert [group["for"] for group in declared["order"]] == [
        "Constellation PH-1/A at Destruction",
        "Constellation PH-1/A at Destruction, shot 2",
        "Constellation PH-1/A at Destruction, shot 3",
    ]
    assert referee("record", "verify", GAME).code == 0
    assert referee("check", GAME).code == 1
    assert referee("game", "next", GAME).code == 0
