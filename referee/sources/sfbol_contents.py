"""What a play-by-play holds, game by game: its ships, its lines by kind, and those that are not understood."""

from __future__ import annotations

from collections import Counter
from typing import Any

from referee.formats.sfbol import (
    Added,
    Allocated,
    Allocating,
    DamageSaid,
    Destroyed,
    FieldActivated,
    Fired,
    ImpulseBegun,
    Moved,
    Rolled,
    ShieldsSaid,
    Turned,
    Unread,
    VolleySaid,
    shape_of,
)
from referee.formats.sfbol_games import PlayedGame, read_play
from referee.sources.asked import Asked
from referee.sources.inputs import InputBytes
from referee.sources.sfbol import games_told
from referee.sources.sfbol_names import Names

_KINDS = {
    ImpulseBegun: "impulses",
    Allocating: "allocations",
    Added: "units added",
    Moved: "moves",
    Turned: "turns shown by facing",
    VolleySaid: "volleys",
    Fired: "shots",
    Rolled: "rolls",
    Allocated: "damage allocations",
    DamageSaid: "damage",
    ShieldsSaid: "shields left",
    FieldActivated: "fields",
    Destroyed: "destroyed",
    Unread: "not understood",
}
MOST_SHAPES = 50


def contents(source: InputBytes, asked: Asked) -> dict[str, Any]:
    """The document that `show` prints of a log."""
    games = zip(read_play(source.data, source.name), games_told(source.data, source.name, asked), strict=True)
    rows = [_game(game, dict(account.classes), source.name) for game, account in games]
    return {"schema": "referee/play-by-play/1", "file": source.name, "games": rows}


def _game(game: PlayedGame, classes: dict[str, str], file: str) -> dict[str, Any]:
    names = Names(game.facts, file)
    counts = Counter(_KINDS[type(fact)] for fact in game.facts)
    turns = [fact.turn for fact in game.facts if isinstance(fact, ImpulseBegun)]
    pattern = names.pattern
    shapes: dict[str, list[int]] = {}
    for fact in game.facts:
        if isinstance(fact, Unread):
            shapes.setdefault(shape_of(fact.text, pattern), []).append(fact.line)
    often = sorted(shapes.items(), key=lambda row: (-len(row[1]), row[1][0]))[:MOST_SHAPES]
    return {
        "first_line": game.first,
        "last_line": game.last,
        "first_turn": min(turns, default=0),
        "last_turn": max(turns, default=0),
        "ships": [
            {"name": name, "type": names.types.get(name, ""), "class": classes.get(name, "")}
            for name in names.ships
        ],
        "launched": len(names.launched),
        "lines": {kind: counts[kind] for kind in _KINDS.values() if counts[kind]},
        "unread": [{"shape": shape, "count": len(lines), "line": lines[0]} for shape, lines in often],
    }
