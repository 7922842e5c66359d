"""A robot's ship in a game record: no form is asked of it, fast damage spares it as a robot, seekers stop it."""

from __future__ import annotations

from pathlib import Path

from referee.play.desk import Desk
from referee.record.reading import read
from tests.cli.conftest import Ran, Run

PLAYERS = ("--players", "ann,bob", "--dice", "seed", "--seed", "q")
FORM = (
    "Ship,cadet/federation-ca\nTurn,1\nWarp Engines,16\nImpulse Power,2\nReactor Power,2\nTotal Power,20\n"
    "Batteries Available,2\nMovement,12\n"
)


def begun(referee: Run, scenario: str = "4") -> Ran:
    ran = referee("init", "game", "--scenario", scenario, "--record", "g.jsonl", *PLAYERS)
    assert ran.code == 0, ran.err
    return ran


def test_scenario_4_is_begun_with_its_robot(referee: Run, own_folder: Path) -> None:
    out = begun(referee).out
    assert "not in the record: Dakota" in out and "War is a robot" in out
    ships = {entry.data["ship"]: entry.data for entry in read("g.jsonl") if entry.type == "ship"}
    assert ships["War"]["robot"] is True and "robot" not in ships["Constellation"]


def test_a_human_files_a_form_against_a_robot_that_files_none(referee: Run, own_folder: Path) -> None:
    begun(referee)
    (own_folder / "con.csv").write_text(FORM)
    assert referee("robot", "g.jsonl", "--ship", "War", "--play").code == 0
    ran = referee("seal", "--game", "g.jsonl", "con.csv", "--ship", "Constellation", "--as", "ann")
    assert ran.code == 0, ran.out + ran.err
    ran = referee("game", "say", "g.jsonl", "Constellation: speed 12", "impulse 1")
    assert ran.code == 0 and "form of War" not in ran.out + ran.err, ran.out + ran.err
    assert referee("check", "g.jsonl").code == 0


def test_a_robot_struck_is_spared_as_a_robot_and_a_human_is_not(referee: Run, own_folder: Path) -> None:
    """FAST-3: a robot loses no second warp box or weapon while it has hull; 10 points come through each shield."""
    begun(referee)
    assert referee("game", "next", "g.jsonl", "--to", "1.1.resolve-fire").code == 0
    lost = {}
    for ship, player, damage in (("War", "bob", "26"), ("Constellation", "ann", "25")):
        assert referee("game", "choose", "g.jsonl", ship, "spread", "--as", player).code == 0
        hit = ("--as", player, "--damage", damage, "--shield", "1")
        assert referee("volley", ship, "--game", "g.jsonl", *hit).code == 0
        events = read("g.jsonl")[-1].data["events"]
        lost[ship] = [str(event.get("box", "")) for event in events]
    warp = {ship: sum("_warp" in box for box in boxes) for ship, boxes in lost.items()}
    assert warp["War"] == 1 and warp["Constellation"] > 5, lost


def test_a_robot_of_no_such_name_is_refused(referee: Run, own_folder: Path) -> None:
    ship = ("--ship", "War=cadet/klingon-d6:bob@0117B/10")
    ran = referee("game", "new", "n.jsonl", *PLAYERS, *ship, "--robot", "Wat")
    assert ran.code == 2 and "did you mean War" in ran.err
    assert not Path("n.jsonl").exists()


def test_a_robot_stops_where_its_drone_strikes(referee: Run, own_folder: Path) -> None:
    """What strikes is rolled before the robot launches or fires; no command sends the player back to another."""
    ships = ("Constellation=cadet/federation-ca:ann@1013A/8", "War=cadet/klingon-d6:bob@1007D/8")
    named = [part for ship in ships for part in ("--ship", ship)]
    assert referee("game", "new", "g.jsonl", *PLAYERS, *named, "--robot", "War").code == 0
    said = []
    for _ in range(60):
        ran = referee("robot", "g.jsonl", "--ship", "War", "--play")
        assert ran.code == 0, ran.err
        said.append(ran.out)
        if "awaited: the volley of" in ran.out or "awaited: the dice" in ran.out:
            assert referee("game", "resolve", "g.jsonl").code == 0
            if "the volley of" in ran.out:
                break
        elif referee("game", "say", "g.jsonl", "Constellation: ahead").code:
            assert referee("game", "next", "g.jsonl").code == 0
    assert "awaited: the volley of" in said[-1]
    assert referee("robot", "g.jsonl", "--ship", "War", "--play").code == 0
    assert referee("check", "g.jsonl").code == 0


def test_of_a_robots_weapons_it_is_said_that_it_fills_in_no_form(referee: Run, own_folder: Path) -> None:
    """Of the other ship in the record it is said how a form gets into it."""
    ships = ("--ship", "A=cadet/federation-ca:a@1010A/8", "--ship", "K=cadet/klingon-d6:b@1005D/8")
    assert referee("game", "new", "g.jsonl", "--players", "a,b", *ships, "--alone", "--robot", "K").code == 0
    fire = ("impulse 1", "K: fire DISR/A at A", "A: fire PHOT/A at K")
    assert referee("game", "say", "g.jsonl", *fire, "--force").code == 0
    report = referee("check", "g.jsonl", "--json").json
    told = {row["subject"]: row["reason"] for row in report["not_checked"] if row["rule"] == "E1.2"}
    assert told["K DISR/A"] == "whether it was paid for is not known: a robot fills in no energy form"
    assert told["A PHOT/A"].endswith("no energy form of turn 1 is shown (referee game apply, or reveal)")


# -- its speed -----------------------------------------------------------------------------


def with_a_form(referee: Run, folder: Path) -> Desk:
    """Scenario 4 with the form of its human ship filed."""
    begun(referee)
    (folder / "con.csv").write_text(FORM)
    desk = Desk("g.jsonl")
    assert desk.file_form("con.csv").entered
    return desk


def test_a_robot_whose_speed_was_not_said_is_awaited_and_warned_of(referee: Run, own_folder: Path) -> None:
    desk = with_a_form(referee, own_folder)
    assert desk.whose == "speeds to be said: War (bob)" and desk.only != "next"
    (found,) = [each for each in desk.next().findings if each.key == "C1.4/said"]
    assert (found.subject, found.expected) == ("War", "the speed of a robot (ROBOT-1)")
    assert found.found == "none: it counts as 10, as before"
    checked = referee("check", "g.jsonl", "--json").findings("warning")
    assert [each["subject"] for each in checked if each["key"] == "C1.4/said"] == ["War"]
    answer = desk.robot()
    said = "War's speed is not given, and counts as 10, as before; by ROBOT-1 it is 12"
    assert answer.entered and said in answer.lines


def test_a_robot_that_says_its_speed_is_not(referee: Run, own_folder: Path) -> None:
    desk = with_a_form(referee, own_folder)
    assert desk.robot().lines == ("order: War: speed 12",)
    assert "speeds to be said" not in desk.whose
    assert not [each for each in desk.next().findings if each.key == "C1.4/said"]
    assert not any("is not given" in line for line in desk.robot().lines)


def test_a_table_that_says_no_speeds_asks_for_none_of_a_robot(referee: Run, own_folder: Path) -> None:
    begun(referee)
    assert "speed of War" not in referee("game", "status", "g.jsonl").out
