"""The screen of a table on a pseudo-terminal of its own: keys go in, and what it shows is kept as a terminal keeps it."""

from __future__ import annotations

import codecs
import fcntl
import os
import pty
import re
import select
import signal
import struct
import sys
import termios
import time
from typing import NoReturn

import textual.drivers.linux_driver  # noqa: F401  # loaded with the program

import referee.live.screen.app  # noqa: F401
from referee.cli.main import main
from tests.conftest import ROOT

PATIENCE = 30.0
KEYS = {"enter": "\r", "escape": "\x1b", "tab": "\t", "space": " ", "colon": ":", "comma": ",", "full_stop": ".", "minus": "-", "slash": "/", "number_sign": "#"}  # fmt: skip
_PARTS = re.compile(
    r"\x1b\[([0-9;?<>=]*)[ -/]*([@-~])|\x1b[\]P].*?(?:\x07|\x1b\\)|\x1b[()].|\x1b[^\[\]P()]|([^\x1b]+)",
    re.DOTALL,
)


def _run(game: str, environment: dict[str, str]) -> NoReturn:
    """The program in this process, as it would be started, to its end."""
    os.environ.clear()
    os.environ.update(environment)
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        stream = os.fdopen(number, "w" if number else "r", encoding="utf-8")
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)
    sys.argv = ["referee", "table", game]
    code: object = 1
    try:
        main()
    except SystemExit as left:
        code = left.code
    finally:
        os._exit(code if isinstance(code, int) else 1)


class OnAScreen:
    """A run of `referee table` on a terminal of so many columns and rows. `loaded` is a process forked from this one,
    which has the program loaded: it takes a third of the time to begin."""

    def __init__(
        self, game: str, columns: int = 80, rows: int = 24, loaded: bool = False, **environment: str
    ) -> None:
        self.columns, self.height = columns, rows
        self.cells = [[" "] * columns for _ in range(rows)]
        self._x = self._y = 0
        self.written = b""
        self._begun = ""
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self.pid, self._fd = pty.fork()
        if not self.pid:
            sized = {"COLUMNS", "LINES"}  # a size of the environment's would stand above that of the window
            told = {name: value for name, value in os.environ.items() if name not in sized}
            given = {**told, "PYTHONPATH": str(ROOT), "TERM": "xterm-256color", **environment}
            if loaded:
                _run(game, given)
            os.execvpe(sys.executable, [sys.executable, "-m", "referee", "table", game], given)
        self.resize(columns, rows)

    def resize(self, columns: int, rows: int) -> None:
        """A window of another size."""
        self.columns, self.height = columns, rows
        self.cells = [[" "] * columns for _ in range(rows)]
        fcntl.ioctl(self._fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        os.kill(self.pid, signal.SIGWINCH)

    def press(self, *keys: str) -> None:
        """Presses keys."""
        for key in keys:
            os.write(self._fd, KEYS.get(key, key).encode())

    def read(self, wait: float) -> bool:
        """Takes in what it shows; False where nothing came."""
        if not select.select([self._fd], [], [], wait)[0]:
            return False
        try:
            some = os.read(self._fd, 65536)
        except OSError:  # Linux: the other end is closed.
            return False
        self.written += some
        self._take(some)
        return True

    def until(self, text: str, gone: str = "") -> None:
        """Waits till a text stands on the screen, and another does not."""
        end = time.monotonic() + PATIENCE
        while text not in (shown := self.shown) or (gone and gone in shown):
            self.read(0.2)
            assert time.monotonic() < end, f"{text!r} never came:\n{self.shown}"

    @property
    def shown(self) -> str:
        """The lines on the screen."""
        return "\n".join("".join(row).rstrip() for row in self.cells)

    def kill(self) -> None:
        """Ends it as nobody should."""
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        os.close(self._fd)

    def end(self) -> int:
        """Waits for its end; its exit code."""
        end = time.monotonic() + PATIENCE
        while not (done := os.waitpid(self.pid, os.WNOHANG))[0]:
            self.read(0.1)
            assert time.monotonic() < end, self.shown
        os.close(self._fd)
        return os.waitstatus_to_exitcode(done[1])

    def _take(self, some: bytes) -> None:
        """Puts bytes on the screen: the few codes that Textual writes. What is cut waits for its end."""
        text = self._begun + self._decoder.decode(some)
        done = 0
        for part in _PARTS.finditer(text):
            if part.start() != done:
                break
            done = part.end()
            codes, letter, shown = part.groups()
            if shown:
                for each in shown:
                    self._put(each)
            elif letter == "H":
                y, _, x = codes.partition(";")
                self._y, self._x = int(y or 1) - 1, int(x or 1) - 1
            elif letter == "J":
                self.cells = [[" "] * self.columns for _ in range(self.height)]
        self._begun = text[done:]

    def _put(self, letter: str) -> None:
        if letter == "\r":
            self._x = 0
        elif letter == "\n":
            self._x, self._y = 0, self._y + 1
        elif self._y < self.height and self._x < self.columns:
            self.cells[self._y][self._x] = letter
            self._x += 1
