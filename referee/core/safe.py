"""Text from players' files, made safe to show: no control characters, no hidden directions."""

from __future__ import annotations

import re
import unicodedata

from referee.core.once import pattern

MAX_SHOWN = 500
_MAX_MARKS = 3
_COLOUR = r"\x1b\[(?:[012]|3[1-7])m"
# What moves the cursor, turns the direction, or is not seen. A line's end may be CR LF, as in CSV.
_HIDDEN = (
    r"\r(?!\n)|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\xad\u0600-\u0605\u061c\u06dd\u070f\u08e2\u180e"
    r"\u200b-\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufff9-\ufffb\U000e0000-\U000e007f]|(?<!^)\ufeff"
)
_PLAIN, _PAINTED = pattern(_HIDDEN), pattern(f"{_COLOUR}|{_HIDDEN}")


def safe_line(text: str, most: int = MAX_SHOWN) -> str:
    """One line with letters, digits, punctuation, symbols and spaces; all else spelt out.

    At most three combining marks follow each other and the line is cut at `most` characters.
    """
    shown = text if text.isascii() and text.isprintable() else "".join(_shown(text))
    return shown if len(shown) <= most else shown[: most - 1] + "…"


def safe_text(text: str, *, painted: bool = False) -> str:
    """Lines as they are, but for what is not to be seen in a terminal, which is spelt out; with `painted` our
    own colours stay."""
    return (_PAINTED if painted else _PLAIN).sub(_spelt, text)


def _spelt(found: re.Match[str]) -> str:
    return found[0] if len(found[0]) > 1 else _code(found[0])


def _code(character: str) -> str:
    code = ord(character)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _shown(text: str) -> list[str]:
    parts: list[str] = []
    marks = 0
    for character in text:
        category = unicodedata.category(character)
        marks = marks + 1 if category[0] == "M" else 0
        if character == " " or category[0] in "LNPS" or (marks and marks <= _MAX_MARKS):
            parts.append(character)
        elif not marks:
            parts.append(_code(character))
    return parts
