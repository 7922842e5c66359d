"""Fixtures of the VASSAL tests: real files where there are some, saves made by hand everywhere."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from referee.formats.vassal.container import write_save_bytes
from referee.formats.vassal.game import Save, read_save
from tests.unit.formats.vassal.vassal_saves import DUEL, ESC, SAVES, SHARED, game_text


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    for name, files in (("save_path", SAVES), ("truth_path", DUEL)):
        if name in metafunc.fixturenames:
            absent = pytest.param(None, marks=pytest.mark.skip(reason="no folder ../shared with real saves"))
            ids = [f"{p.parent.name}/{p.name}" for p in files] or None
            metafunc.parametrize(name, files or [absent], ids=ids)


@pytest.fixture(scope="session")
def shared() -> Path:
    if not SHARED.is_dir():
        pytest.skip("no folder ../shared with real saves and vectors")
    return SHARED


@pytest.fixture
def make_save() -> Callable[..., Save]:
    def make(
        *commands: str, file: str = "made.vsav", reveal: bool = False, steps: tuple[str, ...] = ()
    ) -> Save:
        text = ESC.join((game_text(*commands), *steps))
        return read_save(write_save_bytes(text, key=5), file, reveal=reveal)

    return make
