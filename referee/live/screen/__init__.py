"""The screen of `referee table`, on the whole terminal. Textual is loaded when it runs, and by nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from referee.play.desk import Desk


def run(desk: Desk) -> None:
    """Shows the desk until it is left."""
    from referee.live.screen.app import TableScreen

    TableScreen(desk).run(mouse=False)
