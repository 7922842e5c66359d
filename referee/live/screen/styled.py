"""Lines of the screen as pieces of text, each in a named style; what players wrote is made safe here, and cut to size."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.cells import cell_len, set_cell_size

from referee.core.safe import safe_line

Piece = tuple[str, str]
"""A text and the name of its style."""
Line = tuple[Piece, ...]

BLANK: Line = ()


def line(*pieces: str | Piece, style: str = "") -> Line:
    """A line of pieces; a text alone has the `style` of the line."""
    made = ((piece, style) if isinstance(piece, str) else piece for piece in pieces)
    return tuple((safe_line(text, 2000), look) for text, look in made if text)


def width_of(pieces: Iterable[Piece]) -> int:
    """How many columns a line takes."""
    return sum(cell_len(text) for text, _ in pieces)


def fitted(pieces: Line, width: int) -> Line:
    """A line of just so many columns, cut with an ellipsis or filled with spaces."""
    wide = width_of(pieces)
    if wide <= width:
        return (*pieces, (" " * (width - wide), "")) if wide < width else pieces
    kept: list[Piece] = []
    room = width - 1
    for text, style in pieces:
        here = cell_len(text)
        if here >= room:
            kept.append((set_cell_size(text, room), style))
            break
        kept.append((text, style))
        room -= here
    return (*kept, ("…", "dim"))


def spread(left: Line, right: Line, width: int) -> Line:
    """Two lines in one: the right one stands at the right edge, and is never cut."""
    room = max(width - width_of(right) - 1, 0)
    return (*fitted(left, room), (" ", ""), *fitted(right, width - room - 1))


def wrapped(pieces: Line, width: int, indent: int = 2) -> list[Line]:
    """A line broken between words; what follows is indented."""
    if width_of(pieces) <= width:
        return [pieces]
    rows: list[Line] = []
    row: list[Piece] = []
    used = 0
    for text, style in pieces:
        for whole in _words(text):
            word, wide = whole, cell_len(whole)
            if used + wide > width and used > indent:
                rows.append(tuple(row))
                row, used = [(" " * indent, "")], indent
                word = whole.lstrip(" ")
                wide = cell_len(word)
            while used + wide > width and width > indent + 1:
                head = set_cell_size(word, width - used)
                rows.append((*row, (head, style)))
                word = word[len(head.rstrip(" ")) or 1 :]
                row, used, wide = [(" " * indent, "")], indent, cell_len(word)
            row.append((word, style))
            used += wide
    return [*rows, tuple(row)] if row else rows


def _words(text: str) -> Iterable[str]:
    """A text in words, each with the spaces before it."""
    start = 0
    for at in range(1, len(text)):
        if text[at] == " " and text[at - 1] != " ":
            yield text[start:at]
            start = at
    if text:
        yield text[start:]


def flowed(label: Line, parts: Sequence[Line], width: int, between: str = "  ") -> list[Line]:
    """Parts behind a label, as many to a line as go in; a part is never broken, but where it is too wide by itself."""
    indent = width_of(label)
    rows: list[Line] = []
    row: Line = label
    used = indent
    for part in parts:
        wide = width_of(part)
        first = used == indent
        if not first and used + len(between) + wide > width:
            rows.append(row)
            row, used, first = ((" " * indent, ""),), indent, True
        row = (*row, *(() if first else ((between, ""),)), *part)
        used += wide + (0 if first else len(between))
    return [*rows, row]


def columns(left: Sequence[Line], right: Sequence[Line], width: int, at: int) -> list[Line]:
    """Two columns beside each other; the right one begins behind a rule at a column."""
    rows = max(len(left), len(right))
    made = []
    for n in range(rows):
        before = fitted(left[n] if n < len(left) else BLANK, at)
        after = fitted(right[n] if n < len(right) else BLANK, width - at - 2)
        made.append((*before, ("│ ", "dim"), *after))
    return made


def plain(pieces: Iterable[Piece]) -> str:
    """A line without its styles."""
    return "".join(text for text, _ in pieces).rstrip()
