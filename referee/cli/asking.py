"""Questions on a terminal."""

from __future__ import annotations

import sys


def is_terminal() -> bool:
    """Is somebody there to be asked?"""
    return sys.stdin is not None and sys.stdin.isatty() and sys.stdout.isatty()


def ask(question: str) -> str | None:
    """The line that is typed; None where the input ends."""
    sys.stdout.write(question)
    sys.stdout.flush()
    line = sys.stdin.readline()
    if not line:
        sys.stdout.write("\n")
        return None
    return line.rstrip("\r\n")
