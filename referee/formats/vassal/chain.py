"""Trait chains: a piece's type and state, each nested one level deeper with every trait.

The TAB between traits n and n+1 (from 0) is preceded by n backslashes, so a chain is read in one
pass by counting them instead of unquoting the rest of the text once a trait.
"""

from __future__ import annotations

from dataclasses import field

from referee.core.errors import BadInput
from referee.core.frozen import frozen
from referee.formats.limits import MAX_TRAITS
from referee.formats.vassal.sequence import decode, encode, unquoted

_TAB = "\t"
_PIECE_ITSELF = ("piece;", "deck;")
_SLOW_LIMIT = 1 << 27  # characters copied by the slow reading of one chain


@frozen
class Trait:
    """One trait: its kind (`rotate`, `emb2`...), definition and state, as stored.

    A state may hold a player's password, so neither text has a repr.
    """

    kind: str
    type: str = field(repr=False)
    state: str = field(repr=False)


def split_chain(text: str, count: int | None = None) -> list[str]:
    """The texts of a chain, outermost first; with `count`, that many at most.

    Without `count` the chain is a type, which ends with the piece itself whatever follows.
    """
    if _TAB not in text or (count is None and text.startswith(_PIECE_ITSELF)):
        return [text]
    if text[-1] == "'" and (text[0] == "'" or "\t'" in text):
        return _split_level_by_level(text, count)
    if count is not None and (plain := _split_plain(text, count)):
        return plain
    tokens: list[str] = []
    wanted = count
    start = level = 0
    parts = text.split(_TAB)
    end = len(parts)
    for index in range(end - 1):
        part = parts[index]
        run = len(part) - len(part.rstrip("\\")) if part[-1:] == "\\" else 0
        if run < level and "'" in text:
            return _split_level_by_level(text, wanted)
        if run < level:
            # A second separator of an outer level: VASSAL reads two elements and drops the rest.
            parts[index] = part[: len(part) - run]
            end = index + 1
            break
        if run == level and (count is None or level < count - 1):
            parts[index] = token = part[: len(part) - run]
            if start < index:
                token = _join(parts, start, index + 1, level + 1)
            tokens.append(unquoted(token) if token[:1] == "'" else token)
            start, level = index + 1, level + 1
            if level > MAX_TRAITS:
                raise BadInput(f"piece with more than {MAX_TRAITS} traits")
            if count is None and parts[start].startswith(_PIECE_ITSELF):
                count = level + 1
    tokens.append(unquoted(_join(parts, start, end, len(tokens))))
    return tokens


def _split_plain(text: str, count: int) -> list[str]:
    """The texts of a chain without quotes and without TABs in them, as nearly all are; none of another."""
    *outer, last = text.split(_TAB)
    if len(outer) != count - 1 or "'" in text:
        return []
    tokens = [part.rstrip("\\") for part in outer]
    levels = [len(part) - len(token) for part, token in zip(outer, tokens, strict=True)]
    return [*tokens, last] if levels == list(range(count - 1)) else []


def join_chain(tokens: list[str] | tuple[str, ...]) -> str:
    """The text of a chain, as VASSAL nests it."""
    text = tokens[-1]
    for token in reversed(tokens[:-1]):
        text = encode((token, text), _TAB)
    return text


def pair_traits(
    type_text: str, state_text: str, types: dict[str, tuple[str, ...]] | None = None
) -> tuple[Trait, ...]:
    """The traits of a piece, outermost first; `types` remembers type chains already split."""
    if _TAB not in type_text:
        return (Trait(type_text.partition(";")[0], type_text, state_text),)
    known = types.get(type_text) if types is not None else None
    if known is None:
        known = tuple(split_chain(type_text))
        if types is not None:
            types[type_text] = known
    states = split_chain(state_text, len(known)) if len(known) > 1 else [state_text]
    states += [""] * (len(known) - len(states))
    return tuple(
        [Trait(text.partition(";")[0], text, state) for text, state in zip(known, states, strict=True)]
    )


def type_text(traits: tuple[Trait, ...]) -> str:
    """The type chain of traits."""
    return join_chain([trait.type for trait in traits])


def state_text(traits: tuple[Trait, ...]) -> str:
    """The state chain of traits."""
    return join_chain([trait.state for trait in traits])


def _join(parts: list[str], start: int, end: int, escapes: int) -> str:
    """Pieces rejoined at TABs that belong to the text, less the backslashes that escaped them."""
    if end - start == 1:
        return parts[start]
    inner = [part[: len(part) - escapes] if escapes else part for part in parts[start : end - 1]]
    return _TAB.join([*inner, parts[end - 1]])


def _split_level_by_level(text: str, count: int | None) -> list[str]:
    """The literal reading, for the rare chain whose rest may be wrapped in quotes."""
    tokens: list[str] = []
    copied = 0
    while (len(tokens) < count - 1 if count else not text.startswith(_PIECE_ITSELF)) and _TAB in text:
        copied += len(text)
        if copied > _SLOW_LIMIT or len(tokens) > MAX_TRAITS:
            raise BadInput(f"piece with more than {MAX_TRAITS} traits, or too much text in them")
        first, *rest = decode(text, _TAB)
        if not rest:
            break
        tokens.append(first)
        text = rest[0]
    return [*tokens, text]
