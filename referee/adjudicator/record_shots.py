"""The shots of fire in a game record: what the rules know of each, and what their dice do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

from referee.adjudicator.cloak import Announcement, cloak_at, history_of, judge_announcement
from referee.adjudicator.declared_fire import Battery, Declared, lock_on
from referee.adjudicator.fire import dice_for, resolve_shots, struck_by, volleys_of
from referee.adjudicator.standing import has_forms
from referee.core.board import LoadShip
from referee.core.combat import (
    NOT_KNOWN,
    CloakState,
    Declaration,
    Moment,
    Paid,
    Shot,
    ShotResult,
    Unit,
)
from referee.core.dice import Dice, seeded_dice
from referee.core.energy import parse_energy
from referee.core.errors import BadInput
from referee.core.finding import Finding
from referee.core.forms import FormLines
from referee.core.frozen import replace
from referee.core.game import FireOrdered, GameState, ShipInGame
from referee.core.hexgrid import relative_offset, struck_shields
from referee.core.location import Location
from referee.core.play import When
from referee.rulebooks.base import Rulebook

NOBODY = "no player"
"""The side of a drone that is on none; no player can be called so."""
FIRST = When(1, 1)
"""A record begins with its game: what did not fire in it never fired."""


def cloak_of(rulebook: Rulebook, ship: ShipInGame, moment: Moment) -> CloakState:
    """How far a ship is hidden at a moment."""
    if ship.formless and not ship.announced:
        return CloakState()
    paid = cloak_paid(rulebook.lines, ship, moment.turn if ship.formless else 0)
    return cloak_at(rulebook, history_of(rulebook, ship.name, paid, ship.announced), moment)


def cloaks_of(rulebook: Rulebook, state: GameState) -> dict[str, CloakState]:
    """The ships of a game that are cloaked or fading now, as far as what is shown of it tells. Before the
    impulses of a turn that is as the turn before left them, behind them as the last one did."""
    impulse = state.impulse
    if impulse is None:
        steps = list(rulebook.descriptor["sequence_of_play"]["turn"])
        over = state.step in steps and steps.index(state.step) > steps.index("impulses")
        impulse = int(rulebook.option("impulses")) if over else 0
    now = Moment(state.turn, impulse)
    found = {name: cloak_of(rulebook, ship, now) for name, ship in state.ships.items()}
    return {name: cloak for name, cloak in found.items() if cloak.active and not state.ships[name].state.dead}


def cloak_announced(
    rulebook: Rulebook,
    load_ship: LoadShip,
    ship: ShipInGame,
    order: tuple[Moment, Announcement],
    before: tuple[tuple[Moment, Announcement], ...],
) -> list[Finding]:
    """What is against an order to a ship's cloak at a moment, after what was announced before."""
    moment, to = order
    history = history_of(rulebook, ship.name, cloak_paid(rulebook.lines, ship, moment.turn), before)
    shown = load_ship(ship.state.ship) if ship.state.ship else None
    found = judge_announcement(rulebook, history, moment, to, shown)
    return [item for item in found if isinstance(item, Finding)]


def cloak_paid(lines: FormLines, ship: ShipInGame, turn: int = 0) -> frozenset[int]:
    """The turns whose form pays for the cloak; and those in which it was announced, and `turn`, where their
    form is not shown. Where no form is told it is taken as paid for from its announcement on."""
    turns = {moment.turn for moment, _ in ship.announced} | ({turn} if turn else set())
    if ship.formless:
        return frozenset(range(min(turns, default=1), turn + 1))
    paid = {
        turn
        for turn, form in ship.forms.items()
        if any(
            figure["line"] == lines.cloak and parse_energy(str(figure["amount"])) for figure in form.values()
        )
    }
    return frozenset(paid | (turns - set(ship.forms)))


def unit_of(rulebook: Rulebook, load_ship: LoadShip, ship: ShipInGame, moment: Moment) -> Unit:
    """A ship where it stands now."""
    cloak = cloak_of(rulebook, ship, moment)
    hex, facing = ship.unit.hex, ship.unit.facing
    if not ship.state.ship:  # Its class is not known.
        return Unit(ship.name, hex=hex, facing=facing, cloak=cloak, side=_side(ship))
    shown = load_ship(ship.state.ship)
    state = ship.state
    if ship.formless and ship.unit.speed != state.speed:
        state = replace(state, speed=None if ship.unit.speed is None else Fraction(ship.unit.speed))
    return Unit(ship.name, shown, state, hex, facing, cloak, side=_side(ship), robot=ship.robot)


def _side(ship: ShipInGame) -> str:
    """Whose a ship is; nothing where that is not known."""
    return ship.unit.side if ship.formless else ship.player


def _target(rulebook: Rulebook, load_ship: LoadShip, state: GameState, order: FireOrdered) -> Unit:
    if order.target in state.ships:
        return unit_of(rulebook, load_ship, state.ships[order.target], order.moment)
    seeker = state.seekers[order.target]
    nobody = "" if state.ships[order.ship].formless else NOBODY
    side = _side(state.ships[seeker.owner]) if seeker.owner else seeker.player or seeker.side or nobody
    return Unit(seeker.name, hex=seeker.hex, facing=seeker.facing, kind=seeker.type, side=side)


def declared_in(
    rulebook: Rulebook, load_ship: LoadShip, state: GameState, order: FireOrdered, place: Location
) -> Declared:
    """Fire ordered in a record, with all that is known of firer and target as they stand.
    Raises BadInput where neither stands on the map."""
    firer = unit_of(rulebook, load_ship, state.ships[order.ship], order.moment)
    shown = load_ship(state.ships[order.ship].state.ship)
    mounts = tuple(mount for mark in order.weapons if (mount := shown.mount(mark)) is not None)
    target = _target(rulebook, load_ship, state, order)
    for unit in (firer, target):
        if unit.hex is None:
            raise BadInput(
                f"{unit.name} is nowhere on the map", hint="place it: --ship NAME=CLASS:PLAYER@2801E/16"
            )
    if target.kind != "ship" and not (firer.side or target.side):
        # Where no sides are told every ship is on one of its own, and so are the seekers it launched.
        owner = state.seekers[target.name].owner or NOBODY
        firer, target = replace(firer, side=firer.name), replace(target, side=owner)
    return Declared(firer, target, mounts, When(order.moment.turn, order.moment.impulse or None), place)


def aimed(rulebook: Rulebook, shot: Shot, order: FireOrdered, state: GameState) -> Shot:
    """A shot with the shield that was chosen for it, and what its ship's roll for lock-on came to."""
    shield = order.shield
    if shield is None and shot.target.name in state.ships and shot.hexes == 0:
        shield = shield_come_in_on(state, shot.firer.name, shot.target.name)
    shot = locked(rulebook, shot, state)
    return shot if shield == shot.shield else replace(shot, shield=shield)


def locked(rulebook: Rulebook, shot: Shot, state: GameState) -> Shot:
    """A shot with what its ship's roll for lock-on of its turn came to."""
    turn = shot.turn or state.turn
    rolled = (shot.firer.name, shot.target.name, turn) in state.locks
    held = lock_rolled(rulebook, state, shot.firer, shot.target, turn) if rolled else None
    return shot if held is shot.lock_on else replace(shot, lock_on=held)


def lock_rolled(
    rulebook: Rulebook,
    state: GameState,
    firer: Unit,
    target: Unit,
    turn: int,
    control: Paid = NOT_KNOWN,
) -> bool | None:
    """Whether a ship has lock-on on another by what it rolled in a turn: with its sensors as the turn began, for it is
    rolled then and stands (D6.11). None where it is not known."""
    began = replace(firer, state=state.ships[firer.name].when_begun(turn))
    return lock_on(rulebook, began, target, state.locks.get((firer.name, target.name, turn)), control)


def with_sensors_as_now(state: GameState) -> GameState:
    """A game whose sensors were as they are now when the turn began: so earlier versions of this program held rolls for
    lock-on against them, and their records stand."""
    ships = {
        name: replace(ship, begun={**ship.begun, state.turn: ship.state})
        for name, ship in state.ships.items()
    }
    return replace(state, ships=ships)


def charged(shots: Iterable[Shot], state: GameState) -> tuple[Shot, ...]:
    """Shots with their energy paid, where the game's scenario has no forms: what may fire is charged."""
    if has_forms(state):
        return shots if isinstance(shots, tuple) else tuple(shots)
    return tuple(replace(shot, energy="paid", fire_control="paid") for shot in shots)


def shield_come_in_on(state: GameState, firer: str, target: str) -> int | None:
    """The shield of a target in the firer's own hex: the one the firer came in on, or, where the target
    entered last, the one it had ahead; None where neither has moved.

    The sources give no direction within a hex. A ship turns, then enters the hex ahead (C3.1), so the hex
    it came from lies astern of it.
    """
    mine, other = state.ships[firer].unit, state.ships[target].unit
    if mine.hex is None or other.hex is None or mine.facing is None or other.facing is None:
        return None
    last: dict[str, int] = {}
    for seq, data in state.orders:
        if "move" in data and (name := data["move"]["ship"]) in (firer, target):
            last[name] = max(seq, last.get(name, seq))
    if not last:
        return None
    if last.get(target, -1) > last.get(firer, -1):
        return 1
    came_from = mine.hex.step(mine.facing, -1)
    shields = struck_shields(relative_offset(other.hex, other.facing, came_from))
    return min(shields, default=None)


# -- the dice ----------------------------------------------------------------------------


def shots_of(
    rulebook: Rulebook, load_ship: LoadShip, state: GameState, orders: Sequence[FireOrdered]
) -> tuple[Shot, ...]:
    """The shots of some orders, in their order."""
    shots: list[Shot] = []
    for order in orders:
        declared = declared_in(rulebook, load_ship, state, order, Location())
        shots += shots_by(Battery(rulebook, {}, FIRST), declared, order, state).shots
    return tuple(shots)


def shots_by(battery: Battery, declared: Declared, order: FireOrdered, state: GameState) -> Declaration:
    """The shots of an order, by what is known of the weapons of its ship; from then on they are fired."""
    declaration = battery.declaration([declared])
    shots = tuple(aimed(battery.rulebook, shot, order, state) for shot in declaration.shots)
    same = all(shot is before for shot, before in zip(shots, declaration.shots, strict=True))
    return declaration if same else replace(declaration, shots=shots)


def dice_of(rulebook: Rulebook, shots: Sequence[Shot]) -> list[dict[str, Any]]:
    """The dice shots are decided by, a group for each, told who fires what at whom, and which time it does:
    a weapon that is fired twice against the rules is rolled for twice."""
    step = rulebook.offers.fire_step(rulebook, Declaration(tuple(shots)))
    groups: list[dict[str, Any]] = []
    times: Counter[str] = Counter()
    for shot, aim in zip(shots, step.aims, strict=True):
        count, sides = dice_for(rulebook, aim)
        group = f"{shot.firer.name} {shot.weapon} at {shot.target.name}"
        times[group] += 1
        again = f", shot {times[group]}" if times[group] > 1 else ""
        groups.append({"for": group + again, "count": count, "sides": sides})
    return groups


def other_shields(
    rulebook: Rulebook, load_ship: LoadShip, state: GameState, order: FireOrdered
) -> tuple[int, ...]:
    """The shields that fire strikes as the ships stand, where it names another one; else none."""
    stand = [state.ships[name].unit.hex for name in (order.ship, order.target) if name in state.ships]
    if order.shield is None or len(stand) < 2 or None in stand:
        return ()
    facing = shots_of(rulebook, load_ship, state, [order])[0].facing_shields
    return () if order.shield in facing else facing


def must_be_resolvable(rulebook: Rulebook, shots: Sequence[Shot]) -> None:
    """Raises BadInput where, dice or not, what a shot does could not be worked out."""
    for shot in shots:
        facing = shot.facing_shields if shot.target.kind == "ship" else ()
        either = " or ".join(map(str, facing))
        if len(facing) > 1 and shot.shield is None:
            raise BadInput(
                f"{shot.weapon} strikes {shot.target.name} on the corner of shields {either}",
                hint=f"say which: fire {shot.weapon} at {shot.target.name} on {facing[0]}",
            )
        if shot.target.kind == "ship" and shot.hexes == 0 and shot.shield is None:
            raise BadInput(
                f"{shot.weapon} is fired in the hex of {shot.target.name}, and neither has moved",
                hint=f"say which shield: fire {shot.weapon} at {shot.target.name} on 1",
            )

    resolve_shots(rulebook, shots, seeded_dice("a trial"))


def fire_effect(
    rulebook: Rulebook, load_ship: LoadShip, state: GameState, orders: Sequence[FireOrdered], dice: Dice
) -> dict[str, Any]:
    """What the dice of some fire do: the weapons that fired, the volleys due, the seekers hit."""
    shots = shots_of(rulebook, load_ship, state, orders)
    return effect_of(rulebook, state, shots, resolve_shots(rulebook, shots, dice))


def effect_of(
    rulebook: Rulebook, state: GameState, shots: Iterable[Shot], results: Sequence[ShotResult]
) -> dict[str, Any]:
    """What some shots do by their results."""
    events = [{"ship": shot.firer.name, "event": "weapon_fired", "weapon": shot.weapon} for shot in shots]
    at_ships, hits = struck_by(rulebook, state.seekers.values(), results)
    effect: dict[str, Any] = {"events": events, "volleys": volleys_json(rulebook, at_ships)}
    struck = [hit for hit in hits if hit["points"]]
    return effect | ({"seekers_hit": struck} if struck else {})


def fire_lost(orders: Sequence[FireOrdered]) -> dict[str, Any]:
    """What fire does that has no dice: the weapons fired, and struck nothing."""
    events = [
        {"ship": order.ship, "event": "weapon_fired", "weapon": weapon}
        for order in orders
        for weapon in order.weapons
    ]
    return {"events": events, "volleys": []}


def volleys_json(rulebook: Rulebook, results: Sequence[ShotResult]) -> list[dict[str, Any]]:
    """What strikes ships, joined into volleys, as a record holds it."""
    return [
        {
            "ship": volley.target,
            "points": volley.order.points,
            "shield": volley.order.shield,
            "origins": [[points, offset.x, offset.z] for points, offset in volley.order.origins],
        }
        for volley in volleys_of(rulebook, results)
    ]
