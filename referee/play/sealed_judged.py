"""Moves and fire as they are sealed: what the rules say against them by what the table shows then."""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.adjudicator.fire import weapons_named
from referee.core.errors import BadInput
from referee.core.finding import Severity
from referee.core.orders import Fire, OrderProblem
from referee.core.seals import seal_text
from referee.play.game_file import owner_in, refuse
from referee.play.moving_on import ordering_in
from referee.play.sealed import is_held, orders_read
from referee.play.sealing import must_be_to_come, must_strike, new_seal_allowed, seal_body
from referee.play.short_orders import orders_of
from referee.play.telling import telling
from referee.play.whose import movers_in

if TYPE_CHECKING:
    from collections.abc import Sequence

    from referee.core.finding import Finding
    from referee.play.game_file import Game


def seal_words(game: Game, ship: str, orders: str, kind: str = "", *, force: bool = False) -> Game:
    """Seals orders of a ship for this impulse, in words: `l`, or `f ph1a w; f ph1b w`; fire, or else moves, where the
    kind is not given. Raises BadInput, and Refused for illegal ones unless forced."""
    game.must_have_its_rules()
    target = game.state.ship(ship)
    lines = orders_of(game.state, target.name, orders)
    impulse = game.state.impulse or 0
    if not lines or not impulse:
        raise BadInput(
            "there is nothing to seal" if not lines else "moves and fire are sealed in the impulses"
        )
    _must_be_orders(game, target.name, lines)
    kind = kind or ("fire" if lines[0].startswith("fire ") or is_held(lines[0]) else "moves")
    body = {f"line_{n}": line for n, line in enumerate(lines, 1)}
    me = owner_in(game, "", target)
    new_seal_allowed(game, me, target, kind, impulse)
    must_be_to_come(game, target, kind)
    if not force:
        if kind == "fire":
            must_strike(game, target, body, impulse)
        refuse(against_sealed(game, target.name, lines, kind), force)
    game, _, _ = seal_body(game, target, kind, impulse, body, me=me)
    telling().line(f"sealed: {seal_text(kind, target.name, game.state.turn, impulse)}")
    return game


def _must_be_orders(game: Game, ship: str, lines: Sequence[str]) -> None:
    """Raises BadInput for a line that is no order: once it is sealed nobody can put it right unseen."""

    for read in orders_read(lines, ship, [*game.state.ships, *game.state.seekers]):
        if isinstance(read, OrderProblem):
            raise BadInput(read.reason, hint="nothing was sealed; a move: a, l, r; fire: f PH1A TARGET, or h")
        if isinstance(read, Fire):
            weapons_named(game.rulebook, game.ship_class(game.state.ship(ship)), read.weapons)


def against_sealed(game: Game, ship: str, lines: Sequence[str], kind: str) -> list[Finding]:
    """What is against orders of a ship for this impulse that are to be sealed. Of the order of movement nothing is said: they
    are not carried out yet; nor of fire while ships have still to move. Raises BadInput for a shot that could not be
    rolled."""
    if kind == "fire" and movers_in(game):
        return []
    ordering = ordering_in(game, "")
    for order in orders_read(lines, ship, [*game.state.ships, *game.state.seekers]):
        if not isinstance(order, OrderProblem):
            ordering.order(order)
    ordering.must_be_resolvable()
    later = game.rulebook.named.order_of_movement
    found = [finding for finding in ordering.findings if finding.rule != later]
    return [*(each for each in found if each.severity is Severity.ERROR), *ordering.asked]
