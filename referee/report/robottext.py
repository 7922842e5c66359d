"""What the Robot Opponent does, for people and for programs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from referee.core.robot import Decision, Situation

SCHEMA = "referee/robot/1"


def robot_lines(
    now: Situation, decisions: Sequence[Decision], orders: Sequence[str], awaited: Sequence[str]
) -> list[str]:
    """What it does, by which instruction, and why; then its orders."""
    lines = [f"{now.robot.name}, {_when(now)}{_place(now)}"]
    lines += [f"  {decision.instruction:<12} {does(decision)}: {decision.why}" for decision in decisions]
    lines += [f"orders: {'; '.join(order.strip() for order in orders)}"] if orders else []
    lines += [f"awaited: {what}" for what in awaited]
    if now.robot.state.dead:
        lines.append("it is destroyed")
    return lines


def does(decision: Decision) -> str:
    """A decision in a word or two."""
    if decision.speed is not None:
        return f"speed {decision.speed}"
    if decision.way is not None:
        return decision.way
    if decision.launch:
        return f"launch {decision.launch}"
    return f"fire {', '.join(decision.fire)}" if decision.fire else "no fire"


def _when(now: Situation) -> str:
    if not now.turn:
        return "before turn 1"
    return f"turn {now.turn}, impulse {now.impulse}" if now.impulse else f"turn {now.turn}"


def _place(now: Situation) -> str:
    unit = now.robot.unit
    return f", at {unit.hex}{unit.facing}" if unit.hex else ""


def robot_json(
    now: Situation, decisions: Sequence[Decision], orders: Sequence[str], awaited: Sequence[str], dice: str
) -> dict[str, Any]:
    """The same as JSON (`referee/robot/1`)."""
    unit = now.robot.unit
    at = {"at": f"{unit.hex}{unit.facing}"} if unit.hex else {}
    return {
        "schema": SCHEMA,
        "ship": now.robot.name,
        "turn": now.turn,
        "impulse": now.impulse,
        **at,
        "decisions": [_decision(decision) for decision in decisions],
        "orders": [order.strip() for order in orders],
        "awaited": list(awaited),
        "dice": dice,
    }


def _decision(decision: Decision) -> dict[str, Any]:
    decided: dict[str, Any] = {
        "instruction": decision.instruction,
        "does": does(decision),
        "why": decision.why,
    }
    facts = {
        "speed": None if decision.speed is None else int(decision.speed),
        "way": decision.way,
        "fire": list(decision.fire) or None,
        "launch": decision.launch or None,
        "target": decision.target or None,
        "shield": decision.shield,
        "coin": decision.coin,
    }
    return decided | {name: value for name, value in facts.items() if value is not None}
