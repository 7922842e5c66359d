"""Seekers in a game record: how each must move, which have arrived, which are gone."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from referee.adjudicator.check import judge
from referee.adjudicator.declared_fire import lock_on
from referee.adjudicator.order_guidance import CONTROLLED
from referee.adjudicator.record_fire import unit_of, volleys_json
from referee.adjudicator.record_forms import energy_of
from referee.core.board import LoadShip
from referee.core.combat import NOT_KNOWN, Guidance, Moment, Seeker, SeekerMove, ShotResult, soonest_facing
from referee.core.finding import Finding
from referee.core.game import GameState
from referee.core.gameorders import after
from referee.core.hexgrid import FACINGS, Hex
from referee.core.orders import WAYS, Way
from referee.core.state import best_of_track
from referee.rulebooks.base import Rulebook


def called(rulebook: Rulebook, state: GameState) -> tuple[Seeker, ...]:
    """The seekers that the chart calls on this impulse, that have not moved in it, and that are not where their
    target is already."""
    if state.impulse is None:
        return ()
    now = Moment(state.turn, state.impulse)
    movement = rulebook.procedure("movement")(rulebook)
    speed = rulebook.rules_on("seeker speed")[0]
    reached = rulebook.rules_on("seeker reached")
    found = []
    for seeker in state.seekers.values():
        hexes = speed.decide(seeker, movement.of, rulebook)
        stays = any(rule.decide(seeker, target_of(state, seeker)) for rule in reached)
        new = bool(seeker.owner) and seeker.launched == now  # It moves from the next impulse on.
        waits = seeker.name not in state.seekers_moved and not stays and not new
        if waits and movement.chart.calls(hexes, state.impulse):
            found.append(seeker)
    return tuple(found)


def target_of(state: GameState, seeker: Seeker) -> Hex | None:
    """Where what a seeker goes after is; None where it is nowhere, or it goes after nothing."""
    target = state.ships.get(seeker.target)
    return None if target is None else target.unit.hex


def ways(rulebook: Rulebook, state: GameState, seeker: Seeker) -> tuple[Way, ...]:
    """The ways a seeker may move: along a shortest course to its target. Where it has none, ahead."""
    course = rulebook.rules_on("seeker course")[0].decide(seeker, target_of(state, seeker), rulebook)
    return tuple(way for way in WAYS if after(seeker.hex, seeker.facing, way) in course) or ("ahead",)


def judge_move(rulebook: Rulebook, state: GameState, name: str, way: Way) -> list[Finding]:
    """What the rules say of a seeker's move (F2.0)."""
    seeker = state.seekers[name]
    target = target_of(state, seeker)
    if state.impulse is None or (seeker.target and target is None):
        return []
    hex, facing = after(seeker.hex, seeker.facing, way)
    moment = Moment(state.turn, state.impulse)
    of = int(rulebook.option("impulses"))
    due = any(one.name == name for one in called(rulebook, state))
    move = SeekerMove(seeker, hex, facing, target, moment, of, due)
    facts = rulebook.procedure("seeker moved")(move, rulebook)
    found = [
        item for rule in rulebook.rules_on("seeker move", "check") for item in judge(rule, rulebook, facts)
    ]
    return [item for item in found if isinstance(item, Finding)]


def lost_with_ships(rulebook: Rulebook, state: GameState, dead: Iterable[str] = ()) -> tuple[Seeker, ...]:
    """The seekers that leave the map with the ship that guided them, destroyed by now or one of the `dead`:
    drones do (D4.41), plasma flies on (D4.42)."""
    everyone = tuple(state.seekers.values())
    lost: tuple[Seeker, ...] = ()
    for name in sorted({*dead, *(name for name, ship in state.ships.items() if ship.state.dead)}):
        of_ship: tuple[Seeker, ...] = ()
        for rule in rulebook.rules_on("ship lost"):
            of_ship = rule.decide(of_ship, everyone, name)
        lost += of_ship
    return lost


def leaving_with_ships(
    rulebook: Rulebook, state: GameState, dead: Iterable[str] = ()
) -> dict[str, Any] | None:
    """What a record holds as seekers leave the map with their ships, at the instant; None where none do."""
    names = [seeker.name for seeker in lost_with_ships(rulebook, state, dead)]
    return {"seekers": names, "volleys": []} if names else None


def strike_due(
    rulebook: Rulebook, load_ship: LoadShip, state: GameState, *, late: bool = False
) -> dict[str, Any] | None:
    """The seekers that leave the map now and the volleys of those that struck, as a record holds it; None
    where there are none. With `late` a drone strikes though its ship is destroyed: so earlier versions of
    this program had it, and their records stand."""
    everyone = tuple(state.seekers.values())
    lost = tuple(unlocked(rulebook, load_ship, state, everyone))
    lost += () if late else lost_with_ships(rulebook, state)
    arrived = [seeker for seeker in everyone if seeker not in lost and _arrived(rulebook, state, seeker)]
    gone = [seeker.name for seeker in _gone(rulebook, load_ship, state) if seeker not in arrived]
    if not arrived and not gone:
        return None
    hits = [strike_of(rulebook, load_ship, state, seeker) for seeker in arrived]
    volleys = volleys_json(rulebook, hits)
    return {"seekers": [*(seeker.name for seeker in arrived), *gone], "volleys": volleys}


def strike_of(rulebook: Rulebook, load_ship: LoadShip, state: GameState, seeker: Seeker) -> ShotResult:
    """What a seeker does to the target it has reached."""
    moment = Moment(state.turn, state.impulse or 1)
    target = unit_of(rulebook, load_ship, state.ships[seeker.target], moment)
    came_from = seeker.hex.step(seeker.facing, -1)
    hit = rulebook.procedure("seeker hit")(rulebook, seeker, target, came_from, moment)
    return _on_a_shield(hit)


def strike_to_come(rulebook: Rulebook, load_ship: LoadShip, state: GameState) -> tuple[str, list[str]]:
    """The step of this impulse, still ahead, in which seekers strike or leave the map, and which as things stand;
    no names where none do."""
    steps = rulebook.descriptor["sequence_of_play"]["steps_of"]["seekers' strike"]
    row = [
        moment for moment in rulebook.procedure("moments")(rulebook, state.turn) if moment[1] == state.impulse
    ]
    now = state.turn, state.impulse, state.step
    ahead = row[row.index(now) + 1 :] if state.impulse is not None and now in row else []
    step = next((moment[2] for moment in ahead if moment[2] in steps), "")
    due = strike_due(rulebook, load_ship, state) if step and state.seekers else None
    return step, due["seekers"] if due else []


def _on_a_shield(hit: ShotResult) -> ShotResult:
    """On the corner of two shields a seeker strikes the lower numbered: the sources do not say which."""
    return replace(hit, shield=min(hit.shields)) if hit.shield is None and hit.shields else hit


def _arrived(rulebook: Rulebook, state: GameState, seeker: Seeker) -> bool:
    target = state.ships.get(seeker.target)
    if target is None or target.state.dead or state.has_left(target):
        return False
    hex = target.unit.hex
    reached = any(rule.decide(seeker, hex) for rule in rulebook.rules_on("seeker reached"))
    return reached or (seeker.hexes > 0 and hex == seeker.hex)


def unlocked(
    rulebook: Rulebook, load_ship: LoadShip, state: GameState, seekers: tuple[Seeker, ...]
) -> Iterator[Seeker]:
    """Drones whose ship has no lock-on on their target any more (D6.122): its roll of this turn failed, its form
    pays nothing for fire control, or the target is cloaked. What is not shown yet takes nothing away."""
    guided = {(one.owner, one.target) for one in seekers if {one.owner, one.target} <= set(state.ships)}
    for ship, target in sorted(guided):
        if _has_lock_on(rulebook, load_ship, state, ship, target) is False:
            after_it = tuple(seeker for seeker in seekers if seeker.target == target)
            for rule in rulebook.rules_on("seekers lost"):
                yield from rule.decide(after_it, ship, rulebook)


def _has_lock_on(
    rulebook: Rulebook, load_ship: LoadShip, state: GameState, ship: str, target: str
) -> bool | None:
    """Whether a ship has lock-on on another now; None where it is not known."""
    now = Moment(state.turn, state.impulse or 1)
    firer, aim = (unit_of(rulebook, load_ship, state.ships[name], now) for name in (ship, target))
    assert firer.ship is not None
    known = energy_of(rulebook, firer.ship, state.ships[ship], state.turn).get(state.turn)
    control = rulebook.procedure("fire energy")(known.facts)[2] if known else NOT_KNOWN
    return lock_on(rulebook, firer, aim, state.locks.get((ship, target, state.turn)), control)


def _gone(rulebook: Rulebook, load_ship: LoadShip, state: GameState) -> Iterator[Seeker]:
    """Seekers whose flight is over, whose target is, whose ship was lost while it guided them, or that are off
    the map."""
    now = Moment(state.turn, state.impulse or 1)
    of = int(rulebook.option("impulses"))
    spent = rulebook.rules_on("seeker spent")
    everyone = tuple(state.seekers.values())
    unguided = lost_with_ships(rulebook, state)
    unguided += tuple(unlocked(rulebook, load_ship, state, everyone))
    beyond = rulebook.rules_on("drone off map")
    for seeker in everyone:
        over = any(rule.decide(seeker, now, of, rulebook) for rule in spent)
        over = over or any(rule.decide(seeker, rulebook) for rule in beyond)
        if over or _has_no_aim(state, seeker) or seeker in unguided:
            yield seeker


def _has_no_aim(state: GameState, seeker: Seeker) -> bool:
    """Is what a seeker goes after gone? One that goes after nothing flies on."""
    if not seeker.target:
        return False
    target = state.ships[seeker.target]
    return target.state.dead or state.has_left(target)


def too_many_controlled(
    rulebook: Rulebook, load_ship: LoadShip, state: GameState, said: Mapping[str, Any], but: Container[str]
) -> list[Finding]:
    """What is against a ship launching one more drone, by its sensors as they are and the drones it has out, `but`
    some that were too many before (D6.132)."""
    ship = state.ships[said["ship"]]
    there, weapon = ship.unit.hex, rulebook.table("weapons")["weapons"].get(said["type"], {})
    if there is None or state.impulse is None or weapon.get("system") != "drone":
        return []
    moment = Moment(state.turn, state.impulse)
    own = [one for one in state.seekers.values() if one.owner == ship.name and one.name not in but]
    name, facing = str(said.get("name", "")), str(said.get("facing", ""))
    own.append(Seeker(name, said["type"], ship.name, said["target"], there, facing, moment))
    rating = best_of_track(load_ship(ship.state.ship), ship.state, "sensor")
    guidance = Guidance(ship.name, rating, tuple(own), turn=state.turn)
    rules = [rule for rule in rulebook.rules_on("guidance", "check") if rule.key == CONTROLLED]
    found = [item for rule in rules for item in judge(rule, rulebook, guidance)]
    return [replace(item, impulse=state.impulse) for item in found if isinstance(item, Finding)]


def launch_facing(rulebook: Rulebook, state: GameState, ship: str, target: str) -> str:
    """The way a new seeker faces: whence it is soonest and straightest at its target (D2.1)."""
    here, there = state.ships[ship].unit.hex, state.ships[target].unit.hex
    facing = state.ships[ship].unit.facing
    return (facing or FACINGS[0]) if here is None or there is None else soonest_facing(here, there, facing)
