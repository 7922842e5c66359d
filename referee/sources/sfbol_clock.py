"""The lines that begin impulses, where a play-by-play lacks one of them or has two in each other's place."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from itertools import pairwise
from typing import NamedTuple

from referee.core.finding import Finding, Severity
from referee.core.location import Location
from referee.core.ship import ShipClass
from referee.formats.sfbol import Added, Fact, ImpulseBegun, Moved, Turned, all_of
from referee.rulebooks.base import Rulebook
from referee.sources.sfbol_course import beside, impulses_of
from referee.sources.sfbol_lost_lines import TOLD_EACH
from referee.sources.sfbol_names import Names
from referee.sources.sfbol_speeds import SpeedsMade

FEWEST_MOVERS = 2
"""The ships that must move as in an impulse after the last one for its header to be missing: one alone may be early."""
Facts = list[Fact]
Speeds = Mapping[str, Mapping[int, int]]


class _Gap(NamedTuple):
    """An impulse of which no line tells that it begins: what is told of the one before, at its place in the row."""

    row: int
    turn: int
    impulse: int
    is_last: bool = False
    is_alone: bool = True
    """Is it the only one that is left out there? Else it is the last of them."""


def in_order(
    facts: Facts, rulebook: Rulebook, classes: Mapping[str, ShipClass], names: Names, file: str
) -> tuple[Facts, list[Finding]]:
    """What a game tells with the impulses in which it must have happened, and what is said of those."""
    of = int(rulebook.option("impulses"))
    begun_at = [fact.turn * of + fact.impulse for fact in facts if type(fact) is ImpulseBegun]
    if (
        begun_at
        and begun_at == list(range(begun_at[0], begun_at[0] + len(begun_at)))
        and not begun_at[-1] % of
    ):
        return facts, []
    facts, found = _swapped_back(facts, file)
    facts = _renumbered(facts, of, file, found)
    gaps = _gaps(facts, of)
    if not gaps:
        return facts, found
    rows = impulses_of(facts)
    moves = {
        fact.line: fits[0]
        for fact in facts
        if isinstance(fact, (Moved, Turned))
        if len(fits := names.means(fact.ship)) == 1 and fits[0] in classes
    }
    first = rows[0][0]
    whole = first.turn == 1 and (
        first.impulse == 1 or any(added.line < first.line for added in all_of(facts, Added))
    )
    made = SpeedsMade(rulebook, rows, names, moves, (1, 1) if whole else (first.turn, first.impulse))
    stated = {
        fits[0]: fact.speed for fact in all_of(facts, Added) if len(fits := names.means(fact.name)) == 1
    }
    speeds = speeds_known(made, {name: stated.get(name) for name in classes}, 1 if whole else first.turn)
    begun: dict[int, ImpulseBegun] = {}
    strange = _strange_moves(facts, {rows[gap.row][0][1:] for gap in gaps}, moves, made, speeds, names)
    for gap in gaps:
        row = rows[gap.row]
        line = _begins_at(row, gap, moves, made, speeds, names) if gap.is_alone else 0
        line = line or (0 if gap.is_last else strange.get(row[0][1:], 0))
        if line:
            begun[line] = ImpulseBegun(line, gap.turn, gap.impulse)
            sentence = f"no line begins impulse {gap.impulse}, which calls for the moves from here on: they are taken to be of it"
            found.append(_on_clock(sentence, gap.turn, row[0].impulse, line, file))
    if not begun:
        return facts, found
    return [
        each for fact in facts for each in ((begun[fact.line], fact) if fact.line in begun else (fact,))
    ], found


def speeds_known(made: SpeedsMade, before: Mapping[str, int | None], first: int) -> dict[str, dict[int, int]]:
    """The speeds of each ship, by turn, as far as its moves tell them for certain: each was as fast `before`, which is said
    of the `first` turn."""
    known: dict[str, dict[int, int]] = {name: {} for name in before}
    for name, speed in before.items():
        last = speed
        for turn in made.turns:
            found, _ = made.of_turn(name, turn, last, turn == first)
            last = found.speed
            if last is not None and not found.may_be:
                known[name][turn] = last
    return known


def _on_clock(sentence: str, turn: int, impulse: int, line: int, file: str) -> Finding:
    place = Location(file, line=line)
    fix = "ask both players in which impulse it was"
    return Finding("NOTE/clock", Severity.UNDECIDED, sentence, "", turn, impulse, place, fix=fix)


def _swapped_back(facts: Facts, file: str) -> tuple[Facts, list[Finding]]:
    """Two lines that begin impulses, one right after the other, and the later one first."""
    begun = [(n, fact) for n, fact in enumerate(facts) if type(fact) is ImpulseBegun]
    found: list[Finding] = []
    changed: dict[int, ImpulseBegun] = {}
    for k, ((n, first), (m, second)) in enumerate(pairwise(begun)):
        back = m == n + 1 and (second.turn, second.impulse + 1) == first[1:]
        if not back or (k and begun[k - 1][1][1:] >= second[1:]):
            continue
        if k + 2 == len(begun) or first[1:] < begun[k + 2][1][1:]:
            changed |= {n: second._replace(line=first.line), m: first._replace(line=second.line)}
            sentence = f"impulse {first.impulse} begins before impulse {second.impulse}: these lines are taken to have changed places"
            found.append(_on_clock(sentence, first.turn, second.impulse, first.line, file))
    return ([changed.get(n, fact) for n, fact in enumerate(facts)] if changed else facts), found


def _renumbered(facts: Facts, of: int, file: str, found: list[Finding]) -> Facts:
    """A line that begins another impulse than the one that alone fits between those before and after it."""
    begun = [(n, fact) for n, fact in enumerate(facts) if type(fact) is ImpulseBegun]
    changed: dict[int, ImpulseBegun] = {}
    for (_, before), (n, fact), (_, after) in zip(begun, begun[1:], begun[2:], strict=False):
        if before[1:] < fact[1:] < after[1:]:
            continue
        turn, impulse = _next(before.turn, before.impulse, of)
        if after[1:] == _next(turn, impulse, of):
            changed[n] = ImpulseBegun(fact.line, turn, impulse)
            sentence = (
                f"impulse {fact.impulse} begins where only impulse {impulse} can: it is taken to be that"
            )
            found.append(_on_clock(sentence, turn, impulse, fact.line, file))
    return [changed.get(n, fact) for n, fact in enumerate(facts)] if changed else facts


def _gaps(facts: Facts, of: int) -> list[_Gap]:
    """The impulses that are left out between two that are told, or after the last, where a log tells nearly each: of
    several in a row the last one."""
    begun = [fact for fact in facts if type(fact) is ImpulseBegun]
    rows = [fact for n, fact in enumerate(begun) if not n or fact[1:] != begun[n - 1][1:]]
    after = [_next(fact.turn, fact.impulse, of) for fact in rows]
    out = [n for n, now in enumerate(rows[1:]) if now[1:] != after[n]]
    if len(out) * TOLD_EACH > len(rows):
        return []
    found = []
    for n in out:
        turn, impulse = rows[n + 1][1:]
        ends = (turn, impulse - 1) if impulse > 1 else (turn - 1, of)
        if ends >= after[n]:
            found.append(_Gap(n, *ends, is_alone=ends == after[n]))
    last = [len(rows) - 1] if rows and after[-1][1] > 1 else []
    return [*found, *(_Gap(n, *after[n], is_last=True) for n in last)]


def _next(turn: int, impulse: int, of: int) -> tuple[int, int]:
    return (turn, impulse + 1) if impulse < of else (turn + 1, 1)


def _begins_at(
    row: tuple[ImpulseBegun, Facts],
    gap: _Gap,
    moves: Mapping[int, str],
    made: SpeedsMade,
    speeds: Speeds,
    names: Names,
) -> int:
    """The line in which an impulse must have begun that is left out: before it stand the moves that the impulse before
    calls for, and after it those of this one; 0 where they do not stand so."""
    (_, turn, impulse), facts = row
    moved = [(fact.line, moves[fact.line]) for fact in facts if fact.line in moves]
    movers = {name for _, name in moved}
    before = _called(turn, impulse, made, speeds, movers)
    after = _called(gap.turn, gap.impulse, made, speeds, movers if gap.is_last else ())
    if any(gap.turn not in of_turn for name, of_turn in speeds.items() if name in movers):
        return 0
    if gap.is_last and len(after) < FEWEST_MOVERS:
        return 0
    if not after:
        return _second_flight(facts, names) if movers == before else 0
    for k in range(len(moved) - len(after) + 1):
        if {name for _, name in moved[:k]} == before and {name for _, name in moved[k:]} == after:
            return moved[k][0]
    return 0


def _called(turn: int, impulse: int, made: SpeedsMade, speeds: Speeds, moved: Iterable[str]) -> set[str]:
    """The ships that an impulse calls, and that move in it or do not though they could."""
    called = (
        name for name, of_turn in speeds.items() if turn in of_turn and made.calls(of_turn[turn], impulse)
    )
    return {
        name for name in called if name in moved or made.amiss(name, turn, speeds[name][turn]) >> impulse & 1
    }


def _strange_moves(
    facts: Facts,
    asked: Container[tuple[int, ...]],
    moves: Mapping[int, str],
    made: SpeedsMade,
    speeds: Speeds,
    names: Names,
) -> dict[tuple[int, ...], int]:
    """Of some impulses, the first line of a move that cannot be of it: the ship has moved in it, is not called, or goes
    farther than a hex."""
    found: dict[tuple[int, ...], int] = {}
    stood: dict[str, tuple[int, int]] = {}
    moved: set[str] = set()
    now: tuple[int, ...] = 0, 0
    for fact in facts:
        if type(fact) is ImpulseBegun:
            moved, now = set(), fact[1:]
        elif isinstance(fact, Added) and len(fits := names.means(fact.name)) == 1:
            stood[fits[0]] = fact.column, fact.row
        elif isinstance(fact, Moved) and (name := moves.get(fact.line)) is not None:
            here, before = (fact.column, fact.row), stood.get(name)
            stood[name] = here
            if now not in asked or now in found:
                continue
            speed = speeds[name].get(now[0])
            far = (
                before is not None and not beside(here[0] - before[0], here[1] - before[1], before[0] % 2)[0]
            )
            if far or name in moved or (speed is not None and not made.calls(speed, now[1])):
                found[now] = fact.line
            moved.add(name)
    return found


def _second_flight(facts: Facts, names: Names) -> int:
    """The line in which the first of the seekers that move in an impulse moves once more; 0 where none does."""
    seen: set[str] = set()
    for fact in facts:
        if isinstance(fact, Moved) and fact.ship in names.launched:
            if fact.ship in seen:
                return fact.line
            seen.add(fact.ship)
    return 0
