"""A ship's data sheet as text."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from referee.core.ship import ShipClass, Sourced, ship_from_json
from referee.core.state import ShipState, new_state
from referee.report.battletext import table_lines
from referee.report.blocks import TextTable
from referee.report.shiptext import ship_card, ship_row


def test_golden_whole(ship: ShipClass, golden: Callable[[str, str], None]) -> None:
    golden("ship.txt", ship_card(ship, new_state(ship)) + "\n")


def test_golden_damaged(ship: ShipClass, damaged: ShipState, golden: Callable[[str, str], None]) -> None:
    golden("ship-damaged.txt", ship_card(ship, damaged) + "\n")


def test_golden_almost_unknown(golden: Callable[[str, str], None]) -> None:
    parts = {"id": "cadet/ghost", "name": "Ghost", "rulebook": "sfb-cadet"}
    ghost = ship_from_json(parts | {"missing": ["figures/move_cost", "shields/1", "boxes", "mounts"]}, {})
    golden("ship-unknown.txt", ship_card(ghost, new_state(ghost)) + "\n")


def test_every_unsure_number_is_listed(ship: ShipClass) -> None:
    sure = ship_card(ship, new_state(ship)).partition("How sure")[2]
    for number in range(1, 7):
        assert f"shield {number} = {10 + number}" in sure
    assert "crew = 30: from list" in sure
    assert "DISR/A arc FA" in sure
    assert "impulse" not in sure


def test_all_verified(ship: ShipClass) -> None:
    sources = {
        path: Sourced(number.value, number.source, "verified") for path, number in ship.sources.items()
    }
    card = ship_card(replace(ship, sources=sources, missing=()), new_state(ship))
    assert "every number given is verified" in card


def test_destroyed(ship: ShipClass) -> None:
    assert "DESTROYED" in ship_card(ship, replace(new_state(ship), dead=True))


@pytest.mark.parametrize("value", ["5-6", "1/0", "1/", "/", "½"])
def test_a_figure_that_is_no_number_is_shown_as_it_is(ship: ShipClass, value: str) -> None:
    figures = {**ship.figures, "breakdown": value}
    assert f"breakdown {value}" in ship_card(replace(ship, figures=figures), new_state(ship))


def test_fits_eighty_columns(ship: ShipClass, damaged: ShipState) -> None:
    assert max(map(len, ship_card(ship, damaged).splitlines())) < 80


def test_line(ship: ShipClass) -> None:
    assert ship_row(ship) == ("cadet/test-ca", "Test cruiser", "1 missing, 6 provisional")


def test_hostile_text_is_spelt_out(ship: ShipClass, hostile: str) -> None:
    evil = replace(
        ship,
        name=hostile,
        race=hostile,
        note=hostile,
        aliases=(hostile,),
        missing=(hostile, "boxes/" + hostile, hostile + "/{0.__class__}"),
        sources={"figures/crew": Sourced(hostile, (hostile,), "provisional", hostile)},
        mounts=(replace(ship.mounts[0], id=hostile, arc=hostile),),
    )
    listed = TextTable(("Id", "Name", "Numbers"), (ship_row(evil),))
    for text in (ship_card(evil, new_state(evil)), *table_lines(listed)):
        assert not any(sign in text for sign in ("\x1b", "\u202e", "\x9b", "\x00"))
    assert "\n" not in "".join(table_lines(listed))
