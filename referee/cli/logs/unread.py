"""Steps of a log that could not be read: named, and what follows from them is no ship's fault."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from referee.core.finding import Finding, Report, Severity
from referee.core.location import Location

if TYPE_CHECKING:
    from referee.formats.vassal.gathered import Logged, Unread

_MOVES, _DAMAGE = "C", "D4."


def unread_steps(logged: Logged) -> Iterator[Finding]:
    """What could not be read, step by step."""
    for one in logged.unread:
        yield Finding(
            "NOTE/unread",
            Severity.UNDECIDED,
            f"it has {one.what}: left out",
            location=Location(logged.file, step=one.step),
            fix="look at the step in VASSAL; what it did is not known here",
        )


def in_doubt(report: Report, logged: Logged) -> Report:
    """The report with errors of moves, or of damage, undecided from the impulse on in which a command for
    them could not be read."""
    first: dict[str, Unread] = {}
    for one in logged.unread:
        first.setdefault(_DAMAGE if "change" in one.what else _MOVES, one)

    def doubted(found: Finding) -> Finding:
        one = next((one for begins, one in first.items() if found.key.startswith(begins)), None)
        if one is None or found.severity is not Severity.ERROR or not _since(found, one):
            return found
        message = f"{found.message}; step {one.step} could not be read"
        return replace(found, severity=Severity.UNDECIDED, message=message)

    return replace(report, findings=tuple(map(doubted, report.findings))) if first else report


def _since(found: Finding, one: Unread) -> bool:
    if found.turn is not None and found.impulse is not None and one.clock.moment:
        return (found.turn, found.impulse) >= one.clock.moment
    return (found.location.step or 0) >= one.step
