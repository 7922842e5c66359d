"""Moves and orders files as a case writes them: what our own program makes of each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field
from typing import Any

from referee.adjudicator.tracker import Clock, Track
from referee.core.finding import Report
from referee.core.frozen import frozen
from referee.core.hexgrid import Hex, parse_position
from referee.core.location import Location
from referee.core.play import Counting, Kind, Move, ShipInPlay, When
from referee.core.ship import ShipClass
from referee.corpus.forms import CaseFacts, form_from, text_of
from referee.formats.orders import parse_orders
from referee.judging.orders import NO_FORMS, judge_orders
from referee.rulebooks.base import Rulebook
from referee.rulebooks.registry import load_rulebook, load_ship


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


def moves_of(rulebook: Rulebook, facts: CaseFacts) -> Report:
    """The report on the moves of a case: `units` by name, `moves` a line each."""
    units = [
        Mover(
            name,
            load_ship(unit["ship"]) if "ship" in unit else None,
            {int(turn): speed for turn, speed in unit.get("speeds", {}).items()},
            previous_speed=unit.get("before"),
            kind=unit.get("kind", "ship"),
            counting=unit.get("counting", "start"),
        )
        for name, unit in facts["units"].items()
    ]
    moves = [made(line, n) for n, line in enumerate(facts["moves"], 1)]
    impulses = rulebook.with_options({"impulses": str(facts.get("impulses", 8))})
    return judge_moves(impulses, units, moves, open_end=True)


def orders_judged(
    text: str,
    *,
    without: Iterable[str] = (),
    open_end: bool = False,
    house: str = "",
    forms: Mapping[str, Any] = NO_FORMS,
) -> Report:
    """The report on an orders file; `house` is the rulebook where it names none, `forms` are the rows of forms by ship."""
    orders = parse_orders(text, "orders.txt", load_ship)
    rulebook = load_rulebook(orders.rulebook or house).without(without)
    read = {name: form_from(text_of(rows), rulebook) for name, rows in forms.items()}
    return judge_orders(rulebook, orders, load_ship, goes_on=open_end, forms=read)


def made(line: str, n: int) -> Move:
    """A move from a line: `1.2 Constellation 0111A 0110A`; `?` for an impulse or facing not known."""
    when, ship, start, end = line.split()
    turn, impulse = when.split(".")
    (from_hex, before), (to_hex, after) = parse_position(start), parse_position(end)
    moment = When(int(turn), None if impulse == "?" else int(impulse))
    return Move(ship, moment, from_hex, to_hex, before, after, Location(file="log", step=n))
