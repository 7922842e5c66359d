"""Speeds of ships in a log that stand elsewhere than on a form: said in chat, or shown as a map says."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from referee.core.finding import Finding, Severity
from referee.core.frozen import frozen
from referee.core.location import Location
from referee.core.orders import SetSpeed
from referee.core.play import Move
from referee.formats.vassal.gathered import Logged
from referee.logs.fire import Orders
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
    where = logged.says.speed_shown if logged.says else None
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
    ship: ShipUnderAudit, speeds: Iterable[SpeedTold], moves: Iterable[Move]
) -> dict[int, SpeedTold]:
    """The speeds said of a ship in turns its form pays for another one, where it moved by what was said: in an
    impulse that calls that speed and not the one that was paid."""
    early = [speed for speed in speeds if speed.how == "said" and speed.late is None]
    row = [speed for speed in early if speed.ship == ship.ship.name]
    if not row:
        return {}
    paid = {energy.turn: energy.speed for energy in ship.energy}
    movement = ship.book.offers.movement(ship.book)
    moved: dict[int, set[int]] = {}
    for move in moves:
        if move.ship == ship.ship.name and move.when.turn is not None and move.when.impulse is not None:
            moved.setdefault(move.when.turn, set()).add(move.when.impulse)
    found: dict[int, SpeedTold] = {}
    for speed in row:
        by_form = paid.get(speed.turn)
        if by_form is None:
            continue
        known = {speed.speed, int(by_form)} <= movement.speeds
        calls = movement.chart.calls
        went = moved.get(speed.turn, ()) if known else ()
        if any(calls(speed.speed, n) and not calls(int(by_form), n) for n in went):
            found[speed.turn] = speed
        else:
            found.pop(speed.turn, None)
    return found


def other_than_paid(
    judged: Sequence[ShipUnderAudit], speeds: Sequence[SpeedTold], moves: Sequence[Move]
) -> Iterator[Finding]:
    """Warnings on speeds that were only said, or shown, and are not those that forms pay for."""
    moved_so = [stated for ship in judged for stated in moved_as_said(ship, speeds, moves).values()]
    paid = {(ship.ship.name, energy.turn): energy.speed for ship in judged for energy in ship.energy}
    for speed in speeds:
        by_form = paid.get((speed.ship, speed.turn))
        if by_form is not None and by_form != speed.speed and speed not in moved_so:
            yield Finding(
                "NOTE/speed",
                Severity.WARNING,
                f"speed {speed.speed} is {speed.how}, the form pays for {by_form}",
                speed.ship,
                speed.turn,
                location=speed.place,
                expected=str(by_form),
                found=str(speed.speed),
                fix="the form decides: say the speed it pays for",
            )
