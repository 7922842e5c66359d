"""Judges movement step by step: an orders file, or moves as a log or a record holds them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import field, replace

from referee.adjudicator.check import timed
from referee.adjudicator.drones import Drones
from referee.adjudicator.tracker import Clock, Track
from referee.core.errors import BadInput
from referee.core.finding import About, Finding, NotChecked, Report, Severity
from referee.core.frozen import frozen
from referee.core.gameorders import after
from referee.core.hexgrid import Hex
from referee.core.location import Location
from referee.core.orders import (
    Advance,
    Cloak,
    DroneHit,
    Fire,
    Hit,
    ImpulseBegins,
    Launch,
    LockOn,
    Order,
    OrderProblem,
    OrdersFile,
    Placement,
    Seal,
    SetSpeed,
    ShipOrder,
    TurnBegins,
    Uncloak,
    UseBattery,
    without_undone,
)
from referee.core.play import Counting, Kind, Move, ShipInPlay, When
from referee.core.ship import ShipClass
from referee.rulebooks.base import Rulebook

LoadShip = Callable[[str], ShipClass]
Heard = Callable[[Order, Track], None]
BESIDES = (Fire, Launch, Cloak, Uncloak, UseBattery, Hit, LockOn)
"""Orders that are no movement."""
_KINDS = {Fire: "fire", Launch: "launch", Cloak: "cloak", Uncloak: "cloak", Advance: "seekers' movement"}
"""What is done after ships have moved, in the words of the sequence of play; of moves those of seekers."""


@frozen
class Mover:
    """A unit of a movement record: its class, its speeds by turn (hexes a turn), how it begins.

    `counting` is `start` where the record begins with the scenario, `unknown` where it does not.
    """

    name: str
    ship: ShipClass | None = None
    speeds: Mapping[int, int] = field(default_factory=dict)
    previous_speed: int | None = None
    side: str = ""
    kind: Kind = "ship"
    hex: Hex | None = None
    facing: str | None = None
    counting: Counting = "start"


def judge_track(
    rulebook: Rulebook, orders: OrdersFile, load_ship: LoadShip, *, open_end: bool = False
) -> Report:
    """Plays an orders file and judges every step of its movement alone; `orderfire` judges all of it.

    With `open_end` the last impulse is still being played, and who has not moved in it yet may.
    Raises BadInput where the file asks for an option the rulebook does not have.
    """
    track, extra = play_orders(rulebook, orders, load_ship, open_end=open_end)
    if any(isinstance(order, BESIDES) for order in orders.orders):
        told = "only the movement of an orders file is judged here"
        track.not_checked[NotChecked(rulebook.named.fire, told)] = None
    return track.report(extra)


def play_orders(
    rulebook: Rulebook,
    orders: OrdersFile,
    load_ship: LoadShip,
    *,
    open_end: bool = False,
    heard: Heard | None = None,
) -> tuple[Track, list[Finding]]:
    """An orders file played to its end: the track with its units as they stand, and what is wrong with
    the file itself. `heard` is given every order that is no movement, as the ships stand then."""
    book = _in_force(rulebook, orders)
    standing, idle = without_undone(orders.orders)
    extra = [_problem(problem) for problem in orders.problems]
    told = {problem.location for problem in orders.problems}
    extra += [
        _problem(
            OrderProblem("undo", f"{undo.ship} has nothing to undo in this impulse", location=undo.location)
        )
        for undo in idle
    ]
    movers = []
    for placed in orders.ships:
        ship, faults = _class_of(placed, load_ship)
        extra += faults if placed.location not in told else []
        movers.append((ship, _placed(placed, book)))
    moving = {order.ship for order in standing if isinstance(order, Advance)}
    absent = frozenset(unit.name for _, unit in movers if unit.name not in moving)
    track = Track(book, movers, absent=absent)
    given = (order for order in standing if not isinstance(order, Hit | TurnBegins | ImpulseBegins))
    track.last_order = {order.ship: order.location.line or 0 for order in given}
    named = [(ship.ship, ship.hex, ship.location) for ship in orders.ships]
    named += [(drone.name, drone.hex, drone.location) for drone in orders.drones]
    for name, hex, place in named:
        track.hex_named(name, "is placed in", hex, place)
    if orders.drones or any(isinstance(order, Launch) for order in standing):
        track.drones = Drones(book, orders.drones, track.classes)
    extra += _play(track, standing, orders.location, open_end, heard)
    return track, extra


def _play(
    track: Track, orders: Iterable[Order], place: Location, open_end: bool, heard: Heard | None
) -> Iterator[Finding]:
    clock = Clock(track)
    speeds: dict[str, Location] | None = None
    done: list[ShipOrder] = []

    def settle() -> None:
        nonlocal speeds
        if speeds is not None:
            track.judge_speeds(speeds)
        speeds = None

    for order in orders:
        verb = type(order).__name__
        if isinstance(order, TurnBegins | ImpulseBegins):
            done.clear()
        elif isinstance(order, Advance) and order.ship in track.units:
            yield from _too_early(track, done, order.ship)
        elif type(order) in _KINDS:
            done.append(order)
        if isinstance(order, TurnBegins):
            settle()
            last = clock.turn
            clock.to_turn(order.turn, order.location)
            track.sequence(verb, order.location, turn=last)
            speeds = dict.fromkeys(track.units, order.location)
            continue
        if not clock.turn:
            clock.to_turn(1, order.location)
            speeds = dict.fromkeys(track.units, order.location)
        if isinstance(order, ImpulseBegins):
            settle()
            last = track.impulse or clock.furthest
            same = order.impulse == track.impulse
            clock.to_impulse(order.impulse, order.location)
            track.sequence(verb, order.location, impulse=order.impulse if same else last)
            place = order.location
        elif track.drones is not None and order.ship in track.drones:
            if isinstance(order, Advance):
                track.drones.told(order, track.units, track.turn, track.impulse)
            elif isinstance(order, DroneHit):
                track.seekers_move(order.location)
                if heard is not None:
                    heard(order, track)
                track.drones.hit(order, track.turn, track.impulse)
            else:
                what = "drone" if order.ship in track.drones.placed else "seeker"
                told = f"a {what} only moves, or is hit"
                said = OrderProblem(verb.casefold(), told, location=order.location)
                yield _problem(said)
        elif order.ship in track.destroyed:
            about = About(order.ship, track.turn, track.impulse, order.location)
            yield track.rulebook.offers.seen_damage.ordered_when_destroyed(about, verb.casefold())
        elif order.ship not in track.units:
            yield _problem(
                OrderProblem(order.ship, f"no ship {order.ship} is placed", location=order.location)
            )
        else:
            track.sequence(verb, order.location, order.ship)
            if isinstance(order, SetSpeed) and not track.units[order.ship].moved:
                track.set_speed(order.ship, order.speed)
                if speeds is None:
                    track.judge_speeds({order.ship: order.location})
                else:
                    speeds[order.ship] = order.location
            elif isinstance(order, Seal):
                track.seal(order.ship, order.code)
            elif isinstance(order, Advance):
                made = move_made(track.units[order.ship], order, When(track.turn, track.impulse))
                if order.leaves and not track.movement.has_left(made.to_hex):
                    told = f"{order.ship} does not leave the map {order.way}: it moves to {made.to_hex}"
                    yield _problem(OrderProblem("leave the map", told, location=order.location))
                track.move(made)
            elif isinstance(order, BESIDES):
                track.seekers_move(order.location)
                if heard is not None:
                    heard(order, track)
                if isinstance(order, Launch) and track.drones is not None:
                    track.drones.launch(order, track.units, track.turn, track.impulse)
    settle()
    clock.end(place, complete=not open_end)


def _too_early(track: Track, done: list[ShipOrder], mover: str) -> Iterator[Finding]:
    """What was done in this impulse before a ship moves that still had to (B2.0), each thing told once. Of what
    that ship did itself its own order of steps tells."""
    if track.units[mover].moved_on == track.impulse or track.turn is None:
        return
    moment = track.turn, track.impulse, track.rulebook.offers.step_of("Advance")
    for order in done:
        if order.ship == mover:
            continue
        track.passed_over(order.ship)
        for found in timed(track.rulebook, moment, _KINDS[type(order)], order.ship, None):
            fix = f"move {mover} first, then the others do what comes after"
            yield replace(found, location=order.location, fix=fix)
    done.clear()


def judge_moves(
    rulebook: Rulebook,
    ships: Iterable[Mover],
    moves: Iterable[Move],
    *,
    open_end: bool = False,
    seals_shown: bool = False,
) -> Report:
    """Judges moves as a log or a record holds them, in the order in which they were made.

    Where turn or impulse of a move is None, and where a ship has no speed for a turn, what needs
    them is listed as not checked.
    """
    made = list(moves)
    movers = {mover.name: mover for mover in ships}
    for move in made:
        movers.setdefault(move.ship, Mover(move.ship, counting="unknown"))
    moving = {move.ship for move in made}
    units = [(mover.ship, _starting(mover)) for mover in movers.values()]
    track = Track(rulebook, units, absent=frozenset(movers) - moving, seals_shown=seals_shown)
    clock = Clock(track)
    midway = any(mover.counting == "unknown" for mover in movers.values())
    place = made[0].location if made else Location()
    for move in made:
        turn, impulse = move.when.turn, move.when.impulse
        if turn is not None and turn != clock.turn:
            last = clock.turn
            clock.to_turn(turn, move.location)
            if midway and move is made[0]:
                clock.furthest = (impulse or 1) - 1
            track.sequence("TurnBegins", move.location, turn=last)
            for name, mover in movers.items():
                track.set_speed(name, mover.speeds.get(turn))
            track.judge_speeds(dict.fromkeys(movers, move.location))
        if impulse is not None and impulse != track.impulse:
            last = track.impulse or clock.furthest
            clock.to_impulse(impulse, move.location)
            track.sequence("ImpulseBegins", move.location, impulse=last)
        elif impulse is None:
            clock.to_some_impulse(move.location)
        track.move(move)
        place = move.location
    clock.end(place, complete=not open_end)
    return track.report()


def _starting(mover: Mover) -> ShipInPlay:
    return ShipInPlay(
        mover.name,
        mover.ship.id if mover.ship else "",
        mover.hex,
        mover.facing,
        mover.side,
        mover.kind,
        mover.previous_speed,
        counting=mover.counting,
    )


def _placed(placed: Placement, book: Rulebook) -> ShipInPlay:
    """A ship as it was placed; its speed is that of the turn before until the first turn begins."""
    option = book.option("previous_speed") if "previous_speed" in book.options else ""
    speed = placed.speed if placed.speed is not None else int(option) if option else None
    return ShipInPlay(placed.ship, placed.class_id, placed.hex, placed.facing, placed.side, speed=speed)


def move_made(unit: ShipInPlay, order: Advance, when: When) -> Move:
    """The move an order makes: turn, then one hex ahead (C3.1)."""
    if unit.hex is None or unit.facing is None:
        raise BadInput(f"{unit.name} is nowhere", hint="place it first")
    hex, facing = after(unit.hex, unit.facing, order.way)
    return Move(unit.name, when, unit.hex, hex, unit.facing, facing, order.location)


def _in_force(rulebook: Rulebook, orders: OrdersFile) -> Rulebook:
    options = dict(orders.options)
    if orders.impulses is not None:
        options["impulses"] = str(orders.impulses)
    try:
        return rulebook.with_options(options)
    except BadInput as error:
        raise error.at(file=orders.location.file) from None


def _class_of(placed: Placement, load_ship: LoadShip) -> tuple[ShipClass | None, list[Finding]]:
    try:
        return load_ship(placed.class_id), []
    except BadInput as error:
        problem = OrderProblem(placed.class_id, error.reason, error.hint, location=placed.location)
        return None, [_problem(problem)]


def _problem(problem: OrderProblem) -> Finding:
    return Finding(
        "NOTE/order",
        Severity.UNDECIDED,
        problem.reason,
        location=problem.location,
        found=problem.text,
        fix=problem.hint,
    )
