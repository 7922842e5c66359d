"""What a player says against what he paid for (B3.0-14) or wrote secretly beforehand (C1.3)."""

from __future__ import annotations

from collections.abc import Iterator

from referee.core.finding import Finding, Severity
from referee.core.frozen import frozen
from referee.rulebooks.base import Rulebook, check


@frozen
class SpeedSaid:
    """A ship's speed of a turn as it was said, and as its form pays for it, hexes a turn."""

    rulebook: Rulebook
    ship: str
    turn: int
    said: int
    paid: int


@check("B3.0-14/said", "The speed that was paid for", on="speed said")
def speed_paid_for(speed: SpeedSaid) -> Iterator[Finding]:
    """A ship moves at the speed line 14 of its form pays for, no faster and no slower.

    Legal: 12 paid, 12 said. Illegal: 12 paid, 13 said. Mend: say the speed of the form.
    """
    if speed.said != speed.paid:
        yield Finding(
            key="",
            severity=Severity.ERROR,
            message=f"speed {speed.said} was said, and line 14 pays for {speed.paid}",
            subject=speed.ship,
            turn=speed.turn,
            expected=str(speed.paid),
            found=str(speed.said),
            fix="say the speed of the form",
        )


@frozen
class SealedMove:
    """A move written secretly beforehand and the one that was made: ahead, left or right."""

    rulebook: Rulebook
    ship: str
    turn: int
    impulse: int
    sealed: str
    made: str


@check("C1.3/kept", "A sealed move is the one made", on="sealed move")
def sealed_move_kept(move: SealedMove) -> Iterator[Finding]:
    """Who writes his move secretly beforehand makes that move and no other.

    Legal: left sealed, left made. Illegal: left sealed, ahead made. Mend: take the move back and make it.
    """
    if move.sealed != move.made:
        yield Finding(
            key="",
            severity=Severity.ERROR,
            message=f"{move.sealed} was sealed for impulse {move.impulse}, and {move.made} was moved",
            subject=move.ship,
            turn=move.turn,
            impulse=move.impulse,
            expected=move.sealed,
            found=move.made,
            fix="make the move that was sealed",
        )
