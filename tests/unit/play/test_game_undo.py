"""`game undo` across impulses and turns: all after an entry as one act, dice stay rolled, redo."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest

from referee.core.gamefold import fold_game
from referee.record.reading import read
from referee.report.gametext import state_hash
from referee.rulebooks.registry import load_ship
from tests.cli.conftest import Run
from tests.conftest import ROOT
from tests.unit.play.test_game_forging import BY_MAIL, forge, refused

GAME = "g.jsonl"
SHIPS = ("--ship", "A=cadet/federation-ca:alice@1510A/16", "--ship", "B=cadet/klingon-d6:bob@1506D/16")
WHY = ("--reason", "a slip")
BOTH = (*WHY, "--agreed", "alice,bob")


def begin(referee: Run, *dice: str) -> None:
    dice = dice or ("--dice", "seed", "--seed", "undo")
    assert referee("game", "new", GAME, "--players", "alice,bob", *dice, *SHIPS).code == 0


def say(referee: Run, *orders: str) -> None:
    ran = referee("game", "say", GAME, *orders)
    assert ran.code == 0, ran.err


def play(referee: Run) -> None:
    """Two impulses with fire and its dice in the first, up to the moves of the third."""
    begin(referee)
    say(referee, "A: speed 16", "B: speed 16", "impulse 1", "A: ahead", "B: ahead", "A: fire PH-1A at B")
    assert referee("game", "resolve", GAME).code == 0
    say(referee, "impulse 2", "A: ahead", "B: ahead", "impulse 3", "A: ahead", "B: left")


def state(upto: int | None = None) -> str:
    """The state, but for what of it tells of rolls and lines, which stay."""
    entries = read(GAME)[: None if upto is None else upto + 1]
    game = fold_game(entries, load_ship)
    return state_hash(replace(game, rolls={}, undone=frozenset(), lines=0))


def number(kind: str) -> int:
    return next(entry.seq for entry in read(GAME) if entry.type == kind)


def test_single_entries_are_taken_back_across_an_impulse(referee: Run) -> None:
    """An order of an impulse, then the step into it: the order was of an impulse that is gone."""
    begin(referee)
    say(referee, "A: speed 16", "B: speed 16", "impulse 1", "A: ahead")
    last = len(read(GAME)) - 1
    for target in (last, last - 1):
        ran = referee("game", "undo", GAME, target, *BOTH)
        assert ran.code == 0, ran.err
    assert state() == state(last - 2) and referee("check", GAME).code == 0


def test_everything_after_an_entry_goes_as_one_act_and_comes_back(referee: Run) -> None:
    play(referee)
    end, played = len(read(GAME)) - 1, state()
    for to in range(end - 1, 3, -1):
        ran = referee("game", "undo", GAME, "--to", to, *BOTH)
        assert ran.code == 0, (to, ran.err)
        undo = read(GAME)[-1]
        assert undo.data == {
            "target": to + 1, "onward": True, "reason": "a slip", "agreed_by": ["alice", "bob"],
        }  # fmt: skip
        gone = [entry for entry in read(GAME)[to + 1 : -1] if entry.type not in ("declare", "result", "undo")]
        assert all(f"#{entry.seq} " in ran.out for entry in gone)
        inside_a_roll = read(GAME)[to + 1].type in ("declare", "result", "events")
        if not inside_a_roll:
            assert state() == state(to), to
        assert referee("dice", "verify", GAME).code == 0, to
        assert referee("check", GAME).code == 0, to
        assert referee("game", "undo", GAME, undo.seq, *BOTH).code == 0, "redo"
        assert state() == played
    assert "cannot" not in referee("game", "status", GAME).out


def test_dice_stay_rolled_and_the_game_goes_on(referee: Run) -> None:
    play(referee)
    faces = [entry.data["dice"] for entry in read(GAME) if entry.type == "result"]
    fire = next(entry.seq for entry in read(GAME) if "fire" in entry.data)
    ran = referee("game", "undo", GAME, "--to", fire - 1, *BOTH)
    assert ran.code == 0 and "dice as they were rolled" in ran.out
    assert f"#{number('declare')} " in ran.out.split("stays in the record")[1]
    say(referee, "A: fire PH-1B at B")
    assert referee("game", "resolve", GAME).code == 0
    rolls = [entry.data["roll"] for entry in read(GAME) if entry.type == "declare"]
    assert rolls == [1, 2, 3, 4], "a number is used once"
    assert [entry.data["dice"] for entry in read(GAME) if entry.type == "result"][:2] == faces
    assert "(taken back)" in referee("game", "status", GAME, "--json").out
    assert referee("dice", "verify", GAME).code == 0 and referee("check", GAME).code == 0
    ran = referee("game", "undo", GAME, fire + 20, *BOTH)
    assert ran.code == 2, "what was played since rests on it"


def test_back_and_last(referee: Run) -> None:
    play(referee)
    end = len(read(GAME)) - 1
    assert referee("game", "undo", GAME, "--last", *BOTH).code == 0
    assert state() == state(end - 1)
    assert referee("game", "undo", GAME, "--last", *BOTH).code == 0, "the last thing was the undo: redo"
    assert state() == state(end)
    assert referee("game", "undo", GAME, "--to", end, *BOTH).code == 0
    assert referee("game", "undo", GAME, "--back", "3", *BOTH).code == 0
    assert state() == state(end - 2), "the undos that went no longer count"


@pytest.mark.parametrize("said", [
    (), ("5", "--to", "4"), ("--to", "4", "--back", "1"), ("--last", "--back", "1"), ("--to", "99"), ("--to", "-1"),
    ("--back", "0"), ("--back", "99"), ("99",), ("0",),
])  # fmt: skip
def test_what_is_no_undo_is_refused_in_one_line(referee: Run, said: tuple[str, ...]) -> None:
    play(referee)
    before = read(GAME)
    ran = referee("game", "undo", GAME, *said, *BOTH)
    assert ran.code == 2 and ran.err.count("\n") == 1 and read(GAME) == before, ran


def test_agreement_is_asked_once_and_of_all(referee: Run) -> None:
    play(referee)
    ran = referee("game", "undo", GAME, "--to", "5", *WHY, "--agreed", "alice")
    assert ran.code == 2 and "bob has not agreed" in ran.err
    alone = {"target": 6, "onward": True, "reason": "mine", "agreed_by": ["alice"]}
    refused(referee, forge(Path(GAME), ("undo", alone)), "bob has not agreed")
    beginning = {"target": 0, "onward": True, "reason": "x", "agreed_by": ["alice", "bob"]}
    refused(referee, forge(Path(GAME), ("undo", beginning)), "no such entry")


def test_the_redo_that_is_named_is_one_that_works(referee: Run) -> None:
    play(referee)
    end = state()
    ran = referee("game", "undo", GAME, "--back", "2", *BOTH)
    (redo,) = [line for line in ran.out.splitlines() if line.startswith("redo: referee ")]
    assert redo.endswith(f"game undo {GAME} {len(read(GAME)) - 1} --reason WHY --agreed alice,bob")
    assert state() != end
    assert referee(*redo.removeprefix("redo: referee ").split()).code == 0 and state() == end


def test_who_plays_alone_need_not_agree(referee: Run) -> None:
    ship = ("--ship", "A=cadet/federation-ca:alice@1510A/16")
    assert (
        referee("game", "new", GAME, "--players", "alice", "--dice", "seed", "--seed", "x", *ship).code == 0
    )
    say(referee, "A: speed 16")
    ran = referee("game", "undo", GAME, "--last", *WHY)
    (redo,) = [line for line in ran.out.splitlines() if line.startswith("redo: referee ")]
    assert redo.endswith("--reason WHY")
    assert referee(*redo.removeprefix("redo: referee ").split()).code == 0


def test_an_open_roll_is_named(referee: Run) -> None:
    begin(referee, "--dice", "peer")
    for player in ("alice", "bob"):
        assert referee("game", "join", GAME, "--as", player).code == 0
    say(referee, "A: speed 16", "B: speed 16", "impulse 1", "A: ahead", "B: ahead", "A: fire PH-1A at B")
    fire = len(read(GAME)) - 1
    assert referee("game", "resolve", GAME, "--as", "alice").code == 0
    ran = referee("game", "undo", GAME, "--to", fire - 1, *BOTH)
    assert ran.code == 2 and "roll 1 is open" in ran.err and "dice void" in ran.err
    forged = {"target": fire, "onward": True, "reason": "x", "agreed_by": ["alice", "bob"]}
    refused(referee, forge(Path(GAME), ("undo", forged)), "roll 1 is open")
    assert referee("dice", "void", GAME, *BOTH).code == 0
    assert referee("game", "undo", GAME, "--to", fire - 1, *BOTH).code == 0
    assert referee("dice", "verify", GAME).code == 0


def test_orders_sealed_after_it_count_no_more_and_are_sealed_anew(referee: Run) -> None:
    begin(referee)
    say(referee, "A: speed 16", "B: speed 16", "impulse 1", "A: ahead", "B: ahead", "impulse 2")
    moved = len(read(GAME)) - 1
    for ship, way in (("A", "left"), ("B", "right")):
        order = ("--ship", ship, "--kind", "moves", "--order", way)
        assert referee("seal", "--game", GAME, *order).code == 0
    assert referee("reveal", "--game", GAME, "--ship", "A", "--kind", "moves").code == 0
    say(referee, "A: left")
    ran = referee("game", "undo", GAME, "--to", moved, *BOTH)
    assert ran.code == 0 and "count no more" in ran.out, ran.err
    assert state() == state(moved)
    # What was sealed there opens nothing now: B would be held to an impulse that was taken back.
    ran = referee("reveal", "--game", GAME, "--ship", "B", "--kind", "moves")
    assert ran.code == 2 and "taken back" in ran.err and ran.err.count("\n") == 1, ran
    for ship in ("A", "B"):
        again = ("--ship", ship, "--kind", "moves", "--order", "ahead")
        ran = referee("seal", "--game", GAME, *again)
        assert ran.code == 0 and "revision 2" in ran.out, ran
    for ship in ("A", "B"):
        assert referee("reveal", "--game", GAME, "--ship", ship, "--kind", "moves").code == 0
    say(referee, "A: ahead", "B: ahead")
    assert referee("dice", "verify", GAME).code == 0 and referee("check", GAME).code == 0


def test_across_turns_with_forms_sealed_and_shown(referee: Run) -> None:
    begin(referee)
    begun = len(read(GAME)) - 1
    for ship, form in (("A", "constellation"), ("B", "destruction")):
        assert referee("seal", BY_MAIL / f"{form}.csv", "--game", GAME, "--ship", ship).code == 0
    sealed = len(read(GAME)) - 1
    assert referee("game", "next", GAME, "--to", "1.end-of-turn").code == 0
    for ship in ("A", "B"):
        referee("reveal", "--game", GAME, "--ship", ship)
    assert referee("game", "next", GAME, "--to", "2").code == 0
    verified = referee("dice", "verify", GAME)
    assert verified.code == 0, verified.err
    # Back to before the forms were shown: they stay shown. Back to before they were sealed: they count no more.
    assert referee("game", "undo", GAME, "--to", sealed, *BOTH).code == 0
    now = fold_game(read(GAME), load_ship)
    assert now.turn == 1 and all(seal.revealed for seal in now.seals) and len(now.seals) == 2
    assert referee("dice", "verify", GAME).code == 0
    assert referee("game", "undo", GAME, "--to", begun, *BOTH).code == 0
    now = fold_game(read(GAME), load_ship)
    assert now.turn == 1 and not now.seals and not any(ship.forms for ship in now.ships.values())
    assert referee("dice", "verify", GAME).code == 0
    for ship, form in (("A", "constellation"), ("B", "destruction")):
        ran = referee("seal", BY_MAIL / f"{form}.csv", "--game", GAME, "--ship", ship)
        assert ran.code == 0, ran.err


def test_who_plays_alone_agrees_with_nobody(referee: Run) -> None:
    ship = ("--ship", "A=cadet/federation-ca:alice@1510A/16")
    dice = ("--dice", "seed", "--seed", "x")
    assert referee("game", "new", GAME, "--players", "alice", *dice, *ship).code == 0
    say(referee, "A: speed 16", "impulse 1", "A: ahead")
    assert referee("game", "undo", GAME, "--last", *WHY).code == 0
    assert read(GAME)[-1].data["agreed_by"] == ["alice"]


@pytest.mark.skipif(sys.platform == "win32", reason="no pseudo-terminal")
@pytest.mark.parametrize(("answer", "gone"), [("n", False), ("y", True)])
def test_on_a_terminal_it_is_asked_first(referee: Run, answer: str, gone: bool) -> None:
    import os
    import pty
    import subprocess

    play(referee)
    before = Path(GAME).read_bytes()
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "referee", "game", "undo", GAME, "--to", "8", *BOTH]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "TERM": "dumb"}
    with subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, env=environment) as asking:
        os.write(ours, f"{answer}\n".encode())
        code = asking.wait(60)
    os.close(theirs)
    os.close(ours)
    assert code == (0 if gone else 1)
    assert (Path(GAME).read_bytes() != before) is gone


def test_steps_after_which_nothing_was_done_any_player_takes_back_alone(referee: Run) -> None:
    """Somebody goes on past the fire another still meant to give: he takes the steps back, and fires."""
    begin(referee)
    say(referee, "A: speed 16", "B: speed 16", "impulse 1", "A: ahead", "B: ahead")
    assert referee("game", "next", GAME, "--to", "1.1.fire").code == 0
    stood = state()
    before = len(read(GAME)) - 1
    say(referee, "impulse 2")
    late = referee("game", "say", GAME, "A: fire PH-1A at B")
    assert late.code == 1 and "B2.0" in late.err
    unsaid = referee("game", "undo", GAME, "--to", str(before), *WHY)
    assert unsaid.code == 2 and "who takes it back is not given" in unsaid.err
    stranger = referee("game", "undo", GAME, "--to", str(before), *WHY, "--agreed", "carol")
    assert stranger.code == 2
    assert referee("game", "undo", GAME, "--to", str(before), *WHY, "--agreed", "alice").code == 0
    assert state() == stood
    say(referee, "A: fire PH-1A at B")
    assert referee("record", "verify", GAME).code == 0 and referee("dice", "verify", GAME).code == 0


def test_what_was_done_after_a_step_is_not_taken_back_alone(referee: Run) -> None:
    begin(referee)
    say(referee, "A: speed 16", "B: speed 16", "impulse 1", "A: ahead", "B: ahead", "impulse 2")
    before = len(read(GAME)) - 1
    say(referee, "A: ahead")
    ran = referee("game", "undo", GAME, "--to", str(before - 1), *WHY, "--agreed", "alice")
    assert ran.code == 2 and "bob has not agreed" in ran.err
    alone = {"target": before, "onward": True, "reason": "a slip", "agreed_by": ["alice"]}
    refused(referee, forge(Path(GAME), ("undo", alone)), "bob has not agreed")
    nobody = {"target": before + 1, "reason": "a slip", "agreed_by": []}
    refused(referee, forge(Path(GAME), ("undo", nobody)), "has not agreed")
