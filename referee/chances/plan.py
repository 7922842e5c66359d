"""A volley as tables for the sampled kernel: which pool a roll hits, in which order of preference.

Everything here is found by asking the resolver and the policy. What an entry may cost is described by
what holds for single pools and for pairs of them. The description is tried against the resolver in situations
drawn at random, and refused where it is wrong. So a rule that cannot be put this way is never bent.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from referee.chances.asking import Asker
from referee.chances.boxpools import Quantity, quantities_of
from referee.chances.entries import Step, entry_steps
from referee.chances.exact import ways


@dataclass(frozen=True, slots=True)
class Plan:
    """All a worker needs to sample a volley; small, and made of numbers only.

    `sizes` are the boxes before the volley by pool, and `floors` how many of them are never hit. `systems`
    are the pools that count together where systems are compared. `rows[d]` is the chart under the d-th
    direction: for each row its share of the rolls, and its steps from left to right. `starts` are the
    points at which directions begin.
    """

    sizes: tuple[int, ...]
    floors: tuple[int, ...]
    systems: tuple[tuple[int, ...], ...]
    rows: tuple[tuple[tuple[Step, ...], ...], ...]
    shares: tuple[int, ...]
    starts: tuple[int, ...]
    once_cells: int
    points: int
    quantities: tuple[Quantity, ...]
    arrivals: tuple[tuple[int, int], ...] = ()
    """Points that come in, with how many of the rolls to hit and for damage bring so many; empty where
    the number of points is fixed."""

    def floor(self, quantity: Quantity) -> int:
        """Boxes of a quantity that are never hit."""
        return sum(self.floors[k] for k in quantity.pools)


def make_plan(asker: Asker, points: int) -> Plan:
    """The plan of a volley of so many points inside. Raises BadInput for rules that do not fit one."""
    shares = ways(*asker.shape) if asker.rows else {}
    cells = [cell.name for row in asker.rows.values() for cell in row if cell.once]
    number = {name: n for n, name in enumerate(cells)}
    systems = _systems(asker)
    floors: dict[int, int] = {}
    rows = []
    for start in asker.directions:
        steps: dict[str, tuple[Step, ...]] = {}
        table = []
        for roll in shares:
            row: list[Step] = []
            for cell in asker.rows[roll]:
                if cell.entry not in steps:
                    steps[cell.entry] = entry_steps(asker, cell.entry, start, systems, floors)
                once = number[cell.name] if cell.once else -1
                row += [step.at(once) for step in steps[cell.entry]]
            table.append(tuple(row))
        rows.append(tuple(table))
    return Plan(
        sizes=asker.whole,
        floors=tuple(floors.get(k, 0) for k in range(len(asker.whole))),
        systems=tuple(systems.values()),
        rows=tuple(rows),
        shares=tuple(shares.values()),
        starts=asker.directions,
        once_cells=len(cells),
        points=min(points, asker.scored),
        quantities=quantities_of(asker.pools),
    )


def _systems(asker: Asker) -> dict[str, tuple[int, ...]]:
    names: Sequence[str] = tuple(dict.fromkeys(pool.system for pool in asker.pools))
    return {name: tuple(k for k, pool in enumerate(asker.pools) if pool.system == name) for name in names}
