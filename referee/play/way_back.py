"""Where a record stood earlier, kept while a process plays on in it: an undo goes on from there, not from the start."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from referee.core.gamefold import GameFold
    from referee.record.chain import Entry

RECENT = 12
"""So many of the last stages are all kept."""
APART = 256
"""Of those before them one is kept in so many entries."""
MOST = 40

Stage = TypeVar("Stage")


class WayBack(Generic[Stage]):
    """What some entries of a record came to, and what its first so many did."""

    def __init__(self) -> None:
        self._kept: list[tuple[str, Sequence[Entry], Stage]] = []

    def last(
        self, path: str, entries: Sequence[Entry], fits: Callable[[Sequence[Entry], Stage], bool]
    ) -> tuple[Sequence[Entry], Stage] | None:
        """The last stage of a record that its entries begin with, and that `fits`."""
        for file, taken, stage in reversed(self._kept):
            if file == path and begins_with(entries, taken) and fits(taken, stage):
                return taken, stage
        return None

    def keep(self, path: str, entries: Sequence[Entry], stage: Stage) -> None:
        """Keeps a stage in the place of one of as many entries; those of another record are forgotten."""
        kept = [one for one in self._kept if one[0] == path and len(one[1]) != len(entries)]
        older, recent = kept[: -RECENT + 1], kept[-RECENT + 1 :]
        apart = {len(one[1]) // APART: one for one in older}
        self._kept = [*list(apart.values())[-MOST:], *recent, (path, entries, stage)]

    def clear(self) -> None:
        """Forgets all."""
        self._kept.clear()


def begins_with(entries: Sequence[Entry], known: Sequence[Entry]) -> bool:
    """Are the first of some entries those that are known, whoever signed them?"""
    return len(known) <= len(entries) and all(
        mine is other or (mine.hash == other.hash and mine.data == other.data)
        for mine, other in zip(known, entries, strict=False)
    )


def stands_in(fold: GameFold, entries: Sequence[Entry]) -> bool:
    """Does what a fold has taken come to the same where more follows? An undo among that may take some of it back."""
    from referee.core.takenback import taken_back

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
