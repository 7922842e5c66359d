"""Seekers in a game record: how each must move, which have arrived, which are gone."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from referee.adjudicator.flight import (
    has_arrived,
    has_reached,
    is_called,
    is_off_map,
    is_spent,
    judge_step,
    lost_with,
    lost_with_lock,
    strike,
)
from referee.adjudicator.flight import ways as ways_of
from referee.adjudicator.guidance import judge_controlled
from referee.adjudicator.record_forms import energy_of
from referee.adjudicator.record_shots import lock_rolled, unit_of, volleys_json, with_sensors_as_now
from referee.core.board import LoadShip
from referee.core.combat import (
    NOT_KNOWN,
    Guidance,
    Moment,
    Seeker,
    ShotResult,
    soonest_facing,
)
from referee.core.errors import BadInput
from referee.core.finding import About, Finding
from referee.core.game import GameState
from referee.core.gameorders import after
from referee.core.hexgrid import FACINGS, Hex
from referee.core.orders import Way
from referee.core.state import best_of_track
from referee.rulebooks.base import Rulebook


def called(rulebook: Rulebook, state: GameState) -> tuple[Seeker, ...]:
    """The seekers that the chart calls on this impulse, that have not moved in it, and that are not where their
    target is already."""
    if state.impulse is None:
        return ()
    movement, now = rulebook.offers.movement(rulebook), Moment(state.turn, state.impulse)
    return tuple(
        seeker
        for seeker in state.seekers.values()
        if seeker.name not in state.seekers_moved
        and not (seeker.owner and seeker.launched == now)  # It moves from the next impulse on.
        and not has_reached(rulebook, seeker, target_of(state, seeker))
        and is_called(rulebook, movement, seeker, state.impulse)
    )


def left_standing(
    rulebook: Rulebook, state: GameState, before: tuple[int, int | None, str], to: tuple[int, int | None, str]
) -> Iterator[tuple[Seeker, Moment]]:
    """The seekers that did not move in an impulse that called them, of the impulses that are over from one moment
    to another; at the first of these the game stands."""
    turns = range(before[0], min(to[0], before[0] + 1) + 1)
    row = [moment for turn in turns for moment in rulebook.offers.moments(rulebook, turn)]
    past = row[row.index(before) if before in row else 0 : row.index(to) if to in row else len(row)]
    over = dict.fromkeys(Moment(turn, n) for turn, n, _ in past if n and (turn, n) != to[:2])
    for now in over:
        moved = state.seekers_moved if (now.turn, now.impulse) == before[:2] else frozenset()
        then = replace(state, turn=now.turn, impulse=now.impulse, seekers_moved=moved)
        for seeker in called(rulebook, then):
            if seeker.launched < now:
                yield seeker, now


def target_of(state: GameState, seeker: Seeker) -> Hex | None:
    """Where what a seeker goes after is; None where it is nowhere, or it goes after nothing."""
    target = state.ships.get(seeker.target)
    return None if target is None else target.unit.hex


def ways(rulebook: Rulebook, state: GameState, seeker: Seeker) -> tuple[Way, ...]:
    """The ways a seeker may move: along a shortest course to its target. Where it has none, ahead."""
    return ways_of(rulebook, seeker, target_of(state, seeker))


def judge_move(rulebook: Rulebook, state: GameState, name: str, way: Way) -> list[Finding]:
    """What the rules say of a seeker's move (F2.0). Raises BadInput for a seeker that is not there."""
    if name not in state.seekers:
        raise BadInput(f"no seeker {name[:40]!a} in the game")
    seeker = state.seekers[name]
    target = target_of(state, seeker)
    if state.impulse is None or (seeker.target and target is None):
        return []
    moment = Moment(state.turn, state.impulse)
    due = any(each.name == name for each in called(rulebook, state))
    due = due and seeker not in lost_with_ships(rulebook, state)
    return judge_step(rulebook, seeker, after(seeker.hex, seeker.facing, way), target, moment, due=due)


def lost_with_ships(rulebook: Rulebook, state: GameState, dead: Iterable[str] = ()) -> tuple[Seeker, ...]:
    """The seekers that leave the map with the ship that guided them, destroyed by now or one of the `dead`:
    drones do (D4.41), plasma flies on (D4.42)."""
    everyone = tuple(state.seekers.values())
    lost: tuple[Seeker, ...] = ()
    for name in sorted({*dead, *(name for name, ship in state.ships.items() if ship.state.dead)}):
        lost += lost_with(rulebook, everyone, name)
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
    hits, gone = hits_due(rulebook, load_ship, state, late=late)
    if not hits and not gone:
        return None
    return {"seekers": [*(hit.weapon for hit in hits), *gone], "volleys": volleys_json(rulebook, hits)}


def hits_due(
    rulebook: Rulebook, load_ship: LoadShip, state: GameState, *, late: bool = False
) -> tuple[list[ShotResult], list[str]]:
    """What the seekers do that have arrived, and the names of those that leave the map without a strike."""
    everyone = tuple(state.seekers.values())
    lost = tuple(unlocked(rulebook, load_ship, state, everyone))
    lost += () if late else lost_with_ships(rulebook, state)
    arrived = [seeker for seeker in everyone if seeker not in lost and _arrived(rulebook, state, seeker)]
    gone = [seeker.name for seeker in _gone(rulebook, load_ship, state) if seeker not in arrived]
    return [strike_of(rulebook, load_ship, state, seeker) for seeker in arrived], gone


def strike_of(rulebook: Rulebook, load_ship: LoadShip, state: GameState, seeker: Seeker) -> ShotResult:
    """What a seeker does to the target it has reached."""
    moment = Moment(state.turn, state.impulse or 1)
    return strike(rulebook, seeker, unit_of(rulebook, load_ship, state.ships[seeker.target], moment), moment)


def strike_to_come(rulebook: Rulebook, load_ship: LoadShip, state: GameState) -> tuple[str, list[str]]:
    """The step of this impulse, still ahead, in which seekers strike or leave the map, and which as things stand;
    no names where none do."""
    steps = rulebook.descriptor["sequence_of_play"]["steps_of"]["seekers' strike"]
    row = [moment for moment in rulebook.offers.moments(rulebook, state.turn) if moment[1] == state.impulse]
    now = state.turn, state.impulse, state.step
    ahead = row[row.index(now) + 1 :] if state.impulse is not None and now in row else []
    step = next((moment[2] for moment in ahead if moment[2] in steps), "")
    due = strike_due(rulebook, load_ship, state) if step and state.seekers else None
    return step, due["seekers"] if due else []


def _arrived(rulebook: Rulebook, state: GameState, seeker: Seeker) -> bool:
    target = state.ships.get(seeker.target)
    if target is None or target.state.dead or state.has_left(target):
        return False
    return has_arrived(rulebook, seeker, target.unit.hex)


def unlocked(
    rulebook: Rulebook, load_ship: LoadShip, state: GameState, seekers: tuple[Seeker, ...]
) -> Iterator[Seeker]:
    """Drones whose ship has no lock-on on their target any more (D6.122): its roll of this turn failed, its form
    pays nothing for fire control, or the target is cloaked. What is not shown yet takes nothing away."""
    guided = {(each.owner, each.target) for each in seekers if {each.owner, each.target} <= set(state.ships)}
    for ship, target in sorted(guided):
        if _has_lock_on(rulebook, load_ship, state, ship, target) is False:
            after_it = (seeker for seeker in seekers if seeker.target == target)
            yield from lost_with_lock(rulebook, after_it, ship)


def _has_lock_on(
    rulebook: Rulebook, load_ship: LoadShip, state: GameState, ship: str, target: str
) -> bool | None:
    """Whether a ship has lock-on on another now; None where it is not known."""
    now = Moment(state.turn, state.impulse or 1)
    firer, aim = (unit_of(rulebook, load_ship, state.ships[name], now) for name in (ship, target))
    assert firer.ship is not None
    known = energy_of(rulebook, firer.ship, state.ships[ship], state.turn).get(state.turn)
    control = rulebook.offers.fire_energy(known.facts)[2] if known else NOT_KNOWN
    return lock_rolled(rulebook, state, firer, aim, state.turn, control)


def _gone(rulebook: Rulebook, load_ship: LoadShip, state: GameState) -> Iterator[Seeker]:
    """Seekers whose flight is over, whose target is, whose ship was lost while it guided them, or that are off
    the map."""
    now = Moment(state.turn, state.impulse or 1)
    everyone = tuple(state.seekers.values())
    unguided = lost_with_ships(rulebook, state)
    unguided += tuple(unlocked(rulebook, load_ship, state, everyone))
    for seeker in everyone:
        over = is_spent(rulebook, seeker, now) or is_off_map(rulebook, seeker)
        if over or _has_no_aim(state, seeker) or seeker in unguided:
            yield seeker


def _has_no_aim(state: GameState, seeker: Seeker) -> bool:
    """Is what a seeker goes after gone? One that goes after nothing flies on."""
    if not seeker.target:
        return False
    target = state.ships[seeker.target]
    return target.state.dead or state.has_left(target)


def too_many_controlled(
    rulebook: Rulebook, load_ship: LoadShip, state: GameState, launch: Mapping[str, Any], but: Container[str]
) -> list[Finding]:
    """What is against a ship launching one more drone, by its sensors as they are and the drones it has out, `but`
    some that were too many before (D6.132)."""
    ship = state.ships[launch["ship"]]
    there, weapon = ship.unit.hex, rulebook.table("weapons")["weapons"].get(launch["type"], {})
    if there is None or state.impulse is None or weapon.get("system") != "drone":
        return []
    moment = Moment(state.turn, state.impulse)
    own = [each for each in state.seekers.values() if each.owner == ship.name and each.name not in but]
    name, facing = str(launch.get("name", "")), str(launch.get("facing", ""))
    own.append(Seeker(name, launch["type"], ship.name, launch["target"], there, facing, moment))
    rating = best_of_track(load_ship(ship.state.ship), ship.state, "sensor")
    guidance = Guidance(ship.name, rating, tuple(own), turn=state.turn)
    found = judge_controlled(rulebook, guidance)
    return [replace(item, impulse=state.impulse) for item in found if isinstance(item, Finding)]


def launch_facing(state: GameState, ship: str, target: str) -> str:
    """The way a new seeker faces: whence it is soonest and straightest at its target (D2.1)."""
    here, there = state.ships[ship].unit.hex, state.ships[target].unit.hex
    facing = state.ships[ship].unit.facing
    return (facing or FACINGS[0]) if here is None or there is None else soonest_facing(here, there, facing)


def judge_strike(
    rulebook: Rulebook, load_ship: LoadShip, state: GameState, strike: Mapping[str, Any]
) -> list[Finding] | None:
    """What is against a strike of seekers: those that strike after their ship was lost. None where it is not what
    seekers do by the rules."""
    due = strike_due(rulebook, load_ship, state)
    if dict(strike) == due or dict(strike) == strike_due(rulebook, load_ship, with_sensors_as_now(state)):
        return []
    if dict(strike) != strike_due(rulebook, load_ship, state, late=True):
        return None
    struck = rulebook.offers.seen_flights.struck_unguided
    lost = (seeker for seeker in lost_with_ships(rulebook, state) if seeker.name in strike["seekers"])
    return [struck(About(seeker.name, state.turn, state.impulse)) for seeker in lost]
