"""What is left of one ship, as a file between one volley and the next, apart from any combat."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from referee.core.errors import BadInput
from referee.core.hexgrid import Hex
from referee.rulebooks.base import nearest
from referee.rulebooks.trek.charts import Charts
from referee.rulebooks.trek.combatfile import crew_from_json
from referee.rulebooks.trek.ships import TrekShip, plain_id
from referee.rulebooks.trek.state import Crew, Vessel, vessel_json

SCHEMA = "referee/trek-state/1"
PLAIN = ("warp", "motion", "casualties", "raised", "cloaked", "moved_turn", "emergency")
KEPT = (*PLAIN, "engines", "superstructure", "shield_power", "damage", "left", "fired")
"""What of a ship in play is kept: what it has done this round and its repairs are a combat's."""


def vessel_file(vessel: Vessel) -> dict[str, Any]:
    """A ship in play as its state file."""
    state = vessel_json(vessel)
    return {
        "schema": SCHEMA,
        "ship": state["ship"],
        "crew": state["crew"],
        **{name: state[name] for name in KEPT},
    }


def vessel_at(
    ship: TrekShip, side: str, at: tuple[Hex, str], charts: Charts, state: Mapping[str, Any] | None = None
) -> Vessel:
    """A ship at a place, whole and with its shields up, or as its state file says.

    Raises BadInput for a state of another ship, or one that has more than the ship was built with.
    """
    state = state or {}
    if plain_id(state.get("ship", ship.id)) != ship.id:
        raise BadInput(f"the state is of {state['ship']}, not of {ship.id}", place="/ship")
    engines = {**ship.engines, **state.get("engines", {})}
    for name, power in engines.items():
        if name not in ship.engines:
            raise BadInput(
                f"{ship.id} has no engine {name}", place="/engines", hint=nearest(name, ship.engines)
            )
        if power > ship.engines[name]:
            raise BadInput(f"{name} makes {power}, new {ship.engines[name]}", place=f"/engines/{name}")
    hull = state.get("superstructure", ship.superstructure)
    if hull > ship.superstructure:
        raise BadInput(f"superstructure {hull}, new {ship.superstructure}", place="/superstructure")
    left = Fraction(state.get("left", sum(engines.values())))
    shields = {number: Fraction(ship.max_shield_power) for number in range(1, 7)}
    shields |= {int(number): Fraction(power) for number, power in state.get("shield_power", {}).items()}
    vessel = Vessel(
        name=ship.name,
        ship=ship,
        side=side,
        crew=crew_from_json(state["crew"], charts) if "crew" in state else Crew(),
        hex=at[0],
        facing=at[1],
        engines=engines,
        superstructure=hull,
        raised=True,
        shield_power=shields,
        damage={part: tuple(hits) for part, hits in state.get("damage", {}).items()},
        fired=frozenset(state.get("fired", ())),
        produced=left,
        left=left,
    )
    return replace(vessel, **{name: state[name] for name in PLAIN if name in state})
