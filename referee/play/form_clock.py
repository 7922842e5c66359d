"""The clock for energy forms at a table: so many minutes for each, counted from when it is begun."""

from __future__ import annotations

import time

from referee.core.errors import BadInput


class FormClock:
    """A clock for the forms of a turn."""

    def __init__(self) -> None:
        self._turn = 0
        self._ends = 0.0

    def start(self, turn: int, minutes: float = 5) -> None:
        """Begins, for the forms of a turn."""
        self._turn, self._ends = turn, time.monotonic() + 60 * minutes

    def set(self, minutes: str, turn: int, awaited: bool) -> str:
        """Begins with so many minutes for the forms of a turn, five where no number is said, or stops for nought; says
        which, and how it works where no forms are `awaited`. Raises BadInput for what is no number."""
        if minutes.casefold() in ("0", "off"):
            self._turn = 0
            return "the clock is stopped"
        if minutes and not (minutes.isascii() and minutes.isdecimal()):
            raise BadInput(f"clock {minutes}", hint="whole minutes, as clock 5; clock 0 stops it")
        if not awaited:
            gives = f"once one is, `clock {minutes or 5}` gives {minutes or 5} minutes"
            return f"no form is awaited now, and the clock is for energy forms: {gives}"
        self.start(turn, int(minutes or 5))
        return f"the clock runs: {self.reading(turn)}"

    def left(self, turn: int) -> int | None:
        """Seconds that are left; below nought once time is up, None where no clock runs in the turn."""
        return round(self._ends - time.monotonic()) if self._turn == turn else None

    def reading(self, turn: int) -> str:
        """That in words: `4:59 for forms`; empty where no clock runs."""
        left = self.left(turn)
        if left is None:
            return ""
        return "time for forms is up" if left <= 0 else f"{left // 60}:{left % 60:02} for forms"
