"""Fire of a log for which no dice fell: it may have been called off in words that are not read."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from referee.adjudicator.check import perhaps
from referee.core.finding import Finding, Perhaps, Report, Severity
from referee.logs.dice_pairing import Paired
from referee.logs.spoken_results import Row
from referee.rulebooks.base import NamedRules


def as_called_off(
    report: Report, named: NamedRules, rows: Sequence[Row], paired: Paired, unclear: Collection[int] = ()
) -> Report:
    """The report on fire, undecided instead of an error where a weapon for which dice fell is said to have fired
    before, and for that earlier shot none did; or where the step it was ordered in is among the `unclear`."""
    before: dict[str, bool] = {}
    doubtful = set()
    for row, one in enumerate(rows):
        for place, (said, shot, _) in enumerate(one.shots()):
            weapon = f"{said.firer.name} {shot.weapon}"
            rolled = (row, place) in paired.dice and said.place.step not in unclear
            if rolled and before.get(weapon) is False:
                doubtful.add((said.place.step, weapon))
            before[weapon] = rolled

    def decided(found: Finding) -> Finding:
        asked = found.severity is Severity.ERROR and found.key in named.fired_before
        if not asked or (found.location.step, found.subject) not in doubtful:
            return found
        fix = "tell it with !undo before the next fire, where the earlier shot was called off"
        called_off = Perhaps("no dice fell for that shot, which may have been called off")
        return replace(perhaps(found, called_off), fix=fix)

    return replace(report, findings=tuple(map(decided, report.findings)))
