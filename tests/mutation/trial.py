"""Tries mutants: a child for each, in which the function has the changed code, runs the cases that touch the function.

Whoever notices first is named; the child that no case stops has a survivor. The child is forked from a process that has
everything loaded, and the code is put into the function itself, so that no rulebook is loaded anew.
"""

from __future__ import annotations

import ast
import gc
import os
import re
import resource
import signal
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from types import CodeType, FunctionType
from typing import Any

from tests.mutation.mutants import Mutant, mutated, source_of
from tests.mutation.ruled import Key, numbers, ruled

MEMORY = 4 * 1024**3
"""What a child may have, in bytes: a mutant that never stops collecting is stopped."""
TIMES_AS_LONG, SECONDS_MORE = 10, 3.0
"""How long a case may take, in processor time, against what it takes without a change: one that goes round for ever is
stopped."""
MOST = {"corpus": 400, "tests": 300, "frozen": 120}
"""Who is asked first, and of the cases of each kind that call a function how many are run: those of its own number first,
then those that call the fewest others."""
ONE_FOR_ALL = ("referee.rulebooks.registry", "referee.rulebooks.base", "referee.corpus", "referee.formats")
"""The modules whose caches hold what is read from files, which no rule changes."""


@dataclass(frozen=True)
class Check:
    """A case or a test: its name, and how to run it; what it says is why it fails, empty if it does not."""

    name: str
    of: str
    run: Callable[[], str]


@dataclass(frozen=True)
class Touched:
    """A check with the functions it calls, and how many seconds it takes."""

    check: Check
    functions: frozenset[Key]
    seconds: float


@dataclass(frozen=True)
class Verdict:
    """What became of a mutant: who noticed (one of MOST, or `stopped`), or nobody, and by which case."""

    mutant: Mutant
    by: str
    name: str
    seconds: float


class NotClean(Exception):
    """A check fails with no change made: it would notice everything."""


def touched_by(checks: Iterable[Check]) -> list[Touched]:
    """Runs every check once, and sees which functions it calls. Raises NotClean for one that fails."""
    live = live_functions()
    original = {key: function.__code__ for key, function in live.items()}
    seen: set[Key] = set()
    found = []
    kept = caches()
    try:
        for module in sorted({key[0] for key in live}):
            for key, code in _marking(module, seen, live).items():
                live[key].__code__ = code
        for check in checks:
            for cache in kept:
                cache.cache_clear()
            seen.clear()
            start = time.process_time()
            if why := check.run():
                raise NotClean(f"{check.name}: {why}")
            found.append(Touched(check, frozenset(seen), time.process_time() - start))
    finally:
        for key, code in original.items():
            live[key].__code__ = code
    return found


def live_functions() -> dict[Key, FunctionType]:
    """The functions that are tested, as they are in memory."""
    found = {}
    for module, name in ruled():
        owner, _, attribute = name.rpartition(".")
        holder = import_module(module)
        found[module, name] = _function_in(vars(getattr(holder, owner) if owner else holder)[attribute])
    return found


def _function_in(found: Any) -> FunctionType:
    """The function inside a property or a cache."""
    while not isinstance(found, FunctionType):
        inside = ("fget", "func", "_work_out", "__func__", "__wrapped__")
        found = next(getattr(found, name) for name in inside if hasattr(found, name))
    return found


def _marking(module: str, seen: set[Key], live: Mapping[Key, FunctionType]) -> dict[Key, CodeType]:
    """The code of a module's functions that says, each time one is called, that it is."""
    tree = ast.parse(source_of(module))
    for node in list(ast.walk(tree)):
        scope = (
            f"{node.name}."
            if isinstance(node, ast.ClassDef)
            else ""
            if isinstance(node, ast.Module)
            else None
        )
        for function in getattr(node, "body", ()) if scope is not None else ():
            if isinstance(function, ast.FunctionDef) and (key := (module, scope + function.name)) in live:
                mark = ast.parse(f"__called__({key!r})").body[0]
                at = 1 if ast.get_docstring(function) is not None else 0
                function.body.insert(at, mark)
                live[key].__globals__["__called__"] = seen.add
    return _codes(compile(ast.fix_missing_locations(tree), f"<{module}>", "exec"), module, live)


def _codes(code: CodeType, module: str, wanted: Iterable[Key]) -> dict[Key, CodeType]:
    found, waiting, names = {}, [code], {name for at, name in wanted if at == module}
    while waiting:
        for each in waiting.pop().co_consts:
            if isinstance(each, CodeType):
                waiting.append(each)
                if each.co_qualname in names:
                    found[module, each.co_qualname] = each
    return found


def caches() -> list[Any]:
    """The caches of what rules work out; those of what is read from files are not among them."""
    modules = [
        module
        for name, module in sorted(sys.modules.items())
        if name.startswith("referee.") and not name.startswith(ONE_FOR_ALL)
    ]
    return [each for module in modules for each in vars(module).values() if hasattr(each, "cache_clear")]


def tried(mutants: Iterable[Mutant], checks: Iterable[Touched]) -> Iterator[Verdict]:
    """What becomes of each mutant."""
    live = live_functions()
    by_function: dict[Key, list[Touched]] = {key: [] for key in live}
    for each in checks:
        for key in each.functions:
            by_function[key].append(each)
    for key, mine in by_function.items():
        number = re.compile(rf"\b{re.escape(numbers().get(key, '-'))}(?![\w.-])")
        mine.sort(key=lambda each: (not number.search(each.check.name), len(each.functions), each.seconds))
    chosen = {
        key: [
            each
            for of, most in MOST.items()
            for each in [touched for touched in mine if touched.check.of == of][:most]
        ]
        for key, mine in by_function.items()
    }
    kept = caches()
    gc.collect()
    gc.freeze()
    for mutant in mutants:
        start = time.monotonic()
        by, name = _outcome(mutant, live[mutant.key], chosen[mutant.key], kept)
        yield Verdict(mutant, by, name, time.monotonic() - start)


def _outcome(
    mutant: Mutant, function: FunctionType, checks: list[Touched], kept: list[Any]
) -> tuple[str, str]:
    module = mutant.key[0]
    code = _codes(compile(mutated(mutant), function.__code__.co_filename, "exec"), module, [mutant.key])
    read, write = os.pipe()
    child = os.fork()
    if not child:
        os.close(read)
        _in_child(function, code[mutant.key], checks, kept, write)
    os.close(write)
    with os.fdopen(read) as said:
        lines = said.read().splitlines()
    _, status = os.waitpid(child, 0)
    last = lines[-1] if lines else ""
    if os.WIFSIGNALED(status):
        return "stopped", last
    if os.WEXITSTATUS(status) > 1:
        raise RuntimeError(f"the child of {mutant.id} ended with {status}: {last}")
    return ("", "") if last == "survived" else (last.partition(" ")[0], last.partition(" ")[2])


def _in_child(
    function: FunctionType, code: CodeType, checks: list[Touched], kept: list[Any], write: int
) -> None:
    """Runs checks until one fails; what it is doing is said line by line, so that it is known where it was stopped."""
    status = 2
    try:
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        signal.signal(signal.SIGPROF, signal.SIG_DFL)
        with _silent(), os.fdopen(write, "w", buffering=1) as say:
            for cache in kept:
                cache.cache_clear()
            function.__code__ = code
            noticed = False
            for each in checks:
                say.write(f"{each.check.of} {each.check.name}\n")
                signal.setitimer(signal.ITIMER_PROF, each.seconds * TIMES_AS_LONG + SECONDS_MORE)
                try:
                    noticed = bool(each.check.run())
                except BaseException:  # whatever a changed rule raises, it is noticed
                    noticed = True
                if noticed:
                    break
            signal.setitimer(signal.ITIMER_PROF, 0)
            if not noticed:
                say.write("survived\n")
            status = 0
    finally:
        os._exit(status)


@contextmanager
def _silent() -> Iterator[None]:
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    yield
