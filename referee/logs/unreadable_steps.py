"""Steps of a log that could not be read: named, and told as gaps in what the log tells."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from referee.core.finding import Finding, Perhaps, Severity
from referee.core.gap import Fact, Gap
from referee.core.location import Location
from referee.formats.vassal.gathered import Logged, UnreadStep
from referee.formats.vassal.recognise import ShipOnTable

Ships = Sequence[ShipOnTable]


def unread_steps(logged: Logged) -> Iterator[Finding]:
    """What could not be read, step by step."""
    for command in logged.unread:
        yield Finding(
            "NOTE/unread",
            Severity.UNDECIDED,
            f"it has {command.what}: left out",
            location=Location(logged.file, step=command.step),
            fix="look at the step in VASSAL; what it did is not known here",
        )


def unread(commands: Iterable[UnreadStep], ships: Ships) -> Iterator[Gap]:
    """What is not known for commands that could not be read: of their impulse, and of the ship each was about until its
    counter, or display, is seen again as it stands."""
    for command in commands:
        for leaves_open in _LEAVES_OPEN[command.kind]:
            yield from leaves_open(command, ships)


def _clock(command: UnreadStep, ships: Ships) -> Iterator[Gap]:
    """The tracker did not tell the time until it is set the next time, and no more whether turns follow each other."""
    last, clock = command.until or (None, None)
    moment = command.clock.moment
    moments = (moment, clock.moment if clock else None) if moment else None
    for fact in ("places", "facing"):
        yield _gap(command, fact, moments=moments, steps=(command.step, last))
    yield _gap(command, "turns", steps=(command.step + 1, None))


def _order_of_moves(command: UnreadStep, ships: Ships) -> Iterator[Gap]:
    """A counter may have moved in the impulse, before others or after them."""
    counters = {ship.counter.id for ship in ships if ship.counter}
    if command.pieces is None or counters.intersection(command.pieces):
        yield _gap(command, "order of moves", **_at_once(command))


def _places(command: UnreadStep, ships: Ships) -> Iterator[Gap]:
    """Counters may stand elsewhere until their places are seen again."""
    return _of_counters(command, ships, "places", command.placed)


def _facing(command: UnreadStep, ships: Ships) -> Iterator[Gap]:
    """Counters may face otherwise until they are seen in whole; what only moves them tells that with their places."""
    seen_again = command.placed if command.kind == "move" else command.shown
    return _of_counters(command, ships, "facing", seen_again)


def _of_counters(
    command: UnreadStep, ships: Ships, fact: Fact, seen_again: Mapping[str, int]
) -> Iterator[Gap]:
    """Of whom it was about one fact is not known until the counter is `seen again`."""
    for ship in ships:
        counter = ship.counter.id if ship.counter else ""
        if _is_about(command, counter):
            until = seen_again.get(counter)
            yield _gap(command, fact, ship.name, **_at_once(command), steps=(command.step, until))
    yield from _of_others(command, ships, fact)


def _marks(command: UnreadStep, ships: Ships) -> Iterator[Gap]:
    """Displays may have been marked until they are seen again."""
    for ship in ships:
        for until in _seen_again(command, ship):
            yield _gap(command, "marks", ship.name, **_at_once(command), steps=(command.step, until))
    yield from _of_others(command, ships, "marks")


def _forms(command: UnreadStep, ships: Ships) -> Iterator[Gap]:
    """What the forms of ships were filled in by is not known from its turn on, where they are never seen again."""
    ever_since = ((command.clock.turn or 0, 0), None)
    for ship in ships:
        if None in _seen_again(command, ship):
            yield _gap(command, "form", ship.name, moments=ever_since)
    if command.pieces is None:
        yield _gap(command, "form", but=_names(ships), moments=ever_since)


def _of_others(command: UnreadStep, ships: Ships, fact: Fact) -> Iterator[Gap]:
    """It may have been about anything: of what is no ship on the table it is never seen again."""
    if command.pieces is None:
        yield _gap(command, fact, but=_names(ships), **_at_once(command), steps=(command.step, None))


_LEAVES_OPEN: Mapping[str, tuple[Callable[[UnreadStep, Ships], Iterator[Gap]], ...]] = {
    "clock": (_clock,),
    "move": (_order_of_moves, _places, _facing),
    "change": (_order_of_moves, _places, _facing, _marks, _forms),
    "other": (_order_of_moves, _places, _facing),
}
"""What commands of each kind leave open."""


def _gap(command: UnreadStep, fact: Fact, subject: str | None = None, **when: Any) -> Gap:
    return Gap(fact, Perhaps(f"step {command.step} could not be read"), subject, **when)


def _is_about(command: UnreadStep, piece: str) -> bool:
    return command.pieces is None or piece in command.pieces


def _seen_again(command: UnreadStep, ship: ShipOnTable) -> list[int | None]:
    """When each piece of a ship that it was about was seen again."""
    pieces = [piece.id for piece in (ship.ssd, ship.counter) if piece] or [""]
    return [command.shown.get(piece) for piece in pieces if _is_about(command, piece)]


def _at_once(command: UnreadStep) -> dict[str, Any]:
    """In the impulse of the command, where that is known."""
    moment = command.clock.moment
    return {"moments": (moment, moment) if moment else None}


def _names(ships: Ships) -> frozenset[str]:
    return frozenset(ship.name for ship in ships)
