"""What a chart entry does, as steps for the kernel, found by asking about single pools and pairs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from random import Random

from referee.chances.asking import DESTROYED, PASSED, Asker, Question
from referee.chances.boxpools import state_with
from referee.chances.exact import offered_ever
from referee.core.errors import BadInput
from referee.core.volley import Choice

Systems = Mapping[str, tuple[int, ...]]
_TRIALS = 24


@dataclass(frozen=True, slots=True)
class Take:
    """A box of the pool goes, if it has one and one of the pools it `needs` has one too."""

    pool: int
    needs: tuple[int, ...] = ()
    once: int = -1

    def at(self, once: int) -> Take:
        """The step at a cell that may be scored once."""
        return replace(self, once=once)


@dataclass(frozen=True, slots=True)
class Loss:
    """A rival that is preferred: always, or (`fuller`) where its system has more boxes left, and at
    equal numbers if `ties` says so. Systems by their place in the plan."""

    to: int
    fuller: tuple[int, int] | None = None
    ties: bool = False


@dataclass(frozen=True, slots=True)
class Rival:
    """A pool in a contest: what it needs, what keeps it from being offered, and to whom it loses."""

    pool: int
    needs: tuple[int, ...] = ()
    behind: tuple[int, ...] = ()
    losses: tuple[Loss, ...] = ()


@dataclass(frozen=True, slots=True)
class Contest:
    """The owner's preference among pools depends on how many boxes are left, or (`drawn`) on chance."""

    rivals: tuple[Rival, ...]
    drawn: bool = False
    once: int = -1

    def at(self, once: int) -> Contest:
        """The step at a cell that may be scored once."""
        return replace(self, once=once)


@dataclass(frozen=True, slots=True)
class Turn:
    """Every third hit on a weapon goes by other steps than the rest."""

    system: int
    third: tuple[Step, ...]
    others: tuple[Step, ...]

    def at(self, once: int) -> Turn:
        """The steps at a cell that may be scored once."""
        return replace(
            self,
            third=tuple(step.at(once) for step in self.third),
            others=tuple(step.at(once) for step in self.others),
        )


@dataclass(frozen=True, slots=True)
class Wreck:
    """The ship is destroyed."""

    once: int = -1

    def at(self, once: int) -> Wreck:
        """Nothing comes after destruction."""
        return self


Step = Take | Contest | Turn | Wreck


@dataclass(frozen=True, slots=True)
class _Relations:
    """What holds for the pools of an entry: who needs whom, who keeps whom out, in which order boxes
    are offered."""

    pools: tuple[int, ...]
    needs: dict[int, tuple[int, ...]]
    behind: dict[int, tuple[int, ...]]
    together: dict[tuple[int, int], tuple[int, int]]


def entry_steps(
    asker: Asker, entry: str, point: int, systems: Systems, floors: dict[int, int]
) -> tuple[Step, ...]:
    """The steps of an entry. Adds to `floors` the boxes of its pools that are never hit."""
    plain = _relations(asker, entry, point, ())
    for k in plain.pools:
        if k not in plain.needs:
            floors[k] = _floor(asker, entry, point, k)
    armed = dict.fromkeys(asker.pools[k].system for k in plain.pools if asker.pools[k].weapon)
    turning = [s for s in armed if _relations(asker, entry, point, ((s, 2),)) != plain]
    steps = _by_turns(asker, entry, point, systems, turning, ())
    empty = Question(entry, (0,) * len(asker.whole), (), point)
    if asker.ask([empty])[0].pool == DESTROYED:
        steps = (*steps, Wreck())
    _hold_against(asker, entry, point, systems, floors, steps, tuple(armed), plain.pools)
    return steps


def _by_turns(
    asker: Asker,
    entry: str,
    point: int,
    systems: Systems,
    turning: Sequence[str],
    hits: tuple[tuple[str, int], ...],
) -> tuple[Step, ...]:
    if not turning:
        return _steps(asker, entry, systems, _relations(asker, entry, point, hits))
    system, *rest = turning
    third = _by_turns(asker, entry, point, systems, rest, (*hits, (system, 2)))
    others = _by_turns(asker, entry, point, systems, rest, hits)
    return (Turn(list(systems).index(system), third, others),)


def _relations(asker: Asker, entry: str, point: int, hits: tuple[tuple[str, int], ...]) -> _Relations:
    pools = offered_ever(asker, entry, point, hits)

    def alive(*members: int) -> Question:
        left = tuple(size if k in members else 0 for k, size in enumerate(asker.whole))
        return Question(entry, left, hits, point)

    def offered(*members: int) -> tuple[int, ...]:
        return tuple(k for k, _ in asker.ask([alive(*members)])[0].offered)

    asker.ask([alive(k) for k in pools] + [alive(p, q) for p, q in combinations(pools, 2)])
    alone = {k for k in pools if offered(k)}
    needs: dict[int, list[int]] = {k: [] for k in pools if k not in alone}
    behind: dict[int, list[int]] = {}
    together: dict[tuple[int, int], tuple[int, int]] = {}
    for p, q in combinations(pools, 2):
        both = offered(p, q)
        if len(both) == 2:
            together[p, q] = (both[0], both[1])
        for pool, beside in ((p, q), (q, p)):
            if pool in both and pool in needs:
                needs[pool].append(beside)
            if pool not in both and pool in alone:
                behind.setdefault(pool, []).append(beside)
    for p, q in combinations(needs, 2):
        # Two that both need a third are only ever offered beside it.
        third = next((k for k in needs[p] if k in needs[q]), None)
        both = () if third is None else tuple(k for k in offered(p, q, third) if k != third)
        if len(both) == 2:
            together[p, q] = (both[0], both[1])
    return _Relations(
        pools, {k: tuple(v) for k, v in needs.items()}, {k: tuple(v) for k, v in behind.items()}, together
    )


def _floor(asker: Asker, entry: str, point: int, pool: int) -> int:
    """How many boxes of a pool this entry always leaves."""
    for n in (1, 2):
        left = tuple(n if k == pool else 0 for k in range(len(asker.whole)))
        if asker.ask([Question(entry, left, (), point)])[0].pool == pool:
            return n - 1
    raise _unforeseen(asker, entry)


def _steps(asker: Asker, entry: str, systems: Systems, relations: _Relations) -> tuple[Step, ...]:
    """A row of takes where one order of preference always holds, else a contest."""
    losses: dict[int, list[Loss]] = {k: [] for k in relations.pools}
    if asker.random:
        drawn = tuple(
            Rival(k, relations.needs.get(k, ()), relations.behind.get(k, ())) for k in relations.pools
        )
        if relations.together:
            return (Contest(drawn, drawn=True),)
    else:
        for first, second in relations.together.values():
            _add_losses(asker, entry, systems, first, second, losses)
    order = _order(relations, losses)
    if order is not None:
        return tuple(Take(k, relations.needs.get(k, ())) for k in order)
    return (
        Contest(
            tuple(
                Rival(k, relations.needs.get(k, ()), relations.behind.get(k, ()), tuple(losses[k]))
                for k in relations.pools
            )
        ),
    )


def _order(relations: _Relations, losses: Mapping[int, Sequence[Loss]]) -> list[int] | None:
    """The pools so that the first with a box is always the one hit, if there is such an order."""
    if any(loss.fuller for listed in losses.values() for loss in listed):
        return None
    waits = {k: {loss.to for loss in losses[k]} | {*relations.behind.get(k, ())} for k in relations.pools}
    order: list[int] = []
    while len(order) < len(relations.pools):
        ready = [k for k in relations.pools if k not in order and waits[k] <= {*order}]
        if not ready:
            return None
        order.append(ready[0])
    return order


def _add_losses(
    asker: Asker, entry: str, systems: Systems, p: int, q: int, losses: dict[int, list[Loss]]
) -> None:
    """Asks the policy whom it prefers of two pools, at several numbers of boxes left."""
    of_p, of_q = asker.pools[p].system, asker.pools[q].system
    picks: dict[int, set[int]] = {}
    for left in _several_counts(asker, systems[of_p], systems[of_q], p, q):
        state = state_with(asker.pools, left, asker.start)
        boxes = tuple(asker.pools[k].boxes[asker.pools[k].size - left[k]] for k in (p, q))
        box = asker.chooser.choose(Choice(1, entry, boxes, asker.ship, state))
        more = sum(left[k] for k in systems[of_p]) - sum(left[k] for k in systems[of_q])
        picks.setdefault((more > 0) - (more < 0), set()).add((p, q)[boxes.index(box)])
    if all(found == {p} for found in picks.values()):
        losses[q].append(Loss(p))
    elif all(found == {q} for found in picks.values()):
        losses[p].append(Loss(q))
    elif picks.get(1, {p}) == {p} and picks.get(-1, {q}) == {q} and len(picks.get(0, {p})) == 1:
        names = list(systems)
        place_p, place_q = names.index(of_p), names.index(of_q)
        tie = next(iter(picks.get(0, {p})))
        losses[p].append(Loss(q, (place_q, place_p), tie == q))
        losses[q].append(Loss(p, (place_p, place_q), tie == p))
    else:
        raise _unforeseen(asker, entry)


def _several_counts(
    asker: Asker, of_p: Sequence[int], of_q: Sequence[int], p: int, q: int
) -> list[tuple[int, ...]]:
    """Situations with both pools alive and few, middling and many boxes left of both systems."""
    found: dict[tuple[int, ...], None] = {}
    whole = asker.whole
    for a in _levels(sum(whole[k] for k in of_p), sum(whole[k] for k in of_q)):
        for b in (a,) if of_p == of_q else _levels(sum(whole[k] for k in of_q), sum(whole[k] for k in of_p)):
            left = [0] * len(whole)
            left[p] = left[q] = 1
            for members, wanted in ((of_p, a), (of_q, b)):
                for k in members:
                    more = max(0, min(whole[k] - left[k], wanted - sum(left[j] for j in members)))
                    left[k] += more
            found[tuple(left)] = None
    return list(found)


def _levels(own: int, other: int) -> list[int]:
    return sorted({1, 2, min(own, other), (own + 1) // 2, own} & {*range(1, own + 1)})


# -- held against the resolver ------------------------------------------------------------


def _hold_against(
    asker: Asker,
    entry: str,
    point: int,
    systems: Systems,
    floors: Mapping[int, int],
    steps: Sequence[Step],
    armed: tuple[str, ...],
    pools: tuple[int, ...],
) -> None:
    """Raises BadInput if the steps foretell another answer than the resolver gives."""
    if any(isinstance(step, Contest) and _compares_floors(step, floors) for step in steps):
        raise _unforeseen(asker, entry)
    random = Random(7)
    questions = []
    for trial in range(_TRIALS if len(pools) > 1 else max((asker.whole[k] for k in pools), default=0) + 1):
        left = [random.choice((0, 1, random.randint(0, size), size)) for size in asker.whole]
        if len(pools) == 1:
            left[pools[0]] = trial
        hits = tuple((system, random.randint(0, 2)) for system in armed) if len(pools) > 1 else ()
        questions.append(Question(entry, tuple(left), hits, point))
    for question, answer in zip(questions, asker.ask(questions), strict=True):
        foretold = _foretold(steps, question, systems, floors)
        if foretold != (
            {k for k, _ in answer.offered} if asker.random and answer.pool >= 0 else {answer.pool}
        ):
            raise _unforeseen(asker, entry)


def _compares_floors(step: Contest, floors: Mapping[int, int]) -> bool:
    special = any(floors.get(rival.pool, 0) for rival in step.rivals)
    return special and (step.drawn or any(loss.fuller for rival in step.rivals for loss in rival.losses))


def _foretold(
    steps: Sequence[Step], question: Question, systems: Systems, floors: Mapping[int, int]
) -> set[int]:
    """What the steps say of a situation: the pool hit (several where chance decides), or PASSED, DESTROYED."""
    members, names, left = list(systems.values()), list(systems), question.left

    def alive(k: int) -> bool:
        return left[k] > floors.get(k, 0)

    def ready(step: Take | Rival) -> bool:
        return alive(step.pool) and (not step.needs or any(alive(k) for k in step.needs))

    def beaten(rival: Rival, offered: set[int]) -> bool:
        for loss in rival.losses:
            if loss.to in offered and loss.fuller is None:
                return True
            if loss.to in offered and loss.fuller is not None:
                theirs, ours = (sum(left[k] for k in members[s]) for s in loss.fuller)
                if theirs > ours or (theirs == ours and loss.ties):
                    return True
        return False

    for step in steps:
        match step:
            case Wreck():
                return {DESTROYED}
            case Take():
                if ready(step):
                    return {step.pool}
            case Turn():
                third = dict(question.hits).get(names[step.system], 0) % 3 == 2
                found = _foretold(step.third if third else step.others, question, systems, floors)
                if found != {PASSED}:
                    return found
            case Contest():
                fit = [r for r in step.rivals if ready(r) and not any(alive(k) for k in r.behind)]
                offered = {rival.pool for rival in fit}
                if offered:
                    return offered if step.drawn else {r.pool for r in fit if not beaten(r, offered)}
    return {PASSED}


def _unforeseen(asker: Asker, entry: str) -> BadInput:
    return BadInput(
        f"a rule in force decides {entry.replace('_', ' ')} hits of {asker.ship.name} in a way that cannot be sampled",
        hint="use --exact with few points, or `referee volley`",
    )


__all__ = ["Contest", "Loss", "Rival", "Step", "Systems", "Take", "Turn", "Wreck", "entry_steps"]
