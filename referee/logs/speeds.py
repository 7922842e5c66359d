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
    for one in orders.of(SetSpeed):
        assert isinstance(one.order, SetSpeed)
        if one.when.turn is not None:
            late = one.when.impulse if (one.when.impulse or 0) > 1 else None
            told = SpeedTold(one.order.ship, one.when.turn, one.order.speed, "said", one.place, late)
            found.append(told)
    where = logged.says.speed_shown if logged.says else None
    for ship in judged if where else ():
        for at in logged.forms:
            piece = at.pieces.get(ship.ship.counter.id) if ship.ship.counter else None
            shown = where.number(piece) if piece and where else None
            if shown is not None:
                place = Location(logged.file, piece=ship.ship.name, step=at.step)
                found.append(SpeedTold(ship.ship.name, at.turn, shown, "shown", place))
    return tuple(found)


def speeds_without_form(one: ShipUnderAudit, told: Iterable[SpeedTold]) -> dict[int, SpeedTold]:
    """The speeds of a ship in the turns its form does not give one for; what is said comes first, and of that
    the last that was said before the second impulse."""
    paid = {energy.turn for energy in one.energy if energy.speed is not None}
    found: dict[int, SpeedTold] = {}
    for speed in told:
        if speed.ship != one.ship.name or speed.turn in paid:
            continue
        known = found.get(speed.turn)
        if known is None or known.how == "shown" or (speed.how == "said" and speed.late is None):
            found[speed.turn] = speed
    return found


def moved_as_said(
    one: ShipUnderAudit, told: Iterable[SpeedTold], moves: Iterable[Move]
) -> dict[int, SpeedTold]:
    """The speeds said of a ship in turns its form pays for another one, where it moved by what was said: in an
    impulse that calls that speed and not the one that was paid."""
    early = [said for said in told if said.how == "said" and said.late is None]
    row = [said for said in early if said.ship == one.ship.name]
    if not row:
        return {}
    paid = {energy.turn: energy.speed for energy in one.energy}
    movement = one.book.offers.movement(one.book)
    moved: dict[int, set[int]] = {}
    for move in moves:
        if move.ship == one.ship.name and move.when.turn is not None and move.when.impulse is not None:
            moved.setdefault(move.when.turn, set()).add(move.when.impulse)
    found: dict[int, SpeedTold] = {}
    for said in row:
        by_form = paid.get(said.turn)
        if by_form is None:
            continue
        known = {said.speed, int(by_form)} <= movement.speeds
        calls = movement.chart.calls
        went = moved.get(said.turn, ()) if known else ()
        if any(calls(said.speed, n) and not calls(int(by_form), n) for n in went):
            found[said.turn] = said
        else:
            found.pop(said.turn, None)
    return found


def other_than_paid(
    judged: Sequence[ShipUnderAudit], told: Sequence[SpeedTold], moves: Sequence[Move]
) -> Iterator[Finding]:
    """Warnings on speeds that were only said, or shown, and are not those that forms pay for."""
    moved_so = [said for one in judged for said in moved_as_said(one, told, moves).values()]
    paid = {(one.ship.name, energy.turn): energy.speed for one in judged for energy in one.energy}
    for speed in told:
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
