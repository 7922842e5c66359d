"""What is worked out when it is first asked for, and kept: a property of an object, what hangs on a value that never
changes, a regular expression.

A property is as `functools.cached_property`, which up to Python 3.11 takes a lock each time; the facts of a game are asked
for by one thread, and by the thousand.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, AnyStr, Generic, Self, TypeVar, cast, overload

Value = TypeVar("Value")
_METHODS = ("fullmatch", "match", "search", "sub", "split", "findall", "finditer")


class once(Generic[Value]):  # noqa: N801
    """Makes a method without arguments a property whose value is kept in the object's `__dict__`."""

    def __init__(self, work_out: Callable[[Any], Value]) -> None:
        self._work_out = work_out
        self.__doc__ = work_out.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    @overload
    def __get__(self, instance: None, owner: type) -> Self: ...

    @overload
    def __get__(self, instance: object, owner: type) -> Value: ...

    def __get__(self, instance: object | None, owner: type) -> Self | Value:
        if instance is None:
            return self
        # From now on the value is found before this is asked.
        value = instance.__dict__[self._name] = self._work_out(instance)
        return value


class Remembers:
    """The base of a `@frozen` class whose objects keep what was worked out of them, beside their fields."""

    __slots__ = ("__dict__",)


class Same(Generic[Value]):
    """A value that never changes, as a ship's class or a table of a rulebook: it is itself its key in a cache."""

    __slots__ = ("held",)

    def __init__(self, held: Value) -> None:
        self.held = held

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Same) and self.held is other.held

    def __hash__(self) -> int:
        return id(self.held)


class Uncompiled:
    """What stands for a regular expression until it is asked, and has its methods from then on."""

    def __init__(self, text: Any, flags: int) -> None:
        self._text, self._flags = text, flags

    def __getattr__(self, name: str) -> Any:
        compiled = re.compile(self._text, self._flags)
        for method in _METHODS:
            setattr(self, method, getattr(compiled, method))
        return getattr(compiled, name)


def pattern(text: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """As `re.compile`, but at the first use: a plain log never asks most of those it may need. There a mistake in it
    shows."""
    return cast("re.Pattern[AnyStr]", Uncompiled(text, flags))
