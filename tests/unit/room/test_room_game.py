"""A game in a room: the referee follows it, answers in chat, and keeps a record that says what the log of it says."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from referee.core.finding import Severity
from referee.judging.files import judge_file
from referee.play.game_file import open_game
from referee.record.headcode import check_head, parse_head
from referee.room.following import RoomGame
from referee.sources.asked import Asked
from referee.sources.inputs import InputBytes, read_input
from referee.sources.settings import Settings
from tests.unit.room.conftest import Room
from tests.unit.room.games import Told, module, write_module

Seat = Callable[..., Told]
MOVES = """
    form Const: Movement 8
    form Destr: Movement 8
    impulse 2
    Const ahead
    Destr ahead
    impulse 4
    Const ahead
    Destr ahead
    """
TOO_EARLY = (
    MOVES
    + """
    impulse 6
    Const right
    Destr ahead
    impulse 8
    Const right
    Destr ahead
    impulse 10
    Const ahead
    Destr left
    """
)


def fouls(record: str) -> list[tuple[str, str, int, int | None]]:
    return [
        (one.data["rule"], one.data["subject"], one.data["turn"], one.data.get("impulse"))
        for one in open_game(record).entries
        if one.type == "foul"
    ]


def test_a_scripted_game_says_in_the_record_what_the_audit_of_its_log_says(room: Room, seated: Seat) -> None:
    game = seated(TOO_EARLY)
    room.plays(game)
    asked = Asked(
        Settings("sfb-cadet", {"previous_speed": "8"}),
        ships=game.named,
        module=write_module(room.folder),
        digests=False,
    )
    by_log = judge_file(InputBytes("game.vlog", game.log, "save"), asked)
    by_record = judge_file(read_input(room.record), asked)
    errors = [
        {
            (one.rule, one.subject, one.turn, one.impulse)
            for one in report.findings
            if one.severity is Severity.ERROR
        }
        for report in (by_log, by_record)
    ]
    assert errors[0] == errors[1] != set()
    state = open_game(room.record).state
    for name, ship in state.ships.items():
        stand = room.sitting.game.stand(name) if room.sitting.game else None
        assert stand is not None and (ship.unit.hex, ship.unit.facing) == stand
    moved = [one.data for one in open_game(room.record).entries if one.type == "order"]
    assert len(moved) == 10


def test_forms_on_the_table_are_filed_as_each_turn_begins(room: Room, seated: Seat) -> None:
    lines = "form Const 1: Movement 8\nform Destr 1: Movement 8\nimpulse 2\nConst ahead\nDestr ahead\n"
    game = seated(lines + "form Const 2: Movement 9\nform Destr 2: Movement 30\nclock 1.16\nclock 2.1\n")
    room.plays(game)
    state = open_game(room.record).state
    assert [sorted(ship.forms) for ship in state.ships.values()] == [[1, 2], [1, 2]]
    assert state.ships["Const"].speeds[2] == 9
    assert any(one[1] == "Destr" and one[2] == 2 for one in fouls(room.record))


def test_a_drag_of_several_hexes_is_entered_with_its_fouls(room: Room, seated: Seat) -> None:
    room.plays(seated("impulse 2\nConst put at 2012D\nDestr ahead\nimpulse 4\nConst ahead\n"))
    assert str(open_game(room.record).state.ships["Const"].unit.hex) == "2013"
    assert any(one[1] == "Const" for one in fouls(room.record))


def test_a_ship_that_was_put_far_away_is_told_of_once(room: Room, seated: Seat) -> None:
    room.plays(
        seated("impulse 2\nConst put at 3001D\nDestr ahead\nimpulse 4\nConst ahead\nimpulse 6\nConst ahead\n")
    )
    assert len([one for one in room.log if "does not come from" in one]) == 1


def test_a_warning_goes_to_the_mover_alone(room: Room, seated: Seat) -> None:
    game = seated(TOO_EARLY)
    room.plays(game)
    to_ann = [line for line in room.heard["Ann"] if "Const" in line and "[C" in line]
    assert to_ann
    assert not set(to_ann) & set(room.heard["Ben"])


def test_quiet_says_nothing_that_nobody_asked_for(room: Room, seated: Seat) -> None:
    game = seated(TOO_EARLY, "quiet")
    before = [len(room.heard[name]) for name in ("Ann", "Ben")]
    room.plays(game)
    said = [line for name, n in zip(("Ann", "Ben"), before, strict=True) for line in room.heard[name][n:]]
    assert not [line for line in said if "Referee" in line]
    assert fouls(room.record)


def test_umpire_holds_what_is_against_the_rules(room: Room, seated: Seat) -> None:
    game = seated(TOO_EARLY, "umpire")
    room.plays(game)
    assert any("held 1: Const stands at" in line for line in room.heard["Ben"])
    assert not [one for one in fouls(room.record) if one[1] == "Const"]


def test_a_move_taken_back_on_the_map_is_taken_back_in_the_record(room: Room, seated: Seat) -> None:
    game = seated(MOVES + "undo Destr ahead\n")
    room.plays(game)
    state = open_game(room.record).state
    assert str(state.ships["Destr"].unit.hex) == "2019"
    assert [one.type for one in open_game(room.record).entries][-1] == "undo"


def test_damage_is_rolled_and_told_with_head_codes(room: Room, seated: Seat) -> None:
    game = seated(MOVES)
    room.plays(game)
    said = room.says("Ann", "!hit 21 on 1")
    assert any("21 points on #1" in line for line in said)
    heads = [parse_head(found[1]) for line in said if (found := re.search(r"head (#.*)", line))]
    hashes = [one.hash for one in open_game(room.record).entries]
    assert [check_head(head, hashes) for head in heads] == [head.seq for head in heads]
    entries = open_game(room.record).entries
    assert entries[heads[0].seq or 0].type == "declare" and heads[-1].seq == len(entries) - 1
    assert open_game(room.record).state.ships["Const"].state.shields[1] == 0


def test_orders_count_from_the_player_whose_ship_it_is(room: Room, seated: Seat) -> None:
    game = seated(MOVES)
    room.plays(game)
    said = room.says("Ben", "!Const: hit 3 on 1")
    assert any("does not play" in line for line in said), said
    room.comes("Eve")
    before = len(open_game(room.record).entries)
    assert any("ann, ben" in line for line in room.says("Eve", "!hit 3 on 1"))
    room.tells("Eve", "CHAT&lt;Nobody&gt; - !hit 3 on 1")
    assert len(open_game(room.record).entries) == before
    assert any("turn 1" in line for line in room.says("Eve", "!status"))


def test_two_of_one_name_give_no_orders(room: Room, seated: Seat) -> None:
    room.plays(seated(MOVES))
    room.comes("ann")
    before = len(open_game(room.record).entries)
    room.says("Ann", "!hit 3 on 1")
    assert len(open_game(room.record).entries) == before
    assert any("2 in the room are called Ann" in line for line in room.log)


def test_all_players_agree_to_an_undo(room: Room, seated: Seat) -> None:
    room.plays(seated(MOVES))
    room.says("Ann", "!hit 21 on 1")
    assert any("ben: !undo too" in line for line in room.says("Ann", "!undo"))
    assert open_game(room.record).state.ships["Const"].state.shields[1] == 0
    room.says("Ben", "!undo")
    assert open_game(room.record).state.ships["Const"].state.shields[1] == 15


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("order", "words"),
    [
        ("!help", "nothing here proves who speaks"),
        ("!status", "turn 1, impulse 4"),
        ("!odds", "do damage"),
        ("!roll 2d6", "roll 1"),
        ("!roll", "nothing is to be rolled"),
        ("!speed 13", "move the game on"),
        ("!fire PH-1/A at Destr", "fire PH-1/A at Destr"),
        ("!next", "impulse 5"),
        ("!head", "head #"),
        ("!seal " + "ab" * 32, "has sealed abababab"),
        ("!seal plan nine", "has sealed a remark"),
        ("!seal", "seal what?"),
        ("!nonsense", "is no order"),
        ("!join again", "has joined already"),
        ("!key x", "not entered"),
        ("!roll 99999d6", "not entered"),
    ],
)
def test_orders_are_answered(room: Room, seated: Seat, order: str, words: str) -> None:
    room.plays(seated(MOVES))
    said = room.says("Ann", order)
    assert any(words in line for line in said), said
    open_game(room.record)


def test_fire_is_declared_by_both_and_thrown_when_somebody_says_so(room: Room, seated: Seat) -> None:
    room.plays(seated(MOVES))
    room.says("Ann", "!fire PH-1/A at Destr")
    room.says("Ben", "!fire PH-2/1 at Const")
    said = room.says("Ann", "!roll")
    assert any("PH-1/A" in line for line in said), said
    assert not open_game(room.record).state.unrolled


def test_the_first_in_a_room_says_that_it_has_no_game(room: Room) -> None:
    room.referee()
    room.comes("Ann")
    room.sends("Ann", f"FWD\t{room.module}/*/{room.id('Referee')}\tSYNCname=Ann|id={room.id('Ann')}")
    assert any("I have no game" in line for line in room.heard["Ann"])


def test_ownership_moves_and_the_newcomer_gets_the_game_as_it_stands(room: Room, seated: Seat) -> None:
    game = seated(MOVES)
    room.plays(game)
    room.goes("Ann")
    room.goes("Ben")
    assert room.server.owners["Duel"] == room.id("Referee")
    room.comes("Cat")
    room.sends("Cat", f"FWD\t{room.module}/*/{room.id('Referee')}\tSYNCname=Cat|id={room.id('Cat')}")
    assert "begin_save" in room.heard["Cat"] and "end_save" in room.heard["Cat"]


def test_after_a_crash_the_referee_goes_on_with_the_record_and_serves_the_game(
    room: Room, seated: Seat
) -> None:
    game = seated(MOVES)
    room.plays(game)
    room.sitting.save()
    head = open_game(room.record).head
    room.server.closed(room._numbers.pop("Referee"))
    room.goes("Ann")
    room.goes("Ben")
    room.referee(game.named)
    room.comes("Ann", "Ben")
    room.sends("Ann", f"FWD\t{room.module}/*/{room.id('Referee')}\tSYNCname=Ann|id={room.id('Ann')}")
    assert "begin_save" in room.heard["Ann"]
    assert open_game(room.record).head == head
    assert any("21 points" in line for line in room.says("Ann", "!hit 21 on 1"))


@pytest.mark.parametrize("mode", ["advise", "umpire", "quiet"])
def test_what_was_moved_while_the_referee_was_away_is_named(room: Room, seated: Seat, mode: str) -> None:
    game = seated(MOVES, mode)
    half = len(game.messages) // 2
    for message in game.messages[:half]:
        room.tells("Ann", message)
    room.pump()
    before = open_game(room.record)
    room.server.closed(room._numbers.pop("Referee"))
    away = RoomGame(room.sitting.game.text if room.sitting.game else "", module())
    for message in game.messages[half:]:
        away.play(message)
    room.referee(game.named, mode)
    room.serves("Ann", away.text)
    said = [line for line in room.heard["Ben"] if "in the record at" in line]
    assert bool(said) == (mode != "quiet"), room.heard["Ben"]
    assert open_game(room.record).head == before.head


def test_the_referee_asks_again_and_asks_another(room: Room, seated: Seat) -> None:
    room.comes("Ann", "Ben")
    room.referee()
    asked = lambda name: [line for line in room.heard[name] if line.startswith("SYNC")]  # noqa: E731
    assert asked("Ann") and not asked("Ben")
    room.passes(21)
    assert asked("Ben")
    room.passes(21)
    assert any("nobody has sent me the game" in line for line in room.heard["Ann"])
    room.passes(61)
    assert len(asked("Ann")) == 2


def test_damage_is_marked_on_the_displays_only_where_that_is_wanted(room: Room, seated: Seat) -> None:
    game = seated(MOVES, marks=True)
    room.plays(game)
    said = room.says("Ann", "!hit 21 on 1")
    assert [line for line in said if line.startswith("D/")]
    from referee.formats.vassal.recognise import recognise
    from referee.room.following import RoomGame

    assert room.sitting.game is not None
    again = RoomGame(room.sitting.game.text)
    (const,) = [ship for ship in recognise(again.save).ships if ship.name == "Const"]
    assert const.shields[1][0] == 0


def test_nothing_is_changed_on_the_table_without_mark_damage(room: Room, seated: Seat) -> None:
    room.plays(seated(MOVES))
    room.says("Ann", "!hit 21 on 1")
    room.says("Ann", "!next")
    for name in ("Ann", "Ben"):
        commands = [line for line in room.heard[name] if line and not line.startswith("SYNC")]
        assert all(line.startswith("CHAT") or name == "Ben" for line in commands)


def test_it_signs_off_and_the_record_is_whole(room: Room, seated: Seat) -> None:
    room.plays(seated(MOVES))
    room.sitting.leave(room.now)
    room.pump()
    assert room.server.rooms["Duel"][-1].id != room.id("Referee")
    assert any("leaves; the record is kept" in line for line in room.heard["Ann"])
    assert Path(room.record).exists() and Path("duel.now.vsav").exists() and Path("duel.start.vsav").exists()


def test_ids_which_are_passwords_are_never_said(room: Room, seated: Seat) -> None:
    room.plays(seated(TOO_EARLY))
    room.comes("Eve")
    room.goes("Eve")
    room.says("Ben", "!status")
    said = "\n".join(
        [*room.log, *(line for name in ("Ann", "Ben") for line in room.heard[name] if "Referee" in line)]
    )
    assert "secret-" not in said.replace("SYNC", "")
    assert "secret-" not in Path(room.record).read_text(encoding="utf-8")


def test_what_holds_passwords_is_for_nobody_else(room: Room, seated: Seat) -> None:
    (room.folder / "elsewhere").write_text("a file of the players'")
    (room.folder / "duel.now.vsav.part").symlink_to(room.folder / "elsewhere")
    room.plays(seated(MOVES))
    room.sitting.save()
    for name in ("duel.start.vsav", "duel.now.vsav"):
        assert (room.folder / name).stat().st_mode & 0o077 == 0, name
    assert (room.folder / "elsewhere").read_text() == "a file of the players'"


@pytest.mark.parametrize("mode", ["advise", "umpire"])
@pytest.mark.parametrize("missed", [1, 2])
def test_a_move_by_the_rules_made_while_the_referee_was_away_is_entered_and_no_foul(
    room: Room, seated: Seat, mode: str, missed: int
) -> None:
    game = seated(MOVES + "\n    impulse 6\n    Const ahead\n    Destr ahead\n    impulse 8\n", mode)
    known = len(game.messages) - 4 - missed
    for message in game.messages[:known]:
        room.tells("Ann", message)
    room.pump()
    room.server.closed(room._numbers.pop("Referee"))
    away = RoomGame(room.sitting.game.text if room.sitting.game else "", module())
    for message in game.messages[known : known + missed]:
        away.play(message)
    room.referee(game.named, mode)
    room.serves("Ann", away.text)
    for message in game.messages[known + missed :]:
        room.tells("Ann", message)
        room.passes(1)
    assert not fouls(room.record)
    assert not [line for line in room.heard["Ben"] if "in the record at" in line]
    ships = open_game(room.record).state.ships
    assert {name: str(ship.unit.hex) for name, ship in ships.items()} == {"Const": "2013", "Destr": "2017"}
