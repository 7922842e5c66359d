"""Speeds of ships in a log that stand elsewhere than on a form: said in chat, or shown as a map says."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from referee.core.frozen import frozen
from referee.core.location import Location
from referee.core.orders import SetSpeed
from referee.core.play import When
from referee.formats.vassal.gathered import Logged
from referee.formats.vassal.moves import Moves
from referee.logs.fire import OrderForTable, Orders
from referee.logs.ship_under_audit import ShipUnderAudit


@frozen
class SpeedTold:
    """A ship's speed of a turn, how it was told, and where; `late` is the impulse in which it was said, where
    that was after the first."""

    ship: str
    turn: int
    speed: int
    how: str
    place: Location
    late: int | None = None


def speeds_told(logged: Logged, judged: Iterable[ShipUnderAudit], orders: Orders) -> tuple[SpeedTold, ...]:
    """The speeds said in chat, and those shown as each turn's movement began."""
    found = []
    for heard in orders.of(SetSpeed):
        assert isinstance(heard.order, SetSpeed)
        if heard.when.turn is not None:
            late = heard.when.impulse if (heard.when.impulse or 0) > 1 else None
            stated = SpeedTold(
                heard.order.ship, heard.when.turn, heard.order.speed, "said", heard.place, late
            )
            found.append(stated)
    where = logged.module_map.speed_shown if logged.module_map else None
    for ship in judged if where else ():
        for at in logged.forms:
            piece = at.pieces.get(ship.ship.counter.id) if ship.ship.counter else None
            shown = where.number(piece) if piece and where else None
            if shown is not None:
                place = Location(logged.file, piece=ship.ship.name, step=at.step)
                found.append(SpeedTold(ship.ship.name, at.turn, shown, "shown", place))
    return tuple(found)


def speeds_without_form(ship: ShipUnderAudit, speeds: Iterable[SpeedTold]) -> dict[int, SpeedTold]:
    """The speeds of a ship in the turns its form does not give one for; what is said comes first, and of that
    the last that was said before the second impulse."""
    paid = {energy.turn for energy in ship.energy if energy.speed is not None}
    found: dict[int, SpeedTold] = {}
    for speed in speeds:
        if speed.ship != ship.ship.name or speed.turn in paid:
            continue
        known = found.get(speed.turn)
        if known is None or known.how == "shown" or (speed.how == "said" and speed.late is None):
            found[speed.turn] = speed
    return found


def moved_as_said(
    ship: ShipUnderAudit, speeds: Iterable[SpeedTold], logged: Logged, moves: Moves
) -> dict[int, SpeedTold]:
    """The speeds said of a ship in turns its form pays for another one, which its moves fit no worse than that."""
    paid = {energy.turn: energy.speed for energy in ship.energy if energy.speed is not None}
    last = {
        speed.turn: speed
        for speed in speeds
        if speed.ship == ship.ship.name and speed.how == "said" and speed.late is None
    }
    return {
        turn: speed
        for turn, speed in last.items()
        if turn in paid and speed.speed != paid[turn] and _fits(ship, speed, int(paid[turn]), logged, moves)
    }


def _fits(ship: ShipUnderAudit, stated: SpeedTold, paid: int, logged: Logged, moves: Moves) -> bool:
    """Do the moves of a turn fit the speed that was said at least as well as the one that is paid for? None fit one that
    the chart does not have."""
    movement = ship.rulebook.offers.movement(ship.rulebook)
    if not {stated.speed, paid} <= movement.speeds:
        return stated.speed in movement.speeds
    went = {
        move.when.impulse for move in moves.moves if (move.ship, move.when.turn) == (stated.ship, stated.turn)
    }
    calls = movement.chart.calls
    more = [
        n for n in _in_sight(stated, movement.of, logged, moves) if calls(stated.speed, n) != calls(paid, n)
    ]
    return sum(calls(stated.speed, n) == (n in went) for n in more) * 2 >= len(more)


def _in_sight(stated: SpeedTold, of: int, logged: Logged, moves: Moves) -> range:
    """The impulses of a turn that a log has to their end, while a ship is in sight."""
    start, end = logged.start, logged.end
    first = (start.impulse or 1) + ((start.step_number or 1) > 1) if stated.turn == start.turn else 1
    last = of
    if stated.turn == end.turn:
        last = (end.impulse or 1) - 1 + ((end.step_number or 1) > 1)
    for gone in moves.gone:
        if gone.ship == stated.ship and gone.when.turn == stated.turn:
            last = min(last, (gone.when.impulse or 1) - 1)
    return range(first, last + 1)


def other_than_paid(
    paid: Mapping[str, Mapping[int, int]],
    speeds: Iterable[SpeedTold],
    moved_so: Mapping[str, Mapping[int, SpeedTold]],
) -> Iterator[OrderForTable]:
    """The speeds that were said, or shown, and are not those that forms pay for, each once."""
    early: dict[tuple[str, int, int], SpeedTold] = {}
    for stated in speeds:
        if stated.late is None:
            early.setdefault((stated.ship, stated.turn, stated.speed), stated)
    for (ship, turn, speed), stated in early.items():
        pays = paid.get(ship, {}).get(turn)
        if pays is not None and pays != speed:
            moved = moved_so[ship].get(turn)
            unpaid = {
                "ship": ship,
                "speed": speed,
                "pays": pays,
                "how": stated.how,
                "kept": moved is not None and moved.speed == speed,
            }
            yield "unpaid", unpaid, stated.place, When(turn)
