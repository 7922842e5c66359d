"""Text from players' files, made safe to show: no control characters, no hidden directions."""

from __future__ import annotations

import unicodedata

MAX_SHOWN = 500
_MAX_MARKS = 3


def safe_line(text: str, most: int = MAX_SHOWN) -> str:
    """One line with letters, digits, punctuation, symbols and spaces; all else spelt out.

    At most three combining marks follow each other and the line is cut at `most` characters.
    """
    shown = text if text.isascii() and text.isprintable() else "".join(_shown(text))
    return shown if len(shown) <= most else shown[: most - 1] + "…"


def _shown(text: str) -> list[str]:
    parts: list[str] = []
    marks = 0
    for character in text:
        category = unicodedata.category(character)
        marks = marks + 1 if category[0] == "M" else 0
        if character == " " or category[0] in "LNPS" or (marks and marks <= _MAX_MARKS):
            parts.append(character)
        elif not marks:
            code = ord(character)
            parts.append(
                f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
            )
    return parts
