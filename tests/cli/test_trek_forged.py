"""Trek records bent by a player with a writer of his own: acts that hold the game still, crews and charts that nobody
was told of."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Run
from tests.cli.test_signatures import quiet
from tests.conftest import ROOT
from tests.unit.play.cheat import Writer, rewritten

SETUP = ROOT / "examples" / "trek" / "duel.json"
ALPHA, BETA, FORGED = Path("alpha/duel.jsonl"), Path("beta/duel.jsonl"), Path("beta/forged.jsonl")


def table(referee: Run, dice: str = "physical") -> None:
    """Alpha began a game with beta; each has a folder and a key of his own."""
    for path in (ALPHA, BETA):
        path.parent.mkdir()
    terms = ("--rulebook", "trek", "--players", "alpha,beta", "--dice", dice, "--setup", SETUP)
    quiet(referee("game", "new", ALPHA, *terms))
    shutil.copy(ALPHA, BETA)
    quiet(referee("game", "join", BETA, "--as", "beta"))
    quiet(referee("record", "sync", ALPHA, BETA, "--as", "alpha"))


def in_a_round(referee: Run, first: str = "Shade") -> None:
    """Round 1 has begun, and a ship is the first to act."""
    order = ["Shade", "Lancer"] if first == "Shade" else ["Lancer", "Shade"]
    act = {"act": "turn", "order": order, "agreed_by": ["alpha", "beta"]}
    file = Path("turn.json")
    file.write_text(json.dumps({"schema": "referee/trek-orders/1", "acts": [act, {"act": "round"}]}))
    ran = referee("game", "apply", ALPHA, file, "--as", "alpha")
    assert ran.code in (0, 1), ran
    proposed = ALPHA.with_suffix(".proposed.jsonl")
    if proposed.exists():
        quiet(referee("record", "sync", BETA, proposed, "--as", "beta", "--agree"))
        quiet(referee("record", "sync", ALPHA, BETA, "--as", "alpha"))
    if '"round"' not in ALPHA.read_text():
        quiet(referee("game", "next", ALPHA, "--as", "alpha"))
        quiet(referee("record", "sync", BETA, ALPHA, "--as", "beta"))


def forged(act: Any, **more: Any) -> Path:
    """Beta's copy with one order more, of his own."""
    cheat = Writer(BETA, secrets=Path("beta/duel.secrets"))
    cheat.add("order", player="beta", text=["Shade: pass"], act=act, **more)
    return cheat.save(FORGED)


def shade(*actions: Any) -> dict[str, Any]:
    return {"act": "ship", "ship": "Shade", "actions": list(actions)}


def shot(**weapon: Any) -> dict[str, Any]:
    return shade({"do": "fire", "at": "Lancer", "weapons": [{"weapon": "beam-1", **weapon}]})


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    "act",
    [
        {"act": "ship", "ship": "Shade", "actions": "raise"},
        {"act": "ship", "ship": "Shade", "actions": [["raise"]]},
        {"act": "ship", "ship": "Shade"},
        shade({"do": "win"}),
        shade({"do": "raise", "secret": 1}),
        shade({"do": ["raise"]}),
        shot(power=True),
        shot(power="5"),
        shot(power=-5),
        {**shade({"do": "raise"}), "order": ["Shade"]},
        {"act": "answers", "ship": "Shade", "replies": [{"absorb": -50}]},
        {"act": "answers", "ship": "Shade", "replies": {"absorb": 5}},
        {"act": "turn", "order": "Shade"},
        {"act": "win"},
        "raise",
    ],
)
def test_an_act_that_nobody_can_work_out_is_no_entry(referee: Run, act: Any) -> None:
    """It would hold the game for ever: nothing else is ordered until its events stand."""
    table(referee)
    in_a_round(referee)
    before, copy = ALPHA.read_bytes(), forged(act)
    for command in (("game", "status"), ("game", "replay"), ("check",), ("dice", "verify")):
        ran = referee(*command, copy)
        assert ran.code == 2 and "malformed" in ran.err, (command, ran)
    ran = referee("record", "sync", ALPHA, copy, "--as", "alpha")
    assert ran.code == 2 and "malformed" in ran.err and ALPHA.read_bytes() == before, ran


@pytest.mark.parametrize("act", [{"act": "turn"}, {"act": "round"}, {"act": "turn", "crippled": ["Lancer"]}])
def test_a_turn_past_another_is_refused_before_its_dice_fall(referee: Run, act: dict[str, Any]) -> None:
    table(referee)
    in_a_round(referee, "Lancer")
    ran = referee("record", "sync", ALPHA, forged(act), "--as", "alpha")
    assert ran.code == 3 and ("has not agreed" in ran.err or "not all have agreed" in ran.err), ran


def test_status_tells_whose_act_holds_the_game(referee: Run) -> None:
    table(referee)
    in_a_round(referee)
    quiet(referee("record", "sync", ALPHA, forged(shade({"do": "raise"})), "--as", "alpha"))
    told = quiet(referee("game", "status", ALPHA)).out
    assert "awaited from beta: what the act of entry" in told


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ({"crew": {"captain": 900, "efficiency": 900}}, "captain of 900"),
        ({"crew": {"captain": True, "efficiency": 50}}, "captain of True"),
        ({"crew": {"captain": 50, "efficiency": -50}}, "efficiency of -50"),
        ({"warp": 500}, "warp 500"),
        ({"warp": -1}, "warp -1"),
        ({"warp": "9"}, "warp 9"),
    ],
)
def test_a_ship_enters_with_no_crew_that_never_fails(referee: Run, said: dict[str, Any], reason: str) -> None:
    table(referee)
    cheat = Writer(BETA, secrets=Path("beta/duel.secrets"))
    ship = {"ship": "Late", "class": "trek/shade", "player": "beta", "at": "0505A", "warp": 1}
    ship["crew"] = {"captain": 50, "efficiency": 50}
    cheat.add("ship", **ship | said)
    ran = referee("record", "sync", ALPHA, cheat.save(FORGED), "--as", "alpha")
    assert ran.code == 2 and reason in ran.err, ran


def test_sync_tells_the_crew_of_a_ship_that_enters(referee: Run) -> None:
    table(referee)
    cheat = Writer(BETA, secrets=Path("beta/duel.secrets"))
    crew = {"captain": 99, "efficiency": 98}
    cheat.add("ship", ship="Late", player="beta", at="0505A", warp=7, crew=crew, **{"class": "trek/shade"})
    told = quiet(referee("record", "sync", ALPHA, cheat.save(FORGED), "--as", "alpha")).out
    assert "warp 7, crew: captain 99, efficiency 98" in told


def test_status_tells_of_a_ship_in_the_place_of_the_programs_own(referee: Run) -> None:
    """Whoever begins a game may bring ships and charts of his own, called as those that everybody knows."""
    table(referee)
    ship = json.loads(next((ROOT / "referee/rulebooks/trek/fleet").glob("shade.json")).read_text())
    rewritten(ALPHA, documents=[json.dumps(ship | {"superstructure": 99})])
    told = referee("game", "status", ALPHA)
    assert told.code == 0 and "superstructure 99" in told.out, told
    assert "of whoever began it, in the place of any so called: ship shade" in told.out
    assert referee("game", "status", ALPHA, "--json").json["documents"] == ["ship shade"]


def test_a_ship_is_not_called_as_anothers_answers_are_said(referee: Run) -> None:
    table(referee)
    cheat = Writer(BETA, secrets=Path("beta/duel.secrets"))
    ship = {"ship": "Lancer answers", "class": "trek/shade", "player": "beta", "at": "0505A"}
    cheat.add("ship", **ship, warp=1, crew={"captain": 50, "efficiency": 50})
    ran = referee("record", "sync", ALPHA, cheat.save(FORGED), "--as", "alpha")
    assert ran.code == 3 and "has the name of a ship's answers" in ran.err, ran
