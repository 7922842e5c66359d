"""Cloaks and torpedoes in a game record: what the form pays for decides (G13.0, FP1.2)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Run

STANDARD = (
    "Ship,{ship}\nTurn,1\nWarp Engines,20\nImpulse Power,6\nReactor Power,0\nTotal Power,26\n"
    "Batteries Available,6\nLife Support,1\nFire Control,1\nShields,2\nMovement,0\n{more}"
)
D7 = (
    "Ship,standard/klingon-d7\nTurn,1\nWarp Engines,30\nImpulse Power,5\nReactor Power,4\nTotal Power,39\n"
    "Batteries Available,3\nLife Support,1\nFire Control,1\nShields,2\nMovement,0\n"
)


def begun(referee: Run, folder: Path, more: str) -> None:
    """A War Eagle and a D7 at rest, with the War Eagle's form of the turn shown."""
    ships = ("A=standard/romulan-we:alice@2010D/0", "B=standard/klingon-d7:bob@2014A/0")
    named = [part for ship in ships for part in ("--ship", ship)]
    new = ("game", "new", "g.jsonl", "--players", "alice,bob", "--dice", "seed", "--seed", "s")
    assert referee(*new, "--rulebook", "sfb-standard", *named).code == 0
    (folder / "A.csv").write_text(STANDARD.format(ship="standard/romulan-we", more=more))
    (folder / "B.csv").write_text(D7)
    for ship in "AB":
        ran = referee("game", "apply", "g.jsonl", f"{ship}.csv", "--ship", ship)
        assert ran.code == 0, ran.out


def says(referee: Run, *orders: str, who: str = "alice") -> tuple[int, str]:
    ran = referee("game", "say", "g.jsonl", *orders, "--as", who)
    return ran.code, ran.out + ran.err


def test_a_cloak_that_the_form_does_not_pay_for(referee: Run, own_folder: Path) -> None:
    begun(referee, own_folder, "")
    assert referee("game", "next", "g.jsonl", "--to", "1.5.cloak").code == 0
    code, said = says(referee, "A: cloak")
    assert code == 1 and "[G13.0/paid]" in said


def test_a_cloak_that_is_paid_for_keeps_the_ship_from_firing(referee: Run, own_folder: Path) -> None:
    begun(referee, own_folder, "Cloak,6\n")
    assert referee("game", "next", "g.jsonl", "--to", "1.5.cloak").code == 0
    assert says(referee, "A: cloak")[0] == 0
    code, said = says(referee, "A: fire PH-1/1 at B")
    assert code == 1 and "[G13.0/fire]" in said
    assert referee("game", "next", "g.jsonl", "--to", "1.9.launch").code == 0
    code, said = says(referee, "B: launch DRN/1 at A", who="bob")
    assert code == 1 and "[D6.121]" in said, "after four impulses there is no lock-on"


@pytest.mark.parametrize(("more", "hidden"), [("Cloak,{cost}\n", True), ("", False)])
def test_a_cadet_ship_that_paid_is_cloaked_for_the_whole_turn(
    referee: Run, own_folder: Path, more: str, hidden: bool
) -> None:
    ships = ("A=cadet/romulan-we:alice@2010D/0", "B=cadet/klingon-d6:bob@2014A/0")
    named = [part for ship in ships for part in ("--ship", ship)]
    new = ("game", "new", "g.jsonl", "--players", "alice,bob", "--dice", "seed", "--seed", "s")
    assert referee(*new, *named).code == 0
    figures = referee("ship", "show", "cadet/romulan-we", "--json").json["figures"]
    more = more.format(cost=figures["cloak_cost"]["value"])
    (own_folder / "A.csv").write_text(f"Ship,cadet/romulan-we\nTurn,1\nCharge Phasers,1\nMovement,0\n{more}")
    (own_folder / "B.csv").write_text("Ship,cadet/klingon-d6\nTurn,1\nMovement,0\n")
    for ship in "AB":
        ran = referee("game", "apply", "g.jsonl", f"{ship}.csv", "--ship", ship)
        assert ran.code == 0, ran.out
    assert referee("game", "next", "g.jsonl", "--to", "1.3.fire").code == 0
    code, said = says(referee, "A: fire PH-1/A at B")
    assert (code == 1) == hidden and ("[G13.0/fire]" in said) == hidden, said


def test_a_torpedo_that_is_not_armed_is_not_launched(referee: Run, own_folder: Path) -> None:
    begun(referee, own_folder, "")
    assert referee("game", "next", "g.jsonl", "--to", "1.5.launch").code == 0
    code, said = says(referee, "A: launch PL-R/A at B")
    assert code == 1 and "[FP1.2/launch]" in said


def test_a_ship_without_a_device_does_not_cloak(referee: Run, own_folder: Path) -> None:
    begun(referee, own_folder, "Cloak,6\n")
    assert referee("game", "next", "g.jsonl", "--to", "1.5.cloak").code == 0
    code, said = says(referee, "B: cloak", who="bob")
    assert code == 1 and "[G13.0/device] B:" in said and "has no cloaking device" in said


def test_a_cloak_is_announced_once_in_an_impulse_and_only_in_one(referee: Run, own_folder: Path) -> None:
    begun(referee, own_folder, "Cloak,6\n")
    code, told = says(referee, "A: cloak")
    assert code == 2 and "A: cloak is announced outside the impulses" in told
    assert says(referee, "impulse 3", "A: cloak")[0] == 0
    code, told = says(referee, "A: cloak")
    assert code == 1 and "[G13.0/announce]" in told and "announced in this impulse already" in told


ORDERS = """rulebook sfb-standard
impulses 32
ship F = standard/federation-ca at 0101D speed 0 side f
ship W = standard/romulan-we at 0109A speed 0 side r
turn 1
F: speed 0
W: speed 0
"""


def errors(referee: Run, folder: Path, orders: str) -> list[tuple[str, int]]:
    """The rules broken in an orders file, and the lines of it."""
    (folder / "orders.txt").write_text(ORDERS + orders)
    ran = referee("check", "orders.txt", "--json")
    return [(found["rule"], found["location"]["line"]) for found in ran.findings("error")]


def test_a_cloak_announced_twice_in_an_impulse_of_an_orders_file(referee: Run, own_folder: Path) -> None:
    assert errors(referee, own_folder, "impulse 3\nW: cloak\nW: cloak\n") == [("G13.0", 10)]
    assert errors(referee, own_folder, "impulse 3\nW: cloak\n") == []


@pytest.mark.parametrize(("turn", "broken"), [(2, [("E4.21", 14)]), (3, [])])
def test_a_photon_needs_two_turns_to_arm(
    referee: Run, own_folder: Path, turn: int, broken: list[tuple[str, int]]
) -> None:
    between = "".join(f"turn {n}\nF: speed 0\nW: speed 0\n" for n in range(2, turn + 1))
    fire = "impulse 5\nF: fire PHOT/A at W\n"
    assert errors(referee, own_folder, fire + between + fire) == broken


@pytest.mark.parametrize(
    "command", ["hex range 0915 0000", "hex range 0100 0915", "fire standard/federation-ca --at 0900C"]
)
def test_a_hex_that_no_map_has(referee: Run, command: str) -> None:
    more = ("--target", "standard/klingon-d7", "--target-at", "0909A", "--weapons", "PH-1/A")
    ran = referee(*command.split(), *(more if command.startswith("fire") else ()))
    assert ran.code == 2 and "is on no map" in ran.err


def test_drones_are_lost_with_the_lock_on_of_their_ship(referee: Run, own_folder: Path) -> None:
    """D6.122: nobody has lock-on on a cloaked ship, so its drones leave the map before they strike."""
    ships = ("Eag=standard/romulan-we:alice@1010A/0", "Kli=standard/klingon-d7:bob@3510D/0")
    named = [part for ship in ships for part in ("--ship", ship)]
    new = ("game", "new", "g.jsonl", "--players", "alice,bob", "--dice", "seed", "--seed", "s")
    assert referee(*new, *named).code == 0
    launched = ("impulse 20", "Kli: launch DRN/1 at Eag", "impulse 21", "Eag: cloak")
    ran = referee("game", "say", "g.jsonl", *launched, "impulse 25")
    assert ran.code == 0 and "Kli DRN/1 t1 (drone)" in referee("game", "status", "g.jsonl").out
    ran = referee("game", "say", "g.jsonl", "impulse 26")
    assert ran.code == 0 and "seekers: Kli DRN/1 t1" in ran.out
    assert "DRN" not in referee("game", "status", "g.jsonl").out
    assert referee("check", "g.jsonl").code == 0


def test_a_ship_without_fire_control_loses_its_drones(referee: Run, own_folder: Path) -> None:
    ships = ("Eag=standard/romulan-we:alice@1010A/0", "B=standard/klingon-d7:bob@3510D/0")
    named = [part for ship in ships for part in ("--ship", ship)]
    new = ("game", "new", "g.jsonl", "--players", "alice,bob", "--dice", "seed", "--seed", "s")
    assert referee(*new, *named).code == 0
    assert referee("game", "say", "g.jsonl", "impulse 31", "B: launch DRN/1 at Eag").code == 0
    ran = referee("game", "say", "g.jsonl", "impulse 32", "turn 2")
    assert ran.code == 0, ran.err
    blind = D7.replace("Turn,1", "Turn,2").replace("Fire Control,1", "Fire Control,0")
    (own_folder / "B.csv").write_text(blind)
    assert referee("game", "apply", "g.jsonl", "B.csv", "--ship", "B", "--force").code == 0
    ran = referee("game", "say", "g.jsonl", "impulse 2", "--force")
    assert ran.code == 0 and "seekers: B DRN/1 t1" in ran.out, ran.out + ran.err


def shown(referee: Run, *to: str) -> tuple[str, dict[str, Any] | None]:
    """What the status says of the War Eagle: its line, and its cloak as JSON."""
    if to:
        assert referee("game", "next", "g.jsonl", "--to", *to).code == 0
    line = next(line for line in referee("game", "status", "g.jsonl").out.splitlines() if "  A (" in line)
    ships = referee("game", "status", "g.jsonl", "--json").json["ships"]
    assert "cloak" not in ships[1]
    return line, ships[0].get("cloak")


def test_the_status_shows_how_far_a_ship_is_hidden(
    referee: Run, own_folder: Path, holds: Callable[[Any], None]
) -> None:
    begun(referee, own_folder, "Cloak,6\n")
    line, cloak = shown(referee, "1.5.cloak")
    assert cloak is None and "fading" not in line and "cloak" not in line
    assert says(referee, "A: cloak")[0] == 0
    line, cloak = shown(referee)
    assert cloak == {"phase": "fading-out", "impulse": 1} and ", fading out, impulse 1: power" in line
    assert shown(referee, "1.8.fire")[1] == {"phase": "fading-out", "impulse": 4}
    line, cloak = shown(referee, "1.9.fire")
    assert cloak == {"phase": "cloaked"} and ", cloaked: power" in line
    holds(referee("game", "status", "g.jsonl", "--json").json)
    replayed = referee("game", "replay", "g.jsonl", "--json").json
    assert replayed["ships"][0]["cloak"] == {"phase": "cloaked"}
    assert ", cloaked  " in referee("game", "report", "g.jsonl").out
    assert shown(referee, "1.end-of-turn")[1] == {"phase": "cloaked"}
    assert referee("game", "next", "g.jsonl", "--to", "2.1.fire", "--force", "--as", "alice").code == 0
    line, cloak = shown(referee)
    assert cloak == {"phase": "fading-in", "impulse": 1} and ", fading in, impulse 1: power" in line


def test_a_cadet_ship_that_paid_is_shown_as_cloaked(referee: Run, own_folder: Path) -> None:
    test_a_cadet_ship_that_paid_is_cloaked_for_the_whole_turn(referee, own_folder, "Cloak,{cost}\n", True)
    assert shown(referee)[1] == {"phase": "cloaked"}
