"""Which shield is struck stands in one place: the rulebook's, which every door asks."""

from __future__ import annotations

import pytest

from referee.core.combat import Declaration, Moment, Seeker, Shot, Unit
from referee.core.hexgrid import FACINGS, Hex, relative_offset, struck_shields
from referee.core.state import new_state
from referee.rulebooks.registry import load_rulebook, load_ship

BOOK = load_rulebook("sfb-cadet")
TARGET = load_ship("cadet/federation-ca")
CORNER = (("Const", Hex(10, 10).step("A").step("B")), ("Destr", Hex(10, 10)))
"""Two ships of which one lies on the corner of two shields of the other."""


def test_a_seeker_on_the_corner_of_two_shields_strikes_the_lower_numbered() -> None:
    hex = Hex(10, 10)
    seeker = Seeker("drone", "drone", "Destr", "Const", hex, "A", Moment(1, 1), hexes=4)
    unit = Unit("Const", TARGET, new_state(TARGET), hex, "A")
    hit = BOOK.offers.seeker_hit(BOOK, seeker, unit, hex.step("A"), Moment(1, 2))
    assert hit.shield == 1 and hit.shields == (1,)
    assert hit.true_range == hit.effective_range == 0
    corner = BOOK.offers.seeker_hit(BOOK, seeker, unit, hex.step("A").step("B"), Moment(1, 2))
    assert len(corner.shields) == 2 and corner.shield == min(corner.shields)


@pytest.mark.parametrize("facing", FACINGS)
def test_a_seeker_comes_from_a_hex_beside_its_target_and_never_from_a_corner(facing: str) -> None:
    hex = Hex(10, 10)
    for way in FACINGS:
        assert len(struck_shields(relative_offset(hex, facing, hex.step(way)))) == 1


def test_a_rule_that_is_switched_off_leaves_nothing_open() -> None:
    """Fire on the corner of two shields: which is struck is not known, but only where the rule is played."""
    firer, target = (Unit(name, TARGET, new_state(TARGET), hex, "A") for name, hex in CORNER)
    shot = Declaration((Shot("PH-1/A", "phaser-1", firer, target, turn=1, impulse=1),))
    (untold,) = BOOK.offers.shields_untold(BOOK, shot)
    assert untold.key == "E1.4" and untold.subject == "Const PH-1/A"
    assert BOOK.offers.shields_untold(BOOK.without(["E1.4"]), shot) == ()
