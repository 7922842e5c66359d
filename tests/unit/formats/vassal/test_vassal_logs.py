"""Logs as games: the state at a step, courses of counters, turns and the hexes they lead into, speed."""

from __future__ import annotations

from random import Random

import pytest

from referee.core.errors import BadInput
from referee.core.hexgrid import Hex
from referee.core.location import Location
from referee.core.play import Move, When
from referee.formats.vassal import command_types as lv
from referee.formats.vassal.course import NOT_SEEN, Change, Course, Stand, TakenBack
from referee.formats.vassal.game import read_save
from referee.formats.vassal.logged import read_log
from referee.formats.vassal.module import read_module
from referee.formats.vassal.moves import moves_of
from referee.formats.vassal.recognise import Clock
from referee.formats.vassal.replay import replay, state_at
from referee.formats.vassal.spoken import ButtonRoll, called_out, rolls_of, typed
from tests.unit.formats.vassal.game_logs import legal_game, module_bytes, write_log

A, B, C = (Stand(Hex(10, row), "A") for row in (10, 9, 8))
NOW, LATER = Clock(1, 2), Clock(1, 3)


def test_the_game_at_a_step() -> None:
    written = write_log(legal_game(Random(3), ships=2, turns=1))
    save = read_save(written.data, "game.vlog")
    module = read_module(module_bytes(), "m.vmod")
    moments = list(replay(save, module))
    for n in (1, 7, len(moments)):
        there = state_at(save, n, module)
        assert {p.id: p for p in there.pieces} == dict(moments[n - 1].pieces)
        assert {t.tracker: t for t in there.turns} == dict(moments[n - 1].turns)
        assert len(there.steps) == len(save.steps) - n
    assert state_at(save, 0).pieces == save.pieces and state_at(save, 0).chat == ()
    assert state_at(save, len(moments)).chat == save.chat
    with pytest.raises(BadInput, match="has no step"):
        state_at(save, len(moments) + 1)


def test_what_is_undone_never_was() -> None:
    course = Course(A)
    assert course.go(1, NOW, B, undo=False) is None
    assert course.go(2, LATER, C, undo=False) is None
    assert course.go(5, LATER, B, undo=True) == TakenBack(5, 2, True)
    assert course.changes == [Change(1, NOW, A, B)]
    assert course.go(6, LATER, A, undo=True) == TakenBack(6, 1, True)
    assert course.changes == [] and course.stand == A


def test_back_in_a_later_impulse_is_a_move() -> None:
    course = Course(A)
    course.go(1, NOW, B, undo=False)
    assert course.go(2, LATER, A, undo=False) is None
    assert len(course.changes) == 2
    unknown = Course(A)
    unknown.go(1, Clock(), B, undo=False)
    assert unknown.go(2, Clock(), A, undo=False) is None


def test_an_undo_takes_back_nothing_from_long_before() -> None:
    """A ship that circled is put back, as by a step undone in part, to where it stood in an earlier impulse."""
    course = Course(A)
    for step, impulse, stand in ((1, 2, B), (2, 3, C), (3, 4, A), (4, 5, C)):
        course.go(step, Clock(1, impulse), stand, undo=False)
    course.go(5, Clock(1, 5), B, undo=True)
    assert [change.step for change in course.changes] == [1, 2, 3, 4, 5]


def test_an_undo_that_fits_nothing_is_a_move() -> None:
    course = Course(A)
    assert course.go(1, NOW, C, undo=True) is None
    assert len(course.changes) == 1


def test_a_turn_and_its_hex_are_one_move() -> None:
    turned = Stand(Hex(10, 10), "B")
    there = Stand(Hex(11, 10), "B")
    told = moves_of({"X": (Change(4, NOW, A, turned), Change(5, NOW, turned, there))}, "f")
    place = Location("f", piece="X", step=5)
    assert told.moves == (Move("X", When(1, 2), Hex(10, 10), Hex(11, 10), "A", "B", place),)
    assert told.turned_in == {("X", 5): 4} and told.turned == () and told.gone == ()


def test_turned_there_and_back_is_nothing() -> None:
    turned = Stand(Hex(10, 10), "B")
    told = moves_of({"X": (Change(4, NOW, A, turned), Change(5, LATER, turned, A))}, "f")
    assert told.moves == () and told.turned == ()


def test_out_of_sight() -> None:
    told = moves_of({"X": (Change(4, NOW, A, NOT_SEEN), Change(9, LATER, NOT_SEEN, C))}, "f")
    assert told.moves == () and [gone.step for gone in told.gone] == [4, 9]


@pytest.mark.parametrize(
    ("text", "clock"),
    [
        ("Turn 3, impulse 5", Clock(3, 5)),
        ("=== TURN 4 ===", Clock(4, None)),
        ("imp 7", Clock(1, 7)),
        ("Impulse 7 of turn 2", Clock(2, 7)),
        ("turn 3 I will run", Clock(1, 2)),
        ("", Clock(1, 2)),
    ],
)
def test_called_out_in_chat(text: str, clock: Clock) -> None:
    assert called_out(text, NOW).moment == clock.moment and called_out(text, NOW).turn == clock.turn


def test_typed_lines_and_dice() -> None:
    line = typed("&lt;Bo>b&gt; - !fire A &amp; B")
    assert line is not None and line.text == "!fire A &amp; B"
    assert typed("* CA moves *") is None and typed("") is None
    save = read_save(write_log(legal_game(Random(1))).data, "x.vlog")
    chat = lv.Chat("*** 2d6 = 4,1 *** &lt;Bob&gt;")
    step = type(save.steps[0])(1, (chat, lv.MutableProperty("2d6_result", "1", "4,1", "Module")))
    assert rolls_of(step) == (ButtonRoll("2d6", "4,1", "Bob"),)
    assert rolls_of(type(step)(1, (chat,))) == (ButtonRoll("2d6", "4,1", "Bob"),)
    assert rolls_of(type(step)(1, (lv.Chat("hello"),))) == ()


def test_impulses_end_in_the_step_that_leaves_them() -> None:
    game = legal_game(Random(2), ships=1, turns=2)
    written = write_log(game)
    logged = read_log(read_save(written.data, "x.vlog"), read_module(module_bytes(), "m.vmod"))
    assert dict(logged.ends) == written.over
    assert (logged.start.moment, logged.end.moment) == ((1, 1), (3, 1))
    assert logged.start.impulses == 16
