"""A game taken from a file: a VASSAL save or log read with what its module's names mean, a log of the online client,
an orders file; its ships are given to players."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from referee.core.errors import BadInput
from referee.core.finding import Severity
from referee.core.naming import folded, names_like
from referee.formats.orderfiles import is_orders, is_play, no_ship
from referee.formats.orders import read_orders
from referee.play.scenario_begun import drone_data
from referee.play.start import Source, begin
from referee.rulebooks.registry import load_ship
from referee.sources.inputs import read_input
from referee.sources.ships import Reading

if TYPE_CHECKING:
    from referee.formats.vassal.game import Save
    from referee.formats.vassal.players import Player
    from referee.play.start import Begun, Terms
    from referee.sources.asked import Asked
    from referee.sources.inputs import InputBytes
    from referee.sources.settings import Settings


def begin_from(path: str, terms: Terms, asked: Asked, who: Sequence[str]) -> Begun:
    """Begins a record with all that a file shows. Raises BadInput where a ship's player is not known."""
    source = read_input(path)
    if source.kind == "text" and is_play(source.data):
        return _begin_from_play(source, terms, asked, who)
    if source.kind == "text" and is_orders(source.data):
        return _begin_from_orders(source, terms, asked, who)
    if source.kind != "save":
        hint = "--from takes a VASSAL save or log, a log of the online client, or an orders file"
        raise source.no("no game to go on from", hint)
    if asked.forms:
        raise BadInput(
            "--form with a VASSAL file", file=path, hint="its energy forms are in it, or filed later"
        )
    players, settings, taken = source_taken(source, terms.players, asked, who)
    return begin(replace(terms, players=players), settings, [], taken)


def source_taken(
    source: InputBytes, players: list[str], asked: Asked, who: Sequence[str]
) -> tuple[list[str], Settings, Source]:
    """The players and settings of a VASSAL save or log, and what it shows. Raises as `begin_from`."""
    from referee.formats.vassal.game import read_save
    from referee.sources.modules import module_beside
    from referee.sources.saves import map_of, with_map

    path = source.name
    module_map = map_of(asked)
    asked = with_map(asked, module_map)
    save = read_save(source.data, path)
    module, on_module = module_beside(save, asked)
    reading = Reading(save, asked, module_map, module)
    players = players or _seated(save)
    if save.kind == "log":
        from referee.logs.account import log_shown as shown_in
    else:
        from referee.sources.save_account import save_shown as shown_in
    game = shown_in(reading)
    ships = game.account.ships
    if not ships:
        more = f" (and {len(game.left_out) - 1} more)" if len(game.left_out) > 1 else ""
        why = f": {game.left_out[0]}{more}" if game.left_out else ""
        hint = '--ship "NAME=CLASS" says which; referee show lists what is in it'
        raise BadInput(f"no ship known here is in it{why}", file=path, hint=hint)
    _hold_players(ships, who)
    ours = {ship["ship"]: _owner(ship, save.players, players, who, path) for ship in ships}
    wrong = (found.message for found in on_module if found.severity is not Severity.NOTE)
    left_out = (*wrong, *game.left_out)
    return players, game.settings, Source(path, source.sha256, game.account, ours, left_out)


def _begin_from_play(source: InputBytes, terms: Terms, asked: Asked, who: Sequence[str]) -> Begun:
    """Begins a record with the game that a log of the online client tells."""
    from referee.play.play_taken import errors_beside, one_game, owners

    game = one_game(source, asked)
    assert game.account is not None and game.rulebook is not None
    seated = dict.fromkeys(
        name for names in game.throwers.values() for thrower in names if (name := _as_player(thrower))
    )
    if not terms.players and not seated:
        raise BadInput("who plays is not given in it", file=source.name, hint="--players alice,bob")
    terms = replace(terms, players=terms.players or list(seated))
    ours = owners(game, terms.players, who, source.name)
    settings = replace(
        asked.settings,
        rulebook=game.rulebook.id,
        options={**asked.settings.options, "impulses": game.rulebook.option("impulses")},
    )
    open_ = (finding for finding in game.findings if finding.severity in (Severity.UNDECIDED, Severity.ERROR))
    left = tuple(
        f"{finding.location}: {finding.subject}: {finding.message}".replace(": : ", ": ") for finding in open_
    )
    errors = tuple(errors_beside(game))
    return begin(terms, settings, [], Source(source.name, source.sha256, game.account, ours, left, errors))


def _begin_from_orders(source: InputBytes, terms: Terms, asked: Asked, who: Sequence[str]) -> Begun:
    """Begins a record with what an orders file places, a side for each player; its orders are still to be played."""
    orders = read_orders(source.data, source.name, load_ship)
    for problem in orders.problems:
        place = str(problem.location.within(file=""))
        raise BadInput(problem.reason, file=source.name, place=place, hint=problem.hint)
    plays = f"referee game apply {terms.path} {source.name} plays them"
    if not orders.ships:
        raise no_ship(source.name)
    if not terms.players:
        raise BadInput("who plays is not given in it", file=source.name, hint="--players alice,bob")
    placed = [{"ship": ship.ship, "sides": [ship.side or ship.ship]} for ship in orders.ships]
    _hold_players(placed, who)
    named = {given.rpartition("=")[0] for given in who}
    sides = zip(dict.fromkeys(ship["sides"][0] for ship in placed), terms.players, strict=False)
    who = [*who, *(f"{side}={player}" for side, player in sides if side not in named)]
    owner = {ship["ship"]: _owner(ship, (), terms.players, who, source.name) for ship in placed}
    of_side = {ship.side: owner[ship.ship] for ship in orders.ships}
    ships = [
        f"{ship.ship}={ship.class_id}:{owner[ship.ship]}@{ship.hex}{ship.facing}"
        + ("" if ship.speed is None else f"/{ship.speed}")
        for ship in orders.ships
    ]
    drones = tuple(drone_data(drone, of_side) for drone in orders.drones)
    options = {**dict(orders.options), **asked.settings.options}
    options |= {} if orders.impulses is None else {"impulses": str(orders.impulses)}
    rulebook = asked.settings.rulebook or orders.rulebook or load_ship(orders.ships[0].class_id).rulebook
    settings = replace(asked.settings, rulebook=rulebook, options=options)
    begun = begin(replace(terms, drones=drones), settings, ships)
    return replace(begun, left_out=(f"its orders; {plays}",) if orders.orders else ())


def hold_together(
    source: str, players: str, with_file: Mapping[str, object], without: Mapping[str, object]
) -> None:
    """Raises BadInput for what only a game from a file needs, or no such game, and for one without players."""
    for name, given in (without if source else with_file).items():
        if given:
            wrong = f"{name} with --from" if source else f"{name} without --from"
            raise BadInput(wrong, hint="--from takes a game from a save, a log or an orders file")
    if not source and not players:
        raise BadInput("who plays is not given", hint="--players alice,bob")


def _seated(save: Save) -> list[str]:
    """The players of a file by the names they have there, as a record spells them."""
    names = (_as_player(seat.name) for seat in save.players if not seat.observes)
    found = [name for name in dict.fromkeys(names) if name]
    if not found:
        raise BadInput("who plays is not given in it", file=save.file, hint="--players alice,bob")
    return found


def _as_player(name: str) -> str:
    return re.sub("[^a-z0-9_]", "", name.lower())[:32]


def _hold_players(ships: Sequence[Mapping[str, Any]], who: Sequence[str]) -> None:
    """Raises BadInput where a player is given to a ship or side that is not there."""
    there = [name for ship in ships for name in (ship["ship"], *ship["sides"]) if name]
    for given in who:
        name, equals, _ = given.rpartition("=")
        if equals and folded(name) not in set(map(folded, there)):
            hint = names_like(name[:60], there)
            raise BadInput(f"--player {given[:60]}: no ship or side {name[:60]}", hint=hint)


def _owner(
    ship: Mapping[str, Any], seated_in: Sequence[Player], players: list[str], who: Sequence[str], path: str
) -> str:
    """The player of a ship: as is said for it or its side, else who sits on its side in the file."""
    seated = [_seat_given(given, players) for given in who]
    sides = {folded(side) for side in ship["sides"] if side}
    by_name = [player for name, player in seated if folded(name) == folded(ship["ship"])]
    by_side = [player for name, player in seated if folded(name) in sides]
    seats = [_as_player(seat.name) for seat in seated_in if folded(seat.side) in sides]
    sitting = [name for name in dict.fromkeys(seats) if name in players]
    for found in (by_name, list(dict.fromkeys(by_side)), sitting, players):
        if len(found) == 1:
            return found[0]
    side = ship["sides"][0] if ship["sides"] else ship["ship"]
    raise BadInput(
        f"who plays {ship['ship']} is not known",
        file=path,
        hint=f'--player "{side}={players[0]}"{"".join(f", or ={other}" for other in players[1:])}',
    )


def _seat_given(given: str, players: list[str]) -> tuple[str, str]:
    name, equals, player = given.rpartition("=")
    if not equals or player not in players:
        hint = f'write "Federation=alice"; players are {", ".join(players)}'
        raise BadInput(f"--player {given}", hint=hint)
    return name, player
