"""The screen of `referee table`, on the whole terminal. Textual is loaded when it runs, and by nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.live.screen.app import TableScreen

if TYPE_CHECKING:
    from referee.play.desk import Desk


def run(desk: Desk) -> tuple[int, str]:
    """Shows the desk until it is left; 0, or another number where the screen broke down, and what is lost."""
    screen = TableScreen(desk)
    screen.run(mouse=False)
    return screen.return_code or 0, screen.page.lost
