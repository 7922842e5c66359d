"""How the house is built: who may import whom, what a room may not touch, names, sizes, leaf folders."""

from __future__ import annotations

import ast
import re
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from inspect import cleandoc
from itertools import groupby
from pathlib import Path
from types import ModuleType

import pytest

from referee.cli.app import PLAYS
from referee.rulebooks.base import rules_in
from referee.rulebooks.registry import descriptors, load_rulebook, rulebook_ids
from tests.program_text import nodes_of, tree_of

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "referee"
MODULES = sorted(PACKAGE.rglob("*.py"))
LONGEST = 450
LONG = {
    "rulebooks/sfb/allocation.py": "a turn's form as every rule on energy sees it",
    "adjudicator/table.py": "the one table: what is asked of each kind of event",
}
"""The modules that hold one concept which takes more: 600 lines at most."""

CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")


def rooms_told(page: str) -> dict[str, set[str]]:
    """The rooms of the table in CONTRIBUTING, and the rooms each imports."""
    rows = re.findall(r"^\| `(\w+)` \|.*\| ([\w, ]+) \|$", page, re.MULTILINE)
    named = {name for name, _ in rows}
    return {
        name: named - {name} if told == "all" else set(told.split(", ")) - {"nothing"} for name, told in rows
    }


def arrows_told(page: str) -> set[tuple[str, str]]:
    """The arrows of the picture in CONTRIBUTING."""
    return set(re.findall(r"^ +(\w+) --> (\w+)$", page, re.MULTILINE))


MAY_IMPORT = rooms_told(CONTRIBUTING)
"""The rooms, and the rooms each may look into."""

ONLY_IN = {
    "lxml": ("formats/vassal/", "formats/sheets/"),
    "typer": ("cli/",),
    "jsonschema": ("formats/schemas.py",),
    "referencing": ("formats/schemas.py",),
    "rich": ("report/", "cli/", "live/screen/"),
    "jinja2": ("report/",),
    "numpy": ("chances/",),
    "python_calamine": ("formats/sheets/",),
    "xlsxwriter": ("formats/sheets/",),
    "watchfiles": ("live/",),
    "textual": ("live/screen/",),
    "dask": ("chances/",),
    "distributed": ("chances/",),
    "pyrage": ("record/",),
    "cryptography": ("record/",),
}
"""Where each library of others may be used."""

SHARED_RULEBOOK_MODULES = {"base", "offered", "registry", "seen"}
BANNED_IN_CORE = {
    *("os", "io", "pathlib", "shutil", "tempfile", "glob", "fileinput", "mmap", "fcntl"),
    *("time", "datetime", "calendar", "random", "secrets", "uuid"),
    *("socket", "ssl", "http", "urllib", "asyncio", "subprocess", "threading", "multiprocessing", "signal"),
    *("sys", "logging", "importlib", "pkgutil", "ctypes", "sqlite3", "getpass", "locale"),
}
BANNED_CALLS_IN_CORE = {"open", "print", "input", "exec", "eval", "compile", "__import__"}
MAKES_CLASSES = "frozen.py"
"""The one module of the core that compiles code: the methods of its value classes."""
WORD = re.compile(r"[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])")
VAGUE = re.compile(r"utils?|managers?|helpers?|processors?|services?", re.IGNORECASE)


@dataclass(frozen=True)
class Import:
    """One import: what of the project or of whom, and whether it runs when the module is loaded."""

    module: Path
    line: int
    target: str
    at_load: bool

    def __str__(self) -> str:
        return f"{self.module.relative_to(ROOT)}:{self.line} imports {self.target}"


@cache
def named_modules() -> frozenset[str]:
    """Every module and room of the project, by the name it is imported by."""
    names = [path.parent if path.stem == "__init__" else path.with_suffix("") for path in MODULES]
    return frozenset(".".join(name.relative_to(ROOT).parts) for name in names)


def imports_of(path: Path) -> Iterator[Import]:
    """All imports of a module. Those for type checkers alone and those in functions do not run at load."""

    def walk(node: ast.AST, at_load: bool) -> Iterator[Import]:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr):
                continue
            runs = at_load
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
                runs = False
            if isinstance(child, ast.If) and isinstance(child.test, ast.Name | ast.Attribute):
                runs = runs and ast.unparse(child.test) not in ("TYPE_CHECKING", "typing.TYPE_CHECKING")
            if isinstance(child, ast.Import):
                for name in child.names:
                    yield Import(path, child.lineno, name.name, runs)
            elif isinstance(child, ast.ImportFrom):
                assert not child.level, f"{path}: a relative import"
                module = child.module or ""
                for name in child.names:
                    whole = f"{module}.{name.name}"
                    yield Import(path, child.lineno, whole if whole in named_modules() else module, runs)
            yield from walk(child, runs)

    yield from walk(tree_of(path), True)


@cache
def imports() -> tuple[Import, ...]:
    """All imports of the project."""
    return tuple(each for path in MODULES for each in imports_of(path))


def room(path: Path) -> str:
    """The room a module is in; empty for the package's own few modules."""
    parts = path.relative_to(PACKAGE).parts
    return parts[0] if len(parts) > 1 else ""


def own(each: Import) -> bool:
    return each.target.startswith("referee.")


def library(each: Import) -> bool:
    return each.target.partition(".")[0] not in {*sys.stdlib_module_names, "referee"}


def listed(found: list[Import]) -> str:
    return "\n".join(map(str, found))


def circles() -> list[list[str]]:
    """Modules that import each other in a circle, in functions and for types too; each circle sorted."""
    known = {".".join(path.relative_to(ROOT).with_suffix("").parts): path for path in MODULES}
    names = {path: name for name, path in known.items()}
    arrows: dict[str, set[str]] = {name: set() for name in known}
    for each in imports():
        if each.target in known:
            arrows[names[each.module]].add(each.target)

    def reached(start: str) -> set[str]:
        seen: set[str] = set()
        ahead = [start]
        while ahead:
            fresh = arrows[ahead.pop()] - seen
            seen |= fresh
            ahead += fresh
        return seen

    beyond = {name: reached(name) for name in known}
    found = {tuple(sorted(b for b in beyond[a] if a in beyond[b])) for a in known if a in beyond[a]}
    return [list(circle) for circle in sorted(found)]


def test_no_modules_import_each_other() -> None:
    assert not circles(), "\n".join(" <-> ".join(circle) for circle in circles())


def rooms_imported() -> dict[str, set[str]]:
    """The other rooms that each room imports."""
    found: dict[str, set[str]] = {room(path): set() for path in MODULES if room(path)}
    for each in imports():
        here, parts = room(each.module), each.target.split(".")
        if here and own(each) and parts[1] != here:
            found[here].add(parts[1])
    return found


def arrows_needed(imported: Mapping[str, set[str]]) -> set[tuple[str, str]]:
    """The arrows from room to room that no way over another room stands for."""

    def beyond(name: str) -> set[str]:
        return {further for near in imported[name] for further in (near, *beyond(near))}

    return {
        (here, there)
        for here, rooms in imported.items()
        for there in rooms
        if not any(there in beyond(other) for other in rooms - {there})
    }


def test_rooms_look_only_where_they_may() -> None:
    wrong = [
        each
        for each in imports()
        if (here := room(each.module)) and own(each)
        if each.target.split(".")[1] not in {here, *MAY_IMPORT.get(here, ())}
    ]
    assert not wrong, listed(wrong)


def test_the_table_of_rooms_is_what_they_import() -> None:
    imported = rooms_imported()
    assert set(MAY_IMPORT) == set(imported), "a new room: say in CONTRIBUTING what it is"
    more = {name: MAY_IMPORT[name] - rooms for name, rooms in imported.items() if name != "cli"}
    assert not {name: rooms for name, rooms in more.items() if rooms}, "no import bears that out"


def test_the_picture_of_the_rooms_is_what_they_import() -> None:
    assert arrows_told(CONTRIBUTING) == arrows_needed(rooms_imported())


def test_a_wrong_arrow_and_a_wrong_row_are_seen() -> None:
    page = "| `core` | words | nothing |\n| `play` | what is done | core |\n| `cli` | printing | all |\n"
    assert rooms_told(page) == {"core": set(), "play": {"core"}, "cli": {"core", "play"}}
    assert arrows_told("flowchart LR\n  cli --> play\n  play --> core\n") == arrows_needed(rooms_told(page))
    assert arrows_told("  cli --> core\n") != arrows_needed(rooms_told(page))


def asked_of_the_package(tree: ast.AST) -> Iterator[str]:
    """What code takes of the package itself, but for its version and its rooms: that would be a way around the law."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names if name.name == "referee")
        elif isinstance(node, ast.ImportFrom) and node.module == "referee":
            names = (name.name for name in node.names)
            yield from (n for n in names if n != "__version__" and f"referee.{n}" not in named_modules())


def test_rooms_ask_the_package_for_its_version_alone() -> None:
    found = {path: list(asked_of_the_package(tree_of(path))) for path in MODULES}
    assert not {str(path): names for path, names in found.items() if names}


@pytest.mark.parametrize(
    "planted", ["import referee", "from referee import check", "from referee import __version__, Game"]
)
def test_a_way_around_the_law_is_found(planted: str) -> None:
    assert list(asked_of_the_package(ast.parse(planted)))


def test_core_needs_only_the_standard_library_and_touches_nothing() -> None:
    core = [each for each in imports() if room(each.module) == "core"]
    wrong = [each for each in core if library(each) or each.target.partition(".")[0] in BANNED_IN_CORE]
    assert not wrong, listed(wrong)
    for path in (PACKAGE / "core").rglob("*.py"):
        for node in nodes_of(path):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                banned = BANNED_CALLS_IN_CORE - ({"exec"} if path.name == MAKES_CLASSES else set())
                assert node.func.id not in banned, f"{path}:{node.lineno} calls {node.func.id}"


def test_a_rulebook_knows_itself_its_parents_and_the_shared_modules() -> None:
    by_folder = {descriptor["folder"]: descriptor for descriptor in descriptors().values()}
    wrong = []
    for each in imports():
        parts = each.module.relative_to(PACKAGE).parts
        if parts[0] != "rulebooks" or not each.target.startswith("referee.rulebooks"):
            continue
        target = each.target.split(".")
        wanted = target[2] if len(target) > 2 else ""
        allowed = set(SHARED_RULEBOOK_MODULES)
        folder = parts[1] if len(parts) > 2 else ""
        while folder:
            allowed.add(folder)
            parent = by_folder.get(folder, {}).get("extends")
            folder = descriptors()[parent]["folder"] if parent else ""
        if wanted not in allowed:
            wrong.append(each)
    assert not wrong, listed(wrong)


def test_rules_never_load_files() -> None:
    """The registry loads a rulebook's data; rules see values."""
    folders = {descriptor["folder"] for descriptor in descriptors().values()}
    wrong = [
        each
        for each in imports()
        if room(each.module) == "rulebooks"
        and each.module.relative_to(PACKAGE).parts[1] in folders
        and (each.target.partition(".")[0] in BANNED_IN_CORE or each.target == "referee.rulebooks.registry")
    ]
    assert not wrong, listed(wrong)


@pytest.mark.parametrize("here", ["adjudicator", "chances"])
def test_adjudicators_know_no_concrete_rulebook(here: str) -> None:
    wrong = []
    for each in imports():
        target = each.target.split(".")
        if room(each.module) == here and target[:2] == ["referee", "rulebooks"]:
            concrete = len(target) < 3 or target[2] not in SHARED_RULEBOOK_MODULES
            wrong += [each] if concrete else []
    assert not wrong, listed(wrong)


STARTS = {"__init__.py", "cli/__init__.py", "cli/main.py", "cli/app.py", "cli/complete.py"}
"""What every command loads before the module of its own."""


def test_what_every_command_loads_is_the_standard_library_and_typer() -> None:
    """Start-up is a feature. A command's own module is loaded when it is called, and has its imports at its top; what
    the common commands load is counted in tests/cli/test_startup.py."""
    wrong = [
        each
        for each in imports()
        if each.module.relative_to(PACKAGE).as_posix() in STARTS and each.at_load
        if own(each) or (library(each) and each.target != "typer")
    ]
    assert not wrong, listed(wrong)


MOST_IMPORTS_INSIDE = 774
"""Imports inside functions: what only one of several commands or branches needs, and costs the others. Lower it, never
raise it."""


def imports_inside(nodes: Iterable[ast.AST]) -> int:
    """How many imports stand in functions."""
    inside = {
        id(node)
        for function in nodes
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef)
        for node in ast.walk(function)
        if isinstance(node, ast.Import | ast.ImportFrom)
    }
    return len(inside)


def test_imports_inside_functions_become_fewer() -> None:
    assert sum(imports_inside(nodes_of(path)) for path in MODULES) <= MOST_IMPORTS_INSIDE


def test_an_import_inside_a_function_is_counted() -> None:
    planted = "import a\nif b:\n    import c\ndef d():\n    import e\n    def f():\n        from g import h"
    assert imports_inside(tuple(ast.walk(ast.parse(planted)))) == 2


def test_what_play_says_is_printed_by_every_command_that_plays() -> None:
    """A command that leads to a part of play that says something is one for which the command line listens."""
    speaks = {
        ".".join(each.module.relative_to(ROOT).with_suffix("").parts)
        for each in imports()
        if room(each.module) == "play" and each.target == "referee.play.telling"
    } - {"referee.play.game_file"}
    plays = {each.module.stem for each in imports() if room(each.module) == "cli" and each.target in speaks}
    groups = {"game" if name.startswith("game_") else name for name in plays}
    assert "referee.play.append" in speaks and {"game", "seal", "dice"} <= groups <= PLAYS


def test_libraries_stay_in_their_rooms() -> None:
    wrong = []
    for each in filter(library, imports()):
        name = each.target.partition(".")[0]
        place = each.module.relative_to(PACKAGE).as_posix()
        if name not in ONLY_IN:
            wrong.append(each)
        elif name == "typer" and place == "cli/main.py":
            continue
        elif not any(place.startswith(allowed) for allowed in ONLY_IN[name]):
            wrong.append(each)
    assert not wrong, listed(wrong)


def test_only_the_live_room_opens_the_network() -> None:
    network = {"socket", "ssl", "http", "urllib", "asyncio", "socketserver", "ftplib", "smtplib", "xmlrpc"}
    harmless = {"urllib.parse", "http.HTTPStatus"}
    wrong = [
        each
        for each in imports()
        if each.target.partition(".")[0] in network
        and each.target not in harmless
        and room(each.module) not in ("live", "cli")
        and each.module.relative_to(PACKAGE).as_posix() != "room/connection.py"
    ]
    assert not wrong, listed(wrong)


def test_modules_are_named_for_what_they_are_and_can_be_read_at_a_sitting() -> None:
    wrong = []
    for path in MODULES:
        place = path.relative_to(PACKAGE)
        length = len(path.read_text(encoding="utf-8").splitlines())
        if length > (600 if place.as_posix() in LONG else LONGEST):
            wrong.append(f"{place} has {length} lines: split it by what it does")
        names = [path.stem, *place.parent.parts]
        for node in nodes_of(path):
            if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                names.append(node.name)
        for name in names:
            if any(VAGUE.fullmatch(word) for word in WORD.findall(name)):
                wrong.append(f"{place}: {name}: say what it does")
    assert not wrong, "\n".join(wrong)


def test_no_code_asks_which_rulebook_it_is() -> None:
    """What differs between rulebooks is a rule, an option or a table, never a branch on a name."""
    named = re.compile("cadet|trek|sfb|standard/", re.IGNORECASE)
    wrong = []
    for path in MODULES:
        if room(path) not in ("core", "rulebooks", "adjudicator", "chances"):
            continue
        for node in nodes_of(path):
            if isinstance(node, ast.If | ast.IfExp | ast.While):
                tests = [node.test]
            elif isinstance(node, ast.Match):
                tests = [pattern for case in node.cases for pattern in ast.walk(case.pattern)]  # type: ignore[misc]
            else:
                continue
            for test in tests:
                for leaf in ast.walk(test):
                    if (
                        isinstance(leaf, ast.Constant)
                        and isinstance(leaf.value, str)
                        and named.search(leaf.value)
                    ):
                        wrong.append(f"{path.relative_to(ROOT)}:{node.lineno} asks for {leaf.value!r}")
    assert not wrong, "\n".join(wrong)


# -- what may only become less --------------------------------------------------------------

RULE_ID = re.compile(r"\b(?:[A-Z]{1,2}[0-9]+[.](?:[0-9]|$)|(?:FAST|ROBOT)-[0-9])")
MOST_RULE_IDS = 0
"""Texts with rule ids in them outside the rulebooks: a rule's number belongs to its rulebook. Lower it, never raise it."""
MOST_CLI_LINES = 7_000


def texts_in(nodes: Collection[ast.AST]) -> Iterator[str]:
    """The string constants of some code that are no docstrings."""
    docstrings = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    for node in nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
            yield node.value


def rule_ids_in(nodes: Collection[ast.AST]) -> Iterator[str]:
    """The texts with a rule's number in them, and those that begin one and have a gap behind it: `D4.{n}`."""
    yield from filter(RULE_ID.search, texts_in(nodes))


def test_rule_ids_outside_rulebooks_become_fewer() -> None:
    found = [
        f"{path.relative_to(ROOT)}: {text}"
        for path in MODULES
        if room(path) != "rulebooks"
        for text in rule_ids_in(nodes_of(path))
    ]
    assert len(found) <= MOST_RULE_IDS, "\n".join(found)


@pytest.mark.parametrize(
    "planted",
    [
        "rule = 'D4.352'",
        "say(f'{ship} is lost (D6.122)')",
        "say('cloaked by G13.0/remains: no fire')",
        "key = f'D4.{n}'",
        "key = 'B3.0-' + line",
        "if rule.startswith('C3.'): pass",
        "key = 'FAST-3'",
    ],
)
def test_a_rule_id_in_a_text_is_found(planted: str) -> None:
    assert list(rule_ids_in(list(ast.walk(ast.parse(planted)))))


@pytest.mark.parametrize("plain", ["'Fire by E1.4.'", "say('SHA-256, 1.2 and A 1.0')", "say('hex 1512A.')"])
def test_a_text_without_a_rule_id_is_let_be(plain: str) -> None:
    assert not list(rule_ids_in(list(ast.walk(ast.parse(plain)))))


MOST_FORM_LINES = 0
"""Lines of the energy form that stand as text outside the rulebooks: they are asked for by name."""
FORM_LINE = re.compile(r"(?:[4-9]|1[0-9]|2[01])(?::.*)?")
NO_FORM_LINE = {("logs/lock_on.py", "6"): "a die's face", ("formats/sfbol.py", "9"): "a digit of a code"}


def form_lines_in(nodes: Collection[ast.AST]) -> Iterator[str]:
    """Texts that are lines of the form; 1 to 3, which may be other things, where a form is asked for them or several
    stand together."""
    yield from filter(FORM_LINE.fullmatch, texts_in(nodes))
    for node in nodes:
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr in ASKS_A_FORM
        ):
            yield from (text for each in node.args if (text := one_digit(each)))
        elif isinstance(node, ast.Tuple | ast.List | ast.Set):
            digits = [text for each in node.elts if (text := one_digit(each))]
            yield from digits if len(digits) > 1 else ()
        elif isinstance(node, ast.Dict):
            digits = [text for each in node.keys if each and (text := one_digit(each))]
            yield from digits if len(digits) > 1 else ()


ASKS_A_FORM = {"known", "stated", "amount", "total", "parts", "spoilt", "place_of", "why_unknown"}


def one_digit(node: ast.expr) -> str:
    """The line 1, 2 or 3, written as a text; nothing where it is something else."""
    is_text = isinstance(node, ast.Constant) and isinstance(node.value, str)
    return str(node.value) if is_text and node.value in ("1", "2", "3") else ""  # type: ignore[attr-defined]


def test_form_lines_outside_rulebooks_become_fewer() -> None:
    found = [
        f"{path.relative_to(ROOT)}: {text}"
        for path in MODULES
        if room(path) != "rulebooks"
        for text in form_lines_in(nodes_of(path))
        if (path.relative_to(PACKAGE).as_posix(), text) not in NO_FORM_LINE
    ]
    assert len(found) <= MOST_FORM_LINES, "\n".join(found)


@pytest.mark.parametrize(
    "planted",
    [
        'paid = form.known("12")',
        'entries["9:held"] = one',
        'power = {"1": warp, "2": impulse}',
        'lines = ("1", "2", "3")',
        'warp = form.amount("1")',
        'line = f"13:{shield}"',
    ],
)
def test_a_form_line_that_is_written_down_is_found(planted: str) -> None:
    assert list(form_lines_in(tuple(ast.walk(ast.parse(planted)))))


MOST_UNTYPED = 1
"""Procedures that are asked for by a text, which mypy cannot check: `rulebook.offers.open_turn` has types."""


def test_procedures_are_asked_for_with_their_types() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in MODULES
        if room(path) != "rulebooks"
        for node in nodes_of(path)
        if isinstance(node, ast.Attribute) and node.attr == "procedure"
        if not (isinstance(node.value, ast.Name) and node.value.id == "self")
    ]
    assert len(found) <= MOST_UNTYPED, "\n".join(found)


MOST_SEVERITY_EDITS = 0
"""Findings whose severity is changed after they were found, but where doubt is decided."""
SIGNS = {"adjudicator/doubt.py", "rulebooks/base.py"}
"""Where doubt is decided, and where players agree how grave a rule is."""
ASK_FOR_DOUBT = {"adjudicator/table.py", "adjudicator/forms_seen.py"}
"""The table, and its part that judges a form both with the boxes a display shows and without those that are not marked."""


def severity_edits(nodes: Iterable[ast.AST]) -> Iterator[int]:
    """The lines that replace the severity of something, or make a finding anew out of another one."""
    for node in nodes:
        if not isinstance(node, ast.Call):
            continue
        name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
        if name in ("replace", "__replace__", "_replace", "__setattr__"):
            if any(each.arg == "severity" for each in node.keywords):
                yield node.lineno
        elif name in ("Finding", "__class__") or isinstance(node.func, ast.Call):
            given = [*node.args, *(each.value for each in node.keywords)]
            if any(is_of_a_finding(leaf) for each in given for leaf in ast.walk(each)):
                yield node.lineno


def is_of_a_finding(node: ast.AST) -> bool:
    """Is it what a finding found, or its rule? A foul and a rule have keys of their own."""
    of = node.value.id if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) else ""
    return isinstance(node, ast.Attribute) and (
        node.attr == "message" or (node.attr == "key" and of not in ("foul", "rule"))
    )


def test_no_finding_is_made_more_or_less_grave_after_it_was_found() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{line}"
        for path in MODULES
        if path.relative_to(PACKAGE).as_posix() not in SIGNS
        for line in severity_edits(nodes_of(path))
    ]
    assert len(found) <= MOST_SEVERITY_EDITS, "\n".join(found)


def test_only_the_table_asks_how_sure_a_finding_is() -> None:
    asks = {
        each.module.relative_to(PACKAGE).as_posix()
        for each in imports()
        if each.target == "referee.adjudicator.doubt"
    }
    assert asks == ASK_FOR_DOUBT


def signs_reports(nodes: Iterable[ast.AST]) -> Iterator[int]:
    """The lines that ask a table how sure the findings of a report are."""
    for node in nodes:
        if isinstance(node, ast.Attribute) and node.attr == "as_sure":
            yield node.lineno


def test_a_report_is_signed_once_and_whole() -> None:
    """By the table as it ends; of a log, whose parts are told one by one, when they are together."""
    signed = Counter(
        path.relative_to(PACKAGE).as_posix() for path in MODULES for _ in signs_reports(nodes_of(path))
    )
    assert signed == {"adjudicator/table.py": 1, "logs/audit.py": 1}
    planted = "report = done.table.as_sure(flown.report)"
    assert [*signs_reports(ast.walk(ast.parse(planted)))] == [1]


@pytest.mark.parametrize(
    "planted",
    [
        "found = replace(found, message='', severity=Severity.NOTE)",
        "found = found.__replace__(severity=Severity.NOTE)",
        "found = Finding(found.key, Severity.NOTE, 'let be')",
        "found = Finding('', Severity.NOTE, found.message)",
        "found = Finding(key=each[0].key, severity=Severity.NOTE, message='let be')",
        "found = found.__class__(found.key, Severity.NOTE, found.message)",
        "found = type(found)(found.key, Severity.NOTE, found.message)",
    ],
)
def test_a_severity_that_is_edited_is_found(planted: str) -> None:
    assert list(severity_edits(ast.walk(ast.parse(planted)))) == [1]


@pytest.mark.parametrize(
    "plain",
    ["replace(found, fix='')", "Finding(foul.key, Severity.ERROR, foul.reason)", "about.finding(rule.key)"],
)
def test_a_finding_of_its_own_is_no_edit(plain: str) -> None:
    assert not list(severity_edits(ast.walk(ast.parse(plain))))


BY_THE_TABLE = {
    "check_form": {"check", "energy_table", "played_energy"},
    "as_filled_in": {"check", "energy_table", "forms_in_game"},
    "judge_turns": {"check", "played_energy"},
    "judge_turn_of": {"played_energy", "forms_in_game", "forms_seen"},
    "judge_energy": {"played_energy", "forms_seen"},
    "judge_charge": {"forms_seen"},
    "judge_lent": {"forms_seen"},
    "form_remarks": {"forms_seen", "forms_in_game"},
    "if_boxes_were_lost": {"forms_seen"},
    "judged_in_game": {"forms_in_game", "energy_table"},
    "EnergyTable": {"tables"},
    "as_far_as_begun": {"check", "energy_table"},
    "check_fire": {"fire", "fire_in_step"},
    "check_shots": {"fire", "fire_seen", "record_fire"},
    "check_aimed": {"fire", "record_fire"},
    "check_launches": {"fire", "fire_seen", "record_fire"},
    "check_batteries": {"capacitor", "fire_in_step", "fire_seen"},
}
"""What judges forms and fire, and the modules of the adjudicator that make it or are parts of the table."""
NOT_YET_BY_THE_TABLE = {"chances/fire.py": {"check_shots"}}
"""Fire of which only the chances are asked: nobody judges a source by it. May only become fewer."""


def judged_past_the_table(module: str, nodes: Iterable[ast.AST]) -> Iterator[str]:
    """What judges forms and fire and is named in a module that is no part of the table."""
    excused = NOT_YET_BY_THE_TABLE.get(module, set())
    for node in nodes:
        named = {
            *(alias.name for alias in getattr(node, "names", ()) if isinstance(alias, ast.alias)),
            *filter(None, (getattr(node, "id", None), getattr(node, "attr", None))),
        }
        for name in sorted(named & BY_THE_TABLE.keys() - excused):
            if module not in {f"adjudicator/{part}.py" for part in BY_THE_TABLE[name]}:
                yield f"{module}:{node.lineno}: {name}"  # type: ignore[attr-defined]


ASK_THE_RULES_OF_ENERGY = {"adjudicator/check.py", "adjudicator/hits_on_ship.py"}
"""What judges the turns of a form, and what asks again whether boxes that were lost explain a finding."""


def asked_of_energy(nodes: Iterable[ast.AST]) -> Iterator[int]:
    """The lines that ask for the rules of energy allocation."""
    for node in nodes:
        if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "rules_on":
            given = [*node.args, *(each.value for each in node.keywords)]
            if any(isinstance(each, ast.Constant) and each.value == "allocation" for each in given):
                yield node.lineno


def test_the_rules_of_energy_are_asked_in_one_place() -> None:
    asked = {path.relative_to(PACKAGE).as_posix() for path in MODULES if [*asked_of_energy(nodes_of(path))]}
    assert asked == ASK_THE_RULES_OF_ENERGY
    planted = 'rules = game.rulebook.rules_on("allocation", "check")'
    assert [*asked_of_energy(ast.walk(ast.parse(planted)))] == [1]
    assert not [*asked_of_energy(ast.walk(ast.parse('rules = rulebook.rules_on("battery order", "check")')))]


def test_only_the_table_judges_forms_and_fire() -> None:
    found = [
        each
        for path in MODULES
        for each in judged_past_the_table(path.relative_to(PACKAGE).as_posix(), nodes_of(path))
    ]
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    "planted",
    [
        "from referee.adjudicator.check import check_form",
        "from referee.adjudicator.forms_in_game import judged_in_game",
        "from referee.adjudicator.fire import (check_shots as judged, resolve_shots)",
        "from referee.adjudicator import check\nreport = check.check_form(rulebook, ship, form)",
        "from referee.adjudicator.played_energy import form_remarks, judge_turn_of as judge",
        "def judge_shown(rulebook, ship, facts): return played_energy.judge_turn_of(rulebook, ship, '', facts)",
        "def judge_in_game(rulebook, ship, form): return EnergyTable(rulebook, ship, form).report()",
    ],
)
@pytest.mark.parametrize("module", ["judging/forms.py", "play/forms.py", "adjudicator/record_forms.py"])
def test_what_is_judged_past_the_table_is_found(module: str, planted: str) -> None:
    assert list(judged_past_the_table(module, ast.walk(ast.parse(planted))))
    assert not list(judged_past_the_table("judging/forms.py", ast.walk(ast.parse("table.check_form_of"))))


SAYS_NOTHING = {"said", "told", "one", "says", "book", "harm", "swung"}
"""Names that tell of no thing what it is: a sentence, a message, an order, a rulebook, a hit."""
NAMED_BY_FILES = {
    "rulebooks/offered.py": {"said", "told"},
    "rulebooks/sfb/commitments.py": {"said", "told"},
    "rulebooks/sfb/setups.py": {"said"},
    "rulebooks/trek/events.py": {"Told"},
}
"""Facts that published cases name, and a kind of event in files of Trek."""


def names_that_say_nothing(nodes: Collection[ast.AST]) -> Iterator[tuple[int, str]]:
    """The lines that give such a name to a variable, a parameter, a field, a function or a class, and the name."""
    for node in nodes:
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            given = node.id
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            given = node.attr
        elif isinstance(node, ast.arg):
            given = node.arg
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            given = node.name
        else:
            continue
        if given.removeprefix("_").lower() in SAYS_NOTHING:
            yield node.lineno, given


def test_things_are_named_for_what_they_are() -> None:
    """Variables, parameters, fields, functions, classes and modules have nouns of the field for names."""
    found = [
        f"{path.relative_to(ROOT)}:{line}: {name}: say what it is"
        for path in MODULES
        for line, name in names_that_say_nothing(nodes_of(path))
        if name not in NAMED_BY_FILES.get(path.relative_to(PACKAGE).as_posix(), ())
    ]
    found += [f"{path.relative_to(ROOT)}: say what it is" for path in MODULES if path.stem in SAYS_NOTHING]
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    "planted",
    [
        "said = form.line",
        "told += [line]",
        "if (one := shots.get(name)): fire(one)",
        "row = [one for one in shots]",
        "def text(order, *, told): ...",
        "def text(**said): ...",
        "found = sorted(shots, key=lambda one: one.step)",
        "def _told(order): ...",
        "class Harm: ...",
        "class Action:\n    said: Data",
        "class Action:\n    def told(self) -> str: ...",
        "self.told = True",
        "book = load_rulebook(id)",
    ],
)
def test_a_name_that_says_nothing_is_found(planted: str) -> None:
    assert [*names_that_say_nothing(tuple(ast.walk(ast.parse(planted))))]


MOST_WORDS = 45
_CODE = re.compile(r"`[^`]*`")
_SENTENCE_ENDS = re.compile(r"(?<=[.!?])[\"')]*\s+")
_PARAGRAPH_ENDS = re.compile(r"\n\s*\n|\n\s*(?=[-*] )|^ *(?:>>>|\.\.\.).*$", re.MULTILINE)


def hard_sentences(text: str) -> Iterator[str]:
    """The sentences of a docstring or comment with two semicolons, or with too many words. Code counts as a word."""
    for paragraph in _PARAGRAPH_ENDS.split(_CODE.sub("`x`", text)):
        for sentence in _SENTENCE_ENDS.split(" ".join(paragraph.split())):
            if sentence.count(";") > 1 or len(sentence.split()) > MOST_WORDS:
                yield sentence


def explained(path: Path) -> Iterator[tuple[int, str]]:
    """The docstrings and comments of a module with their lines. What `explain` prints of a rule is for players: other
    tests hold it."""
    rules = {
        id(node.body[0])
        for node in nodes_of(path)
        if isinstance(node, ast.FunctionDef)
        if any(
            isinstance(each, ast.Call) and ast.unparse(each.func) in ("check", "resolves")
            for each in node.decorator_list
        )
    }
    for node in nodes_of(path):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and id(node) not in rules:
            yield node.lineno, cleandoc(str(node.value.value))
    rows = path.read_text(encoding="utf-8").splitlines()
    comments = [row.strip()[1:] if row.lstrip().startswith("#") else "" for row in rows]
    for is_comment, block in groupby(enumerate(comments, 1), key=lambda each: bool(each[1])):
        if is_comment:
            numbered = list(block)
            yield numbered[0][0], "\n".join(text for _, text in numbered)


def test_docstrings_and_comments_are_read_at_once() -> None:
    """No sentence has two semicolons or more than 45 words."""
    found = [
        f"{path.relative_to(ROOT)}:{line}: {sentence}"
        for path in MODULES
        for line, text in explained(path)
        for sentence in hard_sentences(text)
    ]
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    "planted",
    ["`x` is one; `y` another; `z` a third.", "word " * 46, "First.\n\nOne; two; and\nthree."],
)
def test_a_hard_sentence_is_found(planted: str) -> None:
    assert len([*hard_sentences(planted)]) == 1


@pytest.mark.parametrize(
    "plain", ["One; two. Three; four.", "word " * 45, "`a; b; c` is code.", ">>> a; b; c"]
)
def test_a_plain_sentence_is_let_be(plain: str) -> None:
    assert not [*hard_sentences(plain)]


def test_the_command_line_is_commands_and_printing() -> None:
    lines = sum(len(path.read_text(encoding="utf-8").splitlines()) for path in MODULES if room(path) == "cli")
    assert lines <= MOST_CLI_LINES


MOST_UNTESTED = {"adjudicator": 0, "logs": 25}
"""Modules of a room that no test imports. Lower it, never raise it."""


@pytest.mark.parametrize("of", MOST_UNTESTED)
def test_modules_have_tests_of_their_own(of: str) -> None:
    named = re.compile(
        r"^ *(?:from (referee[\w.]*) import ([^\n(]+|\([^)]*\))|import (referee[\w.]*))", re.MULTILINE
    )
    imported: set[str] = set()
    for path in (ROOT / "tests").rglob("*.py"):
        for module, names, alone in named.findall(path.read_text(encoding="utf-8")):
            imported |= {alone or module, *(f"{module}.{name}" for name in re.findall(r"\w+", names))}
    own = {".".join(path.relative_to(ROOT).with_suffix("").parts) for path in MODULES if room(path) == of}
    untested = {name for name in own if not name.endswith(".__init__")} - imported
    assert len(untested) <= MOST_UNTESTED[of], sorted(untested)


def test_tests_lie_where_what_they_test_lies() -> None:
    """Every folder of `tests/unit` that holds Python has the name of a room, or of a folder in one."""
    unit = ROOT / "tests" / "unit"
    folders = {path.parent.relative_to(unit) for path in unit.rglob("*.py")}
    strange = sorted(str(folder) for folder in folders if not (PACKAGE / folder / "__init__.py").is_file())
    assert not strange, f"no rooms of referee: {', '.join(strange)}"


# -- a rulebook's folder is all there is of it --------------------------------------------

LEAVES = [id for id in rulebook_ids() if not any(d.get("extends") == id for d in descriptors().values())]
PROBE = """
import sys
sys.path.insert(0, sys.argv[1])
import referee
assert referee.__file__.startswith(sys.argv[1]), referee.__file__
from referee.rulebooks.registry import load_rulebook, load_ship, rulebook_ids, ship_ids
assert sys.argv[2] not in rulebook_ids()
for id in rulebook_ids():
    assert load_rulebook(id).rules
for id in ship_ids():
    load_ship(id)
print(*rulebook_ids())
"""


@pytest.mark.one_in(3)
@pytest.mark.parametrize("gone", LEAVES)
def test_a_leaf_rulebook_can_be_deleted(gone: str, tmp_path: Path) -> None:
    house = tmp_path / "house"
    shutil.copytree(PACKAGE, house / "referee", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.rmtree(house / "referee" / "rulebooks" / descriptors()[gone]["folder"])
    answer = subprocess.run(
        [sys.executable, "-I", "-c", PROBE, str(house), gone],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert answer.returncode == 0, answer.stderr
    assert set(answer.stdout.split()) == set(rulebook_ids()) - {gone}


# -- rules are where their rulebook says --------------------------------------------------

FOLDERS = sorted(descriptor["folder"] for descriptor in descriptors().values())
WAITING = {
    "cadet": {"cloak"},
    "sfb": {"cloak", "direct_fire", "seekers", "sensors"},
}
"""Modules with rules that their rulebook does not list yet."""


def package_of(folder: str) -> ModuleType:
    return import_module(f"referee.rulebooks.{folder}")


def subjects_of(folder: str) -> dict[str, tuple[str, ...]]:
    """`MODULES` of a rulebook's folder: which modules hold the rules on each subject."""
    return dict(getattr(package_of(folder), "MODULES", {}))


@pytest.mark.parametrize("folder", FOLDERS)
def test_modules_hold_rules_on_the_subjects_they_are_listed_for(folder: str) -> None:
    """Each rule of a listed module is on a subject that leads to the module, and the other way round."""
    subjects = subjects_of(folder)
    assert all(isinstance(names, tuple) for names in subjects.values()), "a name alone is no tuple"
    for name in {name for names in subjects.values() for name in names}:
        assert (PACKAGE / "rulebooks" / folder / f"{name}.py").is_file(), f"{folder} has no module {name}"
        found = {rule.on for rule in rules_in(import_module(f"referee.rulebooks.{folder}.{name}"))}
        listed_for = {subject for subject, names in subjects.items() if name in names}
        assert found == listed_for, f"{folder}/{name}.py"


@pytest.mark.parametrize("folder", FOLDERS)
def test_no_module_with_rules_is_left_out(folder: str) -> None:
    package = package_of(folder)
    named = {name for names in subjects_of(folder).values() for name in names}
    own_rules = {rule.decide for rule in getattr(package, "RULES", ())}
    left_out = set()
    for path in (PACKAGE / "rulebooks" / folder).glob("*.py"):
        rules = rules_in(import_module(f"{package.__name__}.{path.stem}")) if path.stem != "__init__" else ()
        if path.stem not in named and any(rule.decide not in own_rules for rule in rules):
            left_out.add(path.stem)
    assert left_out <= WAITING.get(folder, set())


@pytest.mark.parametrize("folder", FOLDERS)
def test_a_rulebook_folder_says_where_things_are_in_its_own_modules(folder: str) -> None:
    """`PROCEDURES` are `module:name`, modules, or functions; `DROPPED` are rules of a parent."""
    package = package_of(folder)
    for name, found in getattr(package, "PROCEDURES", {}).items():
        if isinstance(found, str):
            module, _, attribute = found.partition(":")
            assert (PACKAGE / "rulebooks" / folder / f"{module}.py").is_file(), f"{name}: {found}"
            held = import_module(f"{package.__name__}.{module}")
            assert not attribute or callable(getattr(held, attribute)), name
        else:
            assert callable(found), name
    inherited: set[str] = set()
    (descriptor,) = (each for each in descriptors().values() if each["folder"] == folder)
    if descriptor.get("extends"):
        inherited = set(load_rulebook(descriptor["extends"]).rules)
    assert set(getattr(package, "DROPPED", ())) <= inherited


@pytest.mark.parametrize("id", sorted(descriptors()))
def test_rules_loaded_by_subject_are_those_loaded_together(id: str) -> None:
    every = load_rulebook.__wrapped__(id).rules
    subjects = {rule.on for rule in every.values()}
    assert subjects == {
        subject
        for descriptor in load_rulebook(id).chain
        for subject in (*subjects_of(descriptors()[descriptor]["folder"]), *subjects_in_rules(descriptor))
    }
    for subject in sorted(subjects):
        alone = load_rulebook.__wrapped__(id)
        together = tuple(rule for rule in every.values() if rule.on == subject)
        assert alone.rules_on(subject) == together, subject
    one_after_the_other = load_rulebook.__wrapped__(id)
    gathered = {rule.key: rule for subject in subjects for rule in one_after_the_other.rules_on(subject)}
    assert gathered == dict(every)
    assert load_rulebook.__wrapped__(id).rules_on("no such subject") == ()


def subjects_in_rules(id: str) -> set[str]:
    """The subjects of rules that a folder holds itself, in `RULES`."""
    return {rule.on for rule in getattr(package_of(descriptors()[id]["folder"]), "RULES", ())}


ASKS_FOR_A_FORM = """
import sys
from referee.rulebooks.registry import load_rulebook
assert load_rulebook(sys.argv[1]).rules_on("allocation")
print(*(name for name in sys.modules if name.startswith("referee.rulebooks.")))
"""


@pytest.mark.parametrize("id", [id for id in rulebook_ids() if load_rulebook(id).rules_on("allocation")])
def test_judging_a_form_loads_no_other_rules(id: str) -> None:
    """What `MODULES` is for: only the modules that the subject leads to, and what those import."""
    answer = subprocess.run(
        [sys.executable, "-c", ASKS_FOR_A_FORM, id],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
        cwd=ROOT,
    )
    loaded = set(answer.stdout.split())
    for folder in FOLDERS:
        subjects = subjects_of(folder)
        others = {name for names in subjects.values() for name in names} - set(subjects.get("allocation", ()))
        assert not {f"referee.rulebooks.{folder}.{name}" for name in others} & loaded


def test_no_test_or_code_names_a_place_on_one_machine() -> None:
    """Nothing leans on where the project stands."""
    home = re.compile("/" + "work/(?:main|shared)|/" + "root/")
    files = [*MODULES, *(ROOT / "tests").rglob("*.py"), *(ROOT / "tests" / "cases").rglob("*.toml")]
    wrong = [
        f"{path.relative_to(ROOT)}: {match[0]}"
        for path in files
        if (match := home.search(path.read_text(encoding="utf-8")))
    ]
    assert not wrong, "\n".join(wrong)
