"""Moves in a play-by-play that name one ship, and can be of another alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from referee.core.finding import Finding, Severity
from referee.core.hexgrid import Hex, true_range
from referee.core.location import Location
from referee.formats.sfbol import Fact, Moved
from referee.sources.sfbol_course import Grid, Leg

MOST_WRONG = 40
"""Moves that lead farther than a hex: where there are more no slips of the pen explain them."""
Legs = Mapping[str, Mapping[int, Leg]]


def renamed(
    facts: list[Fact], legs: Legs, far: Iterable[int], grid: Grid, file: str
) -> tuple[list[Fact], list[Finding]]:
    """The facts of a game with moves given to the ship that made them, and what is said of that. Moves in the lines `far`
    lead a ship farther than a hex."""
    owners = {line: name for line in far for name, row in legs.items() if line in row}
    if len(owners) > MOST_WRONG:
        return facts, []
    found: list[Finding] = []
    changed: dict[int, Moved] = {}
    for fact in facts if owners else ():
        name = owners.get(fact.line)
        if name is None or not isinstance(fact, Moved):
            continue
        hex = grid.hex(fact)
        others = [other for other in legs if other != name and _may_be_of(legs[other], fact.line, hex)]
        if len(others) == 1 and _stays(legs[name], fact.line, changed):
            changed[fact.line] = fact._replace(ship=others[0])
            sentence = f"moves to {hex} by this line, where no move of it leads, and one of {others[0]} does: the line is taken to be of {others[0]}"
            place, fix = Location(file, line=fact.line), "ask both players which ship moved"
            found.append(Finding("NOTE/name", Severity.UNDECIDED, sentence, name, location=place, fix=fix))
    return ([changed.get(fact.line, fact) for fact in facts] if changed else facts), found


def _may_be_of(legs: Mapping[int, Leg], line: int, hex: Hex) -> bool:
    """May a ship with these places have moved to a hex by a line, and gone on from there?"""
    before, after = _around(legs, line)
    if before is None or true_range(before.hex, hex) != 1:
        return False
    return after is None or (true_range(hex, after.hex) == 1 and true_range(before.hex, after.hex) == 2)


def _stays(legs: Mapping[int, Leg], line: int, changed: Iterable[int]) -> bool:
    """Do the places of a ship fit together without that of a line?"""
    before, after = _around({at: leg for at, leg in legs.items() if at not in changed}, line)
    return before is not None and (after is None or true_range(before.hex, after.hex) == 1)


def _around(legs: Mapping[int, Leg], line: int) -> tuple[Leg | None, Leg | None]:
    """The last place before a line, and the first after it."""
    before = max((at for at in legs if at < line), default=0)
    after = min((at for at in legs if at > line), default=0)
    return legs.get(before), legs.get(after)
