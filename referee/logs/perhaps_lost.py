"""Ships of a log whose display shows no box of excess damage left, their counters still on the map (D4.4)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from referee.core.finding import NotChecked, Report
from referee.core.state import live_boxes

if TYPE_CHECKING:
    from referee.core.play import Move
    from referee.core.ship import ShipClass
    from referee.logs.repairs import Marking

MISSED = "C1.4/missed"


def last_excess(ship: ShipClass, marks: Sequence[Marking]) -> Marking | None:
    """The mark by which a ship's display came to show no box of excess damage left, and has shown none since."""
    if not ship.box_ids("excess"):
        return None
    found: Marking | None = None
    for mark in marks:
        if live_boxes(ship, mark.after, "excess"):
            found = None
        elif found is None:
            found = mark
    return found


def not_blamed(
    report: Report,
    ships: Mapping[str, ShipClass],
    marks: Mapping[str, Sequence[Marking]],
    moves: Iterable[Move],
) -> Report:
    """A report in which no ship that may be destroyed is asked why it does not move: one that is destroyed is off
    the map at the instant (D4.41), whatever its counter does. One that moves since is alive."""
    made = list(moves)
    lost: dict[str, Marking] = {}
    for name, ship in ships.items():
        mark = last_excess(ship, marks.get(name, ()))
        since = mark is not None and any(
            move.ship == name and (move.location.step or 0) > mark.step for move in made
        )
        if mark is not None and not since:
            lost[name] = mark
    excused = [
        finding
        for finding in report.findings
        if finding.key == MISSED
        and (mark := lost.get(finding.subject)) is not None
        and (finding.turn or 0, finding.impulse or 0) >= (mark.when.turn or 0, mark.when.impulse or 0)
    ]
    told = tuple(
        NotChecked(
            MISSED,
            f"its display shows no box of excess damage left from step {lost[name].step} on: it may be destroyed, "
            "and is then off the map",
            name,
        )
        for name in dict.fromkeys(finding.subject for finding in excused)
    )
    findings = tuple(finding for finding in report.findings if finding not in excused)
    return replace(report, findings=findings, not_checked=(*report.not_checked, *told)) if excused else report
