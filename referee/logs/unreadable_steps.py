"""Steps of a log that could not be read: named, and what follows from them is no ship's fault."""

from __future__ import annotations

from collections.abc import Iterator

from referee.core.finding import Finding, Perhaps, Severity
from referee.core.location import Location
from referee.formats.vassal.gathered import Logged, UnreadStep
from referee.formats.vassal.recognise import ShipOnTable
from referee.logs.doubt import Asks, Doubt
from referee.rulebooks.base import NamedRules


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


def unread(named: NamedRules, logged: Logged) -> Asks:
    """Doubts errors that may come of a command that could not be read: those of its impulse, and those of the ship it
    was about until its counter, or display, is seen again as it stands."""
    ships = {ship.name: ship for ship in logged.ships}
    counters = frozenset(ship.counter.id for ship in logged.ships if ship.counter)

    def asks(found: Finding) -> Doubt | None:
        if found.severity is not Severity.ERROR:
            return None
        ship = ships.get(found.subject)
        command = next(
            (command for command in logged.unread if _doubts(command, found, named, ship, counters)), None
        )
        return None if command is None else Doubt(Perhaps(f"step {command.step} could not be read"))

    return asks


def _doubts(
    command: UnreadStep, found: Finding, named: NamedRules, ship: ShipOnTable | None, counters: frozenset[str]
) -> bool:
    """May what could not be read be why something was found?"""
    if found.key.startswith(named.on_counters):
        if command.kind == "clock":
            return _untimed(found, command)
        about_counters = command.pieces is None or bool(counters.intersection(command.pieces))
        if found.key.startswith(named.order_of_movement) and about_counters and _at_once(found, command):
            return True
        counter = ship.counter.id if ship and ship.counter else ""
        turned = command.kind != "move" and found.key.startswith(named.on_heading)
        seen = command.shown if turned else command.placed
        until = seen.get(counter)
        if until is not None and (found.turn is None or found.impulse is None):
            until += 1  # it may be of the same impulse
        return _about(command, counter) and (_at_once(found, command) or _between(found, command.step, until))
    if found.key == named.turns_in_order:  # which turn follows which is what the clock tells
        return command.kind == "clock" and command.step < (found.location.step or 0)
    if command.kind != "change":
        return False
    pieces = [piece.id for piece in (ship.ssd, ship.counter) if piece] if ship else []
    shown = [command.shown.get(piece) for piece in pieces or [""] if _about(command, piece)]
    if found.key.startswith(named.on_marks):
        return any(_at_once(found, command) or _between(found, command.step, step) for step in shown)
    if found.key.startswith(named.on_forms):
        return None in shown and (found.turn or 0) >= (command.clock.turn or 0)
    return False


def _about(command: UnreadStep, piece: str) -> bool:
    return command.pieces is None or piece in command.pieces


def _at_once(found: Finding, command: UnreadStep) -> bool:
    """Was it found in the impulse of the command?"""
    return command.clock.moment is not None and (found.turn, found.impulse) == command.clock.moment


def _between(found: Finding, first: int, last: int | None) -> bool:
    """Is it of a step from one on, before another if there is one?"""
    return first <= (found.location.step or 0) and (last is None or (found.location.step or 0) < last)


def _untimed(found: Finding, command: UnreadStep) -> bool:
    """Was it found when the tracker did not tell the time: in the impulse it was last set to, up to the one it
    is set to next?"""
    if _between(found, command.step, command.until[0] if command.until else None):
        return True
    if found.turn is None or found.impulse is None or command.clock.moment is None:
        return False
    moment = found.turn, found.impulse
    last = command.until[1].moment if command.until else None
    return command.clock.moment <= moment and (last is None or moment <= last)
