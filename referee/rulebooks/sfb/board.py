"""The map of a game: whether the hexes that are named lie on it."""

from __future__ import annotations

from collections.abc import Iterator

from referee.core.finding import Finding, NotChecked, Severity
from referee.core.frozen import frozen
from referee.core.hexgrid import Hex, neighbours_in_print
from referee.core.scenario import corners, off_map
from referee.rulebooks.base import Rulebook, check


@frozen
class HexNamed:
    """A hex that somebody names: whose, and what is there or comes from there (`is placed in`)."""

    rulebook: Rulebook
    subject: str
    what: str
    hex: Hex


@check("MAP/hex", "Hexes that are named are on the map", on="hex named")
def hex_on_the_map(named: HexNamed) -> Iterator[Finding | NotChecked]:
    """In a game on a map (option `map`, as the scenarios have it) units are placed on it, and damage comes
    from a hex of it. Where no map is said the size of the map is not known.

    Legal: a ship placed in 2817 of a map 0101-2817. Illegal: one placed in 9999. Fix: name a hex of the map.
    """
    board = named.rulebook.option("map")
    if not board:
        lacks = "no map is given (option map=0101-2817), so hexes are not compared with its size"
        yield NotChecked("", lacks)
    elif off_map(board, named.hex):
        first, last = corners(board)
        near = [hex for hex in neighbours_in_print(named.hex) if not off_map(board, hex)]
        meant = f"did you mean {' or '.join(map(str, near))}?" if near else "name a hex of the map"
        yield Finding(
            key="",
            severity=Severity.ERROR,
            message=f"{named.what} {named.hex}, which is not on the map",
            subject=named.subject,
            expected=f"a hex from {first} to {last}",
            found=str(named.hex),
            fix=meant,
        )
