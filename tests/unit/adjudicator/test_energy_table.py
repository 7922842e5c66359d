"""Forms on the table: as they are filed, as a ship holds them, by themselves and in a game."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.adjudicator.energy_table import Energy, EnergyTable
from referee.adjudicator.table import GameTable
from referee.core.account import FILED, HELD, Account
from referee.core.finding import Finding, Severity
from referee.core.forms import EnergyForm
from referee.rulebooks.registry import load_ship
from referee.sources.forms import account_of
from tests.casefile import form_from
from tests.unit.adjudicator.test_played_energy import BOOK, FED, POWER

BROKE = "Turn,1,2\n" + POWER + "Movement,30,\n"


def of(form: EnergyForm, **more: object) -> Account:
    return account_of(form, FED, BOOK, name="Hood", **more)


def keys(table: EnergyTable) -> list[tuple[str, int | None]]:
    return [(finding.key, finding.turn) for finding in table.report().findings]


def test_a_form_that_is_filed_is_judged_turn_by_turn() -> None:
    table = EnergyTable(BOOK, load_ship, of(form_from(BROKE, BOOK)))
    assert ("B3.0-20", 1) in keys(table) or ("B3.0-14", 1) in keys(table)
    assert [finding for _, finding in table.found] == list(table.report().findings)
    assert [ship["name"] for ship in table.report().ships] == ["Hood"]


def test_what_is_only_begun_is_said_of_a_form_that_is_filed_and_not_of_one_that_is_held() -> None:
    form = form_from(f"Turn,1,2\n{POWER}", BOOK)
    assert ("NOTE/begun", 1) in keys(EnergyTable(BOOK, load_ship, of(form)))
    held = of(form, kind=HELD, begun=form.allocations, to_come=())
    table = EnergyTable(BOOK, load_ship, held)
    assert keys(table) == [] and "only begun" in table.report().not_checked[-1].reason


def test_remarks_come_before_what_is_found() -> None:
    remark = Finding("NOTE/which-box", Severity.NOTE, "one of two")
    table = EnergyTable(BOOK, load_ship, of(form_from(BROKE, BOOK), remarks=(remark,)))
    assert table.report().findings[0] == remark and len(table.report().findings) > 1


@pytest.mark.parametrize("kept", [True, False])
def test_the_table_of_a_game_judges_a_form_as_the_table_of_forms_does(kept: bool) -> None:
    """And in a record too each finding stays in the cell it is about."""
    account = of(form_from(BROKE, BOOK))
    alone = EnergyTable(BOOK, load_ship, account).report()
    coverage = replace(account.coverage, ways="")
    game = GameTable(BOOK, load_ship, replace(account, kept=kept, coverage=coverage)).report()
    assert alone.findings == game.findings and any(finding.location.cell for finding in alone.findings)
    assert set(alone.checked) <= set(game.checked) and alone.ledgers == game.ledgers


def test_a_fork_keeps_its_own_forms() -> None:
    account = of(form_from(BROKE, BOOK))
    (filed,) = (event for event in account.events if event.type == FILED)
    energy = Energy(BOOK, load_ship, account)
    other = energy.fork()
    assert other.take(filed) == energy.take(filed) == list(energy.reports[0].findings)
    energy.take(filed)
    assert (len(energy.reports), len(other.reports)) == (2, 1)
