"""Who plays, by name and side; the stored ids stay inside and are struck out of other texts."""

from __future__ import annotations

import re
from collections.abc import Callable

from referee.core.errors import BadInput
from referee.core.frozen import frozen
from referee.formats.limits import MAX_PLAYERS
from referee.formats.vassal.command_types import PlayerSeat, Secret
from referee.formats.vassal.traits import Owner

OBSERVER = "<observer>"
STRUCK_OUT = "[player id]"
_SHORTEST = 4  # a shorter id would strike out ordinary words


@frozen
class Player:
    """A player as others may see him."""

    name: str
    side: str

    @property
    def observes(self) -> bool:
        """Whether the player has no side."""
        return self.side == OBSERVER


class Roster:
    """The players of a game, and what their ids are needed for: names of owners, striking out."""

    __slots__ = ("_others", "_seats")

    def __init__(self) -> None:
        self._seats: dict[tuple[str, str], Player] = {}
        self._others: set[str] = set()

    def check_size(self, file: str) -> None:
        """Refuses a crowd, whose ids would take too long to strike out."""
        if len(self._seats) + len(self._others) > MAX_PLAYERS:
            raise BadInput(f"more than {MAX_PLAYERS} players", file=file, place="savedGame")

    def __repr__(self) -> str:
        return f"Roster({len(self._seats)} players)"

    def seat(self, leaf: PlayerSeat) -> None:
        """Takes note of a player; the same id with another name is the same player."""
        identity = leaf.id.reveal()
        # Players without a password share the empty id, so the name tells them apart.
        self._seats[identity, "" if identity else leaf.name] = Player(leaf.name, leaf.side)

    def leave(self, identity: Secret) -> None:
        """Forgets a player's seat, not that the id is secret."""
        self._others.add(identity.reveal())
        self._seats.pop((identity.reveal(), ""), None)

    def knows(self, identity: Secret) -> None:
        """Takes note of an id seen elsewhere, so that it is struck out too."""
        self._others.add(identity.reveal())

    @property
    def players(self) -> tuple[Player, ...]:
        """The players in the order they joined."""
        return tuple(self._seats.values())

    def seated(self) -> tuple[tuple[str, Player], ...]:
        """The seats, each with the id it is bound to, which is a password: to compare, never to show."""
        return tuple((identity, player) for (identity, _), player in self._seats.items())

    def name_of(self, identity: Secret | None) -> str | None:
        """The name of the player with an id."""
        if identity is None:
            return None
        player = self._seats.get((identity.reveal(), ""))
        return player.name if player else None

    def owner_name(self, owner: Owner | None) -> str | None:
        """A side, or a player's name; None without an owner."""
        if owner is None:
            return None
        return owner.side or self.name_of(owner.player) or "a player not in this game"

    def striker(self) -> Callable[[str], str]:
        """A function that strikes the ids out of any text."""
        shown = {part for player in self.players for part in (player.name, player.side)}
        ids = {identity for identity, _ in self._seats} | self._others
        secret = sorted({i for i in ids if len(i) >= _SHORTEST} - shown - {"null"}, key=len, reverse=True)

        def strike(text: str) -> str:
            for identity in secret:
                if identity in text:
                    pattern = rf"(?<!\w){re.escape(identity)}(?!\w)"
                    text = re.sub(pattern, STRUCK_OUT, text)
            return text

        return strike
