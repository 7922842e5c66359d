"""A record of a game on its rulebook's own table as it is looked at: where its ships are after every entry, and what one
side knows of that."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from referee.core.errors import BadInput
from referee.core.finding import Finding
from referee.core.gamefold import GameFold
from referee.core.hexgrid import parse_position
from referee.core.positions import PlayedGame, Position, UnitShown, findings_by, looked_at
from referee.judging.files import judge_file
from referee.play.game_file import Game
from referee.play.self_kept_table import fold_of
from referee.rulebooks.registry import load_ship
from referee.sources.asked import Asked
from referee.sources.inputs import InputBytes

Document = Mapping[str, Any]
_PLAYED = ("ship", "events")
"""The entries after which the table is another."""


def own_played(source: InputBytes, asked: Asked, game: Game) -> PlayedGame:
    """The record's positions, all of them or as a side knows them. Raises BadInput for a side that does not play in it."""
    side = asked.side
    if side and side not in (*game.state.players, game.state.umpire):
        there = f"there are {', '.join(game.state.players)}"
        raise BadInput(f"{side} does not play in this game", file=source.name, hint=there)
    # An umpire knows all.
    side = "" if side == game.state.umpire else side
    report = judge_file(source, replace(asked, side=side))
    by_line = findings_by(report, lambda place: place.record_line)
    positions = tuple(_positions(game, side, by_line))
    return looked_at(
        report,
        source.name,
        positions,
        {},
        game.rulebook.id,
        "" if side else game.head,
        in_force=game.rulebook,
    )


def _positions(game: Game, side: str, by_line: dict[int | None, list[Finding]]) -> Iterator[Position]:
    fold = GameFold(game.entries, load_ship, fold_of(game))
    names: dict[str, str] = {}
    shown = 0
    for entry in game.entries[1:]:
        fold.take(entry)
        found = tuple(by_line.get(entry.seq + 1, ()))
        back = entry.seq in game.state.undone
        if (entry.type not in _PLAYED or back) and not found:
            continue
        if entry.type == "ship":
            names[entry.data["ship"]] = str(entry.data.get("player", ""))
        if side and side not in names.values():
            continue  # its ship is not in the game yet: there is nothing it could know
        table = fold.whole.own
        assert table is not None
        document = table.document(side)
        state, log = document["state"], document["log"]
        new = log[shown:]
        shown = len(log)
        if not new and not found and entry.type != "ship":
            continue
        yield Position(
            turn=state["turn"],
            impulse=state["round"] or None,
            step="",
            happened=f"{entry.data['ship']} is in the game" if entry.type == "ship" else "",
            place=f"#{entry.seq}",
            units=tuple(_units(state, names)),
            findings=found,
            taken_back=back,
            log={"schema": document["schema"], "log": new} if new else {},
        )


def _units(state: Document, sides: Mapping[str, str]) -> Iterator[UnitShown]:
    """The ships of a table in the order they came, each where it is known to be; one out of play is nowhere."""
    known = {**state.get("others", {}), **state["vessels"]}
    for name, side in sides.items():
        if (ship := known.get(name)) is None:
            continue
        gone = ship.get("out") or "hex" not in ship
        hex = None if gone else parse_position(ship["hex"])[0]
        speed = f"warp {ship['warp']}" if "warp" in ship and not gone else ""
        yield UnitShown(name, "ship", hex, None if gone else ship["facing"], side, speed)
