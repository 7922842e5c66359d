"""What a Trek combat has come to: a pure fold of its events."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from fractions import Fraction
from functools import reduce
from typing import Any

from referee.core.hexgrid import Hex, parse_position
from referee.rulebooks.trek import events as e
from referee.rulebooks.trek.ships import TrekShip

NOTHING = Fraction(0)
ALL_PERCENT = 100


@dataclass(frozen=True, slots=True)
class Crew:
    """Skills by name; of a crew without characters, the captain's and one efficiency for all else."""

    skills: Mapping[str, int] = field(default_factory=dict)
    captain: int = 0
    efficiency: int = 0

    def skill(self, name: str) -> int:
        """The score a skill roll is made against."""
        if self.skills:
            return self.skills[name]
        return self.captain if name == "strategy_tactics" else self.efficiency


@dataclass(frozen=True, slots=True)
class Pending:
    """A repair that takes effect with the next turn."""

    part: str
    points: int


@dataclass(frozen=True, slots=True)
class Vessel:
    """One ship in play. Power: `produced` = `spent` + `left` + `lost` at every event.

    `owed` is engine damage that struck when no power was left: it takes what is given back later.
    """

    name: str
    ship: TrekShip
    side: str
    crew: Crew
    hex: Hex
    facing: str
    warp: int = 0
    motion: str = "forward"
    engines: Mapping[str, int] = field(default_factory=dict)
    superstructure: int = 0
    casualties: int = 0
    raised: bool = False
    shield_power: Mapping[int, Fraction] = field(default_factory=dict)
    cloaked: bool = False
    lock: str = ""
    damage: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    progress: Mapping[str, int] = field(default_factory=dict)
    pending: tuple[Pending, ...] = ()
    produced: Fraction = NOTHING
    spent: Fraction = NOTHING
    left: Fraction = NOTHING
    lost: Fraction = NOTHING
    owed: Fraction = NOTHING
    fired: frozenset[str] = frozenset()
    repairs: frozenset[str] = frozenset()
    done: tuple[str, ...] = ()
    moved_turn: bool = False
    moved_round: bool = False
    emergency: bool = False
    crippled: bool = False
    out: str = ""

    @property
    def active(self) -> bool:
        """Is it still in the combat?"""
        return not self.out

    @property
    def engine_power(self) -> int:
        """What all engines make now."""
        return sum(self.engines.values())

    def down(self, part: str) -> bool:
        """Is a part out of action?"""
        return part in self.damage

    def shield_works(self, shield: int) -> bool:
        """May a shield absorb, as far as generators, grids and the bridge go?"""
        return not any(self.down(part) for part in (f"shield {shield}", "shields", "grid shield"))

    def sensors_work(self) -> bool:
        """Is there any sensor information?"""
        return not self.down("sensors")


@dataclass(frozen=True, slots=True)
class CombatState:
    """The combat: turn and round from 1, the order of action, and the ships by name."""

    vessels: Mapping[str, Vessel]
    turn: int = 0
    round: int = 0
    order: tuple[str, ...] = ()
    obstacles: frozenset[Hex] = frozenset()

    def lockers(self, name: str) -> tuple[Vessel, ...]:
        """The ships that hold a sensor lock on one."""
        return tuple(vessel for vessel in self.vessels.values() if vessel.lock == name and vessel.active)

    def enemies(self, vessel: Vessel) -> tuple[Vessel, ...]:
        """Ships of other sides still in the combat."""
        return tuple(other for other in self.vessels.values() if other.side != vessel.side and other.active)


def apply(state: CombatState, event: e.TrekEvent) -> CombatState:
    """The state after an event. Raises TypeError for one it does not know."""
    if isinstance(event, e.ShipEvent):
        change = _CHANGES.get(type(event))
        if change is None:
            raise TypeError(f"no event {event!r}")
        vessel = state.vessels[event.ship]
        state = replace(state, vessels={**state.vessels, event.ship: change(vessel, event)})
        return _without_locks_on(state, event)
    match event:
        case e.TurnBegan(turn=turn):
            return replace(state, turn=turn, round=0)
        case e.OrderSet(order=order):
            return replace(state, order=order)
        case e.RoundBegan(round=number, shields=shields):
            vessels = {name: _new_round(vessel, shields) for name, vessel in state.vessels.items()}
            return replace(state, round=number, vessels=vessels)
    raise TypeError(f"no event {event!r}")


def fold(state: CombatState, events: Iterable[e.TrekEvent]) -> CombatState:
    """The state after a row of events."""
    return reduce(apply, events, state)


def _without_locks_on(state: CombatState, event: e.ShipEvent) -> CombatState:
    """A ship that leaves the combat takes every lock on it along."""
    if not isinstance(event, e.LeftPlay):
        return state
    return replace(
        state,
        vessels={
            name: replace(vessel, lock="") if vessel.lock == event.ship else vessel
            for name, vessel in state.vessels.items()
        },
    )


def _new_round(vessel: Vessel, shields: bool) -> Vessel:
    full = {shield: Fraction(vessel.ship.max_shield_power) for shield in range(1, 7)}
    return replace(
        vessel,
        done=(),
        moved_round=False,
        emergency=False,
        shield_power=full if shields else vessel.shield_power,
    )


def _same(vessel: Vessel, _event: Any) -> Vessel:
    return vessel


def _produce(v: Vessel, event: e.PowerProduced) -> Vessel:
    return replace(
        v,
        produced=event.points,
        left=event.points,
        spent=NOTHING,
        lost=NOTHING,
        owed=NOTHING,
        fired=frozenset(),
        repairs=frozenset(),
        moved_turn=False,
    )


def _return(v: Vessel, event: e.PowerReturned) -> Vessel:
    taken = min(v.owed, event.points)
    return replace(
        v,
        spent=v.spent - event.points,
        left=v.left + event.points - taken,
        lost=v.lost + taken,
        owed=v.owed - taken,
    )


def _damage_engine(v: Vessel, event: e.EngineDamaged) -> Vessel:
    now = min(Fraction(event.points), v.left)
    return replace(
        v,
        engines={**v.engines, event.engine: v.engines[event.engine] - event.points},
        left=v.left - now,
        lost=v.lost + now,
        owed=v.owed + event.points - now,
    )


def _absorb(v: Vessel, event: e.Absorbed) -> Vessel:
    power = v.shield_power.get(event.shield, NOTHING) - event.shield_power
    return replace(
        v,
        spent=v.spent + event.power,
        left=v.left - event.power,
        shield_power={**v.shield_power, event.shield: power},
    )


def _damage_part(v: Vessel, event: e.Damaged) -> Vessel:
    hits = (*v.damage.get(event.part, ()), event.points)
    lock = "" if event.part == "sensors" else v.lock
    return replace(v, damage={**v.damage, event.part: hits}, lock=lock)


def _repair_part(v: Vessel, event: e.Repaired) -> Vessel:
    return replace(
        v,
        damage={part: hits for part, hits in v.damage.items() if part != event.part},
        progress={part: done for part, done in v.progress.items() if part != event.part},
        pending=_less(v, event.part),
    )


def _less(v: Vessel, part: str) -> tuple[Pending, ...]:
    return tuple(item for item in v.pending if item.part != part)


def _cancel(v: Vessel, event: e.RepairCancelled) -> Vessel:
    progress = {part: done for part, done in v.progress.items() if part != event.part}
    return replace(v, pending=_less(v, event.part), progress=progress)


def _move(v: Vessel, event: e.Moved) -> Vessel:
    hex, _ = parse_position(event.hex)
    return replace(v, hex=hex, facing=event.facing, moved_turn=True, moved_round=True)


def _mend_engine(v: Vessel, event: e.EngineRepaired) -> Vessel:
    engines = {**v.engines, event.engine: v.engines[event.engine] + event.points}
    return replace(v, engines=engines, pending=_less(v, f"engine {event.engine}"))


def _hurt(v: Vessel, event: e.CrewHurt) -> Vessel:
    return replace(v, casualties=min(ALL_PERCENT, v.casualties + event.percent))


def _heal(v: Vessel, event: e.CrewHealed) -> Vessel:
    return replace(v, casualties=max(0, v.casualties - event.percent), pending=_less(v, "casualties"))


def _mend_superstructure(v: Vessel, event: e.SuperstructureRepaired) -> Vessel:
    return replace(v, superstructure=v.superstructure + event.points, pending=_less(v, "superstructure"))


_CHANGES: dict[type[e.TrekEvent], Callable[[Vessel, Any], Vessel]] = {
    **dict.fromkeys(
        (e.Rolled, e.Told, e.Refused, e.Communicated, e.Transported, e.Aimed, e.Landed, e.Struck, e.Located),
        _same,
    ),
    e.CrewRated: lambda v, x: replace(v, crew=Crew({}, x.captain, x.efficiency)),
    e.ActionTaken: lambda v, x: replace(v, done=(*v.done, x.action)),
    e.PowerProduced: _produce,
    e.PowerSpent: lambda v, x: replace(v, spent=v.spent + x.points, left=v.left - x.points),
    e.PowerReturned: _return,
    e.EngineDamaged: _damage_engine,
    e.EngineRepaired: _mend_engine,
    e.Moved: _move,
    e.EmergencyTurned: lambda v, x: replace(v, facing=x.facing, emergency=True),
    e.Reversed: lambda v, x: replace(v, motion=x.motion),
    e.WarpChanged: lambda v, x: replace(v, warp=x.warp),
    e.LockGained: lambda v, x: replace(v, lock=x.on),
    e.LockLost: lambda v, _: replace(v, lock=""),
    e.Cloaked: lambda v, _: replace(v, cloaked=True),
    e.Decloaked: lambda v, _: replace(v, cloaked=False),
    e.ShieldsRaised: lambda v, _: replace(v, raised=True),
    e.ShieldsLowered: lambda v, _: replace(v, raised=False),
    e.Fired: lambda v, x: replace(v, fired=v.fired | {x.weapon}),
    e.Absorbed: _absorb,
    e.SuperstructureDamaged: lambda v, x: replace(v, superstructure=v.superstructure - x.points),
    e.SuperstructureRepaired: _mend_superstructure,
    e.CrewHurt: _hurt,
    e.CrewHealed: _heal,
    e.Damaged: _damage_part,
    e.Repaired: _repair_part,
    e.RepairPending: lambda v, x: replace(v, pending=(*v.pending, Pending(x.part, x.points))),
    e.RepairTried: lambda v, x: replace(v, repairs=v.repairs | {x.repair}),
    e.RepairCancelled: _cancel,
    e.RepairAdvanced: lambda v, x: replace(v, progress={**v.progress, x.part: x.done}),
    e.LeftPlay: lambda v, x: replace(v, out=x.how, lock="", cloaked=False),
    e.Crippled: lambda v, _: replace(v, crippled=True),
}


def vessel_json(vessel: Vessel) -> dict[str, Any]:
    """A ship in play as JSON."""
    left_out = {"ship", "crew", "hex"}
    parts = {
        each.name: _plain(getattr(vessel, each.name)) for each in fields(vessel) if each.name not in left_out
    }
    crew = dict(vessel.crew.skills) or {"captain": vessel.crew.captain, "efficiency": vessel.crew.efficiency}
    return {**parts, "ship": vessel.ship.id, "crew": crew, "hex": str(vessel.hex)}


def _plain(value: Any) -> Any:
    if isinstance(value, Fraction):
        return str(value)
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in sorted(value.items())}
    if isinstance(value, frozenset):
        return sorted(value)
    if isinstance(value, Pending):
        return {"part": value.part, "points": value.points}
    return [_plain(item) for item in value] if isinstance(value, tuple) else value


def state_json(state: CombatState) -> dict[str, Any]:
    """The whole combat as JSON, for the umpire only."""
    return {
        "turn": state.turn,
        "round": state.round,
        "order": list(state.order),
        "obstacles": sorted(map(str, state.obstacles)),
        "vessels": {name: vessel_json(vessel) for name, vessel in sorted(state.vessels.items())},
    }


def state_hash(state: CombatState) -> str:
    """SHA-256 of the state's one spelling."""
    text = json.dumps(state_json(state), sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()
