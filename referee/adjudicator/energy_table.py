"""The part of the table that judges energy, and the table of an account that tells of nothing else.

Every table holds the part. An account of forms alone needs no more: no ship moves in it, and no dice fall.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.adjudicator.check import as_far_as_begun, as_filled_in, check_form
from referee.core.account import FORMS, HELD, IN_GAME, PLAYED, Account, Event
from referee.core.finding import Finding, Report, merge_reports
from referee.core.forked import Forked
from referee.core.frozen import replace
from referee.rulebooks.base import Rulebook

if TYPE_CHECKING:
    from referee.adjudicator.forms_seen import SeenForms
    from referee.core.board import LoadShip


class Energy(Forked):
    """The forms of an account: as they were filed, as ships hold them, and as they were played."""

    def __init__(self, rulebook: Rulebook, load_ship: LoadShip, account: Account) -> None:
        self._rulebook, self._load_ship = rulebook, load_ship
        self._classes = {ship["ship"]: ship["class"] for ship in account.ships}
        self._since, self._until = account.since, account.until
        self._seen: SeenForms | None = None
        self._filed: list[Report] = []

    @property
    def reports(self) -> list[Report]:
        """What was found in each form."""
        return [*self._filed, *(self._seen.reports.values() if self._seen else ())]

    def take(self, event: Event) -> list[Finding]:
        """What is against a form, turn by turn, each by what the turn before it left."""
        if event.type == PLAYED:
            return self.seen.take(event.data["form"])
        report = self._judged(event)
        self._filed.append(report)
        return list(report.findings)

    @property
    def seen(self) -> SeenForms:
        """The forms of ships that are seen to be played."""
        if self._seen is None:
            from referee.adjudicator.forms_seen import SeenForms  # Only a log shows a game as it was played.

            self._seen = SeenForms(self._since, self._until)
        return self._seen

    def _judged(self, event: Event) -> Report:
        data, rulebook = event.data, self._rulebook
        if event.type in IN_GAME:
            from referee.adjudicator.forms_in_game import judged_in_game  # A form by itself is of no game.

            return judged_in_game(rulebook, self._load_ship(self._classes[data["ship"]]), event)
        name, form = data["ship"], data["form"]
        ship = self._load_ship(self._classes[name])
        report = check_form(rulebook, ship, form, subject=name, known=data.get("known"))
        if event.type == HELD:
            return as_far_as_begun(rulebook, report, data["begun"], name, data["to_come"])
        return as_filled_in(rulebook, report, form, form.allocations, name)


class EnergyTable:
    """An account of forms, on a table that knows of nothing but energy."""

    def __init__(self, rulebook: Rulebook, load_ship: LoadShip, account: Account) -> None:
        self.rulebook, self.remarks = rulebook, account.remarks
        self.energy = Energy(rulebook, load_ship, account)
        forms = (event for event in account.events if event.type in FORMS)
        self.found = [(event, finding) for event in forms for finding in self.take(event)]

    def take(self, event: Event) -> list[Finding]:
        """What the rules say against a form."""
        return self.energy.take(event)

    def report(self) -> Report:
        """What was found, the rules that were asked, those that could not be, and what pays for what."""
        reports = self.energy.reports
        report = reports[0] if len(reports) == 1 else merge_reports(reports)
        return replace(report, findings=(*self.remarks, *(finding for _, finding in self.found)))
