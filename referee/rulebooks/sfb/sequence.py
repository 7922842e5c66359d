"""The sequence of play (B2.0): turns of impulses of steps, taken in their order and never back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from referee.core.finding import Finding, Severity
from referee.core.frozen import frozen
from referee.rulebooks.base import Rulebook, check

Moment = tuple[int, int | None, str]
"""Turn, impulse (None outside the impulses) and step."""


@frozen
class Timed:
    """Something done at a moment: what it is, whose, and the turn it is for where it says. What is done a step `early`,
    and still in the right order, is as grave as that says."""

    rulebook: Rulebook
    kind: str
    now: Moment
    subject: str = ""
    turn: int | None = None
    early: Severity | None = None


@frozen
class Progress:
    """The game moving on from one moment to another. `owed` are forms that are not in. `unresolved` was ordered in a
    step and is not carried out. `skipped` are the forms of a turn in which nobody has filed. `unsaid` are the ships
    whose form is in and whose speed is not given, each with the one it had before. `passed` are the forms of a turn
    whose energy allocation nobody stops in. `filed` says that the game has filed forms; `robots` are those of `unsaid`
    that fill in none."""

    rulebook: Rulebook
    before: Moment
    after: Moment
    owed: tuple[str, ...] = ()
    unresolved: tuple[str, ...] = ()
    skipped: tuple[str, ...] = ()
    unsaid: tuple[tuple[str, int | None], ...] = ()
    passed: tuple[str, ...] = ()
    filed: bool = False
    robots: tuple[str, ...] = ()

    @property
    def leaves_allocation(self) -> bool:
        """Is the energy allocation of the turn left behind? The next turn's is another one."""
        steps = self.rulebook.descriptor["sequence_of_play"]["steps_of"].get("energy allocation", ())
        stays = self.after[0] == self.before[0] and self.after[2] in steps
        return self.before[2] in steps and not stays

    @property
    def passes_allocation(self) -> bool:
        """Is the energy allocation of the turn that begins passed over?"""
        steps = self.rulebook.descriptor["sequence_of_play"]["steps_of"].get("energy allocation", ())
        moments = moments_of_a_turn(self.rulebook, self.after[0])
        if self.after[0] <= self.before[0] or self.after not in moments:
            return False
        return any(step in steps for _, _, step in moments[: moments.index(self.after)])


def moments_of_a_turn(rulebook: Rulebook, turn: int) -> list[Moment]:
    """Every moment of a turn in its order."""
    sequence = rulebook.descriptor["sequence_of_play"]
    return list(
        _moments(turn, int(rulebook.option("impulses")), tuple(sequence["turn"]), tuple(sequence["impulse"]))
    )


@lru_cache(maxsize=16)
def _moments(turn: int, impulses: int, phases: tuple[str, ...], steps: tuple[str, ...]) -> tuple[Moment, ...]:
    moments: list[Moment] = []
    for phase in phases:
        if phase == "impulses":
            moments += [(turn, impulse, step) for impulse in range(1, impulses + 1) for step in steps]
        else:
            moments.append((turn, None, phase))
    return tuple(moments)


def first_moment(rulebook: Rulebook) -> Moment:
    """Where a game begins."""
    return moments_of_a_turn(rulebook, 1)[0]


def next_moment(rulebook: Rulebook, now: Moment) -> Moment:
    """The moment after another."""
    moments = moments_of_a_turn(rulebook, now[0])
    place = moments.index(now) + 1 if now in moments else 0
    return moments[place] if place < len(moments) else moments_of_a_turn(rulebook, now[0] + 1)[0]


def shown(moment: Moment) -> str:
    """A moment as players say it: `turn 2, impulse 8, fire`."""
    turn, impulse, step = moment
    return (
        f"turn {turn}"
        + (f", impulse {impulse}" if impulse is not None else "")
        + (f", {step}" if step else "")
    )


def _finding(
    message: str,
    now: Moment,
    subject: str,
    expected: str,
    found: str,
    fix: str,
    severity: Severity = Severity.ERROR,
) -> Finding:
    return Finding(
        key="",
        severity=severity,
        message=message,
        subject=subject,
        turn=now[0],
        impulse=now[1],
        expected=expected,
        found=found,
        fix=fix,
    )


@check("B2.0", "Each thing in its step", on="timed", passes="plain")
def in_its_step(timed: Timed) -> Iterator[Finding]:
    """Energy is allocated in its own phase before the impulses, weapons are launched, fired and their
    damage resolved in the steps of those names.

    Legal: damage in the resolve fire step. Illegal: an energy form in impulse 3.
    Fix: move the game on to the right step first, or undo.
    """
    steps = timed.rulebook.descriptor["sequence_of_play"]["steps_of"].get(timed.kind)
    if steps and timed.now[2] not in steps:
        ordered = ": a step early, and in the right order" if timed.early else ""
        yield _finding(
            f"{timed.kind} in {shown(timed.now)}{ordered}",
            timed.now,
            timed.subject,
            " or ".join(steps),
            timed.now[2] or "no step",
            _when_instead(timed, steps),
            timed.early or Severity.ERROR,
        )
    elif timed.turn is not None and timed.turn != timed.now[0]:
        yield _finding(
            f"{timed.kind} for turn {timed.turn} in turn {timed.now[0]}",
            timed.now,
            timed.subject,
            f"turn {timed.now[0]}",
            f"turn {timed.turn}",
            "file it in its own turn",
        )


def _when_instead(timed: Timed, steps: Sequence[str]) -> str:
    """When a thing is done: in a step still to come, or one that is over in this impulse."""
    named, order = " or ".join(steps), timed.rulebook.descriptor["sequence_of_play"]["impulse"]
    if timed.now[1] is None or timed.now[2] not in order or not {*steps} <= {*order}:
        return f"move the game on to its step, {named}, or undo back to it"
    if all(order.index(step) < order.index(timed.now[2]) for step in steps):
        return f"its step, {named}, is over in this impulse: in the next one, or undo back to it"
    return f"move the game on to its step, {named}"


@check("B2.0/order", "Steps in their order", on="progress")
def steps_in_order(progress: Progress) -> Iterator[Finding]:
    """Steps follow each other as the book lists them; a step that was passed over does not come back, and
    turns follow each other one by one. Energy is allocated by all at the same time: once one form is sealed
    or filed, the turn waits for the others.

    Legal: from fire to resolve fire. Illegal: from fire back to move ships in the same impulse, from turn 1 to
    turn 3, and to impulse 1 or the next turn while the form of one ship is sealed and that of another is not.
    Fix: go on, or wait for the form; undo if something was forgotten and all agree.
    """
    before, after = shown(progress.before), shown(progress.after)
    if _order(progress.rulebook, progress.after) <= _order(progress.rulebook, progress.before):
        fix = "never back to a step that was passed"
        yield _finding(f"back to {after} from {before}", progress.after, "", f"after {before}", after, fix)
    if progress.after[0] > progress.before[0] + 1:
        first, last = progress.before[0] + 1, progress.after[0] - 1
        left = f"turn {first} is" if first == last else f"turns {first} to {last} are"
        yield _finding(
            f"on to {after} from {before}: {left} passed over",
            progress.after,
            "",
            f"turn {first}",
            f"turn {progress.after[0]}",
            f"play turn {first} first",
        )
    if progress.owed and progress.leaves_allocation:
        owed = ", ".join(progress.owed)
        yield _finding(
            f"on to {after} without the form of {owed}",
            progress.after,
            "",
            f"all forms of turn {progress.before[0]} sealed or filed",
            f"none of {owed}",
            "wait for it",
        )


@check("B2.0/forms", "A turn without forms", on="progress")
def turn_without_forms(progress: Progress) -> Iterator[Finding]:
    """Energy is allocated before the impulses. Players may agree to a turn without forms. Opponents are
    then warned, because nothing that costs energy can be checked against a form. In a game that filed
    forms before, such a turn leaves open what was paid for.

    Legal: both forms are in. To warn of: the game moved on before anybody filed. Undecided: it did so after a
    turn with forms. Fix: undo, and file.
    """
    lacking = progress.skipped if progress.leaves_allocation else ()
    lacking = lacking or (progress.passed if progress.passes_allocation else ())
    if lacking:
        yield _finding(
            f"on to {shown(progress.after)} before anybody filed a form: none of {', '.join(lacking)}",
            progress.after,
            "",
            f"forms of {', '.join(lacking)}",
            "none",
            "undo it if a form was to be filed",
            Severity.UNDECIDED if progress.filed else Severity.WARNING,
        )


@check("C1.4/said", "Speeds are announced before the impulses", on="progress")
def speeds_said(progress: Progress) -> Iterator[Finding]:
    """The impulse chart calls a ship by its speed, so speeds are said before impulse 1. A ship with a
    secret form that announces no speed moves as fast as in the turn before, and pays for it. A robot without a
    form says the speed of ROBOT-1.

    Legal: both speeds are said. To warn of: impulse 1 begins, and a ship with a sealed form has said none.
    Fix: undo the step and say the speed that line 14, Movement, of its form pays for.
    """
    phases = progress.rulebook.descriptor["sequence_of_play"]["turn"]
    early = phases[: phases.index("impulses")]
    if not progress.before[1] and progress.before[2] in early and progress.after[2] not in early:
        for ship, before in progress.unsaid:
            yield _finding(
                "its speed is not given, and the impulses begin",
                progress.after,
                ship,
                "the speed of a robot (ROBOT-1)"
                if ship in progress.robots
                else "the speed its form pays for",
                "none" if before is None else f"none: it counts as {before}, as before",
                f'go back and say it: "{ship}: speed N"',
                Severity.WARNING,
            )


@check("B2.0/resolved", "Nothing is left behind", on="progress")
def all_resolved(progress: Progress) -> Iterator[Finding]:
    """What was ordered in a step is carried out before the game goes on to the next impulse: seekers move
    and strike, fire is rolled, and its damage marked.

    Legal: fire, its dice, its volleys, then impulse 5. Illegal: impulse 5 with a volley not rolled.
    Fix: have it resolved first.
    """
    if progress.unresolved and _leaves_damage(progress):
        left = ", ".join(progress.unresolved)
        yield _finding(
            f"on to {shown(progress.after)} without {left}",
            progress.after,
            "",
            "everything ordered carried out",
            left,
            "referee game resolve; referee game status says what is awaited from whom",
        )


def _leaves_damage(progress: Progress) -> bool:
    """Does moving on leave a step behind in which damage is resolved?"""
    steps = progress.rulebook.descriptor["sequence_of_play"]["steps_of"].get("damage", ())
    moments = moments_of_a_turn(progress.rulebook, progress.before[0])
    if progress.before not in moments:
        return True
    first = moments.index(progress.before)
    last = moments.index(progress.after) if progress.after in moments else len(moments)
    return any(step in steps for _, _, step in moments[first:last])


def _order(rulebook: Rulebook, moment: Moment) -> tuple[int, int]:
    moments = moments_of_a_turn(rulebook, moment[0])
    return moment[0], moments.index(moment) if moment in moments else -1
