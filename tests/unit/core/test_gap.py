"""A gap covers what is found of its subject between its ends, by moment or by step."""

from __future__ import annotations

import pytest

from referee.core.finding import Finding, Perhaps, Severity
from referee.core.gap import Gap
from referee.core.location import Location

MAY_BE = Perhaps("may be")


def found(turn: int | None, impulse: int | None, step: int | None = None, subject: str = "A") -> Finding:
    return Finding("C1.4", Severity.ERROR, "moves", subject, turn, impulse, Location(step=step))


def test_a_gap_is_of_its_subject_or_of_anybody_but_some() -> None:
    own = Gap("places", MAY_BE, "A", moments=((1, 1), None))
    others = Gap("places", MAY_BE, but=frozenset("A"), moments=((1, 1), None))
    row = found(1, 2), found(1, 2, subject="B")
    assert [own.covers(each) for each in row] == [True, False]
    assert [others.covers(each) for each in row] == [False, True]


@pytest.mark.parametrize(
    ("turn", "impulse", "covered"), [(2, 3, False), (2, 4, True), (3, 1, True), (3, 2, False)]
)
def test_moments_are_both_of_the_gap(turn: int, impulse: int, covered: bool) -> None:
    assert Gap("places", MAY_BE, moments=((2, 4), (3, 1))).covers(found(turn, impulse)) is covered


@pytest.mark.parametrize(("step", "covered"), [(6, False), (7, True), (8, True), (9, False)])
def test_the_last_step_is_none_of_the_gap(step: int, covered: bool) -> None:
    assert Gap("places", MAY_BE, steps=(7, 9)).covers(found(2, 4, step)) is covered


def test_what_names_no_impulse_may_be_of_the_last_step() -> None:
    gap = Gap("places", MAY_BE, steps=(7, 9))
    assert gap.covers(found(2, None, 9))
    assert not gap.covers(found(2, None, 10))


def test_an_end_that_is_never_reached() -> None:
    assert Gap("places", MAY_BE, steps=(7, None)).covers(found(9, 9, 999))
