"""What a log leaves open when its dice are read and its displays: told to the table as gaps, beside the steps that could
not be read, of which the module of these tells.

It leaves open whether a shot was called off, which damage was done and not marked, and whether a ship is destroyed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from referee.adjudicator.damage_told import Struck
from referee.adjudicator.hits_on_ship import Strike, comes_through, waiting
from referee.adjudicator.repairs import Marking
from referee.adjudicator.rolled_fire import Row
from referee.core.finding import Perhaps, Unknown
from referee.core.frozen import frozen
from referee.core.gap import Gap
from referee.core.play import Move, When
from referee.core.ship import ShipClass
from referee.core.state import live_boxes
from referee.formats.vassal.gathered import Logged
from referee.logs.dice import Paired
from referee.logs.ship_under_audit import ShipUnderAudit

_MOST = 12  # steps that are named


# -- fire that was perhaps called off ------------------------------------------------------


def called_off(rows: Sequence[Row], paired: Paired, unclear: Collection[int] = ()) -> Iterator[Gap]:
    """The shots before which their weapon is said to have fired, and for that earlier shot no dice fell, while they did
    for this one; none whose order was given in a step among the `unclear`."""
    before: dict[str, bool] = {}
    for row, fire in enumerate(rows):
        for place, (declared, shot, _) in enumerate(fire.shots()):
            weapon, step = f"{declared.firer.name} {shot.weapon}", declared.place.step or 0
            rolled = (row, place) in paired.dice and declared.place.step not in unclear
            if rolled and before.get(weapon) is False:
                yield Gap(
                    "earlier fire",
                    Perhaps("no dice fell for that shot, which may have been called off"),
                    weapon,
                    steps=(step, step + 1),
                    fix="tell it with !undo before the next fire, where the earlier shot was called off",
                )
            before[weapon] = rolled


# -- damage that is not marked --------------------------------------------------------------


def not_marked(
    logged: Logged, ship: ShipUnderAudit, strikes: Sequence[Strike], marks: Sequence[Marking]
) -> dict[int, Gap]:
    """The turns of a ship before which it was struck through its shields and not marked when they began."""
    found: dict[int, Gap] = {}
    begun = {at.turn: at.step for at in logged.forms}
    for energy in ship.energy if strikes else ():
        unseen = waiting(strikes, marks, begun.get(energy.turn, logged.final.step))
        if comes_through(unseen, energy.facts.known.at_start.shields):
            steps = ", ".join(str(strike.step) for strike in unseen[:_MOST])
            found[energy.turn] = Gap(
                "marks",
                Perhaps(f"damage by the fire of step {steps} is not marked"),
                ship.ship.name,
                fix="mark the damage on the display, box by box",
            )
    return found


# -- ships that may be destroyed --------------------------------------------------------------


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
    ship: ShipUnderAudit, marks: Sequence[Marking], strikes: Iterable[Strike], *, surely: bool = False
) -> Strike | None:
    """What struck a ship and may have destroyed it, with all before it, where nothing of it was ever marked; with
    `surely`, where no ship of its class lives through it."""
    struck = Struck(ship.rulebook)
    for strike in sorted(strikes, key=lambda strike: strike.step):
        if any(mark.step >= strike.step for mark in marks):
            return None  # The display tells what became of it.
        for volley in strike.volleys:
            points, shield = volley.order.points, volley.order.shield
            if not points or shield is None:
                continue
            fate = struck.hit(ship.ship.name, ship.chosen, points, shield)
            if fate == "destroyed" or (fate == "perhaps destroyed" and not surely):
                return strike
    return None


@frozen
class _Lost:
    """Since when a ship may be destroyed, and by what."""

    step: int
    when: When
    why: str


def _lost(ship: ShipUnderAudit, marks: Sequence[Marking], strikes: Iterable[Strike]) -> _Lost | None:
    if (mark := last_excess(ship.chosen, marks)) is not None:
        shown = f"its display shows no box of excess damage left from step {mark.step} on"
        return _Lost(mark.step, mark.when, shown)
    if (strike := last_strike(ship, marks, strikes)) is not None:
        return _Lost(strike.step, strike.when, f"what struck it by step {strike.step} is not marked")
    return None


def perhaps_lost(
    ships: Iterable[ShipUnderAudit],
    marks: Mapping[str, Sequence[Marking]],
    strikes: Mapping[str, Sequence[Strike]],
    moves: Iterable[Move],
) -> Iterator[Gap]:
    """No ship that may be destroyed is asked why it does not move: one that is destroyed is off the map at the instant
    (D4.41), whatever its counter does. One that moves since is alive."""
    made = list(moves)
    for ship in ships:
        name = ship.ship.name
        found = _lost(ship, marks.get(name, ()), strikes.get(name, ()))
        if found and not any(move.ship == name and (move.location.step or 0) > found.step for move in made):
            why = f"{found.why}: it may be destroyed, and is then off the map"
            since = found.when.turn or 0, found.when.impulse or 0
            yield Gap("moves made", Unknown(why), name, moments=(since, None))
