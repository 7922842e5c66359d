"""Does an answer agree with what a case expects? The one comparison, for every program alike."""

from __future__ import annotations

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
            and all(fits(one, other) for one, other in zip(expected, got, strict=True))
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
        if not any(isinstance(found, Mapping) and _is_that(wanted, found) for found in findings):
            return f"a finding is missing: {_shown(wanted)}"
    values = values if isinstance(values, Mapping) else {}
    for name, value in expected.get("values", {}).items():
        if name not in values or not fits(value, values[name]):
            return f"{name} is {_shown(value)}, not {_shown(values.get(name))}"
    return ""


def _is_that(wanted: Mapping[str, Any], found: Mapping[str, Any]) -> bool:
    """Is this the finding? Its key must be there; what else it leaves out is not held against it."""
    if found.get("key") != wanted["key"]:
        return False
    return all(found[name] == value for name, value in wanted.items() if found.get(name) is not None)


def _shown(value: Any) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {_shown(each)}" for name, each in value.items())
    if isinstance(value, list):
        return f"[{'; '.join(map(_shown, value))}]"
    return "nothing" if value is None else str(value)
