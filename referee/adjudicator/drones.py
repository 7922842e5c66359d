"""Seekers of an orders file: drones it places, and what its ships launch. They move after the ships of each
impulse, and strike (F2.0)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from referee.adjudicator.flight import (
    dies_with,
    has_reached,
    is_called,
    is_off_map,
    is_spent,
    judge_hex,
    lost_with_lock,
    strike,
    ways,
)
from referee.core.combat import Moment, Seeker, SeekerMove, Unit, soonest_facing
from referee.core.finding import About, Finding, NotChecked, Report
from referee.core.flight import flown
from referee.core.gameorders import after
from referee.core.hexgrid import Hex, true_range
from referee.core.location import Location
from referee.core.naming import how_many
from referee.core.orders import Advance, DroneHit, DronePlaced, Launch, Way
from referee.core.play import ShipInPlay
from referee.core.scenario import off_map
from referee.core.ship import Mount, ShipClass
from referee.core.state import new_state
from referee.rulebooks.base import Rulebook

Ships = Mapping[str, ShipInPlay]


class Drones:
    """The drones and other seekers of an orders file. They fly by themselves: straight ahead, or after their ship
    on a shortest course; where several are as short, the file may say which.

    `holds` tells whether a ship has lock-on on another (None: not known), `strikes` is told of each ship struck.
    """

    def __init__(
        self, rulebook: Rulebook, placed: Iterable[DronePlaced], classes: Mapping[str, ShipClass | None]
    ) -> None:
        self.rulebook = rulebook
        self.placed = {drone.name: drone for drone in placed}
        self.flying = {
            drone.name: Seeker(
                drone.name,
                "drone",
                "",
                drone.target,
                drone.hex,
                drone.facing,
                Moment(1, 1),
                speed=drone.speed,
                side=drone.side,
            )
            for drone in self.placed.values()
        }
        self.unfollowed: dict[str, str] = {}
        """What was launched and is not followed, by its name, and why."""
        self.gone: dict[str, Moment] = {}
        """When what was launched left the map."""
        self.guessed: set[str] = set()
        """Seekers that had several ways as short, and the file does not say which they took."""
        self.doubtful: set[str] = set()
        """Those of them that by another of these ways may have reached their target by now."""
        self._from: dict[str, Hex] = {}
        self.holds: Callable[[str, str], bool | None] = lambda ship, target: None
        self.strikes: Callable[[str], None] = lambda ship: None
        self._classes = classes
        self._movement = rulebook.offers.movement(rulebook)
        self._of = int(rulebook.option("impulses"))
        self._now: tuple[int | None, int | None] = (None, None)
        self._moved: set[str] = set()
        self._stood: object = None
        self._aimed: dict[str, set[str]] = {}
        self._untold: set[tuple[str, object]] = set()
        self._findings: list[Finding] = []
        self._checked: dict[str, None] = {}
        self._not_checked: dict[NotChecked, None] = {}

    def __contains__(self, name: object) -> bool:
        """Is there, or was there, such a seeker?"""
        return name in self.flying or name in self.placed or name in self.gone or name in self.unfollowed

    # -- launching -----------------------------------------------------------------------

    def launch(self, order: Launch, ships: Ships, turn: int | None, impulse: int | None) -> None:
        """A ship launches a seeker: it stands in the ship's hex, and moves from the next impulse on."""
        self._begin(turn, impulse)
        ship = self._classes.get(order.ship)
        mount = ship.mount(order.weapon) if ship else None
        name = order.name or f"{order.ship} {order.weapon} t{turn}"
        here, there = ships[order.ship], ships.get(order.target)
        lacks = self._not_followed(mount, order, there)
        if not lacks and (here.hex is None or there is None or there.hex is None or name in self):
            lacks = "where it was launched, and at what, is not known"
        if lacks or turn is None or impulse is None:
            lacks = lacks or "when it was launched is not known"
            self.unfollowed[name] = lacks
            self._not_checked[NotChecked(self.rulebook.named.seekers, lacks, name)] = None
            return
        assert mount is not None and here.hex is not None and there is not None and there.hex is not None
        facing = soonest_facing(here.hex, there.hex, here.facing)
        self.flying[name] = Seeker(
            name,
            mount.type,
            order.ship,
            order.target,
            here.hex,
            facing,
            Moment(turn, impulse),
            side=here.side,
            at_launch=there.hex,
        )
        self._moved.add(name)
        self._from[name] = here.hex

    def _not_followed(self, mount: Mount | None, order: Launch, target: ShipInPlay | None) -> str:
        """Why the flight of what a ship launches is not followed; empty where it is."""
        if mount is None:
            return f"the class of {order.ship} is not known"
        weapon = self.rulebook.table("weapons")["weapons"].get(mount.type, {})
        if mount.system == "shuttle":
            return "a shuttle that is launched is not followed: the sources say too little of it"
        if not weapon.get("seeking") or not self.rulebook.rules_on("seeker speed"):
            return f"{mount.id} launches no seeker known here"
        return "" if target else f"it goes after {order.target}, which is no ship"

    # -- moving --------------------------------------------------------------------------

    def told(self, order: Advance, ships: Ships, turn: int | None, impulse: int | None) -> None:
        """The file says which way a drone moves: held against its course."""
        self._begin(turn, impulse)
        if order.ship in self.unfollowed:
            return
        drone = self.flying.get(order.ship)
        if drone is None:
            about = About(order.ship, *self._now, order.location)
            self._findings.append(self.rulebook.offers.seen_flights.ordered_when_gone(about))
        elif turn is not None and impulse is not None:
            due = drone.name not in self._moved and self._called(drone, impulse)
            due = due and not self._stays(drone, ships)
            self._judge(drone, order, ships, Moment(turn, impulse), due)
            self._move(drone, order.way, ships, order.location)

    def fly(self, ships: Ships, turn: int | None, impulse: int | None, place: Location) -> None:
        """All drones that the chart calls and that have not moved in the impulse move now, and those that are gone
        by a rule leave the map."""
        self._begin(turn, impulse)
        stood = [unit.hex for unit in ships.values()]
        if impulse is None or self._stood == stood:
            return
        self._stood = stood
        for drone in tuple(self.flying.values()):
            if self._stays(drone, ships):
                self._arrives(drone, ships, place)
            elif drone.name not in self._moved and self._called(drone, impulse):
                self._move(drone, self._way(drone, ships), ships, place)
        self._doubt(ships)
        for drone in tuple(self.flying.values()):
            if drone.owner and turn is not None and (how := self._over(drone, ships, Moment(turn, impulse))):
                self._leaves(drone, how, place)

    def _doubt(self, ships: Ships) -> None:
        """Which way a seeker took is not told of some: whichever it was, it has come no farther than it has moved."""
        for name in self.guessed - self.doubtful:
            drone, begun = self.flying.get(name), self._from.get(name)
            there = _hex(drone, ships) if drone else None
            if drone is None or begun is None or there is None or true_range(begun, there) <= drone.hexes:
                self.doubtful.add(name)

    def _over(self, drone: Seeker, ships: Ships, now: Moment) -> str:
        """How the flight of what was launched in an earlier impulse is over without a strike; empty where it goes on."""
        if drone.launched == now:
            return ""
        if self._is_unlocked(drone):
            return f"is lost: {drone.owner} has no lock-on on {drone.target} (D6.122)"
        if is_spent(self.rulebook, drone, now):
            return "has flown as far as it goes (F2.0/endurance)"
        left = off_map(self.rulebook.option("map"), _hex(drone, ships))
        return f"is lost: {drone.target} has left the map" if left else ""

    def ship_lost(self, ship: str, turn: int | None, impulse: int | None, place: Location) -> None:
        """A ship is destroyed: the drones it guides leave the map at the instant (D4.41), plasma flies on (D4.42),
        and what goes after it has nothing to strike."""
        self._begin(turn, impulse)
        for drone in tuple(self.flying.values()):
            if dies_with(self.rulebook, drone, ship):
                self._leaves(drone, f"leaves the map with {ship}, which is destroyed (D4.41)", place)
            elif drone.target == ship:
                self._leaves(drone, f"is lost: {ship} is destroyed", place)

    def _is_unlocked(self, drone: Seeker) -> bool:
        """Has its ship lost the lock-on a drone is guided by?"""
        if not drone.owner or self.holds(drone.owner, drone.target) is not False:
            return False
        return bool(lost_with_lock(self.rulebook, (drone,), drone.owner))

    # -- fired at ------------------------------------------------------------------------

    def fired_at(self, name: str, systems: Iterable[str]) -> None:
        """Weapons of some systems were fired at a seeker, in this impulse."""
        self._aimed.setdefault(name, set()).update(systems)
        self._untold.add((name, self._now))

    def is_doubtful(self, name: str) -> bool:
        """Was a seeker fired at, and what that scored on it is not told?"""
        return any(drone == name for drone, _ in self._untold)

    def hit(self, order: DroneHit, turn: int | None, impulse: int | None) -> None:
        """Fire scored points on a drone: with enough of them it is gone."""
        self._begin(turn, impulse)
        if order.ship in self.unfollowed:
            return
        drone = self.flying.get(order.ship)
        if drone is None:
            about = About(order.ship, *self._now, order.location)
            self._findings.append(self.rulebook.offers.seen_flights.ordered_when_gone(about))
            return
        by_phasers = self._aimed.get(order.ship) == {"phaser"}
        phasers = drone.phaser_damage + by_phasers * order.points
        hurt = replace(drone, damage=drone.damage + order.points, phaser_damage=phasers)
        self.flying[drone.name] = hurt
        mixed = len(self._aimed.get(order.ship, ())) != 1
        if not (mixed and drone.type.startswith("plasma")):
            self._untold.discard((order.ship, self._now))
        if self.rulebook.offers.warhead_left(self.rulebook, hurt) <= 0:
            self._leaves(hurt, f"is destroyed by {how_many(hurt.damage, 'point')}", order.location)

    def report(self) -> Report:
        """What was found of them."""
        return Report(tuple(self._findings), tuple(self._checked), tuple(self._not_checked))

    def _begin(self, turn: int | None, impulse: int | None) -> None:
        if (turn, impulse) != self._now:
            self._now = turn, impulse
            self._moved.clear()
            self._aimed.clear()
            self._stood = None

    def _called(self, drone: Seeker, impulse: int) -> bool:
        return is_called(self.rulebook, self._movement, drone, impulse)

    def _stays(self, drone: Seeker, ships: Ships) -> bool:
        """Has its ship come into the hex of a drone?"""
        return has_reached(self.rulebook, drone, _hex(drone, ships))

    def _way(self, drone: Seeker, ships: Ships) -> Way:
        fits = ways(self.rulebook, drone, _hex(drone, ships))
        if len(fits) > 1:
            lacks = f"of ways as short {fits[0]} is taken; say another as {drone.name}: {fits[1]}"
            self._not_checked[NotChecked(self.rulebook.named.seeker_course, lacks, drone.name)] = None
            self.guessed.add(drone.name)
        return fits[0]

    def _judge(self, drone: Seeker, order: Advance, ships: Ships, now: Moment, due: bool) -> None:
        hex, facing = after(drone.hex, drone.facing, order.way)
        move = SeekerMove(drone, hex, facing, _hex(drone, ships), now, self._of, due)
        self._checked |= {rule.key: None for rule in self.rulebook.rules_on("seeker move", "check")}
        for item in judge_hex(self.rulebook, move):
            if isinstance(item, Finding):
                self._findings.append(replace(item, location=order.location))
            else:
                self._not_checked[item] = None

    def _move(self, drone: Seeker, way: Way, ships: Ships, place: Location) -> None:
        hex, facing = after(drone.hex, drone.facing, way)
        moved = flown(drone, hex, facing)
        self.flying[drone.name] = moved
        self._moved.add(drone.name)
        if hex == _hex(drone, ships):
            self._arrives(moved, ships, place)
        elif is_off_map(self.rulebook, moved):
            self._leaves(drone, f"leaves the map in {hex}", place)

    def _arrives(self, drone: Seeker, ships: Ships, place: Location) -> None:
        if not drone.owner:
            self._leaves(drone, f"reaches {drone.target} in {drone.hex}", place)
        elif self._is_unlocked(drone):
            self._leaves(drone, f"is lost: {drone.owner} has no lock-on on {drone.target} (D6.122)", place)
        else:
            self._leaves(drone, self._strike(drone, ships[drone.target]), place)
            self.strikes(drone.target)

    def _strike(self, drone: Seeker, struck: ShipInPlay) -> str:
        """What a seeker that was launched does to its target, in words."""
        ship = self._classes.get(struck.name)
        state = new_state(ship) if ship else None
        target = Unit(struck.name, ship, state, struck.hex, struck.facing, side=struck.side)
        turn, impulse = self._now
        hit = strike(self.rulebook, drone, target, Moment(turn or 1, impulse or 1))
        on = f" on its shield {hit.shield}" if hit.shield else ""
        scored = f"for {hit.damage}{on}"
        if self.is_doubtful(drone.name):
            scored = f"{on.strip()}, for what the fire at it has left of {hit.damage}".strip(", ")
        lacks = f"damage is not resolved in an orders file: {drone.name} strikes it {scored}"
        self._not_checked[NotChecked(self.rulebook.named.volley, lacks, drone.target)] = None
        return f"strikes {drone.target} in {drone.hex} {scored}"

    def _leaves(self, drone: Seeker, how: str, place: Location) -> None:
        del self.flying[drone.name]
        turn, impulse = self._now
        if drone.owner:
            self.gone[drone.name] = Moment(turn or 1, impulse or 1)
        about = About(drone.name, *self._now, place)
        self._findings.append(self.rulebook.offers.seen_flights.left_the_map(about, how))


def _hex(drone: Seeker, ships: Ships) -> Hex | None:
    """Where the ship is that a drone follows; None where it flies straight."""
    return ships[drone.target].hex if drone.target in ships else None
