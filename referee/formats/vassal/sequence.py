"""The one quoting scheme of VASSAL text: lists joined by a delimiter character.

Backslashes are not themselves escaped, so a token that ends in one does not come back; `lossy`
tells which tokens do not.
"""

from __future__ import annotations

from collections.abc import Iterable

_HELD = "\0"
"""Stands for an escaped delimiter while a text without it is split."""


def encode(tokens: Iterable[str | None], delimiter: str) -> str:
    """The tokens as VASSAL writes them; None and the empty text look alike."""
    texts = [token or "" for token in tokens]
    joined = delimiter.join(texts)
    if "\\" not in joined and "'" not in joined and joined.count(delimiter) == len(texts) - 1:
        return joined
    return delimiter.join([encode_token(text, delimiter) for text in texts])


def encode_token(token: str | None, delimiter: str) -> str:
    """One token, escaped and quoted where VASSAL would."""
    if not token:
        return ""
    text = token.replace(delimiter, "\\" + delimiter) if delimiter in token else token
    first = token[0]
    if first == "\\" or (first == "'" and token[-1] == "'"):
        return f"'{text}'"
    return text


def decode(text: str, delimiter: str) -> list[str]:
    """The tokens of an encoded list; the empty text holds one empty token."""
    escaped = "\\" + delimiter
    if escaped not in text:
        parts = text.split(delimiter)
    elif _HELD not in text:
        parts = [part.replace(_HELD, delimiter) for part in text.replace(escaped, _HELD).split(delimiter)]
    else:
        parts = _rejoin(text.split(delimiter), delimiter)
    if "'" in text:
        return [unquoted(part) for part in parts]
    return parts


def lossy(token: str, delimiter: str) -> bool:
    """Whether a token, with another after it, would not be read back as it was written."""
    return decode(encode((token, ""), delimiter), delimiter) != [token, ""]


def _rejoin(parts: list[str], delimiter: str) -> list[str]:
    """Joins pieces whose delimiter was escaped, dropping the one backslash that escaped it."""
    tokens: list[str] = []
    held: list[str] = []
    last = len(parts) - 1
    for index, part in enumerate(parts):
        if index < last and part.endswith("\\"):
            held.append(part[:-1])
        elif held:
            held.append(part)
            tokens.append(delimiter.join(held))
            held = []
        else:
            tokens.append(part)
    return tokens


def unquoted(token: str) -> str:
    """A token without the quotes around it."""
    return token[1:-1] if len(token) > 1 and token[0] == "'" and token[-1] == "'" else token
