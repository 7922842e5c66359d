"""The hex map: columns and rows, facings A-F, range, and the direction one unit sees another in.

Column `CC` and row `RR` make hex `CCRR`; odd columns sit half a hex higher (C1.2). A facing is
a letter, A up, then clockwise. An `Offset` is a step on two axes of the grid.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from referee.core.once import pattern

FACINGS = "ABCDEF"
_HEX = pattern(r"([0-9]{2})([0-9]{2})([A-Fa-f])?")
_OPEN = pattern(r"(-[1-9][0-9]?|[0-9]{2})(-[1-9][0-9]?|[0-9]{2})([A-Fa-f])?")
_NEARLY = pattern(r"\(?([0-9]{1,5})(?:[ ,./:-]{1,2}([0-9]{1,2}))?\)?[ ,./:-]?([A-Z]?)")


_TURNED = ((1, 0, 0, 1), (0, -1, 1, 1), (-1, -1, 1, 0), (-1, 0, 0, -1), (0, 1, -1, -1), (1, 1, -1, 0))
"""How an offset turns clockwise by sixths of a circle: what of its x and z is in the new x, and in the new z."""


class Offset(NamedTuple):
    """From one hex to another: `x` columns, `z` rows along the slanted axis."""

    x: int
    z: int

    def turned(self, sixths: int) -> Offset:
        """The same offset turned clockwise by sixths of a circle."""
        x, z = self
        of_x, of_z, also_x, also_z = _TURNED[sixths % 6]
        return Offset(of_x * x + of_z * z, also_x * x + also_z * z)


DIRECTIONS = tuple(Offset(0, -1).turned(k) for k in range(6))
_BACK = (_TURNED[0], *_TURNED[:0:-1])
"""How an offset turns anticlockwise, sixth by sixth."""
_new = tuple.__new__
_TOWARD = dict(zip(FACINGS, DIRECTIONS, strict=True))


@dataclass(frozen=True, slots=True, order=True)
class Hex:
    """A hex of the map by its printed column and row."""

    column: int
    row: int

    def __str__(self) -> str:
        return f"{self.column:02d}{self.row:02d}"

    def offset_to(self, other: Hex) -> Offset:
        """The offset from this hex to another."""
        return Offset(other.column - self.column, other._slanted() - self._slanted())

    def _slanted(self) -> int:
        return self.row - (self.column + 1) // 2

    def step(self, facing: str, hexes: int = 1) -> Hex:
        """The hex so many hexes away in the direction of a facing (C1.2)."""
        toward = DIRECTIONS[FACINGS.index(facing)]
        column = self.column + toward.x * hexes
        slanted = self._slanted() + toward.z * hexes
        return hex_at(column, slanted + (column + 1) // 2)

    def leads_to(self, facing: str, other: Hex) -> bool:
        """Is the other hex the next one in the direction of a facing (C1.2)?"""
        x, z = _TOWARD[facing]
        column = self.column + x
        row = self.row - (self.column + 1) // 2 + z + (column + 1) // 2
        return column == other.column and row == other.row


hex_at = lru_cache(maxsize=1 << 14)(Hex)
"""The hex of a column and a row: the hexes of a map come back."""


def parse_position(text: str) -> tuple[Hex, str | None]:
    """A hex and, if given, a facing: `0915`, `0915C`. Raises ValueError for anything else."""
    match = _HEX.fullmatch(text.strip())
    if not match:
        near = " or ".join(nearest_positions(text))
        also = f"; did you mean {near}?" if near else ""
        raise ValueError(f"{text!r} is not a hex such as 0915 or 0915C{also}")
    return Hex(int(match[1]), int(match[2])), match[3].upper() if match[3] else None


def parse_map_position(text: str) -> tuple[Hex, str | None]:
    """A hex some map has, and its facing if given. Raises ValueError for anything else."""
    hex, facing = parse_position(text)
    if not hex.column or not hex.row:
        raise ValueError(f"{text.strip()!r} is on no map: columns and rows begin with 01")
    return hex, facing


def parse_open_position(text: str) -> tuple[Hex, str | None]:
    """A hex that may lie beyond 0101, as a hex is written there (`-109F`), and its facing if given. Raises ValueError
    for anything else."""
    match = _OPEN.fullmatch(text.strip())
    if not match:
        return parse_position(text)
    return Hex(int(match[1]), int(match[2])), match[3].upper() if match[3] else None


def nearest_positions(text: str) -> tuple[str, ...]:
    """What somebody may have meant who wrote no hex: a nought left out, a digit or letter too many."""
    match = _NEARLY.fullmatch(text.strip().upper().replace("O", "0"))
    if not match:
        return ()
    column, row, facing = match[1], match[2], match[3] if match[3] in FACINGS else ""
    if row:
        digits = [column.zfill(2) + row.zfill(2)]
    elif len(column) == 3:
        digits = [f"0{column}", f"{column[:2]}0{column[2]}"]
    elif len(column) == 5:
        digits = [column[:n] + column[n + 1 :] for n in (4, 3, 2)]
    else:
        digits = [column] if len(column) == 4 else []
    on_a_map = (each for each in digits if "00" not in (each[:2], each[2:]))
    return tuple(dict.fromkeys(each + facing for each in on_a_map))


def neighbours_in_print(hex: Hex) -> tuple[Hex, ...]:
    """Hexes whose numbers are easily mistaken for a hex's: column and row the other way round, or two digits
    beside each other."""
    digits = str(hex)
    swapped = [digits[2:] + digits[:2]]
    swapped += [digits[:n] + digits[n + 1] + digits[n] + digits[n + 2 :] for n in range(3)]
    alike = (Hex(int(each[:2]), int(each[2:])) for each in swapped if each != digits)
    return tuple(each for each in dict.fromkeys(alike) if each.column and each.row)


def true_range(start: Hex, end: Hex) -> int:
    """Hexes along the shortest path, 0 in the same hex (D1.4)."""
    x = end.column - start.column
    z = end.row - (end.column + 1) // 2 - start.row + (start.column + 1) // 2
    return max(abs(x), abs(z), abs(x + z))


def relative_offset(origin: Hex, facing: str, other: Hex) -> Offset:
    """Where `other` lies as seen from a unit at `origin`, turned so that its bow points to A."""
    column, there = origin.column, other.column
    x = there - column
    z = other.row - (there + 1) // 2 - origin.row + (column + 1) // 2
    of_x, of_z, also_x, also_z = _TURNED[-FACINGS.index(facing)]
    return _new(Offset, (of_x * x + of_z * z, also_x * x + also_z * z))


@lru_cache(maxsize=1 << 12)
def struck_shields(offset: Offset) -> tuple[int, ...]:
    """The shields facing an offset from the bow: one, or two where it lies on their corner.

    Shield 1 spans 30 degrees to either side of the bow, the others follow clockwise (C1.2).
    In the same hex there is no direction and the tuple is empty.
    """
    if offset == (0, 0):
        return ()
    x, z = offset
    turned = [(of_x * x + of_z * z, also_x * x + also_z * z) for of_x, of_z, also_x, also_z in _BACK]
    return tuple([k for k, (x, z) in enumerate(turned, 1) if -(2 * z + x) >= 3 * abs(x)])
