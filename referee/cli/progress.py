"""Progress bars: on a terminal, and only for what takes longer than a second."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from time import monotonic
from types import TracebackType
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

Done = TypeVar("Done")
PATIENCE = 1.0
"""Seconds without a bar."""


class ProgressBar:
    """Called with what is done and what there is in all; a bar on the error stream, which goes when it ends."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._started = monotonic()
        self._bar: Progress | None = None
        self._task: TaskID | None = None

    def __enter__(self) -> ProgressBar:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar:
            self._bar.stop()

    def __call__(self, done: int, total: int) -> None:
        """So much of so much is done."""
        waited = monotonic() - self._started >= PATIENCE
        if self._bar is None and not (waited and done < total and sys.stderr.isatty()):
            return
        if self._bar is None or self._task is None:
            from rich.console import Console
            from rich.progress import Progress

            # The bar moves the cursor: it is drawn beneath what keeps players' text from doing so.
            console = Console(file=getattr(sys.stderr, "beneath", sys.stderr))
            self._bar = Progress(console=console, transient=True)
            self._task = self._bar.add_task(self._what, total=total)
            self._bar.start()
        self._bar.update(self._task, completed=done, total=total)


def with_progress(work: Iterable[Done], total: int) -> Iterator[Done]:
    """What is done, one by one, with a bar."""
    with ProgressBar("judging") as bar:
        for done, result in enumerate(work, 1):
            yield result
            bar(done, total)
