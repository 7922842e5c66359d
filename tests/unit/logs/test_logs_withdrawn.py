"""Orders in the chat of a log that are taken back, by VASSAL's undo or by a line that says so; lines that are none."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from referee.core.hexgrid import Hex
from referee.formats.vassal import command_types as lv
from tests.cli.conftest import Ran
from tests.unit.logs.test_logs_oddly_legal import CA, D6, PLAYERS, Check, Table, check, found, undo

__all__ = ["check"]
FIRE = "fire PH-1/A at D6 Ship1"
BACK, LATE, OVER_DICE = "NOTE/order-taken-back", "NOTE/undone-late", "NOTE/undo-over-dice"


def undo_line(writer: Table, name: str, text: str, told: str = "* UNDO: ") -> int:
    """VASSAL's undo of a line of chat, which it tells in the language of its player."""
    line = f"{told}&lt;{PLAYERS[name[:2]]}&gt; - !{name}: {text}"
    return writer.log(lv.Undo(True), lv.Chat(line), lv.Undo(False))


def chat(writer: Table, name: str, text: str) -> int:
    return writer.log(lv.Chat(f"&lt;{name}&gt; - {text}"))


def shot(writer: Table, order: str = FIRE) -> None:
    writer.say(CA, order)
    writer.roll(CA, 2)
    writer.mark(D6, {1: 5})


def told(ran: Ran) -> list[tuple[str, Any]]:
    """What is found but for notes on other things."""
    assert ran.err == ""
    rest = [f for f in ran.findings() if f["severity"] != "note" or f["key"] == BACK]
    return [(f["key"], f["location"].get("step")) for f in rest]


@pytest.mark.parametrize("language", ["* UNDO: ", "* ANNULER : ", "* 取り消し: "])
def test_fire_that_is_undone_before_its_die_was_not_fired(check: Check, language: str) -> None:
    writer = Table()
    writer.say(CA, FIRE)
    step = undo_line(writer, CA, FIRE, language)
    writer.next()
    shot(writer)
    assert told(check(writer)) == [(BACK, step)]


def test_fire_at_the_wrong_target_undone_and_declared_again(check: Check) -> None:
    writer = Table()
    wrong = "fire PH-1/A at CA Ship0"
    writer.say(CA, wrong)
    step = undo_line(writer, CA, wrong)
    shot(writer)
    assert told(check(writer)) == [(BACK, step)]


def test_the_same_order_undone_and_typed_again(check: Check) -> None:
    writer = Table()
    writer.say(CA, FIRE)
    step = undo_line(writer, CA, FIRE)
    shot(writer)
    assert told(check(writer)) == [(BACK, step)]


def test_a_typed_line_that_only_looks_like_an_undo(check: Check) -> None:
    writer = Table()
    writer.say(CA, FIRE)
    writer.log(lv.Chat(f"* UNDO: &lt;Ann&gt; - !{CA}: {FIRE}"))
    shot(writer)
    assert "E1.2" in dict(told(check(writer)))


@pytest.mark.parametrize(
    "text", ["speed 20", "ahead", "launch DRN/1 at CA Ship0", "cloak", "hit 21 on 1", "lol"]
)
def test_any_other_order_that_is_undone(check: Check, text: str) -> None:
    writer = Table()
    name = D6 if text.startswith("launch") else CA
    writer.say(name, text)
    step = undo_line(writer, name, text)
    writer.next()
    assert told(check(writer)) == [(BACK, step)]


def test_fire_undone_after_its_die_stands(check: Check) -> None:
    """The die was undone first: what it showed was seen all the same, and declared again it is the same shot."""
    writer = Table()
    writer.say(CA, FIRE)
    writer.roll(CA, 2)
    die = undo(writer, "1d6 = 2", lv.MutableProperty("1d6_result", "2", "1", "Module"))
    step = undo_line(writer, CA, FIRE)
    writer.say(CA, FIRE)
    writer.roll(CA, 2)
    writer.mark(D6, {1: 5})
    keys = told(check(writer))
    assert (OVER_DICE, step) in keys and ("NOTE/dice-taken-back", die) in keys
    assert not any(key.startswith(("E", "D")) for key, _ in keys), keys
    later = Table()
    later.say(CA, FIRE)
    later.roll(CA, 6)
    undo_line(later, CA, FIRE)
    later.next()
    shot(later)
    assert "E2.23" in dict(told(check(later)))


def test_an_answer_that_was_undone_as_well_is_none(check: Check) -> None:
    writer = Table()
    writer.say(CA, FIRE)
    writer.say(D6, "fire PH-2/A at CA Ship0")
    theirs = undo_line(writer, D6, "fire PH-2/A at CA Ship0")
    mine = undo_line(writer, CA, FIRE)
    writer.next()
    shot(writer)
    assert sorted(told(check(writer))) == [(BACK, theirs), (BACK, mine)]


@pytest.mark.parametrize("player", ["Ann", "Ben"])
def test_fire_undone_when_the_other_had_moved_stands(check: Check, player: str) -> None:
    writer = Table(speed=16)
    writer.say(CA, FIRE)
    moved = writer.move_leaf(D6, Hex(40, 30), Hex(40, 31))
    writer.log(replace(moved, player=lv.Secret(f"secret-{player}")))
    step = undo_line(writer, CA, FIRE)
    assert ((LATE if player == "Ben" else BACK), step) in told(check(writer))


def test_an_undone_undo_leaves_the_order(check: Check) -> None:
    writer = Table()
    writer.say(CA, FIRE)
    writer.say(CA, "undo")
    step = undo_line(writer, CA, "undo")
    writer.roll(CA, 2)
    writer.mark(D6, {1: 5})
    assert told(check(writer)) == [(BACK, step)]


@pytest.mark.parametrize(
    "text", ["cancel that", "Cancel that, sorry!", "never mind", "oops, scratch that", "!cancel"]
)
def test_fire_that_is_cancelled_in_chat_before_its_die(check: Check, text: str) -> None:
    writer = Table()
    writer.say(CA, FIRE)
    step = chat(writer, "Ann", text)
    writer.next()
    shot(writer)
    assert told(check(writer)) == [(BACK, step)]


def test_what_does_not_cancel(check: Check) -> None:
    """The other player says so; it is about something else; a die is rolled for the fire all the same."""
    for who, text in (("Ben", "cancel that"), ("Ann", "cancel the party")):
        writer = Table()
        writer.say(CA, FIRE)
        chat(writer, who, text)
        writer.next()
        shot(writer)
        assert "E2.23" in dict(told(check(writer)))
    rolled = Table()
    rolled.say(CA, FIRE)
    chat(rolled, "Ann", "cancel that")
    rolled.roll(CA, 2)
    rolled.mark(D6, {1: 5})
    assert told(check(rolled)) == []
    rolled.next()
    rolled.say(CA, FIRE)
    assert "E2.23" in dict(told(check(rolled)))


SECOND = "fire PH-1/B at D6 Ship1"


@pytest.mark.parametrize(
    "text",
    [
        "cancel PH-1A",
        "Cancel ph-1/a!",
        "scratch my PH-1/A shot, out of arc",
        "!cancel PH-1A",
        "cancel the phasers",
    ],
)
def test_fire_cancelled_by_the_name_of_its_weapon(check: Check, text: str) -> None:
    """The die that falls then is for the other shot."""
    writer = Table()
    writer.say(CA, FIRE)
    writer.say(CA, "fire PHOT/A at D6 Ship1" if text.endswith("phasers") else SECOND)
    step = chat(writer, "Ann", text)
    writer.roll(CA, 2)
    if not text.endswith("phasers"):
        writer.mark(D6, {1: 5})
    writer.next()
    shot(writer)
    keys = [key for key in told(check(writer)) if key[0] not in ("E4.1", "E4.3")]
    assert (BACK, step) in keys and "E2.23" not in dict(keys), keys
    if not text.endswith("phasers"):
        assert keys == [(BACK, step)]


def test_what_a_name_takes_back_is_one_order(check: Check) -> None:
    """The other, that was rolled for, was fired; one whose die had fallen too."""
    for second, again in ((FIRE, SECOND), (SECOND, SECOND)):
        writer = Table()
        writer.say(CA, FIRE)
        writer.say(CA, SECOND)
        if second == again:
            writer.roll(CA, 6)
            writer.roll(CA, 2)
            writer.mark(D6, {1: 5})
            chat(writer, "Ann", "cancel PH-1B")
        else:
            chat(writer, "Ann", "cancel PH-1A")
            writer.roll(CA, 2)
            writer.mark(D6, {1: 5})
        writer.next()
        shot(writer, again)
        found = [(f["key"], f["severity"]) for f in check(writer).findings()]
        assert ("E2.23", "error") in found


@pytest.mark.parametrize(
    "text", ["cancel all", "cancel both", "cancel PH-1A and PH-1B", "cancel the phasers"]
)
def test_all_fire_cancelled(check: Check, text: str) -> None:
    writer = Table()
    writer.say(CA, FIRE)
    writer.say(CA, SECOND)
    step = chat(writer, "Ann", text)
    writer.next()
    writer.say(CA, "fire PH-1/A, PH-1/B at D6 Ship1")
    writer.roll(CA, 2)
    writer.roll(CA, 2)
    writer.mark(D6, {1: 10})
    assert told(check(writer)) == [(BACK, step), (BACK, step)]


def test_the_last_of_two_cancelled_and_the_other_rolled_for(check: Check) -> None:
    writer = Table()
    writer.say(CA, FIRE)
    writer.say(CA, SECOND)
    step = chat(writer, "Ann", "cancel that, out of arc")
    writer.roll(CA, 2)
    writer.mark(D6, {1: 5})
    writer.next()
    shot(writer, SECOND)
    assert told(check(writer)) == [(BACK, step)]


def test_fire_cancelled_and_declared_again_after_another_die(check: Check) -> None:
    writer = Table()
    writer.say(CA, FIRE)
    step = chat(writer, "Ann", "cancel that")
    writer.roll(CA, 4)
    shot(writer)
    keys = dict(told(check(writer)))
    assert keys.pop(BACK) == step
    assert not any(key.startswith(("E", "D")) for key in keys), keys


def test_fire_cancelled_over_its_die_is_fired_twice(check: Check) -> None:
    """The first die was not liked."""
    writer = Table()
    writer.say(CA, FIRE)
    writer.roll(CA, 6)
    chat(writer, "Ann", "cancel PH-1A")
    shot(writer)
    assert "E1.2" in dict(told(check(writer)))


def test_a_die_after_the_cancel_leaves_it_open(check: Check) -> None:
    """Nothing was marked or told for that die; where something was, the shot was fired."""
    writer = Table()
    writer.say(CA, FIRE)
    chat(writer, "Ann", "cancel that")
    writer.roll(CA, 4)
    writer.next()
    shot(writer)
    found = [(f["key"], f["severity"]) for f in check(writer).findings()]
    assert ("E2.23", "undecided") in found


@pytest.mark.parametrize("text", ["cancel the party", "cancel what I said about the drones"])
def test_what_is_cancelled_in_unclear_words_is_left_open(check: Check, text: str) -> None:
    writer = Table()
    writer.say(CA, FIRE)
    writer.say(CA, SECOND)
    chat(writer, "Ann", text)
    writer.roll(CA, 2)
    writer.mark(D6, {1: 5})
    writer.next()
    shot(writer)
    found = [(f["key"], f["severity"]) for f in check(writer).findings()]
    assert ("E2.23", "undecided") in found and ("E2.23", "error") not in found


# -- no orders ---------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["!", "!!", "!?!", "! :-)", "!pass", "!Hold fire.", "!done"])
def test_an_outcry_is_no_order(check: Check, text: str) -> None:
    writer = Table()
    chat(writer, "Ann", text)
    writer.next()
    assert told(check(writer)) == []


def test_an_order_without_a_ship_by_somebody_who_plays_none(check: Check) -> None:
    writer = Table()
    step = chat(writer, "Carol", "!fire PH-1/A at D6 Ship1")
    writer.next()
    ran = check(writer)
    assert [(f[0], f[1], f[3]) for f in found(ran)] == [("warning", "NOTE/order-by-stranger", step)]


@pytest.mark.parametrize(("rolled", "verdict"), [(False, "undecided"), (True, "error")])
def test_fire_called_off_in_other_words_is_no_certain_shot(check: Check, rolled: bool, verdict: str) -> None:
    """Where no die fell for it. With a die it was fired, whatever is said."""
    writer = Table()
    writer.say(CA, FIRE)
    if rolled:
        writer.roll(CA, 6)
    chat(writer, "Ann", "I would rather keep it for later")
    writer.next()
    writer.say(CA, FIRE)
    step = len(writer.steps)
    writer.roll(CA, 2)
    writer.mark(D6, {1: 5})
    found = [(f["key"], f["severity"], f["location"].get("step")) for f in check(writer).findings()]
    assert ("E2.23", verdict, step) in found
