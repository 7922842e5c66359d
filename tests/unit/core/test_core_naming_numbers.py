"""One thing is counted as one: `1 point`, `2 points`."""

from __future__ import annotations

import pytest

from referee.core.naming import how_many


@pytest.mark.parametrize(
    ("number", "names", "told"),
    [
        (1, ("point",), "1 point"), (0, ("point",), "0 points"), (2, ("entry", "entries"), "2 entries"),
        ("1", ("hex", "hexes"), "1 hex"), ("½", ("point",), "½ point"), ("1½", ("point",), "1½ points"),
    ],
)  # fmt: skip
def test_how_many(number: int | str, names: tuple[str, ...], told: str) -> None:
    assert how_many(number, *names) == told
