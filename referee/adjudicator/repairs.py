"""Marks of damage that are taken off a display again: corrections, repairs that were paid for, and neither."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from referee.adjudicator.capacitor import EnergyFacts
from referee.adjudicator.check import judge
from referee.adjudicator.volley import plays_reinforcement
from referee.core.finding import Finding, NotChecked, Severity
from referee.core.forms import EnergyAllocation
from referee.core.frozen import frozen
from referee.core.location import Location
from referee.core.play import When
from referee.core.ship import ShipClass
from referee.core.state import ShipState
from referee.rulebooks.base import Rulebook

_UNTOLD = 10_000
"""More points than any form pays: what a line that could not be read may pay at most."""
INSIDE = 0
"""Stands for the boxes inside where shields stand under their numbers."""


@frozen
class Marking:
    """A step in which a ship's display came to show another state. A state's shields are as shown."""

    step: int
    when: When
    before: ShipState
    after: ShipState


@frozen
class Purse:
    """What a ship paid for repairs, by turn: points of line 15 and of the line for damage inside, None where
    there is no form; and the points of reinforcement a display may show as boxes, 0 for any shield."""

    shields: Mapping[int, Fraction] | None = None
    inside: Mapping[int, Fraction] = field(default_factory=dict)
    reinforced: Mapping[int, Mapping[int, int]] = field(default_factory=dict)


def reinforced_by_turn(rulebook: Rulebook, energy: Iterable[EnergyFacts]) -> dict[int, dict[int, int]]:
    """The most points of reinforcement a ship's forms buy by turn: for any shield under 0, and of each shield."""
    if not plays_reinforcement(rulebook):
        return {}
    bought, names = rulebook.offers.reinforcement, rulebook.lines
    found: dict[int, dict[int, int]] = {}
    for facts in energy:
        form = facts.facts.form
        lines = {line: entry.amount for line, entry in form.entries.items()}
        unknown = None in map(form.known, names.reinforcement) or form.spoilt(names.reinforcement_specific)
        found[facts.turn] = {**bought(rulebook, lines).most, **({0: _UNTOLD} if unknown else {})}
    return found


def purse_of(
    rulebook: Rulebook, energy: Iterable[EnergyFacts], reinforced: Mapping[int, Mapping[int, int]]
) -> Purse:
    """What the forms of a ship pay for repairs."""
    forms = {facts.turn: facts.facts.form for facts in energy}
    names = rulebook.lines
    shields = {turn: _at_most(form, names.shield_repair) for turn, form in forms.items()}
    inside = {turn: _at_most(form, names.damage_control) for turn, form in forms.items()}
    return Purse(shields if forms else None, inside, reinforced)


def _at_most(form: EnergyAllocation, line: str) -> Fraction:
    """The most that a form may pay on a line; without bound where that is not known."""
    paid = form.known(line)
    return Fraction(_UNTOLD) if paid is None else paid


@frozen
class Unpaid:
    """Boxes taken off again in a step for nothing, shields by number: they are still lost."""

    step: int
    shields: Mapping[int, int]
    boxes: frozenset[str]

    def still_lost(self, state: ShipState) -> ShipState:
        """A state as it truly is when it shows these boxes whole."""
        left = {n: max(0, left - self.shields.get(n, 0)) for n, left in state.shields.items()}
        return replace(state, shields=left, destroyed=state.destroyed | self.boxes)


@frozen
class Back:
    """Boxes taken off again in a step, of a shield or INSIDE. `marked` is the step they had been marked in last,
    None where that was before this bout; `late` says it was in another impulse."""

    step: int
    when: When
    part: int
    count: int
    boxes: frozenset[str] = frozenset()
    marked: int | None = None
    late: bool = True

    def some(self, count: int, boxes: frozenset[str]) -> Back:
        """So many of them; inside these."""
        return replace(self, count=count, boxes=boxes)


@dataclass
class Tally:
    """The marks of a bout added up: what stands as lost in the end by part of the ship, which boxes inside;
    what was taken off again of the bout's `own` marks and of `earlier` ones."""

    lost: Counter[int] = field(default_factory=Counter)
    gone: set[str] = field(default_factory=set)
    own: list[Back] = field(default_factory=list)
    earlier: list[Back] = field(default_factory=list)

    def put_back(self, back: Back, count: int) -> Back:
        """Takes some boxes that were taken off as lost all the same; those taken."""
        if back.part != INSIDE:
            self.lost[back.part] += count
            return back.some(count, frozenset())
        boxes = frozenset(sorted(back.boxes - self.gone)[:count])
        self.gone |= boxes
        self.lost[INSIDE] = len(self.gone)
        return back.some(len(boxes), boxes)


def tally(marks: Iterable[Marking]) -> Tally:
    """Adds up the marks of a bout. What is taken off again is first what the bout marked itself."""
    total = Tally()
    last: dict[int, Marking] = {}
    of: dict[str, Marking] = {}
    for mark in marks:
        for shield, left in mark.before.shields.items():
            more = left - mark.after.shields.get(shield, left)
            if more > 0:
                total.lost[shield] += more
                last[shield] = mark
            elif more < 0:
                own = min(-more, total.lost[shield])
                _take_off(total, mark, shield, own, -more - own, last.get(shield))
                total.lost[shield] -= own
        gone = mark.after.destroyed - mark.before.destroyed
        back = mark.before.destroyed - mark.after.destroyed
        total.gone |= gone
        of |= dict.fromkeys(gone, mark)
        for marked, boxes in _by_mark(back & total.gone, of):
            late = marked.when != mark.when
            total.own.append(Back(mark.step, mark.when, INSIDE, len(boxes), boxes, marked.step, late))
        if before := back - total.gone:
            total.earlier.append(Back(mark.step, mark.when, INSIDE, len(before), frozenset(before)))
        total.gone -= back
        total.lost[INSIDE] = len(total.gone)
    return total


def _take_off(
    total: Tally, mark: Marking, shield: int, own: int, earlier: int, marked: Marking | None
) -> None:
    if own and marked:
        late = marked.when != mark.when
        total.own.append(Back(mark.step, mark.when, shield, own, frozenset(), marked.step, late))
    if earlier:
        total.earlier.append(Back(mark.step, mark.when, shield, earlier))


def _by_mark(boxes: Iterable[str], of: Mapping[str, Marking]) -> Iterator[tuple[Marking, frozenset[str]]]:
    """Boxes by the mark that cost them."""
    rows: dict[int, set[str]] = {}
    marks: dict[int, Marking] = {}
    for box in boxes:
        marks[of[box].step] = of[box]
        rows.setdefault(of[box].step, set()).add(box)
    return ((marks[step], frozenset(rows[step])) for step in sorted(rows))


class Repairs:
    """One ship's marks taken off again through a log: feed it the bouts in their order."""

    def __init__(self, rulebook: Rulebook, ship: ShipClass, name: str, purse: Purse, file: str) -> None:
        self.unpaid: list[Unpaid] = []
        self._rulebook, self._ship, self._name, self._file = rulebook, ship, name, file
        plays = "reinforcement" in rulebook.options and rulebook.allows("reinforcement")
        self._reinforced = purse.reinforced if plays else {}
        self._left = None if purse.shields is None else dict(purse.shields)
        self._inside = purse.inside
        self._over: Counter[int] = Counter()
        self._owed: Counter[int] = Counter()

    def marked_again(self, total: Tally, most: Mapping[int, int] | None = None) -> None:
        """Takes boxes out of a tally that had been taken off for nothing and are now marked again. Where `most` gives
        the boxes that fire can have cost, by part, only those beyond it are taken out."""
        for part in [part for part, owed in self._owed.items() if owed]:
            beyond = total.lost[part] - (most.get(part, 0) if most else 0)
            again = min(max(0, beyond), self._owed[part])
            self._owed[part] -= again
            total.lost[part] -= again
            if part == INSIDE and again:
                lost = {box for repair in self.unpaid for box in repair.boxes}
                total.gone -= set(sorted(total.gone, key=lambda box: (box not in lost, box))[:again])

    def too_many(self, part: int, count: int) -> None:
        """More boxes were marked than fire cost: so many may be taken off yet."""
        self._over[part] += count

    def judge(self, total: Tally, least: Mapping[int, int] | None) -> Iterator[Finding | NotChecked]:
        """Findings on what a bout took off again. `least` is what its fire must have cost, by part, None where
        that is not known. What was taken off for nothing stands as lost in the tally from then on."""
        mended = list(self._beyond_credit(total.earlier))
        corrected: list[Back] = []
        for part in dict.fromkeys(back.part for back in total.own):
            own = [back for back in total.own if back.part == part]
            if least is None:
                mended += [back for back in own if back.late and self._payable(back)]
                yield from self._doubted([back for back in own if back.late and not self._payable(back)])
                yield from self._corrected([back for back in own if not back.late], sure=False)
                continue
            lacking, off = least.get(part, 0) - total.lost[part], []
            for back in reversed(own):
                put = back.some(0, frozenset())
                if lacking > 0 and (back.late or self._payable(back)):
                    put = total.put_back(back, min(lacking, back.count))
                    mended += [put] if put.count else []
                    lacking -= put.count
                if put.count < back.count:
                    off.append(back.some(back.count - put.count, back.boxes - put.boxes))
            corrected += off if lacking <= 0 else ()  # what is still lacking is said of the marks
        yield from self._corrected(corrected, sure=True)
        yield from self._mended(sorted(mended, key=lambda back: back.step))

    # -- what may be -----------------------------------------------------------------------

    def _beyond_credit(self, backs: Iterable[Back]) -> Iterator[Back]:
        """What was taken off of earlier marks, but for what had been marked too much, and reinforcement that is
        shown as boxes."""
        for back in backs:
            free = min(back.count, self._over[back.part] + self._shown(back))
            self._over[back.part] -= min(free, self._over[back.part])
            if free < back.count:
                yield back.some(back.count - free, frozenset(sorted(back.boxes)[free:]))

    def _shown(self, back: Back) -> int:
        given = self._reinforced.get(back.when.turn or 0, {})
        return 0 if back.part == INSIDE else given.get(0, 0) + given.get(back.part, 0)

    def _payable(self, back: Back) -> bool:
        paid = self._paid(back.when.turn) if back.part != INSIDE else None
        return bool(paid) and self._repaired_for(paid) >= back.count

    def _repaired_for(self, paid: Fraction | None) -> int:
        """The shield boxes that so many points repair."""
        return 0 if paid is None else int(self._rulebook.offers.boxes_mended(self._rulebook, paid))

    def _paid(self, turn: int | None) -> Fraction | None:
        """The points for shields that have repaired nothing yet: of this turn, and of the last, at whose end they
        repair. None where neither has a form."""
        if self._left is None:
            return None
        known = self._left.keys() if turn is None else self._left.keys() & {turn - 1, turn}
        return sum((self._left[t] for t in known), Fraction(0)) if known else None

    def _spend(self, turn: int | None, points: Fraction) -> None:
        for known in sorted(self._left or ()):
            if self._left is not None and (turn is None or known in (turn - 1, turn)):
                spent = min(points, self._left[known])
                self._left[known] -= spent
                points -= spent

    # -- what is said of it ----------------------------------------------------------------

    def _mended(self, backs: Sequence[Back]) -> Iterator[Finding | NotChecked]:
        for step in dict.fromkeys(back.step for back in backs):
            own = [back for back in backs if back.step == step]
            when = own[0].when
            shields: Counter[int] = Counter()
            for back in own:
                if back.part != INSIDE:
                    shields[back.part] += back.count
            if shields:
                paid, count = self._paid(when.turn), sum(shields.values())
                most = self._repaired_for(paid)
                lost = Unpaid(step, _beyond(shields, most), frozenset())
                stated = {str(n): number for n, number in sorted(shields.items())}
                yield from self._judged(lost, when, shields=stated, paid=paid)
                if paid:
                    self._spend(when.turn, min(paid, paid * count / max(most, 1)))
            if inside := frozenset(box for back in own for box in back.boxes):
                by_turn = (self._inside.get(turn, Fraction(0)) for turn in _near(when.turn))
                of_systems = self._systems(inside)
                lost = Unpaid(step, {}, inside)
                yield from self._judged(lost, when, inside=of_systems, inside_paid=sum(by_turn, Fraction(0)))

    def _judged(self, lost: Unpaid, when: When, **back: Any) -> Iterator[Finding | NotChecked]:
        """What the rules say of boxes that came `back`; where that is wrong, some are still `lost`."""
        facts = self._rulebook.offers.mended(self._rulebook, self._name, when.turn, when.impulse, **back)
        for rule in self._rulebook.rules_on("mended", "check"):
            for item in judge(rule, self._rulebook, facts):
                if isinstance(item, NotChecked):
                    yield item
                    continue
                if item.severity is Severity.ERROR:
                    self.unpaid.append(lost)
                    self._owed.update({**lost.shields, INSIDE: len(lost.boxes)})
                yield replace(item, location=self._place(lost.step))

    def _doubted(self, backs: Sequence[Back]) -> Iterator[Finding]:
        for back in backs:
            yield self._found(back, Severity.UNDECIDED, "; what fire cost them is not known")

    def _corrected(self, backs: Iterable[Back], *, sure: bool) -> Iterator[Finding]:
        """What may be, or `sure` is, a correction of what was marked."""
        for back in backs:
            at_once = sure and not back.late
            yield self._found(back, Severity.NOTE if at_once else Severity.WARNING, "")

    def _found(self, back: Back, severity: Severity, why: str) -> Finding:
        if back.part == INSIDE:
            row = self._systems(back.boxes)
            what = " and ".join(f"{count} of {name}" for name, count in row.items())
        else:
            what = f"{back.count} of shield {back.part}"
        return Finding(
            "NOTE/mark-taken-back",
            severity,
            f"{what}, marked in step {back.marked}, taken off again{why}",
            self._name,
            back.when.turn,
            back.when.impulse,
            self._place(back.step),
            fix="mark what the fire cost, once" if severity is not Severity.NOTE else "",
        )

    def _place(self, step: int) -> Location:
        return Location(self._file, piece=self._name, step=step)

    def _systems(self, boxes: Iterable[str]) -> dict[str, int]:
        mounts = {box: self._ship.mount(box) for box in boxes}
        names = (m.system if (m := mounts[box]) else box.partition("/")[0] for box in sorted(mounts))
        return dict(Counter(name.replace("_", " ") for name in names))


def _near(turn: int | None) -> tuple[int, ...]:
    return () if turn is None else (turn - 1, turn)


def _beyond(shields: Mapping[int, int], most: int) -> dict[int, int]:
    """Boxes of shields beyond so many."""
    left: dict[int, int] = {}
    for shield, count in sorted(shields.items()):
        free = min(most, count)
        most -= free
        if free < count:
            left[shield] = count - free
    return left
