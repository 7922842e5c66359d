"""What changes a game and is not asked for: whoever takes it in is told, by `record sync` and `game status`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.cheat import Writer
from tests.cli.conftest import Run
from tests.cli.test_signatures import at, quiet, table


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_ship_that_is_said_to_be_a_robot(referee: Run, players: int) -> None:
    """It fills in no energy form, and its owner moves and fires it by hand."""
    table(referee, players, False)
    cheat = Writer(at("bob"), secrets=Path("bob/duel.secrets"))
    cheat.add(
        "ship", ship="Free", player="bob", at="1515A", speed="16", midway=9, robot=True,
        **{"class": "cadet/klingon-d6"},
    )  # fmt: skip
    told = quiet(
        referee("record", "sync", at("alice"), cheat.save(Path("bob/forged.jsonl")), "--as", "alice")
    )
    assert "a robot, which fills in no form, 9 straight ahead before" in told.out
    assert "Free (cadet/klingon-d6, bob, a robot)" in referee("game", "status", at("alice")).out
    ships = referee("game", "status", at("alice"), "--json").json["ships"]
    assert [ship["name"] for ship in ships if ship.get("robot")] == ["Free"]


def test_a_remark_is_told_with_whose_it_is(referee: Run) -> None:
    table(referee, 2, False)
    cheat = Writer(at("bob"), secrets=Path("bob/duel.secrets"))
    cheat.add("note", text="alice: I agree to all")
    cheat.add("note", text="alice: I agree to all", by="bob")
    told = quiet(
        referee("record", "sync", at("alice"), cheat.save(Path("bob/forged.jsonl")), "--as", "alice")
    )
    assert "(no name) alice: I agree to all" in told.out and "bob: alice: I agree to all" in told.out
