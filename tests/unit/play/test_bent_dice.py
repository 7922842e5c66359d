"""Tricks with dice, played by a cheat with a writer of his own: none of them verifies, and none syncs."""

from __future__ import annotations

import json
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.conftest import ROOT, mostly_long
from tests.unit.play.cheat import Writer, chain_key, digest, thrown, without_signatures

NAMES = ("alice", "bob", "carol", "dave")
GAME = Path("g.jsonl")
SECRETS = Path("g.secrets")
TABLES = pytest.mark.parametrize(
    ("count", "umpire"),
    mostly_long(
        [(n, u) for n in (2, 3, 4) for u in ("", "ump")],
        # A table of two alone, and one where a third may speak and an umpire be asked.
        lambda count, umpire: (count, umpire) in ((2, ""), (3, "ump")),
    ),
)
DICE = ((3, 6), (2, 6))


def begin(referee: Run, count: int, umpire: str, *dice: str) -> tuple[str, ...]:
    players = NAMES[:count]
    more = ("--umpire", umpire) if umpire else ()
    ran = referee("game", "new", GAME, "--players", ",".join(players), *dice, *more)
    assert ran.code == 0, ran
    return players


def seated(referee: Run, count: int, umpire: str) -> tuple[str, ...]:
    """A game of peer dice that all have joined, and a copy of each."""
    players = begin(referee, count, umpire, "--dice", "peer")
    for player in players:
        assert referee("game", "join", GAME, "--as", player).code == 0
    return players


def refused(referee: Run, forged: Path, *reasons: str) -> None:
    """Whoever reads it, checks it or takes it in is told."""
    for command in (("dice", "verify", forged), ("game", "status", forged), ("check", forged)):
        ran = referee(*command)
        assert ran.code in (2, 3), (command, ran)
        assert any(reason in ran.err for reason in reasons), ran
    before = GAME.read_bytes()
    ran = referee("record", "sync", GAME, forged, "--as", "carol")
    assert ran.code in (2, 3) and GAME.read_bytes() == before, ran


def unsigned(referee: Run, forged: Path, name: str) -> None:
    """What stands in the name of somebody who did not sign it is found by the signatures alone."""
    ran = referee("record", "verify", forged)
    assert ran.code == 3 and f"in the name of {name} without the signature of {name}" in ran.err, ran


def keys(players: tuple[str, ...], roll: int) -> dict[str, str]:
    return {player: chain_key(SECRETS, player, roll) for player in players}


def best(dice: tuple[tuple[int, int], ...]) -> list[dict[str, object]]:
    groups = [{"for": f"die {n}", "count": c, "sides": s} for n, (c, s) in enumerate(dice)]
    return [{**group, "faces": [group["sides"]] * int(str(group["count"]))} for group in groups]


# -- a key that is kept back -------------------------------------------------------------


@TABLES
def test_who_holds_all_other_keys_keeps_back_hers_and_a_friend_names_the_faces(
    referee: Run, count: int, umpire: str
) -> None:
    players = seated(referee, count, umpire)
    cheat = Writer(GAME)
    declared = cheat.declare(1, "alice", DICE)
    for player in players[1:]:
        cheat.key(1, player, declared, chain_key(SECRETS, player, 1), chain_key(SECRETS, player, 2))
    said = {"roll": 1, "declaration": declared, "refuser": "alice", "by": "bob"}
    keys_in = cheat.save(Path("keys.jsonl"))
    for more in ({}, {"agreed_by": list(players[1:])}):
        again = Writer(keys_in)
        again.add("forfeit_roll", **said, **more, toward="min", dice=best(DICE))
        refused(referee, again.save(Path("forged.jsonl")), "names the faces")
    # With the others' names, which the two cannot sign.
    if count > 2:
        again = Writer(keys_in)
        again.held = ("alice", "bob")
        again.add("forfeit_roll", **said, agreed_by=list(players[1:]), toward="min", dice=best(DICE))
        forged = again.save(Path("forged.jsonl"))
        refused(referee, forged, "names the faces")
        unsigned(referee, forged, "carol")


@TABLES
def test_a_friend_of_who_keeps_her_key_back_names_faces_against_the_others(
    referee: Run, count: int, umpire: str
) -> None:
    players = seated(referee, count, umpire)
    cheat = Writer(GAME)
    declared = cheat.declare(1, "alice", DICE)
    for player in players[2:]:
        cheat.key(1, player, declared, chain_key(SECRETS, player, 1), chain_key(SECRETS, player, 2))
    said = {"roll": 1, "declaration": declared, "refuser": "bob", "by": "alice"}
    cheat.add("forfeit_roll", **said, toward="max", dice=best(DICE))
    refused(referee, cheat.save(Path("forged.jsonl")), "names the faces")


@TABLES
def test_nobody_chooses_once_the_last_key_is_out(referee: Run, count: int, umpire: str) -> None:
    """The dice are known: a key that is in cannot be kept back, nor one that was kept back come in."""
    players = seated(referee, count, umpire)
    late = Writer(GAME)
    declared = late.declare(1, "alice", DICE)
    for player in (*players[1:], "alice"):
        late.key(1, player, declared, chain_key(SECRETS, player, 1), chain_key(SECRETS, player, 2))
    late.add("forfeit_roll", roll=1, declaration=declared, refuser="bob", by=players[-1 if count > 2 else 0])
    refused(referee, late.save(Path("forged.jsonl")), "bob gave the key")
    late = Writer(GAME)
    declared = late.declare(1, "alice", DICE)
    late.add("forfeit_roll", roll=1, declaration=declared, refuser="bob", by="alice")
    late.key(1, "bob", declared, chain_key(SECRETS, "bob", 1), chain_key(SECRETS, "bob", 2))
    refused(referee, late.save(Path("forged.jsonl")), "kept the key of roll 1 back")


@pytest.mark.parametrize("count", [3, 4])
def test_the_last_key_is_not_forfeited_without_all_who_gave_theirs(referee: Run, count: int) -> None:
    """A friend of who declared would rid her of a bad throw, against one who gave his key."""
    players = seated(referee, count, "")
    cheat = Writer(GAME)
    declared = cheat.declare(1, "alice", DICE)
    for player in players[1:]:
        cheat.key(1, player, declared, chain_key(SECRETS, player, 1), chain_key(SECRETS, player, 2))
    before = cheat.save(Path("keys.jsonl"))
    friends = [player for player in players if player != "carol"]
    for kind, more in (
        ("void", {"reason": "unlucky", "agreed_by": friends}),
        ("forfeit_roll", {"refuser": "alice", "by": "bob", "agreed_by": friends}),
    ):
        one = Writer(before)
        one.add(kind, roll=1, declaration=declared, **more)
        refused(referee, one.save(Path("forged.jsonl")), "carol has not agreed")
        # As the same friends write it with carol's name, which they cannot sign.
        one = Writer(before)
        one.held = friends
        one.add(kind, roll=1, declaration=declared, **more | {"agreed_by": list(players)})
        forged = one.save(Path("forged.jsonl"))
        assert referee("record", "sync", GAME, forged).code == 3
        unsigned(referee, forged, "carol")


@TABLES
def test_a_roll_without_a_key_is_recomputed_from_the_others(referee: Run, count: int, umpire: str) -> None:
    """Nobody names its faces: they are those of the keys that are in; the checker without the program agrees."""
    players = seated(referee, count, umpire)
    honest = Writer(GAME)
    declared = honest.declare(1, "alice", DICE)
    honest.add(
        "forfeit_roll", roll=1, declaration=declared, refuser="bob", by=players[-1] if count > 2 else "alice"
    )
    given = [*players[2:], "alice"]
    for player in given:
        refused_by = {"refused": ["bob"]} if player == "alice" else {}
        honest.key(
            1, player, declared, chain_key(SECRETS, player, 1), chain_key(SECRETS, player, 2), **refused_by
        )
    held = {player: chain_key(SECRETS, player, 1) for player in given}
    honest.result(1, declared, honest.dice(1, declared, held, DICE))
    second = honest.declare(2, "bob", DICE)
    for player in [name for name in players if name != "bob"] + ["bob"]:
        honest.key(2, player, second, chain_key(SECRETS, player, 2), chain_key(SECRETS, player, 3))
    honest.result(2, second, honest.dice(2, second, keys(players, 2), DICE))
    path = honest.save(Path("good.jsonl"))
    assert "2 rolls, 2 recomputed, 0 wrong (peer dice)" in referee("dice", "verify", path).out
    checker = [sys.executable, "-I", str(ROOT / "examples" / "check_dice.py"), str(path)]
    done = subprocess.run(checker, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "roll 1 good\nroll 2 good\n")
    # Who is said to have kept his key back, and by whom, is told with the state of the game.
    said_by = players[-1] if count > 2 else "alice"
    status = referee("game", "status", path)
    assert f"roll 1 by alice: bob kept back the key, says {said_by}\n" in status.out
    told = referee("game", "status", path, "--json").json["rolls"]
    assert told[0]["kept_back"] == [{"player": "bob", "said_by": said_by}] and "kept_back" not in told[1]
    # All keys together would have given others.
    other = Writer(path, keep=next(n for n, line in enumerate(honest.lines) if line["type"] == "result"))
    other.result(1, declared, other.dice(1, declared, keys(players, 1), DICE))
    refused(referee, other.save(Path("forged.jsonl")), "the keys give other faces")


# -- a key with another label ------------------------------------------------------------


@pytest.mark.one_in(5)
@TABLES
@pytest.mark.parametrize("made", ["the old bond", "with the key", "no bond"])
@pytest.mark.parametrize("signs", ["alice alone", "bob's old signature", "all signing keys", "no signatures"])
def test_a_released_key_is_labelled_for_another_declaration(
    referee: Run, count: int, umpire: str, made: str, signs: str
) -> None:
    """Alice has the others' keys, does not like the dice, and declares something else with them. Nobody signed
    that; where she has their signing keys as well, or there are none, whoever took it in learns it from Bob's
    next key."""
    players = seated(referee, count, umpire)
    if signs == "no signatures":
        without_signatures(GAME)
    true = Writer(GAME)
    declared = true.declare(1, "alice", DICE)
    for player in players[1:]:
        true.key(1, player, declared, chain_key(SECRETS, player, 1), chain_key(SECRETS, player, 2))
    said = [line["data"] for line in true.lines if line["type"] == "key"]
    bonds = {data["player"]: data["bond"] for data in said if "bond" in data}
    signed = {line["data"]["player"]: line.get("sigs") for line in true.lines if line["type"] == "key"}
    cheat = Writer(GAME)
    other = cheat.declare(1, "alice", ((5, 6),), "the great battle")
    if signs in ("alice alone", "bob's old signature"):
        cheat.held = ("alice",)
    for player in players[1:]:
        key = chain_key(SECRETS, player, 1)
        old = {"bond": bonds[player]} if made == "the old bond" and player in bonds else {}
        cheat.key(1, player, other, key, **old)
        if made == "no bond":
            data = cheat.lines.pop()["data"]
            cheat.add("key", **{name: value for name, value in data.items() if name != "bond"})
        if signs == "bob's old signature":
            cheat.lines[-1]["sigs"] = signed[player]
    cheat.held = None
    cheat.key(1, "alice", other, chain_key(SECRETS, "alice", 1), chain_key(SECRETS, "alice", 2))
    cheat.result(1, other, cheat.dice(1, other, keys(players, 1), ((5, 6),)))
    second = cheat.declare(2, "alice", DICE)
    for player in (*players[1:], "alice"):
        cheat.key(2, player, second, chain_key(SECRETS, player, 2), chain_key(SECRETS, player, 3))
    cheat.result(2, second, cheat.dice(2, second, keys(players, 2), DICE))
    forged = cheat.save(Path("forged.jsonl"))
    reasons = [
        "is bound to no declaration" if made == "no bond" else
        "the key of bob for roll 1 was not given for the declaration"
    ]  # fmt: skip
    for reason, case in (
        ("key in the name of bob without the signature of bob", "alice alone"),
        ("key in the name of bob: the signature does not hold", "bob's old signature"),
    ):
        if signs == case:
            ran = referee("record", "verify", forged)
            assert ran.code == 3 and reason in ran.err, ran
            reasons.append(reason)
    refused(referee, forged, *reasons)
    if signs in ("all signing keys", "no signatures"):
        assert referee("record", "verify", forged).code == 0, "only the keys of the dice can tell"


# -- the seed of solo dice ---------------------------------------------------------------


@TABLES
def test_who_keeps_the_seed_joins_last_and_chooses_his_nonce(referee: Run, count: int, umpire: str) -> None:
    """Six sixes on the first roll: the seed is known to him, and so are the others' nonces."""
    players = begin(referee, count, umpire, "--dice", "solo")
    seed = json.loads((SECRETS / "dice-seed.json").read_text())["seed"]
    cheat = Writer(GAME)
    keeper = cheat.genesis["dice"].get("operator", "alice")
    givers = [player for player in players if player != keeper]
    given = {player: sha256(player.encode()).hexdigest() for player in givers}
    last = keeper if keeper in players else "alice"
    given.pop(last, None)
    for player, nonce in given.items():
        cheat.add("nonce", player=player, nonce=nonce)
    for n in range(200):
        ground = sha256(f"grind {n}".encode()).hexdigest()
        k = digest(
            "dicekey.v1", {"game": cheat.genesis["game"], "umpire": seed, "players": given | {last: ground}}
        )
        dice = thrown(bytes.fromhex(k), 1, ((2, 6),))
        if sum(dice[0]["faces"]) == 12:
            break
    cheat.add("nonce", player=last, nonce=ground)
    if keeper not in players:
        # The umpire keeps it: the players' nonces are theirs, and he can give none.
        cheat.lines.pop()
        cheat.add("nonce", player=keeper, nonce=ground)
    declared = cheat.declare(1, "alice", ((2, 6),))
    cheat.result(1, declared, dice)
    cheat.add("dice_seed", seed=seed)
    refused(
        referee,
        cheat.save(Path("forged.jsonl")),
        "knows the seed of the dice and gives no nonce",
        "is no player",
    )


@pytest.mark.parametrize("count", [2, 3, 4])
def test_solo_dice_say_who_keeps_their_seed(referee: Run, count: int) -> None:
    """And all others' nonces are behind that, before the first roll."""
    begin(referee, count, "", "--dice", "solo")
    for dice in ({"operator": "eve"}, {"alone": False}, {"alone": True, "operator": "alice"}, {}):
        cheat = Writer(GAME)
        genesis = cheat.genesis
        known = {name: value for name, value in genesis["dice"].items() if name in ("mode", "commitment")}
        cheat.lines = []
        cheat.add("genesis", **genesis | {"dice": known | dice})
        forged = cheat.save(Path("forged.jsonl"))
        assert referee("dice", "verify", forged).code == 3, dice
    cheat = Writer(GAME)
    declared = cheat.declare(1, "alice", ((2, 6),))
    cheat.add("nonce", player="bob", nonce="b" * 64)
    cheat.result(1, declared, best(((2, 6),)))
    refused(referee, cheat.save(Path("forged.jsonl")), "no nonce of bob yet")


@pytest.mark.parametrize("count", [2, 3, 4])
def test_an_umpire_gives_no_nonce_either(referee: Run, count: int) -> None:
    begin(referee, count, "ump", "--dice", "umpire")
    cheat = Writer(GAME)
    cheat.add("nonce", player="ump", nonce="a" * 64)
    refused(referee, cheat.save(Path("forged.jsonl")), "ump is no player")


def test_solo_dice_of_one_laptop(referee: Run) -> None:
    begin(referee, 3, "", "--dice", "solo")
    assert "kept by alice" in referee("game", "status", GAME).out
    ran = referee("game", "join", GAME, "--as", "alice")
    assert ran.code == 2 and "alice keeps the seed" in ran.err
    for player in ("bob", "carol"):
        assert referee("game", "join", GAME, "--as", player, "--text", f"{player}'s dog").code == 0
    assert referee("roll", "2d6", "--game", GAME, "--as", "alice").code == 0
    assert referee("dice", "show-seed", GAME).code == 0
    assert "1 recomputed, 0 wrong (solo dice)" in referee("dice", "verify", GAME).out
    checker = [sys.executable, "-I", str(ROOT / "examples" / "check_dice.py"), str(GAME)]
    assert subprocess.run(checker, capture_output=True, check=False).stdout == b"roll 1 good\n"
