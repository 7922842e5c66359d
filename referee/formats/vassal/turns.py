"""Turn trackers: the active levels, outermost first, with names when the module gives them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Literal

from referee.core.frozen import frozen
from referee.formats.limits import MAX_XML_DEPTH
from referee.formats.vassal.leaves import Turn
from referee.formats.vassal.sequence import decode
from referee.formats.vassal.traits import integer

if TYPE_CHECKING:
    from referee.formats.vassal.game import Save
    from referee.formats.vassal.module import Module


@frozen
class TurnLevel:
    """One level: a counter's number, or the position in a list from 0 and, when known, its text.

    `most` is the number after which a counter starts again, None where it never does.
    """

    kind: Literal["counter", "list"]
    number: int
    name: str = ""
    text: str = ""
    most: int | None = None

    @property
    def shown(self) -> str:
        """What the tracker shows; a list whose texts are unknown gives `#` and the position from 1."""
        if self.text:
            return self.text
        return str(self.number) if self.kind == "counter" else f"#{self.number + 1}"


@frozen
class TurnState:
    """Where a tracker stands."""

    tracker: str
    levels: tuple[TurnLevel, ...]
    name: str = ""

    def shown(self) -> dict[str, str]:
        """Level name, or `level n` without one, to what the level shows."""
        return {level.name or f"level {n}": level.shown for n, level in enumerate(self.levels, 1)}


@frozen
class LevelDefinition:
    """A level as the module defines it; `values` for lists only."""

    kind: Literal["counter", "list"]
    name: str
    values: tuple[str, ...] = ()
    levels: tuple[LevelDefinition, ...] = ()


@frozen
class TrackerDefinition:
    """A tracker as the module defines it."""

    id: str
    name: str
    levels: tuple[LevelDefinition, ...]


def named_turns(save: Save, module: Module | None) -> tuple[TurnState, ...]:
    """The turn trackers of a save, their levels named when the module is given."""
    states = (read_turn(leaf, module.tracker(leaf.tracker) if module else None) for leaf in save.turn_leaves)
    return tuple([state for state in states if state])


def read_turn(leaf: Turn, definition: TrackerDefinition | None = None) -> TurnState | None:
    """Where a tracker stands, or None when its state is not understood."""
    current, *states = decode(leaf.state, "|")
    path = _active(states, integer(current), 0)
    if not path:
        return None
    definitions = definition.levels if definition else ()
    levels: list[TurnLevel] = []
    for index, level in path:
        known = definitions[index] if index < len(definitions) else None
        levels.append(_named(level, known))
        definitions = known.levels if known else ()
    return TurnState(leaf.tracker, tuple(levels), definition.name if definition else "")


def _active(states: Sequence[str], index: int | None, depth: int) -> tuple[tuple[int, TurnLevel], ...] | None:
    """The active levels from one depth on, each with its place among its siblings; None if not understood."""
    if index is None or not 0 <= index < len(states) or depth >= MAX_XML_DEPTH:
        return ()
    found = _level(states[index])
    if found is None:
        return None
    level, inner, subs = found
    below = _active(subs, inner, depth + 1)
    return None if below is None else ((index, level), *below)


@lru_cache(maxsize=1024)
def _level(text: str) -> tuple[TurnLevel, int | None, tuple[str, ...]] | None:
    """A level, which of its levels is active, and their states. A tracker has few states, seen over and
    over."""
    fields = decode(text, ";")
    number = integer(fields[0])
    if len(fields) < 4 or number is None:
        return None
    most = integer(fields[3]) if fields[2] == "true" else None
    # A counter's third field says whether it loops; a list's is a position.
    level = TurnLevel("counter" if fields[2] in ("true", "false") else "list", number, most=most)
    return level, integer(fields[1]), tuple(fields[4:])


def _named(level: TurnLevel, known: LevelDefinition | None) -> TurnLevel:
    if known is None or known.kind != level.kind:
        return level
    text = known.values[level.number] if 0 <= level.number < len(known.values) else ""
    return TurnLevel(level.kind, level.number, known.name, text, level.most)
