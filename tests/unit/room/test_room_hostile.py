"""A room full of strangers: nothing that is said there runs, crashes or misleads the referee, and the game goes on."""

from __future__ import annotations

import base64
from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from referee.formats.vassal.commands import encode_leaf
from referee.formats.vassal.sequence import encode
from referee.play.game_file import open_game
from referee.room.framing import Lines
from referee.room.pace import Pace
from referee.room.packing import packed
from referee.room.properties import write_properties
from referee.room.session import ANSWER_WITHIN, Over, Session
from tests.conftest import examples, mostly_long
from tests.unit.room.conftest import Room
from tests.unit.room.games import Told

Seat = Callable[..., Told]
LINES = "impulse 2\nConst ahead\nDestr ahead\n"
GARBAGE = (
    "LIST",
    "LIST\t",
    "LIST\tx=y=z\t\\\t'",
    "LIST\t" + "/" * 1000,
    "ROOM_INFO\t\\u12",
    "ROOM_INFO\tDuel=owner\\=",
    "SYNC",
    "SYNCname=Eve",
    "PRIV_CHAT/x/y",
    "!ZIP!",
    "!ZIP!====",
    "!ZIP!" + base64.b64encode(b"PK\x03\x04" + b"\0" * 40).decode(),
    "FWD\tx",
    "KICK\tx",
    "INVITE\tEve\tid\tDuel",
    "D/1/2/3",
    "D/nothere/x",
    "M/1/Space/99999999999/1/null/Space/1/1/null",
    "M/nothere/Space/1/1/null/Space/1/1/null",
    "+/1/stack/Space;x;y",
    "+/null/piece;;;;/",
    "-/nothere",
    "TURNTurnTracker0\t" + "9;" * 200,
    "MutableProperty\ta",
    "GlobalProperty\t;",
    "PLAYER\tx",
    "UNDO\ttrue",
    "LOG\tCHATx",
    "begin_save",
    "begin_save\x1bend_save",
    "\x1b" * 2000,
    "\\\x1b" * 200 + "x",
    "CHAT",
    "CHAT&lt;&gt; - !hit",
    "CHAT\u202e\u200b\x07\x9b31m",
    "CHAT&lt;Ann&gt; - !" + "a" * 5000,
    "CHAT&lt;Ann&gt; - !:::::",
    "CHAT&lt;Ann&gt; - !Const: fire \\ at \\",
    "CHAT&lt;Ann&gt; - !roll 0d0",
    "CHAT&lt;Ann&gt; - !hit -1 on 9",
    "CHAT&lt;Ann&gt; - !seal \u202e",
)


@pytest.mark.parametrize("line", mostly_long(GARBAGE, lambda line: line in GARBAGE[::3]))
def test_garbage_is_passed_over_and_the_game_goes_on(room: Room, seated: Seat, line: str) -> None:
    room.plays(seated(LINES))
    room.comes("Eve")
    head = open_game(room.record).head
    lines = len(room.log)
    room._gets("Referee", line)
    room.pump()
    assert len([one for one in room.log[lines:] if not one.startswith((">", "Ann:"))]) <= 2
    assert "internal fault" not in "\n".join(room.log), room.log[-1]
    assert not room.over
    assert open_game(room.record).head == head or "seal" in line
    assert room.says("Ann", "!status") or line.startswith(("LIST", "ROOM_INFO"))


@examples(60, suppress_health_check=list(HealthCheck))
@given(
    st.lists(st.text(max_size=60), max_size=5),
    st.sampled_from(["", "CHAT", "D/", "M/", "+/", "LIST\t", "TURN"]),
)
def test_no_frame_crashes(room: Room, texts: list[str], kind: str) -> None:
    if room._sitting is None:
        from tests.unit.room.games import told

        game = told(LINES)
        room.comes("Ann", "Ben")
        room.referee(game.named)
        room.serves("Ann", game.start)
    room._gets("Referee", kind + "\x1b".join(texts))
    room.now += 100
    assert "internal fault" not in "\n".join(room.log), room.log[-1]


def test_forged_rulings_are_named_as_such(room: Room, seated: Seat) -> None:
    room.plays(seated(LINES))
    for line in (
        "CHAT* Referee: Const is destroyed",
        "CHAT-<b>Referee: you lose</b>",
        "CHAT&lt;Referee&gt; - !hit 99 on 1",
        "CHAT-! &lt;Referee&gt; the dice were 6 6 6",
        "CHAT- <font size=1>Re</font>feree\u200b: all ships explode",
    ):
        room.now += 60
        before = len(room.heard["Ann"])
        entries = len(open_game(room.record).entries)
        room.tells("Ben", line)
        assert any("is not mine" in one for one in room.heard["Ann"][before:]), line
        assert len(open_game(room.record).entries) == entries
    room.tells("Ben", "CHAT* Referees are nice: yes")
    assert room.heard["Ann"][-1] == "CHAT* Referees are nice: yes"


def test_a_hundred_megabytes_without_a_line_break_are_one_line_of_the_log() -> None:
    lines = Lines()
    found = [line for _ in range(1_600) for line in lines.feed(b"A" * 65_536)]
    assert len(found) == 1


def test_a_zip_bomb_is_one_line_of_the_log(room: Room, seated: Seat) -> None:
    room.plays(seated(LINES))
    lines = len(room.log)
    room._gets("Referee", packed("CHAT" + "a" * (40 << 20)))
    assert [one for one in room.log[lines:] if "unpacks to more" in one] == room.log[lines:]


@pytest.mark.long
def test_a_thousand_joins_are_followed_and_few_lines_of_the_log(room: Room, seated: Seat) -> None:
    room.plays(seated(LINES))
    lines = len(room.log)
    real = room.server.clients[room._numbers["Referee"]]
    rows = [encode((f"{room.module}/Duel/{real.id}", real.info), "=")]
    for n in range(1_000):
        rows.append(encode((f"{room.module}/Duel/eve{n}", write_properties({"name": f"Eve{n}"})), "="))
        room._gets("Referee", "LIST\t" + encode(rows, "\t"))
    assert len(room.sitting.session.members) == 1_001
    assert len(room.log) - lines <= 25
    room.passes(1)
    assert "more things like that, passed over" in room.log[-1]
    assert not [one for one in room.log if "internal" in one]


def test_names_that_deceive_are_shown_as_they_are(room: Room, seated: Seat) -> None:
    room.plays(seated(LINES))
    evil = "Ann\u202e<b>x"
    room.comes(evil)
    room.tells(evil, f"CHAT&lt;{evil}&gt; - !status")
    said = "\n".join(line for line in room.heard["Ben"] if "Referee" in line)
    assert "\u202e" not in said and "<b>" not in said


def test_a_flood_of_orders_is_not_answered_to_the_last(room: Room, seated: Seat) -> None:
    room.plays(seated(LINES))
    before = len(room.heard["Ben"])
    for _ in range(500):
        room.tells("Ann", "CHAT&lt;Ann&gt; - !status")
    answers = [one for one in room.heard["Ben"][before:] if "turn 1" in one]
    assert len(answers) <= 20
    assert any("too many orders at once" in one for one in room.heard["Ben"])
    room.passes(5)
    assert any("were not answered" in one for one in room.log)
    assert room.says("Ann", "!status")


def test_a_counter_dragged_about_a_thousand_times_ends_where_it_lies(room: Room, seated: Seat) -> None:
    game = seated("impulse 2\nConst ahead\nDestr ahead\n" + "Const put at 2020A\nConst put at 2011D\n" * 30)
    room.plays(game)
    room.passes(5)
    assert room.sitting.game is not None
    assert room.sitting.game.stand("Const").hex == open_game(room.record).state.ships["Const"].unit.hex


def test_a_server_that_never_answers_is_left() -> None:
    session = Session("m", "Duel", "id", {"name": "Referee"})
    session.begin(0.0)
    assert not list(session.tick(ANSWER_WITHIN - 1))
    (over,) = session.tick(ANSWER_WITHIN + 1)
    assert isinstance(over, Over) and "not answered" in over.why


def test_a_locked_room_is_given_up(room: Room) -> None:
    room.comes("Ann")
    room.server.locked.add("Duel")
    room.referee()
    room.passes(50)
    assert "does not open" in room.over


def test_being_put_out_ends_the_stay(room: Room, seated: Seat) -> None:
    seated(LINES)
    room.sends("Ann", f"KICK\t{room.id('Referee')}")
    assert "put out" in room.over


def test_pieces_without_number_are_refused(room: Room, seated: Seat) -> None:
    room.plays(seated(LINES))
    game = room.sitting.game
    assert game is not None
    game._added = 64 << 20
    from referee.formats.vassal import command_types as lv

    room.tells("Ben", encode_leaf(lv.AddPiece("77", "piece;;;;x" + "y" * 2000, "Space;1;1;1;0")))
    assert "77" not in game.board.pieces
    assert any("more pieces were added" in one for one in room.log)


def test_a_pace_lets_a_burst_pass_and_then_so_many_a_second() -> None:
    pace = Pace(3, 2)
    assert [pace.lets(0.0) for _ in range(5)] == [True, True, True, False, False]
    assert pace.forget() == 2 and pace.forget() == 0
    assert [pace.lets(1.0) for _ in range(3)] == [True, True, False]
