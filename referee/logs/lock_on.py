"""Rolls for lock-on said in the chat of a log: `!lock on TARGET`, with the roll or with dice after it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from referee.core.frozen import frozen
from referee.core.location import Location
from referee.core.once import pattern
from referee.core.orders import OrderProblem
from referee.core.play import When
from referee.formats.ordernames import OrderRefused, UnitNames
from referee.formats.vassal.gathered import ChatOrder, Logged
from referee.logs.ship_under_audit import step_name

_LOCK_LINE = pattern(
    r"(?i)!\s*(?:(?P<ship>[^:]{1,60}):\s*)?lock(?:[ -]?on)?\b(?P<rest>[^:]{0,120}?)"
    r"(?:[ ,;:=]+(?:roll(?:ed|s)?\s*:?\s*)?(?P<roll>[1-9]))?\s*"
)
_SIDES = pattern(r"(?i)(?<![0-9a-z])[1-9]?[0-9]?d([1-9][0-9]{0,2})(?![0-9a-z])")
_TARGET = pattern(r"(?i)\s*(?:on|at|to)?\s+(?P<target>\S.*)|\s+(?P<bare>\S.*)")


@frozen
class LockSaid:
    """A ship tried for lock-on; `roll` is None where neither chat nor dice tell what was rolled, `dice` the
    step in which they fell, where they did."""

    ship: str
    target: str
    when: When
    place: Location
    speaker: str
    step: str = ""
    """What the tracker calls the step of the impulse."""
    roll: int | None = None
    dice: int | None = None
    undone: int | None = None
    """The step in which it was taken back, where it was."""


def lock_read(
    text: str, speaker: str, names: Sequence[str]
) -> tuple[str, str, int | None] | OrderProblem | None:
    """The ship that tries for lock-on, its target and the roll where the line tells it; None for a line about
    something else."""
    match = _LOCK_LINE.fullmatch(text)
    if match is None:
        return None
    there = UnitNames(names)
    try:
        ship = there.meant(match["ship"]) if match["ship"] else speaker
        if not ship:
            raise OrderRefused("which ship tries for lock-on is not known", "name it: SHIP: lock on TARGET")
        target = _TARGET.fullmatch(match["rest"])
        if target is None:
            raise OrderRefused("no target is named", "write SHIP: lock on TARGET 4")
        aim = there.meant(target["target"] or target["bare"])
    except OrderRefused as refused:
        return OrderProblem(text, refused.reason, refused.hint)
    return ship, aim, int(match["roll"]) if match["roll"] else None


def lock_said(
    sentence: ChatOrder, speaker: str, names: Sequence[str], file: str
) -> LockSaid | OrderProblem | None:
    """What a line says of lock-on; None for a line about something else."""
    read = lock_read(sentence.line.text, speaker, names)
    if read is None or isinstance(read, OrderProblem):
        return read
    ship, aim, roll = read
    when = When(sentence.clock.turn, sentence.clock.impulse)
    place = Location(file, piece=ship, step=sentence.step)
    return LockSaid(ship, aim, when, place, sentence.line.player, step_name(sentence.clock), roll)


def with_dice(locks: Iterable[LockSaid], logged: Logged) -> Iterator[LockSaid]:
    """The tries that stand with the dice that fell for them: the next single die its player rolled in the same
    turn, of those after it, undone or not. One that was taken back stands where its die had fallen by then."""
    taken: set[int] = set()
    for lock in sorted(locks, key=lambda lock: lock.place.step or 0):
        single = (
            rolled
            for rolled in logged.rolled
            if rolled.step > (lock.place.step or 0)
            and (lock.undone is None or rolled.step < lock.undone)
            and (rolled.taken_back is None or (lock.roll is None and _six_sided(rolled.roll.button)))
            and rolled.step not in taken
            and (rolled.clock.turn, rolled.clock.impulse) == (lock.when.turn, lock.when.impulse)
            and rolled.roll.player in ("", lock.speaker)
            and rolled.roll.faces.strip().isdecimal()
        )
        rolled = next(single, None)
        face = int(rolled.roll.faces) if rolled else None
        if rolled is None or (lock.roll is not None and lock.roll != face):
            if lock.undone is None:
                yield lock  # what was said is no die of this log
            continue
        taken.add(rolled.step)
        yield replace(lock, roll=face, dice=rolled.step)


def _six_sided(button: str) -> bool:
    """May a button roll the die of a try? One that rolls other dice was pressed by mistake."""
    sides = _SIDES.search(button)
    return sides is None or sides[1] == "6"


def rolls_of_locks(locks: Iterable[LockSaid]) -> Mapping[tuple[str, str, int], tuple[int, int]]:
    """Step and roll of the first try of each ship on each target in each turn: it stands."""
    found: dict[tuple[str, str, int], tuple[int, int]] = {}
    for lock in locks:
        if lock.roll is not None and lock.when.turn is not None:
            found.setdefault((lock.ship, lock.target, lock.when.turn), (lock.place.step or 0, lock.roll))
    return found
