"""What the instructions of the Robot Opponent look at: its target, the ways it may move, what it can fire."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

from referee.core.arcs import bears
from referee.core.combat import Declaration, Shot, Unit
from referee.core.dice import Dice
from referee.core.errors import BadInput
from referee.core.finding import Finding
from referee.core.frozen import frozen
from referee.core.gameorders import after
from referee.core.hexgrid import FACINGS, Hex, Offset, relative_offset, struck_shields, true_range
from referee.core.once import Remembers, once
from referee.core.orders import WAYS, Way
from referee.core.play import ShipInPlay, moved
from referee.core.robot import ShipSeen, Situation
from referee.core.ship import Mount, ShipClass
from referee.rulebooks.base import Rulebook
from referee.rulebooks.sfb.motion import Movement


@frozen
class RobotFacts(Remembers):
    """A situation with all the instructions ask about it; `dice` are for the toss of a coin."""

    movement: Movement
    situation: Situation
    dice: Dice | None = None

    @property
    def rulebook(self) -> Rulebook:
        """The rulebook in force."""
        return self.movement.rulebook

    @once
    def table(self) -> Mapping[str, Any]:
        """The table `robot`."""
        return self.rulebook.table("robot")

    @property
    def name(self) -> str:
        """The robot's name."""
        return self.situation.robot.name

    @property
    def hex(self) -> Hex:
        """Where the robot is. Raises BadInput where that is not known."""
        return _hex(self.situation.robot)

    @property
    def facing(self) -> str:
        """How the robot faces. Raises BadInput where that is not known."""
        facing = self.situation.robot.unit.facing
        if facing is None:
            raise BadInput(f"how {self.name} faces is not known", hint="place it with a facing: 0117B")
        return facing

    @property
    def called(self) -> bool:
        """Does the chart call the robot on this impulse?"""
        return bool(self.movement.called(self.situation.robot.unit, self.situation.impulse))

    @property
    def last_impulse(self) -> bool:
        """Is this the last impulse of the turn?"""
        return self.situation.impulse == self.situation.impulses

    # -- the target ----------------------------------------------------------------------

    @once
    def target(self) -> ShipSeen | None:
        """The opponent the robot plays against: of several the nearest, of equals the first; None where
        none is left on the map."""
        there = [each for each in self.situation.opponents if each.unit.hex and not each.state.dead]
        there = [each for each in there if on_map(_hex(each), self.situation.within)]
        return min(there, key=lambda each: true_range(self.hex, _hex(each)), default=None)

    @property
    def aimed_at(self) -> str:
        """The target's name, for a sentence."""
        return self.target.name if self.target else "nobody"

    @once
    def range(self) -> int | None:
        """Hexes to the target, None without one."""
        return None if self.target is None else true_range(self.hex, _hex(self.target))

    @once
    def offset(self) -> Offset | None:
        """Where the target lies as seen from the bow."""
        return None if self.target is None else relative_offset(self.hex, self.facing, _hex(self.target))

    # -- moving --------------------------------------------------------------------------

    @once
    def need(self) -> int:
        """Hexes straight ahead before a turn, at its speed. Raises BadInput where that is not known."""
        robot = self.situation.robot
        need = self.movement.turn_mode(robot.ship, robot.unit.speed)
        if need is None:
            raise BadInput(f"the turn mode of {robot.name} at speed {robot.unit.speed} is not known")
        return need

    @once
    def count(self) -> int:
        """Hexes moved straight ahead that count towards its next turn."""
        robot = self.situation.robot
        return self.movement.count(robot.ship, robot.unit).hexes

    @once
    def counting(self) -> tuple[int, int]:
        """What a hex straight ahead adds to the count, and the count after a turn and its hex."""
        robot = self.situation.robot
        return counted(self.movement, robot.ship, robot.unit, self.count)

    @once
    def legal_ways(self) -> tuple[Way, ...]:
        """The ways its turn mode lets it move."""
        return WAYS if self.count >= self.need else WAYS[:1]

    @once
    def ways(self) -> tuple[Way, ...]:
        """The ways it may move, by the rules on its course; none where all of them lose it."""
        ways = self.legal_ways
        for rule in self.rulebook.rules_on("robot course"):
            ways = rule.decide(ways, self)
        return ways

    def stays_on_map(self, way: Way) -> bool:
        """Can it stay on the map for good after moving that way?"""
        gain, restart = self.counting
        hex, facing = after(self.hex, self.facing, way)
        count = self.count + gain if way == "ahead" else restart
        return can_stay(hex, facing, min(count, self.need), self.need, (gain, restart), self.situation.within)

    # -- weapons -------------------------------------------------------------------------

    @once
    def unfired(self) -> tuple[Mount, ...]:
        """The weapons it may still fire in this turn, by the rules on them, in the order of the SSD."""
        mounts = self.situation.robot.ship.mounts
        for rule in self.rulebook.rules_on("robot weapons"):
            mounts = rule.decide(mounts, self)
        return mounts

    @once
    def bearing(self) -> tuple[str, ...]:
        """The unfired weapons that can be fired at the target now, within the rules of fire."""
        offset = self.offset
        if self.target is None or offset is None:
            return ()
        near = [mount for mount in self.unfired if bears(mount.arc, offset)]
        shots = [self.shot(mount) for mount in near]
        return tuple(shot.weapon for shot in shots if self.allowed("shot", shot))

    def allowed(self, subject: str, shot: Shot) -> bool:
        """Have the rules of fire nothing against a shot, or those of launching against a launch?"""
        step = self.rulebook.offers.fire_step(self.rulebook, Declaration((shot,)))
        return not any(
            isinstance(item, Finding)
            for rule in self.rulebook.rules_on(subject, "check")
            for item in rule.decide(step.aims[0])
        )

    def shot(self, mount: Mount) -> Shot:
        """A weapon fired, or a seeker launched, at the target. A robot's energy is taken as paid (ROBOT-6)."""
        now = self.situation
        assert self.target is not None
        return Shot(
            weapon=mount.id,
            type=mount.type,
            firer=_unit(now.robot),
            target=_unit(self.target),
            turn=now.turn,
            impulse=now.impulse,
            impulses=now.impulses,
            mount=mount,
            last_fired=now.memory.fired.get(mount.id),
            shield=self.struck,
            energy="paid",
            fire_control="paid",
            lock_on=now.locks.get(self.target.name),
        )

    @once
    def weapons(self) -> Mapping[str, Mapping[str, Any]]:
        """The weapons of the book by type."""
        weapons: Mapping[str, Mapping[str, Any]] = self.rulebook.table("weapons")["weapons"]
        return weapons

    @property
    def destroyed(self) -> frozenset[str]:
        """Its boxes that are gone."""
        return self.situation.robot.state.destroyed

    @once
    def at_point(self) -> bool:
        """Is this the Primary Fire Point of the turn, by the rules on it?"""
        return any(rule.decide(self) for rule in self.rulebook.rules_on("robot point"))

    def fired_this_turn(self, mount: Mount) -> bool:
        """Has a weapon fired or launched in this turn?"""
        last = self.situation.memory.fired.get(mount.id)
        return last is not None and last.turn == self.situation.turn

    @once
    def struck(self) -> int | None:
        """The shield struck where the book leaves it open: on the corner of two the weaker, of equals the lower
        numbered; in one hex that towards the hex astern of the robot, whence it came. None elsewhere."""
        target = self.target
        if target is None or target.unit.facing is None:
            return None
        there = _hex(target)
        whence = self.hex.step(self.facing, -1) if self.hex == there else self.hex
        facing = struck_shields(relative_offset(there, target.unit.facing, whence))
        if len(facing) == 1 and self.hex != there:
            return None
        return min(facing, key=lambda number: (target.state.shields.get(number, 0), number))

    # -- chance --------------------------------------------------------------------------

    def toss(self) -> int:
        """A coin: 1 or 2. Raises BadInput where there are no dice to toss it with."""
        if self.dice is None:
            raise BadInput(f"{self.name} tosses a coin here", hint="give it dice: --seed TEXT")
        return self.dice.roll(1, 2)


def _hex(flown: ShipSeen) -> Hex:
    if flown.unit.hex is None:
        raise BadInput(f"the hex of {flown.name} is not known", hint="place it: 0117B")
    return flown.unit.hex


def _unit(flown: ShipSeen) -> Unit:
    unit = flown.unit
    return Unit(flown.name, flown.ship, flown.state, unit.hex, unit.facing, flown.cloak)


def on_map(hex: Hex, within: tuple[Hex, Hex]) -> bool:
    """Does a hex lie on the map?"""
    first, last = within
    return first.column <= hex.column <= last.column and first.row <= hex.row <= last.row


# -- staying on the map ------------------------------------------------------------------


def counted(movement: Movement, ship: ShipClass, unit: ShipInPlay, count: int) -> tuple[int, int]:
    """What a hex straight ahead adds to the `count` towards a turn, and the count after a turn and its hex."""
    here, bow = unit.hex or Hex(1, 1), unit.facing or FACINGS[0]
    side = FACINGS[(FACINGS.index(bow) + 1) % len(FACINGS)]
    ahead = moved(unit, here.step(bow), bow, None)
    turned = moved(unit, here.step(side), side, None)
    return (
        movement.count(ship, ahead).hexes - count,
        movement.count(ship, turned).hexes,
    )


_Place = tuple[Hex, str, int]


def can_stay(
    hex: Hex, facing: str, count: int, need: int, counting: tuple[int, int], within: tuple[Hex, Hex]
) -> bool:
    """Can a ship of that turn mode stay on the map for good, from a hex, a facing and a count?

    It can where some course comes back to a place of its own. What was found is remembered by map and turn
    mode; a robot asks on every move.
    """
    return _stays((hex, facing, count), need, counting, within, _known(need, counting, within))


@lru_cache(maxsize=64)
def _known(need: int, counting: tuple[int, int], within: tuple[Hex, Hex]) -> dict[_Place, bool]:
    return {}


def _stays(
    start: _Place,
    need: int,
    counting: tuple[int, int],
    within: tuple[Hex, Hex],
    known: dict[_Place, bool],
) -> bool:
    if not on_map(start[0], within):
        return False
    if start in known:
        return known[start]
    course = {start: None}
    waiting = [iter(_next(start, need, counting, within))]
    while waiting:
        place = next(waiting[-1], None)
        if place is None:
            waiting.pop()
            known[course.popitem()[0]] = False
        elif place in course or known.get(place):
            known.update(dict.fromkeys(course, True))
            return True
        elif place not in known:
            course[place] = None
            waiting.append(iter(_next(place, need, counting, within)))
    return False


def _next(place: _Place, need: int, counting: tuple[int, int], within: tuple[Hex, Hex]) -> Iterable[_Place]:
    """Where a ship may be a move later: turning first, for a course that turns comes round."""
    hex, facing, count = place
    gain, restart = counting
    for way in ("left", "right", "ahead") if count >= need else ("ahead",):
        there, bow = after(hex, facing, way)
        if on_map(there, within):
            yield there, bow, min(restart if way != "ahead" else count + gain, need)
