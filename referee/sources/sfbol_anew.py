"""Where another game may begin in a play-by-play whose turns go on: its ships are put on the map anew."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from referee.formats.sfbol import PLAYED, Added, Allocating, Fact, Fired, ImpulseBegun, Moved, Turned, all_of
from referee.formats.sfbol_games import PUT_ANEW
from referee.sources.sfbol_names import Names

_PLAYS = (*PLAYED, ImpulseBegun)


def set_up_anew(facts: Sequence[Fact], names: Names) -> dict[int, str]:
    """The lines that begin a set-up within a game, of ships that all were there already or without which no earlier
    ship does anything more, and why each may begin another game."""
    found: dict[int, str] = {}
    begun = next((fact for fact in facts if type(fact) is ImpulseBegun), None)
    if begun is None or sum(added.line > begun.line for added in all_of(facts, Added)) < PUT_ANEW:
        return found
    last: Mapping[str, int] | None = None
    for before, line, now in _set_ups(facts, names):
        last = _last_acts(facts, names) if last is None else last
        if before <= now:
            found[line] = "all ships are put on the map again"
        elif before.isdisjoint(now) and all(last.get(ship, 0) < line for ship in before):
            found[line] = "other ships are put on the map, and those before do nothing more"
    return found


def _set_ups(facts: Iterable[Fact], names: Names) -> Iterable[tuple[frozenset[str], int, frozenset[str]]]:
    """Each time that several ships are put on the map after the first impulse: which were there before, the first line
    and which they are."""
    there: set[str] = set()
    now: dict[str, int] = {}
    begun = False
    for fact in facts:
        if isinstance(fact, Added) and fact.name in names.ships:
            now.setdefault(fact.name, fact.line)
        elif now and isinstance(fact, _PLAYS):
            if begun and there and len(now) >= PUT_ANEW:
                yield frozenset(there), min(now.values()), frozenset(now)
            there |= now.keys()
            now = {}
        if not begun:
            begun = isinstance(fact, ImpulseBegun)


def _last_acts(facts: Iterable[Fact], names: Names) -> dict[str, int]:
    """The last line in which each ship does something."""
    last: dict[str, int] = {}
    for fact in facts:
        if isinstance(fact, Moved | Turned | Fired | Allocating):
            for name in names.means(fact.ship):
                last[name] = fact.line
    return last
