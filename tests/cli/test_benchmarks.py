"""The benchmarks run, and compare readers that read the same."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT


def counted(reader: str, save: Path) -> list[str]:
    done = subprocess.run(
        [sys.executable, ROOT / "benchmarks" / "decode.py", "--one", reader, save],
        capture_output=True, text=True, timeout=60, check=True, env={"PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    return done.stdout.split()[2:]


def test_both_readers_find_the_same(duel: Path) -> None:
    pieces, traits = counted("referee", duel / "duel.vsav")
    assert (int(pieces), int(traits)) == (8, 18)
    assert counted("literal", duel / "duel.vsav") == [pieces, traits]


@pytest.mark.long
def test_start_up_is_measured(duel: Path) -> None:
    code = "import startup; startup.report(startup.measure(1))"
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
        cwd=ROOT / "benchmarks",
    )
    assert [line.split()[0] for line in done.stdout.splitlines()] == [
        "process",
        "hello",
        "check",
        "version",
        "check",
        "volley",
    ]


@pytest.mark.long
def test_an_audit_is_measured_against_decoding(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; import audit_speed as a; folder = Path(sys.argv[1])\n"
        "a.write_games(folder); a.against_decoding(folder, 1)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, tmp_path],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
        cwd=ROOT / "benchmarks",
    )
    lines = done.stdout.splitlines()
    assert [line.split()[0] for line in lines[:3]] == ["read", "dump", "audit"]
    assert [line.split()[-1] for line in lines[3:]] == ["x", "x"]


@pytest.mark.long
@pytest.mark.parametrize(
    ("script", "small"),
    [
        ("track_speed", ("--ships", "2", "--turns", "1", "--rounds", "1")),
        ("game_status", ("--entries", "100", "--rounds", "1")),
    ],
)
def test_a_game_is_made_and_measured(script: str, small: tuple[str, ...]) -> None:
    """Whether its target is met is no test's to say: the machine may be busy."""
    done = subprocess.run(
        [sys.executable, f"{script}.py", *small],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
        cwd=ROOT / "benchmarks",
    )
    assert done.returncode in (0, 1) and "target" in done.stdout, done.stderr
