"""Does an answer agree with what a case expects? The one comparison, for every program alike."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any


def fits(expected: Any, got: Any) -> bool:
    """Is everything expected there? Of an object each name that is expected, of a list every entry in order."""
    if isinstance(expected, Mapping):
        return isinstance(got, Mapping) and all(
            name in got and fits(value, got[name]) for name, value in expected.items()
        )
    if isinstance(expected, list):
        return (
            isinstance(got, list)
            and len(expected) == len(got)
            and all(fits(wanted, other) for wanted, other in zip(expected, got, strict=True))
        )
    return bool(expected == got) and isinstance(expected, bool) == isinstance(got, bool)


def disagreement(expected: Mapping[str, Any], answer: Mapping[str, Any]) -> str:
    """Why an answer does not agree with what is expected; empty where it does."""
    verdict = answer.get("verdict")
    if verdict != expected["verdict"]:
        return f"the verdict is {expected['verdict']}, not {verdict}"
    findings, values = answer.get("findings"), answer.get("values")
    findings = findings if isinstance(findings, list) else []
    for wanted in expected.get("findings", []):
        mine = [
            found for found in findings if isinstance(found, Mapping) and found.get("key") == wanted["key"]
        ]
        differ = [_differing(wanted, found) for found in mine]
        if len(differ) == 1 and differ[0]:
            name = differ[0]
            return f"of the finding {wanted['key']} {name} is {_plain(wanted[name])}, not {_plain(mine[0][name])}"
        if all(differ):
            return f"a finding is missing: {_shown(wanted)}"
    values = values if isinstance(values, Mapping) else {}
    for name, value in expected.get("values", {}).items():
        if name not in values or not fits(value, values[name]):
            return f"{name} is {_shown(value)}, not {_shown(values.get(name))}"
    return ""


def _differing(wanted: Mapping[str, Any], found: Mapping[str, Any]) -> str:
    """What is otherwise in a finding than it should be; what it leaves out is not held against it."""
    return next(
        (
            name
            for name, value in wanted.items()
            if found.get(name) is not None and not fits(value, found[name])
        ),
        "",
    )


def _plain(value: Any) -> str:
    """As it stands in JSON: a number and the same as text are two things."""
    return json.dumps(value, ensure_ascii=False)


def _shown(value: Any) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {_shown(each)}" for name, each in value.items())
    if isinstance(value, list):
        return f"[{'; '.join(map(_shown, value))}]"
    return "nothing" if value is None else str(value)
