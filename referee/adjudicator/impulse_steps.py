"""The steps of the impulse in a log: what was done in each, by the names a turn tracker gives them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

from referee.adjudicator.check import judge
from referee.core.finding import Finding, NotChecked, Report, Severity
from referee.core.frozen import frozen
from referee.core.location import Location
from referee.core.naming import folded
from referee.core.once import Same
from referee.core.play import When
from referee.rulebooks.base import Rulebook

_WORD = re.compile(r"[^\W_]+")
Shown = Mapping[tuple[int, int], Collection[str]]
"""The names of the steps a tracker showed, by turn and impulse."""


class Done(NamedTuple):
    """Something done in a log: its kind in the sequence of play, whose, the tracker's name of the step, and `at`
    which step of the log; `ordered` where it was only said."""

    kind: str
    subject: str
    when: When
    step: str
    place: Location
    at: int = 0
    ordered: bool = False


@frozen
class TrackerStep:
    """A step of a tracker: those of the book it stands for, in the order of the book; none where its name
    tells nothing."""

    name: str
    stands_for: tuple[str, ...] = ()


def steps_named(
    rulebook: Rulebook, names: Sequence[str], meanings: Mapping[str, str]
) -> tuple[TrackerStep, ...]:
    """What the steps of a tracker are, by the `meanings` a map gives, and else by like names. A step lasts until the
    tracker's next one begins, and its first from the beginning of the impulse."""
    order: list[str] = rulebook.descriptor["sequence_of_play"]["impulse"]
    begins = {name: meanings.get(name) or step_like(rulebook, name) for name in names}
    begins |= {name: _in_book(order, step) for name, step in begins.items()}
    known = sorted({order.index(step) for step in begins.values() if step in order})
    steps = []
    for name, step in begins.items():
        if step not in order:
            steps.append(TrackerStep(name, (step,) if step else ()))
            continue
        first = order.index(step)
        last = next((later for later in known if later > first), len(order))
        steps.append(TrackerStep(name, tuple(order[0 if first == known[0] else first : last])))
    return tuple(steps)


def _in_book(order: Iterable[str], step: str) -> str:
    """A step as the book writes it: `move-ships` is `move ships`."""
    return next((known for known in order if folded(known) == folded(step)), step)


def step_like(rulebook: Rulebook, name: str) -> str:
    """The step of the sequence of play that a tracker's step is by its name; empty where it does not tell."""
    labels = rulebook.table("step_labels")
    called = _bare(name, labels["idle_words"])
    return _spelt(Same(labels)).get(called, "") if called else ""


def _bare(text: str, idle: Collection[str]) -> str:
    """The words of a step's name that tell which it is, in one."""
    words = _WORD.findall(text.casefold())
    return "".join([word for word in words if word not in idle and not word.isdecimal()])


@lru_cache(maxsize=8)
def _spelt(labels: Same[Mapping[str, Any]]) -> Mapping[str, str]:
    """The steps by all they may be called."""
    idle, found = labels.held["idle_words"], dict[str, str]()
    for step, spellings in labels.held["steps"].items():
        for spelling in spellings:
            found.setdefault(_bare(spelling, idle), step)
    return found


def own_step(rulebook: Rulebook, kind: str, name: str, steps: Sequence[TrackerStep]) -> bool | None:
    """Is a tracker's step one in which a kind of thing is done? None where that is not known."""
    step = next((step for step in steps if step.name == name), None)
    if step is None or not step.stands_for or not rulebook.has("timed"):
        return None
    of_kind: Mapping[str, Sequence[str]] = rulebook.descriptor["sequence_of_play"]["steps_of"]
    steps_of = {name for step in steps for name in step.stands_for}.intersection(of_kind.get(kind, ()))
    return not steps_of.isdisjoint(step.stands_for) if steps_of else None


def judge_steps(
    rulebook: Rulebook, done: Sequence[Done], steps: Sequence[TrackerStep], shown: Shown | None = None
) -> Report:
    """Holds what was done against the step it was done in (B2.0); `shown` are the steps the tracker showed in each
    impulse. What was done a step too early, and still in its order, breaks nothing: it is said."""
    if not rulebook.has("timed"):
        return Report()
    early = _Early(rulebook, done, steps, shown or {})
    by_name = {step.name: step for step in steps}
    findings: list[Finding] = []
    strange: dict[str, None] = {}
    checked = False
    # What may be done in each step there is: of each kind that has steps of its own, whether this is one.
    own: dict[tuple[str, str], bool | None] = {}
    for act in done:
        step = by_name.get(act.step)
        if step is None or not step.stands_for:
            strange[act.step] = None
            continue
        if (key := (act.kind, act.step)) not in own:
            own[key] = own_step(rulebook, *key, steps)
        if own[key] is not None:
            checked = True
        # What is done in its own step, as nearly everything is, is not judged one by one.
        if own[key] is False:
            findings += _judge(rulebook, act, step, early.severity(act, step))
    rule = rulebook.named.sequence
    reason = (
        f"what its tracker's steps {', '.join(strange)} are is not known: name them in tracker.steps of a map"
    )
    return Report(tuple(findings), (rule,) if checked else (), (NotChecked(rule, reason),) if strange else ())


class _Early:
    """Tells what was done a step too early, and still in its order."""

    def __init__(
        self, rulebook: Rulebook, done: Sequence[Done], steps: Sequence[TrackerStep], shown: Shown
    ) -> None:
        sequence = rulebook.descriptor["sequence_of_play"]
        self._order: Sequence[str] = sequence["impulse"]
        self._of_kind: Mapping[str, Sequence[str]] = sequence["steps_of"]
        self._steps, self._shown = steps, shown
        self._done = done

    def severity(self, act: Done, step: TrackerStep) -> Severity | None:
        """A note where the tracker passed over the step it belonged to, a warning where it came to that later; None
        where it was no step too early, or something was done after it that belongs before."""
        moment = (act.when.turn or 0, act.when.impulse or 0)
        own = self._place(self._of_kind.get(act.kind, ()))
        here = self._place(step.stands_for)
        shown = self._shown.get(moment)
        if own is None or here is None or here >= own or shown is None:
            return None
        places = [
            (self._last(other.stands_for), self._place(other.stands_for))
            for other in self._steps
            if other.name in shown
        ]
        later = [(last, first) for last, first in places if first is not None and here < first <= own]
        if any(last < own for last, _ in later) or self._followed(act, moment, own):
            return None
        return Severity.WARNING if later else Severity.NOTE

    @cached_property
    def _in_impulses(self) -> Mapping[tuple[int | None, int | None], Sequence[Done]]:
        """What was done, by turn and impulse; nearly everything is in its step, and then nobody asks."""
        made: dict[tuple[int | None, int | None], list[Done]] = {}
        for act in self._done:
            if not act.ordered:
                made.setdefault((act.when.turn, act.when.impulse), []).append(act)
        return made

    def _followed(self, act: Done, moment: tuple[int, int], own: int) -> bool:
        """Was anything done after it in its impulse that belongs before?"""
        after = (other for other in self._in_impulses.get(moment, ()) if other.at > act.at)
        places = (self._place(self._of_kind.get(other.kind, ())) for other in after)
        return any(place is not None and place < own for place in places)

    def _place(self, stands_for: Iterable[str]) -> int | None:
        """The place of the first of some steps of the book in an impulse; None where they are in none."""
        return min((self._order.index(name) for name in stands_for if name in self._order), default=None)

    def _last(self, stands_for: Iterable[str]) -> int:
        return max((self._order.index(name) for name in stands_for if name in self._order), default=-1)


def _judge(rulebook: Rulebook, act: Done, step: TrackerStep, early: Severity | None) -> Iterator[Finding]:
    moment = act.when.turn or 0, act.when.impulse, step.stands_for[0]
    facts = rulebook.offers.timed(rulebook, act.kind, moment, act.subject, None, early)
    for rule in rulebook.rules_on("timed", "check"):
        for item in judge(rule, rulebook, facts):
            if isinstance(item, Finding):
                yield replace(item, location=act.place, turn=act.when.turn, found=act.step)
