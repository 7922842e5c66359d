"""Ships of a log that turned where they stood, or came back from nowhere: the findings of the rules they break."""

from __future__ import annotations

from referee.core.finding import Finding, Severity
from referee.core.location import Location
from referee.core.play import When
from referee.rulebooks.base import Rulebook


def turned_early(
    rulebook: Rulebook, ship: str, facings: tuple[str, str], when: When, moved: When | None, place: Location
) -> Finding | None:
    """The finding on a ship that turned in an impulse in which it did not move; None where turning in its
    move is no rule of the book."""
    then = f"; it moved on impulse {moved.impulse}" if moved and moved.turn == when.turn else ""
    return _against(
        rulebook,
        "C3.1",
        f"turns from {facings[0]} to {facings[1]} without moving{then}",
        (ship, when, place),
        expected="a turn, then a hex",
        found="a turn on the spot",
        fix="turn on the impulse that calls the ship to move",
    )


def turned_back(
    rulebook: Rulebook,
    ship: str,
    facings: tuple[str, str],
    when: When,
    righted: When,
    fought: str,
    place: Location,
) -> Finding | None:
    """The finding on a ship that turned in an impulse in which it did not move, and back in that of `righted`, with
    what was `fought` between; None where turning in its move is no rule of the book."""
    later = f"impulse {righted.impulse}" if righted.turn == when.turn else f"turn {righted.turn}"
    return _against(
        rulebook,
        "C3.1",
        f"turns from {facings[0]} to {facings[1]} without moving, and back in {later}, after {fought}",
        (ship, when, place),
        expected=f"facing {facings[0]} until its next move",
        found=f"facing {facings[1]}",
        fix="turn on the impulse that calls the ship to move",
    )


def came_back(rulebook: Rulebook, ship: str, left: int, when: When, place: Location) -> Finding | None:
    """The finding on a ship that comes back to the hexes of the map it had left in plain sight, or was removed
    from."""
    return _against(
        rulebook,
        "C1.1/continues",
        f"comes back from nowhere: it was taken off the hexes of the map in step {left}",
        (ship, when, place),
        expected="a move from where it stood",
        found="a counter put down",
        fix="move from hex to hex; a ship that left the map is out of the game",
    )


def _against(
    rulebook: Rulebook, key: str, message: str, at: tuple[str, When, Location], **told: str
) -> Finding | None:
    """The finding of a rule, where the book has it, on a ship at a moment and a place of a log."""
    rule = rulebook.rules.get(key)
    if rule is None:
        return None
    ship, when, place = at
    severity = Severity(rule.severity) if rule.severity else Severity.ERROR
    return Finding(rule.key, severity, message, ship, when.turn, when.impulse, place, **told)
