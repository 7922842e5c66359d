"""Fire of a log for which no dice fell: it may have been called off in words that are not read."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from referee.adjudicator.rolled_fire import Row
from referee.core.finding import Finding, Perhaps, Severity
from referee.logs.dice_pairing import Paired
from referee.logs.doubt import Asks, Doubt
from referee.rulebooks.base import NamedRules


def called_off(named: NamedRules, rows: Sequence[Row], paired: Paired, unclear: Collection[int] = ()) -> Asks:
    """Doubts errors where a weapon for which dice fell is said to have fired before, and for that earlier shot none
    did; or where the step it was ordered in is among the `unclear`."""
    before: dict[str, bool] = {}
    doubtful = set()
    for row, one in enumerate(rows):
        for place, (said, shot, _) in enumerate(one.shots()):
            weapon = f"{said.firer.name} {shot.weapon}"
            rolled = (row, place) in paired.dice and said.place.step not in unclear
            if rolled and before.get(weapon) is False:
                doubtful.add((said.place.step, weapon))
            before[weapon] = rolled

    def asks(found: Finding) -> Doubt | None:
        asked = found.severity is Severity.ERROR and found.key in named.fired_before
        if not asked or (found.location.step, found.subject) not in doubtful:
            return None
        fix = "tell it with !undo before the next fire, where the earlier shot was called off"
        return Doubt(Perhaps("no dice fell for that shot, which may have been called off"), fix)

    return asks
