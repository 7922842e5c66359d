"""Seekers of a game played elsewhere: launched, flown, fired at and gone as its file tells it, in entries."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from referee.adjudicator.ordering import Ordering
from referee.adjudicator.record_seekers import called
from referee.core.combat import Moment, Seeker
from referee.core.finding import About
from referee.core.game import foul_data
from referee.core.gameorders import after
from referee.core.naming import how_many
from referee.core.orders import WAYS, Advance
from referee.core.shown import Flew, Launched, Left, Scored, Tried

Puts = Callable[[str, str, dict[str, Any], str], None]
"""An order of a ship: the ship whose player gives it, the kind of order, what it holds, its text."""
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
        book = self.table.rulebook
        turns = range(before[0], min(to[0], before[0] + 1) + 1)
        row = [moment for turn in turns for moment in book.offers.moments(book, turn)]
        past = row[row.index(before) if before in row else 0 : row.index(to) if to in row else len(row)]
        over = dict.fromkeys(moment[:2] for moment in past if moment[1] and moment[:2] != to[:2])
        for turn, impulse in over:
            moved = state.seekers_moved if (turn, impulse) == before[:2] else frozenset()
            then = replace(state, turn=turn, impulse=impulse, seekers_moved=moved)
            for seeker in called(book, then):
                if seeker.launched < Moment(turn, impulse or 0):
                    self._stood_still(seeker, turn, impulse)

    def _stood_still(self, seeker: Seeker, turn: int, impulse: int | None) -> None:
        about = About(seeker.name, turn, impulse)
        finding = self.table.rulebook.offers.seen_flights.stood_still(about)
        owner = self.table.state.ships.get(seeker.owner)
        player = owner.player if owner else seeker.player or self.table.state.players[0]
        self.ordering.add("foul", foul_data(finding, player))

    def launched(self, launch: Launched) -> None:
        """A seeker leaves its ship. Of one that is after no ship of the game only the launch is taken."""
        state = self.table.state
        self.ordering.reach("launch")
        there = (*state.ships, *state.seekers)
        if launch.target in state.ships and launch.name not in there and self.table.moment[1] is not None:
            parts = ("ship", "weapon", "type", "target", "facing", "name")
            said = {part: getattr(launch, part) for part in parts}
            text = f"{launch.ship}: launch {launch.weapon} at {launch.target}"
            self.order(launch.ship, "launch", said, text)
            return
        event = {"ship": launch.ship, "event": "weapon_fired", "weapon": launch.weapon}
        self.taken(f"{launch.ship} launched {launch.weapon} at {launch.target}", [event])
        self.left_out[f"step {launch.step}: {launch.name}: it is not followed"] = None

    def flew(self, flew: Flew) -> None:
        """A move, if one leads there; else the seeker is put there."""
        seeker, there = self.table.state.seekers.get(flew.name), (flew.hex, flew.facing)
        if seeker is None:
            self.left_out[f"step {flew.step}: {flew.name} moves on, though it is gone"] = None
            return
        if there == (seeker.hex, seeker.facing):
            return
        way = next((way for way in WAYS if after(seeker.hex, seeker.facing, way) == there), None)
        if way is not None and self.table.moment[1] is not None:
            self.ordering.order(Advance(flew.name, way))
            return
        to = f"{flew.hex}{flew.facing}"
        self.ordering.reach("seekers' movement")
        text = f"{flew.name}: put in {to} (step {flew.step})"
        self.order(seeker.owner, "place", {"ship": flew.name, "to": to}, text)

    def scored(self, scored: Scored) -> None:
        """Fire hit a seeker; enough of it and the seeker is gone."""
        if scored.name in self.table.state.seekers:
            hit = {
                "seeker": scored.name,
                "points": scored.points,
                "phasers": scored.phasers,
                "gone": scored.gone,
            }
            told = f"{how_many(scored.points, 'point')} scored on {scored.name}" + (
                ", which is gone" if scored.gone else ""
            )
            self.taken(f"{told} (step {scored.step})", [], seekers_hit=[hit])

    def left(self, left: Left) -> None:
        """A seeker is on the map no more."""
        if left.name in self.table.state.seekers:
            self.taken(f"{left.name} {left.why} (step {left.step})", [], seekers=[left.name])

    def tried(self, tried: Tried) -> None:
        """What a ship rolled for lock-on; of two tries in a turn the first counts."""
        key = (tried.ship, tried.target, self.table.moment[0])
        if key in self.table.state.locks:
            self.left_out[f"step {tried.step}: {tried.ship} tries for {tried.target} again"] = None
            return
        lock = {"ship": tried.ship, "target": tried.target, "roll": tried.roll}
        told = f"{tried.ship} rolled {tried.roll} for lock-on on {tried.target} (step {tried.step})"
        self.taken(told, [], locks=[lock])
