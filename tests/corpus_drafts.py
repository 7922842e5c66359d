"""The cases of the tests as published cases: each sort of case file in the language-independent form."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from referee.core.errors import BadInput
from referee.corpus.answering import answer
from referee.corpus.forms import rows_of
from referee.rulebooks.registry import load_rulebook
from tests import casefile
from tests.doors.games import EXCUSED, GAMES, Excuse
from tests.doors.played import Played, figures_of
from tests.unit.rulebooks.sfb import movement_book
from tests.unit.rulebooks.sfb.firecases import fire_cases
from tests.unit.rulebooks.sfb.robotcases import robot_cases
from tests.unit.rulebooks.trek import trekcases

VERDICTS = {
    **dict.fromkeys(("legal", "noted", "warned", "resolves"), "legal"),
    **dict.fromkeys(("illegal", "refused", "wrong", "switched-off"), "illegal"),
    **dict.fromkeys(("undecided", "unknown"), "cannot-tell"),
}
SEVERITIES = {"illegal": "error", "undecided": "undecided", "noted": "note", "warned": "warning"}
ANOTHER_RULE = "another rule has something against it"
OUR_WORDS = {"why"}
"""What comes out in words of our own, which nobody else is held to."""


@dataclass
class Draft:
    """A case on its way to be published; `left_out` says why it is not."""

    rulebook: str
    rule: str
    says: str
    kind: str
    input: dict[str, Any]
    options: dict[str, str] = field(default_factory=dict)
    findings: list[dict[str, Any]] = field(default_factory=list)
    values: dict[str, Any] = field(default_factory=dict)
    claim: dict[str, Any] = field(default_factory=dict)
    also: list[str] = field(default_factory=list)
    left_out: str = ""
    example: str = ""
    """The worked example of the sources that it is, where its name does not begin with that."""

    @property
    def asked(self) -> dict[str, Any]:
        """What a program is asked."""
        case = {"rulebook": self.rulebook, "rule": self.rule, "options": self.options, "input": self.input}
        return {**case, "claim": self.claim} if self.claim else case

    @property
    def expected(self) -> dict[str, Any]:
        """What a program is to answer."""
        parts = {"findings": self.findings, "values": self.values, "also": self.also}
        return {"verdict": VERDICTS[self.kind], **{name: part for name, part in parts.items() if part}}


def drafts() -> Iterator[Draft]:
    """Every case of the tests that another program could play, and those left out with the reason."""
    for make in (_forms, _fire, _movement, _robot, _trek, _games):
        for draft in make():
            if not draft.left_out:
                _weigh(draft)
            yield draft


def _weigh(draft: Draft) -> None:
    """One fault a case: what other rules have against it is said, and a legal case has none."""
    try:
        given = answer(draft.asked)
    except BadInput as error:
        if draft.kind != "switched-off":
            raise BadInput(f"{draft.rule}: {draft.says}: {error}") from error
        draft.left_out = "without the rule other dice fall"
        return
    if draft.claim:
        return
    others = {
        found["key"]
        for found in given.get("findings", ())
        if found["severity"] == "error" and found["key"] != draft.rule
    }
    draft.also = sorted(others - {found["key"] for found in draft.findings})
    if draft.also and draft.kind not in ("illegal", "refused"):
        draft.left_out = ANOTHER_RULE


def _options(says: Mapping[str, Any]) -> dict[str, str]:
    return {name: str(value).lower() for name, value in says.get("options", {}).items()}


def _part(says: Mapping[str, Any], *names: str) -> dict[str, Any]:
    return {name: says[name] for name in names if name in says}


def _dice(says: Mapping[str, Any]) -> dict[str, Any]:
    return {"dice": [int(die) for die in says["dice"].split()]} if "dice" in says else {}


# -- forms and volleys -------------------------------------------------------------------


def _forms() -> Iterator[Draft]:
    for case in casefile.all_cases():
        says, options = case.says, _options(case.says)
        draft = Draft(case.rulebook, case.rule, case.name, case.kind, {}, options)
        if "form" in says:
            draft.input = {"form": _part(says, "ship", "state", "after")}
            if says["form"].lstrip().startswith("{"):
                draft.left_out = "a form in this program's own JSON"
            else:
                draft.input["form"]["rows"] = rows_of(says["form"])
            draft.findings = _expected(case.rule, case.kind, says.get("expect", ()))
        elif "facts" in says:
            draft.input = {"facts": says["facts"]}
            draft.findings = _expected(case.rule, case.kind, says.get("expect", ()))
        else:
            _volley(draft, says)
        yield draft


def _expected(rule: str, kind: str, expect: Any) -> list[dict[str, Any]]:
    rows = [{"key": wanted.get("rule", rule), **wanted} for wanted in expect]
    for row in rows:
        row.pop("rule", None)
        row.pop("data_status", None)  # how sure our own tables are
        if kind in SEVERITIES and row["key"] == rule:
            row.setdefault("severity", SEVERITIES[kind])
    if kind in SEVERITIES and not any(row["key"] == rule for row in rows):
        rows.append({"key": rule, "severity": SEVERITIES[kind]})
    return rows


def _volley(draft: Draft, says: Mapping[str, Any]) -> None:
    names = ("ship", "damage", "internals", "shield", "reinforcement", "direction", "choose", "state")
    draft.input = {"volley": {**_part(says, *names), **_dice(says)}}
    if draft.kind == "refused":
        draft.findings = [{"key": says.get("by", draft.rule), "severity": "error"}]
        return
    values = dict(says.get("result", {}))
    if "hits" in says:
        values["hits"] = [_hit(text) for text in says["hits"]]
    if draft.kind == "resolves":
        given = answer(draft.asked)["values"]["hits"]
        if "hits" in says:
            values["hits"] = [_named(*each) for each in zip(says["hits"], given, strict=True)]
        draft.values = values
    else:
        draft.claim = values


def _hit(text: str) -> dict[str, str]:
    cell, _, what = text.partition(" ")
    return {"cell": cell, "box": ""} if what == "destroyed" else {"cell": cell, "system": what}


def _named(text: str, given: Mapping[str, str]) -> dict[str, str]:
    """A hit under the name that fits: the system, the box or the entry of the chart. Nothing fits where the case is
    not what comes out."""
    cell, _, what = text.rpartition(" ") if " " in text else ("", "", text)
    if what == "destroyed" and not given["box"]:
        return {"cell": cell, "box": ""}
    for name in ("system", "box", "result"):
        if given[name] == what:
            return {"cell": cell, name: what}
    return {"cell": cell, "system": what}


# -- fire and seekers --------------------------------------------------------------------


def _fire() -> Iterator[Draft]:
    for case in fire_cases():
        says = case.says
        draft = Draft(case.rulebook, case.rule, case.name, case.kind, {}, _options(says))
        units = [{**says["given"], **shot} for shot in says.get("shots", says.get("launch", ()))]
        if "shots" in says:
            draft.input = {"fire": {"shots": units, **_dice(says), **_part(says, "impacts")}}
            if "volleys" in says:
                draft.input["fire"]["volleys"] = True
        elif "launch" in says:
            draft.input = {"launch": {"units": units, **_part(says, "launched")}}
        elif "cloak" in says:
            draft.input = {
                "cloak": {**says["cloak"], **({"moments": list(says["phases"])} if "phases" in says else {})}
            }
        elif "lost" in says:
            draft.input = {"seekers lost": _part(says, "seekers", "when")}
        elif "seeker" in says:
            draft.input = {"seeker": _part(says, "seeker", "target_at", "now", "impulses")}
        else:
            ((old, new),) = (
                (old, new)
                for old, new in (("lock", "lock"), ("guidance", "guidance"), ("move", "seeker move"))
                if old in says
            )
            draft.input = {new: says[old]}
        values = _part(
            says,
            *("volleys", "phases", "held", "speed", "course", "spent", "reached", "left", "warhead", "lost"),
        )
        if "gives" in says:
            values["shots"] = says["gives"]
        if case.kind in SEVERITIES:
            draft.findings = [
                {"key": case.rule, "severity": SEVERITIES[case.kind], **_part(says, "expected", "found")}
            ]
        elif case.kind == "resolves":
            draft.values = values
        elif case.kind in ("wrong", "switched-off"):
            draft.claim = values
            if says.get("refused"):
                draft.left_out = "without the rule nothing comes out"
        yield draft


# -- movement ----------------------------------------------------------------------------


def _movement() -> Iterator[Draft]:
    for case in movement_book.all_cases():
        says = case.says
        if "orders" in says:
            lines = says["orders"].strip().splitlines()
            named = [line.split()[1] for line in lines if line.startswith("rulebook ")]
            input = {"orders": {"lines": lines, **({"goes_on": True} if says.get("open_end") else {})}}
        else:
            named = [says["rulebook"]] if "rulebook" in says else []
            input = {"moves": _part(says, "units", "moves", "impulses")}
            input["moves"]["units"] = {
                name: {
                    **unit,
                    **(
                        {"speeds": {str(t): s for t, s in unit["speeds"].items()}} if "speeds" in unit else {}
                    ),
                }
                for name, unit in says["units"].items()
            }
        draft = Draft(named[0] if named else "sfb-cadet", case.rule, case.name, case.kind, input)
        if case.kind == "switched-off":
            draft.kind = says["verdict"]  # it would be another without the rule
            if draft.kind == "legal":
                draft.left_out = "its legal case says it too"
        elif case.kind == "refused":
            draft.findings = [{"key": says["by"], "severity": "error", **each} for each in says["expect"]]
        elif case.kind in SEVERITIES:
            draft.findings = _expected(case.rule, case.kind, says["expect"])
        yield draft


# -- robot and Trek ----------------------------------------------------------------------


def _robot() -> Iterator[Draft]:
    for case in robot_cases():
        says = case.says
        gives = {name: value for name, value in says["gives"].items() if name not in OUR_WORDS}
        unsaid = {"name", "kind", "gives", "rulebooks", "options"}
        moment = {name: value for name, value in says.items() if name not in unsaid}
        draft = Draft(
            case.rulebook,
            case.rule,
            case.name,
            case.kind,
            {"robot": moment},
            {"impulses": "16", **_options(says)},
        )
        if case.kind == "resolves":
            draft.values = gives
        else:
            draft.claim = gives
        if not gives or (draft.claim and gives != says["gives"]):
            draft.left_out = "it hangs on words of our own"
        yield draft


def _trek() -> Iterator[Draft]:
    for case in trekcases.all_cases():
        says = case.says
        draft = Draft("trek", case.rule, case.name, case.kind, {}, _options(says))
        draft.example = says.get("vector", "")
        if "given" in says:
            draft.input = {"work": says["given"]}
            if case.kind == "resolves":
                draft.values = {"outcome": says["expect"]}
            else:
                draft.claim = {"outcome": says["claim"]}
        else:
            names = ("do", "ship", "set", "obstacles", "acting", "round", "order", "class")
            draft.input = {"trek": _part(says, *names)}
            if case.kind in SEVERITIES:
                figures = _part(says, "expected", "found")
                draft.findings = [{"key": case.rule, "severity": SEVERITIES[case.kind], **figures}]
        yield draft


# -- whole games -------------------------------------------------------------------------


def _rows_of_forms(game: Played) -> dict[str, list[list[str]]]:
    """The forms of a game as rows of cells by ship, a column a turn."""
    columns: dict[str, dict[int, Mapping[str, str]]] = {}
    for (ship, turn), paid in game.forms.items():
        if not paid:
            continue  # a form that is only begun: nothing is judged by it
        columns.setdefault(ship, {})[turn] = figures_of(game, ship, paid)
    rows = {}
    for ship, by_turn in columns.items():
        labels = dict.fromkeys(label for cells in by_turn.values() for label in cells)
        head = ["Turn", *map(str, by_turn)]
        rows[ship] = [
            head,
            *([label, *(cells.get(label, "") for cells in by_turn.values())] for label in labels),
        ]
    return rows


def _games() -> Iterator[Draft]:
    for name, (game, expected) in GAMES.items():
        excuse = EXCUSED.get((name, "orders"), Excuse(""))
        found = expected if game.forms else (expected - excuse.lacks) | excuse.adds
        lines = game.text.splitlines()
        rulebook = next(line.split()[1] for line in lines if line.startswith("rulebook "))
        key = next((one[1] for one in sorted(found)), load_rulebook(rulebook).named.sequence)
        draft = Draft(rulebook, key, f"whole game: {name}", "legal", {"game": {"lines": lines}})
        if game.forms:
            forms = _rows_of_forms(game)
            draft.input["game"] |= {"forms": forms} if forms else {}
        if len(found) > 1 or excuse.refuses:
            draft.left_out = "more than one fault"
        elif found:
            ((severity, _, subject, turn, impulse),) = found
            draft.kind = {"error": "illegal", "undecided": "undecided"}.get(severity, "noted")
            facts = {"key": key, "severity": severity, "subject": subject, "turn": turn, "impulse": impulse}
            draft.findings = [{name: value for name, value in facts.items() if value not in ("", None)}]
        yield draft
