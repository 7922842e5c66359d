"""Dice of a record as they are thrown group by group, by hand or by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from referee.core.errors import BadInput


class TooFewFaces(BadInput):
    """More dice are asked for than were typed in; `die` is the next of them."""

    def __init__(self, die: str) -> None:
        super().__init__("too few faces", hint=f"{die} comes next")
        self.die = die


class NoSuchFace(BadInput):
    """A face that its die does not have; `good` are the faces before those of that roll."""

    def __init__(self, faces: Sequence[int], good: int, sides: int) -> None:
        wrong = next(face for face in faces if not 1 <= face <= sides)
        super().__init__(f"no die shows {wrong}", hint=f"faces from 1 to {sides}")
        self.good = good


class TypedFaces:
    """Faces thrown by hand, in order; groups them as they are asked for."""

    source = "physical"

    def __init__(self, faces: list[int]) -> None:
        self._faces = list(faces)
        self._for = ""
        self.groups: list[dict[str, Any]] = []

    def is_for(self, what: str) -> None:
        """Told before a die is asked for: what it is for."""
        self._for = what

    def roll(self, count: int, sides: int) -> int:
        """The sum of the next faces. Raises BadInput for too few, or a face that the die does not have."""
        taken, self._faces = self._faces[:count], self._faces[count:]
        if len(taken) < count:
            raise TooFewFaces(f"{count - len(taken)}d{sides}" + (f" ({self._for})" if self._for else ""))
        if any(not 1 <= face <= sides for face in taken):
            raise NoSuchFace(taken, self._used, sides)
        self.groups.append({"count": count, "sides": sides, "faces": taken})
        return sum(taken)

    def finish(self, hint: str = "") -> None:
        """Raises BadInput if faces are left over."""
        if self._faces:
            given = self._used + len(self._faces)
            raise BadInput(f"{len(self._faces)} of {given} faces left over", hint=hint)

    @property
    def _used(self) -> int:
        return sum(len(group["faces"]) for group in self.groups)


class DieNeeded(Exception):
    """A die is thrown where none was to be."""


class NoDice:
    """A cup without dice: what can be worked out with it needs no face."""

    source = "none"

    def roll(self, count: int, sides: int) -> int:
        """Raises DieNeeded."""
        raise DieNeeded(f"{count}d{sides}")


def thrown_group(cup: Any, group: Mapping[str, Any]) -> int:
    """One group of dice, thrown by its name."""
    if hasattr(cup, "throw"):
        return sum(cup.throw(group["count"], group["sides"], group["for"]))
    if hasattr(cup, "is_for"):
        cup.is_for(group["for"])
    total = int(cup.roll(group["count"], group["sides"]))
    cup.groups[-1] = {"for": group["for"], **cup.groups[-1]}
    return total
