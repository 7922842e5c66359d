"""Which table an account is put on."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.adjudicator.energy_table import EnergyTable
from referee.adjudicator.table import GameTable
from referee.adjudicator.tables import table_of
from referee.rulebooks.registry import load_ship
from referee.sources.forms import TELLS, account_of
from tests.casefile import form_from
from tests.unit.adjudicator.test_played_energy import BOOK, FED, POWER

ALONE = account_of(form_from(f"Turn,1\n{POWER}Movement,8\n", BOOK), FED, BOOK)


def test_an_account_of_energy_alone_needs_no_game() -> None:
    assert isinstance(table_of(BOOK, load_ship, ALONE), EnergyTable)


@pytest.mark.parametrize(
    "coverage",
    [replace(TELLS, moves="", ways=""), replace(TELLS, ways=""), replace(TELLS, energy="no form", ways="")],
)
def test_one_that_tells_of_anything_else_does(coverage: object) -> None:
    assert isinstance(table_of(BOOK, load_ship, replace(ALONE, coverage=coverage)), GameTable)
