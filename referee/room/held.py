"""What waits for a ruling, each thing under a number of its own: whoever may rule says the number, and lets no other
thing stand than the one he read."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from referee.core.errors import BadInput
from referee.core.frozen import frozen

if TYPE_CHECKING:
    from referee.play.acting import Answer

MOST = 20
"""Things that wait at one time; of more the oldest are let go."""


@frozen
class Hold:
    """One order that waits for the umpire: its subject (`about`), a sentence on it, and the way to let it stand with
    the words of a ruling."""

    number: int
    about: str
    sentence: str
    stand: Callable[[str], Answer]

    @property
    def line(self) -> str:
        """What waits, in a line."""
        return f"held {self.number}: {self.sentence}"


class Holds:
    """What waits for the word of the `umpire` in the room, or of all players where nobody is umpire."""

    def __init__(self, umpire: str = "") -> None:
        self.umpire = umpire
        self._holds: dict[str, Hold] = {}
        self._allowed: dict[int, set[str]] = {}
        self._number = 0

    def hold(self, about: str, sentence: str, stand: Callable[[str], Answer]) -> str:
        """Something waits, in place of what was about the same; gives the line that says so, and an empty one where
        the very same waits already."""
        if (old := self._holds.get(about)) is not None and old.sentence == sentence:
            return ""
        self.drop(about)
        self._number += 1
        self._holds[about] = Hold(self._number, about, sentence, stand)
        while len(self._holds) > MOST:
            self.drop(next(iter(self._holds)))
        who = f"{self.umpire} may say" if self.umpire else "all players may say"
        return f"held {self._number}: {sentence}; {who} !allow {self._number}"

    def drop(self, about: str) -> None:
        """What was about something waits no longer."""
        if (old := self._holds.pop(about, None)) is not None:
            self._allowed.pop(old.number, None)

    @property
    def lines(self) -> tuple[str, ...]:
        """What waits."""
        return tuple(hold.line for hold in self._holds.values())

    @property
    def about(self) -> tuple[str, ...]:
        """What the things that wait are about."""
        return tuple(self._holds)

    def of(self, about: str) -> Hold:
        """What waits about something."""
        return self._holds[about]

    def meant(self, number: str) -> Hold:
        """What waits under a number. Raises BadInput where nothing does."""
        found = next((hold for hold in self._holds.values() if str(hold.number) == number.lstrip("#")), None)
        if found is None:
            waits = ", ".join(f"{hold.number} ({hold.about})" for hold in self._holds.values())
            raise BadInput("nothing is held under that number", hint=f"held: {waits}" if waits else "")
        return found

    def missing(self, hold: Hold, player: str, players: Iterable[str]) -> tuple[str, ...]:
        """The players who have still to say that something stands, after this one did."""
        agreed = self._allowed.setdefault(hold.number, set())
        agreed.add(player)
        return tuple(name for name in players if name not in agreed)
