"""Drones that an orders file places: they move after the ships of each impulse (F2.0)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from referee.adjudicator.check import judge
from referee.core.combat import Moment, Seeker, SeekerMove
from referee.core.finding import Finding, NotChecked, Report, Severity
from referee.core.gameorders import after
from referee.core.hexgrid import Hex
from referee.core.location import Location
from referee.core.orders import WAYS, Advance, DroneHit, DronePlaced, Way
from referee.core.play import ShipInPlay
from referee.rulebooks.base import Rulebook

Ships = Mapping[str, ShipInPlay]


class Drones:
    """The drones of an orders file. They fly by themselves: straight ahead, or after their ship on a shortest
    course; where several are as short, the file may say which."""

    def __init__(self, rulebook: Rulebook, placed: Iterable[DronePlaced]) -> None:
        self.rulebook = rulebook
        self.placed = {drone.name: drone for drone in placed}
        self.flying = {
            drone.name: Seeker(drone.name, "drone", "", drone.target, drone.hex, drone.facing, Moment(1, 1))
            for drone in self.placed.values()
        }
        self._movement = rulebook.procedure("movement")(rulebook)
        self._now: tuple[int | None, int | None] = (None, None)
        self._moved: set[str] = set()
        self._findings: list[Finding] = []
        self._checked: dict[str, None] = {}
        self._not_checked: dict[NotChecked, None] = {}

    def told(self, order: Advance, ships: Ships, turn: int | None, impulse: int | None) -> None:
        """The file says which way a drone moves: held against its course."""
        self._begin(turn, impulse)
        drone = self.flying.get(order.ship)
        if drone is None:
            self._say(Severity.ERROR, f"{order.ship} is on the map no more", order.ship, order.location)
        elif turn is not None and impulse is not None:
            due = drone.name not in self._moved and self._called(drone, impulse)
            due = due and not self._stays(drone, ships)
            self._judge(drone, order, ships, Moment(turn, impulse), due)
            self._move(drone, order.way, ships, order.location)

    def fly(self, ships: Ships, turn: int | None, impulse: int | None, place: Location) -> None:
        """All drones that the chart calls and that have not moved in the impulse move now."""
        self._begin(turn, impulse)
        if impulse is None:
            return
        for drone in tuple(self.flying.values()):
            if self._stays(drone, ships):
                self._arrives(drone, place)
            elif drone.name not in self._moved and self._called(drone, impulse):
                self._move(drone, self._way(drone, ships), ships, place)

    def hit(self, order: DroneHit, turn: int | None, impulse: int | None) -> None:
        """Fire scored points on a drone: with enough of them it is gone."""
        self._begin(turn, impulse)
        drone = self.flying.get(order.ship)
        if drone is None:
            self._say(Severity.ERROR, f"{order.ship} is on the map no more", order.ship, order.location)
            return
        hurt = replace(drone, damage=drone.damage + order.points)
        self.flying[drone.name] = hurt
        if self.rulebook.procedure("warhead left")(self.rulebook, hurt) <= 0:
            self._leaves(hurt, f"is destroyed by {hurt.damage} points", order.location)

    def report(self) -> Report:
        """What was found of them."""
        return Report(tuple(self._findings), tuple(self._checked), tuple(self._not_checked))

    def _begin(self, turn: int | None, impulse: int | None) -> None:
        if (turn, impulse) != self._now:
            self._now = turn, impulse
            self._moved.clear()

    def _called(self, drone: Seeker, impulse: int) -> bool:
        called: bool = self._movement.chart.calls(self.placed[drone.name].speed, impulse)
        return called

    def _stays(self, drone: Seeker, ships: Ships) -> bool:
        """Has its ship come into the hex of a drone?"""
        target = _hex(drone, ships)
        return any(rule.decide(drone, target) for rule in self.rulebook.rules_on("seeker reached"))

    def _way(self, drone: Seeker, ships: Ships) -> Way:
        course = self.rulebook.rules_on("seeker course")[0].decide(drone, _hex(drone, ships), self.rulebook)
        fits = tuple(way for way in WAYS if after(drone.hex, drone.facing, way) in course)
        if len(fits) > 1:
            lacks = f"of ways as short {fits[0]} is taken; say another as {drone.name}: {fits[1]}"
            self._not_checked[NotChecked("F2.0/course", lacks, drone.name)] = None
        return fits[0] if fits else "ahead"

    def _judge(self, drone: Seeker, order: Advance, ships: Ships, now: Moment, due: bool) -> None:
        hex, facing = after(drone.hex, drone.facing, order.way)
        of = int(self.rulebook.option("impulses"))
        move = SeekerMove(drone, hex, facing, _hex(drone, ships), now, of, due)
        facts = self.rulebook.procedure("seeker moved")(move, self.rulebook)
        for rule in self.rulebook.rules_on("seeker move", "check"):
            self._checked[rule.key] = None
            for item in judge(rule, self.rulebook, facts):
                if isinstance(item, Finding):
                    self._findings.append(replace(item, location=order.location))
                else:
                    self._not_checked[item] = None

    def _move(self, drone: Seeker, way: Way, ships: Ships, place: Location) -> None:
        hex, facing = after(drone.hex, drone.facing, way)
        straight = drone.straight + 1 if way == "ahead" else 1
        moved = replace(drone, hex=hex, facing=facing, hexes=drone.hexes + 1, straight=straight)
        self.flying[drone.name] = moved
        self._moved.add(drone.name)
        if hex == _hex(drone, ships):
            self._arrives(moved, place)
        elif any(rule.decide(moved, self.rulebook) for rule in self.rulebook.rules_on("drone off map")):
            self._leaves(drone, f"leaves the map in {hex}", place)

    def _arrives(self, drone: Seeker, place: Location) -> None:
        self._leaves(drone, f"reaches {drone.target} in {drone.hex}", place)

    def _leaves(self, drone: Seeker, how: str, place: Location) -> None:
        del self.flying[drone.name]
        self._say(Severity.NOTE, f"{how}, and is gone", drone.name, place)

    def _say(self, severity: Severity, message: str, drone: str, place: Location) -> None:
        turn, impulse = self._now
        self._findings.append(Finding("F2.0", severity, message, drone, turn, impulse, place))


def _hex(drone: Seeker, ships: Ships) -> Hex | None:
    """Where the ship is that a drone follows; None where it flies straight."""
    return ships[drone.target].hex if drone.target in ships else None
