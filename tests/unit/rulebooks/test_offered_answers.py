"""What the starship battle games answer to the table, at the edges of what it may ask."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from referee.core.combat import Declaration, Moment, Seeker, Shot, Unit
from referee.core.hexgrid import Hex
from referee.core.state import new_state
from referee.corpus.forms import form_from
from referee.rulebooks.registry import load_rulebook, load_ship

CADET, STANDARD = load_rulebook("sfb-cadet"), load_rulebook("sfb-standard")
CRUISER = load_ship("cadet/federation-ca")


def unit(name: str, at: Hex, facing: str = "A") -> Unit:
    return Unit(name, CRUISER, new_state(CRUISER), at, facing)


def test_the_moments_of_a_turn_follow_each_other_into_the_next_turn() -> None:
    moments = CADET.offers.moments(CADET, 2)
    assert [CADET.offers.next_moment(CADET, now) for now in moments[:-1]] == moments[1:]
    assert CADET.offers.next_moment(CADET, moments[-1]) == CADET.offers.moments(CADET, 3)[0]
    assert CADET.offers.next_moment(CADET, (2, 99, "no such step")) == moments[0]


def test_a_word_that_is_no_order_has_no_step() -> None:
    assert CADET.offers.step_of("Launch") == "launch"
    assert CADET.offers.step_of("sings") == ""


def test_shields_are_unpaid_where_their_line_says_less_than_they_cost() -> None:
    for rows, unpaid in (
        ("Activate Shields,1", True),
        ("Activate Shields,2", False),
        ("Activate Shields,?", False),
    ):
        (allocation,) = form_from(f"Turn,1\n{rows}\n", STANDARD).allocations
        assert STANDARD.offers.shields_unpaid(STANDARD, allocation) == unpaid, rows
        assert not CADET.offers.shields_unpaid(CADET, allocation)


def test_reinforcement_is_bought_by_lines_12_and_13_where_the_game_has_it() -> None:
    book = STANDARD.with_options({"reinforcement": "true"})
    bought = book.offers.reinforcement(book, {"12": Fraction(5), "13:2": Fraction(3), "13": Fraction(1)})
    assert (bought.general, dict(bought.shields), bought.unnamed) == (2, {2: 3}, 1)
    nothing = book.offers.reinforcement(book, {"14": Fraction(8)})
    assert (nothing.general, dict(nothing.shields), nothing.unnamed) == (0, {}, 0)


def test_a_seeker_strikes_no_shield_in_particular_where_the_bow_of_its_target_is_not_known() -> None:
    hex = Hex(10, 10)
    seeker = Seeker("drone", "drone", "Destr", "Const", hex, "A", Moment(1, 1), hexes=4)
    for target, came_from in (
        (replace(unit("Const", hex), facing=None), hex.step("A")),
        (replace(unit("Const", hex), hex=None), hex.step("A")),
        (unit("Const", hex), None),
    ):
        hit = CADET.offers.seeker_hit(CADET, seeker, target, came_from, Moment(1, 2))
        assert (hit.shield, hit.shields, hit.origin) == (None, (), None)


def test_a_rack_that_is_fired_by_force_does_nothing() -> None:
    drone = Shot("DRN/1", "drone", unit("Const", Hex(10, 10)), unit("Destr", Hex(10, 8)), turn=1, impulse=1)
    aim = CADET.offers.fire_step(CADET, Declaration((drone,))).aims[0]
    result = CADET.offers.fire(aim, 1)
    assert (result.hit, result.damage) == (False, 0)


def test_each_shot_said_to_strike_a_shield_that_does_not_face_is_found() -> None:
    firer, target = unit("Const", Hex(10, 10).step("A", 3)), unit("Destr", Hex(10, 10))
    shots = tuple(
        Shot(weapon, "phaser-1", firer, target, turn=2, impulse=3, shield=shield)
        for weapon, shield in (("PH-1/A", 1), ("PH-1/B", 4), ("PH-1/C", 3))
    )
    astray = CADET.offers.shields_astray(CADET, Declaration(shots))
    assert [(one.subject, one.turn, one.impulse, one.expected, one.found) for one in astray] == [
        ("Const", 2, 3, "1", "4"),
        ("Const", 2, 3, "1", "3"),
    ]
