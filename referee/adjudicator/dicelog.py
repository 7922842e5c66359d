"""The dice of a log paired with the shots they were rolled for, in the order of both (E1.1)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
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
    only the total of several is, or where the throw is `void`: no die shows what it says. `undone` is the step
    that took them back."""

    step: int
    when: When
    count: int
    sides: int | None
    faces: tuple[int, ...]
    total: int
    player: str = ""
    void: bool = False
    undone: int | None = None


@frozen
class Paired:
    """The total each shot was rolled, by the row it was declared in and its place there; the dice rolled
    after each row that no shot waited for, and those rolled `again` for shots whose first die was taken back;
    what was found."""

    dice: Mapping[tuple[int, int], int]
    spare: Mapping[int, tuple[Throw, ...]]
    again: Mapping[int, tuple[Throw, ...]] = field(default_factory=dict)
    findings: tuple[Finding, ...] = ()
    not_checked: tuple[NotChecked, ...] = ()


@dataclass
class _Need:
    """A shot that waits for its dice; `first` are those it was rolled and that were taken back: they stand."""

    row: int
    place: int
    shot: Shot
    said: Declared
    count: int
    sides: int
    first: int | None = None


@dataclass
class _Table:
    """The dice on the table while a log is gone through."""

    chart_dice: tuple[int, int]
    file: str
    thrown: Sequence[Throw] = ()
    waiting: list[_Need] = field(default_factory=list)
    dice: dict[tuple[int, int], int] = field(default_factory=dict)
    rolled: set[int] = field(default_factory=set)
    spare: dict[int, list[Throw]] = field(default_factory=dict)
    again: dict[int, list[Throw]] = field(default_factory=dict)
    held: dict[int, list[_Need]] = field(default_factory=dict)
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
        if throw.undone is not None:
            self._throw_undone(throw, mine)
            return
        if of_chart and throw.count != wanted and strange:
            self._other(throw)
            return
        if strange and throw.player and (throw.count > wanted or throw.sides not in (None, mine[0].sides)):
            self._other(throw)  # another player's dice are these shots' only where they fit
            return
        if throw.sides not in (None, mine[0].sides):
            self._against(mine[0], throw.step, f"d{mine[0].sides}", f"d{throw.sides}", "dice of another kind")
        given, left = _given(throw, mine)
        for need, total in given:
            self.waiting.remove(need)
            self.rolled.add(id(need.said))
            if strange and throw.player and need.said.speaker:
                self._by_other(need, throw)
            if need.first is not None:
                self.dice[need.row, need.place] = need.first
            elif total is not None:
                self.dice[need.row, need.place] = total
        if given and all(need.first is not None for need, _ in given):
            self.again.setdefault(self.row, []).append(throw)
        if left:
            found = f"{throw.count} dice for {throw.count - left} shots"
            self._against(mine[0], throw.step, "a die for each shot", found, "more dice than shots")

    def _throw_undone(self, throw: Throw, mine: Sequence[_Need]) -> None:
        """Dice that are taken back later: those that fit the shots that wait stand, but for a slip of another
        player's who does not roll again. Of others it is as if they had not been rolled."""
        wanted = sum(need.count for need in mine)
        fits = throw.sides in (None, mine[0].sides) and throw.count <= wanted and throw.faces
        if not fits or throw.void or (throw.player != mine[0].said.speaker and not self._rolls_again(throw)):
            return
        for need, total in _given(throw, mine)[0]:
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
        elif throw.undone is None:
            self.idle.append(throw)

    def close(self) -> None:
        """Whatever still waits gets no dice any more."""
        lacking: dict[int, list[_Need]] = {}
        for need in (*self.waiting, *chain.from_iterable(self.held.values())):
            if need.first is None:
                lacking.setdefault(id(need.said), []).append(need)
            else:
                self.dice[need.row, need.place] = need.first
                self.rolled.add(id(need.said))
        self.waiting, self.held = [], {}
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
        stand = (throw for throw in thrown if throw.undone is None)
        return Paired({}, {}, not_checked=tuple(for_no_fire(stand)))
    if not rules or not thrown:
        reason = "no dice are in the log" if rules else "no rule says which dice are rolled"
        return Paired({}, {}, not_checked=(NotChecked(RULE, reason),))
    table = _Table(chart_dice(rulebook), file, thrown)
    timeline: list[tuple[int, int, Any]] = [(throw.step, 1, throw) for throw in thrown]
    timeline += [(throw.undone, 2, throw) for throw in thrown if throw.undone is not None]
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
        if kind == 0:
            table.declare(*event)
        elif kind == 1:
            table.throw(event)
        else:
            table.undo(event)
    table.close()
    table.not_checked += for_no_fire(table.idle)
    spare = {row: tuple(_first_fallen(throws, rows[row][0])) for row, throws in table.spare.items()}
    again = {row: tuple(throws) for row, throws in table.again.items()}
    return Paired(table.dice, spare, again, tuple(table.findings), tuple(table.not_checked))


def _given(throw: Throw, needs: Iterable[_Need]) -> tuple[list[tuple[_Need, int | None]], int]:
    """The shots a throw has dice for, each with what they come to, None where that is not told; and how many
    dice are left."""
    left, faces = throw.count, list(throw.faces)
    given: list[tuple[_Need, int | None]] = []
    for need in needs:
        if left < need.count:
            break
        left -= need.count
        told = throw.sides in (None, need.sides) and len(faces) >= need.count
        given.append((need, sum(faces[: need.count]) if told else None))
        del faces[: need.count]
    return given, left


def _first_fallen(throws: Iterable[Throw], said: Iterable[Declared]) -> Iterator[Throw]:
    """Dice no shot waited for, as they fell first: of such as were taken back and rolled again the first, none
    of those nobody rolled again. A die too many of whoever fired, before any for the damage chart, is a slip."""
    speakers = {one.speaker for one in said}
    undone: list[Throw] = []
    begun = False
    for throw in throws:
        if throw.undone is not None:
            if begun or throw.player not in speakers:
                undone.append(throw)
            continue
        begun = True
        alike = (one for one in undone if _is_rolled_again(one, throw))
        first = next(alike, None)
        if first is not None:
            undone.remove(first)
        yield first or throw


def _is_rolled_again(first: Throw, then: Throw) -> bool:
    same = (first.count, first.sides, first.player) == (then.count, then.sides, then.player)
    return same and not first.void and then.step > (first.undone or 0)


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
