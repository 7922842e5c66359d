"""The program's own text as it is parsed, once for all the tests that read it."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path


@cache
def tree_of(path: Path) -> ast.Module:
    """A module's tree."""
    return ast.parse(path.read_text(encoding="utf-8"), str(path))


@cache
def nodes_of(path: Path) -> tuple[ast.AST, ...]:
    """All nodes of a module, from the outside in."""
    return tuple(ast.walk(tree_of(path)))
