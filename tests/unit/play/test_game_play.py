"""Playing on in a record: each order legal, or refused with its rule and nothing recorded, or forced with its foul."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from referee.record.reading import read
from tests.cli.conftest import Ran, Run

Holds = Callable[[Any], None]

GAME = Path("g.jsonl")
SHIPS = (
    *("--ship", "Constellation=cadet/federation-ca:fed@1607E/16"),
    *("--ship", "Destruction=cadet/klingon-d6:kli@1609B/16"),
)
SPEEDS = ("Constellation: speed 12", "Destruction: speed 14")
MOVES = ("impulse 2", "Constellation: ahead", "Destruction: ahead")
FED = {"Movement": 12, "Photon A": 2, "Photon B": 2, "Phasrecharge": 3}
KLI = {"Movement": 14, "Disr A": 2, "Phasrecharge": 4}


def begin(referee: Run, *more: str) -> None:
    """Two ships two hexes apart, each a hex row off the other's bow."""
    dice = () if "--dice" in more else ("--alone",)
    ran = referee("game", "new", GAME, "--players", "fed,kli", *SHIPS, *dice, *more)
    assert ran.code == 0, ran.err


def say(referee: Run, *orders: str) -> Ran:
    ran = referee("game", "say", GAME, *orders)
    assert ran.code == 0, ran.err
    return ran


def form(ship: str, turn: int, spent: dict[str, int], *, power: int = 20) -> Path:
    """An energy form as a sheet."""
    warp = power - 4
    rows: dict[str, object] = {"Ship": ship, "Turn": turn, "Warp Power": warp, "Impulse Power": 2}
    rows |= {"Atomic Power": 2, "Total Power": power, **spent}
    used = sum(spent.values())
    rows |= {"Total Used": used, "Batteries Discharged": max(0, used - power)}
    path = Path(f"{ship}-{turn}.csv")
    path.write_text("".join(f"{name},{said}\n" for name, said in rows.items()))
    return path


def filed(referee: Run, fed: dict[str, int] = FED, kli: dict[str, int] = KLI, turn: int = 1) -> None:
    """Both forms of a turn, filed openly; the speeds are said with them."""
    for ship, spent in (("Constellation", fed), ("Destruction", kli)):
        ran = referee("game", "apply", GAME, form(ship, turn, spent))
        assert ran.code == 0, ran.out + ran.err


def refused(referee: Run, rule: str, *orders: str) -> None:
    """By its rule, with nothing recorded; forced it stands with its foul, and the record can be checked."""
    before = GAME.read_bytes()
    ran = referee("game", "say", GAME, *orders)
    assert ran.code == 1 and f"[{rule}]" in ran.err and "nothing was recorded" in ran.err, ran
    assert GAME.read_bytes() == before
    ran = referee("game", "say", GAME, *orders, "--force")
    assert ran.code == 0 and "foul:" in ran.out, ran
    number = rule.partition("/")[0]
    assert number in [entry.data["rule"] for entry in read(GAME) if entry.type == "foul"]
    checked = referee("check", GAME, "--json")
    assert checked.code == 1 and number in {found["rule"] for found in checked.findings("error")}


# -- one order at a time -----------------------------------------------------------------


def test_orders_in_their_steps(referee: Run) -> None:
    begin(referee)
    ran = say(
        referee,
        *SPEEDS,
        *MOVES,
        "Destruction: launch DRN/1 at Constellation",
        "Constellation: fire PH-1A at Destruction",
    )
    steps = [entry.data for entry in read(GAME) if entry.type == "step"][1:]
    assert [(step["impulse"], step["step"]) for step in steps] == [
        *((2, "move ships"), (2, "launch"), (2, "fire"))
    ]
    assert "order: Constellation: fire PH-1/A at Destruction" in ran.out
    played = [
        kind
        for entry in read(GAME)
        if entry.type == "order"
        for kind in ("speed", "move", "launch", "fire")
        if kind in entry.data
    ]
    assert played == ["speed", "speed", "move", "move", "launch", "fire"]
    assert [ship["at"] for ship in referee("game", "status", GAME, "--json").json["ships"]] == [
        "1508E",
        "1709B",
    ]


@pytest.mark.parametrize(
    ("rule", "orders"),
    [
        ("B3.0-14/track", ("Constellation: speed 25",)),
        ("B2.0", ("impulse 1", "Constellation: speed 12")),
        ("C1.4", (*SPEEDS, "impulse 1", "Constellation: ahead")),
        ("C1.4/missed", (*SPEEDS, "impulse 2", "Constellation: ahead", "impulse 3")),
        ("C1.1", (*SPEEDS, *MOVES, "Constellation: ahead")),
        ("C1.3", (*SPEEDS, "impulse 2", "Destruction: ahead", "Constellation: ahead", "impulse 3")),
        ("C3.2", (*SPEEDS, *MOVES, "impulse 3", "Constellation: left", "Destruction: left", "impulse 4", "Constellation: left", "Destruction: ahead")),
        ("D2.2", ("impulse 1", "Constellation: fire PH-1/B at Destruction")),
        ("E1.5/once", ("impulse 1", "Constellation: fire PHOT/A at Destruction", "Constellation: fire PHOT/A at Destruction")),
        ("D1.3", ("impulse 1", "Destruction: fire PH-2A, DRN/1 at Constellation")),
        ("E1.4", ("impulse 1", "Constellation: fire PH-1A at Destruction on 2")),
        ("D1.3/launch", ("impulse 1", "Destruction: launch PH-2A at Constellation")),
        ("FD4.21", ("impulse 1", "Destruction: launch DRN/1 at Constellation", "Destruction: launch DRN/1 at Constellation")),
    ],
)  # fmt: skip
def test_what_breaks_a_rule(referee: Run, rule: str, orders: tuple[str, ...]) -> None:
    begin(referee)
    refused(referee, rule, *orders)


@pytest.mark.parametrize(
    ("order", "told"),
    [
        ("Destruction: fire PH-2A, DRN/1 at Constellation", "Destruction DRN/1 at Constellation: range"),
        ("Constellation: fire PH-1A at Destruction on 2", "on #6"),
    ],
)
def test_fire_against_a_rule_is_resolved_once_it_is_forced(referee: Run, order: str, told: str) -> None:
    """A drone fired like a gun does nothing; fire strikes the shield that faces the firer, whatever was said."""
    begin(referee)
    assert referee("game", "say", GAME, "impulse 1", order, "--force").code == 0
    ran = referee("game", "resolve", GAME)
    assert ran.code == 0 and told in ran.out, ran
    assert referee("game", "next", GAME).code == 0
    assert referee("record", "verify", GAME).code == 0


@pytest.mark.parametrize(
    ("orders", "reason"),
    [
        (("Constellation: ahead",), "moves outside the impulses"),
        (("Dakota: ahead",), "no ship Dakota; there are Constellation"),
        (("impulse 1", "Constellation: fire PH-9 at Destruction"), "no weapon PH-9; did you mean"),
        (("impulse 1", "Constellation: fire PH-1A at Dakota"), "no ship Dakota"),
        (("impulse 17",), "no impulse 17"),
        (("Constellation: hit 3 on 9",), "no shield 9"),
        (("Constellation: spin",), "no order 'spin'"),
        (("what now",), "is no order"),
    ],
)
def test_what_is_no_order_of_this_game(referee: Run, orders: tuple[str, ...], reason: str) -> None:
    """Not even a foul: refused in one line, and what came before it is not recorded either."""
    begin(referee)
    before = GAME.read_bytes()
    for force in ((), ("--force",)):
        ran = referee("game", "say", GAME, *orders, *force)
        assert (ran.code, ran.out) == (2, "") and ran.err.count("\n") == 1, ran
        assert reason in ran.err and GAME.read_bytes() == before


def test_only_the_owner_gives_orders_or_the_umpire(referee: Run) -> None:
    begin(referee, "--umpire", "carol")
    for stranger in ("kli", "eve"):
        ran = referee("game", "say", GAME, "impulse 1", "Constellation: ahead", "--as", stranger)
        assert ran.code == 2 and ran.err.count("\n") == 1
        assert f"{stranger} does not play" in ran.err or f"{stranger} is no player" in ran.err
    for player, ship in (("fed", "Constellation"), ("kli", "Destruction"), ("carol", "Constellation")):
        impulse = "impulse 2" if player == "carol" else "impulse 1"
        assert referee("game", "say", GAME, impulse, f"{ship}: ahead", "--as", player).code == 0
    said = [entry.data["player"] for entry in read(GAME) if "move" in entry.data]
    assert said == ["fed", "kli", "carol"]


def test_of_a_file_that_breaks_a_rule_nothing_is_recorded_and_its_line_is_named(referee: Run) -> None:
    begin(referee)
    before = GAME.read_bytes()
    Path("turn.txt").write_text("\n".join([*SPEEDS, *MOVES, "Constellation: fire PH-1/B at Destruction"]))
    ran = referee("game", "apply", GAME, "turn.txt")
    assert ran.code == 1 and "turn.txt › line 6" in ran.err and GAME.read_bytes() == before
    Path("turn.txt").write_text(
        "\n".join([*SPEEDS, "impulse 1", "Constellation: ahead", "impulse 2", "impulse 3"])
    )
    ran = referee("game", "apply", GAME, "turn.txt")
    assert ran.err.count("error [") == 1, "what follows from a foul needs no telling"


# -- energy ------------------------------------------------------------------------------


def test_the_speed_is_that_of_the_form(referee: Run) -> None:
    begin(referee)
    filed(referee)
    assert [entry.data["speed"] for entry in read(GAME) if entry.type == "form"] == [12, 14]
    refused(referee, "B3.0-14/said", "Constellation: speed 11")


@pytest.mark.parametrize("weapon", ["PHOT/A", "PH-1/C"])
def test_fire_is_paid_for_by_the_form(referee: Run, weapon: str) -> None:
    """A phaser may be fed by a battery in the turn, so the form spends both; a photon may not."""
    begin(referee, "--option", "reinforcement=true")
    filed(referee, fed={"Movement": 12, "Phasrecharge": 1, "Shield Reinforcement 1": 9})
    say(referee, *MOVES[:1], *MOVES[1:])
    assert referee("game", "say", GAME, "Constellation: fire PH-1/A at Destruction").code == 0
    ran = referee("game", "say", GAME, f"Constellation: fire {weapon} at Destruction")
    assert ran.code == 1 and ("[E2.21]" in ran.err or "[E1.2/energy]" in ran.err), ran.err


def sealed(referee: Run, fed: dict[str, int]) -> None:
    for ship, spent in (("Constellation", fed), ("Destruction", KLI)):
        assert referee("seal", form(ship, 1, spent), "--game", GAME).code == 0


def test_a_foul_says_which_weapon_or_ship_broke_the_rule_and_when(referee: Run, holds: Holds) -> None:
    begin(referee)
    filed(referee, FED | {"Photon A": 0, "Photon B": 0})
    fire = "Constellation: fire PHOT/A, PHOT/B at Destruction"
    assert referee("game", "say", GAME, *MOVES, fire, "--force").code == 0
    status = referee("game", "status", GAME, "--json").json
    holds(status)
    told = [
        (foul["subject"], foul["rule"], foul["player"], foul["turn"], foul["impulse"])
        for foul in status["fouls"]
        if foul["rule"] == "E1.2"
    ]
    assert told == [(f"Constellation PHOT/{mark}", "E1.2", "fed", 1, 2) for mark in "AB"]
    told_of = "Constellation PHOT/A: its energy was not paid (turn 1, impulse 2)"
    assert told_of in referee("game", "status", GAME).out
    unpaid = [f for f in referee("check", GAME, "--json").findings("error") if f["rule"] == "E1.2"]
    subjects = [(f["subject"], f["turn"], f["impulse"]) for f in unpaid]
    assert subjects == [(f"Constellation PHOT/{mark}", 1, 2) for mark in "AB"]
    assert "fed [E1.2]: Constellation PHOT/B: its energy" in referee("game", "replay", GAME).out


def test_a_sealed_form_is_held_against_what_was_done_in_its_turn(referee: Run) -> None:
    """A ship that did what its form does not pay for is found out when the form is shown, and not before."""
    begin(referee)
    sealed(referee, {"Movement": 11, "Phasrecharge": 1})
    say(referee, *SPEEDS, *MOVES, "Constellation: fire PH-1A at Destruction")
    assert referee("game", "resolve", GAME).code == 0
    assert referee("check", GAME).code == 0
    ran = referee("reveal", "--game", GAME, "--ship", "Constellation")
    assert ran.code == 1 and "[B3.0-14/said]" in ran.out and "the foul is recorded" in ran.err
    assert [entry.data["rule"] for entry in read(GAME) if entry.type == "foul"] == ["B3.0-14"]
    assert referee("reveal", "--game", GAME, "--ship", "Destruction").code == 0
    checked = referee("check", GAME)
    assert checked.code == 1 and "foul" in checked.out, "whole, with its foul: not refused"


def test_fire_that_a_shown_form_does_not_pay_for(referee: Run) -> None:
    begin(referee)
    sealed(referee, {"Movement": 12})
    say(referee, *SPEEDS, "impulse 1", "Constellation: fire PH-1A, PHOT-A at Destruction")
    assert referee("game", "resolve", GAME).code == 0
    ran = referee("reveal", "--game", GAME, "--ship", "Constellation")
    assert ran.code == 1 and "[E2.21]" in ran.out and "[E1.2/energy]" in ran.out
    assert referee("check", GAME).code == 1


def test_a_ship_that_says_no_speed_moves_at_the_last_one_and_pays_for_it(referee: Run) -> None:
    begin(referee)
    sealed(referee, FED)
    say(referee, "impulse 1", "Constellation: ahead", "Destruction: ahead")
    ran = referee("reveal", "--game", GAME, "--ship", "Constellation")
    assert ran.code == 1 and "line 14 Movement pays for 12" in ran.out


def test_what_was_fired_is_not_there_next_turn(referee: Run) -> None:
    """The capacitor holds what was not fired; a tube that fired is armed from the beginning."""
    begin(referee)
    filed(referee)
    say(referee, "impulse 1", "Constellation: fire PH-1A, PH-1C at Destruction")
    assert referee("game", "resolve", GAME).code == 0
    for to in ("1.end-of-turn", "2"):
        assert referee("game", "next", GAME, "--to", to, "--force", "--as", "fed").code == 0
    for phasers, legal in ((3, False), (2, True)):
        spent = {"Movement": 8, "Photon A": 2, "Photon B": 2, "Phasrecharge": phasers}
        ran = referee("game", "apply", GAME, form("Constellation", 2, spent))
        assert (ran.code == 0) == legal, ran.err


# -- undo --------------------------------------------------------------------------------


def number_of(kind: str) -> int:
    return next(entry.seq for entry in reversed(read(GAME)) if kind in entry.data)


def undo(referee: Run, number: int) -> Ran:
    return referee("game", "undo", GAME, str(number), "--reason", "a slip", "--agreed", "fed,kli")


def test_a_move_and_fire_are_taken_back_before_the_dice_and_not_after(referee: Run) -> None:
    begin(referee)
    say(referee, *SPEEDS, "impulse 2", "Constellation: left")
    assert undo(referee, number_of("move")).code == 0
    say(referee, "Constellation: ahead", "Destruction: ahead")
    moved = number_of("move")
    say(referee, "Constellation: fire PH-1A at Destruction")
    ran = undo(referee, moved)
    assert ran.code == 2 and "rests on it" in ran.err
    assert undo(referee, number_of("fire")).code == 0
    ran = referee("game", "resolve", GAME)
    assert ran.code == 0 and "nothing is due" in ran.out
    say(referee, "Constellation: fire PH-1A at Destruction")
    fired = number_of("fire")
    assert referee("game", "resolve", GAME).code == 0
    ran = undo(referee, fired)
    assert ran.code == 2 and "rests on it" in ran.err
    assert referee("check", GAME).code == 0


# -- seekers -----------------------------------------------------------------------------


def test_a_drone_is_named_once_it_is_launched_and_gone_when_it_struck(referee: Run) -> None:
    begin(referee)
    slow = ("Constellation: speed 8", "Destruction: speed 10")
    orders = [*slow, "impulse 1", "Destruction: launch DRN/1 at Constellation"]
    orders += ["Constellation: fire PH-1A at Destruction DRN/1 t1"]
    ran = say(referee, *orders)
    assert "fire PH-1/A at Destruction DRN/1 t1" in ran.out
    assert undo(referee, number_of("fire")).code == 0
    # It strikes in impulse 3: orders do not pass over that, and `next` stops there.
    before = GAME.read_bytes()
    ran = referee("game", "say", GAME, *MOVES, "impulse 4", "Constellation: ahead", "Destruction: ahead")
    assert ran.code == 2 and "that comes first" in ran.err and GAME.read_bytes() == before
    say(referee, *MOVES)
    ran = referee("game", "next", GAME, "--to", "1.3.end-of-impulse")
    assert ran.code == 0 and "is struck for 6" in ran.out and "turn 1, impulse 3, resolve seekers" in ran.out
    ran = referee("game", "resolve", GAME)
    assert ran.code == 0 and "6 points on #" in ran.out
    ran = referee("game", "say", GAME, "Constellation: fire PH-1A at Destruction DRN/1 t1")
    assert ran.code == 2 and "not on the map any more" in ran.err
    assert referee("check", GAME).code == 0


def test_a_strike_to_come_is_told_before_its_step(referee: Run) -> None:
    begin(referee)
    say(referee, "Constellation: speed 8", "Destruction: speed 10")
    say(referee, "impulse 1", "Destruction: launch DRN/1 at Constellation", *MOVES)
    assert referee("game", "next", GAME, "--to", "1.3.move-seekers").code == 0
    ran = referee("game", "resolve", GAME)
    told = "nothing is due yet: Destruction DRN/1 t1 in the step resolve seekers"
    assert ran.code == 0 and f"{told} (game next --to 1.3.resolve-seekers)" in ran.out, ran
    ran = referee("game", "next", GAME, "--to", "1.3.resolve-seekers")
    assert ran.code == 0 and "is struck for 6" in ran.out


def test_a_seeker_steers_for_its_target(referee: Run) -> None:
    begin(referee)
    say(referee, *SPEEDS, "impulse 1", "Destruction: launch DRN/1 at Constellation", *MOVES)
    ran = referee("game", "next", GAME, "--to", "1.2.move-seekers")
    assert ran.code == 0 and "order: Destruction DRN/1 t1:" in ran.out
    for way in ("ahead", "left", "right"):
        ran = referee("game", "say", GAME, f"Destruction DRN/1 t1: {way}")
        assert ran.code == 1 and "[F2.0]" in ran.err, "once an impulse"


def test_with_a_ship_that_is_destroyed_go_its_drones_and_its_orders(referee: Run) -> None:
    begin(referee)
    say(referee, *SPEEDS, "impulse 1", "Destruction: launch DRN/1 at Constellation")
    assert referee("game", "next", GAME, "--to", "1.1.resolve-fire").code == 0
    ran = referee("volley", "Destruction", "--game", GAME, "--as", "kli", "--internals", "99")
    assert ran.code == 0 and "Destruction DRN/1 t1 gone with their ship (D4.41)" in ran.out, "at the instant"
    status = referee("game", "status", GAME)
    assert "DESTROYED" in status.out
    for order in ("impulse 2", "Destruction: ahead"), ("Constellation: fire PH-1A at Destruction",):
        ran = referee("game", "say", GAME, *order)
        assert ran.code == 2 and "destroyed already" in ran.err and ran.err.count("\n") == 1
    say(referee, "impulse 2", "Constellation: ahead", "impulse 3", "Constellation: ahead")
    assert referee("game", "next", GAME, "--to", "1.3.end-of-impulse").code == 0
    assert referee("check", GAME).code == 0


# -- dice --------------------------------------------------------------------------------


def test_fire_between_two_who_roll_together(referee: Run) -> None:
    """Every roll waits for both keys, whoever asked for it the last; nobody goes on before it is marked."""
    begin(referee, "--dice", "peer")
    for player in ("fed", "kli"):
        assert referee("game", "join", GAME, "--as", player).code == 0
    assert referee("game", "say", GAME, *SPEEDS[:1], "--as", "fed").code == 0
    assert referee("game", "say", GAME, *SPEEDS[1:], "--as", "kli").code == 0
    shots = ("Constellation: fire PH-1A, PH-1C, PHOT-A, PHOT-B at Destruction", "fed"), ("Destruction: fire PH-2A, PH-2B at Constellation", "kli")  # fmt: skip
    for order, player in shots:
        assert referee("game", "say", GAME, "impulse 1", order, "--as", player).code == 0
    while True:
        ran = referee("game", "resolve", GAME, "--as", "fed")
        assert ran.code == 0
        if "nothing is due" in ran.out:
            break
        if "no dice needed" in ran.out and "key for roll" not in ran.out:
            continue
        assert "key for roll" in ran.out and "key for roll" in referee("game", "status", GAME).out
        again = referee("game", "resolve", GAME, "--as", "kli")
        assert again.code == 0 and "nothing is due" not in again.out and "key for roll" in again.out
        assert referee("game", "next", GAME, "--as", "kli").code in (1, 2), "not past dice that are due"
        assert referee("dice", "key", GAME, "--as", "fed").code == 2, "who declares gives his key last"
        assert referee("dice", "key", GAME, "--as", "kli").code == 0
        assert referee("dice", "key", GAME, "--as", "fed").code == 0
        assert read(GAME)[-1].type == "events"
    rolls = sum(entry.type == "result" for entry in read(GAME))
    assert rolls >= 2
    ran = referee("dice", "verify", GAME)
    assert ran.code == 0 and f"{rolls} rolls, {rolls} recomputed, 0 wrong (peer dice)" in ran.out
    assert referee("game", "next", GAME, "--to", "1.1.end-of-impulse").code == 0
    assert referee("check", GAME).code == 0


def test_on_a_corner_the_shield_is_said_before_the_dice(referee: Run) -> None:
    corner = ("--ship", "A=cadet/federation-ca:fed@1506C/16", "--ship", "B=cadet/klingon-d6:kli@1607A/16")
    ran = referee("game", "new", GAME, "--players", "fed,kli", *corner, "--alone")
    assert ran.code == 0
    ran = referee("game", "say", GAME, "impulse 1", "A: fire PH-1B at B")
    assert ran.code == 2 and "corner of shields 1 or 6; say which" in ran.err
    say(referee, "impulse 1", "A: fire PH-1B at B on 6")
    assert referee("game", "resolve", GAME).code == 0
    shields = referee("game", "status", GAME, "--json").json["ships"][1]["state"]["shields"]
    assert shields["6"] < 12 and shields["1"] == 16


def test_a_third_shield_said_on_a_corner_is_a_foul_and_no_dead_end(referee: Run) -> None:
    """By force it is recorded as any fire against E1.4 is, and strikes the lower numbered of the two."""
    corner = ("--ship", "A=cadet/federation-ca:fed@1506C/16", "--ship", "B=cadet/klingon-d6:kli@1607A/16")
    assert referee("game", "new", GAME, "--players", "fed,kli", *corner, "--alone").code == 0
    say(referee, "impulse 1")
    fire = "A: fire PH-1B at B on 3"
    refused(referee, "E1.4", fire)
    ran = referee("game", "say", GAME, fire, "--force")
    assert ran.code == 0 and "foul" in ran.out, ran
    assert referee("game", "resolve", GAME).code == 0
    shields = referee("game", "status", GAME, "--json").json["ships"][1]["state"]["shields"]
    assert shields["1"] < 16 and (shields["3"], shields["6"]) == (8, 12)
    assert referee("dice", "verify", GAME).code == 0


def test_a_corner_with_no_shield_said_is_listed_by_fire(referee: Run) -> None:
    shot = (
        "fire",
        "cadet/federation-ca",
        "--at",
        "1506C",
        "--target",
        "cadet/klingon-d6",
        "--target-at",
        "1607A",
    )
    ran = referee(*shot, "--weapons", "PH-1B", "--paid", "--seed", "x", "--json")
    (listed,) = [item for item in ran.json["not_checked"] if item["rule"] == "E1.4"]
    assert ran.code == 0 and "corner of shields 1 or 6, and which is not given" in listed["reason"]
    ran = referee(*shot, "--weapons", "PH-1B", "--paid", "--seed", "x", "--json", "--shield", "6")
    assert [item for item in ran.json["not_checked"] if item["rule"] == "E1.4"] == []


@pytest.mark.parametrize(
    ("bought", "line", "left"),
    [
        ({"General Reinforcement": 2, "Shield Reinforcement 6": 2, "Shield Reinforcement 1": 1}, ("line_12", "line_13_6"), 3),
        ({"Shield Reinforcement 6": 3}, ("line_13_6",), 3),
        ({}, ("line_4",), 0),
    ],
)  # fmt: skip
def test_of_a_sealed_form_only_the_reinforcement_is_shown(
    referee: Run, bought: dict[str, int], line: tuple[str, ...], left: int
) -> None:
    """A volley waits for lines 12 and 13 of a sealed form, or for what proves that it has none."""
    begin(referee, "--option", "reinforcement=true")
    for ship, spent in (("Constellation", FED), ("Destruction", {"Movement": 8, "Phasrecharge": 4} | bought)):
        assert referee("seal", form(ship, 1, spent), "--game", GAME, "--per-field").code == 0
    say(referee, "Constellation: speed 12", "Destruction: speed 8")
    say(referee, "impulse 1", "Constellation: fire PH-1A, PH-1C at Destruction")
    ran = referee("game", "resolve", GAME)
    assert ran.code == 0 and "lines 12 and 13" in ran.out
    points = next(entry.data["volleys"][0]["points"] for entry in read(GAME) if entry.data.get("volleys"))
    lines = [part for name in line for part in ("--line", name)]
    assert referee("reveal", "--game", GAME, "--ship", "Destruction", *lines).code == 0
    assert referee("game", "resolve", GAME).code == 0
    shields = referee("game", "status", GAME, "--json").json["ships"][1]["state"]["shields"]
    assert shields["6"] == max(0, 12 - max(0, points - left))
    assert referee("check", GAME).code == 0


@pytest.mark.parametrize("target", ["Excalibur", "Constellation"])
def test_no_ship_fires_at_itself_or_at_its_own_side(referee: Run, target: str) -> None:
    begin(referee, "--ship", "Excalibur=cadet/federation-ca:fed@1605D/16")
    say(referee, *SPEEDS, "Excalibur: speed 12", "impulse 1")
    before = GAME.read_bytes()
    ran = referee("game", "say", GAME, f"Constellation: fire PH-1/C at {target}")
    assert ran.code == 1 and "[D1.0]" in ran.err and GAME.read_bytes() == before


def test_no_drone_goes_after_its_own_ship_or_is_shot_at_by_it(referee: Run) -> None:
    begin(referee)
    say(referee, *SPEEDS, "impulse 1")
    refused(referee, "D1.0/launch", "Destruction: launch DRN/1 at Destruction")


@pytest.mark.parametrize(
    ("at", "says"),
    [
        ("9999C", "A is placed in 9999, which is not on the map (MAP); name a hex of the map"),
        ("2871C", "did you mean 2817?"),
        ("0000C", "columns and rows begin with 01"),
        ("281C", "did you mean 0281C or 2801C?"),
        ("2810", "2810 has no facing; write @2810A"),
    ],
)
def test_a_game_is_not_begun_with_a_ship_beside_the_map(referee: Run, at: str, says: str) -> None:
    ship = ("--ship", f"A=cadet/federation-ca:fed@{at}/8", "--option", "map=0101-2817")
    ran = referee("game", "new", GAME, "--players", "fed", "--alone", *ship)
    assert ran.code == 2 and says in ran.err and not GAME.exists(), ran.err


def test_a_ship_that_leaves_the_map_is_out_of_the_game(referee: Run) -> None:
    edge = ("--ship", "Constellation=cadet/federation-ca:fed@2810B/8")
    other = ("--ship", "Destruction=cadet/klingon-d6:kli@2410C/8", "--option", "map=0101-2817")
    assert referee("game", "new", GAME, "--players", "fed,kli", "--alone", *edge, *other).code == 0
    say(referee, "Constellation: speed 8", "Destruction: speed 0")
    say(referee, "impulse 1", "Destruction: launch DRN/1 at Constellation")
    before = GAME.read_bytes()
    ran = referee("game", "say", GAME, "impulse 2", "Constellation: ahead")
    assert ran.code == 1 and "[MAP]" in ran.err and "say `Constellation: leave the map`" in ran.err, ran
    assert GAME.read_bytes() == before, "what ends the game for a ship is not done by a slip"
    ran = say(referee, "impulse 2", "Constellation: leave the map")
    status = referee("game", "status", GAME, "--json")
    assert [ship.get("left_map", False) for ship in status.json["ships"]] == [True, False], ran
    assert "has left the map" in referee("game", "status", GAME).out
    ran = referee("game", "say", GAME, "Destruction: fire PH-2/A at Constellation")
    assert ran.code == 1 and "[MAP/fire]" in ran.err
    assert referee("game", "next", GAME, "--to", "1.4.end-of-impulse").code == 0, "no move is asked of it"
    assert referee("game", "status", GAME, "--json").json["seekers"] == [], (
        "its drones have nothing to strike"
    )
    refused(referee, "MAP", "Constellation: right")
    late = ("--as", "fed", "--damage", "3", "--shield", "1", "--force")
    assert referee("volley", "Constellation", "--game", GAME, *late).code == 0
    undecided = referee("check", GAME, "--json").findings("undecided")
    assert "MAP" in [finding["rule"] for finding in undecided], "it takes no more damage"


def test_a_ship_leaves_the_map_only_where_its_edge_is(referee: Run) -> None:
    begin(referee)
    say(referee, *SPEEDS)
    ran = referee("game", "say", GAME, "impulse 2", "Constellation: leave the map")
    assert ran.code == 2 and "does not leave the map ahead" in ran.err and "map has no edge" in ran.err, ran
    Path("game.txt").write_text(
        "rulebook sfb-cadet\noption map=0101-2817\nship A = cadet/federation-ca at 1001A speed 8\n"
        "turn 1\nA: speed 8\nimpulse 2\nA: leave the map right\nimpulse 4\nA: leave the map left\n"
    )
    found = referee("check", "game.txt", "--json").findings("undecided", "error")
    assert [(one["key"], one["location"]["line"]) for one in found] == [("NOTE/order", 7), ("C3.2", 9)], found


def test_no_form_is_awaited_of_a_ship_that_has_left_the_map(referee: Run) -> None:
    edge = ("--ship", "Constellation=cadet/federation-ca:fed@2810B/8")
    other = ("--ship", "Destruction=cadet/klingon-d6:kli@2410C/8", "--option", "map=0101-2817")
    assert referee("game", "new", GAME, "--players", "fed,kli", "--alone", *edge, *other).code == 0
    say(referee, "Constellation: speed 1", "Destruction: speed 0")
    assert referee("game", "say", GAME, "impulse 16", "Constellation: ahead", "--force").code == 0
    assert not referee("game", "status", GAME, "--json").json["fouls"], "forced it stands, and breaks no rule"
    ran = referee("game", "next", GAME, "--to", "2")
    assert ran.code == 0 and "form of Destruction" in ran.out and "form of Constellation" not in ran.out


def test_who_has_not_filed_when_a_turn_is_begun_without_forms_is_said(referee: Run) -> None:
    """Among opponents a turn may be played without forms; it is a warning, which names ships and players."""
    begin(referee, "--dice", "peer")
    for name in ("fed", "kli"):
        assert referee("game", "join", GAME, "--as", name, "--text", name).code == 0
    ran = referee("game", "next", GAME, "--to", "1.1.move-ships", "--as", "fed")
    assert ran.code == 0, ran.err
    (found,) = referee("check", GAME, "--json").findings("warning")
    assert found["key"] == "B2.0/forms"
    assert found["message"].endswith("none of Constellation (fed), Destruction (kli)")
    assert found["message"] in ran.err + ran.out


@pytest.mark.parametrize("groups", ["step", "impulse"])
def test_what_seekers_and_fire_do_is_one_volley_by_option(referee: Run, groups: str) -> None:
    """A drone and a phaser on one shield in one impulse: apart, as they fall in different steps, or by option
    joined, and then what the drone does waits for the fire."""
    ships = ("--ship", "Fed=cadet/federation-ca:fed@1510D/0", "--ship", "Kli=cadet/klingon-d6:kli@1514A/0")
    option = ("--option", f"volley_groups={groups}", "--dice", "seed", "--seed", "abc")
    assert referee("game", "new", GAME, "--players", "fed,kli", *ships, *option).code == 0
    say(referee, "Fed: speed 0", "Kli: speed 0", "impulse 1", "Kli: launch DRN/1 at Fed")
    if groups == "step":
        assert "Fed is struck for 6" in referee("game", "next", GAME, "--to", "1.6.fire", "--as", "kli").out
        assert referee("game", "resolve", GAME).code == 0
    ran = say(referee, "impulse 5", "Kli: fire PH-2A, PH-2B at Fed")
    assert ("to be rolled with the fire of the impulse" in ran.out) == (groups == "impulse")
    assert referee("game", "resolve", GAME).code == 0
    fired = next(entry.data["volleys"][0]["points"] for entry in read(GAME) if entry.data.get("volleys"))
    rolled = [entry.data["volley"] for entry in read(GAME) if "volley" in entry.data]
    points = [6, fired] if groups == "step" else [6 + fired]
    assert [volley["points"] for volley in rolled] == points
    assert [part[0] for part in rolled[-1]["origins"]] == sorted(
        [6, fired] if groups == "impulse" else [fired], reverse=True
    )
    shields = referee("game", "status", GAME, "--json").json["ships"][0]["state"]["shields"]
    assert shields["1"] == 15 - 6 - fired
    assert referee("check", GAME).code == 0 and referee("dice", "verify", GAME).code == 0


def test_a_game_forced_on_without_the_dice_of_a_turn_is_played_on(referee: Run) -> None:
    begin(referee)
    say(referee, *SPEEDS, "impulse 1", "Constellation: fire PH-1A at Destruction")
    on = ("--as", "fed", "--agreed", "fed,kli", "--force")
    ran = referee("game", "next", GAME, "--to", "2.1.fire", *on)
    assert ran.code == 0 and "[B2.0/resolved]" in ran.err, ran
    ran = referee("game", "say", GAME, "Constellation: fire PH-1B at Destruction", "--force")
    assert ran.code == 0, ran
    assert referee("game", "status", GAME).code == 0


def test_a_plasma_torpedo_fired_by_force_does_nothing(referee: Run) -> None:
    ships = (
        "--ship",
        "Eagle=standard/romulan-kr:a@1510D/0",
        "--ship",
        "Fed=standard/federation-ca:b@1514A/0",
    )
    assert referee("game", "new", GAME, "--players", "a,b", *ships, "--alone").code == 0
    say(referee, "Eagle: speed 0", "Fed: speed 0", "impulse 1")
    ran = referee("game", "say", GAME, "Eagle: fire PL-S/B at Fed", "--force")
    assert ran.code == 0 and "D1.3" in ran.out, ran
    ran = referee("game", "resolve", GAME)
    assert ran.code == 0 and "Eagle PL-S/B at Fed: range 4, die" in ran.out and "no damage" in ran.out, ran
    assert referee("dice", "verify", GAME).code == 0


def test_a_volley_that_waits_for_the_fire_is_not_left_behind(referee: Run) -> None:
    ships = ("--ship", "Fed=cadet/federation-ca:fed@1510D/0", "--ship", "Kli=cadet/klingon-d6:kli@1514A/0")
    option = ("--option", "volley_groups=impulse", "--alone")
    assert referee("game", "new", GAME, "--players", "fed,kli", *ships, *option).code == 0
    say(referee, "Fed: speed 0", "Kli: speed 0", "impulse 1", "Kli: launch DRN/1 at Fed")
    ran = referee("game", "next", GAME, "--to", "1.6.fire", "--as", "kli")
    assert ran.code == 0 and "turn 1, impulse 5, resolve fire" in ran.out, "it stops where all is rolled"
    ran = referee("game", "next", GAME, "--to", "1.6.fire", "--as", "kli")
    assert ran.code == 1 and "[B2.0/resolved]" in ran.err and "the volley of 6 on Fed" in ran.err
    assert referee("game", "resolve", GAME).code == 0
    assert referee("game", "next", GAME, "--to", "1.6.fire", "--as", "kli").code == 0


def test_fire_is_no_launch(referee: Run) -> None:
    """A ship of one drone a turn may launch it after it fired in the turn, and then no other (FD4.21)."""
    begin(referee, "--dice", "seed", "--seed", "x")
    say(referee, *SPEEDS, "impulse 1", "Destruction: fire PH-2/A at Constellation")
    assert referee("game", "resolve", GAME).code == 0
    say(referee, *MOVES, "Destruction: launch DRN/1 at Constellation")
    ran = referee("game", "say", GAME, "Destruction: launch DRN/1 at Constellation")
    assert ran.code == 1 and "FD4.21" in ran.err
