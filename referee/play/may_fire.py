"""Which weapons may fire now: at which targets, and why others may not."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from referee.adjudicator.record_fire import RecordFire
from referee.adjudicator.setup import judge_shots, scenario_of
from referee.core.arcs import bears
from referee.core.combat import Moment
from referee.core.errors import RefereeError
from referee.core.finding import Severity
from referee.core.frozen import frozen, replace
from referee.core.game import FireOrdered
from referee.core.hexgrid import relative_offset, true_range
from referee.core.location import Location
from referee.core.takenover import first_moment
from referee.play.whose import fire_to_come, launch_to_come
from referee.rulebooks.registry import load_ship

if TYPE_CHECKING:
    from referee.core.finding import Finding
    from referee.core.game import GameState, ShipInGame
    from referee.core.hexgrid import Hex
    from referee.core.scenario import Scenario
    from referee.core.ship import Mount
    from referee.play.game_file import Game


@frozen
class WeaponSight:
    """A weapon of a ship: whether it may fire now, at whom, and else why not, by which rule."""

    mark: str
    type: str
    may: bool
    targets: tuple[str, ...] = ()
    why: str = ""
    rule: str = ""
    seeks: bool = False
    """Is it launched, not fired?"""
    arms: int = 0
    """The turns it takes to arm, where nobody here knows that it had them."""


class Armed(Protocol):
    """What fire is judged by: what has been fired, and the terms of the scenario."""

    @property
    def fire(self) -> RecordFire:
        """The fire so far."""

    @property
    def scenario(self) -> Scenario | None:
        """The scenario that is played."""


@frozen
class Standing:
    """The fire and the scenario of a game as it stands."""

    fire: RecordFire
    scenario: Scenario | None


def standing_fire(game: Game) -> Standing:
    """What a game's fire is judged by, from how the game stands alone: no entry is judged again."""
    state = game.state
    fire = RecordFire.standing(game.rulebook, load_ship, state, first_moment(state.genesis))
    return Standing(fire, scenario_of(state.genesis))


def ready_in(game: Game, *, launched: bool = False) -> tuple[str, ...]:
    """The ships with a weapon that may fire now, or launch."""
    if game.state.impulse is None or _over(game).get(launched):
        return ()
    armed = standing_fire(game)
    return tuple(ship.name for ship in game.state.ships.values() if _is_ready(game, armed, ship, launched))


def _is_ready(game: Game, armed: Armed, ship: ShipInGame, launched: bool) -> bool:
    shown, state = load_ship(ship.state.ship), game.state
    seeking = seeking_mounts(game, shown.mounts)
    mounts = [
        mount
        for mount in shown.mounts
        if (mount.id in seeking) is launched and mount.id not in ship.state.destroyed
    ]
    if launched:
        gone = {mark for moment, mark in ship.fired if moment.turn == state.turn}
        mounts = [mount for mount in mounts if mount.id not in gone]
    return any(
        not judged(game, armed, ship, [mount.id], target, launched=launched)
        for target in (enemies_of(state, ship) if mounts and not ship.state.dead else ())
        for mount in mounts
        if bears_on(state, ship, mount, target)
    )


def weapons_in(
    game: Game, armed: Armed, ship: ShipInGame, cloaks: Collection[str] = ()
) -> tuple[WeaponSight, ...]:
    """Every weapon of a ship: at which of the targets it bears on it may fire now, by all the rules of fire; where at
    none, why not at the nearest that is not cloaked. Each is asked by itself: what phasers can draw together is found
    when they are declared."""
    shown, state = load_ship(ship.state.ship), game.state
    gone = {mount.id for mount in shown.mounts if mount.id in ship.state.destroyed}
    seeking = seeking_mounts(game, shown.mounts)
    over = _over(game)
    if state.impulse is None:
        return tuple(
            WeaponSight(mount.id, mount.type, False, why="destroyed" if mount.id in gone else over[False])
            for mount in shown.mounts
        )
    enemies = enemies_of(state, ship)
    bearing: dict[str, list[str]] = {mount.id: [] for mount in shown.mounts}
    for mount in shown.mounts:
        if mount.id not in gone:
            bearing[mount.id] = [name for name in enemies if bears_on(state, ship, mount, name)]
    nearest = sorted(enemies, key=lambda name: (name in cloaks, _range(state, ship, name)))
    allowed: dict[str, list[str]] = {mount.id: [] for mount in shown.mounts}
    against: dict[str, Finding] = {}
    for target in nearest:
        for seeks in (False, True):
            marks = [mark for mark, at in bearing.items() if target in at and (mark in seeking) is seeks]
            found = judged(game, armed, ship, marks, target, launched=seeks) if marks else {}
            for mark in marks:
                if mark in found:
                    against.setdefault(mark, found[mark])
                else:
                    allowed[mark].append(target)
    launched = {mark for moment, mark in ship.fired if moment.turn == state.turn}
    arming = arming_turns(game, ship)
    return tuple(
        replace(
            _weapon(
                mount,
                mount.id in gone,
                [name for name in bearing[mount.id] if name in allowed[mount.id]] or bearing[mount.id],
                None if allowed[mount.id] else against.get(mount.id),
                mount.id in seeking & launched,
                over.get(mount.id in seeking, ""),
            ),
            seeks=mount.id in seeking,
            arms=arming.get(mount.id, 0),
        )
        for mount in shown.mounts
    )


def arming_turns(game: Game, ship: ShipInGame) -> Mapping[str, int]:
    """The turns that each weapon of a ship takes to arm, of those for which the game has not lasted long enough and of
    which no form or scenario tells."""
    state = game.state
    if ship.forms or state.sealed(ship.name, state.turn, "eaf") is not None:
        return {}
    scenario = scenario_of(state.genesis)
    known = {terms.type for terms in scenario.weapons} if scenario is not None else set()
    weapons = game.rulebook.table("weapons")["weapons"]
    takes = {
        mount.id: len(weapons.get(mount.type, {}).get("arming", {}).get("steps", ()))
        for mount in game.ship_class(ship).mounts
        if mount.type not in known
    }
    return {mark: turns for mark, turns in takes.items() if turns > state.turn}


def _over(game: Game) -> dict[bool, str]:
    """Why nothing is fired (False), or launched (True), at this moment; what may be is left out."""
    if game.state.impulse is None:
        return dict.fromkeys((False, True), "nobody fires outside the impulses")
    over = {} if fire_to_come(game) else {False: "fire is over in this impulse"}
    return over if launch_to_come(game) else over | {True: "seekers are launched before fire"}


def _weapon(
    mount: Mount, gone: bool, bears_on: Sequence[str], against: Finding | None, launched: bool, over: str
) -> WeaponSight:
    if gone:
        return WeaponSight(mount.id, mount.type, False, why="destroyed")
    if launched:
        return WeaponSight(mount.id, mount.type, False, why="launched in this turn")
    if not bears_on:
        return WeaponSight(mount.id, mount.type, False, why="bears on nobody")
    if against is not None:
        return WeaponSight(mount.id, mount.type, False, tuple(bears_on), against.message, against.rule)
    return WeaponSight(mount.id, mount.type, not over, tuple(bears_on), over)


def judged(
    game: Game,
    armed: Armed,
    ship: ShipInGame,
    marks: Sequence[str],
    target: str,
    *,
    launched: bool = False,
) -> Mapping[str, Finding]:
    """What is against each of some weapons fired now at a target, or launched, the first that is; what is none is left
    out."""
    state = game.state
    moment = Moment(state.turn, state.impulse or 0)
    order = FireOrdered(len(game.entries), ship.name, tuple(marks), target, moment)
    try:
        fire = armed.fire.fork()
        judge = fire.launch if launched else fire.order
        report = judge(len(game.entries), order, state, Location(file=game.path))
    except RefereeError:
        return {}
    found: dict[str, Finding] = {}
    for finding in report.findings:
        for mark in marks:
            if finding.severity is Severity.ERROR and finding.subject == f"{ship.name} {mark}":
                found.setdefault(mark, finding)
    if armed.scenario is not None:
        types = {mount.id: mount.type for mount in load_ship(ship.state.ship).mounts}
        for mark in marks:
            alone = replace(order, weapons=(mark,))
            for finding in judge_shots(game.rulebook, armed.scenario, state, alone, types):
                found.setdefault(mark, finding)
    return found


def enemies_of(state: GameState, ship: ShipInGame) -> list[str]:
    """The ships a ship may mean to fire at: those of other players; where one plays all, of other sides."""
    there = [
        each
        for each in state.ships.values()
        if each.name != ship.name
        and not each.state.dead
        and each.unit.hex is not None
        and not state.has_left(each)
    ]
    if ship.unit.hex is None or state.has_left(ship):
        return []
    if len(state.players) > 1:
        return [each.name for each in there if each.player != ship.player]
    return [each.name for each in there if not ship.unit.side or each.unit.side != ship.unit.side]


def seeking_mounts(game: Game, mounts: Sequence[Mount]) -> frozenset[str]:
    """The marks of the weapons that launch seekers."""
    weapons = game.rulebook.table("weapons")["weapons"]
    return frozenset(mount.id for mount in mounts if weapons.get(mount.type, {}).get("seeking"))


def bears_on(state: GameState, ship: ShipInGame, mount: Mount, target: str) -> bool:
    """Does a weapon's arc hold a target?"""
    where = _hex(state, target)
    if ship.unit.hex is None or ship.unit.facing is None or where is None:
        return False
    return not mount.arc or bears(mount.arc, relative_offset(ship.unit.hex, ship.unit.facing, where))


def _range(state: GameState, ship: ShipInGame, target: str) -> int:
    where = _hex(state, target)
    return 0 if ship.unit.hex is None or where is None else true_range(ship.unit.hex, where)


def _hex(state: GameState, name: str) -> Hex | None:
    return state.ships[name].unit.hex if name in state.ships else state.seekers[name].hex
