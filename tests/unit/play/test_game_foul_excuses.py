"""A foul names what judging its entry gives, and does not excuse an act that takes another's away."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from referee.record.reading import read
from tests.cli.conftest import Ran, Run
from tests.conftest import mostly_long
from tests.unit.play.test_game_forging import forge

GAME = Path("g.jsonl")
CLASSES = ("cadet/federation-ca", "cadet/klingon-d6", "cadet/klingon-d6", "cadet/federation-ca")
PLACES = ("1510A", "1506D", "2506D", "2510A")
NAMES = ("alice", "bob", "carol", "dave")
MODES = ("peer", "umpire", "solo", "physical", "seed")
KEPT_BY_ONE = ("solo", "seed")


def begin(referee: Run, players: int = 2, mode: str = "peer", umpire: bool = False) -> None:
    """A game of ships A, B, C, D, one for each player, seats taken."""
    names = NAMES[:players]
    ships = [
        part
        for ship, of, name, place in zip("ABCD", CLASSES, names, PLACES, strict=False)
        for part in ("--ship", f"{ship}={of}:{name}@{place}/16")
    ]
    dice = ["--dice", mode, *(["--seed", "x"] if mode == "seed" else [])]
    dice += ["--umpire", "una"] if umpire or mode == "umpire" else []
    ran = referee("game", "new", GAME, "--players", ",".join(names), *dice, *ships)
    assert ran.code == 0, ran.err
    # Who keeps the seed of solo dice has nothing to join with: the umpire, or who began where there is none.
    joining = names[1:] if mode == "solo" and not umpire else names
    for name in joining if mode in ("peer", "umpire", "solo") else ():
        assert referee("game", "join", GAME, "--as", name).code == 0


def under_way(referee: Run, **how: Any) -> None:
    """The same in impulse 1, all but B having moved, which is called."""
    begin(referee, **how)
    ships = "ABCD"[: how.get("players", 2)]
    speeds = [f"{ship}: speed 16" for ship in ships]
    ran = referee("game", "say", GAME, *speeds, "impulse 1", *(f"{s}: ahead" for s in ships if s != "B"))
    assert ran.code == 0, ran.err


def written(*entries: tuple[str, dict[str, Any]], less: str = "") -> Path:
    """A copy with entries behind it by a writer who judges nothing; who says or agrees to them signs them, but
    `less`, who knows nothing of it."""
    return forge(GAME, *entries, less=less)


def doors(referee: Run, path: Path, reason: str = "") -> None:
    """Verified, checked and taken in: held whole where there is no reason, refused for it elsewhere."""
    for command in (("dice", "verify", path), ("check", path), ("record", "sync", GAME, path)):
        if command[0] == "record":
            kept = GAME.read_bytes()
        ran: Ran = referee(*command)
        if reason:
            assert ran.code == 3 and reason in ran.err, (command, ran)
        else:
            assert ran.code == (1 if command[0] == "check" else 0), (command, ran)
        if command[0] == "record":
            GAME.write_bytes(kept)


def step(player: str = "alice", **more: Any) -> tuple[str, dict[str, Any]]:
    return "step", {"turn": 1, "impulse": 2, "step": "move ships", "player": player, **more}


def foul(**other: Any) -> tuple[str, dict[str, Any]]:
    """The foul that judging the step past B's move gives."""
    said = {"player": "bob", "reason": "does not move", "rule": "C1.4", "key": "C1.4/missed", "subject": "B"}
    return "foul", {k: v for k, v in {**said, "turn": 1, "impulse": 1, **other}.items() if v is not None}


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("mode", "players", "umpire"),
    mostly_long(
        [(mode, players, umpire) for mode in MODES for players in (2, 3, 4) for umpire in (False, True)],
        # Each kind of dice at a table of two alone, and at one of three with an umpire.
        lambda mode, players, umpire: (players, umpire) in ((2, False), (3, True)),
    ),
)
def test_a_foul_excuses_no_step_past_anothers_called_move(
    referee: Run, mode: str, players: int, umpire: bool
) -> None:
    under_way(referee, mode=mode, players=players, umpire=umpire)
    alone = "" if mode in KEPT_BY_ONE else "moves on without bob"
    doors(referee, written(step(), foul()), alone)
    doors(referee, written(step(agreed_by=["alice"]), foul()), alone)
    doors(referee, written(step(agreed_by=["alice", "bob"]), foul()))
    unsaid = "step in the name of bob without the signature of bob"
    doors(referee, written(step(agreed_by=["alice", "bob"]), foul(), less="bob"), unsaid)
    if umpire or mode == "umpire":
        doors(referee, written(step(agreed_by=["una"]), foul()))
        doors(referee, written(step("una"), foul()))
        unsaid = "step in the name of una without the signature of una"
        doors(referee, written(step("una"), foul(), less="una"), unsaid)
        doors(referee, written(step(agreed_by=["una"]), foul(), less="una"), unsaid)
    mine = foul(player="alice", subject="A")
    doors(referee, written(step(agreed_by=["bob"]), mine), "breaks C1.4, and no foul is recorded")


WRONG: dict[str, dict[str, Any]] = {
    "another subject": {"subject": "A"},
    "no subject": {"subject": None},
    "another rule": {"rule": "C1.3", "key": None},
    "another part of the rule": {"key": "C1.4/limit"},
    "another turn": {"turn": 7},
    "no moment": {"turn": None, "impulse": None},
    "another impulse": {"impulse": 9},
    "another player": {"player": "carol"},
}


@pytest.mark.parametrize("name", WRONG)
def test_a_foul_names_what_judging_gives(referee: Run, name: str) -> None:
    under_way(referee, mode="seed", players=3)
    forged = written(step(), foul(**WRONG[name]))
    ran = referee("dice", "verify", forged)
    lines = len(read(forged))
    assert ran.code == 3 and f"line {lines}: a foul with no cause in the record" in ran.err, ran
    assert f"line {lines - 1}: breaks C1.4, and no foul is recorded" in ran.err


def test_a_foul_too_many_is_refused(referee: Run) -> None:
    under_way(referee, mode="peer")
    unborne = "a foul with no cause in the record"
    agreed = step(agreed_by=["bob"])
    doors(referee, written(agreed, foul()))
    doors(referee, written(agreed, foul(), foul()), unborne)
    doors(referee, written(agreed, foul(), foul(subject="A", player="alice")), unborne)
    legal = ("order", {"text": ["B: ahead"], "player": "bob", "turn": 1, "impulse": 1, "move": {"ship": "B", "way": "ahead"}})  # fmt: skip
    doors(referee, written(legal, foul()), unborne)
    doors(referee, written(("note", {"text": "x"}), foul()), unborne)


def test_the_program_asks_for_agreement_and_records_it(referee: Run) -> None:
    under_way(referee)
    before = GAME.read_bytes()
    for command in (("next", GAME, "--to", "1.2.move-ships"), ("say", GAME, "impulse 2")):
        ran = referee("game", *command, "--as", "alice", "--force")
        assert ran.code == 2 and "without bob" in ran.err and "--agreed bob" in ran.err, ran
        assert GAME.read_bytes() == before
        ran = referee("game", *command, "--as", "alice", "--force", "--agreed", "bob")
        assert ran.code == 0, ran.err
        assert next(e for e in read(GAME)[::-1] if e.type == "step").data["agreed_by"] == ["bob"]
        assert referee("dice", "verify", GAME).code == 0
        GAME.write_bytes(before)


def test_a_step_past_ones_own_move_needs_nobody(referee: Run) -> None:
    under_way(referee)
    ran = referee("game", "next", GAME, "--to", "1.2.move-ships", "--as", "bob", "--force")
    assert ran.code == 0, ran.err
    assert referee("dice", "verify", GAME).code == 0


def test_a_turn_is_not_begun_past_anothers_form(referee: Run) -> None:
    """Alice has sealed hers; the impulses do not begin without Bob's, whatever foul she records."""
    begin(referee)
    seal = {
        "v": 1,
        "kind": "eaf",
        "game": read(GAME)[0].data["game"],
        "turn": 1,
        "player": "alice",
        "ship": "A",
    }
    sealed = ("seal", seal | {"seq": 1, "digest": "a" * 64})
    on = {"turn": 1, "step": "speed determination", "player": "alice"}
    own = {"player": "alice", "reason": "on without it", "rule": "B2.0", "key": "B2.0/order", "turn": 1}
    doors(referee, written(sealed, ("step", on), ("foul", own)), "moves on without bob")
    agreed = ("step", on | {"agreed_by": ["bob"]})
    doors(referee, written(sealed, agreed, ("foul", own)))
    unsaid = "step in the name of bob without the signature of bob"
    doors(referee, written(sealed, agreed, ("foul", own), less="bob"), unsaid)


def test_nobody_alone_leaves_fire_and_dice_behind(referee: Run) -> None:
    begin(referee)
    orders = ("A: speed 16", "B: speed 16", "impulse 1", "A: ahead", "B: ahead", "B: fire PH-1A at A")
    ran = referee("game", "say", GAME, *orders)
    assert ran.code in (0, 2), ran.err
    if ran.code == 2:
        orders = (*orders[:5], "A: fire PH-1A at B")
        assert referee("game", "say", GAME, *orders).code == 0
    said = {
        "player": "alice",
        "reason": "on",
        "rule": "B2.0",
        "key": "B2.0/resolved",
        "turn": 1,
        "impulse": 2,
    }
    doors(referee, written(step(), ("foul", said)), "moves on without bob")
    doors(referee, written(step(agreed_by=["bob"]), ("foul", said)))
    unsaid = "step in the name of bob without the signature of bob"
    doors(referee, written(step(agreed_by=["bob"]), ("foul", said), less="bob"), unsaid)


@pytest.mark.parametrize("mode", ["physical", "seed"])
def test_a_round_is_not_begun_past_anothers_ship(referee: Run, mode: str) -> None:
    """Nobody's foul begins the next round of a combat while another's ship is still to act."""
    from tests.cli.test_trek_game import begin as combat

    dice = ("--dice", mode, *(("--seed", "x") if mode == "seed" else ()))
    path = Path(combat(referee, dice=dice))
    before = path.read_bytes()
    ran = referee("game", "next", path, "--as", "beta", "--force")
    if mode == "seed":
        assert ran.code == 0, "one keeper only notes it"
        forged = [(entry.type, dict(entry.data)) for entry in read(path)][len(before.splitlines()) :]
        own = forged[-1]
        path.write_bytes(before)
        doors(referee, written(*forged))
        doors(referee, written(*forged, own), "a foul with no cause in the record")
        doors(referee, written(*forged[:-1], ("foul", own[1] | {"rule": "trek-8"})), "no foul is recorded")
        doors(referee, written(own), "a foul with no cause in the record")
        return
    assert ran.code == 2 and "without another player" in ran.err and path.read_bytes() == before, ran
    ran = referee("game", "next", path, "--as", "beta", "--agreed", "alpha,beta")
    assert ran.code == 0, ran.err
    assert referee("dice", "verify", path).code == 0


def test_a_writer_of_ones_own_begins_no_round_past_anothers_ship(referee: Run) -> None:
    from tests.cli.test_trek_game import begin as combat

    path = Path(combat(referee, dice=("--dice", "physical")))
    state = {"turn": 1}
    error = {"player": "beta", "reason": "Lancer is still to act: alpha is awaited", "rule": "trek-7"}
    act = ("order", {"text": ["next round"], "player": "beta", "act": {"act": "round"}})
    number = len(read(path))
    events = ("events", {"events": [], "act": number, "findings": [], "answers": [], **state})
    ran = referee("dice", "verify", written(act, events, ("foul", {**error, "subject": "Lancer", "turn": 1})))
    assert ran.code == 3 and "without another player" in ran.err, ran
