"""`referee check` of many files: by several processes as by one, with a bar, and ended by Ctrl-C."""

from __future__ import annotations

import io
import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from shutil import copy

import pytest

from referee.cli import progress
from referee.core.finding import Report
from referee.judging import parallel_check, processes
from referee.sources.asked import Asked
from referee.sources.inputs import InputBytes
from tests.cli.conftest import Run, hearing_ctrl_c
from tests.conftest import ROOT, mostly_long

DUEL = ROOT / "examples" / "duel"


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    """Forms, saves, a file cut short and one that is not there."""
    names = []
    for number in range(4):
        for made in ("constellation.csv", "duel.vsav"):
            copy(DUEL / made, tmp_path / f"{number}-{made}")
            names.append(f"{number}-{made}")
    (tmp_path / "short.vsav").write_bytes((DUEL / "duel.vsav").read_bytes()[:700])
    return [*names[:3], "short.vsav", *names[3:], "none.csv"]


@pytest.mark.long
def test_a_cluster_says_what_one_says(referee: Run, files: list[str], program: Run) -> None:
    """A real scheduler and two worker processes on this machine; the files are sent to them."""
    distributed = pytest.importorskip("distributed")
    copy(ROOT / "examples" / "games" / "cadet-duel.jsonl", "game.jsonl")
    several = [*files, "game.jsonl"]
    alone = referee("check", *several, "--json", "--workers", "1")
    local = distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None, processes=True
    )
    with local as cluster:
        shared = referee("check", *several, "--json", "--cluster", cluster.scheduler_address)
    assert (shared.code, shared.out, shared.err) == (alone.code, alone.out, alone.err)


def test_a_cluster_has_its_own_workers(referee: Run, files: list[str]) -> None:
    ran = referee("check", *files, "--cluster", "tcp://127.0.0.1:1", "--workers", "2")
    assert ran.code == 2 and "its own workers" in ran.err


@pytest.mark.parametrize("form", mostly_long(["json", "full"], lambda form: form == "json"))
def test_two_workers_say_what_one_says(referee: Run, files: list[str], form: str) -> None:
    alone = referee("check", *files, "--format", form, "--workers", "1")
    shared = referee("check", *files, "--format", form, "--workers", "2")
    assert shared == alone
    assert alone.code == 2
    unread = alone.err if form == "json" else alone.out
    assert "short.vsav" in unread and "none.csv" in unread
    assert all(name in alone.out for name in files if name not in ("short.vsav", "none.csv"))


def test_standard_input_is_read_by_one(referee: Run, files: list[str]) -> None:
    form = (DUEL / "constellation.csv").read_bytes()
    ran = referee("check", "-", *files[:2], "--stdin-name", "said.csv", "--workers", "2", stdin=form)
    assert "said.csv" in ran.out


@pytest.mark.parametrize("number", ["-1", "65"])
def test_so_many_workers_there_are_not(referee: Run, files: list[str], number: str) -> None:
    ran = referee("check", *files, "--workers", number)
    assert ran.code == 2
    assert "1 to 64" in ran.err


def test_workers_start_where_they_pay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "cores", lambda: 4)
    small, large = tmp_path / "small", tmp_path / "large"
    small.write_bytes(b"x" * 1000)
    large.write_bytes(b"x" * parallel_check.SHARED)
    assert parallel_check._worth([str(small)] * 100) == 1
    assert parallel_check._worth([str(large)]) == 1
    assert parallel_check._worth([str(small), str(large), str(tmp_path / "none")]) == 1
    assert parallel_check._worth([str(large), str(large)]) == 4


def test_few_small_files_start_nothing() -> None:
    code = (
        "import sys\nfrom referee.cli.main import run\n"
        f"run(['check', {str(DUEL / 'constellation.csv')!r}, {str(DUEL / 'duel.vsav')!r}])\n"
        "sys.exit('multiprocessing' in sys.modules or 'concurrent.futures' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], check=False, capture_output=True, timeout=60, cwd=ROOT
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.one_in(2)
@pytest.mark.skipif(os.name != "posix", reason="terminals, and signals to a group of processes")
@pytest.mark.parametrize("workers", ["1", "2"])
def test_ctrl_c_ends_it_while_the_bar_is_drawn(files: list[str], workers: str, tmp_path: Path) -> None:
    ours, theirs = os.openpty()
    with hearing_ctrl_c():
        begun = subprocess.Popen(
            [sys.executable, "-m", "referee", "check", *[files[1]] * 3000, "--workers", workers],
            stdout=subprocess.PIPE, stderr=theirs, start_new_session=True, cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(ROOT), "TERM": "xterm"},
        )  # fmt: skip
    os.close(theirs)
    drawn = b""
    while b"judging" not in drawn:
        drawn += os.read(ours, 4096)
    os.killpg(begun.pid, signal.SIGINT)
    with suppress(OSError):  # what a terminal says when nobody writes to it any more
        while more := os.read(ours, 4096):
            drawn += more
    os.close(ours)
    out, _ = begun.communicate(timeout=30)
    assert begun.returncode == 130
    assert out == b""
    assert b"Traceback" not in drawn


class Terminal(io.StringIO):
    """A screen that keeps what was drawn on it."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(("patience", "drawn"), [(0.0, True), (3600.0, False)])
def test_a_bar_is_drawn_once_it_takes_long(
    monkeypatch: pytest.MonkeyPatch, patience: float, drawn: bool
) -> None:
    screen = Terminal()
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(progress, "PATIENCE", patience)
    assert list(progress.with_progress(iter(range(9)), 9)) == list(range(9))
    assert ("judging" in screen.getvalue()) is drawn


def test_no_bar_where_nobody_watches(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = io.StringIO()
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setattr(progress, "PATIENCE", 0.0)
    assert list(progress.with_progress(iter(range(9)), 9)) == list(range(9))
    assert not screen.getvalue()


def test_a_fault_with_one_file_does_not_lose_the_others(
    referee: Run, files: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    judge = parallel_check.judge_file

    def faulty(data: InputBytes, asked: Asked) -> Report:
        if data.name == files[1]:
            raise KeyError("9")
        return judge(data, asked)

    monkeypatch.setattr(parallel_check, "judge_file", faulty)
    ran = referee("check", *files[:3], "--workers", "1")
    assert ran.code == 70
    row = next(line for line in ran.out.splitlines() if line.startswith(Path(files[1]).name))
    assert "UNREADABLE: internal error (KeyError: '9')" in row and ran.err == ""
    assert files[0] in ran.out
    assert files[2] in ran.out
    assert referee("check", files[1]).code == 70
