"""A folder that is watched: real writes into it, looked at step by step."""

from __future__ import annotations

import gc
import os
from collections.abc import Callable
from pathlib import Path
from random import Random
from zipfile import ZipFile

import pytest

from referee.core.errors import BadInput
from referee.core.finding import Finding, Report, Severity
from referee.core.location import Location
from referee.judging.files import judge_file
from referee.sources.asked import Asked
from referee.sources.inputs import InputBytes
from referee.sources.settings import Settings
from referee.watching.folder import look_into
from referee.watching.output import judged_line
from referee.watching.watch import COARSE, GRACE, INTERVAL, MANY, PATIENCE, Keep, Watch
from tests.unit.formats.vassal.game_logs import legal_game, write_log

ASKED = Asked(Settings(), digests=False)


@pytest.fixture(scope="module", autouse=True)
def what_other_tests_left() -> None:
    """A watch that rests collects its garbage: without this it looks through all that other tests keep, each time."""
    gc.collect()
    gc.freeze()


class Heard:
    """What the watch said: new findings as `+KEY`, those that are gone as `-KEY`."""

    def __init__(self) -> None:
        self.said: list[str] = []
        self.faults: list[str] = []

    def finding(self, finding: Finding, *, gone: bool) -> None:
        self.said.append(f"{'-' if gone else '+'}{finding.key} {Path(finding.location.file).name}")

    def judged(self, path: str, report: Report, new: int, gone: int) -> None:
        self.line(judged_line(path, report, new, gone))

    def line(self, text: str) -> None:
        self.said.append(text)

    def fault(self, text: str) -> None:
        self.faults.append(text)

    def taken(self) -> list[str]:
        """What was said since this was asked last."""
        said, self.said = self.said, []
        return said


class Watched:
    """A watch whose time goes on as the test says."""

    def __init__(
        self, folder: Path, judge: Callable[[InputBytes], Report] | None = None, keep: Keep | None = None
    ) -> None:
        self.now = 0.0
        self.heard = Heard()
        judge = judge or (lambda source: judge_file(source, ASKED))
        self.watch = Watch(str(folder), judge, self.heard, keep=keep, clock=lambda: self.now)

    def until_idle(self, seconds: float = 0.0) -> list[str]:
        """What is said until nothing is left to do, some seconds later."""
        self.now += seconds
        for _ in range(200):
            if not self.watch.step():
                return self.heard.taken()
        raise AssertionError("the watch never rests")


def log(turns: int, seed: int = 1) -> bytes:
    """A log of a game that goes on, turn by turn."""
    return write_log(legal_game(Random(seed), ships=2, turns=turns)).data


def words(source: InputBytes) -> Report:
    """A file judged for a test: a finding for each line of its one entry."""
    with ZipFile(source.name) as archive:
        keys = archive.read("savedGame").decode().split()
    place = Location(source.name)
    return Report(tuple(Finding(key, Severity.ERROR, "wrong", location=place) for key in keys))


def save(path: Path, *keys: str) -> Path:
    """A file in which these are found."""
    with ZipFile(path, "w") as archive:
        archive.writestr("savedGame", " ".join(keys))
    return path


def test_a_log_is_judged_as_it_is_written(tmp_path: Path) -> None:
    watched = Watched(tmp_path)
    assert watched.until_idle() == []
    path = tmp_path / "game.vlog"
    path.write_bytes(log(1))
    said = watched.until_idle()
    assert said[-1].startswith(f"{path}: ")
    path.write_bytes(log(2))
    assert watched.until_idle(1)[-1].startswith(f"{path}: ")
    assert not watched.heard.faults


def test_only_what_is_new_and_what_is_gone_is_said(tmp_path: Path) -> None:
    watched, path = Watched(tmp_path, words), tmp_path / "game.vsav"
    save(path, "A", "B", "B")
    assert watched.until_idle() == [
        "+A game.vsav",
        "+B game.vsav",
        "+B game.vsav",
        f"{path}: ILLEGAL, 3 findings (3 new)",
    ]
    save(path, "B", "C")
    assert watched.until_idle(1) == [
        "+C game.vsav",
        "-A game.vsav",
        "-B game.vsav",
        f"{path}: ILLEGAL, 2 findings (1 new, 2 gone)",
    ]
    save(path)
    assert watched.until_idle(1)[-1] == f"{path}: LEGAL, nothing found (2 gone)"


def test_the_same_bytes_written_again_say_nothing(tmp_path: Path) -> None:
    watched, path = Watched(tmp_path, words), save(tmp_path / "game.vsav", "A")
    assert watched.until_idle()
    os.utime(path, (1, 1))
    assert watched.until_idle(1) == []


def test_a_write_within_one_tick_of_the_clock_of_files_is_seen(tmp_path: Path) -> None:
    """Some file systems count time in steps of two seconds: the same size and time, other bytes."""
    watched, path = Watched(tmp_path, words), save(tmp_path / "game.vsav", "A")
    assert watched.until_idle()
    stamp = look_into(str(tmp_path))[0][str(path)]
    save(path, "B")
    watched.watch.files[str(path)].stamp = look_into(str(tmp_path))[0][str(path)]
    assert watched.until_idle(1) == []
    assert "+B game.vsav" in watched.until_idle(COARSE)
    assert look_into(str(tmp_path))[0][str(path)].size == stamp.size


def test_a_file_that_is_still_being_written_is_waited_for(tmp_path: Path) -> None:
    watched, path = Watched(tmp_path), tmp_path / "game.vlog"
    whole = log(1)
    path.write_bytes(b"")
    assert watched.until_idle() == []
    for part in (10, 500, len(whole) - 1):
        path.write_bytes(whole[:part])
        assert watched.until_idle(PATIENCE - INTERVAL) == []
    path.write_bytes(whole)
    assert watched.until_idle(INTERVAL)[-1].startswith(f"{path}: ")
    assert not watched.heard.faults


def test_a_file_that_stays_cut_short_is_one_line(tmp_path: Path) -> None:
    watched, path = Watched(tmp_path), tmp_path / "game.vlog"
    path.write_bytes(log(1)[:700])
    for _ in range(5):
        watched.until_idle(PATIENCE)
    assert len(watched.heard.faults) == 1 and str(path) in watched.heard.faults[0]
    path.write_bytes(log(1))
    assert watched.until_idle(1)[-1].startswith(f"{path}: ")


def test_what_was_found_stands_while_a_file_cannot_be_read(tmp_path: Path) -> None:
    watched, path = Watched(tmp_path, words), save(tmp_path / "game.vsav", "A")
    watched.until_idle()
    path.write_bytes(b"half of it")
    watched.until_idle(1)
    watched.until_idle(PATIENCE)
    assert len(watched.heard.faults) == 1
    save(path, "A", "B")
    assert watched.until_idle(1) == ["+B game.vsav", f"{path}: ILLEGAL, 2 findings (1 new)"]


def test_a_file_put_in_the_place_of_another_is_judged(tmp_path: Path) -> None:
    watched, path = Watched(tmp_path, words), save(tmp_path / "game.vsav", "A")
    watched.until_idle()
    save(tmp_path / "game.vsav.tmp", "B").replace(path)
    assert watched.until_idle(1)[:2] == ["+B game.vsav", "-A game.vsav"]


def test_a_file_removed_and_written_again_at_once_is_the_same_file(tmp_path: Path) -> None:
    watched, path = Watched(tmp_path, words), save(tmp_path / "game.vsav", "A")
    watched.until_idle()
    path.unlink()
    assert watched.until_idle(1) == []
    save(path, "A", "C")
    assert watched.until_idle(0.5)[0] == "+C game.vsav"


def test_a_file_that_is_gone_for_good_is_said_once(tmp_path: Path) -> None:
    watched, path = Watched(tmp_path, words), save(tmp_path / "game.vsav", "A")
    watched.until_idle()
    path.unlink()
    watched.until_idle()
    assert watched.until_idle(GRACE) == [f"{path}: is no longer there"]
    assert watched.until_idle(GRACE) == []


def test_a_renamed_file_keeps_what_was_found(tmp_path: Path) -> None:
    watched, path = Watched(tmp_path, words), save(tmp_path / "game.vsav", "A")
    watched.until_idle()
    new = path.rename(tmp_path / "turn2.vsav")
    assert watched.until_idle(1) == [f"{new}: was {path}", f"{new}: ILLEGAL, 1 finding"]
    assert watched.until_idle(2 * GRACE) == []


def test_two_files_at_once(tmp_path: Path) -> None:
    watched = Watched(tmp_path, words)
    one, other = save(tmp_path / "a.vsav", "A"), save(tmp_path / "b.vsav", "B")
    os.utime(one, (1, 1))
    said = watched.until_idle()
    assert [line for line in said if line[0] == "+"] == ["+B b.vsav", "+A a.vsav"], "the newest first"
    assert f"{other}: ILLEGAL, 1 finding (1 new)" in said


def test_a_file_that_may_not_be_read_is_one_line(tmp_path: Path) -> None:
    watched, path = Watched(tmp_path), tmp_path / "game.vlog"
    path.symlink_to(tmp_path / "elsewhere")
    (tmp_path / "folder.vsav").mkdir()
    for _ in range(4):
        watched.until_idle(PATIENCE)
    assert watched.heard.faults == [f"{path}: is a symbolic link; give the file it points to"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names here")
def test_a_pipe_is_not_waited_on(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "game.vlog")
    watched = Watched(tmp_path)
    watched.until_idle()
    watched.until_idle(PATIENCE)
    assert watched.heard.faults == [f"{tmp_path / 'game.vlog'}: is not a regular file"]


@pytest.mark.parametrize("fault", [RuntimeError("odd"), MemoryError(), RecursionError("deep"), KeyError("x")])
def test_whatever_a_file_does_to_its_judge_the_next_is_judged(tmp_path: Path, fault: Exception) -> None:
    def judge(source: InputBytes) -> Report:
        if Path(source.name).name == "bad.vsav":
            raise fault
        return words(source)

    watched = Watched(tmp_path, judge)
    save(tmp_path / "bad.vsav", "A")
    good = save(tmp_path / "good.vsav", "A")
    said = watched.until_idle()
    said += watched.until_idle(COARSE)
    assert f"{good}: ILLEGAL, 1 finding (1 new)" in said
    assert len(watched.heard.faults) == 1 and "bad.vsav" in watched.heard.faults[0]


def test_a_flood_of_findings_is_cut(tmp_path: Path) -> None:
    watched, path = Watched(tmp_path, words), tmp_path / "game.vsav"
    save(path, *(f"K{n}" for n in range(MANY + 50)))
    said = watched.until_idle()
    assert len(said) == MANY + 2 and said[-2].startswith(f"{path}: 50 more")


def test_a_folder_that_comes_and_goes_is_said_once(tmp_path: Path) -> None:
    folder = tmp_path / "share"
    folder.mkdir()
    save(folder / "game.vsav", "A")
    watched = Watched(folder, words)
    watched.until_idle()
    folder.rename(tmp_path / "away")
    watched.until_idle(1)
    watched.until_idle(1)
    assert len(watched.heard.faults) == 1 and "looked for again" in watched.heard.faults[0]
    (tmp_path / "away").rename(folder)
    assert watched.until_idle(10 * GRACE) == [f"{folder}: is there again"], "nothing is said twice"


def test_a_folder_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput):
        Watch(str(tmp_path / "none"), words, Heard())


def test_hidden_files_and_others_are_left_alone(tmp_path: Path) -> None:
    for name in (".game.vlog", "~game.vlog", "notes.txt", "game.vlog.part"):
        (tmp_path / name).write_bytes(b"x")
    assert look_into(str(tmp_path)) == ({}, 0)


def test_after_a_restart_only_the_newest_log_has_its_page_written(tmp_path: Path) -> None:
    kept: list[str] = []
    old, new = save(tmp_path / "old.vlog", "A"), save(tmp_path / "new.vlog", "B")
    os.utime(old, (1, 1))

    def keep(source: InputBytes) -> list[str]:
        kept.append(Path(source.name).name)
        return []

    watched = Watched(tmp_path, words, keep)
    said = watched.until_idle()
    assert {line for line in said if line[0] == "+"} == {"+A old.vlog", "+B new.vlog"}
    assert kept == [new.name]
    save(old, "A", "C")
    watched.until_idle(1)
    assert kept == [new.name, old.name]


def test_what_fails_beside_a_log_is_one_line(tmp_path: Path) -> None:
    def keep(source: InputBytes) -> list[str]:
        raise OSError("disk full")

    watched = Watched(tmp_path, words, keep)
    save(tmp_path / "game.vlog", "A")
    watched.until_idle()
    assert len(watched.heard.faults) == 1 and "disk full" in watched.heard.faults[0]
    save(tmp_path / "game.vlog", "B")
    assert "+B game.vlog" in watched.until_idle(1)
