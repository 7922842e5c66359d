"""Inputs of the published cases, by their sort."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from referee.corpus.published import published


def inputs(*sorts: str) -> Iterator[Any]:
    """What the cases with such inputs hold."""
    for case in published("", ""):
        for sort in sorts:
            if sort in case.data["input"]:
                yield case.data["input"][sort]
