"""A stretch of play in which nothing happens but that ships go straight ahead."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from referee.core.frozen import frozen
from referee.core.game import EntryLike
from referee.core.hexgrid import Hex


@frozen
class Run:
    """The hexes a ship goes straight ahead in a stretch: how many, the last of them, and the impulse it entered it in."""

    ship: str
    hexes: int
    hex: Hex
    impulse: int


@frozen
class Stretch:
    """Some entries of a turn: new impulses, and ships that move one hex straight ahead."""

    lines: int
    """How many entries it has."""
    moves: Sequence[tuple[int, Mapping[str, Any]]]
    """Its orders, by their entries."""
    runs: tuple[Run, ...]
    over: tuple[int, ...]
    """The impulses that are over by its steps."""
    step: EntryLike | None
    """Its last step; None where it has none."""
    moved: frozenset[str]
    """The ships that have moved in its last impulse."""
