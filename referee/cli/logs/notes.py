"""Secret notes of a log: what they are about, judged as sealed declarations."""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.core.finding import Finding, NotChecked, Report
from referee.core.play import When

if TYPE_CHECKING:
    from referee.formats.vassal.gathered import Logged, Noted


def judge_secrets(logged: Logged) -> Report:
    """The report on all secret notes; private ones are named, and read by nobody."""
    from referee.adjudicator.notelog import NoteSeen, judge_notes
    from referee.formats.vassal.spoken import moment_named

    def seen(noted: Noted) -> NoteSeen:
        turn, impulse = moment_named(noted.name)
        if turn is None:
            turn, impulse = moment_named(noted.text)
        when = When(noted.clock.turn, noted.clock.impulse)
        about = When(turn, impulse)
        return NoteSeen(noted.step, when, noted.name, noted.owner, noted.hidden, about, noted.text)

    owners = ", ".join(name for name in logged.private if name) or "players"
    unread = NotChecked("B2.0", f"private notes of {owners} are not read")
    end = When(logged.end.turn, logged.end.impulse)
    found = list(judge_notes(map(seen, logged.noted), end, logged.file))
    return Report(
        findings=tuple(item for item in found if isinstance(item, Finding)),
        not_checked=(
            *(item for item in found if isinstance(item, NotChecked)),
            *((unread,) if logged.private else ()),
        ),
    )
