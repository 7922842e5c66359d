"""`referee explain` knows every key a finding can carry: the keys are collected from the program's own text."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import get_args

import pytest

from referee.api.explaining import _matching, _named_in_the_book, _remarks
from referee.core.forms import ProblemKind
from referee.report.remarks import REMARKS
from referee.rulebooks.registry import load_rulebook, rulebook_ids
from tests.cli.conftest import Run
from tests.program_text import nodes_of

PACKAGE = Path(__file__).resolve().parents[2] / "referee"
KEY = re.compile(
    r"(?:NOTE|SHIP)/[a-z-]+|[A-Z]{1,5}[0-9]+\.[0-9]+(?:-[0-9]+)?(?:/[a-z-]+)?|(?:MAP|STACKING)(?:/[a-z-]+)?"
)
HELPERS = {
    ("asked.py", "note"): "NOTE", ("dice.py", "warning"): "NOTE", ("secret_notes.py", "_found"): "NOTE",
    ("ship_check.py", "finding"): "SHIP",
}  # fmt: skip
"""The functions that put `NOTE/` or `SHIP/` before the slug they are given, by where they are defined."""
TREK = {"warn", "_against"}
"""Those that put `trek-` before a number."""


def literals(node: ast.expr) -> Iterator[object]:
    """The texts and numbers an argument may be."""
    if isinstance(node, ast.Constant):
        yield node.value
    elif isinstance(node, ast.IfExp):
        yield from literals(node.body)
        yield from literals(node.orelse)


def helpers_in(path: Path, nodes: Iterable[ast.AST]) -> dict[str, str]:
    """The helpers a module can call, by the names it calls them, with what they put before a slug."""
    known = {name: kind for (file, name), kind in HELPERS.items() if path.name == file}
    for node in nodes:
        if isinstance(node, ast.ImportFrom):
            file = f"{(node.module or '').rpartition('.')[2]}.py"
            known |= {
                each.asname or each.name: HELPERS[file, each.name]
                for each in node.names
                if (file, each.name) in HELPERS
            }
    return known


def keys() -> Iterator[tuple[str, str]]:
    """Every key, with where it stands."""
    for path in sorted(PACKAGE.rglob("*.py")):
        if path.name == "remarks.py":
            continue
        nodes = nodes_of(path)
        place, helpers = str(path.relative_to(PACKAGE)), helpers_in(path, nodes)
        for node in nodes:
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and KEY.fullmatch(node.value):
                yield node.value, place
            if not isinstance(node, ast.Call):
                continue
            name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
            for said in [one for given in node.args[:2] for one in literals(given)]:
                if isinstance(node.func, ast.Name) and name in helpers and said == node_slug(node):
                    yield f"{helpers[name]}/{said}", place
                elif name in TREK and "trek" in place and isinstance(said, int):
                    yield f"trek-{said}", place
    yield from ((f"NOTE/{kind}", "adjudicator/check.py") for kind in get_args(ProblemKind))


def node_slug(node: ast.Call) -> object:
    """The first argument of a call, where it is a text."""
    return next((one for one in literals(node.args[0]) if isinstance(one, str)), None) if node.args else None


@pytest.fixture(scope="module")
def every() -> dict[str, str]:
    """Every key, and a place of it."""
    return dict(keys())


def test_the_keys_are_found(every: dict[str, str]) -> None:
    assert {
        "NOTE/begun",
        "NOTE/put-right-late",
        "NOTE/sealed-late",
        "NOTE/heading",
        "SHIP/track",
        "C1.0",
    } <= set(every)
    assert {"trek-29", "D6.132"} & set(every) and len(every) > 100


def test_every_key_is_explained(every: dict[str, str]) -> None:
    books = [load_rulebook(id) for id in rulebook_ids()]
    unexplained = {
        key: place
        for key, place in every.items()
        if not (_matching(key, books) or _named_in_the_book(key, books) or _remarks(key))
    }
    assert not unexplained


def test_nothing_is_explained_that_no_finding_carries(every: dict[str, str]) -> None:
    assert set(REMARKS) - set(every) == set()


def test_how_it_is_printed(referee: Run) -> None:
    ran = referee("explain", "note/begun")
    assert ran.code == 0 and ran.out.startswith(
        "NOTE/begun  A form that is only begun\n\nNone of the turn's spending is filled in"
    )
    assert referee("explain", "NOTE/begun", "--json").json["rules"][0]["rule"] == "NOTE"
    listed = referee("explain", "NOTE/dice").out.splitlines()
    assert len(listed) == sum(key.startswith("NOTE/dice") for key in REMARKS)
    every = referee("explain", "NOTE").out
    assert "B3.0-5  Batteries available" in every and "NOTE/ship" in every
    wrong = referee("explain", "NOTE/begone")
    assert wrong.code == 2 and "NOTE/begun" in wrong.err
