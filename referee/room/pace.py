"""How often something may happen in a room, so that no flood of it stops the game."""

from __future__ import annotations


class Pace:
    """Lets `burst` pass at once and `each` a second after that."""

    def __init__(self, burst: int, each: float) -> None:
        self._burst, self._each = float(burst), each
        self._left, self._at = float(burst), 0.0
        self.held = 0

    def lets(self, now: float) -> bool:
        """May it happen now? What may not is counted in `held`."""
        self._left = min(self._burst, self._left + (now - self._at) * self._each)
        self._at = now
        if self._left < 1:
            self.held += 1
            return False
        self._left -= 1
        return True

    def forget(self) -> int:
        """How many were held since this was asked last."""
        held, self.held = self.held, 0
        return held
