"""Forms of ships that are seen, on the one table, as they were played."""

from __future__ import annotations

from fractions import Fraction

from referee.adjudicator.forms_seen import PlayedForm
from referee.adjudicator.played_energy import energy_turns
from referee.adjudicator.table import GameTable
from referee.core.account import PLAYED, Event
from referee.core.play import When
from referee.rulebooks.registry import load_ship
from tests.casefile import form_from
from tests.unit.adjudicator.test_fire_seen import account
from tests.unit.adjudicator.test_played_energy import BOOK, FED, POWER, turns


def found(rows: str, fired: dict[int, int]) -> list[tuple[str, str, int | None]]:
    """What is against two turns' form of the Hood, whose phasers fired so many points, as turn 3 is come to."""
    points = {turn: Fraction(count) for turn, count in fired.items()}
    energy = tuple(energy_turns(BOOK, FED, turns(rows), "Hood", points))
    form = form_from(f"Turn,1,2\n{POWER}{rows}", BOOK)
    table = GameTable(BOOK, load_ship, account(until=When(3, 1)))
    wrong = table.take(Event(9, PLAYED, {"form": PlayedForm("Hood", FED, BOOK, form, energy, points)}))
    report = table.beside.energy.seen.reports["Hood"]
    assert list(report.findings) == wrong
    assert [ledger.turn for ledger in report.ledgers] == [1, 2]
    assert set(report.checked) <= set(table.report().checked)
    return [(one.key, one.severity.value, one.turn) for one in wrong]


def test_a_form_that_pays_for_what_was_fired() -> None:
    assert found("Phasrecharge,3,3\nPhasfired,3,0\n", {1: 3, 2: 0}) == []


def test_a_form_that_fills_what_nothing_was_fired_from() -> None:
    assert ("H6.2", "error", 2) in found("Phasrecharge,3,3\n", {})


def test_a_form_that_says_less_was_fired_than_was_seen() -> None:
    assert ("H6.1", "error", 1) in found("Phasrecharge,3,0\nPhasfired,1,0\n", {1: 3})
