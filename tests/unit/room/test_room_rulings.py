"""What is held in a room since it is against the rules, and the words by which it stands: the umpire's, or all
players'."""

from __future__ import annotations

import re
from collections.abc import Callable

from referee.play.audit import wrong_lines
from referee.play.game_file import open_game
from tests.unit.room.conftest import Room
from tests.unit.room.games import Told
from tests.unit.room.test_room_game import MOVES, TOO_EARLY, fouls

Seat = Callable[..., Told]
TURNED = "impulse 6\nConst right\nDestr ahead\nimpulse 8\nConst right\nDestr ahead\n"


def number(lines: list[str]) -> str:
    """The number of what was held last."""
    return [found[1] for line in lines if (found := re.search(r"(?:held|lets) (\d+)[: ]", line))][-1]


def rulings(room: Room) -> list[str]:
    return [str(one.data["text"]) for one in open_game(room.record).entries if one.type == "ruling"]


def test_a_held_move_stands_when_all_players_say_so_and_the_game_goes_on(room: Room, seated: Seat) -> None:
    room.plays(seated(MOVES + TURNED, "umpire"))
    held = "1"
    assert any("held 1: Const" in line for line in room.heard["Ben"])
    assert any("ben: !allow" in line for line in room.says("Ann", f"!allow {held}"))
    assert not fouls(room.record)
    said = room.says("Ben", f"!allow {held} the map is right")
    assert any("ruled: all players let it stand" in line for line in said), said
    room.passes(1)  # the other ship was held for the first alone
    state = open_game(room.record).state
    assert room.sitting.game is not None
    for name in ("Const", "Destr"):
        assert (state.ships[name].unit.hex, state.ships[name].unit.facing) == room.sitting.game.stand(name)
    assert not room.sitting._held.lines
    assert rulings(room) == ["all players let it stand: the map is right"]
    assert fouls(room.record)
    assert not wrong_lines(open_game(room.record))


def test_what_was_done_behind_a_held_move_is_entered_in_its_order(room: Room, seated: Seat) -> None:
    room.plays(seated(TOO_EARLY, "umpire"))
    assert any("is ruled on first" in line for line in room.says("Ann", "!next"))
    for _ in range(2):
        if held := room.sitting._held.about:
            number = room.sitting._held.of(held[0]).number
            room.says("Ann", f"!allow {number}")
            room.says("Ben", f"!allow {number}")
            room.passes(5)
    state = open_game(room.record).state
    assert room.sitting.game is not None
    for name, ship in state.ships.items():
        assert (ship.unit.hex, ship.unit.facing) == room.sitting.game.stand(name), name
    assert (state.turn, state.impulse) == room.sitting.game.clock.moment
    assert [(one[0], one[1], one[3]) for one in fouls(room.record)] == [("C3.2", "Const", 8)]
    assert not wrong_lines(open_game(room.record))


def test_a_held_move_that_is_put_back_holds_nothing_up(room: Room, seated: Seat) -> None:
    room.plays(
        seated(MOVES + TURNED + "undo Destr ahead\nConst put at 1913E\nConst ahead\nDestr ahead\n", "umpire")
    )
    room.passes(5)
    state = open_game(room.record).state
    assert not room.sitting._held.about
    assert not fouls(room.record) and not rulings(room)
    assert room.sitting.game is not None
    for name, ship in state.ships.items():
        assert (ship.unit.hex, ship.unit.facing) == room.sitting.game.stand(name), name


def test_the_umpire_in_the_room_rules_alone(room: Room, seated: Seat) -> None:
    room.plays(seated(MOVES + TURNED, "umpire", umpire="Cat"))
    held = number(room.heard["Ben"])
    assert any("Cat may rule" in line for line in room.says("Ann", f"!allow {held}"))
    assert any("Cat may rule" in line for line in room.says("Ben", f"!allow {held}"))
    room.tells("Ben", f"CHAT&lt;Cat&gt; - !allow {held}")
    assert not rulings(room)
    room.comes("Cat")
    said = room.says("Cat", f"!allow {held} I saw it")
    assert any("head #" in line for line in said)
    assert rulings(room) == ["Cat let it stand: I saw it"]
    assert any("ruled" in line for line in room.says("Cat", "!rule drones are gone"))
    assert rulings(room)[-1] == "Cat: drones are gone"
    room.comes("cat")
    assert any("Cat may rule" in line for line in room.says("Cat", "!rule all is mine"))


def test_a_number_lets_stand_what_it_was_said_of_and_nothing_else(room: Room, seated: Seat) -> None:
    room.plays(seated(MOVES))
    first = number(room.says("Ann", "!Const: ahead"))
    second = number(room.says("Ann", "!Const: left"))
    assert first != second
    assert any("nothing is held" in line for line in room.says("Ben", f"!allow {first}"))
    room.says("Ann", f"!allow {second}")
    said = room.says("Ben", f"!allow {second}")
    assert any("Const: left" in line for line in said), said
    assert open_game(room.record).state.ships["Const"].unit.facing == "C"
    assert any("nothing is held" in line for line in room.says("Ben", f"!allow {second}"))
    assert not wrong_lines(open_game(room.record))


def test_a_ship_that_was_put_far_away_is_taken_over_where_it_stands(room: Room, seated: Seat) -> None:
    room.plays(seated("impulse 2\nConst put at 3001D\nDestr ahead\n"))
    held = number(room.says("Ann", "!accept Const"))
    room.says("Ben", f"!allow {held}")
    game = open_game(room.record)
    assert game.state.ships["Const"].position == "3001D"
    assert [entry.type for entry in game.entries if "place" in entry.data] == ["ruling"]
    moves = [entry for entry in game.entries if "move" in entry.data]
    assert "Const" not in [one.data["move"]["ship"] for one in moves] + [one[1] for one in fouls(room.record)]
    assert rulings(room) == ["all players let it stand: Const stands at 3001D on the map"]
    assert not wrong_lines(open_game(room.record))
    assert any("in the record, too" in line for line in room.says("Ann", "!accept Const"))


def test_a_ship_that_was_taken_over_goes_back_by_one_undo(room: Room, seated: Seat) -> None:
    room.plays(seated("impulse 2\nConst put at 3001D\nDestr ahead\n"))
    before = open_game(room.record).state.ships["Const"].position
    held = number(room.says("Ann", "!accept Const"))
    room.says("Ben", f"!allow {held}")
    room.says("Ann", "!undo")
    room.says("Ben", "!undo")
    assert open_game(room.record).state.ships["Const"].position == before


def test_a_ship_held_far_away_stands_there_by_the_ruling_alone(room: Room, seated: Seat) -> None:
    room.plays(seated("impulse 2\nConst put at 3001D\n", "umpire"))
    held = number(room.heard["Ben"])
    room.says("Ann", f"!allow {held}")
    room.says("Ben", f"!allow {held} it drifted")
    game = open_game(room.record)
    assert game.state.ships["Const"].position == "3001D" and not fouls(room.record)
    assert [entry.data["place"]["ship"] for entry in game.entries if "place" in entry.data] == ["Const"]


def test_what_the_map_no_longer_shows_does_not_stand(room: Room, seated: Seat) -> None:
    game = seated("impulse 2\nConst put at 3001D\nDestr ahead\nConst put at 2011D\n")
    room.plays(Told(game.start, game.messages[:-1], game.log, game.named))
    held = number(room.says("Ann", "!accept Const"))
    room.plays(Told(game.start, game.messages[-1:], game.log, game.named))
    room.says("Ann", f"!allow {held}")
    room.says("Ben", f"!allow {held}")
    assert str(open_game(room.record).state.ships["Const"].unit.hex) != "3001"
