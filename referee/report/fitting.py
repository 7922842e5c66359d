"""Lines that fit the window they are read in."""

from __future__ import annotations

import re
import textwrap
from shutil import get_terminal_size

_PAINTED = re.compile(r"\x1b\[[0-9;]*m")


def window() -> int:
    """The columns there are to write in."""
    return max(40, get_terminal_size((80, 24)).columns)


def hung(text: str, first: str, rest: str, wide: int = 79) -> list[str]:
    """A text behind what begins its first line, the further ones under it; a word of many parts stays whole."""
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
