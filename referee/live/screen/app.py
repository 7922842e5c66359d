"""The table's page on a terminal, by Textual: keys go in, lines come out, in the terminal's own colours."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from rich.segment import Segment
from rich.style import Style
from textual.app import App
from textual.strip import Strip
from textual.widget import Widget

from referee.live.screen.page import TablePage

if TYPE_CHECKING:
    from textual import events
    from textual.app import ComposeResult

    from referee.live.screen.styled import Line
    from referee.play.desk import Desk

GREEN, AMBER, RED = "color(64)", "color(166)", "color(196)"
"""Of the 256 colours that every terminal shows alike, those that can be read on a dark and on a light ground. The 16 that a
terminal gives colours of its own are as pale as yellow on white."""
_LOOKS = {
    "bold": Style(bold=True),
    "dim": Style(dim=True),
    "good": Style(color=GREEN, bold=True),
    "warn": Style(color=AMBER, bold=True),
    "bad": Style(color=RED, bold=True),
    "gone": Style(dim=True, strike=True),
    "now": Style(color=GREEN, bold=True, reverse=True),
    "bar": Style(reverse=True, bold=True),
    "mark": Style(reverse=True),
}
_COLOURLESS = {name: look.without_color for name, look in _LOOKS.items()}
_PLAIN = Style()
WATCHED = 1.0
"""Seconds between looks at the clock, and at what others write into the record."""


class Paper(Widget):
    """The page, line by line."""

    DEFAULT_CSS = "Paper { width: 100%; height: 100%; background: ansi_default; color: ansi_default; }"
    can_focus = True

    def __init__(self, page: TablePage, looks: dict[str, Style]) -> None:
        super().__init__()
        self._page = page
        self._looks = looks
        self._rows: list[Line] = []

    def draw(self) -> None:
        """Shows the page as it is now."""
        self._rows = self._page.rows(self.size.width, self.size.height)
        self.refresh()

    def on_resize(self) -> None:
        """A window that grew or shrank."""
        self.draw()

    def render_line(self, y: int) -> Strip:
        """One line."""
        row = self._rows[y] if y < len(self._rows) else ()
        return Strip(
            [Segment(text, self._looks.get(style, _PLAIN)) for text, style in row]
        ).adjust_cell_length(self.size.width)


class TableScreen(App[None]):
    """The desk of a live table on the whole screen."""

    ENABLE_COMMAND_PALETTE = False
    CSS = "Screen { background: ansi_default; color: ansi_default; }"

    def __init__(self, desk: Desk) -> None:
        super().__init__(ansi_color=True)
        self.page = TablePage(desk)
        self._paper = Paper(self.page, _COLOURLESS if os.environ.get("NO_COLOR") else _LOOKS)
        self._file = Path(desk.path)
        self._written = self._stamp()

    def compose(self) -> ComposeResult:
        """The one widget."""
        yield self._paper

    def on_mount(self) -> None:
        """Begins to look at the clock."""
        self.set_interval(WATCHED, self._look)

    def on_key(self, event: events.Key) -> None:
        """Each key is the page's."""
        event.stop()
        event.prevent_default()
        letter = event.character if event.is_printable and event.character else ""
        self.page.press(event.key, letter)
        if self.page.done:
            self.exit()
            return
        self._written = self._stamp()
        self._paper.draw()

    def on_paste(self, event: events.Paste) -> None:
        """What is pasted goes into the line that is typed."""
        self.page.put(event.text)
        self._paper.draw()

    def _stamp(self) -> tuple[int, int]:
        try:
            found = self._file.stat()
        except OSError:
            return 0, 0
        return found.st_mtime_ns, found.st_size

    def _look(self) -> None:
        """Shows the clock, and what others have written into the record."""
        stamp = self._stamp()
        if stamp != self._written:
            self._written = stamp
            self.page.look_again()
        elif not self.page.desk.clock_told:
            return
        self._paper.draw()
