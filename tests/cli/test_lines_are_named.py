"""A line of an energy form is told with its name and its cell, as its player finds it: `line 14 Movement (C16)`."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import referee
from referee.core.forms import FormLines
from referee.rulebooks.registry import load_rulebook
from tests.cli.conftest import Run
from tests.program_text import nodes_of

ROOT = Path(referee.__file__).parent
ROOMS = (
    "rulebooks",
    "adjudicator",
    "logs",
    "play",
    "sources",
    "judging",
    "formats/sheets",
    "formats/eaform.py",
)
BARE = re.compile(r"\bline ([0-9]{1,2})\b(?! to )( ?[A-Z][A-Za-z ]*)?")
LINES = load_rulebook("sfb-standard").lines


def texts(path: Path) -> Iterator[str]:
    """The strings of a module that are no docstrings, each as one, with a mark for what is filled in."""
    nodes = nodes_of(path)
    parts = {id(part) for node in nodes if isinstance(node, ast.JoinedStr) for part in node.values}
    said = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    for node in nodes:
        if isinstance(node, ast.JoinedStr):
            yield "".join(str(one.value) if isinstance(one, ast.Constant) else "\0" for one in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in said | parts:
            yield node.value


def titles(number: str) -> tuple[str, ...]:
    """What a line and its parts are called."""
    return tuple(name for line, name in LINES.titles.items() if line.partition(":")[0] == number)


@pytest.mark.parametrize("room", ROOMS)
def test_no_message_names_a_line_by_its_number_alone(room: str) -> None:
    paths = [ROOT / room] if room.endswith(".py") else sorted((ROOT / room).rglob("*.py"))
    bare = [
        (path.name, text)
        for path in paths
        for text in texts(path)
        for found in BARE.finditer(text)
        if text != found[0] and not (found[2] or "").strip().startswith(titles(found[1]))
    ]
    assert not bare


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ("14", "line 14 Movement"),
        ("10:PHOT/A", "line 10 PHOT A"),
        ("13:2", "line 13 Shield Reinforcement 2"),
        ("9:held", "line 9 Phaser Capacitor"),
        ("19:cloak", "line 19 Cloak"),
        ("speed", "line Speed"),
    ],
)
def test_a_line_is_called_what_its_row_is(line: str, named: str) -> None:
    assert LINES.named(line) == named


def test_lines_without_names_keep_their_numbers() -> None:
    assert FormLines().named("14") == "line 14" and FormLines().named("10:PHOT/A") == "line 10 PHOT/A"


FORM = """Ship,cadet/federation-ca
Turn,1
Warp Power,16
Impulse Power,2
Reactor Power,2
Total Power,19
Movement,17
Photon A,2
"""


def test_findings_and_the_energy_table_name_the_line_and_the_cell(referee: Run, own_folder: Path) -> None:
    (own_folder / "f.csv").write_text(FORM, encoding="utf-8")
    told = referee("check", "f.csv").out
    assert "f.csv:B6 line 4 Total Power  error [B3.0-4]" in told
    assert "fix: write 20 on line 4 Total Power (B6)" in told
    assert "line 14 Movement (B7)" in told.partition("Energy\n")[2]
    report = referee("check", "f.csv", "--json").json
    assert [one["line"] for one in report["findings"] if one["key"] == "B3.0-4"] == ["line 4 Total Power"]
    (ledger,) = report["ledgers"]
    tubes = {row["line"]: (row.get("name"), row.get("cell")) for row in ledger["lines"]}
    assert tubes == {"14": ("Movement", "B7"), "10:PHOT/A": ("PHOT A", "B8")}
    for kind in ("html", "markdown"):
        text = referee("check", "f.csv", "--format", kind).out
        assert "line 4 Total Power" in text, kind
    assert "line 10 PHOT A (B8)" in referee("check", "f.csv", "--format", "html").out
