"""Processes that share the work of one command."""

from __future__ import annotations

import gc
import os
import signal
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING

from referee.rulebooks.registry import confirmed_ships, use_confirmed

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from referee.core.confirmed import Numbers


MOST_WORKERS = 64


def cores() -> int:
    """The cores this process may use; where the system does not say, those there are."""
    allowed = getattr(os, "sched_getaffinity", None)
    return min(len(allowed(0)) if allowed else os.cpu_count() or 1, MOST_WORKERS)


def seldom_collected() -> None:
    """A process of one command makes little garbage that waits for a search: it is searched for seldom."""
    gc.set_threshold(1_000_000)


@contextmanager
def processes(workers: int) -> Iterator[Executor]:
    """Processes that begin as this one stands, or afresh; whatever ends the work early ends them too."""
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import active_children, get_context

    others = active_children()
    executor = ProcessPoolExecutor(
        workers, mp_context=get_context(_begun_as()), initializer=_begun, initargs=(confirmed_ships(),)
    )
    try:
        yield executor
    except BaseException:
        for child in active_children():
            if child not in others:
                child.terminate()
        raise
    finally:
        executor.shutdown()


def _begun_as() -> str:
    """How processes begin: as copies of this one, which has read its modules. A thread beside this one may hold what a copy
    would wait for, and not every system makes copies safely: then they begin afresh."""
    alone = sys.platform == "linux" and threading.active_count() == 1
    return "fork" if alone else "spawn"


def _begun(confirmed: Mapping[str, Numbers]) -> None:
    """How a process begins: with the numbers of ships that are confirmed in the folder."""
    seldom_collected()
    use_confirmed(confirmed)


@contextmanager
def deaf() -> Iterator[None]:
    """What is started here does not hear Ctrl-C: it is for this process, which ends the others."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
