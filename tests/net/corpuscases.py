"""The published cases, asked by the protocol that any program is asked by (docs/corpus.md), and held more strictly than others
are: a finding that is not expected speaks against a case too."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from referee.corpus.adapter import answers

CORPUS = Path(__file__).parents[2] / "corpus"
AGAINST = ("error", "undecided")
FOUND_TWICE = {"trek/trek-6/9"}
"""Cases of which one finding of two is named."""
Case = dict[str, Any]


@cache
def contents() -> Any:
    """The list of the files."""
    return json.loads((CORPUS / "corpus.json").read_bytes())


def cases(file: str) -> list[Case]:
    """The cases of a file."""
    document = json.loads((CORPUS / file).read_bytes())
    of = {name: document[name] for name in ("rulebook", "rule")}
    return [{**of, **case} for case in document["cases"]]


def answer(case: Case) -> Any:
    """What the program answers to a case."""
    parts = {
        name: case[name] for name in ("id", "rulebook", "rule", "options", "input", "claim") if name in case
    }
    (told,) = answers([json.dumps({"type": "run", **parts})])
    return json.loads(json.dumps(told, default=_plain))


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple | set | frozenset) else str(value)


def disagreement(case: Case, told: Any) -> str:
    """Why an answer is not what a case expects; empty where it is."""
    expected = case["expected"]
    if told.get("verdict") != expected["verdict"]:
        return f"the verdict is {expected['verdict']}, not {told.get('verdict', told)}"
    found, wanted = told.get("findings", []), expected.get("findings", [])
    for one in wanted:
        if not any(is_it(one, other) for other in found):
            return f"a finding is missing: {one}"
    if "claim" not in case and case["id"] not in FOUND_TWICE:
        keys = {case["rule"], *(one["key"] for one in wanted), *expected.get("also", ())}
        for other in found:
            more = (
                other["key"] == case["rule"] and bool(wanted) and not any(is_it(one, other) for one in wanted)
            )
            if (other["severity"] in AGAINST and more) or (
                other["severity"] == "error" and other["key"] not in keys
            ):
                return f"a finding too much: {other}"
    for name, value in expected.get("values", {}).items():
        if name not in told.get("values", {}) or not fits(value, told["values"][name]):
            return f"{name} is {value}, not {told.get('values', {}).get(name)}"
    return ""


def is_it(expected: Any, found: Any) -> bool:
    """Is this the finding that is expected? What an answer leaves out is empty."""
    return all(fits(value, found.get(name, "")) for name, value in expected.items())


def fits(expected: Any, got: Any) -> bool:
    """Is everything expected there? Of an object each name that is expected, of a list every entry in order."""
    if isinstance(expected, dict):
        return isinstance(got, dict) and all(
            name in got and fits(value, got[name]) for name, value in expected.items()
        )
    if isinstance(expected, list):
        return isinstance(got, list) and len(expected) == len(got) and all(map(fits, expected, got))
    return bool(expected == got) and isinstance(expected, bool) == isinstance(got, bool)
