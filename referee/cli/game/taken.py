"""A game taken from a VASSAL save or log: read with what its module's names mean, its ships given to players."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from referee.core.errors import BadInput
from referee.core.frozen import frozen
from referee.core.naming import folded

if TYPE_CHECKING:
    from referee.cli.game.start import Begun, Terms
    from referee.cli.judging import Asked
    from referee.core.forms import EnergyForm
    from referee.core.ship import ShipClass
    from referee.core.shown import ShipTaken, Shown
    from referee.core.state import ShipState
    from referee.formats.modulemap import ModuleMap
    from referee.formats.vassal.game import Save
    from referee.formats.vassal.module import Module
    from referee.formats.vassal.recognise import ShipOnTable


@frozen
class Source:
    """The file a game is taken from, and what it shows."""

    file: str
    sha256: str
    shown: Shown


@frozen
class Reading:
    """A file being read: what it is read with."""

    save: Save
    asked: Asked
    says: ModuleMap | None
    module: Module | None


def begin_from(path: str, terms: Terms, asked: Asked, who: Sequence[str]) -> Begun:
    """Begins a record with all that a file shows. Raises BadInput where a ship's player cannot be told."""
    from referee.cli.game.start import begin
    from referee.cli.inputs import read_input
    from referee.cli.logs.audit import module_beside
    from referee.cli.saves import map_of, with_map
    from referee.formats.vassal.game import read_save

    source = read_input(path)
    if source.kind != "save":
        raise BadInput("is not a VASSAL save or log", file=path)
    says = map_of(asked)
    asked = with_map(asked, says)
    save = read_save(source.data, source.name)
    module, _ = module_beside(save, asked)
    reading = Reading(save, asked, says, module)
    terms = replace(terms, players=terms.players or _seated(save))
    if save.kind == "log":
        from referee.cli.game.logtaken import log_shown as shown_in
    else:
        from referee.cli.game.savetaken import save_shown as shown_in
    shown, settings = shown_in(reading)
    if not shown.ships:
        more = f" (and {len(shown.left_out) - 1} more)" if len(shown.left_out) > 1 else ""
        why = f": {shown.left_out[0]}{more}" if shown.left_out else ""
        hint = '--ship "NAME=CLASS" says which; referee show lists what is in it'
        raise BadInput(f"no ship known here is in it{why}", file=path, hint=hint)
    _hold_players(shown.ships, who)
    owned = tuple(_owned(ship, save, terms.players, who, path) for ship in shown.ships)
    return begin(terms, settings, [], Source(path, source.sha256, replace(shown, ships=owned)))


def hold_together(
    source: str, players: str, with_file: Mapping[str, object], without: Mapping[str, object]
) -> None:
    """Raises BadInput for what only a game from a file needs, or no such game, and for one without players."""
    for name, said in (without if source else with_file).items():
        if said:
            wrong = f"{name} with --from" if source else f"{name} without --from"
            raise BadInput(wrong, hint="--from takes a game from a VASSAL save or log")
    if not source and not players:
        raise BadInput("who plays is not said", hint="--players alice,bob")


def _seated(save: Save) -> list[str]:
    """The players of a file by the names they have there, as a record spells them."""
    names = (_as_player(seat.name) for seat in save.players if not seat.observes)
    found = [name for name in dict.fromkeys(names) if name]
    if not found:
        raise BadInput("who plays is not said in it", file=save.file, hint="--players alice,bob")
    return found


def _as_player(name: str) -> str:
    return re.sub("[^a-z0-9_]", "", name.lower())[:32]


def _hold_players(ships: Sequence[ShipTaken], who: Sequence[str]) -> None:
    """Raises BadInput where a player is given to a ship or side that is not there."""
    there = [name for ship in ships for name in (ship.name, *ship.sides) if name]
    for one in who:
        name, equals, _ = one.rpartition("=")
        if equals and folded(name) not in set(map(folded, there)):
            hint = f"there are {', '.join(dict.fromkeys(there))}"
            raise BadInput(f"--player {one[:60]}: no ship or side {name[:60]}", hint=hint)


def _owned(ship: ShipTaken, save: Save, players: list[str], who: Sequence[str], path: str) -> ShipTaken:
    """A ship with its player: as is said for it or its side, else who sits on its side in the file."""
    said = [_said(one, players) for one in who]
    sides = {folded(side) for side in ship.sides if side}
    by_name = [player for name, player in said if folded(name) == folded(ship.name)]
    by_side = [player for name, player in said if folded(name) in sides]
    seats = [_as_player(seat.name) for seat in save.players if folded(seat.side) in sides]
    sitting = [name for name in dict.fromkeys(seats) if name in players]
    for found in (by_name, list(dict.fromkeys(by_side)), sitting, players):
        if len(found) == 1:
            return replace(ship, player=found[0])
    side = ship.sides[0] if ship.sides else ship.name
    raise BadInput(
        f"who plays {ship.name} cannot be told", file=path, hint=f'--player "{side}={" or ".join(players)}"'
    )


def _said(one: str, players: list[str]) -> tuple[str, str]:
    name, equals, player = one.rpartition("=")
    if not equals or player not in players:
        hint = f'write "Federation=alice"; players are {", ".join(players)}'
        raise BadInput(f"--player {one}", hint=hint)
    return name, player


# -- ships -------------------------------------------------------------------------------


def class_in(
    reading: Reading, ship: ShipOnTable, form: EnergyForm | None
) -> tuple[ShipClass | None, Iterator[str]]:
    """The class of a ship of a file; without it, why not."""
    from referee.cli.logs.audit import is_no_ship
    from referee.cli.saves import classes_of

    told = reading.says.class_of(ship.counter) if reading.says else ""
    alone = form is None and ship.ssd is None
    if alone and not told and is_no_ship(ship):
        return None, iter((f"{ship.name}: not a ship, or none known here",))
    classes = classes_of(ship, form, reading.save, reading.asked, reading.says)
    if len(classes) == 1:
        return classes[0], iter(())
    choices = f": it may be {', '.join(found.id for found in classes[:6])}" if classes else ""
    hint = f'--ship "{ship.name}={classes[0].id if classes else "CLASS"}"'
    return None, iter((f"{ship.name}: which class it is cannot be told{choices} ({hint})",))


def sides_of(ship: ShipOnTable, chosen: ShipClass) -> tuple[str, ...]:
    """What the side of a ship may be called: by the map, else its race and the markers it bears."""
    return (ship.side,) if ship.side else tuple(dict.fromkeys((chosen.race, *ship.hints)))


def display_of(ship: ShipOnTable, chosen: ShipClass, labels: Any) -> ShipState | None:
    """What a ship's display shows of it; None where it shows neither boxes nor shields."""
    from referee.adjudicator.seen import seen_state

    if not ship.boxes_left and not ship.shields:
        return None
    shields = {
        number: _as_printed(chosen.shields.get(number, 0), left, most)
        for number, (left, most) in ship.shields.items()
        if number in chosen.shields
    }
    return seen_state(chosen, ship.boxes_left, shields, labels).state


def _as_printed(printed: int, left: int, most: int | None) -> tuple[int, int | None]:
    """A shield's boxes left: as many are gone of those known here as of those the display has."""
    lost = -left if left < 0 else max(0, (most if most is not None else printed) - left)
    return max(0, printed - lost), most


def unread(ship: ShipOnTable, chosen: ShipClass, labels: Any) -> Iterator[str]:
    """What of a ship's display does not fit the ship known here."""
    from referee.adjudicator.seen import seen_state

    seen = seen_state(chosen, ship.boxes_left, ship.shields, labels)
    for label in seen.not_understood:
        left, most = ship.boxes_left[label]
        if left < 0 or (most is not None and left < most):
            yield f"{ship.name}: damage to {label}: no box of the ship known here"
    other = [(label, shown, printed) for label, shown, printed in seen.disagree]
    other += [
        (f"shield {number}", most, chosen.shields[number])
        for number, (_, most) in sorted(ship.shields.items())
        if most is not None and most != chosen.shields.get(number, most)
    ]
    if other:
        told = ", ".join(f"{shown} of {label} (here {printed})" for label, shown, printed in other)
        yield f"{ship.name}: boxes that the ship known here does not have, or has more of: {told}"
