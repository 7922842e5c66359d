"""What players said that fire came to, as figures that are stated of the shots."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from referee.adjudicator.rolled_fire import Row
from referee.adjudicator.volley import volley_order
from referee.core.account import STATED, Event
from referee.core.combat import VolleyAt
from referee.core.errors import BadInput
from referee.core.frozen import frozen
from referee.core.location import Location
from referee.core.naming import folded
from referee.core.once import pattern
from referee.core.play import When

_CLAUSE = pattern(r"[,;.](?=\s|$)|\band\b")
_MISSED = pattern(r"(?i)\bmiss|\b(?:no|not|n't) (?:a )?hit")
_DOUBT = pattern(
    r"(?i)\?|\b(?:if|unless|would|should|could|might|may|will|hope|needs?|when|whether|suppose)\b"
)
"""What is in a line that tells no result, but asks or hopes."""
_HIT = pattern(r"(?i)\bhits?\b")
_POINTS = pattern(
    r"(?i)\b([0-9]{1,3})\s*(?:points?|pts?|damage|dmg)\b|\b(?:for|does|scores?|total(?: of)?|hits?)\s*[:=]?\s*([0-9]{1,3})\b"
)


@frozen
class Statement:
    """A line in which a player says what fire came to."""

    step: int
    when: When
    player: str
    text: str


def results_said(rows: Sequence[Row], statements: Iterable[Statement], file: str) -> Iterator[Event]:
    """What players said that shots scored, and several together, as figures that are stated of the rows of fire."""
    for statement in statements:
        numbers = (n for n in range(len(rows) - 1, -1, -1) if rows[n].step < statement.step)
        number = next(numbers, None)
        if number is None or _DOUBT.search(statement.text) or rows[number].declared[0].when != statement.when:
            continue
        place = Location(file, step=statement.step)
        for clause in _CLAUSE.split(statement.text):
            hit, points = _stated(clause)
            if hit is None and points is None:
                continue
            shots = [(n, declared, shot) for n, (declared, shot, _) in enumerate(rows[number].shots())]
            named = [(n, declared) for n, declared, shot in shots if _names(clause, shot.weapon)]
            own = [(n, declared) for n, declared in named if declared.speaker == statement.player] or named
            if len(own) == 1:
                score = {"what": "score", "row": number, "shot": own[0][0], "hit": hit, "points": points}
                yield Event(statement.step, STATED, score, at=place, when=statement.when)
            elif not named and points is not None and re.search(r"(?i)\btotal\b", clause):
                total = _total(rows[number], statement.player)
                if total is not None:
                    stated = {"what": "total", "row": number, "points": points, **total}
                    yield Event(statement.step, STATED, stated, at=place, when=statement.when)


def _stated(clause: str) -> tuple[bool | None, int | None]:
    """Whether a hit or a miss is said, and how many points."""
    match = _POINTS.search(clause)
    points = int(match[1] or match[2]) if match else None
    if _MISSED.search(clause):
        return False, points
    return (True if _HIT.search(clause) else None), points


def _names(clause: str, weapon: str) -> bool:
    words = clause.split()
    pairs = (first + then for first, then in pairwise(words))
    return folded(weapon) in {folded(word) for word in (*words, *pairs)}


def _total(row: Row, player: str) -> Mapping[str, Any] | None:
    """Which shots a total is of: the fire its speaker declared, or all fire if he declared none; None where that is
    more than one declaration."""
    shots = [(n, declared) for n, (declared, _, _) in enumerate(row.shots())]
    own = [(n, declared) for n, declared in shots if declared.speaker == player] or shots
    first = own[0][1]
    if any(declared is not first for _, declared in own):
        return None
    return {"ship": first.firer.name, "step": first.place.step, "shots": [n for n, _ in own]}


# -- hits said by their target -----------------------------------------------------------


@frozen
class HitSaid:
    """Damage a ship's owner said struck it: `hit 21 on 1 from LF`."""

    points: int
    shield: int
    direction: str
    place: Location


def volley_said(ship: str, hit: HitSaid, when: When) -> VolleyAt:
    """The volley a hit says; through the middle of its shield where the direction is not that of the shield."""
    directions = ((None, hit.direction),) if hit.direction else ()
    try:
        order = volley_order(hit.points, shield=hit.shield, directions=directions)
    except BadInput:
        order = volley_order(hit.points, shield=hit.shield)
    return VolleyAt(ship, order, (), when.turn, when.impulse)


def hits_said(ship: str, hits: Iterable[HitSaid], volleys: Iterable[VolleyAt], when: When) -> Iterator[Event]:
    """The points said to have struck a ship in an impulse, where its fire came to these volleys; one shield's hits are
    one volley."""
    by_shield: dict[int, list[HitSaid]] = {}
    for hit in hits:
        by_shield.setdefault(hit.shield, []).append(hit)
    struck = {volley.order.shield: volley.order.points for volley in volleys}
    for shield, row in by_shield.items():
        points = sum(hit.points for hit in row)
        stated = {"what": "hit", "ship": ship, "shield": shield, "points": points, "struck": struck}
        yield Event(row[-1].place.step or 0, STATED, stated, at=row[-1].place, when=when)
