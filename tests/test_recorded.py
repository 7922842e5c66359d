"""Energy forms of game records are judged, and their records written, to the byte as they were; a change is written down and
read.

`python -m tests.frozen.write` writes it anew.
"""

from __future__ import annotations

import os

import pytest

from tests.conftest import mostly_long
from tests.frozen.recorded import GAMES, RECORDED, line


@pytest.fixture(autouse=True)
def no_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(os.environ):
        if name.startswith("REFEREE_") or name in ("NO_COLOR", "FORCE_COLOR"):
            monkeypatch.delenv(name)


@pytest.fixture(scope="module")
def stood() -> list[str]:
    return RECORDED.read_text(encoding="utf-8").splitlines()


def test_every_game_is_held(stood: list[str]) -> None:
    assert len(stood) == GAMES


@pytest.mark.parametrize("seed", mostly_long(range(GAMES), lambda seed: seed < 20))
def test_forms_of_a_record_are_judged_as_before(seed: int, stood: list[str]) -> None:
    assert line(seed) == stood[seed]
