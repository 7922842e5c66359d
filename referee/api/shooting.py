"""`referee.fire`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import fspath
from typing import Any

from referee.adjudicator.policies import policy
from referee.api.asking import Options, settings_for
from referee.api.judging import Path
from referee.core.dice import ScriptedDice, seeded_dice
from referee.core.errors import BadInput
from referee.judging.fire_table import FireTable
from referee.judging.fired import FireResolved, fired
from referee.record.machine import random_bytes


def fire(
    ship: str = "",
    *,
    weapon: str = "",
    times: int = 1,
    weapons: str | Sequence[str] = "",
    range: int | None = None,
    at: str = "",
    target: str = "",
    target_at: str = "",
    turn: int | None = None,
    impulse: int | None = None,
    last_fired: Mapping[str, str] | str | None = None,
    paid: bool = False,
    form: Path = "",
    state: Path = "",
    target_state: Path = "",
    lock_on: bool | None = None,
    mode: str = "standard",
    shield: int | None = None,
    volley: bool = False,
    reinforcement: tuple[int, int] = (0, 0),
    choose: str = "protect-weapons",
    dice: Sequence[int] | None = None,
    seed: str = "",
    rulebook: str = "",
    option: Options | None = None,
) -> FireResolved:
    """Fires one `weapon` type at a `range`, or a ship's `weapons` at a `target`: arc, energy and rate are judged
    first; where they are against a rule nothing is rolled and `is_illegal` says so.

    Raises BadInput for a ship, weapon or place that is not there.

    >>> fire(weapon="phaser-1", range=3, dice=[2]).results[0].damage
    5
    >>> fire(weapon="photon", range=1, dice=[2]).is_illegal
    True
    """
    if bool(ship) == bool(weapon):
        raise BadInput(
            "say what fires", hint="weapon='phaser-1', range=3; or a ship with its weapons and target"
        )
    if dice is not None and seed:
        raise BadInput("dice and a seed", hint="say one")
    entry = {
        "ship": ship, "at": at, "state": fspath(state), "form": fspath(form),
        "target": target, "target_at": target_at, "target_state": fspath(target_state),
        "weapons": weapons if isinstance(weapons, str) else ",".join(weapons),
        "range": range, "turn": turn, "impulse": impulse, "last_fired": last_fired, "paid": paid or None,
        "lock_on": lock_on, "mode": mode, "shield": shield,
    }  # fmt: skip
    given: dict[str, Any] = {name: value for name, value in entry.items() if value not in (None, "", {})}
    table = FireTable(settings_for(rulebook, option))
    if weapon:
        declaration = table.alone(weapon, times, given)
    else:
        declaration = table.declared([{**given, "target_ship": target}], "")
    cup = ScriptedDice(list(dice)) if dice is not None else seeded_dice(seed or random_bytes(8).hex())
    chooser = policy(choose, seeded_dice(f"choices of {cup.source}"))
    general, specific = reinforcement
    done = fired(table, declaration, cup, chooser, volley=volley, reinforcement=f"{general},{specific}")
    if isinstance(cup, ScriptedDice) and not done.is_illegal:
        cup.finish()
    return done
