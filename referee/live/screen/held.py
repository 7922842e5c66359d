"""What whatever is open over the table asks of the page it lies on."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Protocol

from referee.live.screen.styled import Line
from referee.play.acting import Answer
from referee.play.desk import Desk


class TableHeld(Protocol):
    """The page of a table, as what lies on it sees it."""

    desk: Desk

    def ask(self, label: str, done: Callable[[str], None], text: str = "", hint: str = "") -> None:
        """Asks for a line."""

    def add(self, texts: Iterable[str], style: str = "") -> None:
        """Lines that happened."""

    def order(self, text: str = "") -> None:
        """Asks for an order."""

    def tell(self, text: str, style: str = "") -> None:
        """A word to whoever sits at the keyboard."""

    def did(self, answer: Answer) -> None:
        """Shows what came of an act."""

    def say(self, text: str) -> None:
        """Says an order."""

    def close(self) -> None:
        """Closes what is open."""

    def read(self, title: str, lines: Callable[[int], list[Line]]) -> None:
        """Opens a text to be read."""

    def fire(self, ship: str) -> None:
        """Opens the declarations of a ship."""

    def undo(self, to: int | None = None) -> None:
        """Shows what an undo takes back: the last act, or all after entry `to`."""

    def leave(self) -> None:
        """Leaves what was refused: nothing is entered."""

    def happened(self) -> None:
        """Opens all that happened."""

    def help(self) -> None:
        """Opens the keys."""

    def quit(self) -> None:
        """Leaves the screen."""

    def seal(self, ship: str = "") -> None:
        """Puts the shield over the screen."""

    def ships(self) -> None:
        """Opens all ships."""
