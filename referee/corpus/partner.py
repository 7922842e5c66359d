"""Another program at the other end of two pipes: a line to it, a line from it, and no longer a wait than allowed."""

from __future__ import annotations

import json
import os
import queue
import shlex
import subprocess
import threading
from collections.abc import Mapping
from typing import IO, Any

from referee.core.errors import BadInput

LONGEST_LINE = 1_000_000
_SHOWN = 80


class NoAnswer(Exception):
    """A program did not answer a message: why, in `str`. `gone` where it has ended or must be ended."""

    def __init__(self, why: str, *, gone: bool = False) -> None:
        super().__init__(why)
        self.gone = gone


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
        try:
            self._process = subprocess.Popen(
                self._words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
            )
        except OSError as error:
            raise BadInput(f"cannot be started ({error.strerror})", file=self._words[0]) from None
        self._lines: queue.Queue[bytes] = queue.Queue()
        assert self._process.stdout
        threading.Thread(target=_listen, args=(self._process.stdout, self._lines), daemon=True).start()

    def __enter__(self) -> Partner:
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    def end(self) -> None:
        """Ends the program if it has not ended."""
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            try:
                if pipe:
                    pipe.close()
            except OSError:  # what it has not read goes with it
                pass

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
            raise NoAnswer("the program has ended", gone=True) from None

    def ask(self, message: Mapping[str, Any]) -> dict[str, Any]:
        """The answer to a message. Raises NoAnswer for none in time, or none that can be read."""
        self.say(message)
        try:
            line = self._lines.get(timeout=self._seconds)
        except queue.Empty:
            raise NoAnswer(f"no answer in {self._seconds:g} seconds", gone=True) from None
        if not line:
            raise NoAnswer("the program has ended", gone=True)
        if not line.endswith(b"\n") and len(line) >= LONGEST_LINE:
            raise NoAnswer("the answer is too long", gone=True)
        try:
            answer = json.loads(line)
        except (ValueError, RecursionError):
            said = line[:_SHOWN].decode(errors="replace").strip()
            raise NoAnswer(f"the answer is no JSON: {said!a}") from None
        if not isinstance(answer, dict):
            raise NoAnswer("the answer is no object")
        return answer

    def stop(self) -> None:
        """Says `stop` and gives the program time to end by itself."""
        try:
            self.say({"type": "stop"})
            self._process.wait(timeout=self._seconds)
        except (NoAnswer, subprocess.TimeoutExpired):
            pass


def _listen(pipe: IO[bytes], lines: queue.Queue[bytes]) -> None:
    """Puts each line of a program into a queue, and an empty one at its end."""
    try:
        while line := pipe.readline(LONGEST_LINE):
            lines.put(line)
    except (OSError, ValueError):  # it was closed meanwhile
        pass
    lines.put(b"")
