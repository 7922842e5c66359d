"""What a turn's column of a sheet reads like when an earlier state of a record was written into it.

A record goes on after it was written into a save: what was begun of a turn then, or counted as fired in it, is
out of date. A column that reads as the record had it at some moment is nobody's but the record's, and may be
brought up to date; any other is a player's, and stays.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING

from referee.core.errors import BadInput
from referee.core.gamefold import fold_game, states_before
from referee.core.location import Location
from referee.core.naming import weapon_line
from referee.core.once import once
from referee.rulebooks.registry import load_ship

if TYPE_CHECKING:
    from referee.core.forms import FormLines
    from referee.core.game import GameState, ShipInGame
    from referee.play.game_file import Game

Figures = Mapping[str, Fraction]
"""Energy points by line of the form."""


def with_total(lines: FormLines, begun: Figures) -> dict[str, Fraction]:
    """What is known of a turn, with the total of its power where all of that is."""
    if not begun.keys() >= {*lines.sources}:
        return dict(begun)
    return {**begun, lines.power: sum((begun[line] for line in lines.sources), Fraction(0))}


class Columns:
    """The columns that a record makes for a ship: as it stands, and as it stood before."""

    def __init__(self, game: Game, ship: ShipInGame) -> None:
        self._game, self._ship = game, ship
        self._rulebook, self._class = game.rulebook, game.ship_class(ship)

    def filed(self, turn: int) -> Figures:
        """What was filed for a turn, with what phasers fired in it."""
        return self._filed(self._ship, turn)

    def begun(self, turn: int) -> Figures:
        """What is known as a turn begins. Raises BadInput where a turn before it is not shown."""
        return self._begun(self._ship, turn)

    def begins(self, turn: int) -> Figures:
        """The same, of which nothing is known where a turn before it is not shown."""
        return self._begins(self._ship, turn)

    def were_begun(self, turn: int, shown: Figures, rows: Collection[str]) -> bool:
        """Is what a column shows what was begun of its turn once, all of it and nothing else? `rows` are the
        lines that the sheet has."""
        seen = self._on_sheet(shown, rows)
        return bool(seen) and seen in self._once_begun(turn, rows)

    def were_filed(self, turn: int, shown: Figures, rows: Collection[str]) -> bool:
        """Are these figures a form once filed for the turn, with the phasers fired by then, and beside it no more
        than the figures the turn began with?"""
        seen = self._on_sheet(shown, rows)
        for ship in self._ships_before:
            if turn not in ship.forms:
                continue
            filed = {self._named(line): amount for line, amount in self._filed(ship, turn).items()}
            rest = {line: amount for line, amount in seen.items() if line not in filed}
            if {line: amount for line, amount in seen.items() if line in filed} != self._on_sheet(
                filed, rows
            ):
                continue
            begun = self._once_begun(turn, rows)
            if not rest or any(rest == _but_for(figures, filed) for figures in begun):
                return True
        return False

    def _once_begun(self, turn: int, rows: Collection[str]) -> list[dict[str, Fraction]]:
        return [self._on_sheet(self._begins(ship, turn), rows) for ship in (self._ship, *self._ships_before)]

    @once
    def _ships_before(self) -> tuple[ShipInGame, ...]:
        """The ship at every moment of the record at which anything of its energy or damage was another."""
        found: dict[tuple[int, ...], ShipInGame] = {}
        for state in _states(self._game):
            ship = state.ships.get(self._ship.name)
            if ship is not None:
                parts = (ship.state, ship.begun, ship.forms, ship.fired, ship.unfiled)
                found.setdefault(tuple(map(id, parts)), ship)
        return tuple(reversed(found.values()))

    def _filed(self, ship: ShipInGame, turn: int) -> Figures:
        from referee.adjudicator.record_forms import allocation_from, as_played

        filed = allocation_from(ship.forms[turn], turn, Location(file=self._game.path))
        played = as_played(self._rulebook, self._class, ship, filed).entries
        lines = dict.fromkeys(
            (*filed.entries, *(line for line in played if line == self._rulebook.lines.phasers_fired))
        )
        return {line: played[line].amount for line in lines}

    def _begun(self, ship: ShipInGame, turn: int) -> Figures:
        from referee.adjudicator.record_forms import turn_to_come

        return with_total(self._rulebook.lines, turn_to_come(self._rulebook, self._class, ship, turn))

    def _begins(self, ship: ShipInGame, turn: int) -> Figures:
        try:
            return self._begun(ship, turn)
        except BadInput:
            return {}

    def _named(self, line: str) -> str:
        return weapon_line(line, self._class.mounts, self._rulebook.lines)

    def _on_sheet(self, figures: Figures, rows: Collection[str]) -> dict[str, Fraction]:
        """The figures that a sheet with these rows shows; a line of 0 is as good as a blank one."""
        known = {self._named(row) for row in rows}
        named = ((self._named(line), amount) for line, amount in figures.items())
        return {line: amount for line, amount in named if amount and line in known}


def _but_for(figures: Figures, lines: Collection[str]) -> dict[str, Fraction]:
    return {line: amount for line, amount in figures.items() if line not in lines}


def _states(game: Game) -> Iterator[GameState]:
    """The game at every moment of its record, also at those that were taken back later."""
    from referee.play.rulebook import own_fold

    own = own_fold(game.entries)
    undos = [n for n, entry in enumerate(game.entries) if entry.type == "undo"]
    for end in (*undos, len(game.entries)):
        entries = game.entries[:end]
        for _, state in states_before(entries, load_ship, lambda _: True, own):
            yield state
        yield fold_game(entries, load_ship, own)
