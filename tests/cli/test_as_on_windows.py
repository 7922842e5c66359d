"""Windows, where none is at hand: no `fcntl` and no `resource`, a console of another encoding, folders with
backslashes, and files that nobody may replace while a spreadsheet has them open."""

from __future__ import annotations

import errno
import json
import os
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from referee.core.errors import BadInput
from referee.formats.files import write_file
from tests.cli.conftest import Run
from tests.conftest import ROOT

AS_WINDOWS = """
import errno, json, os, signal, sys
import subprocess, tempfile, shutil, zipfile, multiprocessing, pathlib, random, ssl, asyncio.events
import typer.main, typer._click.core, lxml.etree, xlsxwriter, python_calamine, numpy, jsonschema, rich.console

class Hidden:
    def find_spec(self, name, path=None, target=None):
        if name in ("fcntl", "resource", "termios", "pwd", "grp", "tty", "pty", "readline"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

for name in ("fcntl", "resource", "termios", "pwd", "grp"):
    sys.modules.pop(name, None)
sys.meta_path.insert(0, Hidden())

class Msvcrt:
    # One byte of a file belongs to one descriptor at a time, wherever it stands.
    LK_NBLCK, LK_UNLCK, held = 2, 0, {}
    @classmethod
    def locking(cls, descriptor, mode, count):
        status, at = os.fstat(descriptor), os.lseek(descriptor, 0, os.SEEK_CUR)
        assert 256 << 20 < at < 1 << 31, "beyond the longest record, and within 32 bits"
        key = status.st_ino, at
        if mode == cls.LK_UNLCK:
            if cls.held.pop(key, None) != descriptor:
                raise OSError(errno.EACCES, "not locked")
        elif key in cls.held:
            raise OSError(errno.EACCES, "Permission denied")
        else:
            cls.held[key] = descriptor

sys.modules["msvcrt"] = Msvcrt
for name in ("O_NOFOLLOW", "O_NONBLOCK", "O_CLOEXEC", "fork", "getuid", "geteuid", "fdatasync", "sched_getaffinity"):
    if hasattr(os, name):
        delattr(os, name)
del signal.pthread_sigmask
sys.platform = "win32"
import referee.record.kernellock, referee.record.recordfile, referee.formats.files
from referee.cli.main import main
encoding = sys.stdout.encoding
for command in json.loads(sys.argv[1]):
    sys.argv, sys.stdout = ["referee", *command], open(1, "w", encoding=encoding, closefd=False)
    try:
        main()
    except SystemExit as ended:
        code = ended.code
    assert not Msvcrt.held, "a lock is kept"
    print("ended with", code, file=sys.stderr)
sys.exit(code)
"""


def as_on_windows(*commands: Sequence[str], **environment: str) -> subprocess.CompletedProcess[bytes]:
    """Commands in turn as on Windows: no libraries of Unix, and cp1252 for what goes into a pipe."""
    return subprocess.run(
        [sys.executable, "-X", "utf8=0", "-c", AS_WINDOWS, json.dumps(commands)],
        capture_output=True, timeout=60, check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT), "LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", **environment},
    )  # fmt: skip


def codes(ran: subprocess.CompletedProcess[bytes]) -> list[int]:
    """What each command ended with."""
    said = ran.stderr.decode()
    assert "Traceback" not in said, said
    return [int(code) for code in re.findall(r"^ended with (.*)$", said, re.MULTILINE)]


def test_forms_are_judged_and_written(own_folder: Path) -> None:
    form = str(ROOT / "examples" / "duel" / "constellation.csv")
    ran = as_on_windows(
        ("check", form),
        ("check", form, "--json"),
        ("form", "blank", "cadet/federation-ca", "-o", "form.xlsx"),
        ("form", "blank", "cadet/federation-ca", "-o", "form.csv"),
        ("check", "form.xlsx"),
        ("volley", "standard/klingon-d7", "--damage", "45", "--shield", "1", "--seed", "a", "-o", "v.svg"),
        ("check", str(ROOT / "examples" / "duel" / "duel.vsav")),
        ("odds", "cadet/klingon-d6", "--internals", "5", "--volleys", "1000", "--workers", "1"),
    )
    assert codes(ran) == [1, 1, 0, 0, 0, 0, 1, 0], ran.stderr.decode()
    assert b"\r" not in Path("v.svg").read_bytes()


def test_a_record_is_begun_played_and_verified(own_folder: Path) -> None:
    ships = ("--ship", "A=cadet/federation-ca:alice@1010D/8", "--ship", "B=cadet/klingon-d6:bob@1015A/8")
    ran = as_on_windows(
        ("game", "new", "g.jsonl", "--players", "alice,bob", "--dice", "seed", "--seed", "s", *ships),
        ("game", "say", "g.jsonl", "A: speed 8", "--as", "alice"),
        ("roll", "2d6", "--game", "g.jsonl", "--as", "alice", "--for", "luck"),
        ("game", "status", "g.jsonl"),
        ("record", "verify", "g.jsonl"),
        ("record", "head", "g.jsonl"),
        ("game", "undo", "g.jsonl", "--last", "--agreed", "alice,bob", "--reason", "a slip"),
    )
    assert set(codes(ran)) <= {0, 1} and len(codes(ran)) == 7, ran.stderr.decode()
    assert b"\r" not in Path("g.jsonl").read_bytes(), "a record has the same bytes on every machine"


@pytest.mark.long
def test_a_game_by_mail_is_joined_sealed_shown_and_told(own_folder: Path) -> None:
    ships = ("--ship", "A=cadet/federation-ca:alice@2801E/16", "--ship", "B=cadet/klingon-d6:bob@0216B/16")
    ran = as_on_windows(
        ("game", "new", "g.jsonl", "--players", "alice,bob", "--dice", "peer", *ships),
        ("game", "join", "g.jsonl", "--as", "alice"),
        ("seal", "--game", "g.jsonl", str(ROOT / "examples/by_mail/constellation.csv"), "--ship", "A"),
        ("reveal", "--game", "g.jsonl", "--ship", "A"),
        ("game", "report", "g.jsonl", "-o", "report.html"),
        ("table", "g.jsonl", "--plain"),
    )
    assert codes(ran) == [0] * 6, ran.stderr.decode()
    assert b"\r" not in Path("g.jsonl").read_bytes()


@pytest.mark.long
def test_a_log_is_judged_and_replayed(own_folder: Path) -> None:
    log = str(ROOT / "examples/vassal/cadet-duel.vlog")
    ran = as_on_windows(
        ("check", log),
        ("replay", log, "-o", "game.html"),
        ("map", str(ROOT / "examples/duel/duel.vsav"), "-o", "map.svg"),
        ("corpus", "run", "--rule", "C3.2"),
    )
    assert codes(ran) == [1, 0, 0, 0], ran.stderr.decode()  # The log has its planted error.
    assert b"\r" not in Path("game.html").read_bytes()


@pytest.mark.parametrize("arguments", [
    pytest.param(("volley", "standard/klingon-d7", "--damage", "45", "--shield", "1", "--seed", "a"), marks=pytest.mark.long),
    pytest.param(("ship", "show", "standard/klingon-d7"), marks=pytest.mark.long),
    ("check", str(ROOT / "examples" / "duel" / "duel.vsav")),
    pytest.param(("explain", "B3.0-20"), marks=pytest.mark.long),
    pytest.param(("rulebook", "show", "sfb-standard"), marks=pytest.mark.long),
])  # fmt: skip
def test_what_goes_into_a_pipe_is_utf8_though_the_machine_has_another(arguments: tuple[str, ...]) -> None:
    plain = as_on_windows(arguments)
    assert plain.returncode in (0, 1), plain.stderr.decode()
    text = plain.stdout.decode("utf-8")
    asked = as_on_windows(arguments, PYTHONIOENCODING="cp1252")
    assert asked.returncode == plain.returncode
    assert asked.stdout.replace(b"\r\n", b"\n") == text.encode("cp1252", "backslashreplace")


def test_json_is_utf8(own_folder: Path) -> None:
    Path("form.csv").write_text("Ship,cadet/federation-ca\nLine,1\nWarp,2½\nGräf,1\n", encoding="utf-8")
    ran = as_on_windows(("check", "form.csv", "--json"))
    assert json.loads(ran.stdout.decode("utf-8"))["schema"] == "referee/check-report/1"


def test_a_file_that_another_program_has_open_is_not_lost(
    own_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("form.xlsx").write_bytes(b"old")

    def held(self: Path, target: Any) -> None:
        raise PermissionError(errno.EACCES, "The process cannot access the file", str(target))

    monkeypatch.setattr(Path, "replace", held)
    with pytest.raises(BadInput, match="is it open in another program"):
        write_file(Path("form.xlsx"), b"new")
    assert [(path.name, path.read_bytes()) for path in own_folder.iterdir()] == [("form.xlsx", b"old")]


def test_no_picture_or_page_tells_the_folders_of_who_made_it(referee: Run, own_folder: Path) -> None:
    """A name with backslashes is one file here, and folders on Windows: the last part alone is shown."""
    name = "C:\\Users\\Alice Smith\\games\\duel.vsav"
    Path(name).write_bytes((ROOT / "examples" / "duel" / "duel.vsav").read_bytes())
    for command in (
        ("check", name, "-o", "page.md"),
        ("replay", name, "-o", "p.html"),
    ):
        ran = referee(*command)
        assert ran.code in (0, 1), ran.err
        assert "Alice Smith" not in Path(command[-1]).read_text(encoding="utf-8"), command
