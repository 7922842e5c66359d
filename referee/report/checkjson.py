"""A check report as JSON, by `schemas/check-report.schema.json`."""

from __future__ import annotations

import json
from typing import Any

from referee.core.finding import (
    FileJudged,
    Finding,
    LogEvent,
    Report,
    Severity,
    ShipTurn,
    TurnLedger,
    rule_number,
)

SCHEMA = "referee/check-report/1"
_FINDING = (
    """key severity message subject turn impulse location line expected found fix data_status house_rule"""
)


def finding_json(finding: Finding) -> dict[str, Any]:
    """One finding; parts that do not apply are left out."""
    parts = {"rule": finding.rule, **_parts(finding, _FINDING), "location": finding.location.to_json()}
    return {name: value for name, value in parts.items() if value not in (None, "", {})}


def _parts(whole: object, names: str) -> dict[str, Any]:
    """What is known of some parts, each under its own name."""
    parts = {name: getattr(whole, name) for name in names.split()}
    return {name: value for name, value in parts.items() if value is not None}


def report_json(report: Report) -> dict[str, Any]:
    """The whole report."""
    return {
        "schema": SCHEMA,
        "verdict": report.verdict.value,
        "rulebook": report.rulebook,
        "findings": [finding_json(finding) for finding in report.findings],
        "checked": list(dict.fromkeys(rule_number(key) for key in report.checked)),
        "not_checked": [
            {"rule": rule_number(item.key), "key": item.key, "reason": item.reason}
            | ({"subject": item.subject} if item.subject else {})
            for item in report.not_checked
        ],
        "inputs": [{"file": item.file, "sha256": item.sha256} for item in report.inputs],
        "files": [_file(file) for file in report.files],
        **({"passed_by": list(report.passed_by)} if report.passed_by else {}),
        **({"folders_not_looked_into": list(report.folders)} if report.folders else {}),
        "ships": [dict(ship) for ship in report.ships],
        "options": dict(report.options),
        "ledgers": [_ledger(ledger) for ledger in report.ledgers],
        "turns": [_turn(turn) for turn in report.turns],
        "events": [_event(event) for event in report.events],
    }


def _file(file: FileJudged) -> dict[str, Any]:
    """What a file came to."""
    if (report := file.report) is None:
        return {"file": file.file, "verdict": "unreadable", "error": file.error}
    return {
        "file": file.file,
        "ships": list(report.named_ships),
        "verdict": report.verdict.value,
        "errors": report.counts[Severity.ERROR],
        "undecided": report.counts[Severity.UNDECIDED],
        "warnings": report.counts[Severity.WARNING],
    }


def _event(event: LogEvent) -> dict[str, Any]:
    """Something that happened in a log; when is left out where it is not known."""
    return _parts(event, "file step turn impulse kind who what")


def _turn(turn: ShipTurn) -> dict[str, Any]:
    """A ship's turn of a log; what is not known is left out."""
    return _parts(turn, "file ship turn speed hexes turned energy_spent energy_available") | {
        "fired": [_weapon(*weapon) for weapon in turn.fired],
        "launched": [_weapon(*weapon) for weapon in turn.launched],
        "shields_lost": {str(number): count for number, count in turn.shields_lost.items()},
        "boxes_lost": dict(turn.boxes_lost),
        "findings": turn.findings,
    }


def _weapon(weapon: str, impulse: int | None) -> dict[str, Any]:
    return {"weapon": weapon} | ({"impulse": impulse} if impulse is not None else {})


def _ledger(ledger: TurnLedger) -> dict[str, Any]:
    return {
        **_parts(ledger, "file ship turn"),
        "available": dict(ledger.available),
        "lines": [
            {"line": line.line, "amount": line.amount, "from": dict(line.sources)}
            | {name: text for name, text in (("name", line.name), ("cell", line.cell)) if text}
            for line in ledger.lines
        ],
        "left": dict(ledger.left),
        "carried": dict(ledger.carried),
    }


def as_json(report: Report) -> str:
    """The report as one JSON document."""
    return json.dumps(report_json(report), indent=2, ensure_ascii=True) + "\n"


def as_json_lines(report: Report) -> str:
    """One finding a line."""
    return "".join(json.dumps(finding_json(f), ensure_ascii=True) + "\n" for f in report.findings)
