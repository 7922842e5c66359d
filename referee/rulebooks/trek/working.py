"""One rule worked out for given numbers, as a player or a case file asks for it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from referee.core.errors import BadInput
from referee.rulebooks.base import Rulebook, nearest
from referee.rulebooks.trek.charts import Charts
from referee.rulebooks.trek.given import values_for
from referee.rulebooks.trek.shipyard import library


def worked_from(given: Iterable[str]) -> dict[str, Any]:
    """Values from `name=value` texts: JSON where it reads as JSON, else text."""
    values: dict[str, Any] = {}
    for text in given:
        name, equals, value = text.partition("=")
        if not equals:
            raise BadInput(f"{text!a} gives nothing", hint="write name=value, such as damage=10")
        if name in values:
            raise BadInput(f"{name!a} is given twice", hint="give it once")
        try:
            values[name] = json.loads(value, parse_constant=_no_number)
        except (ValueError, RecursionError):
            values[name] = value
    return values


def _no_number(text: str) -> Any:
    raise ValueError(f"{text} is no JSON")


def work_out(rulebook: Rulebook, charts: Charts, key: str, given: Mapping[str, Any]) -> Any:
    """What a resolving rule gives. Raises BadInput for a rule that works nothing out, or other values."""
    known = {name: rule for name, rule in rulebook.rules.items() if rule.kind == "resolve"}
    key = key if key in known else f"{rulebook.id}-{key}"
    if key not in known:
        raise BadInput(f"{key!a} works nothing out", hint=nearest(key, known))
    rule = known[key]
    values = values_for(rule, rulebook, charts, given)
    try:
        return _plain(rule.decide(charts, **values))
    except ValueError as error:
        raise BadInput(f"{key} cannot be worked out from that ({error})") from None


def work_given(
    rulebook: Rulebook, owned: Sequence[tuple[str, Mapping[str, Any]]], key: str, given: Mapping[str, Any]
) -> Any:
    """The same, with an owner's charts in front of the packaged ones."""
    return work_out(rulebook, library(rulebook, owned).charts, key, given)


def _plain(value: Any) -> Any:
    if isinstance(value, Fraction):
        return str(value)
    if isinstance(value, Mapping):
        return {str(name): _plain(item) for name, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, list | tuple) else value
