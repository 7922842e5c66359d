"""Runs the Robot Opponent: what it does now, step by step, by the instructions of the rulebook in force."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Protocol

from referee.core.dice import Dice
from referee.core.frozen import frozen
from referee.core.orders import (
    Advance,
    Fire,
    ImpulseBegins,
    Launch,
    Order,
    SetSpeed,
    ShipOrder,
    TurnBegins,
)
from referee.core.robot import Decision, Situation
from referee.rulebooks.base import Rulebook


class Robot:
    """The instructions of a rulebook, ready to be asked; `dice` toss its coins."""

    def __init__(self, rulebook: Rulebook, dice: Dice | None = None) -> None:
        self.rulebook = rulebook
        self.dice = dice
        self._facts = rulebook.offers.robot_facts
        self.movement = rulebook.offers.movement(rulebook)
        self._asked: dict[str, tuple[Situation, Any]] = {}

    def speed(self, situation: Situation) -> Decision:
        """The speed it moves at in the turn that begins."""
        facts = self._of(situation)
        name = situation.robot.name
        decision = Decision(name, "", "no rule gives it a speed", speed=situation.robot.unit.speed)
        for rule in self.rulebook.rules_on("robot speed"):
            speed = rule.decide(decision.speed, facts)
            decision = Decision(name, rule.key, f"moves at {speed}", speed=speed)
        for rule in self.rulebook.rules_on("robot slowed"):
            speed = rule.decide(decision.speed, situation)
            if speed != decision.speed:
                lost = decision.speed - speed
                why = f"{decision.speed} less {lost} for warp engine boxes lost: {speed}"
                decision = Decision(name, rule.key, why, speed=speed)
        return decision

    def move(self, situation: Situation) -> Decision | None:
        """Its move of this impulse; None where the chart does not call it."""
        facts = self._of(situation)
        return self._first("robot move", facts) if facts.called else None

    def launches(self, situation: Situation) -> tuple[Decision, ...]:
        """What it launches in this impulse."""
        facts = self._of(situation)
        rules = self.rulebook.rules_on("robot launch")
        decisions = ((rule, rule.decide(facts)) for rule in rules)
        return tuple(replace(decision, instruction=rule.key) for rule, decision in decisions if decision)

    def fire(self, situation: Situation) -> Decision | None:
        """What it fires in this impulse, or why nothing, once all ships have moved."""
        return self._first("robot fire", self._of(situation))

    def at_point(self, situation: Situation) -> bool:
        """Is it at its Primary Fire Point of the turn?"""
        at: bool = self._of(situation).at_point
        return at

    def _of(self, situation: Situation) -> Any:
        """The facts of a situation; those of a ship's last are kept, for several questions follow on it."""
        asked = self._asked.get(situation.robot.name)
        if asked is None or asked[0] is not situation:
            asked = situation, self._facts(self.movement, situation, self.dice)
            self._asked[situation.robot.name] = asked
        return asked[1]

    def _first(self, subject: str, facts: Any) -> Decision | None:
        """The decision of the first instruction that has one, in the order of the book."""
        for rule in self.rulebook.rules_on(subject):
            decision: Decision | None = rule.decide(facts)
            if decision is not None:
                return replace(decision, instruction=rule.key)
        return None


def orders_of(decision: Decision) -> tuple[ShipOrder, ...]:
    """A decision in the order language; nothing for one to do nothing."""
    if decision.speed is not None:
        return (SetSpeed(decision.ship, int(decision.speed)),)
    if decision.way is not None:
        return (Advance(decision.ship, decision.way),)
    if decision.launch:
        return (Launch(decision.ship, decision.launch, decision.target),)
    if decision.fire:
        return (Fire(decision.ship, decision.fire, decision.target, decision.shield),)
    return ()


# -- playing on --------------------------------------------------------------------------


@frozen
class Round:
    """Where a game stands for a robot: its situation, whether its speed of the turn is said, and who is called on
    this impulse and has not moved, with their places in the order of movement. `waits` is what has to be done
    before anybody can go on, `passed` what can no longer be done in this impulse: `launch`, `fire`."""

    situation: Situation
    speed_said: bool
    called: tuple[tuple[str, Any], ...] = ()
    waits: tuple[str, ...] = ()
    passed: tuple[str, ...] = ()


class Seat(Protocol):
    """A robot's place at a game, at which its orders are given."""

    def round(self) -> Round:
        """Where the game stands."""
        ...

    def reaches(self, kind: str) -> tuple[str, ...]:
        """Goes on to the step for things of a kind; what strikes on the way, and has to be rolled first."""
        ...

    def take(self, order: Order) -> None:
        """An order or a marker. Raises BadInput where the game does not take it."""
        ...


@frozen
class Played:
    """What a robot does: its decisions, their orders with the markers of turns and impulses between them, and what
    it waits for."""

    decisions: tuple[Decision, ...]
    orders: tuple[Order, ...]
    awaited: tuple[str, ...]


def play_on(robot: Robot, seat: Seat, *, ahead: bool = True) -> Played:
    """What a robot does now: all that is left of this impulse, or, where that is nothing and with `ahead`, what it
    does in the next impulse in which it does anything or waits for somebody."""
    passed: list[Order] = []
    while True:
        decisions, awaited = _impulse(robot, seat)
        orders = tuple(order for decision in decisions for order in orders_of(decision))
        now = seat.round().situation
        if orders or awaited or now.robot.state.dead or not ahead:
            return Played(decisions, (*passed, *orders), awaited)
        marker = _marker(now)
        seat.take(marker)
        passed.append(marker)


def _impulse(robot: Robot, seat: Seat) -> tuple[tuple[Decision, ...], tuple[str, ...]]:
    """What is left for a robot in this impulse, given at the seat, and what it waits for."""
    done: list[Decision] = []

    def give(decision: Decision) -> None:
        done.append(decision)
        for order in orders_of(decision):
            seat.take(order)

    now = seat.round()
    name = now.situation.robot.name
    if now.waits or now.situation.robot.state.dead or not now.situation.turn:
        return (), now.waits
    if not now.situation.impulse:
        if not now.speed_said:
            give(robot.speed(now.situation))
        return tuple(done), ()
    places = dict(now.called)
    if name in places:
        first = tuple(
            f"{other}'s move" for other, place in places.items() if other != name and place < places[name]
        )
        move = None if first else robot.move(now.situation)
        if move is None:
            return (), first
        give(move)
    others = tuple(f"{other}'s move" for other in places if other != name)
    if others:
        return tuple(done), others
    if "launch" not in now.passed:
        launches = robot.launches(seat.round().situation)
        if launches and (struck := seat.reaches("launch")):
            return tuple(done), struck
        for launch in launches:
            give(launch)
    fire = robot.fire(seat.round().situation) if "fire" not in now.passed else None
    if fire is not None:
        if orders_of(fire) and (struck := seat.reaches("fire")):
            return tuple(done), struck
        give(fire)
    return tuple(done), ()


def _marker(now: Situation) -> Order:
    """The marker of the next impulse, or of the next turn."""
    if now.turn and now.impulse < now.impulses:
        return ImpulseBegins(now.impulse + 1)
    return TurnBegins(now.turn + 1)
