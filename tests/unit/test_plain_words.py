"""What people read is plain: messages, hints, helps, rules as `explain` prints them, and pages hold none of the wordings
that had to be read twice."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence

import pytest

from referee.rulebooks.registry import load_rulebook, rulebook_ids
from tests.conftest import ROOT
from tests.program_text import nodes_of

NOT_PLAIN = re.compile(
    r"\bmend(?:s|ed|ing)?\b|\bwants? (?:\w+ )?energy\b|\bfor want of\b|\b(?:is|are|was|were) told\b(?! apart)|\bmisshapen\b|\bnot said\b|\bturns running\b"
    r"|\bheld against nothing\b|\bnobody knows what\b|\bwhat of what\b|\bsays what fits\b|\btill\b",
    re.IGNORECASE,
)
CODE = re.compile(r"```.*?```|`[^`]*`", re.DOTALL)
LOGGED = {
    "referee/logs/cancellations.py",
    "referee/formats/vassal/spoken.py",
    "referee/logs/spoken_results.py",
}
"""Modules whose texts are what players type in chat."""


def texts(nodes: Sequence[ast.AST]) -> Iterator[tuple[int, str]]:
    """The texts of three words or more in a module that are not about the code itself."""
    about = {
        id(node.value)
        for node in nodes
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    for node in nodes:
        if not isinstance(node, ast.Constant) or not isinstance(node.value, str) or id(node) in about:
            continue
        if " " in node.value and len(re.findall(r"[A-Za-z]{2,}", node.value)) >= 3:
            yield node.lineno, node.value


def test_messages_hints_and_helps_are_plain() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{line}: {hit[0]!r} in {text[:90]!r}"
        for path in sorted((ROOT / "referee").rglob("*.py"))
        if path.relative_to(ROOT).as_posix() not in LOGGED
        for line, text in texts(nodes_of(path))
        if (hit := NOT_PLAIN.search(text))
    ]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("id", rulebook_ids())
def test_rules_are_explained_plainly(id: str) -> None:
    rules = load_rulebook(id).rules.values()
    found = [
        f"{rule.key}: {hit[0]}" for rule in rules if (hit := NOT_PLAIN.search(f"{rule.title} {rule.text}"))
    ]
    assert not found, "\n".join(found)


def test_pages_are_plain() -> None:
    pages = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
    found = [
        f"{page.relative_to(ROOT)}: {hit[0]!r} in {text[max(0, hit.start() - 40) : hit.end() + 20]!r}"
        for page in pages
        for text in [CODE.sub("", page.read_text(encoding="utf-8"))]
        for hit in NOT_PLAIN.finditer(text)
    ]
    assert not found, "\n".join(found)


def test_a_wording_that_is_planted_is_found() -> None:
    planted = 'raise BadInput(f"{ship} wants warp energy for it")\n"""What is told of it."""\nname = "B3.0-15/mended"\n'
    nodes = tuple(ast.walk(ast.parse(planted)))
    assert [text for _, text in texts(nodes) if NOT_PLAIN.search(text)] == [" wants warp energy for it"]
