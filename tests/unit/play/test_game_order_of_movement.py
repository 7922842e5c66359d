"""Who moves when, in a record: judged as the move is said, by who is still to move; ties ask for seals."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.record.reading import read
from tests.cli.conftest import Ran, Run

GAME = Path("g.jsonl")
SLOW_AND_FAST = ("Con=cadet/federation-ca:alice@1001D/8", "Des=cadet/klingon-d6:bob@1012A/8")
TWINS = ("A1=cadet/klingon-d6:alice@1001D/8", "B1=cadet/klingon-d6:bob@1012A/8")


def begin(referee: Run, ships: tuple[str, ...], *more: str) -> None:
    placed = [part for ship in ships for part in ("--ship", ship)]
    terms = ("--players", "alice,bob", "--dice", "seed", "--seed", "zz", "--option", "impulses=16")
    ran = referee("game", "new", GAME, *terms, *placed, *more)
    assert ran.code == 0, ran.err


def say(referee: Run, *orders: str) -> Ran:
    ran = referee("game", "say", GAME, *orders)
    assert ran.code == 0, ran
    return ran


def seal(referee: Run, ship: str, order: str, *more: str, kind: str = "moves") -> Ran:
    ran = referee("seal", "--game", GAME, "--kind", kind, "--ship", ship, "--order", order, *more)
    assert ran.code == 0, ran
    return ran


def awaited(referee: Run) -> list[tuple[str, str]]:
    waits = referee("game", "status", GAME, "--json").json["awaited"]
    return [(wait["player"], wait["what"]) for wait in waits]


def said(referee: Run) -> list[tuple[str, str, str]]:
    """What a check finds: severity, key and ship."""
    report = referee("check", GAME, "--json")
    return [(found["severity"], found["key"], found["subject"]) for found in report.json["findings"]]


# -- out of turn -------------------------------------------------------------------------


def test_who_moves_out_of_turn_is_refused_at_once(referee: Run) -> None:
    begin(referee, SLOW_AND_FAST)
    say(referee, "Con: speed 8", "Des: speed 12")
    before = GAME.read_bytes()
    ran = referee("game", "say", GAME, "impulse 2", "Des: ahead")
    assert ran.code == 1 and "[C1.3] Des: turn 1, moves before Con" in ran.err, ran
    assert "the slower first" in ran.err and GAME.read_bytes() == before
    say(referee, "impulse 2", "Con: ahead", "Des: ahead", "impulse 3")
    assert said(referee) == []


def test_a_foul_is_his_who_did_not_wait_and_holds_up_nobody(referee: Run) -> None:
    begin(referee, SLOW_AND_FAST)
    say(referee, "Con: speed 8", "Des: speed 12")
    ran = referee("game", "say", GAME, "impulse 2", "Des: ahead", "--force")
    assert ran.code == 0 and "foul: bob [C1.3]" in ran.out, ran
    for order in ("Con: ahead", "Con: fire PH-1A at Des"):
        say(referee, order)
    assert referee("game", "resolve", GAME).code == 0
    assert referee("game", "next", GAME).code == 0
    say(referee, "impulse 3")
    fouls = [entry.data for entry in read(GAME) if entry.type == "foul"]
    assert [(foul["player"], foul["subject"]) for foul in fouls] == [("bob", "Des")]
    assert [found for found in said(referee) if found[0] == "error"] == [("error", "C1.3", "Des")]


def test_who_is_not_called_or_is_gone_is_not_waited_for(referee: Run) -> None:
    begin(referee, (*SLOW_AND_FAST, "Off=cadet/federation-ca:alice"))
    say(referee, "Con: speed 4", "Des: speed 8", "Off: speed 2")
    say(
        referee, "impulse 2", "Des: ahead", "impulse 4", "Con: ahead", "Des: ahead", "impulse 6", "Des: ahead"
    )
    assert said(referee) == []


def test_a_move_others_followed_is_taken_back_after_theirs(referee: Run) -> None:
    """Else a move made in its turn would be out of turn afterwards."""
    begin(referee, SLOW_AND_FAST)
    say(referee, "Con: speed 8", "Des: speed 12", "impulse 2", "Con: left", "Des: ahead")
    last = read(GAME)[-1].seq
    undo = ("game", "undo", GAME, "--reason", "a slip", "--agreed", "alice,bob")
    ran = referee(*undo, last - 1)
    assert ran.code == 2 and "rests on it" in ran.err, ran
    assert referee(*undo, last).code == 0 and referee(*undo, last - 1).code == 0
    say(referee, "Con: ahead", "Des: ahead", "impulse 3")
    assert said(referee) == []


# -- ties --------------------------------------------------------------------------------

FIRST = "A1's move of impulse 2 to be sealed: B1 moves at the same time"
SECOND = "B1's move of impulse 2 to be sealed: A1 moves at the same time"


def test_at_the_same_time_the_seals_are_asked_for(referee: Run) -> None:
    begin(referee, TWINS)
    ran = say(referee, "A1: speed 8", "B1: speed 8", "impulse 2")
    assert f"awaited from alice: {FIRST}" in ran.out and f"awaited from bob: {SECOND}" in ran.out
    assert awaited(referee) == [("alice", FIRST), ("bob", SECOND)]
    seal(referee, "A1", "left", "--impulse", "2")
    assert ("bob", SECOND) in awaited(referee) and ("alice", FIRST) not in awaited(referee)
    assert not [what for _, what in awaited(referee) if "if any" in what], "asked for once"
    seal(referee, "B1", "right", "--impulse", "2")
    assert {what.split()[0] for _, what in awaited(referee)} == {"reveal"}
    ran = say(referee, "A1: left", "B1: right")
    assert "undecided" not in ran.out
    for ship in ("A1", "B1"):
        ran = referee("reveal", "--game", GAME, "--kind", "moves", "--impulse", "2", "--ship", ship)
        assert ran.code == 0, ran
    say(referee, "impulse 3")
    assert said(referee) == [] and awaited(referee) == []


def test_unsealed_at_the_same_time_is_told_with_the_move(referee: Run) -> None:
    begin(referee, TWINS)
    say(referee, "A1: speed 8", "B1: speed 8", "impulse 2")
    ran = say(referee, "A1: ahead")
    assert "undecided [C1.3/sealed] A1" in ran.out and "no sealed order of A1, B1" in ran.out, ran
    ran = say(referee, "B1: ahead", "impulse 3")
    assert "C1.3" not in ran.out, "told once"
    assert said(referee) == [("undecided", "C1.3/sealed", "A1")]


def test_who_moves_before_the_other_has_sealed_is_told_so(referee: Run) -> None:
    begin(referee, TWINS)
    say(referee, "A1: speed 8", "B1: speed 8", "impulse 2")
    seal(referee, "A1", "ahead", "--impulse", "2")
    ran = say(referee, "A1: ahead")
    assert "[C1.3/sealed] A1" in ran.out and "no sealed order of B1" in ran.out, ran
    seal(referee, "B1", "ahead", "--impulse", "2")
    assert "C1.3" not in say(referee, "B1: ahead").out, "it is not to blame"


def test_a_move_is_not_sealed_anew_once_the_other_has_moved(referee: Run) -> None:
    begin(referee, TWINS)
    say(referee, "A1: speed 8", "B1: speed 8", "impulse 2")
    for ship in ("A1", "B1"):
        seal(referee, ship, "ahead")
    seal(referee, "B1", "left")
    say(referee, "A1: left")
    before = GAME.read_bytes()
    ran = referee("seal", "--game", GAME, "--kind", "moves", "--ship", "B1", "--order", "right")
    assert ran.code == 2 and "seals moves anew after A1 moved" in ran.err, ran
    assert GAME.read_bytes() == before
    say(referee, "B1: left")
    assert said(referee) == []


@pytest.mark.parametrize(("kind", "holds"), [("moves", True), ("fire", False), ("plot", False)])
def test_a_move_may_be_sealed_before_its_impulse_and_fire_is_no_move(
    referee: Run, kind: str, holds: bool
) -> None:
    begin(referee, TWINS)
    say(referee, "A1: speed 8", "B1: speed 8", "impulse 1")
    order = "ahead" if holds else "hold fire"
    for ship in ("A1", "B1"):
        seal(referee, ship, order, "--impulse", "2", kind=kind)
    ran = say(referee, "impulse 2", "A1: ahead", "B1: ahead")
    assert ("C1.3/sealed" not in ran.out) == holds, ran
    # And for that impulse alone.
    assert "C1.3/sealed" in say(referee, "impulse 4", "A1: ahead").out


def test_players_who_agree_on_it_refuse_unsealed_moves_or_ask_for_no_seals(referee: Run) -> None:
    for severity, code in (("error", 1), ("note", 0)):
        GAME.unlink(missing_ok=True)
        Path("house.toml").write_text(f'extends = "sfb-cadet"\n[severity]\n"C1.3/sealed" = "{severity}"\n')
        begin(referee, TWINS, "--house", "house.toml")
        say(referee, "A1: speed 8", "B1: speed 8", "impulse 2")
        ran = referee("game", "say", GAME, "A1: ahead")
        assert ran.code == code and f"{severity} [C1.3/sealed] A1" in ran.out + ran.err, ran
