"""`referee init game`: a scenario as an orders file or as a record, ready to be played."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.formats.orders import read_orders
from referee.play.desk import Desk
from referee.rulebooks.registry import load_scenario, scenario_ids
from tests.cli.conftest import Run


@pytest.mark.parametrize("id", scenario_ids())
def test_every_scenario_starts_as_an_orders_file(referee: Run, id: str) -> None:
    assert referee("init", "game", "--scenario", id, "game.txt").code == 0
    scenario = load_scenario(id)
    orders = read_orders(Path("game.txt").read_bytes(), "game.txt")
    wanted = {unit.name: unit for unit in scenario.units if unit.hex and not unit.optional}
    assert {placed.ship for placed in orders.ships} == set(wanted)
    for placed in orders.ships:
        unit = wanted[placed.ship]
        assert (placed.class_id, placed.hex, placed.facing) == (unit.class_id, unit.hex, unit.facing)
    assert orders.rulebook == scenario.rulebook and orders.impulses == scenario.impulses
    assert not orders.orders and not orders.problems
    checked = referee("check", "game.txt", "--json")
    assert checked.code == 0 and checked.json["verdict"] == "cannot-tell"


def test_the_turn_it_suggests_is_understood(referee: Run) -> None:
    text = referee("init", "game", "--scenario", "5").out
    head, _, steps = text.partition("# Next, a turn, such as:\n")
    turn = [line.removeprefix("# ") for line in steps.splitlines() if not line.startswith("# then")]
    Path("game.txt").write_text(head + "\n".join(turn) + "\n")
    report = referee("check", "game.txt", "--json")
    assert not [f for f in report.json["findings"] if f["key"] == "NOTE/order"]


def test_all_ships(referee: Run) -> None:
    text = referee("init", "game", "--scenario", "4", "--all").out
    assert [line.split()[1] for line in text.splitlines() if line.startswith("ship ")] == [
        *("Constellation", "War", "Fire", "Death", "Dakota")
    ]


def test_list_and_refusals(referee: Run) -> None:
    assert len(referee("init", "game").out.splitlines()) == len(scenario_ids())
    unknown = referee("init", "game", "--scenario", "13")
    assert unknown.code == 2 and "there are 1, 2, 3" in unknown.err
    Path("game.txt").write_text("mine")
    assert referee("init", "game", "--scenario", "4", "game.txt").code == 2
    assert Path("game.txt").read_text() == "mine"
    for more in (["--players", "a,b"], ["--record", "d.jsonl"], ["x.txt", "--record", "d.jsonl"]):
        assert referee("init", "game", "--scenario", "4", *more).code == 2, more
    homeless = referee("init", "game", "--scenario", "3", "--record", "d.jsonl", "--players", "a,b")
    assert homeless.code == 2 and "not found in the sources" in homeless.err
    assert not Path("d.jsonl").exists()


def test_a_record(referee: Run) -> None:
    begun = referee(
        "init", "game", "--scenario", "4", "--record", "d.jsonl", "--players", "ann,bob", "--alone"
    )
    assert begun.code == 0, begun.err
    status = referee("game", "status", "d.jsonl", "--json").json
    ships = {ship["name"]: ship for ship in status["ships"]}
    assert set(ships) == {"Constellation", "War"}
    assert "Constellation" in begun.out and "War" in begun.out
    assert referee("record", "verify", "d.jsonl").code == 0


def test_a_record_with_practice_dice(referee: Run) -> None:
    begin = [
        "init",
        "game",
        "--scenario",
        "4",
        "--record",
        "d.jsonl",
        "--players",
        "ann,bob",
        "--dice",
        "seed",
    ]
    assert referee(*begin).code == 2
    assert referee(*begin, "--seed", "kahless").code == 0
    assert referee("game", "status", "d.jsonl", "--json").json["dice"]["mode"] == "seed"
    assert referee("init", "game", "--scenario", "4", "--seed", "kahless").code == 2


def test_a_record_of_a_scenario_says_who_has_won(referee: Run, own_folder: Path) -> None:
    """Scenario 5: whoever leaves the map has lost, and then no form is awaited any more."""
    new = ("init", "game", "--scenario", "5", "--record", "g.jsonl", "--players", "alice,bob")
    assert referee(*new, "--dice", "seed", "--seed", "s").code == 0
    before = referee("game", "status", "g.jsonl", "--json").json
    assert before["victory"]["over"] is False and before["victory"]["decided"] is True
    assert "nobody has won" in referee("game", "status", "g.jsonl").out and before["awaited"]
    said = ("Constellation: speed 0", "Destruction: speed 16")
    assert referee("game", "say", "g.jsonl", *said, "--force").code == 0
    for n in (1, 2, 3, 4):
        way = "right" if n == 1 else "ahead"
        ran = referee("game", "say", "g.jsonl", f"impulse {n}", f"Destruction: {way}", "--force")
        assert ran.code == 0, ran.err
        if "the game is over" in ran.out:
            break
    assert "the game is over, Federation has won: the Destruction has disengaged" in ran.out
    after = referee("game", "status", "g.jsonl", "--json").json
    assert after["victory"] == {
        "over": True,
        "winner": "Federation",
        "why": "the Destruction has disengaged",
        "decided": True,
    }
    assert referee("game", "next", "g.jsonl", "--to", "2").code in (0, 1)
    status = referee("game", "status", "g.jsonl").out
    assert "form of" not in status
    at_the_desk = Desk("g.jsonl").sight
    assert at_the_desk.over == "the game is over, Federation has won: the Destruction has disengaged"
    assert at_the_desk.over in status and at_the_desk.whose.startswith(f"{at_the_desk.over}; ")
    assert "Federation has won" in referee("game", "report", "g.jsonl").out


def test_a_game_of_no_scenario_has_no_victory(referee: Run, own_folder: Path) -> None:
    ship = ("--ship", "A=cadet/federation-ca:alice@1010D/16")
    assert referee("game", "new", "g.jsonl", "--players", "alice", *ship, "--alone").code == 0
    assert "victory" not in referee("game", "status", "g.jsonl", "--json").json


@pytest.mark.parametrize(("scenario", "forms"), [("1", False), ("2", False), ("4", True)])
def test_forms_are_awaited_where_the_scenario_has_them(referee: Run, scenario: str, forms: bool) -> None:
    begin = ("--record", "d.jsonl", "--players", "ann,bob", "--alone")
    begun = referee("init", "game", "--scenario", scenario, *begin)
    assert begun.code == 0, begun.err
    assert ("energy form" in begun.out) == forms
    ran = referee("game", "say", "d.jsonl", "Constellation: speed 8", "impulse 1", "--as", "ann")
    assert ran.code == 0, ran.err
    assert referee("record", "verify", "d.jsonl").code == 0
