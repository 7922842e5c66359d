"""Games whose ships have no SSD: their rulebook keeps the table itself, the record keeps everything else.

The fold hands the entries of `OWN` to the rulebook's own fold, and holds dice, seals, rights of agreement,
rulings and fouls as in any game. What is done in such a game is an order with an `act`; what it does are
the events that name the same act.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

from referee.core.finding import Finding

OWN = frozenset(("ship", "form", "order", "events", "step"))
"""Entries that a rulebook with a table of its own takes itself."""


class OwnTable(Protocol):
    """A game on a rulebook's own table, at a moment; a value, never changed."""

    @property
    def turn(self) -> int: ...
    @property
    def step(self) -> str: ...
    @property
    def digest(self) -> str:
        """A hash that two replays share and different tables do not."""
        ...

    def document(self, side: str = "") -> dict[str, Any]:
        """All of it for the umpire, or what one side knows; a document that names its schema."""
        ...

    def awaited(self) -> Iterable[tuple[str, str]]:
        """Player, and what is due from him."""
        ...


class OwnFold(Protocol):
    """How a rulebook folds its own entries, and works out what an act does."""

    @property
    def orders_schema(self) -> str:
        """The schema that acts fit, as a file of them names it."""
        ...

    def begun(self) -> Any:
        """The table before the first ship."""
        ...

    def unfit(self, table: Any) -> Sequence[Finding]:
        """What the rules say against the ships as they are entered, before play begins."""
        ...

    def take(self, table: Any, entry: Any, umpire: str) -> Any:
        """The table after an entry. Raises BadInput for what is malformed, IntegrityFailure for what its
        author has no right to."""
        ...

    def passed_over(self, table: Any, entry: Any) -> Any:
        """The table after events that are taken back: their act has done nothing, and waits for nothing."""
        ...

    def resolve(self, table: Any, act: int, dice: Any, found: list[Finding]) -> dict[str, Any]:
        """What an act does by these dice, as the data of an `events` entry; what is found is added to `found`."""
        ...

    def acts_of(
        self, table: Any, document: Mapping[str, Any], file: str
    ) -> Sequence[tuple[str, dict[str, Any]]]:
        """The acts a file declares that are not done yet, each with the player whose it is."""
        ...

    def acts_said(self, table: Any, lines: Sequence[str]) -> Sequence[tuple[str, dict[str, Any]]]:
        """The acts that are typed at the prompt, each with the player whose it is."""
        ...

    def help_lines(self) -> Sequence[str]:
        """What is understood at the prompt, in lines."""
        ...

    def first_of(self, table: Any, acts: Sequence[Mapping[str, Any]]) -> int:
        """Which of some acts still to be done is done next."""
        ...

    def passes_before(self, table: Any, act: Mapping[str, Any]) -> Sequence[tuple[str, dict[str, Any]]]:
        """The acts by which those whom a file leaves out leave a round out, before another act."""
        ...

    def next_act(self, table: Any) -> dict[str, Any]:
        """The act that moves the game on in its sequence."""
        ...
