"""Judges an energy allocation form: every rule of the book on every turn that was filled in."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Any

from referee.core.finding import Finding, NotChecked, Report, Severity, TurnLedger
from referee.core.forms import EnergyAllocation, EnergyForm, FormProblem, LineNotRead, turns_only_begun
from referee.core.frozen import replace
from referee.core.location import Location
from referee.core.ship import ShipClass
from referee.rulebooks.base import Rule, Rulebook

Moment = tuple[int, int | None, str]
"""Turn, impulse (None outside the impulses) and step."""

_PROBLEM = {
    "unknown-label": (Severity.NOTE, "referee does not know this row, so it is not judged"),
    "two-meanings": (Severity.NOTE, "this row has two meanings"),
    "given-twice": (Severity.UNDECIDED, "this line is given twice"),
    "unreadable": (Severity.UNDECIDED, "this cell cannot be read as energy"),
    "heading": (Severity.UNDECIDED, "this column cannot be taken as a turn"),
}


def check_form(
    rulebook: Rulebook, ship: ShipClass, form: EnergyForm, *, subject: str = "", known: Any = None
) -> Report:
    """All findings on a form, its ledgers, and the rules that could not be judged.

    `known` is what the rulebook takes as the ship's damage (`referee.rulebooks.sfb.carried.Knowledge`
    for its rulebooks); without it the ship is taken as whole, and lower power as damage.
    """
    subject = subject or form.ship or ship.name
    findings = [_problem(problem, subject) for problem in form.problems]
    findings += _unsure_numbers(ship, rulebook, subject, form)
    report = judge_turns(rulebook, ship, turns_of(rulebook, ship, form, subject, known), subject)
    if form.allocations:
        return replace(report, findings=(*findings, *report.findings))
    blank = NotChecked(rulebook.named.energy, "no turn of the form is filled in", subject)
    return replace(report, findings=tuple(findings), not_checked=(blank,))


class EnergyTurns:
    """A ship's turns of energy, one after another: each is opened by what the one before it left (B3.0). `known` is
    what is known of the ship's damage as the `first` begins; a turn of a game may know better."""

    def __init__(
        self, rulebook: Rulebook, ship: ShipClass, first: int, known: Any = None, subject: str = ""
    ) -> None:
        self.rulebook, self.ship, self.subject = rulebook, ship, subject
        self.before: Any
        self.before, self.known = rulebook.offers.energy_allocation(ship, rulebook, known, first)
        self._open, self._carry = rulebook.offers.open_turn, rulebook.offers.carry_over

    def open(self, allocation: EnergyAllocation, known: Any = None, *, last: bool = False) -> Any:
        """The facts of a turn that follows, as the rulebook sees them; `last` where no other follows."""
        damage = known or self.known
        return self._open(self.ship, self.rulebook, allocation, self.before, damage, self.subject, last)

    def left_by(self, facts: Any) -> Any:
        """What the ship takes out of a turn."""
        return self._carry(facts)

    def close(self, facts: Any) -> Any:
        """What the ship takes out of a turn: the next is opened by it."""
        self.before = self.left_by(facts)
        return self.before


def turns_of(
    rulebook: Rulebook, ship: ShipClass, form: EnergyForm, subject: str = "", known: Any = None
) -> Iterator[tuple[Any, Any]]:
    """The turns of a form: the facts of each, and what the ship takes out of it."""
    if not form.allocations:
        return
    turns = EnergyTurns(rulebook, ship, form.allocations[0].turn, known, subject)
    for allocation in form.allocations:
        facts = turns.open(allocation, last=allocation is form.allocations[-1])
        yield facts, turns.close(facts)


def judge_turns(
    rulebook: Rulebook, ship: ShipClass, turns: Iterable[tuple[Any, Any]], subject: str
) -> Report:
    """All findings on a ship's turns, each told by its facts and what the ship takes out of it, with its ledger."""
    findings: list[Finding] = []
    not_checked: list[NotChecked] = []
    ledgers: list[TurnLedger] = []
    rules, judged = rulebook.rules_on("allocation", "check"), False
    for facts, after in turns:
        judged = True
        for item in judge_all(rules, rulebook, facts):
            (not_checked if isinstance(item, NotChecked) else findings).append(item)  # type: ignore[arg-type]
        if facts.form.is_whole:
            with suppress(
                LineNotRead
            ):  # what it carried into the turn is not known, and so not what pays for what
                ledgers.append(rulebook.offers.ledger(facts, after))
    return Report(
        findings=tuple(findings),
        checked=tuple(dict.fromkeys(rule.key for rule in rules)) if judged else (),
        not_checked=tuple(not_checked),
        ledgers=tuple(ledgers),
        rulebook=rulebook.id,
        ships=({"name": subject, "ship": ship.id, "class": ship.name, "rulebook": rulebook.id},),
        options=dict(rulebook.chosen),
    )


def as_far_as_begun(
    rulebook: Rulebook,
    report: Report,
    begun: Iterable[EnergyAllocation],
    subject: str,
    to_come: Iterable[EnergyAllocation] = (),
) -> Report:
    """The report on a form without what is left blank in turns that are only begun: nobody has filled that in, and
    nothing was paid that a ledger could show. Of those `to_come`, which are not played yet, not even what is known
    as a turn begins is judged: till then it may change."""
    begun, to_come = tuple(begun), tuple(to_come)
    blank: list[Finding] = []
    for allocation in begun:
        written = (
            set()
            if allocation in to_come
            else {_cell(entry.location) for entry in allocation.entries.values()}
        )
        blank += [
            f for f in report.findings if f.turn == allocation.turn and _cell(f.location) not in written
        ]
    if not begun:
        return report
    numbers = [str(allocation.turn) for allocation in begun]
    named = f"turn {numbers[0]} is" if len(numbers) == 1 else f"turns {', '.join(numbers)} are"
    reason = f"{named} only begun: its spending is not filled in"
    ledgers = tuple(
        allocation for allocation in report.ledgers if allocation.turn not in {each.turn for each in begun}
    )
    return replace(
        report,
        findings=tuple(finding for finding in report.findings if finding not in blank),
        checked=report.checked if ledgers else (),
        not_checked=(*report.not_checked, NotChecked(rulebook.named.energy, reason, subject)),
        ledgers=ledgers,
    )


def _cell(place: Location) -> tuple[str | None, str | None]:
    return place.cell, place.pointer


def _unsure_numbers(ship: ShipClass, rulebook: Rulebook, subject: str, form: EnergyForm) -> list[Finding]:
    """A note on the numbers of the ship its energy is judged by, where any is not verified."""
    paths = ship.unsure(*rulebook.descriptor.get("form", {}).get("rests_on", ()))
    if "figures/warp_total" in ship.sources:
        paths = tuple(path for path in paths if not path.endswith("_warp"))
    if not paths:
        return []
    listed = ", ".join(f"{path} {ship.sources[path].value} ({ship.sources[path].status})" for path in paths)
    return [
        Finding(
            key="NOTE/unsure",
            severity=Severity.NOTE,
            message=f"judged by numbers that are not verified: {listed}",
            subject=subject,
            location=form.place,
            fix="the SSD on the table decides",
            data_status=ship.status_of(*paths),
        )
    ]


def turn_after(rulebook: Rulebook, ship: ShipClass, form: EnergyForm, known: Any) -> tuple[Any, Any]:
    """What the ship brings into the turn after the last one of a form, and the facts of that turn with nothing filled
    in, by what is `known` of its damage then."""
    turns = EnergyTurns(rulebook, ship, form.allocations[0].turn)
    for allocation in form.allocations:
        turns.close(turns.open(allocation, last=allocation is form.allocations[-1]))
    blank = EnergyAllocation(turns.before.turn + 1, {}, form.place)
    return turns.before, turns.open(blank, known, last=True)


def judge(rule: Rule, rulebook: Rulebook, facts: Any) -> Sequence[Finding | NotChecked]:
    """One rule on one set of facts; its findings bear its key and, if it is a house rule, whose. What it asks for that
    could not be read is not known, and then neither is what it decides."""
    return judge_all((rule,), rulebook, facts)


def judge_all(rules: Iterable[Rule], rulebook: Rulebook, facts: Any) -> list[Finding | NotChecked]:
    """Some rules on one set of facts, each as by `judge`."""
    results: list[Finding | NotChecked] = []
    for rule in rules:
        try:
            for item in rule.decide(facts):
                results.append(rule.signed(item, rulebook.chain))
        except LineNotRead as why:
            results.append(rule.signed(facts.unknown(str(why)), rulebook.chain))
    return results


def _problem(problem: FormProblem, subject: str) -> Finding:
    severity, message = _PROBLEM[problem.kind]
    fix = "write it as 8, 2.5, 2 1/2 or 5/2" if problem.kind == "unreadable" else ""
    if problem.kind == "two-meanings":
        severity = Severity.UNDECIDED if problem.figures else severity
        fix = problem.fix
    if problem.kind == "unknown-label" and problem.figures:
        severity, message = (
            Severity.UNDECIDED,
            "a row that referee does not know has figures in it",
        )
        fix = (
            problem.fix
            or "say in a map file, under form.rows, which line it is (referee init map drafts one, for --map)"
        )
    if problem.reason.startswith("did you mean"):
        message = problem.reason
    elif problem.reason:
        message = f"{message}: {problem.reason}"
    return Finding(
        key=f"NOTE/{problem.kind}",
        severity=severity,
        message=message,
        subject=subject,
        location=problem.location,
        found=problem.text,
        fix=fix,
    )


def timed(rulebook: Rulebook, moment: Moment, kind: str, subject: str, turn: int | None) -> list[Finding]:
    """What the sequence of play says against doing something at a moment (B2.0)."""
    if not rulebook.has("timed"):
        return []
    rules = rulebook.rules_on("timed", "check")
    steps = rulebook.descriptor["sequence_of_play"]["steps_of"].get(kind, ())
    if turn is None and moment[2] in steps and all(rule.passes == "plain" for rule in rules):
        return []  # Plainly in its step.
    facts = rulebook.offers.timed(rulebook, kind, moment, subject, turn)
    found = (item for rule in rules for item in judge(rule, rulebook, facts))
    return [item for item in found if isinstance(item, Finding)]


def as_filled_in(
    rulebook: Rulebook, report: Report, form: EnergyForm, judged: Sequence[EnergyAllocation], subject: str
) -> Report:
    """The report on the turns judged of a form, but for what is blank in those that are only begun. Where there
    are no others that is no verdict."""
    begun = turns_only_begun(form, rulebook.lines)
    report = as_far_as_begun(rulebook, report, begun, subject)
    if any(allocation not in begun for allocation in judged):
        return report
    first = next(iter(judged), None)
    unfilled = Finding(
        key="NOTE/begun",
        severity=Severity.UNDECIDED,
        message="the form is only begun: none of its spending is filled in, so its spending is not judged",
        subject=subject,
        turn=first.turn if first else None,
        location=first.place if first else form.place,
        fix="fill in what the ship spends; write 0 where it spends nothing",
    )
    return replace(report, findings=(*report.findings, unfilled))
