"""Where counters truly stood when something was said, by the changes of their courses."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.core.hexgrid import Hex
from referee.formats.vassal.corrected_positions import truly_placed
from referee.formats.vassal.course import Course, Stand, TakenBack
from referee.formats.vassal.gathered import ChatOrder, Misplaced
from referee.formats.vassal.recognise import Clock
from referee.formats.vassal.spoken import TypedLine

NOW, LATER = Clock(1, 3), Clock(1, 4)
HOME, AHEAD = Stand(Hex(20, 20), "A"), Stand(Hex(20, 19), "A")
FAR, TURNED, ABOUT = Stand(Hex(20, 15), "A"), Stand(Hex(20, 20), "B"), Stand(Hex(20, 20), "D")


def stood(*told: tuple[Clock, Stand | str], undo: bool = False) -> Misplaced | None:
    """Where a counter is misplaced when something is said (a text), among its changes; steps count from 1."""
    course, back = Course(HOME), []
    said, now = None, HOME
    for step, (clock, one) in enumerate(told, 1):
        if isinstance(one, str):
            said = ChatOrder(step, clock, TypedLine("Ann", one), {}, {"1": now, "2": FAR})
            continue
        taken = course.go(step, clock, one, undo=undo and step == len(told))
        back += [replace(taken, piece="1")] if taken else []
        now = one
    assert said is not None
    (placed,) = truly_placed([said], {"1": course, "2": Course(FAR)}, back)
    assert placed.stands["2"] == FAR
    return placed.misplaced.get("1")


@pytest.mark.parametrize("undo", [False, True])
def test_what_was_taken_back(undo: bool) -> None:
    fire = (NOW, "!fire")
    assert stood((NOW, FAR), fire, (NOW, HOME), undo=undo) == Misplaced(FAR, HOME)
    assert stood((NOW, ABOUT), fire, (NOW, HOME), undo=undo) == Misplaced(ABOUT, HOME)
    assert stood((NOW, AHEAD), (NOW, FAR), fire, (NOW, AHEAD), undo=undo) == Misplaced(FAR, AHEAD)
    assert stood((NOW, FAR), (NOW, HOME), fire) is None
    assert stood(fire, (NOW, FAR), (NOW, HOME), undo=undo) is None


def test_an_undo_in_a_later_impulse() -> None:
    assert stood((NOW, FAR), (LATER, "!fire"), (LATER, HOME), undo=True) == Misplaced(FAR, HOME)
    assert stood((NOW, FAR), (NOW, "!fire"), (LATER, HOME)) is None, "by hand it is a move like any other"


def test_what_was_made_again_in_its_impulse() -> None:
    assert stood((NOW, AHEAD), (NOW, "!fire"), (NOW, HOME), (NOW, AHEAD)) is None
    assert stood((NOW, TURNED), (NOW, "!fire"), (NOW, HOME), (NOW, TURNED), (NOW, FAR)) is None
    assert stood((NOW, AHEAD), (NOW, "!fire"), (NOW, HOME), (LATER, AHEAD)) == Misplaced(AHEAD, HOME)


def test_what_was_put_right() -> None:
    fire = (NOW, "!fire")
    side = Stand(Hex(21, 20), "B")
    assert stood((NOW, FAR), fire, (NOW, AHEAD)) == Misplaced(FAR, AHEAD)
    assert stood((NOW, ABOUT), fire, (NOW, TURNED)) == Misplaced(ABOUT, TURNED)
    assert stood((NOW, TURNED), fire, (NOW, side)) is None, "turn and hex of one move"
    assert stood((NOW, AHEAD), fire, (NOW, Stand(AHEAD.hex, "B"))) is None, "turned for the next move"
    assert stood((NOW, AHEAD), fire, (NOW, side)) is None, "it may have been there"
    assert stood((NOW, FAR), fire, (NOW, Stand(Hex(20, 16), "A"))) is None, "no move leads there: two moves"
    assert stood((NOW, FAR), (NOW, AHEAD), fire) is None


def test_a_counter_that_was_nowhere_stays_where_it_was_seen() -> None:
    course = Course(Stand(None, None))
    said = ChatOrder(2, NOW, TypedLine("Ann", "!fire"), {}, {"1": FAR})
    (placed,) = truly_placed([said], {"1": course}, [TakenBack(3, 1, True, "1")])
    assert placed is said
