"""A save, log or module as plain data for `referee vassal dump --json`.

Strings are as stored: write them with ASCII escapes, or clean them before a terminal sees them.
Player ids are struck out wherever they stand.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from referee.formats.vassal import command_types as lv
from referee.formats.vassal.trackers import named_turns
from referee.formats.vassal.turns import read_turn

if TYPE_CHECKING:
    from referee.formats.vassal.game import Save, StepForward
    from referee.formats.vassal.grid import BoardLayout
    from referee.formats.vassal.module import MapDefinition, Module
    from referee.formats.vassal.pieces import Piece
    from referee.formats.vassal.traits import Facing, PropertySheet

Json = dict[str, object]


def dump(save: Save, module: Module | None = None) -> Json:
    """Everything in a save or log; places are named when the module is given."""
    places = Places(save, module)
    metadata, stored_module = save.metadata, save.module
    name = stored_module.name if stored_module else module.name if module else None
    version = stored_module.version if stored_module else module.version if module else None
    result: Json = {
        "kind": save.kind,
        "encoding": save.encoding,
        "vassal_version": metadata.vassal_version if metadata else None,
        "module": {"name": name, "version": version},
        "description": metadata.description if metadata else None,
        "boards": [_boards(boards) for boards in save.boards],
        "players": [{"name": player.name, "side": player.side} for player in save.players],
        "pieces": [_piece(piece, places) for piece in save.pieces],
        "properties": _properties(save),
        "turn": _turn(save, module),
        "notes": [
            {"kind": note.kind, "title": note.title, "owner": note.owner, "text": note.text}
            for note in save.notes
        ],
        "extensions": [{"name": used.name, "version": used.version} for used in save.extensions],
        "chat": list(save.chat),
        "steps": [_step(step, save, module, places) for step in save.steps],
        "unknown": list(save.unknown),
    }
    return {key: _struck(value, save.roster.striker()) for key, value in result.items()}


def dump_module(module: Module) -> Json:
    """What a module defines, as far as a referee needs it."""
    return {
        "kind": "module",
        "encoding": "utf-8",
        "vassal_version": module.vassal_version,
        "module": {"name": module.name, "version": module.version},
        "description": module.description,
        "maps": [_map(found) for found in module.maps],
        "sides": list(module.sides),
        "properties": dict(module.properties),
        "trackers": [{"name": tracker.name, "id": tracker.id} for tracker in module.trackers],
        "dice": [
            {"name": d.name, "dice": d.dice, "sides": d.sides, "plus": d.plus, "report": d.report_format}
            for d in module.dice
        ],
    }


class Places:
    """Names of map pixels as VASSAL shows them; nothing has a name without a module."""

    def __init__(self, save: Save, module: Module | None) -> None:
        self._maps = {found.name: found for found in module.maps} if module else {}
        chosen = {boards.map: boards for boards in save.boards}
        self._layouts = {name: found.layout(chosen.get(name)) for name, found in self._maps.items()}
        self._decks = {
            (p.map, p.x, p.y): p.name for p in save.pieces if p.kind == "deck" and p.map in self._maps
        }

    def choose(self, boards: lv.Boards) -> None:
        """Lays other boards on a map, as players may in the middle of a log."""
        if found := self._maps.get(boards.map):
            self._layouts[boards.map] = found.layout(boards)

    def name(self, map_name: str | None, x: int, y: int) -> str | None:
        """The name of a map pixel: of the deck that lies there, else of the place on its board."""
        if map_name is not None and (deck := self._decks.get((map_name, x, y))):
            return deck
        layout = self._layouts.get(map_name) if map_name is not None else None
        return layout.name_at(x, y) if layout else None

    def layout(self, map_name: str) -> BoardLayout | None:
        """The boards of a map as they lie."""
        return self._layouts.get(map_name)


def _boards(boards: lv.Boards) -> Json:
    laid = [{"name": b.name, "reversed": b.reversed, "column": b.column, "row": b.row} for b in boards.boards]
    return {"map": boards.map, "boards": laid}


def _piece(piece: Piece, places: Places) -> Json:
    shown: Json = {
        "id": piece.id,
        "name": piece.name,
        "basic_name": piece.basic_name,
        "kind": piece.kind,
        "map": piece.map,
        "x": piece.x,
        "y": piece.y,
        "location": places.name(piece.map, piece.x, piece.y),
        "stack": piece.stack,
        "markers": dict(piece.markers),
        "facing": _facing(piece.facing),
        "layers": [{"name": i.name, "level": i.level, "active": i.active} for i in piece.layers],
        "labels": list(piece.labels),
        "properties": dict(piece.properties),
        "tables": [{"title": t.title, "rows": [list(row) for row in t.rows]} for t in piece.tables],
        "sheets": [{"title": sheet.title, "fields": _fields(sheet)} for sheet in piece.sheets],
        "masked": piece.masked,
        "masked_by": piece.masked_by,
        "hidden": piece.hidden,
        "hidden_by": piece.hidden_by,
        "traits": [{"type": t.type, "state": t.state} for t in piece.traits],
    }
    if piece.kind != "piece":
        shown["members"] = list(piece.members)
    return shown


def _facing(facing: Facing | None) -> Json | None:
    if facing is None:
        return None
    degrees = int(facing.degrees) if facing.degrees == int(facing.degrees) else facing.degrees
    return {"name": facing.name, "index": facing.index, "of": facing.of, "degrees": degrees}


def _fields(sheet: PropertySheet) -> dict[str, str]:
    """Values by field name; a name that comes again gets a number."""
    fields: dict[str, str] = {}
    for item in sheet.fields:
        name, n = item.name, 1
        while name in fields:
            n += 1
            name = f"{item.name} ({n})"
        fields[name] = item.value
    return fields


def _properties(save: Save) -> dict[str, str]:
    """Values by name; those of maps and zones carry their container's name."""
    return {
        item.name if item.container == "Module" else f"{item.container}/{item.name}": item.value
        for item in save.properties
    }


def _turn(save: Save, module: Module | None) -> dict[str, str]:
    states = named_turns(save, module)
    if len(states) < 2:
        return states[0].shown() if states else {}
    return {
        f"{state.name or state.tracker} {name}": value
        for state in states
        for name, value in state.shown().items()
    }


def _step(step: StepForward, save: Save, module: Module | None, places: Places) -> Json:
    commands = []
    for leaf in step.commands:
        if isinstance(leaf, lv.Boards):
            places.choose(leaf)
        commands.append(_command(leaf, save, module, places))
    return {"n": step.n, "undo": step.undo, "commands": commands}


def _command(leaf: lv.Leaf, save: Save, module: Module | None, places: Places) -> Json:
    shown: Json = {"kind": type(leaf).__name__}
    match leaf:
        case lv.AddPiece() | lv.RemovePiece() | lv.ChangePiece():
            shown["id"] = leaf.id
        case lv.MovePiece():
            shown |= {"id": leaf.id, "to": _spot(leaf.map, leaf.x, leaf.y, places)}
            shown["from"] = _spot(leaf.old_map, leaf.old_x, leaf.old_y, places)
            if (player := save.roster.name_of(leaf.player)) is not None:
                shown["player"] = player
        case lv.Chat():
            shown["text"] = leaf.text
        case lv.Boards():
            shown |= _boards(leaf)
        case lv.Undo():
            shown["begins"] = leaf.begins
        case lv.Turn():
            state = read_turn(leaf, module.tracker(leaf.tracker) if module else None)
            shown["turn"] = state.shown() if state else {}
        case lv.MutableProperty():
            shown |= {"name": leaf.name, "old": leaf.old, "new": leaf.new}
        case lv.PlayerSeat():
            shown |= {"name": leaf.name, "side": leaf.side}
        case _:
            pass
    return shown


def _spot(map_name: str, x: int, y: int, places: Places) -> Json:
    name = None if map_name == "null" else map_name
    return {"map": name, "x": x, "y": y, "location": places.name(name, x, y)}


def _map(found: MapDefinition) -> Json:
    boards = [
        {
            "name": board.name,
            "width": board.size.width if board.size else None,
            "height": board.size.height if board.size else None,
            "grid": type(board.grid).__name__ if board.grid else None,
        }
        for board in found.boards
    ]
    return {"name": found.name, "boards": boards}


def _struck(value: object, strike: Callable[[str], str]) -> object:
    if isinstance(value, str):
        return strike(value)
    if isinstance(value, list):
        return [_struck(item, strike) for item in value]
    if isinstance(value, dict):
        return {strike(key): _struck(item, strike) for key, item in value.items()}
    return value
