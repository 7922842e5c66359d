"""Forms, moves and fire chosen anew where the game went back past others that were sealed and shown."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from referee.core.combat import Moment
from referee.core.finding import Finding, Severity
from referee.core.frozen import frozen, replace
from referee.core.location import Location

if TYPE_CHECKING:
    from referee.core.game import GameState
    from referee.core.seals import Seal
    from referee.rulebooks.base import Rulebook

_DONE = {"moves": "moved", "fire": "fired"}
LAST = 1 << 53
"""Later than any entry: of what is chosen in the open it is not told when."""
Chosen = tuple[int, Collection[str]]
"""In which entry something was chosen, and what."""


@frozen
class Anew:
    """What a ship had sealed, what of other players' was shown after that, before the game went back, and what it does
    now, otherwise than it had sealed or shown."""

    seal: Seal
    known: tuple[Seal, ...]
    did: Collection[str]

    def against(self, key: str, sealed: Collection[str]) -> Finding:
        """Whoever agreed to go back there let its player choose anew, so that it is a warning."""
        seal = self.seal
        others = ", ".join(f"{other.ship}'s (#{other.seq})" for other in self.known)
        return Finding(
            key,
            Severity.WARNING,
            f"{_DONE[seal.kind]} anew knowing what was sealed and shown of {others}, before the game went back",
            seal.ship,
            seal.turn,
            seal.impulse,
            self.place,
            expected=", ".join(sealed) if seal.revealed else "",
            found=", ".join(self.did) or "nothing",
        )

    @property
    def place(self) -> Location:
        """The line of what was sealed."""
        return Location(record_line=self.seal.seq + 1)


def found_anew(
    rulebook: Rulebook,
    state: GameState,
    acts: Callable[[Seal], Collection[str]],
    done: Callable[[Seal], Chosen | None],
    judge: Callable[[str, Any], Iterable[Finding]],
) -> Iterator[Finding]:
    """What was chosen anew, knowing what the game went back past; `acts` are the moves or shots of sealed orders, `judge`
    asks the rules on a subject."""

    def sealed(seal: Seal) -> Collection[str]:
        return form_lines(seal.shown) if seal.kind == "eaf" else acts(seal)

    for anew in chosen_anew(state.released, state.seals, sealed, done):
        seal = anew.seal
        if seal.kind != "eaf":
            yield anew.against(rulebook.named.sealed[seal.kind], sealed(seal))
            continue
        others = tuple(f"{other.ship}'s form (#{other.seq})" for other in anew.known)
        lines = tuple(sealed(seal)) if seal.revealed else None
        facts = rulebook.offers.form_anew(rulebook, seal.ship, seal.turn, others, tuple(anew.did), lines)
        yield from (replace(found, location=anew.place) for found in judge("form anew", facts))


def chosen_anew(
    released: Iterable[Seal],
    standing: Iterable[Seal],
    sealed: Callable[[Seal], Collection[str]],
    done: Callable[[Seal], Chosen | None],
) -> Iterator[Anew]:
    """The ships that chose in a turn or an impulse otherwise than they had sealed and shown before, knowing what another
    player had: `released` are the orders that count no more, of those `standing` some were shown before the game went back.
    Of what its own player never showed nobody can tell whether it is the same. `done` is None where nothing was chosen."""
    released = tuple(released)
    passed = [seal for seal in (*released, *standing) if seal.shown and seal.gone_back]
    rows: dict[tuple[int, int | None, str, str], list[Seal]] = {}
    for seal in released:
        rows.setdefault(seal.about, []).append(seal)
    for row in rows.values():
        known = [other for other in passed if _is_known(other, row[0])]
        made = done(row[0]) if known else None
        if made is None:
            continue
        seq, did = made
        # What was sealed last before another's was shown was chosen freely.
        free: dict[str, tuple[Seal, list[Seal]]] = {}
        for other in known:
            before = [seal for seal in row if seal.seq < other.shown_in < seq]
            if before:
                free.setdefault(before[-1].hash, (before[-1], []))[1].append(other)
        for seal, others in free.values():
            if not (seal.revealed and sorted(did) == sorted(sealed(seal))):
                yield Anew(seal, tuple(others), did)


def _is_known(other: Seal, seal: Seal) -> bool:
    """Does what was shown of one seal tell another's player what he may do against it?"""
    about = (other.turn, other.kind) == (seal.turn, seal.kind)
    return about and other.player != seal.player and other.overlaps(seal.impulse)


def form_lines(form: Mapping[str, Mapping[str, object]]) -> tuple[str, ...]:
    """The lines of a form that hold anything."""
    return tuple(
        f"line {row['line']}: {row['amount']}" for row in form.values() if str(row["amount"]) not in ("", "0")
    )


def done_for(
    seal: Seal,
    state: GameState,
    made: Mapping[int, Mapping[tuple[str, int | None], str]],
    filed: Mapping[tuple[str, int], int],
) -> Chosen | None:
    """What its ship did in the turn or the impulse of a seal, and when that was chosen: as it was sealed since, or said; None
    where no form is in, or it did not move, or nobody fired. `filed` are the entries of forms filed openly."""
    again = [
        each.seq
        for each in state.seals.about(seal.turn, seal.ship, seal.kind)
        if each.impulse == seal.impulse
    ]
    if seal.kind == "eaf":
        form = state.ships[seal.ship].forms.get(seal.turn)
        seq = max(again, default=filed.get((seal.ship, seal.turn), LAST))
        return None if form is None else (seq, form_lines(form))
    if seal.kind == "moves":
        way = made.get(seal.turn, {}).get((seal.ship, seal.impulse))
        moves = [number for number, data in state.orders if _is_move(data, seal)] if way is not None else []
        return None if way is None else (max(again or moves, default=LAST), (way,))
    if seal.kind != "fire" or seal.impulse is None:
        return None
    moment = Moment(seal.turn, seal.impulse)
    fire = [order for order in state.fire if order.moment == moment]
    own = [order for order in fire if order.ship == seal.ship]
    shots = [f"{weapon} at {order.target}" for order in own for weapon in order.weapons]
    return (max(again or [order.seq for order in own], default=LAST), shots) if fire else None


def _is_move(data: Mapping[str, object], seal: Seal) -> bool:
    move = data.get("move")
    about = data.get("turn"), data.get("impulse")
    return isinstance(move, dict) and move["ship"] == seal.ship and about == (seal.turn, seal.impulse)
