"""Several logs of one game: a turn that was played in two of them, with other dice or other moves."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

from referee.core.finding import Finding, LoggedGame, Severity
from referee.core.location import Location

Moment = tuple[int, int]
Played = Mapping[Moment, tuple[str, ...]]


def played_twice(logs: Sequence[LoggedGame]) -> Iterator[Finding]:
    """A warning on each log that plays an impulse of another log of its game again, with other dice, and one
    where ships moved otherwise."""
    for first, other in combinations(logs, 2):
        if not _same_game(first, other):
            continue
        for what, mine, theirs in (("dice", first.dice, other.dice), ("moves", first.moves, other.moves)):
            again = [at for at in sorted({*mine} & {*theirs}) if _otherwise(first, other, at, mine, theirs)]
            if again:
                yield _warned(first, other, again, what, mine[again[0]], theirs[again[0]])


def _same_game(first: LoggedGame, other: LoggedGame) -> bool:
    same_players = not (first.players and other.players) or first.players == other.players
    return bool(first.counters & other.counters) and same_players


def _otherwise(first: LoggedGame, other: LoggedGame, moment: Moment, mine: Played, theirs: Played) -> bool:
    """Was an impulse played otherwise? A log may end in the middle of an impulse, and the next begin there."""
    a, b = mine[moment], theirs[moment]
    if (
        a == b
        or (first.end == moment and other.start == moment)
        or (other.end == moment and first.start == moment)
    ):
        return False
    if mine is first.moves:
        # Who has not moved yet where a log ends is no other move.
        cut = (first.end == moment and {*a} <= {*b}) or (other.end == moment and {*b} <= {*a})
        return not cut
    cut_short = (first.end == moment and b[: len(a)] == a) or (other.end == moment and a[: len(b)] == b)
    return not cut_short


def _warned(
    first: LoggedGame,
    other: LoggedGame,
    again: list[Moment],
    what: str,
    mine: tuple[str, ...],
    theirs: tuple[str, ...],
) -> Finding:
    turn, impulse = again[0]
    more = f", and {len(again) - 1} more" if len(again) > 1 else ""
    steps, there = (first.steps, other.steps) if what == "dice" else (first.moved, other.moved)
    return Finding(
        "NOTE/played-twice",
        Severity.WARNING,
        f"turn {turn}, impulse {impulse}{more} was played in {first.file} too "
        f"(step {steps[again[0]]}), with other {what}",
        "",
        turn,
        impulse,
        Location(other.file, step=there[again[0]]),
        expected="; ".join(mine),
        found="; ".join(theirs),
        fix=f"the game goes on from the first; {'dice stand as they fell' if what == 'dice' else 'or say which log stands'}",
    )
