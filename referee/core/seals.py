"""The sealed orders of a game, and which of them stand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from typing import Any, overload

from referee.core.frozen import frozen, replace


@frozen
class Seal:
    """Sealed orders: for which turn, ship and kind, in which line, and what has been shown of them."""

    hash: str
    seq: int
    kind: str
    turn: int
    ship: str
    player: str
    revision: int
    impulse: int | None = None
    shown: Mapping[str, Any] = field(default_factory=dict)
    fields: frozenset[str] = frozenset()
    """The names of all its lines, once any of them was shown."""
    revealed: bool = False
    umpire: str = ""
    """What the umpire last said of it: "acknowledged", or "rejected" with his reason."""
    sealed_at: tuple[int, int | None, str] = (0, None, "")
    """The turn, impulse and step in which it was sealed."""
    shown_in: int = 0
    """The entry that first showed anything of it; 0 for none."""
    gone_back: bool = False
    """Did the game go back past that?"""

    @property
    def settles_moves(self) -> bool:
        """May it hold the move of an impulse, so that ships may move at the same time (C1.3)?"""
        return self.kind == "moves" and self.impulse is not None

    @property
    def about(self) -> tuple[int, int | None, str, str]:
        """Turn, impulse, ship and kind: revisions of the same orders share them."""
        return self.turn, self.impulse, self.ship, self.kind

    def overlaps(self, impulse: int | None) -> bool:
        """Is some impulse of its turn in both its span and this one? None is the whole turn."""
        return self.impulse is None or impulse is None or self.impulse == impulse


def kind_text(kind: str) -> str:
    """What is sealed, in words."""
    return "energy form" if kind == "eaf" else kind


def seal_text(kind: str, ship: str, turn: int, impulse: int | None = None) -> str:
    """Which orders are sealed, in words: `energy form of Kestrel for turn 1`."""
    return f"{kind_text(kind)} of {ship} for turn {turn}" + (f", impulse {impulse}" if impulse else "")


_Group = tuple[str, ...]
"""The hashes of what a ship sealed of one kind for one turn."""


class Seals(Sequence[Seal]):
    """Sealed orders as they were made; a seal is found by its hash, and by the turn, ship and kind it is for.

    It never changes: `having` gives another.
    """

    __slots__ = ("_by_hash", "_turns")

    def __init__(
        self,
        by_hash: Mapping[str, Seal] | None = None,
        turns: Mapping[int, Mapping[tuple[str, str], _Group]] | None = None,
    ) -> None:
        self._by_hash: Mapping[str, Seal] = by_hash or {}
        self._turns: Mapping[int, Mapping[tuple[str, str], _Group]] = turns or {}

    def having(self, seal: Seal) -> Seals:
        """These and one more, or with one in the place of that with its hash."""
        turns = self._turns
        if seal.hash not in self._by_hash:
            turn, about = turns.get(seal.turn, {}), (seal.ship, seal.kind)
            turns = {**turns, seal.turn: {**turn, about: (*turn.get(about, ()), seal.hash)}}
        return Seals({**self._by_hash, seal.hash: seal}, turns)

    def get(self, hash: str) -> Seal | None:
        """The seal of a hash, or None."""
        return self._by_hash.get(hash)

    def known(self, hash: str) -> Seal:
        """The seal of a hash. Raises KeyError where there is none."""
        return self._by_hash[hash]

    def of_turn(self, turn: int) -> list[Seal]:
        """What was sealed for a turn, as it was made."""
        found = [self._by_hash[hash] for group in self._turns.get(turn, {}).values() for hash in group]
        return sorted(found, key=lambda seal: seal.seq)

    def about(self, turn: int, ship: str, kind: str) -> list[Seal]:
        """What a ship sealed of a kind for a turn, for whatever span of it."""
        return [self._by_hash[hash] for hash in self._turns.get(turn, {}).get((ship, kind), ())]

    def replacing(self, seal: Seal, *, same_span: bool) -> Seal | None:
        """The last seal that was made in the place of another: for the same ship, turn and kind, whatever span
        either names, if the spans overlap; with `same_span`, if they are equal."""
        later = [
            other
            for other in self.about(seal.turn, seal.ship, seal.kind)
            if other.seq > seal.seq
            and (other.impulse == seal.impulse if same_span else other.overlaps(seal.impulse))
        ]
        return max(later, key=lambda other: other.seq, default=None)

    def __len__(self) -> int:
        return len(self._by_hash)

    def __iter__(self) -> Iterator[Seal]:
        return iter(self._by_hash.values())

    @overload
    def __getitem__(self, n: int) -> Seal: ...
    @overload
    def __getitem__(self, n: slice) -> tuple[Seal, ...]: ...
    def __getitem__(self, n: int | slice) -> Seal | tuple[Seal, ...]:
        return tuple(self)[n]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Seals) and tuple(self) == tuple(other)

    __hash__ = None  # type: ignore[assignment]


def shown_by(seal: Seal, reveal: Mapping[str, Any]) -> tuple[Mapping[str, Any], bool]:
    """All that has been shown of sealed orders after a reveal, and whether that is the whole of them."""
    if reveal["v"] == 1:
        return reveal["body"]["form"], True
    shown = {**seal.shown, **{item["field"]: item["value"] for item in reveal["shown"]}}
    return shown, len(shown) == len(reveal["fields"])


def seal_made(hash: str, seq: int, data: Mapping[str, Any], at: tuple[int, int | None, str]) -> Seal:
    """The seal of an entry, sealed at a turn, impulse and step."""
    about = data["kind"], data["turn"], data["ship"], data["player"], data["seq"], data.get("impulse")
    return Seal(hash, seq, *about, sealed_at=at)


def opened_by(seal: Seal, reveal: Mapping[str, Any], seq: int, *, gone_back: bool = False) -> Seal:
    """Sealed orders with what the reveal in entry `seq` shows of them. Single lines add up to the whole."""
    shown, whole = shown_by(seal, reveal)
    fields = frozenset(shown) if whole else frozenset(map(str, reveal["fields"]))
    first = seal.shown_in or seq
    past = seal.gone_back or gone_back
    return replace(seal, shown=shown, fields=fields, revealed=whole, shown_in=first, gone_back=past)
