"""The drones a ship guides against its sensors (D6.131, D6.132)."""

from __future__ import annotations

from referee.adjudicator.guidance import holds_without_roll, judge_controlled, judge_tried, rules_of
from referee.core.combat import Guidance, Moment, Seeker
from referee.core.finding import Finding, NotChecked
from referee.core.hexgrid import Hex
from referee.rulebooks.registry import load_rulebook

BOOK = load_rulebook("sfb-standard")


def guiding(count: int, rating: int | None = 6, *, tried: bool | None = None) -> Guidance:
    drones = (
        Seeker(f"Drone {n}", "drone", "Claw", "Prey", Hex(10, 5), "A", Moment(1, 1)) for n in range(count)
    )
    return Guidance("Claw", rating, tuple(drones), tried, turn=2)


def controlled(guidance: Guidance, most: int = 0) -> list[Finding | NotChecked]:
    return list(judge_controlled(BOOK, guidance, most, "who guides the others is not known"))


def test_the_rule_of_a_number() -> None:
    assert [rule.key for rule in rules_of(BOOK, "D6.132")] == ["D6.132"]
    assert rules_of(BOOK, "D4.22") == (), "that is no rule on guidance"


def test_whole_sensors_hold_lock_on_without_a_die() -> None:
    """A ship whose sensor track is not printed is taken as undamaged (D6.11)."""
    assert [holds_without_roll(BOOK, rating) for rating in (6, 5, None)] == [True, False, True]


def test_lock_on_is_tried_while_drones_are_out() -> None:
    assert list(judge_tried(BOOK, guiding(1, tried=True))) == []
    assert list(judge_tried(BOOK, guiding(0, tried=False))) == [], "no drone is out"
    (found,) = judge_tried(BOOK, guiding(1, tried=False))
    assert isinstance(found, Finding) and (found.key, found.subject, found.turn) == ("D6.131", "Claw", 2)
    (unknown,) = judge_tried(BOOK, guiding(1))
    assert isinstance(unknown, NotChecked) and unknown.key == "D6.131"


def test_no_more_drones_than_the_sensors_control() -> None:
    assert controlled(guiding(6)) == [] and controlled(guiding(5, rating=5)) == []
    for out, rating in ((7, 6), (6, 5)):
        (found,) = controlled(guiding(out, rating))
        assert isinstance(found, Finding)
        assert (found.key, found.expected, found.found) == ("D6.132", f"≤ {rating}", str(out))


def test_drones_that_may_be_out_leave_it_open() -> None:
    assert controlled(guiding(4), most=6) == []
    assert controlled(guiding(4), most=7) == [
        NotChecked("D6.132", "who guides the others is not known", "Claw")
    ]


def test_of_sensors_that_are_not_known_it_is_open_beyond_what_whole_ones_control() -> None:
    assert controlled(guiding(6, rating=None)) == []
    (unknown,) = controlled(guiding(7, rating=None))
    assert isinstance(unknown, NotChecked) and "sensor track" in unknown.reason
