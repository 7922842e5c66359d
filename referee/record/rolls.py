"""Rolls as the record tells them, and what can be wrong with them."""

from __future__ import annotations

from referee.core.errors import IntegrityFailure
from referee.core.frozen import frozen
from referee.record.chain import Data


class DiceFault(IntegrityFailure):
    """An entry that breaks the dice. `kind` is one of `KINDS`; `roll` is 0 where none is meant."""

    def __init__(self, kind: str, reason: str, roll: int = 0) -> None:
        super().__init__(reason)
        self.kind = kind
        self.roll = roll


KINDS = {
    "index": "a roll's number is not the next, or not the open one",
    "order": "something happened before or after its time",
    "key": "a key, nonce or seed that was not committed to",
    "repeat": "a nonce, anchor, key or confirmation given twice",
    "faces": "faces that the keys do not give",
    "player": "somebody who may not do this",
    "agreement": "not all have agreed who must",
    "mode": "not in this game's mode of dice",
    "shape": "fields missing or malformed",
}


@frozen
class Mismatch:
    """What is wrong with the entry in a line."""

    line: int
    roll: int
    kind: str
    reason: str


@frozen
class DeclaredRoll:
    """One declared roll and what became of it: `declared`, `resolved`, `void` or `forfeited`."""

    number: int
    who: str
    declaration: str  # hash of the declare entry
    line: int
    source: str  # a key of MODES
    order: tuple[Data, ...]
    open: bool = False
    keys: tuple[tuple[str, str], ...] = ()
    status: str = "declared"
    dice: tuple[Data, ...] = ()
    result: str = ""  # hash of the result entry
    entered_by: str = ""
    picks: tuple[tuple[str, str], ...] = ()  # the boxes its owner chose, by hit
    confirmed: bool = False
    recomputed: bool = False
    rerolled: bool = False
    refused: tuple[str, ...] = ()  # whose keys the dice are made without

    @property
    def lost(self) -> bool:
        """Did who declared it keep back the last key, so that it has no faces and does nothing?"""
        return self.status == "forfeited"

    @property
    def faceless(self) -> bool:
        """Was it open, and no die thrown? It needs no key and no hand; whether what it was for needs none
        either, the rules tell."""
        return self.status == "resolved" and self.open and not self.dice

    @property
    def typed(self) -> bool:
        """Are there faces that fell by hand and were typed in?"""
        return self.status == "resolved" and self.source == "physical" and not self.faceless


@frozen
class DiceReport:
    """Every roll of a record, what does not fit, and what cannot be recomputed yet.

    `pending` are resolved rolls that wait for the umpire's seed; `typed` were thrown by hand.
    """

    mode: str
    rolls: tuple[DeclaredRoll, ...]
    mismatches: tuple[Mismatch, ...]
    recomputed: tuple[int, ...]
    pending: tuple[int, ...]
    typed: tuple[int, ...]
