"""What an umpire must have in sight at a table: the moment, who moves, what is awaited, every ship, the last rulings."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from referee.adjudicator.record_shots import cloaks_of
from referee.adjudicator.setup import judge_shots
from referee.core.arcs import bears
from referee.core.combat import Moment, rolls_that_hit
from referee.core.errors import RefereeError
from referee.core.finding import Severity
from referee.core.frozen import frozen, replace
from referee.core.game import FireOrdered
from referee.core.hexgrid import relative_offset, true_range
from referee.core.location import Location
from referee.play.fire_told import fire_said
from referee.play.still_to_come import forms_unwritten
from referee.play.table import awaited_in, standing_table
from referee.play.whose import fire_to_come, launch_to_come, movers_in, ties_in, whose_turn
from referee.rulebooks.registry import load_ship

if TYPE_CHECKING:
    from referee.adjudicator.table import GameTable
    from referee.adjudicator.waiting_for import Wait
    from referee.core.combat import CloakState
    from referee.core.finding import Finding
    from referee.core.game import GameState, ShipInGame
    from referee.core.hexgrid import Hex
    from referee.core.ship import Mount
    from referee.play.game_file import Game

LAST = 3  # rulings and fouls that stay in sight


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


@frozen
class ShotSight:
    """A weapon that may be declared at a target: the odds of it, each exact by the rulebook's tables."""

    mark: str
    type: str
    target: str
    range: int
    hits: Fraction
    """How likely it is to do any damage."""
    mean: Fraction
    """The damage to be expected."""
    dice: str
    needs: str
    """The rolls that hit, as `1-4`; empty for a weapon that always does what its table says."""
    shield: str


@frozen
class ShipSight:
    """A ship as it stands: `to_turn` are the hexes it has still to go straight ahead before it may turn."""

    name: str
    player: str
    ship_class: str
    at: str
    speed: int | None
    to_turn: int | None
    turn_mode: int | None
    shields: tuple[tuple[int, int], ...]
    """Boxes left and boxes whole, of shields 1 to 6."""
    inside: int
    """Boxes inside that are destroyed."""
    weapons: tuple[WeaponSight, ...] = ()
    moves: bool = False
    """Is it called in this impulse, and has not moved?"""
    robot: bool = False
    gone: str = ""
    """`destroyed`, or `left the map`."""
    cloak: str = ""
    """`cloaked`, `fading out` or `fading in`."""

    @property
    def may_fire(self) -> tuple[str, ...]:
        """The weapons that may fire now."""
        return tuple(weapon.mark for weapon in self.weapons if weapon.may and not weapon.seeks)

    @property
    def may_launch(self) -> tuple[str, ...]:
        """The weapons that may launch a seeker now."""
        return tuple(weapon.mark for weapon in self.weapons if weapon.may and weapon.seeks)


@frozen
class Sight:
    """All that is in sight at once. `movers` are the ships that have still to move, in their order, and `mover` the
    first of them; of ships that move at one time, and seal their moves, each stands in `ties`."""

    title: str
    turn: int
    impulse: int | None
    impulses: int
    step: str
    mover: str
    movers: tuple[str, ...]
    ties: tuple[str, ...]
    awaited: tuple[Wait, ...]
    whose: str
    """What is awaited of whom, in a line: `Constellation moves, then War`."""
    ships: tuple[ShipSight, ...]
    seekers: tuple[str, ...]
    rulings: tuple[str, ...]
    fouls: tuple[str, ...]
    dice: str
    """The dice that are to be typed in, in their order; empty where none are."""
    over: str
    head: str
    fires: bool = False
    """May fire be declared in this impulse, now or once all have moved?"""
    all_said: bool = False
    """Are all forms in, or kept on paper and their speeds said?"""

    def ship(self, name: str) -> ShipSight:
        """A ship by its name."""
        return next(ship for ship in self.ships if ship.name == name)


def sight_of(game: Game, table: GameTable | None = None) -> Sight:
    """What is in sight of a game now."""
    from referee.adjudicator.standing import standing_of
    from referee.play.dice import dice_to_type

    state = game.state
    table = table or standing_table(game)
    waits = awaited_in(game)
    movers = movers_in(game)
    stands = standing_of(state)
    cloaks = cloaks_of(game.rulebook, state) if state.ships else {}
    ships = tuple(_ship(game, table, ship, ship.name in movers, cloaks) for ship in state.ships.values())
    over = ""
    if stands is not None and stands.over:
        over = f"{stands.winner or 'nobody'} has won: {stands.why}"
    return Sight(
        title=str(state.genesis.get("title", "")) or "game",
        turn=state.turn,
        impulse=state.impulse,
        impulses=int(game.rulebook.option("impulses")),
        step=state.step,
        mover=movers[0] if movers else "",
        movers=tuple(movers),
        ties=ties_in(game),
        awaited=tuple(waits),
        whose=over or "; ".join(filter(None, [whose_turn(game, waits), _to_declare(game, ships)])),
        ships=ships,
        seekers=tuple(
            f"{seeker.name} at {seeker.hex}{seeker.facing}, after {seeker.target}"
            if seeker.target
            else f"{seeker.name} at {seeker.hex}{seeker.facing}"
            for seeker in state.seekers.values()
        ),
        rulings=tuple(f"#{seq} {text}" for seq, text in state.rulings[-LAST:]),
        fouls=tuple(f"#{foul.seq} {foul.told}" for foul in state.fouls[-LAST:]),
        dice=dice_to_type(game),
        over=over,
        head=game.head,
        fires=fire_to_come(game),
        all_said=not forms_unwritten(game),
    )


def _to_declare(game: Game, ships: Iterable[ShipSight]) -> str:
    """Who may still declare fire, once all have moved and the dice of nobody fall."""
    state = game.state
    if movers_in(game) or state.open_rolls or state.unapplied is not None or not fire_to_come(game):
        return ""
    declared, ships = fire_said(state), tuple(ships)
    ready = [ship.name for ship in ships if ship.may_fire and ship.name not in declared]
    launch = [ship.name for ship in ships if ship.may_launch]
    phrases = [f"may still fire: {', '.join(ready)}"] if ready else []
    return "; ".join([*phrases, *([f"launch, before fire: {', '.join(launch)}"] if launch else [])])


def next_told(game: Game) -> str:
    """What comes once all have moved in an impulse, in a line: who may still declare fire, else to go on. Empty where
    nobody has said a speed."""
    state = game.state
    if state.impulse is None or movers_in(game) or not any(ship.speeds for ship in state.ships.values()):
        return ""
    table, cloaks = standing_table(game), cloaks_of(game.rulebook, state)
    ships = (_ship(game, table, ship, False, cloaks) for ship in state.ships.values())
    return _to_declare(game, ships) or ("" if awaited_in(game) else whose_turn(game, ()))


def _ship(
    game: Game, table: GameTable, ship: ShipInGame, moves: bool, cloaks: Mapping[str, CloakState]
) -> ShipSight:
    shown, cloak = load_ship(ship.state.ship), cloaks.get(ship.name)
    movement = game.rulebook.offers.movement(game.rulebook)
    mode = movement.turn_mode(shown, ship.unit.speed)
    count = movement.count(shown, ship.unit).hexes if mode is not None else 0
    gone = "destroyed" if ship.state.dead else "left the map" if game.state.has_left(ship) else ""
    return ShipSight(
        name=ship.name,
        player=ship.player,
        ship_class=ship.state.ship,
        at=ship.position or "",
        speed=None if ship.unit.speed is None else int(ship.unit.speed),
        to_turn=None if mode is None else max(0, mode - count),
        turn_mode=mode,
        shields=tuple((ship.state.shields.get(n, 0), shown.shields.get(n, 0)) for n in range(1, 7)),
        inside=len(ship.state.destroyed),
        weapons=() if gone else weapons_in(game, table, ship, cloaks),
        moves=moves,
        robot=ship.robot,
        gone=gone,
        cloak="" if cloak is None or gone else cloak.phase.replace("-", " "),
    )


# -- weapons -----------------------------------------------------------------------------


def weapons_in(
    game: Game, table: GameTable, ship: ShipInGame, cloaks: Collection[str] = ()
) -> tuple[WeaponSight, ...]:
    """Every weapon of a ship: at which of the targets it bears on it may fire now, by all the rules of fire; where at
    none, why not at the nearest that is not cloaked. Each is asked by itself: what phasers can draw together is found
    when they are declared."""
    shown, state = load_ship(ship.state.ship), game.state
    gone = {mount.id for mount in shown.mounts if mount.id in ship.state.destroyed}
    seeking = _seeking(game, shown.mounts)
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
            bearing[mount.id] = [name for name in enemies if _bears(state, ship, mount, name)]
    nearest = sorted(enemies, key=lambda name: (name in cloaks, _range(state, ship, name)))
    allowed: dict[str, list[str]] = {mount.id: [] for mount in shown.mounts}
    against: dict[str, Finding] = {}
    for target in nearest:
        for seeks in (False, True):
            marks = [mark for mark, at in bearing.items() if target in at and (mark in seeking) is seeks]
            found = judged(game, table, ship, marks, target, launched=seeks) if marks else {}
            for mark in marks:
                if mark in found:
                    against.setdefault(mark, found[mark])
                else:
                    allowed[mark].append(target)
    launched = {mark for moment, mark in ship.fired if moment.turn == state.turn}
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
        )
        for mount in shown.mounts
    )


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
    table: GameTable,
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
        fire = table.fire.fork()
        judge = fire.launch if launched else fire.order
        report = judge(len(game.entries), order, state, Location(file=game.path))
    except RefereeError:
        return {}
    found: dict[str, Finding] = {}
    for finding in report.findings:
        for mark in marks:
            if finding.severity is Severity.ERROR and finding.subject == f"{ship.name} {mark}":
                found.setdefault(mark, finding)
    if table.scenario is not None:
        types = {mount.id: mount.type for mount in load_ship(ship.state.ship).mounts}
        for mark in marks:
            alone = replace(order, weapons=(mark,))
            for finding in judge_shots(game.rulebook, table.scenario, state, alone, types):
                found.setdefault(mark, finding)
    return found


def shots_in(game: Game, ship: ShipInGame, table: GameTable | None = None) -> tuple[ShotSight, ...]:
    """The shots a ship may declare now, target by target, each with its odds."""
    table = table or standing_table(game)
    shots: list[ShotSight] = []
    shown, state = load_ship(ship.state.ship), game.state
    seeking = _seeking(game, shown.mounts)
    seekers = [
        name
        for name, seeker in state.seekers.items()
        if seeker.owner not in state.ships or state.ships[seeker.owner].player != ship.player
    ]
    for target in [*enemies_of(state, ship), *seekers]:
        marks = [
            mount.id
            for mount in shown.mounts
            if mount.id not in seeking
            and mount.id not in ship.state.destroyed
            and _bears(state, ship, mount, target)
        ]
        against = judged(game, table, ship, marks, target) if marks else {}
        for mark in marks:
            if mark not in against and (shot := _odds(game, ship, mark, target)) is not None:
                shots.append(shot)
    return tuple(shots)


def _odds(game: Game, ship: ShipInGame, mark: str, target: str) -> ShotSight | None:
    """The odds of a shot by its table; None for one that can do nothing there."""
    from referee.adjudicator.fire import scores
    from referee.adjudicator.record_shots import charged, shots_of

    state = game.state
    moment = Moment(state.turn, state.impulse or 0)
    order = FireOrdered(len(game.entries), ship.name, (mark,), target, moment)
    try:
        shot = charged(shots_of(game.rulebook, load_ship, state, [order]), state)[0]
        (count, sides), by_total = scores(game.rulebook, shot)
    except (RefereeError, IndexError):
        return None
    ways = _ways(count, sides)
    every = sides**count
    hits = sum(ways[total] for total, points in by_total.items() if points)
    if not hits:
        return None
    mean = sum(ways[total] * points for total, points in by_total.items())
    score = {points for points in by_total.values() if points}
    most = max(total for total, points in by_total.items() if points)
    least = min(total for total, points in by_total.items() if points)
    needs = rolls_that_hit(most, least) if len(score) == 1 and hits < every else ""
    shields = shot.facing_shields if target in state.ships else ()
    return ShotSight(
        mark=mark,
        type=shot.type,
        target=target,
        range=shot.hexes or 0,
        hits=Fraction(hits, every),
        mean=Fraction(mean, every),
        dice=f"{count}d{sides}",
        needs=needs,
        shield=" or ".join(f"#{number}" for number in shields),
    )


def _ways(count: int, sides: int) -> dict[int, int]:
    """In how many ways each total falls."""
    ways = {0: 1}
    for _ in range(count):
        after: dict[int, int] = {}
        for total, number in ways.items():
            for face in range(1, sides + 1):
                after[total + face] = after.get(total + face, 0) + number
        ways = after
    return ways


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


def _seeking(game: Game, mounts: Sequence[Mount]) -> frozenset[str]:
    weapons = game.rulebook.table("weapons")["weapons"]
    return frozenset(mount.id for mount in mounts if weapons.get(mount.type, {}).get("seeking"))


def _bears(state: GameState, ship: ShipInGame, mount: Mount, target: str) -> bool:
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
