"""Runs the published cases on a program, and sums up by chapter what it complies with."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from typing import Any

from referee.core.errors import BadInput
from referee.core.frozen import frozen
from referee.corpus.adapter import PROTOCOL
from referee.corpus.agreement import disagreement
from referee.corpus.partner import NoAnswer, Partner
from referee.corpus.published import Published, contents

OURS = [sys.executable, "-m", "referee.corpus.adapter"]
"""Our own program, asked as any other is."""
PASSED, FAILED, SKIPPED, ERRORED = OUTCOMES = ("passed", "failed", "skipped", "errored")
MOST_STARTS = 20
"""A program that ends or hangs again and again is not asked for ever."""


@frozen
class CaseOutcome:
    """What became of a case, and why where it did not pass."""

    case: Published
    outcome: str
    why: str = ""


@frozen
class CorpusRun:
    """All outcomes, with the name and version the program gave itself."""

    program: str
    version: str
    outcomes: tuple[CaseOutcome, ...]

    @property
    def complies(self) -> bool:
        """Did no case fail, and one pass at least?"""
        kinds = {each.outcome for each in self.outcomes}
        return PASSED in kinds and not {FAILED, ERRORED} & kinds


def run_cases(
    cases: Iterable[Published],
    adapter: str = "",
    *,
    seconds: float = 10.0,
    after_each: Callable[[CaseOutcome], object] = lambda _: None,
) -> CorpusRun:
    """Runs cases on a program, our own where none is named. Raises BadInput for one that does not start."""
    outcomes: list[CaseOutcome] = []
    with Partner(adapter or OURS, seconds) as partner:
        asking = _Asking(partner)
        for case in cases:
            outcomes.append(asking.outcome_of(case))
            after_each(outcomes[-1])
        partner.stop()
    return CorpusRun(asking.program, asking.version, tuple(outcomes))


class _Asking:
    """A program with which the protocol has been begun, and what is known of it."""

    def __init__(self, partner: Partner) -> None:
        self._partner, self._starts, self._why_not = partner, 0, ""
        self._begin()

    def _begin(self) -> None:
        self._starts += 1
        self._dialect, self._known = "", False
        try:
            reply = self._partner.ask(
                {"type": "start", "protocol": PROTOCOL, "corpus": contents()["version"]}
            )
        except NoAnswer as why:
            raise BadInput(
                f"the program does not start: {why}", hint="docs/corpus.md says what it is asked"
            ) from None
        if reply.get("type") != "started" or reply.get("protocol") != PROTOCOL:
            raise BadInput(f"the program does not speak protocol {PROTOCOL}", hint="docs/corpus.md")
        self.program, self.version = str(reply.get("program", "")), str(reply.get("version", ""))

    def outcome_of(self, case: Published) -> CaseOutcome:
        """Asks for one case. A program that no longer answers what it is asked is started again for the next."""
        if self._why_not:
            return CaseOutcome(case, ERRORED, f"not asked: {self._why_not}")
        try:
            if case.rulebook != self._dialect:
                reply = self._partner.ask({"type": "dialect", "rulebook": case.rulebook})
                self._dialect, self._known = case.rulebook, reply.get("known") is True
            if not self._known:
                return CaseOutcome(case, SKIPPED, f"it does not know {case.rulebook}")
            answer = self._partner.ask({"type": "run", **case.asked()})
            if answer.get("id") != case.id:
                raise NoAnswer(f"it answers {str(answer.get('id'))!a}")
            return _outcome(case, answer)
        except NoAnswer as why:
            self._begin_again()
            return CaseOutcome(case, ERRORED, str(why))

    def _begin_again(self) -> None:
        if self._starts == MOST_STARTS:
            self._why_not = "the program had to be started too often"
            return
        try:
            self._partner.open_again()
            self._begin()
        except BadInput as error:
            self._why_not = error.reason


def _outcome(case: Published, answer: dict[str, Any]) -> CaseOutcome:
    match answer.get("type"):
        case "skipped":
            return CaseOutcome(case, SKIPPED, str(answer.get("reason") or "no reason given"))
        case "errored":
            return CaseOutcome(case, ERRORED, str(answer.get("reason") or "no reason given"))
        case "answer":
            why = disagreement(case.data["expected"], answer)
            return CaseOutcome(case, FAILED if why else PASSED, why)
        case other:
            return CaseOutcome(case, ERRORED, f"no answer is called {str(other)!a}")


# -- the compliance statement ------------------------------------------------------------


def statement(run: CorpusRun) -> dict[str, Any]:
    """The compliance statement, by `schemas/compliance.schema.json`."""
    chapters: dict[tuple[str, str], dict[str, int]] = {}
    for each in run.outcomes:
        counts = chapters.setdefault((each.case.rulebook, each.case.chapter), dict.fromkeys(OUTCOMES, 0))
        counts[each.outcome] += 1
    kinds = [each.outcome for each in run.outcomes]
    return {
        "schema": "referee/compliance/1",
        "corpus": contents()["version"],
        "program": {"name": run.program, "version": run.version},
        "complies": run.complies,
        "counts": {kind: kinds.count(kind) for kind in OUTCOMES},
        "chapters": [
            {"rulebook": rulebook, "chapter": chapter, **counts}
            for (rulebook, chapter), counts in sorted(chapters.items())
        ],
        "open": [
            {
                "id": each.case.id,
                "rule": each.case.rule,
                "says": each.case.sentence,
                "outcome": each.outcome,
                "why": each.why,
            }
            for each in run.outcomes
            if each.outcome != PASSED
        ],
    }
