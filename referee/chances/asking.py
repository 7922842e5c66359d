"""Asking the real resolver. Odds has no rules of its own: what a hit costs in a given situation is
found by letting the rulebook's own volley score that one point there.

A rule of our own is laid before the rulebook's: `cell` rules are asked first about each cell of a row,
with the volley in progress. Ours puts the situation asked about into that volley and closes every cell
but the one in question. Everything after that is the rulebook's work and the policy's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from referee.adjudicator.policies import POLICY_NAMES, policy
from referee.adjudicator.volley import resolve
from referee.chances.boxpools import Pool, pools_of, state_with
from referee.core.dice import Dice, seeded_dice
from referee.core.errors import BadInput
from referee.core.ship import ShipClass
from referee.core.state import ShipState, live_boxes
from referee.core.volley import Choice, Chooser, VolleyOrder, VolleyResult
from referee.rulebooks.base import Rule, Rulebook, RuleTable

PASSED = -1
DESTROYED = -2


@dataclass(frozen=True, slots=True)
class PointCost:
    """What a point costs: the pool whose box goes, PASSED or DESTROYED, and the boxes offered by pool."""

    pool: int
    offered: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Question:
    """What does a point scored at a cell cost, with so many boxes left in each pool? `hits` are the
    volley's earlier hits on weapons by system, `point` says whose direction counts."""

    entry: str
    left: tuple[int, ...]
    hits: tuple[tuple[str, int], ...] = ()
    point: int = 1


@dataclass(frozen=True, slots=True)
class ChartCell:
    """A cell as the resolver walks it; `once` is true if a first score there closes it for the volley."""

    name: str
    entry: str
    once: bool


class _Seen(Exception):
    """Enough has been seen of a volley."""


class _Rolls:
    """Dice that give the rolls asked for, and remember what was rolled."""

    source = "asked"

    def __init__(self, rolls: Sequence[int]) -> None:
        self.rolls = list(rolls)
        self.shape = (0, 0)
        self.rolled = 0

    def roll(self, count: int, sides: int) -> int:
        """The next roll asked for; the lowest one if none is left."""
        self.shape = (count, sides)
        self.rolled += 1
        return self.rolls[self.rolled - 1] if self.rolled <= len(self.rolls) else count


class _Watched:
    """A chooser that notes what it was offered, then lets the policy choose."""

    def __init__(self, chooser: Chooser) -> None:
        self.name = chooser.name
        self._chooser = chooser
        self.offers: dict[int, tuple[str, ...]] = {}

    def choose(self, choice: Choice) -> str:
        """The policy's box."""
        self.offers[choice.n] = choice.boxes
        return self._chooser.choose(choice)


class ResolverWatched:
    """The rulebook's own resolver, with a rule of ours before the others that look at cells."""

    def __init__(self, rulebook: Rulebook) -> None:
        self._look: Any = None
        ours = Rule("ODDS", "odds looks on", "resolve", "cell", self._decide)

        def rules(subject: str | None) -> Mapping[str, Rule]:
            # All rules at once are only asked for to list them.
            theirs = {rule.key: rule for rule in rulebook.rules_on(subject)} if subject else {}
            return {"ODDS": ours, **theirs} if subject == "cell" else theirs

        self._rulebook = replace(rulebook, rules=RuleTable(rules), _tables=rulebook._tables)

    def _decide(self, cell: Any, volley: Any) -> Any:
        return self._look(cell, volley)

    def resolve(
        self, look: Any, ship: ShipClass, state: ShipState, order: VolleyOrder, dice: Dice, chooser: Chooser
    ) -> VolleyResult:
        """A volley by the resolver; `look` is asked about each cell before any rule is."""
        self._look = look
        return resolve(self._rulebook, ship, state, order, dice, chooser)


@dataclass(frozen=True, slots=True)
class Opened:
    """A volley when its first internal point is about to be scored. `diceless` where no dice are."""

    start: ShipState
    internals: int
    reinforcement: int
    shape: tuple[int, int]
    diceless: bool
    volley: Any = None


def open_volley(
    rulebook: Rulebook, ship: ShipClass, state: ShipState, order: VolleyOrder, chooser: Chooser
) -> Opened:
    """Lets the resolver absorb what it absorbs, and looks at the volley when it rolls its first die."""
    rolls = _Rolls(())
    seen: list[Any] = []

    def look(cell: Any, volley: Any) -> bool:
        seen.append(volley)
        raise _Seen

    try:
        result = ResolverWatched(rulebook).resolve(look, ship, state, order, rolls, chooser)
    except _Seen:
        volley = seen[0]
        return Opened(volley.state, volley.points_inside, volley.reinforcement, rolls.shape, False, volley)
    lost = {hit.box for hit in result.hits}
    start = replace(result.state, destroyed=result.state.destroyed - lost, dead=False)
    return Opened(start, result.internals, result.reinforcement, rolls.shape, result.internals > 0)


class FirstBox:
    """Stands in for the random policy while rules are asked: what is offered matters, not the pick."""

    name = "random"

    def choose(self, choice: Choice) -> str:
        """The first box."""
        return choice.boxes[0]


class Asker:
    """One ship in one state, struck in one way, by one rulebook and policy; answers what points cost."""

    def __init__(
        self,
        rulebook: Rulebook,
        ship: ShipClass,
        state: ShipState,
        order: VolleyOrder,
        policy_name: str,
        pools: Sequence[Pool] = (),
    ) -> None:
        if policy_name not in POLICY_NAMES:
            raise BadInput(f"no policy {policy_name}", hint=f"choose {', '.join(POLICY_NAMES)}")
        named: Chooser = policy(policy_name, seeded_dice("odds"))
        self.random = policy_name == "random"
        self.chooser: Chooser = FirstBox() if self.random else named
        self.rulebook, self.ship, self.before, self.order = rulebook, ship, state, order
        self._watch = ResolverWatched(rulebook)
        self._answers: dict[Question, PointCost] = {}
        self._open(pools)

    def with_pools(self, pools: Sequence[Pool]) -> Asker:
        """The same, told apart by other pools."""
        return Asker(self.rulebook, self.ship, self.before, self.order, self.chooser.name, pools)

    # -- what the volley looks like before the first point -------------------------------

    def _open(self, pools: Sequence[Pool]) -> None:
        """What the volley looks like when absorption is over, and everything the chart says."""
        opened = open_volley(self.rulebook, self.ship, self.before, self.order, self.chooser)
        self.start, self.internals = opened.start, opened.internals
        self.reinforcement, self.diceless = opened.reinforcement, opened.diceless
        self.pools: tuple[Pool, ...] = tuple(pools) or pools_of(self.ship, self.start)
        self._pool_of = {box: k for k, pool in enumerate(self.pools) for box in pool.boxes}
        self.whole = tuple(pool.size for pool in self.pools)
        self.scored = min(self.internals, sum(self.whole) + 1)
        self.armor = (
            len(live_boxes(self.ship, self.before, "armor")),
            len(live_boxes(self.ship, self.start, "armor")),
        )
        self.shape = opened.shape
        self.rows: dict[int, tuple[ChartCell, ...]] = {}
        self.directions: tuple[int, ...] = (1,)
        self._place: dict[str, tuple[int, str]] = {}
        if opened.volley is not None:
            self.directions = self._directions(opened.volley)
            self._survey(opened.shape)

    def _directions(self, volley: Any) -> tuple[int, ...]:
        """The points at which the direction of the volley changes, the first among them."""
        starts, last = [], object()
        for n in range(1, self.scored + 1):
            volley.internal_points = n - 1
            toward = volley.direction()
            if toward != last:
                starts.append(n)
                last = toward
        return tuple(starts)

    def _survey(self, shape: tuple[int, int]) -> None:
        """The rows of the chart as the resolver walks them, up to the cell that is never passed."""
        count, sides = shape
        found: dict[int, list[Any]] = {}
        for roll in range(count, count * sides + 1):
            row: list[Any] = []

            def look(cell: Any, volley: Any, row: list[Any] = row) -> bool:
                row.append(cell)
                if cell.entry == "excess":
                    raise _Seen
                return False

            try:
                self._resolve(look, self.start, self._inside(1), _Rolls([roll]), self.chooser)
            except _Seen:
                found[roll] = row
            except AssertionError:
                raise BadInput(
                    f"row {roll} of the damage chart does not end in excess damage",
                    hint="use `referee volley`",
                ) from None
        for roll, row in found.items():
            for column, cell in enumerate(row):
                best = self._place.get(cell.entry)
                if best is None or column < [c.name for c in found[best[0]]].index(best[1]):
                    self._place[cell.entry] = (roll, cell.name)
        self._ends = {roll: row[-1].name for roll, row in found.items()}
        once = {
            cell.name: self._closes(roll, cell.name)
            for roll, row in found.items()
            for cell in row
            if cell.once
        }
        for roll, row in found.items():
            self.rows[roll] = tuple(ChartCell(c.name, c.entry, once.get(c.name, False)) for c in row)

    def _closes(self, roll: int, name: str) -> bool:
        """Does a rule in force close this cell once it has been scored at?"""
        closed = True

        def look(cell: Any, volley: Any) -> bool:
            if cell.name == name:
                volley.used_cells = {name}
                rules = [rule for rule in self.rulebook.rules_on("cell") if not rule.decide(cell, volley)]
                nonlocal closed
                closed = bool(rules)
                raise _Seen
            return False

        try:
            self._resolve(look, self.start, self._inside(1), _Rolls([roll]), self.chooser)
        except _Seen:
            return closed
        raise AssertionError("a cell of the row was not reached")

    # -- questions -----------------------------------------------------------------------

    def ask(self, questions: Sequence[Question]) -> list[PointCost]:
        """The answers in the order of the questions; one volley of the resolver answers many."""
        waiting = [question for question in dict.fromkeys(questions) if question not in self._answers]
        while waiting:
            answered = self._answer(waiting)
            waiting = waiting[answered:]
        return [self._answers[question] for question in questions]

    def _answer(self, questions: Sequence[Question]) -> int:
        """Answers as many as one volley does: it ends early where the ship is destroyed."""
        asked: dict[int, Question] = {}
        rolls = _Rolls([self._place[question.entry][0] for question in questions])

        def put(cell: Any, volley: Any) -> bool:
            n = rolls.rolled
            question = questions[n - 1]
            if n not in asked:
                asked[n] = question
                volley.state = state_with(self.pools, self._with_excess(question), self.start)
                volley.used_cells = set()
                volley.weapon_hits = dict(question.hits)
                volley.internal_points = question.point - 1
                volley.points_inside = self.internals
            roll, name = self._place[question.entry]
            return bool(cell.name == name or cell.name == self._ends[roll])

        watched = _Watched(self.chooser)
        result = self._resolve(put, self.start, self._inside(len(questions)), rolls, watched)
        for hit in result.hits:
            question = asked[hit.n]
            if hit.cell != self._place[question.entry][1]:
                self._answers[question] = PointCost(PASSED)
            elif not hit.box:
                self._answers[question] = PointCost(DESTROYED)
            else:
                self._answers[question] = self._found(
                    question, hit.box, watched.offers.get(hit.n, (hit.box,))
                )
        return len(result.hits)

    def run_down(self, entry: str, point: int) -> list[tuple[int, ...]]:
        """Scores an entry on the whole ship until it costs nothing more: the situations on the way, each
        of them answered. One volley does what would else take one a situation."""
        roll, name = self._place[entry]
        rolls = _Rolls([roll] * (sum(self.whole) + 1))
        gone: list[frozenset[str]] = []

        def put(cell: Any, volley: Any) -> bool:
            if rolls.rolled == 1:
                volley.state, volley.weapon_hits = self.start, {}
            if rolls.rolled > len(gone):
                gone.append(volley.state.destroyed)
            volley.used_cells = set()
            volley.internal_points, volley.points_inside = point - 1, self.internals
            if cell.name == self._ends[roll] and cell.name != name:
                raise _Seen
            return bool(cell.name == name)

        watched = _Watched(self.chooser)
        last = PASSED
        with suppress(_Seen):
            self._resolve(put, self.start, self._inside(len(rolls.rolls)), rolls, watched)
            last = DESTROYED
        left = list(self.whole)
        passed = [tuple(left)]
        for n, (before, after) in enumerate(pairwise(gone), 1):
            (box,) = after - before
            question = Question(entry, tuple(left), self.hits_after(left), point)
            self._answers[question] = self._found(question, box, watched.offers.get(n, (box,)))
            left[self._pool_of[box]] -= 1
            passed.append(tuple(left))
        self._answers[Question(entry, tuple(left), self.hits_after(left), point)] = PointCost(last)
        return passed

    def _with_excess(self, question: Question) -> tuple[int, ...]:
        """A question about another cell ends in excess damage; it must not end the volley."""
        if question.entry == "excess":
            return question.left
        return tuple(
            pool.size if pool.system == "excess" else n
            for pool, n in zip(self.pools, question.left, strict=True)
        )

    def _found(self, question: Question, box: str, offers: Sequence[str]) -> PointCost:
        offered: dict[int, int] = {}
        for name in offers:
            offered[self._pool_of[name]] = offered.get(self._pool_of[name], 0) + 1
        pool = self._pool_of[box]
        first = self.pools[pool].boxes[self.pools[pool].size - question.left[pool]]
        if box != first and not self.random:
            raise BadInput(
                f"the policy {self.chooser.name} tells {box} from {first}", hint="use `referee volley`"
            )
        return PointCost(pool, tuple(offered.items()))

    def hits_after(self, left: Sequence[int]) -> tuple[tuple[str, int], ...]:
        """The volley's hits on weapons by system once so many boxes are left."""
        hits: dict[str, int] = {}
        for pool, n in zip(self.pools, left, strict=True):
            if pool.weapon:
                hits[pool.system] = hits.get(pool.system, 0) + pool.size - n
        return tuple(hits.items())

    # -- the resolver --------------------------------------------------------------------

    def _inside(self, points: int) -> VolleyOrder:
        return replace(self.order, points=points, shield=None, internal=True)

    def _resolve(
        self, look: Any, state: ShipState, order: VolleyOrder, dice: Dice, chooser: Chooser
    ) -> VolleyResult:
        return self._watch.resolve(look, self.ship, state, order, dice, chooser)
