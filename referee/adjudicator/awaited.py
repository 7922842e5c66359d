"""What a game waits for, and from whom."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from referee.core.game import EntryLike, GameState
from referee.rulebooks.base import Rulebook


def awaited(state: GameState, rulebook: Rulebook, dice_due: Iterable[str]) -> list[tuple[str, str]]:
    """Player and what is due from him: seats, forms, seals, reveals, keys; in that order."""
    waits: list[tuple[str, str]] = []
    rolls = state.open_rolls
    for player in dice_due:
        waits.append((player, f"key for roll {rolls[-1].number}" if rolls else "to join (game join)"))
    if rolls and not waits:
        roll = rolls[-1]
        waits.append((roll.who, f"roll {roll.number} to be thrown (dice throw)"))
    allocation = rulebook.descriptor["sequence_of_play"].get("steps_of", {}).get("energy allocation", ())
    for ship in state.ships.values():
        if ship.state.dead:
            continue
        seal = state.sealed(ship.name, state.turn, "eaf")
        if state.step in allocation and state.turn not in ship.forms and seal is None:
            waits.append((ship.player, f"energy form of {ship.name} for turn {state.turn}, sealed or filed"))
        elif seal is not None and not seal.revealed and state.step == "end of turn":
            waits.append((ship.player, f"reveal of {ship.name}'s form of turn {state.turn}"))
    return waits


def hinders_undo(entries: Sequence[EntryLike], state: GameState, target: int) -> str:
    """Why an entry cannot be taken back, or an empty text.

    Dice stay rolled: declarations, keys and results cannot be undone. What later entries rest on is
    undone only after them.
    """
    if not 0 < target < len(entries):
        return "there is no such entry to take back"
    if target in state.undone:
        return "it is taken back already"
    entry = entries[target]
    if entry.type in (
        "anchor",
        "nonce",
        "declare",
        "key",
        "result",
        "confirm",
        "void",
        "forfeit_roll",
        "seal",
    ):
        return f"a {entry.type} stays: dice and seals are never taken back"
    for later in entries[target + 1 :]:
        if later.seq not in state.undone and _rests_on(later, entry):
            return f"entry #{later.seq} rests on it and must be taken back first"
    return ""


def _rests_on(later: EntryLike, entry: EntryLike) -> bool:
    if later.type == "undo":
        return bool(later.data["target"] == entry.seq)
    mine, theirs = _ships(entry.type, entry.data), _ships(later.type, later.data)
    if entry.type == "ship":
        return bool(mine & theirs)
    return entry.type == "events" and later.type == "events" and bool(mine & theirs)


def _ships(kind: str, data: Mapping[str, Any]) -> set[str]:
    if kind in ("events", "ruling"):
        return {str(event.get("ship")) for event in data.get("events", ())}
    return {str(data["ship"])} if "ship" in data else set()
