"""What play says, kept for whoever asks what came of an act."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from referee.core.entry_words import entry_line, order_lines
from referee.play.telling import Silent

if TYPE_CHECKING:
    from referee.core.finding import Finding
    from referee.core.game import EntryLike


class Heard(Silent):
    """What play says, kept for an answer."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.found: list[Finding] = []

    def line(self, text: str) -> None:
        """A line of what was done."""
        self.lines.append(text)

    def aside(self, text: str) -> None:
        """A line beside it."""
        self.lines.append(text)

    def findings(self, findings: Sequence[Finding], *, refused: bool) -> None:
        """What was found."""
        self.found += findings

    def orders(self, new: Sequence[tuple[str, Mapping[str, Any]]]) -> None:
        """Orders and steps, a line each."""
        self.lines += [line.strip() for line in order_lines(new)]

    def entries(self, entries: Iterable[EntryLike]) -> None:
        """Entries, a line each."""
        self.lines += [entry_line(entry) for entry in entries]
