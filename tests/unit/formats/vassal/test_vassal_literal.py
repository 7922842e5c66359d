"""The decoder against a literal reading of the format: the same facts; `benchmarks/decode.py` times them."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

from referee.formats.vassal.commands import decode_command
from referee.formats.vassal.container import open_save
from referee.formats.vassal.game import read_save


@pytest.fixture(scope="module")
def literal() -> ModuleType:
    path = Path(__file__).resolve().parents[4] / "benchmarks" / "literal_vassal.py"
    spec = importlib.util.spec_from_file_location("literal_vassal", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", ["duel/p06_undo.vlog", "vasl/full.vsav", "carcassonne/2player.sav"])
def test_the_literal_reading_finds_the_same(shared: Path, literal: ModuleType, name: str) -> None:
    path = shared / "saves" / name
    leaves = literal.read_literally(path)
    save = read_save(path.read_bytes(), path.name)
    assert len(leaves) == sum(1 for _ in decode_command(open_save(path.read_bytes(), name).text).walk())
    added = {leaf[1]: leaf[2] for leaf in leaves if leaf[0:1] == ("AddPiece",)}
    for identity, chain in save._chains.items():
        assert [trait.kind for trait in chain] == [found[0] for found in added[identity]]
