"""An orders file as it is looked at: the game after every order, with what the rules say against it."""

from __future__ import annotations

from typing import Any

from referee.adjudicator.table import GameTable
from referee.core.account import Account, Event
from referee.core.entry_words import chat_text
from referee.core.errors import BadInput
from referee.core.finding import Finding
from referee.core.positions import PlayedGame, Position, findings_by, looked_at
from referee.formats.files import as_text
from referee.formats.orderfiles import no_ship
from referee.formats.orders import read_orders
from referee.judging.boards import board_of
from referee.judging.broadsides import FireSeen
from referee.judging.files import judge_file
from referee.judging.record_positions import units_of
from referee.rulebooks.base import Rulebook
from referee.rulebooks.registry import load_ship
from referee.sources.asked import Asked
from referee.sources.inputs import InputBytes
from referee.sources.orders import account_of, rulebook_of
from referee.sources.settings import rulebook_in_force


def orders_played(source: InputBytes, asked: Asked) -> PlayedGame:
    """An orders file's positions. Raises BadInput where it names no rulebook."""
    orders = read_orders(source.data, source.name, load_ship)
    id = asked.settings.rulebook or orders.rulebook
    if not orders.ships:
        raise no_ship(source.name)
    if not id:
        hint = "a line: rulebook sfb-cadet"
        raise BadInput("names no rulebook", file=source.name, hint=hint)
    rulebook = rulebook_of(orders, rulebook_in_force(id, asked.settings))
    report = judge_file(source, asked)
    found = findings_by(report, lambda place: place.line)
    lines = as_text(source.data, source.name).splitlines()
    table = _Watched(rulebook, account_of(orders, rulebook, load_ship), found, lines)
    ships = {name: ship.state.ship for name, ship in table.state.ships.items()}
    classes = {name: load_ship(id) for name, id in ships.items() if id}
    board = board_of(table.rulebook)
    fire = table.seen.found
    return looked_at(
        report,
        source.name,
        table.positions,
        classes,
        rulebook.id,
        fire=fire,
        board=board,
        in_force=table.rulebook,
    )


class _Watched(GameTable):
    """The table of an orders file, of which every position is kept."""

    def __init__(
        self, rulebook: Rulebook, account: Account, found: dict[int | None, list[Finding]], lines: list[str]
    ) -> None:
        self.positions: list[Position] = []
        self.seen = FireSeen(rulebook, load_ship)
        self._left = dict(found)
        self._lines = lines
        super().__init__(rulebook, load_ship, account)

    def take(self, entry: Event) -> list[Finding]:
        """What is against an event, which is then folded and looked at."""
        findings = super().take(entry)
        state: Any = self.state
        if entry.type == "order" and "fire" in entry.data:
            self.seen.order(entry.seq, state)
        self.positions.append(
            Position(
                turn=state.turn,
                impulse=state.impulse,
                step="",
                happened="" if entry.type == "step" else self._words(entry),
                place=f"line {entry.at.line}" if entry.at.line else "",
                units=tuple(units_of(state)),
                findings=tuple(self._left.pop(entry.at.line, ())),
            )
        )
        return findings

    def _words(self, entry: Event) -> str:
        """What an order or a ship says: as its line in the file does, where it has one."""
        number = entry.at.line
        if entry.type in ("order", "ship") and number is not None and 0 < number <= len(self._lines):
            return self._lines[number - 1].strip()
        return chat_text(entry) if entry.type != "order" or "text" in entry.data else ""
