"""Orders of the order language played into a record, dice and all."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from referee.core.errors import BadInput
from referee.core.naming import folded, names_like
from referee.core.orders import Hit, Launch, LockOn
from referee.formats.orderfiles import is_orders
from referee.formats.orderlines import NOT_ORDERED
from referee.formats.orders import parse_orders
from referee.play.append import thrown
from referee.play.dice_calls import awaits, strike, thrown_later, try_lock
from referee.play.fire_told import fires_after_all
from referee.play.game_file import must_be_meant
from referee.play.moving_on import ordering_in, recorded
from referee.play.telling import telling
from referee.rulebooks.registry import load_ship

if TYPE_CHECKING:
    from referee.adjudicator.ordering import Ordering
    from referee.core.game import GameState
    from referee.core.location import Location
    from referee.core.orders import Order
    from referee.play.game_file import Game

_OF_CHAT = re.compile(r"(?m)^([ \t]*)!")


def orders_in(state: GameState, text: str, file: str, done: int = 0) -> Sequence[Order] | None:
    """The orders of a text, `done` of them carried out already; None where it is no orders file. Raises
    BadInput for a line not understood, unless something is still launched before it that it may name."""
    if not _speaks(state, text):
        return None
    known = (*state.ships, *state.launched)
    parsed = parse_orders(text, file, load_ship, ships=known, drones=state.launched, flying=state.seekers)
    named = [(ship.ship, ship.location) for ship in parsed.ships]
    for unit, place in (*named, *((drone.name, drone.location) for drone in parsed.drones)):
        if not any(folded(unit) == folded(name) for name in known):
            hint = names_like(unit, state.ships)
            raise BadInput(f"{unit} is not in the game", file=file, place=f"line {place.line}", hint=hint)
    launches = [order.location.line or 0 for order in parsed.orders[done:] if isinstance(order, Launch)]
    first = next(iter(parsed.problems), None)
    if first is not None and not any(line < (first.location.line or 0) for line in launches):
        raise BadInput(
            f"{first.text}: {first.reason}", file=file, place=file and str(first.location), hint=first.hint
        )
    return parsed.orders


def _speaks(state: GameState, text: str) -> bool:
    """Is a text orders: does it begin as such a file, or with a ship of the game?"""
    first = next(
        (line for line in text.splitlines() if line.strip() and not line.strip().startswith("#")), ""
    )
    name, colon, _ = first.partition(":")
    known = {folded(known) for known in (*state.ships, *state.launched)}
    return is_orders(text) or (
        bool(colon) and "," not in name and any(folded(name) in each for each in known)
    )


def play(
    game: Game,
    text: str,
    file: str,
    player: str,
    force: bool,
    by_hand: bool = False,
    agreed: Sequence[str] = (),
) -> Game | None:
    """Plays the orders of a text, or of lines of chat, into a record: all of them, or none. None where it is no
    orders file.

    Where dice are ordered, by `hit` or `lock on`, they fall before the next order: what stands up to there is
    then recorded, whatever is wrong with the rest. Raises BadInput.
    """
    text = _OF_CHAT.sub(r"\1 ", text)
    orders = orders_in(game.state, text, file)
    if orders is None:
        return None
    _must_fall_at_once(game, orders, by_hand, text, file)
    ordering = ordering_in(game, player, agreed)
    done, kept = 0, ""
    while done < len(orders):
        order = orders[done]
        launched = ordering.table.state.launched
        try:
            if isinstance(order, Hit | LockOn):
                game = _rolled(game, ordering, order, player, force, kept, by_hand)
                kept = f"recorded up to {order.location.within(file='')}, whose dice fell, and nothing of the rest"
                ordering = ordering_in(game, player, agreed)
            else:
                ordering.to_come = orders[done + 1 :]
                ordering.order(order)
        except BadInput as error:
            place = (file and error.place) or _place(order.location, text, file)
            placed = BadInput(error.reason, hint="; ".join(filter(None, (error.hint, kept))))
            raise placed.at(file=file, place=place) from None
        done += 1
        must_be_meant(ordering, force, kept)
        if ordering.fouled and not force:
            break  # What follows from it needs no telling.
        if ordering.table.state.launched != launched:
            # What was launched can be named from now on.
            orders = orders_in(ordering.table.state, text, file, done) or orders
    before, game = game, recorded(game, ordering, force, kept)
    telling().orders(ordering.new)
    for text in fires_after_all(before.state, game.state):
        telling().line(text)
    return game


def _place(location: Location, text: str, file: str) -> str:
    """Where an order stands in its file; of one that was said, the order."""
    return str(location.within(file="")) if file else text.splitlines()[(location.line or 1) - 1].strip()[:60]


def no_order(game: Game, text: str) -> BadInput:
    """What to say of orders that begin with something else than a ship of the game."""
    name, colon, _ = text.partition(":")
    if colon:
        known = (*game.state.ships, *game.state.seekers)
        return BadInput(f"no ship {name.strip()[:60]} in the game", hint=names_like(name, known))
    verb = text.split()[0].casefold() if text.split() else ""
    if why := NOT_ORDERED.get(verb):
        return BadInput(f"no order {verb!r}: {why}")
    ships = ", ".join(game.state.ships)
    return BadInput(f"{text[:60]!r} is no order", hint=f'name the ship: "SHIP: ahead"; there are {ships}')


def _must_fall_at_once(game: Game, orders: Sequence[Order], by_hand: bool, text: str, file: str) -> None:
    """Raises BadInput where orders follow on dice that somebody else, or a hand, has to throw."""
    waits = next((order for order in orders[:-1] if isinstance(order, Hit | LockOn)), None)
    if waits is not None and (why := thrown_later(game, by_hand)):
        place = _place(waits.location, text, file)
        hint = "give the orders up to there, then the others when the dice have fallen"
        raise BadInput(f"its dice {why}", file=file, place=place, hint=hint)


def _rolled(
    game: Game, ordering: Ordering, order: Hit | LockOn, player: str, force: bool, kept: str, by_hand: bool
) -> Game:
    """The game with dice that an order asks for declared, behind all that was ordered before them, and thrown
    unless somebody else has to."""
    if isinstance(order, LockOn):
        if order.roll is not None:
            raise BadInput(
                "the die of a try for lock-on is rolled in the record",
                hint=f"leave the {order.roll} out: {order.ship}: lock on {order.target}",
            )
        try_lock(game, ordering, order.ship, [order.target], player)
    else:
        strike(game, ordering, order, player)
    game = recorded(game, ordering, force, kept, by_hand=by_hand)
    telling().orders(ordering.new)
    roll = game.state.rolls[game.dice.next_roll - 1]
    telling().line(f"declared: roll {roll.number}, {roll.purpose}")
    return game if awaits(game) else thrown(game.path, head=False)
