"""Dice of a log and the shots they are for: in their order, by who rolls, of which kind."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import groupby

import pytest

from referee.adjudicator.declared_fire import Battery, Declared
from referee.core.combat import Unit
from referee.core.finding import Severity
from referee.core.hexgrid import Hex
from referee.core.location import Location
from referee.core.play import When
from referee.logs.chart_dice import on_chart
from referee.logs.dice import Paired
from referee.logs.dice_owners import Known, Settled, Throw
from referee.logs.dice_pairing import pair_dice
from referee.rulebooks.registry import load_rulebook, load_ship

BOOK = load_rulebook("sfb-cadet")
NOW = When(1, 5)


def fire(step: int, name: str, weapons: str, player: str, when: When = NOW) -> Declared:
    ship = load_ship("cadet/federation-ca" if name == "CA" else "cadet/klingon-d6")
    firer, target = Unit(name, ship, None, Hex(20, 20), "D"), Unit("Other", None, None, Hex(20, 24), "A")
    mounts = tuple(mount for mark in weapons.split() if (mount := ship.mount(mark)))
    return Declared(firer, target, mounts, when, Location("g.vlog", step=step), player)


def throw(
    step: int,
    *faces: int,
    sides: int | None = 6,
    player: str = "Ann",
    when: When = NOW,
    undone: int | None = None,
) -> Throw:
    return Throw(step, when, len(faces), sides, faces, sum(faces), player, undone=undone)


def pair(declared: list[Declared], *throws: Throw, settled: tuple[Settled, ...] = ()) -> Paired:
    battery = Battery(BOOK, {}, When(1, 1))
    rows = [(row, battery.declaration(row)) for row in rows_of(declared)]
    return pair_dice(BOOK, rows, throws, "g.vlog", Known(frozenset(settled)))


def rows_of(declared: Iterable[Declared]) -> list[tuple[Declared, ...]]:
    """What was declared in one impulse after the other."""
    return [tuple(row) for _, row in groupby(declared, key=lambda one: one.when)]


def told(paired: Paired) -> list[tuple[str, str, int | None]]:
    return [(f.severity.value, f.message, f.location.step) for f in paired.findings]


def test_dice_one_by_one_and_together() -> None:
    declared = [fire(10, "CA", "PH-1/A PH-1/B PHOT/A", "Ann")]
    one_by_one = pair(declared, throw(11, 1), throw(12, 2), throw(13, 3))
    together = pair(declared, throw(11, 1, 2, 3))
    assert one_by_one.dice == together.dice == {(0, 0): 1, (0, 1): 2, (0, 2): 3}
    assert told(one_by_one) == told(together) == []


def test_each_player_rolls_for_his_own_ship() -> None:
    declared = [fire(10, "CA", "PH-1/A", "Ann"), fire(11, "D6", "PH-2/A", "Ben")]
    paired = pair(declared, throw(12, 5, player="Ben"), throw(13, 2, player="Ann"))
    assert paired.dice == {(0, 0): 2, (0, 1): 5}
    umpire = pair(declared, throw(12, 5, player="Cy"), throw(13, 2, player="Cy"))
    assert umpire.dice == {(0, 0): 5, (0, 1): 2}


@pytest.mark.parametrize(
    ("throws", "message", "step"),
    [
        ((throw(11, 1),), "no die was rolled for PH-1/B", 10),
        ((throw(11, 1, 2, 3),), "more dice than shots", 11),
        ((throw(11, 1), throw(12, 9, sides=10)), "dice of another kind", 12),
    ],
)
def test_dice_that_do_not_fit(throws: tuple[Throw, ...], message: str, step: int) -> None:
    assert told(pair([fire(10, "CA", "PH-1/A PH-1/B", "Ann")], *throws)) == [("error", message, step)]


def test_only_a_total_is_known() -> None:
    """Two dice told as their sum pay for two shots; what each rolled is not known."""
    total = Throw(11, NOW, 2, 6, (), 7, "Ann")
    paired = pair([fire(10, "CA", "PH-1/A PH-1/B PH-1/C", "Ann")], total, throw(12, 4))
    assert paired.dice == {(0, 2): 4} and told(paired) == []


def test_dice_of_the_next_impulse_are_for_its_fire() -> None:
    later = When(1, 6)
    declared = [fire(10, "CA", "PH-1/A", "Ann"), fire(20, "CA", "PH-1/B", "Ann", later)]
    paired = pair(declared, throw(21, 3, when=later))
    assert paired.dice == {(1, 0): 3} and told(paired) == []
    assert [item.reason for item in paired.not_checked] == ["no dice are in the log for PH-1/A of step 10"]


def test_dice_for_no_fire_are_named() -> None:
    paired = pair([fire(10, "CA", "PH-1/A", "Ann")], throw(2, 3, when=When(1, 1)), throw(11, 4))
    assert paired.dice == {(0, 0): 4}
    assert [item.reason for item in paired.not_checked] == ["the dice of steps 2 are for no fire declared"]


def test_dice_before_the_fire() -> None:
    paired = pair([fire(10, "CA", "PH-1/A", "Ann")], throw(9, 3))
    assert [(f.key, f.severity, f.location.step) for f in paired.findings] == [
        ("NOTE/dice-first", Severity.WARNING, 10)
    ]


def test_what_is_left_over_may_be_for_the_damage_chart() -> None:
    declared = [fire(10, "CA", "PH-1/A", "Ann")]
    paired = pair(declared, throw(11, 4), throw(12, 2, player="Ben"), throw(13, 5, 6, player="Ben"))
    assert told(paired) == [] and on_chart(BOOK, paired.spare[0]) == (2, 5, 6)
    standard = load_rulebook("sfb-standard")
    assert on_chart(standard, (throw(1, 2, 3), throw(2, 4), throw(3, 1, 1, 6, 6))) == (5, 2, 12)
    assert on_chart(standard, (Throw(1, NOW, 2, 6, (), 9), throw(2, 3, 3, sides=10))) == (9,)


def test_another_players_dice_count_only_where_they_fit() -> None:
    declared = [fire(10, "CA", "PH-1/A PH-1/B PH-1/C", "Ann")]
    paired = pair(declared, throw(11, 1), throw(12, 2), throw(13, 3, 4, player="Ben"))
    assert told(paired) == [("error", "no die was rolled for PH-1/C", 10)]
    lent = pair(declared, throw(11, 1), throw(12, 2), throw(13, 3, player="Ben"))
    assert lent.dice == {(0, 0): 1, (0, 1): 2, (0, 2): 3}
    said = "the die for PH-1/C was rolled by Ben, the fire declared by Ann"
    assert told(lent) == [("note", said, 13)]


def test_a_void_throw_is_a_die_without_a_result() -> None:
    void = Throw(11, NOW, 1, 6, (), 9, "Ann", void=True)
    paired = pair([fire(10, "CA", "PH-1/A PH-1/B", "Ann")], void, throw(12, 2))
    assert (paired.dice, told(paired)) == ({(0, 1): 2}, [])
    assert on_chart(BOOK, (void, throw(12, 2))) == ()


# -- dice that were taken back -----------------------------------------------------------

SHOT = fire(10, "CA", "PH-1/A", "Ann")


def test_a_die_taken_back_stands_and_the_later_one_is_extra() -> None:
    again = throw(13, 1)
    paired = pair([SHOT], throw(11, 6, undone=12), again)
    assert (paired.dice, paired.again, paired.spare) == ({(0, 0): 6}, {0: (again,)}, {})
    assert told(paired) == [] and paired.not_checked == ()
    twice = pair([SHOT], throw(11, 6, undone=12), throw(13, 5, undone=14), throw(15, 1))
    assert twice.dice == {(0, 0): 6}


def test_a_die_taken_back_and_not_rolled_again_stands() -> None:
    paired = pair([SHOT], throw(11, 6, undone=12))
    assert (paired.dice, paired.again, paired.not_checked) == ({(0, 0): 6}, {}, ())
    late = pair([SHOT, fire(20, "CA", "PH-1/B", "Ann", When(1, 6))], throw(11, 6, undone=30))
    assert late.dice == {(0, 0): 6}


def test_each_die_taken_back_is_its_own_shots() -> None:
    """The dice of three shots are taken back from the last to the first; one of two is rolled again before the
    other falls."""
    three = [fire(10, "CA", "PH-1/A PH-1/B PHOT/A", "Ann")]
    undone = [throw(11, 6, undone=16), throw(12, 5, undone=15), throw(13, 4, undone=14)]
    paired = pair(three, *undone, throw(17, 1), throw(18, 1), throw(19, 1))
    assert paired.dice == {(0, 0): 6, (0, 1): 5, (0, 2): 4} and len(paired.again[0]) == 3
    two = [fire(10, "CA", "PH-1/A PH-1/B", "Ann"), fire(10, "D6", "PH-2/A", "Ben")]
    between = pair(two, throw(11, 6, undone=12), throw(13, 1), throw(14, 4), throw(15, 3, player="Ben"))
    assert between.dice == {(0, 0): 6, (0, 1): 4, (0, 2): 3} and told(between) == []


@pytest.mark.parametrize(
    "slip",
    [
        throw(11, 6, 6, undone=12),
        throw(11, 9, sides=10, undone=12),
        throw(11, 6, player="Ben", undone=12),
        Throw(11, NOW, 1, 6, (), 9, "Ann", void=True, undone=12),
    ],
    ids=["more dice", "other dice", "another player", "no such die"],
)
def test_a_slip_that_is_taken_back_is_no_die_of_the_shot(slip: Throw) -> None:
    paired = pair([SHOT], slip, throw(13, 2))
    assert (paired.dice, told(paired), paired.again, paired.spare) == ({(0, 0): 2}, [], {}, {})
    unused = pair([SHOT], slip)
    assert [item.reason for item in unused.not_checked] == ["no dice are in the log for PH-1/A of step 10"]


def test_a_die_too_many_that_is_taken_back_is_nothing() -> None:
    paired = pair([SHOT], throw(11, 4), throw(12, 1, undone=13), throw(14, 2, player="Ben"))
    assert paired.dice == {(0, 0): 4} and on_chart(BOOK, paired.spare[0]) == (2,)
    own = pair([SHOT], throw(11, 4), throw(12, 1, undone=13), throw(14, 2))
    assert on_chart(BOOK, own.spare[0]) == (2,)
    assert pair([SHOT], throw(9, 1, undone=10), throw(11, 4)).dice == {(0, 0): 4}


def test_another_player_who_rolls_again_rolled_the_first_die() -> None:
    paired = pair([SHOT], throw(11, 6, player="Ben", undone=12), throw(13, 1, player="Ben"))
    assert paired.dice == {(0, 0): 6}


def test_dice_on_the_chart_stand_as_they_fell_first() -> None:
    chart = [throw(12, 6, player="Ben", undone=14), throw(13, 5, player="Ben"), throw(15, 1, player="Ben")]
    assert on_chart(BOOK, pair([SHOT], throw(11, 4), *chart).spare[0]) == (5, 6)
    mistyped = [throw(12, 6, player="Ben"), throw(13, 5, player="Ben", undone=14)]
    assert on_chart(BOOK, pair([SHOT], throw(11, 4), *mistyped).spare[0]) == (6,)


# -- whose die it is ---------------------------------------------------------------------

BOTH = [fire(10, "CA", "PH-1/A", "Ann"), fire(11, "D6", "PH-2/A", "Ben")]
BEN_FIRST = [fire(10, "D6", "PH-2/A", "Ben"), fire(11, "CA", "PH-1/A", "Ann")]


def test_a_die_too_many_is_not_the_other_players_who_rolls_his_own() -> None:
    extra = throw(13, 6)
    paired = pair(BOTH, throw(12, 2), extra, throw(14, 3, player="Ben"))
    assert paired.dice == {(0, 0): 2, (0, 1): 3} and told(paired) == []
    assert paired.spare == {0: (extra,)}
    undone = pair(
        BOTH, throw(12, 2), extra, throw(14, 3, player="Ben", undone=15), throw(16, 1, player="Ben")
    )
    assert undone.dice == {(0, 0): 2, (0, 1): 3}


def test_another_players_die_is_not_the_shots_whose_firer_rolls() -> None:
    paired = pair([SHOT], throw(11, 6, player="Ben"), throw(12, 2))
    said = "1d6 = 6 of Ben is not taken for the dice of PH-1/A: Ann rolled 1d6 in the same impulse"
    assert paired.dice == {(0, 0): 2} and told(paired) == [("warning", said, 11)]
    assert paired.otherwise == {(0, 0): 6}  # in cadet one die is also the damage chart's
    later = pair([SHOT], throw(11, 6, player="Ben"), throw(12, 2, when=When(1, 6)))
    assert later.dice == {(0, 0): 6}  # a die of the next impulse is no reason


def test_a_die_after_the_result_was_told_is_not_the_shots() -> None:
    bens, after = throw(11, 6, player="Ben"), throw(14, 2)
    by_then = Settled(13, NOW, "Ann")
    assert pair([SHOT], bens, after, settled=(by_then,)).dice == {(0, 0): 6}
    assert pair([SHOT], throw(9, 2), bens, settled=(by_then,)).dice == {(0, 0): 6}
    for own_first in (throw(12, 2), throw(12, 2, undone=13)):
        assert pair([SHOT], bens, own_first, after, settled=(by_then,)).dice == {(0, 0): 2}
    for other in (Settled(13, NOW, "Ben"), Settled(13, When(1, 6), "Ann"), Settled(10, NOW, "Ann")):
        assert pair([SHOT], bens, after, settled=(other,)).dice == {(0, 0): 2}


def test_whoever_rolls_for_both_by_habit_does() -> None:
    one_by_one = pair(BOTH, throw(12, 2), throw(13, 6))
    together, swapped = (
        pair(BOTH, throw(12, 2, 6)),
        pair(BOTH, throw(12, 2, player="Cy"), throw(13, 6, player="Cy")),
    )
    assert one_by_one.dice == together.dice == swapped.dice == {(0, 0): 2, (0, 1): 6}
    assert {f.key for f in (*one_by_one.findings, *together.findings)} == {"NOTE/dice-by-other"}


@pytest.mark.parametrize("throws", [(throw(12, 2), throw(13, 6)), (throw(12, 2, 6),)], ids=["two", "one"])
def test_whoever_rolls_for_both_may_roll_for_the_other_first(throws: tuple[Throw, ...]) -> None:
    paired = pair(BEN_FIRST, *throws)
    assert paired.dice == {}
    (reason,) = [item.reason for item in paired.not_checked]
    assert reason.startswith("Ann rolled for PH-") and reason.endswith("which die is whose is not known")
    assert pair(BEN_FIRST, throw(12, 4), throw(13, 4)).dice == {(0, 0): 4, (0, 1): 4}
    own = pair(BEN_FIRST, throw(12, 2), throw(13, 3, player="Ben"))
    assert own.dice == {(0, 0): 3, (0, 1): 2}


def test_a_pair_is_not_the_die_of_one_shot() -> None:
    paired = pair([SHOT], throw(11, 3, 4), throw(12, 2))
    said = "2d6 = 7 is not taken for the dice of PH-1/A: Ann rolled 1d6 in the same impulse"
    assert paired.dice == {(0, 0): 2} and told(paired) == [("warning", said, 11)] and paired.spare == {}
    of_ten = pair([SHOT], throw(11, 9, sides=10), throw(12, 2))
    assert of_ten.dice == {(0, 0): 2} and [row[0] for row in told(of_ten)] == ["warning"]
    alone = pair([SHOT], throw(11, 3, 4))
    assert alone.dice == {} and told(alone) == [("error", "more dice than shots", 11)]
    assert pair([SHOT], throw(11, 4, 4)).dice == {(0, 0): 4}
    next_shot = pair([SHOT, fire(12, "CA", "PH-1/B", "Ann")], throw(11, 3, 4), throw(13, 2))
    assert [row[0] for row in told(next_shot)] == ["error"]


@pytest.mark.parametrize(
    "throws",
    [
        (throw(5, 6, undone=6), throw(7, 5, undone=8), throw(9, 1)),
        (throw(5, 6), throw(7, 5), throw(9, 1)),
        (throw(5, 6, undone=6), throw(9, 1)),
    ],
    ids=["undone", "kept", "one undone"],
)
def test_dice_rolled_until_they_suit_before_the_fire(throws: tuple[Throw, ...]) -> None:
    paired = pair([SHOT], *throws)
    ((severity, message, step),) = told(paired)
    assert (severity, step, paired.dice) == ("undecided", 10, {})
    assert message.startswith(f"{len(throws)} dice were rolled in steps 5, ")
    after = pair([SHOT], *throws, throw(11, 2))
    assert after.dice == {(0, 0): 2} and told(after) == []


def test_as_many_dice_before_the_fire_as_it_takes() -> None:
    two = [fire(10, "CA", "PH-1/A PH-1/B", "Ann")]
    assert [row[0] for row in told(pair(two, throw(8, 6), throw(9, 1)))] == ["warning", "warning"]
    orders = [SHOT, fire(11, "CA", "PH-1/B", "Ann")]
    assert [row[0] for row in told(pair(orders, throw(8, 6), throw(9, 1)))] == ["warning", "warning"]


@pytest.mark.parametrize(("at_fire", "keys"), [(True, ["NOTE/dice-first"]), (False, []), (None, [])])
def test_a_die_before_the_fire_and_one_after_it(at_fire: bool | None, keys: list[str]) -> None:
    """Only where the tracker shows that it fell in the step of fire is it more than a die for something else."""
    early = replace(throw(9, 6), at_fire=at_fire)
    paired = pair([SHOT], early, throw(11, 2))
    assert paired.dice == {(0, 0): 2} and [f.key for f in paired.findings] == keys
    assert bool(paired.not_checked) is not bool(keys)
    bens = pair([SHOT], replace(early, player="Ben"), throw(11, 2))
    undone = pair([SHOT], replace(early, undone=10), throw(11, 2))
    assert told(bens) == told(undone) == []


def test_a_slip_and_the_dice_of_another_player_who_rolls_his_own_too() -> None:
    slip, own, lent = throw(12, 3, 4), throw(13, 5, player="Ben"), throw(14, 2, player="Ben")
    paired = pair(BEN_FIRST, slip, own, lent)
    assert paired.dice == {(0, 0): 5, (0, 1): 2}
    assert [f.key for f in paired.findings] == ["NOTE/dice-aside", "NOTE/dice-by-other"]
    assert [row[0] for row in told(pair(BEN_FIRST, slip, own))] == ["error"]


def test_dice_for_shots_yet_to_be_declared_are_not_those_of_the_shot_before() -> None:
    """Ben rolls for Ann's first ship, Ann for her second."""
    two = [SHOT, fire(12, "CA", "PH-1/B", "Ann")]
    paired = pair(two, throw(11, 6, player="Ben"), throw(13, 2))
    assert paired.dice == {(0, 0): 6, (0, 1): 2}


def test_dice_of_a_later_impulse_are_not_on_the_chart_of_fire_that_shields_stopped() -> None:
    later = throw(20, 3, when=When(1, 6))
    declared = [SHOT]
    assert pair(declared, throw(11, 4), later).spare == {0: (later,)}
    battery = Battery(BOOK, {}, When(1, 1))
    rows = [(row, battery.declaration(row)) for row in rows_of(declared)]
    stopped = pair_dice(BOOK, rows, (throw(11, 4), later), "g.vlog", Known(stopped=frozenset({0})))
    assert stopped.spare == {}
    assert [item.reason for item in stopped.not_checked] == ["the dice of steps 20 are for no fire declared"]
