"""`show`, `map`, `replay` and `game new --from` take a log of the online client with what `check` takes beside it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Ran, Run, own_folder, referee
from tests.unit.sources.sfbol_judged import duel, written
from tests.unit.sources.test_sfbol_targets import DRONE, FLIGHT, OVER

__all__ = ["own_folder", "referee"]

COMMANDS = {
    "show": ("show", "game.log"),
    "show --svg": ("show", "game.log", "--svg"),
    "map": ("map", "game.log", "-o", "map.svg"),
    "replay": ("replay", "game.log", "-o", "game.html"),
    "game new --from": ("game", "new", "game.jsonl", "--from", "game.log", "--dice", "seed", "--seed", "x"),
}
PLAYERS = ("--players", "ann,ben", "--player", "Kharg=ann", "--player", "Sabre=ben")


def run(referee: Run, command: str, *options: str) -> Ran:
    """A command on `game.log` with some options."""
    given = COMMANDS[command] + (PLAYERS if command.startswith("game") else ())
    return referee(*given, *options)


def strange() -> None:
    """A log with ships whose types say nothing, and a module map that knows the client's type of one."""
    lines = written(duel([{"Kharg": 8, "Sabre": 12}]))
    text = "\n".join(lines).replace("Klingon D7", "User-Defined Ship").replace("Federation CA", "Cruiser 7")
    Path("game.log").write_text(text + "\n")
    says = {"schema": "referee/module-map/1", "module": {"name": "SFBOL"}}
    classes = {"User-Defined Ship": "standard/klingon-d7", "Cruiser 7": "standard/federation-ca"}
    Path("sfbol.json").write_text(json.dumps({**says, "identify": {"classes": classes}}))


@pytest.mark.parametrize("command", COMMANDS)
def test_a_class_is_said_by_ship_or_by_map(referee: Run, command: str) -> None:
    strange()
    without = run(referee, command)
    if command == "show":
        assert without.out.count("class not known: --ship NAME=CLASS") == 2
    else:
        assert without.code == 2 and "--ship" in without.err and without.err.count("\n") == 1, without
    ships = ("--ship", "Kharg=standard/klingon-d7", "--ship", "Sabre=standard/federation-ca")
    for options in (ships, ("--map", "sfbol.json")):
        ran = run(referee, command, *options)
        assert ran.code == 0 and "not known" not in ran.out, (command, options, ran)
        Path("game.jsonl").unlink(missing_ok=True)


@pytest.mark.parametrize("command", COMMANDS)
def test_a_form_and_a_target_are_taken_and_held_to_the_ships_of_the_log(referee: Run, command: str) -> None:
    Path("game.log").write_text("\n".join([*FLIGHT, *OVER]) + "\n")
    Path("form.csv").write_text("Ship,Kharg\nTurn,1\nMovement,0\n")
    who = ("--player", "Marauder=ben") if command.startswith("game") else ()
    for option, wrong, told in (
        ("--target", "D9=Sabre", "nothing is launched that is called so"),
        ("--target", f"{DRONE}=Klaa", "no such ship in its game"),
        ("--form", "Klaa=form.csv", "no one ship of known class is called so"),
    ):
        ran = run(referee, command, *who, option, wrong)
        assert ran.code == 2 and told in ran.err and ran.err.count("\n") == 1, (command, ran)
    ran = run(referee, command, *who, "--form", "Kharg=form.csv", "--target", f"{DRONE}=Sabre")
    assert ran.code == 0, (command, ran)


def test_the_map_draws_a_seeker_whose_target_is_said(referee: Run) -> None:
    Path("game.log").write_text("\n".join([*FLIGHT, *OVER]) + "\n")
    assert DRONE not in referee("map", "game.log", "--at", "1.4").out
    assert DRONE in referee("map", "game.log", "--at", "1.4", "--target", f"{DRONE}=Marauder").out


@pytest.mark.parametrize("option", ["--target", "--form", "--map"])
@pytest.mark.parametrize("what", ["standard/klingon-d7", "form.csv", "orders.txt"])
@pytest.mark.parametrize("as_picture", [(), ("--svg",)])
def test_what_is_no_such_log_takes_none_of_these(
    referee: Run, what: str, option: str, as_picture: tuple[str, ...]
) -> None:
    Path("form.csv").write_text("Ship,standard/klingon-d7\nTurn,1\nMovement,8\n")
    Path("orders.txt").write_text("rulebook sfb-standard\nship Kharg = standard/klingon-d7 at 2020A\n")
    ran = referee("show", what, option, "Kharg=form.csv", *as_picture)
    assert ran.code == 2 and ran.err.count("\n") == 1 and option.lstrip("-") in ran.err, ran
