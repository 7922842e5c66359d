"""What a command loads: start-up is a feature, and a library pulled in by accident costs every run."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.test_game_examples import CADET, read, unsigned
from tests.conftest import ROOT, mostly_long

NEVER = {
    "numpy", "asyncio", "importlib.metadata", "importlib.resources", "jsonschema", "referencing", "rich", "xlsxwriter",
    "jinja2", "pydantic", "click", "http", "ssl", "tomllib", "zipfile", "tempfile", "logging", "multiprocessing",
    "xml.dom", "unittest", "sqlite3", "cryptography", "textual",
}  # fmt: skip
RUN = "import sys; from referee.cli.main import run; code = run(sys.argv[1:]); print(*sorted(sys.modules), file=sys.stderr)"


def loaded(code: str, *arguments: str | Path) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-c", code, *map(str, arguments)],
        capture_output=True, text=True, timeout=60, check=True, env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    return set(done.stderr.split())


def within(modules: set[str], names: set[str]) -> set[str]:
    return {module for module in modules for name in names if module == name or module.startswith(f"{name}.")}


def test_the_command_line_alone_loads_nothing_but_typer() -> None:
    modules = loaded("import sys, referee.cli.app; print(*sorted(sys.modules), file=sys.stderr)")
    assert not within(modules, NEVER | {"lxml", "python_calamine", "csv", "fractions", "decimal"})
    assert within(modules, {"referee"}) == {"referee", "referee.cli", "referee.cli.app"}


def test_the_version_is_said_without_loading_the_world() -> None:
    code = "import sys; sys.argv[1:] = ['--version']; from referee.cli import main as m\ntry: m.main()\nexcept SystemExit: pass\nprint(*sorted(sys.modules), file=sys.stderr)"
    modules = loaded(code)
    assert not within(modules, NEVER | {"typer", "lxml", "json", "dataclasses", "re", "fractions"})
    assert within(modules, {"referee"}) == {"referee", "referee.cli", "referee.cli.main"}


@pytest.mark.parametrize(
    ("name", "absent"),
    [
        ("duel.vsav", {"python_calamine", "csv", "referee.formats.vassal.module", "referee.formats.vassal.grid", "referee.formats.vassal.edit"}),
        ("constellation.csv", {"python_calamine", "lxml", "referee.formats.vassal", "referee.formats.archive"}),
        ("constellation.json", {"python_calamine", "lxml", "csv", "referee.formats.vassal", "referee.formats.archive"}),
        ("destruction.xlsx", {"csv", "referee.formats.vassal"}),
    ],
)  # fmt: skip
def test_a_check_loads_only_what_the_file_needs(duel: Path, name: str, absent: set[str]) -> None:
    modules = loaded(RUN, "check", duel / name)
    assert "referee.adjudicator.check" in modules
    # A workbook is written anew for the library that reads it.
    never = NEVER - {"zipfile"} if name.endswith(".xlsx") else NEVER
    assert not within(modules, never | absent)
    assert not within(
        modules,
        {
            "referee.record",
            "referee.chances",
            "referee.live",
            "referee.rulebooks.standard",
            "referee.rulebooks.trek",
        },
    )
    assert "referee.adjudicator.volley" not in modules


EXAMPLES = ROOT / "examples"


@pytest.mark.parametrize(
    ("most", "arguments"),
    [
        (10, ["--help"]),
        (14, ["game", "--help"]),
        (71, ["check", EXAMPLES / "duel" / "constellation.csv"]),
        (99, ["check", EXAMPLES / "duel" / "duel.vsav"]),
        (120, ["game", "status", EXAMPLES / "games" / "cadet-duel.jsonl"]),
        (227, ["check", EXAMPLES / "vassal" / "cadet-duel.vlog"]),
    ],
)
def test_common_commands_load_few_modules_of_ours(most: int, arguments: list[str | Path]) -> None:
    """They may only become fewer."""
    assert len(within(loaded(RUN, *arguments), {"referee"})) <= most


def test_other_commands_load_no_more(duel: Path) -> None:
    volley = loaded(RUN, "volley", "cadet/klingon-d6", "--internals", "3", "--seed", "s")
    assert not within(
        volley,
        NEVER - {"rich"}
        | {"lxml", "python_calamine", "csv", "referee.formats.vassal", "referee.adjudicator.check"},
    )
    explain = loaded(RUN, "explain", "E4.21")
    assert not within(
        explain, NEVER | {"lxml", "python_calamine", "csv", "referee.formats", "referee.adjudicator"}
    )
    hexes = loaded(RUN, "hex", "range", "0915", "1114")
    assert not within(
        hexes,
        NEVER
        | {"lxml", "python_calamine", "csv", "referee.formats", "referee.adjudicator", "referee.rulebooks"},
    )


@pytest.mark.parametrize(
    "command", mostly_long(["check", "volley", "ship", "show", "explain"], lambda command: command == "check")
)
def test_a_command_does_not_load_the_others(command: str) -> None:
    modules = loaded(RUN, command, "--help")
    ours = {name.removeprefix("referee.cli.") for name in within(modules, {"referee.cli"})}
    known = {"check": "check", "volley": "volley", "ship": "ship", "show": "show", "explain": "rules"}
    # The help of a group lists its commands and loads none of them.
    own = set() if command == "ship" else {known[command]}
    assert own == ours & {
        "check",
        "volley",
        "ship",
        "show",
        "rules",
        "form",
        "data",
        "hexes",
        "roll",
        "vassal",
    }


@pytest.mark.long
def test_only_what_signs_and_verifies_loads_the_library_for_it(own_folder: Path) -> None:
    ships = ("--ship", "A=cadet/federation-ca:alice", "--ship", "B=cadet/klingon-d6:bob")
    began = ("game", "new", "g.jsonl", "--players", "alice,bob", "--dice", "seed", "--seed", "s", *ships)
    assert "cryptography" in loaded(RUN, *began)
    for command in (("status",), ("next",), ("replay",), ("key",)):
        assert "cryptography" not in loaded(RUN, "game", command[0], "g.jsonl", *command[1:]), command
    assert "cryptography" in loaded(RUN, "game", "rule", "g.jsonl", "north is up", "--by", "alice")
    assert "cryptography" in loaded(RUN, "record", "verify", "g.jsonl")
    assert "cryptography" not in loaded(RUN, "record", "head", "g.jsonl")
    Path("plain.jsonl").write_bytes(b"".join(unsigned(read(CADET))[1]))
    assert "cryptography" not in loaded(RUN, "record", "verify", "plain.jsonl")
