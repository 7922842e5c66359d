"""The rulebook a record is kept by, and how one with a table of its own folds it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from referee.core.errors import BadInput
from referee.core.finding import Severity
from referee.core.once import Same
from referee.rulebooks.registry import is_rulebook, load_rulebook

if TYPE_CHECKING:
    from referee.core.ownfold import OwnFold
    from referee.record.chain import Entry
    from referee.rulebooks.base import Rulebook


def rulebook_of(genesis: Mapping[str, Any]) -> Rulebook:
    """The rulebook a first entry names, with its options and house rules: one object for the same. Raises BadInput."""
    asked = (json.dumps(genesis.get(part, {}), sort_keys=True) for part in ("options", "house"))
    return _rulebook(Same(load_rulebook(str(genesis["rulebook"]))), *asked)


@lru_cache(maxsize=16)
def _rulebook(loaded: Same[Rulebook], options: str, house_rules: str) -> Rulebook:
    rulebook, house = loaded.held.with_options(json.loads(options)), json.loads(house_rules)
    if not house:
        return rulebook

    off, severity = _house(house)
    rulebook = rulebook.without(off)
    rules = {
        key: rule.as_grave_as(severity.get(key, severity.get(rule.number, rule.severity)))
        for key, rule in rulebook.rules.items()
    }
    return replace(rulebook, rules=rules)


def _house(house: Any) -> tuple[list[str], dict[str, str]]:
    """The rules that do not count, and how grave others are. Raises BadInput."""
    stated: dict[str, Any] = house if isinstance(house, dict) else {"off": None}
    off: Any = stated.get("off", [])
    severity: Any = stated.get("severity", [])
    fits = isinstance(off, list) and all(isinstance(rule, str) for rule in off) and isinstance(severity, list)
    fits = fits and all(isinstance(pair, list) and [*map(type, pair)] == [str, str] for pair in severity)
    if not fits or not {grade for _, grade in severity} <= {grade.value for grade in Severity}:
        raise BadInput("genesis: house is malformed", place="line 1")
    return off, dict(severity)


def own_fold(entries: Sequence[Entry]) -> OwnFold | None:
    """How the rulebook of a record folds it itself; None for games of ships with an SSD."""
    genesis = entries[0].data if entries and entries[0].type == "genesis" else {}
    id = genesis.get("rulebook")
    if not is_rulebook(str(id)) or not load_rulebook(str(id)).has("game_fold"):
        return None
    rulebook = rulebook_of(genesis)
    fold: OwnFold = rulebook.offers.game_fold(rulebook, genesis)
    return fold
