"""Fire with the dice that fell for it: what each shot came to, what struck each target, what came through shields."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from referee.adjudicator.declared_fire import Declared
from referee.adjudicator.fire import volleys_of
from referee.core.combat import Declaration, Shot, ShotResult, VolleyAt
from referee.core.errors import BadInput
from referee.core.forked import Forked
from referee.core.frozen import frozen
from referee.rulebooks.base import Rulebook


@frozen
class Row:
    """All fire of an impulse: as declared, its shots, and the result of each, None where it is not known."""

    declared: tuple[Declared, ...]
    declaration: Declaration
    results: tuple[ShotResult | None, ...]

    def shots(self) -> Iterator[tuple[Declared, Shot, ShotResult | None]]:
        """Each shot with its declaration and its result."""
        declared = [each for each in self.declared for _ in each.mounts]
        return zip(declared, self.declaration.shots, self.results, strict=True)

    @property
    def step(self) -> int:
        """The step in which the first of it was declared."""
        return min(each.place.step or 0 for each in self.declared)


@frozen
class Loose:
    """Points of one ship's fire that strike one of some shields, it is not known which; of all where none is named."""

    points: int
    shields: tuple[int, ...] = ()


class _Known(dict[tuple[int, tuple[tuple[int, int], ...]], Row]):
    """What a row comes to with the same dice is the same in every reading of them."""


class RolledFire(Forked):
    """The fire of a game, row by row, with the dice that fell for its shots."""

    def __init__(self, rulebook: Rulebook, fired: Sequence[tuple[tuple[Declared, ...], Declaration]]) -> None:
        self.rulebook = rulebook
        self.fired = fired
        self.rows: dict[int, Row] = {}
        """The rows whose dice are known, by their number."""
        self._known = _Known()

    def take(self, number: int, dice: Mapping[int, int]) -> None:
        """Dice fell for a row, by the place of their shot."""
        self.rows[number] = self.row(number, dice)

    def row(self, number: int, dice: Mapping[int, int]) -> Row:
        """What a row would come to with these dice."""
        key = number, tuple(sorted(dice.items()))
        if key not in self._known:
            declared, declaration = self.fired[number]
            self._known[key] = Row(declared, declaration, _results(self.rulebook, declaration, dice))
        return self._known[key]


def _results(
    rulebook: Rulebook, declaration: Declaration, dice: Mapping[int, int]
) -> tuple[ShotResult | None, ...]:
    """What each shot came to with its die, by its place in the declaration."""
    aims = rulebook.offers.fire_step(rulebook, declaration).aims
    result_of = rulebook.offers.fire
    found: list[ShotResult | None] = []
    for place, aim in enumerate(aims):
        try:
            found.append(result_of(aim, dice[place]) if place in dice else None)
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
    volleys = volleys_of(rulebook, [each for each in known if each.shield is not None])
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
