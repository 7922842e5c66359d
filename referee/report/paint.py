"""What a terminal shows: colours where it wants them, and lines that fit it."""

from __future__ import annotations

import os
import re
import textwrap
from typing import TextIO

_CODES = {"red": 31, "green": 32, "yellow": 33, "magenta": 35, "cyan": 36, "bold": 1, "dim": 2}


_PAINTED = re.compile(r"\x1b\[[0-9;]*m")


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


def window() -> int:
    """The columns there are to write in."""
    from shutil import get_terminal_size

    return max(40, get_terminal_size((80, 24)).columns)


def hung(text: str, first: str, rest: str, wide: int = 79) -> list[str]:
    """A text behind what begins its first line, the further ones under it; a word stays whole, and one for which there is
    no room there stands further out."""
    if len(rest) + (longest := max(map(len, text.split()), default=0)) > wide >= longest:
        further = rest[: wide - longest]
        return [first.rstrip(), *hung(text, further, further, wide)]
    return textwrap.wrap(
        text, wide, initial_indent=first, subsequent_indent=rest, break_on_hyphens=False
    ) or [first.rstrip()]


def fitted(text: str) -> str:
    """Lines that fit; no word of them is broken, and what goes on stands further in. A command of ours stays whole: it is
    there to be copied."""
    lines: list[str] = []
    for line in text.split("\n"):
        words = line.lstrip()
        lead = line[: -len(words)] if words else ""
        row, *others = [words] if words.startswith("referee ") else words.split(" ")
        row = lead + row
        for word in others:
            if len(_PAINTED.sub("", f"{row} {word}")) > window():
                lines.append(row)
                row = f"{lead}   {word}"
            else:
                row += f" {word}"
        lines.append(row)
    return "\n".join(lines)
