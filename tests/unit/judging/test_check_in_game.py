"""`check FORM --game RECORD`: a form judged on its ship as the record has it, and nothing recorded."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Ran, Run

GAME = Path("g.jsonl")
SHIPS = ("Con=cadet/federation-ca:alice@1404D/0", "War=cadet/klingon-d6:bob@1407A/0")


def form(
    turn: int, *rows: str, ship: str = "cadet/federation-ca", warp: int = 16, name: str = "c.csv"
) -> str:
    power = ("Warp Power", warp), ("Impulse Power", 2), ("Reactor Power", 2), ("Total Power", warp + 4)
    lines = [f"Ship,{ship}", f"Turn,{turn}", *(f"{label},{amount}" for label, amount in power), *rows]
    Path(name).write_text("\n".join(lines) + "\n")
    return name


def begin(referee: Run) -> None:
    named = [part for ship in SHIPS for part in ("--ship", ship)]
    new = ("game", "new", GAME, "--players", "alice,bob", "--dice", "seed", "--seed", "x")
    assert referee(*new, *named).code == 0


def turn_two(referee: Run, *first: str, hit: str = "") -> None:
    """A game in turn 2, with Con's form of turn 1 filed and Con hit in it."""
    begin(referee)
    assert referee("game", "apply", GAME, form(1, *first)).code == 0
    war = form(1, "Movement,0", ship="cadet/klingon-d6", name="w.csv")
    assert referee("game", "apply", GAME, war).code == 0
    if hit:
        assert referee("game", "next", GAME, "--to", "1.1.resolve-fire").code == 0
        assert referee("game", "say", GAME, f"Con: hit {hit}", "--as", "alice").code == 0
    assert referee("game", "say", GAME, "turn 2").code == 0


def check(referee: Run, file: str, *more: str) -> Ran:
    """The report, the record left as it is."""
    before = GAME.read_bytes()
    ran = referee("check", file, "--game", GAME, "--json", *more)
    assert GAME.read_bytes() == before
    return ran


def errors(ran: Ran) -> list[str]:
    return [finding["key"] for finding in ran.findings("error")]


def test_a_legal_form(referee: Run, holds: Any) -> None:
    begin(referee)
    ran = check(referee, form(1, "Movement,8"))
    assert (ran.code, ran.json["verdict"], ran.findings()) == (0, "legal", [])
    holds(ran.json)
    assert "\nLEGAL" in referee("check", "c.csv", "--game", GAME).out
    # It stands still at the start, says the record, and nothing on the form does.
    assert errors(check(referee, form(1, "Movement,10"))) == ["B3.0-14/acceleration"]


def test_power_is_what_damage_left(referee: Run) -> None:
    turn_two(referee, "Movement,0", hit="40 on 1")
    ships = referee("game", "status", GAME, "--json").json["ships"]
    assert ships[0]["power"] < 20
    whole = form(2, "Movement,10")
    assert referee("check", whole).code == 0
    ran = check(referee, whole)
    assert ran.code == 1 and {"B3.0-1", "B3.0-2", "B3.0-3"} & set(errors(ran))
    assert referee("game", "apply", GAME, whole).code == 1


def test_speed_before(referee: Run) -> None:
    turn_two(referee, "Movement,2")
    fast = form(2, "Movement,16")
    assert "B3.0-14/acceleration" not in errors(referee("check", fast, "--json"))
    ran = check(referee, fast)
    assert ran.code == 1 and errors(ran) == ["B3.0-14/acceleration"]
    assert check(referee, form(2, "Movement,10")).code == 0


def test_batteries_and_capacitor_before(referee: Run) -> None:
    turn_two(referee, "BttyUsedEA,2", "Movement,0", "Charge Phasers,3")
    ran = check(referee, form(2, "BttyUsedEA,2", "Movement,0"))
    assert ran.code == 1 and any(key.startswith("B3.0-") for key in errors(ran))
    ran = check(referee, form(2, "Charge Phasers,3", "Movement,0"))
    assert any(key.startswith(("H6", "B3.0-9")) for key in errors(ran)), ran.out


def test_a_tube_goes_on_from_the_turn_before(referee: Run) -> None:
    turn_two(referee, "Photon A,2", "Movement,0")
    assert check(referee, form(2, "Photon A,2", "Movement,0")).json["verdict"] == "legal"


def test_the_turn_of_the_form(referee: Run) -> None:
    turn_two(referee, "Movement,2")
    ran = check(referee, form(1, "Movement,3"))
    assert ran.code == 0 and [f["key"] for f in ran.findings("note")] == ["NOTE/filed"]
    assert check(referee, form(1, "Movement,2")).findings() == []
    ran = check(referee, form(4, "Movement,2"))
    assert [f["key"] for f in ran.findings("note")] == ["NOTE/turn"]
    assert "form of turn 2, 3 is not in the record" in str(ran.json["not_checked"])


def test_what_was_said_in_the_turn_counts(referee: Run) -> None:
    turn_two(referee, "Movement,2")
    assert referee("game", "say", GAME, "Con: speed 8").code == 0
    ran = check(referee, form(2, "Movement,4"))
    assert ran.code == 1 and ran.findings("error")[0]["location"]["file"] == "c.csv"
    assert check(referee, form(2, "Movement,8")).code == 0


def test_whose_form_it_is(referee: Run) -> None:
    begin(referee)
    strange = form(1, "Movement,0", ship="somebody")
    ran = check(referee, strange)
    assert ran.code == 2 and "--ship Con or War" in ran.err
    assert check(referee, strange, "--ship", "con").code == 0
    assert check(referee, strange, "--ship", "Zed").code == 2


@pytest.mark.parametrize(
    ("more", "why"),
    [
        (("--option", "previous_speed=4"), "--option with --game"),
        (("--rulebook", "sfb-cadet"), "--rulebook with --game"),
        (("--state", "s.json"), "--state with --game"),
    ],
)
def test_what_the_record_says_is_not_said_again(referee: Run, more: tuple[str, str], why: str) -> None:
    begin(referee)
    ran = check(referee, form(1, "Movement,0"), *more)
    assert ran.code == 2 and why in ran.err and ran.err.count("\n") == 1


def test_only_forms(referee: Run) -> None:
    begin(referee)
    Path("orders.txt").write_text("turn 1\n  Con: speed 4\n")
    Path("c.csv").write_text(Path(form(1)).read_text() + "Movement,many\n")
    for file in ("orders.txt", str(GAME)):
        ran = check(referee, file)
        assert ran.code == 2 and "--game is for forms" in ran.err
    ran = check(referee, "c.csv")
    assert ran.code == 2 and "'many'" in ran.err and ran.err.count("\n") == 1
    assert referee("check", "c.csv", "--game", "none.jsonl").code == 2
