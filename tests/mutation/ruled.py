"""Which functions of the rulebooks are put to the test, and of which chapter each is.

Those registered as rules, every function of the rulebooks that they call however deep, and what the starship
battle games offer to the table (`PROCEDURES`). Trek's documents and records, and what reads a game that was seen,
only ask these: they tell, and rule nothing.
"""

from __future__ import annotations

import ast
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from pathlib import Path

from referee.rulebooks.registry import load_rulebook, rulebook_ids
from tests.write_corpus import chapter_of

RULEBOOKS = Path(__file__).resolve().parents[2] / "referee" / "rulebooks"
FOLDERS = ("sfb", "cadet", "standard", "trek")
ONLY_SEEN = "seen_"
"""What the modules begin with that read a log or a save."""

Key = tuple[str, str]
"""A function: its module, and its name there with that of its class."""


@dataclass(eq=False)
class Code:
    """The functions and constants of the rulebooks, and what each module imports of the others."""

    functions: dict[Key, ast.FunctionDef] = field(default_factory=dict)
    constants: dict[Key, ast.AST] = field(default_factory=dict)
    imported: dict[Key, Key] = field(default_factory=dict)
    methods: dict[str, list[Key]] = field(default_factory=dict)
    imports: dict[str, set[str]] = field(default_factory=dict)

    @cache  # noqa: B019
    def known_to(self, module: str) -> frozenset[str]:
        """The modules whose classes a module may meet: those it imports, and what these import."""
        found, waiting = {module}, [module]
        while waiting:
            new = self.imports.get(waiting.pop(), set()) - found
            found |= new
            waiting += new
        return frozenset(found)

    def called(self, key: Key) -> Iterator[Key]:
        """The functions a function may call: by name, and the methods of the name of an attribute it asks for."""
        waiting: list[tuple[str, ast.AST]] = [(key[0], self.functions[key])]
        seen: set[Key] = set()
        while waiting:
            module, code = waiting.pop()
            for node in ast.walk(code):
                if isinstance(node, ast.Attribute):
                    known = self.known_to(key[0])
                    yield from (each for each in self.methods.get(node.attr, ()) if each[0] in known)
                elif isinstance(node, ast.Name):
                    named = self.imported.get((module, node.id), (module, node.id))
                    if named in self.functions:
                        yield named
                    elif named in self.constants and named not in seen:
                        seen.add(named)
                        waiting.append((named[0], self.constants[named]))


@cache
def code() -> Code:
    """All code of the rulebooks."""
    read = Code()
    for path in sorted(path for folder in FOLDERS for path in (RULEBOOKS / folder).rglob("*.py")):
        module = ".".join(("referee", "rulebooks", *path.relative_to(RULEBOOKS).with_suffix("").parts))
        text = ast.parse(path.read_text(encoding="utf-8"))
        read.imports[module] = {
            node.module
            for node in ast.walk(text)
            if isinstance(node, ast.ImportFrom)
            and node.module
            and node.module.startswith(tuple(f"referee.rulebooks.{folder}." for folder in FOLDERS))
        }
        for node in text.body:
            if isinstance(node, ast.FunctionDef):
                read.functions[module, node.name] = node
            elif isinstance(node, ast.ClassDef):
                for method in (each for each in node.body if isinstance(each, ast.FunctionDef)):
                    key = module, f"{node.name}.{method.name}"
                    read.functions[key] = method
                    # What a class does by itself when it is made is asked for by the name of the class.
                    name = node.name if method.name.startswith("__") else method.name
                    read.methods.setdefault(name, []).append(key)
            elif isinstance(node, ast.ImportFrom) and node.module:
                for name in node.names:
                    read.imported[module, name.asname or name.name] = node.module, name.name
            elif isinstance(node, ast.Assign | ast.AnnAssign):
                for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                    if isinstance(target, ast.Name):
                        read.constants[module, target.id] = node
    return read


def registered() -> dict[Key, str]:
    """The functions registered as rules, each with the chapter of its first."""
    found: dict[Key, str] = {}
    for rulebook in rulebook_ids():
        for rule in load_rulebook(rulebook).rules.values():
            key = rule.decide.__module__, rule.decide.__qualname__
            found.setdefault(key, f"{key[0].split('.')[2]} {chapter_of(rulebook, rule.key)}")
    return found


@cache
def numbers() -> dict[Key, str]:
    """The functions registered as rules, each with the key of its rule."""
    books = map(load_rulebook, rulebook_ids())
    rules = (rule for book in books for rule in book.rules.values())
    return {(rule.decide.__module__, rule.decide.__qualname__): rule.key for rule in rules}


def offered() -> set[Key]:
    """The functions and methods of classes that the starship battle games offer to the table."""
    found = set()
    for folder in ("sfb", "cadet", "standard"):
        package = import_module(f"referee.rulebooks.{folder}")
        for where in package.PROCEDURES.values() if hasattr(package, "PROCEDURES") else ():
            module, _, name = where.partition(":")
            if not module.startswith(ONLY_SEEN):
                found |= {
                    key
                    for key in code().functions
                    if key[0] == f"{package.__name__}.{module}" and key[1].partition(".")[0] == name
                }
    return found


@cache
def ruled() -> dict[Key, str]:
    """The functions that are tested, each with its chapter: that of the nearest rule that calls it, else of the
    nearest that it calls."""
    read = code()
    chapters = _spread(registered(), {key: set(read.called(key)) for key in read.functions})
    reached = _spread(dict.fromkeys(offered(), ""), {key: set(read.called(key)) for key in read.functions})
    callers: dict[Key, set[Key]] = {key: set() for key in read.functions}
    for key in reached:
        for called in read.called(key):
            callers[called].add(key)
    upwards = _spread(chapters, callers)
    return {
        key: chapters.get(key) or upwards.get(key, f"{key[0].split('.')[2]} offered")
        for key in read.functions
        if key in chapters or key in reached
    }


def _spread(start: dict[Key, str], to: dict[Key, Iterable[Key]] | dict[Key, set[Key]]) -> dict[Key, str]:
    """Everything reached from a start, with what stands at the start nearest to it."""
    found, waiting = dict(start), deque(start)
    while waiting:
        key = waiting.popleft()
        for other in sorted(to[key]):
            if other not in found:
                found[other] = found[key]
                waiting.append(other)
    return found
