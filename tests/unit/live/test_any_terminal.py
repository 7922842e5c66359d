"""The table on terminals of every kind: light and dark, of another encoding, Windows."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from rich.color import Color
from rich.style import Style

from referee.cli.main import run
from referee.live.screen import app
from tests.conftest import ROOT
from tests.program_text import nodes_of

GAME = "duel.jsonl"
NEW = ["init", "game", "--scenario", "4", "--record", GAME, "--players", "ann,bob", "--umpire", "uma", "--dice", "physical"]  # fmt: skip
GROUNDS = {
    "black": (0, 0, 0),
    "Campbell": (12, 12, 12),
    "white": (255, 255, 255),
    "One Half Light": (250, 250, 250),
}
COLOURED = {"Solarized light": (253, 246, 227), "Solarized dark": (0, 43, 54), "grey": (41, 41, 41)}
READABLE, LARGE = 3.6, 3.0
"""How much lighter one of two colours must be: as letters that are bold, and on a ground that is not quite white or black
(WCAG asks 3 of bold letters, 4.5 of small ones)."""


def lightness(colour: tuple[int, int, int]) -> float:
    parts = [(one / 255 / 12.92) if one <= 10 else ((one / 255 + 0.055) / 1.055) ** 2.4 for one in colour]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def contrast(one: tuple[int, int, int], other: tuple[int, int, int]) -> float:
    low, high = sorted((lightness(one), lightness(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("colour", [app.GREEN, app.AMBER, app.RED])
def test_every_colour_is_readable_on_light_and_on_dark(colour: str) -> None:
    shown = tuple(Color.parse(colour).get_truecolor())
    assert Color.parse(colour).number is not None and Color.parse(colour).number > 15, (
        "one of the terminal's own"
    )  # type: ignore[operator]
    assert all(contrast(shown, ground) >= READABLE for ground in GROUNDS.values())
    assert all(contrast(shown, ground) >= LARGE for ground in COLOURED.values())


def test_the_yellow_of_a_terminal_would_not_be() -> None:
    assert (
        contrast((205, 205, 0), GROUNDS["white"]) < LARGE and contrast((0, 205, 0), GROUNDS["white"]) < LARGE
    )


def test_every_look_has_one_of_these_colours_or_the_terminal_s_own_and_shows_without_colour() -> None:
    for look in app._LOOKS.values():
        assert look.color is None or look.color.name in (app.GREEN, app.AMBER, app.RED)
        assert look.bgcolor is None
    for look in app._COLOURLESS.values():
        assert look.color is None and look != Style()


# -- other encodings ---------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.chdir(tmp_path)
    assert run(NEW) == 0
    yield tmp_path


def plain(said: bytes, encoding: str) -> subprocess.CompletedProcess[bytes]:
    """The plain table, read and written as a pipe of Windows is."""
    given = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUTF8": "0", "PYTHONIOENCODING": encoding}
    table = [sys.executable, "-m", "referee", "table", "--plain", GAME]
    return subprocess.run(table, check=False, input=said, capture_output=True, env=given, timeout=120)


@pytest.mark.one_in(2)
@pytest.mark.parametrize("encoding", ["cp1252", "cp850", "ascii", "utf-8"])
def test_the_plain_table_reads_and_writes_in_every_encoding(folder: Path, encoding: str) -> None:
    arrow = "note an arrow → and a half ½ and a ship ▸\n".encode()
    lines = b"c s 16\n?\nships\nmap\nssd\nf\nexplain C3.3\n\x81\x8f\xff\nh\nquit\n"
    ran = plain(arrow + lines, encoding)
    told = ran.stdout.decode(encoding)
    assert ran.returncode == 0, ran.stderr
    assert "order: Constellation: speed 16" in told and "an arrow" in told.split("C3.3")[1]
    assert re.search(r">\nhead #\d+ [A-Z2-7-]+  \(paste it into chat\)$", told.rstrip())
    assert b"internal error" not in ran.stderr


def test_a_record_told_in_a_poorer_encoding_than_it_was_written_in(folder: Path) -> None:
    assert plain("note → ½ ▸\n".encode(), "utf-8").returncode == 0
    ran = plain(b"h\nquit\n", "cp1252")
    assert ran.returncode == 0 and b"\\u2192 \xbd \\u25b8" in ran.stdout


# -- Windows -----------------------------------------------------------------------------


def test_nothing_of_the_table_needs_what_windows_has_not() -> None:
    """No module of `live`, and of what it loads of ours at its top, imports what stands on Unix alone."""
    unix = {"fcntl", "termios", "tty", "pty", "pwd", "grp", "resource", "curses", "readline"}
    for path in sorted((ROOT / "referee" / "live").rglob("*.py")):
        nodes = nodes_of(path)
        names = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
        names |= {node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)}
        assert not unix & {name.partition(".")[0] for name in names}, path
        attributes = {node.attr for node in nodes if isinstance(node, ast.Attribute)}
        assert not attributes & {"SIGWINCH", "SIGTSTP", "SIGHUP", "fork", "getuid", "killpg"}, path
