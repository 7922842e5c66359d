"""Fire whose shield a log does not tell, and boxes that a display does not show: held against marks all the same."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from referee.adjudicator.hits_on_ship import Displayed, Loose, Strike
from referee.adjudicator.marked_damage import judge_damage
from referee.adjudicator.repairs import Marking
from referee.core.finding import Finding, NotChecked
from referee.core.hexgrid import Hex
from referee.core.play import When
from referee.core.state import new_state
from referee.formats.vassal import command_types as lv
from referee.rulebooks.registry import load_rulebook, load_ship
from tests.cli.conftest import Ran
from tests.unit.logs.test_logs_seekers import CA, CS, Table, check, errors, reasons

__all__ = ["check"]
Check = Callable[..., Ran]
NOW = When(1, 9)


def at_range_0(boxes: dict[int, int]) -> Table:
    """Fire at a ship in the same hex, and what is marked of its shields."""
    writer = Table(Hex(40, 30))
    for name, figures in ((CA, {}), (CS, {"Phasrecharge": "3", "Total Used": "3"})):
        writer.write(name, 1, figures)
    writer.say("!CS Ship1: fire PH-1A at CA Ship0")
    shown = lv.MutableProperty("1d6_result", "1", "1", "Module")
    writer.log(lv.Chat("*** 1d6 = 1 *** <Cy>"), shown)
    for shield, count in boxes.items():
        writer.mark(shield, count)
    return writer


@pytest.mark.parametrize(
    ("boxes", "wrong"), [({1: 9}, 0), ({4: 9}, 0), ({1: 3}, 1), ({1: 12}, 1), ({1: 9, 3: 2}, 1)]
)
def test_fire_at_range_0_is_held_against_one_shield(check: Check, boxes: dict[int, int], wrong: int) -> None:
    ran = check(at_range_0(boxes))
    assert [key for key, *_ in errors(ran) if key == "D4.1"] == ["D4.1"] * wrong
    assert not [reason for reason in reasons(ran, "D4.1") if "is not known" in reason]


def judged(strike: Strike, shields: dict[int, int], inside: int, hidden: int) -> list[Finding | NotChecked]:
    """What is said of so many boxes marked of shields and inside, on a display that lacks some."""
    ship = load_ship("cadet/federation-ca")
    before = new_state(ship)
    gone = frozenset(sorted(ship.box_ids("left_warp"))[:inside])
    left = {**before.shields, **{n: before.shields[n] - count for n, count in shields.items()}}
    mark = Marking(strike.step + 1, NOW, before, replace(before, shields=left, destroyed=gone))
    shown = Displayed("CA", ship, shows_shields=True, agrees=True, hidden=hidden)
    said = judge_damage(load_rulebook("sfb-cadet"), shown, [strike], [mark], "a.vlog")
    return [item for item in said if isinstance(item, Finding | NotChecked)]


@pytest.mark.parametrize(
    ("inside", "hidden", "error"), [(4, 0, False), (3, 0, True), (0, 4, False), (0, 3, True), (5, 3, True)]
)
def test_boxes_a_display_lacks_excuse_no_more_than_they_are(inside: int, hidden: int, error: bool) -> None:
    full = new_state(load_ship("cadet/federation-ca")).shields[1]
    found = judged(Strike(5, NOW, loose=(Loose(full + 4),)), {1: full}, inside, hidden)
    wrong = [item for item in found if isinstance(item, Finding)]
    assert [item.key for item in wrong] == ["D4.1"] * error
    assert all(("lacks no more than 3" in item.message) == (inside == 0) for item in wrong if hidden)


def test_fire_of_two_ships_may_strike_two_shields() -> None:
    both = Strike(5, NOW, loose=(Loose(3), Loose(5, (2, 3))))
    assert judged(both, {1: 3, 2: 5}, 0, 0) == []
    assert [type(item) for item in judged(both, {1: 5, 2: 3}, 0, 0)] == [Finding, Finding]
    many = Strike(5, NOW, loose=(Loose(1),) * 4)
    (told,) = judged(many, {1: 4}, 0, 0)
    assert isinstance(told, NotChecked) and "which shields it struck is not known" in told.reason
