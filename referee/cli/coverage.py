"""`referee rulebook show --coverage`: which of the book's numbered rules are judged, and which not and why."""

from __future__ import annotations

import sys
from typing import Any

import typer

from referee.cli.output import json_text, write_told
from referee.report.coveragetext import coverage_text
from referee.report.paint import paint_for
from referee.rulebooks.coverage import coverage_json


def show_coverage(rulebook: Any, json: bool) -> None:
    """Prints what a rulebook judges of its book."""
    document = coverage_json(rulebook)
    if json:
        typer.echo(json_text(document), nl=False)
    else:
        write_told(coverage_text(document, paint=paint_for(sys.stdout, "auto")))
