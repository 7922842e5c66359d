"""Forms of ships that are seen to be played: what each turn pays for, and what phasers fired by what was said."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from fractions import Fraction

from referee.adjudicator.capacitor import EnergyFacts, judge_charge, judge_lent
from referee.adjudicator.doubt import as_sure
from referee.adjudicator.hits_on_ship import if_boxes_were_lost
from referee.adjudicator.played_energy import form_remarks, judge_energy, judge_turn_of
from referee.core.finding import Finding, NotChecked, Report
from referee.core.forked import Forked
from referee.core.forms import EnergyForm
from referee.core.frozen import frozen
from referee.core.gap import Gap
from referee.core.play import When
from referee.core.ship import ShipClass
from referee.rulebooks.base import Rulebook


@frozen
class PlayedForm:
    """The form of a ship, the energy of each turn as it was played, the points that its phasers `fired` by turn, and what
    is left open of turns that began with damage `unmarked`."""

    ship: str
    chosen: ShipClass
    rulebook: Rulebook
    form: EnergyForm
    turns: Sequence[EnergyFacts]
    fired: Mapping[int, Fraction]
    unmarked: Mapping[int, Gap] = field(default_factory=dict)


class SeenForms(Forked):
    """The forms of an account that tells the game from one moment to another."""

    def __init__(self, since: When, until: When) -> None:
        self._since, self._until = since, until
        self.reports: dict[str, Report] = {}
        """What was found in the form of each ship."""

    def take(self, played: PlayedForm) -> list[Finding]:
        """What is against a form; a turn whose energy is as it was before is not judged again."""
        name, turns = played.ship, played.turns
        energy = [judge_turn_of(turn.facts.rulebook, turn.facts.ship, name, turn) for turn in turns]
        report = _together(energy or [judge_energy(played.rulebook, played.chosen, (), name)])
        charge = [
            *judge_charge(turns, played.fired, name, self._since, self._until),
            *judge_lent(turns, name, self._until),
        ]
        found = [*report.findings, *(item for item in charge if isinstance(item, Finding))]
        findings = (
            *form_remarks(played.rulebook, played.chosen, played.form, name),
            *(_but_for_unmarked(played, found) if played.unmarked else found),
        )
        open_ = (*report.not_checked, *(item for item in charge if isinstance(item, NotChecked)))
        self.reports[name] = replace(report, findings=findings, not_checked=open_)
        return list(findings)


def _but_for_unmarked(played: PlayedForm, found: Sequence[Finding]) -> Iterator[Finding]:
    """What is found in a form; an error that is none if the damage cost boxes is as sure as that is."""
    rests: dict[int, Gap] = {}
    for energy in played.turns:
        if (gap := played.unmarked.get(energy.turn)) is not None:
            own = [item for item in found if item.turn == energy.turn]
            rests |= {id(item): gap for item in if_boxes_were_lost(played.rulebook, energy, own)}
    for finding in found:
        gap = rests.get(id(finding))
        item = as_sure(finding, gap.sure, gap.fix) if gap else finding
        assert isinstance(item, Finding)
        yield item


def _together(turns: Sequence[Report]) -> Report:
    """The report on all turns of a ship."""
    return replace(
        turns[0],
        findings=tuple(found for report in turns for found in report.findings),
        not_checked=tuple(item for report in turns for item in report.not_checked),
        ledgers=tuple(ledger for report in turns for ledger in report.ledgers),
    )
