"""Ships of a log that were masked or hidden for a while: where they come back, held against where they went (C1.1)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from referee.core.finding import About, Finding
from referee.core.frozen import frozen
from referee.core.hexgrid import FACINGS, Hex, true_range
from referee.core.location import Location
from referee.core.naming import how_many
from referee.core.play import When
from referee.rulebooks.base import Rulebook

_FOLLOWED = 32
"""Of more hexes than these only the distance is judged."""


@frozen
class Seen:
    """Where a ship stood as it went out of sight, or came back: in which step, 0 before the first, and when."""

    hex: Hex
    facing: str | None
    step: int
    when: When


@dataclass
class Hidden:
    """A ship that is out of sight since it was `seen`, and surely `in_play`; `called` are the moves its speed called
    since, `most` how many it may have made where its speed is not known."""

    seen: Seen
    called: int = 0
    most: int = 0
    sure: bool = True
    impulses: list[int] = field(default_factory=list)
    in_play: bool = True

    def passes(self, called: bool | None, impulse: int) -> None:
        """An impulse in which it may have moved unseen; `called` is None where that is not known."""
        self.most += called is not False
        self.called += called is True
        self.sure = self.sure and called is not None
        if called:
            self.impulses.append(impulse)

    def reaches(self, back: Seen) -> bool:
        """May the moves it was called for have led to where it is back?"""
        if not self.sure or self.called > _FOLLOWED:
            return true_range(self.seen.hex, back.hex) <= self.most
        return _leads(self, back, self.called)

    def turns(self, back: Seen, need: int) -> bool:
        """May these moves have led there with so many hexes straight ahead between two turns? How far it had gone
        straight ahead before is not counted. True where it is not known how many moves it was called for."""
        return not self.sure or self.called > _FOLLOWED or _leads(self, back, self.called, need)


def move_made(before: Hidden, gone: Hidden, back: Seen) -> bool | None:
    """Had a ship made the move of the impulse it is back in by then? `before` is what it was called for up to that
    impulse, `gone` with it; None where both lead to where it is."""
    if not before.reaches(back):
        return True
    return None if gone.reaches(back) else False


def judge_return(rulebook: Rulebook, ship: str, gone: Hidden, back: Seen, place: Location) -> Finding | None:
    """The finding on a ship that comes back where no way of its own leads: an error where it is too far, or moved
    no hex though called for one; undecided where only turns that ships seldom make lead there."""
    far = true_range(gone.seen.hex, back.hex)
    went = (
        f"it went out of sight in step {gone.seen.step}"
        if gone.seen.step
        else "it was out of sight at the start"
    )
    here, there = (f"{each.hex}{each.facing or ''}" for each in (back, gone.seen))
    expected = (
        f"{_hexes(gone.called)} from {there}" if gone.sure else f"{_hexes(gone.most)} at most from {there}"
    )
    about, seen = About(ship, back.when.turn, back.when.impulse, place), rulebook.offers.seen_moves
    if far > gone.most:
        # A ship out of sight from the start, of no known speed, may not have been in play.
        sure = gone.in_play and bool(gone.sure or gone.seen.step)
        hexes = far, gone.most
        return seen.back_too_far(rulebook, about, here, expected, went, hexes, sure=sure)
    if gone.sure and gone.called == 1 and far == 0:
        impulse = gone.impulses[0]
        return seen.back_unmoved(rulebook, about, here, expected, went, impulse, sure=gone.in_play)
    if gone.sure and not gone.reaches(back):
        return seen.back_astray(rulebook, about, here, expected, went, gone.called)
    return None


def _hexes(count: int) -> str:
    return how_many(count, "hex", "hexes")


def turned_unseen(
    rulebook: Rulebook, ship: str, ways: Iterable[Hidden], back: Seen, need: int, place: Location
) -> Finding | None:
    """The error on a ship that turned out of sight before its turn mode let it: none of the `ways` it may have been
    called leads to where it is back with `need` hexes straight ahead between two turns, though one does without."""
    ways = tuple(ways)
    if not rulebook.offers.seen_moves.judges_turns(rulebook) or any(gone.turns(back, need) for gone in ways):
        return None
    gone = ways[-1]
    here, there = (f"{each.hex}{each.facing or ''}" for each in (back, gone.seen))
    about = About(ship, back.when.turn, back.when.impulse, place)
    back_turned = rulebook.offers.seen_moves.back_turned
    return back_turned(about, here, there, gone.called, need, sure=gone.in_play)


def _leads(gone: Hidden, back: Seen, called: int, need: int = 1) -> bool:
    """Do so many hexes, each with a turn of 60 degrees at most before it, lead to where it is back, where it needs
    so many hexes from one turn to the next? It may have turned for its next hex."""
    if gone.seen.facing is None:
        return True
    ring = {(gone.seen.hex, FACINGS.index(gone.seen.facing), need)}
    for left in range(called, 0, -1):
        steps = (
            (hex, (bow + way) % 6, 1 if way else min(count + 1, need))
            for hex, bow, count in ring
            for way in ((-1, 0, 1) if count >= need else (0,))
        )
        went = ((hex.step(FACINGS[bow]), bow, count) for hex, bow, count in steps)
        ring = {place for place in went if true_range(place[0], back.hex) <= left - 1}
    bows = {bow for hex, bow, _ in ring if hex == back.hex}
    if back.facing is None:
        return bool(bows)
    return any((FACINGS.index(back.facing) - bow) % 6 in (0, 1, 5) for bow in bows)
