"""Dice in a log by who rolled them, and such as do not fit the shots they were rolled after."""

from __future__ import annotations

import pytest

from referee.formats.vassal import command_types as lv
from tests.unit.formats.vassal.game_logs import LogWriter
from tests.unit.logs.test_logs_chat import CA, WE, Check, check, game, reasons, told

__all__ = ["check"]


def at_fire(*, bare: bool = False, step: int = 0) -> LogWriter:
    """Two ships with phasers charged, in a step of impulse 2; a `bare` target has no shield towards it."""
    writer = LogWriter(game())
    if bare:
        writer.shields[WE][0] = 0
        writer._start = writer.start()
    for name in (CA, WE):
        writer.form(name, 1)
    writer.write(CA, 1, {"Phasrecharge": "3", "Total Used": "3"})
    writer.write(WE, 1, {"Phasrecharge": "1", "Total Used": "5"})
    writer.advance((1, 1, 0), (1, 2, step))
    return writer


def fire(writer: LogWriter, weapons: str = "PH-1A") -> int:
    return writer.log(lv.Chat(f"<Ann> - !fire {weapons} at {WE}"))


def says(writer: LogWriter, text: str) -> int:
    return writer.log(lv.Chat(f"<Ann> - {text}"))


def roll(writer: LogWriter, player: str, faces: str, button: str = "1d6") -> int:
    shown = lv.MutableProperty(f"{button}_result", "0", faces, "Module")
    return writer.log(lv.Chat(f"*** {button} = {faces} *** <{player}>"), shown)


def mark(writer: LogWriter, points: int) -> int:
    """Points marked on the target's shield 1."""
    old = writer.display_states(WE)
    writer.shields[WE][0] -= points
    return writer.log(writer.change(f"{writer.ids[WE]}9", old, writer.display_states(WE)))


def test_a_die_after_the_result_of_the_other_players_was_told(check: Check) -> None:
    writer = at_fire()
    fire(writer)
    roll(writer, "Ben", "2")
    says(writer, "PH-1A hits for 2")
    says(writer, "testing the dice button")
    extra = roll(writer, "Ann", "6")
    assert told(check(writer)) == [("warning", "NOTE/dice-again", extra)]


def test_a_die_before_the_fire_and_the_other_players_after_it(check: Check) -> None:
    writer = at_fire()
    says(writer, "who goes first, I roll")
    roll(writer, "Ann", "6")
    fire(writer)
    roll(writer, "Ben", "2")
    says(writer, "PH-1A hits for 2")
    assert told(check(writer)) == []


@pytest.mark.parametrize("line", ["PH-1A hits for 3", "PH-1A hits", "I hope PH-1A hits for 2"])
def test_what_is_said_before_the_die_settles_nothing_unless_it_fits(check: Check, line: str) -> None:
    writer = at_fire()
    fire(writer)
    slip = roll(writer, "Ben", "2")
    says(writer, line)
    roll(writer, "Ann", "1")
    assert told(check(writer))[0] == ("warning", "NOTE/dice-aside", slip)


def test_a_die_that_may_be_the_damage_charts(check: Check) -> None:
    """No shield stops the fire: of two dice by two players one may have been for the chart."""
    writer = at_fire(bare=True)
    step = fire(writer)
    slip = roll(writer, "Ben", "1")
    roll(writer, "Ann", "2")
    ran = check(writer)
    assert told(ran) == [("warning", "NOTE/dice-aside", slip), ("undecided", "NOTE/dice-whose", step)]
    writer = at_fire(bare=True)
    fire(writer)
    slip = roll(writer, "Ben", "1")
    roll(writer, "Ann", "1")
    assert told(check(writer)) == [("warning", "NOTE/dice-aside", slip)]


def test_a_pair_by_slip_before_the_die(check: Check) -> None:
    writer = at_fire()
    fire(writer)
    slip = roll(writer, "Ann", "6,6", "2d6")
    roll(writer, "Ann", "1")
    says(writer, "PH-1A hits for 3")
    assert told(check(writer)) == [("warning", "NOTE/dice-aside", slip)]


@pytest.mark.parametrize("count", [1, 2, 3])
def test_dice_rolled_before_the_fire(check: Check, count: int) -> None:
    writer = at_fire()
    for face in "651"[-count:]:
        roll(writer, "Ann", face)
    late = fire(writer)
    severity = "warning" if count == 1 else "undecided"
    ran = check(writer)
    assert told(ran) == [(severity, "NOTE/dice-first", late)]
    assert not any("for no fire" in reason for reason in reasons(ran, "E1.1"))


@pytest.mark.parametrize("worded", [True, False])
def test_a_pair_by_slip_and_the_die_of_the_other_player(check: Check, worded: bool) -> None:
    writer = at_fire()
    fire(writer)
    slip = roll(writer, "Ann", "6,6", "2d6")
    roll(writer, "Ben", "2")
    if worded:
        says(writer, "PH-1A hits for 2")
    mark(writer, 2)
    ran = check(writer)
    assert told(ran) == [("warning", "NOTE/dice-aside", slip)]
    (found,) = (f for f in ran.findings() if f["key"] == "NOTE/dice-aside")
    assert found["message"].endswith("Ben rolled 1d6 in the same impulse")


@pytest.mark.parametrize("marked", [2, 1], ids=["fits", "fits neither"])
def test_marks_without_a_word_settle_whose_die_it_was(check: Check, marked: int) -> None:
    writer = at_fire()
    fire(writer)
    roll(writer, "Ben", "2")
    step = mark(writer, marked)
    extra = roll(writer, "Ann", "6")
    keys = [(severity, key) for severity, key, _ in told(check(writer))]
    if marked == 2:
        assert keys == [("warning", "NOTE/dice-again")] and extra > step
    else:
        assert ("error", "D4.1") in keys


def test_marks_by_the_other_players_die_when_both_had_fallen(check: Check) -> None:
    """Which of the two is the shot's is told by nothing but what suits: undecided, whichever it was."""
    writer = at_fire()
    step = fire(writer)
    bens = roll(writer, "Ben", "2")
    roll(writer, "Ann", "6")
    mark(writer, 2)
    ran = check(writer)
    assert told(ran) == [("undecided", "NOTE/dice-whose", step)]
    (found,) = (f for f in ran.findings() if f["key"] == "NOTE/dice-whose")
    assert f"fits the dice of another player (Ben's of step {bens})" in found["message"]


def test_a_die_in_the_step_of_fire_before_it_is_declared(check: Check) -> None:
    writer = at_fire(step=3)
    early = roll(writer, "Ann", "6")
    step = fire(writer)
    late = roll(writer, "Ann", "2")
    mark(writer, 2)
    ran = check(writer)
    assert told(ran) == [("warning", "NOTE/dice-first", step)]
    (found,) = (f for f in ran.findings() if f["key"] == "NOTE/dice-first")
    assert f"step {early}, before" in found["message"] and f"step {late}, after" in found["message"]
    assert not any("for no fire" in reason for reason in reasons(ran, "E1.1"))


def test_a_die_in_another_step_before_the_fire_is_only_listed(check: Check) -> None:
    writer = at_fire()
    early = roll(writer, "Ann", "6")
    writer.advance((1, 2, 0), (1, 2, 3))
    fire(writer)
    roll(writer, "Ann", "2")
    mark(writer, 2)
    ran = check(writer)
    assert told(ran) == []
    assert f"the dice of steps {early} are for no fire declared" in reasons(ran, "E1.1")


def test_a_die_before_the_fire_of_a_later_impulse_is_not_taken_for_the_damage_chart(check: Check) -> None:
    """Shields stopped the fire before: no die is left to fall for it."""
    writer = at_fire(step=3)
    fire(writer)
    roll(writer, "Ann", "2")
    mark(writer, 2)
    writer.advance((1, 2, 3), (1, 3, 3))
    roll(writer, "Ann", "6")
    late = fire(writer, "PH-1B")
    assert told(check(writer)) == [("warning", "NOTE/dice-first", late)]


def test_words_tell_the_shots_dice_from_those_of_the_damage_chart(check: Check) -> None:
    writer = at_fire(bare=True)
    fire(writer)
    slip = roll(writer, "Ben", "6")
    roll(writer, "Ann", "2")
    says(writer, "PH-1A hits for 2")
    assert told(check(writer)) == [("warning", "NOTE/dice-aside", slip)]


def ben_fires(writer: LogWriter) -> int:
    return writer.log(lv.Chat(f"<Ben> - !{WE}: fire PH-1A at {CA}"))


def test_dice_by_slip_that_would_do_for_both_players(check: Check) -> None:
    """As many as all shots take, and then those for each."""
    writer = at_fire()
    fire(writer)
    ben_fires(writer)
    slip = roll(writer, "Ann", "6,1", "2d6")
    roll(writer, "Ann", "2")
    says(writer, "PH-1A hits for 2")
    mark(writer, 2)
    roll(writer, "Ann", "4")
    assert told(check(writer)) == [("warning", "NOTE/dice-aside", slip)]


def test_a_die_rolled_before_it_is_declared_and_the_other_players_for_fun(check: Check) -> None:
    writer = at_fire(step=3)
    roll(writer, "Ann", "2")
    step = fire(writer)
    fun = roll(writer, "Ben", "6")
    mark(writer, 2)
    assert told(check(writer)) == [("warning", "NOTE/dice-aside", fun), ("warning", "NOTE/dice-first", step)]


def test_the_other_players_die_for_fun_where_more_fire_is_to_come(check: Check) -> None:
    """For her second shot Ann has her die rolled by Ben; her own one is that of the first."""
    writer = at_fire()
    fire(writer)
    fun = roll(writer, "Ben", "6")
    roll(writer, "Ann", "2")
    mark(writer, 2)
    fire(writer, "PH-1B")
    slip = roll(writer, "Ann", "6,1", "2d6")
    roll(writer, "Ben", "2")
    mark(writer, 2)
    assert ("warning", "NOTE/dice-aside", fun) in (found := told(check(writer))) and slip
    assert {severity for severity, *_ in found} == {"warning"}
