"""Neither game needs the other: their tests are run in a copy from which the other is deleted."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[4]
TREK = ("trek",)
OTHERS = ("sfb", "cadet", "standard")
OF_TREK = (
    *("tests/unit/rulebooks/trek", "--deselect", "tests/unit/rulebooks/trek/test_trek_alone.py"),
    *("tests/cli/test_trek_verbs.py", "tests/cli/test_trek_game.py"),
)
OF_OTHERS = (
    "tests/cli/test_volley.py",
    "tests/cli/test_duel.py",
    "tests/cli/test_check.py",
)


@pytest.mark.long
@pytest.mark.parametrize(
    ("gone", "green", "left"),
    [(OTHERS, OF_TREK, "trek"), (TREK, OF_OTHERS, "sfb-cadet sfb-standard")],
    ids=["trek alone", "without trek"],
)
def test_neither_needs_the_other(
    gone: tuple[str, ...], green: tuple[str, ...], left: str, tmp_path: Path
) -> None:
    for part in ("referee", "schemas", "tests", "examples", "docs"):
        shutil.copytree(ROOT / part, tmp_path / part, ignore=shutil.ignore_patterns("__pycache__"))
    for file in ("pyproject.toml", "README.md"):
        shutil.copy(ROOT / file, tmp_path / file)
    for folder in gone:
        shutil.rmtree(tmp_path / "referee" / "rulebooks" / folder)
        shutil.rmtree(tmp_path / "tests" / "cases" / folder)
    probe = "import referee.rulebooks.registry as r; print(r.__file__); print(*r.rulebook_ids())"
    answer = _run(tmp_path, "-c", probe)
    file, ids = answer.stdout.splitlines()
    assert Path(file).is_relative_to(tmp_path) and ids == left
    answer = _run(tmp_path, "-m", "pytest", "-q", "-x", "-n0", "-p", "no:cacheprovider", *green)
    assert answer.returncode == 0, answer.stdout[-4000:]


def _run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Runs Python on the copy, and on nothing else of the project."""
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env={"PYTHONPATH": str(folder), "PATH": ""},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
