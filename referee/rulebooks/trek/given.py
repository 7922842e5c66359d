"""Values that somebody gives a rule, read as the types its function names."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from inspect import BoundArguments, signature
from types import NoneType
from typing import Annotated, Any, get_args, get_origin, get_type_hints

from referee.core.errors import BadInput
from referee.rulebooks.base import Rule, Rulebook
from referee.rulebooks.trek.charts import Charts
from referee.rulebooks.trek.quantities import AtHand, DiceShown

_FRACTION = re.compile(r"-?[0-9]{1,6}(/[0-9]{1,6}|\.[0-9]{1,6})?", re.ASCII)
_TEXT = 100
"""The longest text that names something."""
_SHOWN = 40
"""As much of a wrong value as is shown."""
_WORDS = {int: "whole number", bool: "true or false", str: "text", Fraction: "number such as 5 or 1/2"}


class _Unlike(Exception):
    """A value that is not of its type; `what` is what it should be."""

    def __init__(self, what: str) -> None:
        super().__init__(what)
        self.what = what


def values_for(rule: Rule, rulebook: Rulebook, charts: Charts, given: Mapping[str, Any]) -> dict[str, Any]:
    """What a rule is worked out from. Raises BadInput, naming value and type, for what cannot be."""
    hints = get_type_hints(rule.decide, include_extras=True)
    read = {}
    for name in _bound(rule, given).arguments:
        try:
            read[name] = _read(hints[name], given[name])
        except _Unlike as error:
            raise _refused(rule, name, given[name], f"is no {error.what}", _form(name, hints[name])) from None
    values = _bound(rule, read)
    values.apply_defaults()
    asked = AtHand(rulebook, charts, values.arguments)
    for name, value in read.items():
        if takes := _limits(hints[name], value, asked):
            raise _refused(rule, name, given[name], "is not possible", f"it takes {takes}")
    return read


def _bound(rule: Rule, given: Mapping[str, Any]) -> BoundArguments:
    """What is given under the names a rule takes. Raises BadInput where one is missing or unknown."""
    takes = signature(rule.decide)
    takes = takes.replace(parameters=[each for name, each in takes.parameters.items() if name != "charts"])
    try:
        return takes.bind(**given)
    except TypeError as error:
        reason = f"{rule.key} cannot be worked out from that ({error})"
        raise BadInput(reason, hint=f"it takes {', '.join(takes.parameters)}") from None


def _refused(rule: Rule, name: str, value: Any, reason: str, hint: str) -> BadInput:
    shown = ascii(value)
    shown = shown if len(shown) <= _SHOWN else f"{shown[:_SHOWN]}..."
    return BadInput(f"{rule.key}: {name}={shown} {reason}", hint=hint)


def _read(hint: Any, value: Any) -> Any:
    """A value as its type has it. Raises _Unlike."""
    origin, args = get_origin(hint), get_args(hint)
    if origin is Annotated:
        plain = _read(args[0], value)
        return args[1].nought if isinstance(args[1], DiceShown) and plain == 0 else plain
    if NoneType in args:
        return None if value is None else _read(args[0], value)
    if Fraction in args:
        return _fraction(value)
    if origin is None:
        return _text(value) if hint is str else _exactly(hint, value)
    if issubclass(origin, Mapping):
        if not isinstance(value, Mapping):
            raise _Unlike("list of names with values")
        return {_read(args[0], _key(args[0], name)): _read(args[1], item) for name, item in value.items()}
    return _several(origin, args, value)


def _several(origin: Any, args: tuple[Any, ...], value: Any) -> Any:
    """A list, also as text with commas or as its only item; or so many values together."""
    if get_origin(args[0]) is Sequence and not isinstance(value, list | tuple):
        raise _Unlike("list of lists")
    if isinstance(value, str):
        value = [_number(item.strip()) for item in value.split(",")] if value else []
    elif not isinstance(value, list | tuple):
        value = [value]
    if origin is not tuple:
        return [_read(args[0], item) for item in value]
    if len(value) != len(args):
        raise _Unlike(f"list of {len(args)}")
    return tuple(_read(arg, item) for arg, item in zip(args, value, strict=True))


def _number(text: str) -> Any:
    return int(text) if re.fullmatch(r"-?[0-9]{1,6}", text, re.ASCII) else text


def _key(hint: Any, name: Any) -> Any:
    """The name of a table's entry, which JSON has as text where it is a number."""
    return _number(name) if hint is not str and isinstance(name, str) else name


def _exactly(hint: type, value: Any) -> Any:
    if type(value) is not hint:
        raise _Unlike(_WORDS[hint])
    return value


def _text(value: Any) -> str:
    """A name. A number may be one: `1510` is a hex."""
    if type(value) is int and abs(value) < 10**_SHOWN:
        return str(value)
    if not isinstance(value, str) or len(value) > _TEXT or not value.isprintable():
        raise _Unlike(_WORDS[str])
    return value


def _fraction(value: Any) -> Fraction:
    """An exact number. Not by `Fraction` alone, which would write out 1e999999999."""
    if isinstance(value, Fraction):
        return value
    if type(value) not in (str, int, float) or not _FRACTION.fullmatch(text := str(value)[:_TEXT]):
        raise _Unlike(_WORDS[Fraction])
    try:
        return Fraction(text)
    except ZeroDivisionError:
        raise _Unlike(_WORDS[Fraction]) from None


def _limits(hint: Any, value: Any, asked: AtHand) -> str:
    """What a type takes, if it does not take this value, or an item in it."""
    origin, args = get_origin(hint), get_args(hint)
    if origin is Annotated:
        marks = args[1:]
        inner = _limits(args[0], value, asked)
        return inner or next((takes for mark in marks if (takes := mark.takes(value, asked))), "")
    if origin is None or value is None:
        return ""
    if NoneType in args:
        return _limits(args[0], value, asked)
    if isinstance(value, Mapping):
        pairs = [*((args[0], name) for name in value), *((args[1], item) for item in value.values())]
    elif origin is tuple:
        pairs = list(zip(args, value, strict=True))
    elif isinstance(value, list):
        pairs = [(args[0], item) for item in value]
    else:
        return ""
    return next((takes for arg, item in pairs if (takes := _limits(arg, item, asked))), "")


def _form(name: str, hint: Any) -> str:
    """How a value of a type is written."""
    value = _example(hint)
    if isinstance(value, list) and not isinstance(value[0], list):
        return f"write {name}={','.join(map(str, value))} or {name}={json.dumps(value)}"
    text = value if isinstance(value, str) else json.dumps(value)
    return f"write {name}='{text}'" if '"' in text else f"write {name}={text}"


def _example(hint: Any) -> Any:
    """Some value of a type, as JSON has it."""
    origin, args = get_origin(hint), get_args(hint)
    if origin is Annotated or NoneType in args:
        return _example(args[0])
    if Fraction in args:
        return "1/2"
    if origin is None:
        return {int: 4, bool: True, str: "A"}[hint]
    if issubclass(origin, Mapping):
        return {str(_example(args[0])): _example(args[1])}
    return [_example(arg) for arg in args] if origin is tuple else [_example(args[0])] * 2
