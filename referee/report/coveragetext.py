"""What a rulebook judges of its book, from a document of `schemas/rule-coverage.schema.json`."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping
from itertools import groupby
from typing import Any

from referee.core.safe import safe_line
from referee.report.paint import Paint, window

Document = Mapping[str, Any]
_WIDTH = 110
_INDENT = 7


def coverage_text(document: Document, *, paint: Paint) -> str:
    """Plain text: a line a number, the rules that carry it, and what is not judged and why."""
    lines = [paint(safe_line(f"{document['rulebook']}: {document['title']}"), "bold"), *_summary(document)]
    for part, entries in groupby(document["rules"], key=lambda entry: entry["part"]):
        lines += ["", paint(part, "bold")]
        for entry in entries:
            judged = entry["status"] + (f"; {_cases(entry['cases'])}" if entry["rules"] else "")
            lines.append(f"  {entry['number']:>3}  {entry['title']}  [{entry['book']}]  {judged}")
            lines += _notes(entry)
    if document["further"]:
        lines += ["", paint("Rules of this program beyond the list", "bold")]
        for rule in document["further"]:
            printed = f"  [{rule['book']}]" if "book" in rule else ""
            judged = f"{_kind(rule)}; {_cases(rule['cases'])}"
            lines.append(f"  {rule.get('number', ''):>3}  {rule['title']}{printed}  {judged}")
            lines += [*_wrapped(f"by {rule['key']}"), *_excuse(rule)]
    return "\n".join([*lines, ""])


def _notes(entry: Mapping[str, Any]) -> Iterator[str]:
    if entry["rules"]:
        yield from _wrapped("by " + ", ".join(rule["key"] for rule in entry["rules"]))
    if why := entry.get("why"):
        yield from _wrapped(f"why not: {why}")
    if kept := entry.get("kept"):
        yield from _wrapped(f"where: {kept}")
    if left := entry.get("left"):
        yield from _wrapped(f"not judged of it: {left}")
    for rule in entry["rules"]:
        yield from _excuse(rule)


def _excuse(rule: Mapping[str, Any]) -> Iterator[str]:
    if excused := rule.get("excused"):
        yield from _wrapped(f"{rule['key']} has no illegal case: {excused}")


def _wrapped(text: str) -> list[str]:
    indent = " " * _INDENT
    return textwrap.wrap(
        safe_line(text, 400), min(_WIDTH, window()), initial_indent=indent, subsequent_indent=indent + "  ",
        break_long_words=False, break_on_hyphens=False,
    )  # fmt: skip


def coverage_markdown(document: Document, command: str) -> str:
    """The same as a page: one table a part of the book, and `command`, which writes it anew."""
    lines = [
        f"# What is judged: {document['title']}",
        "",
        f"Written by `{command}` from the rules and their cases; `referee rulebook show {document['rulebook']} "
        "--coverage` prints the same.",
        "",
        _judged(document),
    ]
    for part, entries in groupby(document["rules"], key=lambda entry: entry["part"]):
        lines += [
            "",
            f"## {part}",
            "",
            "| # | rule | book | judged | by | cases |",
            "|---|---|---|---|---|---|",
        ]
        for entry in entries:
            by = ", ".join(f"`{rule['key']}`" for rule in entry["rules"])
            notes = [entry.get("why", ""), entry.get("kept", ""), *_exceptions(entry)]
            judged = ": ".join(part for part in (entry["status"], "; ".join(filter(None, notes))) if part)
            cases = _numbers(entry["cases"]) if entry["rules"] else ""
            lines.append(
                f"| {entry['number']} | {entry['title']} | {entry['book']} | {judged} | {by} | {cases} |"
            )
    if document["further"]:
        head = "| # | rule | book | judged | by | cases |"
        lines += ["", "## Rules of this program beyond the list", "", head, "|---|---|---|---|---|---|"]
        for rule in document["further"]:
            cases = _numbers(rule["cases"])
            judged = ": ".join(filter(None, (_kind(rule), *_exceptions({"rules": [rule]}))))
            place = f"| {rule.get('number', '')} | {rule['title']} | {rule.get('book', '')} |"
            lines.append(f"{place} {judged} | `{rule['key']}` | {cases} |")
    return "\n".join([*lines, ""])


def _exceptions(entry: Mapping[str, Any]) -> Iterator[str]:
    if left := entry.get("left"):
        yield f"but {left}"
    for rule in entry["rules"]:
        if excused := rule.get("excused"):
            yield f"`{rule['key']}` has no illegal case, for {excused}"


def _summary(document: Document) -> Iterator[str]:
    yield _judged(document)
    yield f"cases: {_cases(document['cases'])}"


def _judged(document: Document) -> str:
    counts: dict[str, int] = {}
    for entry in document["rules"]:
        counts[entry["status"]] = counts.get(entry["status"], 0) + 1
    return f"{len(document['rules'])} numbered rules: " + ", ".join(
        f"{count} {status}" for status, count in sorted(counts.items())
    )


def _cases(cases: Mapping[str, int]) -> str:
    unsure = f", {cases['cannot_tell']} undecided" if cases["cannot_tell"] else ""
    return f"{cases['legal']} legal, {cases['illegal']} illegal{unsure}"


def _numbers(cases: Mapping[str, int]) -> str:
    unsure = f" + {cases['cannot_tell']}" if cases["cannot_tell"] else ""
    return f"{cases['legal']} / {cases['illegal']}{unsure}"


def _kind(rule: Mapping[str, Any]) -> str:
    return {"check": "checked", "resolve": "resolved"}[rule["kind"]]
