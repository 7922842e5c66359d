"""What is different between two moments of a game, piece by piece (`referee show game.vlog --diff A B`)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from referee.core.frozen import frozen
from referee.core.location import cell_name
from referee.formats.vassal.dump import Places
from referee.formats.vassal.game import Save
from referee.formats.vassal.pieces import Piece
from referee.formats.vassal.trackers import named_turns

if TYPE_CHECKING:
    from referee.formats.vassal.module import Module


@frozen
class Difference:
    """One thing that changed; an empty text is nothing there."""

    piece: str
    what: str
    before: str
    after: str


def differences(before: Save, after: Save, module: Module | None = None) -> tuple[Difference, ...]:
    """All that is different: the tracker, then pieces in the order of the earlier moment, then new ones."""
    old = {piece.id: piece for piece in before.pieces if piece.kind == "piece"}
    new = {piece.id: piece for piece in after.pieces if piece.kind == "piece"}
    places = Places(after, module)
    found = list(_turns(before, after, module))
    for identity in dict.fromkeys((*old, *new)):
        found += _piece(old.get(identity), new.get(identity), places)
    return tuple(found)


def _turns(before: Save, after: Save, module: Module | None) -> Iterator[Difference]:
    then, now = (
        {state.tracker: ", ".join(f"{k} {v}" for k, v in state.shown().items()) for state in states}
        for states in (named_turns(before, module), named_turns(after, module))
    )
    for tracker in now:
        if then.get(tracker) != now[tracker]:
            yield Difference("", "turn", then.get(tracker, ""), now[tracker])


def _piece(old: Piece | None, new: Piece | None, places: Places) -> Iterator[Difference]:
    if old is None or new is None:
        there = old or new
        assert there
        where = _place(there, places)
        yield Difference(
            there.basic_name, "added" if new else "removed", "" if new else where, where if new else ""
        )
        return
    then, now = dict(_facts(old, places)), dict(_facts(new, places))
    for what in dict.fromkeys((*then, *now)):
        if then.get(what, "") != now.get(what, ""):
            yield Difference(new.basic_name or old.basic_name, what, then.get(what, ""), now.get(what, ""))


def _facts(piece: Piece, places: Places) -> Iterator[tuple[str, str]]:
    """All that can be seen of a piece, each with its name."""
    yield "place", _place(piece, places)
    yield "hidden", "yes" if piece.hidden else ""
    yield "masked", "yes" if piece.masked else ""
    for facing in piece.facings:
        yield f"facing {facing.name}".strip(), f"{facing.index + 1} of {facing.of}" if facing.of > 1 else f"{facing.degrees:g}°"  # fmt: skip
    for number, label in enumerate(piece.labels, 1):
        yield f"label {number}", label
    for layer in piece.layers:
        yield f"layer {layer.name}", f"{layer.level}" if layer.active else f"{layer.level}, not shown"
    for prop in piece.dynamic:
        yield f"property {prop.name}", prop.value
    for sheet in piece.sheets:
        for item in sheet.fields:
            yield f"field {item.name}", item.value
    for table in piece.tables:
        for number, row in enumerate(table.rows):
            for column, text in enumerate(row):
                yield f"cell {cell_name(number, column)}", text


def _place(piece: Piece, places: Places) -> str:
    name = places.name(piece.map, piece.x, piece.y)
    return f"{piece.map} {name or f'{piece.x},{piece.y}'}" if piece.map else ""
