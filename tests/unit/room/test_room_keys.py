"""Peer dice in a room, whose keys are made where each player sits; and the password of a locked room."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from referee.formats.vassal.container import write_save_bytes
from referee.play.append import append_begun
from referee.play.audit import wrong_lines
from referee.play.game_file import open_game
from referee.play.heard import Heard
from referee.play.seat import take_seat
from referee.play.start import Terms
from referee.play.taken import begin_from
from referee.play.telling import told_to
from referee.record.keychains import answer
from referee.record.secretfiles import secrets_folder
from referee.record.signatures import followed
from referee.record.signkeys import export_key, import_key, signed_key
from referee.sources.asked import Asked
from referee.sources.settings import Settings
from tests.unit.room.conftest import Room
from tests.unit.room.games import Told, told, write_module
from tests.unit.room.test_room_game import MOVES

Seat = Callable[..., Told]


class Homes:
    """The players' own machines: each has the record, as it was sent to him, and his secrets beside it."""

    def __init__(self, room: Room) -> None:
        self.room = room

    def record(self, name: str) -> str:
        """A player's copy, brought up to date."""
        home = self.room.folder / name
        home.mkdir(exist_ok=True)
        shutil.copy(self.room.record, home / "duel.jsonl")
        return str(home / "duel.jsonl")

    def joins(self, name: str) -> None:
        path = self.record(name)
        take_seat(path, name)
        shutil.copy(path, self.room.record)

    def lends(self, name: str) -> None:
        """A player lets the referee write down his orders: `game key --export`, and `--import` beside the record."""
        path, file = self.record(name), self.room.folder / f"{name}.key"
        signers = followed(open_game(path).entries)
        export_key(secrets_folder(path), signers, name, str(file))
        import_key(secrets_folder(self.room.record), signers, name, str(file))

    def key(self, name: str) -> str:
        """The line that a player's own machine writes for the open roll."""
        path = self.record(name)
        entries = open_game(path).entries
        line = answer(secrets_folder(path), name, entries)
        signature = signed_key(secrets_folder(path), entries, line.data)
        return f"{line} signed {signature}" if signature else str(line)


@pytest.fixture(params=[True])
def homes(room: Room, request: pytest.FixtureRequest) -> Homes:
    """A game with peer dice, in a room where the referee has none of the secrets."""
    game = told(MOVES)
    start = room.folder / "start.vsav"
    start.write_bytes(write_save_bytes(game.start, key=0))
    asked = Asked(
        Settings("sfb-cadet", {"previous_speed": "8"}), ships=game.named, module=write_module(room.folder)
    )
    with told_to(Heard()):
        begun = begin_from(str(start), Terms(room.record, [], "peer", "", "", "", False), asked, [])
        append_begun(room.record, begun)
    made = Homes(room)
    for name in ("ann", "ben"):
        made.joins(name)
    for name in ("ann", "ben") if request.param else ():
        made.lends(name)
    room.comes("Ann", "Ben")
    room.referee(game.named)
    room.serves("Ann", game.start)
    room.plays(game)
    return made


def rolled(room: Room) -> bool:
    return open_game(room.record).dice.open_roll is None


def test_dice_fall_with_the_last_key_and_not_before(room: Room, homes: Homes) -> None:
    said = room.says("Ann", "!roll 2d6")
    assert any("awaited: the key of" in line or "awaited" in line for line in said), said
    assert any(
        "not entered" in line for line in room.says("Ben", "!key " + homes.key("ben").replace("a", "b"))
    )
    assert any("the key is entered" in line for line in room.says("Ben", "!key " + homes.key("ben")))
    assert not rolled(room)
    said = room.says("Ann", "!key " + homes.key("ann"))
    assert any("roll 1: " in line for line in said) and rolled(room)
    assert not wrong_lines(open_game(room.record))


def test_a_key_given_twice_or_for_an_earlier_roll_changes_nothing(room: Room, homes: Homes) -> None:
    room.says("Ann", "!roll 2d6")
    first = homes.key("ben")
    room.says("Ben", f"!key {first}")
    before = len(open_game(room.record).entries)
    assert any("not entered" in line for line in room.says("Ben", f"!key {first}"))
    assert any("not entered" in line for line in room.says("Ann", f"!key {first}"))
    assert len(open_game(room.record).entries) == before
    room.says("Ann", "!key " + homes.key("ann"))
    room.says("Ann", "!roll 2d6")
    assert any("not entered" in line for line in room.says("Ben", f"!key {first}"))
    assert not rolled(room)
    room.says("Ben", "!key " + homes.key("ben"))
    room.says("Ann", "!key " + homes.key("ann"))
    assert rolled(room) and not wrong_lines(open_game(room.record))


def test_a_key_of_another_seat_counts_from_its_own_player_alone(room: Room, homes: Homes) -> None:
    room.says("Ann", "!roll 2d6")
    line = homes.key("ben")
    assert any("ben gives his own key" in one for one in room.says("Ann", f"!key {line}"))
    assert any("the key is entered" in one for one in room.says("Ben", f"!key {line}"))


def test_who_declared_gives_his_key_last(room: Room, homes: Homes) -> None:
    room.says("Ann", "!roll 2d6")
    with pytest.raises(Exception, match="gives the key last"):
        homes.key("ann")


def test_keys_come_from_the_players_own_machines(room: Room, homes: Homes) -> None:
    assert any("made where nobody else sees it" in line for line in room.says("Ann", "!join again"))
    assert not list(Path(secrets_folder(room.record)).glob("chain-*"))


@pytest.mark.parametrize("homes", [False], indirect=True)
def test_whose_orders_cannot_be_written_down_is_said_at_once(room: Room, homes: Homes) -> None:
    assert any("signing key of ann and ben is not kept here" in line for line in room.heard["Ben"])


@pytest.mark.parametrize(
    ("password", "inside"), [("secret-Ann.1", True), ("secret-Ben.1", False), ("", False)]
)
def test_a_locked_room_opens_with_the_id_of_its_owner(room: Room, password: str, inside: bool) -> None:
    room.comes("Ann", "Ben")
    room.server.locked.add("Duel")
    room.referee(password=password)
    room.passes(50)
    assert room.sitting.session.inside is inside
    assert ("it is locked" in room.over) is not inside
    assert not any("secret-Ann" in line for line in room.log)
