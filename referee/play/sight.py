"""What an umpire must have in sight at a table: the moment, who moves, what is awaited, every ship, the last rulings."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING

from referee.adjudicator.fire import scores
from referee.adjudicator.record_shots import charged, cloaks_of, shots_of
from referee.adjudicator.standing import standing_of
from referee.core.combat import Moment, rolls_that_hit
from referee.core.errors import RefereeError
from referee.core.frozen import frozen, replace
from referee.core.game import FireOrdered
from referee.core.place_words import LEFT, place_text, standing_text
from referee.play.comes_next import fire_comes, to_declare
from referee.play.dice import dice_to_type
from referee.play.may_fire import (
    WeaponSight,
    bears_on,
    enemies_of,
    judged,
    seeking_mounts,
    weapons_in,
)
from referee.play.still_to_come import forms_unwritten
from referee.play.table import awaited_in, standing_table
from referee.play.whose import fire_to_come, move_order, mover_in, movers_in, ties_in, whose_turn
from referee.rulebooks.registry import load_ship

if TYPE_CHECKING:
    from referee.adjudicator.table import GameTable
    from referee.adjudicator.waiting_for import Wait
    from referee.core.combat import CloakState
    from referee.core.game import ShipInGame
    from referee.play.game_file import Game

LAST = 3  # rulings and fouls that stay in sight


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
    """`destroyed`, or that it has left the map."""
    cloak: str = ""
    """`cloaked`, `fading out` or `fading in`."""

    @property
    def place(self) -> str:
        """Where it is: its hex, or in words."""
        return place_text(self.at) or "not on the map"

    @property
    def stands(self) -> str:
        """Where it stands, in words for a sentence."""
        return standing_text(self.at)

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
    speed_of: str = ""
    """The ship whose speed is to be said next, with its form on paper; empty where none is."""
    has_moved: bool = False
    """Has a ship moved in this impulse?"""

    @property
    def nobody_moves(self) -> str:
        """Why no ship moves now."""
        if self.impulse is None:
            return f"nobody moves in {self.step}"
        return f"{'all have moved' if self.has_moved else 'nobody moves'} in impulse {self.impulse}"

    @property
    def c_is_a_ship(self) -> bool:
        """Does a ship's name begin with c? Then `c` begins an order, and `clock` is the clock."""
        return any(ship.name.casefold().startswith("c") for ship in self.ships)

    def ship(self, name: str) -> ShipSight:
        """A ship by its name."""
        return next(ship for ship in self.ships if ship.name == name)


def sight_of(game: Game, table: GameTable | None = None) -> Sight:
    """What is in sight of a game now."""
    state = game.state
    table = table or standing_table(game)
    waits = awaited_in(game)
    groups = move_order(game)
    movers = [name for group in groups for name in group]
    stands = standing_of(state)
    cloaks = cloaks_of(game.rulebook, state) if state.ships else {}
    ships = tuple(_ship(game, table, ship, ship.name in movers, cloaks) for ship in state.ships.values())
    firing = (ship.name for ship in ships if ship.may_fire)
    launching = (ship.name for ship in ships if ship.may_launch)
    declares = to_declare(game, firing, launching) if fire_comes(game) else ""
    unwritten = forms_unwritten(game)
    over = ""
    if stands is not None and stands.over:
        over = stands.sentence
    return Sight(
        title=str(state.genesis.get("title", "")) or "game",
        turn=state.turn,
        impulse=state.impulse,
        impulses=int(game.rulebook.option("impulses")),
        step=state.step,
        mover=mover_in(game, groups),
        movers=tuple(movers),
        ties=ties_in(game),
        awaited=tuple(waits),
        whose="; ".join(filter(None, [over, whose_turn(game, waits), declares])),
        ships=ships,
        seekers=tuple(
            f"{seeker.name} at {seeker.hex}{seeker.facing}, after {seeker.target}"
            if seeker.target
            else f"{seeker.name} at {seeker.hex}{seeker.facing}"
            for seeker in state.seekers.values()
        ),
        rulings=tuple(f"#{seq} {text}" for seq, text in state.rulings[-LAST:]),
        fouls=tuple(f"#{foul.seq} {foul.charge}" for foul in state.fouls[-LAST:]),
        dice=dice_to_type(game),
        over=over,
        head=game.head,
        fires=fire_to_come(game),
        all_said=not unwritten,
        speed_of=next((name for name in unwritten if state.turn not in state.ships[name].speeds), ""),
        has_moved=any(ship.unit.moved_on == state.impulse for ship in state.ships.values()),
    )


def _ship(
    game: Game, table: GameTable, ship: ShipInGame, moves: bool, cloaks: Mapping[str, CloakState]
) -> ShipSight:
    shown, cloak = load_ship(ship.state.ship), cloaks.get(ship.name)
    movement = game.rulebook.offers.movement(game.rulebook)
    mode = movement.turn_mode(shown, ship.unit.speed)
    count = movement.count(shown, ship.unit).hexes if mode is not None else 0
    gone = "destroyed" if ship.state.dead else LEFT if game.state.has_left(ship) else ""
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


# -- shots ---------------------------------------------------------------------------------


def shots_in(game: Game, ship: ShipInGame) -> tuple[ShotSight, ...]:
    """The shots a ship may declare now, target by target, each with its odds from where seekers will stand."""
    game, table = _once_seekers_moved(game)
    shots: list[ShotSight] = []
    shown, state = load_ship(ship.state.ship), game.state
    seeking = seeking_mounts(game, shown.mounts)
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
            and bears_on(state, ship, mount, target)
        ]
        against = judged(game, table, ship, marks, target) if marks else {}
        for mark in marks:
            if mark not in against and (shot := _odds(game, ship, mark, target)) is not None:
                shots.append(shot)
    return tuple(shots)


def _once_seekers_moved(game: Game) -> tuple[Game, GameTable]:
    """The game as it stands when fire is declared: seekers that move before that have moved."""
    table = standing_table(game)
    if not game.state.seekers or movers_in(game) or not fire_to_come(game):
        return game, table
    from referee.adjudicator.ordering import Ordering

    if Ordering(table, lambda _: "").reaches("fire"):
        return replace(game, state=table.state), table
    return game, standing_table(game)


def _odds(game: Game, ship: ShipInGame, mark: str, target: str) -> ShotSight | None:
    """The odds of a shot by its table; None for one that can do nothing there."""
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
