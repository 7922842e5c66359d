"""The points phasers take out of the capacitor, and what batteries give them."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from referee.adjudicator.capacitor import (
    battery_order,
    check_batteries,
    judge_charge,
    lent_by_batteries,
    lost_points,
    phaser_energy,
    with_fired,
    with_lent,
)
from referee.adjudicator.played_energy import EnergyFacts, PlayedTurn, energy_turns
from referee.core.play import When
from referee.rulebooks.registry import load_rulebook, load_ship
from referee.rulebooks.sfb import LINES
from tests.casefile import form_from

BOOK = load_rulebook("sfb-cadet")
FED = load_ship("cadet/federation-ca")
PHASERS = [mount for mount in FED.mounts if mount.system == "phaser"]
FORM = "Turn,1\nWarp Power,16\nImpulse Power,2\nAtomic Power,2\nTotal Power,20\nBtty Avail,2\n"


def turn(rows: str) -> EnergyFacts:
    (allocation,) = form_from(FORM + rows, BOOK).allocations
    (found,) = energy_turns(BOOK, FED, [PlayedTurn(allocation)], "A")
    return found


def test_a_phaser_takes_a_point_and_a_torpedo_none() -> None:
    assert phaser_energy(BOOK, PHASERS[:2]) == 2
    assert phaser_energy(BOOK, [mount for mount in FED.mounts if mount.system != "phaser"]) == 0


def test_what_was_fired_is_at_least_what_was_seen() -> None:
    form = turn("Phasrecharge,3\nPhasFired,1\n").facts.form
    assert with_fired(LINES, form, Fraction(2)).amount("9:fired") == 2
    assert with_fired(LINES, form, Fraction(1)) is form


def test_batteries_gave_what_the_capacitor_lacked() -> None:
    facts = turn("Phasrecharge,1\n").facts
    assert lent_by_batteries(BOOK, facts, Fraction(1), goes_on=True) == 0
    assert lent_by_batteries(BOOK, facts, Fraction(2), goes_on=True) == 1
    assert lent_by_batteries(BOOK, facts, Fraction(9), goes_on=True) == 2, "no more than they hold"
    assert with_lent(LINES, facts.form, Fraction(1)).amount("21") == 1


def test_points_that_no_phaser_takes_are_lost() -> None:
    mark = PHASERS[0].id
    assert lost_points(BOOK, FED, [(Fraction(1), [mark])]) == 0
    assert lost_points(BOOK, FED, [(Fraction(2), [mark])]) == 1
    assert lost_points(BOOK, FED, [(Fraction(1), [mark]), (Fraction(1), [mark])]) == 1, "it fires once a turn"


@pytest.mark.parametrize(("left", "wrong"), [(2, False), (0, True)])
def test_an_order_for_batteries(left: int, wrong: bool) -> None:
    asked = battery_order(BOOK, FED, "A", (1, 2), Fraction(1), (PHASERS[0].id,), Fraction(left))
    findings, unknown = check_batteries(BOOK, [asked])
    assert bool(findings) is wrong and unknown == ()
    untold = replace(asked, left=None, boxes=None)
    assert check_batteries(BOOK, [untold])[0] == ()


@pytest.mark.parametrize(("written", "severity"), [(2, ""), (1, "error"), (3, "undecided")])
def test_what_the_form_says_was_fired(written: int, severity: str) -> None:
    told = turn(f"Phasrecharge,3\nPhasFired,{written}\n")
    found = list(judge_charge([told], {1: Fraction(2)}, "A", When(1, 1), When(2, 1)))
    assert [getattr(one, "severity", None) for one in found] == ([severity] if severity else [])
    going_on = list(judge_charge([told], {1: Fraction(2)}, "A", When(1, 1), When(1, 9)))
    assert not any(hasattr(one, "severity") for one in going_on), "it may yet be written down"
