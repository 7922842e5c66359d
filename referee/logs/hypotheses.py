"""Whose dice the shots of a log take where several players rolled: held against what was said and marked of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

from referee.adjudicator.declared_fire import Declared
from referee.adjudicator.impulse_steps import own_step
from referee.adjudicator.repairs import Marking
from referee.adjudicator.rolled_fire import RolledFire, Row, came_through
from referee.core.finding import Finding, NotChecked, Severity
from referee.core.frozen import frozen
from referee.core.once import pattern
from referee.core.play import When
from referee.formats.vassal.gathered import Logged
from referee.formats.vassal.module import Module
from referee.logs.damage import CameTo
from referee.logs.dice import Dice, Paired, Spare, by_rows, statements_of, throws_of
from referee.logs.dice_owners import NOTHING, Known, Need, Settled, Throw
from referee.logs.dice_pairing import pair_dice
from referee.logs.fire import FireInLog
from referee.logs.ship_under_audit import step_name
from referee.logs.steps import steps_told
from referee.rulebooks.base import Rulebook

_COMES_TO = pattern(r"(?i)\bmiss|\b(?:for|points?|pts?|damage|dmg)\b")
"""Words of a line that gives the points of fire, and not only the dice it hits on."""


class Readings:
    """The ways to read which dice of a log are whose. They are weighed by the boxes `marked` on each ship and by the
    damage each reading comes to. Each reading is judged once."""

    def __init__(
        self,
        logged: Logged,
        marked: Mapping[str, Sequence[Marking]],
        rolled: RolledFire,
        judge: Callable[[tuple[Row, ...], Dice, Spare], CameTo],
    ) -> None:
        self.logged, self.marked, self.rolled = logged, marked, rolled
        self._judge = judge
        self._judged: list[tuple[tuple[Row, ...], Spare, CameTo]] = []

    def came_to(self, dice: Dice, spare: Spare) -> CameTo:
        """What the log comes to with these dice of its shots."""
        rows = self.with_dice(dice)
        for known_rows, known_spare, found in self._judged:
            if known_rows == rows and known_spare == spare:
                return found
        found = self._judge(rows, dice, spare)
        self._judged.append((rows, spare, found))
        return found

    def with_dice(self, dice: Dice) -> tuple[Row, ...]:
        """All rows with these dice."""
        by_row = by_rows(dice, len(self.rolled.fired))
        return tuple([self.rolled.row(number, own) for number, own in enumerate(by_row)])


def dice_read(
    fired: FireInLog, rulebook: object, readings: Readings, module: Module | None
) -> tuple[Dice, Paired]:
    """The dice of all shots, by the reading of them that fits best what was said and marked."""
    assert isinstance(rulebook, Rulebook)
    logged, fire = readings.logged, readings.rolled
    throws = _at_fire(throws_of(logged, module, fired.locks_rolled), rulebook, logged, module)
    again = partial(pair_dice, rulebook, fired.rows, throws, logged.file)
    paired = again(NOTHING)
    first = readings.with_dice(paired.dice)
    stopped = frozenset(
        number
        for number in paired.spare
        if all(points == 0 for points in came_through(rulebook, first[number]).values())
    )
    best = _Best(rulebook, readings, again, Known(stopped=stopped))
    paired = best.of(again(best.known) if stopped else paired)
    stands: dict[tuple[int, int], int] = {}
    for number, (orders, declaration) in enumerate(fired.rows):
        dice, lent = (
            {place: total for (row, place), total in totals.items() if row == number}
            for totals in (paired.dice, paired.otherwise)
        )
        row = fire.row(number, dice)
        doubted = {place for place, total in lent.items() if place in dice and dice[place] != total}
        other = fire.row(number, {**dice, **lent})
        doubted = doubted if any(_may_go_in(rulebook, reading) for reading in (row, other)) else set()
        others = {(number, place): total for place, total in lent.items()}
        if doubted and not best.decides(paired, others, row):
            marks = ", ".join(declaration.shots[place].weapon for place in sorted(doubted))
            message = f"dice of two players may be those of {marks}; which are the shots' and which the damage chart's is not known"
            paired = replace(paired, findings=(*paired.findings, _whose(orders[0], message)))
            dice = {place: total for place, total in dice.items() if place not in doubted}
        stands |= {(number, place): total for place, total in dice.items()}
    return stands, paired


def _at_fire(
    throws: Iterable[Throw], rulebook: Rulebook, logged: Logged, module: Module | None
) -> tuple[Throw, ...]:
    """Throws by whether they fell in the step of the impulse in which ships fire, where the tracker tells that."""
    if not logged.steps_taken:
        return tuple(throws)
    names = {rolled.step: step_name(rolled.clock) for rolled in logged.rolled}
    steps = steps_told(rulebook, logged, module, (name for name in names.values() if name))
    own = {name: own_step(rulebook, "fire", name, steps) for name in set(names.values())}
    return tuple(replace(throw, at_fire=own[names[throw.step]]) for throw in throws)


@frozen
class Score:
    """What is wrong in what was said and marked, and what of it cannot be compared with the dice."""

    wrong: frozenset[tuple[str, str, int | None]]
    unknown: frozenset[NotChecked | tuple[str, str, int | None]]
    rolled: frozenset[tuple[int, int]]

    def concerns(self, needs: Sequence[Need]) -> bool:
        """Is something wrong or unknown of those who fired some shots, or were shot at, from then on?"""
        names = {name for need in needs for name in (need.declared.firer.name, need.shot.target.name)}
        since = _since(needs)
        for item in (*self.wrong, *self.unknown):
            subject, step = (item.subject, None) if isinstance(item, NotChecked) else item[1:]
            if subject in names and (step is None or step >= since):
                return True
        return False

    def mends(self, other: Score, since: int) -> bool:
        """Is less of it wrong, nothing that was right before; all of it from a step on?"""
        righted = other.wrong - self.wrong
        return self.wrong < other.wrong and all(step is None or step >= since for _, _, step in righted)

    def is_better(self, other: Score, since: int) -> bool:
        """Does it mend something, or is as much wrong and less unknown; and is every shot still rolled for?"""
        less_unknown = self.wrong == other.wrong and self.unknown < other.unknown
        return self.rolled >= other.rolled and (self.mends(other, since) or less_unknown)


class _Best:
    """The ways dice may be those of other shots than they are paired with, or of none; what was said and marked
    decides, and tells what is `known` of them then."""

    def __init__(
        self, rulebook: Rulebook, readings: Readings, pair: Callable[[Known], Paired], known: Known
    ) -> None:
        self._rulebook, self._readings, self._pair, self.known = rulebook, readings, pair, known
        self._lines = statements_of(readings.logged)
        self._begins = [
            min(declared.place.step or 0 for declared in orders) for orders, _ in readings.rolled.fired
        ]

    def of(self, paired: Paired) -> Paired:
        """The reading with which more of what was said and marked is right."""
        if not paired.asides and not paired.lent:
            return paired
        held = self._held(paired)
        if not held.wrong and not held.unknown:
            return paired
        paired, held = self._without_slips(*self._as_settled(paired, held))
        paired, held = self._too_many(paired, held)
        return self._undecided(paired, held) if held.wrong else paired

    def _as_settled(self, paired: Paired, held: Score) -> tuple[Paired, Score]:
        """With the dice of others where whoever fired told or marked what they come to before he rolled his own."""
        for (when, player), asides in self._doubts(paired).items():
            fell, needs = min(throw.step for throw, _ in asides), [need for _, need in asides]
            for end in self._ends(when, player, needs, fell) if held.concerns(needs) else ():
                known = replace(self.known, settled=self.known.settled | {end})
                read = self._pair(known)
                if (now := self._held(read)).is_better(held, _since(needs)):
                    paired, held, self.known = read, now, known
                    break
        return paired, held

    def _without_slips(self, paired: Paired, held: Score) -> tuple[Paired, Score]:
        """Without dice a player rolled for others and himself at once, where those for each follow; and without
        those he rolled for another who rolled his own, if only before he declared his fire."""
        for throw in dict.fromkeys(throw for throw, _ in paired.lent):
            needs = [need for by, need in paired.lent if by == throw]
            if not needs or not held.wrong or not held.concerns(needs):
                continue
            known = replace(self.known, idle=self.known.idle | {throw.step})
            read = self._pair(known)
            now = self._held(read)
            lent = {(need.row, need.place) for _, need in read.lent}
            own = throw.count > len(needs) or lent.isdisjoint((need.row, need.place) for need in needs)
            early = {f.location.step for f in read.findings if f.key == "NOTE/dice-first"}
            rolled_before = all(need.declared.place.step in early for need in needs)
            since = _since(needs)
            if (own and now.is_better(held, since)) or (rolled_before and now.mends(held, since)):
                paired, held, self.known = read, now, known
        return paired, held

    def _too_many(self, paired: Paired, held: Score) -> tuple[Paired, Score]:
        """With dice that were set aside as a slip taken for too many, where what was said and marked is wrong by
        the dice of the other player that would be the shot's instead: those are for the damage chart."""
        for found in paired.findings:
            if found.key != "NOTE/dice-aside" or found.location.step is None or not held.wrong:
                continue
            known = replace(self.known, too_many=self.known.too_many | {found.location.step})
            read = self._pair(known)
            now = self._held(read)
            if {amiss for amiss in now.wrong if amiss[2] != found.location.step} < held.wrong:
                paired, held, self.known = read, now, known
        return paired, held

    def _undecided(self, paired: Paired, held: Score) -> Paired:
        """Undecided where whoever fired had rolled his own dice before he told or marked what another's come to."""
        for (when, player), asides in self._doubts(paired).items():
            throws, needs = [throw for throw, _ in asides], [need for _, need in asides]
            if not held.concerns(needs):
                continue
            end = _settled(max(throw.step for throw in throws) + 1, when, player)
            read = self._pair(replace(self.known, settled=self.known.settled | {end}))
            now = self._held(read)
            if now.mends(held, _since(needs)) and now.rolled >= held.rolled:
                paired, held = self._either(paired, read, when, throws), now
        return paired

    def decides(self, paired: Paired, lent: Mapping[tuple[int, int], int], row: Row) -> bool:
        """Is more of what was said and marked right with the dice of a row as they are paired than with those that were
        lent, or of the shields as wrong with both?"""
        own, other = self._held(paired), self._held(replace(paired, dice={**paired.dice, **lent}))
        ends = [step for step in self._begins if step > row.step]
        amiss = {
            step
            for key, _, step in own.wrong & other.wrong
            if key != self._rulebook.named.owner_picks and step is not None
        }
        return own.is_better(other, row.step) or any(
            row.step <= step < min(ends, default=step + 1) for step in amiss
        )

    def _held(self, paired: Paired) -> Score:
        """What was said and marked, held against dice paired so."""
        came_to = self._readings.came_to(paired.dice, paired.spare)
        played = (came_to.on_results, came_to.flown.report, came_to.damage.report)
        found = (
            *paired.findings,
            *(item for report in played for item in (*report.findings, *report.not_checked)),
        )
        at: dict[Severity, set[tuple[str, str, int | None]]] = {severity: set() for severity in Severity}
        for remark in found:
            if isinstance(remark, Finding):
                at[remark.severity].add((remark.key, remark.subject, remark.location.step))
        unknown = {remark for remark in found if isinstance(remark, NotChecked)} | at[Severity.UNDECIDED]
        return Score(frozenset(at[Severity.ERROR]), frozenset(unknown), frozenset(paired.dice))

    def _doubts(self, paired: Paired) -> dict[tuple[When, str], list[tuple[Throw, Need]]]:
        """Dice of others that were set aside, by the impulse and whoever fired."""
        found: dict[tuple[When, str], list[tuple[Throw, Need]]] = {}
        for throw, need in paired.asides:
            if throw.player != need.declared.speaker:
                found.setdefault((need.declared.when, need.declared.speaker), []).append((throw, need))
        return found

    def _ends(self, when: When, player: str, needs: Iterable[Need], after: int) -> Iterator[Settled]:
        """Where in its impulse it was told or marked what fire came to; as its dice fell where it never was."""
        targets = {need.shot.target.name for need in needs}
        stated = {
            line.step
            for line in self._lines
            if line.player == player and line.when == when and _COMES_TO.search(line.text)
        }
        marked = {
            mark.step for name in targets for mark in self._readings.marked.get(name, ()) if mark.when == when
        }
        later = [step for step in sorted(stated | marked) if step > after]
        for step in later or [after + 1]:  # misses need no word and no mark
            yield _settled(step, when, player)

    def _either(self, own: Paired, lent: Paired, when: When, throws: list[Throw]) -> Paired:
        """Undecided between a player's own dice and those another rolled for the same shots."""
        rows = {
            number for number, (orders, _) in enumerate(self._readings.rolled.fired) if orders[0].when == when
        }
        both = {*own.dice, *lent.dice}
        doubted = {at for at in both if at[0] in rows and own.dice.get(at) != lent.dice.get(at)}
        findings = [
            found
            for found in own.findings
            if not (
                found.key == "NOTE/dice-aside" and found.location.step in {throw.step for throw in throws}
            )
        ]
        for number in sorted({row for row, _ in doubted}):
            orders, declaration = self._readings.rolled.fired[number]
            weapons = ", ".join(
                declaration.shots[place].weapon for row, place in sorted(doubted) if row == number
            )
            dice = " and ".join(f"{throw.player}'s of step {throw.step}" for throw in throws)
            message = f"what was said and marked for {weapons} fits the dice of another player ({dice}), not those of whoever fired; which are the shots' is not known"
            findings.append(_whose(orders[0], message))
        dice_left = {at: total for at, total in own.dice.items() if at not in doubted}
        return replace(own, dice=dice_left, findings=tuple(findings))


def _since(needs: Iterable[Need]) -> int:
    """The step in which the first of some shots was declared."""
    return min(need.declared.place.step or 0 for need in needs)


def _settled(step: int, when: When, player: str) -> Settled:
    return Settled(step, when, player)


def _may_go_in(rulebook: Rulebook, row: Row) -> bool:
    """Did points of a row come through a shield, so that dice on the damage chart may be among its own?"""
    return any(points != 0 for points in came_through(rulebook, row).values())


def _whose(declared: Declared, message: str) -> Finding:
    """Two players rolled for the same shots, or one of them on the damage chart."""
    return Finding(
        "NOTE/dice-whose",
        Severity.UNDECIDED,
        message,
        declared.firer.name,
        declared.when.turn,
        declared.when.impulse,
        declared.place,
        fix="say what a die is for",
    )
