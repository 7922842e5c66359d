"""Stretches of play that are carried out at once: ships move as they are called, or fire as they may."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from referee.core.combat import Seeker
from referee.core.frozen import frozen
from referee.core.game import EntryLike, FireOrdered
from referee.core.hexgrid import Hex
from referee.core.play import ShipInPlay, gone_ahead, moved


@frozen
class StraightRun:
    """The hexes a ship goes straight ahead: how many, the last of them, and the impulse it entered it in."""

    ship: str
    hexes: int
    hex: Hex
    impulse: int

    def of(self, unit: ShipInPlay) -> ShipInPlay:
        """The ship after it."""
        return gone_ahead(unit, self.hexes, self.hex, self.impulse)


@frozen
class Turning:
    """A ship turns, and enters the hex ahead."""

    ship: str
    hex: Hex
    facing: str
    impulse: int

    def of(self, unit: ShipInPlay) -> ShipInPlay:
        """The ship after it."""
        return moved(unit, self.hex, self.facing, self.impulse)


@frozen
class Stretch:
    """Some entries of a turn: new impulses, ships that move one hex straight ahead, or turn and do, and seekers that follow
    their targets."""

    lines: int
    """How many entries it has."""
    moves: Sequence[tuple[int, Mapping[str, Any]]]
    """The orders of its ships, by their entries."""
    runs: Sequence[StraightRun | Turning]
    """What its ships do, each in its order."""
    over: tuple[int, ...]
    """The impulses that are over by its steps."""
    step: EntryLike | None
    """Its last step; None where it has none."""
    moved: frozenset[str]
    """The ships that have moved in its last impulse."""
    units: Mapping[str, ShipInPlay]
    """Its ships after it."""
    orders: Sequence[tuple[int, Mapping[str, Any]]]
    """All its orders, those of seekers too, by their entries."""
    seekers: Mapping[str, Seeker]
    """The seekers that have moved in it, after it."""
    flown: frozenset[str]
    """The seekers that have moved in its last impulse."""

    @property
    def asked(self) -> tuple[str, ...]:
        """What rules are asked of, in the order in which it came first: a move, an impulse that is over."""
        if not self.moves:
            return ("impulse",) if self.over else ()
        if not self.over:
            return ("move",)
        impulse_first = self.over[0] < self.moves[0][1]["impulse"]
        return ("impulse", "move") if impulse_first else ("move", "impulse")


@frozen
class TurnStart:
    """The entries a turn begins with: the step to it, and the speeds that are said in it."""

    step: EntryLike
    orders: Sequence[tuple[int, Mapping[str, Any]]]
    """Its orders, by their entries."""
    speeds: Mapping[str, int]
    """What they say, by ship."""


@frozen
class FireStretch:
    """Some entries of an impulse: fire, what is stated of it and marked for it, and that its dice fell."""

    lines: int
    """How many entries it has, but for what is stated."""
    orders: Sequence[tuple[int, Mapping[str, Any]]]
    """Its orders, by their entries."""
    fire: Sequence[FireOrdered]
    """The same as fire whose dice fell: one weapon each."""
    shields: Mapping[str, Mapping[int, int]]
    """The shields of ships as they are then."""
