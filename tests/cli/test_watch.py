"""`referee watch` as players run it: a process beside which VASSAL writes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from random import Random
from time import monotonic

import pytest

from tests.unit.formats.vassal.game_logs import legal_game, module_bytes, write_log

ROOT = Path(__file__).parents[2]
PATIENCE = 60.0
"""Seconds after which what was awaited does not come; it comes in one."""

HEARS_CONTROL_C = """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)
from referee.cli.main import main
main()
"""
"""The program, also where the tests run in the background and Ctrl-C is ignored."""


class Running:
    """A watch that runs, and the lines it has said."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        self.lines: list[str] = []
        self._more = threading.Condition()
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            with self._more:
                self.lines.append(line.rstrip("\n"))
                self._more.notify_all()

    def awaits(self, text: str) -> str:
        """The first line with a text, once it comes."""
        until = monotonic() + PATIENCE
        with self._more:
            while True:
                for line in self.lines:
                    if text in line:
                        return line
                assert self._more.wait(until - monotonic()), f"{text!r} never came: {self.lines}"


@contextmanager
def watching(folder: Path, *options: str) -> Iterator[Running]:
    """`referee watch` beside a test, ended with it."""
    process = subprocess.Popen(
        [sys.executable, "-c", HEARS_CONTROL_C, "watch", str(folder), *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    try:
        yield Running(process)
    finally:
        process.kill()
        process.wait(PATIENCE)


@pytest.mark.skipif(sys.platform == "win32", reason="Ctrl-C is sent in another way there")
def test_a_folder_is_watched_until_control_c(tmp_path: Path) -> None:
    module, games = tmp_path / "game.vmod", tmp_path / "games"
    module.write_bytes(module_bytes())
    games.mkdir()
    path = games / "game.vlog"
    with watching(games, "--module", str(module), "--player", "Federation=ann") as running:
        running.awaits("watching ")
        data = write_log(legal_game(Random(1), ships=2, turns=1)).data
        path.write_bytes(data[:300])
        (games / "junk.vsav").write_bytes(b"no save")
        path.write_bytes(data)
        running.awaits(f"{path}: LEGAL")
        running.awaits(f"{path.with_suffix('.html')}: its replay")
        running.awaits(f"{path.with_suffix('.jsonl')}: its record")
        running.awaits("junk.vsav: is not a VASSAL file")
        running.process.send_signal(signal.SIGINT)
        assert running.process.wait(PATIENCE) == 130
    assert not any("Traceback" in line for line in running.lines)


def test_a_folder_that_is_not_there_is_wrong_usage(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "referee", "watch", str(tmp_path / "none")],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 2 and done.stderr.count("\n") == 1, done.stderr


def test_once_judges_what_lies_there_and_ends(tmp_path: Path) -> None:
    path = tmp_path / "game.vlog"
    path.write_bytes(write_log(legal_game(Random(1), ships=2, turns=1)).data)
    (tmp_path / "junk.vsav").write_bytes(b"no save")
    done = subprocess.run(
        [sys.executable, "-m", "referee", "watch", str(tmp_path), "--once", "--only-judge"],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 0 and f"{path}: " in done.stdout and "junk.vsav" in done.stderr
    assert sorted(one.name for one in tmp_path.iterdir()) == ["game.vlog", "junk.vsav"]


def test_json_is_an_object_a_line(tmp_path: Path) -> None:
    path = tmp_path / "game.vlog"
    game = legal_game(Random(1), ships=2, turns=1)
    path.write_bytes(
        write_log(replace(game, written={(next(iter(game.ships)), 1): {"Total Used": "99"}})).data
    )
    (tmp_path / "junk\x1b[31m.vsav").write_bytes(b"no save")
    done = subprocess.run(
        [sys.executable, "-m", "referee", "watch", str(tmp_path), "--once", "--only-judge", "--json"],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        timeout=PATIENCE,
        check=False,
    )
    told = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 0 and not done.stderr and "\x1b" not in done.stdout
    assert {one["schema"] for one in told} == {"referee/watch/1"}
    found = [one for one in told if one["event"] == "finding"]
    assert found and not any(one["gone"] for one in found)
    (judged,) = (one for one in told if one["event"] == "judged")
    assert judged["file"] == str(path) and judged["findings"] == judged["new"] == len(found)
    assert any(one["event"] == "fault" and "junk" in one["text"] for one in told)
