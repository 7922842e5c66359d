"""`hit` and `lock on` said as orders: the dice of the record fall as their own commands would have them."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from referee.record.reading import read
from tests.cli.conftest import Run

SHIPS = (
    *("--ship", "Fed=standard/federation-ca:alice@1010A/8"),
    *("--ship", "Kli=standard/klingon-d7:bob@1005D/8"),
)
NEW = ("game", "new", "g.jsonl", "--players", "alice,bob", *SHIPS)


@pytest.fixture(autouse=True)
def one_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    """All entries are written at one time: two records that are alike are so to the byte."""
    monkeypatch.setattr("referee.play.append.now", lambda: "2026-01-01T00:00:00Z")


def begin(referee: Run, *dice: str, to: str = "1.1.resolve-fire") -> None:
    assert referee(*NEW, *(dice or ("--alone",))).code == 0
    if to:
        assert referee("game", "next", "g.jsonl", "--to", to).code == 0


def twin() -> None:
    """The same game once more, with the same dice to come."""
    shutil.copy("g.jsonl", "h.jsonl")
    shutil.copytree("g.secrets", "h.secrets")


def told(path: str, since: int) -> list[tuple[str, Any]]:
    return [(entry.type, entry.data) for entry in read(path)[since:]]


@pytest.mark.parametrize("player", ["bob", "alice"])
@pytest.mark.parametrize(
    ("order", "command"),
    [
        ("hit 70 on 1", ()),
        ("hit 70 on 2 from R", ("--direction", "R")),
        ("hit 33 on 1 from 1010", ("--direction", "1010>1005D")),
    ],
)
def test_a_hit_is_the_volley_of_its_command(
    referee: Run, player: str, order: str, command: tuple[str, ...]
) -> None:
    begin(referee)
    twin()
    before = len(read("g.jsonl"))
    _, points, _, shield, *_ = order.split()
    ran = referee("game", "say", "g.jsonl", f"!Kli: {order}", "--as", player)
    assert ran.code == 0 and ran.err == "", ran
    said = ("--damage", points, "--shield", shield, *command)
    assert referee("volley", "Kli", "--game", "h.jsonl", "--as", player, *said).code == 0
    assert told("g.jsonl", before) == told("h.jsonl", before)
    assert [kind for kind, _ in told("g.jsonl", before)] == ["order", "declare", "result", "events"]
    assert referee("dice", "verify", "g.jsonl").code == 0 and referee("record", "verify", "g.jsonl").code == 0


def test_a_hit_goes_by_the_policy_its_owner_chose(referee: Run) -> None:
    begin(referee)
    assert referee("game", "choose", "g.jsonl", "Kli", "spread", "--as", "bob").code == 0
    assert referee("game", "say", "g.jsonl", "Kli: hit 70 on 1", "--as", "alice").code == 0
    volley = next(entry.data["volley"] for entry in read("g.jsonl") if "volley" in entry.data)
    assert volley["choose"] == "spread"


def test_an_order_of_damage_moves_on_within_the_impulse(referee: Run) -> None:
    begin(referee, to="1.1.fire")
    assert referee("game", "say", "g.jsonl", "Kli: hit 5 on 1", "Fed: hit 3 on 2", "impulse 2").code == 0
    kinds = [entry.type for entry in read("g.jsonl")][-10:]
    assert kinds == ["step", *["order", "declare", "result", "events"] * 2, "step"]
    shown = referee("game", "status", "g.jsonl", "--json").json
    assert [ship["state"]["shields"]["1"] for ship in shown["ships"]] == [30, 25]


def test_outside_the_impulses_it_is_refused_or_forced(referee: Run) -> None:
    begin(referee, to="")
    before = Path("g.jsonl").read_bytes()
    hit = ("game", "say", "g.jsonl", "Kli: hit 70 on 1", "--as", "bob")
    ran = referee(*hit)
    assert ran.code == 1 and "B2.0" in ran.err and "nothing was recorded" in ran.err
    assert Path("g.jsonl").read_bytes() == before
    assert referee(*hit, "--force").code == 0
    assert [entry.data["rule"] for entry in read("g.jsonl") if entry.type == "foul"] == ["B2.0"]


@pytest.mark.parametrize(
    ("orders", "why"),
    [
        (("Kli: hit 7 on 1 from LR",), "strikes shield"),
        (("Zed: hit 7 on 1",), "no ship Zed"),
        (("Kli: hit 7 on 8",), "1 to 6"),
        (("Kli: hit 7 on 1", "Kli: jump"), "no order 'jump'"),
    ],
)
def test_a_hit_that_is_none_records_nothing(referee: Run, orders: tuple[str, ...], why: str) -> None:
    begin(referee)
    before = Path("g.jsonl").read_bytes()
    ran = referee("game", "say", "g.jsonl", *orders, "--as", "bob")
    assert ran.code == 2 and why in ran.err and ran.err.count("\n") == 1
    assert Path("g.jsonl").read_bytes() == before


def test_a_ship_destroyed_is_hit_no_more(referee: Run) -> None:
    begin(referee)
    assert referee("game", "say", "g.jsonl", "Kli: hit 400 on 1").code == 0
    before = Path("g.jsonl").read_bytes()
    ran = referee("game", "say", "g.jsonl", "Kli: hit 4 on 1")
    assert ran.code == 2 and "destroyed already" in ran.err and Path("g.jsonl").read_bytes() == before


def test_what_stands_before_dice_is_recorded_though_the_rest_is_refused(referee: Run) -> None:
    begin(referee)
    ran = referee("game", "say", "g.jsonl", "Kli: hit 5 on 1", "Kli: speed 40")
    assert ran.code == 1 and "recorded up to line 1" in ran.err and "nothing of the rest" in ran.err
    assert read("g.jsonl")[-1].type == "events"
    ran = referee("game", "say", "g.jsonl", "Kli: hit 5 on 1", "impulse 77")
    assert ran.code == 2 and "no impulse 77" in ran.err and "recorded up to line 1" in ran.err


def test_dice_that_wait_for_others_come_last(referee: Run) -> None:
    begin(referee, "--dice", "physical")
    before = Path("g.jsonl").read_bytes()
    ran = referee("game", "say", "g.jsonl", "Kli: hit 35 on 1", "impulse 2")
    assert ran.code == 2 and "its dice are thrown by hand" in ran.err
    assert Path("g.jsonl").read_bytes() == before
    ran = referee("game", "say", "g.jsonl", "Kli: hit 35 on 1", "--as", "bob")
    assert ran.code == 0 and "dice 1 to be typed in (dice enter)" in ran.out
    assert [entry.type for entry in read("g.jsonl")][-2:] == ["order", "declare"]


def test_a_file_of_chat_lines_is_applied(referee: Run) -> None:
    begin(referee)
    Path("said.txt").write_text("!Kli: hit 5 on 1\n!impulse 2\n!turn 2\n!Kli: lock on Fed\n")
    assert referee("game", "apply", "g.jsonl", "said.txt").code == 0
    assert [entry.type for entry in read("g.jsonl")].count("result") == 2
    assert referee("check", "g.jsonl").code == 0


# -- lock on -----------------------------------------------------------------------------


def test_a_try_for_lock_on_is_that_of_its_command(referee: Run) -> None:
    begin(referee, to="")
    twin()
    before = len(read("g.jsonl"))
    assert referee("game", "say", "g.jsonl", "!Kli: lock on Fed", "--as", "bob").code == 0
    assert referee("game", "lock", "h.jsonl", "Kli", "Fed", "--as", "bob").code == 0
    assert told("g.jsonl", before) == told("h.jsonl", before)
    assert [kind for kind, _ in told("g.jsonl", before)] == ["step", "declare", "result"]
    ran = referee("game", "say", "g.jsonl", "Kli: lock on Fed", "--as", "bob")
    assert ran.code == 2 and "has tried for lock-on on Fed this turn" in ran.err


@pytest.mark.parametrize(
    ("order", "player", "why"),
    [
        ("Kli: lock on Fed 4", "bob", "leave the 4 out"),
        ("Kli: lock on Fed", "alice", "alice does not play Kli"),
        ("Kli: lock on Zed", "bob", "no ship Zed"),
        ("Kli: lock", "bob", "lock on TARGET"),
    ],
)
def test_a_try_that_is_none_records_nothing(referee: Run, order: str, player: str, why: str) -> None:
    begin(referee, to="")
    before = Path("g.jsonl").read_bytes()
    ran = referee("game", "say", "g.jsonl", order, "--as", player)
    assert ran.code == 2 and why in ran.err and Path("g.jsonl").read_bytes() == before


# -- an orders file ----------------------------------------------------------------------

HEAD = """rulebook sfb-standard
impulses 32
ship A = standard/federation-ca at 0101D speed 0
ship K = standard/kzinti-cs at 4001F speed 0
turn 1
A: speed 0
K: speed 0
impulse 32
"""
NEXT = "turn 2\nA: speed 0\nK: speed 0\n"


def judged(referee: Run, orders: str) -> Any:
    Path("orders.txt").write_text(HEAD + orders)
    ran = referee("check", "orders.txt", "--json")
    assert ran.code == 0, ran
    return ran.json


def test_an_orders_file_says_that_its_dice_are_not_rolled(referee: Run) -> None:
    report = judged(referee, "K: hit 30 on 1 from RF\nturn 2\nK: lock on A 4\n")
    reasons = {one["rule"]: one["reason"] for one in report["not_checked"]}
    assert "not resolved" in reasons["D4.22"] and "not resolved" in reasons["D6.11"]


@pytest.mark.parametrize(
    ("hit", "told"),
    [
        ("hit 30 on 2 from R", ""),
        ("hit 30 on 1 from 0105", ""),
        ("hit 30 on 1 from R", "damage said to come from R: that direction strikes shield #2 or #3, not #1"),
        ("hit 30 on 4 from 0105", "that direction strikes shield #1, not #4"),
    ],
)
def test_damage_that_cannot_strike_that_shield_from_there(referee: Run, hit: str, told: str) -> None:
    """What `game say` refuses is not decided in a file; A is in 0101 and faces D, towards 0105."""
    report = judged(referee, f"A: {hit}\n")
    found = [one["message"] for one in report["findings"] if one["key"] == "NOTE/order"]
    assert bool(found) is bool(told) and all(told in one for one in found)
    assert report["verdict"] == ("cannot-tell" if told else "legal")


@pytest.mark.parametrize(
    ("orders", "checked", "reason"),
    [
        (f"K: launch DRN/1 at A\n{NEXT}", True, ""),
        (f"K: launch DRN/1 at A\nK: hit 30 on 1\n{NEXT}", False, "no try for lock-on is recorded in turn 2"),
        (f"K: launch DRN/1 at A\nK: hit 30 on 1\n{NEXT}K: lock on A\n", True, ""),
        (f"K: launch DRN/1 at A\n{NEXT}K: hit 9 on 1\n", False, "no try for lock-on is recorded in turn 2"),
        (NEXT, False, ""),
    ],
)
def test_lock_on_with_drones_out_in_an_orders_file(
    referee: Run, orders: str, checked: bool, reason: str
) -> None:
    report = judged(referee, orders)
    lacking = [one["reason"] for one in report["not_checked"] if one["rule"] == "D6.131"]
    assert ("D6.131" in report["checked"]) is checked
    assert bool(lacking) is bool(reason) and all(reason in told for told in lacking)
