"""Where the real files are, and how to make a small save by hand."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from referee.formats.vassal.chain import join_chain
from referee.formats.vassal.container import write_save_bytes
from referee.formats.vassal.game import Save, read_save
from referee.formats.vassal.sequence import encode

SHARED = Path(__file__).resolve().parents[3].parent / "shared" / "vassal"
SAVES = sorted(p for p in (SHARED / "saves").rglob("*") if p.suffix in (".vsav", ".vlog", ".sav", ".log"))
DUEL = sorted((SHARED / "saves" / "duel").glob("*.truth.json"))
ESC = "\x1b"


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


def piece_text(
    identity: str, traits: list[tuple[str, str]], name: str = "CA Test", place: str = "Space;100;200"
) -> str:
    """An AddPiece command with these traits around a plain piece."""
    types = join_chain([t for t, _ in traits] + [f"piece;;;a.png;{name}"])
    states = join_chain([s for _, s in traits] + [f"{place};1;0"])
    return "+/" + encode((identity, types, states), "/")


def game_text(*commands: str) -> str:
    return ESC.join(("begin_save", *commands, "end_save"))


@pytest.fixture
def make_save() -> Callable[..., Save]:
    def make(
        *commands: str, file: str = "made.vsav", reveal: bool = False, steps: tuple[str, ...] = ()
    ) -> Save:
        text = ESC.join((game_text(*commands), *steps))
        return read_save(write_save_bytes(text, key=5), file, reveal=reveal)

    return make
