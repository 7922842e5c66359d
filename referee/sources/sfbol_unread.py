"""What of a play-by-play is not judged: lines that are not understood, names that may be of several ships, and what the
rulebooks here do not have."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from referee.core.finding import Finding, Severity
from referee.core.location import Location
from referee.core.naming import how_many
from referee.formats.sfbol import (
    MOST_IMPULSE,
    MOST_TURN,
    Added,
    Allocated,
    Destroyed,
    Fact,
    FieldActivated,
    Fired,
    Moved,
    Turned,
    Unread,
    all_of,
    names_no_impulse,
    shape_of,
)
from referee.sources.asked import note
from referee.sources.sfbol_course import SLIPPED
from referee.sources.sfbol_haze import is_aside, is_chat, players_of
from referee.sources.sfbol_names import Names

MOST_SHAPES = 20
"""Shapes of lines that are listed one by one."""


def unread_lines(facts: Sequence[Fact], names: Names, file: str) -> Iterator[Finding]:
    """Findings on lines of no known shape, shape by shape: chat does not matter, all else may. And on names that may
    be of several ships."""
    players = players_of(facts, names)
    shapes: dict[str, list[Unread]] = {}
    chat: list[Unread] = []
    beyond: list[Unread] = []
    for fact in all_of(facts, Unread):
        if names_no_impulse(fact):
            beyond.append(fact)
        elif is_chat(fact, players) or is_aside(fact, names):
            chat.append(fact)
        else:
            shapes.setdefault(shape_of(fact.text, names.pattern), []).append(fact)
    if chat:
        sentence = f"{how_many(len(chat), 'line is', 'lines are')} chat, and not read"
        yield note("chat", sentence, "", location=Location(file, line=chat[0].line))
    if beyond:
        sentence = f"{how_many(len(beyond), 'line names an impulse that there is not', 'lines name impulses that there are not')}: a game is followed to turn {MOST_TURN}, and a turn to impulse {MOST_IMPULSE}; what follows is taken to be of the impulse before"
        yield _undecided("NOTE/impulse", sentence, file, beyond[0].line, beyond[0].text[:200])
    often = sorted(shapes.items(), key=lambda row: (-len(row[1]), row[1][0].line))
    for shape, lines in often[:MOST_SHAPES]:
        sentence = f"{how_many(len(lines), 'line')} not understood, and what stands there may matter: {shape}"
        yield _undecided("NOTE/unread", sentence, file, lines[0].line, lines[0].text[:200])
    if rest := often[MOST_SHAPES:]:
        count = sum(len(lines) for _, lines in rest)
        sentence = f"{how_many(count, 'line')} more not understood, of {how_many(len(rest), 'other shape')}, and may matter"
        yield _undecided("NOTE/unread", sentence, file, min(lines[0].line for _, lines in rest), "")
    yield from _ambiguous(facts, names, file)


def _ambiguous(facts: Iterable[Fact], names: Names, file: str) -> Iterator[Finding]:
    lines: dict[str, list[int]] = {}
    several = {name for name in names.written if len(names.means(name)) > 1}
    for fact in facts if several else ():
        for name in _named_in(fact):
            if name in several:
                lines.setdefault(name, []).append(fact.line)
    for name, at in lines.items():
        choices = " or ".join(names.means(name)[:6])
        sentence = (
            f"{how_many(len(at), 'line')} of {name}, which may be {choices}: what they tell is not judged"
        )
        yield _undecided("NOTE/name", sentence, file, at[0], name)


def _named_in(fact: Fact) -> tuple[str, ...]:
    if isinstance(fact, Fired):
        return fact.ship, fact.target
    if isinstance(fact, (Moved, Turned, Allocated, Destroyed, FieldActivated)):
        return (fact.ship,)
    return ()


def _undecided(key: str, message: str, file: str, line: int, found: str) -> Finding:
    return Finding(key, Severity.UNDECIDED, message, location=Location(file, line=line), found=found)


SIDESLIPS = "sideslips"
_OUTSIDE = frozenset((FieldActivated, Fired, Added))
"""The kinds of lines, beside sideslips, that may tell what the rulebooks here do not have."""


def outside(facts: Iterable[Fact], names: Names, file: str) -> Iterator[Finding]:
    """Notes on what the rulebooks here do not have, each kind once with its count."""
    seen: dict[str, list[int]] = {}
    for fact in [
        fact for fact in facts if type(fact) in _OUTSIDE or (type(fact) is Moved and fact.how == SLIPPED)
    ]:
        if isinstance(fact, Moved):
            seen.setdefault(SIDESLIPS, []).append(fact.line)
        elif isinstance(fact, FieldActivated):
            seen.setdefault("expanding spheres (ESG)", []).append(fact.line)
        elif isinstance(fact, Fired) and fact.mode and not fact.mode.casefold().startswith("standard"):
            seen.setdefault(f"shots in {fact.mode.casefold()} mode", []).append(fact.line)
        elif isinstance(fact, Added) and fact.name in names.launched and "shuttle" in fact.type.casefold():
            seen.setdefault("shuttles", []).append(fact.line)
    if slips := seen.pop(SIDESLIPS, []):
        sentence = f"{SIDESLIPS}: {len(slips)} in it; the rulebooks here do not have them, and whether they are allowed is not judged"
        yield _undecided("NOTE/outside", sentence, file, slips[0], "")
    for what, lines in seen.items():
        yield from outside_note(what, lines, file)


def outside_note(what: str, lines: Sequence[int], file: str) -> Iterator[Finding]:
    """A note on things that the rulebooks here do not have, with their count; none where there are none."""
    if lines:
        sentence = f"{what}: {len(lines)} in it; the rulebooks here do not have them, and they are not judged by themselves"
        yield note("outside", sentence, "", location=Location(file, line=lines[0]))
