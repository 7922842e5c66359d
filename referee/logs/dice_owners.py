"""Whose dice are whose: what each player rolled in an impulse, and the shots left for others to roll for (E1.1)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from referee.adjudicator.declared_fire import Declared
from referee.core.combat import Shot
from referee.core.finding import Finding, Severity
from referee.core.frozen import frozen
from referee.core.play import When


@frozen
class Throw:
    """Dice rolled in a log; `sides` is None where it is not known what dice they were, `faces` is empty where
    only the total of several is, or where the throw is `void`: no die shows what it says. `undone` is the step
    that took them back, `at_fire` says whether they fell in the step of the impulse in which ships fire, None
    where that is not known."""

    step: int
    when: When
    count: int
    sides: int | None
    faces: tuple[int, ...]
    total: int
    player: str = ""
    void: bool = False
    undone: int | None = None
    at_fire: bool | None = None


@frozen
class Settled:
    """The step by which it was told or marked what fire came to by dice another than whoever fired, this
    `player`, had rolled."""

    step: int
    when: When
    player: str


@frozen
class Known:
    """What is known of dice beside how they fell. `settled` is where it is known what a shot came to. `stopped` are
    the rows, by number, that shields stopped: no point of them goes on the damage chart in a later impulse. `idle`
    are the steps of throws that are for no shot. `too_many` are those of throws with more dice than their shots take,
    where that is no slip."""

    settled: frozenset[Settled] = frozenset()
    stopped: frozenset[int] = frozenset()
    idle: frozenset[int] = frozenset()
    too_many: frozenset[int] = frozenset()


NOTHING = Known()
"""Where nothing is known but how dice fell."""


@dataclass(eq=False)
class Need:
    """A shot that waits for its dice; `first` are those it was rolled and that were taken back: they stand."""

    row: int
    place: int
    shot: Shot
    declared: Declared
    count: int
    sides: int
    first: int | None = None


def wanted(needs: Iterable[Need]) -> int:
    """The dice that shots wait for."""
    return sum(need.count for need in needs)


def given(throw: Throw, needs: Iterable[Need]) -> tuple[list[tuple[Need, int | None]], int]:
    """The shots a throw has dice for, each with what they come to, None where that is not known; and how many
    dice are left."""
    left, faces = throw.count, list(throw.faces)
    found: list[tuple[Need, int | None]] = []
    for need in needs:
        if left < need.count:
            break
        left -= need.count
        known = throw.sides in (None, need.sides) and len(faces) >= need.count
        found.append((need, sum(faces[: need.count]) if known else None))
        del faces[: need.count]
    return found, left


def rolls_to_come(thrown: Iterable[Throw], after: Throw, player: str, sides: int, most: int) -> int:
    """How many dice of a kind a player rolls in the impulse after a throw, `most` at a time: those that stay
    on the table, or were taken back where none stays."""
    later = [
        throw
        for throw in thrown
        if throw.player == player
        and throw.when == after.when
        and throw.step > after.step
        and throw.sides in (None, sides)
        and throw.count <= most
    ]
    kept = sum(throw.count for throw in later if throw.undone is None)
    return kept or sum(throw.count for throw in later)


def rolled_early(idle: Iterable[Throw], declared: Declared, sides: int) -> list[Throw]:
    """Dice of whoever fired, rolled in the impulse before he declared it; those taken back too."""
    return [
        throw
        for throw in idle
        if throw.when == declared.when
        and throw.player == declared.speaker
        and throw.sides == sides
        and throw.step < (declared.place.step or 0)
    ]


def declared_after(coming: Iterable[Need], throw: Throw, player: str) -> Iterator[Need]:
    """The shots a player declares in the impulse after a throw."""
    for need in coming:
        declared = need.declared
        if (declared.speaker, declared.when) == (player, throw.when) and (
            declared.place.step or 0
        ) > throw.step:
            yield need


def left_to(
    throw: Throw,
    waiting: Sequence[Need],
    thrown: Sequence[Throw],
    coming: Sequence[Need] = (),
    settled: Iterable[Settled] = (),
) -> list[Need]:
    """The shots of others that a player's throw may be for: such as whoever fired rolls no die of his own for
    before he `settled` what they came to. What he rolls for shots still `coming` is none of theirs."""
    free: list[Need] = []
    ends = [result for result in settled if result.when == throw.when and result.step > throw.step]
    for speaker in dict.fromkeys(need.declared.speaker for need in waiting):
        his = [need for need in waiting if need.declared.speaker == speaker]
        if speaker in ("", throw.player) or not throw.player:
            free += his
            continue
        end = min((result.step for result in ends if result.player == speaker), default=None)
        before = [other for other in thrown if end is None or other.step < end]
        later = wanted(declared_after(coming, throw, speaker))
        own = rolls_to_come(before, throw, speaker, his[0].sides, max(later, wanted(his))) - later
        if end is not None and own > 0:
            own = rolls_to_come(thrown, throw, speaker, his[0].sides, max(later, wanted(his))) - later
        while his and own > 0:
            own -= his.pop().count
        free += his
    return [need for need in waiting if need in free]


def in_words(throw: Throw) -> str:
    """A throw in words."""
    sides = throw.sides if throw.sides else "?"
    return f"{throw.count}d{sides} = {throw.total}"


def set_aside(throw: Throw, need: Need, by: str) -> Finding:
    """A warning on dice that are not those of the shot that waited for its own, rolled `by` a player."""
    of = f" of {throw.player}" if throw.player != need.declared.speaker else ""
    message = f"{in_words(throw)}{of} is not taken for the dice of {need.shot.weapon}: "
    message += f"{by or 'whoever fired'} rolled {need.count}d{need.sides} in the same impulse"
    fix = "say what a die is for"
    return undecided(need, throw.step, message, "NOTE/dice-aside", fix, Severity.WARNING)


def lent(throw: Throw, need: Need) -> Finding:
    """A note on dice another player rolled for a shot. It is no more than that: no die is left to choose from."""
    declared = need.declared
    message = f"the die for {need.shot.weapon} was rolled by {throw.player}, the fire declared by {declared.speaker}"
    return undecided(need, throw.step, message, "NOTE/dice-by-other", "", Severity.NOTE)


def two_to_take(need: Need, early: Throw, late: Throw) -> Finding:
    """A warning on a die that fell where ships fire before the fire of its player was declared, when another fell
    after it."""
    message = f"{in_words(early)} was rolled in step {early.step}, before this fire was declared, and {in_words(late)} "
    message += f"in step {late.step}, after it: {need.shot.weapon} is judged by the later"
    fix = "declare, then roll; say what any other die is for"
    return undecided(need, need.declared.place.step, message, "NOTE/dice-first", fix, Severity.WARNING)


def undecided(
    need: Need,
    step: int | None,
    message: str,
    key: str,
    fix: str,
    severity: Severity = Severity.UNDECIDED,
) -> Finding:
    """What a shot rolled is not known; or, less grave, that it was told otherwise than it should be."""
    declared = need.declared
    return Finding(
        key,
        severity,
        message,
        declared.firer.name,
        declared.when.turn,
        declared.when.impulse,
        declared.place.within(step=step),
        fix=fix,
    )
