"""A progress bar over many files, on a terminal and only when they take longer than a second."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from time import monotonic

PATIENCE = 1.0
"""Seconds without a bar."""


def with_progress(files: Sequence[str]) -> Iterator[str]:
    """The files one by one; on a terminal a bar appears on the error stream once a second has passed."""
    if len(files) < 2 or not sys.stderr.isatty():
        yield from files
        return
    started = monotonic()
    done = 0
    for file in files:
        if monotonic() - started >= PATIENCE:
            break
        yield file
        done += 1
    if done == len(files):
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("judging", total=len(files), completed=done)
        for file in files[done:]:
            yield file
            bar.advance(task)
