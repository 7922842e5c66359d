"""The confirmed numbers of a game's ships: written into its first entry, and compared."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from referee.core.confirmed import differences, rows_in, rows_of
from referee.rulebooks.registry import ruleset_digest
from referee.sources.confirmed import numbers_of

SHOWN = 3
"""The number of differences that are told one by one."""


def confirmed_terms(rulebook: str, classes: Collection[str]) -> dict[str, Any]:
    """What the first entry of a game says where numbers of its ships were confirmed in this folder."""
    rows = rows_of(numbers_of(classes))
    digest = {"ruleset": ruleset_digest(rulebook, classes)}
    return digest | {"confirmed": [list(row) for row in rows]} if rows else {}


def other_numbers(genesis: Mapping[str, Any], classes: Collection[str]) -> str:
    """How the numbers confirmed in this folder differ from those of a game; nothing where they do not."""
    differing = differences(rows_of(numbers_of(classes)), rows_in(genesis.get("confirmed")))
    more = f" and {len(differing) - SHOWN} more" if len(differing) > SHOWN else ""
    return (
        f"other confirmed numbers than the game's: {'; '.join(differing[:SHOWN])}{more}" if differing else ""
    )
