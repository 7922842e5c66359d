"""The ships of a save, a record or a ship file with what is left of each, as they are drawn."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

from referee.core.errors import BadInput
from referee.core.game import ShipInGame
from referee.core.positions import PlayedGame
from referee.core.ship import ShipClass
from referee.core.state import ShipState, new_state
from referee.judging.played_games import is_game, played_game
from referee.sources.asked import Asked
from referee.sources.inputs import InputBytes, read_input

ShipShown = tuple[ShipClass, ShipState, str]
"""A ship's class, what is left of it, and its name in the game; an empty name for a class alone."""


def ships_shown(
    what: str, asked: Asked, rulebook: str = "", step: int | None = None, stdin_name: str = "-"
) -> tuple[ShipShown, ...]:
    """The ships in a file, of a log after a step, or the one that is named. Raises BadInput where there is none that can be drawn."""
    from referee.judging.files import must_be_asked_of
    from referee.sources.ship_files import find_ship, read_ship

    if what != "-" and not Path(what).exists():
        _only_for_saves(what, asked, step)
        found = find_ship(what, rulebook)
        return ((found, new_state(found), ""),)
    source = read_input(what, stdin_name)
    if source.kind != "save" and not is_client_log(source):
        _only_for_saves(source.name, asked, step)
    must_be_asked_of(source, asked)
    if source.is_record:
        ships = _in_record(source)
    elif source.kind == "save":
        ships = _in_save(source, asked, step)
    elif source.kind == "json":
        found = read_ship(source)
        ships = ((found, new_state(found), ""),)
    elif is_game(source, asked):
        ships = _at_the_end(played_game(source, asked, step))
    else:
        hint = "a save, a log, an orders file, a record or a ship"
        raise BadInput("has no ships to draw", file=source.name, hint=hint)
    if not ships:
        raise BadInput(
            "has no ship whose class is known", file=source.name, hint='--ship "NAME=CLASS" names one'
        )
    return ships


def ships_beside(
    what: str, asked: Asked, rulebook: str = "", step: int | None = None, stdin_name: str = "-"
) -> tuple[ShipShown, ...]:
    """The ships drawn beside words that tell what a file holds; none of a file that has none to draw: the words say so."""
    try:
        return ships_shown(what, asked, rulebook, step, stdin_name)
    except BadInput:
        return ()


def is_client_log(source: InputBytes) -> bool:
    """Is a file a log of the online client?"""
    from referee.formats.orderfiles import is_play

    return source.kind == "text" and is_play(source.data)


def _only_for_saves(name: str, asked: Asked, step: int | None) -> None:
    """Raises BadInput for what is asked of a class, a record or a ship file and has no meaning there."""
    options = {
        "--ship": asked.ships,
        "--step": step is not None,
        "--module": asked.module,
        "--map": asked.map,
    }
    options |= {"--form": asked.forms, "--target": asked.targets}
    if wrong := next((option for option, given in options.items() if given), ""):
        raise BadInput(f"{wrong} with what is no save or log", file=name, hint=f"leave {wrong} out")


def _in_record(source: InputBytes) -> tuple[ShipShown, ...]:
    from referee.play.game_file import game_in

    game = game_in(source)
    if not game.state.ships:
        hint = "referee game report tells it"
        raise BadInput("is a combat whose ships have no SSD known here", file=source.name, hint=hint)
    return tuple(
        (game.ship_class(ship), replace(ship.state, speed=_speed(ship)), name)
        for name, ship in game.state.ships.items()
    )


def _speed(ship: ShipInGame) -> Fraction | None:
    """Hexes a turn that a ship moves at now."""
    return None if ship.unit.speed is None else Fraction(ship.unit.speed)


def _in_save(source: InputBytes, asked: Asked, step: int | None) -> tuple[ShipShown, ...]:
    """The ships of a save whose class can be told; of a log, after a step or as it ends. One whose display shows
    nothing is whole."""
    from referee.formats.vassal.game import read_save
    from referee.play.save_ships import table_in
    from referee.sources.ships import display_of

    save = read_save(source.data, source.name, asked.encoding)
    if save.kind == "log":
        from referee.judging.log_positions import log_played

        return _at_the_end(log_played(source, asked, save, step))
    if step is not None:
        raise BadInput("has no steps", file=source.name, hint="--step is for VASSAL logs")
    return tuple(
        _as_shown(
            ship.chosen, display_of(ship.ship, ship.chosen, ship.rulebook.table("box_labels")), ship.ship.name
        )
        for ship in table_in(save, asked).ships
    )


def _at_the_end(game: PlayedGame) -> tuple[ShipShown, ...]:
    """The ships of a game as it ends, those whose class is known."""
    units = [unit for unit in game.positions[-1].units if unit.name in game.classes]
    return tuple(_as_shown(game.classes[unit.name], unit.state, unit.name) for unit in units)


def _as_shown(known: ShipClass, state: ShipState | None, name: str) -> ShipShown:
    return known, state or new_state(known), name
