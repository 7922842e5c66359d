"""Figures that a log states of its own accord, held against positions, dice and tables: a range, the damage of fire, the
shields that are left."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any

from referee.core.combat import Declaration, Shot, Unit
from referee.core.errors import BadInput
from referee.core.finding import Finding, NotChecked, Severity
from referee.core.frozen import frozen
from referee.core.naming import how_many
from referee.core.once import Remembers, Same
from referee.rulebooks.base import Rulebook, check
from referee.rulebooks.sfb.direct_fire import resolve_shot, step_of

if TYPE_CHECKING:
    from referee.rulebooks.sfb.sensors import Aim

Found = Iterator[Finding | NotChecked]


@frozen
class RangeStated:
    """The range of a shot as a log states it, between which hexes, and how many they are apart: by the map, and as the
    tables count them (None: not known)."""

    rulebook: Rulebook
    firer: str
    target: str
    turn: int | None
    impulse: int | None
    start: str
    end: str
    counted: int
    effective: int | None
    stated: int


@check("D1.4/stated", "The range that is counted", on="range stated", passes="plain")
def range_is_counted(facts: RangeStated) -> Found:
    """The range a log states is the one between the hexes the ships stand in.

    Legal: 2508 fires at 2510 and range 2 is stated. Illegal: range 3 is stated. Fix: count again.
    """
    if facts.stated not in (facts.counted, facts.effective):
        yield Finding(
            "",
            Severity.ERROR,
            f"range {facts.stated} is stated at {facts.target}: from {facts.start} to {facts.end} it is {facts.counted}",
            facts.firer,
            facts.turn,
            facts.impulse,
            expected=str(facts.counted),
            found=str(facts.stated),
            fix="count the hexes again",
        )


MOST_SUMS = 5_000
"""Ways in which points may fall on shields that are tried."""
Thrown = Sequence[Any]
"""A shot with its die: weapon, type, effective range, die, and the mode a log gives it (empty without modes)."""


@frozen
class DamageStated(Remembers):
    """The points a log states of a volley at one target, and the shots with their dice. `dice` are how many dice a shot
    was thrown with and their sides, where that is told; `silent` says that no damage is stated at all. `struck` are the
    points by shield, and `facing` the shields each shot may strike."""

    rulebook: Rulebook
    firer: str
    target: str
    turn: int | None
    impulse: int | None
    shots: tuple[Thrown, ...]
    stated: int
    dice: tuple[int, ...] = ()
    silent: bool = False
    facing: tuple[tuple[int, ...], ...] = ()
    struck: Sequence[int] = ()

    @cached_property
    def scores(self) -> tuple[Mapping[str, tuple[int, ...]], ...]:
        """What each shot scores with its die, by the modes of its weapon that reach so far, and by the one the log gives
        it. Raises BadInput where a table is not known."""
        rows = [
            (mode or "standard", _by_mode(Same(self.rulebook), type, reach, roll))
            for _, type, reach, roll, mode in self.shots
        ]
        return tuple(
            {mode: scored or (0,) for mode, scored in modes.items() if scored or mode == tag}
            for tag, modes in rows
        )

    def may_strike(self, struck: tuple[int, ...]) -> bool:
        """Can the shots come to such points by shield, each on a shield it faces? Of too many of them nobody can say."""
        sums = {(0,) * len(struck)}
        try:
            scores = self.scores
        except BadInput:
            return True
        for shields, modes in zip(self.facing, scores, strict=True):
            scored = {n for points in modes.values() for n in points}
            sums = {
                (*so_far[: shield - 1], so_far[shield - 1] + points, *so_far[shield:])
                for so_far in sums
                for shield in shields
                for points in scored
            }
            if len(sums) > MOST_SUMS:
                return True
        return struck in sums

    def _may_roll(self, shot: Thrown) -> bool:
        """Is a shot decided by such dice, and can they show this?"""
        count, sides = _dice_of(Same(self.rulebook), shot[1])
        return self.dice in ((), (count, sides)) and count <= shot[3] <= count * sides

    @property
    def all_may_roll(self) -> bool:
        """Is each shot decided by such dice, and can they show what it rolled?"""
        return all(map(self._may_roll, self.shots))

    def _other_dice(self, shot: Thrown) -> Finding:
        count, sides = _dice_of(Same(self.rulebook), shot[1])
        thrown = "{}d{}".format(*(self.dice or (count, sides)))
        return self._undecided(
            f"{thrown} came to {shot[3]} for {shot[0]}, which is decided by {count}d{sides}: its damage is not judged",
            f"{count}d{sides}",
            f"{shot[3]} of {thrown}",
        )

    def _nothing_stated(self, points: int) -> Finding:
        at = f"at range {self.shots[0][2]}"
        message = f"no damage at {self.target} is stated, and {self._said_dice()} {at} score {how_many(points, 'point')} at least"
        return self._undecided(message, f"≥ {points}", "none")

    def _undecided(self, message: str, expected: str, found: str) -> Finding:
        return Finding(
            "",
            Severity.UNDECIDED,
            message,
            self.firer,
            self.turn,
            self.impulse,
            expected=expected,
            found=found,
        )

    def _said_dice(self) -> str:
        return ", ".join(f"{shot[0]} {shot[3]}" for shot in self.shots[:12])

    @cached_property
    def as_tagged(self) -> frozenset[int]:
        """The totals there may be, each shot in the mode the log gives it."""
        return _sums(
            modes.get(shot[4] or "standard", ()) for shot, modes in zip(self.shots, self.scores, strict=True)
        )

    @cached_property
    def as_scored(self) -> frozenset[int]:
        """The totals there may be, whatever mode each shot was fired in."""
        return _sums({n for points in modes.values() for n in points} for modes in self.scores)

    @cached_property
    def kinds(self) -> frozenset[str]:
        """The tables the volley is scored by: `phaser`, or the type of the weapon."""
        weapons = self.rulebook.table("weapons")["weapons"]
        systems = {shot[1]: str(weapons.get(shot[1], {}).get("system", "")) for shot in self.shots}
        return frozenset("phaser" if system == "phaser" else type for type, system in systems.items())

    def judge(self) -> Found:
        """What the stated points are held to: any mode the tables have will do, for the tag of a mode may be wrong."""
        if wrong := next((shot for shot in self.shots if not self._may_roll(shot)), None):
            yield self._other_dice(wrong)
            return
        try:
            tagged, scored = self.as_tagged, self.as_scored
        except BadInput as why:
            message = f"what the fire at {self.target} came to is not known: {why.reason}"
            yield NotChecked("", message, self.firer)
            return
        if self.stated in tagged:
            return
        if self.silent:
            if 0 not in scored:
                yield self._nothing_stated(min(scored))
            return
        dice = self._said_dice()
        expected = " or ".join(map(str, sorted(tagged or scored)[:6]))
        points, at = how_many(self.stated, "point"), f"at range {self.shots[0][2]}"
        message = f"{points} at {self.target} is stated: {dice} {at} come to {expected}"
        severity = Severity.ERROR
        if self.stated in scored:
            message = (
                f"{points} at {self.target} is what {dice} score {at} in other modes than the log gives them"
            )
            severity = Severity.NOTE
        yield Finding(
            "",
            severity,
            message,
            self.firer,
            self.turn,
            self.impulse,
            expected=expected,
            found=str(self.stated),
            fix="" if severity is Severity.NOTE else "read the table again, or the dice",
        )


@lru_cache(maxsize=256)
def _dice_of(rulebook: Same[Rulebook], type: str) -> tuple[int, int]:
    """The dice a shot of a weapon is decided by: how many, and their sides."""
    aim = step_of(rulebook.held, Declaration((Shot(type, type, Unit(), Unit(), range=1, scanner=0),))).aims[0]
    rules = rulebook.held.rules_on("dice")
    count, sides = rules[0].decide(aim) if rules else (1, 6)
    return count, sides


@lru_cache(maxsize=4096)
def _by_mode(same: Same[Rulebook], type: str, reach: int, roll: int) -> Mapping[str, tuple[int, ...]]:
    """What a shot scores with a die at an effective range, by the modes its weapon has; nothing in one that does not
    reach so far. Raises BadInput where a table is not known."""
    rulebook = same.held
    scored = {}
    for mode in rulebook.table("weapons")["weapons"].get(type, {}).get("modes", ("standard",)):
        shot = Shot(type, type, Unit(), Unit(), range=reach, scanner=0, mode=mode)
        aim = step_of(rulebook, Declaration((shot,))).aims[0]
        hits = aim.chart.get("modes", {}).get(mode, {}).get("hit_on_or_under")
        reaches = hits is None or aim.band is None or hits[aim.band] is not None
        scored[mode] = _points(aim, roll) if reaches else ()
    return scored


def points_stated(
    rulebook: Rulebook, type: str, reach: int, roll: int, mode: str, dice: tuple[int, ...]
) -> int | None:
    """What a shot scores with its die in the mode a log gives it, where that is one figure and dice of its kind were
    thrown: rules on damage that is stated so have nothing against it."""
    facts = DamageStated(rulebook, "", "", None, None, ((type, type, reach, roll, mode),), 0, dice)
    try:
        may_be = facts.as_tagged if facts.all_may_roll else ()
    except BadInput:
        return None
    return next(iter(may_be)) if len(may_be) == 1 else None


def _by_shield(struck: Mapping[int, int]) -> str:
    return ", ".join(f"{how_many(points, 'point')} on shield {shield}" for shield, points in struck.items())


def _sums(rows: Iterable[Iterable[int]]) -> frozenset[int]:
    sums = {0}
    for row in rows:
        sums = {so_far + points for so_far in sums for points in row}
    return frozenset(sums)


def _points(aim: Aim, roll: int) -> tuple[int, ...]:
    """What a shot scores with a die; an overload by the energy in it, from more than the standard up to the most."""
    mode = aim.chart.get("modes", {}).get(aim.shot.mode, {})
    if "damage_per_energy" not in mode:
        return (resolve_shot(aim, roll).damage,)
    needed = None if aim.band is None else mode["hit_on_or_under"][aim.band]
    if needed is None or roll > needed:
        return (0,)
    standard = max(filter(None, aim.chart["modes"]["standard"]["damage"]), default=0)
    return tuple(range(int(mode["damage_max"]), standard, -1))


@check("E2.4/stated", "Phasers score as their table says", on="damage stated", passes="plain")
def phasers_as_stated(facts: DamageStated) -> Found:
    """The points a log states of a volley of phasers are those of their dice at the range they were fired at.

    Legal: a phaser-2 at range 3 with a 2, and 4 points are stated. Illegal: 5 are. Fix: read the table again.
    """
    if facts.kinds == {"phaser"}:
        yield from facts.judge()


@check("E3.0/stated", "Disruptors score as their table says", on="damage stated", passes="plain")
def disruptors_as_stated(facts: DamageStated) -> Found:
    """The points a log states of a volley of disruptors are those of their dice, in one of the modes there are.

    Legal: two hits at range 8, and 6 points are stated. Illegal: 7 are. Fix: read the table again.
    """
    if facts.kinds == {"disruptor"}:
        yield from facts.judge()


@check("E4.0/stated", "Photon torpedoes score as their table says", on="damage stated", passes="plain")
def photons_as_stated(facts: DamageStated) -> Found:
    """The points a log states of a volley of photon torpedoes are those of their dice.

    Legal: a hit at range 8, and 8 points are stated. Illegal: 9 are. Fix: read the table again.
    """
    if facts.kinds == {"photon"}:
        yield from facts.judge()


@check("E1.3/stated", "Weapons score as their tables say", on="damage stated", passes="plain")
def others_as_stated(facts: DamageStated) -> Found:
    """The points a log states of a volley of several kinds of weapons, or of others than phasers,
    disruptors and photons, are those of their dice together.

    Legal: a phaser for 4 and a disruptor for 3, and 7 points are stated. Illegal: 9 are. Fix: add them up
    again.
    """
    if facts.kinds not in ({"phaser"}, {"disruptor"}, {"photon"}):
        yield from facts.judge()


@check("E1.4/stated", "Fire strikes the shields that face it", on="damage stated", passes="plain")
def shields_as_faced(facts: DamageStated) -> Found:
    """The points a log states by shield are of shields that face the fire: those of each shot strike the
    shield it comes in on.

    Legal: a ship ahead and one astern fire, and shields 1 and 4 are struck. Illegal: shields 1 and 3 are,
    or shield 1 by all; a ship ahead fires alone, and shield 4 is struck. Fix: mark them on the shields that face.
    """
    struck = {n: points for n, points in enumerate(facts.struck, 1) if points}
    if facts.silent or sum(struck.values()) != facts.stated or not all(facts.facing):
        return
    if not facts.all_may_roll:
        return
    if facts.may_strike(tuple(facts.struck)):
        return
    may_be = sorted({shield for shields in facts.facing for shield in shields})
    if facts.stated in facts.as_scored:
        yield Finding(
            "",
            Severity.ERROR,
            f"{_by_shield(struck)} of {facts.target} is stated; the fire comes in on {' and '.join(map(str, may_be))}, "
            "and its dice do not score that there",
            facts.firer,
            facts.turn,
            facts.impulse,
            expected=", ".join(map(str, may_be)),
            found=", ".join(map(str, struck)),
            fix="mark them on the shields that face the fire",
        )


@frozen
class ShieldsStated:
    """The six shields a log says are left after damage, as they were before it, and the points at each. `mended` says
    that a turn has gone by in which they may have been repaired. `most` are the boxes each shield has. `absorbs` is
    what reinforcement may have taken, of any shield first, then of each. It is None where nobody knows what was paid
    for."""

    rulebook: Rulebook
    ship: str
    turn: int | None
    impulse: int | None
    before: Sequence[int]
    damage: Sequence[int]
    stated: Sequence[int]
    mended: bool = False
    absorbs: Sequence[int] | None = None
    most: Mapping[int, int] = field(default_factory=dict)


@check("D4.1/stated", "Shields are a running sum", on="shields stated", passes="plain")
def shields_left(facts: ShieldsStated) -> Found:
    """What is left of a shield is what was left before, less the points that struck it and that no
    reinforcement took.

    Legal: 24 left, 6 points, 18 stated. Illegal: 17 stated. Undecided: 20 stated, and it is not known
    what reinforcement was paid for, or a turn has gone by in which damage control may have repaired it. Fix:
    mark the boxes again.
    """
    rows = zip(facts.before, facts.damage, facts.stated, strict=True)
    for shield, (before, points, stated) in enumerate(rows, 1):
        expected = max(0, before - points)
        more = stated - expected
        taken = None if facts.absorbs is None else facts.absorbs[0] + facts.absorbs[shield]
        if more == 0 or (points and taken is not None and 0 < more <= taken):
            continue
        why = ""
        # No reinforcement gives a shield more than it had, and no repair more than it has boxes.
        possible = stated <= (facts.most.get(shield, stated) if facts.mended else before)
        if possible and more > 0 and points and taken is None:
            why = "; reinforcement may have taken them, and what was paid for is not known"
        elif possible and more > 0 and facts.mended:
            why = "; it may have been repaired since"
        struck = how_many(points, "point")
        yield Finding(
            "",
            Severity.UNDECIDED if why else Severity.ERROR,
            f"shield {shield} had {before}, {struck} struck it, and {stated} are stated to be left{why}",
            facts.ship,
            facts.turn,
            facts.impulse,
            expected=str(expected),
            found=str(stated),
            fix="mark the shield again",
        )
