"""Seekers that ships of an orders file launch: they fly, are moved, fired at and strike as in a record."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from referee.core.orders import Fire, Launch
from referee.formats.orders import format_orders, parse_orders
from referee.rulebooks.registry import load_ship
from tests.cli.conftest import Run

CA, D6, EAGLE = "cadet/federation-ca", "cadet/klingon-d6", "standard/romulan-we"
DRONE = "War DRN/1 t1"


def head(con: str = "1404D", war: str = "1409A", rest: str = "") -> str:
    return f"""rulebook sfb-cadet
impulses 16
option map=0101-2817
ship Con = {CA} at {con} speed 0
ship War = {D6} at {war} speed 0
{rest}turn 1
Con: speed 0
War: speed 0
impulse 1
War: launch DRN/1 at Con
"""


def on(first: int, last: int) -> str:
    return "".join(f"impulse {n}\n" for n in range(first, last + 1))


def judged(referee: Run, orders: str) -> Any:
    Path("o.txt").write_text(orders)
    ran = referee("check", "o.txt", "--json")
    assert ran.code in (0, 1), ran.err
    return ran.json


def said(report: Any, *severities: str) -> list[tuple[str, str, int, str]]:
    return [
        (found["key"], found.get("subject", ""), found.get("impulse", 0), found["message"])
        for found in report["findings"]
        if found["severity"] in severities
    ]


def lacking(report: Any, rule: str) -> list[str]:
    return [item["reason"] for item in report["not_checked"] if item["rule"] == rule]


def test_it_flies_by_itself_and_strikes(referee: Run) -> None:
    """From 1409 to 1404 are five hexes, the first in the impulse after the launch."""
    report = judged(referee, head() + on(2, 8))
    assert report["verdict"] == "legal"
    assert said(report, "error", "undecided", "note") == [
        ("F2.0", DRONE, 6, "strikes Con in 1404 for 6 on its shield 1, and is gone")
    ]
    assert any("strikes it for 6 on its shield 1" in reason for reason in lacking(report, "D4.22"))


@pytest.mark.parametrize("name", [DRONE, "War DRN/1", "DRN/1 of War", "War's DRN-1", "DRN/1"])
def test_it_is_moved_and_fired_at_by_its_name(referee: Run, name: str) -> None:
    orders = head() + f"impulse 2\n{name}: ahead\nCon: fire PH-1/A at {name}\n{name}: hit 2\n"
    report = judged(referee, orders)
    assert said(report, "error", "undecided") == [] and {"F2.0", "D2.2", "E1.2"} <= set(report["checked"])
    assert not lacking(report, "F2.0")


def test_a_wrong_way_and_a_second_move_are_errors(referee: Run) -> None:
    off = judged(referee, head() + f"impulse 2\n{DRONE}: left\n")
    assert [row[:3] for row in said(off, "error")] == [("F2.0", DRONE, 2)]
    twice = judged(referee, head() + f"impulse 2\n{DRONE}: ahead\n{DRONE}: ahead\n")
    assert [row[:3] for row in said(twice, "error")] == [("F2.0", DRONE, 2)]
    at_once = judged(referee, head() + f"{DRONE}: ahead\n")
    assert [row[:3] for row in said(at_once, "error")] == [("F2.0", DRONE, 1)], "it moves in the next impulse"
    gone = judged(referee, head() + on(2, 7) + f"{DRONE}: ahead\n")
    assert [row[0::3] for row in said(gone, "error")] == [("F2.0", f"{DRONE} is on the map no more")]


def test_it_is_destroyed_by_fire(referee: Run) -> None:
    report = judged(referee, head() + f"impulse 4\nCon: fire PH-1/A at {DRONE}\n{DRONE}: hit 4\n" + on(5, 9))
    assert said(report, "error", "undecided", "note") == [
        ("F2.0", DRONE, 4, "is destroyed by 4 points, and is gone")
    ]
    weak = judged(referee, head() + f"impulse 4\nCon: fire PH-1/A at {DRONE}\n{DRONE}: hit 3\n" + on(5, 9))
    assert [row[2] for row in said(weak, "note")] == [6], "three points do not stop it"
    more = judged(referee, head() + f"impulse 4\nCon: fire PH-1/A at {DRONE}\n{DRONE}: hit 30\n")
    assert [row[0] for row in said(more, "error")] == ["E1.3"]


def test_fire_at_it_is_judged_from_where_it_is(referee: Run) -> None:
    """PHOT/A bears ahead; photons miss at a hex's range, and the drone comes from astern of the other ship."""
    behind = judged(referee, head(con="1404A") + f"impulse 2\nCon: fire PHOT/A at {DRONE}\n")
    assert [row[0] for row in said(behind, "error")] == ["D2.2"]
    near = judged(referee, head() + on(2, 4) + f"impulse 5\nCon: fire PHOT/A at {DRONE}\n")
    assert [row[0] for row in said(near, "error")] == ["E4.0/range"]


def test_what_fire_at_it_did_may_not_be_told(referee: Run) -> None:
    report = judged(referee, head() + f"impulse 2\nCon: fire PH-1/A at {DRONE}\n" + on(3, 7))
    assert lacking(report, "F2.0") == [f"what the fire of turn 1, impulse 2 did is not known: {DRONE}: hit 5"]
    (note,) = said(report, "note")
    assert (
        note[3]
        == "strikes Con in 1404 on its shield 1, for what is left of 6 after the fire at it, and is gone"
    )


def test_no_ship_fires_at_its_own_seeker(referee: Run) -> None:
    report = judged(referee, head() + f"impulse 2\nWar: fire PH-2/A at {DRONE}\n")
    assert [row[0] for row in said(report, "error")] == ["D1.0"]
    sides = (
        head()
        .replace("speed 0\nship", "speed 0 side Fed\nship")
        .replace("speed 0\nturn", "speed 0 side Kli\nturn")
    )
    report = judged(referee, sides + f"impulse 2\nWar: fire PH-2/A at {DRONE}\n")
    assert [row[0] for row in said(report, "error")] == ["D1.0"]


def test_a_launch_taken_back_leaves_no_seeker(referee: Run) -> None:
    report = judged(referee, head() + f"War: undo\nimpulse 2\nCon: fire PH-1/A at {DRONE}\n")
    (found,) = said(report, "undecided")
    assert found[3] == "no ship War DRN/1 t1"
    again = judged(referee, head() + f"War: undo\nWar: launch DRN/1 at Con\nimpulse 2\n{DRONE}: ahead\n")
    assert said(again, "error", "undecided") == []


def test_several_of_a_rack_have_names_of_their_own() -> None:
    text = (
        head()
        + "War: launch DRN/1 at Con\nturn 2\nWar: launch DRN/1 at Con\nCon: fire PH-1/A at War DRN/1 t1.2\n"
    )
    read = parse_orders(text, "o", load_ship)
    launches = [order.name for order in read.orders if isinstance(order, Launch)]
    assert launches == ["War DRN/1 t1", "War DRN/1 t1.2", "War DRN/1 t2"] and not read.problems
    assert [order.target for order in read.orders if isinstance(order, Fire)] == ["War DRN/1 t1.2"]
    again = parse_orders(format_orders(read), "o", load_ship)
    assert again == read
    vague = parse_orders(text + "Con: fire PH-1/B at DRN/1 of War\n", "o", load_ship)
    assert vague.problems[0].hint == "say which"


def test_a_plasma_torpedo_flies_and_wears_out(referee: Run) -> None:
    orders = f"""rulebook sfb-standard
impulses 32
ship Con = standard/federation-ca at 1404D speed 0
ship Eagle = {EAGLE} at 1416A speed 0
turn 1
Con: speed 0
Eagle: speed 0
impulse 1
Eagle: launch PL-R/A at Con
"""
    tube = next(mount.id for mount in load_ship(EAGLE).mounts if mount.type.startswith("plasma"))
    orders = orders.replace("PL-R/A", tube)
    report = judged(referee, orders + on(2, 14))
    (note,) = said(report, "note")
    assert note[1:3] == (f"Eagle {tube} t1", 13) and note[3].startswith("strikes Con in 1404 for ")
    whole = int(note[3].split(" for ")[1].split()[0])
    fire = f"impulse 12\nCon: fire PH-1/1 at {tube} of Eagle\n{tube} of Eagle: hit 5\n"
    hurt = judged(referee, orders + on(2, 11) + fire + on(13, 14))
    (note,) = said(hurt, "note")
    assert f" for {whole - 2} on" in note[3], "two points of phasers take one off"
    assert said(hurt, "error", "undecided") == []


def test_a_drone_lasts_three_turns_and_a_lost_lock_on_ends_it(referee: Run) -> None:
    """The ship it follows goes round and round: here it stands, and the drone is slower than its own turns."""
    orders = f"""rulebook sfb-standard
impulses 32
ship Eagle = {EAGLE} at 0101D speed 0
ship War = standard/klingon-d7 at 4001F speed 0
turn 1
Eagle: speed 0
War: speed 0
impulse 1
Eagle: cloak
impulse 4
War: launch DRN/1 at Eagle
"""
    report = judged(referee, orders + on(5, 8))
    (note,) = said(report, "note")
    assert note[:3] == ("F2.0", DRONE, 5) and "no lock-on on Eagle (D6.122)" in note[3]
    assert said(report, "error") == []


def test_what_goes_after_a_ship_that_left_the_map_is_lost(referee: Run) -> None:
    orders = (
        head(con="0101A", war="0110A")
        .replace("Con: speed 0", "Con: speed 16")
        .replace("at 0101A speed 0", "at 0101A speed 16")
    )
    report = judged(referee, orders.replace("impulse 1\n", "impulse 1\nCon: ahead\n") + on(2, 3))
    assert any("Con has left the map" in row[3] for row in said(report, "note"))


def test_what_is_not_followed_says_so(referee: Run) -> None:
    orders = head().replace(f"War = {D6}", "War = cadet/klingon-d60")
    report = judged(referee, orders + f"impulse 2\n{DRONE}: ahead\nCon: fire PH-1/A at {DRONE}\n")
    assert lacking(report, "F2.0") == ["the class of War is not known"]
    assert f"where {DRONE} is, is not known: the class of War is not known" in lacking(report, "E1.0")
    assert [row[3] for row in said(report, "undecided")] == ["no ship cadet/klingon-d60"]
    chased = head(rest="drone A at 0505D speed 8\n").replace("DRN/1 at Con", "DRN/1 at A")
    assert lacking(judged(referee, chased), "F2.0") == ["it goes after A, which is no ship"]


def test_a_ship_of_a_longer_name_keeps_its_seekers() -> None:
    """`War` and `War II`: what the second launches is not the first's."""
    text = head().replace("turn 1", f"ship War II = {D6} at 0909A\nturn 1", 1)
    text += (
        "War II: launch DRN/1 at Con\nCon: fire PH-1/A at DRN/1 of War\nCon: fire PH-1/B at DRN/1 of War II\n"
    )
    read = parse_orders(text, "o", load_ship)
    assert not read.problems
    assert [order.target for order in read.orders if isinstance(order, Fire)] == [DRONE, "War II DRN/1 t1"]


def in_record(referee: Run, *orders: str) -> Any:
    ran = referee("game", "say", "g.jsonl", *orders)
    assert ran.code == 0, ran.err
    return ran


@pytest.mark.parametrize(
    ("con", "war"), [("1404D", "1409A"), ("1404D", "1109A"), ("1204B", "1809F"), ("1405A", "1403D")]
)
def test_it_flies_as_in_a_record(referee: Run, con: str, war: str) -> None:
    """The same launch in both: it strikes in the same impulse, for as much, on the same shield."""
    ships = ("--ship", f"Con={CA}:al@{con}/0", "--ship", f"War={D6}:bo@{war}/0")
    begun = referee("game", "new", "g.jsonl", "--players", "al,bo", "--alone", *ships)
    assert begun.code == 0, begun.err
    in_record(referee, "turn 1", "Con: speed 0", "War: speed 0", "impulse 1", "War: launch DRN/1 at Con")
    report = judged(referee, head(con, war) + on(2, 16))
    (note,) = said(report, "note")
    told = referee("game", "say", "g.jsonl", "impulse 16").err
    assert f"in turn 1, impulse {note[2]}: that comes first" in told, told
    assert referee("game", "next", "g.jsonl", "--to", f"1.{note[2]}.resolve-seekers").code == 0
    (due,) = referee("game", "status", "g.jsonl", "--json").json["volleys_due"]
    assert f"for {due['points']} on its shield {due['shield']}" in note[3]
