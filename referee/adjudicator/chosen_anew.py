"""Moves and fire chosen anew where the game went back past others that were sealed and shown."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING

from referee.core.finding import Finding, Severity
from referee.core.location import Location

if TYPE_CHECKING:
    from referee.adjudicator.record_seals import Made, Sealed, Shot
    from referee.core.game import GameState
    from referee.core.seals import Seal

_TOLD = {"moves": "moved", "fire": "fired"}


def chosen_anew(
    state: GameState, made: Made, read: Callable[[Seal, GameState], Sealed], keys: Mapping[str, str]
) -> Iterator[Finding]:
    """The ships that moved or fired in an impulse otherwise than they had sealed and shown, knowing what another player
    had: whoever agreed to go back there let them choose anew, so that it is a warning. Of what its own player never
    showed nobody can tell whether it is the same."""
    for seal in state.released:
        known = [other for other in state.released if other.shown and _is_known(other, seal)]
        if seal.kind not in _TOLD or not known or seal.impulse is None or not _did(seal, state, made):
            continue
        if seal.revealed and _is_same(read(seal, state), state, made):
            continue
        others = ", ".join(f"{other.ship}'s (#{other.seq})" for other in known)
        yield Finding(
            keys[seal.kind],
            Severity.WARNING,
            f"{_TOLD[seal.kind]} anew knowing what was sealed and shown of {others}, before the game went back",
            seal.ship,
            seal.turn,
            seal.impulse,
            Location(record_line=seal.seq + 1),
            expected="as it was sealed" if seal.revealed else "",
            fix="with the word of the umpire, or of all players, it stands",
        )


def _is_known(other: Seal, seal: Seal) -> bool:
    """Does what was shown of one seal tell another's player what he may do against it?"""
    about = (other.turn, other.kind) == (seal.turn, seal.kind)
    return about and other.player != seal.player and other.overlaps(seal.impulse)


def _did(seal: Seal, state: GameState, made: Made) -> bool:
    """Did a ship move in the impulse of its seal, or was there fire in it?"""
    if seal.kind == "moves":
        return (seal.ship, seal.impulse) in made.get(seal.turn, {})
    return any((order.moment.turn, order.moment.impulse) == (seal.turn, seal.impulse) for order in state.fire)


def _is_same(sealed: Sealed, state: GameState, made: Made) -> bool:
    """Did a ship what it had sealed?"""
    seal = sealed.seal
    if seal.kind == "moves":
        return made[seal.turn][seal.ship, seal.impulse] in sealed.moves.get(seal.impulse, ())
    fired = [
        (weapon, order.target)
        for order in state.fire
        if order.ship == seal.ship and (order.moment.turn, order.moment.impulse) == (seal.turn, seal.impulse)
        for weapon in order.weapons
    ]
    shots: tuple[Shot, ...] = (sealed.fire or {}).get(seal.impulse, ())
    return sorted(fired) == sorted((weapon, target) for weapon, target, _ in shots)
