"""Movement as a source tells it that does not say in which step of an impulse a thing is done.

What comes in which step is then judged by the order in which things are told: each ship's own orders (B2.0/orders),
and what others did before a ship moved (B2.0). Beyond that the ships may be told one after the other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from referee.adjudicator.check import timed
from referee.adjudicator.record_movement import GameCourse, move_made
from referee.adjudicator.tracker import Clock, Track
from referee.core.account import Account, not_understood, order_in
from referee.core.board import LoadShip
from referee.core.finding import Finding, Report
from referee.core.game import EntryLike
from referee.core.gameorders import unit_entering
from referee.core.hexgrid import parse_position
from referee.core.location import Location
from referee.core.orders import Advance, OrderProblem
from referee.core.play import When
from referee.rulebooks.base import Rulebook

Data = Mapping[str, Any]
VERBS = {"move": "Advance", "fire": "Fire", "launch": "Launch", "cloak": "Cloak", "speed": "SetSpeed"}
"""What the sequence of play knows the orders of ships by, whose step it asks for."""
KINDS = {"fire": "fire", "launch": "launch", "cloak": "cloak", "seeker": "seekers' movement"}
"""What is done after ships have moved, in the words of the sequence of play."""
AFTER_MOVES = frozenset(("fire", "launch", "cloak", "battery", "hit", "lock", "scored"))
"""Orders that come after the seekers of the impulse have moved."""
Done = tuple[str, str, Location]
"""The kind of what was done, whose, and where it stands."""


class ToldCourse(GameCourse):
    """The ships of an account that tells turns and impulses, and no steps. Impulses that are not told are played too,
    empty. Of a ship that never moves in it the first move that is missing is undecided."""

    alone = frozenset(("move", "speed"))

    def __init__(self, rulebook: Rulebook, load_ship: LoadShip, account: Account) -> None:
        super().__init__(rulebook, load_ship, account.file)
        moving = {event.data["move"]["ship"] for event in account.events if "move" in event.data}
        absent = frozenset(ship["ship"] for ship in account.ships if ship["ship"] not in moving)
        self.track = Track(rulebook, (), absent=absent)
        self._clock = Clock(self.track)
        self._speeds: dict[str, Location] | None = None
        """Where the speeds of the turn are said, until its impulses begin."""
        self._done: list[Done] = []

    def end(self, place: Location, *, goes_on: bool) -> tuple[list[Finding], list[Finding]]:
        """The account ends in an impulse: what is wrong in it, and what is if it does not go on."""
        self._settle()
        in_impulse = self._clock.is_open and not goes_on
        if in_impulse:
            self.track.seekers_move(place)
        self._clock.end(place, complete=False)
        sure = self.track.findings[self._findings_taken :]
        after = len(self.track.findings)
        if in_impulse:
            self.track.stayed(place)
        return sure, self.track.findings[after:]

    def _ship(self, entry: Any) -> Iterable[Finding]:
        unit = unit_entering(entry.data)
        self.track.units[unit.name] = unit
        self.track.classes[unit.name] = self.load_ship(unit.class_id) if unit.class_id else None
        if unit.hex is not None:
            self.track.hex_named(unit.name, "is placed in", unit.hex, entry.at)
        return ()

    def _drone(self, entry: Any) -> Iterable[Finding]:
        hex, _ = parse_position(entry.data["at"])
        self.track.hex_named(entry.data["name"], "is placed in", hex, entry.at)
        return ()

    def _settle(self) -> None:
        if self._speeds is not None:
            self.track.judge_speeds(self._speeds)
        self._speeds = None

    def _step_on(self, entry: Any) -> Iterable[Finding]:
        data, place, track, clock = entry.data, entry.at, self.track, self._clock
        self._done.clear()
        self._settle()
        impulse = data.get("impulse")
        if impulse is None:
            before = clock.turn
            clock.to_turn(data["turn"], place)
            track.sequence("TurnBegins", place, turn=before)
            self._speeds = dict.fromkeys(track.units, place)
            return ()
        before = track.impulse or clock.furthest
        again = impulse == track.impulse
        clock.to_impulse(impulse, place)
        track.sequence("ImpulseBegins", place, impulse=impulse if again else before)
        return ()

    def _order(self, entry: Any) -> Iterable[Finding]:
        kind, stated = order_in(entry.data)
        place, track = entry.at, self.track
        name = stated.get("ship", "")
        found: list[Finding] = []
        if kind == "move":
            found += self._too_early(name)
        elif kind in KINDS:
            self._done.append((kind, name or stated["name"], place))
        if name:
            track.sequence(VERBS.get(kind, kind), place, name)
        if kind in AFTER_MOVES:
            track.seekers_move(place)
        elif kind == "move":
            found += self._move(stated, place)
        elif kind == "speed":
            self._speed(stated, place)
        elif kind == "seal":
            track.seal(name, stated["code"])
        return found

    def _move(self, stated: Data, place: Location) -> Iterator[Finding]:
        track, name, way = self.track, stated["ship"], stated["way"]
        order = Advance(name, way, location=place)
        made = move_made(track.units[name], order, When(track.turn, track.impulse))
        if stated.get("leaves") and not track.movement.has_left(made.to_hex):
            reason = f"{name} does not leave the map {way}: it moves to {made.to_hex}"
            yield not_understood(OrderProblem("leave the map", reason, location=place))
        track.move(made)

    def _speed(self, stated: Data, place: Location) -> None:
        track, name = self.track, stated["ship"]
        if track.units[name].moved:  # It was said too late: the ship has moved at another.
            return
        track.set_speed(name, stated["speed"])
        if self._speeds is None:
            track.judge_speeds({name: place})
        else:
            self._speeds[name] = place

    def _too_early(self, mover: str) -> Iterator[Finding]:
        """What was done in this impulse before a ship moves that still had to (B2.0), each thing told once. Of what
        that ship did itself its own order of steps tells."""
        track = self.track
        if not self._done or track.units[mover].moved_on == track.impulse or track.turn is None:
            return
        moment = track.turn, track.impulse, self._step
        for kind, name, place in self._done:
            if name == mover:
                continue
            track.passed_over(name)
            for found in timed(self.rulebook, moment, KINDS[kind], name, None):
                fix = f"move {mover} first, then the others do what comes after"
                yield replace(found, location=place, fix=fix)
        self._done.clear()

    takes: Mapping[str, Callable[[Any, EntryLike], Iterable[Finding]]] = {
        "ship": _ship,
        "drone": _drone,
        "step": _step_on,
        "order": _order,
        "events": GameCourse._gone,
    }


class StandingCourse(ToldCourse):
    """The ships of an account that tells no moves: they stand where they entered, and nobody asks how they came there."""

    alone = frozenset()
    takes: Mapping[str, Callable[[Any, EntryLike], Iterable[Finding]]] = {}

    def end(self, place: Location, *, goes_on: bool) -> tuple[list[Finding], list[Finding]]:
        """Nothing was asked."""
        return [], []

    def report(self) -> Report:
        """Nothing was asked."""
        return Report()
