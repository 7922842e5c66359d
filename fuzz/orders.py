"""Orders files: read, written and read again, judged; and each line as one of chat."""

from __future__ import annotations

from collections.abc import Iterator

from fuzz.harness import files, judged
from fuzz.published import inputs
from referee.formats.orders import format_orders, parse_orders, read_orders
from referee.rulebooks.registry import load_ship

AIMS = (
    *("referee/formats/orders.py", "referee/formats/orderlines.py", "referee/formats/ordernames.py"),
    *("referee/judging/orders.py", "referee/adjudicator", "referee/sources/orders.py"),
)


def take(data: bytes) -> None:
    """Reads and judges an orders file. One without problems, written and read again, says the same."""
    orders = read_orders(data, "fuzzed.txt", load_ship)
    if not orders.problems:
        told = format_orders(orders)
        again = parse_orders(told, "fuzzed.txt", load_ship)
        assert not again.problems, f"what is written is not read: {again.problems[0]}"
        assert format_orders(again) == told, "orders written and read again are others"
    judged(data, "fuzzed.txt", "text")


def seeds() -> Iterator[bytes]:
    """The orders of the published cases and of the examples."""
    for said in inputs("orders", "game"):
        yield ("\n".join(said["lines"]) + "\n").encode()
    yield from files("examples/games/*.txt", "examples/games/cadet-duel/*.txt")
