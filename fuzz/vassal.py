"""Saves, logs and modules: a whole zip, the text of a saved game (`begin_save`), or a module's build file (`<`)."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from functools import cache

from fuzz.harness import ASKED, REACHED, files, judged
from referee.formats.vassal.commands import decode_command, encode_command, encode_leaf, parse_leaf
from referee.formats.vassal.container import open_module, open_save, write_save_bytes, write_zip
from referee.formats.vassal.dump import dump
from referee.formats.vassal.game import read_save
from referee.formats.vassal.module import read_module
from referee.formats.vassal.replay import replay
from referee.sources.asked import Asked

AIMS = ("referee/formats/vassal", "referee/formats/archive.py", "referee/logs", "referee/judging/saves.py")

SHIPS = {
    "Const": "cadet/federation-ca",
    "Destr": "cadet/klingon-d6",
    "Kzin": "cadet/kzinti",
}
"""The classes of the ships in the logs that are begun with."""


def take(data: bytes) -> None:
    """Reads, writes, plays and judges a save or log; reads a module."""
    if data.startswith(b"PK") and b"savedGame" not in data:
        read_module(data, "fuzzed.vmod")
        return
    if data.lstrip().startswith(b"<"):
        read_module(write_zip({"buildFile.xml": data}), "fuzzed.vmod")
        return
    whole = data if data.startswith(b"PK") else write_save_bytes(data.decode("utf-8", "replace"), key=99)
    text = open_save(whole, "fuzzed.vlog").text
    command = decode_command(text)
    again = decode_command(encode_command(command))
    assert again == command, "a command written and read again is another"
    for leaf in command.walk():
        parsed = parse_leaf(leaf)
        assert parse_leaf(encode_leaf(parsed)) == parsed, (
            f"a leaf written and read again is another: {leaf!a}"
        )
    save = read_save(whole, "fuzzed.vlog")
    dump(save)
    for _ in replay(save):
        pass
    if save.steps:
        judged(whole, "fuzzed.vlog", "save", _asked(text))
    else:
        judged(whole, "fuzzed.vsav", "save")


def _asked(text: str) -> Asked:
    """What is said beside a log: the classes of the ships that are in it, without which no rule is asked, and its module."""
    ships = tuple(f"{name}={class_id}" for name, class_id in SHIPS.items() if name in text)
    return replace(ASKED, ships=ships, module=_module())


@cache
def _module() -> str:
    """The module of the logs as a file."""
    from tests.unit.formats.vassal.game_logs import module_bytes

    file = REACHED / "seed.vmod"
    half = REACHED / f"seed.{os.getpid()}"
    REACHED.mkdir(exist_ok=True)
    half.write_bytes(module_bytes())
    half.replace(file)
    return str(file)


def seeds() -> Iterator[bytes]:
    """The example's save, logs of the doors games and of the cases of logs as text, the module they are played in."""
    from tests.net.gamefiles import games
    from tests.unit.formats.vassal.game_logs import module_bytes

    for save in files("examples/**/*.vsav"):
        yield save
        yield open_save(save, "seed.vsav").text.encode()
    for game in (*games("doors"), *games("logs")):
        for log in (
            file["game.vlog"] for file in game["does"] if "game.vlog" in file and isinstance(file, dict)
        ):
            yield log["vassal"].encode()
    archive, name = open_module(module_bytes(), "seed.vmod")
    yield archive.read(name, 1 << 24)
    yield module_bytes()
