"""What is different between two moments of a game (`referee show game.vlog --diff A B`): the turn, properties,
dice, then piece by piece what everybody sees."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from referee.core.frozen import frozen
from referee.core.location import cell_name
from referee.formats.vassal.dump import Places
from referee.formats.vassal.game import Save
from referee.formats.vassal.pieces import Piece
from referee.formats.vassal.spoken import RESULT, rolls_of
from referee.formats.vassal.trackers import named_turns

if TYPE_CHECKING:
    from referee.formats.vassal.module import Module

_OF_DICE = ("_total", "_keep", "_summary")
"""What newer versions of VASSAL leave of a roll beside its result."""


@frozen
class SaveDifference:
    """One thing that changed; an empty text is nothing there."""

    piece: str
    what: str
    before: str
    after: str


def differences(before: Save, after: Save, module: Module | None = None) -> tuple[SaveDifference, ...]:
    """All that is different: the tracker, global properties, what dice came to between the two, then pieces in
    the order of the earlier moment, then new ones. Of a hidden piece there is no more than where it is, of one
    that was masked or hidden between the two no more than that."""
    old = {piece.id: piece for piece in before.pieces if piece.kind == "piece"}
    new = {piece.id: piece for piece in after.pieces if piece.kind == "piece"}
    places = Places(after, module)
    found = [*_turns(before, after, module), *_properties(before, after), *_dice(before, after)]
    for identity in dict.fromkeys((*old, *new)):
        found += _piece(old.get(identity), new.get(identity), places)
    return tuple(found)


def _turns(before: Save, after: Save, module: Module | None) -> Iterator[SaveDifference]:
    then, now = (
        {state.tracker: ", ".join(f"{k} {v}" for k, v in state.shown().items()) for state in states}
        for states in (named_turns(before, module), named_turns(after, module))
    )
    for tracker in now:
        if then.get(tracker) != now[tracker]:
            yield SaveDifference("", "turn", then.get(tracker, ""), now[tracker])


def _properties(before: Save, after: Save) -> Iterator[SaveDifference]:
    """Global properties that hold other values, but those in which dice buttons leave what they rolled."""
    then, now = (
        {(item.container, item.name): item.value for item in save.properties} for save in (before, after)
    )
    buttons = {name.removesuffix(RESULT) for _, name in (*then, *now) if name.endswith(RESULT)}
    rolled = {f"{button}{part}" for button in buttons for part in (RESULT, *_OF_DICE)}
    for container, name in dict.fromkeys((*then, *now)):
        was, held = then.get((container, name), ""), now.get((container, name), "")
        if was != held and name not in rolled:
            where = "" if container in ("", "Module") else f" of {container}"
            yield SaveDifference("", f"property {name}{where}", was, held)


def _dice(before: Save, after: Save) -> Iterator[SaveDifference]:
    """The dice of the steps between, but those of an undo."""
    to_come = {step.n for step in after.steps}
    for step in before.steps:
        if step.n not in to_come and not step.undo:
            for roll in rolls_of(step):
                yield SaveDifference("", f"dice {roll.button} in step {step.n}", "", roll.faces)


def _piece(old: Piece | None, new: Piece | None, places: Places) -> Iterator[SaveDifference]:
    if old is None or new is None:
        there = old or new
        assert there
        where = _place(there, places)
        yield SaveDifference(
            _name(there), "added" if new else "removed", "" if new else where, where if new else ""
        )
        return
    if old.hidden != new.hidden:
        # Which of the pieces now hidden it is, and where it goes, is not for others.
        seen = old if new.hidden else new
        yield SaveDifference(_name(seen), "hidden", *(("", "yes") if new.hidden else ("yes", "")))
        if old.hidden:
            yield SaveDifference(_name(seen), "place", "", _place(seen, places))
        return
    if new.masked and not old.masked:
        # It is known by the name it had in sight; which of the masked pieces it is later is not for others.
        yield SaveDifference(_name(old), "masked", "", "yes")
        return
    then, now = dict(_facts(old, places)), dict(_facts(new, places))
    for what in dict.fromkeys((*then, *now)):
        if then.get(what, "") != now.get(what, ""):
            yield SaveDifference(
                _name(new if new.basic_name else old), what, then.get(what, ""), now.get(what, "")
            )


def _facts(piece: Piece, places: Places) -> Iterator[tuple[str, str]]:
    """All that can be seen of a piece, each with its name."""
    yield "place", _place(piece, places)
    yield "masked", "yes" if piece.masked else ""
    for facing in piece.facings:
        degrees = f"{facing.degrees:g} degrees"
        which = f"{facing.index + 1} of {facing.of} ({degrees})" if facing.of > 1 else degrees
        yield f"facing {facing.name}".strip(), which
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


def _name(piece: Piece) -> str:
    return piece.basic_name or ("(hidden)" if piece.hidden or piece.masked else "(no name)")


def _place(piece: Piece, places: Places) -> str:
    name = places.name(piece.map, piece.x, piece.y)
    return f"{piece.map} {name or f'{piece.x},{piece.y}'}" if piece.map else ""
