"""Fire declared, judged, rolled and scored: what `referee fire` shows and `referee.fire` gives."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from referee.core.finding import Report, Verdict
from referee.core.fire_words import shot_fired
from referee.core.frozen import frozen

if TYPE_CHECKING:
    from referee.core.combat import Declaration, ShotResult, VolleyAt
    from referee.core.dice import Dice
    from referee.core.volley import Chooser, VolleyResult
    from referee.judging.fire_table import FireTable


@frozen
class FireResolved:
    """What the rules say of some fire and, unless they forbid it, what it did: shots, what seekers took, the damage
    on each ship, and each volley that was resolved with the damage it is of."""

    report: Report
    results: tuple[ShotResult, ...] = ()
    hits: tuple[dict[str, Any], ...] = ()
    volleys: tuple[VolleyAt, ...] = ()
    struck: tuple[tuple[VolleyAt, VolleyResult], ...] = ()

    @property
    def is_illegal(self) -> bool:
        """Is it against a rule? Then nothing was rolled."""
        return self.report.verdict is Verdict.ILLEGAL

    def __str__(self) -> str:
        shots = (shot_fired(result).text for result in self.results)
        return str(self.report) if self.is_illegal else "\n".join(shots)


def fired(
    table: FireTable,
    declaration: Declaration,
    dice: Dice,
    chooser: Chooser,
    *,
    volley: bool = False,
    reinforcement: str = "0,0",
) -> FireResolved:
    """Judges fire, rolls it where it is legal, and with `volley` resolves its damage on the targets."""
    from referee.adjudicator.fire import (
        apply_volleys,
        reinforced,
        resolve_shots,
        struck_by,
        volleys_of,
    )
    from referee.adjudicator.table import GameTable
    from referee.judging.fire_account import account_of

    rulebook, units = table.rulebook, table.units
    classes = {unit.ship.id: unit.ship for unit in units if unit.ship}
    account = account_of(rulebook, declaration, units, table.fed)
    (report,) = GameTable(rulebook, classes.__getitem__, account).fire.reports
    if report.verdict is Verdict.ILLEGAL:
        return FireResolved(report)
    results = resolve_shots(rulebook, declaration, dice)
    at_ships, hits = struck_by(rulebook, table.seekers(), results)
    bare = {hit["seeker"] for hit in hits}  # they have no shields
    results = tuple(
        replace(came_to, shields=(), shield=None) if came_to.target in bare else came_to
        for came_to in results
    )
    known = all(result.shield for result in at_ships if result.damage)
    volleys = volleys_of(rulebook, at_ships) if known or volley else ()
    volleys = reinforced(volleys, reinforcement)
    struck = apply_volleys(rulebook, volleys, table.targets(), dice, chooser) if volley else ()
    return FireResolved(report, results, hits, tuple(volleys), tuple(struck))
