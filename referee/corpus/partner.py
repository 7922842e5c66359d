"""Another program at the other end of two pipes: a line to it, a line from it, and no longer a wait than allowed."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import shlex
import signal
import subprocess
import threading
from collections import deque
from collections.abc import Callable, Mapping
from typing import IO, Any

from referee.core.errors import BadInput

LONGEST_LINE = 1_000_000
_SHOWN = 80
_HEARD_OUT = 1.0
"""Seconds for what a program wrote before it ended."""


class NoAnswer(Exception):
    """A program did not answer a message: why, in `str`. What it says from now on may be to anything."""


def words_of(command: str, escape: str = "" if os.sep == "\\" else "\\") -> list[str]:
    """The words of a command as it was typed. On Windows a backslash parts folders and escapes nothing."""
    words = shlex.shlex(command, posix=True, punctuation_chars=False)
    words.whitespace_split, words.commenters, words.escape = True, "", escape
    try:
        return list(words)
    except ValueError as error:
        reason = str(error).lower()
        raise BadInput(f"the program {command!r} cannot be read: {reason}", hint="close the quotes") from None


class Partner:
    """A running program. Use it in a `with`: it is ended at the end, whatever it does."""

    def __init__(self, command: str | list[str], seconds: float) -> None:
        self._words = words_of(command) if isinstance(command, str) else command
        self._seconds = seconds
        if not self._words:
            raise BadInput("no program", hint="--adapter 'node adapter.mjs'")
        self._open()

    def _open(self) -> None:
        pipe = subprocess.PIPE
        try:
            self._process = subprocess.Popen(
                self._words, stdin=pipe, stdout=pipe, stderr=pipe, start_new_session=True
            )
        except OSError as error:
            raise BadInput(f"cannot be started ({error.strerror})", file=self._words[0]) from None
        assert self._process.stdout and self._process.stderr
        self._lines: queue.Queue[bytes] = queue.Queue()
        self._last_words: deque[bytes] = deque(maxlen=1)
        self._listeners = [
            threading.Thread(target=_listen, args=heard, daemon=True)
            for heard in (
                (self._process.stdout, self._lines.put),
                (self._process.stderr, self._overhear),
            )
        ]
        for listener in self._listeners:
            listener.start()

    def _overhear(self, line: bytes) -> None:
        if line.strip():
            self._last_words.append(line)

    def __enter__(self) -> Partner:
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    def end(self) -> None:
        """Ends the program if it has not ended, and on POSIX what it started."""
        if hasattr(os, "killpg"):
            with contextlib.suppress(ProcessLookupError):  # all of it has ended
                os.killpg(self._process.pid, signal.SIGKILL)
        else:
            self._process.kill()
        self._process.wait()
        with contextlib.suppress(OSError):  # what it has not read goes with it
            assert self._process.stdin
            self._process.stdin.close()
        self._hear_out()

    def _hear_out(self) -> None:
        """Waits for what the program wrote before it ended. A pipe that a program of its own holds stays open."""
        for listener in self._listeners:
            listener.join(timeout=_HEARD_OUT)

    def open_again(self) -> None:
        """Starts the program anew."""
        self.end()
        self._open()

    def say(self, message: Mapping[str, Any]) -> None:
        """Sends a message. Raises NoAnswer where the program has ended."""
        assert self._process.stdin
        try:
            self._process.stdin.write(json.dumps(message, ensure_ascii=False).encode() + b"\n")
            self._process.stdin.flush()
        except OSError:
            raise NoAnswer(self._ended()) from None

    def ask(self, message: Mapping[str, Any]) -> dict[str, Any]:
        """The answer to a message. Raises NoAnswer for none in time, or none that can be read."""
        self.say(message)
        try:
            line = self._lines.get(timeout=self._seconds)
        except queue.Empty:
            raise NoAnswer(f"no answer in {self._seconds:g} seconds") from None
        if not line:
            raise NoAnswer(self._ended())
        if not line.endswith(b"\n") and len(line) >= LONGEST_LINE:
            raise NoAnswer("the answer is too long")
        try:
            answer = json.loads(line)
        except (ValueError, RecursionError):
            shown = line[:_SHOWN].decode(errors="replace").strip()
            raise NoAnswer(f"the answer is no JSON: {shown!a}") from None
        if not isinstance(answer, dict):
            raise NoAnswer("the answer is no object")
        return answer

    def _ended(self) -> str:
        """That it has ended, with the last line it wrote on standard error."""
        self._hear_out()
        last = "".join(line[:_SHOWN].decode(errors="replace").strip() for line in self._last_words)
        return f"the program has ended: {last!a}" if last else "the program has ended"

    def stop(self) -> None:
        """Says `stop` and gives the program time to end by itself."""
        try:
            self.say({"type": "stop"})
            self._process.wait(timeout=self._seconds)
        except (NoAnswer, subprocess.TimeoutExpired):
            pass


def _listen(pipe: IO[bytes], hears: Callable[[bytes], object]) -> None:
    """Hands on each line that a program writes, and an empty one at its end."""
    with pipe:
        while line := pipe.readline(LONGEST_LINE):
            hears(line)
    hears(b"")
