"""What is the cadet game's own in damage allocation (source 000)."""

from __future__ import annotations

from referee.rulebooks.base import resolves
from referee.rulebooks.sfb.damage import Cell, Groups, VolleyInProgress


@resolves("D4.3", "Categories of the cadet chart", on="entry")
def categories(groups: Groups, cell: Cell, volley: VolleyInProgress) -> Groups:
    """Hull is any hull box; engine is impulse or warp; weapon is any phaser, torpedo, other heavy weapon
    or drone rack; other is a transporter, laboratory, reactor, battery or shuttle. Bridge and security are
    in none of them and cannot be destroyed.

    Legal: an engine result on an impulse box. Illegal: a battery for an engine result.
    """
    return cell.under("D4.3", groups, volley)
