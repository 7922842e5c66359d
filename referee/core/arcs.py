"""Firing arcs relative to the bow (D2.0): sectors, their combinations, half planes, hex rows."""

from __future__ import annotations

from functools import lru_cache

from referee.core.hexgrid import DIRECTIONS, FACINGS, Offset, nearest_positions

SECTORS = ("RF", "R", "RR", "LR", "L", "LF")
"""Clockwise from the bow: sector k lies between hex rows k and k + 1 and owns both (D2.1)."""

COMBINATIONS = {
    "FA": ("LF", "RF"),
    "FX": ("L", "LF", "RF", "R"),
    "RA": ("LR", "RR"),
    "RX": ("L", "LR", "RR", "R"),
    "LS": ("LF", "L", "LR"),
    "RS": ("RF", "R", "RR"),
    "360": SECTORS,
}
"""Combined arcs of D2.2, and all round."""

HALF_PLANES = {"FH": 0, "RH": 3, "LP": 5, "RP": 1}
"""Arcs of 180 degrees by the hex row they are centred on, both bounding lines included."""


@lru_cache(maxsize=1 << 10)
def tokens(arc: str) -> tuple[str, ...]:
    """The parts of an arc such as `FX+row:D`. Raises ValueError for an unknown part."""
    parts = tuple(part.strip() for part in arc.split("+"))
    for part in parts:
        known = part in SECTORS or part in COMBINATIONS or part in HALF_PLANES
        if not known and not (part.startswith("row:") and part[4:] in FACINGS and len(part) == 5):
            raise ValueError(f"{part!r} is not an arc such as LF, FX, 360 or row:D")
    return parts


def _in_sector(offset: Offset, sector: int) -> bool:
    x, z = offset.turned(-sector)
    return x >= 0 and x + z <= 0


def _on_row(offset: Offset, row: int) -> bool:
    x, z = offset.turned(-row)
    return x == 0 and z <= 0


def _in_half_plane(offset: Offset, centre: int) -> bool:
    x, z = offset.turned(-centre)
    return 2 * z + x <= 0


@lru_cache(maxsize=4096)
def arcs_at(offset: Offset) -> tuple[str, ...]:
    """The arcs of the six in which a hex at an offset from the bow lies: two where they share its row."""
    return tuple(name for name in SECTORS if bears(name, offset))


@lru_cache(maxsize=1 << 12)
def bears(arc: str, offset: Offset) -> bool:
    """Can a weapon with this arc fire at an offset from the bow? In its own hex it always can."""
    if offset == (0, 0):
        return True
    for token in tokens(arc):
        if token.startswith("row:"):
            hit = _on_row(offset, FACINGS.index(token[4:]))
        elif token in HALF_PLANES:
            hit = _in_half_plane(offset, HALF_PLANES[token])
        else:
            hit = any(_in_sector(offset, SECTORS.index(name)) for name in COMBINATIONS.get(token, (token,)))
        if hit:
            return True
    return False


def arcs_toward(offset: Offset) -> tuple[str, ...]:
    """The sectors an offset lies in: one, or two on a shared hex row, all six in the same hex."""
    return tuple(name for k, name in enumerate(SECTORS) if offset == (0, 0) or _in_sector(offset, k))


def direction_offset(direction: str) -> Offset:
    """An offset that stands for a direction: `row:B` is one hex along it, `LF` the middle of it."""
    part = tokens(direction)
    if len(part) == 1 and direction.startswith("row:"):
        return DIRECTIONS[FACINGS.index(direction[4:])]
    if len(part) == 1 and direction in SECTORS:
        k = SECTORS.index(direction)
        ahead, after = DIRECTIONS[k], DIRECTIONS[(k + 1) % 6]
        return Offset(ahead.x + after.x, ahead.z + after.z)
    raise ValueError(f"{direction!r} is not a direction such as row:B or LF")


def directions_like(text: str) -> tuple[str, ...]:
    """What somebody may have meant who wrote no direction: a sector with its letters in another order, a hex
    row written otherwise, or a hex."""
    letters = sorted(character for character in text.upper() if character.isalnum())
    sectors = (sector for sector in SECTORS if sorted(sector) == letters)
    rows = (f"row:{facing}" for facing in FACINGS if sorted(f"ROW{facing}") == letters)
    return (*sectors, *rows, *nearest_positions(text))
