"""`referee rulebook show --coverage`: which of the book's numbered rules are judged, and which not and why."""

from __future__ import annotations

from typing import Any

import typer


def show_coverage(book: Any, json: bool) -> None:
    """Prints what a rulebook judges of its book."""
    import sys
    from json import dumps

    from referee.cli.output import write_output
    from referee.report.coveragetext import coverage_text
    from referee.report.paint import paint_for

    document = coverage_json(book)
    if json:
        typer.echo(dumps(document, indent=2, ensure_ascii=False))
    else:
        write_output(coverage_text(document, paint=paint_for(sys.stdout, "auto")), "")


def coverage_json(book: Any) -> dict[str, Any]:
    """What a rulebook judges of its book, by `schemas/rule-coverage.schema.json`."""
    from referee.rulebooks.coverage import coverage_of

    coverage = coverage_of(book)
    return {
        "schema": "referee/rule-coverage/1",
        "rulebook": book.id,
        "title": book.title,
        "cases": _counted(coverage.cases),
        "rules": [
            {
                "number": covered.number,
                "book": covered.book,
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


def _carried_json(carried: Any) -> dict[str, Any]:
    rule = carried.rule
    excused = {"excused": carried.excused} if carried.excused else {}
    row = {name: text for name in ("number", "book", "source") if (text := getattr(carried, name))}
    shown = {**row, "key": rule.key, "title": rule.title, "kind": rule.kind, "from": rule.origin}
    return {**shown, "cases": _counted(carried.cases), **excused}


def _counted(cases: Any) -> dict[str, int]:
    return {"legal": cases.legal, "illegal": cases.illegal, "cannot_tell": cases.cannot_tell}
