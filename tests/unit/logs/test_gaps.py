"""What a log leaves open of ships that may be destroyed."""

from __future__ import annotations

from referee.adjudicator.repairs import Marking
from referee.core.frozen import replace
from referee.core.play import When
from referee.core.state import new_state
from referee.logs.gaps import last_excess
from referee.rulebooks.registry import load_ship

SHIP = load_ship("cadet/federation-ca")
WHOLE = new_state(SHIP)
GONE = replace(WHOLE, destroyed=frozenset(SHIP.box_ids("excess")))
LOST = Marking(4, When(1, 3), WHOLE, GONE)
MENDED = Marking(6, When(1, 4), GONE, WHOLE)


def test_a_ship_is_lost_from_the_mark_that_leaves_no_box_of_excess_damage() -> None:
    assert last_excess(SHIP, [LOST]) is LOST
    assert last_excess(SHIP, [LOST, Marking(5, When(1, 4), GONE, GONE)]) is LOST


def test_a_ship_is_not_lost_whose_display_shows_such_a_box_again() -> None:
    assert last_excess(SHIP, [LOST, MENDED]) is None
    again = replace(LOST, step=8)
    assert last_excess(SHIP, [LOST, MENDED, again]) is again


def test_a_ship_that_was_never_marked_is_not_lost() -> None:
    assert last_excess(SHIP, []) is None
