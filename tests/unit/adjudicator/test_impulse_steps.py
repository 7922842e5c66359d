"""The steps of the impulse by the names a turn tracker gives them."""

from __future__ import annotations

import pytest

from referee.adjudicator.impulse_steps import Done, TrackerStep, judge_steps, own_step, step_like, steps_named
from referee.core.location import Location
from referee.core.play import When
from referee.rulebooks.registry import load_rulebook

BOOK = load_rulebook("sfb-cadet")
NAMES = ("Move", "Seekers", "Launch", "Fire")
STEPS = steps_named(BOOK, NAMES, {})
SHOWN = {(1, 2): set(NAMES)}


def done(kind: str, step: str, at: int = 1) -> Done:
    return Done(kind, "A", When(1, 2), step, Location("g.vlog", step=at), at)


@pytest.mark.parametrize(
    ("name", "step"),
    [("Move", "move ships"), ("Seekers", "move seekers"), ("FIRE!", "fire"), ("Coffee", "")],
)
def test_a_step_by_its_name(name: str, step: str) -> None:
    assert step_like(BOOK, name) == step


def test_a_step_lasts_until_the_next_begins() -> None:
    order = BOOK.descriptor["sequence_of_play"]["impulse"]
    assert [step.name for step in STEPS] == list(NAMES)
    assert [name for step in STEPS for name in step.stands_for] == order
    (only,) = steps_named(BOOK, ("Fire",), {})
    assert only.stands_for == tuple(order)
    (told,) = steps_named(BOOK, ("Coffee",), {"Coffee": "move-ships"})
    assert told.stands_for[0] == order[0]
    assert steps_named(BOOK, ("Coffee",), {}) == (TrackerStep("Coffee"),)


def test_which_step_is_a_kinds_own() -> None:
    assert own_step(BOOK, "fire", "Fire", STEPS) is True
    assert own_step(BOOK, "fire", "Move", STEPS) is False
    assert own_step(BOOK, "fire", "Coffee", STEPS) is None


def test_what_is_done_in_its_step() -> None:
    report = judge_steps(BOOK, [done("movement", "Move"), done("fire", "Fire", 2)], STEPS, SHOWN)
    assert report.findings == () and "B2.0" in report.checked


def test_fire_before_its_step_is_a_warning_where_nothing_follows_that_belongs_before() -> None:
    (early,) = judge_steps(BOOK, [done("fire", "Launch")], STEPS, SHOWN).findings
    assert (early.key, early.severity.value, early.found) == ("B2.0", "warning", "Launch")
    rows = [done("fire", "Launch"), done("launch", "Launch", 2)]
    (wrong,) = judge_steps(BOOK, rows, STEPS, SHOWN).findings
    assert wrong.severity.value == "error"
