"""`referee hex reach`: where a ship can legally move, as text, JSON and a drawing."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from tests.cli.conftest import Run

Holds = Callable[[Any], None]
CRUISER = ("cadet/federation-ca", "--at", "1010B", "--speed", "8", "--option", "impulses=8")
HEAD = "rulebook sfb-cadet\nimpulses 8\nship X = cadet/federation-ca at 1010B speed 8\nturn 1\n"


def places(document: dict[str, Any]) -> set[str]:
    return {place["hex"] + place["facing"] for place in document["reached"]}


def test_one_impulse(referee: Run, holds: Holds) -> None:
    ran = referee("hex", "reach", *CRUISER, "--impulse", "1", "--json")
    assert ran.code == 0, ran.err
    holds(ran.json)
    assert places(ran.json) == {"1110B", "1111C", "1009A"}
    assert not any("moves" in place for place in ran.json["reached"])
    to = referee("hex", "reach", *CRUISER, "--impulse", "1", "--to", "1111", "--json").json["reached"]
    assert [place["moves"] for place in to if "moves" in place] == [[{"impulse": 1, "way": "right"}]]
    assert (ran.json["turn_mode"], ran.json["impulses"]) == (2, {"first": 1, "last": 1, "of": 8})


def test_what_was_moved_since_the_last_turn_counts(referee: Run) -> None:
    short = referee("hex", "reach", *CRUISER, "--impulse", "1", "--straight", "1", "--json").json
    assert (places(short), short["straight"]) == ({"1110B"}, 1)
    full = referee("hex", "reach", *CRUISER, "--impulse", "1", "--straight", "2", "--json").json
    assert len(places(full)) == 3


def test_every_way_shown_is_legal(referee: Run, own_folder: Path) -> None:
    reached = referee("hex", "reach", *CRUISER, "--impulse", "1-4", "--ways", "--json").json["reached"]
    assert len(reached) > 15
    for place in reached[::4]:
        lines = "".join(f"impulse {move['impulse']}\n X: {move['way']}\n" for move in place["moves"])
        (own_folder / "way.txt").write_text(HEAD + lines)
        said = [f for f in referee("check", "way.txt", "--json").findings() if f["turn"] == 1]
        assert not [f for f in said if f["severity"] == "error" and f["impulse"] in range(1, 5)], said


def test_from_an_orders_file(referee: Run, own_folder: Path) -> None:
    (own_folder / "o.txt").write_text(HEAD + "impulse 1\n X: left\nimpulse 2\n X: ahead\n")
    after = referee("hex", "reach", "x", "--orders", "o.txt", "--impulse", "3", "--json")
    assert after.code == 0 and after.err == "", after.err
    assert (after.json["hex"], after.json["facing"], after.json["straight"]) == ("1008", "A", 2)
    assert places(after.json) == {"1007A", "1108B", "0908F"}
    (own_folder / "o.txt").write_text(HEAD + "impulse 1\n X: left\nimpulse 2\n")
    waits = referee("hex", "reach", "X", "--orders", "o.txt", "--json").json
    assert waits["impulses"]["first"] == 2, "it has not moved in impulse 2 yet"
    over = referee("hex", "reach", "X", "--orders", "o.txt", "--impulse", "1")
    assert over.code == 2 and "impulse 1 is over" in over.err
    other = referee("hex", "reach", "Y", "--orders", "o.txt")
    assert (other.code, other.err.count("\n")) == (2, 1) and "o.txt" in other.err


def test_orders_with_faults_are_planned_from_and_said_to_be_so(referee: Run, own_folder: Path) -> None:
    (own_folder / "o.txt").write_text(HEAD + "impulse 1\n X: left\nimpulse 2\n X: left\n")
    ran = referee("hex", "reach", "X", "--orders", "o.txt", "--json")
    assert ran.code == 0 and "not all in order" in ran.err


def test_a_turn_that_is_over(referee: Run, own_folder: Path) -> None:
    moves = "".join(f"impulse {n}\n X: ahead\n" for n in range(1, 9))
    (own_folder / "o.txt").write_text(HEAD + moves)
    ran = referee("hex", "reach", "X", "--orders", "o.txt")
    assert ran.code == 2 and "turn 1 is over" in ran.err
    (own_folder / "o.txt").write_text(HEAD + moves + "turn 2\n X: speed 4\n")
    again = referee("hex", "reach", "X", "--orders", "o.txt", "--impulse", "1-2", "--json").json
    assert (again["turn"], again["straight"], again["speed"]) == (2, 10, 4)
    assert len(again["reached"]) == 3


def test_a_plan_goes_on_into_the_next_turn(referee: Run, own_folder: Path, holds: Holds) -> None:
    """A turn that is over, the next at its own speed and turn mode; each way shown is judged legal."""
    moves = "".join(f"impulse {n}\n X: {'left' if n == 8 else 'ahead'}\n" for n in range(1, 9))
    (own_folder / "o.txt").write_text(HEAD + moves)
    on = ("hex", "reach", "X", "--orders", "o.txt", "--then", "4", "--impulse", "1-4")
    ran = referee(*on, "--ways", "--json")
    assert ran.code == 0, ran.err
    holds(ran.json)
    assert ran.json["then"] == [{"turn": 2, "speed": 4, "turn_mode": 1}] and ran.json["straight"] == 1
    assert ran.json["impulses"] == {"first": 9, "last": 4, "of": 8}
    assert len(ran.json["reached"]) > 5
    for place in ran.json["reached"]:
        assert [move["turn"] for move in place["moves"]] == [2, 2]
        lines = "".join(f"impulse {move['impulse']}\n X: {move['way']}\n" for move in place["moves"])
        (own_folder / "way.txt").write_text(HEAD + moves + "turn 2\n X: speed 4\n" + lines)
        said = referee("check", "way.txt", "--json").findings("error")
        assert all(found["key"] == "C1.4/missed" and found["impulse"] > 4 for found in said), said
    text = referee(*on, "--to", ran.json["reached"][0]["hex"])
    assert "speed 8, then 4: turn 1, its end to turn 2, impulse 4 of 8" in text.out
    assert "2.2 " in text.out and "2.4 " in text.out
    fast = referee("hex", "reach", "X", "--orders", "o.txt", "--then", "9")
    assert fast.code == 2 and "speed 9 in turn 2, after 8; at most 8" in fast.err


def test_the_map_of_the_game_is_not_left(referee: Run, own_folder: Path) -> None:
    edge = "rulebook sfb-cadet\nimpulses 8\noption map=0101-2817\n"
    ship = "ship X = cadet/federation-ca at 2810B speed 8\nturn 1\n"
    (own_folder / "o.txt").write_text(edge + ship)
    reached = referee("hex", "reach", "X", "--orders", "o.txt", "--json").json["reached"]
    assert reached and all(place["hex"] <= "2817" for place in reached)
    (own_folder / "o.txt").write_text(ship)
    away = referee("hex", "reach", "X", "--orders", "o.txt", "--rulebook", "sfb-cadet", "--json").json
    assert any(place["hex"] > "2817" for place in away["reached"])


def test_from_a_game_record(referee: Run) -> None:
    ships = ("--ship", "A=cadet/federation-ca:alice@1010B/8", "--ship", "B=cadet/klingon-d6:bob@2020A/16")
    begun = ("game", "new", "g.jsonl", "--players", "alice,bob", "--dice", "seed", "--seed", "s", *ships)
    assert referee(*begun).code == 0
    before = referee("hex", "reach", "a", "--game", "g.jsonl", "--impulse", "1-2", "--json").json
    assert (before["impulses"]["first"], before["hex"], before["speed"]) == (1, "1010", 8)
    assert len(before["reached"]) == 3, "speed 8 of 16 is called once"
    assert referee("game", "next", "g.jsonl", "--to", "1.2.move-ships").code == 0
    assert referee("game", "say", "g.jsonl", "A: left", "--as", "alice").code == 0
    after = referee("hex", "reach", "A", "--game", "g.jsonl", "--json").json
    assert (after["impulses"]["first"], after["hex"], after["facing"]) == (3, "1009", "A")
    waits = referee("hex", "reach", "B", "--game", "g.jsonl", "--json").json
    assert waits["impulses"]["first"] == 2, "it has not moved in impulse 2 yet"
    assert referee("game", "next", "g.jsonl", "--to", "1.2.fire", "--force", "--as", "bob").code == 0
    assert referee("hex", "reach", "B", "--game", "g.jsonl", "--json").json["impulses"]["first"] == 3
    for wrong in (("Z", "--game", "g.jsonl"), ("A", "--game", "g.jsonl", "--option", "impulses=8")):
        ran = referee("hex", "reach", *wrong)
        assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1), ran.err


def test_drawn_with_letters(referee: Run) -> None:
    ran = referee("hex", "reach", *CRUISER, "--impulse", "1-2", "--to", "1109A")
    assert ran.code == 0 and "*1010B" in ran.out and "\x1b" not in ran.out
    assert "to 1109A: 1 ahead, 2 left" in ran.out
    rows = ran.out.splitlines()
    ship = next(row for row in rows if "*1010B" in row)
    ahead = next(row for row in rows if " 1210" in row or "+1210" in row)
    assert rows.index(ahead) == rows.index(ship), "columns ten and twelve stand at one height"
    assert ship.index("*1010B") + 16 == ahead.index("1210") - 1
    every = referee("hex", "reach", *CRUISER, "--impulse", "1-2", "--ways").out
    assert sum(line.startswith("to ") for line in every.splitlines()) == len(
        referee("hex", "reach", *CRUISER, "--impulse", "1-2", "--json").json["reached"]
    )
    wide = referee("hex", "reach", "D7", "--at", "4040A", "--speed", "31").out
    assert "@" in wide and "digits" in wide and max(map(len, wide.splitlines())) <= 200


def test_drawn(referee: Run, own_folder: Path) -> None:
    ran = referee("hex", "reach", *CRUISER, "--to", "1210", "--impulse", "1-3", "-o", "plan.svg")
    assert ran.code == 2 and "it can be at" in ran.err
    assert referee("hex", "reach", *CRUISER, "--to", "1108A", "--impulse", "1-3", "-o", "plan.svg").code == 0
    root = ElementTree.fromstring((own_folder / "plan.svg").read_text())
    assert root.tag.endswith("svg") and any(node.get("class") == "track" for node in root.iter())


def test_the_map_has_an_edge(referee: Run) -> None:
    ran = referee("hex", "reach", *CRUISER, "--impulse", "1", "--within", "1010-2020", "--json")
    assert places(ran.json) == {"1110B", "1111C"}


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("cadet/federation-ca",), "--at 2801E"),
        (("cadet/federation-ca", "--at", "1010", "--speed", "8"), "1010A"),
        (("cadet/federation-ca", "--at", "10A", "--speed", "8"), "10A"),
        (("cadet/federation-ca", "--at", "1010A", "--speed", "99"), "0 to 16"),
        (("cadet/federation-caa", "--at", "1010A", "--speed", "8"), "federation-ca"),
        (("cadet/federation-ca", "--at", "1010A", "--speed", "8", "--impulse", "x"), "3-8"),
        (("cadet/federation-ca", "--at", "1010A", "--speed", "8", "--impulse", "9-3"), "1 to 16"),
        (("cadet/federation-ca", "--at", "1010A", "--speed", "8", "--straight", "-1"), "0 to 99"),
        (("cadet/federation-ca", "--at", "1010A", "--speed", "8", "--format", "pdf"), "pdf"),
        (("cadet/federation-ca", "--at", "1010A", "--orders", "o.txt"), "given twice"),
        (("cadet/federation-ca", "--at", "1010A", "--speed", "8", "--within", "4230-0101"), "0101-4230"),
        (("cadet/freighter", "--at", "1010A", "--speed", "4"), "turn mode"),
    ],
)
def test_what_cannot_be_planned_is_one_line(referee: Run, arguments: tuple[str, ...], says: str) -> None:
    ran = referee("hex", "reach", *arguments)
    assert (ran.code, ran.out) == (2, "") and ran.err.count("\n") == 1 and says in ran.err, ran.err


EDGE = ("cadet/federation-ca", "--speed", "16", "--within", "0101-2817")


@pytest.mark.parametrize("at", ["9910A", "1018A", "2901F"])
def test_a_ship_that_is_not_on_the_map(referee: Run, at: str) -> None:
    ran = referee("hex", "reach", *EDGE, "--at", at, "--impulse", "1")
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1), ran
    assert "is not on the map 0101-2817" in ran.err


def test_a_ship_that_must_leave_the_map(referee: Run, holds: Holds) -> None:
    ahead = (*EDGE, "--at", "0901A", "--straight", "1", "--impulse", "1")
    ran = referee("hex", "reach", *ahead)
    assert ran.code == 0 and "must leave the map (0101-2817)" in ran.out and "0 hexes" not in ran.out
    document = referee("hex", "reach", *ahead, "--json").json
    holds(document)
    assert document["must_leave"] is True and document["reached"] == []
    assert "must leave the map" in referee("hex", "reach", *ahead, "--format", "svg").out
    ran = referee("hex", "reach", *ahead, "--to", "0902A")
    assert ran.code == 2 and "every way it may move leads off the map" in ran.err
    assert (
        "must_leave" not in referee("hex", "reach", *EDGE, "--at", "0902A", "--impulse", "1", "--json").json
    )


def test_a_ship_over_the_edge_has_no_hex(referee: Run) -> None:
    ships = ("--ship", "Con=cadet/federation-ca:alice@0901A/16", "--ship", "War=cadet/klingon-d6:bob@1407A/0")
    new = ("game", "new", "g.jsonl", "--players", "alice,bob", "--dice", "seed", "--seed", "x", *ships)
    assert referee(*new, "--option", "map=0101-2817").code == 0
    say = ("game", "say", "g.jsonl", "Con: speed 16", "impulse 1", "Con: ahead", "--force", "--as", "alice")
    assert referee(*say).code == 0
    status = referee("game", "status", "g.jsonl").out
    assert "Con (cadet/federation-ca, alice) off the map, beyond 0901" in status and "0900" not in status
    ran = referee("hex", "reach", "Con", "--game", "g.jsonl")
    assert ran.code == 2 and "Con is not on the map 0101-2817, nor on any" in ran.err
