"""A logged game's turns of energy."""

from __future__ import annotations

from fractions import Fraction

from referee.adjudicator.played_energy import (
    PlayedTurn,
    energy_turns,
    form_remarks,
    judge_energy,
)
from referee.core.finding import Report
from referee.rulebooks.registry import load_rulebook, load_ship
from tests.casefile import form_from

BOOK = load_rulebook("sfb-cadet").with_options({"impulses": "16"})
FED = load_ship("cadet/federation-ca")
POWER = "Warp Power,16,16\nImpulse Power,2,2\nAtomic Power,2,2\nTotal Power,20,20\nBtty Avail,2,2\n"


def turns(rows: str) -> list[PlayedTurn]:
    form = form_from(f"Turn,1,2\n{POWER}{rows}", BOOK)
    return [PlayedTurn(allocation) for allocation in form.allocations]


def energy(rows: str, fired: dict[int, int] | None = None) -> Report:
    shots = {turn: Fraction(points) for turn, points in (fired or {}).items()}
    return judge_energy(BOOK, FED, energy_turns(BOOK, FED, turns(rows), "A", shots), "A")


def test_the_capacitor_goes_from_turn_to_turn() -> None:
    rows = "Phasrecharge,3,3\n"
    assert [one.key for one in energy(rows).findings if one.severity == "error"] == ["H6.2"]
    after_fire = energy(rows, {1: 3})
    assert [one.key for one in after_fire.findings if one.severity == "error"] == []
    assert [ledger.turn for ledger in after_fire.ledgers] == [1, 2]


def test_what_cannot_be_read_is_remarked_on_whatever_its_figures_are() -> None:
    form = form_from("Turn,1\nWarp Power,lots\n", BOOK)
    assert form_remarks(BOOK, FED, form, "A") != ()
    whole = form_from(f"Turn,1,2\n{POWER}", BOOK)
    assert [one for one in form_remarks(BOOK, FED, whole, "A") if one.severity == "error"] == []
