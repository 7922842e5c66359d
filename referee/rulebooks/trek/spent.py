"""Section 7: a ship without power."""

from __future__ import annotations

from referee.rulebooks.base import check
from referee.rulebooks.trek.facts import Declared, Findings

FREE = ("none", "refund")


@check("trek-53", "No power, no action", on="action")
def power_for_acting(act: Declared) -> Findings:
    """A ship whose power is used up takes no action and absorbs nothing until the next turn; repairs
    are no action, and a cloak may be switched off for the power in it.

    Legal: a scan with half a point left. Illegal: a scan with none. Fix: keep something back.
    """
    if not act.vessel.left and act.charts.actions[act.kind]["cost"] not in FREE:
        yield act.tell.error(f"{act.kind} with no power left", expected="more than 0", found="0")
