"""Writes played games in the language of the closed client's play-by-play, from orders files and from records.

The shapes are those of the public reader's account, each written as it has them; no original log could be had.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from random import Random

from referee.core.combat import Declaration, Moment, Seeker, Shot, Unit, soonest_facing
from referee.core.frozen import replace
from referee.core.game import EntryLike
from referee.core.gameorders import after, order_said
from referee.core.hexgrid import FACINGS, Hex, true_range
from referee.core.location import Location
from referee.core.orders import (
    Advance,
    Fire,
    Hit,
    ImpulseBegins,
    Launch,
    Order,
    OrdersFile,
    Placement,
    SetSpeed,
    TurnBegins,
)
from referee.core.ship import Mount, ShipClass
from referee.rulebooks.base import Rulebook
from referee.rulebooks.registry import load_rulebook, load_ship

COMPASS = dict(zip(FACINGS, ("N", "NE", "SE", "S", "SW", "NW"), strict=True))
TYPES = {"phaser-1": "Phaser-1", "phaser-2": "Phaser-2", "phaser-3": "Phaser-3", "phaser-g": "Phaser-G"}
TYPES |= {"disruptor": "Disruptor", "photon": "Photon", "fusion": "Fusion Beam", "hellbore": "Hellbore"}


@dataclass
class Style:
    """How a game is written: `labels` are the ships' names in full, `short` what they are called in most lines, `letters`
    how often a straight move bears its facing, `types` what the client calls the classes."""

    seed: int = 0
    labels: Mapping[str, str] = field(default_factory=dict)
    short: Mapping[str, str] = field(default_factory=dict)
    types: Mapping[str, str] = field(default_factory=dict)
    players: Mapping[str, str] = field(default_factory=dict)
    letters: float = 0.2
    every_impulse: bool = False
    turns_by_compass: float = 0.0
    overload: bool = False
    lie: bool = False
    struck: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    faces: tuple[int, ...] = ()
    """The dice of all fire, where it is not what falls."""
    total: int = 0
    """The points that are stated of all fire, where it is not what they come to."""
    marked: int = 0
    """The boxes of a shield that are stated to be lost by it, where they are others."""
    own_names: bool = True
    """Are seekers called as the orders call them, and not as the client would?"""


class Written:
    """A game being written; `lines` are its lines so far."""

    def __init__(self, orders: OrdersFile, style: Style | None = None) -> None:
        self.orders = orders
        self.style = style or Style()
        self.random = Random(self.style.seed)
        self.rulebook = _book(orders)
        self.lines: list[str] = []
        self.where: dict[str, tuple[Hex, str]] = {}
        self.classes: dict[str, ShipClass] = {}
        self.shields: dict[str, list[int]] = {}
        self.flying: dict[str, str] = {}
        self.seekers: dict[str, Seeker] = {}
        self.straight: dict[str, int] = {}
        self.dead: set[str] = set()
        self.turn, self.impulse = 0, 0

    def text(self) -> str:
        """The whole game."""
        return "".join(f"{line}\n" for line in self.write())

    def write(self) -> list[str]:
        """The lines of the game."""
        speeds = _first_speeds(self.orders)
        for ship in self.orders.ships:
            self._put(ship, speeds.get(ship.ship, ship.speed))
        for n, order in enumerate(self.orders.orders):
            self._do(order, self.orders.orders[n + 1 :])
        return self.lines

    def _put(self, ship: Placement, speed: int | None) -> None:
        cls = load_ship(ship.class_id)
        self.classes[ship.ship] = cls
        self.where[ship.ship] = ship.hex, ship.facing
        self.shields[ship.ship] = [cls.shields[n] for n in range(1, 7)]
        type = self.style.types.get(ship.ship, f"{cls.race} {cls.type or cls.name}")
        told = f", speed {speed}" if speed is not None else ""
        label = self.style.labels.get(ship.ship, ship.ship)
        self.lines.append(
            f"{label} (Type:{type}) has been added at {ship.hex}, direction {ship.facing}{told}"
        )

    def name(self, ship: str) -> str:
        """What a ship is called in a line: most often by its short name."""
        label = self.style.labels.get(ship, ship)
        return self.style.short.get(ship, label) if self.random.random() < 0.8 else label

    def _do(self, order: Order, after_it: Sequence[Order]) -> None:
        if isinstance(order, TurnBegins):
            if self.style.every_impulse and self.turn:
                self._headers(self.turn, self.impulse + 1, int(self.rulebook.option("impulses")))
            self.turn, self.impulse = order.turn, 0
            for ship in self.orders.ships:
                if ship.ship not in self.dead:
                    self.lines.append(f"{self.name(ship.ship)} has started Energy Allocation")
                    self.lines.append(f"{self.name(ship.ship)} has finished Energy Allocation")
        elif isinstance(order, ImpulseBegins):
            if not self.turn:
                self.turn = 1
            if self.style.every_impulse:
                self._headers(self.turn, self.impulse + 1, order.impulse - 1)
            self.impulse = order.impulse
            self.lines.append(f"Impulse {self.turn}.{order.impulse}:")
        elif isinstance(order, Advance):
            self._move(order)
            if order.ship in self.flying:
                self._strike(order.ship, after_it)
        elif isinstance(order, Fire):
            self._fire(order)
        elif isinstance(order, Launch):
            self._launch(order)
        elif isinstance(order, Hit):
            self._hit(order)

    def _headers(self, turn: int, first: int, last: int) -> None:
        self.lines += [f"Impulse {turn}.{impulse}:" for impulse in range(first, last + 1)]

    def _move(self, order: Advance) -> None:
        name = order.ship
        hex, facing = self.where[name]
        there, bow = after(hex, facing, order.way)
        self.where[name] = there, bow
        said = self.flying.get(name) or self.name(name)
        if order.way == "ahead":
            self.straight[name] = self.straight.get(name, 0) + 1
            letter = bow if self.random.random() < self.style.letters else ""
            self.lines.append(f"{said} has moved to {there}{letter}")
            return
        count, self.straight[name] = self.straight.get(name, 0), 1
        if self.random.random() < self.style.turns_by_compass:
            told = (
                f"turned to {COMPASS[bow]}"
                if self.random.random() < 0.5
                else f"changed to facing {bow} after {count} move"
            )
            self.lines += [f"{said} has {told}", f"{said} has moved to {there}"]
        else:
            how = self.random.choice(("turned", "moved"))
            self.lines.append(f"{said} has {how} to {there}{bow}")

    # -- fire --------------------------------------------------------------------------------

    def _fire(self, order: Fire) -> None:
        cls = self.classes[order.ship]
        mounts = [mount for mark in order.weapons if (mount := _mount(cls, mark)) is not None]
        seeker = order.target not in self.classes
        shots = [self._shot(order, mount, seeker) for mount in mounts]
        reach = true_range(self.where[order.ship][0], self.where[order.target][0])
        firer, target = self.name(order.ship), self.flying.get(order.target) or self.name(order.target)
        counts: dict[str, int] = {}
        for mount in mounts:
            counts[TYPES.get(mount.type, mount.type)] = counts.get(TYPES.get(mount.type, mount.type), 0) + 1
        for type, count in counts.items():
            self.lines.append(f"{firer} fires {count} {type}s at {target}")
        faces, points = [], 0
        for mount, shot in zip(mounts, shots, strict=True):
            modes = self.rulebook.table("weapons")["weapons"][mount.type].get("modes", {})
            overload = self.style.overload and "overload" in modes and reach <= 8
            mode = "overload" if overload else "standard"
            tag = ""
            if modes:
                tag = " using Overloaded mode" if overload and not self.style.lie else " using Standard mode"
            self.lines.append(
                f"{firer} fires {TYPES.get(mount.type, mount.type)} #{mount.mark} ({_arc(mount)}) at {target}{tag} (Range: {reach})"
            )
            face = self.random.randint(1, 6)
            if self.style.faces:
                face = self.style.faces[min(len(faces), len(self.style.faces) - 1)]
            faces.append(face)
            points += self._points(replace(shot, mode=mode), face)
        who = self.style.players.get(order.ship, firer)
        self.lines.append(f"{who} Rolls 1d6: {', '.join(map(str, self.style.faces or faces))}")
        points = self.style.total or points
        if points and not seeker:
            facing = shots[0].facing_shields or (1,)
            self.allocate(order.target, order.shield or facing[0], points)

    def _shot(self, order: Fire, mount: Mount, seeker: bool) -> Shot:
        firer = Unit(
            order.ship,
            self.classes[order.ship],
            hex=self.where[order.ship][0],
            facing=self.where[order.ship][1],
        )
        hex, facing = self.where[order.target]
        target = Unit(
            order.target,
            self.classes.get(order.target),
            hex=hex,
            facing=facing,
            kind="drone" if seeker else "ship",
        )
        return Shot(
            mount.id,
            mount.type,
            firer,
            target,
            self.turn,
            self.impulse,
            int(self.rulebook.option("impulses")),
            mount,
        )

    def _points(self, shot: Shot, face: int) -> int:
        aim = self.rulebook.offers.fire_step(self.rulebook, Declaration((shot,))).aims[0]
        if shot.mode == "overload" and shot.type == "photon":
            needed = aim.chart["modes"]["overload"]["hit_on_or_under"][aim.band]
            return 16 if face <= needed else 0
        return int(self.rulebook.offers.fire(aim, face).damage)

    def allocate(self, ship: str, shield: int, points: int) -> None:
        """Damage of a ship, and the shields it has left."""
        left = self.shields[ship]
        by_shield = [points if n == shield else 0 for n in range(1, 7)]
        left[shield - 1] = max(0, left[shield - 1] - (self.style.marked or points))
        self.lines.append(f"Allocation of damage for: {self.name(ship)}")
        self.lines.append(f"Damage: {'/'.join(map(str, by_shield))} (Total: {points})")
        self.lines.append(f"Remaining Shield: {'/'.join(map(str, left))}")

    def _hit(self, order: Hit) -> None:
        self.allocate(order.ship, order.shield, order.points)
        if (
            "bridge" in self.style.struck.get(order.ship, {})
            or len(self.style.struck.get(order.ship, {})) > 6
        ):
            self.lines.append(f"{self.name(order.ship)} has been destroyed")
            self.dead.add(order.ship)

    # -- seekers -----------------------------------------------------------------------------

    def _launch(self, order: Launch) -> None:
        mount = _mount(self.classes[order.ship], order.weapon)
        hex, facing = self.where[order.ship]
        bow = soonest_facing(hex, self.where[order.target][0], facing)
        name = order.name or f"{order.ship} {order.weapon} t{self.turn}"
        unit = name if self.style.own_names else f"D{len(self.flying) + 1:03d}(1).{self.turn}.{self.impulse}"
        type = mount.type if mount else "drone"
        told = (
            "Drone"
            if type == "drone"
            else f"Plasma {type[-1].upper()}"
            if type.startswith("plasma")
            else "Shuttle"
        )
        self.flying[name] = unit
        self.seekers[name] = Seeker(
            unit, type, order.ship, order.target, hex, bow, Moment(self.turn, self.impulse)
        )
        self.where[name] = hex, bow
        race = self.classes[order.ship].race
        self.lines.append(
            f"{unit} (Type:{race} {told}) has been added at {hex}{bow}, {unit} was launched by {self.name(order.ship)}"
        )

    def _strike(self, name: str, after_it: Sequence[Order]) -> None:
        """A seeker that has come into the hex of its target strikes it, unless the orders say what it scores."""
        came_from = self.seekers[name].hex
        hex, facing = self.where[name]
        hexes = self.seekers[name].hexes + 1
        self.seekers[name] = seeker = replace(self.seekers[name], hex=hex, facing=facing, hexes=hexes)
        there, bow = self.where[seeker.target]
        rest = takewhile(lambda one: not isinstance(one, (ImpulseBegins, TurnBegins)), after_it)
        if hex != there or any(isinstance(one, Hit) and one.ship == seeker.target for one in rest):
            return
        target = Unit(seeker.target, self.classes[seeker.target], hex=there, facing=bow)
        now = Moment(self.turn, self.impulse)
        hit = self.rulebook.offers.seeker_hit(self.rulebook, seeker, target, came_from, now)
        if hit.damage:
            self.allocate(seeker.target, hit.shield or 1, hit.damage)


def _mount(cls: ShipClass, mark: str) -> Mount | None:
    return cls.mount(mark)


def _arc(mount: Mount) -> str:
    return "+".join(part for part in mount.arc.split("+") if not part.startswith("row:")) or mount.arc


def _book(orders: OrdersFile) -> Rulebook:
    options = dict(orders.options)
    if orders.impulses is not None:
        options["impulses"] = str(orders.impulses)
    return load_rulebook(orders.rulebook).with_options(options)


def _first_speeds(orders: OrdersFile) -> dict[str, int]:
    """The speeds said for the first turn: the client tells a ship's speed as it is put on the map."""
    speeds: dict[str, int] = {}
    turn = 0
    for order in orders.orders:
        if isinstance(order, TurnBegins):
            turn += 1
        if isinstance(order, SetSpeed) and turn <= 1:
            speeds[order.ship] = order.speed
    return speeds


def orders_of(entries: Iterable[EntryLike]) -> OrdersFile:
    """The orders file of a game record: its ships, turns, impulses and orders."""
    rulebook, options = "", {}
    ships: list[Placement] = []
    orders: list[Order] = []
    now = (0, None)
    for entry in entries:
        data = entry.data
        if entry.type == "genesis":
            rulebook, options = data["rulebook"], dict(data.get("options", {}))
        elif entry.type == "ship":
            at = data["at"]
            hex = Hex(int(at[:2]), int(at[2:4]))
            speed = int(data["speed"]) if "speed" in data else None
            ships.append(Placement(data["ship"], data["class"], hex, at[4], speed))
        elif entry.type == "step":
            if data["turn"] != now[0]:
                orders.append(TurnBegins(data["turn"]))
            if data.get("impulse") is not None and (data["turn"], data["impulse"]) != now:
                orders.append(ImpulseBegins(data["impulse"]))
            now = data["turn"], data.get("impulse")
        elif entry.type == "order" and (order := order_said(data)) is not None:
            name = data["launch"]["name"] if "launch" in data else ""
            orders.append(replace(order, name=name) if isinstance(order, Launch) else order)
    impulses = options.pop("impulses", None)
    place = Location("game.txt")
    return OrdersFile(
        rulebook,
        int(impulses) if impulses else None,
        tuple(options.items()),
        tuple(ships),
        tuple(orders),
        (),
        place,
    )
