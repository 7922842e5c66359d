"""Frozen value classes that are cheap to define.

A program that starts for one question defines hundreds of small classes first, and the standard library
compiles six methods for each. `@frozen` shares them, the code of `__init__` among all classes of as many
fields. Otherwise it is what `@dataclass(frozen=True, slots=True)` is: `dataclasses.field`, `fields` and
`replace` work on it.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from functools import cache
from inspect import get_annotations
from operator import attrgetter
from types import CodeType, FunctionType
from typing import Any, ParamSpec, TypeVar, cast, dataclass_transform

Class = TypeVar("Class", bound=type)
Held = TypeVar("Held")
Given = ParamSpec("Given")
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
    made: Held = (_WHOLE.get(cls) or whole(cls))(*values)
    return made


_WHOLE: dict[Any, Callable[..., Any]] = {}


def whole(cls: Callable[..., Held]) -> Callable[..., Held]:
    """What makes a value of a class from all its fields, in their order: as `maker` does, where the class is laid out by
    itself and checks nothing."""
    made: Any = cls
    alone = (
        made.__bases__ == (object,) and "__given__" in made.__dict__ and not hasattr(made, "__post_init__")
    )
    return _WHOLE.setdefault(cls, _setting_all(made, ()) if alone else cls)


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


def maker(cls: Callable[Given, Held]) -> Callable[Given, Held]:
    """What makes values of a frozen class of plain fields, as calling it does, in half the time: a value of a class that
    lets its fields be set becomes one of the frozen class once they are. For what a file makes by the ten thousand."""
    made: Any = cls
    defaults = []
    for stated in made.__declared__.values():
        default = stated.default if isinstance(stated, dataclasses.Field) else stated
        if default is dataclasses.MISSING or hasattr(made, "__post_init__"):
            raise TypeError(f"{made.__name__} is made by calling it")
        defaults += [default] if default is not _ABSENT else []
    return cast("Callable[Given, Held]", _setting_all(made, tuple(defaults)))


def _setting_all(made: Any, defaults: tuple[Any, ...]) -> FunctionType:
    """A function that makes a value by setting all fields of one that is open, and closing it."""
    names = list(made.__declared__)
    opened = type(f"{made.__name__}Opened", (), {"__slots__": tuple(names)})
    code = _opened_and_closed(len(names))
    own = {f"f{n}": name for n, name in enumerate(names)}
    code = code.replace(
        co_varnames=tuple([own.get(name, name) for name in code.co_varnames]),
        co_names=tuple([own.get(name, name) for name in code.co_names]),
    )
    return FunctionType(code, {"opened": opened, "closed": made}, "make", defaults)


@cache
def _opened_and_closed(many: int) -> CodeType:
    """The code of a function that sets as many fields of a value that is open, and closes it."""
    names = [f"f{n}" for n in range(many)]
    body = [" held = opened()", *(f" held.{name} = {name}" for name in names)]
    body += [" held.__class__ = closed", " return held"]
    found: dict[str, Any] = {}
    exec(f"def make({', '.join(names)}):\n" + "\n".join(body), found)
    code: CodeType = found["make"].__code__
    return code


def _refuse_what_is_not_done(cls: Any, own: dict[str, Any], declared: dict[str, Any]) -> None:
    if "__init__" in cls.__dict__ or any(
        "__dataclass_fields__" in base.__dict__ and "__declared__" not in base.__dict__
        for base in cls.__mro__[1:]
    ):
        raise TypeError(f"{cls.__name__}: use a dataclass for an __init__ of its own or a dataclass as base")
    for name in own:
        stated = declared[name]
        if isinstance(stated, dataclasses.Field):
            if not stated.init or stated.hash is not None or stated.kw_only is True:
                raise TypeError(f"{cls.__name__}.{name}: use a dataclass for this kind of field")
            stated = stated.default
        if stated.__class__.__hash__ is None:
            raise ValueError(f"mutable default for field {name} is not allowed: use default_factory")


def _getter(names: list[str]) -> Any:
    """What gives the values of some fields of an object, as a tuple."""
    if len(names) > 1:
        return attrgetter(*names)
    return staticmethod(lambda held: tuple([getattr(held, name) for name in names]))


def _initializer(made: Any, declared: dict[str, Any]) -> Any:
    """`__init__` of a class with some fields. Code is compiled for the first class with as many; others put their own
    names in it."""
    setters: dict[str, Any] = {}
    defaults: list[Any] = []
    for n, (name, stated) in enumerate(declared.items()):
        # The slot is set past the class's own refusal to have anything set.
        setter = getattr(made, name).__set__
        make: Any = dataclasses.MISSING
        default = stated
        if isinstance(stated, dataclasses.Field):
            make, default = stated.default_factory, stated.default
        if make is not dataclasses.MISSING:
            setter = _setting_or_making(setter, make)
            defaults.append(_ABSENT)
        elif default is not _ABSENT and default is not dataclasses.MISSING:
            defaults.append(default)
        elif defaults:
            raise TypeError(f"{made.__name__}.{name} has no default, and a field before it has one")
        setters[f"set{n}"] = setter
    code = _initializing(len(declared), hasattr(made, "__post_init__"))
    return FunctionType(code.replace(co_varnames=("self", *declared)), setters, "__init__", tuple(defaults))


def _setting_or_making(setter: Any, make: Any) -> Any:
    """What sets a field, to a value made anew where none is given."""

    def set_or_make(held: Any, value: Any) -> None:
        setter(held, make() if value is _ABSENT else value)

    return set_or_make


@cache
def _initializing(many: int, checked: bool) -> CodeType:
    """The code of an `__init__` that sets as many fields."""
    arguments = "".join([f", f{n}" for n in range(many)])
    lines = [f" set{n}(self, f{n})" for n in range(many)]
    lines += [" self.__post_init__()"] if checked else [] if lines else [" pass"]
    found: dict[str, Any] = {}
    exec(f"def __init__(self{arguments}):\n" + "\n".join(lines), found)
    code: CodeType = found["__init__"].__code__
    return code
