"""Which entries of a record an undo leaves out of the replay, and which stay though the game went back past them."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from typing import TYPE_CHECKING

from referee.core.frozen import frozen

if TYPE_CHECKING:
    from referee.core.game import EntryLike

LASTING = frozenset(
    (
        *(
            "genesis",
            "anchor",
            "nonce",
            "signer",
            "declare",
            "key",
            "result",
            "confirm",
            "void",
            "forfeit_roll",
        ),
        *("reroll", "dice_seed", "seal", "reveal", "umpire_ack", "umpire_reject"),
    )
)
"""Entries that are never taken back: dice stay rolled, and what was shown stays known."""

_COUNTED = frozenset(("result", "seal", "reveal"))


@frozen
class UndoneEntries:
    """What undos did to a record. `gone` are the entries left out of the replay. `stayed` are dice and seals that
    the game went back past: they stay in the record. Dice thrown for an order that is gone decide nothing, and
    orders sealed there count no more."""

    gone: frozenset[int] = frozenset()
    stayed: frozenset[int] = frozenset()
    shown: frozenset[int] = frozenset()
    """Of those that stayed what shows orders sealed before: they stand, and stay shown."""

    def before(self, count: int) -> tuple[frozenset[int], frozenset[int]]:
        """What of the first entries is gone, and what stayed."""
        gone, stayed = (frozenset(n for n in part if n < count) for part in (self.gone, self.stayed))
        return gone, stayed

    def mark(self, entry: EntryLike) -> str:
        """What is put behind an entry in words where the game went back past it."""
        if entry.seq in self.gone:
            return "  (taken back)"
        if entry.seq in self.shown:
            return "  (stays shown)"
        return "  (counts no more)" if entry.seq in self.stayed and entry.type in _COUNTED else ""

    def told_of(self, entry: EntryLike, opened: Container[str]) -> str:
        """What became of an entry that an undo went back past; `opened` are the seals that had been shown there."""
        if entry.seq in self.shown:
            return " (stays shown)"
        known = ", which was shown" if entry.hash in opened else ""
        return f" (counts no more){known}" if entry.type in LASTING else ""

    def __contains__(self, seq: object) -> bool:
        return seq in self.gone or seq in self.stayed


def taken_back(entries: Iterable[EntryLike]) -> UndoneEntries:
    """What the undos that stand have taken back; one that is itself taken back does nothing."""
    entries = list(entries)
    first = entries[0].seq if entries else 0
    gone: set[int] = set()
    stayed: set[int] = set()
    for undo in reversed([entry for entry in entries if entry.type == "undo"]):
        if undo.seq in gone:
            continue
        target = int(undo.data["target"])
        if "onward" not in undo.data:
            gone.add(target)
            continue
        for entry in entries[max(0, target - first) : undo.seq - first]:
            (stayed if entry.type in LASTING else gone).add(entry.seq)
    sealed = {entry.hash: entry.seq for entry in entries if entry.type == "seal"} if stayed else {}
    shown = [
        entry.seq
        for entry in entries
        if entry.type == "reveal" and entry.seq in stayed and sealed.get(entry.data["seal"]) not in stayed
    ]
    return UndoneEntries(frozenset(gone), frozenset(stayed), frozenset(shown if sealed else ()))


def undone_by(entries: Iterable[EntryLike]) -> frozenset[int]:
    """The lines taken back by an undo that is not itself taken back."""
    return taken_back(entries).gone


def goes_back(entries: Sequence[EntryLike], undo: EntryLike) -> bool:
    """Does an undo take back all that came after an entry, or stand for one that did?"""
    while undo.type == "undo" and "onward" not in undo.data:
        undo = entries[int(undo.data["target"])]
    return undo.type == "undo"
