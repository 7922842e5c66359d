"""The replay page and the record beside a log that goes on."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from referee.play.game_file import open_game
from referee.record.reading import verify
from referee.sources.asked import Asked
from referee.sources.inputs import read_input
from referee.sources.settings import Settings
from referee.watching.beside import FilesBeside
from tests.unit.formats.vassal.game_logs import legal_game, module_bytes, write_log

PLAYERS = ("Federation=ann", "Klingon=ben")


@pytest.fixture
def beside(tmp_path: Path) -> FilesBeside:
    module = tmp_path / "game.vmod"
    module.write_bytes(module_bytes())
    return FilesBeside(Asked(Settings(), module=str(module)), PLAYERS)


def write(path: Path, turns: int) -> Path:
    path.write_bytes(write_log(legal_game(Random(1), ships=2, turns=turns)).data)
    return path


def keep(beside: FilesBeside, path: Path) -> list[str]:
    return list(beside.keep(read_input(str(path))))


def test_page_and_record_go_on_with_the_log(tmp_path: Path, beside: FilesBeside) -> None:
    path = write(tmp_path / "game.vlog", 1)
    page, record = path.with_suffix(".html"), path.with_suffix(".jsonl")
    said = keep(beside, path)
    assert said[0] == f"{page}: its replay" and said[1].startswith(f"{record}: its record"), said
    before, game = page.read_bytes(), open_game(str(record))
    write(path, 2)
    assert keep(beside, path) == [], "said once"
    after = open_game(str(record))
    assert page.read_bytes() != before and len(after.entries) > len(game.entries)
    assert after.state.genesis["game"] == game.state.genesis["game"]
    assert after.state.genesis["from"]["sha256"] == read_input(str(path)).sha256
    assert verify(record).head == after.head


def test_a_record_somebody_plays_on_is_never_written_anew(tmp_path: Path, beside: FilesBeside) -> None:
    path = write(tmp_path / "game.vlog", 1)
    keep(beside, path)
    record = path.with_suffix(".jsonl")
    from referee.play.append import append

    append(str(record), lambda _: [("note", {"text": "mine"})])
    before = record.read_bytes()
    write(path, 2)
    said = keep(beside, path)
    assert len(said) == 1 and "is played on" in said[0]
    assert record.read_bytes() == before


def test_what_is_no_page_or_record_of_the_log_stays(tmp_path: Path, beside: FilesBeside) -> None:
    path = write(tmp_path / "game.vlog", 1)
    page = path.with_suffix(".html")
    page.write_text("<!DOCTYPE html><title>My campaign</title>")
    said = keep(beside, path)
    assert "stays as it is" in said[0] and page.read_text().endswith("campaign</title>")
    path.rename(tmp_path / "other.vlog")
    beside.record = str(path.with_suffix(".jsonl"))
    before = path.with_suffix(".jsonl").read_bytes()
    said = keep(beside, write(tmp_path / "other.vlog", 2))
    assert "is no record of" in said[1] and path.with_suffix(".jsonl").read_bytes() == before


def test_a_save_has_neither(tmp_path: Path, beside: FilesBeside) -> None:
    path = tmp_path / "turn1.vsav"
    path.write_bytes((Path(__file__).parents[3] / "examples" / "duel" / "duel.vsav").read_bytes())
    assert keep(beside, path) == []
    assert not path.with_suffix(".html").exists() and not path.with_suffix(".jsonl").exists()
