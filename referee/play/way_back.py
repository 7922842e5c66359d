"""Where a record stood earlier, kept while a process plays on in it: an undo goes on from there, not from the start."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Generic, TypeVar

from referee.core.frozen import frozen
from referee.core.takenback import taken_back

if TYPE_CHECKING:
    from referee.core.gamefold import GameFold
    from referee.record.chain import Entry

RECENT = 12
"""The number of last stages of a record that are all kept."""
APART = 256
"""Of earlier stages one is kept for each so many entries."""
MOST = 40

Stage = TypeVar("Stage")


@frozen
class Kept(Generic[Stage]):
    """What the first so many entries of a record came to; the last of them has the hash, and so all of them are known
    by it."""

    path: str
    count: int
    hash: str
    stage: Stage

    def begins(self, path: str, entries: Sequence[Entry]) -> bool:
        """Do the entries of a record begin with those, whoever signed them?"""
        return self.path == path and self.count <= len(entries) and entries[self.count - 1].hash == self.hash


class WayBack(Generic[Stage]):
    """What some entries of a record came to, and what its first so many did."""

    def __init__(self) -> None:
        self._kept: list[Kept[Stage]] = []

    def last(
        self, path: str, entries: Sequence[Entry], fits: Callable[[int, Stage], bool]
    ) -> tuple[int, Stage] | None:
        """The last stage of a record that its entries begin with, and that `fits`; with how many it has taken."""
        for kept in reversed(self._kept):
            if kept.begins(path, entries) and fits(kept.count, kept.stage):
                return kept.count, kept.stage
        return None

    def keep(self, path: str, entries: Sequence[Entry], stage: Stage) -> None:
        """Keeps a stage in the place of one of as many entries; those of another record are forgotten."""
        kept = [held for held in self._kept if held.path == path and held.count != len(entries)]
        older, recent = kept[: -RECENT + 1], kept[-RECENT + 1 :]
        apart = {held.count // APART: held for held in older}
        last = Kept(path, len(entries), entries[-1].hash, stage)
        self._kept = [*list(apart.values())[-MOST:], *recent, last]

    def clear(self) -> None:
        """Forgets all."""
        self._kept.clear()


def stands_in(fold: GameFold, entries: Sequence[Entry]) -> bool:
    """Does what a fold has taken come to the same where more follows? An undo among that may take some of it back."""
    if not takes_back(entries[fold.lines :]):
        return True
    return taken_back(entries).before(fold.lines) == fold.taken_back.before(fold.lines)


def takes_back(entries: Sequence[Entry]) -> bool:
    """Is there an undo in some entries? It changes what came before it."""
    return any(entry.type == "undo" for entry in entries)


def moments_kept(count: int) -> list[int]:
    """After how many of its entries a record is looked at that is opened to be played on: now and then, and more
    often toward its end."""
    often = (count - 1 - back for back in (64, 32, 16, 8))
    return sorted({n for n in (*range(2 * APART, count, 2 * APART), *often) if n > 1})
