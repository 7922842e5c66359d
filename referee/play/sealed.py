"""Sealed orders, shown: their lines read as the order language."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from referee.core.orders import Order, OrderProblem

HOLDS = frozenset(("hold", "hold fire", "no fire", "none", "nothing"))
"""What is sealed by who does not fire."""


def orders_read(lines: Sequence[str], ship: str, names: Sequence[str]) -> Sequence[Order | OrderProblem]:
    """The orders of some lines, in their order, said for a ship unless a line names one. `names` are those of
    the ships and seekers there are."""
    from referee.formats.orderfiles import is_orders
    from referee.formats.orders import parse_orders

    found: list[Order | OrderProblem] = []
    for line in lines:
        if is_held(line):
            continue
        text = line if ":" in line or is_orders(line) else f"{ship}: {line}"
        read = parse_orders(text, "", ships=names)
        found += [*read.orders, *read.problems]
    return found


def is_held(line: str) -> bool:
    """Does a sealed line say that nothing is fired?"""
    _, colon, order = line.partition(":")
    return (order if colon else line).strip().casefold().rstrip(".") in HOLDS
