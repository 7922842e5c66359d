"""Turn trackers: the active levels, outermost first, by the definitions given."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from referee.core.frozen import frozen
from referee.formats.limits import MAX_XML_DEPTH
from referee.formats.vassal.command_types import Turn
from referee.formats.vassal.sequence import decode
from referee.formats.vassal.traits import integer

Kind = Literal["counter", "list"]


@frozen
class TurnLevel:
    """One level: a counter's number, or the position in a list from 0 and, when known, its text.

    `most` is the number after which a counter starts again, None where it never does.
    """

    kind: Kind
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
    """A level as the module defines it; `values` for lists only, `first` the number a counter begins with."""

    kind: Kind
    name: str
    values: tuple[str, ...] = ()
    levels: tuple[LevelDefinition, ...] = ()
    first: int = 1


@frozen
class TrackerDefinition:
    """A tracker as the module defines it."""

    id: str
    name: str
    levels: tuple[LevelDefinition, ...]


def read_turn(leaf: Turn, definition: TrackerDefinition | None = None) -> TurnState | None:
    """Where a tracker stands, or None when its state is not understood."""
    return TrackerReader(leaf.tracker, definition).read(leaf.state)


class TrackerReader:
    """Reads the states of one tracker. Its inner levels stand the same over and over: each is read once."""

    def __init__(self, tracker: str, definition: TrackerDefinition | None = None) -> None:
        self._tracker, self._name = tracker, definition.name if definition else ""
        self._levels = _LevelsReader(definition.levels if definition else ())

    def read(self, state: str) -> TurnState | None:
        """Where the tracker stands, or None when its state is not understood."""
        current, *states = decode(state, "|")
        levels = self._levels.active(states, integer(current))
        return TurnState(self._tracker, levels, self._name) if levels else None


class _LevelsReader:
    """Reads levels that lie side by side, of which one is active, and those inside it."""

    def __init__(self, definitions: Sequence[LevelDefinition], depth: int = 0) -> None:
        self._definitions, self._depth = definitions, depth
        self._below: dict[int, _LevelsReader] = {}
        self._levels: dict[tuple[int, str], tuple[TurnLevel | None, str]] = {}
        self._known: dict[tuple[str, str], tuple[TurnLevel, ...] | None] = {}

    def active(self, states: Sequence[str], index: int | None) -> tuple[TurnLevel, ...] | None:
        """The active levels from here on, none where none is active; None if not understood."""
        if index is None or not 0 <= index < len(states) or self._depth >= MAX_XML_DEPTH:
            return ()
        text = states[index]
        inner = self._below.get(index) or self._inner(index)
        inside = text.split(";", 4)[-1]
        own = text[: len(text) - len(inside)]
        # Where the fields of the level itself are plain, the text of those inside it is left whole.
        known = self._levels.get((index, own))
        if known is None and own.count(";") == 4 and "\\" not in own and "'" not in own:
            fields = own.split(";")
            known = self._levels[index, own] = self._level(index, fields), fields[1]
        if known is not None:
            level, active = known
            below = inner._behind(inside, active) if level else None
        else:
            fields = decode(text, ";")
            level = self._level(index, fields)
            below = inner.active(fields[4:], integer(fields[1])) if level else None
        return None if level is None or below is None else (level, *below)

    def _behind(self, states: str, index: str) -> tuple[TurnLevel, ...] | None:
        """The active levels where their states, still in one text, stand behind those around them."""
        key = states, index
        if key not in self._known:
            self._known[key] = self.active(decode(states, ";"), integer(index))
        return self._known[key]

    def _level(self, index: int, fields: Sequence[str]) -> TurnLevel | None:
        """The level its fields tell of, without those inside it; None if not understood."""
        number = integer(fields[0])
        if len(fields) < 4 or number is None:
            return None
        # A counter's third field says whether it loops; a list's is a position.
        kind: Kind = "counter" if fields[2] in ("true", "false") else "list"
        most = integer(fields[3]) if fields[2] == "true" else None
        known = self._definitions[index] if index < len(self._definitions) else None
        name = shown = ""
        if known and known.kind == kind:
            name = known.name
            shown = known.values[number] if 0 <= number < len(known.values) else ""
        return TurnLevel(kind, number, name, shown, most)

    def _inner(self, index: int) -> _LevelsReader:
        """The reader of the levels inside one."""
        known = self._definitions[index] if index < len(self._definitions) else None
        inner = self._below[index] = _LevelsReader(known.levels if known else (), self._depth + 1)
        return inner
