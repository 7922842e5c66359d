"""Module maps: read, then held against a game of VASSAL's and its module, whose ships and clock they tell."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache

from referee.formats.modulemap import read_module_map
from referee.formats.vassal.game import Save, read_save
from referee.formats.vassal.mapfit import misfits, uncounted, unmapped
from referee.formats.vassal.module import Module
from referee.formats.vassal.recognise import recognise

AIMS = (
    "referee/formats/modulemap.py",
    "referee/formats/vassal/mapfit.py",
    "referee/formats/vassal/recognise.py",
)


def take(data: bytes) -> None:
    """Reads a map, and what it makes of a game."""
    says = read_module_map(data, "fuzzed.json")
    save, module = _game()
    ships = recognise(save, module, says).ships
    assert recognise(save, module, says).ships == ships, "read twice, two tables"
    misfits(says, save, save.pieces, module)
    unmapped(says, save.pieces)
    uncounted(says, save.pieces)
    for label in ("0101", "9999", "", "4242A", "\u0662\u0663\u0660\u0661"):
        says.hex(label)


@cache
def _game() -> tuple[Save, Module]:
    from tests.unit.room.games import module, told

    return read_save(told("impulse 2\nConst ahead\n").log, "game.vlog"), module()


def seeds() -> Iterator[bytes]:
    """A map that says everything, and one for each part of it alone."""
    from tests.unit.rulebooks.test_data_files import MAP

    yield json.dumps(MAP).encode()
    head = {name: MAP[name] for name in ("schema", "module")}
    for name in MAP.keys() - head.keys():
        yield json.dumps({**head, name: MAP[name]}).encode()
