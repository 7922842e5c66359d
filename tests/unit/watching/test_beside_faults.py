"""What cannot be written beside a log is a fault, and what can is written all the same."""

from __future__ import annotations

from pathlib import Path

from referee.sources.asked import Asked
from referee.sources.inputs import read_input
from referee.sources.settings import Settings
from referee.watching.beside import Fault, FilesBeside
from tests.unit.watching.test_watch import log


def test_a_page_whose_place_is_a_folder_is_a_fault_and_the_record_is_kept(tmp_path: Path) -> None:
    (tmp_path / "game.vlog").write_bytes(log(1))
    (tmp_path / "game.html").mkdir()
    told = list(
        FilesBeside(Asked(Settings(), digests=False), ("Federation=ann", "Klingon=ben")).keep(
            read_input(str(tmp_path / "game.vlog"))
        )
    )
    assert [isinstance(one, Fault) for one in told] == [True, False]
    assert (tmp_path / "game.jsonl").is_file()


def test_a_log_replaced_by_a_shorter_one_has_its_record_taken_anew(tmp_path: Path) -> None:
    path, beside = tmp_path / "game.vlog", FilesBeside(Asked(Settings(), digests=False))
    counts = []
    for turns in (2, 1):
        path.write_bytes(log(turns))
        list(beside.keep(read_input(str(path))))
        counts.append(len((tmp_path / "game.jsonl").read_text().splitlines()))
    assert counts[1] < counts[0]
