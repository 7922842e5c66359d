"""A scenario played out by robots on both sides, in memory: moves, seekers, fire, damage, until it ends."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import groupby
from typing import Any

from referee.adjudicator.fire import attempt_lock_on, resolve_shots, volleys_of
from referee.adjudicator.robot import Robot, orders_of
from referee.adjudicator.robot_game import RobotGame, flown_of
from referee.core.combat import (
    Declaration,
    LockAttempt,
    Moment,
    Seeker,
    Shot,
    ShotResult,
    Unit,
    soonest_facing,
)
from referee.core.dice import Dice
from referee.core.frozen import frozen
from referee.core.hexgrid import Hex
from referee.core.orders import Hit, ImpulseBegins, Order, OrdersFile, Placement, Seal, TurnBegins
from referee.core.robot import Decision, Flown
from referee.core.scenario import Scenario, Standing, Victory, victory
from referee.core.ship import ShipClass
from referee.core.state import best_of_track
from referee.core.volley import VolleyResult
from referee.rulebooks.base import Rulebook

MOST_TURNS = 40


@frozen
class Duel:
    """A scenario that was played out: its orders, how it ended, the ships as they are left, every decision with its
    moment, every shot and strike that scored, every volley, and the moment it ended."""

    orders: OrdersFile
    victory: Victory
    ships: tuple[Flown, ...]
    decisions: tuple[tuple[Moment, Decision], ...]
    shots: tuple[ShotResult, ...]
    volleys: tuple[tuple[str, VolleyResult], ...]
    last: Moment


class Playing:
    """A duel as it is played."""

    def __init__(
        self, rulebook: Rulebook, scenario: Scenario, load_ship: Callable[[str], ShipClass], dice: Dice
    ) -> None:
        self.rulebook = rulebook.with_options(scenario.rules)
        self.scenario = scenario
        self.dice = dice
        placed = tuple(_placed(unit) for unit in scenario.units if unit.hex and not unit.optional)
        flown = [flown_of(one, load_ship) for one in placed]
        self.names = [one.name for one in flown if one.ship.boxes]
        self.robot = Robot(self.rulebook, dice)
        self.game = RobotGame(self.robot, flown, scenario.within, self.names, dice)
        self.seekers: list[Seeker] = []
        self.waiting: list[ShotResult] = []
        """What seekers did in this impulse, where it is one volley with the fire."""
        self.orders: list[Order] = []
        self.decisions: list[tuple[Moment, Decision]] = []
        self.shots: list[ShotResult] = []
        self.volleys: list[tuple[str, VolleyResult]] = []
        options = tuple((name, value) for name, value in scenario.rules.items() if name != "impulses")
        self.head = OrdersFile(scenario.rulebook, scenario.impulses, options, placed)

    def give(self, *orders: Order) -> None:
        """Orders, put down and played."""
        for order in orders:
            self.orders.append(order)
            self.game.take(order)

    def decide(self, decision: Decision | None) -> None:
        """A decision, put down with its moment, and its orders given."""
        if decision is not None:
            self.decisions.append((self.now, decision))
            self.give(*orders_of(decision))

    @property
    def now(self) -> Moment:
        """Turn and impulse."""
        return Moment(self.game.turn, self.game.impulse)

    def alive(self) -> list[str]:
        """The robots that are left."""
        return [name for name in self.names if not self.game.flown[name].state.dead]

    def standing(self) -> Victory:
        """How it stands."""
        standings = [
            Standing(one.name, one.unit.hex, one.state.dead, len(one.state.destroyed))
            for one in self.game.flown.values()
        ]
        return victory(self.scenario, standings)

    # -- a turn --------------------------------------------------------------------------

    def turn(self, number: int) -> None:
        """A turn, or what is played of it."""
        self.give(TurnBegins(number))
        for name in self.alive():
            self.decide(self.robot.speed(self.game.situation(name)))
        for name in self.alive():
            self._lock_on(name)
        for impulse in range(1, self.game.impulses + 1):
            self.give(ImpulseBegins(impulse))
            self._move()
            self._seekers()
            for name in self.alive():
                for launch in self.robot.launches(self.game.situation(name)):
                    self.decide(launch)
                    self._launched(launch)
            self._fire()
            if self.standing().over:
                return

    def _lock_on(self, name: str) -> None:
        """A robot tries for lock-on at each opponent; one without it loses the drones it guides (D6.1)."""
        situation = self.game.situation(name)
        robot = situation.robot
        rating = best_of_track(robot.ship, robot.state, "sensor")
        held = {
            each.name: attempt_lock_on(self.rulebook, LockAttempt(rating, "paid", each.cloak), self.dice).held
            for each in situation.opponents
            if not each.state.dead
        }
        self.game.locks[name] = held
        if False in held.values():
            for rule in self.rulebook.rules_on("seekers lost"):
                lost = rule.decide(tuple(self.seekers), name, self.rulebook)
                self.seekers = [one for one in self.seekers if one not in lost or held.get(one.target)]

    def _move(self) -> None:
        """Ships move in their order; those of several sides that tie write their moves before any is made."""
        for _, tied in groupby(self.game.called(), key=lambda one: one[1]):
            names = [name for name, _ in tied]
            sides = {self.game.flown[name].unit.side for name in names}
            if len(sides) < 2:
                for name in names:
                    self.decide(self.robot.move(self.game.situation(name)))
                continue
            moves = [self.robot.move(self.game.situation(name)) for name in names]
            self.give(*(Seal(move.ship, _sealed(move, self.now)) for move in moves if move))
            for move in moves:
                self.decide(move)

    def _fire(self) -> None:
        """All fire of the impulse is decided and rolled before any of its damage is marked (E1.0)."""
        shots: list[Shot] = []
        told = []
        for name in self.alive():
            situation = self.game.situation(name)
            decision = self.robot.fire(situation)
            if decision is not None and (decision.fire or decision.primary):
                shots += self.robot.shots(situation, decision)
                told.append(decision)
        for decision in told:
            self.decide(decision)
        fired = resolve_shots(self.rulebook, Declaration(tuple(shots)), self.dice) if shots else ()
        self._strike([*self.waiting, *fired])
        self.waiting = []

    def _strike(self, results: Iterable[ShotResult]) -> None:
        scored = [result for result in results if result.damage]
        self.shots += scored
        for volley in volleys_of(self.rulebook, scored):
            self.orders.append(Hit(volley.target, volley.order.points, volley.order.shield or 1))
            result = self.game.strike(volley.target, volley.order)
            if result is not None:
                self.volleys.append((volley.target, result))

    # -- seekers -------------------------------------------------------------------------

    def _launched(self, launch: Decision) -> None:
        """A seeker leaves its ship; it faces as brings it soonest to its target."""
        firer, target = self.game.flown[launch.ship], self.game.flown[launch.target]
        mount = firer.ship.mount(launch.launch)
        assert mount is not None and firer.unit.hex is not None and target.unit.hex is not None
        name = f"{launch.ship} {launch.launch} t{self.game.turn}"
        facing = soonest_facing(firer.unit.hex, target.unit.hex)
        names = name, mount.type, launch.ship, launch.target
        self.seekers.append(Seeker(*names, firer.unit.hex, facing, self.now, at_launch=target.unit.hex))

    def _seekers(self) -> None:
        """Seekers move, those that have arrived strike, and those whose flight is over are gone."""
        speed = self.rulebook.rules_on("seeker speed")[0]
        course = self.rulebook.rules_on("seeker course")[0]
        reached = self.rulebook.rules_on("seeker reached")
        chart = self.robot.movement.chart
        flying = []
        for seeker in self.seekers:
            goal = self.game.flown[seeker.target].unit.hex
            hexes = speed.decide(seeker, self.game.impulses, self.rulebook)
            stays = goal is None or any(rule.decide(seeker, goal) for rule in reached)
            if not stays and chart.calls(hexes, self.game.impulse):
                flying.append(_flown_on(seeker, *course.decide(seeker, goal, self.rulebook)[0]))
            else:
                flying.append(seeker)
        self.seekers = [seeker for seeker in flying if not self._over(seeker)]
        arrived = [one for one in self.seekers if self._arrived(one)]
        self.seekers = [seeker for seeker in self.seekers if seeker not in arrived]
        hits = [self._hit(seeker) for seeker in arrived]
        if self.rulebook.option("volley_groups") == "impulse":
            self.waiting = hits
        else:
            self._strike(hits)

    def _arrived(self, seeker: Seeker) -> bool:
        """Is a seeker in the hex of its target, which one of them entered?"""
        goal = self.game.flown[seeker.target].unit.hex
        reached = any(rule.decide(seeker, goal) for rule in self.rulebook.rules_on("seeker reached"))
        return reached or (seeker.hexes > 0 and seeker.hex == goal)

    def _over(self, seeker: Seeker) -> bool:
        """Is a seeker gone: spent, without its target, or without the ship that guides it?"""
        spent = self.rulebook.rules_on("seeker spent")
        if self.game.flown[seeker.target].state.dead:
            return True
        lost: tuple[Seeker, ...] = ()
        if self.game.flown[seeker.owner].state.dead:
            for rule in self.rulebook.rules_on("ship lost"):
                lost = rule.decide(lost, (seeker,), seeker.owner)
        of = self.game.impulses
        return bool(lost) or any(rule.decide(seeker, self.now, of, self.rulebook) for rule in spent)

    def _hit(self, seeker: Seeker) -> ShotResult:
        """What a seeker does to its target; on a corner of two shields the lower numbered is struck."""
        target = self.game.flown[seeker.target]
        unit = Unit(target.name, target.ship, target.state, target.unit.hex, target.unit.facing)
        came_from: Hex = seeker.hex.step(seeker.facing, -1)
        hit: ShotResult = self.rulebook.offers.seeker_hit(self.rulebook, seeker, unit, came_from, self.now)
        return replace(hit, shield=min(hit.shields)) if hit.shield is None and hit.shields else hit


def play_out(
    rulebook: Rulebook,
    scenario: Scenario,
    load_ship: Callable[[str], ShipClass],
    dice: Dice,
    turns: int = MOST_TURNS,
) -> Duel:
    """A scenario played by robots to its end, or for so many turns. The same dice play the same game."""
    playing = Playing(rulebook, scenario, load_ship, dice)
    for number in range(1, turns + 1):
        playing.turn(number)
        if playing.standing().over:
            break
    return Duel(
        replace(playing.head, orders=tuple(playing.orders)),
        playing.standing(),
        tuple(playing.game.flown.values()),
        tuple(playing.decisions),
        tuple(playing.shots),
        tuple(playing.volleys),
        playing.now,
    )


def _flown_on(seeker: Seeker, hex: Hex, facing: str) -> Seeker:
    """A seeker a hex farther on its course."""
    straight = seeker.straight + 1 if facing == seeker.facing else 1
    return replace(seeker, hex=hex, facing=facing, hexes=seeker.hexes + 1, straight=straight)


def _sealed(move: Decision, now: Moment) -> str:
    """The code of a robot's move: anybody can work it out from the move that is shown."""
    return hashlib.sha256(f"{move.ship} {now}: {move.way}".encode()).hexdigest()[:16]


def _placed(unit: Any) -> Placement:
    before = unit.speed if unit.previous_speed is None else unit.previous_speed
    return Placement(unit.name, unit.class_id, unit.hex, unit.facing, before, unit.side)
