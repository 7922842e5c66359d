"""What a rulebook offers besides rules, with types: the adjudicator asks for it, a rulebook's functions are it."""

from __future__ import annotations

from typing import Any, Protocol


class Offered(Protocol):
    """The procedures of a rulebook. One that has none of a name raises BadInput where it is asked for."""

    def __getattr__(self, name: str) -> Any: ...
