"""Volleys that players tell a record, and that no fire in it accounts for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from referee.core.finding import Finding, NotChecked, Report, Severity
from referee.core.forked import Forked
from referee.core.game import is_unexplained
from referee.core.location import Location
from referee.core.naming import how_many

if TYPE_CHECKING:
    from referee.core.account import Event
    from referee.core.game import GameState
    from referee.rulebooks.base import Rulebook


class ToldVolleys(Forked):
    """The volleys that players tell. Who keeps speeds, moves or fire in the record keeps its fire there: then nothing bears
    such a volley out, whoever tells it. On a table that keeps damage alone the word of its owner is enough."""

    def __init__(self, rulebook: Rulebook) -> None:
        self.rulebook = rulebook
        self._by_owners: list[Finding] = []
        """Volleys told by who owns what they strike, while no play was in the record."""
        self._points = 0

    def take(self, entry: Event, state: GameState) -> list[Finding]:
        """What is against a volley that is ordered now, and what of it is not borne out."""
        kept, found = state.keeps_play, list(_after_it_left(entry, state))
        if is_unexplained(state, entry.data, kept=kept):
            return [*found, _unexplained(entry, state, kept=kept)]
        if not kept and is_unexplained(state, entry.data, kept=True):
            self._by_owners.append(_unexplained(entry, state, kept=True))
            self._points += entry.data["volley"]["points"]
        return found

    def report(self, state: GameState) -> Report:
        """The volleys that were told by their owners before any play was in the record: undecided where some is now, else
        named once."""
        if not self._by_owners:
            return Report()
        if state.keeps_play:
            return Report(tuple(self._by_owners))
        lines = ", ".join(f"#{(finding.location.record_line or 1) - 1}" for finding in self._by_owners)
        reason = (
            f"no fire is in the record: {how_many(self._points, 'point')} of damage are the word of who "
            f"owns what they strike ({lines})"
        )
        return Report(not_checked=(NotChecked(self.rulebook.named.fire, reason),))


def _after_it_left(entry: Event, state: GameState) -> Iterator[Finding]:
    """A volley that strikes a ship which has left the map."""
    stated = entry.data["volley"]
    if "of" not in stated and state.has_left(state.ships[stated["ship"]]):
        reason = "it has left the map and takes no more damage, unless it was struck before"
        yield Finding("MAP", Severity.UNDECIDED, reason, stated["ship"], state.turn, state.impulse)


def _unexplained(entry: Event, state: GameState, *, kept: bool) -> Finding:
    """What is not borne out of a volley."""
    stated, player = entry.data["volley"], entry.data["player"]
    other = "take it back" if kept else f"let {state.ships[stated['ship']].player} order it"
    return Finding(
        "NOTE/unexplained-volley",
        Severity.UNDECIDED,
        f"{how_many(stated['points'], 'point')} by {player}, and no fire in the record explains them",
        stated["ship"],
        state.turn,
        state.impulse,
        Location(entry.at.file, record_line=entry.seq + 1),
        fix=f"{other}, or fire with `game say` and `game resolve`",
    )
