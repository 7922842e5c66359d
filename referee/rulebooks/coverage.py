"""Which of the book's numbered rules a rulebook judges, which it does not and why, and their cases counted.

Each rulebook's folder has a `coverage.json`: the numbers of the book with titles of our own, and the keys of
the rules that carry each. A number may say where it is kept without a rule (`kept`), why no program can judge it
(`why`), or what of it is not judged (`left`). Under `further` are the rules beyond the book's list, numbered `+1`
and so on, with where they come from. A child names
the numbers of its parent that are another game's (`not_here`), and the rules that need no case against
them (`excused`). `cases.json` counts the cases of each rule; it is written from the tests' case files.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cache
from typing import Any

from referee.core.frozen import frozen
from referee.rulebooks.base import Rule, Rulebook
from referee.rulebooks.registry import folder_of, load_rulebook

NOT_JUDGED = "not judged"
NOT_HERE = "not of this game"
KEPT = "kept elsewhere"
SWITCHED_OFF = "switched off"


@frozen
class CaseCount:
    """Cases of a rule: where it has nothing to say, where it has, and where it cannot tell."""

    legal: int = 0
    illegal: int = 0
    cannot_tell: int = 0

    def __add__(self, other: CaseCount) -> CaseCount:
        return CaseCount(
            self.legal + other.legal, self.illegal + other.illegal, self.cannot_tell + other.cannot_tell
        )


@frozen
class RuleCarried:
    """A registered rule that carries a number of the book; `excused` says why no case is against it.

    One beyond the book's list has a `number` of its own (`+1`), and says where it is `in_book` and of which source it is from;
    a house rule has none.
    """

    rule: Rule
    cases: CaseCount
    excused: str = ""
    number: str = ""
    in_book: str = ""
    source: str = ""


@frozen
class Covered:
    """One number of the book as a rulebook treats it."""

    number: str
    in_book: str
    """Where the book has it: `C3.2, C3.3`."""
    source: str
    part: str
    title: str
    status: str
    why: str
    left: str
    kept: str
    rules: tuple[RuleCarried, ...]

    @property
    def cases(self) -> CaseCount:
        """The cases of all rules that carry it."""
        return sum((carried.cases for carried in self.rules), CaseCount())


@frozen
class BookCoverage:
    """A rulebook held against its book: the numbered rules, then the rules it has beyond them."""

    rulebook: Rulebook
    numbered: tuple[Covered, ...]
    further: tuple[RuleCarried, ...]

    @property
    def cases(self) -> CaseCount:
        """All cases, each rule's once."""
        every = (carried for covered in self.numbered for carried in covered.rules)
        once = {carried.rule.key: carried.cases for carried in (*every, *self.further)}
        return sum(once.values(), CaseCount())


def coverage_of(rulebook: Rulebook) -> BookCoverage:
    """The numbered rules of a rulebook as it stands in force, with the rules a house file switched off."""
    excused = excuses(rulebook.id)
    counts = case_counts(rulebook.id)
    carried = {
        key: RuleCarried(rule, counts.get(key, CaseCount()), excused.get(key, ""))
        for key, rule in rulebook.rules.items()
    }
    lists = _lists(rulebook)
    not_here = {number: why for each in lists for number, why in each.get("not_here", {}).items()}
    shipped = load_rulebook(rulebook.id).rules
    entries = [entry for each in lists for entry in each["rules"]]
    numbered = tuple(_covered(entry, not_here, carried, shipped) for entry in entries)
    used = {key for entry in entries for key in entry.get("rules", ())}
    further = {key: carried[key] for key in carried if key not in used}
    for row in (row for each in lists for row in each.get("further", ()) if row["rule"] in further):
        listed = {"number": row["number"], "in_book": row["book"], "source": row["source"]}
        further[row["rule"]] = replace(further[row["rule"]], **listed)
    return BookCoverage(rulebook, numbered, tuple(sorted(further.values(), key=_place)))


def _place(further: RuleCarried) -> int:
    """Where a rule beyond the list stands: by its number, those without one last."""
    return int(further.number or 1000)


def _covered(
    entry: Mapping[str, Any],
    not_here: Mapping[str, str],
    carried: Mapping[str, RuleCarried],
    shipped: Mapping[str, Rule],
) -> Covered:
    number, keys = entry["number"], entry.get("rules", ())
    why = not_here.get(number, entry.get("why", ""))
    kept = "" if why else entry.get("kept", "")
    rules = () if why else tuple(carried[key] for key in keys if key in carried)
    off = not why and not rules and any(key in shipped for key in keys)
    other = NOT_HERE if number in not_here else SWITCHED_OFF if off else KEPT if kept else ""
    return Covered(
        number=number,
        in_book=entry["book"],
        source=entry["source"],
        part=entry["part"],
        title=entry["title"],
        status=other or _status(rules),
        why=why,
        left="" if why else entry.get("left", ""),
        kept=kept,
        rules=rules,
    )


def _status(rules: Iterable[RuleCarried]) -> str:
    kinds = {carried.rule.kind for carried in rules}
    words = {"check": "checked", "resolve": "resolved"}
    return " and ".join(words[kind] for kind in ("check", "resolve") if kind in kinds) or NOT_JUDGED


def excuses(id: str) -> Mapping[str, str]:
    """The rules of a rulebook without a case against them, each with the reason."""
    return {key: why for each in _lists(load_rulebook(id)) for key, why in each.get("excused", {}).items()}


def case_counts(id: str) -> Mapping[str, CaseCount]:
    """The cases of each rule of a rulebook, as counted when `cases.json` was written."""
    counted = _read(id, "cases")
    return {key: CaseCount(*numbers) for key, numbers in counted.get("cases", {}).items()}


def _lists(rulebook: Rulebook) -> list[Mapping[str, Any]]:
    """What a rulebook and its parents list, the parents' first."""
    return [listed for id in reversed(rulebook.chain) if (listed := _read(id, "coverage"))]


@cache
def _read(id: str, name: str) -> Mapping[str, Any]:
    path = folder_of(id) / f"{name}.json"
    document: Mapping[str, Any] = json.loads(path.read_bytes()) if path.is_file() else {}
    return document


def coverage_json(rulebook: Rulebook) -> dict[str, Any]:
    """What a rulebook judges of its book, by `schemas/rule-coverage.schema.json`."""
    coverage = coverage_of(rulebook)
    return {
        "schema": "referee/rule-coverage/1",
        "rulebook": rulebook.id,
        "title": rulebook.title,
        "cases": _counted(coverage.cases),
        "rules": [
            {
                "number": covered.number,
                "book": covered.in_book,
                "source": covered.source,
                "part": covered.part,
                "title": covered.title,
                "status": covered.status,
                **{name: text for name in ("why", "left", "kept") if (text := getattr(covered, name))},
                "cases": _counted(covered.cases),
                "rules": [_carried_json(carried) for carried in covered.rules],
            }
            for covered in coverage.numbered
        ],
        "further": [_carried_json(carried) for carried in coverage.further],
    }


def _carried_json(carried: RuleCarried) -> dict[str, Any]:
    rule = carried.rule
    excused = {"excused": carried.excused} if carried.excused else {}
    row = {"number": carried.number, "book": carried.in_book, "source": carried.source}
    row = {name: text for name, text in row.items() if text}
    shown = {**row, "key": rule.key, "title": rule.title, "kind": rule.kind, "from": rule.origin}
    return {**shown, "cases": _counted(carried.cases), **excused}


def _counted(cases: CaseCount) -> dict[str, int]:
    return {"legal": cases.legal, "illegal": cases.illegal, "cannot_tell": cases.cannot_tell}
