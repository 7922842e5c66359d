"""`referee check` on many files as programs and pages have it; what people read is in `tests/net/said`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from shutil import copy

import pytest

from tests.cli.conftest import Run
from tests.conftest import ROOT

DUEL = ROOT / "examples" / "duel"


@pytest.fixture
def folder(own_folder: Path) -> Path:
    """A folder with files of the duel, one that cannot be read and a folder in it."""
    for name in ("duel.vsav", "constellation.csv", "standard-form.csv", "state.json", "house.toml"):
        copy(DUEL / name, name)
    Path("broken.csv").write_text("nothing\n")
    Path("by_mail").mkdir()
    return own_folder


def test_each_file_has_its_verdict(referee: Run, folder: Path, holds: Callable[[object], None]) -> None:
    for form, row in (
        ("markdown", "| broken.csv |  | unreadable | no header row"),
        ("html", "<tr><td>broken.csv</td><td></td><td>unreadable</td><td>no header row"),
    ):
        page = referee("check", ".", "--format", form).out
        assert row in page and "1 legal, 2 illegal, 1 unreadable." in page
    told = referee("check", ".", "--json")
    assert "broken.csv: no header row" in told.err
    report = told.json
    holds(report)
    assert report["folders_not_looked_into"] == ["by_mail"]
    assert {file["file"]: (file["verdict"], file.get("errors")) for file in report["files"]} == {
        "broken.csv": ("unreadable", None), "constellation.csv": ("illegal", 4), "duel.vsav": ("illegal", 8),
        "standard-form.csv": ("legal", 0),
    }  # fmt: skip
    assert all(found["location"]["file"] for found in report["findings"])
    assert {ledger["file"] for ledger in report["ledgers"]} == {f["file"] for f in report["files"][1:]}


def test_a_far_folder_is_named_once(referee: Run) -> None:
    ran = referee("check", DUEL, "--summary")
    assert ran.code == 1 and ran.out.startswith(f"{DUEL}:\n") and ran.out.endswith("\n3 legal, 4 illegal\n")
    assert "duel.vsav            ILLEGAL           8  CA Constellation, D6 Destruction\n" in ran.out
