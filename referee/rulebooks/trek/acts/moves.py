"""Moving, turning in an emergency, reversing, changing warp."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from referee.rulebooks.trek import events as e
from referee.rulebooks.trek.acts.impact import damage_engine, damage_superstructure
from referee.rulebooks.trek.moving import destination, emergency_stress, turned, warp_after
from referee.rulebooks.trek.play import Play

_BACK = {"forward": "reverse", "reverse": "forward"}
_TURNS = {"left": -1, "right": 1}


def move(play: Play, ship: str, action: Mapping[str, Any]) -> None:
    """One basic move, and perhaps an emergency heading change after it."""
    vessel = play.vessel(ship)
    way = play.charts.moves[action["way"]]
    hex = destination(vessel, way)
    play.spend(14, ship, vessel.ship.movement_ratio, "move")
    play.emit(18, e.Moved(ship, str(hex), turned(vessel.facing, way.turn)), play.seeing(ship))
    if action.get("emergency"):
        _emergency(play, ship, action["emergency"])


def _emergency(play: Play, ship: str, way: str) -> None:
    vessel = play.vessel(ship)
    play.emit(19, e.EmergencyTurned(ship, turned(vessel.facing, _TURNS[way])), play.seeing(ship))
    success = play.skill(19, ship, "helm", penalty=True)
    stress = emergency_stress(
        play.charts, vessel.warp, success, vessel.ship.engine_stress, vessel.ship.superstructure_stress
    )
    everywhere = play.option("stress_engines") == "all"
    automatic = 0 if success else play.charts.n("emergency_automatic")
    for engine in vessel.ship.engines:
        if engine in vessel.ship.warp_engines:
            damage_engine(play, 19, ship, engine, stress["engine"])
        elif everywhere:
            damage_engine(play, 19, ship, engine, stress["engine"] - automatic)
    if stress["superstructure"]:
        saved = play.allows("stress_damage_control")
        damage_superstructure(play, 19, ship, stress["superstructure"], control=saved)


def reverse(play: Play, ship: str, action: Mapping[str, Any]) -> None:
    """The engines are changed over."""
    play.emit(20, e.Reversed(ship, _BACK[play.vessel(ship).motion]), play.own(ship))


def warp(play: Play, ship: str, action: Mapping[str, Any]) -> None:
    """The warp speed changes by one level, or by two with a roll."""
    now, wanted = play.vessel(ship).warp, int(action["to"])
    far = abs(wanted - now) > play.charts.n("warp_plain")
    success = play.skill(22, ship, "warp_drive", penalty=True) if far else True
    reached = warp_after(play.charts, now, wanted, success, play.option("failed_warp"))
    if reached != now:
        play.emit(22, e.WarpChanged(ship, reached), play.own(ship))
