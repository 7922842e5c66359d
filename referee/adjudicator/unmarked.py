"""Damage in a log that nobody has marked (D4.1)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from referee.adjudicator.strikes import ABSORBS, Displayed, Strike, plays_reinforcement
from referee.core.finding import Finding, NotChecked, Severity
from referee.core.location import Location
from referee.rulebooks.base import Rulebook


def unmarked(
    rulebook: Rulebook, shown: Displayed, hits: Sequence[Strike], file: str, turn: int | None
) -> Iterator[Finding | NotChecked]:
    """Says which fire is not marked on a display that shows shields: as a finding where it surely cost boxes and
    its turn is over."""
    over = [hit for hit in hits if turn and hit.when.turn and hit.when.turn < turn]
    sure = [hit for hit in over if shown.shows_shields and _costs(rulebook, shown, hit)]
    rest = [hit for hit in hits if not any(hit is one for one in sure)]
    for hit in sure:
        yield Finding(
            ABSORBS,
            Severity.UNDECIDED,
            f"damage by the fire of step {hit.step} is not marked, and turn {turn} has begun",
            shown.name,
            hit.when.turn,
            hit.when.impulse,
            Location(file, piece=shown.name, step=hit.step),
            expected=f"{hit.points} points marked",
            found="nothing marked",
            fix="mark the damage on the display, or show the SSD that it is kept on",
        )
    if rest:
        steps = ", ".join(str(hit.step) for hit in rest[:12])
        yield NotChecked(ABSORBS, f"damage by the fire of step {steps} is not marked in the log", shown.name)


def _costs(rulebook: Rulebook, shown: Displayed, hit: Strike) -> bool:
    """Does a strike surely cost the ship a box, whatever its reinforcement took?"""
    if hit.why:
        return False
    points: Counter[int] = Counter()
    for volley in hit.volleys:
        points[volley.order.shield or 0] += volley.order.points
    if not plays_reinforcement(rulebook):
        return any(points.values())
    if shown.reinforced is None:
        return False
    given = shown.reinforced.get(hit.when.turn or 0, {})
    return any(struck > given.get(0, 0) + given.get(shield, 0) for shield, struck in points.items())
