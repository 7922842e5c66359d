"""Forms are judged in the order of turns, whichever is shown first (issue: two forms spend the same batteries)."""

from __future__ import annotations

import hashlib
import json
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

from referee.record.canonical import canonical
from referee.record.chain import make_line
from referee.record.reading import read
from tests.cli.conftest import Run
from tests.conftest import mostly_long
from tests.unit.play.test_game_forging import WHEN, own_keys, with_signatures

GAME = Path("g.jsonl")
SHIPS = ("--ship", "A=cadet/federation-ca:alice@2801E/16", "--ship", "B=cadet/klingon-d6:bob@0216B/16")
POWER = {"1": 16, "2": 2, "3": 2, "4": 20, "5": 2}
BOTH = POWER | {"6": 2, "14": 16, "19": 6, "20": 22}
"""A form that spends all power and both batteries, which it says are charged."""

RECHARGED = POWER | {"5": 0, "14": 16, "16": 2, "19": 2, "20": 20}


def begin(referee: Run) -> None:
    dice = (
        "--dice",
        "seed",
        "--seed",
        "showing",
        "--option",
        "previous_speed=16",
        "--option",
        "other_lines=true",
    )
    assert referee("game", "new", GAME, "--players", "alice,bob", *dice, *SHIPS).code == 0


class Writer:
    """A writer of one's own: lines that fit the chain, seals and reveals, signed by who makes them, and nobody
    who judges them."""

    def __init__(self) -> None:
        self.keys = own_keys(GAME)
        self.genesis = read(GAME)[0].data
        self.entries = read(GAME)
        self.lines = [GAME.read_bytes()]
        self.bodies: dict[int, dict[str, Any]] = {}
        self.seals: dict[int, str] = {}

    def put(self, kind: str, data: dict[str, Any]) -> str:
        last = self.entries[-1]
        entry, line = make_line(last.hash, len(self.entries), kind, data, WHEN)
        self.entries.append(entry)
        self.lines.append(with_signatures(line, self.genesis["game"], self.keys))
        return entry.hash

    def seal(self, turn: int, lines: dict[str, int]) -> None:
        """A seal of A's form; B's is sealed beside it and never shown."""
        other = {
            "v": 1,
            "kind": "eaf",
            "game": self.genesis["game"],
            "turn": turn,
            "player": "bob",
            "ship": "B",
        }
        self.put("seal", other | {"seq": 1, "digest": self.nonce(turn)})
        form = {f"line_{line}": {"line": line, "amount": str(amount)} for line, amount in lines.items()}
        about = {"v": 1, "kind": "eaf", "game": self.genesis["game"], "turn": turn, "player": "alice"}
        about |= {"ship": "A", "seq": 1}
        body = about | {"ruleset": self.genesis["ruleset"], "form": form}
        opening = b"referee.commit.v1\n" + canonical({"body": body, "nonce": self.nonce(turn)})
        self.bodies[turn] = body
        self.seals[turn] = self.put("seal", about | {"digest": hashlib.sha256(opening).hexdigest()})

    def nonce(self, turn: int) -> str:
        return f"{turn:02d}" * 32

    def reveal(self, turn: int) -> None:
        shown = {"v": 1, "seal": self.seals[turn], "body": self.bodies[turn], "nonce": self.nonce(turn)}
        self.put("reveal", shown)

    def turns(self, *forms: dict[str, int]) -> None:
        """Each form sealed in its turn."""
        for turn, lines in enumerate(forms, 1):
            if turn > 1:
                self.put("step", {"turn": turn, "step": "energy allocation"})
            self.seal(turn, lines)

    def written(self) -> Path:
        Path("forged.jsonl").write_bytes(b"".join(self.lines))
        return Path("forged.jsonl")


@pytest.mark.parametrize("order", [(1, 2), (2, 1)])
def test_two_forms_do_not_discharge_the_same_batteries(referee: Run, order: tuple[int, int]) -> None:
    begin(referee)
    writer = Writer()
    writer.turns(BOTH, BOTH)
    for turn in order:
        writer.reveal(turn)
    forged = writer.written()
    line = len(writer.entries)
    ran = referee("dice", "verify", forged)
    assert ran.code == 3 and f"line {line}: breaks B3.0-5, and no foul is recorded" in ran.err, ran
    for command in (("check",), ("record", "sync", GAME)):
        ran = referee(*command, forged)
        assert ran.code == 3 and f"line {line}: breaks B3.0-20, and no foul is recorded" in ran.err, ran


def test_forms_before_a_gap_are_not_held_against_those_after_it(referee: Run) -> None:
    """What the turn between recharged is a secret: nothing is an error by what it may have been."""
    begin(referee)
    writer = Writer()
    late = {line: amount for line, amount in BOTH.items() if line != "5"}
    writer.turns(BOTH, RECHARGED, late)
    writer.reveal(1)
    writer.reveal(3)
    ran = referee("dice", "verify", writer.written())
    assert ran.code == 0, ran.err
    writer.reveal(2)
    ran = referee("dice", "verify", writer.written())
    assert ran.code == 0, ran.err


FORMS: dict[str, tuple[dict[str, int], ...]] = {
    "the same batteries twice": (BOTH, BOTH, POWER | {"14": 16, "20": 16}),
    "three times": (BOTH, BOTH, BOTH),
    "recharged between": (BOTH, RECHARGED, BOTH),
    "too little power": (POWER | {"14": 30, "20": 30}, BOTH, BOTH),
    "without line 5": tuple({k: v for k, v in BOTH.items() if k != "5"} for _ in range(3)),
    "too fast after slow": (POWER | {"14": 4, "20": 4}, POWER | {"14": 20, "20": 20}, BOTH),
}


def sheet(turn: int, lines: dict[str, int]) -> str:
    """A form of A as JSON."""
    entries = {line: str(amount) for line, amount in lines.items()}
    turns = [{"turn": turn, "lines": entries}]
    return json.dumps({"schema": "referee/energy-allocation/1", "ship": "A", "turns": turns})


ORDERS = tuple(permutations((1, 2, 3)))


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("name", "orders"),
    mostly_long(
        [(name, orders) for name in FORMS for orders in (ORDERS, (ORDERS[0], ORDERS[-1]))],
        # As they were filed against the last one first; the long run tries every order.
        lambda name, orders: len(orders) == 2,
    ),
)
def test_findings_do_not_depend_on_the_order_of_showing(
    referee: Run, name: str, orders: tuple[tuple[int, ...], ...]
) -> None:
    told: dict[tuple[int, ...], Any] = {}
    for order in orders:
        GAME.unlink(missing_ok=True)
        begin(referee)
        for turn, lines in enumerate(FORMS[name], 1):
            if turn > 1:
                assert referee("game", "next", GAME, "--to", str(turn), "--as", "alice", "--force").code == 0
            Path(f"{turn}.json").write_text(sheet(turn, lines))
            ran = referee("seal", f"{turn}.json", "--game", GAME, "--ship", "A", "--force")
            assert ran.code == 0, ran.err
        for turn in order:
            assert referee("reveal", "--game", GAME, "--ship", "A", "--turn", str(turn)).code in (0, 1)
        assert referee("dice", "verify", GAME).code == 0
        found = referee("check", GAME, "--json").findings()
        keep = ("key", "severity", "subject", "turn", "message")
        told[order] = sorted(tuple(str(one.get(part)) for part in keep) for one in found)
    first = told[1, 2, 3]
    assert all(one == first for one in told.values()), told


def test_a_form_checked_before_it_is_shown_tells_of_those_after_it(referee: Run) -> None:
    begin(referee)
    writer = Writer()
    writer.turns(BOTH, BOTH)
    writer.reveal(2)
    Path("1.json").write_text(sheet(1, BOTH))
    ran = referee("check", "1.json", "--game", writer.written(), "--ship", "A", "--json")
    assert ran.code == 1, ran
    assert {(one["key"], one["turn"]) for one in ran.findings("error")} == {
        ("B3.0-5", 2), ("B3.0-6", 2), ("B3.0-20", 2),
    }  # fmt: skip
