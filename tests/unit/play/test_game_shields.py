"""Shields that a form does not pay for stop nothing in a game record either (B3.0-11)."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.record.reading import read
from tests.cli.conftest import Run

D7 = "standard/klingon-d7"
FORM = (
    "Ship,{ship}\nTurn,1\nWarp Engines,30\nImpulse Power,5\nReactor Power,4\nTotal Power,39\n"
    "Batteries Available,3\nLife Support,1\nFire Control,1\nShields,{shields}\nMovement,18\n"
)


@pytest.mark.parametrize(("paid", "internals"), [("2", 0), ("0", 4), ("1", 4)])
def test_a_volley_finds_the_shields_as_the_form_has_them(
    referee: Run, own_folder: Path, paid: str, internals: int
) -> None:
    ships = (f"A={D7}:alice@2010A/16", f"B={D7}:bob@2020A/16")
    named = [part for ship in ships for part in ("--ship", ship)]
    ran = referee(
        "game",
        "new",
        "g.jsonl",
        "--players",
        "alice,bob",
        "--seed",
        "s",
        "--dice",
        "seed",
        "--rulebook",
        "sfb-standard",
        *named,
    )
    assert ran.code == 0, ran.err
    for ship, shields in (("A", "2"), ("B", paid)):
        (own_folder / f"{ship}.csv").write_text(FORM.format(ship=D7, shields=shields))
        ran = referee("game", "apply", "g.jsonl", f"{ship}.csv", "--ship", ship)
        assert ran.code == 0, ran.out
    assert referee("game", "next", "g.jsonl", "--to", "1.1.resolve-fire").code == 0
    ran = referee("volley", "B", "--game", "g.jsonl", "--as", "alice", "--damage", "4", "--shield", "1")
    assert ran.code == 0, ran.err
    events = [entry for entry in read("g.jsonl") if entry.type == "events"][-1].data["events"]
    lost = [event for event in events if event["event"] == "box_destroyed"]
    assert len(lost) == internals
    assert sum(event["points"] for event in events if event["event"] == "shield_hit") == 4 - internals
    assert referee("check", "g.jsonl").code == 0, "whoever checks the record comes to the same"
