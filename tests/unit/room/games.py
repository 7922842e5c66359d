"""Games for the tests of the room: a log that a player would tell, as the messages that made it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from referee.formats.vassal.commands import encode_leaf
from referee.formats.vassal.container import open_save
from referee.formats.vassal.game import read_save
from referee.formats.vassal.module import Module, read_module
from referee.formats.vassal.sequence import encode
from tests.logtable import LogTable
from tests.unit.formats.vassal.game_logs import module_bytes

SHIPS = """
Const  cadet/federation-ca  2010D  speed 8
Destr  cadet/klingon-d6     2020A  speed 8
"""


@dataclass(frozen=True)
class Told:
    """A game: the message that restores its start, those that play it, and all of it as a log."""

    start: str
    messages: tuple[str, ...]
    log: bytes
    named: tuple[str, ...]


def module() -> Module:
    """The module that the games are played in."""
    return read_module(module_bytes(), "generated.vmod")


def told(lines: str, ships: str = SHIPS, clock: str = "1.1", begun: str = "") -> Told:
    """A game from the lines of `LogTable`."""
    table = LogTable(ships, {}, clock)
    table.begun(begun)
    log = table.played(lines, ended=False)
    text = open_save(log, "game.vlog").text
    save = read_save(log, "game.vlog")
    messages = tuple(encode([encode_leaf(leaf) for leaf in step.commands], "\x1b") for step in save.steps)
    start, _, _ = text.partition("\x1bLOG\t")
    return Told(start, messages, log, tuple(f"{name}={ship.id}" for name, ship in table.classes.items()))


def write_module(folder: Path) -> str:
    """The module as a file."""
    path = folder / "generated.vmod"
    path.write_bytes(module_bytes())
    return str(path)
