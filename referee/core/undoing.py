"""What of a record can be taken back, and by whom: checked before all else, since what is taken back is left
out from the beginning."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from referee.core.errors import IntegrityFailure
from referee.core.game import fire_numbers
from referee.core.takenback import LASTING, goes_back, taken_back

if TYPE_CHECKING:
    from referee.core.board import Board
    from referee.core.game import EntryLike

PLAY = ("speed", "move", "place", "fire", "cloak", "launch", "battery", "seeker", "strike")
"""Orders of play. Once the game has moved on they are taken back only after that."""


def look_ahead(board: Board, entries: Sequence[EntryLike], since: int = 0) -> None:
    """Tells a board what is taken back in all entries, of which it takes those from `since` on. Raises as
    `check_undos`."""
    check_undos(board, entries, since)
    board.given_up = void_rolls(entries)
    board.taken_back = taken_back(entries)


def check_undos(board: Board, entries: Sequence[EntryLike], since: int = 0) -> None:
    """Raises IntegrityFailure, naming its line, for an undo from entry `since` on that is not agreed or cannot be:
    since what it takes back is left out from the beginning, this comes before all else."""
    for entry in entries[since:]:
        if entry.type != "undo":
            continue
        place = f"line {entry.seq + 1}"
        try:
            if not is_idle(entries[: entry.seq], int(entry.data["target"]), onward="onward" in entry.data):
                agreed(board, entry.data["agreed_by"])
            elif not {*board.players, board.umpire}.intersection(entry.data["agreed_by"]):
                raise IntegrityFailure("nobody of the game takes it back")
        except IntegrityFailure as error:
            raise error.at(place=place) from None
        hinders = hinders_going_back if "onward" in entry.data else hinders_undo
        if reason := hinders(entries[: entry.seq], int(entry.data["target"])):
            raise IntegrityFailure(f"takes back #{entry.data['target']}: {reason}", place=place)


def is_idle(entries: Sequence[EntryLike], target: int, *, onward: bool) -> bool:
    """Has the game only gone on from an entry on (or by it, the last one), and nobody done anything since? Then any player
    takes that back alone: nothing was learned meanwhile, and nobody loses by a step what he still meant to do."""
    if not 0 < target < len(entries):
        return False
    gone = taken_back(entries).gone
    left = [
        entry for entry in entries[target:] if entry.seq not in gone and entry.type not in ("note", "undo")
    ]
    return all(entry.type == "step" for entry in left) and (len(left) > 0 if onward else len(left) == 1)


def hinders_undo(entries: Sequence[EntryLike], target: int) -> str:
    """Why an entry cannot be taken back, or an empty text.

    Dice stay rolled and seals sealed: what belongs to them cannot be undone. What later entries rest on
    is undone only after them.
    """
    if not 0 < target < len(entries):
        return "there is no such entry to take back"
    entry = entries[target]
    if entry.type in LASTING:
        return f"a {entry.type} stays: dice and seals are never taken back"
    back, void = taken_back(entries), _of_void_rolls(entries)
    if target in back:
        return "it is taken back already"
    for later in entries[target + 1 :]:
        if later.seq not in back and later.seq not in void and _rests_on(later, entry, entries):
            return f"entry #{later.seq} rests on it and must be taken back first"
    return ""


def hinders_going_back(entries: Sequence[EntryLike], target: int, given_up: str = "") -> str:
    """Why the game cannot go back to before an entry, or an empty text: all from there on is taken back as one
    act, and dice and seals stay behind; what was sealed counts no more, and may be all there is. `given_up` is the declaration of an open roll that is given up first."""
    if not 0 < target < len(entries):
        return "there is no such entry to take back"
    back = taken_back(entries)
    if not any(e.type not in LASTING or e.type == "seal" for e in entries[target:] if e.seq not in back):
        return "nothing from there on is left to take back"
    decided = {e.data["declaration"] for e in entries if e.type in ("result", "void", "forfeit_roll")}
    for entry in entries[target:]:
        if entry.type == "declare" and entry.hash not in decided and entry.hash != given_up:
            roll = entry.data["roll"]
            return (
                f"roll {roll} is open (#{entry.seq}): throw its dice, or give it up with `dice void`, first"
            )
    return ""


def going(entries: Sequence[EntryLike], target: int) -> list[EntryLike]:
    """The entries that go where the game goes back to before an entry."""
    gone = taken_back(entries).gone
    return [entry for entry in entries[target:] if entry.type not in LASTING and entry.seq not in gone]


def void_rolls(entries: Sequence[EntryLike]) -> frozenset[int]:
    """The numbers of the rolls that were given up."""
    return frozenset(entry.data["roll"] for entry in entries if entry.type == "void" and "roll" in entry.data)


def _of_void_rolls(entries: Sequence[EntryLike]) -> frozenset[int]:
    """What belongs to rolls that were given up: nothing rests on a thing because of them."""
    void = void_rolls(entries)
    kinds = ("declare", "key", "void")
    return frozenset(e.seq for e in entries if e.type in kinds and e.data.get("roll") in void)


def _rests_on(later: EntryLike, entry: EntryLike, entries: Sequence[EntryLike]) -> bool:
    if entry.type == "undo" and goes_back(entries, entry):
        return later.type not in ("note", "nonce", "anchor", "dice_seed")
    if later.type in ("note", "ruling", "foul", "undo") and entry.type not in _HURTING:
        return False
    origin = entry if entry.type != "undo" else entries[int(entry.data["target"])]
    if origin.type in ("step", "drone"):
        return later.type not in ("nonce", "anchor", "signer", "dice_seed", "ship", "drone")
    if "act" in later.data and ("act" in origin.data or origin.type == "ship"):
        return True
    purpose = later.data.get("purpose", "")
    if (
        purpose == f"act of entry {origin.seq}"
        or purpose == f"volley of entry {origin.seq}"
        or origin.seq in fire_numbers(str(purpose))
    ):
        return later.type == "declare"
    if later.seq == origin.seq + 1 and origin.type == "events" and "strike" in later.data:
        # Seekers that left the map with the ship these events destroyed.
        return True
    volley = later.data.get("volley")
    if isinstance(volley, dict) and "of" in volley and volley["of"][:1] == [origin.seq]:
        return True
    if later.type == "step":
        return any(kind in origin.data for kind in PLAY)
    if "move" in later.data and any(kind in origin.data for kind in ("speed", "move", "place")):
        # Whose turn it was to move depends on who had moved by then.
        return True
    played = any(kind in origin.data for kind in PLAY)
    kinds = ("order",) if played or "choose" in origin.data else _RESTING[origin.type]
    return later.type in kinds and bool(_ships(origin) & _ships(later))


_HURTING = ("events", "ruling", "taken", "ship")
_RESTING: dict[str, tuple[str, ...]] = {
    "ship": ("form", "seal", "order", "declare", "events", "ruling"),
    "form": ("form", "seal"),
    **dict.fromkeys(("events", "ruling", "taken"), ("events", "ruling", "taken")),
    **dict.fromkeys(("order", "foul", "note"), ()),
}
"""Later entries about the same ship that what is taken back would pull the ground from under."""


def _ships(entry: EntryLike) -> set[str]:
    """The ships an entry is about, whatever else is wrong with it."""
    parts: list[Any] = [entry.data, *(entry.data.get(kind) for kind in ("volley", "choose", *PLAY))]
    events = entry.data.get("events")
    parts += events if isinstance(events, list) else []
    named = [part for part in parts if isinstance(part, dict)]
    return {str(part[name]) for part in named for name in ("ship", "name") if name in part}


def agreed(board: Board, names: object) -> None:
    """Everybody has agreed, or the umpire has."""
    given = names if isinstance(names, list) else []
    if board.umpire and board.umpire in given:
        return
    missing = [player for player in board.players if player not in given]
    if missing:
        raise IntegrityFailure(f"{missing[0]} has not agreed")
