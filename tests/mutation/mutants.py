"""The mutants: every small change of a rule function that a case should notice.

The changes are those of mutmut, whose own program passes over decorated functions, as all rules are; besides them
each condition is taken as always and as never true. Left out is what is only read by people (messages, what to do,
why something is unknown, docstrings, type hints), and what changes nothing by the way it is made.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from hashlib import sha256

import libcst as cst
import libcst.matchers as m
from libcst.metadata import MetadataWrapper, PositionProvider
from mutmut.mutation.mutators import (
    mutation_operators,
    operator_string,
    operator_symmetric_string_methods_swap,
)

from tests.mutation.ruled import RULEBOOKS, Key, ruled

SAYS = {"error", "note", "warning", "undecided", "unknown", "say"}
"""The methods by which rules say what they find: their first argument is the message."""
IN_WORDS = {"fix", "hint", "message", "line", "why", "told", "reason", "example", "strict", "maxsize"}
"""Arguments that are words for people; and those that only guard against a slip of the programmer."""
SHOWN = {"expected", "found"}
"""Arguments that show a figure beside the message: the figure counts, but not whether it is shown."""
REFUSALS = {"BadInput", "ValueError", "TypeError", "KeyError", "AssertionError"}
PLACE_OF_MESSAGE = {"finding": 1, "Finding": 2, "NotChecked": 1, "IllegalChoice": 1, "cast": 0}
"""Where the message stands in a call; of `cast` the type."""
UNNAMED = {"Finding", "NotChecked", "Telling", "Decision"}
"""What is made without the number of its rule, which is put there later, whatever nothing is called until then."""
SURE = {"isinstance", "len", "cast"}


@dataclass(frozen=True)
class Mutant:
    """One change of one function."""

    id: str
    key: Key
    chapter: str
    line: int
    was: str
    now: str
    nth: int

    @property
    def place(self) -> str:
        """The file and the line, as an editor opens them."""
        return f"{path_of(self.key[0])}:{self.line}"


@dataclass
class Change:
    """What is changed to what, in which function."""

    function: cst.FunctionDef
    node: cst.CSTNode
    changed: cst.CSTNode


class Finder(cst.CSTVisitor):
    """Goes through a module and notes the changes of some functions."""

    METADATA_DEPENDENCIES = (PositionProvider,)

    def __init__(self, wanted: Iterable[str], module: cst.Module) -> None:
        super().__init__()
        self.wanted = set(wanted)
        self.module = module
        self.found: list[tuple[str, int, Change]] = []
        self.classes: list[str] = []
        self.functions: list[cst.FunctionDef] = []
        self.sentences: set[str] = set()

    def visit_ClassDef(self, node: cst.ClassDef) -> bool:  # noqa: N802
        self.classes.append(node.name.value)
        return True

    def leave_ClassDef(self, original_node: cst.ClassDef) -> None:  # noqa: N802
        self.classes.pop()

    def visit_FunctionDef(self, node: cst.FunctionDef) -> bool:  # noqa: N802
        if not self.functions and ".".join((*self.classes, node.name.value)) not in self.wanted:
            return False
        self.functions.append(node)
        if len(self.functions) == 1:
            self.sentences = self._sentences(node)
        return True

    def leave_FunctionDef(self, original_node: cst.FunctionDef) -> None:  # noqa: N802
        if self.functions and self.functions[-1] is original_node:
            self.functions.pop()
            self.sentences -= set() if self.functions else self.sentences

    def on_visit(self, node: cst.CSTNode) -> bool:
        if isinstance(node, cst.Annotation | cst.Decorator | cst.Param | cst.Raise | cst.Assert):
            return False
        if self.functions and not isinstance(node, cst.FunctionDef):
            if self._is_text(node) or _of_a_sure_call(node) or _is_docstring(node):
                return False
            self._note(node)
        if isinstance(node, cst.Call):
            self._visit_call(node)
            return False
        return super().on_visit(node)

    def _sentences(self, function: cst.FunctionDef) -> set[str]:
        """The names in a function that are words for people: they hold a sentence, or are only asked for inside one."""
        self.sentences = set()
        assigned = {
            target.target.value: each.value
            for each in m.findall(function, m.Assign())
            if isinstance(each, cst.Assign) and len(each.targets) == 1
            for target in each.targets
            if isinstance(target.target, cst.Name)
        }
        while True:
            uses: dict[str, list[bool]] = {}
            self._uses(function.body, False, uses)
            words = {name for name, value in assigned.items() if self._is_text(value)}
            words |= {name for name in assigned if uses.get(name) and all(uses[name])}
            if words <= self.sentences:
                return self.sentences
            self.sentences |= words

    def _uses(self, node: cst.CSTNode, inside: bool, uses: dict[str, list[bool]]) -> None:
        """Each name that is asked for below a node, and whether that is inside words for people."""
        inside = inside or self._is_text(node)
        if isinstance(node, cst.Name):
            uses.setdefault(node.value, []).append(inside)
        elif isinstance(node, cst.Attribute):
            self._uses(node.value, inside, uses)
        elif isinstance(node, cst.Call):
            self._uses(node.func, inside, uses)
            for argument in node.args:
                self._uses(argument.value, inside or self._is_words(node, argument), uses)
        elif isinstance(node, cst.Assign):
            names = {each.target.value for each in node.targets if isinstance(each.target, cst.Name)}
            self._uses(node.value, inside or (bool(names) and names <= self.sentences), uses)
        else:
            for child in node.children:
                self._uses(child, inside, uses)

    def _visit_call(self, call: cst.Call) -> None:
        """What is called, and of what it is given all that is no text."""
        call.func.visit(self)
        for argument in call.args:
            if not self._is_words(call, argument):
                argument.visit(self)

    def _is_text(self, node: cst.CSTNode) -> bool:
        """Is this words for people: a sentence, or a value chosen of sentences?"""
        if isinstance(node, cst.SimpleString):
            return " " in str(node.evaluated_value)
        if isinstance(node, cst.Name):
            return node.value in self.sentences
        if isinstance(node, cst.FormattedString):
            return any(isinstance(part, cst.FormattedStringText) and " " in part.value for part in node.parts)
        if isinstance(node, cst.ConcatenatedString):
            return self._is_text(node.left) or self._is_text(node.right)
        if isinstance(node, cst.IfExp):
            return self._is_text(node.body) and (self._is_text(node.orelse) or _is_empty(node.orelse))
        if isinstance(node, cst.BinaryOperation):
            return self._is_text(node.left) or self._is_text(node.right)
        if isinstance(node, cst.Assign) and any(self._is_text(each.target) for each in node.targets):
            return True
        if isinstance(node, cst.Assign | cst.AnnAssign | cst.AugAssign | cst.Return):
            return node.value is not None and self._is_text(node.value)
        return False

    def _is_words(self, call: cst.Call, argument: cst.Arg) -> bool:
        """Is this argument of a call only for people to read?"""
        name = _name_of(call)
        if name in REFUSALS or self._is_text(argument.value):
            return True
        if argument.keyword is not None:
            return argument.keyword.value in IN_WORDS
        place = call.args.index(argument)
        if isinstance(call.func, cst.Attribute) and name in SAYS:
            return place == 0
        return PLACE_OF_MESSAGE.get(name) == place or (name == "how_many" and place > 0)

    def _touches_words(self, call: cst.Call, changed: cst.CSTNode) -> bool:
        """Is it the words for people that a call is without, or gets in another place?"""
        if not isinstance(changed, cst.Call) or changed.args == call.args:
            return False
        kept = set(map(id, changed.args))
        gone = [argument for argument in call.args if id(argument) not in kept]
        if any(
            self._is_words(call, argument)
            or (argument.keyword is not None and argument.keyword.value in SHOWN)
            for argument in gone
        ):
            return True
        if _name_of(call) in UNNAMED and any(m.matches(each.value, m.SimpleString('""')) for each in gone):
            return True
        if _name_of(call) == "get" and len(call.args) > 1 and gone == [call.args[1]]:
            # Nothing and no are the same to whoever asks whether.
            return m.matches(gone[0].value, m.Name("False") | m.Name("None"))
        # A sentence that moves into the place of a figure is no slip that anybody makes.
        shifts = len(changed.args) < len(call.args) and gone[0].keyword is None
        return shifts and any(self._is_words(call, each) and each.keyword is None for each in call.args)

    def _note(self, node: cst.CSTNode) -> None:
        qualname = ".".join((*self.classes, self.functions[0].name.value))
        line = self.get_metadata(PositionProvider, node, None)
        for changed in changes_of(node):
            if not (isinstance(node, cst.Call) and self._touches_words(node, changed)):
                change = Change(self.functions[0], node, changed)
                self.found.append((qualname, line.start.line if line else 0, change))


def changes_of(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """The changes of one place. A string is changed once: another case of its letters is the same change again."""
    for kind, operator in mutation_operators:
        if isinstance(node, kind):
            made = operator(node)
            if operator is operator_string:
                made = list(made)[:1]
            elif operator is operator_symmetric_string_methods_swap and _name_of(node) == "index":
                continue  # nothing of ours stands twice where it is looked for
            yield from made
    if isinstance(node, cst.If | cst.While | cst.CompIf):
        bracketed = node.test.with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()])
        for operator_, literal in ((cst.And(), "False"), (cst.Or(), "True")):
            if not (isinstance(node, cst.While) and literal == "True"):
                forced = cst.BooleanOperation(left=bracketed, operator=operator_, right=cst.Name(literal))
                yield node.with_changes(test=forced)


def _name_of(call: cst.Call) -> str:
    func = call.func
    return (
        func.value
        if isinstance(func, cst.Name)
        else func.attr.value
        if isinstance(func, cst.Attribute)
        else ""
    )


def _of_a_sure_call(node: cst.CSTNode) -> bool:
    return isinstance(node, cst.Call) and isinstance(node.func, cst.Name) and node.func.value in SURE


def _is_docstring(node: cst.CSTNode) -> bool:
    return isinstance(node, cst.Expr) and isinstance(node.value, cst.SimpleString | cst.ConcatenatedString)


def _is_empty(node: cst.CSTNode) -> bool:
    return isinstance(node, cst.SimpleString) and not node.evaluated_value


def source_of(module: str) -> str:
    """The text of a module."""
    return (RULEBOOKS.parents[1] / path_of(module)).read_text(encoding="utf-8")


@cache
def _changes(module: str) -> tuple[cst.Module, dict[str, tuple[Mutant, Change]]]:
    """A module, and the mutants of its rule functions with their changes by id."""
    wrapper = MetadataWrapper(cst.parse_module(source_of(module)))
    chapters = {key[1]: chapter for key, chapter in ruled().items() if key[0] == module}
    finder = Finder(chapters.keys() - text_only(), wrapper.module)
    wrapper.visit(finder)
    found: dict[str, tuple[Mutant, Change]] = {}
    same: Counter[tuple[str, str, str]] = Counter()
    for name, line, change in finder.found:
        was, now = (_shown(wrapper.module, node) for node in (change.node, change.changed))
        same[name, was, now] += 1
        nth = same[name, was, now]
        id = sha256("\n".join((module, name, was, now, str(nth))).encode()).hexdigest()[:12]
        found[id] = Mutant(id, (module, name), chapters[name], line, was, now, nth), change
    return wrapper.module, found


def _shown(module: cst.Module, node: cst.CSTNode) -> str:
    """A piece of code on one line; of a condition no more than the condition."""
    if isinstance(node, cst.If | cst.While | cst.CompIf):
        return f"if {_shown(module, node.test)}"
    return re.sub(r"\s+", " ", module.code_for_node(node)).strip()


def all_mutants(of: str = "") -> dict[str, Mutant]:
    """Every mutant by its id; or of the files and functions with a word in their name."""
    keys = [key for key in ruled() if of in f"{path_of(key[0])} {key[1]}"]
    modules = sorted({module for module, _ in keys})
    found = {id: mutant for module in modules for id, (mutant, _) in _changes(module)[1].items()}
    return {id: mutant for id, mutant in found.items() if mutant.key in keys}


def path_of(module: str) -> str:
    """The file of a module, from the top of the checkout."""
    return f"{module.replace('.', '/')}.py"


def sample(mutants: Iterable[Mutant], seed: int, size: int) -> list[Mutant]:
    """So many mutants, by lot. The lot hangs on the mutant alone: code that changes draws no others than its own."""
    lots = sorted(mutants, key=lambda mutant: sha256(f"{seed} {mutant.id}".encode()).digest())
    return lots[:size]


def mutated(mutant: Mutant) -> str:
    """The text of its module with the change made."""
    module, found = _changes(mutant.key[0])
    change = found[mutant.id][1]
    return module.deep_replace(change.node, change.changed).code  # type: ignore[arg-type,union-attr]


@cache
def text_only() -> frozenset[str]:
    """Names of the functions that only make words for people: whatever calls them does so inside a message."""
    uses: dict[str, list[bool]] = {}
    for module in sorted({module for module, _ in ruled()}):
        tree = ast.parse(source_of(module))
        for name, inside in _names(tree, False):
            uses.setdefault(name, []).append(inside)
    mine = {name for _, qualname in ruled() for name in [qualname] if "." not in qualname}
    return frozenset(name for name in mine if uses.get(name) and all(uses[name]))


def _names(node: ast.AST, inside: bool) -> Iterator[tuple[str, bool]]:
    """Every name that is asked for, and whether inside words for people."""
    if isinstance(node, ast.Name):
        yield node.id, inside
    words: set[int] = set()
    if isinstance(node, ast.Call):
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        if name in REFUSALS:
            words |= {id(each) for each in (*node.args, *node.keywords)}
        words |= {id(each) for each in node.keywords if each.arg in IN_WORDS}
        place = 0 if isinstance(node.func, ast.Attribute) and name in SAYS else PLACE_OF_MESSAGE.get(name)
        if place is not None and place < len(node.args):
            words.add(id(node.args[place]))
    if isinstance(node, ast.Raise):
        inside = True
    for child in ast.iter_child_nodes(node):
        if isinstance(node, ast.FunctionDef) and (child is node.returns or child in node.decorator_list):
            continue
        yield from _names(child, inside or id(child) in words)
