"""Games from their beginning to their report, in every mode of dice, as players play them."""

from __future__ import annotations

import fcntl
from collections.abc import Callable
from json import dumps, loads
from pathlib import Path
from typing import Any

import pytest

from referee.record.journal import append
from referee.record.kernellock import lock
from referee.record.reading import read
from referee.record.recordfile import locked
from tests.cli.conftest import Ran, Run
from tests.unit.play.test_game_forging import BY_MAIL, SHIPS, begin, in_the_fight

Holds = Callable[[Any], None]
NEW = ("game", "new", "g.jsonl", "--players", "alice,bob")
FIGHT = ("game", "next", "g.jsonl", "--to", "1.1.resolve-fire")
STRIKE = ("volley", "B", "--game", "g.jsonl", "--as", "alice", "--damage", "21", "--shield", "1")


def played(referee: Run, *commands: tuple[Any, ...]) -> Ran:
    """Runs commands that all must be done; the last one's run."""
    for command in commands:
        ran = referee(*command)
        assert ran.code == 0 and ran.err == "", (command, ran)
    return ran


def types(path: str = "g.jsonl") -> list[str]:
    return [entry.type for entry in read(path)]


def replay_hash(referee: Run, path: str = "g.jsonl") -> str:
    return referee("game", "replay", path).out.splitlines()[-1]


@pytest.mark.parametrize("alone", [True, False])
def test_a_solo_game(referee: Run, holds: Holds, alone: bool) -> None:
    ran = played(referee, (*NEW, *SHIPS, *(("--alone",) if alone else ())))
    if not alone:
        assert "from alice: to join" not in ran.out and "awaited from bob: to join" in ran.out
        assert referee("roll", "2d6", "--game", "g.jsonl", "--as", "alice").code == 2
        ran = referee("game", "join", "g.jsonl", "--as", "alice", "--text", "any words")
        assert ran.code == 2 and "alice keeps the seed" in ran.err, ran
        played(referee, ("game", "join", "g.jsonl", "--as", "bob"))
    assert referee("game", "join", "g.jsonl", "--as", "bob").code == 2
    ran = played(referee, FIGHT, STRIKE)
    assert types()[-4:] == ["order", "declare", "result", "events"] and "21 points on #1: 16 to 0" in ran.out
    assert "1 to be recomputed when the seed is shown" in played(referee, ("dice", "verify", "g.jsonl")).out
    played(
        referee,
        ("roll", "3d6+1", "--game", "g.jsonl", "--as", "bob", "--for", "a leap"),
        ("dice", "show-seed", "g.jsonl"),
    )
    assert "2 rolls, 2 recomputed, 0 wrong (solo dice)" in played(referee, ("dice", "verify", "g.jsonl")).out
    assert referee("roll", "d6", "--game", "g.jsonl", "--as", "bob").code == 2  # now everybody knows the dice
    assert "operator could have looked ahead" in referee("game", "status", "g.jsonl").out
    for command in (
        ("game", "status"),
        ("game", "replay"),
        ("dice", "verify"),
        ("dice", "stats"),
        ("record", "verify"),
        ("record", "head"),
    ):
        holds(referee(*command, "g.jsonl", "--json").json)
    assert Path("g.secrets").stat().st_mode & 0o77 == 0
    assert all(path.stat().st_mode & 0o77 == 0 for path in Path("g.secrets").iterdir())


def test_an_umpires_game(referee: Run, own_folder: Path) -> None:
    assert referee(*NEW, "--dice", "umpire").code == 2
    assert referee(*NEW, "--dice", "umpire", "--umpire", "alice").code == 2
    assert not list(own_folder.iterdir())
    played(referee, (*NEW, "--dice", "umpire", "--umpire", "carol", *SHIPS))
    played(
        referee,
        ("game", "join", "g.jsonl", "--as", "alice"),
        ("game", "join", "g.jsonl", "--as", "bob"),
        FIGHT,
    )
    # Only where the seed is kept can the dice be thrown: here the players' copy is elsewhere.
    Path("copy").mkdir()
    Path("copy/g.jsonl").write_bytes(Path("g.jsonl").read_bytes())
    played(
        referee,
        ("game", "key", "g.jsonl", "--as", "alice", "--export", "alice.key"),
        ("game", "key", "copy/g.jsonl", "--as", "alice", "--import", "alice.key"),
    )
    ran = referee("volley", "B", "--game", "copy/g.jsonl", "--as", "alice", "--internals", "3")
    assert ran.code == 0 and "awaited: carol, to throw the dice (dice throw)" in ran.out
    assert types("copy/g.jsonl")[-1] == "declare"
    declared = Path("copy/g.jsonl").read_bytes()
    again = referee("game", "resolve", "copy/g.jsonl")
    assert again.code == 0 and "awaited from carol: roll 1 to be thrown (dice throw)" in again.out, again
    thrown = referee("dice", "throw", "copy/g.jsonl")
    assert thrown.code == 2 and "the seed of these dice is not here" in thrown.err
    assert Path("copy/g.jsonl").read_bytes() == declared
    played(referee, ("record", "sync", "g.jsonl", "copy/g.jsonl"), ("dice", "throw", "g.jsonl"))
    assert types()[-2:] == ["result", "events"]
    # The umpire may act for all, a player only for himself.
    ruling = ("game", "rule", "g.jsonl", "the roll stands")
    assert referee(*ruling, "--by", "alice").code == 2
    played(referee, (*ruling, "--by", "carol", "--on", "5"))
    assert referee(*ruling, "--by", "carol", "--on", "99").code == 2
    assert referee("game", "undo", "g.jsonl", "5", "--reason", "x", "--agreed", "alice").code == 2
    played(referee, ("game", "undo", "g.jsonl", str(len(types()) - 1), "--reason", "x", "--agreed", "carol"))
    assert "umpire: carol" in referee("game", "status", "g.jsonl").out
    # Another game's seed is not thrown by mistake.
    played(
        referee, ("game", "new", "h.jsonl", "--players", "alice,bob", "--dice", "umpire", "--umpire", "carol")
    )
    Path("g.secrets/dice-seed.json").write_bytes(Path("h.secrets/dice-seed.json").read_bytes())
    ran = referee("dice", "show-seed", "g.jsonl")
    assert ran.code == 2 and "not the seed this game committed to" in ran.err


def test_dice_thrown_by_hand(referee: Run) -> None:
    assert referee("game", "new", "x.jsonl", "--players", "alice", "--dice", "physical").code == 2
    played(referee, (*NEW, "--dice", "physical", *SHIPS), FIGHT)
    assert "awaited: the dice, by hand" in played(referee, STRIKE).out
    before = Path("g.jsonl").read_bytes()
    for wrong in ("1 2 3 4 5 6", "1 2 3 4 7"):
        ran = referee("dice", "enter", "g.jsonl", *wrong.split(), "--as", "alice")
        assert ran.code == 2 and ran.err.count("\n") == 1 and Path("g.jsonl").read_bytes() == before
    assert referee("dice", "throw", "g.jsonl").code == 2
    ran = played(referee, ("dice", "enter", "g.jsonl", *"62515", "--as", "alice"))
    assert (
        "awaited from bob" in ran.out
        and "awaited from bob: the typed dice" in referee("game", "status", "g.jsonl").out
    )
    assert referee("roll", "d6", "--game", "g.jsonl", "--as", "bob").code == 2
    ran = referee("dice", "confirm", "g.jsonl", "--as", "alice")
    assert ran.code == 2 and "somebody else confirms" in ran.err
    played(
        referee,
        ("dice", "confirm", "g.jsonl", "--as", "bob"),
        ("roll", "d6", "--game", "g.jsonl", "--as", "bob"),
    )
    assert referee("dice", "confirm", "g.jsonl", "--as", "bob").code == 2
    assert "1 typed in by hand" in referee("dice", "verify", "g.jsonl").out


def test_practice_dice(referee: Run) -> None:
    path = in_the_fight(referee)
    played(referee, STRIKE)
    assert "1 roll, 1 recomputed, 0 wrong (seed dice)" in played(referee, ("dice", "verify", path)).out
    assert (
        "NOT FAIR" in referee("game", "status", path).out
        and "NOT FAIR" in referee("game", "report", path).out
    )
    for wrong in (
        ("dice", "key", path, "--as", "alice"),
        ("dice", "enter", path, "3", "--as", "alice"),
        ("dice", "show-seed", path),
        ("dice", "throw", path),
    ):
        ran = referee(*wrong)
        assert ran.code == 2 and ran.err.count("\n") == 1, (wrong, ran)


def test_beginning_writes_all_or_nothing(referee: Run, own_folder: Path) -> None:
    for wrong in (
        ("--players", "alice,alice"), ("--players", "Alice"), ("--players", ""), ("--ship", "X=cadet/nothing:alice"),
        ("--ship", "X=cadet/klingon-d6:carol"), ("--ship", "nonsense"), ("--ship", "X=cadet/klingon-d6:alice", "--ship", "x=cadet/klingon-d6:bob"),
        ("--dice", "loaded"), ("--dice", "seed"), ("--seed", "x"), ("--option", "luck=true"), ("--option", "reinforcement=perhaps"),
        ("--rulebook", "chess"), ("--umpire", "bob"), ("--alone", "--dice", "peer"), ("--title", "a\x07b"), ("--house", "none.toml"),
    ):  # fmt: skip
        ran = referee(*NEW, *wrong)
        assert ran.code == 2 and ran.out == "" and ran.err.count("\n") == 1, (wrong, ran)
        assert not list(own_folder.iterdir()), wrong
    played(referee, NEW)
    before = Path("g.jsonl").read_bytes()
    ran = referee(*NEW)
    assert ran.code == 2 and "already exists" in ran.err and Path("g.jsonl").read_bytes() == before
    # An earlier game of the same name left secrets; they are kept, and are not in the way.
    Path("g.jsonl").unlink()
    played(referee, NEW)
    names = {path.name for path in Path("g.secrets").iterdir()}
    assert len([name for name in names if name.startswith("sign-")]) == 4  # of two players, twice begun
    assert {name for name in names if not name.startswith("sign-")} == {
        "dice-seed.json",
        "dice-seed.json.unused-1",
    }


def test_the_options_of_a_game_are_those_it_was_begun_with(
    referee: Run, own_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (own_folder / "house.toml").write_text(
        'extends = "sfb-cadet"\noff = ["H6.2"]\n[options]\nimpulses = "8"\n[severity]\n"B2.0" = "warning"\n'
    )
    played(referee, (*NEW, *SHIPS, "--alone", "--option", "reinforcement=true", "--house", "house.toml"))
    genesis = read("g.jsonl")[0].data
    assert genesis["options"] == {"impulses": "8", "reinforcement": "true"}
    assert genesis["house"] == {"off": ["H6.2"], "severity": [["B2.0", "warning"]]}
    status = referee("game", "status", "g.jsonl")
    assert (
        "reinforcement=true" in status.out
        and "impulses=8" in status.out
        and "house rules" in status.out
        and "H6.2" in status.out
    )
    # What files and the environment say later changes nothing, and what changed is in force everywhere.
    (own_folder / "referee.toml").write_text('[options]\nimpulses = "32"\nreinforcement = "false"\n')
    monkeypatch.setenv("REFEREE_OPTION_IMPULSES", "16")
    assert referee("game", "status", "g.jsonl").out == status.out
    assert referee("game", "next", "g.jsonl", "--to", "1.9.fire").code == 2
    played(referee, ("game", "next", "g.jsonl", "--to", "1.8.fire"))
    back = referee("game", "next", "g.jsonl", "--to", "1.7.fire")
    assert back.code == 0 and "warning [B2.0" in back.out
    assert referee("dice", "verify", "g.jsonl").code == 0


def test_steps_and_fouls(referee: Run) -> None:
    path = begin(referee)
    assert "turn 1, speed determination" in played(referee, ("game", "next", path)).out
    played(referee, ("game", "next", path, "--to", "1.4.fire"))
    before = path.read_bytes()
    ran = referee("game", "next", path, "--to", "1.4.launch")
    assert (
        ran.code == 1
        and "B2.0" in ran.err
        and "nothing was recorded" in ran.err
        and path.read_bytes() == before
    )
    for wrong in ("0", "x", "1.fire", "1.99.fire", "1.4.fir", "9999"):
        assert referee("game", "next", path, "--to", wrong).code == 2, wrong
    # Out of step: damage in the fire step, a form in the middle of the turn.
    for command in (
        (*STRIKE,),
        ("game", "apply", path, BY_MAIL / "constellation.csv", "--ship", "A"),
        ("seal", BY_MAIL / "constellation.csv", "--game", path, "--ship", "A"),
    ):
        ran = referee(*command)
        assert ran.code == 1 and "B2.0" in ran.err and path.read_bytes() == before, (command, ran)
        assert all(path.name.startswith("sign-") for path in Path("g.secrets").iterdir())
    assert referee("game", "next", path, "--to", "1.4.launch", "--force").code == 2  # whose foul is it?
    assert referee("game", "next", path, "--to", "1.4.launch", "--force", "--as", "bob").code == 0
    assert referee(*STRIKE, "--force").code == 0
    assert referee("seal", BY_MAIL / "constellation.csv", "--game", path, "--ship", "A", "--force").code == 0
    fouls = [(entry.data["player"], entry.data["rule"]) for entry in read(path) if entry.type == "foul"]
    assert fouls == [("bob", "B2.0"), ("alice", "B2.0"), ("alice", "B2.0")]
    assert referee("dice", "verify", path).code == 0
    status = referee("game", "status", path)
    assert status.out.count("foul #") == 3
    checked = referee("check", path, "--json")
    assert (
        checked.code == 1
        and {f["rule"] for f in checked.findings("error")} == {"B2.0"}
        and len(checked.findings("error")) == 3
    )


def test_a_turn_waits_for_every_form(referee: Run) -> None:
    path = begin(referee)
    played(referee, ("game", "apply", path, BY_MAIL / "constellation.csv", "--ship", "A"))
    ran = referee("game", "next", path)
    assert ran.code == 1 and "without the form of B (bob)" in ran.err
    assert (
        referee("game", "apply", path, BY_MAIL / "destruction.csv", "--ship", "B", "--as", "alice").code == 2
    )
    played(
        referee,
        ("game", "apply", path, BY_MAIL / "destruction.csv", "--ship", "B", "--as", "bob"),
        ("game", "next", path),
    )
    assert referee("game", "apply", path, BY_MAIL / "destruction.csv", "--ship", "B").code == 1


def test_an_illegal_form_is_refused_or_leaves_its_foul(referee: Run, own_folder: Path) -> None:
    path = begin(referee)
    text = (BY_MAIL / "constellation.csv").read_text().replace("Phasrecharge,3", "Phasrecharge,9")
    (own_folder / "bad.csv").write_text(text)
    before = path.read_bytes()
    ran = referee("game", "apply", path, "bad.csv", "--ship", "A")
    assert ran.code == 1 and path.read_bytes() == before and "error [" in ran.err and ran.out == ""
    assert referee("game", "apply", path, "bad.csv", "--ship", "A", "--force").code == 0
    assert types()[-1] == "foul" and (own_folder / "bad.csv").read_text() == text
    assert referee("dice", "verify", path).code == 0
    for name, content in (
        ("none.csv", None),
        ("empty.csv", ""),
        ("odd.csv", "Ship,A\nTurn,1\nMovement,lots\n"),
        ("late.csv", "Ship,A\nTurn,2\nMovement,1\n"),
    ):
        if content is not None:
            (own_folder / name).write_text(content)
        ran = referee("game", "apply", path, name, "--ship", "A")
        assert ran.code == 2 and ran.err.count("\n") == 1, (name, ran)


def test_a_form_is_judged_by_its_own_turn(referee: Run) -> None:
    """What a ship loses later does not make the form illegal that was filled in before."""
    path = begin(referee)
    played(
        referee,
        ("seal", BY_MAIL / "constellation.csv", "--game", path, "--ship", "A"),
        ("seal", BY_MAIL / "destruction.csv", "--game", path, "--ship", "B"),
        FIGHT,
    )
    played(
        referee,
        ("volley", "B", "--game", path, "--as", "alice", "--internals", "40"),
        ("game", "next", path, "--to", "1.end-of-turn"),
    )
    played(
        referee,
        ("reveal", "--game", path, "--ship", "B"),
        ("reveal", "--game", path, "--ship", "A"),
        ("dice", "verify", path),
    )


def test_undo_ruling_replay_and_report(referee: Run, own_folder: Path, holds: Holds) -> None:
    path = begin(referee)
    played(referee, ("game", "apply", path, BY_MAIL / "constellation.csv", "--ship", "A"))
    form = len(types()) - 1
    undo = ("game", "undo", path, str(form), "--reason", "wrong file")
    assert referee(*undo).code == 2 and referee(*undo, "--agreed", "alice").code == 2
    filed = replay_hash(referee)
    played(referee, (*undo, "--agreed", "alice,bob"))
    assert replay_hash(referee) != filed and referee(*undo, "--agreed", "alice,bob").code == 2
    for wrong in ("0", "99", "-1"):
        assert referee("game", "undo", path, wrong, "--reason", "x", "--agreed", "alice,bob").code == 2
    # An undo can itself be taken back, and then the form stands again.
    played(referee, ("game", "undo", path, str(form + 1), "--reason", "no", "--agreed", "alice,bob"))
    assert replay_hash(referee) == filed
    played(referee, ("game", "undo", path, str(form + 2), "--reason", "yes", "--agreed", "alice,bob"))
    played(
        referee,
        ("game", "apply", path, BY_MAIL / "constellation.csv", "--ship", "A"),
        ("game", "apply", path, BY_MAIL / "destruction.csv", "--ship", "B"),
        FIGHT,
    )
    assert referee("game", "rule", path, "x", "--by", "carol").code == 2
    played(referee, STRIKE, ("game", "rule", path, "the range was 8, not 9", "--by", "bob", "--on", "2"))
    listed = referee("game", "replay", path).out
    assert "(taken back)" in listed and listed == referee("game", "replay", path).out
    assert referee("game", "replay", path, "--to", "99").code == 2
    first = referee("game", "replay", path, "--to", "3", "--json").json
    holds(first)
    assert first["entries"] == 4 and first["turn"] == 1 and first["awaited"] == []
    now = referee("game", "replay", path, "--json").json
    assert now["state_hash"] in listed and now["rulings"] and now["undone"]
    told = referee("game", "report", path)
    assert told.code == 0 and "the range was 8, not 9" in told.out and "referee dice verify g" in told.out
    assert referee("game", "report", path, "-o", "r.md").code == 0
    assert "the range was 8, not 9" in (own_folder / "r.md").read_text()
    before = path.read_bytes()
    assert referee("game", "report", path, "-o", path).code == 2 and path.read_bytes() == before


def test_a_step_is_undone_only_while_nothing_came_of_it(referee: Run) -> None:
    path = begin(referee)
    played(referee, ("game", "next", path), ("game", "next", path))
    last = len(types()) - 1
    ran = referee("game", "undo", path, str(last - 1), "--reason", "x", "--agreed", "alice,bob")
    assert ran.code == 2 and f"#{last} rests on it" in ran.err
    played(referee, ("game", "undo", path, str(last), "--reason", "x", "--agreed", "alice,bob"))
    assert "speed determination" in referee("game", "status", path).out


def test_the_owner_says_how_boxes_are_picked(referee: Run, own_folder: Path) -> None:
    path = in_the_fight(referee)
    assert referee("game", "choose", path, "B", "spread", "--as", "alice").code == 2
    assert referee("game", "choose", path, "B", "sprea", "--as", "bob").code == 2
    played(referee, ("game", "choose", path, "B", "spread", "--as", "bob"))
    strike = ("volley", "B", "--game", path, "--internals", "5")
    ran = referee(*strike, "--as", "alice", "--choose", "protect-power")
    assert ran.code == 2 and "its policy is spread" in ran.err
    played(referee, (*strike, "--as", "alice", "--choose", "spread"))
    (own_folder / "picks.json").write_text(dumps({"1": "lab", "2": "nonsense/7"}))
    assert referee(*strike, "--as", "alice", "--choose", "picks.json").code == 2
    played(referee, (*strike, "--as", "bob", "--choose", "picks.json"), ("dice", "verify", path))


def test_a_roll_that_does_not_count(referee: Run) -> None:
    path = in_the_fight(referee)
    whole = referee("game", "status", path, "--json").json["ships"]
    played(referee, STRIKE)
    again = ("dice", "reroll", path, "1", "--reason", "the wrong shield")
    assert referee(*again, "--agreed", "alice").code == 2 and types()[-1] == "events"
    played(referee, (*again, "--agreed", "alice,bob"))
    state = referee("game", "status", path, "--json").json
    assert state["ships"] == whole and state["rolls"][0]["status"] == "reroll"
    assert referee(*again, "--agreed", "alice,bob").code == 2
    played(referee, STRIKE, ("dice", "verify", path))
    assert [entry.data["roll"] for entry in read(path) if entry.type == "declare"] == [1, 2]
    assert referee("dice", "void", path, "--reason", "x", "--agreed", "alice,bob").code == 2


def test_dice_of_a_game_are_its_own(referee: Run) -> None:
    path = begin(referee)
    for wrong in (("--seed", "mine"), ("--json",)):
        assert referee("roll", "2d6", "--game", path, "--as", "alice", *wrong).code == 2
    assert referee("roll", "2d6", "--as", "alice").code == 2
    assert referee("roll", "2d6", "--game", path, "--as", "carol").code == 2
    assert referee("roll", "2d6", "--game", path).code == 2
    for _ in range(12):
        played(referee, ("roll", "2d6", "--times", "3", "--game", path, "--as", "alice", "--for", "range 5"))
    stats = played(referee, ("dice", "stats", path)).out
    assert "alice, d6 (seed): 72 dice" in stats and "fair dice:" in stats and "of fair games" in stats
    assert (
        sum(face["count"] for face in referee("dice", "stats", path, "--json").json["stats"][0]["faces"])
        == 72
    )
    played(referee, ("dice", "verify", path))


def test_no_dice_no_statistics(referee: Run) -> None:
    assert "no dice have been thrown" in played(referee, ("dice", "stats", begin(referee))).out


def test_a_record_that_is_being_written_is_in_use(
    referee: Run, program: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = begin(referee)
    for waits in (lock, locked.__wrapped__, append):
        monkeypatch.setitem(waits.__kwdefaults__, "seconds", 0.1)
    before = path.read_bytes()
    with path.open("rb+") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        ran = referee("game", "next", path)
        assert ran.code == 75 and "another program" in ran.err and ran.err.count("\n") == 1
    assert path.read_bytes() == before
    assert referee("game", "next", path).code == 0


def test_recovery_of_a_torn_tail(referee: Run, own_folder: Path) -> None:
    path = begin(referee)
    whole, state = path.read_bytes(), referee("game", "replay", path).out
    for tail in (b"{", whole.splitlines()[-1], b'{"data":{"text"'):
        path.write_bytes(whole + tail)
        for command in (
            ("game", "status"),
            ("game", "next"),
            ("game", "replay"),
            ("record", "verify"),
            ("dice", "verify"),
            ("check",),
        ):
            ran = referee(*command, path)
            assert ran.code == 4 and "record recover" in ran.err and ran.err.count("\n") == 1, (command, ran)
        assert path.read_bytes() == whole + tail
        ran = referee("record", "recover", path)
        assert ran.code == 0 and "set aside" in ran.out and path.read_bytes() == whole
    assert len(list(own_folder.glob("g.jsonl.torn-*"))) == 3
    assert (
        "nothing to recover" in referee("record", "recover", path).out
        and referee("game", "replay", path).out == state
    )
    path.write_bytes(whole.replace(b"alice", b"alicf", 1))
    assert referee("record", "recover", path).code == 3 and referee("game", "status", path).code == 3


def test_a_save_is_no_record(referee: Run, own_folder: Path) -> None:
    """Each is said to be none, and nothing of it is set aside."""
    files = {
        "zip.vsav": b"PK\x03\x04" + b"\0" * 60,
        "plain.vsav": b"!VCSK5a" + b"0" * 900,
    }
    for name, data in files.items():
        (own_folder / name).write_bytes(data)
        commands = ("game", "chat"), ("game", "status"), ("record", "verify"), ("record", "recover")
        for command in commands:
            ran = referee(*command, own_folder / name)
            assert ran.code == 2 and "no game record" in ran.err and ran.err.count("\n") == 1, (
                command,
                ran,
            )
    (own_folder / "state.json").write_bytes(b'{"schema": "x"}')
    ran = referee("record", "recover", own_folder / "state.json")
    assert ran.code == 2 and "no game record" in ran.err
    assert not list(own_folder.glob("*.torn-*"))
    assert all((own_folder / name).read_bytes() == data for name, data in files.items())


def test_what_is_no_record(referee: Run, own_folder: Path) -> None:
    (own_folder / "empty.jsonl").write_bytes(b"")
    (own_folder / "text.jsonl").write_bytes(b"hello\n")
    (own_folder / "link.jsonl").symlink_to("text.jsonl")
    (own_folder / "folder.jsonl").mkdir()
    for name, code in (
        ("none.jsonl", 2),
        ("empty.jsonl", 2),
        ("folder.jsonl", 2),
        ("link.jsonl", 2),
        ("text.jsonl", 3),
    ):
        for command in (
            ("game", "status"),
            ("game", "next"),
            ("dice", "stats"),
            ("record", "verify"),
            ("record", "sync", "g.jsonl"),
        ):
            if command[1] == "sync":
                Path("g.jsonl").exists() or begin(referee)
            ran = referee(*command, name)
            assert ran.code == code and ran.out == "" and ran.err.count("\n") == 1, (command, name, ran)


def test_names_and_texts_of_players_cannot_write_on_the_terminal(referee: Run) -> None:
    path = begin(referee, "g.jsonl", "--title", "[red]x[/red] \u202e")
    played(referee, ("game", "rule", path, "see [link=http://x]here[/link] \u202e", "--by", "alice"))
    for command in (("game", "status"), ("game", "replay"), ("game", "report")):
        ran = referee(*command, path)
        assert ran.code == 0 and "\u202e" not in ran.out, command


def test_the_head_that_was_noted(referee: Run) -> None:
    path = begin(referee)
    head, digest = (
        referee("record", "head", path).out.strip(),
        referee("record", "head", path, "--json").json["hash"],
    )
    played(referee, ("game", "next", path))
    for noted in (head, digest, head.partition(" ")[2], f"#{len(types()) - 2} {digest}"):
        ran = played(referee, ("record", "verify", path, "--head", noted))
        assert "1 entry came after it" in ran.out
    assert referee("record", "verify", path, "--head", "nonsense").code == 2
    whole = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(whole[:-2]))
    assert referee("record", "verify", path).code == 0
    ran = referee("record", "verify", path, "--head", head)
    assert ran.code == 3 and "old copy" in ran.err
    assert loads(referee("game", "status", path, "--json").out)["head"] != head


@pytest.mark.parametrize(("who", "explained"), [("alice", False), ("bob", True)])
def test_a_volley_that_no_fire_explains_is_said_so(referee: Run, who: str, explained: bool) -> None:
    """Fire may be rolled on a table: the opponent's word for it is recorded, and marked as no more than that."""
    new = ("game", "new", "u.jsonl", "--players", "alice,bob", "--alone")
    ships = ("--ship", "A=cadet/federation-ca:alice@1010D/16", "--ship", "B=cadet/klingon-d6:bob@1014A/16")
    assert referee(*new, *ships).code == 0
    assert referee("game", "next", "u.jsonl", "--to", "1.1.resolve-fire").code == 0
    struck = referee("volley", "B", "--game", "u.jsonl", "--as", who, "--damage", "3", "--shield", "1")
    assert struck.code == 0, struck.err
    checked, status = referee("check", "u.jsonl", "--json"), referee("game", "status", "u.jsonl", "--json")
    told = [found for found in checked.findings("undecided") if found["key"] == "NOTE/unexplained-volley"]
    assert bool(told) != explained and checked.json["verdict"] == ("legal" if explained else "cannot-tell")
    assert [item["points"] for item in status.json["unexplained"]] == ([] if explained else [3])
    said = "no fire in the record explains it" in referee("game", "status", "u.jsonl").out
    assert said != explained


def test_a_game_is_played_by_the_rulebook_of_its_ships(referee: Run, own_folder: Path) -> None:
    eagle, d7 = "A=standard/romulan-we:alice@1010A/8", "B=standard/klingon-d7:bob@1005D/8"
    ran = referee(*NEW, "--alone", "--ship", eagle, "--ship", d7)
    assert ran.code == 0 and "standard ships" in ran.out
    assert read("g.jsonl")[0].data["rulebook"] == "sfb-standard"
    mixed = (
        "game",
        "new",
        "m.jsonl",
        *NEW[3:],
        "--alone",
        "--ship",
        eagle,
        "--ship",
        "B=cadet/klingon-d6:bob",
    )
    ran = referee(*mixed)
    assert ran.code == 2 and "ships of several rulebooks" in ran.err
    assert "--rulebook sfb-standard or sfb-cadet" in ran.err
    assert referee(*mixed, "--rulebook", "sfb-standard").code == 0


def test_fire_of_a_ship_at_one_target_is_awaited_once(referee: Run, holds: Holds) -> None:
    played(referee, (*NEW, *SHIPS, "--alone"), ("game", "next", "g.jsonl", "--to", "1.1.fire"))
    for weapon in ("PH-1/A", "PH-1/B"):
        ran = referee("game", "say", "g.jsonl", f"A: fire {weapon} at B", "--as", "alice", "--force")
        assert ran.code == 0, ran.err
    assert referee("game", "status", "g.jsonl").out.count("A's fire at B to be rolled") == 1
