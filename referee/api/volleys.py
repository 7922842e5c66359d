"""`referee.ship` and `referee.volley`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from referee.adjudicator.policies import policy
from referee.adjudicator.volley import resolve
from referee.api.asking import Options, order_of, settings_for
from referee.core.dice import ScriptedDice, seeded_dice
from referee.core.errors import BadInput
from referee.core.eventjson import event_json
from referee.core.fire_words import volley_taken
from referee.core.ship import ShipClass
from referee.core.state import ShipState, new_state
from referee.core.volley import Hit, VolleyResult, hits_by_system
from referee.record.machine import random_bytes
from referee.report.volleyjson import volley_json
from referee.rulebooks.base import Rulebook
from referee.sources.confirmed import use_folder
from referee.sources.settings import rulebook_in_force
from referee.sources.ship_files import find_ship


@dataclass(frozen=True, slots=True)
class Volley:
    """A volley that was rolled. `seed` gives it again; it is empty where the dice were given."""

    result: VolleyResult
    rulebook: Rulebook
    seed: str
    rolls: tuple[int, ...]

    @property
    def internals(self) -> int:
        """Points that came through reinforcement, shield and armor."""
        return self.result.internals

    @property
    def hits(self) -> tuple[Hit, ...]:
        """Each point inside: its roll, the cell of the chart, the box it cost."""
        return self.result.hits

    @property
    def lost(self) -> dict[str, int]:
        """Boxes lost by system, in the order first hit."""
        return hits_by_system(self.result.hits)

    @property
    def destroyed(self) -> bool:
        """Is the ship destroyed?"""
        return self.result.destroyed

    @property
    def state(self) -> ShipState:
        """The ship after the volley: the `state` of the next one."""
        return self.result.state

    def __str__(self) -> str:
        done, order = self.result, self.result.order
        struck = {"ship": done.ship.name, "points": order.points, "shield": order.shield}
        shields = {order.shield or 0: done.shield_before or 0}
        return volley_taken(
            {**struck, "internal": order.internal}, map(event_json, done.events), shields
        ).text

    def json(self) -> dict[str, object]:
        """The volley as `referee volley --json` prints it."""
        source = f"seed {self.seed}" if self.seed else "scripted"
        return volley_json(self.result, self.rulebook.id, source, self.rolls)


def ship(id: str, *, rulebook: str = "") -> ShipClass:
    """A ship by id, name or ship file. Raises BadInput, with the ships most like it, where there is none.

    >>> ship("standard/klingon-d7").name
    'Klingon D7 battlecruiser'
    """
    use_folder()
    return find_ship(id, rulebook)


def volley(
    ship: str | ShipClass,
    *,
    damage: int | None = None,
    internals: int | None = None,
    shield: int | None = None,
    reinforcement: tuple[int, int] = (0, 0),
    direction: Sequence[str] = (),
    state: ShipState | None = None,
    choose: str = "protect-weapons",
    dice: Sequence[int] | None = None,
    seed: str = "",
    rulebook: str = "",
    option: Options | None = None,
) -> Volley:
    """Rolls a volley on a ship: `damage` on a `shield`, or `internals` past the shields already.

    Dice are `dice`, the totals rolled at a table, or follow from `seed`; without either a seed is drawn.
    Raises BadInput for what is no volley, and for dice too few or left over.

    >>> volley("standard/klingon-d7", internals=3, seed="a").lost
    {'forward_hull': 2, 'aft_hull': 1}
    >>> volley("cadet/klingon-d6", damage=30, shield=1, seed="a").result.shield_after
    0
    """
    if dice is not None and seed:
        raise BadInput("dice and a seed", hint="say one")
    use_folder()
    struck = ship if isinstance(ship, ShipClass) else find_ship(ship, rulebook)
    in_force = rulebook_in_force(rulebook or struck.rulebook, settings_for(rulebook, option))
    order = order_of(damage, internals, shield, reinforcement, direction)
    seed = "" if dice is not None else seed or random_bytes(8).hex()
    cup = ScriptedDice(list(dice)) if dice is not None else seeded_dice(seed)
    chooser = policy(choose, seeded_dice(f"choices of {cup.source}"))
    result = resolve(in_force, struck, state or new_state(struck), order, cup, chooser)
    if isinstance(cup, ScriptedDice):
        cup.finish()
    return Volley(result, in_force, seed, tuple(cup.rolls))
