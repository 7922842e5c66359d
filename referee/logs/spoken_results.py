"""What the dice of a log came to by the tables, held against what players said of it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

from referee.adjudicator.declared_fire import Declared
from referee.adjudicator.fire import volleys_of
from referee.adjudicator.volley import volley_order
from referee.core.combat import Declaration, Shot, ShotResult, VolleyAt
from referee.core.errors import BadInput
from referee.core.finding import About, Finding, NotChecked
from referee.core.frozen import frozen
from referee.core.location import Location
from referee.core.naming import folded, how_many
from referee.core.play import When
from referee.logs.hits_on_ship import Loose
from referee.rulebooks.base import Rulebook

_CLAUSE = re.compile(r"[,;.](?=\s|$)|\band\b")
_MISSED = re.compile(r"(?i)\bmiss|\b(?:no|not|n't) (?:a )?hit")
_DOUBT = re.compile(
    r"(?i)\?|\b(?:if|unless|would|should|could|might|may|will|hope|needs?|when|whether|suppose)\b"
)
"""What is in a line that tells no result, but asks or hopes."""
_HIT = re.compile(r"(?i)\bhits?\b")
_POINTS = re.compile(
    r"(?i)\b([0-9]{1,3})\s*(?:points?|pts?|damage|dmg)\b|\b(?:for|does|scores?|total(?: of)?|hits?)\s*[:=]?\s*([0-9]{1,3})\b"
)


@frozen
class Statement:
    """A line in which a player says what fire came to."""

    step: int
    when: When
    player: str
    text: str


@frozen
class Row:
    """All fire of an impulse: as declared, its shots, and the result of each, None where it is not known."""

    said: tuple[Declared, ...]
    declaration: Declaration
    results: tuple[ShotResult | None, ...]

    def shots(self) -> Iterator[tuple[Declared, Shot, ShotResult | None]]:
        """Each shot with what declared it and what it came to."""
        declared = [one for one in self.said for _ in one.mounts]
        return zip(declared, self.declaration.shots, self.results, strict=True)

    @property
    def step(self) -> int:
        """The step in which the first of it was declared."""
        return min(one.place.step or 0 for one in self.said)


def results_of(
    rulebook: Rulebook, declaration: Declaration, dice: Mapping[int, int]
) -> tuple[ShotResult | None, ...]:
    """What each shot came to with its die, by its place in the declaration."""
    aims = rulebook.offers.fire_step(rulebook, declaration).aims
    one = rulebook.offers.fire
    found: list[ShotResult | None] = []
    for place, aim in enumerate(aims):
        try:
            found.append(one(aim, dice[place]) if place in dice else None)
        except BadInput:
            found.append(None)
    return tuple(found)


def struck(rulebook: Rulebook, row: Row) -> tuple[tuple[VolleyAt, ...], frozenset[str]]:
    """The volleys of a row, and the targets of which it is not known what struck them."""
    by_target: dict[str, list[ShotResult | None]] = {}
    for shot, result in zip(row.declaration.shots, row.results, strict=True):
        by_target.setdefault(shot.target.name, []).append(result)
    volleys: list[VolleyAt] = []
    unknown = set()
    for target, results in by_target.items():
        known = [result for result in results if result is not None]
        try:
            volleys += volleys_of(rulebook, known) if len(known) == len(results) else ()
        except BadInput:
            known = []
        if len(known) != len(results):
            unknown.add(target)
    return tuple(volleys), frozenset(unknown)


def loose_in(
    rulebook: Rulebook, row: Row, target: str
) -> tuple[tuple[VolleyAt, ...], tuple[Loose, ...]] | None:
    """What struck a target in a row whose points are known: its volleys, and the points of each firer of which it is
    not told what shield they strike, as at range 0; None where the points of a shot are not known."""
    shots = zip(row.declaration.shots, row.results, strict=True)
    results = [result for shot, result in shots if shot.target.name == target]
    known = [result for result in results if result is not None]
    if len(known) != len(results):
        return None
    loose: dict[tuple[str, tuple[int, ...]], int] = {}
    for result in known:
        if result.damage and result.shield is None:
            key = result.firer, tuple(sorted(result.shields))
            loose[key] = loose.get(key, 0) + result.damage
    volleys = volleys_of(rulebook, [one for one in known if one.shield is not None])
    return volleys, tuple(Loose(points, shields) for (_, shields), points in loose.items())


def came_through(rulebook: Rulebook, row: Row) -> dict[str, int | None]:
    """The points of a row that came through shields as they were shown when it was declared, before any
    reinforcement, by target; None where that is not known."""
    volleys, unknown = struck(rulebook, row)
    through: dict[str, int | None] = {shot.target.name: 0 for shot in row.declaration.shots}
    shown = {shot.target.name: shot.target.state for shot in row.declaration.shots}
    for volley in volleys:
        state, before = shown[volley.target], through[volley.target]
        if state is None or volley.order.shield is None or before is None:
            through[volley.target] = None
        else:
            left = state.shields.get(volley.order.shield, 0)
            through[volley.target] = before + max(0, volley.order.points - left)
    return {**through, **dict.fromkeys(unknown)}


# -- what players said -------------------------------------------------------------------


def judge_statements(
    rulebook: Rulebook, rows: Sequence[Row], statements: Iterable[Statement], file: str
) -> Iterator[Finding | NotChecked]:
    """Findings on results that were said otherwise than the tables have them."""
    for said in statements:
        row = next((row for row in reversed(rows) if row.step < said.step), None)
        if row is None or _DOUBT.search(said.text) or row.said[0].when != said.when:
            continue
        place = Location(file, step=said.step)
        for clause in _CLAUSE.split(said.text):
            hit, points = _stated(clause)
            if hit is None and points is None:
                continue
            named = [shot for shot in row.shots() if _names(clause, shot[1].weapon)]
            own = [shot for shot in named if shot[0].speaker == said.player] or named
            if len(own) == 1:
                _, shot, result = own[0]
                if result is None:
                    yield NotChecked(
                        rulebook.named.firing_tables,
                        f"what {shot.weapon} came to is not known (step {said.step})",
                        shot.firer.name,
                    )
                else:
                    yield from _held(rulebook, result, hit, points, place)
            elif not named and points is not None and re.search(r"(?i)\btotal\b", clause):
                yield from _total(rulebook, row, said.player, points, place)


def _stated(clause: str) -> tuple[bool | None, int | None]:
    """Whether a hit or a miss is said, and how many points."""
    match = _POINTS.search(clause)
    points = int(match[1] or match[2]) if match else None
    if _MISSED.search(clause):
        return False, points
    return (True if _HIT.search(clause) else None), points


def _names(clause: str, weapon: str) -> bool:
    words = clause.split()
    pairs = (one + two for one, two in pairwise(words))
    return folded(weapon) in {folded(word) for word in (*words, *pairs)}


def _held(
    rulebook: Rulebook, result: ShotResult, hit: bool | None, points: int | None, place: Location
) -> Iterator[Finding]:
    stated = points if points is not None else 0 if hit is False else None
    wrong_hit = hit is not None and hit != result.hit
    if not wrong_hit and (stated is None or stated == result.damage):
        return
    told = how_many(points, "point") if points is not None else "a hit" if hit else "a miss"
    yield rulebook.offers.seen_fire.score_misread(result, told, place)


def _total(rulebook: Rulebook, row: Row, player: str, points: int, place: Location) -> Iterator[Finding]:
    """A total is that of the fire its speaker declared, or of all fire if he declared none."""
    own = [shot for shot in row.shots() if shot[0].speaker == player] or list(row.shots())
    said = own[0][0]
    if any(one is not said or result is None for one, _, result in own):
        return
    total = sum(result.damage for _, _, result in own if result)
    if total != points:
        about = About(said.firer.name, said.when.turn, said.when.impulse, place)
        yield rulebook.offers.seen_fire.total_misread(about, said.place.step, total, points)


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


def judge_hits(
    rulebook: Rulebook, ship: str, hits: Iterable[HitSaid], volleys: Iterable[VolleyAt], when: When
) -> Iterator[Finding]:
    """Findings on hits that are not what the fire of the impulse came to; one shield's hits are one volley."""
    said: dict[int, list[HitSaid]] = {}
    for hit in hits:
        said.setdefault(hit.shield, []).append(hit)
    struck = {volley.order.shield: volley.order.points for volley in volleys}
    for shield, row in said.items():
        points, came_to = sum(hit.points for hit in row), struck.get(shield, 0)
        if points == came_to:
            continue
        told = " and ".join(f"{n} on shield {k}" for k, n in struck.items()) or "nothing"
        about = About(ship, when.turn, when.impulse, row[-1].place)
        yield rulebook.offers.seen_fire.hit_misread(about, points, shield, told)
