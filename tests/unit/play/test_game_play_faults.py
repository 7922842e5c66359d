"""What a hostile examiner found in play on a record: each once, so that it does not come back."""

from __future__ import annotations

from referee.record.reading import read
from tests.cli.conftest import Run
from tests.unit.play.test_game_play import GAME, SPEEDS, begin, say

SAME_HEX = (
    *("--ship", "C=cadet/federation-ca:fed@1508A/16"),
    *("--ship", "D=cadet/klingon-d6:kli@1507D/16"),
)


def shields(referee: Run, ship: int) -> dict[str, int]:
    found: dict[str, int] = referee("game", "status", GAME, "--json").json["ships"][ship]["state"]["shields"]
    return found


def test_fire_in_one_hex_strikes_the_shield_it_came_in_on(referee: Run) -> None:
    assert (
        referee(
            "game", "new", GAME, "--players", "fed,kli", *SAME_HEX, "--dice", "seed", "--seed", "abc"
        ).code
        == 0
    )
    say(referee, "C: speed 13", "D: speed 0", "impulse 1", "impulse 2", "C: ahead")
    say(referee, "C: fire PH-1A at D", "D: fire PH-2A at C")
    assert referee("game", "resolve", GAME).code == 0
    # C came from astern of itself, which is dead ahead of D; D had C ahead.
    assert shields(referee, 1)["1"] < 16 and referee("check", GAME).code == 0


def test_in_one_hex_from_the_start_the_shield_is_said(referee: Run) -> None:
    ships = ("--ship", "C=cadet/federation-ca:fed@1508A/16", "--ship", "D=cadet/klingon-d6:kli@1508D/16")
    assert referee("game", "new", GAME, "--players", "fed,kli", *ships, "--alone").code == 0
    before = GAME.read_bytes()
    ran = referee("game", "say", GAME, "impulse 1", "C: fire PH-1A at D")
    assert ran.code == 2 and "say which shield" in ran.err and GAME.read_bytes() == before
    say(referee, "impulse 1", "C: fire PH-1A at D on 4")
    assert referee("game", "resolve", GAME).code == 0 and shields(referee, 1)["4"] < 7


def test_a_cloak_not_paid_for_is_found_when_the_form_is_shown(referee: Run) -> None:
    begun = (
        "init",
        "game",
        "--scenario",
        "6",
        "--record",
        GAME,
        "--players",
        "alice,bob",
        "--dice",
        "solo",
        "--alone",
    )
    assert referee(*begun).code == 0
    names = {ship["name"]: ship["class"] for ship in referee("game", "status", GAME, "--json").json["ships"]}
    cloaker = next(name for name, kind in names.items() if "federation" not in kind)
    from pathlib import Path

    Path("form.csv").write_text(f"Ship,{names[cloaker]}\nTurn,1\nCloak,0\nMovement,0\n")
    other = next(name for name in names if name != cloaker)
    Path("other.csv").write_text(f"Ship,{names[other]}\nTurn,1\nMovement,0\n")
    for ship, form in ((cloaker, "form.csv"), (other, "other.csv")):
        ran = referee("seal", "--game", GAME, form, "--ship", ship)
        assert ran.code == 0, ran
    say(referee, f"{cloaker}: speed 0", f"{other}: speed 0", "impulse 1", f"{cloaker}: cloak")
    assert referee("game", "next", GAME, "--to", "2").code == 0
    ran = referee("reveal", "--game", GAME, "--ship", cloaker, "--turn", "1")
    assert ran.code == 1 and "[G13.0/paid]" in ran.out + ran.err, ran
    assert referee("check", GAME).code == 1


def test_a_sealed_move_is_the_one_made(referee: Run) -> None:
    ships = ("--ship", "A=cadet/klingon-d6:fed@1508A/12", "--ship", "B=cadet/klingon-d6:kli@2507D/12")
    assert referee("game", "new", GAME, "--players", "fed,kli", *ships, "--alone").code == 0
    say(referee, "A: speed 12", "B: speed 12")
    assert referee("game", "next", GAME, "--to", "1.2.move-ships").code == 0
    for ship in "AB":
        sealed = (
            "seal",
            "--game",
            GAME,
            "--kind",
            "moves",
            "--impulse",
            "2",
            "--ship",
            ship,
            "--order",
            f"{ship}: left",
        )
        assert referee(*sealed).code == 0
    say(referee, "A: ahead", "B: left")
    shown = ("reveal", "--game", GAME, "--kind", "moves", "--impulse", "2", "--ship")
    ran = referee(*shown, "A")
    assert ran.code == 1 and "[C1.3/kept]" in ran.out + ran.err, ran
    assert referee(*shown, "B").code == 0
    assert [entry.data["player"] for entry in read(GAME) if entry.type == "foul"] == ["fed"]


def test_a_seal_after_the_move_settles_no_tie(referee: Run) -> None:
    ships = ("--ship", "A=cadet/klingon-d6:fed@1508A/12", "--ship", "B=cadet/klingon-d6:kli@2507D/12")
    assert referee("game", "new", GAME, "--players", "fed,kli", *ships, "--alone").code == 0
    ran = say(referee, "A: speed 12", "B: speed 12", "impulse 1", "impulse 2", "A: ahead", "B: ahead")
    assert "C1.3/sealed" in ran.out + ran.err, ran
    for ship in "AB":
        sealed = (
            "seal",
            "--game",
            GAME,
            "--kind",
            "moves",
            "--impulse",
            "2",
            "--ship",
            ship,
            "--order",
            f"{ship}: ahead",
        )
        ran = referee(*sealed)
        assert ran.code == 2 and f"{ship} has moved in impulse 2; nothing was sealed" in ran.err, ran
        assert referee(*sealed, "--force").code == 0
    ran = referee("game", "next", GAME, "--to", "1.2.fire")
    assert (
        ran.code == 1 and "sealed moves are not opened (referee reveal): A's moves, B's moves" in ran.out
    ), ran
    assert referee("game", "next", GAME, "--to", "1.2.fire", "--agreed", "fed,kli").code == 0
    assert "[C1.3/sealed]" in referee("check", GAME).out, "as it was told with the move"


def test_what_a_void_roll_was_for_can_be_taken_back(referee: Run) -> None:
    begin(referee, "--dice", "peer")
    for player in ("fed", "kli"):
        assert referee("game", "join", GAME, "--as", player).code == 0
    say(referee, *SPEEDS, "impulse 1", "Constellation: fire PH-1A at Destruction")
    fire = len(read(GAME)) - 1
    assert referee("game", "resolve", GAME, "--as", "fed").code == 0
    undo = ("game", "undo", GAME, "--reason", "a slip", "--agreed", "fed,kli")
    assert referee(*undo, fire).code == 2, "its dice are declared"
    assert referee("dice", "void", GAME, "--reason", "a slip", "--agreed", "fed,kli").code == 0
    last = next(entry.seq for entry in reversed(read(GAME)) if entry.type == "step")
    assert referee(*undo, last).code == 0 and referee(*undo, fire).code == 0
    assert referee("game", "next", GAME, "--to", "1.1.end-of-impulse").code == 0


def test_a_volley_set_aside_is_rolled_again(referee: Run) -> None:
    begin(referee, "--option", "impulses=16")
    say(referee, *SPEEDS, "impulse 1", "Constellation: fire PH-1A at Destruction")
    assert referee("game", "resolve", GAME).code == 0
    struck = shields(referee, 1)
    events = read(GAME)[-1].seq
    agreed = ("--reason", "wrong", "--agreed", "fed,kli")
    assert referee("game", "undo", GAME, events, *agreed).code == 0
    ran = referee("game", "resolve", GAME)
    assert ran.code == 2 and "was taken back" in ran.err
    assert referee("game", "next", GAME, "--to", "1.2.move-ships").code == 1, "not past it"
    roll = [entry for entry in read(GAME) if entry.type == "declare"][-1].data["roll"]
    ran = referee("dice", "reroll", GAME, str(roll), *agreed)
    assert ran.code == 0, ran
    assert referee("game", "resolve", GAME).code == 0 and shields(referee, 1) == struck
