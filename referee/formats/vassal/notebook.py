"""The secret and private notes of a log, as they were written and shown."""

from __future__ import annotations

from collections.abc import Iterable

from referee.formats.vassal import command_types as lv
from referee.formats.vassal.gathered import Noted
from referee.formats.vassal.players import Roster
from referee.formats.vassal.recognise import Clock


class Notebook:
    """All notes of a log but those for everyone; `private` are the owners of private ones."""

    def __init__(self, roster: Roster, private: Iterable[str | None]) -> None:
        self._roster = roster
        self._sealed: set[tuple[str, str]] = set()
        self._shown: set[tuple[str, str, str]] = set()
        self.noted: list[Noted] = []
        self.private = dict.fromkeys(owner or "" for owner in private)

    def write(self, n: int, clock: Clock, leaf: lv.SecretNote) -> Noted | None:
        """Takes note of a secret note; gives it where it is now shown and was sealed till then."""
        owner = self._roster.name_of(leaf.owner) or self._called(leaf)
        noted = Noted(n, clock, leaf.name, owner, leaf.hidden, leaf.text)
        self.noted.append(noted)
        if leaf.hidden:
            self._sealed.add((owner, leaf.name))
            return None
        sealed, known = (owner, leaf.name) in self._sealed, (owner, leaf.name, leaf.text) in self._shown
        self._shown.add((owner, leaf.name, leaf.text))
        return noted if sealed and not known else None

    def _called(self, leaf: lv.SecretNote) -> str:
        """The player whose name a note bears, where its owner's id is nobody's."""
        names = {player.name for player in self._roster.players}
        return next((name for name in (leaf.owner.reveal(), *leaf.rest[1:2]) if name in names), "")

    def write_own(self, leaf: lv.PrivateNotes) -> None:
        """Takes note of who wrote for himself."""
        self.private[self._roster.name_of(leaf.owner) or ""] = None
