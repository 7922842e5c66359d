"""Counters of seekers that are dragged to a heap beside the game: which drags no seeker flies (F2.0)."""

from __future__ import annotations

from collections.abc import Iterable

from referee.adjudicator.flight_end import GuideLost, HitOnSeeker, Left
from referee.core.hexgrid import Hex, true_range
from referee.core.play import Move

FAR = 2
"""So many hexes no seeker flies in an impulse."""


def may_be_flown(move: Move) -> bool:
    """Is a drag one that a seeker flies: one hex, dead ahead as its counter then faces?"""
    if true_range(move.from_hex, move.to_hex) >= FAR:
        return False
    return move.facing_after is None or move.from_hex.leads_to(move.facing_after, move.to_hex)


def flies_on(seeker: Hex, away: Hex, move: Move, target: Hex | None, course: Iterable[Hex]) -> bool:
    """Does the counter of a seeker that was last in one hex, and dragged `away` to another, fly on from there: to its
    target, or, from nearer to it, a hex of its course?"""
    if target is None:
        return False
    if move.to_hex == target:
        return True
    nearer = true_range(away, target) < true_range(seeker, target)
    return nearer and may_be_flown(move) and move.to_hex in course


def why_it_may_be_no_more(
    move: Move, hits: Iterable[HitOnSeeker], guide: GuideLost | None, left: Left | None
) -> str:
    """Why a seeker that is dragged where none flies may be no more, as far as a log tells; nothing where it does
    not. `left` is what may take it off the map in that step, `guide` a ship it is lost with."""
    step = move.location.step or 0
    unknown = [each.step for each in hits if each.points is None and each.step < step]
    if unknown:
        return f"what the fire of step {unknown[-1]} at it came to is not known"
    if true_range(move.from_hex, move.to_hex) < FAR:
        return ""
    if guide is not None and guide.step < step:
        return guide.doubt
    return (left.excuse or left.doubt) if left else ""
