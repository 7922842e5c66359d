"""Seekers of a game played elsewhere: launched, flown, fired at and gone as its file tells it, in entries."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from referee.adjudicator.ordering import Ordering
from referee.adjudicator.record_seekers import left_standing
from referee.core.combat import Seeker
from referee.core.finding import About
from referee.core.game import foul_data
from referee.core.gameorders import after
from referee.core.naming import how_many
from referee.core.orders import WAYS, Advance

Puts = Callable[[str, str, dict[str, Any], str], None]
"""An order of a ship: the ship whose player gives it, the kind of order, what it holds, its text."""
Data = Mapping[str, Any]
Takes = Callable[..., None]
"""What the file shows: a text, events, and further parts of the entry."""


class SeekersTaken:
    """The seekers of a file being put into a record; `left_out` takes what it does not hold."""

    def __init__(self, ordering: Ordering, order: Puts, taken: Takes, left_out: dict[str, None]) -> None:
        self.ordering, self.order, self.taken, self.left_out = ordering, order, taken, left_out
        self.table = ordering.table

    def moving_on(self, to: tuple[int, int | None, str]) -> None:
        """The impulses up to a moment are over: a foul for each seeker that they called and that stood still."""
        state, before = self.table.state, self.table.moment
        if not state.seekers or not before[0]:
            return
        for seeker, moment in left_standing(self.table.rulebook, state, before, to):
            self._stood_still(seeker, moment.turn, moment.impulse)

    def _stood_still(self, seeker: Seeker, turn: int, impulse: int | None) -> None:
        about = About(seeker.name, turn, impulse)
        finding = self.table.rulebook.offers.seen_flights.stood_still(about)
        owner = self.table.state.ships.get(seeker.owner)
        player = owner.player if owner else seeker.player or self.table.state.players[0]
        self.ordering.add("foul", foul_data(finding, player))

    def launched(self, launch: Data, step: int) -> None:
        """A seeker leaves its ship. Of one that is after no ship of the game only the launch is taken."""
        state = self.table.state
        self.ordering.reach("launch")
        there = (*state.ships, *state.seekers)
        ship, weapon, target, name = (launch[part] for part in ("ship", "weapon", "target", "name"))
        if target in state.ships and name not in there and self.table.moment[1] is not None:
            self.order(ship, "launch", dict(launch), f"{ship}: launch {weapon} at {target}")
            return
        event = {"ship": ship, "event": "weapon_fired", "weapon": weapon}
        self.taken(f"{ship} launched {weapon} at {target}", [event])
        self.left_out[f"step {step}: {name}: it is not followed"] = None

    def flew(self, stand: Data, step: int) -> None:
        """A move, if one leads there; else the seeker is put there."""
        name, there = stand["seeker"], (stand["hex"], stand["facing"])
        seeker = self.table.state.seekers.get(name)
        if seeker is None:
            self.left_out[f"step {step}: {name} moves on, though it is gone"] = None
            return
        if there == (seeker.hex, seeker.facing):
            return
        way = next((way for way in WAYS if after(seeker.hex, seeker.facing, way) == there), None)
        if way is not None and self.table.moment[1] is not None:
            self.ordering.order(Advance(name, way))
            return
        to = f"{stand['hex']}{stand['facing']}"
        self.ordering.reach("seekers' movement")
        text = f"{name}: put in {to} (step {step})"
        self.order(seeker.owner, "place", {"ship": name, "to": to}, text)

    def scored(self, scored: Data, step: int) -> None:
        """Fire hit a seeker; enough of it and the seeker is gone."""
        name = scored["seeker"]
        if name in self.table.state.seekers:
            gone = ", which is gone" if scored["gone"] else ""
            text = f"{how_many(scored['points'], 'point')} scored on {name}{gone} (step {step})"
            self.taken(text, [], seekers_hit=[dict(scored)])

    def gone(self, gone: Data, step: int) -> None:
        """A seeker is on the map no more."""
        name = gone["seeker"]
        if name in self.table.state.seekers:
            self.taken(f"{name} {gone['why']} (step {step})", [], seekers=[name])

    def tried(self, tried: Data, step: int) -> None:
        """What a ship rolled for lock-on; of two tries in a turn the first counts."""
        ship, target, roll = tried["ship"], tried["target"], tried["roll"]
        if (ship, target, self.table.moment[0]) in self.table.state.locks:
            self.left_out[f"step {step}: {ship} tries for {target} again"] = None
            return
        self.taken(f"{ship} rolled {roll} for lock-on on {target} (step {step})", [], locks=[dict(tried)])
