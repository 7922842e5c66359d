"""Ships of a log that were turned without moving and turned back: what was done while they faced the wrong way."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from referee.adjudicator.table import GameTable
from referee.core.account import TURNED_BACK, Event
from referee.core.finding import Finding
from referee.core.location import Location
from referee.core.orders import Fire, Launch
from referee.formats.vassal.gathered import Logged
from referee.formats.vassal.moves import Moves, TurnedInPlace
from referee.logs.dice import warning
from referee.logs.fire import Orders
from referee.sources.asked import note

_FIX = "turn on the impulse that calls the ship to move"


def judge_turned_in_place(
    table: GameTable | None, logged: Logged, moves: Moves, orders: Orders
) -> Iterator[Finding]:
    """Findings on ships that turned in an impulse without moving and turned back in a later one: an error where one
    of them fired, launched or was aimed at between, a warning where dice fell for others, else a note."""
    for turn in moves.turned_in_place:
        place = Location(logged.file, piece=turn.ship, step=turn.step)
        found = _fought(turn, orders)
        if found is not None and table is not None:
            yield from _against(table, turn, found, place)
            continue
        what = f"turned from {turn.before} to {turn.after} without moving, and back in step {turn.back}"
        fell = next((r.step for r in logged.rolled if turn.step < r.step < turn.back), None)
        if fell is None:
            yield note("put-right", f"{what}: no turn is judged", turn.ship, location=place)
        else:
            what += f", after dice were rolled in step {fell}: no turn is judged"
            found_late = warning("put-right-late", what, turn.ship, place, fix=_FIX, turn=turn.when.turn)
            yield replace(found_late, impulse=turn.when.impulse)


def _fought(turn: TurnedInPlace, orders: Orders) -> str | None:
    """What was done first by or to a ship while it faced the wrong way."""
    for heard in orders.of(Fire, Launch):
        order = heard.order
        assert isinstance(order, Fire | Launch)
        if turn.step < heard.sentence.step < turn.back and turn.ship in (order.ship, order.target):
            return f"{'fire' if isinstance(order, Fire) else 'a launch'} in step {heard.sentence.step}"
    return None


def _against(table: GameTable, turn: TurnedInPlace, fought: str, place: Location) -> list[Finding]:
    later = (
        f"impulse {turn.righted.impulse}"
        if turn.righted.turn == turn.when.turn
        else f"turn {turn.righted.turn}"
    )
    turned = {"ship": turn.ship, "facings": (turn.before, turn.after), "later": later, "fought": fought}
    return table.take(Event(turn.step, TURNED_BACK, turned, at=place, when=turn.when))
