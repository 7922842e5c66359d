"""Records written by a cheat with tools of his own: the chain is whole, and still they are refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from referee.record.chain import ZERO_HASH, make_entry, make_line
from referee.record.reading import read
from tests.cli.conftest import Run
from tests.conftest import ROOT

BY_MAIL = ROOT / "examples" / "by_mail"
SHIPS = ("--ship", "A=cadet/federation-ca:alice@2801E/16", "--ship", "B=cadet/klingon-d6:bob@0216B/16")
WHEN = "2026-11-20T15:00:00Z"
VOLLEY = {
    "ship": "B", "points": 4, "internal": True, "general": 0, "specific": 0, "origins": [],
    "choose": "protect-weapons", "picks": {},
}  # fmt: skip


def begin(referee: Run, path: str = "g.jsonl", *more: str) -> Path:
    """A game of Alice and Bob with practice dice, in its energy allocation."""
    dice = () if "--dice" in more else ("--dice", "seed", "--seed", "forging")
    ran = referee("game", "new", path, "--players", "alice,bob", *dice, *SHIPS, *more)
    assert ran.code == 0, ran.err
    return Path(path)


def in_the_fight(referee: Run, *more: str) -> Path:
    """The same, in the resolve fire step of impulse 1."""
    path = begin(referee, "g.jsonl", *more)
    assert referee("game", "next", path, "--to", "1.1.resolve-fire").code == 0
    return path


def forge(path: Path, *entries: tuple[str, dict[str, Any]], to: str = "forged.jsonl", less: str = "") -> Path:
    """A copy of a record with entries behind it that its author wrote without the program, signed with all the
    keys that lie beside it, but `less`."""
    before = read(path)
    keys = {name: key for name, key in own_keys(path).items() if name != less}
    prev, seq, lines = before[-1].hash, len(before), [path.read_bytes()]
    for kind, data in entries:
        entry, line = make_line(prev, seq, kind, data, WHEN)
        lines.append(with_signatures(line, before[0].data["game"], keys))
        prev, seq = entry.hash, seq + 1
    Path(to).write_bytes(b"".join(lines))
    return Path(to)


def own_keys(path: Path) -> dict[str, Ed25519PrivateKey]:
    """The signing keys beside a record, by player, read without the program; the newest of each."""
    found: dict[str, Ed25519PrivateKey] = {}
    files = sorted(path.with_suffix(".secrets").glob("sign-*.json"), key=lambda file: file.stat().st_mtime_ns)
    for file in files:
        secret = json.loads(file.read_text())
        found[secret["player"]] = Ed25519PrivateKey.from_private_bytes(bytes.fromhex(secret["signing_key"]))
    return found


def with_signatures(line: bytes, game: str, keys: dict[str, Ed25519PrivateKey]) -> bytes:
    """A line signed by all whose name it is in and whose key the cheat has, as docs/record.md says."""
    entry = json.loads(line)
    data, act = entry["data"], entry["data"].get("act")
    names = {data.get(part) for part in ("player", "who", "by", "entered_by")} | set(
        data.get("agreed_by", [])
    )
    names |= set(act.get("agreed_by", [])) if isinstance(act, dict) else set()
    if entry["type"] in ("genesis", "reveal", "foul", "events", "taken") or not names & set(keys):
        return line
    message = b"referee.sign.v1\n" + bytes.fromhex(entry["hash"])
    if entry["type"] == "key":
        message = b"referee.signkey.v1\n" + spelled({**data, "game": game})
    sigs = {name: keys[name].sign(message).hex() for name in names & set(keys)}
    return spelled({**entry, "sigs": sigs}) + b"\n"


def spelled(value: object) -> bytes:
    """Canonical bytes of plain values."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def rewritten(path: Path, change: Callable[[str, dict[str, Any]], tuple[str, dict[str, Any]] | None]) -> Path:
    """A copy written anew from its beginning, every entry changed or left out as the cheat likes, and signed with
    the keys that lie beside the record where the copy names any."""
    prev, lines, keys, game = ZERO_HASH, [], own_keys(path), ""
    for old in read(path):
        if made := change(old.type, dict(old.data)):
            entry, line = make_line(prev, len(lines), *made, old.ts)
            if not lines and "signers" not in entry.data:
                keys = {}
            game = game or entry.data.get("game", "")
            lines.append(with_signatures(line, game, keys))
            prev = entry.hash
    Path("forged.jsonl").write_bytes(b"".join(lines))
    return Path("forged.jsonl")


def rolled(path: Path, order: dict[str, Any], *, who: str = "alice") -> list[tuple[str, dict[str, Any]]]:
    """The entries of a volley as the program would write them, up to its declaration."""
    number = len(read(path))
    text = {"text": ["hit"], "player": who, "volley": order}
    declare = {
        "roll": 1, "who": who, "order": [], "open": True, "purpose": f"volley of entry {number}",
        "ship": order["ship"],
    }  # fmt: skip
    return [("order", text), ("declare", declare)]


def with_result(path: Path, order: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """The same with the faces that the practice dice give."""
    from referee.record.dicekeys import practice_key, throw_all

    new = rolled(path, order)
    before = read(path)
    prev, seq = before[-1].hash, len(before)
    for kind, data in new:
        entry = make_entry(prev, seq, kind, data, WHEN)
        prev, seq = entry.hash, seq + 1
    groups = [{"count": 1, "sides": 6} for _ in range(order["points"])]
    dice = throw_all(practice_key("forging"), 1, groups)
    return [*new, ("result", {"roll": 1, "declaration": prev, "dice": dice})]


def refused(referee: Run, path: Path, reason: str, code: int = 3) -> None:
    """Looking at it, checking it and taking it in all say the same, naming the last line."""
    line = f"line {len(read(path))}"
    for command in (("game", "status", path), ("game", "replay", path), ("dice", "verify", path)):
        ran = referee(*command)
        assert (ran.code, ran.out) == (code, ""), (command, ran)
        assert reason in ran.err and line in ran.err and ran.err.count("\n") == 1, ran.err
    own = Path("g.jsonl").read_bytes()
    ran = referee("record", "sync", "g.jsonl", path)
    assert ran.code == code and reason in ran.err
    assert Path("g.jsonl").read_bytes() == own


EVENTS = {"events": [{"event": "box_destroyed", "ship": "B", "box": "PH-2/A"}], "rolls": [1]}
FORM = {"line_9": {"line": "9", "amount": "3"}}
DENIED: dict[str, tuple[str, dict[str, Any], str]] = {
    "events without dice": ("events", EVENTS, "neither dice nor a ruling account for"),
    "a second ship of the name": (
        "ship",
        {"ship": "b", "class": "cadet/klingon-d6", "player": "bob"},
        "play has begun",
    ),
    "a ship that repairs": ("ship", {"ship": "C", "class": "cadet/klingon-d6", "player": "bob"}, "play has begun"),
    "a form for another's ship": ("form", {"ship": "B", "turn": 1, "form": FORM, "player": "alice"}, "does not play B"),
    "a form by nobody": ("form", {"ship": "B", "turn": 1, "form": FORM}, "does not play B"),
    "a ruling by a stranger": ("ruling", {"by": "carol", "text": "B is lost"}, "does not rule"),
    "a player's ruling with damage": (
        "ruling",
        {"by": "alice", "text": "B is lost", "events": [{"event": "ship_destroyed", "ship": "B", "by_rule": "x"}]},
        "alice has not agreed",
    ),
    "an undo alone": ("undo", {"target": 3, "reason": "mine", "agreed_by": ["alice"]}, "bob has not agreed"),
    "an undo of the beginning": ("undo", {"target": 0, "reason": "x", "agreed_by": ["alice", "bob"]}, "no such entry"),
    "an undo of what comes": ("undo", {"target": 99, "reason": "x", "agreed_by": ["alice", "bob"]}, "no such entry"),
    "an order of a stranger": ("order", {"text": ["x"], "player": "carol"}, "carol is no player"),
    "a policy for another's ship": (
        "order",
        {"text": ["x"], "player": "alice", "choose": {"ship": "B", "policy": "spread"}},
        "does not play B",
    ),
    "a volley with picks of another's boxes": (
        "order",
        {"text": ["x"], "player": "alice", "volley": {**VOLLEY, "choose": "file", "picks": {"hit_1": "PH-2/A"}}},
        "bob picks the boxes of B",
    ),
    "a volley by another policy than the owner's": (
        "order",
        {"text": ["x"], "player": "alice", "volley": {**VOLLEY, "choose": "spread"}},
        "its policy is protect-weapons",
    ),
    "a declaration without its order": (
        "declare",
        {"roll": 1, "who": "alice", "order": [], "open": True, "purpose": "volley of entry 2", "ship": "B"},
        "which orders none",
    ),
    "a declaration ahead of its order": (
        "declare",
        {"roll": 1, "who": "alice", "order": [], "open": True, "purpose": "volley of entry 99", "ship": "B"},
        "which orders none",
    ),
    "an acknowledgement without an umpire": (
        "umpire_ack",
        {"seal": "0" * 64, "digest": "0" * 64, "by": "alice"},
        "not in the record",
    ),
    "a step by a stranger": ("step", {"turn": 2, "player": "carol"}, "carol is no player"),
}  # fmt: skip


@pytest.mark.parametrize("case", DENIED)
def test_forged_entries_are_named(referee: Run, case: str) -> None:
    path = in_the_fight(referee)
    kind, data, reason = DENIED[case]
    refused(referee, forge(path, (kind, data)), reason)


MISSHAPEN: dict[str, tuple[str, dict[str, Any]]] = {
    "an unknown type": ("wish", {"for": "luck"}),
    "another genesis": ("genesis", {}),
    "a volley of less than nothing": ("order", {"text": ["x"], "player": "bob", "volley": {**VOLLEY, "points": -4}}),
    "a volley without end": ("order", {"text": ["x"], "player": "bob", "volley": {**VOLLEY, "points": 10**9}}),
    "a volley in words": ("order", {"text": ["x"], "player": "bob", "volley": "all of it"}),
    "a volley without parts": ("order", {"text": ["x"], "player": "bob", "volley": {"ship": "B"}}),
    "a ship that is not there": ("order", {"text": ["x"], "player": "bob", "volley": {**VOLLEY, "ship": "Z"}}),
    "a form of a ship that is not there": ("form", {"ship": "Z", "turn": 1, "form": FORM, "player": "bob"}),
    "a step without a turn": ("step", {"step": "fire"}),
    "a step in turn 0": ("step", {"turn": 0}),
    "events in words": ("events", {"events": "all"}),
    "a field too many": ("undo", {"target": 1, "reason": "x", "agreed_by": [], "by": "alice"}),
    "a choice in words": ("order", {"text": ["x"], "player": "bob", "choose": "spread"}),
}  # fmt: skip


@pytest.mark.parametrize("case", MISSHAPEN)
def test_what_cannot_be_replayed_is_no_internal_error(referee: Run, case: str) -> None:
    path = in_the_fight(referee)
    forged = forge(path, MISSHAPEN[case])
    line = f"line {len(read(forged))}"
    for command in (("game", "status"), ("game", "replay"), ("game", "report"), ("check",)):
        ran = referee(*command, forged)
        assert ran.code == 2 and ran.out == "" and line in ran.err and ran.err.count("\n") == 1, (
            command,
            ran,
        )


def test_an_unknown_event_stops_the_replay(referee: Run) -> None:
    path = in_the_fight(referee)
    new = with_result(path, VOLLEY)
    for event in (
        {"event": "repaired", "box": "lab/1"},
        {"event": "box_destroyed"},
        {"event": "shield_hit", "shield": 9, "points": 1},
    ):
        forged = forge(path, *new, ("events", {"events": [{"ship": "B", **event}], "rolls": [1]}))
        ran = referee("game", "status", forged)
        assert ran.code == 2 and f"line {len(read(forged))}" in ran.err
    forged = forge(
        path,
        *new,
        ("events", {"events": [{"event": "box_destroyed", "ship": "B", "box": "lab/99"}], "rolls": [1]}),
    )
    assert "has no box" in referee("game", "status", forged).err
    for back in (
        {"event": "box_restored", "box": "lab/1"},
        {"event": "shield_restored", "shield": 1, "points": 0},
    ):
        forged = forge(path, *new, ("events", {"events": [{"ship": "B", **back}], "rolls": [1]}))
        ran = referee("game", "status", forged)
        assert ran.code == 3 and "boxes that are whole again by dice" in ran.err


def test_another_outcome_than_that_of_the_dice(referee: Run) -> None:
    path = in_the_fight(referee)
    new = with_result(path, VOLLEY)
    kind = (
        "events",
        {"events": [{"event": "box_destroyed", "ship": "B", "box": "PH-2/A"}], "rolls": [1], "turn": 1},
    )
    forged = forge(path, *new, kind)
    assert referee("game", "status", forged).code == 0  # whole, and accounted for: only the rules can tell
    for command in (("dice", "verify", forged), ("check", forged), ("record", "sync", path, forged)):
        ran = referee(*command)
        assert ran.code == 3 and "not what roll 1 does by the rules" in ran.err, (command, ran)
        assert f"line {len(read(forged))}" in ran.err


def test_damage_that_is_left_out(referee: Run) -> None:
    """Whoever does not like what fell cannot go on without it."""
    path = in_the_fight(referee)
    new = with_result(path, VOLLEY)
    forged = forge(path, *new, ("step", {"turn": 1, "impulse": 1, "step": "end of impulse"}))
    refused(referee, forged, "comes before what roll 1 does is marked")
    # A crash may leave just that; then the dice that fell are marked, and no others.
    torn = forge(path, *new, to="torn.jsonl")
    assert "what roll 1 does to be marked" in referee("game", "status", torn).out
    assert referee("dice", "throw", torn).code == 0
    assert referee("dice", "verify", torn).code == 0 and read(torn)[-1].type == "events"


def test_a_volley_declared_twice(referee: Run) -> None:
    path = in_the_fight(referee)
    assert referee("volley", "B", "--game", path, "--as", "alice", "--internals", "4").code == 0
    number = next(entry.seq for entry in read(path) if entry.type == "order")
    again = {
        "roll": 2,
        "who": "alice",
        "order": [],
        "open": True,
        "purpose": f"volley of entry {number}",
        "ship": "B",
    }
    refused(referee, forge(path, ("declare", again)), "again")


def test_dice_cannot_be_undone(referee: Run) -> None:
    path = in_the_fight(referee)
    assert referee("volley", "B", "--game", path, "--as", "alice", "--internals", "4").code == 0
    both = ["alice", "bob"]
    for entry in read(path)[-4:-1]:
        forged = forge(path, ("undo", {"target": entry.seq, "reason": "x", "agreed_by": both}))
        if entry.type != "order":
            refused(referee, forged, "dice and seals are never taken back")
        else:
            refused(referee, forged, "rests on it")
        ran = referee("game", "undo", path, str(entry.seq), "--reason", "x", "--agreed", "alice,bob")
        assert ran.code == 2 and ran.err.count("\n") == 1


@pytest.mark.parametrize("data", [
    {"turn": 1, "impulse": 1, "step": "fire"}, {"turn": 1, "step": "energy allocation"}, {"turn": 1, "step": "no such step"},
])  # fmt: skip
def test_a_step_back_without_its_foul(referee: Run, data: dict[str, Any]) -> None:
    path = in_the_fight(referee)
    forged = forge(path, ("step", data))
    ran = referee("dice", "verify", forged)
    assert (
        ran.code == 3
        and "breaks B2.0, and no foul is recorded" in ran.err
        and f"line {len(read(forged))}" in ran.err
    )
    # The foul names the rule, the moment and the player that judging the step gives.
    named = {"player": "alice", "reason": "back", "rule": "B2.0", "key": "B2.0/order"}
    with_foul = forge(path, ("step", data), ("foul", named | {k: v for k, v in data.items() if k != "step"}))
    assert referee("dice", "verify", with_foul).code == 0
    loose = forge(path, ("step", data), ("foul", {"player": "alice", "reason": "back", "rule": "B2.0"}))
    assert referee("dice", "verify", loose).code == 3


def test_an_illegal_form_without_its_foul(referee: Run) -> None:
    path = begin(referee)
    form = {"line_9": {"line": "9", "amount": "99"}, "line_20": {"line": "20", "amount": "99"}}
    filed = ("form", {"ship": "A", "turn": 1, "form": form, "player": "alice"})
    ran = referee("dice", "verify", forge(path, filed))
    assert ran.code == 3 and "no foul is recorded" in ran.err
    broken = forge(path, ("form", {"ship": "A", "turn": 1, "form": {"line_9": "all"}, "player": "alice"}))
    assert referee("dice", "verify", broken).code == 2


def test_a_form_after_a_seal_and_twice(referee: Run) -> None:
    path = begin(referee)
    assert referee("seal", BY_MAIL / "constellation.csv", "--game", path, "--ship", "A").code == 0
    form = ("form", {"ship": "A", "turn": 1, "form": FORM, "player": "alice"})
    refused(referee, forge(path, form), "is sealed: it can only be revealed")
    other = ("form", {"ship": "B", "turn": 1, "form": FORM, "player": "bob"})
    refused(referee, forge(path, other, other), "filed already")
    ran = referee("game", "apply", path, BY_MAIL / "constellation.csv", "--ship", "A")
    assert ran.code == 2 and "sealed" in ran.err


def test_the_same_ship_again(referee: Run) -> None:
    path = begin(referee)
    again = ("ship", {"ship": "b", "class": "cadet/klingon-d6", "player": "bob"})
    refused(referee, forge(path, again), "b is in the game already")
    assert (
        referee(
            "game", "status", forge(path, ("ship", {"ship": "C", "class": "nothing", "player": "bob"}))
        ).code
        == 2
    )


def test_seals_that_are_not_ones_own_or_too_late(referee: Run) -> None:
    path = begin(referee)
    game = read(path)[0].data["game"]
    seal = {
        "v": 1,
        "kind": "moves",
        "digest": "a" * 64,
        "game": game,
        "turn": 1,
        "player": "alice",
        "ship": "A",
        "seq": 1,
    }
    for change, reason in (
        ({"ship": "B"}, "does not play B"),
        ({"turn": 2}, "seals for turn 2 in turn 1"),
        ({"kind": "eaf", "impulse": 3}, "for the whole turn"),
        ({"seq": 2}, "is revision 2 where 1 is due"),
        ({"player": "carol"}, "another game, player"),
        ({"game": "b" * 32}, "another game, player"),
    ):
        refused(referee, forge(path, ("seal", seal | change)), reason)
    assert referee("game", "next", path, "--to", "1.9.move-ships").code == 0
    refused(referee, forge(path, ("seal", seal | {"impulse": 8})), "seals for impulse 8 in impulse 9")
    late = forge(path, ("seal", seal | {"kind": "eaf"}))
    ran = referee("dice", "verify", late)
    assert ran.code == 3 and "breaks B2.0, and no foul is recorded" in ran.err


def test_orders_are_not_sealed_when_another_has_shown_his(referee: Run) -> None:
    path = begin(referee)
    assert referee("game", "next", path, "--to", "1.3.move-ships").code == 0
    orders = ("--game", path, "--kind", "moves", "--impulse", "3", "--order", "left")
    assert referee("seal", *orders, "--ship", "A").code == 0
    waits = referee("game", "status", path).out
    assert "awaited from bob: B's moves of impulse 3 to be sealed, if any" in waits
    shown = ("--game", path, "--kind", "moves", "--impulse", "3", "--ship", "A")
    assert referee("reveal", *shown).code == 0
    assert "to be sealed, if any" not in referee("game", "status", path).out
    before = path.read_bytes()
    late = referee("seal", *orders, "--ship", "B")
    assert late.code == 2 and "seals moves after A's were shown" in late.err
    assert path.read_bytes() == before


def test_terms_changed_in_a_rewritten_record(referee: Run) -> None:
    path = in_the_fight(referee)
    head = referee("record", "head", path).out.strip()

    def other_rules(kind: str, data: dict[str, Any]) -> tuple[str, dict[str, Any]]:
        return kind, data | ({"ruleset": "0" * 64} if kind == "genesis" else {})

    forged = rewritten(path, other_rules)
    assert referee("record", "verify", forged).code == 0  # said in the docs: alone it passes
    assert referee("record", "verify", forged, "--head", head).code == 3
    ran = referee("record", "sync", path, forged)
    assert ran.code == 3 and "line 1" in ran.err and "yours " in ran.err and "theirs" in ran.err
    status = referee("game", "status", forged)
    assert status.code == 0 and "rules of this installation are not those of the game" in status.err
    for command in (
        ("game", "next", forged), ("volley", "B", "--game", forged, "--as", "alice", "--internals", "1"),
        ("roll", "2d6", "--game", forged, "--as", "alice"), ("game", "rule", forged, "x", "--by", "alice"),
    ):  # fmt: skip
        before = forged.read_bytes()
        ran = referee(*command)
        assert ran.code == 3 and "not those of the game" in ran.err and forged.read_bytes() == before, command

    def no_fold(kind: str, data: dict[str, Any]) -> tuple[str, dict[str, Any]]:
        return kind, data | ({"fold": 3} if kind == "genesis" else {})

    assert referee("game", "status", rewritten(path, no_fold)).code == 2

    def umpire_plays(kind: str, data: dict[str, Any]) -> tuple[str, dict[str, Any]]:
        return kind, data | ({"umpire": "alice"} if kind == "genesis" else {})

    assert "the umpire plays" in referee("game", "status", rewritten(path, umpire_plays)).err

    def unknown_options(kind: str, data: dict[str, Any]) -> tuple[str, dict[str, Any]]:
        return kind, data | ({"options": {"luck": "true"}} if kind == "genesis" else {})

    assert referee("game", "status", rewritten(path, unknown_options)).code == 2
