"""A ship is destroyed: its drones leave the map at the instant (D4.41), plasma flies on (D4.42), at every door."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from referee.adjudicator.record_seekers import strike_due
from referee.core.hexgrid import Hex
from referee.formats.vassal import command_types as lv
from referee.record.reading import read
from tests.cli.conftest import Run
from tests.doors.games import HEAD
from tests.doors.played import Played, as_log, told
from tests.unit.formats.vassal.game_logs import FED, KLINGON, Game, LogWriter, Placed
from tests.unit.logs.test_logs_notes import Check, impulses
from tests.unit.logs.test_logs_notes import check as check
from tests.unit.play.test_game_play import GAME, say

SHOOTER = {"Des": ("cadet/klingon-d6", "DRN/1"), "Eag": ("cadet/romulan-we", "PL-S/A")}
SHIPS = (
    "Con=cadet/federation-ca:fed@1607E/8",
    "Des=cadet/klingon-d6:kli@1609B/8",
    "Eag=cadet/romulan-we:kli@1610B/8",
)


# -- a record ----------------------------------------------------------------------------


def launched(referee: Run, ship: str) -> str:
    """A seeker of a ship is on its way, and the fire of impulse 2 is to be resolved; its name."""
    new = ("game", "new", GAME, "--players", "fed,kli", "--alone")
    assert referee(*new, *(part for one in SHIPS for part in ("--ship", one))).code == 0
    weapon = SHOOTER[ship][1]
    say(
        referee,
        "Con: speed 8",
        "Des: speed 8",
        "Eag: speed 8",
        "impulse 1",
        f"{ship}: launch {weapon} at Con",
    )
    for one in ("Eag", "Con", "Des"):
        assert referee("game", "say", GAME, "impulse 2", f"{one}: ahead", "--force").code == 0
    assert referee("game", "next", GAME, "--to", "1.2.resolve-fire", "--force", "--as", "fed").code == 0
    return f"{ship} {weapon} t1"


def flying(referee: Run) -> list[str]:
    return [one["name"] for one in referee("game", "status", GAME, "--json").json.get("seekers", [])]


def struck() -> list[Any]:
    return [entry.data["strike"] for entry in read(GAME) if entry.data.get("strike", {}).get("volleys")]


@pytest.mark.parametrize("door", ["say", "volley"])
def test_its_drones_leave_a_record_with_it(referee: Run, door: str) -> None:
    drone = launched(referee, "Des")
    assert flying(referee) == [drone]
    if door == "say":
        ran = referee("game", "say", GAME, "Des: hit 300 on 1")
    else:
        ran = referee("volley", "Des", "--game", GAME, "--damage", 300, "--shield", 1, "--as", "kli")
    assert ran.code == 0 and "gone with their ship (D4.41)" in ran.out
    last = read(GAME)[-1].data
    assert last["strike"] == {"seekers": [drone], "volleys": []} and last["impulse"] == 2
    assert flying(referee) == []
    assert referee("record", "verify", GAME).code == 0
    for _ in range(14):
        assert referee("game", "next", GAME, "--force", "--as", "fed").code == 0
    assert struck() == []


def test_what_destroyed_it_is_taken_back_after_its_drones(referee: Run) -> None:
    drone = launched(referee, "Des")
    assert referee("game", "say", GAME, "Des: hit 300 on 1").code == 0
    last = len(read(GAME)) - 1
    why = ("--reason", "no", "--agreed", "fed,kli")
    ran = referee("game", "undo", GAME, last - 1, *why)
    assert ran.code != 0 and f"#{last} rests on it" in ran.err
    assert referee("game", "undo", GAME, last, *why).code == 0
    assert referee("game", "undo", GAME, last - 1, *why).code == 0
    assert flying(referee) == [drone]
    assert referee("record", "verify", GAME).code == 0


def test_a_record_of_an_earlier_version_in_which_the_drone_struck_all_the_same(
    referee: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is read as it stands, with a warning."""
    drone = launched(referee, "Des")
    with monkeypatch.context() as earlier:
        earlier.setattr("referee.play.dice._orphaned", lambda game, new: [])
        earlier.setattr("referee.adjudicator.ordering.leaving_with_ships", lambda rulebook, state: None)
        earlier.setattr("referee.adjudicator.ordering.strike_due", partial(strike_due, late=True))
        assert referee("game", "say", GAME, "Des: hit 300 on 1").code == 0
        for _ in range(20):
            if struck():
                break
            assert referee("game", "next", GAME, "--force", "--as", "fed").code == 0
    assert struck()[0]["seekers"] == [drone]
    assert referee("record", "verify", GAME).code == 0
    (found,) = (f for f in referee("check", GAME, "--json").findings() if f["key"] == "D4.41")
    assert found["severity"] == "warning" and found["subject"] == drone
    assert referee("game", "resolve", GAME).code == 0


def test_its_torpedo_flies_on_in_a_record(referee: Run) -> None:
    torpedo = launched(referee, "Eag")
    assert referee("game", "say", GAME, "Eag: hit 300 on 1").code == 0
    assert flying(referee) == [torpedo]
    for _ in range(200):
        if struck():
            break
        assert referee("game", "next", GAME, "--force", "--as", "fed").code == 0
    assert struck()[0]["seekers"] == [torpedo]
    assert "D4.41" not in referee("check", GAME).out


# -- an orders file ----------------------------------------------------------------------


ORDERS = """rulebook sfb-cadet
impulses 16
ship Con = cadet/federation-ca at 1507D speed 8
ship Des = {cls} at 1513A speed 8
turn 1
  Con: speed 8
  Des: speed 8
impulse 1
  Des: launch {weapon} at Con
impulse 2
{moves}
  Des: hit {points} on 1
impulse 3
impulse 4
  Con: ahead
impulse 5
{more}"""
KLINGON_FIRST = "  Con: ahead\n  Des: ahead"
EAGLE_FIRST = "  Des: ahead\n  Con: ahead"


def judged(referee: Run, text: str) -> Any:
    path = Path("orders.txt")
    path.write_text(text)
    return referee("check", path, "--json")


def orders(points: int, more: str = "", ship: str = "Des") -> str:
    cls, weapon = SHOOTER[ship]
    moves = EAGLE_FIRST if ship == "Eag" else KLINGON_FIRST
    return ORDERS.format(cls=cls, weapon=weapon, points=points, moves=moves, more=more)


def test_a_ship_destroyed_for_sure_takes_its_drones_along(referee: Run) -> None:
    """It is off the map: it is not asked for moves, and an order for it is an error."""
    ran = judged(referee, orders(200))
    told = [found["message"] for found in ran.findings("note")]
    assert any("leaves the map with Des, which is destroyed (D4.41)" in message for message in told)
    assert not any("strikes" in message for message in told)
    assert [f for f in ran.findings("error") if f["key"] in ("C1.4/missed", "D4.41")] == []
    ran = judged(referee, orders(200, "  Des: ahead\n"))
    assert [(f["key"], f["subject"]) for f in ran.findings("error")] == [("D4.41", "Des")]


def test_a_ship_that_may_be_destroyed_is_not_asked_for_moves(referee: Run) -> None:
    ran = judged(referee, orders(30))
    assert ran.findings("error") == []
    lacking = {(one["key"], one["reason"].partition(":")[0]) for one in ran.json["not_checked"]}
    assert {"D4.4", "D4.41"} <= {key for key, _ in lacking}
    # One that is given an order later is there.
    ran = judged(referee, orders(30, "impulse 6\n  Con: ahead\n  Des: ahead\n"))
    assert ("C1.4/missed", "Des", 4) in [
        (f["key"], f["subject"], f["impulse"]) for f in ran.findings("error")
    ]


def test_a_ship_that_is_hardly_scratched_is_asked_for_moves(referee: Run) -> None:
    ran = judged(referee, orders(3))
    assert [(f["key"], f["subject"]) for f in ran.findings("error")] == [("C1.4/missed", "Des")]


def test_a_torpedo_flies_on_in_an_orders_file(referee: Run) -> None:
    ran = judged(referee, orders(200, "impulse 6\n  Con: ahead\nimpulse 8\n", ship="Eag"))
    told = [found["message"] for found in ran.findings("note")]
    assert any("strikes Con" in message for message in told), told


# -- a log -------------------------------------------------------------------------------


CA, D6 = "CA Ship0", "D6 Ship1"
WITH_EXCESS = replace(KLINGON, boxes=(*KLINGON.boxes, ("Excess", 2)))


@pytest.mark.parametrize("alive", [False, True])
def test_a_dead_ship_whose_counter_stays_is_not_blamed(check: Check, alive: bool) -> None:
    """Its display shows no box of excess damage left: it may be destroyed, unless it moves since."""
    ships = {CA: Placed(FED, Hex(40, 30), "D", 8), D6: Placed(WITH_EXCESS, Hex(40, 50), "A", 8)}
    speeds = {(name, 1): 8 for name in ships}
    written = {(name, 1): {"Phasrecharge": "3", "Total Used": "11"} for name in ships}
    writer = LogWriter(Game(ships, 1, speeds, (), written))
    for name in ships:
        writer.form(name, 1)
    impulses(writer, 1, 1, 4)
    old = writer.display_states(D6)
    writer.left[D6]["Excess"] = 0
    step = writer.log(writer.change(f"{writer.ids[D6]}9", old, writer.display_states(D6)))
    writer.advance((1, 4, 0), (1, 7, 0))
    if alive:
        x = writer.move_leaf(D6, Hex(40, 48), Hex(40, 47))
        writer.log(x)
    writer.advance((1, 7, 0), (1, 9, 0))
    ran = check(writer)
    missed = {f["subject"] for f in ran.findings("error") if f["key"] == "C1.4/missed"}
    assert missed == ({CA, D6} if alive else {CA}), ran.out
    told = [
        one
        for one in ran.json["not_checked"]
        if one["key"] == "C1.4/missed" and "may be destroyed" in one["reason"]
    ]
    assert bool(told) is not alive
    assert alive or f"step {step} on" in told[0]["reason"]


@pytest.mark.parametrize("points", [8, 35, 300])
def test_a_ship_struck_to_death_on_paper_is_not_blamed(check: Check, points: int) -> None:
    """What struck it was said, and no display is marked: 35 points may have destroyed it, 300 have, 8 have not."""
    ships = {CA: Placed(FED, Hex(40, 30), "D", 8), D6: Placed(WITH_EXCESS, Hex(40, 36), "A", 8)}
    speeds = {(name, 1): 8 for name in ships}
    written = {(name, 1): {"Phasrecharge": "3", "Total Used": "11"} for name in ships}
    writer = LogWriter(Game(ships, 1, speeds, (), written))
    for name in ships:
        writer.form(name, 1)
    impulses(writer, 1, 1, 3)
    step = writer.log(lv.Chat(f"&lt;Ben&gt; - !hit {points} on 4"))
    writer.advance((1, 3, 0), (1, 9, 0))
    ran = check(writer)
    missed = {f["subject"] for f in ran.findings("error") if f["key"] == "C1.4/missed"}
    assert missed == ({CA, D6} if points == 8 else {CA}), ran.out
    told = [one["reason"] for one in ran.json["not_checked"] if one["key"] == "C1.4/missed"]
    assert [reason for reason in told if f"step {step}" in reason] == [
        f"what struck it by step {step} is not marked: it may be destroyed, and is then off the map"
    ] * (points != 8)


@pytest.mark.parametrize("struck", ["Destr", "Const"])
def test_a_drone_from_or_at_a_ship_struck_to_death_on_paper_need_not_fly(referee: Run, struck: str) -> None:
    """A ship is told more points than it has boxes, its counter stays: a drone of it or after it lies still, and
    nobody is blamed."""
    text = (
        f"{HEAD}turn 1\nConst: speed 0\nDestr: speed 0\nimpulse 1\nDestr: launch DRN/1 at Const\nimpulse 2\n"
        f"{struck}: hit POINTS on 1\nimpulse 6\n"
    )
    dead, alive = (told(as_log(referee, Played(text.replace("POINTS", points)))) for points in ("300", "9"))
    assert dead == set()
    assert {(severity, rule) for severity, rule, *_ in alive} == {("error", "F2.0")}
