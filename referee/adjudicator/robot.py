"""Runs the Robot Opponent: what it does now, step by step, by the instructions of the rulebook in force."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from referee.core.dice import Dice
from referee.core.orders import Advance, Fire, Launch, SetSpeed, ShipOrder
from referee.core.robot import Decision, Situation
from referee.rulebooks.base import Rulebook


class Robot:
    """The instructions of a rulebook, ready to be asked; `dice` toss its coins."""

    def __init__(self, rulebook: Rulebook, dice: Dice | None = None) -> None:
        self.rulebook = rulebook
        self.dice = dice
        self.movement = rulebook.procedure("movement")(rulebook)
        self._facts = rulebook.procedure("robot facts")

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
                why = f"{decision.speed} less {decision.speed - speed} for warp engine boxes lost: {speed}"
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

    def _of(self, situation: Situation) -> Any:
        return self._facts(self.movement, situation, self.dice)

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
    return (Fire(decision.ship, decision.fire, decision.target),) if decision.fire else ()
