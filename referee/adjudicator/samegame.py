"""Several logs of one game: a turn that was played in two of them, with other dice."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from referee.core.finding import Finding, LoggedGame, Severity
from referee.core.location import Location


def played_twice(logs: Sequence[LoggedGame]) -> Iterator[Finding]:
    """A warning on each log that plays an impulse of another log of its game again, with other dice."""
    for one, other in combinations(logs, 2):
        if not _same_game(one, other):
            continue
        again = [moment for moment in sorted({*one.dice} & {*other.dice}) if _otherwise(one, other, moment)]
        if again:
            yield _warned(one, other, again)


def _same_game(one: LoggedGame, other: LoggedGame) -> bool:
    same_players = not (one.players and other.players) or one.players == other.players
    return bool(one.counters & other.counters) and same_players


def _otherwise(one: LoggedGame, other: LoggedGame, moment: tuple[int, int]) -> bool:
    """Are the dice of an impulse others? A log may end in the middle of an impulse, and the next begin there."""
    a, b = one.dice[moment], other.dice[moment]
    if (
        a == b
        or (one.end == moment and other.start == moment)
        or (other.end == moment and one.start == moment)
    ):
        return False
    cut_short = (one.end == moment and b[: len(a)] == a) or (other.end == moment and a[: len(b)] == b)
    return not cut_short


def _warned(one: LoggedGame, other: LoggedGame, again: list[tuple[int, int]]) -> Finding:
    turn, impulse = again[0]
    more = f", and {len(again) - 1} more" if len(again) > 1 else ""
    return Finding(
        "NOTE/played-twice",
        Severity.WARNING,
        f"turn {turn}, impulse {impulse}{more} was played in {one.file} too "
        f"(step {one.steps[again[0]]}), with other dice",
        "",
        turn,
        impulse,
        Location(other.file, step=other.steps[again[0]]),
        expected="; ".join(one.dice[again[0]]),
        found="; ".join(other.dice[again[0]]),
        fix="the game goes on from the first; dice stand as they fell",
    )
