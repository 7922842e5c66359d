"""What is left of a ship: a fold of the events that happened to it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from fractions import Fraction
from functools import reduce
from types import MappingProxyType

from referee.core.events import (
    ArmorHit,
    BoxDestroyed,
    BoxRestored,
    Event,
    Reinforced,
    ShieldHit,
    ShieldRestored,
    ShipDestroyed,
    ShuttleLost,
    WeaponFired,
)
from referee.core.frozen import frozen, replace
from referee.core.ship import TRACKS, ShipClass


@frozen
class ShipState:
    """One ship in play. Shields count boxes left; `destroyed` names the boxes that are gone.

    `batteries` and `capacitor` are energy points held, `tubes` the energy put into each heavy
    weapon so far by turn, `speed` the hexes a turn it last moved at; None means not known.
    """

    ship: str
    shields: Mapping[int, int]
    destroyed: frozenset[str] = frozenset()
    dead: bool = False
    shuttles_away: frozenset[str] = frozenset()
    batteries: Fraction | None = None
    capacitor: Fraction | None = None
    tubes: Mapping[str, tuple[Fraction, ...]] = field(default_factory=lambda: MappingProxyType({}))
    speed: Fraction | None = None
    shields_down: bool = False
    """Nothing was paid for the shields this turn: what is left of them stops nothing."""


def new_state(ship: ShipClass) -> ShipState:
    """A ship of the class, whole, with nothing yet known of its energy."""
    return ShipState(ship=ship.id, shields=dict(ship.shields))


def live_boxes(ship: ShipClass, state: ShipState, system: str) -> tuple[str, ...]:
    """The undestroyed boxes of a system, in the order of the SSD."""
    boxes = ship.box_ids(system)
    if not state.destroyed or state.destroyed.isdisjoint(boxes):
        return boxes
    return tuple(box for box in boxes if box not in state.destroyed)


def best_of_track(ship: ShipClass, state: ShipState, track: str) -> int | None:
    """The number of a track's first live box: its rating; None for a ship without the track."""
    numbers = ship.tracks.get(track, ())
    live = live_boxes(ship, state, track)
    return numbers[int(live[0].partition("/")[2]) - 1] if live else None


def hittable_boxes(ship: ShipClass, state: ShipState, system: str) -> tuple[str, ...]:
    """The boxes of a system a hit may destroy now.

    A track dies from its best box down, and its last box never does (D4.33); the excess damage
    track dies in order too.
    """
    live = live_boxes(ship, state, system)
    if system in TRACKS:
        return live[:1] if len(live) > 1 else ()
    return live[:1] if system == "excess" else live


def apply(state: ShipState, event: Event) -> ShipState:
    """The state after an event. Raises TypeError for an event it does not know."""
    match event:
        case Reinforced() | WeaponFired():
            return state
        case ShieldHit(shield=shield, points=points):
            shields = dict(state.shields)
            shields[shield] = shields.get(shield, 0) - points
            return replace(state, shields=shields)
        case ArmorHit(boxes=boxes):
            return replace(state, destroyed=state.destroyed.union(boxes))
        case BoxDestroyed(box=box):
            return replace(state, destroyed=state.destroyed | {box})
        case ShuttleLost(box=box):
            return replace(state, shuttles_away=state.shuttles_away | {box})
        case ShipDestroyed():
            return replace(state, dead=True)
        case ShieldRestored(shield=shield, points=points):
            return replace(state, shields={**state.shields, shield: state.shields.get(shield, 0) + points})
        case BoxRestored(box=box):
            return replace(state, destroyed=state.destroyed - {box})
    raise TypeError(f"no event {event!r}")


def fold(state: ShipState, events: tuple[Event, ...]) -> ShipState:
    """The state after a row of events."""
    return reduce(apply, events, state)
