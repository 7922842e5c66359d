"""Tricks of a player with a writer of his own that one who had not seen the code got past `record sync`: keys and
seats taken over by the others, claims hidden behind a proposal, orders whose words say something else."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tests.cli.conftest import Ran, Run
from tests.cli.test_signatures import at, quiet, table
from tests.conftest import ROOT
from tests.unit.play.cheat import Writer, rewritten

FORGED = Path("gang/duel.jsonl")
TABLES = [(players, umpire) for players in (2, 3, 4) for umpire in (False, True)]


def gang(*names: str) -> tuple[Writer, str]:
    """A writer who has all keys of some players, with the public part of a new key of his own."""
    folder = Path("gang/duel.secrets")
    folder.mkdir(parents=True, exist_ok=True)
    for name in names:
        for file in (at(name).parent / "duel.secrets").glob("sign-*.json"):
            shutil.copy(file, folder)
    key = Ed25519PrivateKey.generate()
    (folder / "sign-new.json").write_text(json.dumps({"signing_key": key.private_bytes_raw().hex()}))
    return Writer(at(names[0]), secrets=folder), key.public_key().public_bytes_raw().hex()


def refused(ran: Ran, *said: str) -> None:
    assert ran.code == 3 and all(part in ran.err for part in said), ran


@pytest.mark.parametrize(("players", "umpire"), TABLES)
def test_a_key_is_not_replaced_behind_its_owners_back(referee: Run, players: int, umpire: bool) -> None:
    others = [name for name in table(referee, players, umpire) if name != "bob"]
    writer, key = gang(*others)
    writer.add("signer", player="bob", signer=key, agreed_by=others, reason="lost")
    writer.add("order", player="bob", text=["B: choose spread"], choose={"ship": "B", "policy": "spread"})
    forged = writer.save(FORGED)
    assert referee("record", "verify", forged).code == 0  # all others agree: they can play without him
    for who in ((), ("--as", "bob")):
        ran = referee("record", "sync", at("bob"), forged, *who)
        refused(ran, f"line {len(writer.lines) - 1}", "another signing key", "of bob", "--agree")
    quiet(referee("record", "sync", at("alice"), forged))


@pytest.mark.parametrize("dice", ["umpire", "solo"])
def test_the_seat_of_who_keeps_the_seed_is_not_free(referee: Run, dice: str) -> None:
    names = table(referee, 2, dice == "umpire", dice)
    keeper = "una" if dice == "umpire" else "alice"
    writer, key = gang("bob")
    writer.add("signer", player=keeper, signer=key)
    forged = writer.save(FORGED)
    for command in (
        ("record", "verify", forged),
        *(("record", "sync", at(name), forged, "--agree") for name in names),
    ):
        refused(referee(*command), f"line {len(writer.lines)}", f"{keeper} has a signing key already")


@pytest.mark.parametrize("dice", ["physical", "seed", "peer"])
def test_who_began_a_game_does_not_lose_the_seat_unasked(referee: Run, dice: str) -> None:
    Path("alice").mkdir()
    maker = "alice" if dice != "peer" else "una"  # a player gives a part of peer dice, and signs it
    more = ["--umpire", "una"] * (maker == "una") + ["--seed", "practice"] * (dice == "seed")
    quiet(referee("game", "new", at("alice"), "--players", "alice,bob", "--dice", dice, *more))
    if maker == "una":
        quiet(referee("game", "join", at("alice"), "--as", "alice"))
    writer, key = gang("alice")
    writer.add("signer", player=maker, signer=key)
    forged = writer.save(FORGED)
    refused(referee("record", "sync", at("alice"), forged, "--as", maker), "another signing key", maker)
    # bob puts his own key in the place of the one made for him: that is what it is for
    joined, key = gang("alice")
    joined.add("signer", player="bob", signer=key)
    quiet(referee("record", "sync", at("alice"), joined.save(Path("gang/joined.jsonl"))))
    # now alice is known by the keys that are left
    writer, key = gang("alice")
    writer.add("signer", player=maker, signer=key)
    refused(referee("record", "sync", at("alice"), writer.save(FORGED)), "another signing key", maker)


def test_all_that_needs_a_word_is_said_at_once(referee: Run) -> None:
    table(referee, 2, False, "peer")
    quiet(referee("game", "choose", at("alice"), "A", "spread", "--as", "alice"))
    quiet(referee("record", "sync", at("bob"), at("alice")))
    writer, _ = gang("alice")
    known = len(writer.lines)
    writer.add("undo", target=known - 1, reason="a slip", agreed_by=["alice", "bob"])
    declaration = writer.declare(1, "alice", [(3, 6)])
    writer.add("forfeit_roll", roll=1, declaration=declaration, refuser="bob", by="alice")
    ran = referee("record", "sync", at("bob"), writer.save(FORGED))
    refused(ran, f"line {known + 1}: undo in the name of bob without the signature of bob")
    refused(ran, f"line {known + 3}: says that bob kept back the key of roll 1", "signs in your name")
    quiet(referee("record", "sync", at("bob"), FORGED, "--agree"))


def test_an_order_is_told_as_what_it_orders(referee: Run) -> None:
    table(referee, 2, False)
    writer, _ = gang("alice")
    choose = {"ship": "A", "policy": "spread"}
    writer.add("order", player="alice", text=["B: surrenders"], choose=choose)
    ran = quiet(referee("record", "sync", at("bob"), writer.save(FORGED)))
    for told in (ran, *(quiet(referee("game", verb, at("bob"))) for verb in ("replay", "report", "chat"))):
        assert "A: choose spread" in told.out and "surrenders" not in told.out, told


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("B: surrenders", "orders nothing"),
        ("A: hold fire, B surrenders", "orders nothing"),
        ("B: hold fire", "alice does not play B, bob does"),
    ],
)
def test_an_order_of_nothing_holds_fire(referee: Run, text: str, reason: str) -> None:
    table(referee, 2, False)
    writer, _ = gang("alice")
    writer.add("order", player="alice", text=[text])
    ran = referee("record", "sync", at("bob"), writer.save(FORGED))
    assert ran.code in (2, 3) and reason in ran.err, ran
    writer, _ = gang("alice")
    writer.add("order", player="alice", text=["A: hold fire"])
    quiet(referee("record", "sync", at("bob"), writer.save(FORGED)))


def begun(referee: Run, **terms: object) -> Path:
    """A game of two by one person, its first entry and all behind it written anew with other terms."""
    path = Path("g.jsonl")
    ships = ("--ship", "A=cadet/klingon-d6:alice@1010A/8", "--ship", "B=cadet/klingon-d6:bob@1015A/8")
    quiet(referee("game", "new", path, "--players", "alice,bob", "--dice", "physical", *ships))
    rewritten(path, **terms)
    return path


@pytest.mark.parametrize(
    "house", [{"off": "B3.0"}, {"off": [5]}, {"severity": [5]}, {"severity": [["B3.0-5", "nope"]]}]
)
def test_house_rules_that_are_none(referee: Run, house: dict[str, object]) -> None:
    path = begun(referee, house=house)
    for command in (("check", path), ("dice", "verify", path), ("game", "status", path)):
        ran = referee(*command)
        assert ran.code == 2 and "house is malformed" in ran.err, ran


def test_names_that_stand_in_the_way_of_anothers(referee: Run) -> None:
    Path("alice").mkdir()
    ships = ("--ship", "A=cadet/klingon-d6:alice@1010D/8", "--ship", "B=cadet/klingon-d6:bob@1015A/8")
    begin = ("game", "new", at("alice"), "--players", "alice,bob", "--dice", "physical", *ships)
    quiet(referee(*begin))
    for name in ("B.", "'B'"):
        writer, _ = gang("alice")
        writer.add("ship", ship=name, player="alice", at="2010D", speed="8", **{"class": "cadet/klingon-d6"})
        refused(referee("record", "verify", writer.save(FORGED)), "looks like 'B'")
    # a ship that is called as B's first drone would be: the drone is called otherwise, and launched
    writer, _ = gang("alice")
    writer.add(
        "ship", ship="B DRN/1 t1", player="alice", at="2010D", speed="8", **{"class": "cadet/klingon-d6"}
    )
    quiet(referee("record", "sync", at("alice"), writer.save(FORGED)))
    for order in ("B: speed 8", "A: speed 8", "B DRN/1 t1: speed 8"):
        quiet(referee("game", "say", at("alice"), order))
    launched = referee("game", "say", at("alice"), "impulse 1", "B: launch DRN/1 at A")
    assert launched.code == 0, launched
    assert '"B DRN/1 t1.2"' in at("alice").read_text()
    # alice launches one as if B had
    writer, _ = gang("alice")
    said = {
        "ship": "A",
        "weapon": "DRN/1",
        "type": "drone",
        "target": "B",
        "facing": "D",
        "name": "B DRN/1 t1.3",
    }
    writer.add("order", player="alice", turn=1, impulse=1, text=["A: launch DRN/1 at B"], launch=said)
    refused(referee("dice", "verify", writer.save(FORGED)), "is called as if B had launched it")


@pytest.mark.parametrize("decided", [{"order": ["Lancer", "Shade"]}, {"give_up_locks": ["Shade"]}])
def test_what_dice_or_an_umpire_decide_is_not_said_by_one(
    referee: Run, decided: dict[str, list[str]]
) -> None:
    """The order of action of a Trek turn is rolled for, unless all agree to another."""
    path = Path("g.jsonl")
    setup = ("--setup", ROOT / "examples" / "trek" / "duel.json")
    players = ("--players", "alpha,beta", "--dice", "physical")
    quiet(referee("game", "new", path, "--rulebook", "trek", *players, *setup))
    shutil.copy(path, "before.jsonl")
    shutil.copytree("g.secrets", "before.secrets")
    act = {"act": "turn", "order": ["Lancer", "Shade"], **decided}
    file = Path("turn.json")
    for agreed in ([], ["alpha", "beta"]):
        said = act | ({"agreed_by": agreed} if agreed else {})
        file.write_text(json.dumps({"schema": "referee/trek-orders/1", "acts": [said]}))
        ran = referee("game", "apply", path, file, "--as", "alpha")
        assert ran.code == (0 if agreed else 2) and ("decides for all" in ran.err) == (not agreed), ran
    events = json.loads(path.read_text().splitlines()[-1])["data"]
    forged = Writer(Path("before.jsonl"))
    forged.add("order", player="alpha", text=["next turn"], act=act)
    forged.add("events", **events | {"act": len(forged.lines) - 1})
    ran = referee("record", "sync", "before.jsonl", forged.save(Path("gang/duel.jsonl")))
    refused(ran, f"line {len(forged.lines)}", "decides for all players, but not all have agreed: order")


def test_what_is_asked_for_is_told_before_it_is_agreed_to(referee: Run) -> None:
    """A ruling between two undos takes a ship's weapons along, for who agrees to all."""
    table(referee, 2, False)
    cheat = Writer(at("alice"), secrets=Path("alice/duel.secrets"))
    lost = [{"event": "box_destroyed", "ship": "B", "box": "lab/1"}]
    cheat.add("ruling", by="alice", text="as we said", events=lost, agreed_by=["alice", "bob"])
    ran = referee("record", "sync", at("bob"), cheat.save(FORGED))
    refused(ran, "ruling in the name of bob without the signature of bob")
    assert f"#{len(cheat.lines) - 1}" in ran.out and "ruling       alice: as we said: lab/1" in ran.out, ran


@pytest.mark.one_in(5)
@pytest.mark.parametrize(("players", "umpire"), TABLES)
@pytest.mark.parametrize("signed", [True, False])
def test_a_turn_is_not_begun_past_the_form_of_another(
    referee: Run, players: int, umpire: bool, signed: bool
) -> None:
    """Before anybody has filed: a form that comes later would be a foul of whoever files it."""
    table(referee, players, umpire)
    steps = {
        "impulse": [{"turn": 1, "impulse": 1, "step": "move ships"}],
        "turn": [{"turn": 1, "step": "end of turn"}, {"turn": 2, "step": "energy allocation"}],
    }
    for said in steps.values():
        cheat = Writer(at("alice"), secrets=Path("alice/duel.secrets"))
        for step in said:
            cheat.add("step", **step, **({"player": "alice"} if signed else {}))
        before = at("bob").read_bytes()
        for who in ((), ("--as", "bob")):
            ran = referee("record", "sync", at("bob"), cheat.save(FORGED), *who)
            refused(ran, "past the energy form of B", "bob has not filed", "--agree")
            assert at("bob").read_bytes() == before
    quiet(referee("record", "sync", at("bob"), FORGED, "--agree"))
    # Who agreed to play a turn without forms is not asked again.
    again = Writer(at("bob"), secrets=Path("alice/duel.secrets"))
    again.add("step", turn=2, impulse=1, step="move ships")
    quiet(referee("record", "sync", at("bob"), again.save(FORGED)))


def test_a_turn_past_the_forms_that_the_umpire_begins(referee: Run) -> None:
    """His word is that of all."""
    table(referee, 2, True)
    writer = Writer(at("una"), secrets=Path("una/duel.secrets"))
    writer.add("step", turn=1, impulse=1, step="move ships", player="una")
    quiet(referee("record", "sync", at("bob"), writer.save(Path("una/more.jsonl"))))
