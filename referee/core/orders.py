"""The order language: what a player can say to the referee, in a file, in chat or at the table.

An order names the ship it concerns and remembers where it was said; where it was said is no part
of what it says, so two orders are equal wherever they stand.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import field
from fractions import Fraction
from typing import Literal, Protocol, TypeVar

from referee.core.frozen import frozen
from referee.core.hexgrid import Hex
from referee.core.location import Location

Way = Literal["ahead", "left", "right"]
WAYS: tuple[Way, ...] = ("ahead", "left", "right")


NOWHERE = Location()


@frozen
class Placement:
    """A ship at the start: its class, where it is, and its speed in the turn before the first."""

    ship: str
    class_id: str
    hex: Hex
    facing: str
    speed: int | None = None
    side: str = ""
    location: Location = field(default=NOWHERE, compare=False)


@frozen
class DronePlaced:
    """A drone on the map at the start: straight ahead, or after the ship it names."""

    name: str
    hex: Hex
    facing: str
    speed: int
    target: str = ""
    side: str = ""
    location: Location = field(default=NOWHERE, compare=False)


@frozen
class TurnBegins:
    """`turn 2`"""

    turn: int
    location: Location = field(default=NOWHERE, compare=False)


@frozen
class ImpulseBegins:
    """`impulse 7`"""

    impulse: int
    location: Location = field(default=NOWHERE, compare=False)


@frozen
class SetSpeed:
    """`speed 13`: the speed of this turn, hexes a turn."""

    ship: str
    speed: int
    location: Location = field(default=NOWHERE, compare=False)


@frozen
class Advance:
    """`ahead`, `left` or `right`: the last two turn 60 degrees first; then one hex ahead (C3.1). `leave the map` is
    such a move, ahead unless it says `left` or `right`, that is meant to end beyond the edge (`leaves`)."""

    ship: str
    way: Way
    location: Location = field(default=NOWHERE, compare=False)
    leaves: bool = False


@frozen
class Fire:
    """`fire PH-1/A, PHOT/B at Destruction`; `on 2` where it strikes on the corner of two shields."""

    ship: str
    weapons: tuple[str, ...]
    target: str
    shield: int | None = None
    location: Location = field(default=NOWHERE, compare=False)


@frozen
class Launch:
    """`launch DRN/1 at Constellation`; `name` is what the seeker is called in an orders file."""

    ship: str
    weapon: str
    target: str
    location: Location = field(default=NOWHERE, compare=False)
    name: str = field(default="", compare=False)


@frozen
class Hit:
    """`hit 21 on 1 from LF`: damage to the ship itself, on a shield, from a direction if said."""

    ship: str
    points: int
    shield: int
    direction: str = ""
    location: Location = field(default=NOWHERE, compare=False)


@frozen
class UseBattery:
    """`battery 1 for PH-1A`: points of charged batteries, used in the turn for weapons (line 21)."""

    ship: str
    points: Fraction
    weapons: tuple[str, ...]
    location: Location = field(default=NOWHERE, compare=False)


@frozen
class DroneHit:
    """`hit 5` of a seeker: the points that the fire of the impulse scored on it."""

    ship: str
    points: int
    location: Location = field(default=NOWHERE, compare=False)


@frozen
class LockOn:
    """`lock on Constellation`: a try for lock-on with a damaged sensor; with its roll where that is told."""

    ship: str
    target: str
    roll: int | None = None
    location: Location = field(default=NOWHERE, compare=False)


@frozen
class Cloak:
    """`cloak`: the cloak begins to fade the ship out."""

    ship: str
    location: Location = field(default=NOWHERE, compare=False)


@frozen
class Uncloak:
    """`uncloak`: it begins to fade in."""

    ship: str
    location: Location = field(default=NOWHERE, compare=False)


@frozen
class HoldFire:
    """`hold fire`: it fires nothing in this impulse."""

    ship: str
    location: Location = field(default=NOWHERE, compare=False)


@frozen
class Seal:
    """`seal CODE`: the code of a sealed order that is shown later."""

    ship: str
    code: str
    location: Location = field(default=NOWHERE, compare=False)


@frozen
class Undo:
    """`undo`: takes back the ship's last order of this impulse."""

    ship: str
    location: Location = field(default=NOWHERE, compare=False)


@frozen
class Status:
    """`status`: asks what is left of the ship."""

    ship: str
    location: Location = field(default=NOWHERE, compare=False)


@frozen
class Help:
    """`help`: asks what can be said."""

    ship: str
    location: Location = field(default=NOWHERE, compare=False)


Marker = TurnBegins | ImpulseBegins
ShipOrder = (
    SetSpeed
    | Advance
    | Fire
    | Launch
    | Hit
    | UseBattery
    | DroneHit
    | LockOn
    | Cloak
    | Uncloak
    | HoldFire
    | Seal
    | Undo
    | Status
    | Help
)
Order = Marker | ShipOrder


@frozen
class OrderProblem:
    """A line that was not understood, why, and what would have been."""

    text: str
    reason: str
    hint: str = ""
    location: Location = field(default=NOWHERE, compare=False)

    def __str__(self) -> str:
        return f"{self.reason}; {self.hint}" if self.hint else self.reason


@frozen
class OrdersFile:
    """What an orders file says: how the game is played, the ships, then every order in its order."""

    rulebook: str = ""
    impulses: int | None = None
    options: tuple[tuple[str, str], ...] = ()
    ships: tuple[Placement, ...] = ()
    orders: tuple[Order, ...] = ()
    problems: tuple[OrderProblem, ...] = ()
    location: Location = field(default=NOWHERE, compare=False)
    drones: tuple[DronePlaced, ...] = ()


class OfShip(Protocol):
    """Anything said for a ship."""

    @property
    def ship(self) -> str: ...


Spoken = TypeVar("Spoken", bound=OfShip)


def without_undone(orders: Iterable[Order]) -> tuple[tuple[Order, ...], tuple[Undo, ...]]:
    """The orders that stand, and those `undo`s that found nothing of their ship in the impulse to undo."""
    standing, undone = orders_and_undone(orders)
    return tuple(standing), tuple(undo for undo, order in undone if order is None)


def orders_and_undone(
    orders: Iterable[Order | Spoken],
) -> tuple[list[Order | Spoken], list[tuple[Undo, Order | Spoken | None]]]:
    """The orders that stand, and each `undo` with what it took back: nothing where its ship has ordered nothing
    in the impulse. What else is said for a ship is taken back like an order."""
    standing: list[Order | Spoken] = []
    undone: list[tuple[Undo, Order | Spoken | None]] = []
    for order in orders:
        if not isinstance(order, Undo):
            standing.append(order)
            continue
        last = last_of(order.ship, standing)
        undone.append((order, None if last is None else standing.pop(last)))
    return standing, undone


def last_of(ship: str, orders: Sequence[Order | Spoken]) -> int | None:
    """Where, among orders that stand, the one is that an `undo` of a ship takes back: its last of the impulse."""
    for n in range(len(orders) - 1, -1, -1):
        order = orders[n]
        if isinstance(order, TurnBegins | ImpulseBegins):
            return None
        if order.ship == ship and not isinstance(order, Status | Help):
            return n
    return None


def in_words(order: Order) -> str:
    """An order as it is said."""
    match order:
        case TurnBegins(turn=turn):
            return f"turn {turn}"
        case ImpulseBegins(impulse=impulse):
            return f"impulse {impulse}"
        case SetSpeed(speed=speed):
            words = f"speed {speed}"
        case Advance(way=way, leaves=leaves):
            words = way if not leaves else "leave the map" + (f" {way}" if way != "ahead" else "")
        case Fire(weapons=weapons, target=target, shield=shield):
            on = "" if shield is None else f" on {shield}"
            words = f"fire {', '.join(weapons)} at {target}{on}"
        case Launch(weapon=weapon, target=target):
            words = f"launch {weapon} at {target}"
        case Hit(points=points, shield=shield, direction=direction):
            words = f"hit {points} on {shield}{f' from {direction}' if direction else ''}"
        case UseBattery(points=points, weapons=weapons):
            words = f"battery {points} for {', '.join(weapons)}"
        case DroneHit(points=points):
            words = f"hit {points}"
        case LockOn(target=target, roll=roll):
            words = f"lock on {target}{'' if roll is None else f' {roll}'}"
        case Seal(code=code):
            words = f"seal {code}"
        case HoldFire():
            words = "hold fire"
        case _:
            words = type(order).__name__.casefold()
    return f"{order.ship}: {words}"


ReadOrders = Callable[[Sequence[str], str, Sequence[str]], Sequence[Order | OrderProblem]]
"""Reads lines of the order language, said for a ship, among the names there are."""


def not_read(lines: Sequence[str], ship: str, names: Sequence[str]) -> Sequence[Order | OrderProblem]:
    """Reads nothing: every line is one that is not understood."""
    return [OrderProblem(line, "sealed orders are not read here") for line in lines]
