"""The dice of a log paired with the shots they were rolled for, in the order of both (E1.1)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from referee.adjudicator.firelog import Declared
from referee.core.combat import Declaration, Shot
from referee.core.finding import Finding, NotChecked, Severity
from referee.core.frozen import frozen
from referee.core.play import When
from referee.rulebooks.base import Rulebook

RULE = "E1.1"
_MANY = 12  # steps named one by one


@frozen
class Throw:
    """Dice rolled in a log; `sides` is None where it is not known what dice they were, `faces` is empty where
    only the total of several is, or where the throw is `void`: no die shows what it says."""

    step: int
    when: When
    count: int
    sides: int | None
    faces: tuple[int, ...]
    total: int
    player: str = ""
    void: bool = False


@frozen
class Paired:
    """The total each shot was rolled, by the row it was declared in and its place there; the dice rolled
    after each row that no shot waited for; what was found."""

    dice: Mapping[tuple[int, int], int]
    spare: Mapping[int, tuple[Throw, ...]]
    findings: tuple[Finding, ...] = ()
    not_checked: tuple[NotChecked, ...] = ()


@dataclass
class _Need:
    """A shot that waits for its dice."""

    row: int
    place: int
    shot: Shot
    said: Declared
    count: int
    sides: int


@dataclass
class _Table:
    """The dice on the table while a log is gone through."""

    chart_dice: tuple[int, int]
    file: str
    waiting: list[_Need] = field(default_factory=list)
    dice: dict[tuple[int, int], int] = field(default_factory=dict)
    rolled: set[int] = field(default_factory=set)
    spare: dict[int, list[Throw]] = field(default_factory=dict)
    idle: list[Throw] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    not_checked: list[NotChecked] = field(default_factory=list)
    last: Sequence[Declared] = ()
    row: int = -1

    def declare(self, row: int, one: Declared, needs: Iterable[_Need]) -> None:
        if row != self.row:
            self.close()
            self.last = ()
        self.row = row
        self.last = (*self.last, one)
        self.waiting += needs

    def throw(self, throw: Throw) -> None:
        mine = [need for need in self.waiting if need.said.speaker == throw.player] or self.waiting[:]
        wanted = sum(need.count for need in mine)
        if not mine:
            self._other(throw)
            return
        of_chart = (throw.count, throw.sides) == self.chart_dice != (mine[0].count, mine[0].sides)
        strange = throw.player != mine[0].said.speaker
        if of_chart and throw.count != wanted and strange:
            self._other(throw)
            return
        if strange and throw.player and (throw.count > wanted or throw.sides not in (None, mine[0].sides)):
            self._other(throw)  # another player's dice are these shots' only where they fit
            return
        if throw.sides not in (None, mine[0].sides):
            self._against(mine[0], throw.step, f"d{mine[0].sides}", f"d{throw.sides}", "dice of another kind")
        left, faces = throw.count, list(throw.faces)
        for need in mine.copy():
            if left < need.count:
                break
            left -= need.count
            self.waiting.remove(need)
            self.rolled.add(id(need.said))
            if strange and throw.player and need.said.speaker:
                self._by_other(need, throw)
            if throw.sides in (None, need.sides) and len(faces) >= need.count:
                self.dice[need.row, need.place] = sum(faces[: need.count])
            del faces[: need.count]
        if left:
            found = f"{throw.count} dice for {throw.count - left} shots"
            self._against(mine[0], throw.step, "a die for each shot", found, "more dice than shots")

    def _by_other(self, need: _Need, throw: Throw) -> None:
        said = need.said
        self.findings.append(
            Finding(
                "NOTE/dice-by-other",
                Severity.NOTE,
                f"the die for {need.shot.weapon} was rolled by {throw.player}, the fire declared by {said.speaker}",
                said.firer.name,
                said.when.turn,
                said.when.impulse,
                said.place.within(step=throw.step),
            )
        )

    def _other(self, throw: Throw) -> None:
        """Dice no shot waits for: the damage chart's, another try, or none of the referee's business."""
        kept = self.last and (throw.sides == self.chart_dice[1] or throw.when == self.last[0].when)
        if kept:
            self.spare.setdefault(self.row, []).append(throw)
        else:
            self.idle.append(throw)

    def close(self) -> None:
        """Whatever still waits gets no dice any more."""
        lacking: dict[int, list[_Need]] = {}
        for need in self.waiting:
            lacking.setdefault(id(need.said), []).append(need)
        self.waiting = []
        for needs in lacking.values():
            said, marks = needs[0].said, ", ".join(need.shot.weapon for need in needs)
            if id(said) in self.rolled:
                have, all_shots = len(said.mounts) - len(needs), len(said.mounts)
                self._against(
                    needs[0],
                    said.place.step,
                    f"{all_shots} dice",
                    str(have),
                    f"no die was rolled for {marks}",
                )
            elif not self._rolled_before(needs[0]):
                reason = f"no dice are in the log for {marks} of step {said.place.step}"
                self.not_checked.append(NotChecked(RULE, reason, said.firer.name))

    def _rolled_before(self, need: _Need) -> bool:
        said = need.said
        early = [
            throw
            for throw in self.idle
            if throw.when == said.when
            and throw.player == said.speaker
            and throw.sides == need.sides
            and throw.step < (said.place.step or 0)
        ]
        if early:
            self.idle.remove(early[-1])
            self.findings.append(
                Finding(
                    "NOTE/dice-first",
                    Severity.WARNING,
                    f"{told(early[-1])} was rolled in step {early[-1].step}, before this fire was declared",
                    said.firer.name,
                    said.when.turn,
                    said.when.impulse,
                    said.place,
                    fix="declare, then roll",
                )
            )
        return bool(early)

    def _against(self, need: _Need, step: int | None, expected: str, found: str, message: str) -> None:
        said = need.said
        self.findings.append(
            Finding(
                RULE,
                Severity.ERROR,
                message,
                said.firer.name,
                said.when.turn,
                said.when.impulse,
                said.place.within(step=step),
                expected=expected,
                found=found,
                fix="roll one die for every shot declared",
            )
        )


def pair_dice(
    rulebook: Rulebook,
    rows: Sequence[tuple[Sequence[Declared], Declaration]],
    throws: Iterable[Throw],
    file: str,
) -> Paired:
    """Dice and shots in their order; `rows` are what was declared in one impulse, with its shots."""
    rules = rulebook.rules_on("dice")
    thrown = list(throws)
    if not rows:
        return Paired({}, {}, not_checked=tuple(for_no_fire(thrown)))
    if not rules or not thrown:
        reason = "no dice are in the log" if rules else "no rule says which dice are rolled"
        return Paired({}, {}, not_checked=(NotChecked(RULE, reason),))
    table = _Table(chart_dice(rulebook), file)
    timeline: list[tuple[int, int, Any]] = [(throw.step, 1, throw) for throw in thrown]
    for row, (said, declaration) in enumerate(rows):
        aims = iter(enumerate(rulebook.procedure("fire step")(rulebook, declaration).aims))
        for one in said:
            own = [next(aims) for _ in one.mounts]
            needs = [
                _Need(row, place, aim.shot, one, *rules[0].decide(aim))
                for place, aim in own
                if not aim.seeking
            ]
            timeline.append((one.place.step or 0, 0, (row, one, needs)))
    for _, kind, event in sorted(timeline, key=lambda item: item[:2]):
        if kind:
            table.throw(event)
        else:
            table.declare(*event)
    table.close()
    table.not_checked += for_no_fire(table.idle)
    spare = {row: tuple(throws) for row, throws in table.spare.items()}
    return Paired(table.dice, spare, tuple(table.findings), tuple(table.not_checked))


def for_no_fire(throws: Iterable[Throw]) -> Iterator[NotChecked]:
    """Dice that belong to no fire known here."""
    steps = [str(throw.step) for throw in throws]
    if steps:
        more = f" and {len(steps) - _MANY} more" if len(steps) > _MANY else ""
        reason = f"the dice of steps {', '.join(steps[:_MANY])}{more} are for no fire declared"
        yield NotChecked(RULE, reason)


def chart_dice(rulebook: Rulebook) -> tuple[int, int]:
    """How many dice of how many sides a point on the damage chart takes."""
    count, _, sides = str(rulebook.table("damage_chart")["dice"]).partition("d")
    return int(count), int(sides)


def on_chart(rulebook: Rulebook, throws: Iterable[Throw]) -> tuple[int, ...]:
    """The totals of dice rolled on the damage chart, point by point."""
    count, sides = chart_dice(rulebook)
    totals: list[int] = []
    throws = tuple(throws)
    if any(throw.void for throw in throws):
        return ()
    for throw in throws:
        if throw.sides in (None, sides) and throw.count % count == 0:
            faces = throw.faces
            whole = [sum(faces[n : n + count]) for n in range(0, len(faces), count)]
            totals += whole or ([throw.total] if throw.count == count else [])
    return tuple(totals)


def told(throw: Throw) -> str:
    """A throw in words."""
    sides = throw.sides if throw.sides else "?"
    return f"{throw.count}d{sides} = {throw.total}"
