"""Seekers that were masked or hidden for a while: how far they may have flown unseen (F2.0)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise

from referee.adjudicator.out_of_sight import Seen
from referee.core.combat import Moment
from referee.core.finding import About, Finding
from referee.core.frozen import frozen
from referee.core.hexgrid import Hex, true_range
from referee.core.location import Location
from referee.core.play import When
from referee.rulebooks.base import Rulebook


@frozen
class Unseen:
    """A seeker went out of sight where it was `seen` last. `back` is where it stood as the impulse ended in which it
    was seen again, None where it never was. `later` is the same for each impulse after that in which it was put
    somewhere in sight, or went out of it again."""

    seen: Seen
    back: Seen | None = None
    later: tuple[Seen, ...] = ()

    @property
    def sights(self) -> tuple[Seen, ...]:
        """Every place it was seen in since, in order."""
        return (self.back, *self.later) if self.back else ()


def judge_reach(
    rulebook: Rulebook,
    name: str,
    unseen: Unseen,
    target_at: Callable[[int], Hex | None],
    is_due: Callable[[Moment], bool],
    of: int,
    file: str,
) -> Finding | None:
    """The error on a seeker that is seen farther than a hex for each impulse that may have moved it, from where it
    went out of sight or was seen before.

    None where that is not known: an impulse is not known, or its target was within its reach, so that it may
    have struck unseen and be put away. `target_at` tells where its target stood in a step, `is_due` whether it was
    to move in an impulse of `of` in a turn.
    """
    row = (unseen.seen, *unseen.sights)
    for before, back in pairwise(row):
        for seen in dict.fromkeys((unseen.seen, before)):
            passed = list(_passed(seen.when, back.when, of))
            most = sum(map(is_due, passed))
            if not passed or true_range(seen.hex, back.hex) <= most:
                continue
            there = target_at(back.step)
            if there is None or (back.hex != there and _may_strike(seen, back, most, target_at)):
                return None
            place = Location(file, piece=name, step=back.step)
            about = About(name, back.when.turn, back.when.impulse, place)
            far = true_range(seen.hex, back.hex)
            too_far = rulebook.offers.seen_flights.seen_too_far
            return too_far(about, back.hex, seen.hex, seen.step, far, most)
    return None


def _may_strike(seen: Seen, back: Seen, most: int, target_at: Callable[[int], Hex | None]) -> bool:
    """Was its target, in any step it was out of sight in, as near as it may have flown, or nowhere?"""
    places = {target_at(step) for step in range(seen.step, back.step + 1)}
    return any(hex is None or true_range(seen.hex, hex) <= most for hex in places)


def _passed(first: When, last: When, of: int) -> Iterator[Moment]:
    """Every impulse from one to another of turns of `of` impulses; none where one is not known."""
    if first.turn is None or first.impulse is None or last.turn is None or last.impulse is None:
        return
    start, end = first.turn * of + first.impulse - 1, last.turn * of + last.impulse - 1
    for number in range(start, end + 1):
        yield Moment(number // of, number % of + 1)
