"""The steps of the impulse in a log: what was done in each, by the names a turn tracker gives them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from referee.adjudicator.check import judge
from referee.core.finding import Finding, NotChecked, Report
from referee.core.frozen import frozen
from referee.core.location import Location
from referee.core.naming import folded
from referee.core.play import When
from referee.rulebooks.base import Rulebook

KEY = "B2.0"
_WORD = re.compile(r"[^\W_]+")


@frozen
class Done:
    """Something done in a log: its kind in the sequence of play, whose, and the tracker's name of the step."""

    kind: str
    subject: str
    when: When
    step: str
    place: Location


@frozen
class Step:
    """A step of a tracker: those of the book it stands for, in the order of the book; none where its name
    tells nothing."""

    name: str
    book: tuple[str, ...] = ()


def steps_named(rulebook: Rulebook, names: Sequence[str], told: Mapping[str, str]) -> tuple[Step, ...]:
    """What the steps of a tracker are, by what a map `told` and else by like names. A step lasts until the
    tracker's next one begins, and its first from the beginning of the impulse."""
    order: list[str] = rulebook.descriptor["sequence_of_play"]["impulse"]
    begins = {name: told.get(name) or step_like(rulebook, name) for name in names}
    begins |= {name: _in_book(order, step) for name, step in begins.items()}
    known = sorted({order.index(step) for step in begins.values() if step in order})
    steps = []
    for name, step in begins.items():
        if step not in order:
            steps.append(Step(name, (step,) if step else ()))
            continue
        first = order.index(step)
        last = next((later for later in known if later > first), len(order))
        steps.append(Step(name, tuple(order[0 if first == known[0] else first : last])))
    return tuple(steps)


def _in_book(order: Iterable[str], step: str) -> str:
    """A step as the book writes it: `move-ships` is `move ships`."""
    return next((known for known in order if folded(known) == folded(step)), step)


def step_like(rulebook: Rulebook, name: str) -> str:
    """The step of the sequence of play that a tracker's step is by its name; empty where it does not tell."""
    labels = rulebook.table("step_labels")
    idle = labels["idle_words"]

    def bare(text: str) -> str:
        return "".join(word for word in _WORD.findall(text.casefold()) if word not in idle and not word.isdecimal())  # fmt: skip

    called = bare(name)
    of = labels["steps"].items()
    return next((step for step, spellings in of if called and called in map(bare, spellings)), "")


def own_step(rulebook: Rulebook, kind: str, name: str, steps: Sequence[Step]) -> bool | None:
    """Is a tracker's step one in which a kind of thing is done? None where that is not told."""
    step = next((step for step in steps if step.name == name), None)
    if step is None or not step.book or "timed" not in rulebook.procedures:
        return None
    of_kind: Mapping[str, Sequence[str]] = rulebook.descriptor["sequence_of_play"]["steps_of"]
    steps_of = {name for step in steps for name in step.book}.intersection(of_kind.get(kind, ()))
    return not steps_of.isdisjoint(step.book) if steps_of else None


def judge_steps(rulebook: Rulebook, done: Iterable[Done], steps: Sequence[Step]) -> Report:
    """Holds what was done against the step it was done in (B2.0)."""
    if "timed" not in rulebook.procedures:
        return Report()
    by_name = {step.name: step for step in steps}
    findings: list[Finding] = []
    strange: dict[str, None] = {}
    checked = False
    # What may be done in each step there is: of each kind that has steps of its own, whether this is one.
    own: dict[tuple[str, str], bool | None] = {}
    for one in done:
        step = by_name.get(one.step)
        if step is None or not step.book:
            strange[one.step] = None
            continue
        if (key := (one.kind, one.step)) not in own:
            own[key] = own_step(rulebook, *key, steps)
        if own[key] is not None:
            checked = True
        # What is done in its own step, as nearly everything is, is not judged one by one.
        if own[key] is False:
            findings += _judge(rulebook, one, step)
    reason = (
        f"what its tracker's steps {', '.join(strange)} are is not known: say so in tracker.steps of a map"
    )
    return Report(tuple(findings), (KEY,) if checked else (), (NotChecked(KEY, reason),) if strange else ())


def _judge(rulebook: Rulebook, one: Done, step: Step) -> Iterator[Finding]:
    moment = one.when.turn or 0, one.when.impulse, step.book[0]
    facts = rulebook.procedure("timed")(rulebook, one.kind, moment, one.subject, None)
    for rule in rulebook.rules_on("timed", "check"):
        for item in judge(rule, rulebook, facts):
            if isinstance(item, Finding):
                yield replace(item, location=one.place, turn=one.when.turn, found=one.step)
