"""Repairs: tried now, in effect with the next turn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from referee.rulebooks.trek import events as e
from referee.rulebooks.trek.parts import Part, find_part, systems_of, weapons_of
from referee.rulebooks.trek.play import Play
from referee.rulebooks.trek.repairing import (
    casualties_after,
    engine_meant,
    engine_repair,
    rolls_needed,
    superstructure_repair,
    system_skill,
    weapon_repair,
)

CASUALTIES = "casualties"


def repair(play: Play, ship: str, action: Mapping[str, Any]) -> None:
    """One type of repair."""
    what = action["repair"]
    play.emit(70, e.RepairTried(ship, what), play.own(ship))
    if what == "engines":
        _engine(play, ship, engine_meant(play.vessel(ship).ship, action["engine"]) or action["engine"])
    elif what == "superstructure":
        _superstructure(play, ship)
    elif what == "weapons":
        weapon = _meant(action["weapon"], weapons_of(play.vessel(ship).ship))
        _part(play, 74, ship, weapon, play.charts.repairs["repairs"]["weapons"])
    elif what == CASUALTIES:
        _tend(play, ship)
    else:
        system = _meant(action["system"], systems_of(play.charts))
        _part(play, 75, ship, system, system_skill(play.charts, system) or "astronautics")


def _meant(called: str, parts: Sequence[Part]) -> str:
    """How the record calls a part that a player names; only a house that switched the check off leaves one
    that is unknown."""
    part = find_part(called, parts)
    return part.key if part else called


def _pend(play: Play, rule: int, ship: str, part: str, points: int) -> None:
    if points:
        play.emit(rule, e.RepairPending(ship, part, points), play.own(ship))


def _engine(play: Play, ship: str, engine: str) -> None:
    skill: str = play.charts.repairs["repairs"]["engines"]
    _, roll = play.skill_roll(72, ship, skill)
    vessel = play.vessel(ship)
    now, whole = vessel.engines[engine], vessel.ship.engines[engine]
    won = engine_repair(play.charts, vessel.crew.skill(skill), roll, now, whole, play.allows("repair_cap"))
    _pend(play, 72, ship, f"engine {engine}", won)


def _superstructure(play: Play, ship: str) -> None:
    skill: str = play.charts.repairs["repairs"]["superstructure"]
    _, roll = play.skill_roll(73, ship, skill)
    vessel = play.vessel(ship)
    now, whole = vessel.superstructure, vessel.ship.superstructure
    won = superstructure_repair(
        play.charts, vessel.crew.skill(skill), roll, now, whole, play.allows("repair_cap")
    )
    _pend(play, 73, ship, "superstructure", won)


def _part(play: Play, rule: int, ship: str, part: str, skill: str) -> None:
    """A weapon or a system: one roll, or by option one for each five points, over several turns."""
    _, roll = play.skill_roll(rule, ship, skill)
    vessel = play.vessel(ship)
    if not weapon_repair(play.charts, vessel.crew.skill(skill), roll):
        return
    needed = rolls_needed(play.charts, vessel.damage[part], play.allows("repair_per_five"))
    done = vessel.progress.get(part, 0) + 1
    if done < needed:
        play.emit(71, e.RepairAdvanced(ship, part, done, needed), play.own(ship))
    else:
        _pend(play, rule, ship, part, 1)


def _tend(play: Play, ship: str) -> None:
    success = play.skill(76, ship, play.charts.repairs["repairs"][CASUALTIES])
    now = play.vessel(ship).casualties
    _pend(play, 76, ship, CASUALTIES, now - casualties_after(play.charts, now, success))


def repairs_due(play: Play, ship: str) -> None:
    """What was repaired last turn works again."""
    for item in play.vessel(ship).pending:
        own = play.own(ship)
        if item.part.startswith("engine "):
            play.emit(72, e.EngineRepaired(ship, item.part.removeprefix("engine "), item.points), own)
        elif item.part == "superstructure":
            play.emit(73, e.SuperstructureRepaired(ship, item.points), own)
        elif item.part == CASUALTIES:
            play.emit(76, e.CrewHealed(ship, item.points), own)
        else:
            play.emit(74 if item.part.startswith("weapon ") else 75, e.Repaired(ship, item.part), own)
