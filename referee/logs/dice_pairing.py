"""The dice of a log paired with the shots they were rolled for, in the order of both (E1.1)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

from referee.adjudicator.declared_fire import Declared
from referee.core.combat import Declaration
from referee.core.finding import About, Finding, NotChecked, Severity
from referee.core.naming import how_many
from referee.logs.chart_dice import chart_dice, first_fallen
from referee.logs.dice import Paired, for_no_fire, without_dice
from referee.logs.dice_owners import (
    NOTHING,
    Known,
    Need,
    Throw,
    declared_after,
    given,
    in_words,
    left_to,
    lent,
    rolled_early,
    rolls_to_come,
    set_aside,
    two_to_take,
    undecided,
    wanted,
)
from referee.rulebooks.base import Rulebook


@dataclass
class _DiceTable:
    """The dice on the table while a log is gone through."""

    rulebook: Rulebook
    chart_dice: tuple[int, int]
    file: str
    thrown: Sequence[Throw] = ()
    known: Known = NOTHING
    coming: Sequence[Need] = ()
    waiting: list[Need] = field(default_factory=list)
    dice: dict[tuple[int, int], int] = field(default_factory=dict)
    rolled: set[int] = field(default_factory=set)
    spare: dict[int, list[Throw]] = field(default_factory=dict)
    again: dict[int, list[Throw]] = field(default_factory=dict)
    held: dict[int, list[Need]] = field(default_factory=dict)
    idle: list[Throw] = field(default_factory=list)
    otherwise: dict[tuple[int, int], int] = field(default_factory=dict)
    mixed: dict[tuple[int, str], list[Need]] = field(default_factory=dict)
    asides: list[tuple[Throw, Need]] = field(default_factory=list)
    lent: list[tuple[Throw, Need]] = field(default_factory=list)
    taken: dict[int, Throw] = field(default_factory=dict)
    early: set[int] = field(default_factory=set)
    lapsed: list[Need] = field(default_factory=list)
    begun: bool = False
    stood: list[Throw] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    not_checked: list[NotChecked] = field(default_factory=list)
    last: Sequence[Declared] = ()
    row: int = -1

    def declare(self, row: int, declared: Declared, needs: Iterable[Need]) -> None:
        if row != self.row:
            self.close()
            self.last, self.begun = (), False
        self.row = row
        self.last = (*self.last, declared)
        self.waiting += needs

    def throw(self, throw: Throw) -> None:
        self._lapse(throw)
        idle = throw.step in self.known.idle and self.waiting
        mine = [] if idle else self._shots_of(throw)
        for need in self.waiting:
            if need.declared.speaker != throw.player and need not in mine:
                self.asides.append((throw, need))
        if not mine and self.waiting:
            self._aside(throw, self.waiting[0])
            return
        if not mine:
            self._other(throw)
            return
        strange = throw.player != mine[0].declared.speaker and all(
            need.declared.speaker != throw.player for need in mine
        )
        if throw.undone is not None:
            self._throw_undone(throw, mine)
            return
        if self._is_for_chart(throw, mine[0]) and throw.count != wanted(mine) and strange:
            self._other(throw)
            return
        if (
            strange
            and throw.player
            and (throw.count > wanted(mine) or throw.sides not in (None, mine[0].sides))
        ):
            self._other(throw)  # another player's dice are these shots' only where they fit
            return
        if not strange and self._is_slip(throw, mine):
            self._aside(throw, mine[0])
            return
        if throw.sides not in (None, mine[0].sides):
            self._against(mine[0], throw.step, f"d{mine[0].sides}", f"d{throw.sides}", "dice of another kind")
        elif len(mine) == 1 and throw.count > mine[0].count:
            self._too_many(throw, mine[0])
            return
        left = self._give(throw, mine)
        if left:
            found = f"{throw.count} dice for {how_many(throw.count - left, 'shot')}"
            self._against(mine[0], throw.step, "a die for each shot", found, "more dice than shots")

    def _lapse(self, throw: Throw) -> None:
        """Shots whose own dice fell before they were declared take none of a later impulse."""
        for need in [
            other for other in self.waiting if id(other) in self.early and other.declared.when != throw.when
        ]:
            self.waiting.remove(need)
            self.lapsed.append(need)

    def _give(self, throw: Throw, mine: Sequence[Need]) -> int:
        """Shots get the dice of a throw; how many are left."""
        fell, left = given(throw, mine)
        self.begun = self.begun or bool(fell)
        for need, total in fell:
            self.waiting.remove(need)
            self.rolled.add(id(need.declared))
            self.taken.setdefault(id(need.declared), throw)
            if throw.player and need.declared.speaker and throw.player != need.declared.speaker:
                self.lent.append((throw, need))
                self.findings.append(lent(throw, need))
            if (self.row, throw.player) in self.mixed:
                self.mixed[self.row, throw.player].append(need)
            if need.first is not None:
                self.dice[need.row, need.place] = need.first
            elif total is not None:
                self.dice[need.row, need.place] = total
        if fell and all(need.first is not None for need, _ in fell):
            self.again.setdefault(self.row, []).append(throw)
        return left

    def _shots_of(self, throw: Throw) -> list[Need]:
        """The shots that wait for a throw: first those of the player who rolled it, with such of others' as
        it has dice for; else those of others who do not roll for themselves."""
        own = [need for need in self.waiting if need.declared.speaker == throw.player]
        free = left_to(throw, self.waiting, self.thrown, self.coming, self.known.settled)
        if not own or len(free) == len(own):
            return own or free
        behind = any(need not in own for need in free[: free.index(own[0])])
        rolls = throw.count + rolls_to_come(self.thrown, throw, throw.player, own[0].sides, wanted(free))
        if behind and rolls > wanted(own) + self._to_come(throw, throw.player):
            self.mixed.setdefault((self.row, throw.player), [])
        return free if throw.count == wanted(free) else own

    def _to_come(self, throw: Throw, player: str) -> int:
        """The dice a player's shots take that he declares in the impulse after a throw."""
        return wanted(declared_after(self.coming, throw, player))

    def _is_slip(self, throw: Throw, mine: Sequence[Need]) -> bool:
        """Are dice that do not fit the shots followed by such as do?"""
        dice, sides = wanted(mine), mine[0].sides
        if throw.sides in (None, sides) and throw.count <= dice:
            return False
        later = self._to_come(throw, throw.player)
        to_come = rolls_to_come(self.thrown, throw, throw.player, sides, max(later, dice))
        too_many = throw.step in self.known.too_many
        across = 0 if too_many else sum(number for _, number in self._lent(throw, mine))
        return max(0, to_come - later) + across >= dice

    def _lent(self, throw: Throw, mine: Sequence[Need]) -> Iterator[tuple[str, int]]:
        """The other players who roll more dice after a throw than their own shots take, and how many more."""
        dice, sides = wanted(mine), mine[0].sides
        of_shots = [other for other in self.thrown if not self._is_for_chart(other, mine[0])]
        for player in dict.fromkeys(other.player for other in of_shots if other.player):
            if player == throw.player:
                continue
            own = wanted(need for need in self.waiting if need.declared.speaker == player)
            later = self._to_come(throw, player)
            more = rolls_to_come(of_shots, throw, player, sides, max(later, dice + own))
            if (more := more - own - later) > 0:
                yield player, more

    def _is_for_chart(self, throw: Throw, need: Need) -> bool:
        """Are dice those of the damage chart, which takes others than a shot?"""
        return (throw.count, throw.sides) == self.chart_dice != (need.count, need.sides)

    def _aside(self, throw: Throw, need: Need) -> None:
        """Dice that are not those of the shot that waits, whose own are still to fall."""
        count, sides = self.chart_dice
        fits = throw.count <= wanted(self.waiting)
        if fits and throw.player != need.declared.speaker and self.chart_dice == (need.count, need.sides):
            for other, total in given(throw, self.waiting)[0]:
                if total is not None:
                    self.otherwise.setdefault((other.row, other.place), total)
        if self.begun and throw.sides in (None, sides) and throw.count % count == 0:
            self._other(throw)
        elif throw.undone is None:
            firer, most = need.declared.speaker, wanted(self.waiting)
            later = self._to_come(throw, firer)
            own = rolls_to_come(self.thrown, throw, firer, need.sides, most + later) > later
            across = next((player for player, _ in self._lent(throw, [need])), "")
            if not own and not across:
                self.early |= {id(also) for also in self.waiting if also.declared is need.declared}
            self.findings.append(set_aside(throw, need, firer if own or not across else across))

    def _too_many(self, throw: Throw, need: Need) -> None:
        """Several dice for one shot, and none that fits it: which of them is its die is told only if all are
        alike."""
        self.waiting.remove(need)
        self.rolled.add(id(need.declared))
        self.begun = True
        if need.first is not None:
            self.dice[need.row, need.place] = need.first
        elif need.count == 1 and throw.faces and len(set(throw.faces)) == 1:
            self.dice[need.row, need.place] = throw.faces[0]
        found = f"{throw.count} dice for 1 shot"
        self._against(need, throw.step, "a die for each shot", found, "more dice than shots")

    def _throw_undone(self, throw: Throw, mine: Sequence[Need]) -> None:
        """Dice that are taken back later: those that fit the shots that wait stand, but for a slip of another
        player's who does not roll again. Of others it is as if they had not been rolled."""
        fits = throw.sides in (None, mine[0].sides) and throw.count <= wanted(mine) and throw.faces
        if (
            not fits
            or throw.void
            or (throw.player != mine[0].declared.speaker and not self._rolls_again(throw))
        ):
            return
        self.stood.append(throw)
        for need, total in given(throw, mine)[0]:
            self.waiting.remove(need)
            need.first = total if need.first is None else need.first
            self.held.setdefault(id(throw), []).append(need)

    def _rolls_again(self, throw: Throw) -> bool:
        return any(
            later.player == throw.player and later.when == throw.when and later.step > (throw.undone or 0)
            for later in self.thrown
        )

    def undo(self, throw: Throw) -> None:
        """Dice are taken back: their shots are rolled for again, if anyone does."""
        self.waiting += self.held.pop(id(throw), ())
        self.waiting.sort(key=lambda need: need.place)

    def _other(self, throw: Throw) -> None:
        """Dice no shot waits for: the damage chart's, another try, or none of the referee's business."""
        for_chart = throw.sides == self.chart_dice[1] and self.row not in self.known.stopped
        kept = self.last and (for_chart or throw.when == self.last[0].when)
        if kept:
            self.spare.setdefault(self.row, []).append(throw)
        elif throw.undone is None:
            self.idle.append(throw)

    def close(self) -> None:
        """Whatever still waits gets no dice any more."""
        lacking: dict[int, list[Need]] = {}
        for need in (*self.waiting, *self.lapsed, *chain.from_iterable(self.held.values())):
            if need.first is None:
                lacking.setdefault(id(need.declared), []).append(need)
            else:
                self.dice[need.row, need.place] = need.first
                self.rolled.add(id(need.declared))
        self.waiting, self.lapsed, self.held = [], [], {}
        for needs in self._rolled_first(lacking.values()):
            declared, marks = needs[0].declared, ", ".join(need.shot.weapon for need in needs)
            if id(declared) in self.rolled:
                have, all_shots = len(declared.mounts) - len(needs), len(declared.mounts)
                self._against(
                    needs[0],
                    declared.place.step,
                    f"{all_shots} dice",
                    str(have),
                    f"no die was rolled for {marks}",
                )
            else:
                reason = f"no dice are in the log for {marks} of step {declared.place.step}"
                self.not_checked.append(NotChecked(self.rulebook.named.dice, reason, declared.firer.name))

    def _rolled_first(self, lacking: Iterable[list[Need]]) -> Iterator[list[Need]]:
        """Fire whose dice do not fall after it; for such as a player rolled before he declared it a warning,
        undecided where he rolled more than it takes."""
        for needs in lacking:
            declared = needs[0].declared
            early = rolled_early(self.thrown, declared, needs[0].sides)
            kept = [throw for throw in early if throw in self.idle]
            if id(declared) in self.rolled or not kept:
                yield needs
                continue
            loose = (throw for throw in early if throw.undone is not None and throw not in self.stood)
            early = sorted((*kept, *loose), key=lambda throw: throw.step)
            self._declared_late(needs, kept, early)

    def _declared_late(self, needs: list[Need], kept: list[Throw], early: list[Throw]) -> None:
        need, dice = needs[0], sum(throw.count for throw in early)
        fix = "declare, then roll"
        also = [
            other
            for other in self.coming
            if other.declared.speaker == need.declared.speaker and other.row == need.row
        ]
        if dice > wanted(other for other in also if (other.row, other.place) not in self.dice):
            steps = ", ".join(str(throw.step) for throw in early)
            message = f"{dice} dice were rolled in steps {steps}, before this fire was declared; which of them are its dice is not known"
            self.findings.append(undecided(need, need.declared.place.step, message, "NOTE/dice-first", fix))
            self.idle = [throw for throw in self.idle if throw not in kept]
            return
        for throw in kept[-len(needs) :]:
            self.idle.remove(throw)
            message = f"{in_words(throw)} was rolled in step {throw.step}, before this fire was declared"
            step = need.declared.place.step
            self.findings.append(undecided(need, step, message, "NOTE/dice-first", fix, Severity.WARNING))

    def chosen(self) -> None:
        """Dice that fell where ships fire before the fire of their player was declared, and others after it."""
        for throw in [idle for idle in self.idle if idle.at_fire and idle.undone is None]:
            needs = (
                need for need in self.coming if throw in rolled_early([throw], need.declared, need.sides)
            )
            need = next((need for need in needs if id(need.declared) in self.taken), None)
            if need is not None:
                self.idle.remove(throw)
                self.findings.append(two_to_take(need, throw, self.taken[id(need.declared)]))

    def mix(self) -> None:
        """Whoever rolled for another's shots and his own, the other's declared first, may have rolled for
        either first."""
        for (_, player), needs in self.mixed.items():
            totals = {self.dice.get((need.row, need.place)) for need in needs}
            if len({need.declared.speaker for need in needs}) > 1 and len(totals) > 1:
                for need in needs:
                    self.dice.pop((need.row, need.place), None)
                marks = ", ".join(need.shot.weapon for need in needs)
                reason = f"{player} rolled for {marks}; which die is whose is not known"
                self.not_checked.append(
                    NotChecked(self.rulebook.named.dice, reason, needs[0].declared.firer.name)
                )

    def _against(self, need: Need, step: int | None, expected: str, found: str, message: str) -> None:
        declared = need.declared
        about = About(
            declared.firer.name, declared.when.turn, declared.when.impulse, declared.place.within(step=step)
        )
        self.findings.append(self.rulebook.offers.seen_fire.dice_amiss(about, message, expected, found))


def pair_dice(
    rulebook: Rulebook,
    rows: Sequence[tuple[Sequence[Declared], Declaration]],
    throws: Iterable[Throw],
    file: str,
    known: Known = NOTHING,
) -> Paired:
    """Dice and shots in their order; `rows` are what was declared in one impulse, with its shots. A die
    of whoever fired that falls after it was settled what a shot came to is not that shot's."""
    rules = rulebook.rules_on("dice")
    thrown = list(throws)
    if not rows:
        stand = (throw for throw in thrown if throw.undone is None)
        return Paired({}, {}, not_checked=tuple(for_no_fire(rulebook, stand)))
    if not rules or not thrown:
        return without_dice(rulebook)
    table = _DiceTable(rulebook, chart_dice(rulebook), file, thrown, known)
    timeline: list[tuple[int, int, Any]] = [(throw.step, 1, throw) for throw in thrown]
    timeline += [(throw.undone, 2, throw) for throw in thrown if throw.undone is not None]
    coming: list[Need] = []
    for row, (orders, declaration) in enumerate(rows):
        aims = iter(enumerate(rulebook.offers.fire_step(rulebook, declaration).aims))
        for declared in orders:
            own = [next(aims) for _ in declared.mounts]
            needs = [
                Need(row, place, aim.shot, declared, *rules[0].decide(aim))
                for place, aim in own
                if not aim.seeking
            ]
            coming += needs
            timeline.append((declared.place.step or 0, 0, (row, declared, needs)))
    table.coming = coming
    for _, kind, event in sorted(timeline, key=lambda item: item[:2]):
        if kind == 0:
            table.declare(*event)
        elif kind == 1:
            table.throw(event)
        else:
            table.undo(event)
    table.close()
    table.chosen()
    table.mix()
    table.not_checked += for_no_fire(rulebook, table.idle)
    spare = {row: tuple(first_fallen(throws, rows[row][0])) for row, throws in table.spare.items()}
    again = {row: tuple(throws) for row, throws in table.again.items()}
    return Paired(
        table.dice,
        spare,
        again,
        table.otherwise,
        tuple(table.asides),
        tuple(table.lent),
        tuple(table.findings),
        tuple(table.not_checked),
    )
