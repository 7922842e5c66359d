"""A turn tracker wound to another moment, on its stored state: only the levels that move are written anew."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from referee.core.errors import BadInput
from referee.core.frozen import frozen
from referee.formats.vassal.sequence import decode, encode
from referee.formats.vassal.traits import integer
from referee.formats.vassal.turns import LevelDefinition, TrackerDefinition, read_turn

if TYPE_CHECKING:
    from referee.formats.vassal.command_types import Turn


@frozen
class Dial:
    """An active level of a tracker as it is stored, outermost first.

    A counter goes from `first` to `most`, on for ever where that is None; a list from 0, its round begins at
    `first`, and `played` says of each entry whether it is in use. `names` are a list's entries where the
    module is known; `alone` is False where other levels lie beside it.
    """

    kind: str
    number: int
    name: str
    names: tuple[str, ...]
    first: int
    most: int | None
    played: tuple[bool, ...]
    alone: bool

    @property
    def last(self) -> int | None:
        """Where its round ends, None for a counter that goes on for ever."""
        if self.kind == "counter":
            return self.most
        return (self.first - 1) % len(self.played) if self.played else None

    def hold(self, number: int) -> None:
        """Raises BadInput where it has no such number, or one that is switched off."""
        if self.kind == "counter":
            if number < self.first or (self.most is not None and number > self.most):
                reach = f"from {self.first}" + (f" to {self.most}" if self.most is not None else "")
                raise BadInput(f"it counts {self.called} {reach}, not {number}")
        elif not 0 <= number < len(self.played):
            raise BadInput(f"{self.called} has {len(self.played)} entries, none {number + 1}")
        elif not self.played[number]:
            raise BadInput(f"entry {number + 1} of {self.called} is switched off")

    @property
    def called(self) -> str:
        """How a message names it."""
        return self.name or ("its list" if self.kind == "list" else "its counter")


def dials(leaf: Turn, definition: TrackerDefinition | None = None) -> tuple[Dial, ...]:
    """The active levels of a tracker. Raises BadInput where its state is not understood, or would not be
    written again as it is."""
    found = read_turn(leaf, definition)
    if found is None or not found.levels:
        raise BadInput("its state is not understood")
    if _wound(leaf.state, "|", {}) != leaf.state:
        raise BadInput("its state is not written as VASSAL writes it")
    rows: list[Dial] = []
    levels = definition.levels if definition else ()
    current, *states = decode(leaf.state, "|")
    for level in found.levels:
        index = integer(current) or 0
        fields = decode(states[index], ";")
        known = levels[index] if index < len(levels) and levels[index].kind == level.kind else None
        rows.append(_dial(fields, known, alone=len(states) == 1))
        levels = known.levels if known else ()
        current, states = fields[1], fields[4:]
    return tuple(rows)


def _dial(fields: Sequence[str], known: LevelDefinition | None, *, alone: bool) -> Dial:
    counts = fields[2] in ("true", "false")
    return Dial(
        kind="counter" if counts else "list",
        number=integer(fields[0]) or 0,
        name=known.name if known else "",
        names=known.values if known else (),
        first=(known.first if known else 1) if counts else integer(fields[2]) or 0,
        most=integer(fields[3]) if fields[2] == "true" else None,
        played=() if counts else tuple(flag == "true" for flag in decode(fields[3], ",")),
        alone=alone,
    )


def wound(leaf: Turn, numbers: Mapping[int, int]) -> str:
    """The state of a tracker with active levels, by their depth from 0, at other numbers."""
    return _wound(leaf.state, "|", numbers)


def _wound(text: str, delimiter: str, numbers: Mapping[int, int], depth: int = -1) -> str:
    """A tracker, whose first field is the active level, or a level, whose second is the active one below."""
    tracker = depth < 0
    fields = decode(text, delimiter)
    if not tracker and depth in numbers:
        fields[0] = str(numbers[depth])
    below = (integer(fields[0]) if tracker else integer(fields[1])) or 0
    place = below + (1 if tracker else 4)
    if place < len(fields):
        fields[place] = _wound(fields[place], ";", numbers, depth + 1)
    return encode(fields, delimiter)


def wind(
    row: Sequence[Dial],
    roles: Sequence[str],
    turn: int,
    impulse: int | None,
    step: Callable[[Dial], int | None],
    *,
    ending: bool = False,
) -> dict[int, int]:
    """The numbers, by depth, at which a tracker shows a turn, an impulse (None before the first) and a step;
    levels that stand there already are left out. `step` tells the entry of a list, None where it cannot: it
    is then the first before the impulses, and with `ending` the last.

    Raises BadInput where the tracker cannot show that moment, or what it would show is not known.
    """
    numbers: dict[int, int] = {}
    if impulse is not None and "impulse" not in roles and not all(dial.alone for dial in row):
        raise BadInput("its impulses lie beside the level it stands in")
    for depth, (dial, role) in enumerate(zip(row, roles, strict=True)):
        wanted = _wanted(dial, role, turn, impulse, step, ending=ending)
        if wanted is None and numbers:
            raise _not_told(dial, role)
        if wanted is not None and wanted != dial.number:
            dial.hold(wanted)
            numbers[depth] = wanted
    if numbers and impulse is None and not all(dial.alone for dial in row):
        raise BadInput("it has levels side by side, and which it stands in then is not known")
    return numbers


def _not_told(dial: Dial, role: str) -> BadInput:
    if role != "step":
        return BadInput(f"where {dial.called} would stand is not known")
    if dial.names:
        return BadInput("none of its steps stands for that one", hint="tracker.steps of a map says which")
    return BadInput("what its steps are called is not known", hint="give the module with --module")


def _wanted(
    dial: Dial,
    role: str,
    turn: int,
    impulse: int | None,
    step: Callable[[Dial], int | None],
    *,
    ending: bool,
) -> int | None:
    if role == "turn":
        return turn - (dial.kind == "list")
    if role == "impulse":
        return min(dial.number, dial.first) if impulse is None else impulse - (dial.kind == "list")
    if role != "step" or (found := step(dial)) is not None:
        return found if role == "step" else None
    return dial.first if impulse is None else dial.last if ending else None
