"""The net knows the program from outside alone: whatever is moved or written anew inside, it stands."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

pytestmark = pytest.mark.net
TESTS = Path(__file__).parents[1]
DOORS = {"referee", "referee.cli.main", "referee.corpus.adapter", "referee.record.machine"}
"""The API, the command, the protocol by which cases are asked, and the clock and random bytes that are given."""
MARK = "pytest.mark.net"


def imported(path: Path) -> set[str]:
    """The modules a file imports, wherever in it."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found |= {f"{node.module}", *(f"{node.module}.{alias.name}" for alias in node.names)}
    return found


def of_the_net() -> set[Path]:
    """The files of the net: what stands here or bears its mark, and what these import of the tests."""
    marked = (path for path in TESTS.rglob("test_*.py") if MARK in path.read_text(encoding="utf-8"))
    waiting, found = [*marked, *Path(__file__).parent.glob("*.py")], set()
    while waiting:
        path = waiting.pop()
        if path not in found:
            found.add(path)
            files = (TESTS.parent.joinpath(*name.split(".")).with_suffix(".py") for name in imported(path))
            waiting += [file for file in files if file.is_file() and TESTS in file.parents]
    return found


def inside(path: Path) -> set[str]:
    """What a file imports from inside the program."""
    names = {name for name in imported(path) if name.partition(".")[0] == "referee"}
    return {name for name in names if name not in DOORS and name.rpartition(".")[0] not in DOORS}


def test_the_net_imports_nothing_from_inside() -> None:
    wrong = {str(path.relative_to(TESTS)): found for path in of_the_net() if (found := inside(path))}
    assert not wrong
    assert len(of_the_net()) > 10


def test_an_import_from_inside_is_seen(tmp_path: Path) -> None:
    path = tmp_path / "test_one.py"
    path.write_text(
        "import referee\nfrom referee.core.hexgrid import Hex\ndef f():\n    import referee.judging.files\n"
    )
    assert inside(path) == {"referee.core.hexgrid", "referee.core.hexgrid.Hex", "referee.judging.files"}
