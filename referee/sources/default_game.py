"""The game a command is about where none is named: that of `referee.toml`, else the only record in the folder."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from referee.core.errors import BadInput, NoRecord
from referee.core.once import pattern
from referee.sources.settings import CONFIG_FILE, read_settings, read_toml

_INSIDE = {
    "game": "join status apply choose rule replay report chat say key undo next resolve lock",
    "record": "verify recover head",
    "dice": "key throw enter confirm void forfeit reroll show-seed verify stats",
}
TAKES = {"table"} | {f"{group} {name}" for group, names in _INSIDE.items() for name in names.split()}
"""The commands that play in a record there is."""
_FLAGS = ("--plain", "--typed", "--json")
"""Options that may stand before the game."""
_RECORD = b'"type":"genesis"'
_RULEBOOK = pattern(rb'"rulebook":"([a-z0-9-]+)"')
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
    if any(_is_named(argument) for argument in rest) or _begins_with_file(head[-1], rest):
        return [*head, *rest]
    return [*head, default_game(f"referee {' '.join(head)} --help"), *rest]


def _words(arguments: Sequence[str]) -> int:
    """How many words the command is, where it is about a game; else none."""
    return next((count for count in (1, 2) if takes_game(arguments[:count])), 0)


def takes_game(words: Sequence[str]) -> bool:
    """Is a command, by its words, about a game that need not be named?"""
    return " ".join(words) in TAKES


def named_or_only(game: str) -> str:
    """The game that is named with an option, else that of the folder."""
    return game or default_game()


def default_game(hint: str = "name it: duel.jsonl") -> str:
    """The game of the folder. Raises BadInput, with the hint, where there is none, or more than one."""
    config = read_toml(CONFIG_FILE) if Path(CONFIG_FILE).is_file() else {}
    if named := config.get("game"):
        return str(named)
    records = _records()
    if len(records) == 1:
        return records[0]
    if not records:
        begun = "referee init game --scenario 4 --record game.jsonl --players ann,ben begins one"
        raise BadInput("no game is named, and there is no record here", hint=f"{begun}; {hint}")
    raise BadInput(f"which game? there are {', '.join(records[:6])}", hint=f"-g {records[0]}")


def folder_rulebook() -> str:
    """The rulebook of the folder: that of its settings, else of the only record in it, else the cadet game's."""
    if named := read_settings().rulebook:
        return named
    records = _records()
    of_game = _RULEBOOK.search(Path(records[0]).read_bytes()[:_BEGINS]) if len(records) == 1 else None
    return of_game[1].decode() if of_game else "sfb-cadet"


def _records() -> list[str]:
    """The records in the folder."""
    return sorted(str(path) for path in Path().glob("*.jsonl") if _is_record(path))


def record_wanted(wrong: NoRecord) -> BadInput:
    """What to say of a file that is no record: what it is, and the command that takes it; or which records are here."""
    from referee.formats.orderfiles import no_ship, places_ships
    from referee.sources.inputs import read_input

    file = wrong.file
    if not _is_file(Path(file)):
        here = ", ".join(_records()[:6])
        hint = f"there is {here}; " if here else ""
        begins = f"referee game new {file} begins one (--players alice,bob --ship NAME=CLASS:alice@2801E)"
        return BadInput(wrong.reason, file=file, hint=f"{hint}{begins}")
    try:
        source = read_input(file)
    except BadInput as error:
        return BadInput(f"{wrong.reason}: it {error.reason}", file=file, hint=wrong.hint)
    if source.is_record:  # By its name alone.
        start = source.data[:20].decode("utf-8", "replace").split("\n")[0]
        return BadInput(f"{start} is no game record", file=file, hint=wrong.hint)
    if source.what == "an orders file" and not places_ships(source.data):
        return no_ship(file)
    begins = f"referee game new GAME --from {file} begins a record with it, "
    goes_on = source.kind == "save" or source.what in ("an orders file", "a log of the online client")
    beside = source.suffix in (".toml", ".md") and not goes_on
    takes = wrong.hint if beside else f"{begins if goes_on else ''}referee check judges it"
    return source.no("no game record", takes)


def _begins_with_file(command: str, rest: Sequence[str]) -> bool:
    """Is a file named first, whatever it holds? It is the game; but `apply` takes a file of orders too. The file of
    `report` and `table` may not be there. Where no record is, a file behind the options is one that was meant."""
    words = [word for word in rest if word not in _FLAGS]
    if not words or command == "apply":
        return False
    if words[0].startswith("-"):
        last = words[-2:]
        return not last[0].startswith("-") and _is_file(Path(last[-1])) and not _records()
    return command in ("report", "table") or _is_file(Path(words[0]))


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


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
