"""A check report as SARIF 2.1.0, which code-hosting sites and editors show beside the file.

An error, warning or note keeps its level. An undecided finding is of kind `review`: a person has to
look; SARIF gives it no level, so it fails no build. A rule that could not be judged is no result: the
run's `toolExecutionNotifications` name it and the fact that was missing. `rules` lists every rule judged,
found against or not.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

from referee import __version__
from referee.core.finding import Finding, NotChecked, Report, Severity, rule_number
from referee.core.location import Location
from referee.core.safe import safe_line

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_LEVEL = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "note"}


def render(report: Report) -> str:
    """The report as one SARIF log."""
    return json.dumps(_log(report), indent=2, ensure_ascii=False) + "\n"


def _log(report: Report) -> dict[str, Any]:
    keys = [*report.checked, *(f.key for f in report.findings), *(item.key for item in report.not_checked)]
    rules = {key: n for n, key in enumerate(dict.fromkeys(keys))}
    files = _files(report)
    results = [_result(finding, rules, files) for finding in report.findings]
    driver = {
        "name": "referee",
        "version": __version__,
        "semanticVersion": __version__,
        "rules": [_rule(key) for key in rules],
    }
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "invocations": [_invocation(report, rules)],
        "artifacts": list(_artifacts(report, files)),
        "results": results,
        "properties": {
            "verdict": report.verdict.value,
            "rulebook": safe_line(report.rulebook),
            "checked": list(report.checked),
            "ships": [{name: safe_line(value) for name, value in ship.items()} for ship in report.ships],
            "options": {name: safe_line(value) for name, value in report.options.items()},
        },
    }
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def _files(report: Report) -> dict[str, int]:
    named = [item.file for item in report.inputs]
    named += [finding.location.file for finding in report.findings if finding.location.file]
    return {file: n for n, file in enumerate(dict.fromkeys(named))}


def _artifacts(report: Report, files: dict[str, int]) -> Iterator[dict[str, Any]]:
    hashes = {item.file: item.sha256 for item in report.inputs}
    for file in files:
        artifact: dict[str, Any] = {"location": {"uri": _uri(file)}}
        if file in hashes:
            artifact["hashes"] = {"sha-256": hashes[file]}
        yield artifact


def _rule(key: str) -> dict[str, Any]:
    return {
        "id": key,
        "shortDescription": {"text": f"Rule {rule_number(key)}"},
        "help": {"text": f"referee explain {key}"},
    }


def _result(finding: Finding, rules: dict[str, int], files: dict[str, int]) -> dict[str, Any]:
    undecided = finding.severity is Severity.UNDECIDED
    result: dict[str, Any] = {
        "ruleId": finding.key,
        "ruleIndex": rules[finding.key],
        "kind": "review" if undecided else "fail",
        "level": "none" if undecided else _LEVEL[finding.severity],
        "message": {"text": _message(finding)},
    }
    if location := _location(finding.location, files):
        result["locations"] = [location]
    properties = {
        "severity": finding.severity.value,
        "subject": safe_line(finding.subject),
        "turn": finding.turn,
        "impulse": finding.impulse,
        "expected": safe_line(finding.expected),
        "found": safe_line(finding.found),
        "fix": safe_line(finding.fix),
        "dataStatus": finding.data_status,
        "houseRule": safe_line(finding.house_rule),
    }
    result["properties"] = {name: value for name, value in properties.items() if value not in (None, "")}
    return result


def _invocation(report: Report, rules: dict[str, int]) -> dict[str, Any]:
    notifications = [_not_checked(item, rules) for item in report.not_checked]
    return {"executionSuccessful": True} | (
        {"toolExecutionNotifications": notifications} if notifications else {}
    )


def _not_checked(item: NotChecked, rules: dict[str, int]) -> dict[str, Any]:
    subject = f"{item.subject}: " if item.subject else ""
    return {
        "associatedRule": {"id": item.key, "index": rules[item.key]},
        "level": "note",
        "message": {"text": _literal(f"{subject}not checked: {item.reason}")},
    }


def _message(finding: Finding) -> str:
    subject = f"{finding.subject}: " if finding.subject else ""
    pairs = (("expected", finding.expected), ("found", finding.found))
    facts = ", ".join(f"{name} {value}" for name, value in pairs if value)
    text = f"{subject}{finding.dated}" + (f" ({facts})" if facts else "")
    return _literal(text) + (f". Fix: {_literal(finding.fix)}" if finding.fix else "")


def _literal(text: str) -> str:
    """Text in which SARIF sees neither a link (3.11.6) nor a placeholder (3.11.5)."""
    escaped = safe_line(text).replace("\\", "\\\\").replace("[", "\\[").replace("]", "\\]")
    return escaped.replace("{", "{{").replace("}", "}}")


def _location(place: Location, files: dict[str, int]) -> dict[str, Any]:
    location: dict[str, Any] = {}
    if place.file:
        physical: dict[str, Any] = {"artifactLocation": {"uri": _uri(place.file), "index": files[place.file]}}
        line = place.line or place.record_line
        if line:
            physical["region"] = {"startLine": line} | ({"startColumn": place.column} if place.column else {})
        location["physicalLocation"] = physical
    if logical := list(_logical(place)):
        location["logicalLocations"] = logical
    return location


def _logical(place: Location) -> Iterator[dict[str, str]]:
    """The place inside the file, outermost part first, each with the path down to it."""
    step = f"step {place.step}" if place.step is not None else None
    parts = (
        ("member", place.member),
        ("piece", place.piece),
        ("sheet", place.sheet),
        ("cell", place.cell),
        ("value", place.pointer),
        ("step", step),
    )
    path: list[str] = []
    for kind, name in parts:
        if name:
            path.append(safe_line(name))
            yield {"name": path[-1], "fullyQualifiedName": ":".join(path), "kind": kind}


def _uri(file: str) -> str:
    """A file's name as a URI reference, as it was given; an absolute one as a file URI."""
    name = quote(file.replace("\\", "/").encode("utf-8", "surrogatepass"), safe="/~")
    return f"file://{name}" if name.startswith("/") else name
