"""One played game is judged alike at every door: as an orders file, as a record, as a VASSAL log."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Run, own_folder, referee
from tests.cli.test_game_forging import rewritten
from tests.doors.played import DOORS, Played, Told, as_record, told

__all__ = ["own_folder", "referee"]

HEAD = """rulebook sfb-cadet
impulses 16
ship Const = cadet/federation-ca at 2020A speed 8
ship Destr = cadet/klingon-d6 at 2030A speed 8
"""
KZINTI = HEAD.replace("klingon-d6", "kzinti")
EDGE = HEAD.replace("impulses 16", "impulses 16\noption map=0505-4030").replace("2030A", "2005A")
STILL = "turn 1\nConst: speed 0\nDestr: speed 0\nimpulse 2\n"
SLOW_AND_FAST = "turn 1\nConst: speed 4\nDestr: speed 8\nimpulse 2\n"

RACKS = "".join(f"Destr: launch DRN/{n} at Const\n" for n in range(1, 5))
FAR_DRONES = (
    "rulebook sfb-standard\nimpulses 32\nship Const = standard/federation-ca at 2001A speed 0\n"
    "ship Destr = standard/kzinti-cs at 3030A speed 0\n"
    f"turn 1\nConst: speed 0\nDestr: speed 0\nimpulse 16\n{RACKS}turn 2\nConst: speed 0\nDestr: speed 0\n"
)

GAMES: dict[str, tuple[Played, set[Told]]] = {
    "by the rules": (
        Played(f"{HEAD}{SLOW_AND_FAST}Destr: ahead\nimpulse 4\nConst: ahead\nDestr: ahead\nimpulse 5\n"),
        set(),
    ),
    "out of turn": (
        Played(f"{HEAD}{SLOW_AND_FAST}Destr: ahead\nimpulse 4\nDestr: ahead\nConst: ahead\nimpulse 5\n"),
        {("error", "C1.3", "Destr", 1, 4)},
    ),
    "fire before all have moved": (
        Played(
            f"{HEAD}{SLOW_AND_FAST}Destr: ahead\nimpulse 4\nDestr: fire PH-2/A at Const\nConst: ahead\n"
            "Destr: ahead\nimpulse 5\n"
        ),
        {("error", "B2.0", "Destr", 1, 4)},
    ),
    "fire before the other has moved": (
        Played(
            f"{HEAD}{SLOW_AND_FAST}Const: fire PH-1/A at Destr\nDestr: ahead\nimpulse 4\nConst: ahead\n"
            "Destr: ahead\nimpulse 5\n"
        ),
        {("error", "B2.0", "Const", 1, 2)},
    ),
    "fire, then its own move": (
        Played(f"{HEAD}{SLOW_AND_FAST}Destr: fire PH-2/A at Const\nDestr: ahead\nimpulse 3\n"),
        {("error", "B2.0", "Destr", 1, 2)},
    ),
    "one did not move": (
        Played(
            f"{HEAD}{SLOW_AND_FAST}Destr: ahead\nimpulse 4\nDestr: ahead\nimpulse 6\nDestr: ahead\n"
            "impulse 8\nConst: ahead\nDestr: ahead\nimpulse 9\n"
        ),
        {("error", "C1.4", "Const", 1, 4)},
    ),
    "one did not move, and the other fires": (
        Played(
            f"{HEAD}{SLOW_AND_FAST}Destr: ahead\nimpulse 4\nDestr: ahead\nDestr: fire PH-2/A at Const\n"
            "impulse 8\nConst: ahead\nDestr: ahead\nimpulse 9\n"
        ),
        {("error", "C1.4", "Const", 1, 4), ("error", "C1.4", "Destr", 1, 6)},
    ),
    "a drone before its ship": (
        Played(
            f"{KZINTI}turn 1\nConst: speed 0\nDestr: speed 8\nimpulse 2\nDestr: ahead\n"
            "Destr: launch DRN/1 at Const\nimpulse 3\nDestr DRN/1 t1: ahead\nimpulse 4\n"
            "Destr DRN/1 t1: ahead\nDestr: ahead\nimpulse 5\nDestr DRN/1 t1: ahead\n"
        ),
        {("error", "B2.0", "Destr DRN/1 t1", 1, 4)},
    ),
    "a speed above what is paid": (
        Played(
            f"{HEAD}turn 1\nConst: speed 4\nDestr: speed 16\nimpulse 1\nDestr: ahead\nimpulse 2\nDestr: ahead\n"
            "impulse 3\nDestr: ahead\nimpulse 4\nConst: ahead\nDestr: ahead\n",
            {("Const", 1): {"Movement": 4}, ("Destr", 1): {"Movement": 8}},
        ),
        {("error", "B3.0-14", "Destr", 1, None)},
    ),
    "where the chart calls no move": (
        Played(f"{HEAD}{SLOW_AND_FAST}Destr: ahead\nimpulse 3\nDestr: ahead\n"),
        {("error", "C1.4", "Destr", 1, 3)},
    ),
    "two moves in an impulse": (
        Played(f"{HEAD}{SLOW_AND_FAST}Destr: ahead\nDestr: ahead\nimpulse 3\n"),
        {("error", "C1.1", "Destr", 1, 2)},
    ),
    "turns too early": (
        Played(
            f"{HEAD}turn 1\nConst: speed 4\nDestr: speed 12\nimpulse 2\nDestr: left\nimpulse 3\nDestr: left\n"
            "impulse 4\nConst: ahead\nDestr: ahead\n"
        ),
        {("error", "C3.2", "Destr", 1, 3)},
    ),
    "too great an acceleration": (
        Played(
            f"{HEAD}turn 1\nConst: speed 0\nDestr: speed 9\nimpulse 2\nDestr: ahead\n".replace(
                "speed 8", "speed 0"
            )
        ),
        {("error", "B3.0-14", "Destr", 1, None)},
    ),
    "a speed set late": (
        Played(f"{HEAD}{SLOW_AND_FAST}Destr: ahead\nDestr: speed 12\n"),
        {("error", "B2.0", "Destr", 1, 2)},
    ),
    "back over the edge of the map": (
        Played(
            f"{EDGE}turn 1\nConst: speed 0\nDestr: speed 8\nimpulse 2\nDestr: leave the map\nimpulse 4\nDestr: ahead\n"
        ),
        {("note", "MAP", "Destr", 1, 2), ("error", "MAP", "Destr", 1, 4)},
    ),
    "a weapon in two impulses running": (
        Played(f"{HEAD}{STILL}Destr: fire DISR/A at Const\nimpulse 3\nDestr: fire DISR/A at Const\n"),
        {("error", "E3.23", "Destr DISR/A", 1, 3)},
    ),
    "a gun launched": (
        Played(f"{HEAD}{STILL}Destr: launch PH-2/A at Const\nimpulse 3\n"),
        {("error", "D1.3", "Destr PH-2/A", 1, 2)},
    ),
    "two drones of a rack": (
        Played(
            f"{KZINTI}{STILL}Destr: launch DRN/1 at Const\nimpulse 3\nDestr DRN/1 t1: ahead\n"
            "Destr: launch DRN/1 at Const\n"
        ),
        {("error", "FD4.21", "Destr DRN/1", 1, 3)},
    ),
    "a drone off its course": (
        Played(
            f"{KZINTI}{STILL}Destr: launch DRN/1 at Const\nimpulse 3\nDestr DRN/1 t1: left\nimpulse 4\n"
            "Destr DRN/1 t1: right\n"
        ),
        {("error", "F2.0", "Destr DRN/1 t1", 1, 3)},
    ),
    "a launch before its ship's move": (
        Played(
            f"{KZINTI}{SLOW_AND_FAST}Destr: launch DRN/1 at Const\nDestr: ahead\nimpulse 3\nDestr DRN/1 t1: ahead\n"
        ),
        {("error", "B2.0", "Destr", 1, 2)},
    ),
    "more drones than sensors control": (
        Played(f"{FAR_DRONES}impulse 1\n{RACKS}"),
        {("error", "D6.132", "Destr", 2, 1)},
    ),
    "a drone fired": (
        Played(f"{KZINTI}{STILL}Destr: fire DRN/1 at Const\nimpulse 3\n"),
        {("error", "D1.3", "Destr DRN/1", 1, 2)},
    ),
    "over the edge of the map": (
        Played(f"{EDGE}turn 1\nConst: speed 0\nDestr: speed 8\nimpulse 2\nDestr: leave the map\nimpulse 3\n"),
        {("note", "MAP", "Destr", 1, 2)},
    ),
    "another shield": (
        Played(f"{HEAD}{STILL}Destr: fire PH-2/A at Const on 1\nimpulse 3\n"),
        {("error", "E1.4", "Destr", 1, 2)},
    ),
}

EXCUSED: dict[tuple[str, str], set[tuple[str, str]]] = {
    # An orders file has no forms: what a ship pays for is not in it.
    ("a speed above what is paid", "orders"): {("B3.0-14", "Destr")},
    # What the orders do not say flies by itself there and in a record; on a VASSAL table somebody moves it.
    ("more drones than sensors control", "log"): {("F2.0", f"Destr DRN/{n} t1") for n in range(1, 5)},
}
"""What is left out of the comparison, by game and door: the rules and subjects its coverage excuses, and why."""

UNFILED = "B3.0/filed"
"""A log says of ships that move that it lacks their forms; the games here mostly have none."""


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("name", GAMES)
def test_a_game_is_judged_alike_at_every_door(referee: Run, name: str, door: str) -> None:
    game, expected = GAMES[name]
    found = told(DOORS[door](referee, game), UNFILED if door == "log" else "")
    excused = EXCUSED.get((name, door), set())
    found = {one for one in found if one[1:3] not in excused}
    assert found == {one for one in expected if one[1:3] not in excused}


def test_a_record_from_before_a_rule_was_asked_is_no_forgery(referee: Run) -> None:
    """Older records hold launches beyond the sensors without a foul: they are read, and it is found in them."""
    game, expected = GAMES["more drones than sensors control"]
    as_record(referee, game)
    older = rewritten(Path("game.jsonl"), lambda kind, data: None if kind == "foul" else (kind, data))
    assert referee("record", "verify", older).code == 0
    assert told(referee("check", older, "--json")) == expected


def test_a_foul_of_moving_first_lapses_where_the_other_never_moves(referee: Run) -> None:
    """Said one by one: the ship that was not waited for may yet move, so the other's move is refused; forced, it is
    no breach once the impulse is over and the other has not moved."""
    game, _ = GAMES["by the rules"]
    as_record(referee, Played(game.text.partition("impulse 4")[0]))
    ran = referee("game", "say", "game.jsonl", "impulse 4", "Destr: ahead")
    assert ran.code == 1 and "[C1.3]" in ran.err and "moves before Const" in ran.err, ran
    assert referee("game", "say", "game.jsonl", "impulse 4", "Destr: ahead", "--force").code == 0
    assert ("error", "C1.3", "Destr", 1, 4) in told(referee("check", "game.jsonl", "--json"))
    assert referee("game", "say", "game.jsonl", "impulse 5", "--force").code == 0
    assert told(referee("check", "game.jsonl", "--json")) == {("error", "C1.4", "Const", 1, 4)}


def test_fire_is_refused_while_ships_have_still_to_move(referee: Run) -> None:
    """The refusal names who has to move, and how to go on without; forced, they can move yet."""
    game, _ = GAMES["by the rules"]
    as_record(referee, Played(game.text.partition("impulse 4")[0]))
    fire = ("game", "say", "game.jsonl", "impulse 4", "Destr: fire PH-2/A at Const")
    ran = referee(*fire)
    assert ran.code == 1 and "[B2.0]" in ran.err and "first the move of Const, Destr" in ran.err, ran
    assert "referee game next RECORD --to 1.4.fire" in ran.err
    assert referee(*fire, "--force").code == 0
    assert referee("game", "say", "game.jsonl", "Const: ahead", "Destr: ahead").code == 0
    assert referee("game", "resolve", "game.jsonl").code == 0
    assert referee("game", "say", "game.jsonl", "impulse 5").code == 0
    assert told(referee("check", "game.jsonl", "--json")) == {("error", "B2.0", "Destr", 1, 4)}
