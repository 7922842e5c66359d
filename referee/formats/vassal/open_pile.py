"""A stack or deck taken apart, to be laid elsewhere and to gain and lose pieces; and where a state says a piece lies."""

from __future__ import annotations

from referee.core.frozen import replace
from referee.formats.vassal.chain import Trait
from referee.formats.vassal.pieces import Place
from referee.formats.vassal.sequence import decode, encode
from referee.formats.vassal.traits import Deck, integer, view


def placed(state: str, place: list[str]) -> str:
    """The state of a piece itself, put elsewhere; what follows its place stays as it is."""
    there = ";".join(place)
    if "\\" in state or "'" in state or there.count(";") > 2 or "\\" in there or "'" in there:
        return encode([*place, *decode(state, ";")[3:]], ";")
    more = state.split(";", 3)[3:]
    return ";".join((there, *more))


def place_of(tokens: list[str]) -> Place:
    """Map and pixel as a state has them."""
    name, x, y = (*tokens, "0", "0")[:3]
    return None if name == "null" else name, integer(x) or 0, integer(y) or 0


class OpenPile:
    """A stack or deck taken apart: where it lies, the ids of its pieces, and what else its state says.

    `deck` is the name of a deck; `tokens` are map and pixel as they are stored.
    """

    def __init__(self, core: Trait) -> None:
        self.deck: str | None = None
        stored = decode(core.state, ";")
        self.tokens, lying = stored[:3], stored[3:]
        found = view(core) if core.kind == "deck" else None
        if isinstance(found, Deck):
            self.deck, self.members = found.name, list(found.members)
            self._more = lying[:1]
        else:
            self.members = [token for token in lying if token and token[:2] != "@@"]
            self._more = [token for token in lying if token[:2] == "@@"]
        self.place = place_of(self.tokens)
        self._changed = False

    def lie(self, tokens: list[str], place: Place) -> None:
        self.tokens, self.place, self._changed = tokens, place, True

    def take(self, member: str) -> None:
        self.members, self._changed = [*self.members, member], True

    def lose(self, member: str) -> None:
        self.members, self._changed = [other for other in self.members if other != member], True

    def onto(self, chain: tuple[Trait, ...]) -> tuple[Trait, ...]:
        """The traits of the pile as it now is."""
        if not self._changed:
            return chain
        stored = [*self.tokens, *self.members, *self._more]
        if self.deck is not None:
            stored = [*self.tokens, *self._more, *([encode(self.members, ",") or ""] if self.members else [])]
        return (*chain[:-1], replace(chain[-1], state=encode(stored, ";")))
