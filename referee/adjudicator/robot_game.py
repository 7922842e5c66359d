"""A game on a board of its own: orders put it on, and a robot finds its situation and its seat there."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any, Literal

from referee.adjudicator.policies import Policy
from referee.adjudicator.robot import Robot, Round
from referee.adjudicator.volley import resolve, volley_order
from referee.core.combat import CloakHistory, Moment
from referee.core.dice import Dice
from referee.core.errors import BadInput
from referee.core.hexgrid import FACINGS, Hex
from referee.core.orders import (
    Advance,
    Cloak,
    Fire,
    Hit,
    ImpulseBegins,
    Launch,
    Order,
    OrdersFile,
    Placement,
    SetSpeed,
    TurnBegins,
    Uncloak,
    Way,
    without_undone,
)
from referee.core.play import ShipInPlay, moved, turn_begun
from referee.core.robot import Flown, Memory, Situation
from referee.core.ship import ShipClass
from referee.core.state import new_state
from referee.core.volley import VolleyOrder, VolleyResult
from referee.rulebooks.base import nearest

LoadShip = Callable[[str], ShipClass]
CHOOSES = Policy("protect-weapons")
SIXTHS: Mapping[Way, int] = {"ahead": 0, "left": -1, "right": 1}


class RobotGame:
    """Ships on a board as orders leave them. `robots` are those flown by the robot's rules; `dice` decide what
    hits cost where the rulebook rolls for it."""

    def __init__(
        self,
        robot: Robot,
        ships: Iterable[Flown],
        within: tuple[Hex, Hex],
        robots: Iterable[str],
        dice: Dice | None = None,
    ) -> None:
        self.robot = robot
        self.within = within
        self.robots = frozenset(robots)
        self.dice = dice
        self.turn = self.impulse = 0
        self.impulses: int = robot.movement.of
        self.flown = {one.name: one for one in ships}
        self.memory = dict.fromkeys(self.flown, Memory())
        self.locks: dict[str, dict[str, bool | None]] = {}
        self._hidden: dict[str, CloakHistory] = {}
        self._said: set[str] = set()
        self._moved: set[str] = set()
        book = robot.rulebook
        self._struck_robot = book.with_options({"robot_ship": "true"} if "robot_ship" in book.options else {})

    # -- what stands on it ---------------------------------------------------------------

    def situation(self, name: str) -> Situation:
        """The game as one ship stands in it."""
        for hidden in self._hidden.values():
            cloak = self.robot.rulebook.offers.cloak_at(
                self.robot.rulebook, hidden, Moment(self.turn, self.impulse)
            )
            self.flown[hidden.ship] = replace(self.flown[hidden.ship], cloak=cloak)
        robot = self.flown[name]
        return Situation(
            self.turn,
            self.impulse,
            self.impulses,
            robot,
            tuple(one for one in self.flown.values() if opposed(robot, one)),
            self.within,
            self.memory[name],
            self.locks.get(name, {}),
        )

    def called(self) -> tuple[tuple[str, Any], ...]:
        """The ships called on this impulse that have not moved, first in the order of movement first."""
        movement = self.robot.movement
        if not self.impulse:
            return ()
        there = [one for one in self.flown.values() if not one.state.dead and one.name not in self._moved]
        rated = [
            (one.name, movement.rating(one.ship, one.unit))
            for one in there
            if movement.called(one.unit, self.impulse)
        ]
        unknown = [name for name, place in rated if place is None]
        if unknown:
            raise BadInput(f"the turn mode of {unknown[0]} at its speed is not known")
        return tuple(sorted(rated, key=lambda one: one[1]))

    def seat(self, name: str) -> _Seat:
        """A ship's seat at the game."""
        return _Seat(self, name)

    def speed_said(self, name: str) -> bool:
        """Has a ship's speed of this turn been said?"""
        return name in self._said

    # -- orders --------------------------------------------------------------------------

    def take(self, order: Order) -> None:
        """An order or a marker. Raises BadInput for a ship that is not there."""
        match order:
            case TurnBegins(turn=turn):
                self._close()
                self.turn, self.impulse = turn, 0
                self._said = set()
                self.locks = {}
                self.flown = {n: replace(one, unit=turn_begun(one.unit)) for n, one in self.flown.items()}
                self.memory = {name: memory.turn_begun() for name, memory in self.memory.items()}
            case ImpulseBegins(impulse=impulse):
                self._close()
                self.impulse = impulse
                self._moved = set()
            case SetSpeed(ship=name, speed=speed):
                self._place(name, replace(self._ship(name).unit, speed=speed))
                self._said.add(name)
            case Advance(ship=name, way=way):
                self._advance(name, way)
            case Fire(ship=name, weapons=weapons):
                self.memory[name] = self.memory[name].after_fire(weapons, Moment(self.turn, self.impulse))
            case Launch(ship=name, weapon=weapon):
                self.memory[name] = self.memory[name].after_launch(weapon, Moment(self.turn, self.impulse))
            case Cloak(ship=name):
                self._announce(name, "cloak")
            case Uncloak(ship=name):
                self._announce(name, "uncloak")
            case Hit(ship=name, points=points, shield=shield, direction=direction):
                where = ((None, direction),) if direction else ()
                self.strike(name, volley_order(points, shield=shield, directions=where))

    def _ship(self, name: str) -> Flown:
        if name not in self.flown:
            raise BadInput(f"no ship {name} is placed", hint=nearest(name, self.flown))
        return self.flown[name]

    def _place(self, name: str, unit: ShipInPlay) -> None:
        self.flown[name] = replace(self.flown[name], unit=unit)

    def _advance(self, name: str, way: Way) -> None:
        unit = self._ship(name).unit
        assert unit.hex is not None and unit.facing is not None
        bow = FACINGS[(FACINGS.index(unit.facing) + SIXTHS[way]) % len(FACINGS)]
        self._place(name, moved(unit, unit.hex.step(bow), bow, self.impulse))
        self._moved.add(name)
        self.memory[name] = self.memory[name].after_move(way)

    def _announce(self, name: str, what: Literal["cloak", "uncloak"]) -> None:
        """A cloak is announced; it is taken as paid for in that turn."""
        before = self._hidden.get(name, CloakHistory(self._ship(name).name, self.impulses))
        announced = (*before.announced, (Moment(self.turn, self.impulse), what))
        self._hidden[name] = replace(before, paid=before.paid | {self.turn}, announced=announced)

    def strike(self, name: str, order: VolleyOrder) -> VolleyResult | None:
        """A volley on a ship; one that is gone takes no more. Raises BadInput where dice are wanting."""
        one = self._ship(name)
        if one.state.dead:
            return None
        book = self._struck_robot if name in self.robots else self.robot.rulebook
        dice = _NoDice() if self.dice is None else self.dice
        result = resolve(book, one.ship, one.state, order, dice, CHOOSES)
        self.flown[name] = replace(one, state=result.state)
        return result

    def _close(self) -> None:
        """The impulse ends: whoever came to its Primary Fire Point in it remembers that."""
        if not self.impulse:
            return
        for name in self.robots:
            asked = self.memory[name].primary is None and not self.flown[name].state.dead
            if asked and self.robot.at_point(self.situation(name)):
                self.memory[name] = self.memory[name].after_point(self.impulse)


class _Seat:
    """A robot's place at the board."""

    def __init__(self, game: RobotGame, name: str) -> None:
        self._game = game
        self._name = name

    def round(self) -> Round:
        """Where the game stands."""
        game = self._game
        return Round(game.situation(self._name), game.speed_said(self._name), game.called())

    def reaches(self, kind: str) -> tuple[str, ...]:
        """Nothing strikes on the way: an orders file has no dice."""
        return ()

    def take(self, order: Order) -> None:
        """An order or a marker."""
        self._game.take(order)


class _NoDice:
    """No dice: what needs them cannot be told."""

    source = "none"

    def roll(self, count: int, sides: int) -> int:
        """Raises BadInput."""
        raise BadInput(f"what hits cost is rolled on {count}d{sides}", hint="give it dice: --seed TEXT")


def opposed(robot: Flown, other: Flown) -> bool:
    """Does a robot play against a ship? One of another side, or of none, that has an SSD to mark."""
    same = robot.unit.side and robot.unit.side == other.unit.side
    return other.name != robot.name and not same and bool(other.ship.boxes)


def board_of(
    robot: Robot,
    orders: OrdersFile,
    load_ship: LoadShip,
    robots: Iterable[str],
    within: tuple[Hex, Hex],
    dice: Dice | None = None,
) -> RobotGame:
    """The board an orders file leaves. Raises BadInput, with its place, for an order that cannot be played."""
    if orders.problems:
        first = orders.problems[0]
        raise BadInput(
            f"{first.text}: {first.reason}",
            file=orders.location.file,
            place=f"line {first.location.line}",
            hint=first.hint,
        )
    ships = [flown_of(placed, load_ship) for placed in orders.ships]
    game = RobotGame(robot, ships, within, robots, dice)
    standing, _ = without_undone(orders.orders)
    drones = {drone.name for drone in orders.drones}
    drones |= {order.name for order in standing if isinstance(order, Launch)}
    for order in standing:
        if not isinstance(order, TurnBegins | ImpulseBegins) and order.ship in drones:
            continue
        try:
            game.take(order)
        except BadInput as error:
            place = error.place or f"line {order.location.line}"
            raise error.at(file=orders.location.file, place=place) from None
    return game


def flown_of(placed: Placement, load_ship: LoadShip) -> Flown:
    """A ship as it was placed, whole; its speed is that of the turn before."""
    ship = load_ship(placed.class_id)
    unit = ShipInPlay(placed.ship, ship.id, placed.hex, placed.facing, placed.side, speed=placed.speed)
    return Flown(ship, unit, new_state(ship))
