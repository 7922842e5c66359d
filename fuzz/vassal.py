"""Saves, logs and modules: a whole zip, the text of a saved game (`begin_save`), or a module's build file (`<`)."""

from __future__ import annotations

from collections.abc import Iterator

from fuzz.harness import files, judged
from referee.formats.vassal.commands import decode_command, encode_command, encode_leaf, parse_leaf
from referee.formats.vassal.container import is_save, open_module, open_save, write_save_bytes, write_zip
from referee.formats.vassal.dump import dump
from referee.formats.vassal.game import read_save
from referee.formats.vassal.module import read_module
from referee.formats.vassal.replay import replay

AIMS = ("referee/formats/vassal", "referee/formats/archive.py", "referee/logs", "referee/judging/saves.py")


def take(data: bytes) -> None:
    """Reads, writes, plays and judges a save or log; reads a module."""
    if data.startswith(b"PK") and not is_save(data, "fuzzed.vsav"):
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
    judged(whole, "fuzzed.vlog" if save.steps else "fuzzed.vsav", "save")


def seeds() -> Iterator[bytes]:
    """The example's save, logs of the doors games as text, the module they are played in."""
    from tests.unit.room.games import told
    from tests.unit.vassal.game_logs import module_bytes

    for save in files("examples/**/*.vsav"):
        yield save
        yield open_save(save, "seed.vsav").text.encode()
    for lines in (
        "impulse 2\nConst ahead\nDestr ahead\n",
        "Ann: !fire PH-1/A at Destr\nAnn rolls 3\nundo Ann: hm\n",
    ):
        yield open_save(told(lines).log, "seed.vlog").text.encode()
    archive, name = open_module(module_bytes(), "seed.vmod")
    yield archive.read(name, 1 << 24)
    yield module_bytes()
