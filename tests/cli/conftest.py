"""Running the program: in this process where speed matters, as a process where the process matters."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from json import loads
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from referencing import Registry

from tests.conftest import ROOT
from tests.net.command import Ran, command

Run = Callable[..., Ran]


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Each test runs in an empty folder, without settings from outside."""
    monkeypatch.chdir(tmp_path)
    for name in list(os.environ):
        if (name.startswith("REFEREE_") and name != "REFEREE_HOME") or name in ("NO_COLOR", "FORCE_COLOR"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("COLUMNS", "1000")  # A sentence is one line, but where its breaks are what is tested.
    return tmp_path


@pytest.fixture
def referee() -> Run:
    """Runs the command line in this process."""
    return command


@pytest.fixture
def program() -> Run:
    """Runs `python -m referee` as a player would, in the folder of the test."""

    def once(*arguments: str | Path, stdin: bytes = b"", **environment: str) -> Ran:
        done = subprocess.run(
            [sys.executable, "-m", "referee", *map(str, arguments)],
            input=stdin,
            capture_output=True,
            timeout=60,
            check=False,
            env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
        )
        return Ran(done.returncode, done.stdout.decode(), done.stderr.decode())

    return once


@contextmanager
def hearing_ctrl_c() -> Iterator[None]:
    """What is started inside hears SIGINT: where the tests run in the background of a shell (`nohup … &`),
    every process inherits that it is ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@pytest.fixture(scope="session")
def holds() -> Callable[[Any], None]:
    """Holds a document against the schema it names; no schema is fetched from anywhere."""
    validators: dict[str, Draft202012Validator] = {}
    for path in sorted((ROOT / "schemas").glob("*.schema.json")):
        schema = loads(path.read_bytes())
        validators[schema["$id"]] = Draft202012Validator(schema, registry=Registry())

    def hold(document: Any) -> None:
        name = document["schema"]
        assert name in validators, f"no schema {name} in schemas/"
        problems = [f"{error.json_path}: {error.message}" for error in validators[name].iter_errors(document)]
        assert not problems, problems[:5]

    return hold


@pytest.fixture
def d6_shield_8(tmp_path: Path, referee: Run) -> Iterator[Path]:
    """The D6 of the book's example when the decisive volley strikes: 10 boxes on shield 2, 8 on shield 1."""
    first, second = tmp_path / "after-phasers.json", tmp_path / "after-photon.json"
    shot = ("volley", "cadet/klingon-d6", "--json", "--damage")
    assert referee(*shot, "2", "--shield", "2", "--state-out", first).code == 0
    assert referee(*shot, "8", "--shield", "1", "--state", first, "--state-out", second).code == 0
    yield second
