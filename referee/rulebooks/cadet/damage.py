"""What is the cadet game's own in damage allocation (source 000)."""

from __future__ import annotations

from referee.rulebooks.base import resolves
from referee.rulebooks.sfb.damage import Cell, Groups, VolleyInProgress


@resolves("D4.3", "Categories of the cadet chart", on="entry")
def categories(groups: Groups, cell: Cell, volley: VolleyInProgress) -> Groups:
    """Hull is any hull box; engine is impulse or warp; weapon is any phaser, torpedo, other heavy weapon
    or drone rack; other is a transporter, laboratory, reactor, battery or shuttle.

    Legal: an engine result on an impulse box. Illegal: a battery for an engine result.
    """
    return cell.under("D4.3", groups, volley)


@resolves("D4.3/bridge", "Bridge and security are safe", on="boxes")
def never_destroyed(boxes: tuple[str, ...], cell: Cell, volley: VolleyInProgress) -> tuple[str, ...]:
    """Bridge and security boxes cannot be destroyed in the cadet game.

    Legal: the last hull box. Illegal: the bridge.
    """
    safe = volley.rulebook.table("damage_chart")["never"]
    return tuple(box for box in boxes if box.partition("/")[0] not in safe)
