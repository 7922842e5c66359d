"""A game that was begun elsewhere: what its record took over from a VASSAL save or log.

The first entry names the file and how many lines after it hold what the file shows. In these lines alone a
ship may be put where no move leads, and damage stand that neither dice nor a ruling account for.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from referee.core.errors import BadInput, IntegrityFailure
from referee.core.freedrones import fate_of, has_gone
from referee.core.frozen import replace
from referee.core.hexgrid import parse_open_position
from referee.core.play import When, placed, put_by_ruling

if TYPE_CHECKING:
    from referee.core.board import Board
    from referee.core.game import EntryLike

ELSEWHERE = 0
"""The roll of fire whose dice fell elsewhere: no roll of the record has this number."""
MOVE_MADE, MOVE_TO_COME = "made", "to come"
"""What a place that was ruled is to a ship that is called and has not moved: its move, or it has still to make it."""
_SOURCE = {"file": str, "sha256": str, "lines": int, "turn": int, "impulse": int}


def check_source(genesis: Mapping[str, Any]) -> None:
    """Raises BadInput where a first entry says in malformed fields which file the game was taken from."""
    source = genesis.get("from", {"lines": 0, "turn": 1, "impulse": 1, "file": "", "sha256": ""})
    fits = isinstance(source, dict) and set(source) == set(_SOURCE)
    if not fits or not all(type(source[name]) is kind for name, kind in _SOURCE.items()):
        raise BadInput("from is malformed", place="line 1")


def is_taken(genesis: Mapping[str, Any], seq: int) -> bool:
    """Does an entry hold what was taken over?"""
    return 0 < seq <= int(genesis.get("from", {}).get("lines", 0))


def first_moment(genesis: Mapping[str, Any]) -> When:
    """From when on the record, or the file it was taken from, tells everything."""
    source = genesis.get("from", {})
    return When(int(source.get("turn", 1)), int(source.get("impulse", 1)))


def untold_of(genesis: Mapping[str, Any]) -> str:
    """What the file does not tell of the turn in whose midst the game was taken from it; empty where it was
    not, or where the file tells the turn from its beginning."""
    first = first_moment(genesis)
    if (first.impulse or 1) <= 1:
        return ""
    what = "what was fired, launched and taken off reinforcement"
    return f"turn {first.turn}: {what} before {genesis['from']['file']} begins is not known"


def check_taken(board: Board, entry: EntryLike) -> None:
    """Raises IntegrityFailure for what only a game taken over may hold, where it was not."""
    only = entry.type == "taken" or ("place" in entry.data and entry.type != "ruling")
    if only and (board.own_fold is not None or not is_taken(board.genesis, entry.seq)):
        raise IntegrityFailure("is of no file that the game was taken from")
    if only and (board.rolls or board.seals or board.anchors):
        raise IntegrityFailure("is taken over when the game goes on already")
    if entry.type == "taken":
        fire = entry.data.get("fire", ())
        for seq in fire:
            known = type(seq) is int and seq in board.fire and board.fire[seq].roll is None
            if not known or fire.count(seq) > 1:
                raise IntegrityFailure(f"says of entry {str(seq)[:20]} that its dice fell")
        gone = entry.data.get("seekers", ())
        for name in gone:
            if name not in board.seekers or gone.count(name) > 1:
                raise IntegrityFailure(f"says of {str(name)[:40]!a} that it left the map")
        for lock in entry.data.get("locks", ()):
            _check_lock(board, lock)


def _check_lock(board: Board, lock: Any) -> None:
    """Raises BadInput unless a ship of the game tried for another, with a die; once a turn."""
    fits = isinstance(lock, dict) and set(lock) == {"ship", "target", "roll"} and type(lock["roll"]) is int
    fits = fits and {str(lock["ship"]), str(lock["target"])} <= set(board.ships) and 0 < lock["roll"] < 100
    if not fits:
        raise BadInput("a try for lock-on is malformed")
    if (lock["ship"], lock["target"], board.turn) in board.locks:
        raise IntegrityFailure(f"{lock['ship']} tried for {lock['target']} in this turn already")


def leave_and_lock(board: Board, entry: EntryLike) -> None:
    """Seekers that left the map in the file, and what was rolled there for lock-on."""
    for name in entry.data.get("seekers", ()):
        seeker = board.seekers[name]
        has_gone(board, seeker, fate_of(board, seeker))
    for lock in entry.data.get("locks", ()):
        board.locks[lock["ship"], lock["target"], board.turn] = lock["roll"]


def resolve_fire(board: Board, entry: EntryLike) -> None:
    """Fire whose dice fell elsewhere waits for none here."""
    for seq in entry.data.get("fire", ()):
        board.fire.put(replace(board.fire[seq], roll=ELSEWHERE))


def check_place(board: Board, data: Mapping[str, Any], what: Mapping[str, Any]) -> None:
    """Raises unless a ship of the game is put in a hex, or off the map; or a seeker in a hex, with its facing."""
    if what["ship"] not in board.ships and what["ship"] not in board.seekers:
        raise BadInput(f"no ship {what['ship'][:40]!a} in the game")
    hex, facing = position(what["to"])
    if what["ship"] in board.seekers and (hex is None or facing is None):
        raise BadInput(f"{what['ship'][:40]} is put nowhere")


def position(to: str) -> tuple[Any, Any]:
    """Hex and facing where a ship is put; both None for off the map. Raises BadInput."""
    try:
        return parse_open_position(to) if to else (None, None)
    except ValueError as error:
        raise BadInput(f"order: {error}") from None


def place(board: Board, entry: EntryLike, order: Mapping[str, Any]) -> None:
    """A ship or seeker stands where the file shows it."""
    if seeker := board.seekers.get(order["ship"]):
        hex, facing = position(order["to"])
        board.seekers[seeker.name] = replace(seeker, hex=hex, facing=facing)
        return
    ship = board.ships[order["ship"]]
    unit = placed(ship.unit, *position(order["to"]), board.impulse)
    board.ships[ship.name] = replace(ship, unit=unit)


def stand_by_ruling(board: Board, ruled: Mapping[str, Any]) -> None:
    """A ship or seeker stands where a ruling puts it, if it puts one; or a ship is out of the game."""
    if order := ruled.get("place"):
        hex, facing = position(order["to"])
        if seeker := board.seekers.get(order["ship"]):
            board.seekers[seeker.name] = replace(seeker, hex=hex, facing=facing)
            return
        ship = board.ships[order["ship"]]
        if hex is None:
            board.ships[ship.name] = replace(ship, unit=placed(ship.unit, None, None, None), out=True)
            return
        unit = put_by_ruling(ship.unit, hex, facing, board.impulse, to_move=has_to_move(order))
        board.ships[ship.name] = replace(ship, unit=unit)


def has_to_move(put: Mapping[str, Any]) -> bool:
    """Has a ship that a ruling puts somewhere still to make its move of the impulse?"""
    return put.get("move") == MOVE_TO_COME
