"""Ships of a log that may be destroyed, their counters still on the map (D4.4): the display shows no box of excess
damage left, or as much struck the ship and was never marked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from referee.adjudicator.damage_told import Struck
from referee.adjudicator.hits_on_ship import Strike
from referee.adjudicator.repairs import Marking
from referee.core.finding import Finding, Unknown
from referee.core.frozen import frozen
from referee.core.play import Move, When
from referee.core.ship import ShipClass
from referee.core.state import live_boxes
from referee.logs.doubt import Asks, Doubt
from referee.logs.ship_under_audit import ShipUnderAudit


def last_excess(ship: ShipClass, marks: Sequence[Marking]) -> Marking | None:
    """The mark by which a ship's display came to show no box of excess damage left, and has shown none since."""
    if not ship.box_ids("excess"):
        return None
    found: Marking | None = None
    for mark in marks:
        if live_boxes(ship, mark.after, "excess"):
            found = None
        elif found is None:
            found = mark
    return found


def last_strike(
    one: ShipUnderAudit, marks: Sequence[Marking], strikes: Iterable[Strike], *, surely: bool = False
) -> Strike | None:
    """What struck a ship and may have destroyed it, with all before it, where nothing of it was ever marked; with
    `surely`, where no ship of its class lives through it."""
    struck = Struck(one.book)
    for strike in sorted(strikes, key=lambda strike: strike.step):
        if any(mark.step >= strike.step for mark in marks):
            return None  # The display tells what became of it.
        for volley in strike.volleys:
            points, shield = volley.order.points, volley.order.shield
            if not points or shield is None:
                continue
            fate = struck.hit(one.ship.name, one.chosen, points, shield)
            if fate == "destroyed" or (fate == "perhaps destroyed" and not surely):
                return strike
    return None


@frozen
class _Lost:
    """Since when a ship may be destroyed, and by what."""

    step: int
    when: When
    why: str


def _lost(one: ShipUnderAudit, marks: Sequence[Marking], strikes: Iterable[Strike]) -> _Lost | None:
    if (mark := last_excess(one.chosen, marks)) is not None:
        shown = f"its display shows no box of excess damage left from step {mark.step} on"
        return _Lost(mark.step, mark.when, shown)
    if (strike := last_strike(one, marks, strikes)) is not None:
        return _Lost(strike.step, strike.when, f"what struck it by step {strike.step} is not marked")
    return None


def perhaps_lost(
    ships: Iterable[ShipUnderAudit],
    marks: Mapping[str, Sequence[Marking]],
    strikes: Mapping[str, Sequence[Strike]],
    moves: Iterable[Move],
) -> Asks:
    """No ship that may be destroyed is asked why it does not move: one that is destroyed is off the map at the instant
    (D4.41), whatever its counter does. One that moves since is alive."""
    made = list(moves)
    lost: dict[tuple[str, str], _Lost] = {}
    for one in ships:
        name = one.ship.name
        found = _lost(one, marks.get(name, ()), strikes.get(name, ()))
        if found and not any(move.ship == name and (move.location.step or 0) > found.step for move in made):
            lost[one.book.named.move_missed, name] = found

    def asks(missed: Finding) -> Doubt | None:
        since = lost.get((missed.key, missed.subject))
        if since is None or (missed.turn or 0, missed.impulse or 0) < (
            since.when.turn or 0,
            since.when.impulse or 0,
        ):
            return None
        return Doubt(Unknown(f"{since.why}: it may be destroyed, and is then off the map"))

    return asks
