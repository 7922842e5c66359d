"""The games of one file of the online client: where one ends and the next begins, and the facts of each."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from referee.core.errors import BadInput
from referee.formats.files import in_lines
from referee.formats.limits import MAX_LOG_GAME_LINES, MAX_LOG_LINE, MAX_LOG_LINES, MAX_SAVE_FILE
from referee.formats.sfbol import (
    PLAYED,
    Added,
    Allocating,
    Fact,
    bare,
    fact_in,
    facts_in,
    is_launched,
    is_played,
    may_go_on,
)
from referee.formats.sfbol_times import without_times

_IMPULSE_LINE = re.compile(r"\n[ \t]*Impulse[ \t]+[0-9]{1,3}\.[0-9]{1,2}:[ \t]*$", re.MULTILINE)
PUT_ANEW = 2
"""Ships that are put on the map within a turn before an impulse of it that is over: then it is of another game."""


class PlayedGame(NamedTuple):
    """One game of a log: its first and last line, its facts, and how many lines it has that say something."""

    first: int
    last: int
    facts: list[Fact]
    lines: int
    cut: int = 0
    """The last line, where it has no end and more of it may have stood there."""
    out_of_order: tuple[int, ...] = ()
    """Lines at which an impulse is taken to begin that is told otherwise, or not."""


class GamePart(NamedTuple):
    """The text of one game of a log, and the number of its first line."""

    first: int
    text: str


def read_play(data: bytes, file: str) -> Iterator[PlayedGame]:
    """The games of a log, one after the other. Raises BadInput as `parts_of` and `read_game`."""
    return (read_game(part, file) for part in parts_of(data, file))


def parts_of(data: bytes, file: str) -> Iterator[GamePart]:
    """A log game by game, each with what was set up for it before. Another game begins where a turn comes back, or an
    impulse of the same turn after a set-up. Raises BadInput, with the line, for what is no text, or more of it than a
    log has."""
    if len(data) > MAX_SAVE_FILE:
        raise BadInput(f"is larger than {MAX_SAVE_FILE >> 20} MiB", file=file)
    data = without_times(in_lines(data))
    if (at := data.find(b"\0")) >= 0:
        place = f"line {data.count(bytes([10]), 0, at) + 1}"
        hint = "save it as UTF-8"
        raise BadInput("holds a NUL byte: it is no text", file=file, place=place, hint=hint)
    # A line is found sooner by the end of the one before it.
    text = "\n" + _decoded(data)
    if text.count("\n") > MAX_LOG_LINES:
        raise BadInput(f"has more than {MAX_LOG_LINES:,} lines", file=file, hint="cut it game by game")
    start, line, before, last = 1, 1, (0, 0), None
    for match in _IMPULSE_LINE.finditer(text):
        now = _moment(match[0])
        if now is None:
            continue
        if now <= before:
            end, anew = _set_up_before(text, match.start() + 1, min(last.end() + 1, len(text)) if last else 1)
            if anew or now[0] < before[0]:
                yield GamePart(line, text[start:end])
                line += text.count("\n", start, end)
                start = end
        before, last = now, match
    yield GamePart(line, text[start:])


@lru_cache(maxsize=1 << 12)
def _moment(line: str) -> tuple[int, int] | None:
    """The turn and impulse a line tells; None for one that there is not."""
    turn, impulse = map(int, line.strip()[8:-1].split("."))
    return (turn, impulse) if is_played(turn, impulse) else None


def _set_up_before(text: str, at: int, played: int) -> tuple[int, bool]:
    """Where the set-up begins that stands before an impulse and after what was last played, and whether it is that of
    a game: energy is allocated in it, or several ships are put on the map."""
    begun, ships, allocated = at, 0, False
    for match in _ROW.finditer(text, played, at):
        row = match[0]
        if len(row) > MAX_LOG_LINE:
            continue
        fact = fact_in(0, " ".join(row.split()))
        if isinstance(fact, PLAYED) or (isinstance(fact, Added) and is_launched(fact)):
            begun, ships, allocated = at, 0, False
        elif isinstance(fact, Added | Allocating):
            begun = min(begun, match.start())
            ships += isinstance(fact, Added)
            allocated |= isinstance(fact, Allocating)
    return begun, allocated or ships >= PUT_ANEW


_ROW = re.compile(r"[^\n]+")


def read_game(part: GamePart, file: str) -> PlayedGame:
    """The facts of one game. Raises BadInput for a line that is longer than any, and for more lines than a game has."""
    if part.text.count("\n") >= MAX_LOG_GAME_LINES:
        reason = f"one game has more than {MAX_LOG_GAME_LINES:,} lines"
        raise BadInput(reason, file=file, place=f"line {part.first}", hint="cut it turn by turn")
    rows = _rows(part, file)
    single = "  " not in part.text and "\t" not in part.text
    facts = facts_in(rows, part.first, str.strip if single else bare)
    last = part.first + len(rows) - 1
    cut = last if facts and part.text[-1] != "\n" and may_go_on(facts[-1]) else 0
    return PlayedGame(part.first, max(last, part.first), facts, len(facts), cut)


def lines_of(data: bytes, file: str) -> Iterator[tuple[int, str]]:
    """The lines of a log, with their numbers, without the blanks around them. Raises BadInput as `parts_of`."""
    for part in parts_of(data, file):
        yield from enumerate(map(bare, _rows(part, file)), part.first)


def _rows(part: GamePart, file: str) -> list[str]:
    rows = part.text.split("\n")
    if not rows[-1]:
        rows.pop()
    if max(map(len, rows), default=0) > MAX_LOG_LINE:
        number = next(number for number, row in enumerate(rows, part.first) if len(row) > MAX_LOG_LINE)
        reason = f"is longer than {MAX_LOG_LINE:,} characters"
        raise BadInput(reason, file=file, place=f"line {number}", hint="is it a log of the client?")
    return rows


def text_of(data: bytes) -> str:
    """The text of a log, its lines ended by line feeds: UTF-8 or, by its mark, UTF-16; or what Windows wrote before that."""
    return _decoded(in_lines(data))


def _decoded(data: bytes) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("latin-1")
