"""The compliance statement of a program, as text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from referee.core.naming import how_many
from referee.core.safe import safe_line

KINDS = ("passed", "failed", "skipped", "errored")


def compliance_text(statement: dict[str, Any], most: int = 50) -> str:
    """The statement for a terminal: a line a chapter, then the cases that did not pass, `most` of each kind."""
    rows = [("", *KINDS), *_rows(statement)]
    widths = [max(len(row[n]) for row in rows) for n in range(len(rows[0]))]
    table = [
        "  ".join(
            [row[0].ljust(widths[0]), *(cell.rjust(w) for cell, w in zip(row[1:], widths[1:], strict=True))]
        )
        for row in rows
    ]
    return "\n".join([_title(statement), "", *table, "", *_open(statement, most), _verdict(statement)]) + "\n"


def _title(statement: dict[str, Any]) -> str:
    program = statement["program"]
    named = " ".join(filter(None, (program["name"] or "a program without a name", program["version"])))
    return safe_line(f"{named} on the cases {statement['corpus']}")


def _rows(statement: dict[str, Any]) -> Iterator[tuple[str, ...]]:
    for row in statement["chapters"]:
        yield (f"{row['rulebook']} {row['chapter']}", *(str(row[kind] or "-") for kind in KINDS))
    yield ("all", *(str(statement["counts"][kind] or "-") for kind in KINDS))


def _open(statement: dict[str, Any], most: int) -> Iterator[str]:
    for kind in ("failed", "errored"):
        mine = [each for each in statement["open"] if each["outcome"] == kind]
        for each in mine[:most]:
            yield safe_line(f"{kind}  {each['id']}  {each['says']}: {each['why']}")
        if len(mine) > most:
            yield f"{kind}  and {len(mine) - most} more"
        if mine:
            yield ""
    skipped = Counter(each["why"] for each in statement["open"] if each["outcome"] == "skipped")
    for why, count in sorted(skipped.items()):
        yield safe_line(f"skipped  {how_many(count, 'case')}: {why}")
    if skipped:
        yield ""


def _verdict(statement: dict[str, Any]) -> str:
    counts = statement["counts"]
    if statement["complies"]:
        return f"It complies with all {how_many(counts['passed'], 'case')} that it answers."
    if not counts["passed"]:
        return "It does not comply: no case passed."
    return f"It does not comply: {how_many(counts['failed'] + counts['errored'], 'case')} did not pass."
