"""Frozen value classes that are cheap to define.

A program that starts for one question defines a hundred small classes first, and the standard library
compiles six methods for each. `@frozen` compiles one, shares the others, and is otherwise what
`@dataclass(frozen=True, slots=True)` is: `dataclasses.field`, `fields` and `replace` work on it.
"""

from __future__ import annotations

import dataclasses
from inspect import get_annotations
from operator import attrgetter
from typing import Any, TypeVar, dataclass_transform

Class = TypeVar("Class", bound=type)
Held = TypeVar("Held")
_ABSENT: Any = object()


def replace(held: Held, /, **changes: Any) -> Held:
    """As `dataclasses.replace`, and several times as fast for what is `@frozen`: a game is changed so entry by entry."""
    cls: Any = held.__class__
    given = getattr(cls, "__given__", None)
    if given is None:
        return dataclasses.replace(held, **changes)  # type: ignore[type-var]
    values, places = [*given(held)], cls.__places__
    for name, value in changes.items():
        if name not in places:
            raise TypeError(f"{cls.__name__} has no field {name!r}")
        values[places[name]] = value
    made: Held = cls(*values)
    return made


class _Fields:
    """What `dataclasses.fields` and `replace` look for, made when they first do."""

    def __get__(self, instance: object, owner: Any) -> dict[str, Any]:
        made = {}
        for name, declared in owner.__declared__.items():
            field: Any = dataclasses.field() if declared is _ABSENT else declared
            if not isinstance(field, dataclasses.Field):
                field = dataclasses.field(default=declared)
            field.name, field.type = name, owner.__types__[name]
            field._field_type = dataclasses._FIELD  # type: ignore[attr-defined]
            made[name] = field
        owner.__dataclass_fields__ = made
        return made


def _eq(self: Any, other: Any) -> Any:
    if other.__class__ is not self.__class__:
        return NotImplemented
    values = self.__compared__
    return values(self) == values(other)


def _hash(self: Any) -> int:
    return hash(self.__compared__(self))


def _repr(self: Any) -> str:
    shown = ", ".join([f"{name}={getattr(self, name)!r}" for name in self.__shown__])
    return f"{self.__class__.__qualname__}({shown})"


def _reduce(self: Any) -> tuple[Any, ...]:
    return self.__class__, tuple([getattr(self, name) for name in self.__declared__])


def _set(self: Any, name: str, value: Any) -> None:
    raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")


def _delete(self: Any, name: str) -> None:
    raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")


_SHARED: dict[str, Any] = {
    "__eq__": _eq,
    "__hash__": _hash,
    "__repr__": _repr,
    "__reduce__": _reduce,
    "__setattr__": _set,
    "__delattr__": _delete,
}


@dataclass_transform(frozen_default=True, field_specifiers=(dataclasses.field,))
def frozen(cls: Class) -> Class:
    """A frozen class with slots, of the fields that a class body declares.

    Raises TypeError for what a dataclass could do and this does not: an `__init__` of its own, fields
    outside `__init__` or the hash, a dataclass as base; and ValueError for a mutable default.
    """
    types: dict[str, Any] = {}
    declared: dict[str, Any] = {}
    for base in cls.__mro__[:0:-1]:
        types |= base.__dict__.get("__types__", {})
        declared |= base.__dict__.get("__declared__", {})
    own = {n: t for n, t in get_annotations(cls).items() if "ClassVar" not in str(t)}
    body = {n: v for n, v in cls.__dict__.items() if n not in ("__dict__", "__weakref__")}
    slots = tuple(name for name in own if name not in declared)
    for name in own:
        declared[name] = body.pop(name, _ABSENT)
    body |= {name: method for name, method in _SHARED.items() if name not in cls.__dict__}
    if "__hash__" not in cls.__dict__ or cls.__dict__["__hash__"] is None:
        body["__hash__"] = _hash
    _refuse_what_is_not_done(cls, own, declared)
    body |= {
        "__slots__": slots,
        "__types__": types | own,
        "__declared__": declared,
        "__compared__": _getter([n for n, d in declared.items() if getattr(d, "compare", True)]),
        "__given__": _getter(list(declared)),
        "__places__": {name: place for place, name in enumerate(declared)},
        "__shown__": tuple(n for n, d in declared.items() if getattr(d, "repr", True)),
        "__match_args__": tuple(declared),
    }
    made: Any = type(cls)(cls.__name__, cls.__bases__, body)
    made.__init__ = _initializer(made, declared)
    made.__qualname__ = cls.__qualname__
    made.__dataclass_fields__ = _Fields()
    return made  # type: ignore[no-any-return]


def _refuse_what_is_not_done(cls: Any, own: dict[str, Any], declared: dict[str, Any]) -> None:
    if "__init__" in cls.__dict__ or any(
        "__dataclass_fields__" in base.__dict__ and "__declared__" not in base.__dict__
        for base in cls.__mro__[1:]
    ):
        raise TypeError(f"{cls.__name__}: use a dataclass for an __init__ of its own or a dataclass as base")
    for name in own:
        said = declared[name]
        if isinstance(said, dataclasses.Field):
            if not said.init or said.hash is not None or said.kw_only is True:
                raise TypeError(f"{cls.__name__}.{name}: use a dataclass for this kind of field")
            said = said.default
        if said.__class__.__hash__ is None:
            raise ValueError(f"mutable default for field {name} is not allowed: use default_factory")


def _getter(names: list[str]) -> Any:
    """What gives the values of some fields of an object, as a tuple."""
    if len(names) > 1:
        return attrgetter(*names)
    return staticmethod(lambda held: tuple([getattr(held, name) for name in names]))


def _initializer(made: Any, declared: dict[str, Any]) -> Any:
    """`__init__` of a class with some fields, compiled once."""
    names: dict[str, Any] = {"_ABSENT": _ABSENT}
    arguments, lines = ["self"], []
    for name, said in declared.items():
        make: Any = dataclasses.MISSING
        default = said
        if isinstance(said, dataclasses.Field):
            make, default = said.default_factory, said.default
        given = name
        if make is not dataclasses.MISSING:
            names[f"_make_{name}"] = make
            arguments.append(f"{name}=_ABSENT")
            given = f"_make_{name}() if {name} is _ABSENT else {name}"
        elif default is _ABSENT or default is dataclasses.MISSING:
            arguments.append(name)
        else:
            names[f"_default_{name}"] = default
            arguments.append(f"{name}=_default_{name}")
        # The slot is set past the class's own refusal to have anything set.
        names[f"_set_{name}"] = getattr(made, name).__set__
        lines.append(f" _set_{name}(self, {given})")
    lines += [" self.__post_init__()"] if hasattr(made, "__post_init__") else [] if lines else [" pass"]
    exec(f"def __init__({', '.join(arguments)}):\n" + "\n".join(lines), names)
    return names["__init__"]
