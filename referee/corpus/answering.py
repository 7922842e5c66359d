"""What our own program answers to a case: the verdict of its rule, the findings, and the figures that come out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

from referee.core.errors import BadInput
from referee.core.finding import Finding, NotChecked, Report, Severity
from referee.corpus import fire, forms, movement
from referee.corpus.agreement import fits
from referee.corpus.forms import CaseFacts
from referee.rulebooks.base import Rulebook
from referee.rulebooks.registry import load_rulebook
from referee.rulebooks.sfb.damage import IllegalChoice

Answer = dict[str, Any]
"""`verdict`, and where there are such `findings` and `values`."""


def answer(case: CaseFacts) -> Answer:
    """The answer to a case: `rulebook`, `rule`, `options`, `input`, perhaps a `claim`. Raises BadInput for an input
    that is none, or is not known here."""
    rulebook = load_rulebook(case["rulebook"]).with_options(case.get("options", {}))
    key = case["rule"]
    if key not in rulebook.rules:
        raise BadInput(f"{rulebook.id} has no rule {key}")
    if len(case["input"]) != 1:
        raise BadInput("an input is of one sort")
    ((sort, facts),) = case["input"].items()
    if sort not in SORTS:
        raise BadInput(f"no input {sort!a}")
    given = SORTS[sort](rulebook, key, facts)
    if "claim" in case:
        holds = fits(case["claim"], given["values"])
        return {**given, "verdict": "legal" if holds else "illegal"}
    return given


def _judged(key: str, findings: Iterable[Finding], unjudged: Iterable[NotChecked]) -> Answer:
    """The verdict of one rule, with all that was found."""
    found = list(findings)
    mine = {finding.severity for finding in found if finding.key == key}
    if Severity.ERROR in mine:
        verdict = "illegal"
    elif Severity.UNDECIDED in mine or any(item.key == key for item in unjudged):
        verdict = "cannot-tell"
    else:
        verdict = "legal"
    return {"verdict": verdict, "findings": [_finding(finding) for finding in found]}


def _finding(finding: Finding) -> Answer:
    place = finding.location
    facts = {
        "key": finding.key,
        "severity": str(finding.severity),
        "subject": finding.subject,
        "turn": finding.turn,
        "impulse": finding.impulse,
        "cell": place.cell or place.pointer,
        "line": place.line or place.step,
        "expected": finding.expected,
        "found": finding.found,
    }
    return {name: value for name, value in facts.items() if value not in ("", None)}


def _items(key: str, items: Iterable[Finding | NotChecked]) -> Answer:
    rulings = list(items)
    return _judged(
        key,
        (item for item in rulings if isinstance(item, Finding)),
        (item for item in rulings if isinstance(item, NotChecked)),
    )


def _on_report(rulebook: Rulebook, key: str, report: Report) -> Answer:
    """The verdict of a rule in a report; of one that works something out and finds nothing itself, that of all."""
    judged = _judged(key, report.findings, report.not_checked)
    if rulebook.rules[key].kind == "resolve":
        judged["verdict"] = str(report.verdict)
    return {**judged, "values": {"verdict": str(report.verdict)}}


# -- each sort of input ------------------------------------------------------------------


def _form(rulebook: Rulebook, key: str, facts: CaseFacts) -> Answer:
    report = forms.report_on(rulebook, {**facts, "form": forms.text_of(facts["rows"])})
    return _judged(key, report.findings, report.not_checked)


def _facts(rulebook: Rulebook, key: str, facts: CaseFacts) -> Answer:
    return _items(key, forms.facts_judged(rulebook, key, facts))


def _volley(rulebook: Rulebook, key: str, facts: CaseFacts) -> Answer:
    try:
        result = forms.strike(rulebook, _with_dice(facts))
    except IllegalChoice as refused:
        return {"verdict": "illegal", "findings": [{"key": refused.rule, "severity": "error"}], "values": {}}
    away = set(facts.get("state", {}).get("shuttles_away", ()))
    values = {
        "hits": [
            {"cell": hit.cell, "system": hit.system, "box": hit.box, "result": hit.result}
            for hit in result.hits
        ],
        "absorbed": list(forms.absorbed(result)),
        "shuttles_lost": sorted(result.state.shuttles_away - away),
        "destroyed": result.destroyed,
        "wasted": result.wasted,
        "internals": result.internals,
        "reinforcement": result.reinforcement,
        "armor_before": result.armor_before,
        "armor_after": result.armor_after,
        "shield_before": result.shield_before,
        "shield_after": result.shield_after,
    }
    return {"verdict": "legal", "values": values}


def _with_dice(facts: CaseFacts) -> dict[str, Any]:
    return {**facts, "dice": " ".join(map(str, facts.get("dice", ())))}


def _fire(rulebook: Rulebook, key: str, facts: CaseFacts) -> Answer:
    """Shots or launches: judged by a rule that checks, worked out by one that resolves. With `volleys` they are
    added up by target and shield."""
    if rulebook.rules[key].kind == "check":
        return _items(key, fire.judged(rulebook, key, facts))
    given = fire.found(rulebook, _with_dice(facts))
    return {
        "verdict": "legal",
        "values": {"shots" if name == "gives" else name: v for name, v in given.items()},
    }


def _launch(rulebook: Rulebook, key: str, facts: CaseFacts) -> Answer:
    return _items(
        key, fire.judged(rulebook, key, {"launch": facts["units"], "launched": facts.get("launched", ())})
    )


def _cloak(rulebook: Rulebook, key: str, facts: CaseFacts) -> Answer:
    if "order" in facts:
        return _items(key, fire.judged(rulebook, key, {"cloak": facts}))
    return {"verdict": "legal", "values": fire.found(rulebook, {"cloak": facts, "phases": facts["moments"]})}


def _lock(rulebook: Rulebook, key: str, facts: CaseFacts) -> Answer:
    return {"verdict": "legal", "values": fire.found(rulebook, {"lock": facts})}


def _guidance(rulebook: Rulebook, key: str, facts: CaseFacts) -> Answer:
    return _items(key, fire.judged(rulebook, key, {"guidance": facts}))


def _seeker_move(rulebook: Rulebook, key: str, facts: CaseFacts) -> Answer:
    return _items(key, fire.judged(rulebook, key, {"move": facts}))


def _seeker(rulebook: Rulebook, key: str, facts: CaseFacts) -> Answer:
    unknown = dict.fromkeys(("speed", "course", "spent", "reached", "left"), "none")
    return {"verdict": "legal", "values": unknown | fire.found(rulebook, facts)}


def _lost(rulebook: Rulebook, key: str, facts: CaseFacts) -> Answer:
    return {"verdict": "legal", "values": fire.found(rulebook, {**facts, "lost": ()})}


def _orders(rulebook: Rulebook, key: str, facts: CaseFacts) -> Answer:
    text = "\n".join(facts["lines"]) + "\n"
    report = movement.orders_judged(
        text, open_end=facts.get("goes_on", False), house=rulebook.id, forms=facts.get("forms", {})
    )
    return _on_report(rulebook, key, report)


def _moves(rulebook: Rulebook, key: str, facts: CaseFacts) -> Answer:
    return _on_report(rulebook, key, movement.moves_of(rulebook, facts))


def _game(rulebook: Rulebook, key: str, facts: CaseFacts) -> Answer:
    """A whole game: all that any rule has against it counts."""
    given = _orders(rulebook, key, facts)
    return {**given, "verdict": given["values"]["verdict"]}


def _robot(rulebook: Rulebook, key: str, facts: CaseFacts) -> Answer:
    from referee.corpus.robot import decided

    return {"verdict": "legal", "values": decided(rulebook, facts)}


def _trek(rulebook: Rulebook, key: str, facts: CaseFacts) -> Answer:
    from referee.corpus import trek

    # A rule of Trek leaves it to who asks to put its number to what it finds.
    return _items(key, [replace(item, key=item.key or key) for item in trek.judged(rulebook, key, facts)])


def _work(rulebook: Rulebook, key: str, facts: CaseFacts) -> Answer:
    from referee.corpus import trek

    return {"verdict": "legal", "values": {"outcome": trek.outcome(rulebook, key, facts)}}


SORTS: Mapping[str, Callable[[Rulebook, str, CaseFacts], Answer]] = {
    "form": _form,
    "facts": _facts,
    "volley": _volley,
    "fire": _fire,
    "launch": _launch,
    "cloak": _cloak,
    "lock": _lock,
    "guidance": _guidance,
    "seeker move": _seeker_move,
    "seeker": _seeker,
    "seekers lost": _lost,
    "orders": _orders,
    "moves": _moves,
    "game": _game,
    "robot": _robot,
    "trek": _trek,
    "work": _work,
}
"""How each sort of input is answered. `docs/corpus.md` says what each holds."""
