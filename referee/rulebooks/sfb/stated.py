"""Figures that a log states of its own accord, held against positions, dice and tables: a range, the damage of fire, the
shields that are left."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from itertools import product
from typing import TYPE_CHECKING

from referee.core.combat import Declaration, Shot
from referee.core.errors import BadInput
from referee.core.finding import Finding, NotChecked, Severity
from referee.core.frozen import frozen
from referee.core.naming import how_many
from referee.rulebooks.base import Rulebook, check
from referee.rulebooks.sfb.direct_fire import resolve_shot, step_of

if TYPE_CHECKING:
    from referee.rulebooks.sfb.sensors import Aim

Found = Iterator[Finding | NotChecked]
_MOST_READINGS = 4096
"""More ways of reading the modes of a volley than anybody needs to try."""


@frozen
class RangeStated:
    """The range of a shot as a log states it; `shot` is the shot as the ships stood."""

    rulebook: Rulebook
    shot: Shot
    stated: int


@check("D1.4/stated", "The range that is counted", on="range stated")
def range_is_counted(facts: RangeStated) -> Found:
    """The range a log states is the one between the hexes the ships stand in.

    Legal: 2508 fires at 2510 and range 2 is stated. Illegal: range 3 is stated. Mend: count again.
    """
    shot = facts.shot
    counted = shot.hexes
    if counted is None:
        yield NotChecked("", "where both stand is not known", f"{shot.firer.name} {shot.weapon}")
        return
    aim = step_of(facts.rulebook, Declaration((shot,))).aims[0]
    if facts.stated not in (counted, aim.effective_range):
        yield Finding(
            "",
            Severity.ERROR,
            f"range {facts.stated} is stated at {shot.target.name}: from {shot.firer.hex} to {shot.target.hex} it is {counted}",
            f"{shot.firer.name} {shot.weapon}",
            shot.turn,
            shot.impulse,
            expected=str(counted),
            found=str(facts.stated),
            fix="count the hexes again",
        )


@frozen
class DieThrown:
    """A shot with its die and the mode a log gives it: nothing for a weapon without modes."""

    shot: Shot
    roll: int
    mode: str


class DamageStated:
    """The points a log states of a volley at one target, and the shots with their dice."""

    def __init__(self, rulebook: Rulebook, target: str, shots: tuple[DieThrown, ...], stated: int) -> None:
        self.rulebook = rulebook
        self.target = target
        self.shots = shots
        self.stated = stated

    @cached_property
    def scores(self) -> tuple[dict[str, tuple[int, ...]], ...]:
        """What each shot scores with its die, by the modes its weapon has. Raises BadInput where a range or table
        is not known."""
        found: list[dict[str, tuple[int, ...]]] = []
        for one in self.shots:
            modes: dict[str, tuple[int, ...]] = {}
            for mode in self._modes(one.shot):
                aim = step_of(self.rulebook, Declaration((replace(one.shot, mode=mode),))).aims[0]
                modes[mode] = _points(aim, one.roll)
            found.append(modes)
        return tuple(found)

    def _modes(self, shot: Shot) -> tuple[str, ...]:
        chart = self.rulebook.table("weapons")["weapons"].get(shot.type, {})
        return tuple(chart.get("modes", ("standard",)))

    @cached_property
    def as_tagged(self) -> tuple[int, ...]:
        """The totals there may be, each shot in the mode the log gives it."""
        rows = [
            modes.get(one.mode or "standard", ()) for one, modes in zip(self.shots, self.scores, strict=True)
        ]
        return tuple(dict.fromkeys(map(sum, product(*rows))))

    @cached_property
    def as_scored(self) -> frozenset[int]:
        """The totals there may be, whatever mode each shot was fired in."""
        rows = [tuple(dict.fromkeys(n for points in modes.values() for n in points)) for modes in self.scores]
        sums = {0}
        for row in rows:
            sums = {so_far + points for so_far in sums for points in row}
        return frozenset(sums)

    @cached_property
    def kinds(self) -> frozenset[str]:
        """The tables the volley is scored by: `phaser`, or the type of the weapon."""
        weapons = self.rulebook.table("weapons")["weapons"]
        systems = {one.shot.type: str(weapons.get(one.shot.type, {}).get("system", "")) for one in self.shots}
        return frozenset("phaser" if system == "phaser" else type for type, system in systems.items())

    def judge(self) -> Found:
        """What the stated points are held to: any mode the tables have will do, for the tag of a mode may be wrong."""
        first = self.shots[0].shot
        try:
            tagged, scored = self.as_tagged, self.as_scored
        except BadInput as why:
            yield NotChecked(
                "", f"what the fire at {self.target} came to cannot be told: {why.reason}", first.firer.name
            )
            return
        if self.stated in tagged:
            return
        dice = ", ".join(f"{one.shot.weapon} {one.roll}" for one in self.shots[:12])
        expected = " or ".join(map(str, sorted(tagged or scored)[:6]))
        if self.stated in scored:
            yield Finding(
                "",
                Severity.NOTE,
                f"{how_many(self.stated, 'point')} at {self.target} is what {dice} score in other modes than the log gives them",
                first.firer.name,
                first.turn,
                first.impulse,
                expected=expected,
                found=str(self.stated),
            )
            return
        yield Finding(
            "",
            Severity.ERROR,
            f"{how_many(self.stated, 'point')} at {self.target} is stated: {dice} at range {first.hexes} come to {expected}",
            first.firer.name,
            first.turn,
            first.impulse,
            expected=expected,
            found=str(self.stated),
            fix="read the table again, or the dice",
        )


def _points(aim: Aim, roll: int) -> tuple[int, ...]:
    """What a shot scores with a die; an overload by the energy in it, from more than the standard up to the most."""
    mode = aim.chart.get("modes", {}).get(aim.shot.mode, {})
    if "damage_per_energy" not in mode:
        return (resolve_shot(aim, roll).damage,)
    needed = None if aim.band is None else mode["hit_on_or_under"][aim.band]
    if needed is None or roll > needed:
        return (0,)
    most, each = int(mode["damage_max"]), int(mode["damage_per_energy"])
    standard = max(filter(None, aim.chart["modes"]["standard"]["damage"]), default=0)
    return tuple(range(most, standard, -max(1, int(Fraction(each) / 2))))


@check("E2.4/stated", "Phasers score as their table says", on="damage stated")
def phasers_as_stated(facts: DamageStated) -> Found:
    """The points a log states of a volley of phasers are those of their dice at the range they were fired at.

    Legal: a phaser-2 at range 3 with a 2, and 4 points are stated. Illegal: 5 are. Mend: read the table again.
    """
    if facts.kinds == {"phaser"}:
        yield from facts.judge()


@check("E3.0/stated", "Disruptors score as their table says", on="damage stated")
def disruptors_as_stated(facts: DamageStated) -> Found:
    """The points a log states of a volley of disruptors are those of their dice, in one of the modes there are.

    Legal: two hits at range 8, and 6 points are stated. Illegal: 7 are. Mend: read the table again.
    """
    if facts.kinds == {"disruptor"}:
        yield from facts.judge()


@check("E4.0/stated", "Photon torpedoes score as their table says", on="damage stated")
def photons_as_stated(facts: DamageStated) -> Found:
    """The points a log states of a volley of photon torpedoes are those of their dice.

    Legal: a hit at range 8, and 8 points are stated. Illegal: 9 are. Mend: read the table again.
    """
    if facts.kinds == {"photon"}:
        yield from facts.judge()


@check("E1.3/stated", "Weapons score as their tables say", on="damage stated")
def others_as_stated(facts: DamageStated) -> Found:
    """The points a log states of a volley of several kinds of weapons, or of others than phasers, disruptors and
    photons, are those of their dice together.

    Legal: a phaser for 4 and a disruptor for 3, and 7 points are stated. Illegal: 9 are. Mend: add them up again.
    """
    if facts.kinds not in ({"phaser"}, {"disruptor"}, {"photon"}):
        yield from facts.judge()


@frozen
class ShieldsStated:
    """The shields a log says are left after damage, and as they were before it: by number. `mended` says that a turn
    has gone by in which they may have been repaired; `absorbs` is what reinforcement may have taken, under 0 for any
    shield (None: nobody knows what was paid for)."""

    rulebook: Rulebook
    ship: str
    turn: int | None
    impulse: int | None
    before: Mapping[int, int]
    damage: Mapping[int, int]
    stated: Mapping[int, int]
    mended: bool
    absorbs: Mapping[int, int] | None


@check("D4.1/stated", "Shields are a running sum", on="shields stated")
def shields_left(facts: ShieldsStated) -> Found:
    """What is left of a shield is what was left before, less the points that struck it and that no reinforcement took.

    Legal: 24 left, 6 points, 18 stated. Illegal: 17 stated. Undecided: 20 stated, and nobody knows what reinforcement
    was paid for, or a turn has gone by in which damage control may have repaired it. Mend: mark the boxes again.
    """
    for shield, stated in sorted(facts.stated.items()):
        before, points = facts.before.get(shield), facts.damage.get(shield, 0)
        if before is None:
            continue
        expected = max(0, before - points)
        more = stated - expected
        taken = None if facts.absorbs is None else facts.absorbs.get(0, 0) + facts.absorbs.get(shield, 0)
        if more == 0 or (points and taken is not None and 0 < more <= taken):
            continue
        why = ""
        if more > 0 and points and taken is None:
            why = "; reinforcement may have taken them, and what was paid for is not known"
        elif more > 0 and facts.mended:
            why = "; it may have been repaired since"
        yield Finding(
            "",
            Severity.UNDECIDED if why else Severity.ERROR,
            f"shield {shield} had {before}, {how_many(points, 'point')} struck it, and {stated} are stated to be left{why}",
            facts.ship,
            facts.turn,
            facts.impulse,
            expected=str(expected),
            found=str(stated),
            fix="mark the shield again; the ship's energy form tells its reinforcement"
            if points
            else "mark the shield again",
        )
