"""Forms of a ship in a game, as they are proposed, shown, standing and tried: each after the turns before it."""

from __future__ import annotations

from dataclasses import replace

from referee.adjudicator.forms_in_game import judged_in_game
from referee.adjudicator.record_forms import allocation_from
from referee.core.account import PROPOSED, SHOWN, STANDING, TRIED, Event
from referee.core.finding import Report, Severity
from referee.core.forms import EnergyForm
from referee.core.location import Location
from referee.rulebooks.registry import load_rulebook, load_ship
from tests.cli.test_form_next import _filed, in_game

ARMING = {"10:PHOT/A": 2, "10:PHOT/B": 2}
HELD = {"10:PHOT/A": 1, "10:PHOT/B": 1}
AFTER_TWO_TURNS = in_game({1: ARMING, 2: ARMING}, {1: (), 2: (), 3: ("PHOT/A",)})
"""A cruiser that has two torpedoes armed, and loses a tube before turn 3."""


def judged(kind: str, **known: object) -> Report:
    event = Event(0, kind, {"in_game": AFTER_TWO_TURNS, **known}, at=Location("game.jsonl"))
    return judged_in_game(load_rulebook("sfb-cadet"), load_ship("cadet/federation-ca"), event)


def errors(report: Report) -> list[tuple[str, int | None]]:
    return [(one.key, one.turn) for one in report.findings if one.severity is Severity.ERROR]


def test_a_form_is_judged_by_what_the_turns_before_left() -> None:
    one_held = allocation_from(_filed({"10:PHOT/B": 1}), 3, Location())
    both_held = allocation_from(_filed(HELD), 3, Location())
    assert errors(judged(PROPOSED, form=one_held)) == []
    assert errors(judged(PROPOSED, form=both_held)) == [("B3.0-10", 3)]
    assert errors(judged(TRIED, form=EnergyForm("CA", (one_held,), Location()), now=3)) == []
    assert errors(judged(TRIED, form=EnergyForm("CA", (both_held,), Location()), now=3)) == [("B3.0-10", 3)]


def test_a_form_that_is_shown_stands_in_the_file_of_the_record() -> None:
    report = judged(SHOWN, turn=3, form=_filed(HELD))
    assert errors(report) == [("B3.0-10", 3)]
    assert {one.location.file for one in report.findings} == {"game.jsonl"}


def test_what_is_new_against_a_later_form_is_found_as_an_earlier_one_is_shown() -> None:
    """Turn 2 shown anew arms nothing: nothing is held then, and there is nothing to hold in a later form."""
    later = {**AFTER_TWO_TURNS.forms, 3: _filed({"10:PHOT/B": 1})}
    ship = in_game({1: {}, 2: {}}, {1: (), 2: (), 3: ()})
    event = Event(0, SHOWN, {"in_game": replace(ship, forms=later), "turn": 2, "form": _filed({})})
    report = judged_in_game(load_rulebook("sfb-cadet"), load_ship("cadet/federation-ca"), event)
    assert ("E4.21", 3) in errors(report)


def test_the_forms_that_stand_are_judged_turn_by_turn_with_their_ledgers() -> None:
    report = judged(STANDING)
    assert errors(report) == [] and [ledger.turn for ledger in report.ledgers] == [1, 2]
