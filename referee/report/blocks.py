"""What a report is made of: parts with headings, and in them paragraphs, lines, tables, facts and SSDs. Text, Markdown and
HTML each draw them."""

from __future__ import annotations

from referee.core.battle import TurnTold
from referee.core.frozen import frozen


@frozen
class Line:
    """A sentence of the story with its moment, place and kind."""

    when: str
    text: str
    place: str = ""
    kind: str = ""


@frozen
class Text:
    """A paragraph; one that is `soft` is an aside."""

    text: str
    soft: bool = False


@frozen
class Lines:
    """Sentences, one below the other."""

    rows: tuple[Line, ...]


@frozen
class TextTable:
    """A table: its heads, its rows; the first column holds words, the others figures, but for those named in `words`."""

    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    words: frozenset[int] = frozenset()
    bars: tuple[tuple[float, float], ...] = ()
    """Of each row how long a bar is, and where the mark of what is fair stands; for pages that can draw."""


@frozen
class Facts:
    """Names with what is said of each."""

    rows: tuple[tuple[str, str], ...]


@frozen
class Sheets:
    """The SSDs as they are at the end of a turn, or now; `before` is the turn that ended before it."""

    turn: TurnTold
    before: TurnTold | None = None
    when: str = ""


@frozen
class Plain:
    """Text of a rulebook's own, line by line."""

    text: str


Block = Text | Lines | TextTable | Facts | Sheets | Plain


@frozen
class Part:
    """A part of the report under its heading; one of a turn is folded where the page can fold."""

    id: str
    title: str
    blocks: tuple[Block, ...]
    parts: tuple[Part, ...] = ()
