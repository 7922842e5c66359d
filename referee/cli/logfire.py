"""Orders in the chat of a log: fire declared in it, judged by the rules of fire."""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.core.finding import NotChecked, Report

if TYPE_CHECKING:
    from referee.cli.logs import Judged
    from referee.formats.vassal.game import Save
    from referee.formats.vassal.logged import Logged


def judge_chat(save: Save, logged: Logged, judged: list[Judged]) -> Report:
    """The report on the orders in chat."""
    return Report(not_checked=(NotChecked("E1.0", "fire declared in chat is not judged yet"),))
