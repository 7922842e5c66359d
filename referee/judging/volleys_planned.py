"""Many volleys planned: one so many times, or those of a batch file."""

from __future__ import annotations

from dataclasses import replace

from referee.core.errors import BadInput, RefereeError
from referee.core.frozen import frozen
from referee.core.ship import ShipClass
from referee.core.state import ShipState, new_state
from referee.core.volley import VolleyOrder, VolleyResult
from referee.judging.volley_order import order_from_options
from referee.rulebooks.base import Rulebook
from referee.sources.inputs import read_input
from referee.sources.settings import Settings, rulebook_in_force
from referee.sources.ship_files import known_ship

MOST = 100_000


@frozen
class Planned:
    """A volley to be rolled: everything that decides it. `place` is where a file names it."""

    ship: ShipClass
    rulebook: Rulebook
    state: ShipState
    order: VolleyOrder
    seed: str
    label: str = ""
    place: str = ""


@frozen
class RolledVolley:
    """A volley as it was rolled, with its dice."""

    planned: Planned
    result: VolleyResult
    source: str
    rolls: tuple[int, ...]


def repeated(once: Planned, times: int) -> list[Planned]:
    """One volley so many times, each on the ship as it was before, with a seed of its own: `SEED/1`, `SEED/2`."""
    if not 1 <= times <= MOST:
        raise BadInput(f"--repeat {times}", hint=f"1 to {MOST}")
    return [replace(once, seed=f"{once.seed}/{n}") for n in range(1, times + 1)]


def batch(path: str, settings: Settings, seed: str) -> tuple[list[Planned], list[RefereeError]]:
    """The volleys of a batch file, and what is wrong with other rows; one without a seed has `SEED/LINE`."""
    ships: dict[str, tuple[ShipClass, Rulebook]] = {}
    planned: list[Planned] = []
    wrong: list[RefereeError] = []
    from referee.formats.volley_batch import BATCH, FIELDS, read_batch  # csv, for a batch alone

    for row in read_batch(read_input(path, read=BATCH).data, path):
        if isinstance(row, BadInput):
            wrong.append(row)
            continue
        place = f"line {row.line}"
        try:
            if row.ship not in ships:
                ship = known_ship(row.ship, settings.rulebook)
                ships[row.ship] = ship, rulebook_in_force(settings.rulebook or ship.rulebook, settings)
            ship, rulebook = ships[row.ship]
            order = order_from_options(
                row.damage, row.internals, row.shield, row.reinforcement, list(row.direction)
            )
        except BadInput as error:
            for name in FIELDS:  # They are columns here, no options.
                error.reason = error.reason.replace(f"--{name}", name)
                error.hint = error.hint.replace(f"--{name}", name)
            wrong.append(error.at(file=path, place=place))
            continue
        planned.append(
            Planned(
                ship, rulebook, new_state(ship), order, row.seed or f"{seed}/{row.line}", row.label, place
            )
        )
    return planned, wrong
