"""Moves and fire chosen anew where the game went back past others that were sealed and shown."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from referee.core.combat import Moment
from referee.core.finding import Finding, Severity
from referee.core.location import Location

if TYPE_CHECKING:
    from referee.core.game import GameState
    from referee.core.seals import Seal

_DONE = {"moves": "moved", "fire": "fired"}


def chosen_anew(
    released: Iterable[Seal],
    keys: Mapping[str, str],
    sealed: Callable[[Seal], Collection[str]],
    done: Callable[[Seal], Collection[str] | None],
) -> Iterator[Finding]:
    """The ships that moved or fired in an impulse otherwise than they had sealed and shown, knowing what another player
    had: whoever agreed to go back there let them choose anew, so that it is a warning. Of what its own player never
    showed nobody can tell whether it is the same. `done` is None where nothing was in that impulse."""
    released = tuple(released)
    for seal in released:
        known = [other for other in released if other.shown and _is_known(other, seal)]
        did = done(seal) if seal.kind in _DONE and known and seal.impulse is not None else None
        if did is None or (seal.revealed and sorted(did) == sorted(sealed(seal))):
            continue
        others = ", ".join(f"{other.ship}'s (#{other.seq})" for other in known)
        yield Finding(
            keys[seal.kind],
            Severity.WARNING,
            f"{_DONE[seal.kind]} anew knowing what was sealed and shown of {others}, before the game went back",
            seal.ship,
            seal.turn,
            seal.impulse,
            Location(record_line=seal.seq + 1),
            expected=", ".join(sealed(seal)) if seal.revealed else "",
            found=", ".join(did) or "nothing",
        )


def _is_known(other: Seal, seal: Seal) -> bool:
    """Does what was shown of one seal tell another's player what he may do against it?"""
    about = (other.turn, other.kind) == (seal.turn, seal.kind)
    return about and other.player != seal.player and other.overlaps(seal.impulse)


def done_for(
    seal: Seal, state: GameState, made: Mapping[int, Mapping[tuple[str, int | None], str]]
) -> Collection[str] | None:
    """What its ship did in the impulse of a seal; None where it did not move, or nobody fired."""
    if seal.kind == "moves":
        way = made.get(seal.turn, {}).get((seal.ship, seal.impulse))
        return None if way is None else (way,)
    moment = Moment(seal.turn, seal.impulse or 0)
    fire = [order for order in state.fire if order.moment == moment]
    shots = [f"{weapon} at {o.target}" for o in fire if o.ship == seal.ship for weapon in o.weapons]
    return shots if fire else None
