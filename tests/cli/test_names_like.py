"""A name of a ship, weapon, hex, drone, shield or direction that is not there is answered with those like it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Run

pytestmark = pytest.mark.net

FED, KLI = "cadet/federation-ca", "cadet/klingon-d6"
ORDERS = f"""rulebook sfb-cadet
impulses 16
option map=0101-2817
ship Constellation = {FED} at 1010D speed 16
ship Destruction = {KLI} at 1014A speed 16
drone Swift at 0505C speed 16 after Constellation
turn 1
impulse 1
  Constellation: ahead
  Destruction: ahead
"""
SHIPS = ("--ship", f"Constellation={FED}:fed@1010D/8", "--ship", f"Destruction={KLI}:kli@1014A/8")


@pytest.fixture(autouse=True)
def files(referee: Run, own_folder: Path) -> None:
    (own_folder / "o.txt").write_text(ORDERS)
    begun = ("game", "new", "g.jsonl", "--players", "fed,kli", "--alone", *SHIPS)
    assert referee(*begun).code == 0


@pytest.mark.parametrize(
    ("arguments", "meant"),
    [
        # ships
        (("game", "say", "g.jsonl", "Constelation: ahead"), "did you mean Constellation?"),
        (("game", "say", "g.jsonl", "impulse 1", "Constellation: fire PH-1A at Destrction"), "did you mean Destruction?"),
        (("game", "lock", "g.jsonl", "Constellation", "Destrction"), "did you mean Destruction?"),
        (("seal", "--game", "g.jsonl", "--ship", "Constelation", "--kind", "moves", "--order", "left"), "did you mean Constellation?"),
        (("reveal", "--game", "g.jsonl", "--ship", "Constelation"), "did you mean Constellation?"),
        (("volley", "Destrction", "--game", "g.jsonl", "--damage", "3", "--shield", "1"), "did you mean Destruction?"),
        (("robot", "g.jsonl", "--ship", "Destrction"), "did you mean Destruction?"),
        (("robot", "o.txt", "--ship", "Destrction"), "did you mean Destruction?"),
        (("map", "o.txt", "--next", "Constelation"), "did you mean Constellation?"),
        (("map", "g.jsonl", "--next", "Constelation"), "did you mean Constellation?"),
        (("fire", FED, "--weapons", "PH-1A", "--target", "cadet/klingn-d6", "--range", "4"), "cadet/klingon-d6"),
        (("volley", "D77", "--damage", "9", "--shield", "1"), "did you mean standard/klingon-d7?"),
        (("odds", "D77", "--internals", "9"), "did you mean standard/klingon-d7?"),
        (("form", "blank", "D77"), "did you mean standard/klingon-d7?"),
        (("game", "new", "x.jsonl", "--players", "a", "--ship", "A=cadet/klingon-d66:a"), "did you mean cadet/klingon-d6"),
        # weapons
        (("game", "say", "g.jsonl", "impulse 1", "Constellation: fire PH-1Z at Destruction"), "did you mean PH-1A or PH-1B or PH-1C?"),
        (("game", "say", "g.jsonl", "impulse 1", "Destruction: launch DNR/1 at Constellation"), "did you mean DRN/1?"),
        (("fire", FED, "--weapons", "PH-1Z", "--target", KLI, "--range", "4"), "did you mean PH-1A or PH-1B or PH-1C?"),
        (("fire", FED, "--weapons", "PH-1A", "--target", KLI, "--range", "4", "--last-fired", "PH-1Z@1.16"), "did you mean PH-1A"),
        (("fire", "standard/romulan-we", "--weapons", "PH-1/Q", "--target", KLI, "--range", "4"), "did you mean PH-1/1 or"),
        (("fire", "--weapon", "fotons", "--range", "4"), "did you mean photon"),
        # hexes and directions
        (("hex", "range", "101", "0202"), "did you mean 0101 or 1001?"),
        (("hex", "arcs", "091C", "1114"), "did you mean 0901C?"),
        (("fire", FED, "--weapons", "PH-1A", "--target", KLI, "--at", "019A", "--target-at", "0105B"), "did you mean 0109A?"),
        (("volley", "D7", "--damage", "40", "--direction", "FL"), "did you mean LF?"),
        (("volley", "D7", "--damage", "40", "--direction", "rowB"), "did you mean row:B?"),
        (("volley", "D7", "--damage", "40", "--direction", "071>0619A"), "did you mean 0701?"),
    ],
)  # fmt: skip
def test_a_command_names_those_like_it(referee: Run, arguments: tuple[str, ...], meant: str) -> None:
    ran = referee(*arguments)
    assert ran.code == 2 and ran.out == "" and ran.err.count("\n") == 1 and meant in ran.err, ran.err


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("Constelation: left", "did you mean Constellation?"),
        ("Constellation: fire PH-1Z at Destruction", "did you mean PH-1/A or PH-1/B or PH-1/C?"),
        ("Constellation: fire PH-1A at Destrction", "did you mean Destruction?"),
        ("Constellation: fire PH-1A at Swfit", "did you mean Swift?"),
        ("Destruction: launch DNR/1 at Constellation", "did you mean DRN/1?"),
        ("Destruction: launch DRN/1 at Constelation", "did you mean Constellation?"),
        ("Swfit: left", "did you mean Swift?"),
        ("Destruction: hit 5 on 1 from FL", "did you mean LF?"),
        ("Destruction: hit 5 on 1 from 01055", "did you mean 0105 or 0155?"),
        ("Destruction: hit 5 on 1 from 2871", "did you mean 2817?"),
        ("Destruction: frie PH-2A at Constellation", "did you mean NAME: fire"),
    ],
)
def test_an_orders_file_names_those_like_it(referee: Run, own_folder: Path, line: str, meant: str) -> None:
    (own_folder / "o.txt").write_text(ORDERS + f"  {line}\n")
    found = referee("check", "o.txt", "--json").findings("undecided", "error")
    assert any(meant in finding.get("fix", "") for finding in found), found


def test_a_save_names_those_like_it(referee: Run, duel: Path) -> None:
    save = duel / "duel.vsav"
    for arguments, meant in (
        (("check", save, "--ship", f"Constelation={FED}"), "did you mean CA Constellation?"),
        (("vassal", "write", save, "-o", "x.vsav", "--label", "CA Constelation=x"), "CA Constellation"),
        (("vassal", "write", save, "-o", "x.vsav", "--next-form", "Constelation"), "CA Constellation"),
        (("vassal", "write", save, "-o", "x.vsav", "--field", "SSD Constellation:Warp LL=5/8"), "Warp L"),
    ):
        ran = referee(*arguments)
        assert ran.code == 2 and "did you mean" in ran.err and meant in ran.err, ran.err


@pytest.mark.parametrize(
    ("command", "tries"),
    [("say", "game say"), ("blank", "form blank"), ("dump", "vassal dump"), ("nonsense", "--help")],
)
def test_a_command_of_a_group_is_named_with_its_group(referee: Run, command: str, tries: str) -> None:
    ran = referee(command, "x")
    assert ran.code == 2 and ran.err.endswith(f"; try `referee {tries}`\n"), ran.err
