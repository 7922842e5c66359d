"""Two players who only ever send each other the record: the example, sync, forks, and peer dice."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from referee.record.chain import ZERO_HASH, make_line
from referee.record.journal import append
from referee.record.reading import read
from tests.cli.conftest import Ran, Run
from tests.conftest import ROOT
from tests.unit.play.test_game_forging import BY_MAIL, SHIPS, WHEN, forge

ALICE, BOB = Path("alice/duel.jsonl"), Path("bob/duel.jsonl")


@pytest.fixture(scope="module")
def mailed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """The example played once through the real command line; no player's secrets can be read by the other."""
    folder = tmp_path_factory.mktemp("mail")
    # Whoever reads a file is told apart by the folder of the record his command names.
    watch = folder / "watch.py"
    watch.write_text(
        "import os, sys\n"
        "first = next(a for a in sys.argv if a.endswith('duel.jsonl'))\n"
        "mine = 'alice' if '/alice/' in first else 'bob'\n"
        "def hook(event, args):\n"
        "    if event in ('open', 'os.open', 'os.listdir', 'os.scandir'):\n"
        "        path = os.fspath(args[0]) if args and isinstance(args[0], (str, bytes, os.PathLike)) else ''\n"
        "        path = path.decode() if isinstance(path, bytes) else path\n"
        "        if '.secrets' in path and f'/{mine}/' not in path:\n"
        "            print('SPYING', mine, path, file=sys.stderr); os._exit(99)\n"
        "sys.addaudithook(hook)\n"
        "from referee.cli.main import main\n"
        "main()\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "REFEREE": f"{sys.executable} {watch}"}
    done = subprocess.run(
        ["sh", str(BY_MAIL / "turn.sh"), str(folder)],
        capture_output=True,
        text=True,
        check=False,
        env=environment,
        timeout=300,
    )
    assert done.returncode == 0 and done.stderr == "", done.stderr
    return folder, done.stdout


@pytest.mark.long
def test_the_example_turn(mailed: tuple[Path, str], referee: Run) -> None:
    folder, told = mailed
    alice, bob = folder / ALICE, folder / BOB
    assert alice.read_bytes() == bob.read_bytes()
    status = referee("game", "status", alice, "--json").json
    ships = {ship["name"]: ship for ship in status["ships"]}
    assert (
        ships["Destruction"]["state"]["shields"]["1"] == 0
        and len(ships["Destruction"]["state"]["destroyed"]) == 5
    )
    assert ships["Constellation"]["power"] == 20 and not ships["Constellation"]["state"]["destroyed"]
    assert (
        (status["turn"], status["step"]) == (1, "end of turn")
        and status["awaited"] == []
        and status["fouls"] == []
    )
    assert all(seal["revealed"] for seal in status["seals"]) and len(status["seals"]) == 4
    assert [ship["forms"] for ship in status["ships"]] == [[1], [1]]
    for copy in (alice, bob):
        assert "1 roll, 1 recomputed, 0 wrong (peer dice)" in referee("dice", "verify", copy).out
    assert referee("game", "replay", alice).out == referee("game", "replay", bob).out
    assert referee("game", "replay", alice).out.splitlines()[-1] in told
    # The independent checker agrees.
    done = subprocess.run(
        [sys.executable, str(ROOT / "examples" / "check_dice.py"), str(alice)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, "roll 1 good\n")


@pytest.mark.long
def test_what_is_secret_stays_at_home(mailed: tuple[Path, str]) -> None:
    folder, _ = mailed
    names = {
        who: {path.name for path in (folder / who / "duel.secrets").iterdir()} for who in ("alice", "bob")
    }
    # Each holds her own signing key; Alice, who began the game, still the one that Bob has replaced.
    signing = {who: sorted(n for n in names[who] if n.startswith("sign-")) for who in names}
    assert [name[:-22] for name in signing["alice"]] == ["sign-alice", "sign-bob"]
    assert [name[:-22] for name in signing["bob"]] == ["sign-bob"] and signing["bob"][0] not in names["alice"]
    names = {who: names[who] - set(signing[who]) for who in names}
    assert names["alice"] == {
        "chain-alice.json",
        "answered-alice-1.json",
        "1-constellation-eaf-1.json",
        "1-9-constellation-moves-1.json",
    }
    assert names["bob"] == {
        "chain-bob.json",
        "answered-bob-1.json",
        "1-destruction-eaf-1.json",
        "1-9-destruction-moves-1.json",
    }
    for who in names:
        for path in (folder / who / "duel.secrets").glob("sign-*"):
            secret = json.loads(path.read_text())
            assert secret["signing_key"] not in (folder / ALICE).read_text()
            assert path.stat().st_mode & 0o777 == 0o600
        for path in (folder / who / "duel.secrets").glob("chain-*"):
            assert path.read_text()[10:74] not in (folder / ALICE).read_text()
            assert path.stat().st_mode & 0o777 == 0o600


def quiet(ran: Ran) -> Ran:
    assert ran.code == 0 and ran.err == "", ran
    return ran


def seated(referee: Run) -> None:
    """Alice and Bob with their copies, both joined, at the resolve fire step."""
    for who in ("alice", "bob"):
        Path(who).mkdir()
    quiet(referee("game", "new", ALICE, "--players", "alice,bob", "--dice", "peer", *SHIPS))
    quiet(referee("game", "join", ALICE, "--as", "alice"))
    shutil.copy(ALICE, BOB)
    quiet(referee("game", "join", BOB, "--as", "bob"))
    quiet(referee("game", "next", BOB, "--to", "1.1.resolve-fire"))
    quiet(referee("record", "sync", ALICE, BOB))


def declared(referee: Run) -> str:
    """Alice declares a volley and both hold it; the hash of the declaration."""
    ran = quiet(referee("volley", "B", "--game", ALICE, "--as", "alice", "--internals", "3"))
    assert "awaited: bob, alice" in ran.out
    quiet(referee("record", "sync", BOB, ALICE))
    return read(ALICE)[-1].hash


@pytest.mark.parametrize(("lines", "text", "more"), [(6_000, "x", "entries"), (40, "x" * 200_000, "MiB")])
def test_a_flood_is_not_taken_in_unasked(referee: Run, lines: int, text: str, more: str) -> None:
    assert referee("game", "new", "mine.jsonl", "--players", "alice,bob", *SHIPS).code == 0
    shutil.copy("mine.jsonl", "theirs.jsonl")
    append("theirs.jsonl", lambda _: [("note", {"text": text})] * lines, WHEN)
    before = Path("mine.jsonl").read_bytes()
    ran = referee("record", "sync", "mine.jsonl", "theirs.jsonl", "--as", "alice")
    assert ran.code == 2 and more in ran.err and "--agree" in ran.err and ran.err.count("\n") == 1
    assert Path("mine.jsonl").read_bytes() == before
    ran = referee("record", "sync", "mine.jsonl", "theirs.jsonl", "--as", "alice", "--agree")
    assert ran.code == 0 and f"took in {lines} entries" in ran.out


@pytest.mark.parametrize(
    ("field", "value", "told"),
    [
        ("format", 99, "is of format 99; this referee reads 1: a newer one wrote it"),
        ("format", True, "is of format True; this referee reads 1\n"),
        ("fold", 99, "is replayed by version 99; this referee reads 2: a newer one wrote it"),
    ],
)
def test_a_record_of_another_format_is_not_called_whole(
    referee: Run, field: str, value: object, told: str
) -> None:
    assert referee("game", "new", "g.jsonl", "--players", "alice,bob", *SHIPS).code == 0
    genesis = read(Path("g.jsonl"))[0]
    _, line = make_line(ZERO_HASH, 0, "genesis", {**genesis.data, field: value}, WHEN)
    Path("g.jsonl").write_bytes(line)
    for asked in (
        ("record", "verify"),
        ("record", "head"),
        ("game", "status"),
        ("check",),
        ("dice", "verify"),
    ):
        ran = referee(*asked, "g.jsonl")
        assert ran.code == 2 and told in ran.err and ran.err.count("\n") == 1, asked


def test_sync_forward_same_ahead_and_fork(referee: Run) -> None:
    seated(referee)
    assert "both copies are the same" in quiet(referee("record", "sync", BOB, ALICE)).out
    quiet(referee("game", "next", ALICE))
    assert "yours is 1 entry ahead" in quiet(referee("record", "sync", ALICE, BOB)).out
    theirs = ALICE.read_bytes()
    ran = quiet(referee("record", "sync", BOB, ALICE))
    assert (
        "took in 1 entry" in ran.out
        and "step" in ran.out
        and BOB.read_bytes() == theirs == ALICE.read_bytes()
    )
    assert referee("game", "replay", ALICE).out == referee("game", "replay", BOB).out
    quiet(referee("game", "rule", ALICE, "north is up", "--by", "alice"))
    quiet(referee("game", "rule", BOB, "north is down", "--by", "bob"))
    before = ALICE.read_bytes(), BOB.read_bytes()
    for mine, other in ((ALICE, BOB), (BOB, ALICE)):
        ran = referee("record", "sync", mine, other)
        line = len(read(ALICE))
        assert ran.code == 3 and ran.out == "" and f"line {line}" in ran.err
        assert (
            "north is up" in ran.err
            and "north is down" in ran.err
            and "yours " in ran.err
            and "theirs" in ran.err
        )
        assert (ALICE.read_bytes(), BOB.read_bytes()) == before
    # Damaged copies, and those of another game, are never taken in.
    damaged = BOB.read_bytes().replace(b"north is down", b"north is fown")
    Path("bad.jsonl").write_bytes(damaged)
    assert referee("record", "sync", ALICE, "bad.jsonl").code == 3
    Path("bad.jsonl").write_bytes(BOB.read_bytes()[:-3])
    assert referee("record", "sync", ALICE, "bad.jsonl").code == 4
    quiet(referee("game", "new", "other.jsonl", "--players", "alice,bob"))
    assert "line 1" in referee("record", "sync", ALICE, "other.jsonl").err
    assert ALICE.read_bytes() == before[0]


IN_BOBS_NAME: list[tuple[str, dict[str, Any]]] = [
    ("form", {"ship": "B", "turn": 1, "form": {}, "player": "bob"}),
    ("undo", {"target": 6, "reason": "we said so", "agreed_by": ["alice", "bob"]}),
    ("ruling", {"by": "bob", "text": "my ship is lost"}),
    ("order", {"text": ["B: hold fire"], "player": "bob"}),
    ("foul", {"player": "bob", "reason": "cheats", "rule": "B2.0"}),
    ("declare", {"roll": 1, "who": "bob", "order": [{"for": "x", "count": 1, "sides": 6}]}),
    (
        "seal",
        {"v": 1, "kind": "moves", "digest": "a" * 64, "turn": 1, "player": "bob", "ship": "B", "seq": 1},
    ),
    ("order", {"text": ["B: choose spread"], "player": "bob", "choose": {"ship": "B", "policy": "spread"}}),
]


@pytest.mark.one_in(3)
@pytest.mark.parametrize("kind, data", IN_BOBS_NAME)
def test_nobody_speaks_for_another(referee: Run, kind: str, data: dict[str, Any]) -> None:
    seated(referee)
    data = data | ({"game": read(ALICE)[0].data["game"]} if kind == "seal" else {})
    before = BOB.read_bytes()
    if kind not in ("form", "foul"):  # with the key that Bob put his own in the place of
        ran = referee("record", "sync", BOB, forge(ALICE, (kind, data)))
        assert ran.code == 3 and f"{kind} in the name of bob: the signature does not hold" in ran.err
    forged = forge(ALICE, (kind, data), less="bob")
    ran = referee("record", "sync", BOB, forged)
    assert ran.code == 3 and BOB.read_bytes() == before and ran.err.count("\n") == 1
    # A form is out of its step as well; a foul nobody signs, for the rules make it.
    if kind not in ("form", "foul"):
        assert f"{kind} in the name of bob without the signature of bob" in ran.err
    if kind == "foul":
        assert "a foul with no cause in the record: B2.0, against bob" in ran.err
    # What others propose Bob can agree to; what he is to have said himself he says himself, and nobody agrees to
    # a foul that there was not.
    if kind == "undo":
        quiet(referee("record", "sync", BOB, forged, "--agree"))
    else:
        assert referee("record", "sync", BOB, forged, "--agree").code == 3 and BOB.read_bytes() == before
    # Nor can it be told to somebody who has no key and says no name.
    Path("carol").mkdir()
    shutil.copy(ALICE, "carol/duel.jsonl")
    for named in ((), ("--as", "alice"), ("--as", "bob")):
        assert referee("record", "sync", "carol/duel.jsonl", forged, *named).code == 3


def test_a_seat_that_somebody_took(referee: Run) -> None:
    for who in ("alice", "bob"):
        Path(who).mkdir()
    quiet(referee("game", "new", ALICE, "--players", "alice,bob", "--dice", "peer"))
    for name in ("alice", "bob"):
        quiet(referee("game", "join", ALICE, "--as", name))
    shutil.copy(ALICE, BOB)
    ran = referee("game", "join", BOB, "--as", "bob")
    assert ran.code == 2 and "do not play on" in ran.err


def test_keys_come_after_the_declaration_and_the_declarer_last(referee: Run) -> None:
    seated(referee)
    ran = referee("dice", "key", BOB, "--as", "bob")
    assert ran.code == 2 and "no roll waits" in ran.err
    declaration = declared(referee)
    ran = referee("dice", "key", ALICE, "--as", "alice")
    assert ran.code == 2 and "gives the key last" in ran.err
    assert referee("dice", "throw", ALICE).code == 2
    ran = quiet(referee("dice", "key", BOB, "--as", "bob", "--show"))
    line = ran.out.strip()
    assert line.startswith("key bob 1 ") and f" for {declaration} bond " in line and " signed " in line
    assert read(BOB)[-1].type == "declare"
    # Pasted from chat it is as good; a key of another roll, player or declaration is not.
    parts = line.split()
    for wrong in (
        line.replace("bob", "alice"),
        line.replace(parts[3], "0" * 64),
        line.replace(parts[5], "0" * 64),
        line.replace(" 1 ", " 2 "),
        line.partition(" bond ")[0],
        line[:-1] + ("0" if line[-1] != "0" else "1"),
        line.partition(" signed ")[0],
    ):
        before = ALICE.read_bytes()
        ran = referee("dice", "key", ALICE, "--paste", wrong)
        assert ran.code in (2, 3) and ran.err.count("\n") == 1 and ALICE.read_bytes() == before, (wrong, ran)
    assert referee("dice", "key", ALICE, "--paste", line.replace(parts[3], "0" * 64)).code == 3
    assert referee("dice", "key", ALICE, "--paste", "nonsense").code == 2
    quiet(referee("dice", "key", ALICE, "--paste", line))
    quiet(referee("dice", "key", ALICE, "--as", "alice"))
    quiet(referee("record", "sync", BOB, ALICE))
    assert [entry.type for entry in read(BOB)][-4:] == ["key", "key", "result", "events"]


def test_a_roll_is_given_up_alone_only_before_any_key(referee: Run) -> None:
    seated(referee)
    declared(referee)
    void = ("dice", "void", ALICE, "--reason", "the wrong ship")
    assert referee(*void, "--agreed", "bob").code == 2
    quiet(referee(*void, "--agreed", "alice"))
    quiet(referee("record", "sync", BOB, ALICE))
    ran = quiet(referee("volley", "B", "--game", ALICE, "--as", "alice", "--internals", "3"))
    assert "roll 2" in ran.out  # the number of the first is used up
    quiet(referee("record", "sync", BOB, ALICE))
    quiet(referee("dice", "key", BOB, "--as", "bob"))
    quiet(referee("record", "sync", ALICE, BOB))
    before = ALICE.read_bytes()
    ran = referee(*void, "--agreed", "alice")
    assert ran.code == 2 and "bob has not agreed" in ran.err and ALICE.read_bytes() == before
    roll = read(ALICE)[-2]
    data = {"roll": 2, "declaration": roll.hash, "reason": "unlucky", "agreed_by": ["alice"]}
    ran = referee("record", "sync", BOB, forge(ALICE, ("void", data)))
    assert ran.code == 3 and "bob has not agreed" in ran.err


def test_refusing_a_key_never_pays(referee: Run) -> None:
    """Alice declared and knows the dice: without her key there are none, and what she declared does nothing."""
    seated(referee)
    declared(referee)
    forfeit = ("dice", "forfeit", BOB, "--refuser", "alice", "--as", "bob")
    assert "other keys are missing too" in referee(*forfeit).err
    quiet(referee("dice", "key", BOB, "--as", "bob"))
    assert referee("dice", "forfeit", BOB, "--refuser", "bob", "--as", "bob").code == 2
    ran = referee("dice", "forfeit", BOB, "--refuser", "alice", "--as", "bob", "--agreed", "alice")
    assert ran.code == 2 and "bob has not agreed" in ran.err
    assert "forfeited by alice" in quiet(referee(*forfeit)).out
    assert [entry.type for entry in read(BOB)][-2:] == ["forfeit_roll", "events"]
    assert read(BOB)[-1].data["events"] == []
    quiet(referee("dice", "verify", BOB))
    before = ALICE.read_bytes()
    ran = referee("record", "sync", ALICE, BOB)
    assert ran.code == 3 and "says that alice kept back the key of roll 1" in ran.err
    assert ALICE.read_bytes() == before
    quiet(referee("record", "sync", ALICE, BOB, "--agree"))


def test_a_roll_goes_on_without_the_key_of_who_did_not_declare_it(referee: Run) -> None:
    seated(referee)
    declared(referee)
    forfeit = ("dice", "forfeit", ALICE, "--refuser", "bob", "--as", "alice")
    ran = quiet(referee(*forfeit))
    assert "made without the key of bob" in ran.out and "awaited from alice: key for roll 1" in ran.out
    assert referee("dice", "key", BOB, "--as", "bob").code == 0  # in a copy of his own: the copies fork
    assert referee(*forfeit).code == 2
    ran = quiet(referee("dice", "key", ALICE, "--as", "alice"))
    assert [entry.type for entry in read(ALICE)][-4:] == ["forfeit_roll", "key", "result", "events"]
    assert "1 roll, 1 recomputed, 0 wrong (peer dice)" in quiet(referee("dice", "verify", ALICE)).out
    checker = [sys.executable, str(ROOT / "examples" / "check_dice.py"), str(ALICE)]
    assert subprocess.run(checker, capture_output=True, check=False).stdout == b"roll 1 good\n"
    assert referee("record", "sync", BOB, ALICE).code == 3


def test_a_claim_that_a_key_was_refused_that_nobody_asked_for(referee: Run) -> None:
    """Declared and forfeited at one sitting: whoever rolls would choose whose keys count."""
    seated(referee)
    declared(referee)
    quiet(referee("dice", "forfeit", ALICE, "--refuser", "bob", "--as", "alice"))
    before = BOB.read_bytes()
    ran = referee("record", "sync", BOB, ALICE)
    assert ran.code == 3 and "says that bob kept back the key of roll 1" in ran.err, ran
    assert ran.err.count("\n") == 1 and BOB.read_bytes() == before


def test_who_keeps_back_the_last_key_has_no_say(referee: Run) -> None:
    """The others give the roll up together; who declared it does not take that in unless he agrees."""
    seated(referee)
    declared(referee)
    quiet(referee("dice", "key", BOB, "--as", "bob"))
    void = ("dice", "void", BOB, "--reason", "no answer", "--agreed", "bob")
    quiet(referee(*void))
    ran = referee("record", "sync", ALICE, BOB)
    assert ran.code == 3 and "gives up roll 1, which alice declared, without alice" in ran.err, ran
    quiet(referee("record", "sync", ALICE, BOB, "--agree"))


def test_a_roll_is_not_given_up_when_a_shown_key_has_told_the_dice(referee: Run) -> None:
    """A key in chat is not in the record, but whoever gave it knows."""
    seated(referee)
    declared(referee)
    quiet(referee("record", "sync", BOB, ALICE))
    quiet(referee("dice", "key", BOB, "--as", "bob", "--show"))
    quiet(referee("dice", "void", ALICE, "--reason", "unlucky", "--agreed", "alice"))
    before = BOB.read_bytes()
    ran = referee("record", "sync", BOB, ALICE)
    assert ran.code == 3 and "for which bob gave a key, without bob" in ran.err, ran
    assert ran.err.count("\n") == 1 and BOB.read_bytes() == before
    quiet(referee("record", "sync", BOB, ALICE, "--agree"))


def test_dice_are_not_typed_in_where_the_game_throws_them(referee: Run) -> None:
    """Whoever declares a roll for the table would name its faces; the other side has to want that."""
    seated(referee)
    order = [{"for": "initiative", "count": 2, "sides": 6}]
    forged = forge(
        ALICE, ("declare", {"roll": 1, "who": "alice", "order": order, "purpose": "x", "physical": True})
    )
    before = BOB.read_bytes()
    ran = referee("record", "sync", BOB, forged)
    assert ran.code == 3 and "lets alice type in the dice of roll 1" in ran.err, ran
    assert BOB.read_bytes() == before
    quiet(referee("record", "sync", BOB, forged, "--agree"))


def test_another_declaration_after_the_key_is_out(referee: Run) -> None:
    """The trick of the restored copy: the same number, another volley."""
    seated(referee)
    old = ALICE.read_bytes()
    declared(referee)
    key = quiet(referee("dice", "key", BOB, "--as", "bob")).out.splitlines()[0]
    ALICE.write_bytes(old)
    quiet(referee("volley", "B", "--game", ALICE, "--as", "alice", "--internals", "30"))
    ran = referee("dice", "key", ALICE, "--paste", key)
    assert ran.code == 3 and "another declaration" in ran.err
    before = BOB.read_bytes()
    assert referee("record", "sync", BOB, ALICE).code == 3 and BOB.read_bytes() == before
    # And Bob's own program gives no second key, even if he let his copy be replaced.
    BOB.write_bytes(ALICE.read_bytes())
    ran = referee("dice", "key", BOB, "--as", "bob")
    assert ran.code == 3 and "was declared otherwise" in ran.err


def test_a_lost_key_chain_is_said(referee: Run) -> None:
    seated(referee)
    declared(referee)
    Path("bob/duel.secrets/chain-bob.json").unlink()
    ran = referee("dice", "key", BOB, "--as", "bob")
    assert ran.code == 2 and ran.err.count("\n") == 1 and "chain-bob.json" in ran.err


def test_secrets_of_an_earlier_game_of_the_name(referee: Run) -> None:
    seated(referee)
    declared(referee)
    quiet(referee("dice", "key", BOB, "--as", "bob"))
    for path in (ALICE, BOB):
        path.unlink()
    quiet(referee("game", "new", ALICE, "--players", "alice,bob", "--dice", "peer", *SHIPS))
    quiet(referee("game", "join", ALICE, "--as", "alice"))
    shutil.copy(ALICE, BOB)
    quiet(referee("game", "join", BOB, "--as", "bob"))
    quiet(referee("game", "next", BOB, "--to", "1.1.resolve-fire"))
    quiet(referee("record", "sync", ALICE, BOB))
    declared(referee)
    quiet(referee("dice", "key", BOB, "--as", "bob"))
    assert sorted(path.name for path in Path("bob/duel.secrets").glob("*.unused-1")) == [
        "answered-bob-1.json.unused-1",
        "chain-bob.json.unused-1",
    ]


def test_a_roll_between_players(referee: Run) -> None:
    seated(referee)
    ran = quiet(referee("roll", "2d6", "--game", ALICE, "--as", "alice", "--for", "who moves first"))
    assert "awaited: bob, alice" in ran.out
    assert "awaited from bob: key for roll 1" in referee("game", "status", ALICE).out
    quiet(referee("record", "sync", BOB, ALICE))
    quiet(referee("dice", "key", BOB, "--as", "bob"))
    quiet(referee("record", "sync", ALICE, BOB))
    assert "roll 1: who moves first" in quiet(referee("dice", "key", ALICE, "--as", "alice")).out
    quiet(referee("dice", "verify", ALICE))
    entry = read(ALICE)[-1]
    faces = [face for group in entry.data["dice"] for face in group["faces"]]
    other = [{**group, "faces": [7 - face for face in group["faces"]]} for group in entry.data["dice"]]
    lines = ALICE.read_bytes().splitlines(keepends=True)
    Path("cut.jsonl").write_bytes(b"".join(lines[:-1]))
    forged = forge(Path("cut.jsonl"), ("result", entry.data | {"dice": other}))
    ran = referee("dice", "verify", forged)
    assert ran.code == 3 and "the keys give other faces" in ran.err and faces and WHEN
