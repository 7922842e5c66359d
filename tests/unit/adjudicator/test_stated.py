"""Figures that an account states of its own accord, held against what was played."""

from __future__ import annotations

import pytest

from referee.adjudicator.stated import SHIELDS
from referee.adjudicator.table import GameTable
from referee.core.account import STATED, Account, Event
from referee.core.finding import Report
from referee.rulebooks.registry import load_rulebook, load_ship
from tests.unit.adjudicator.recorded import D6, FED, SPEEDS, entries, order, step

BOOK = load_rulebook("sfb-cadet").with_options({"impulses": "16"})
UNLIKE = (("A", FED, "1510A"), ("B", D6, "1506D"))
PLAYED = entries(*SPEEDS, step(1, "fire"), order("A", 1, fire=("PH-1/A", "B")), ships=UNLIKE)
FIRE = PLAYED[-1].seq
"""The entry in which A fires a phaser-1 at B, four hexes away."""


def stated(**figures: object) -> Report:
    """What the table says of a figure that is stated after that fire."""
    events = [Event(row.seq, row.type, row.data) for row in PLAYED]
    events.append(Event(FIRE + 1, STATED, figures))
    return GameTable(BOOK, load_ship, Account(tuple(events))).report()


def wrong(report: Report) -> list[tuple[str, str, str, str]]:
    found = report.findings
    return [(one.key, one.subject, one.expected, one.found) for one in found if one.severity == "error"]


def test_the_range_between_the_hexes() -> None:
    right = stated(what="range", fire=FIRE, range=4)
    assert wrong(right) == [] and "D1.4/stated" in right.checked
    assert wrong(stated(what="range", fire=FIRE, range=5)) == [("D1.4/stated", "A PH-1/A", "4", "5")]


def test_of_fire_that_was_not_taken_nothing_is_asked() -> None:
    for report in (
        stated(what="range", fire=FIRE - 1, range=99),
        stated(what="damage", ship="B", shots=[[FIRE - 1, 1, ""]], total=99),
    ):
        assert report.findings == () and not {"D1.4/stated", "E2.4/stated"} & set(report.checked)


@pytest.mark.parametrize(("die", "points"), [(1, 5), (6, 2)])
def test_the_damage_that_the_die_scores_on_the_table(die: int, points: int) -> None:
    def total(n: int) -> Report:
        return stated(what="damage", ship="B", shots=[[FIRE, die, ""]], total=n)

    assert wrong(total(points)) == [] and "E2.4/stated" in total(points).checked
    assert wrong(total(points + 1)) == [("E2.4/stated", "A", str(points), str(points + 1))]


def test_the_shields_that_are_left() -> None:
    whole = [load_ship(D6).shields[n] for n in SHIELDS]

    def left(first: int) -> list[tuple[str, str, str, str]]:
        return wrong(stated(what="shields", ship="B", damage=[4, 0, 0, 0, 0, 0], left=[first, *whole[1:]]))

    assert left(whole[0] - 4) == []
    for told in (whole[0] - 5, whole[0]):
        assert left(told) == [("D4.1/stated", "B", str(whole[0] - 4), str(told))]
