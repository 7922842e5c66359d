"""What tells in a log which drones its ships guide, and what else happened to the ships: tries for lock-on that were
said, marks and hits (D6.1)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field

from referee.adjudicator.declared_fire import Cloaks
from referee.adjudicator.hits_on_ship import Strike
from referee.adjudicator.repairs import Marking
from referee.adjudicator.sensors_seen import Display
from referee.core.account import DISPLAYED, Event
from referee.core.frozen import frozen
from referee.formats.vassal.gathered import Logged
from referee.logs.lock_on import LockSaid
from referee.logs.ship_under_audit import ShipUnderAudit
from referee.sources.ssd_display import seen_state


@frozen
class Guiding:
    """What a log tells of its `ships` that guide drones, by name: `marks` of their displays, tries for lock-on, cloaks,
    and `hits` that are said to have struck them."""

    logged: Logged
    ships: Mapping[str, ShipUnderAudit]
    marks: Mapping[str, tuple[Marking, ...]]
    locks: tuple[LockSaid, ...] = ()
    cloaks: Cloaks | None = None
    hits: Mapping[str, tuple[Strike, ...]] = field(default_factory=dict)

    def tried(self, ship: str, players: frozenset[str], turn: int) -> bool | None:
        """Did a ship try for lock-on in a turn? None where that is not known: its players never say so, it tried
        as the turn before ended, or a die was rolled as the turn began that may be the try."""
        own = [lock.when for lock in self.locks if lock.ship == ship]
        if any(when.turn == turn for when in own):
            return True
        last = max((impulse for t, impulse in self.logged.ends if t == turn - 1), default=None)
        if any((when.turn, when.impulse) == (turn - 1, last) for when in own):
            return None
        says_so = any(lock.speaker in players for lock in self.locks)
        rolled = any((roll.clock.turn, roll.clock.impulse) == (turn, 1) for roll in self.logged.rolled)
        return None if rolled or not says_so else False


def displays_shown(
    judged: Iterable[ShipUnderAudit], marks: Mapping[str, tuple[Marking, ...]]
) -> Iterator[Event]:
    """The displays of all ships, and what was marked on them."""
    for ship in judged:
        seen = seen_state(
            ship.chosen, ship.ship.boxes_left, ship.ship.shields, ship.rulebook.table("box_labels")
        )
        boxes = set(ship.chosen.box_ids("sensor"))
        shows = bool(boxes) and boxes <= seen.boxes
        display = Display(ship.chosen, ship.rulebook, seen.state, shows, marks.get(ship.ship.name, ()))
        yield Event(0, DISPLAYED, {"ship": ship.ship.name, "display": display})
