"""Runs the program on a terminal of its own, as a player sees it."""

from __future__ import annotations

import os
import select
import subprocess
import sys
import time
from pathlib import Path

from tests.cli.conftest import hearing_ctrl_c
from tests.conftest import ROOT

PATIENCE = 20


class Typed:
    """A run of the program on a pseudo-terminal: what it shows, and keys for it."""

    def __init__(self, *arguments: str | Path) -> None:
        self._screen, theirs = os.openpty()
        self.shown = ""
        self._asked = 0
        with hearing_ctrl_c():
            self.process = subprocess.Popen(
                [sys.executable, "-m", "referee", *map(str, arguments)],
                preexec_fn=lambda: os.login_tty(theirs),  # noqa: PLW1509  # its own terminal, so that Ctrl-C is heard
                pass_fds=[theirs],
                env={**os.environ, "PYTHONPATH": str(ROOT), "TERM": "dumb"},
            )
        os.close(theirs)

    def _read(self) -> bool:
        if not select.select([self._screen], [], [], 0.2)[0]:
            return self.process.poll() is None
        try:
            some = os.read(self._screen, 65536)
        except OSError:  # Linux: the other end is closed.
            return False
        self.shown += some.decode()
        return bool(some)

    def until(self, text: str) -> None:
        """Waits till it shows a text behind what was waited for before."""
        end = time.monotonic() + PATIENCE
        while text not in self.shown[self._asked :]:
            if not self._read() or time.monotonic() > end:
                self.process.kill()
                raise AssertionError(f"{text!r} never came:\n{self.shown}")
        self._asked = self.shown.index(text, self._asked) + len(text)

    def answer(self, asked: str, line: str) -> None:
        """Waits for a question and types a line."""
        self.until(asked)
        os.write(self._screen, f"{line}\n".encode())

    def press(self, key: bytes) -> None:
        """Presses a key alone."""
        os.write(self._screen, key)

    def end(self) -> int:
        """Waits for its end; its exit code."""
        end = time.monotonic() + PATIENCE
        while self._read():
            if time.monotonic() > end:
                self.process.kill()
                raise AssertionError(f"it never ended:\n{self.shown}")
        code = self.process.wait(PATIENCE)
        os.close(self._screen)
        return code
