"""The game a command is about where none is named: that of `referee.toml`, else the only record in the folder."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from referee.core.errors import BadInput
from referee.sources.settings import CONFIG_FILE, read_toml

TAKES = frozenset(
    ("join", "status", "apply", "choose", "rule", "replay", "report", "chat", "say", "key", "undo", "next")
) | {"resolve", "lock"}
"""The commands of `referee game` that play in a record there is."""
_RECORD = b'"type":"genesis"'
_BEGINS = 1 << 16  # bytes of a file within which the first entry of a record stands


def with_game(arguments: Sequence[str]) -> list[str]:
    """The arguments of a command with the game it is about in its place, right behind the command: the one named
    with `-g`, one that is named there already, or that of the folder. Raises BadInput where several may be meant."""
    count = _words(arguments)
    if not count or {"--help", "-h"} & set(arguments):
        return list(arguments)
    head, rest = list(arguments[:count]), list(arguments[count:])
    for n, argument in enumerate(rest):
        if argument in ("-g", "--game"):
            if n + 1 == len(rest):
                raise BadInput("-g names no game", hint="-g duel.jsonl")
            return [*head, rest[n + 1], *rest[:n], *rest[n + 2 :]]
    if any(_is_named(argument) for argument in rest) or (head[-1] == "report" and _is_a_file(rest)):
        return [*head, *rest]
    return [*head, default_game(), *rest]


def _words(arguments: Sequence[str]) -> int:
    """How many words the command is, where it is about a game; else none."""
    if arguments[:1] == ["table"]:
        return 1
    return 2 if len(arguments) > 1 and arguments[0] == "game" and arguments[1] in TAKES else 0


def default_game() -> str:
    """The game of the folder. Raises BadInput where there is none, or more than one."""
    config = read_toml(CONFIG_FILE) if Path(CONFIG_FILE).is_file() else {}
    if said := config.get("game"):
        return str(said)
    records = sorted(str(path) for path in Path().glob("*.jsonl") if _is_record(path))
    if len(records) == 1:
        return records[0]
    if not records:
        raise BadInput("no game is named, and there is no record here", hint="name it: duel.jsonl")
    raise BadInput(f"which game? there are {', '.join(records[:6])}", hint=f"-g {records[0]}")


def _is_a_file(rest: Sequence[str]) -> bool:
    """Is a file named first? A report is told of a save, a log and an orders file too."""
    return bool(rest) and not rest[0].startswith("-")


def _is_named(argument: str) -> bool:
    """Is an argument a game?"""
    if argument.startswith("-"):
        return False
    return argument.endswith(".jsonl") or _is_record(Path(argument))


def _is_record(path: Path) -> bool:
    """Is a file a record, by how it begins?"""
    try:
        if not path.is_file():
            return False
        with path.open("rb") as file:
            return _RECORD in file.read(_BEGINS)
    except (OSError, ValueError):
        return False
