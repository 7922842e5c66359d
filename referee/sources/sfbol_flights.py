"""The flights of a play-by-play as events: launches, moves, strikes, and where nothing more is told of a seeker."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from typing import Any

from referee.core.finding import SURE, Certainty, Perhaps
from referee.core.gameorders import after, way_between
from referee.core.hexgrid import Hex, true_range
from referee.core.orders import WAYS
from referee.core.ship import ShipClass
from referee.formats.sfbol import Added, Fact, ImpulseBegun, Moved, Turned
from referee.rulebooks.base import Rulebook
from referee.sources.sfbol_astray import Excuses
from referee.sources.sfbol_course import SLIPPED, Leg, on_a_map, toward, way_of
from referee.sources.sfbol_fire import FireTold
from referee.sources.sfbol_names import Names
from referee.sources.sfbol_seekers import Flight
from referee.sources.sfbol_targets import struck_at_end


class FlightsTold(FireTold):
    """A row of events with the fire and the flights in it."""

    legs: dict[str, dict[int, Leg]]
    excuses: Excuses
    rows: list[tuple[ImpulseBegun, list[Fact]]]

    def __init__(
        self,
        file: str,
        rulebook: Rulebook,
        classes: Mapping[str, ShipClass],
        names: Names,
        targets: Mapping[str, str],
    ) -> None:
        super().__init__(file, rulebook, classes, names)
        self.targets = targets
        self.cuts: set[int] = set()
        """The lines in which impulses begin before which a piece of the log is missing."""
        self._flight_steps = self._steps_of["seekers' movement"]

    def _seeker(self, name: str, fact: Moved | Turned | Added) -> None:
        flight = self.launches.known[name]
        if isinstance(fact, Added):
            self._launched(flight, fact)
        elif isinstance(fact, Turned):
            flight.slipped = True
        else:
            self._seeker_moves(flight, fact.line)

    def _seeker_moves(self, flight: Flight, line: int) -> None:
        leg = flight.legs.get(line)
        if leg is None or not flight.flying or not on_a_map(leg.hex):
            return
        if self.dead and self._is_lost_with_its_ship(flight):
            self._unguided(flight, leg.hex, line)
            return
        now = self.moment[:2]
        if flight.launched == now:
            self._flies_at_launch(flight, leg, line)
            return
        if self.moment[2] not in self._flight_steps:
            self._reach("seekers' movement", line)
        if flight.hurt_in is not None and flight.hurt_in != now:
            stated = {"what": "flies on", "name": flight.name, "to": str(leg.hex)}
            self._put("stated", stated, line, flight.doubted)
            flight.hurt_in = None
        self._flies(flight, leg, line)

    def _flies(self, flight: Flight, leg: Leg, line: int) -> None:
        """A seeker is told to be in a hex. Where no move leads there that is said, and it goes on from it, or from the
        hex that its next move begins in; and where it faces as none does, as if it faced the way it went."""
        was = flight.here
        flight.here = now = leg.hex, leg.facing or (was[1] if was else "A")
        way = None
        if was:
            before, faced = was
            flight.came_from = before
            columns, rows = leg.hex.column - before.column, leg.hex.row - before.row
            way = way_of(columns, rows, before.column % 2, faced, now[1])
        if way is None and was and flight.faces and (way := way_between((was[0], flight.faces), now)):
            self._put_down(flight, f"{was[0]}{flight.faces}", line)
        if way is None and was and was != now:
            sure = self.excuses.of_move(flight, was, leg, line)
            self._stated_of(flight, "leap", now, line, sure)
            if sure is SURE and (meant := _meant(flight, was, leg.hex, line)):
                flight.here = now = meant
                way = way_between(was, now)
        flight.faces, flight.told_at = "", line
        flight.slipped |= leg.how == SLIPPED
        if way is not None:
            flight.ahead = flight.moved == self.moment[:2]
            flight.moved = self.moment[:2]
            self._order(flight.owner, "seeker", {"name": flight.name, "way": way}, line, flight.sure)
        elif was != now:
            flight.moved, flight.astray = self.moment[:2], line
            flight.faces = toward(was[0], now[0]) if was else ""
            self._put_down(flight, f"{now[0]}{now[1]}", line)

    def _flies_at_launch(self, flight: Flight, leg: Leg, line: int) -> None:
        """A seeker is told to move in the impulse of its launch: that is said, and it goes on from there."""
        flight.here = now = leg.hex, leg.facing or (flight.here[1] if flight.here else "A")
        sure = flight.sure if flight.sure is not SURE else flight.doubted
        self._stated_of(flight, "at launch", now, line, sure)
        self._put_down(flight, f"{now[0]}{now[1]}", line)

    def _is_lost_with_its_ship(self, flight: Flight) -> bool:
        """Was the ship that guides a drone destroyed in an earlier impulse?"""
        return (
            flight.owner in self.dead
            and self.dead[flight.owner] != self.moment[:2]
            and not flight.mount_type.startswith("plasma")
        )

    def _unguided(self, flight: Flight, hex: Hex, line: int) -> None:
        """A drone flies on without the ship that guided it: that is said once, and it is followed no more."""
        sure = flight.sure if flight.sure is not SURE else flight.doubted
        stated = {"what": "unguided", "name": flight.name, "to": str(hex), "guide": flight.owner}
        self._put("stated", stated, line, sure)
        flight.flying, flight.end_known = False, True
        self._taken(f"{flight.name} is gone", [], line, seekers=[flight.name])

    def _stated_of(self, flight: Flight, what: str, now: tuple[Hex, str], line: int, sure: Certainty) -> None:
        """Where a seeker is told to be, to be held against where it was."""
        stated = {"what": what, "name": flight.name, "to": f"{now[0]}{now[1]}"}
        self._put("stated", stated, line, sure)

    def _put_down(self, flight: Flight, to: str, line: int) -> None:
        self._order(flight.owner, "place", {"ship": flight.name, "to": to}, line, flight.sure)

    def _launched(self, flight: Flight, fact: Added) -> None:
        mount = self.launches.begin(flight, self.moment, self.here, self.dead, self._target(flight))
        if mount is None or self.moment[1] is None:
            return
        self._reach("launch", fact.line)
        if flight.sure is SURE and self.twins:
            flight.sure = self.twins.get(flight.owner, self.twins.get(flight.target, SURE))
            flight.doubted = self.twins.get(flight.owner, flight.doubted)
        if not flight.flying:
            event = {"ship": flight.owner, "event": "weapon_fired", "weapon": mount.id}
            self._taken(f"{flight.owner} launched {mount.id}", [event], fact.line)
            return
        launch: dict[str, Any] = {
            "ship": flight.owner,
            "weapon": mount.id,
            "type": mount.type,
            "target": flight.target,
            "facing": flight.here[1] if flight.here else "A",
            "name": flight.name,
        }
        self._struck_leave(fact.line)
        self._order(flight.owner, "launch", launch, fact.line, flight.sure)
        if fact.line != flight.line:
            flight.doubted = Perhaps(f"line {fact.line} puts it on the map once more")
            return
        hex, before = flight.legs[fact.line].hex, flight.here
        if before is not None and hex != before[0] and on_a_map(hex):
            self._put_elsewhere(flight, hex, before[1], fact.line)
        if flight.untold:
            self._lost_from_sight(flight, fact.line)

    def _lost_from_sight(self, flight: Flight, line: int) -> None:
        """No line tells a move of what was launched: it is followed no more."""
        flight.flying, flight.end_known = False, True
        self._taken(f"{flight.name} is not followed", [], line, seekers=[flight.name])

    def _struck_leave(self, line: int) -> None:
        """Seekers strike before others are launched: those whose strike is told by then are guided no more."""
        for flight in self.launches.flying():
            blocks = self.unfired.get(flight.target, ())
            is_over = self.launches.last_line(flight.name) < line and all(
                block.line < line for block in blocks
            )
            if flight.end_known and is_over:
                self._leaves(flight.name, line)

    def _put_elsewhere(self, flight: Flight, hex: Hex, facing: str, line: int) -> None:
        """Something is put down in another hex than that of the ship that launched it, and flies on from there."""
        known = self.launches.known.values()
        others = [other for other in known if other.owner == flight.owner and other.line < line]
        sure = self.unsure.get(flight.owner, SURE)
        if sure is SURE:
            sure = self.excuses.of_launch(flight, hex, self.legs[flight.owner], others)
        flight.here = hex, facing
        self._stated_of(flight, "put down", flight.here, line, sure)
        self._put_down(flight, f"{hex}{facing}", line)

    def _target(self, flight: Flight) -> tuple[str, Certainty]:
        """The ship that something launched goes after, as the player says or the log shows later; none where neither is
        so, or another ship than its own is alone left."""
        if flight.name in self.targets:
            return self.targets[flight.name], SURE
        afloat = [name for name in self.names.ships if name != flight.owner and name not in self.dead]
        if len(afloat) < 2 or flight.name in self.launches.destroyed:
            return "", SURE
        ships = {name: self.legs[name] for name in self.classes}
        last = self.launches.last_line(flight.name)
        return struck_at_end(flight.legs, last, flight.owner, self.rows, self.fire.blocks, ships)

    def _flights_until(self, begun: ImpulseBegun) -> None:
        """The impulses before one are over: what flies may have been called in them, and was told not to move."""
        if begun.line in self.cuts:
            return
        now = self.moment[:2]
        is_next = (begun.turn, begun.impulse) == self._after(now)
        for flight in self.launches.flying():
            # That it went where no move leads is said; and what moved or was launched is called only in the next impulse,
            # as is what moved twice in the impulse before.
            went = flight.moved == now and (is_next or flight.astray)
            went |= flight.launched == now and is_next
            if flight.ahead and not went:
                went, flight.ahead = True, False
            if not went and flight.target in self.here and not (flight.slow or flight.waits):
                to = {"turn": begun.turn, "impulse": begun.impulse, "step": self._steps[0]}
                stated = {"what": "flight", "name": flight.name, **to}
                self._put("stated", stated, begun.line, flight.sure)

    def _after(self, now: tuple[int, int | None]) -> tuple[int, int]:
        """The impulse after another one."""
        turn, impulse = now
        return (turn + 1, 1) if impulse == self.of else (turn, (impulse or 0) + 1)

    def _leaves(self, name: str, line: int) -> None:
        flight = self.launches.known[name]
        if (
            flight.flying
            and not flight.end_known
            and not flight.waits
            and (until := self._may_strike_until(flight, line))
        ):
            flight.waits = True
            self.launches.leaves_later(name, until)
        elif flight.flying:
            flight.flying = False
            if flight.fired_at or {flight.owner, flight.target} & self.dead.keys():
                flight.end_known = True
            self.launches.landed(flight, self.here, self.moment[:2])
            self._taken(f"{name} is gone", [], line, seekers=[name])

    def _may_strike_until(self, flight: Flight, line: int) -> int:
        """The last line of this impulse or the next where damage that is of no fire is stated in it of the ship a seeker
        goes after; 0 where none is. In the next that ship may have come into its hex."""
        n = bisect_right(self.rows, line, key=lambda row: row[0].line)
        for _, row in self.rows[n - 1 : n + 1]:
            for fact in row:
                block = self.fire.blocks.get(fact.line) if fact.line > line else None
                if block is not None and block.ship == flight.target and not block.is_of_fire:
                    return row[-1].line
        return 0

    def _still_flying(self) -> None:
        """The log ends: what is in the hex of its target has struck it, or not."""
        for flight in self.launches.flying():
            if flight.target in self.here and not flight.fired_at:
                self.launches.ends(flight, self.here, self.moment[:2])


def _meant(flight: Flight, was: tuple[Hex, str], stated: Hex, line: int) -> tuple[Hex, str] | None:
    """Where a seeker must have come to for its next move, the nearest to the hex stated where there are two; None where it
    goes on from the hex stated, or nothing is plain. It faces the way it goes."""
    lines = list(flight.legs)
    n = bisect_right(lines, line)
    if n == len(lines):
        return None
    there = flight.legs[lines[n]]
    if any((bow := toward(was[0], stated)) and after(stated, bow, way)[0] == there.hex for way in WAYS):
        return None
    passed = [
        place
        for place in (after(*was, way) for way in WAYS)
        if any(after(*place, way)[0] == there.hex for way in WAYS)
    ]
    if not passed:
        return None
    hex, facing = min(passed, key=lambda place: true_range(place[0], stated))
    flight.legs[lines[n]] = there._replace(facing=toward(hex, there.hex))
    return hex, facing
