"""Who does the work: processes on this machine, or a Dask cluster, behind one executor interface."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from importlib import import_module
from multiprocessing import get_context
from typing import Any

from referee.core.errors import BadInput

_PATIENCE = "10s"


@contextmanager
def local_executor(workers: int) -> Iterator[Executor]:
    """So many processes here. They start afresh, so that nothing of this one is copied by halves.

    Ctrl-C goes to every process of a terminal: the workers leave it to this one, which has them end.
    """
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn"), initializer=_leave_interrupts) as pool:
        with _interrupts_held():
            for _ in range(workers):
                pool.submit(int)  # begins a process
        yield pool


def _leave_interrupts() -> None:
    """A worker does not end by Ctrl-C."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@contextmanager
def _interrupts_held() -> Iterator[None]:
    """Ctrl-C waits till this is over; a process that begins in it has it wait for ever."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def cluster_executor(address: str) -> Iterator[Executor]:
    """The workers of a Dask scheduler; they need this package too. Raises BadInput where there is none."""
    try:
        distributed: Any = import_module("distributed")
    except ImportError:
        raise BadInput("--cluster needs dask.distributed", hint='pip install "referee[cluster]"') from None
    try:
        client = distributed.Client(address, timeout=_PATIENCE)
    except (OSError, TimeoutError, ValueError) as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise BadInput(f"no Dask scheduler at {address} ({reason})", hint="as tcp://host:8786") from None
    try:
        yield client.get_executor()
    finally:
        client.close()
