"""Which orders of chat were taken back: by VASSAL's undo, or by a line that says so (`cancel that`, `cancel PH-1A`)."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from typing import Protocol, TypeVar

from referee.core.frozen import frozen
from referee.core.naming import folded
from referee.core.once import pattern
from referee.core.orders import Fire, Launch, Order, OrderProblem
from referee.formats.vassal.gathered import ChatLine, ChatOrder, Logged
from referee.formats.vassal.recognise import Clock
from referee.formats.vassal.spoken import is_played, taken_back
from referee.logs.lock_on import LockSaid

Meant = Order | OrderProblem | LockSaid

_LATELY = 100  # orders among which the one is looked for that a player says he takes back
_FILLERS = pattern(r"a|all|at|fire|firing|from|i|in|launch|launching|my|of|orders?|shots?|that|the|this|with")
_ALL = frozenset(("all", "both", "everything", "them", "those", "these"))
_KINDS = {
    "phaser": "ph1 ph2 ph3 phg ph4",
    "photon": "phot",
    "disruptor": "disr",
    "torpedo": "phot disr pl",
    "drone": "drn",
    "plasma": "pl",
}
"""What players call weapons, and how the marks of those begin."""
_WHOLE: tuple[str, ...] = ()


class _OfStep(Protocol):
    @property
    def step(self) -> int: ...


_Row = TypeVar("_Row", bound=_OfStep)


@frozen
class OrderTakenBack:
    """The step in which an order was taken back, and when; `undo` where VASSAL's undo did it. Only those of its
    `weapons` were that are named, all where none is; `unclear` where it is not given plainly which order is meant."""

    step: int
    clock: Clock
    undo: bool
    weapons: tuple[str, ...] = ()
    unclear: bool = False


def taken_back_in(
    logged: Logged, meant: Iterable[tuple[ChatOrder, Meant]]
) -> dict[int, list[OrderTakenBack]]:
    """How each order that was taken back was, by the identity of what was said; bit by bit where it was so."""
    backs: dict[int, list[OrderTakenBack]] = {}
    for sentence in logged.chat_orders:
        if sentence.undone is not None:
            backs[id(sentence)] = [OrderTakenBack(*sentence.undone, True)]
    if not logged.cancels:
        return backs
    orders = {id(sentence): order for sentence, order in meant}
    for cancel in logged.cancels:
        lately = [
            earlier
            for earlier in reversed(between(logged.chat_orders, 0, cancel.step)[-_LATELY:])
            if _his(earlier, cancel)
        ]
        lately = [earlier for earlier in lately if all(back.weapons for back in backs.get(id(earlier), ()))]
        played = [earlier for earlier in lately if is_played(earlier.line.text) and _at_once(earlier, cancel)]
        found: list[tuple[ChatOrder, tuple[str, ...]]]
        if named := taken_back(cancel.line.text):
            found = _named(named, [(earlier, orders.get(id(earlier))) for earlier in played])
            unclear = not found
            found = found or [(earlier, _WHOLE) for earlier in played]
        else:
            # What a player says he takes back is the last he ordered, if that was in play and in this impulse.
            found, unclear = [(earlier, _WHOLE) for earlier in lately[:1] if earlier in played], False
        for sentence, weapons in found:
            backs.setdefault(id(sentence), []).append(
                OrderTakenBack(cancel.step, cancel.clock, False, weapons, unclear)
            )
    return backs


def _his(sentence: ChatOrder, cancel: ChatLine) -> bool:
    return sentence.line.player == cancel.line.player and sentence.note is None and sentence.undone is None


def _at_once(sentence: ChatOrder, cancel: ChatLine) -> bool:
    return sentence.clock.moment == cancel.clock.moment


def _named(
    text: str, orders: Sequence[tuple[ChatOrder, Meant | None]]
) -> list[tuple[ChatOrder, tuple[str, ...]]]:
    """The orders, newest first, that a text names, each with those of its weapons that are meant where that is not
    all; none where any of what it names is in none of them."""
    found: list[tuple[ChatOrder, tuple[str, ...]]] = []
    for part in re.split(r"\s*(?:[+&]|\band\b)\s*", text):
        words = part.casefold().split()
        names = [word for word in words if not _FILLERS.fullmatch(word)]
        if not names or set(names) <= _ALL:
            fits = [(sentence, _WHOLE) for sentence, _ in orders] if set(words) & _ALL else []
        else:
            fits = [
                (sentence, meant)
                for sentence, order in orders
                if (meant := _meant(names, sentence, order)) is not None
            ]
            fits = fits if names[-1].endswith("s") else fits[:1]
        if not fits:
            return []
        found += fits
    return found


def _meant(words: Sequence[str], sentence: ChatOrder, order: Meant | None) -> tuple[str, ...] | None:
    """The weapons of an order that words name, none where it is the whole of it; None where they name it not."""
    weapons = {folded(weapon): weapon for weapon in _weapons(order)}
    name = folded("".join(words))
    kinds = tuple(_KINDS.get(name.removesuffix("s"), "").split())
    fits = [weapon for mark, weapon in weapons.items() if mark == name or (kinds and mark.startswith(kinds))]
    if fits:
        return _WHOLE if len(fits) == len(weapons) else tuple(fits if name.endswith("s") else fits[-1:])
    return () if len(name) > 2 and name in folded(sentence.line.text) and name not in weapons else None


def _weapons(order: Meant | None) -> tuple[str, ...]:
    if isinstance(order, Fire):
        return order.weapons
    return (order.weapon,) if isinstance(order, Launch) else ()


def between(rows: Sequence[_Row], after: int, before: int) -> Sequence[_Row]:
    """Those of some rows, in the order of their steps, that lie between two steps."""
    first = bisect_right(rows, after, key=_step)
    return rows[first : bisect_left(rows, before, lo=first, key=_step)]


def _step(row: _OfStep) -> int:
    return row.step
