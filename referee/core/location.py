"""The exact place in a player's file that a finding or an error is about, and the moment of the game."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from functools import lru_cache
from typing import Any

from referee.core.frozen import frozen
from referee.core.once import pattern


@frozen
class When:
    """A moment of the game; None where it is not known."""

    turn: int | None = None
    impulse: int | None = None


@frozen
class Location:
    """File, then whichever of the others apply.

    `member` is an entry of an archive, `cell` a spreadsheet cell such as `B14`, `line` and
    `column` count from 1, `pointer` is a JSON pointer, `piece` names a VASSAL piece, `step` is
    a log's top-level step from 1, `record_line` a line of a game record.
    """

    file: str = ""
    member: str | None = None
    sheet: str | None = None
    cell: str | None = None
    line: int | None = None
    column: int | None = None
    pointer: str | None = None
    piece: str | None = None
    step: int | None = None
    record_line: int | None = None

    def __str__(self) -> str:
        return ":".join(self._parts())

    @property
    def way(self) -> str:
        """The way to it, as a reader goes: `duel.vsav › SSD Constellation › C15`. A ship has one form."""
        there = self.within(sheet=None) if self.piece and self.cell else self
        return " › ".join(there._parts())

    def _parts(self) -> list[str]:
        parts = [self.file] if self.file else []
        # A piece is found by its name; the entry of the archive it is in helps nobody.
        member = None if self.piece else self.member
        parts += [part for part in (member, self.piece, self.sheet, self.cell, self.pointer) if part]
        numbered = (
            ("line", None if self.cell else self.line),
            ("step", self.step),
            ("record line", self.record_line),
        )
        return parts + [f"{name} {n}" for name, n in numbered if n is not None]

    def within(self, **parts: str | int | None) -> Location:
        """This location, narrowed. Every line of a file that is read has one: it is made without `replace`."""
        part: Callable[[str, Any], Any] = parts.get
        return Location(
            part("file", self.file),
            part("member", self.member),
            part("sheet", self.sheet),
            part("cell", self.cell),
            part("line", self.line),
            part("column", self.column),
            part("pointer", self.pointer),
            part("piece", self.piece),
            part("step", self.step),
            part("record_line", self.record_line),
        )

    def to_json(self) -> dict[str, str | int]:
        """The parts that apply, as JSON."""
        pairs = ((field.name, getattr(self, field.name)) for field in fields(self))
        return {name: value for name, value in pairs if value not in (None, "")}


_CELL = pattern(r"([A-Z]+)([0-9]+)")


def cell_of(name: str) -> tuple[int, int]:
    """Row and column of a cell's name, both from 0: `C14` is (13, 2). Raises ValueError for what is none."""
    match = _CELL.fullmatch(name)
    if not match:
        raise ValueError(f"{name!r} is no cell")
    column = 0
    for letter in match[1]:
        column = 26 * column + ord(letter) - 64
    return int(match[2]) - 1, column - 1


@lru_cache(maxsize=4096)
def cell_name(row: int, column: int) -> str:
    """The spreadsheet name of a cell, both counted from 0: (13, 2) is `C14`."""
    letters = ""
    column += 1
    while column:
        column, rest = divmod(column - 1, 26)
        letters = chr(65 + rest) + letters
    return f"{letters}{row + 1}"
