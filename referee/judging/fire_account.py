"""Fire that is declared for one step, as an account: the ships as they stand, the moment, and each shot."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from referee.core.account import Account, Coverage, Event
from referee.core.bought_energy import BatteryOrder
from referee.core.combat import Declaration, Unit
from referee.rulebooks.base import Rulebook

TELLS = Coverage(moves="fire that is declared for a step tells no moves")
"""What declared fire tells of: not how its ships came where they are."""
_PLAYER = "player"


def account_of(
    rulebook: Rulebook, declaration: Declaration, units: Iterable[Unit], fed: Iterable[BatteryOrder]
) -> Account:
    """The account of fire between some units, with the batteries that are `fed` to phasers for it."""
    options = dict(rulebook.chosen)
    game = {
        "players": [_PLAYER],
        "rulebook": rulebook.id,
        "options": options,
        "dice": {"mode": ""},
        "fold": 2,
    }
    events = [Event(0, "genesis", game)]

    def happens(kind: str, data: dict[str, Any]) -> None:
        events.append(Event(len(events), kind, data))

    capacitors, batteries = dict(declaration.capacitors), dict(declaration.batteries)
    for unit in units:
        if unit.ship is not None:
            at = f"{unit.hex}{unit.facing or ''}" if unit.hex else ""
            ship: dict[str, Any] = {"ship": unit.name, "class": unit.ship.id, "player": _PLAYER, "at": at}
            if unit.name in capacitors:
                ship |= {"capacitor": capacitors[unit.name], "batteries": batteries[unit.name]}
            happens("ship", ship)
    moments = {shot.moment for shot in declaration.shots}
    if len(moments) == 1 and (moment := moments.pop()):
        happens("step", {"turn": moment.turn, "impulse": moment.impulse, "step": "fire"})
    for shot in declaration.shots:
        fire = {"ship": shot.firer.name, "target": shot.target.name, "shot": shot}
        happens("order", {"fire": fire, "turn": shot.turn, "impulse": shot.impulse})
    for order in fed:
        battery = {"ship": order.ship, "ordered": order}
        happens("order", {"battery": battery, "turn": order.turn, "impulse": order.impulse})
    return Account(tuple(events), TELLS, kept=False)
