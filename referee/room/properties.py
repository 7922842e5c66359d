"""What a client tells of itself and of rooms: Java's properties text, its lines joined by `|`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from referee.formats.vassal.sequence import decode, encode

_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|.)", re.DOTALL)
_NAMED = {"t": "\t", "n": "\n", "r": "\r", "f": "\f"}
_MOST = 100
"""Properties of one client that are read."""


def read_properties(text: str) -> dict[str, str]:
    """The properties in a text; of a key that stands twice the last value counts. What makes no sense is left out."""
    found: dict[str, str] = {}
    for line in decode(text, "|")[:_MOST]:
        pair = line.lstrip(" \t\f")
        if not pair or pair[0] in "#!":
            continue
        key, value = _parted(pair)
        found[_plain(key)] = _plain(value)
    return found


def write_properties(properties: Mapping[str, str] | Iterable[tuple[str, str]]) -> str:
    """Properties as Java writes them."""
    pairs = properties.items() if isinstance(properties, Mapping) else properties
    return encode([_closed(f"{_escaped(key, key=True)}={_escaped(value)}") for key, value in pairs], "|")


def _closed(line: str) -> str:
    """A line whose last backslash is written by its number: before the `|` that parts it from the next it would be
    taken for that one's escape."""
    return line[:-2] + r"\u005c" if line.endswith("\\") else line


def _parted(line: str) -> tuple[str, str]:
    """Key and value of a line: the first `=`, `:` or blank that is not escaped stands between them."""
    at = 0
    while at < len(line) and line[at] not in "=: \t\f":
        at += 2 if line[at] == "\\" else 1
    rest = line[at:].lstrip(" \t\f")
    if rest[:1] in ("=", ":"):
        rest = rest[1:].lstrip(" \t\f")
    return line[:at], rest


def _plain(text: str) -> str:
    """A text without its escapes; halves of a surrogate pair are joined, and one alone is shown as unreadable."""
    if "\\" not in text:
        return text
    plain = _ESCAPE.sub(_meant, text)
    return plain.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _meant(found: re.Match[str]) -> str:
    escape = found[1]
    return chr(int(escape[1:], 16)) if len(escape) == 5 else _NAMED.get(escape, escape)


def _escaped(text: str, *, key: bool = False) -> str:
    parts = []
    for index, letter in enumerate(text):
        if letter == " ":
            parts.append("\\ " if key or index == 0 else " ")
        elif letter in "\\=:#!":
            parts.append("\\" + letter)
        elif " " < letter <= "~":
            parts.append(letter)
        else:
            raw = letter.encode("utf-16-be", "surrogatepass")
            parts += [f"\\u{raw[n : n + 2].hex().upper()}" for n in range(0, len(raw), 2)]
    return "".join(parts)
