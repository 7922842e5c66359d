"""Dice neither side can predict, bias or re-roll: known answers, every mode, every cheat refused."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from recordcases import GAME, NOW, begun, chained, genesis

from referee.core.dice import die
from referee.core.errors import BadInput, IntegrityFailure
from referee.record import dicekeys
from referee.record.chain import Entry, entry_line
from referee.record.dicekeys import KeyChain, VolleyDice, link, new_chain, nonce_of_text, umpire_key
from referee.record.diceledger import DiceLedger
from referee.record.journal import append
from referee.record.keychains import answer, load_chain, parse_key_line, save_chain
from referee.record.reading import read
from referee.record.recompute import recompute
from referee.record.secretfiles import secrets_folder

ROOT = Path(__file__).parents[3]
ALICE, BOB = KeyChain("aa" * 32, 50), KeyChain("bb" * 32, 50)
ORDER = [{"for": "PH-1/A", "count": 1, "sides": 6}, {"for": "PHOT/B", "count": 2, "sides": 6}]
PEER = {"mode": "peer", "anchors": {"alice": ALICE.anchor, "bob": BOB.anchor}}
SEED = "11" * 32


def test_known_answers_of_the_design() -> None:
    dicekeys.self_test()
    key = umpire_key("G1", bytes(range(32)).hex(), {"alice": "aa" * 32, "bob": "bb" * 32})
    assert key.hex() == "46d302999dda645064a394035049339f8aff855998f27c0049cbdde454b8e19e"
    assert VolleyDice(key, 0, "").throw(8, 6) == [4, 5, 3, 6, 4, 5, 1, 4]
    assert VolleyDice(key, 4, "").throw(6, 100) == [27, 81, 27, 3, 91, 34]


def test_the_self_test_stops_wrong_dice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dicekeys, "die", lambda source, sides: next(source) % sides + 1)
    with pytest.raises(IntegrityFailure, match="self-test"):
        dicekeys.self_test()


def test_every_byte_is_mapped_evenly_for_every_die() -> None:
    for sides in range(2, 257):
        seen = [0] * (sides + 1)
        for byte in range(256):
            try:
                seen[die(iter([byte]), sides)] += 1
            except StopIteration:
                seen[0] += 1
        assert set(seen[1:]) == {256 // sides}
        assert seen[0] == 256 % sides


def test_chains_lead_to_their_anchor() -> None:
    assert ALICE.key(50) == "aa" * 32
    assert link(ALICE.key(7), 7) == ALICE.anchor
    assert link(ALICE.key(8)) == ALICE.key(7)
    with pytest.raises(BadInput, match="ends at roll 50"):
        ALICE.key(51)
    assert new_chain(3, lambda n: b"\x01" * n).end == "01" * 32
    assert new_chain().end != new_chain().end
    for bad in ("", "AA" * 32, "zz" * 32, "aa" * 31):
        with pytest.raises(BadInput):
            KeyChain(bad)


class Game:
    """A record in memory, to which a program or a cheat adds entries."""

    def __init__(self, **changes: Any) -> None:
        self.entries = chained([], genesis(**changes))

    def add(self, entry_type: str, **data: Any) -> Entry:
        news = [(entry.type, entry.data) for entry in self.entries[1:]]
        self.entries = chained([*news, (entry_type, data)], self.entries[0].data)
        return self.entries[-1]

    def ledger(self, **options: Any) -> DiceLedger:
        ledger = DiceLedger(**options)
        for entry in self.entries:
            ledger.apply(entry)
        return ledger

    def declare(self, roll: int, who: str = "alice", **more: Any) -> Entry:
        return self.add("declare", **{"roll": roll, "who": who, "order": ORDER} | more)

    def key(self, declared: Entry, player: str, key: str = "", **more: Any) -> Entry:
        roll = declared.data["roll"]
        key = key or {"alice": ALICE, "bob": BOB}[player].key(roll)
        data = {"roll": roll, "player": player, "declaration": declared.hash, "key": key}
        after = {"alice": ALICE}.get(player, BOB).key(roll + 1)
        data["bond"] = dicekeys.bond(GAME, roll, player, declared.hash, (), after)
        return self.add("key", **data | more)

    def result(self, declared: Entry, dice: Sequence[Any] | None = None, **more: Any) -> Entry:
        if dice is None:
            key = self.ledger(seed=SEED).key_now()
            dice = dicekeys.throw_all(key, declared.data["roll"], declared.data["order"])
        return self.add("result", roll=declared.data["roll"], declaration=declared.hash, dice=dice, **more)

    def roll(self, number: int) -> Entry:
        declared = self.declare(number)
        self.key(declared, "bob")
        self.key(declared, "alice")
        return self.result(declared)

    def faults(self, **options: Any) -> list[tuple[int, str]]:
        return [(found.line, found.kind) for found in recompute(self.entries, **options).mismatches]


def test_a_peer_game_is_recomputed_from_the_record_alone() -> None:
    game = Game(dice=PEER)
    for number in range(1, 6):
        game.roll(number)
    report = recompute(game.entries)
    assert (report.mismatches, report.recomputed, report.pending) == ((), (1, 2, 3, 4, 5), ())
    assert game.ledger().waiting_for() == ()
    declared = game.declare(6)
    assert game.ledger().waiting_for() == ("bob", "alice")
    game.key(declared, "bob")
    assert game.ledger().waiting_for() == ("alice",)


def test_the_dice_do_not_depend_on_what_a_player_writes() -> None:
    """Once they are declared: nobody knows the other's key before."""
    fell = []
    for remark in ("", "a grinding remark"):
        game = Game(dice=PEER)
        declared = game.declare(1)
        if remark:
            game.add("note", text=remark)
        keys(game, declared)
        fell.append(game.result(declared).data["dice"])
    assert fell[0] == fell[1]


CHEATS = {
    "faces changed": ("faces", lambda g, d: (keys(g, d), g.result(d, faced(g, 6)))),
    "groups reordered": ("faces", lambda g, d: (keys(g, d), g.result(d, faced(g)[::-1]))),
    "die left out": ("faces", lambda g, d: (keys(g, d), g.result(d, faced(g)[:1]))),
    "result before all keys": ("order", lambda g, d: (g.key(d, "bob"), g.result(d, faced(g, 1)))),
    "key for another declaration": ("key", lambda g, d: g.key(d, "bob", declaration="00" * 32)),
    "key not of the chain": ("key", lambda g, d: g.key(d, "bob", key="00" * 32)),
    "key of the next roll": ("key", lambda g, d: g.key(d, "bob", key=BOB.key(2))),
    "the public anchor as key": ("key", lambda g, d: g.key(d, "bob", key=BOB.anchor)),
    "key of a stranger": ("player", lambda g, d: g.key(d, "carol", BOB.key(1))),
    "key twice": ("repeat", lambda g, d: (g.key(d, "bob"), g.key(d, "bob"))),
    "key by who declared first": ("order", lambda g, d: g.key(d, "alice")),
    "number left out": ("index", lambda g, d: (keys(g, d), g.result(d), g.declare(3))),
    "number used again": ("index", lambda g, d: (keys(g, d), g.result(d), g.declare(1))),
    "two rolls open": ("order", lambda g, d: g.declare(2)),
    "second result": ("index", lambda g, d: (keys(g, d), g.result(d), g.result(d, faced(g, 2)))),
    "void after a key": ("agreement", lambda g, d: (g.key(d, "bob"), voided(g, d, ["alice"]))),
    "void by the other": ("agreement", lambda g, d: voided(g, d, ["bob"])),
    "void after the result": (
        "index",
        lambda g, d: (keys(g, d), g.result(d), voided(g, d, ["alice", "bob"])),
    ),
    "reroll by one": ("agreement", lambda g, d: (keys(g, d), g.result(d), reroll(g, ["alice"]))),
    "reroll of nothing": ("order", lambda g, d: reroll(g, ["alice", "bob"])),
    "second roll not agreed": (
        "agreement",
        lambda g, d: (keys(g, d), g.result(d), g.declare(2, reroll_of=1)),
    ),
    "typed dice as keyed ones": ("shape", lambda g, d: (keys(g, d), g.result(d, entered_by="alice"))),
    "refusal of a given key": ("order", lambda g, d: (g.key(d, "bob"), refused(g, d, "bob"))),
    "refusal before the other's key": ("order", lambda g, d: refused(g, d, "alice")),
    "own refusal": ("player", lambda g, d: refused(g, d, "alice", by="alice")),
    "new anchor": ("order", lambda g, d: g.add("anchor", player="carol", anchor="cc" * 32, length=5)),
    "seed in a peer game": ("mode", lambda g, d: g.add("dice_seed", seed=SEED)),
    "nonce in a peer game": ("mode", lambda g, d: g.add("nonce", player="bob", nonce=SEED)),
}


def keys(game: Game, declared: Entry) -> None:
    game.key(declared, "bob")
    game.key(declared, "alice")


def faced(game: Game, face: int = 3) -> list[dict[str, Any]]:
    return [{**group, "faces": [face] * group["count"]} for group in ORDER]


def voided(game: Game, declared: Entry, agreed_by: list[str]) -> Entry:
    return game.add(
        "void", roll=declared.data["roll"], declaration=declared.hash, reason="mistake", agreed_by=agreed_by
    )


def reroll(game: Game, agreed_by: list[str]) -> Entry:
    return game.add("reroll", roll=1, agreed_by=agreed_by, reason="dice off the table")


def refused(game: Game, declared: Entry, refuser: str, by: str = "") -> Entry:
    by = by or ("bob" if refuser == "alice" else "alice")
    return game.add("forfeit_roll", roll=1, declaration=declared.hash, refuser=refuser, by=by, agreed_by=[by])


@pytest.mark.parametrize("cheat", CHEATS)
def test_cheats_are_named(cheat: str) -> None:
    kind, play = CHEATS[cheat]
    game = Game(dice=PEER)
    declared = game.declare(1)
    assert game.faults() == []
    play(game, declared)
    faults = game.faults()
    assert faults, "not noticed"
    assert faults[0][1] in (kind, "player") if cheat == "new anchor" else faults[0][1] == kind
    assert faults[0][0] == len(game.entries)


def test_anchors_can_be_given_after_genesis_and_never_twice() -> None:
    game = Game(dice={"mode": "peer"})
    game.add("anchor", player="alice", anchor=ALICE.anchor, length=50)
    assert game.ledger().waiting_for() == ("bob",)
    copied = Game(dice={"mode": "peer", "anchors": {"alice": ALICE.anchor}})
    copied.add("anchor", player="bob", anchor=ALICE.anchor, length=50)
    copied.add("anchor", player="alice", anchor=BOB.anchor, length=50)
    copied.declare(1)
    assert copied.faults() == [(2, "repeat"), (3, "repeat"), (4, "order")]
    game.add("anchor", player="bob", anchor=BOB.anchor, length=50)
    game.roll(1)
    assert game.faults() == []


def test_a_void_burns_its_number_and_a_reroll_takes_a_new_one() -> None:
    game = Game(dice=PEER)
    voided(game, game.declare(1), ["alice"])
    first = game.roll(2).data["dice"]
    game.add("reroll", roll=2, agreed_by=["alice", "bob"], reason="wrong range")
    declared = game.declare(3, reroll_of=2)
    keys(game, declared)
    assert game.result(declared).data["dice"] != first
    report = recompute(game.entries)
    assert report.mismatches == ()
    assert [roll.status for roll in report.rolls] == ["void", "resolved", "resolved"]
    game.declare(4, reroll_of=2)
    assert game.faults() == [(len(game.entries), "agreement")]


def umpired(mode: str = "umpire") -> Game:
    keeper = {"umpire": "carol"} if mode == "umpire" else {"operator": "alice"}
    commitment = dicekeys.seed_commitment(GAME, keeper.get("umpire", ""), SEED)
    game = Game(dice={"mode": mode, **keeper, "commitment": commitment})
    if mode == "umpire":
        game.add("nonce", player="alice", nonce="aa" * 32)
    game.add("nonce", player="bob", nonce=nonce_of_text("my dog"), text="my dog")
    return game


@pytest.mark.parametrize("mode", ["umpire", "solo"])
def test_umpire_dice_wait_for_the_seed_and_are_recomputed_with_it(mode: str) -> None:
    game = umpired(mode)
    for number in (1, 2):
        game.result(game.declare(number))
    report = recompute(game.entries)
    assert (report.mismatches, report.pending, report.recomputed) == ((), (1, 2), ())
    assert recompute(game.entries, seed=SEED).recomputed == (1, 2)
    game.add("dice_seed", seed=SEED)
    assert recompute(game.entries).recomputed == (1, 2)
    game.declare(3)
    assert game.faults() == [(len(game.entries), "order")]


def test_umpire_cheats_are_named() -> None:
    game = umpired()
    game.result(game.declare(1), faced(game, 6))
    assert game.faults() == []
    game.add("dice_seed", seed=SEED)
    assert game.faults() == [(len(game.entries), "faces")]
    game = umpired()
    game.add("dice_seed", seed="22" * 32)
    assert game.faults() == [(4, "key")]
    game = umpired()
    game.declare(1)
    game.add("nonce", player="alice", nonce="ab" * 32)
    assert game.faults() == [(5, "repeat")]
    game = Game(dice=umpired().entries[0].data["dice"])
    game.add("nonce", player="alice", nonce="aa" * 32)
    game.add("nonce", player="bob", nonce="aa" * 32)
    game.declare(1)
    assert game.faults() == [(3, "repeat"), (4, "order")]
    assert Game(dice={"mode": "umpire", "umpire": "bob", "commitment": "00" * 32}).faults() == [(1, "player")]
    for odd in (
        {},
        {"mode": "luck"},
        {"mode": "seed"},
        {"mode": "solo"},
        {"mode": "solo", "commitment": "é" * 64},
    ):
        assert len(Game(dice=odd).faults()) == 1


def test_typed_dice_must_be_confirmed_by_another() -> None:
    game = Game(dice={"mode": "physical"})
    result = game.result(game.declare(1), faced(game), entered_by="alice")
    early = Game(dice=game.entries[0].data["dice"])
    early.result(early.declare(1), faced(early), entered_by="alice")
    early.declare(2)
    assert early.faults() == [(4, "order")]
    game.add("confirm", roll=1, by="bob", result=result.hash)
    game.declare(2)
    report = recompute(game.entries)
    assert (report.mismatches, report.typed, report.recomputed) == ((), (1,), ())
    game.add("confirm", roll=1, by="bob", result=result.hash)
    assert game.faults() == [(6, "repeat")]
    own = Game(dice={"mode": "physical"})
    result = own.result(own.declare(1), faced(own), entered_by="alice")
    own.add("confirm", roll=1, by="alice", result=result.hash)
    assert own.faults() == [(4, "player")]


def test_typed_dice_in_a_peer_game_are_tagged() -> None:
    game = Game(dice=PEER)
    declared = game.declare(1, physical=True)
    result = game.result(declared, faced(game), entered_by="bob")
    game.add("confirm", roll=1, by="alice", result=result.hash)
    game.roll(2)
    report = recompute(game.entries)
    assert report.mismatches == ()
    assert [roll.source for roll in report.rolls] == ["physical", "peer"]


def test_open_ended_rolls_record_what_was_thrown() -> None:
    game = Game()
    declared = game.declare(1, order=[], open=True)
    dice = VolleyDice(game.ledger().key_now(), 1, "seed practice")
    assert dice.roll(2, 6) == sum(dice.groups[0]["faces"])
    dice.roll(1, 10)
    game.result(declared, dice.groups)
    assert recompute(game.entries).recomputed == (1,)
    forged = [dict(group) for group in dice.groups]
    forged[1] = {**forged[1], "faces": [forged[1]["faces"][0] % 10 + 1]}
    wrong = Game()
    wrong.result(wrong.declare(1, order=[], open=True), forged)
    assert wrong.faults() == [(3, "faces")]


def put(path: Path, kind: str, data: dict[str, Any]) -> Entry:
    """An entry appended to a record."""
    return append(path, lambda _: [(kind, data)], NOW)[0]


def test_a_turn_of_peer_dice_between_two_folders(tmp_path: Path) -> None:
    ours, theirs = tmp_path / "alice" / "duel.jsonl", tmp_path / "bob" / "duel.jsonl"
    for path, player, chain in ((ours, "alice", ALICE), (theirs, "bob", BOB)):
        path.parent.mkdir()
        folder = secrets_folder(path)
        file = save_chain(folder, player, chain)
        assert (file.stat().st_mode & 0o777, folder.stat().st_mode & 0o777) == (0o600, 0o700)
        assert load_chain(folder, player) == chain
        with pytest.raises(BadInput, match="already exists"):
            save_chain(folder, player, chain)
    begun(ours, dice=PEER)
    aimed = {"weapons": ["PH-1/A", "PHOT/B"], "targets": ["D6"]}
    declared = put(ours, "declare", {"roll": 1, "who": "alice", "order": ORDER, **aimed})
    theirs.write_bytes(ours.read_bytes())
    with pytest.raises(BadInput, match="gives the key last"):
        answer(secrets_folder(ours), "alice", read(ours))
    line = answer(secrets_folder(theirs), "bob", read(theirs))
    received = parse_key_line(f"  {line} ")
    assert received == line
    put(ours, "key", received.data)
    mine = answer(secrets_folder(ours), "alice", read(ours))
    put(ours, "key", mine.data)
    ledger = DiceLedger()
    for entry in read(ours):
        ledger.apply(entry)
    dice = dicekeys.throw_all(ledger.key_now(), 1, ORDER)
    put(ours, "result", {"roll": 1, "declaration": declared.hash, "dice": dice})
    assert recompute(read(ours)).recomputed == (1,)

    # The same declaration is answered again; another of the same number is not.
    assert answer(secrets_folder(theirs), "bob", read(theirs)) == line
    theirs.unlink()
    begun(theirs, dice=PEER)
    put(theirs, "declare", {"roll": 1, "who": "alice", "order": ORDER[:1]})
    with pytest.raises(IntegrityFailure, match="declared otherwise"):
        answer(secrets_folder(theirs), "bob", read(theirs))


def test_no_key_is_given_for_a_roll_out_of_turn(tmp_path: Path) -> None:
    """A key of a late roll gives away all keys before it."""
    save_chain(tmp_path / "s", "bob", BOB)
    game = Game(dice=PEER)
    game.declare(40)
    with pytest.raises(IntegrityFailure, match="roll 40 declared where 1 is next"):
        answer(tmp_path / "s", "bob", game.entries)
    with pytest.raises(BadInput, match="no roll waits"):
        answer(tmp_path / "s", "bob", Game(dice=PEER).entries)
    assert not list((tmp_path / "s").glob("answered*"))


@pytest.mark.parametrize("mode", ["peer", "bound", "umpire", "seed"])
def test_the_independent_checker_agrees(tmp_path: Path, mode: str) -> None:
    """Of records of both versions: a key holds its declaration since the second."""
    games = {"peer": lambda: Game(dice=PEER), "bound": lambda: Game(dice=PEER, fold=2)}
    game = (games | {"umpire": umpired, "seed": Game})[mode]()
    for number in range(1, 4):
        declared = game.declare(number)
        if mode in games:
            keys(game, declared)
        game.result(declared)
    if mode == "umpire":
        game.add("dice_seed", seed=SEED)
    path = tmp_path / "game.jsonl"
    path.write_bytes(b"".join(map(entry_line, game.entries)))
    program = ROOT / "examples" / "check_dice.py"
    text = program.read_text()
    assert "referee" not in "".join(line for line in text.splitlines() if "import" in line)
    assert len(text.splitlines()) < 60
    command = [sys.executable, "-I", str(program), str(path)]
    good = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (good.returncode, good.stderr) == (0, "")
    assert good.stdout.count("good") == 3
    at = next(n for n, entry in enumerate(game.entries) if entry.type == "result")
    faces = game.entries[at].data["dice"][0]["faces"]
    faces[0] = faces[0] % 6 + 1
    news = [(entry.type, entry.data) for entry in game.entries[1:]]
    path.write_bytes(b"".join(map(entry_line, chained(news, game.entries[0].data))))
    assert subprocess.run(command, capture_output=True, check=False).returncode == 3


def test_random_records_never_break_the_ledger() -> None:
    """Entries of right shape in any order give faults, never another exception."""
    chance = random.Random(1)
    for _ in range(300):
        mode = chance.choice(
            [PEER, {"mode": "physical"}, {"mode": "solo"}, {}, umpired().entries[0].data["dice"]]
        )
        game = Game(dice=mode, fold=chance.choice([1, 2]))
        for _ in range(8):
            declared = chance.choice(game.entries)
            roll, player = chance.randint(1, 3), chance.choice(["alice", "bob", "eve"])
            moves: list[tuple[str, dict[str, Any]]] = [
                ("declare", {"roll": roll, "who": player, "order": ORDER}),
                ("declare", {"roll": roll, "who": player, "order": [], "open": True, "reroll_of": 1}),
                (
                    "declare",
                    {"roll": roll, "who": player, "order": [{"for": "x", "count": 10_000, "sides": 2}] * 2},
                ),
                ("key", {"roll": roll, "player": player, "declaration": declared.hash, "key": BOB.key(1)}),
                ("result", {"roll": roll, "declaration": declared.hash, "dice": faced(game)}),
                ("void", {"roll": roll, "declaration": declared.hash, "reason": "", "agreed_by": [player]}),
                ("confirm", {"roll": roll, "by": player, "result": declared.hash}),
                (
                    "key",
                    {
                        "roll": roll,
                        "player": "bob",
                        "declaration": declared.hash,
                        "key": BOB.key(roll),
                        "bond": SEED,
                    },
                ),
                (
                    "forfeit_roll",
                    {
                        "roll": roll,
                        "declaration": declared.hash,
                        "refuser": player,
                        "by": "bob",
                        "agreed_by": [],
                    },
                ),
                ("reroll", {"roll": roll, "agreed_by": ["alice", "bob"], "reason": ""}),
                ("nonce", {"player": player, "nonce": declared.hash}),
                ("anchor", {"player": player, "anchor": declared.hash, "length": 3}),
                ("dice_seed", {"seed": SEED}),
                ("genesis", genesis(players=[])),
                ("result", {"roll": "one"}),
            ]
            move, data = chance.choice(moves)
            game.add(move, **data)
        recompute(game.entries)
