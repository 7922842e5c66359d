"""Colour where there is a terminal that wants it."""

from __future__ import annotations

import os
from typing import TextIO

_CODES = {"red": 31, "green": 32, "yellow": 33, "magenta": 35, "cyan": 36, "bold": 1, "dim": 2}


class Paint:
    """Puts text in a colour, or leaves it alone."""

    def __init__(self, on: bool) -> None:
        self.on = on

    def __call__(self, text: str, style: str) -> str:
        return f"\x1b[{_CODES[style]}m{text}\x1b[0m" if self.on else text


def paint_for(stream: TextIO, wish: str) -> Paint:
    """Colours by wish (`always`, `never`, `auto`): auto is a terminal, without NO_COLOR."""
    if wish == "auto":
        return Paint(stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb")
    return Paint(wish == "always")
