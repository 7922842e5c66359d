"""What play says, printed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from referee.core.finding import Finding
    from referee.core.game import EntryLike


class PrintingTeller:
    """Prints what play says: what was done on standard output, what keeps it from being done on standard error."""

    def line(self, text: str) -> None:
        """A line of what was done."""
        typer.echo(text)

    def aside(self, text: str) -> None:
        """A line beside it."""
        typer.echo(text, err=True)

    def findings(self, findings: Sequence[Finding], *, refused: bool) -> None:
        """What was found, as `check` says it."""
        from referee.report.checktext import findings_text
        from referee.report.paint import Paint
        from referee.rulebooks.registry import load_rulebook, rulebook_ids

        # The player knows which forms are due: one line says it.
        brief = {load_rulebook(id).named.forms_due for id in rulebook_ids()}
        typer.echo(findings_text(findings, Paint(False), brief), err=refused)

    def orders(self, new: Sequence[tuple[str, Mapping[str, Any]]]) -> None:
        """Orders and steps, a line each."""
        from referee.core.entry_words import order_lines

        for line in order_lines(new):
            typer.echo(line)

    def entries(self, entries: Iterable[EntryLike]) -> None:
        """Entries, a line each."""
        from referee.core.entry_words import entry_line

        for entry in entries:
            typer.echo(entry_line(entry))

    def events(self, rows: Sequence[Mapping[str, Any]]) -> None:
        """What happened, a line each."""
        from referee.report.trektext import log_lines

        for line in log_lines(rows):
            typer.echo(line)

    def status(self, path: str, side: str) -> None:
        """How a game stands, whole."""
        from referee.cli.game_status import status_of

        typer.echo(status_of(path, side, "full"), nl=False)
