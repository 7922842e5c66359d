"""A harness by its name, and what may come out of one input: a report, or one line for people."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Protocol, cast

from referee.core.errors import BadInput, IntegrityFailure, Refused, TornTail
from referee.core.finding import Report
from referee.judging.files import judge_file
from referee.sources.asked import Asked
from referee.sources.inputs import InputBytes, Kind
from referee.sources.settings import Settings

NAMES = ("vassal", "forms", "orders", "records", "maps", "rooms", "plays")
FOR_PEOPLE = (BadInput, IntegrityFailure, Refused, TornTail)
"""What the program says of a bad file. Whatever else is raised is a fault of its own."""
ROOT = Path(__file__).resolve().parents[1]
KEPT = ROOT / "tests" / "fuzzed"
REACHED = ROOT / ".fuzz"
ASKED = Asked(Settings("sfb-cadet"), digests=False)


class Harness(Protocol):
    """What a module of this folder offers that is a harness."""

    AIMS: tuple[str, ...]

    def take(self, data: bytes) -> None:
        """Reads and judges an input. Raises one of `FOR_PEOPLE` for a bad one, anything else where the program errs."""

    def seeds(self) -> Iterable[bytes]:
        """The inputs to begin with."""


def harness(name: str) -> Harness:
    """A harness by its name."""
    return cast("Harness", import_module(f"fuzz.{name}"))


def play(one: Harness, data: bytes) -> str:
    """Plays an input; gives what people are told of it, empty where nothing is wrong with it."""
    try:
        one.take(data)
    except FOR_PEOPLE as error:
        said = str(error)
        assert said and "\n" not in said, f"not one line: {said!a}"
        return said
    return ""


def judged(data: bytes, name: str, kind: Kind, asked: Asked = ASKED) -> Report:
    """The report on a file, judged twice: both must be the same."""
    source = InputBytes(name, data, kind, piped=True)
    report = judge_file(source, asked)
    assert report == judge_file(source, asked), "judged twice, two reports"
    return report


def files(*patterns: str) -> Iterator[bytes]:
    """The files of the project with such paths."""
    for pattern in patterns:
        yield from (path.read_bytes() for path in sorted(ROOT.glob(pattern)))
