"""`referee robot`: what it does in an orders file and in a record."""

from __future__ import annotations

import lzma
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Run
from tests.conftest import ROOT

HEAD = """rulebook sfb-cadet
impulses 16
option damage=fast
option map=0101-2817
ship Constellation = cadet/federation-ca at 1006D speed 10 side Federation
ship War = cadet/klingon-d6 at 1011A speed 10 side Klingon
"""
DUEL = ROOT / "tests" / "unit" / "play" / "duels_of_robots" / "4-a.jsonl.xz"


def game(*lines: str, head: str = HEAD) -> Path:
    """An orders file."""
    path = Path("game.txt")
    path.write_text(head + "".join(f"{line}\n" for line in lines))
    return path


def now(referee: Run, *lines: str, ship: str = "War", more: tuple[str, ...] = (), head: str = HEAD) -> Any:
    """What the robot does in a game, as JSON."""
    ran = referee("robot", game(*lines, head=head), "--ship", ship, "--json", *more)
    assert ran.code == 0, ran.err
    return ran.json


def test_it_begins_with_its_speed(referee: Run, holds: Callable[[Any], None]) -> None:
    told = now(referee)
    holds(told)
    assert told["orders"] == ["turn 1", "War: speed 12"]
    assert [decision["instruction"] for decision in told["decisions"]] == ["ROBOT-1"]


def test_it_waits_for_the_slower_ship_and_then_follows(referee: Run, holds: Callable[[Any], None]) -> None:
    begun = ("turn 1", "War: speed 12", "Constellation: speed 8", "impulse 2")
    assert now(referee, *begun)["awaited"] == ["Constellation's move"]
    told = now(referee, *begun, "Constellation: ahead")
    holds(told)
    # 4 hexes apart after its move: the Primary Fire Point.
    move, fire = told["decisions"]
    assert (move["instruction"], move["way"]) == ("ROBOT-2", "ahead")
    assert fire["instruction"] == "ROBOT-2/fire" and "3 hexes from Constellation" in fire["why"]
    assert told["orders"] == ["War: ahead", "War: fire PH-2/A, PH-2/B, DISR/A, DISR/B at Constellation"]


def test_after_its_fire_it_turns_what_is_left(referee: Run) -> None:
    played = (
        *("turn 1", "War: speed 12", "Constellation: speed 8"),
        *("impulse 2", "Constellation: ahead", "War: ahead"),
        "War: fire PH-2/A, PH-2/B, DISR/A, DISR/B at Constellation",
        "impulse 3",
    )
    told = now(referee, *played)
    assert told["decisions"][0]["instruction"] == "ROBOT-3"
    told = now(
        referee,
        *played[:-2],
        "War: fire PH-2/A, PH-2/B, PH-2/C, PH-2/D, DISR/A, DISR/B at Constellation",
        "impulse 3",
    )
    assert told["decisions"][0]["instruction"] == "ROBOT-4" and told["orders"][0] == "War: ahead"


def test_damage_slows_it(referee: Run) -> None:
    told = now(referee, "turn 1", "War: speed 12", "impulse 16", "War: hit 40 on 1", "turn 2")
    assert told["decisions"][0]["instruction"] in ("ROBOT-1", "FAST-3/speed")
    speed = told["decisions"][0]["speed"]
    # 40 on shield 1 of 16: 24 inside, the second of them warp.
    assert speed < 12 and f": {speed}" in told["decisions"][0]["why"]


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("last", [True, False])
def test_play_adds_lines_and_loses_none(referee: Run, end: str, last: bool) -> None:
    path = game("# mine: keep this", "turn 1", "  War: speed 12", "impulse 2", "Constellation: ahead # so")
    before = path.read_bytes().replace(b"\n", end.encode())
    before = before if last else before.rstrip()
    path.write_bytes(before)
    ran = referee("robot", path, "--ship", "War", "--play")
    assert ran.code == 0, ran.err
    after = path.read_bytes()
    assert after.startswith(before) and after != before
    assert after[len(before) :].replace(end.encode(), b"").count(b"\n") == 0
    assert referee("check", path).code == 0
    assert list(Path().glob(".*.part")) == []


@pytest.mark.long
def test_two_robots_take_turns_in_a_file(referee: Run) -> None:
    path = game()
    for ship in ("War", "Constellation") * 40:
        assert referee("robot", path, "--ship", ship, "--play", "--seed", "x").code == 0
    text = path.read_text()
    path.write_text(text[: text.rindex("impulse")])  # the last impulse is not over yet
    report = referee("check", path, "--json").json
    assert report["verdict"] == "legal", report["findings"]
    text = path.read_text()
    assert "War: fire" in text and "Constellation: fire" in text and "turn 2" in text


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--ship", "War"), "no game is named, and there is no record here"),
        (("game.txt",), "which ship the robot flies"),
        (("game.txt", "--ship", "Wra"), "did you mean War"),
        (("missing.txt", "--ship", "War"), "missing.txt"),
        (("game.txt", "--ship", "War", "--option", "map=here"), "the first hex and the last"),
        (("note.txt", "--ship", "War"), "is no orders file"),
    ],
)
def test_refusals(referee: Run, arguments: tuple[str, ...], says: str) -> None:
    game("turn 1")
    Path("note.txt").write_text("Dear Kang,\n")
    ran = referee("robot", *arguments)
    assert ran.code == 2 and says in ran.err and len(ran.err.splitlines()) == 1


def test_what_cannot_be_told_is_not_guessed(referee: Run) -> None:
    chart = HEAD.replace("option damage=fast\n", "")
    path = game("turn 1", "impulse 3", "War: hit 40 on 1", head=chart)
    ran = referee("robot", path, "--ship", "War")
    assert ran.code == 2 and "--seed TEXT" in ran.err and "game.txt" in ran.err
    assert referee("robot", path, "--ship", "War", "--seed", "x").code == 0
    broken = game("turn 1", "War: dance")
    ran = referee("robot", broken, "--ship", "War")
    assert ran.code == 2 and "line 8" in ran.err
    bystander = HEAD + "ship Dakota = cadet/freighter at 1405A speed 0\n"
    ran = referee("robot", game(head=bystander), "--ship", "Dakota")
    assert ran.code == 2 and "no SSD" in ran.err


def test_what_a_robot_does_in_a_record_is_what_it_did(own_folder: Path) -> None:
    """Asked in the middle of a game that robots played, it answers as it played: its memory is in the entries."""
    from referee.adjudicator.ordering import Ordering
    from referee.adjudicator.robot_seat import TableSeat
    from referee.adjudicator.table import GameTable
    from referee.play.game_file import open_game
    from referee.play.robot import ready
    from referee.rulebooks.registry import load_ship
    from referee.sources.record import account_of

    Path("d.jsonl").write_bytes(lzma.decompress(DUEL.read_bytes()))
    game = open_game("d.jsonl")
    robot, within, _ = ready(game.rulebook, "x")
    asked = 0
    for seq in range(40, len(game.entries), 23):
        entry = game.entries[seq]
        if "move" not in entry.data:
            continue
        table = GameTable(game.rulebook, load_ship, account_of(game.entries[:seq], "d.jsonl"))
        seat = TableSeat(robot, Ordering(table, str), load_ship, entry.data["move"]["ship"], within)
        seat.remember(game.entries[:seq])
        decision = robot.move(seat.situation(table.state))
        assert decision is not None and (decision.coin or decision.way == entry.data["move"]["way"])
        asked += 1
    assert asked > 2


def test_a_cloaked_ship(referee: Run) -> None:
    """A robot that is hidden fires nothing; at a ship that is hidden it launches no drone."""
    head = HEAD.replace("cadet/federation-ca", "cadet/romulan-kr").replace("Constellation", "Eagle")
    begun = ("turn 1", "War: speed 12", "Eagle: speed 0", "impulse 1")
    open_fire = now(referee, *begun, head=head)
    assert "War: launch DRN/1 at Eagle" in open_fire["orders"]
    hidden = now(referee, "turn 1", "War: speed 12", "Eagle: speed 0", "Eagle: cloak", "impulse 1", head=head)
    assert not any("launch" in order for order in hidden["orders"])
    mine = now(referee, *begun, ship="Eagle", head=head.replace("1011A", "1007A"))
    assert any("fire" in order for order in mine["orders"])
    mine = now(
        referee,
        *("turn 1", "War: speed 0", "Eagle: speed 0", "Eagle: cloak", "impulse 2"),
        ship="Eagle",
        head=head.replace("1011A", "1007A"),
    )
    assert not any("fire" in order for order in mine["orders"])


def test_a_game_without_robots(referee: Run) -> None:
    trek = ROOT / "examples" / "games" / "trek-duel.jsonl"
    ran = referee("robot", trek, "--ship", "Lancer")
    assert ran.code == 2 and "trek has no robot" in ran.err


# -- in a record -------------------------------------------------------------------------


def record(referee: Run) -> None:
    """A record of scenario 4, begun."""
    begun = referee(
        "init", "game", "--scenario", "4", "--record", "g.jsonl", "--players", "ann,bob", "--alone"
    )
    assert begun.code == 0, begun.err


def test_it_plays_into_a_record(referee: Run, holds: Callable[[Any], None]) -> None:
    record(referee)
    before = Path("g.jsonl").read_bytes()
    told = referee("robot", "g.jsonl", "--ship", "War", "--json").json
    holds(told)
    assert told["orders"] == ["War: speed 12"] and Path("g.jsonl").read_bytes() == before
    assert referee("robot", "g.jsonl", "--ship", "War", "--play").code == 0
    assert referee("game", "next", "g.jsonl", "--to", "1.1.move-ships").code == 0
    launched = referee("robot", "g.jsonl", "--ship", "War", "--play")
    assert "launch DRN/1" in launched.out and launched.code == 0
    assert referee("game", "next", "g.jsonl", "--to", "1.2.move-ships").code == 0
    assert referee("robot", "g.jsonl", "--ship", "War", "--json").json["awaited"] == ["Constellation's move"]
    assert referee("game", "say", "g.jsonl", "Constellation: ahead").code == 0
    assert referee("robot", "g.jsonl", "--ship", "War", "--play").code == 0
    after = Path("g.jsonl").read_bytes()
    assert after.startswith(before)
    assert referee("record", "verify", "g.jsonl").code == 0
    assert referee("check", "g.jsonl", "--json").json["verdict"] == "legal"
    assert "War: ahead" in referee("game", "replay", "g.jsonl").out


def test_fire_in_a_record_is_declared_by_all_before_dice(referee: Run) -> None:
    ships = ("Con=cadet/federation-ca:ann@1007D/12", "War=cadet/klingon-d6:bob@1011A/12")
    begun = referee(
        *("game", "new", "g.jsonl", "--players", "ann,bob", "--alone", "--option", "damage=fast"),
        *("--ship", ships[0], "--ship", ships[1]),
    )
    assert begun.code == 0, begun.err
    assert referee("game", "next", "g.jsonl", "--to", "1.1.fire").code == 0
    assert referee("game", "say", "g.jsonl", "Con: fire PH-1/A at War").code == 0
    robot = ("robot", "g.jsonl", "--ship", "War", "--json")
    told = referee(*robot, "--play").json
    assert told["orders"] == ["War: fire PH-2/A, PH-2/B, DISR/A, DISR/B at Con"]
    again = referee(*robot, "--play").json
    assert not again["orders"], "what is declared is not declared again"
    assert referee("game", "resolve", "g.jsonl").code == 0
    assert not referee(*robot).json["orders"] and not referee(*robot).json["awaited"]
    assert referee("check", "g.jsonl", "--json").json["verdict"] == "legal"
    assert referee("game", "next", "g.jsonl", "--to", "1.2.move-ships").code == 0
    assert referee("game", "say", "g.jsonl", "Con: ahead").code == 0
    turned = referee(*robot, "--play").json
    assert turned["decisions"][0]["instruction"] == "ROBOT-3", turned


def test_a_record_has_its_own_rules(referee: Run) -> None:
    record(referee)
    ran = referee("robot", "g.jsonl", "--ship", "War", "--option", "impulses=8")
    assert ran.code == 2 and "first line" in ran.err
    ran = referee("robot", "g.jsonl", "--ship", "War", "--as", "ann", "--play")
    assert ran.code == 2 and "does not play War" in ran.err


def test_what_no_firing_table_covers_is_left_alone(referee: Run) -> None:
    """A Lyran's ESG is no gun: a robot fires the rest, and its orders can be played in a record."""
    head = HEAD.replace("War = cadet/klingon-d6", "War = cadet/lyran")
    begun = ("turn 1", "War: speed 12", "Constellation: speed 8", "impulse 2", "Constellation: ahead")
    told = now(referee, *begun, head=head)
    fired = [decision["fire"] for decision in told["decisions"] if decision.get("fire")]
    assert fired and "ESG/A" not in fired[0] and "DISR/A" in fired[0], told
    assert not any("ESG" in order for order in told["orders"])
