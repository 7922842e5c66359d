"""What every test may ask for: the examples, and the shared files where they lie beside the checkout."""

from __future__ import annotations

import gc
import os
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from shutil import disk_usage
from typing import Any

import pytest
from hypothesis import settings

ROOT = Path(__file__).parent.parent
SHARED = ROOT.parent / "shared"

# How long an example takes says how busy the machine is; speed is what benchmarks/ is for.
# `quick` is for everybody; `pytest -m long` runs every property again with more examples than it has here.
settings.register_profile("quick", deadline=None, max_examples=5)
settings.register_profile("long", deadline=None, max_examples=200)
settings.load_profile("quick")


def examples(full: int, **more: Any) -> settings:
    """So many examples of a property in the long run, and a twentieth of them in the ordinary one."""
    is_long = settings().max_examples == settings.get_profile("long").max_examples
    return settings(deadline=None, max_examples=full if is_long else max(full // 20, 1), **more)


if sys.dont_write_bytecode and sys.pycache_prefix is None:
    # Compiling anew in every worker and in every program a test starts costs minutes: what may not lie beside the
    # sources is kept with pytest's own cache.
    sys.dont_write_bytecode, sys.pycache_prefix = False, str(ROOT / ".pytest_cache" / "compiled")
    os.environ["PYTHONPYCACHEPREFIX"] = sys.pycache_prefix
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)


def _memory() -> Path | None:
    """Where files are kept in memory, if there is enough of it: a record's durable appends then wait for no disk."""
    memory = Path("/dev/shm")
    enough = 4 * 1024**3
    fits = memory.is_dir() and os.access(memory, os.W_OK | os.X_OK) and disk_usage(memory).free > enough
    return memory if fits else None


HOME = tempfile.mkdtemp()
"""What tests trust counts for nobody else."""
os.environ["REFEREE_HOME"] = HOME


@pytest.fixture(autouse=True)
def nothing_is_trusted() -> None:
    """A test trusts nothing to begin with: the folder of one that is over may be another's."""
    Path(HOME, "referee", "trusted").unlink(missing_ok=True)


if memory := _memory():
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(memory))


def _is_long(config: pytest.Config) -> bool:
    return bool(config.getoption("markexpr") == "long")


def mostly_long(rows: Iterable[Any], ordinary: Callable[..., bool]) -> list[Any]:
    """The rows of a matrix: those that are not ordinary run in the long run alone."""
    cells = [row if isinstance(row, tuple) else (row,) for row in rows]
    return [pytest.param(*row, marks=() if ordinary(*row) else pytest.mark.long) for row in cells]


def pytest_configure(config: pytest.Config) -> None:
    """Before a test file is read, which takes the examples of its properties from the profile."""
    if _is_long(config):
        settings.load_profile("long")
    gc.disable()  # What is made while tests are collected stays: looking through it for garbage takes seconds.


def pytest_collection_finish() -> None:
    """Ten thousand collected tests are no garbage: without this every collection of it looks through them again."""
    gc.freeze()
    gc.set_threshold(200_000, 20, 100)
    gc.enable()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Properties run in both runs, with few examples and with many; of a test that is `one_in` so many rows one runs in
    the ordinary run, and the others in the long one."""
    rows: Counter[str] = Counter()
    for item in items:
        if _is_long(config) and getattr(getattr(item, "obj", None), "is_hypothesis_test", False):
            item.add_marker("long")
        if (one := item.get_closest_marker("one_in")) and not item.get_closest_marker("long"):
            test = item.nodeid.partition("[")[0]
            if rows[test] % one.args[0]:
                item.add_marker("long")
            rows[test] += 1


@pytest.fixture(autouse=True)
def unconfirmed_ships() -> Iterator[None]:
    """What one test confirmed of a ship, in its folder, counts for no other."""
    yield
    registry = sys.modules.get("referee.rulebooks.registry")
    if registry is not None:
        registry.use_confirmed({})


@pytest.fixture(scope="session")
def duel() -> Path:
    """The folder of the example duel."""
    return ROOT / "examples" / "duel"


@pytest.fixture(scope="session")
def shared() -> Path:
    """The shared folder; the test is skipped where it is not there."""
    if not SHARED.is_dir():
        pytest.skip("no ../shared beside this checkout")
    return SHARED
