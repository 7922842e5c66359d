"""What is only added to, in parts: whoever holds such a row shares all of it but its end with those that hold less."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from itertools import chain, islice
from typing import Any, Generic, TypeVar

from referee.core.forked import Forked

Thing = TypeVar("Thing")

PART = 64
"""Things that one part of a row holds."""


class Row(Sequence[Thing]):
    """Things in the order they came. It never changes."""

    __slots__ = ("_parts",)

    def __init__(self, parts: Sequence[tuple[Thing, ...]] = ()) -> None:
        self._parts = tuple(parts)

    def __len__(self) -> int:
        return sum(map(len, self._parts))

    def __iter__(self) -> Iterator[Thing]:
        return chain.from_iterable(self._parts)

    def __reversed__(self) -> Iterator[Thing]:
        return chain.from_iterable(map(reversed, reversed(self._parts)))

    def __getitem__(self, n: Any) -> Any:
        return tuple(self)[n]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and tuple(self) == tuple(other)

    __hash__ = None  # type: ignore[assignment]


class ByNumber(Forked, Generic[Thing]):
    """Things by a number that each has, `number` of it. What is added has a higher number than all before it; another
    may be put in the place of one there is."""

    def __init__(self, number: Callable[[Thing], int]) -> None:
        self._number = number
        self._parts: list[tuple[Thing, ...]] = []
        self._firsts: list[int] = []
        """The number that each part begins with."""

    def __contains__(self, number: int) -> bool:
        return self.get(number) is not None

    def __getitem__(self, number: int) -> Thing:
        found = self.get(number)
        if found is None:
            raise KeyError(number)
        return found

    def get(self, number: int) -> Thing | None:
        """The thing with a number, or None."""
        n, at = self._place(number)
        return self._parts[n][at] if at >= 0 else None

    def put(self, thing: Thing) -> None:
        """One more, or one in the place of that with its number."""
        number = self._number(thing)
        if self._parts and len(last := self._parts[-1]) < PART and self._number(last[-1]) < number:
            self._parts[-1] = (*last, thing)
            return
        n, at = self._place(number)
        if at < 0:
            self.add([thing])
        else:
            part = self._parts[n]
            self._parts[n] = (*part[:at], thing, *part[at + 1 :])

    def add(self, things: Sequence[Thing]) -> None:
        """Several more, with higher numbers than those there are."""
        new = iter(things)
        if self._parts:
            last = self._parts[-1]
            self._parts[-1] = (*last, *islice(new, PART - len(last)))
        while part := tuple(islice(new, PART)):
            self._firsts.append(self._number(part[0]))
            self._parts.append(part)

    def row(self, *more: Thing) -> Row[Thing]:
        """All as they came, and what is to be told behind them."""
        return Row((*self._parts, more) if more else self._parts)

    def _place(self, number: int) -> tuple[int, int]:
        """The part that a number belongs to, and its place in it; -1 where there is none."""
        n = bisect_right(self._firsts, number) - 1
        if n < 0:
            return n, -1
        part = self._parts[n]
        at = bisect_left(part, number, key=self._number)
        return n, at if at < len(part) and self._number(part[at]) == number else -1
