"""Games, logs, records and forms are judged as they were; a change is written down and read.

`python -m tests.net.write` writes it anew.
"""

from __future__ import annotations

import json
from functools import lru_cache

import pytest

from tests.net.gamefiles import FROZEN, SHARED, Game, found, games, line_of

pytestmark = pytest.mark.net
AT_ONCE = 60
STOOD = {kind: found(kind) for kind in FROZEN}
PARTS = [(kind, start) for kind in FROZEN for start in range(0, len(STOOD[kind]), AT_ONCE)]


@lru_cache(maxsize=1)
def of_kind(kind: str) -> list[Game]:
    """The games of the file that is played."""
    return games(kind)


@pytest.mark.parametrize(("kind", "start"), PARTS)
def test_games_are_judged_as_before(kind: str, start: int) -> None:
    if kind == "shared" and not SHARED.is_dir():
        pytest.skip("no ../shared beside this checkout")
    now = [line_of(game) for game in of_kind(kind)[start : start + AT_ONCE]]
    stood = STOOD[kind][start : start + AT_ONCE]
    assert [line["game"] for line in now] == [line["game"] for line in stood]
    changed = (
        f"- {json.dumps(was)}\n+ {json.dumps(line)}"
        for was, line in zip(stood, now, strict=True)
        if was != line
    )
    assert not (difference := "\n".join(changed)), difference


def test_every_game_has_an_outcome() -> None:
    assert {kind: len(games(kind)) for kind in FROZEN} == {kind: len(lines) for kind, lines in STOOD.items()}
