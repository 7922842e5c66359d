"""What play says while it works, to whoever listens: the command line prints it, a script hears nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from referee.core.finding import Finding
    from referee.core.game import EntryLike


class Teller(Protocol):
    """Who listens to play."""

    def line(self, text: str) -> None:
        """What was done."""
        ...

    def aside(self, text: str) -> None:
        """What is said beside it: why something was not recorded, what was overwritten."""
        ...

    def findings(self, findings: Sequence[Finding], *, refused: bool) -> None:
        """What was found; `refused` where it keeps what was said out of the record."""
        ...

    def orders(self, new: Sequence[tuple[str, Mapping[str, Any]]]) -> None:
        """Orders and steps that were recorded."""
        ...

    def entries(self, entries: Iterable[EntryLike]) -> None:
        """Entries that were recorded."""
        ...

    def events(self, rows: Sequence[Mapping[str, Any]]) -> None:
        """What happened on a rulebook's own table."""
        ...

    def status(self, path: str, side: str) -> None:
        """How a game stands, as one side knows it, asked for in the middle of orders."""
        ...


class Silent:
    """Nobody listens."""

    def line(self, text: str) -> None: ...
    def aside(self, text: str) -> None: ...
    def findings(self, findings: Sequence[Finding], *, refused: bool) -> None: ...
    def orders(self, new: Sequence[tuple[str, Mapping[str, Any]]]) -> None: ...
    def entries(self, entries: Iterable[EntryLike]) -> None: ...
    def events(self, rows: Sequence[Mapping[str, Any]]) -> None: ...
    def status(self, path: str, side: str) -> None: ...


_NOBODY = Silent()
_LISTENS: ContextVar[Teller] = ContextVar("teller")


def telling() -> Teller:
    """Who listens now."""
    return _LISTENS.get(_NOBODY)


def tell(teller: Teller) -> None:
    """Lets somebody listen, for as long as the context lasts."""
    _LISTENS.set(teller)


@contextmanager
def told_to(teller: Teller) -> Iterator[None]:
    """Lets somebody else listen meanwhile."""
    before = _LISTENS.set(teller)
    try:
        yield
    finally:
        _LISTENS.reset(before)


def head_said(head: str) -> str:
    """The head code, for pasting into chat."""
    return f"head {head}  (paste it into chat)"
