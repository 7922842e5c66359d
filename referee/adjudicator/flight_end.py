"""How the flight of a seeker in a log ended: what took its counter off the map, and whether a rule does (F2.0)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from referee.core.combat import Seeker
from referee.core.finding import About, Finding, NotChecked
from referee.core.frozen import frozen
from referee.core.hexgrid import Hex, true_range
from referee.core.location import Location
from referee.core.play import When
from referee.rulebooks.base import Rulebook

_MOST_POINTS = 1000
"""No seeker is taken to stand more points of damage than these."""


@frozen
class HitOnSeeker:
    """Fire that hit a seeker; `points` is None where it is not known what the fire came to."""

    step: int
    points: int | None
    phaser: bool
    when: When = When()


@frozen
class Left:
    """A counter of a seeker left the map in a step. `excuse` says what else may have taken it off than its strike,
    fire and lock-on lost; nothing where that is known not to be so."""

    step: int
    when: When = When()
    excuse: str = ""
    sure: bool = False
    """Does the excuse take it off for sure?"""
    doubt: str = ""
    """What was said before it left and may be fire at it, though it was not understood."""


@frozen
class GuideLost:
    """A ship that guides seekers was gone in a step: its counter left the map. `destroyed` where its display shows
    no box of excess damage left as well. Where only that is shown, and its counter `stays`, it may be destroyed; so
    it may where it is not `marked`, and more was said to strike it than it has boxes."""

    ship: str
    step: int
    when: When
    destroyed: bool
    stays: bool = False
    marked: bool = True

    @property
    def doubt(self) -> str:
        """What of its loss is not known."""
        if self.stays and not self.marked:
            struck = f"by step {self.step} {self.ship}, which guides it, was hit for more than its boxes"
            return f"{struck}: whether it is destroyed is not known"
        if self.stays:
            shown = (
                f"{self.ship}, which guides it, shows no box of excess damage left from step {self.step} on"
            )
            return f"{shown}: whether it is destroyed is not known"
        return f"why {self.ship}, which guides it, left the map in step {self.step} is not known"


@frozen
class LastSeen:
    """A seeker as it was seen last, the step of its last hex, and where its target stood as it left the map."""

    seeker: Seeker
    moved_in: int
    target: Hex | None
    hits: tuple[HitOnSeeker, ...] = ()


@frozen
class MayStrike:
    """A seeker whose flight ended undecided, its target within a hex of it, may have struck that with all its
    points."""

    target: str
    step: int
    when: When
    points: int


def may_strike(rulebook: Rulebook, last: LastSeen, step: int, when: When) -> MayStrike | None:
    """What a seeker may have struck that left in a step for a reason that is undecided; None where its target is out
    of its reach."""
    if last.target is None or true_range(last.seeker.hex, last.target) > 1:
        return None
    points = rulebook.offers.warhead_left(rulebook, last.seeker)
    return MayStrike(last.seeker.target, step, when, points)


def scored_before(hits: Iterable[HitOnSeeker], step: int) -> int | None:
    """The points that fire scored on a seeker before a step; None where that is not known."""
    points = [each.points for each in hits if each.step < step]
    return None if None in points else sum(each for each in points if each)


def points_to_destroy(rulebook: Rulebook, seeker: Seeker) -> int | None:
    """The fewest points of damage that leave a seeker no warhead; None where no number does, as of a torpedo's
    damage by other weapons than phasers."""
    return next((n for n in range(1, _MOST_POINTS) if _is_spent(rulebook, replace(seeker, damage=n))), None)


def _is_spent(rulebook: Rulebook, seeker: Seeker) -> bool:
    points = 1
    for rule in rulebook.rules_on("warhead"):
        points = rule.decide(points, seeker, rulebook)
    return not points


def is_shot_down(rulebook: Rulebook, seeker: Seeker, hits: Iterable[HitOnSeeker], step: int) -> bool:
    """Was a seeker destroyed by fire, as far as can be told, before a step?"""
    points = scored_before(hits, step)
    return points is not None and _is_spent(rulebook, replace(seeker, damage=points))


def shot_down_by(rulebook: Rulebook, seeker: Seeker, hits: Iterable[HitOnSeeker]) -> HitOnSeeker | None:
    """The fire that destroyed a seeker, with all before it; what other fire came to that is not known would only
    add to it. None where it stands what is known."""
    points = 0
    for hit in sorted(hits, key=lambda each: each.step):
        points += hit.points or 0
        if points and _is_spent(rulebook, replace(seeker, damage=points)):
            return hit
    return None


def judge_end(rulebook: Rulebook, last: LastSeen, left: Left, file: str) -> Finding | NotChecked | None:
    """What is against it that a seeker's counter left the map short of its target; None where nothing is.

    Fire that is known to have come to fewer points than destroy it, since it last moved, is an error, and undecided
    where something was said that may be more fire. Where
    nothing in the log took it off it is undecided: no rule known here lets its owner take it off as he likes, and
    none forbids it.
    """
    seeker, hits = last.seeker, last.hits
    if left.sure or is_shot_down(rulebook, seeker, hits, left.step):
        return None
    scored = scored_before(hits, left.step)
    if scored is None:
        reason = f"why it left the map in step {left.step}: what the fire at it came to is not known"
        return NotChecked(rulebook.named.seekers, reason, seeker.name)
    if left.excuse:
        reason = f"why it left the map in step {left.step}: {left.excuse}"
        return NotChecked(rulebook.named.seekers, reason, seeker.name)
    needed = points_to_destroy(rulebook, seeker)
    place = Location(file, piece=seeker.name, step=left.step)
    about = About(seeker.name, left.when.turn, left.when.impulse, place)
    hurt = [hit for hit in hits if last.moved_in < hit.step < left.step]
    if hurt and needed:
        return rulebook.offers.seen_flights.taken_off_under_fire(about, scored, needed, left.doubt)
    return rulebook.offers.seen_flights.taken_off(about, seeker.hex, last.target)


def by(moment: When, other: When) -> bool:
    """Is a moment, where both are known, not after another? True where one is not."""
    return not after(moment, other)


def in_impulse(moment: When, other: When) -> bool:
    """Are two moments, where both are known, in the same impulse?"""
    return moment.impulse is not None and (moment.turn, moment.impulse) == (other.turn, other.impulse)


def after(moment: When, other: When) -> bool:
    """Is a moment in a later impulse than another, as far as both are known?"""
    if None in (moment.turn, moment.impulse, other.turn, other.impulse):
        return False
    return (moment.turn or 0, moment.impulse or 0) > (other.turn or 0, other.impulse or 0)
