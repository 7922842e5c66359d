"""The screen of a live table on a terminal: a whole game by keys, windows that grow, and kills at random moments."""

from __future__ import annotations

import io
import random
import re
import shutil
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

if sys.platform == "win32":  # pragma: no cover
    pytest.skip("needs pseudo-terminals", allow_module_level=True)

from referee.cli.main import run
from referee.live.plain import PlainTable
from referee.live.screen.page import TablePage
from referee.play.desk import Desk
from referee.record.headcode import head_code
from referee.record.reading import read
from tests.conftest import mostly_long
from tests.unit.live.keys import keys_of
from tests.unit.live.onascreen import OnAScreen
from tests.unit.live.test_plain import GAME, HERE, LINES, NEW, entries

HEAD = re.compile(r"#(\d+) ((?:[A-Z2-7]{4}-){6}[A-Z2-7]{2})")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.chdir(tmp_path)
    begin()
    yield tmp_path


def begin() -> None:
    Path(GAME).unlink(missing_ok=True)
    shutil.rmtree("duel.secrets", ignore_errors=True)
    shutil.copy(HERE / "dakota.csv", ".")
    assert run(NEW) == 0


def head() -> str:
    last = read(GAME)[-1]
    return head_code(last.seq, last.hash)


def left(screen: OnAScreen) -> None:
    screen.press("q")
    screen.until("q again leaves")
    screen.press("q")
    assert screen.end() == 0


@pytest.mark.long
def test_the_game_by_keys_on_a_terminal_is_the_game_of_the_plain_table() -> None:
    table, counts = PlainTable(Desk(GAME), io.StringIO(), io.StringIO()), []
    for line in LINES:
        list(table.answer(line))
        counts.append(len(read(GAME)))
    wanted = entries()
    begin()
    screen = OnAScreen(GAME)
    screen.until("#3 ")
    for line, count in zip(LINES, counts, strict=True):
        screen.press(*keys_of(TablePage(Desk(GAME)), line))
        screen.until(f"#{count - 1} ")
        if line == "x":
            # A terminal cannot tell Esc and a letter from Alt and the letter, but by the time between them.
            time.sleep(0.2)
            screen.read(0)
    left(screen)
    assert entries() == wanted


def test_a_window_that_is_too_small_says_so_and_goes_on_when_it_grows() -> None:
    screen = OnAScreen(GAME)
    screen.until("energy forms to come: Constellation")
    screen.resize(59, 20)
    screen.until("this window is 59 × 20")
    screen.resize(120, 40)
    screen.until("forward hull")
    left(screen)


def test_without_colour_no_colour_is_written() -> None:
    screen = OnAScreen(GAME, NO_COLOR="1")
    screen.until("energy forms to come: Constellation")
    left(screen)
    assert not re.search(rb"\x1b\[[0-9;]*\b(?:3[0-7]|4[0-7]|9[0-7]|38|48)[;m]", screen.written)


def test_a_terminal_is_needed(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["table", GAME]) == 2
    assert "--plain" in capsys.readouterr().err


def kill_and_go_on(times: int, seed: int) -> None:
    """Plays with random keys, is killed at random moments, and begins anew: what the screen showed as entered is in
    the record, and what is in the record is on the screen."""
    chance = random.Random(seed)
    for _ in range(times):
        screen = OnAScreen(GAME, loaded=True)
        screen.until(head())
        for _ in range(chance.randint(1, 6)):
            play(screen, chance)
        while screen.read(0.3):
            pass
        shown = HEAD.search(screen.shown)
        assert shown is not None, screen.shown
        before = [entry.hash for entry in read(GAME)]
        assert head_code(int(shown[1]), before[int(shown[1])]) == shown[0]
        play(screen, chance)
        time.sleep(chance.random() * 0.1)
        screen.read(0)
        screen.kill()
        acknowledged = HEAD.search(screen.shown)
        after = [entry.hash for entry in read(GAME)]
        assert after[: len(before)] == before
        if acknowledged is not None:
            assert int(acknowledged[1]) < len(after)


def play(screen: OnAScreen, chance: random.Random) -> None:
    """Some keys that a table presses."""
    some = chance.choice((["a"], ["l"], ["r"], ["enter"], ["n"], ["n"], ["n"], ["f", "1", "enter"], ["u", "enter"], ["4", "enter"], ["s"], ["x"]))  # fmt: skip
    if some == ["s"]:
        some = ["s", "enter"] if "against the rules" in screen.shown else ["colon", *"noted", "enter"]
    screen.press(*some)


@pytest.mark.parametrize(
    ("seed", "times"),
    mostly_long([(1, 2), *((seed, 4) for seed in range(1, 51))], lambda seed, times: times == 2),
)
def test_what_the_screen_showed_outlives_a_kill(seed: int, times: int) -> None:
    for said in ("w s 12", "c s 13"):
        assert Desk(GAME).say(said).entered
    kill_and_go_on(times, seed)
