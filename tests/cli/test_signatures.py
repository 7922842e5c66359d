"""Who said it: tricks of a player with a writer of his own, against two, three and four players and an umpire.

Each forgery is a whole record of its own, signed with every key the cheat has, and played on the others.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from referee.record.chain import ZERO_HASH, make_line
from referee.record.reading import read
from referee.record.secretfiles import read_secret
from tests.cli.conftest import Ran, Run
from tests.conftest import ROOT, mostly_long
from tests.node import NODE, NODE_REQUIRED, needs_node
from tests.unit.play.cheat import signed_again
from tests.unit.play.test_game_forging import forge, own_keys, rewritten, spelled

NAMES = ("alice", "bob", "carol", "dave")
CLASSES = ("federation-ca", "klingon-d6", "federation-ca", "klingon-d6")
HEXES = ("2801E", "0216B", "2803E", "0218B")
WHEN = "2026-11-20T15:00:00Z"
VERIFIER = ROOT / "examples" / "verify_record.mjs"
GAMES = ROOT / "examples" / "games"
Entry = tuple[str, dict[str, Any]]


def quiet(ran: Ran) -> Ran:
    assert ran.code == 0 and ran.err == "", ran
    return ran


def at(name: str) -> Path:
    return Path(name) / "duel.jsonl"


def around(referee: Run, by: str, names: tuple[str, ...]) -> None:
    """Everybody takes in what one has recorded."""
    for name in names:
        if name != by:
            quiet(referee("record", "sync", at(name), at(by)))


def table(referee: Run, players: int, umpire: bool, dice: str = "physical") -> tuple[str, ...]:
    """A game in which everybody has a folder, a copy and a key of his own; the first began it."""
    names = NAMES[:players] + (("una",) if umpire else ())
    # Who keeps the seed begins, and has nothing to join with.
    names = names[::-1] if dice == "umpire" or (dice == "solo" and umpire) else names
    ships = [
        part
        for n, name in enumerate(NAMES[:players])
        for part in ("--ship", f"{'ABCD'[n]}=cadet/{CLASSES[n]}:{name}@{HEXES[n]}/16")
    ]
    for name in names:
        Path(name).mkdir()
    more = ("--umpire", "una") if umpire else ()
    quiet(
        referee(
            "game", "new", at(names[0]), "--players", ",".join(NAMES[:players]), "--dice", dice, *more, *ships
        )
    )
    before = names[0]
    for name in names:
        if name != before:
            shutil.copy(at(before), at(name))
        if name != names[0] or dice == "peer":
            quiet(referee("game", "join", at(name), "--as", name))
        before = name
    around(referee, before, names)
    return names


def last_hash(path: Path) -> str:
    return read(path)[-1].hash


def prepare(referee: Run, names: tuple[str, ...], trick: str) -> None:
    """What has to stand before a trick can be tried, known to all."""
    judge = "una" if "una" in names else "alice"
    if trick == "undo":
        quiet(referee("game", "rule", at(judge), "north is up", "--by", judge))
        around(referee, judge, names)
        return
    if trick in ("void", "confirm"):
        quiet(referee("roll", "2d6", "--game", at("alice"), "--as", "alice"))
    if trick == "confirm":
        quiet(referee("dice", "enter", at("alice"), "6", "6", "--as", "alice"))
    if trick in ("umpire_ack", "umpire_reject"):
        form = ROOT / "examples" / "by_mail" / "constellation.csv"
        quiet(referee("seal", form, "--game", at("alice"), "--ship", "A"))
    around(referee, "alice", names)


def forgery(path: Path, trick: str, names: tuple[str, ...], spoken_for: str) -> Entry:
    """The entry that a trick puts in another's name."""
    entries = read(path)
    last = {entry.type: entry for entry in entries}
    if trick == "ruling":
        return "ruling", {"by": spoken_for, "text": "the ship of alice is lost"}
    if trick == "undo":
        agreed = [spoken_for] if spoken_for == "una" else list(names)
        return "undo", {"target": entries[-1].seq, "reason": "agreed", "agreed_by": agreed}
    if trick == "void":
        said = {"reason": "unlucky", "agreed_by": [name for name in names if name != "una"]}
        return "void", {"roll": 1, "declaration": last["declare"].hash, **said}
    if trick == "confirm":
        return "confirm", {"roll": 1, "by": spoken_for, "result": last["result"].hash}
    seal = last["seal"]
    data = {"seal": seal.hash, "digest": seal.data["digest"], "by": "una"}
    return trick, data | ({"reason": "no"} if trick == "umpire_reject" else {})


TABLES = [
    (players, umpire, trick)
    for players in (2, 3, 4)
    for umpire in (False, True)
    for trick in ("ruling", "undo", "void", "confirm", "umpire_ack", "umpire_reject")
    if umpire or not trick.startswith("umpire")
]


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("players", "umpire", "trick"),
    mostly_long(TABLES, lambda players, umpire, trick: (players, umpire) in ((2, False), (3, True))),
)
def test_nobody_is_spoken_for(referee: Run, players: int, umpire: bool, trick: str) -> None:
    """One forges what the umpire says, or a third player, or where there are two the victim, and plays it on
    everybody else, whatever name they give to `sync`."""
    names = table(referee, players, umpire)
    prepare(referee, names, trick)
    # Alice rolled: it is she who has her dice confirmed, and Bob gives up a roll of hers.
    cheat = "alice" if trick == "confirm" else "bob"
    spoken_for = "una" if umpire else next((n for n in names[::-1] if n != cheat), "")
    forged = forge(at(cheat), forgery(at(cheat), trick, names, spoken_for))
    line = f"line {len(read(forged))}"
    for name in names:
        own = at(name).read_bytes()
        for said in ((), *(("--as", other) for other in names)):
            ran = referee("record", "sync", at(name), forged, *said)
            assert ran.code == 3 and "signature" in ran.err, (name, said, ran)
            assert line in ran.err and ran.err.count("\n") == 1 and at(name).read_bytes() == own
    for command in (("record", "verify", forged), ("dice", "verify", forged), ("check", forged)):
        ran = referee(*command)
        assert ran.code == 3 and "signature" in ran.err and line in ran.err, (command, ran)
    agrees(forged, 3)


OTHER_DICE = [
    (dice, umpire, trick)
    for dice in ("peer", "umpire", "solo")
    for umpire in (False, True)
    for trick in ("ruling", "undo", "void")
    if (umpire or dice != "umpire") and (dice, trick) != ("solo", "void")
]


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("dice", "umpire", "trick"),
    mostly_long(OTHER_DICE, lambda dice, umpire, trick: umpire == (dice == "umpire")),
)
def test_nobody_is_spoken_for_with_other_dice(referee: Run, dice: str, umpire: bool, trick: str) -> None:
    names = table(referee, 3, umpire, dice)
    prepare(referee, names, trick)
    players = tuple(sorted(set(names) - {"una"}))
    forged = forge(at("bob"), forgery(at("bob"), trick, players, "una" if umpire else "carol"))
    for name in names:
        own = at(name).read_bytes()
        ran = referee("record", "sync", at(name), forged)
        assert ran.code == 3 and "signature" in ran.err and at(name).read_bytes() == own, (name, ran)


def test_keys_of_dice_go_through_chat_among_three(referee: Run) -> None:
    """Bob and Carol hold copies and send a line each; Alice copies the lines into her record."""
    names = table(referee, 3, False, "peer")
    quiet(referee("roll", "2d6", "--game", at("alice"), "--as", "alice"))
    around(referee, "alice", names)
    for name in ("carol", "bob"):
        line = quiet(referee("dice", "key", at(name), "--as", name, "--show")).out.strip()
        quiet(referee("dice", "key", at("alice"), "--paste", f"  {line}  "))
    quiet(referee("dice", "key", at("alice"), "--as", "alice"))
    assert [entry.type for entry in read(at("alice"))[-4:]] == ["key", "key", "key", "result"]
    around(referee, "alice", names)
    agrees(at("carol"), 0)


def test_a_name_that_nobody_has(referee: Run) -> None:
    table(referee, 2, False)
    for name in ("bobb", "BOB", "bob "):
        ran = referee("record", "sync", at("alice"), at("bob"), "--as", name)
        assert ran.code == 2 and "is no player" in ran.err, ran


def test_a_name_that_nobody_has_in_an_unsigned_record(referee: Run) -> None:
    mine, theirs = halves(GAMES / "trek-duel.jsonl", 60)
    ran = referee("record", "sync", mine, theirs, "--as", "alphaa")
    assert ran.code == 2 and "is no player" in ran.err, ran


# -- Trek ------------------------------------------------------------------------------------


def halves(record: Path, lines: int) -> tuple[Path, Path]:
    """A copy that holds the first lines of a record, and one that holds all of it."""
    mine, theirs = Path("mine.jsonl"), Path("theirs.jsonl")
    theirs.write_bytes(record.read_bytes())
    mine.write_bytes(b"".join(record.read_bytes().splitlines(keepends=True)[:lines]))
    return mine, theirs


def test_an_honest_trek_record_is_taken_in(referee: Run) -> None:
    """Its events name their act by a number: `sync --as` ended with 70."""
    players = read(GAMES / "trek-duel.jsonl")[0].data["players"]
    for name in players:
        mine, theirs = halves(GAMES / "trek-duel.jsonl", 6)
        quiet(referee("record", "sync", mine, theirs, "--as", name))
    events = next(entry for entry in read(GAMES / "trek-duel.jsonl") if type(entry.data.get("act")) is int)
    mine, theirs = halves(GAMES / "trek-duel.jsonl", events.seq)
    theirs.write_bytes(b"".join(theirs.read_bytes().splitlines(keepends=True)[: events.seq + 1]))
    quiet(referee("record", "sync", mine, theirs, "--as", players[0]))


def test_trek_between_two_machines(referee: Run) -> None:
    from tests.cli.test_trek_game import begin

    for name in ("alpha", "beta"):
        Path(name).mkdir()
    begin(referee)
    shutil.move("g.jsonl", at("alpha"))
    shutil.move("g.secrets", Path("alpha") / "duel.secrets")
    before = at("alpha").read_bytes()
    quiet(referee("game", "say", at("alpha"), "Lancer: pass"))
    Path("beta/duel.jsonl").write_bytes(before)
    quiet(referee("record", "verify", at("alpha")))
    quiet(referee("record", "sync", at("beta"), at("alpha"), "--as", "beta"))
    # Alpha began the game and has played for beta; beta can sign with the key that alpha sends, and no other.
    ran = referee("game", "say", at("beta"), "Shade: pass")
    assert ran.code == 2 and "is not kept here" in ran.err, ran
    quiet(referee("game", "key", at("alpha"), "--as", "beta", "--export", "beta.key"))
    quiet(referee("game", "key", at("beta"), "--as", "beta", "--import", "beta.key"))
    quiet(referee("game", "say", at("beta"), "Shade: pass"))
    quiet(referee("record", "sync", at("alpha"), at("beta"), "--as", "alpha"))


# -- keys ------------------------------------------------------------------------------------


def test_one_person_who_plays_all_sides_notices_nothing(referee: Run) -> None:
    ships = ("--ship", "A=cadet/federation-ca:alice@2801E/16", "--ship", "B=cadet/klingon-d6:bob@0216B/16")
    said = [referee("game", "new", "g.jsonl", "--players", "alice,bob", "--umpire", "una", "--alone", *ships)]
    said += [referee("game", "next", "g.jsonl", "--to", "1.1.resolve-fire")]
    said += [referee("volley", "B", "--game", "g.jsonl", "--as", "alice", "--internals", "4")]
    said += [referee("game", "rule", "g.jsonl", "north is up", "--by", "una")]
    number = str(len(read(Path("g.jsonl"))) - 1)
    said += [referee("game", "undo", "g.jsonl", number, "--reason", "x", "--agreed", "alice,bob")]
    assert all(ran.code == 0 and "sign" not in ran.out + ran.err.replace("signal", "") for ran in said), said
    entries = read(Path("g.jsonl"))
    assert [sorted(entry.sigs) for entry in entries[-2:]] == [["una"], ["alice", "bob"]]
    assert "signatures hold" in quiet(referee("record", "verify", "g.jsonl")).out
    assert "unsigned" not in referee("game", "status", "g.jsonl").out
    for path in Path("g.secrets").glob("sign-*.json"):
        assert path.stat().st_mode & 0o777 == 0o600
        assert json.loads(path.read_text())["signing_key"].encode() not in Path("g.jsonl").read_bytes()


def test_a_key_is_carried_to_another_machine(referee: Run) -> None:
    table(referee, 2, False)
    quiet(referee("game", "key", at("bob"), "--as", "bob", "--export", "bob.key"))
    assert Path("bob.key").stat().st_mode & 0o777 == 0o600
    assert referee("game", "key", at("bob"), "--as", "bob", "--export", "bob.key").code == 2
    Path("laptop").mkdir()
    shutil.copy(at("bob"), at("laptop"))
    ran = referee("game", "rule", at("laptop"), "north is up", "--by", "bob")
    assert ran.code == 2 and "signing key of bob is not kept here" in ran.err
    assert referee("game", "key", at("laptop"), "--as", "alice", "--import", "bob.key").code == 2
    assert referee("game", "key", at("laptop"), "--as", "alice", "--export", "none.key").code == 2
    quiet(referee("game", "key", at("laptop"), "--as", "bob", "--import", "bob.key"))
    quiet(referee("game", "rule", at("laptop"), "north is up", "--by", "bob"))
    quiet(referee("record", "sync", at("alice"), at("laptop")))
    assert "bob: " in quiet(referee("game", "key", at("laptop"))).out


def test_a_lost_key_is_replaced_by_all_others(referee: Run) -> None:
    names = table(referee, 3, True)
    quiet(referee("game", "rule", at("una"), "north is up", "--by", "una"))
    around(referee, "una", names)
    for path in Path("bob/duel.secrets").glob("sign-*"):
        path.unlink()
    assert referee("game", "choose", at("bob"), "B", "spread", "--as", "bob").code == 2
    held = at("bob").read_bytes()
    ran = referee("game", "key", at("bob"), "--as", "bob", "--replace")
    assert ran.code == 1 and "alice, carol, una sign" in ran.out, ran
    assert at("bob").read_bytes() == held
    proposed = Path("bob/duel.proposed.jsonl")
    # It is no record yet, and nobody takes it in without agreeing to it.
    assert referee("record", "verify", proposed).code == 3
    assert referee("record", "sync", at("alice"), proposed).code == 3
    ran = referee("record", "sync", at("alice"), proposed, "--agree")
    assert ran.code == 1 and "until carol, una sign" in ran.out, ran
    ran = referee("record", "sync", at("una"), "alice/duel.proposed.jsonl", "--agree")
    assert ran.code == 1 and "until carol signs" in ran.out, ran
    quiet(referee("record", "sync", at("carol"), "una/duel.proposed.jsonl", "--agree"))
    around(referee, "carol", names)
    quiet(referee("game", "choose", at("bob"), "B", "spread", "--as", "bob"))
    around(referee, "bob", names)
    assert sorted(read(at("alice"))[-2].sigs) == ["alice", "bob", "carol", "una"]


def test_a_seat_that_somebody_took_is_said(referee: Run) -> None:
    """Without dice that a player has a part in, too."""
    ships = ("--ship", "A=cadet/federation-ca:alice@2801E/16", "--ship", "B=cadet/klingon-d6:bob@0216B/16")
    for name in ("alice", "bob", "carol"):
        Path(name).mkdir()
    quiet(referee("game", "new", at("alice"), "--players", "alice,bob,carol", "--dice", "physical", *ships))
    shutil.copy(at("alice"), at("carol"))
    quiet(referee("game", "join", at("carol"), "--as", "bob"))
    shutil.copy(at("carol"), at("bob"))
    ran = referee("game", "join", at("bob"), "--as", "bob")
    assert ran.code == 2 and "do not play on" in ran.err, ran
    assert "dice need nothing of bob" in referee("game", "join", at("carol"), "--as", "bob").err


def test_nobody_enters_a_ship_for_another(referee: Run) -> None:
    Path("alice").mkdir()
    Path("bob").mkdir()
    quiet(referee("game", "new", at("alice"), "--players", "alice,bob", "--dice", "peer"))
    shutil.copy(at("alice"), at("bob"))
    quiet(referee("game", "join", at("bob"), "--as", "bob"))
    for player, code in (("alice", 3), ("bob", 0)):
        ship = {"ship": f"Ship of {player}", "class": "cadet/klingon-d6", "player": player}
        ran = referee("record", "sync", at("alice"), forge(at("bob"), ("ship", ship)))
        assert ran.code == code and ("signature" in ran.err) == (code == 3), ran


def test_keys_for_some_only(referee: Run) -> None:
    table(referee, 2, False)
    for left in ([], ["alice"]):

        def fewer(kind: str, data: dict[str, Any], left: list[str] = left) -> Entry:
            keys = {name: data["signers"][name] for name in left} if kind == "genesis" else {}
            return kind, data | ({"signers": keys} if kind == "genesis" else {})

        forged = rewritten(at("alice"), fewer)
        ran = referee("record", "verify", forged)
        assert ran.code == 3 and "are not those of the players" in ran.err, ran
        agrees(forged, 3)


TAKEN: dict[str, tuple[dict[str, Any], str]] = {
    "without asking": ({}, "bob has a signing key already"),
    "by one of the others": ({"agreed_by": ["carol"]}, "has not agreed to a new signing key of bob"),
    "by himself": ({"agreed_by": ["alice", "bob", "carol"]}, "bob agrees to a signing key of bob"),
    "in the name of all others": ({"agreed_by": ["alice", "carol"]}, "without the signature of alice"),
}


@pytest.mark.parametrize("case", TAKEN)
def test_nobody_takes_a_name_over(referee: Run, case: str) -> None:
    names = table(referee, 3, False)
    quiet(referee("game", "choose", at("bob"), "B", "spread", "--as", "bob"))
    around(referee, "bob", names)
    key = Ed25519PrivateKey.generate()
    more, reason = TAKEN[case]
    data = {"player": "bob", "signer": key.public_key().public_bytes_raw().hex(), **more}
    secret = {"game": "x", "player": "bob", "signing_key": key.private_bytes_raw().hex()}
    # Newer than the key of bob's that the first player may have: this one signs.
    (Path("carol/duel.secrets") / "sign-bob-new.json").write_text(json.dumps(secret))
    forged = forge(at("carol"), ("signer", data))
    ran = referee("record", "sync", at("alice"), forged)
    assert ran.code == 3 and reason in ran.err, ran
    assert referee("record", "verify", forged).code == 3


@pytest.mark.one_in(4)
@pytest.mark.parametrize("key", [
    "00" * 32, "01" + "00" * 31, "ec" + "ff" * 30 + "7f", "ed" + "ff" * 30 + "7f",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
])  # fmt: skip
def test_a_key_that_anybody_can_sign_for(referee: Run, key: str) -> None:
    table(referee, 2, False)

    def weak(kind: str, data: dict[str, Any]) -> Entry:
        return kind, data | ({"signers": {**data["signers"], "bob": key}} if kind == "genesis" else {})

    ran = referee("record", "verify", rewritten(at("alice"), weak))
    assert ran.code == 3 and "anybody can sign for" in ran.err
    agrees(rewritten(at("alice"), weak), 3)


def test_a_key_of_another_is_not_taken(referee: Run) -> None:
    table(referee, 2, False)

    def copied(kind: str, data: dict[str, Any]) -> Entry:
        return kind, data | (
            {"signers": dict.fromkeys(data["signers"], data["signers"]["alice"])} if kind == "genesis" else {}
        )

    ran = referee("record", "verify", rewritten(at("alice"), copied))
    assert ran.code == 3 and "is that of" in ran.err


# -- signatures themselves -------------------------------------------------------------------


def changed(path: Path, line: int, change: Any) -> Path:
    """A copy with the fields of a line changed, its hash left as it is."""
    lines = path.read_bytes().splitlines(keepends=True)
    entry = json.loads(lines[line])
    change(entry)
    lines[line] = spelled(entry) + b"\n"
    Path("changed.jsonl").write_bytes(b"".join(lines))
    return Path("changed.jsonl")


def test_a_signature_taken_off_put_on_or_changed(referee: Run) -> None:
    table(referee, 2, False)
    quiet(referee("game", "rule", at("bob"), "north is up", "--by", "bob"))
    good = read(at("bob"))[-1].sigs["bob"]
    other = (
        own_keys(at("alice"))["alice"].sign(b"referee.sign.v1\n" + bytes.fromhex(last_hash(at("bob")))).hex()
    )
    tricks: list[tuple[Any, str]] = [
        (lambda e: e.pop("sigs"), "without the signature of bob"),
        (
            lambda e: e.update(sigs={"bob": good[:-2] + ("00" if good[-2:] != "00" else "01")}),
            "does not hold",
        ),
        (lambda e: e.update(sigs={"bob": good, "alice": other}), "signed by alice, in whose name it is not"),
        (lambda e: e.update(sigs={"bob": other}), "does not hold"),
        (lambda e: e.update(sigs={}), "sigs is not written as it must be"),
        (lambda e: e.update(sigs={"bob": good.upper()}), "sigs is not written as it must be"),
        (lambda e: e.update(sigs={"BOB": good}), "sigs is not written as it must be"),
        (lambda e: e.update(sigs=good), "sigs is not written as it must be"),
    ]
    quiet(referee("record", "sync", at("alice"), at("bob")))
    for change, reason in tricks:
        trick = changed(at("bob"), -1, change)
        ran = referee("record", "verify", trick)
        assert ran.code == 3 and reason in ran.err and f"line {len(read(at('bob')))}" in ran.err, (
            reason,
            ran,
        )
        agrees(trick, 3)


def test_a_second_signature_of_an_entry_is_no_fork(referee: Run) -> None:
    table(referee, 2, False)
    quiet(referee("game", "rule", at("bob"), "north is up", "--by", "bob"))
    (secret,) = (read_secret(file) for file in Path("bob/duel.secrets").glob("sign-bob-*.json"))
    again = signed_again(
        str(secret["signing_key"]), b"referee.sign.v1\n" + bytes.fromhex(last_hash(at("bob")))
    )
    assert again != read(at("bob"))[-1].sigs["bob"]
    quiet(referee("record", "sync", at("alice"), at("bob")))
    other = changed(at("bob"), -1, lambda entry: entry.update(sigs={"bob": again}))
    quiet(referee("record", "verify", other))
    ran = quiet(referee("record", "sync", at("alice"), other))
    assert "both copies are the same, and whole" in ran.out


def test_copies_that_are_the_same_are_verified(referee: Run) -> None:
    """And so is one that is ahead, and what both have of one that is behind."""
    table(referee, 2, False)
    quiet(referee("game", "rule", at("bob"), "north is up", "--by", "bob"))
    shorter = Path("shorter.jsonl")
    shorter.write_bytes(at("bob").read_bytes())
    quiet(referee("game", "rule", at("bob"), "north is down", "--by", "bob"))
    quiet(referee("record", "sync", at("alice"), at("bob")))
    ran = quiet(referee("record", "sync", at("alice"), at("bob")))
    count = sum(len(entry.sigs) for entry in read(at("bob")))
    assert (
        f"both copies are the same, and whole: chain, dice and rules hold\nsigned: all {count} signatures hold"
        in ran.out
    )
    ran = quiet(referee("record", "sync", at("alice"), shorter))
    assert "yours is 1 entry ahead, and whole" in ran.out and f"all {count} signatures hold" in ran.out

    def worn(entry: dict[str, Any]) -> None:
        entry["sigs"]["bob"] = entry["sigs"]["bob"][::-1]

    line = len(read(shorter)) - 1
    bad = changed(at("bob"), line, worn)
    copy = Path("copy.jsonl")
    copy.write_bytes(bad.read_bytes())
    short = Path("short.jsonl")
    short.write_bytes(b"".join(bad.read_bytes().splitlines(keepends=True)[: line + 1]))
    for mine, theirs, whose in (
        (at("alice"), bad, bad), (bad, at("alice"), bad), (bad, copy, bad),  # the same
        (bad, shorter, bad), (at("alice"), short, short),  # ahead
        (short, at("alice"), short),  # behind
    ):  # fmt: skip
        before = mine.read_bytes()
        ran = referee("record", "sync", mine, theirs, "--as", "alice")
        assert ran.code == 3 and mine.read_bytes() == before, (mine, theirs, ran)
        assert f"{whose}: line {line + 1}" in ran.err and "signature does not hold" in ran.err, ran


def test_equal_copies_against_the_rules(referee: Run) -> None:
    """Whoever copied a file has verified nothing yet."""
    table(referee, 2, False)
    forged = forge(at("bob"), ("step", {"turn": 9}))
    copy = Path("copy.jsonl")
    copy.write_bytes(forged.read_bytes())
    ran = referee("record", "sync", copy, forged)
    assert ran.code == 3 and "no foul is recorded" in ran.err, ran


def test_signatures_where_there_are_no_keys(referee: Run) -> None:
    sig = {"alice": "0" * 128}
    trick = changed(GAMES / "cadet-duel.jsonl", -1, lambda entry: entry.update(sigs=sig))
    assert referee("record", "verify", trick).code == 3
    agrees(trick, 3)


def test_an_unsigned_record_is_played_on_as_it_is(referee: Run) -> None:
    quiet(referee("game", "new", "g.jsonl", "--players", "alice,bob", "--dice", "seed", "--seed", "s"))
    old = rewritten(
        Path("g.jsonl"),
        lambda kind, data: (kind, {name: said for name, said in data.items() if name != "signers"}),
    )
    before = old.read_bytes()
    assert "unsigned: the record does not prove who said what" in quiet(referee("game", "status", old)).out
    assert referee("game", "status", old, "--json").json["signed"] is False
    assert "unsigned" in quiet(referee("record", "verify", old)).out
    quiet(referee("game", "rule", old, "north is up", "--by", "alice"))
    assert old.read_bytes().startswith(before) and b"sigs" not in old.read_bytes()
    assert referee("game", "key", old).code == 2
    Path("mine.jsonl").write_bytes(before)
    ran = referee("record", "sync", "mine.jsonl", old, "--as", "alice")
    assert ran.code == 3 and "whose own copy does not hold it" in ran.err
    quiet(referee("record", "sync", "mine.jsonl", old, "--as", "bob"))


# -- dice ------------------------------------------------------------------------------------


def test_a_key_of_dice_is_signed_for_its_declaration(referee: Run) -> None:
    """Three players: who has seen bob's key declares otherwise and shows carol bob's key again."""
    names = table(referee, 3, False, "peer")
    old = at("alice").read_bytes()
    quiet(referee("roll", "2d6", "--game", at("alice"), "--as", "alice"))
    quiet(referee("record", "sync", at("bob"), at("alice")))
    shown = quiet(referee("dice", "key", at("bob"), "--as", "bob", "--show")).out.split()
    at("alice").write_bytes(old)
    quiet(referee("roll", "3d6", "--game", at("alice"), "--as", "alice"))
    again = last_hash(at("alice"))
    line = " ".join([*shown[:5], again, *shown[6:]])
    ran = referee("dice", "key", at("alice"), "--paste", line)
    assert ran.code == 3 and "signature of bob does not hold" in ran.err, ran
    data = {"player": "bob", "roll": 1, "key": shown[3], "declaration": again, "bond": shown[7]}
    forged = forge(at("alice"), ("key", data))
    stolen = changed(forged, -1, lambda entry: entry.update(sigs={"bob": shown[-1]}))
    ran = referee("record", "sync", at("carol"), stolen)
    assert ran.code == 3 and "the signature does not hold" in ran.err and names


def test_the_umpires_dice_are_signed_by_the_umpire(referee: Run) -> None:
    """Until the seed is shown nobody can tell the umpire's dice from any others."""
    names = ("una", "alice", "bob")
    for name in names:
        Path(name).mkdir()
    quiet(referee("game", "new", at("una"), "--players", "alice,bob", "--dice", "umpire", "--umpire", "una"))
    shutil.copy(at("una"), at("alice"))
    quiet(referee("game", "join", at("alice"), "--as", "alice"))
    shutil.copy(at("alice"), at("bob"))
    quiet(referee("game", "join", at("bob"), "--as", "bob"))
    around(referee, "bob", names)
    order = [{"for": "x", "count": 2, "sides": 6}]
    faces = [{"for": "x", "count": 2, "sides": 6, "faces": [6, 6]}]
    declared = forge(
        at("alice"), ("declare", {"roll": 1, "who": "alice", "order": order}), to="alice/declared.jsonl"
    )
    shutil.copytree("alice/duel.secrets", "alice/declared.secrets")
    result = {"roll": 1, "declaration": last_hash(declared), "dice": faces}
    ran = referee("record", "sync", at("bob"), forge(declared, ("result", result)))
    assert ran.code == 3 and "result in the name of una without the signature of una" in ran.err, ran
    quiet(referee("record", "sync", at("una"), declared))
    quiet(referee("dice", "throw", at("una")))
    quiet(referee("record", "sync", at("bob"), at("una")))
    assert list(read(at("bob"))[-1].sigs) == ["una"]


def test_anchors_of_one_chain(referee: Run) -> None:
    """Who joins with the hash of another's anchor gives that one's keys, a roll later."""
    from referee.record.dicekeys import link

    Path("alice").mkdir()
    ships = ("--ship", "A=cadet/federation-ca:alice@2801E/16", "--ship", "B=cadet/klingon-d6:bob@0216B/16")
    quiet(referee("game", "new", at("alice"), "--players", "alice,bob", "--dice", "peer", *ships))
    quiet(referee("game", "join", at("alice"), "--as", "alice"))
    anchor = read(at("alice"))[-1].data["anchor"]
    for steps in (1, 7, 4096):
        data = {"player": "bob", "anchor": link(anchor, steps), "length": 4096}
        forged = forge(at("alice"), ("anchor", data))
        for command in (
            ("record", "sync", at("alice"), forged),
            ("record", "verify", forged),
            ("dice", "verify", forged),
        ):
            ran = referee(*command)
            assert ran.code == 3 and "are of one chain" in ran.err, (steps, command, ran)
            assert f"line {len(read(forged))}" in ran.err


# -- names -----------------------------------------------------------------------------------

LOOKALIKES = {
    "drawn around": "Kodam\u20e3",
    "read as another": "Ka-ng",
    "no letter": "-",
    "cyrillic": "K\u0430ng", "all cyrillic": "\u0410\u0412\u0421", "full width": "\uff2bang", "zero width": "Kang\u200b",
    "a joiner": "Ka\u200dng", "no-break space": "Kang\u00a0", "no-break space within": "Kang\u00a0II", "bidi": "\u202eKang",
    "isolate": "\u2067Kang", "trailing blank": "Kang ", "two blanks": "Kang  II", "a filler": "Kang\u3164",
    "a selector": "Kang\ufe0f", "a blank of braille": "Kang\u2800", "a digit": "ABC1", "greek": "\u0391\u0392C",
    "mathematical": "\U0001d40aang", "rn for m": "Kodarn", "a bar": "ABC|", "a soft hyphen": "Ka\u00adng",
}  # fmt: skip


@pytest.mark.one_in(3)
@pytest.mark.parametrize("case", LOOKALIKES)
def test_names_that_look_alike_do_not_enter(referee: Run, case: str) -> None:
    name = LOOKALIKES[case]
    begin = ("game", "new", "g.jsonl", "--players", "alice,bob", "--dice", "seed", "--seed", "s")
    known = ("Kang", "ABC", "ABCl", "Kodam")
    ships = [part for one in known for part in ("--ship", f"{one}=cadet/federation-ca:alice")]
    if name == name.strip():  # blanks around a name are not read
        ran = referee(*begin, *ships, "--ship", f"{name}=cadet/klingon-d6:bob")
        assert ran.code == 2 and "the name" in ran.err and ran.err.isascii(), ran
        assert not Path("g.jsonl").exists()
    quiet(referee(*begin, *ships))
    forged = forge(Path("g.jsonl"), ("ship", {"ship": name, "class": "cadet/klingon-d6", "player": "bob"}))
    for command in (
        ("record", "sync", "g.jsonl", forged),
        ("record", "verify", forged),
        ("dice", "verify", forged),
    ):
        ran = referee(*command)
        assert ran.code == 3 and "the name" in ran.err and f"line {len(read(forged))}" in ran.err, ran


@pytest.mark.parametrize("players", ["alice,a1ice", "b0b,bob", "kodarn,kodam", "alice,bob --umpire a1ice"])
def test_players_that_look_alike(referee: Run, players: str) -> None:
    names, *more = players.split()
    ran = referee("game", "new", "g.jsonl", "--players", names, "--dice", "seed", "--seed", "s", *more)
    assert ran.code == 2 and "looks like" in ran.err, ran


def test_names_of_any_one_script_enter(referee: Run) -> None:
    ships = ("Étoile du Nord", "Адмирал Ушаков", "宇宙戦艦ヤマト", "Σπάρτη", "K'Vort 2", "D7-B")
    said = [part for one in ships for part in ("--ship", f"{one}=cadet/klingon-d6:alice")]
    quiet(referee("game", "new", "g.jsonl", "--players", "alice,bob", "--dice", "seed", "--seed", "s", *said))
    quiet(referee("record", "verify", "g.jsonl"))


# -- the second program ----------------------------------------------------------------------


def agrees(path: Path, code: int) -> None:
    """The program in JavaScript, where Node is there, finds the same."""
    if NODE is None:
        assert not NODE_REQUIRED, "Node is not installed (.ci/node installs it)"
        return
    done = subprocess.run(
        [NODE, str(VERIFIER), str(path)], capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == code, (done.stdout, done.stderr)


@pytest.mark.long
@needs_node
def test_a_second_program_verifies_the_same_records(referee: Run) -> None:
    assert len(VERIFIER.read_text().splitlines()) <= 200
    assert "referee/" not in VERIFIER.read_text().replace("docs/record.md", "")
    for record in sorted(GAMES.glob("*.jsonl")):
        agrees(record, 0)
    names = table(referee, 3, True)
    quiet(referee("game", "rule", at("una"), 'Étoile \\ "north" is up 🚀', "--by", "una"))
    around(referee, "una", names)
    ran = referee(
        "game", "undo", at("alice"), str(len(read(at("alice"))) - 1), "--reason", "x", "--agreed", "una"
    )
    assert ran.code == 1  # proposed
    agrees(Path("alice/duel.proposed.jsonl"), 3)
    quiet(referee("record", "sync", at("una"), "alice/duel.proposed.jsonl", "--agree"))
    agrees(at("una"), 0)
    agrees(forge(at("bob"), ("ruling", {"by": "una", "text": "bob wins"})), 3)
    lines = at("una").read_bytes().splitlines(keepends=True)
    for damaged in (
        lines[:3] + lines[4:],
        [*lines[:-1], lines[-1].replace(b'"x"', b'"y"')],
        [*lines, lines[-1]],
    ):
        Path("damaged.jsonl").write_bytes(b"".join(damaged))
        agrees(Path("damaged.jsonl"), 3)
    Path("torn.jsonl").write_bytes(b"".join(lines)[:-3])
    agrees(Path("torn.jsonl"), 4)
    # A player may have any name: none of them is a word of the language that the other program is written in.
    odd = make_line(ZERO_HASH, 0, "genesis", {**read(at("una"))[0].data, "players": ["constructor"]}, WHEN)[1]
    Path("odd.jsonl").write_bytes(odd)
    agrees(Path("odd.jsonl"), 3)
