"""A scenario played out by robots on all sides: they order, the table judges and keeps the game, until it ends."""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any

from referee.adjudicator.dice_on_table import DiceOnTable
from referee.adjudicator.ordering import Ordering
from referee.adjudicator.record_forms import volley_due
from referee.adjudicator.record_seekers import hits_due
from referee.adjudicator.record_volley import entry_of_due
from referee.adjudicator.robot import Robot, orders_of
from referee.adjudicator.robot_orders import table_begun
from referee.adjudicator.robot_seat import TableSeat
from referee.adjudicator.standing import standing_in
from referee.adjudicator.table import GameTable
from referee.adjudicator.volleys_due import volleys_to_roll
from referee.core.combat import Moment, ShotResult
from referee.core.dice import Dice
from referee.core.finding import Finding
from referee.core.frozen import frozen
from referee.core.game import LOCK_ON, DueVolley, GameState
from referee.core.hexgrid import Hex
from referee.core.orders import Hit, ImpulseBegins, Order, OrdersFile, Seal, TurnBegins
from referee.core.robot import Decision, ShipSeen
from referee.core.scenario import Scenario, Victory, placement
from referee.core.ship import ShipClass
from referee.core.state import best_of_track
from referee.core.volley import VolleyResult
from referee.rulebooks.base import Rulebook

MOST_TURNS = 40
LoadShip = Callable[[str], ShipClass]


@frozen
class Duel:
    """A scenario that was played out: its orders, how it ended, the ships as they are left, every decision with its
    moment, every shot and strike that scored, every volley, what the table found against it, and the moment it
    ended."""

    orders: OrdersFile
    victory: Victory
    ships: tuple[ShipSeen, ...]
    decisions: tuple[tuple[Moment, Decision], ...]
    shots: tuple[ShotResult, ...]
    volleys: tuple[tuple[str, VolleyResult], ...]
    findings: tuple[Finding, ...]
    last: Moment


class Playing(ABC):
    """Robots on all sides of a game on the table. Who keeps the dice throws them (`roll`) and keeps what was put on
    the table (`kept`)."""

    def __init__(self, scenario: Scenario, table: GameTable, robot: Robot, within: tuple[Hex, Hex]) -> None:
        self.scenario = scenario
        self.table = table
        self.robot = robot
        self.ordering = Ordering(table, lambda ship: table.state.ships[ship].player)
        self.seats = {
            name: TableSeat(robot, self.ordering, table.load_ship, name, within) for name in self.state.ships
        }
        self.decisions: list[tuple[Moment, Decision]] = []

    @property
    def state(self) -> GameState:
        """The game now."""
        return self.table.state

    @property
    def now(self) -> Moment:
        """Turn and impulse."""
        turn, impulse, _ = self.table.moment
        return Moment(turn, impulse or 0)

    @property
    def ships(self) -> tuple[ShipSeen, ...]:
        """The ships as they are left."""
        state = self.state
        return tuple(seat.flown(state) for seat in self.seats.values())

    def alive(self) -> list[str]:
        """The robots that are left."""
        found = self.state.ships.values()
        return [ship.name for ship in found if not ship.state.dead and self.seats[ship.name].flies]

    def standing(self) -> Victory:
        """How the scenario stands."""
        return standing_in(self.scenario, self.state)

    # -- for who keeps the dice ----------------------------------------------------------

    @abstractmethod
    def roll(self, who: str, dice: list[dict[str, Any]], purpose: str, **about: Any) -> None:
        """Declares a roll, throws it, and puts down what it does."""

    @abstractmethod
    def kept(self) -> None:
        """Something was put on the table."""

    @abstractmethod
    def sealed(self, moves: Sequence[Decision]) -> None:
        """Moves of several sides that are made at the same time are decided before any of them is shown."""

    def strikes(self) -> None:
        """Seekers that have arrived strike."""
        self.ordering.seekers_act()

    @abstractmethod
    def struck(self, due: Iterable[DueVolley]) -> None:
        """Volleys are rolled now."""

    # -- play ----------------------------------------------------------------------------

    def play(self, turns: int) -> None:
        """Plays to the end of the scenario, or for so many turns."""
        for number in range(1, turns + 1):
            self.turn(number)
            if self.standing().over:
                return

    def give(self, *orders: Order) -> None:
        """Orders, put on the table."""
        for order in orders:
            self.ordering.order(order)
        self.kept()

    def put(self, *new: tuple[str, dict[str, Any]]) -> None:
        """What is no order."""
        for kind, data in new:
            self.table.add(kind, data)

    def decide(self, decision: Decision | None) -> None:
        """A decision, put down with its moment, and its orders given."""
        if decision is not None:
            self.decisions.append((self.now, decision))
            self.give(*orders_of(decision))

    def turn(self, number: int) -> None:
        """A turn, or what is played of it."""
        self.give(TurnBegins(number))
        for name in self.alive():
            self.seats[name].begin_turn()
            self.decide(self.robot.speed(self.seats[name].situation(self.state)))
        for name in self.alive():
            self._lock_on(name)
        for impulse in range(1, self.robot.movement.of + 1):
            self.give(ImpulseBegins(impulse))
            self._move()
            self._seekers()
            for name in self.alive():
                for launch in self.robot.launches(self.seats[name].situation(self.state)):
                    self.decide(launch)
            self._fire()
            if self.standing().over:
                return
            for name in self.alive():
                self.seats[name].close(self.state)

    def _lock_on(self, name: str) -> None:
        """A robot whose sensors are damaged rolls for lock-on at every opponent (D6.11)."""
        rulebook = self.table.rulebook
        sides = rulebook.lock_on_sides
        now = self.seats[name].situation(self.state)
        rating = best_of_track(now.robot.ship, now.robot.state, "sensor")
        targets = [each.name for each in now.opponents if not each.state.dead]
        if rating is None or rating >= sides or not targets:
            return
        steps = rulebook.descriptor["sequence_of_play"]["steps_of"]["lock-on"]
        if self.table.moment[2] not in steps:
            moments = rulebook.offers.moments(rulebook, self.table.moment[0])
            self.ordering.step_to(next(moment for moment in moments if moment[2] in steps))
            self.kept()
        dice = [{"for": target, "count": 1, "sides": sides} for target in targets]
        self.roll(self.state.ships[name].player, dice, LOCK_ON, ship=name, targets=targets)

    def _move(self) -> None:
        """Ships move in their order; those of several sides that tie write their moves before any is made (C1.3)."""
        called = next(iter(self.seats.values())).called()
        for _, tied in groupby(called, key=lambda call: call[1]):
            names = [name for name, _ in tied]
            if len({self.state.ships[name].player for name in names}) > 1:
                moves = [self.robot.move(self.seats[name].situation(self.state)) for name in names]
                self.sealed([move for move in moves if move])
                for name, move in zip(names, moves, strict=True):
                    self._made(name, move)
                continue
            for name in names:
                self._made(name, self.robot.move(self.seats[name].situation(self.state)))

    def _made(self, name: str, move: Decision | None) -> None:
        self.decide(move)
        if move is not None and move.way is not None:
            self.seats[name].moved(move.way)

    def _seekers(self) -> None:
        """Seekers move, those that have arrived strike, and those whose flight is over are gone."""
        if self.state.seekers:
            self.ordering.reach("seekers' movement")
            self.ordering.reach("seekers' strike", wait=True)
            self.strikes()
            self.kept()
            self.resolve()

    def _fire(self) -> None:
        """All fire of the impulse is decided and rolled before any of its damage is marked (E1.0)."""
        decisions = [self.robot.fire(self.seats[name].situation(self.state)) for name in self.alive()]
        for decision in decisions:
            if decision is not None and (decision.fire or decision.primary):
                if decision.fire:
                    self.seats[decision.ship].turned = None
                self.decide(decision)
        self.resolve()
        if self.state.volleys_due:  # What seekers did waited for the fire of the impulse, and there was none.
            self.ordering.reach("damage of fire")
            self.kept()
            self.resolve()

    # -- dice ----------------------------------------------------------------------------

    def resolve(self) -> None:
        """Rolls all fire that was ordered and every volley that is due."""
        while True:
            state = self.state
            if due := volleys_to_roll(self.table.rulebook, state):
                self.struck(due)
                for volley in due:
                    if not self.state.ships[volley.ship].state.dead:
                        self._volley(volley)
            elif (found := self.ordering.fire_to_roll()) is not None:
                self.kept()
                purpose, dice = found
                self.roll(state.ships[state.unrolled[0].ship].player, dice, purpose)
            else:
                return

    def _volley(self, due: DueVolley) -> None:
        state = self.state
        order = volley_due(self.table.rulebook, state, due)
        assert order is not None, "a robot has no form to keep secret"
        self.put(entry_of_due(state, due, order))
        self.roll(state.ships[due.ship].player, [], f"volley of entry {state.lines}", ship=due.ship)


class InMemory(Playing):
    """A duel that is kept nowhere; one row of dice decides all of it, coins too."""

    def __init__(self, rulebook: Rulebook, scenario: Scenario, load_ship: LoadShip, dice: Dice) -> None:
        rulebook = rulebook.with_options(scenario.rules)
        units = (unit for unit in scenario.units if unit.hex and not unit.optional)
        placed = tuple(placement(unit) for unit in units)
        names = [unit_placed.ship for unit_placed in placed]
        table = table_begun(rulebook, placed, load_ship, names, scenario.id)
        super().__init__(scenario, table, Robot(rulebook, dice), scenario.within)
        self.dice = DiceOnTable(table, dice, self.put)
        self.orders: list[Order] = []
        options = tuple((name, value) for name, value in scenario.rules.items() if name != "impulses")
        self.head = OrdersFile(scenario.rulebook, scenario.impulses, options, placed)

    def kept(self) -> None:
        """Nothing is kept: the orders tell the duel again."""

    def give(self, *orders: Order) -> None:
        """Orders, put down and put on the table."""
        self.orders += orders
        super().give(*orders)

    def sealed(self, moves: Sequence[Decision]) -> None:
        """The orders say that they were written first."""
        self.orders += [Seal(move.ship, _code(move, self.now)) for move in moves]

    def strikes(self) -> None:
        """Seekers that have arrived strike; what they score is put down."""
        hits, _ = hits_due(self.table.rulebook, self.table.load_ship, self.state)
        self.dice.shots += [hit for hit in hits if hit.damage]
        super().strikes()

    def struck(self, due: Iterable[DueVolley]) -> None:
        """The orders say what strikes."""
        self.orders += [Hit(volley.ship, volley.points, volley.shield) for volley in due]

    def roll(self, who: str, dice: list[dict[str, Any]], purpose: str, **about: Any) -> None:
        """Declares a roll, throws it at once, and puts down what it does."""
        self.dice.roll(who, dice, purpose, **about)
        self.ordering.orphans_leave()


def play_out(
    rulebook: Rulebook, scenario: Scenario, load_ship: LoadShip, dice: Dice, turns: int = MOST_TURNS
) -> Duel:
    """A scenario played by robots to its end, or for so many turns. The same dice play the same game."""
    playing = InMemory(rulebook, scenario, load_ship, dice)
    playing.play(turns)
    return Duel(
        replace(playing.head, orders=tuple(playing.orders)),
        playing.standing(),
        playing.ships,
        tuple(playing.decisions),
        tuple(playing.dice.shots),
        tuple(playing.dice.volleys),
        tuple(playing.ordering.findings),
        playing.now,
    )


def _code(move: Decision, now: Moment) -> str:
    """The code of a robot's move: anybody can work it out from the move that is shown."""
    return hashlib.sha256(f"{move.ship} {now}: {move.way}".encode()).hexdigest()[:16]
