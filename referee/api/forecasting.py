"""`referee.odds`."""

from __future__ import annotations

from collections.abc import Sequence

from referee.api.asking import Options, order_of, settings_for
from referee.chances.forecast import Forecast, Inquiry, Sampling
from referee.chances.result import Result
from referee.core.errors import BadInput
from referee.core.ship import ShipClass
from referee.core.state import ShipState, new_state
from referee.record.machine import random_bytes
from referee.sources.confirmed import use_folder
from referee.sources.settings import rulebook_in_force
from referee.sources.ship_files import find_ship


def odds(
    ship: str | ShipClass,
    *,
    damage: int | None = None,
    internals: int | None = None,
    shield: int | None = None,
    reinforcement: tuple[int, int] = (0, 0),
    direction: Sequence[str] = (),
    state: ShipState | None = None,
    policy: str = "protect-weapons",
    volleys: int | None = None,
    exact: bool = False,
    seed: str = "",
    rulebook: str = "",
    option: Options | None = None,
) -> Result:
    """What a volley is likely to do: exact where that is cheap or asked for, else sampled, the same for the same
    seed. `systems` has the mean loss and the chance of every loss of each system.

    >>> result = odds("cadet/klingon-d6", internals=6)
    >>> result.method
    'exact'
    >>> round(float(result.systems["phaser"].mean_lost), 2)
    0.33
    """
    if exact and volleys:
        raise BadInput("exact and volleys", hint="say one: volleys are sampled")
    use_folder()
    struck = ship if isinstance(ship, ShipClass) else find_ship(ship, rulebook)
    in_force = rulebook_in_force(rulebook or struck.rulebook, settings_for(rulebook, option))
    order = order_of(damage, internals, shield, reinforcement, direction)
    forecast = Forecast(Inquiry(in_force, struck, state or new_state(struck), order, policy))
    if exact:
        return forecast.exact()
    sampling = Sampling(seed or random_bytes(8).hex())
    if volleys:
        return forecast.sampled(Sampling(sampling.seed, volleys))
    return forecast.by_itself(sampling)
