"""Ships in play: where each is, how it faces and moves. A fold of the events of movement.

What fire, cloak and seekers need joins here as further fields and events; `state` is what is left
of the ship itself.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field, replace
from fractions import Fraction
from functools import reduce
from typing import Literal

from referee.core.frozen import frozen, maker
from referee.core.hexgrid import Hex, true_range
from referee.core.location import Location
from referee.core.location import When as When
from referee.core.state import ShipState

Counting = Literal["start", "turn", "unknown"]
"""Since when hexes straight ahead are counted: the scenario's start, the last turn of 60 degrees, or
some moment before which nothing is known."""

Kind = Literal["ship", "shuttle", "seeker"]


@frozen
class Drag:
    """A counter was dragged in a step of a log, and put right or taken back in a later one; `anew` where the move
    that counts is another choice than this one shows."""

    step: int
    until: int
    anew: bool


@frozen
class Move:
    """One move as it was made: from where to where, how the unit faced before and after.

    `drags` are those of its counter in the impulse before the one that counts, as a log tells them.
    """

    ship: str
    when: When
    from_hex: Hex
    to_hex: Hex
    facing_before: str | None
    facing_after: str | None
    location: Location = field(default_factory=Location, compare=False)
    drags: tuple[Drag, ...] = field(default=(), compare=False)
    slipped: bool = False
    """Is it said to be a sideslip, which is of other rules than these?"""


@frozen
class ShipInPlay:
    """One unit in play.

    `speed` is that of this turn and `previous_speed` that of the turn before, hexes a turn; None is
    not known. `turn_hex` is 1 if the hex entered on the last turn of 60 degrees was entered in this
    turn of play, `straight` counts the hexes entered straight ahead after it in this turn of play,
    `carried` all hexes counted in earlier turns of play. `start_speed` is the speed at the first move.
    """

    name: str
    class_id: str
    hex: Hex | None = None
    facing: str | None = None
    side: str = ""
    kind: Kind = "ship"
    speed: int | Fraction | None = None
    previous_speed: int | Fraction | None = None
    start_speed: int | Fraction | None = None
    counting: Counting = "start"
    turn_hex: int = 0
    straight: int = 0
    carried: int = 0
    moved: int = 0
    moved_on: int | None = None
    sealed: str = ""
    state: ShipState | None = None


@frozen
class TurnBegun:
    """A turn of play begins: counts of the turn start again, what was straight is carried."""

    turn: int


@frozen
class ImpulseBegun:
    """An impulse begins."""

    impulse: int


@frozen
class SpeedSet:
    """A ship's speed of this turn, hexes a turn; None for not known."""

    ship: str
    speed: int | Fraction | None


@frozen
class ShipMoved:
    """A unit stands in a hex and faces a way it may not have before."""

    ship: str
    hex: Hex
    facing: str | None


@frozen
class OrderSealed:
    """A ship's owner has sealed its next move."""

    ship: str
    code: str


MovementEvent = TurnBegun | ImpulseBegun | SpeedSet | ShipMoved | OrderSealed


@frozen
class Play:
    """All units in play, at a moment. `impulse` 0 is before the first."""

    ships: tuple[ShipInPlay, ...] = ()
    turn: int = 0
    impulse: int = 0

    def ship(self, name: str) -> ShipInPlay | None:
        """The unit of that name, or None."""
        return next((ship for ship in self.ships if ship.name == name), None)


def apply(play: Play, event: MovementEvent) -> Play:
    """The play after an event. Raises TypeError for an event it does not know, KeyError for a ship."""
    match event:
        case TurnBegun(turn=turn):
            return Play(tuple(turn_begun(ship) for ship in play.ships), turn)
        case ImpulseBegun(impulse=impulse):
            return replace(play, impulse=impulse)
        case SpeedSet(ship=name, speed=speed):
            return _with(play, name, speed=speed)
        case OrderSealed(ship=name, code=code):
            return _with(play, name, sealed=code)
        case ShipMoved(ship=name, hex=hex, facing=facing):
            ships = tuple(
                moved(ship, hex, facing, play.impulse) if ship.name == name else ship for ship in play.ships
            )
            return replace(play, ships=ships)
    raise TypeError(f"no event {event!r}")


def fold(play: Play, events: Iterable[MovementEvent]) -> Play:
    """The play after a row of events."""
    return reduce(apply, events, play)


def _with(play: Play, name: str, **facts: int | Fraction | str | None) -> Play:
    if play.ship(name) is None:
        raise KeyError(name)
    changed = (
        replace(ship, **facts) if ship.name == name else ship  # type: ignore[arg-type]
        for ship in play.ships
    )
    return replace(play, ships=tuple(changed))


_ship = maker(ShipInPlay)


def turn_begun(ship: ShipInPlay) -> ShipInPlay:
    """A ship at the beginning of a turn: as fast as in the one before, until it says otherwise."""
    return _ship(
        ship.name,
        ship.class_id,
        ship.hex,
        ship.facing,
        ship.side,
        ship.kind,
        ship.speed,
        ship.speed,
        ship.start_speed,
        ship.counting,
        carried=ship.carried + ship.turn_hex + ship.straight,
        sealed=ship.sealed,
        state=ship.state,
    )


def at_speed(ship: ShipInPlay, speed: int | Fraction | None) -> ShipInPlay:
    """A ship whose speed of this turn, hexes a turn, is said; None is not known."""
    return _ship(
        ship.name,
        ship.class_id,
        ship.hex,
        ship.facing,
        ship.side,
        ship.kind,
        speed,
        ship.previous_speed,
        ship.start_speed,
        ship.counting,
        ship.turn_hex,
        ship.straight,
        ship.carried,
        ship.moved,
        ship.moved_on,
        ship.sealed,
        ship.state,
    )


def moved(ship: ShipInPlay, hex: Hex, facing: str | None, impulse: int | None) -> ShipInPlay:
    """A ship after it moved. A turn starts the count anew; a move not straight ahead makes it unknown."""
    counting, turn_hex, straight, carried = ship.counting, ship.turn_hex, ship.straight, ship.carried
    if facing is None or ship.facing is None or ship.hex is None:
        counting, turn_hex, straight, carried = "unknown", 0, 0, 0
    elif facing != ship.facing:
        # Of a leap the hex that was entered as it turned is one.
        entered = ship.hex.leads_to(facing, hex) or true_range(ship.hex, hex) > 1
        counting, turn_hex, straight, carried = "turn", int(entered), 0, 0
    elif ship.hex.leads_to(facing, hex):
        straight += 1
    else:
        counting, turn_hex, straight, carried = "unknown", 0, 0, 0
    return _ship(
        ship.name,
        ship.class_id,
        hex,
        facing,
        ship.side,
        ship.kind,
        ship.speed,
        ship.previous_speed,
        ship.speed if ship.start_speed is None else ship.start_speed,
        counting,
        turn_hex,
        straight,
        carried,
        ship.moved + 1,
        impulse,
        "",
        ship.state,
    )


def gone_ahead(ship: ShipInPlay, hexes: int, hex: Hex, impulse: int) -> ShipInPlay:
    """A ship after it went so many hexes straight ahead, the last of them on an impulse: as if it `moved` each time."""
    return _ship(
        ship.name,
        ship.class_id,
        hex,
        ship.facing,
        ship.side,
        ship.kind,
        ship.speed,
        ship.previous_speed,
        ship.speed if ship.start_speed is None else ship.start_speed,
        ship.counting,
        ship.turn_hex,
        ship.straight + hexes,
        ship.carried,
        ship.moved + hexes,
        impulse,
        "",
        ship.state,
    )


def placed(ship: ShipInPlay, hex: Hex | None, facing: str | None, impulse: int | None) -> ShipInPlay:
    """A ship that was put somewhere. In its own hex it only turns; to and from the map it did not move, and
    how far it went straight ahead is no longer known."""
    if hex is None or ship.hex is None:
        return replace(ship, hex=hex, facing=facing, counting="unknown", turn_hex=0, straight=0, carried=0)
    if hex == ship.hex:
        return replace(ship, facing=facing, counting="turn", turn_hex=0, straight=0, carried=0)
    return moved(ship, hex, facing, impulse)


def put_by_ruling(
    ship: ShipInPlay, hex: Hex, facing: str, impulse: int | None, *, to_move: bool = False
) -> ShipInPlay:
    """A ship that stands where a ruling says. In another hex that is its move of the impulse, once; where it has still
    `to_move`, it stood there before, and how far it went straight ahead is not known."""
    if to_move:
        return replace(ship, hex=hex, facing=facing, counting="unknown", turn_hex=0, straight=0, carried=0)
    put = placed(ship, hex, facing, impulse)
    return replace(put, moved=ship.moved) if impulse is not None and ship.moved_on == impulse else put
