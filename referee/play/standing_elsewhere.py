"""A ship that stands elsewhere on the table than in the record: where, and the moves that lead there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from referee.adjudicator.record_fire import not_fallen
from referee.adjudicator.record_shots import dice_of, must_be_resolvable, shots_of
from referee.core.entry_words import chat_text
from referee.core.errors import BadInput, Refused
from referee.core.game import at_fault
from referee.core.gameorders import after
from referee.core.hexgrid import Hex, parse_map_position, parse_open_position, true_range
from referee.core.orders import WAYS, Way
from referee.core.takenover import MOVE_MADE, MOVE_TO_COME
from referee.play.append import append
from referee.play.game_file import foul_entries, refuse
from referee.play.open_map import map_is_open
from referee.play.short_orders import unit_meant
from referee.play.table import standing_table
from referee.play.telling import telling
from referee.play.whose import movers_in
from referee.rulebooks.registry import load_ship

if TYPE_CHECKING:
    from collections.abc import Iterator

    from referee.core.game import GameState
    from referee.play.game_file import Game, NewEntry

OUT = "out"
"""Where a ship is accepted that is out of the game, as its player left."""
TO_MOVE = "to move"
"""What a ruling begins with on a ship that has still to make its move of the impulse."""
ACROSS = 50
"""Hexes from corner to corner of the printed map, 42 columns of 30: no two units are further from each other on it."""
MOST_MOVES = 4
"""Moves that are seen in how a counter stands; where it stands further off, it is accepted by a ruling."""


def accept_parts(text: str) -> tuple[str, str, str]:
    """Who stands where, and why: `War DRN/1 t1 1512E it flew on` names a seeker by all its words. Its parts are as they
    stand where no word is a hex."""
    words = text.split()
    at = next((n for n, word in enumerate(words[1:], 1) if word.casefold() == OUT or _is_hex(word)), 1)
    return " ".join(words[:at]), " ".join(words[at : at + 1]), " ".join(words[at + 1 :])


def _is_hex(word: str) -> bool:
    try:
        parse_open_position(word)
    except ValueError:
        return False
    return True


def accepted(
    game: Game, unit: str, where: str, ruling: str, unsaid: str, *, asked: str = "", force: bool
) -> Iterator[str]:
    """Puts a ship or a seeker where it stands on the table by a ruling, `unsaid` where it has no words, or takes a ship
    out of the game; says what was ruled. Raises BadInput, and Refused where fire that is declared would break a rule from
    there, where that is further than a map is wide, or where all players are `asked`, unless forced."""
    state = game.state
    name = unit_meant(state, unit) or unit
    ship = None if name in state.seekers else state.ship(name)
    out = where.casefold() == OUT
    if out and ship is None:
        raise BadInput(f"{name} is no ship", hint="the rules take seekers off the map")
    to = "" if out else standing(where, on_a_map=not map_is_open(game))
    stood = state.seekers[name] if ship is None else ship.unit
    if to == ("nowhere" if out else f"{stood.hex}{stood.facing or ''}"):
        raise BadInput(f"{name} stands there")
    place = {"ship": name, "to": to}
    words, comes, calls = ruling.strip(), False, name in movers_in(game)
    if f"{words} ".startswith(f"{TO_MOVE} "):
        words, comes = words.removeprefix(TO_MOVE).strip(), True
    if comes and not calls:
        raise BadInput(f"{name} has no move to make now", hint=f"accept {name} {to} without `{TO_MOVE}`")
    moves = calls and not comes and not out and not to.startswith(str(stood.hex))
    place |= {"move": MOVE_TO_COME} if comes else {"move": MOVE_MADE} if moves else {}
    data: dict[str, Any] = {"text": words or unsaid, "place": place, "by": state.umpire or state.players[0]}
    data |= {} if state.umpire else {"agreed_by": list(state.players)}
    table = standing_table(game)
    found = table.add("ruling", data)
    far = _far(stood.hex, to)
    questions = [f"{name} at {to} is {far}: is it so?"] if far else []
    questions += [asked] if asked else []
    for question in () if force else questions:
        telling().line(question)
    refuse(found, force)
    if questions and not force:
        raise Refused("; ".join(questions), announced=True)
    _must_be_rolled_from_there(game, table.state)
    new: list[NewEntry] = [("ruling", data)]
    for finding in found:
        new += foul_entries([finding], at_fault(state.ships, finding, data["by"]))
    seq = len(game.entries)
    entries = append(game.path, lambda _: new).entries
    yield f"ruled: {chat_text(entries[seq]).partition(': ')[2]}"
    if moves:
        yield f"has it still to move: `u`, then accept {name} {to} {TO_MOVE}"


def _far(stood: Hex | None, to: str) -> str:
    """How far a place is from where a unit stood, where no map is so large: a digit may be wrong. An empty text where one
    is."""
    if stood is None or not to:
        return ""
    hexes = true_range(stood, _position(to, on_a_map=False)[0])
    return f"{hexes} hexes from {stood}" if hexes > ACROSS else ""


def _must_be_rolled_from_there(game: Game, then: GameState) -> None:
    """Raises BadInput where fire whose dice have not fallen could not be rolled as the ships then stand: it strikes on a
    corner, or takes other dice than are asked for."""
    rulebook, orders = game.rulebook, list(not_fallen(then))
    if not orders:
        return
    anew = "take the fire back first, and declare it from there"
    shots = shots_of(rulebook, load_ship, then, orders)
    try:
        must_be_resolvable(rulebook, shots)
    except BadInput as error:
        raise BadInput(error.reason, hint=anew) from None
    asked = [order for order in orders if order.roll is not None]
    now = dice_of(rulebook, shots_of(rulebook, load_ship, game.state, asked))
    if now != dice_of(rulebook, shots_of(rulebook, load_ship, then, asked)):
        raise BadInput("the fire declared takes other dice from there", hint=anew)


def standing(where: str, *, on_a_map: bool = True) -> str:
    """A hex and facing as a record writes them; not `on_a_map` a hex may have no number: `-109F`. Raises BadInput."""
    there, turned = _position(where, on_a_map)
    return f"{there}{turned}"


def _position(where: str, on_a_map: bool = True) -> tuple[Hex, str]:
    try:
        there, turned = parse_map_position(where) if on_a_map else parse_open_position(where)
    except ValueError as error:
        raise BadInput(str(error), hint="a hex and a facing: 1512B") from None
    if turned is None:
        raise BadInput(f"{where} lacks a facing", hint="a hex and a facing: 1512B")
    return there, turned


def moves_to(name: str, hex: Hex | None, facing: str | None, where: str) -> list[Way]:
    """The fewest moves that take a unit to a hex and facing, `1512B`. Raises BadInput where a few do not."""
    there, turned = _position(where)
    if hex is None or facing is None:
        raise BadInput(f"{name} is nowhere on the map")
    rows: list[tuple[Hex, str, tuple[Way, ...]]] = [(hex, facing, ())]
    seen = {(hex, facing)}
    for _ in range(MOST_MOVES):
        new = {
            after(now, bow, way): (*made, way) for now, bow, made in reversed(rows) for way in reversed(WAYS)
        }
        rows = [(*stand, made) for stand, made in new.items() if stand not in seen]
        if (there, turned) in new:
            return list(new[there, turned])
        seen |= new.keys()
    raise BadInput(
        f"{name} does not come from {hex}{facing} to {where} in {MOST_MOVES} moves",
        hint="undo to before it went astray, or accept where it stands",
    )
