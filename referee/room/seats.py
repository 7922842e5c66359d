"""Whose seat a speaker's is: that of a name, held by the client that came with the seat's own stored id."""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.formats.vassal.players import OBSERVER
from referee.room.names import as_player

if TYPE_CHECKING:
    from collections.abc import Iterable

    from referee.formats.vassal.players import Roster
    from referee.room.wire import Client


def casefolded(name: str) -> str:
    """A name whatever its letters' case is."""
    return name.strip().casefold()


class Seats:
    """The seats of a game as they were when it came. VASSAL binds a seat to a stored id, which a client's own begins
    with; who takes the name of a player, or his seat by a command, has not his id. A seat without an id has its name
    alone."""

    def __init__(self) -> None:
        self._held: dict[str, set[str]] = {}

    def see(self, roster: Roster) -> None:
        """Takes note of the seats of names that had none so far."""
        new: dict[str, set[str]] = {}
        for stored, seat in roster.seated():
            if (player := as_player(seat.name)) not in self._held:
                new.setdefault(player, set()).add(stored)
        self._held |= new

    def against(self, speaker: str, members: Iterable[Client], own: str, roster: Roster | None) -> str:
        """Why a speaker has no seat from which orders count; empty where he has."""
        player = as_player(speaker)
        stored = {held for held in self._held.get(player, ()) if held}
        others = [client for client in members if client.id != own]
        # Bound to an id a seat is nobody else's, however like his name is; without one all names like it are its.
        like = casefolded if stored else as_player
        there = [client for client in others if like(client.name) == like(speaker)]
        if len(there) != 1:
            return f"{len(there)} in the room are called {speaker}"
        if stored and not any(there[0].id.startswith(f"{held}.") for held in stored):
            return f"the seat of {speaker} belongs to a client with another id"
        sides = [seat.side for _, seat in roster.seated() if as_player(seat.name) == player] if roster else []
        if sides and all(side == OBSERVER for side in sides):
            return f"{speaker} observes"
        return ""
