"""What damage that is only said may have done to a ship of an orders file."""

from __future__ import annotations

from referee.adjudicator.damage_told import Struck
from referee.rulebooks.registry import load_rulebook, load_ship

D6 = load_ship("cadet/klingon-d6")
BOXES = sum(len(D6.box_ids(system)) for system in D6.systems)
SHIELD = D6.shields[1]


def struck(book: str = "sfb-cadet", **options: str) -> Struck:
    return Struck(load_rulebook(book).with_options(options))


def test_what_its_shield_takes_leaves_it_alive() -> None:
    assert struck().hit("Wrath", D6, SHIELD, 1) == "alive"


def test_more_points_than_boxes_destroy_it() -> None:
    assert struck().hit("Wrath", D6, SHIELD + BOXES + 1, 1) == "destroyed"
    assert struck().hit("Wrath", D6, SHIELD + BOXES, 1) == "perhaps destroyed"


def test_a_shield_is_gone_once() -> None:
    twice = struck()
    assert twice.hit("Wrath", D6, SHIELD, 1) == "alive"
    assert twice.hit("Wrath", D6, BOXES + 1, 1) == "destroyed", "the second volley finds no shield"
    other = struck()
    other.hit("Fire", D6, SHIELD, 1)
    assert other.hit("Wrath", D6, BOXES + 1, 1) == "perhaps destroyed", "that was another ship's"


def test_reinforcement_may_have_stopped_some() -> None:
    assert struck(reinforcement="true").hit("Wrath", D6, SHIELD + BOXES + 1, 1) == "perhaps destroyed"


def test_of_a_ship_that_is_not_known_nothing_is_sure() -> None:
    assert struck().hit("Wrath", None, 1, 1) == "perhaps destroyed"
