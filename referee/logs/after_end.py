"""Ships of a log that move, fire or launch though they were destroyed by what struck them (D4.41)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from referee.adjudicator.damage_told import Struck
from referee.adjudicator.hits_on_ship import Strike
from referee.adjudicator.repairs import Marking
from referee.adjudicator.table import GameTable
from referee.core.account import STATED, Event
from referee.core.finding import Finding
from referee.core.location import Location
from referee.core.play import Move, When
from referee.logs.fire import FireInLog
from referee.logs.gaps import last_excess
from referee.logs.ship_under_audit import ShipUnderAudit


def judge_after_end(
    table: GameTable,
    ships: Iterable[ShipUnderAudit],
    marks: Mapping[str, Sequence[Marking]],
    strikes: Mapping[str, Sequence[Strike]],
    moves: Iterable[Move],
    fired: FireInLog,
) -> Iterator[Finding]:
    """What is against ships in the impulses after that of their end. More struck such a ship than it has boxes, and its
    display shows no box of excess damage left."""
    ended = {ship.ship.name: end for ship in ships if (end := _end(ship, marks, strikes)) is not None}
    for name, when, place, does in _done(moves, fired) if ended else ():
        end = ended.get(name)
        if end is not None and (when.turn or 0, when.impulse or 0) > (end.turn or 0, end.impulse or 0):
            stated = {"what": "order of the dead", "ship": name, "order": does}
            yield from table.take(Event(place.step or 0, STATED, stated, at=place, when=when))


def _end(
    ship: ShipUnderAudit, marks: Mapping[str, Sequence[Marking]], strikes: Mapping[str, Sequence[Strike]]
) -> When | None:
    """When a ship was destroyed, where that is sure."""
    name, struck = ship.ship.name, Struck(ship.rulebook)
    if last_excess(ship.chosen, marks.get(name, ())) is None:
        return None
    for strike in sorted(strikes.get(name, ()), key=lambda strike: strike.step):
        for volley in strike.volleys:
            points, shield = volley.order.points, volley.order.shield
            if points and shield and struck.hit(name, ship.chosen, points, shield) == "destroyed":
                return strike.when
    return None


def _done(moves: Iterable[Move], fired: FireInLog) -> Iterator[tuple[str, When, Location, str]]:
    """What ships did: who, when, where it stands, and what it is called."""
    for move in moves:
        yield move.ship, move.when, move.location, "moves"
    for declared in (shot for row, _ in fired.rows for shot in row):
        yield declared.firer.name, declared.when, declared.place, "fires"
    for declared in fired.launched:
        yield declared.firer.name, declared.when, declared.place, "launches"
