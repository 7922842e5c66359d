"""The screen of a live table: a whole game by key presses, the same as line by line; what each key shows and does."""

from __future__ import annotations

import asyncio
import io
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from referee.cli.main import run
from referee.live.plain import PlainTable
from referee.live.screen.app import TableScreen
from referee.play.desk import Desk
from referee.record.reading import read
from tests.unit.live.keys import keys_of

HERE = Path(__file__).parent
LINES = (HERE / "dakota.txt").read_text(encoding="utf-8").splitlines()
GAME = "duel.jsonl"
NEW = ["init", "game", "--scenario", "4", "--record", GAME, "--players", "ann,bob", "--umpire", "uma", "--dice", "physical"]  # fmt: skip
HASHES = ("declaration", "result", "game", "signers")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("NO_COLOR", raising=False)
    # The pilot sleeps so long after each key; what it waits for is done far sooner.
    monkeypatch.setattr("textual._wait.SLEEP_GRANULARITY", 0.002)
    monkeypatch.setattr("textual._wait.SLEEP_IDLE", 0.001)
    begin(tmp_path)
    yield tmp_path


def begin(folder: Path) -> None:
    (folder / GAME).unlink(missing_ok=True)
    shutil.rmtree(folder / "duel.secrets", ignore_errors=True)
    shutil.copy(HERE / "dakota.csv", folder)
    assert run(NEW) == 0


def entries() -> list[tuple[str, dict[str, Any]]]:
    """The entries of the game, but for what is another in every game."""
    return [
        (entry.type, {name: "" if name in HASHES else value for name, value in entry.data.items()})
        for entry in read(GAME)
    ]


def by_lines() -> list[tuple[str, dict[str, Any]]]:
    said = io.StringIO("".join(f"{line}\n" for line in LINES))
    PlainTable(Desk(GAME), said, io.StringIO()).run()
    return entries()


async def pressed(lines: list[str], size: tuple[int, int]) -> None:
    app = TableScreen(Desk(GAME))
    async with app.run_test(size=size) as pilot:
        for line in lines:
            await pilot.press(*keys_of(app.page, line))


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
def test_scenario_4_for_three_turns_by_keys_is_the_game_of_the_plain_table(
    size: tuple[int, int], folder: Path
) -> None:
    wanted = by_lines()
    begin(folder)
    asyncio.run(pressed(LINES, size))
    assert entries() == wanted
