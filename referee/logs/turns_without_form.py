"""Turns of a log that were played without a form, though the ship has one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from referee.adjudicator.table import GameTable
from referee.core.account import TURN_PLAYED, Event
from referee.core.finding import Report
from referee.core.location import Location
from referee.formats.vassal.gathered import Logged
from referee.formats.vassal.moves import Moves
from referee.logs.fire import Fired
from referee.logs.ship_under_audit import ShipUnderAudit

if TYPE_CHECKING:
    from referee.logs.speeds import SpeedTold

Deeds = dict[tuple[str, int], dict[str, int]]
"""What ships did in turns, in words, each with its first step."""


def turns_played(
    table: GameTable | None,
    logged: Logged,
    judged: list[ShipUnderAudit],
    told: Moves,
    speeds: Iterable[SpeedTold],
    fired: Fired,
) -> Report:
    """The turns that were played of every ship that has a form go to the table; the report on them."""
    if table is None:
        return Report()
    did = _deeds(told, fired)
    said = {(speed.ship, speed.turn) for speed in speeds}
    for one in judged:
        name, filled = one.ship.name, {energy.turn for energy in one.energy}
        for turn in sorted(_played(one, logged, did)) if one.filed else ():
            # A speed that is said or shown stands for the form where a game is played without.
            deeds = {} if (name, turn) in said else did.get((name, turn), {})
            place = Location(logged.file, piece=name, step=min(deeds.values(), default=None))
            played = {"ship": name, "turn": turn, "deeds": tuple(deeds), "filed": turn in filled}
            table.take(Event(0, TURN_PLAYED, {**played, "rulebook": one.book}, at=place))
    return table.beside.turns.report()


def _played(one: ShipUnderAudit, logged: Logged, did: Deeds) -> Iterator[int]:
    """The turns in which a ship was there when they began to be played, or did something."""
    id = one.ship.counter.id if one.ship.counter else ""
    begun = {at.turn for at in logged.forms if id in at.pieces}
    yield from begun | {turn for name, turn in did if name == one.ship.name}


def _deeds(told: Moves, fired: Fired) -> Deeds:
    did: Deeds = {}
    moved = ((move.ship, move.when.turn, "moves", move.location.step) for move in told.moves)
    shots = ((one.firer.name, one.when.turn, "fires", one.place.step) for row, _ in fired.rows for one in row)
    launches = ((one.firer.name, one.when.turn, "launches", one.place.step) for one in fired.launched)
    for name, turn, what, step in (*moved, *shots, *launches):
        if turn is not None:
            did.setdefault((name, turn), {}).setdefault(what, step or 0)
    return did
