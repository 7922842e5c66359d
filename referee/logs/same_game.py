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
    for one, other in combinations(logs, 2):
        if not _same_game(one, other):
            continue
        for what, mine, theirs in (("dice", one.dice, other.dice), ("moves", one.moves, other.moves)):
            again = [at for at in sorted({*mine} & {*theirs}) if _otherwise(one, other, at, mine, theirs)]
            if again:
                yield _warned(one, other, again, what, mine[again[0]], theirs[again[0]])


def _same_game(one: LoggedGame, other: LoggedGame) -> bool:
    same_players = not (one.players and other.players) or one.players == other.players
    return bool(one.counters & other.counters) and same_players


def _otherwise(one: LoggedGame, other: LoggedGame, moment: Moment, mine: Played, theirs: Played) -> bool:
    """Was an impulse played otherwise? A log may end in the middle of an impulse, and the next begin there."""
    a, b = mine[moment], theirs[moment]
    if (
        a == b
        or (one.end == moment and other.start == moment)
        or (other.end == moment and one.start == moment)
    ):
        return False
    if mine is one.moves:
        # Who has not moved yet where a log ends is no other move.
        cut = (one.end == moment and {*a} <= {*b}) or (other.end == moment and {*b} <= {*a})
        return not cut
    cut_short = (one.end == moment and b[: len(a)] == a) or (other.end == moment and a[: len(b)] == b)
    return not cut_short


def _warned(
    one: LoggedGame,
    other: LoggedGame,
    again: list[Moment],
    what: str,
    mine: tuple[str, ...],
    theirs: tuple[str, ...],
) -> Finding:
    turn, impulse = again[0]
    more = f", and {len(again) - 1} more" if len(again) > 1 else ""
    steps, there = (one.steps, other.steps) if what == "dice" else (one.moved, other.moved)
    return Finding(
        "NOTE/played-twice",
        Severity.WARNING,
        f"turn {turn}, impulse {impulse}{more} was played in {one.file} too "
        f"(step {steps[again[0]]}), with other {what}",
        "",
        turn,
        impulse,
        Location(other.file, step=there[again[0]]),
        expected="; ".join(mine),
        found="; ".join(theirs),
        fix=f"the game goes on from the first; {'dice stand as they fell' if what == 'dice' else 'or say which log stands'}",
    )
