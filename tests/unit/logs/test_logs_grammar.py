"""Everything chat can order is judged or named: shields said, speeds changed, shuttles, counters that are no ship."""

from __future__ import annotations

import pytest

from referee.core.hexgrid import Hex, relative_offset, struck_shields
from referee.formats.vassal import command_types as lv
from referee.formats.vassal.chain import join_chain
from tests.unit.formats.vassal.game_logs import Game, LogWriter, Placed, pixels
from tests.unit.logs.test_logs_chat import (
    CA,
    FED,
    KZINTI,
    ROMULAN,
    WE,
    Check,
    check,
    game,
    played,
    reasons,
    told,
)

__all__ = ["check"]
FORMS = {(CA, 1): {"Phasrecharge": "3", "Total Used": "3"}, (WE, 1): {}}


def fired(
    check: Check, text: str, *, apart: int = 4, row: int = 0
) -> tuple[list[tuple[str, str, object]], int]:
    """What is told of a line in which the cruiser fires at a ship that faces it; `row` hexes aside."""
    ships = {
        CA: Placed(FED, Hex(40, 42), "A", 4),
        WE: Placed(ROMULAN, Hex(40 + row, 42 - apart), "D", 4),
    }
    writer = LogWriter(Game(ships, 1, {(CA, 1): 0, (WE, 1): 0}, ()))
    (step,) = played(writer, (1, 5, "Ann", text), forms=FORMS)
    return told(check(writer)), step


@pytest.mark.parametrize(
    "text",
    [
        "!fire PH-1/A at WE Ship1 on 1",
        "!FIRE  ph1a  AT  we ship1  ON #1",
        "! fire PH-1A at ship1",
        "!CA Ship0 : Fire PH-1A,PH-1B at WE Ship1",
    ],
)
def test_fire_however_it_is_spelt(check: Check, text: str) -> None:
    assert fired(check, text)[0] == []


def test_a_shield_that_does_not_face_the_firer(check: Check) -> None:
    found, step = fired(check, "!fire PH-1/A, PH-1/B at WE Ship1 on 3")
    assert found == [("error", "E1.4", step)]


@pytest.mark.parametrize(("shield", "legal"), [(1, True), (6, True), (2, False), (3, False)])
def test_a_shield_said_on_a_corner(check: Check, shield: int, legal: bool) -> None:
    """The firer lies on the row between two shields of its target: either may be struck."""
    here, there = Hex(40, 42), Hex(38, 39)
    assert struck_shields(relative_offset(there, "D", here)) == (1, 6)
    ships = {CA: Placed(FED, here, "A", 4), WE: Placed(ROMULAN, there, "D", 4)}
    writer = LogWriter(Game(ships, 1, {(CA, 1): 0, (WE, 1): 0}, ()))
    (step,) = played(writer, (1, 5, "Ann", f"!fire PH-1/A at WE Ship1 on {shield}"), forms=FORMS)
    assert told(check(writer)) == ([] if legal else [("error", "E1.4", step)])


# -- speeds ------------------------------------------------------------------------------


def test_a_speed_corrected_before_anybody_moved_stands(check: Check) -> None:
    writer = LogWriter(game())
    played(
        writer,
        (1, 1, "Cy", "!WE Ship1: speed 8"),
        (1, 1, "Cy", "!WE Ship1: speed 4"),
        (1, 9, "Cy", "!WE Ship1: speed 4"),
        forms={(CA, 1): {}},
    )
    assert told(check(writer)) == []


def test_a_speed_changed_when_ships_had_moved(check: Check) -> None:
    writer = LogWriter(game())
    steps = played(
        writer,
        (1, 1, "Cy", "!WE Ship1: speed 4"),
        (1, 9, "Cy", "!WE Ship1: speed 8"),
        forms={(CA, 1): {}},
    )
    assert told(check(writer)) == [("error", "B2.0/orders", steps[1])]


# -- counters and shuttles ---------------------------------------------------------------


def with_drone(writer: LogWriter) -> None:
    types = join_chain(["rotate;6;;;R;L;;;Heading", "mark;Race,Type", "piece;;;d.png;Drone 1"])
    x, y = pixels(reversed=False)["4039"]
    writer.log(lv.AddPiece("555", types, join_chain(["3", "Kzinti,Drone", f"Space;{x};{y};1;0"])))


def test_orders_for_a_counter_that_is_no_ship_are_named(check: Check) -> None:
    writer = LogWriter(game())
    with_drone(writer)
    steps = played(
        writer,
        (1, 2, "Cy", "!Drone 1: cloak"),
        (1, 3, "Cy", "!Drone 1: hit 3 on 1"),
        (1, 4, "Cy", "!Drone 1: speed 8"),
    )
    ran = check(writer)
    assert told(ran) == [], ran.findings()
    named = f"the orders of step {steps[0]}, {steps[1]}, {steps[2]} are for no ship known here"
    assert reasons(ran, "B2.0")[0] == named


@pytest.mark.parametrize("said", ["suicide shuttle", "SS", "ss1", "Suicide Shuttle 2"])
def test_a_suicide_shuttle_is_launched_and_named(check: Check, said: str) -> None:
    writer = LogWriter(game(KZINTI, "CS Ship1"))
    (step,) = played(writer, (1, 5, "Ann", f"!launch {said} at CS Ship1"))
    ran = check(writer)
    assert told(ran) == []
    assert any(f"step {step} is not followed" in reason for reason in reasons(ran, "F2.0"))


def test_a_suicide_shuttle_is_not_fired(check: Check) -> None:
    writer = LogWriter(game(KZINTI, "CS Ship1"))
    (step,) = played(writer, (1, 5, "Ann", "!fire SS1 at CS Ship1"))
    assert told(check(writer)) == [("undecided", "NOTE/order", step)]


@pytest.mark.parametrize(("speed", "legal"), [(4, True), (8, False)])
def test_a_wild_weasel_of_a_slow_ship(check: Check, speed: int, legal: bool) -> None:
    writer = LogWriter(game(speed=speed))
    (step,) = played(writer, (1, 5, "Cy", "!WE Ship1: launch wild weasel at CA Ship0"))
    ran = check(writer)
    assert told(ran) == ([] if legal else [("error", "B3.0-19/weasel", step)])
