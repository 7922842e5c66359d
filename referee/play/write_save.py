"""What the referee makes of a game, put back into a save: the next turn's form, damage, rulings, head codes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from referee.core.errors import BadInput
from referee.core.naming import folded, how_many
from referee.play.telling import telling
from referee.sources.saves import HEAD_SAID

if TYPE_CHECKING:
    from referee.core.hexgrid import Hex
    from referee.core.state import ShipState
    from referee.formats.vassal.edit import Draft
    from referee.formats.vassal.game import Save
    from referee.formats.vassal.module import Module
    from referee.formats.vassal.pieces import Piece
    from referee.play.game_file import Game
    from referee.play.save_ships import Afloat, SaveBeingWritten
    from referee.sources.asked import Asked


def write_ships(
    draft: Draft, save: Save, asked: Asked, turns: Sequence[str], states: Sequence[str], game: str
) -> Iterator[str]:
    """Marks damage and begins forms. Yields what could not be written."""
    from referee.play.game_file import open_game
    from referee.play.save_ships import table_in
    from referee.play.write_forms import begin_next_turn, write_forms
    from referee.play.write_tracker import wind_tracker
    from referee.sources.modules import module_beside
    from referee.sources.states import read_state

    record = open_game(game) if game else None
    classes = {folded(name): ship.state.ship for name, ship in record.state.ships.items()} if record else {}
    table = table_in(save, asked, classes)
    marked = states_in(table, record) if record else {}
    for given in states:
        name, equals, path = given.rpartition("=")
        if not equals:
            raise BadInput(f"--state {given[:60]}", hint="write SHIP=state.json")
        afloat = table.ship(name)
        marked[afloat.ship.name] = read_state(path, afloat.chosen)
    for name, state in marked.items():
        yield from mark_damage(draft, table, table.ship(name), state)
    if turns:
        yield from begin_next_turn(draft, table, turns, marked, record)
    if record:
        module, _ = module_beside(table.save, table.asked)
        yield from place_ships(draft, table, record, module)
        yield from wind_tracker(draft, save, record, module, table.module_map)
        yield from write_forms(draft, table, record)


# -- damage ------------------------------------------------------------------------------


def mark_damage(draft: Draft, table: SaveBeingWritten, afloat: Afloat, state: ShipState) -> Iterator[str]:
    """Brings a ship's display to show a state. Yields what it has no mark for."""
    from referee.core.state import new_state
    from referee.formats.vassal.marking import marked, marked_each, units_of
    from referee.formats.vassal.marks import shield_of
    from referee.sources.ships import display_of
    from referee.sources.ssd_display import named_boxes

    display = afloat.ship.ssd
    if display is None:
        raise BadInput(f"{afloat.ship.name} has no display to mark damage on", file=table.save.file)
    labels = afloat.rulebook.table("box_labels")
    named = named_boxes(afloat.chosen, labels)
    before = display_of(afloat.ship, afloat.chosen, labels) or new_state(afloat.chosen)
    shown: set[str] = set()
    shields: set[int] = set()
    for label, units in units_of(table.save, display, table.module_map).items():
        number = shield_of(label)
        if number is not None and number in afloat.chosen.shields:
            shields.add(number)
            printed = afloat.chosen.shields[number]
            left, most = afloat.ship.shields.get(number, (printed, None))
            now = _lost(left, most, printed)
            lost, boxes_known = printed - max(0, state.shields.get(number, printed)), printed
            as_was = max(0, before.shields.get(number, printed)) == printed - lost
        else:
            boxes = named(label)
            if not boxes or set(boxes) <= shown:
                continue
            shown.update(boxes)
            left, most = afloat.ship.boxes_left.get(label, (len(boxes), None))
            now = _lost(left, most, len(boxes))
            gone = state.destroyed.intersection(boxes)
            lost, boxes_known = len(gone), len(boxes)
            as_was = gone == before.destroyed.intersection(boxes)
            each = None if as_was else marked_each(units, boxes, gone)
            if each is not None:
                for edit in each:
                    edit.write(draft, display.id)
                if lost < now:
                    telling().aside(
                        f"{afloat.ship.name}: {how_many(now - lost, 'box', 'boxes')} of {label} shown whole again",
                    )
                continue
        if as_was or lost == min(now, boxes_known):
            continue  # what it says of the ship known here is so, whatever it shows beyond that
        wanted = _to_lose(lost, boxes_known, most)
        if wanted < lost:
            yield f"{afloat.ship.name}: {how_many(lost - wanted, 'box', 'boxes')} of {label}: its display has {most}, the ship known here {boxes_known}"
        edits, rest = marked(units, wanted - now)
        for edit in edits:
            edit.write(draft, display.id)
        if wanted - now - rest < 0:
            telling().aside(
                f"{afloat.ship.name}: {how_many(now + rest - wanted, 'box', 'boxes')} of {label} shown whole again",
            )
        if wanted > lost:
            telling().aside(
                f"{afloat.ship.name}: {label}: none is left of the {lost} known here, all {most} are shown lost",
            )
        if rest:
            why = "" if units else ": no marker of it lies in the save, to be copied; lay one down"
            again = "" if rest > 0 else " that are whole again"
            yield f"{afloat.ship.name}: {how_many(abs(rest), 'box', 'boxes')} of {label}{again}{why}"
    yield from _no_mark(afloat, state, shown, shields)


def _lost(left: int, most: int | None, printed: int) -> int:
    return -left if left < 0 else max(0, (most if most is not None else printed) - left)


def _to_lose(lost: int, printed: int, most: int | None) -> int:
    """The boxes a display that has other boxes than the ship known here shows lost: all where none is left."""
    if most is None or most == printed or not lost:
        return lost
    return most if lost >= printed else min(lost, most)


def _no_mark(afloat: Afloat, state: ShipState, shown: set[str], shields: set[int]) -> Iterator[str]:
    if unmarked := sorted(state.destroyed - shown):
        yield f"{afloat.ship.name}: {', '.join(unmarked)}: its display has no mark for it"
    for number, left in sorted(state.shields.items()):
        if number not in shields and left < afloat.chosen.shields.get(number, left):
            yield f"{afloat.ship.name}: shield {number} at {left}: its display has no mark for it"


# -- from a record -----------------------------------------------------------------------


def states_in(table: SaveBeingWritten, game: Game) -> dict[str, ShipState]:
    """The state of each ship of a record that is in the save. Raises BadInput where none is, or a ship is of
    another class."""
    states: dict[str, ShipState] = {}
    for name, ship in game.state.ships.items():
        found = [afloat for afloat in table.ships if folded(afloat.ship.name) == folded(name)]
        if not found:
            continue
        if found[0].chosen.id != ship.state.ship:
            hint = f'--ship "{found[0].ship.name}={ship.state.ship}"'
            raise BadInput(f"{name} is a {ship.state.ship} in {game.path}", file=table.save.file, hint=hint)
        states[found[0].ship.name] = ship.state
    if not states:
        names = ", ".join(game.state.ships) or "none"
        raise BadInput(
            f"no ship of {game.path} is in it", file=table.save.file, hint=f"its ships are {names}"
        )
    return states


def place_ships(draft: Draft, table: SaveBeingWritten, game: Game, module: Module | None) -> Iterator[str]:
    """Puts the counters of a record's ships and seekers where they stand in it, once the module tells the hexes.
    Yields what cannot be put there, and seekers of which there is no counter, or one too many."""
    from referee.formats.vassal.berth import berth
    from referee.formats.vassal.course import MapChart

    chart, boards = MapChart(module, table.module_map), {leaf.map: leaf for leaf in table.save.boards}
    for name, counter, (hex, facing) in _counters(table, game):
        at = f"{name} at {hex}{facing or ''}"
        if counter is None:
            yield f"{at}: no counter in it, or more than one, is called so"
        elif hex is None or (hex, facing) == tuple(chart.stand(counter, boards)):
            continue
        elif module is None:
            yield f"{at}: hex names need --module"
        else:
            try:
                berth(draft, chart, counter, boards, hex, facing)
            except BadInput as error:
                yield f"{at}: {error.reason}"
    state = game.state
    for name in state.launched:
        if name not in state.seekers and len(_called(table, name)) == 1:
            yield f"{name}: it is gone in the record, its counter is still there"


def _counters(
    table: SaveBeingWritten, game: Game
) -> Iterator[tuple[str, Piece | None, tuple[Hex | None, str | None]]]:
    """The ships and seekers of a record that are, or should be, in the save: counter, hex and facing."""
    for name, ship in game.state.ships.items():
        found = [afloat.ship.counter for afloat in table.ships if folded(afloat.ship.name) == folded(name)]
        if found and found[0]:
            yield name, found[0], (ship.unit.hex, ship.unit.facing)
    for seeker in game.state.seekers.values():
        named = _called(table, seeker.name)
        yield seeker.name, named[0] if len(named) == 1 else None, (seeker.hex, seeker.facing)


def _called(table: SaveBeingWritten, name: str) -> list[Piece]:
    """The pieces of a name on the maps of a save."""
    pieces = (piece for piece in table.save.pieces if piece.kind == "piece" and piece.map)
    return [piece for piece in pieces if folded(piece.basic_name) == folded(name)]


def said_of(path: str, chat: Sequence[str]) -> Iterator[str]:
    """Lines of chat with a record's rulings, fouls and head code, but for those already said."""
    from referee.core.entry_words import chat_text
    from referee.play.game_file import open_game

    game = open_game(path)
    for entry in game.entries:
        if entry.type in ("ruling", "foul") and entry.seq not in game.state.undone:
            line = _as_chat(f"referee #{entry.seq} {entry.type}: {chat_text(entry)}")
            if line not in chat:
                yield line
    head = f"{HEAD_SAID}{game.head}"
    if head not in chat:
        yield head


def _as_chat(text: str) -> str:
    """A line as VASSAL writes its own: a system message, without a tag of HTML."""
    from html import escape

    return f"- {escape(text, quote=False)}"
