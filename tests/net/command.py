"""The program as the net asks it: its command, in this process, with what it prints caught."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from json import loads
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Ran:
    """What one run of the program left behind."""

    code: int
    out: str
    err: str

    @property
    def complaints(self) -> str:
        """Standard error without what was written."""
        return "".join(line for line in self.err.splitlines(True) if not line.startswith("wrote "))

    @property
    def json(self) -> Any:
        """Standard output as JSON."""
        return loads(self.out)

    def findings(self, *severities: str) -> list[Any]:
        """The findings of a check report, by severity."""
        return [f for f in self.json["findings"] if not severities or f["severity"] in severities]


class _Terminal(io.TextIOWrapper):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def command(*arguments: str | Path, stdin: bytes = b"", terminal: bool = False) -> Ran:
    """Runs the command line in this process, as at a `terminal` or in a pipe."""
    from referee.cli.main import run

    with _streams(stdin, _Terminal if terminal else io.TextIOWrapper) as (out, err):
        try:
            code = run([str(argument) for argument in arguments])
        except SystemExit as ended:  # A shell was answered.
            code = int(ended.code or 0)
    return Ran(code, _text(out), _text(err))


@contextmanager
def _streams(
    stdin: bytes, kind: type[io.TextIOWrapper]
) -> Iterator[tuple[io.TextIOWrapper, io.TextIOWrapper]]:
    stood = sys.stdin, sys.stdout, sys.stderr
    said = [kind(io.BytesIO(data), encoding="utf-8", newline="") for data in (stdin, b"", b"")]
    sys.stdin, sys.stdout, sys.stderr = said
    try:
        yield said[1], said[2]
    finally:
        sys.stdin, sys.stdout, sys.stderr = stood


def _text(stream: io.TextIOWrapper) -> str:
    stream.flush()
    buffer: Any = stream.buffer
    return str(buffer.getvalue().decode("utf-8"))
