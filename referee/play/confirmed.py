"""The confirmed numbers of a game's ships: written into its first entry, compared, and taken over by the others."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from referee.core.confirmed import differences, read_answer, rows_in, rows_of
from referee.core.errors import BadInput
from referee.rulebooks.registry import ruleset_digest
from referee.sources.confirmed import hold_numbers, numbers_of, read_confirmed, write_confirmed

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


def take_numbers(path: str, genesis: Mapping[str, Any], classes: Collection[str]) -> list[str]:
    """Takes a game's confirmed numbers over into this folder; what was taken, a line each. Those of the game's ships
    that it has not confirmed are confirmed no more. Raises BadInput for numbers that cannot be."""
    taken: dict[str, dict[str, Any]] = {id: {} for id in classes if id in read_confirmed()}
    for id, name, text in rows_in(genesis.get("confirmed")):
        try:
            taken.setdefault(id, {})[name] = read_answer(name, text)
        except ValueError as error:
            raise BadInput(f"{id[:40]} {name[:40]}: {error}", file=path, place="line 1") from None
    for id, numbers in taken.items():
        try:
            hold_numbers(id, numbers)
        except BadInput as error:
            raise error.at(file=path, place="line 1") from None
    for id, numbers in taken.items():
        write_confirmed(id, numbers)
    return [f"{id} {name}: {text}" for id, name, text in rows_of(taken)]
