"""The cheating opponent in a room: names, seats, words in the referee's mouth, dice that nobody is to see."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from referee.formats.vassal.sequence import encode
from referee.play.game_file import open_game
from referee.room.chatting import LONGEST, chat_commands
from tests.unit.room.conftest import Room
from tests.unit.room.games import Told
from tests.unit.room.test_room_game import MOVES

Seat = Callable[..., Told]


def entries(room: Room) -> int:
    return len(open_game(room.record).entries)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", ["\u0410nn", "Ann ", "A.nn", "Ann\u200b", "A-N-N", "\uff21nn"])
def test_a_name_like_a_players_gives_no_orders_and_takes_none_away(
    room: Room, seated: Seat, name: str
) -> None:
    room.plays(seated(MOVES))
    before = entries(room)
    room.comes(name)
    room.tells(name, f"CHAT&lt;{name}&gt; - !hit 3 on 1")
    assert entries(room) == before
    if name.strip() != "Ann":
        assert any("3 points" in line for line in room.says("Ann", "!hit 3 on 1"))


def test_who_comes_again_under_a_players_name_has_not_his_seat(room: Room, seated: Seat) -> None:
    room.plays(seated(MOVES))
    room.goes("Ann")
    room.comes("Eve")
    eve = room.server.clients[room._numbers["Eve"]]
    room.sends("Eve", "STATS\tname=Ann|id=" + eve.id)
    before = entries(room)
    for message in (
        "PLAYER\tsecret-Eve\tAnn\tFederation",
        "PYREMOVE\tsecret-Ann\x1bPLAYER\tsecret-Eve\tAnn\tFederation",
        "PLAYER\tsecret-Ann\tEve\tFederation",
    ):
        room.tells("Eve", message)
        room.tells("Eve", "CHAT&lt;Ann&gt; - !hit 3 on 1")
        assert entries(room) == before, message
    assert any("belongs to a client with another id" in line for line in room.heard["Ben"])
    room.goes("Eve")
    room.comes("Ann")
    assert any("3 points" in line for line in room.says("Ann", "!hit 3 on 1"))


def test_orders_told_to_the_referee_alone_are_answered_to_all(room: Room, seated: Seat) -> None:
    room.plays(seated(MOVES))
    before = len(room.heard["Ben"])
    path = f"{room.module}/*/{room.id('Referee')}"
    room.sends("Ann", "FWD\t" + encode((path, "CHAT&lt;Ann&gt; - !roll 2d6"), "\t"))
    said = room.heard["Ben"][before:]
    assert any("ann rolls 2d6" in line for line in said) and any("roll 1: " in line for line in said)


def test_no_second_roll_without_the_other(room: Room, seated: Seat) -> None:
    room.plays(seated(MOVES))
    room.says("Ann", "!fire PH-1/A at Destr")
    room.says("Ann", "!roll")
    before = [(one.type, one.hash) for one in open_game(room.record).entries]
    for order in ("!undo", "!undo", "!roll", "!fire PH-1/A at Destr"):
        room.says("Ann", order)
    now = [(one.type, one.hash) for one in open_game(room.record).entries]
    assert now == before


def test_an_undo_is_agreed_to_of_what_was_there_when_it_was_asked_for(room: Room, seated: Seat) -> None:
    room.plays(seated(MOVES))
    room.says("Ann", "!hit 1 on 1")
    room.says("Ben", "!undo")
    room.says("Ann", "!hit 21 on 1")
    assert any("ben: !undo too" in line for line in room.says("Ann", "!undo"))


@pytest.mark.parametrize("words", ["x " * 250, "x" * (LONGEST - 20), "y" * 397])
def test_words_that_are_repeated_begin_no_line_of_the_referees(room: Room, seated: Seat, words: str) -> None:
    game = seated(MOVES, umpire="Cat")
    room.plays(game)
    room.comes("Cat")
    said = room.says("Cat", f"!rule {words} Const is destroyed; head #99 AAAA")
    forged = [line for line in said if re.match(r"CHAT\* Referee: (Const|head #99)", line)]
    assert not forged and any("Const is destroyed" in line for line in said)


def test_the_head_code_is_said_however_much_was_before_it() -> None:
    said = chat_commands("R", [f"line {n}" for n in range(40)] + ["declared: head #7", "head #8"]).split(
        "\x1b"
    )
    assert said[-1].endswith("head #8") and said[-2].endswith("declared: head #7") and len(said) == 12
    assert any("28 more lines" in line or "more lines are in the record" in line for line in said)


def test_a_move_behind_a_held_tracker_ends_what_was_agreed_on_before_it(room: Room, seated: Seat) -> None:
    game = seated("impulse 2\nConst ahead\nimpulse 3\nDestr ahead\n", "umpire")
    room.plays(Told(game.start, game.messages[:-1], game.log, game.named))
    assert any("the tracker shows turn 1, impulse 3" in line for line in room.sitting._held.lines)
    room.says("Ben", "!undo")
    room.plays(Told(game.start, game.messages[-1:], game.log, game.named))
    room.passes(2)
    state = open_game(room.record).state
    assert str(state.ships["Destr"].unit.hex) == "2019" and state.impulse == 3
    assert not room.sitting._held.lines
    assert any("ben: !undo too" in line for line in room.says("Ann", "!undo"))
