"""When a photon torpedo can have been armed again (E4.2)."""

from __future__ import annotations

from referee.core.combat import Moment
from referee.core.naming import how_many
from referee.rulebooks.base import check
from referee.rulebooks.sfb.sensors import Aim, Findings, when


@check("E4.21/again", "Arming a photon again", on="shot", passes="plain")
def armed_anew(aim: Aim) -> Findings:
    """A photon tube takes two turns to arm once it has fired: it fires in the turn after the next at the
    earliest, whatever was paid for it.

    Legal: PHOT/A in turns 2 and 4. Illegal: PHOT/A in turns 1 and 2. Fix: fire another tube.
    """
    arming = aim.weapon.get("arming") or {}
    last, turn = aim.shot.last_fired, aim.shot.turn
    if arming.get("kind") != "photon" or not isinstance(last, Moment) or turn is None:
        return
    first = last.turn + len(arming["steps"])
    if last.turn < turn < first:
        yield aim.error(
            f"it fired on {when(last)}, and takes {how_many(len(arming['steps']), 'turn')} to arm",
            expected=f"turn {first} or later",
            found=f"turn {turn}",
            fix=f"wait for turn {first}",
        )
