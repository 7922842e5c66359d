"""What the rules of movement look at: the chart in use, one move, an impulse, a turn's speed, the sequence."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from functools import lru_cache
from typing import Any, NamedTuple

from referee.core.finding import Finding, NotChecked, Severity
from referee.core.frozen import frozen
from referee.core.hexgrid import FACINGS, Hex, true_range
from referee.core.impulses import ImpulseChart, chart_from_table
from referee.core.location import Location
from referee.core.once import Remembers, Same, once
from referee.core.play import Move, ShipInPlay
from referee.core.scenario import off_map
from referee.core.ship import ShipClass
from referee.rulebooks.base import Rule, Rulebook
from referee.rulebooks.sfb.acceleration import fastest_after, greatest_speed

ORDER_OF_KINDS = ("ship", "shuttle", "seeker")
"""C1.3: ships move first, then shuttles, then seeking weapons."""


class Count(NamedTuple):
    """Hexes moved straight ahead towards the next turn; `exact` is False where it may be more."""

    hexes: int
    exact: bool = True


class Rating(NamedTuple):
    """What decides the order of movement: lower moves first; `chart` only between equal turn modes."""

    kind: int
    speed: int
    turn_mode: int
    chart: int


@frozen
class Movement(Remembers):
    """The rules of movement of a rulebook on its impulse chart, ready for play."""

    rulebook: Rulebook
    _needs: dict[tuple[Same[ShipClass], int], int | None] = field(default_factory=dict, repr=False)
    _charts: dict[Same[ShipClass], int] = field(default_factory=dict, repr=False)
    _called: dict[tuple[Any, int | None], bool | None] = field(default_factory=dict, repr=False)
    _ratings: dict[tuple[Same[ShipClass], str, Any], Rating | None] = field(default_factory=dict, repr=False)

    @once
    def of(self) -> int:
        """Impulses of a turn."""
        return int(self.rulebook.option("impulses"))

    @once
    def chart(self) -> ImpulseChart:
        """The impulse chart in use."""
        return chart_from_table(self.table["charts"], self.of)

    @once
    def table(self) -> Mapping[str, Any]:
        """The table `movement`."""
        return self.rulebook.table("movement")

    def called_status(self, speed: Any) -> str:
        """How sure it is on which impulses a speed is called (hexes a turn): as sure as the chart in use, but
        for a speed that no chart could call otherwise, on every impulse or on none."""
        if speed in (0, self.of):
            return "verified"
        return str(self.table["charts"][str(self.of)]["status"])

    @once
    def speeds(self) -> frozenset[int]:
        """The speeds the impulse chart is for."""
        return frozenset({0}.union(*self.chart.speeds))

    @once
    def steps(self) -> tuple[str, ...]:
        """The steps of an impulse, in their order."""
        return tuple(self.rulebook.descriptor["sequence_of_play"]["impulse"])

    @once
    def map(self) -> str:
        """The map of the game, as `0101-2817`; nothing where it has no edges."""
        return self.rulebook.option("map")

    def has_left(self, hex: Hex) -> bool:
        """Does a hex lie beyond the map of the game?"""
        return bool(self.map) and off_map(self.map, hex)

    @once
    def counting(self) -> tuple[Rule, ...]:
        """The rules that count hexes towards a turn."""
        return self.rulebook.rules_on("turn count", "resolve")

    def limit(self, kind: str) -> int:
        """The greatest speed of a kind of unit."""
        return greatest_speed(self.rulebook, kind)

    def fastest_after(self, speed: Any, reading: str = "") -> Any:
        """The greatest speed, hexes a turn, that acceleration allows in the turn after one at `speed`, by the
        reading of the rule that is in force, or another."""
        return fastest_after(self.rulebook, speed, reading)

    def called(self, ship: ShipInPlay, impulse: int | None) -> bool | None:
        """Is the unit called to move on an impulse? None where speed or impulse is not known, or the chart is
        not for so great a speed."""
        asked = ship.speed, impulse
        if asked not in self._called:
            known = ship.speed is not None and impulse is not None and int(ship.speed) in self.speeds
            self._called[asked] = self.chart.calls(int(ship.speed), impulse) if known else None  # type: ignore[arg-type]
        return self._called[asked]

    def plain(self, unit: ShipInPlay, move: Move, impulse: int | None) -> bool:
        """Does a unit go one hex straight ahead from where it stands, as it faces, on an impulse that calls it and
        within the map? What it did before does not matter then: rules with `passes="plain"` have nothing against it."""
        here, there, facing = move.from_hex, move.to_hex, unit.facing
        return (
            facing is not None
            and facing == move.facing_before == move.facing_after
            and here == unit.hex
            and here.leads_to(facing, there)
            and self.called(unit, impulse) is True
            and not (self.map and (self.has_left(here) or self.has_left(there)))
        )

    def may_turn(self, ship: ShipClass | None, unit: ShipInPlay) -> bool:
        """Has a unit gone as far straight ahead as its turn mode asks, for certain? Then rules with `passes="plain"` have
        nothing against it as it turns to one side and enters the hex ahead, on an impulse that calls it."""
        need = self.turn_mode(ship, unit.speed)
        return need is not None and self.count(ship, unit).hexes >= need

    def turn_mode(self, ship: ShipClass | None, speed: Any) -> int | None:
        """Hexes straight ahead before a turn at a speed (C3.3); None where it is not known."""
        if ship is None or speed is None:
            return None
        key = Same(ship), int(speed)
        if key not in self._needs:
            rules = self.rulebook.rules_on("turn mode", "resolve")
            self._needs[key] = rules[0].decide(self.rulebook, ship, int(speed)) if rules else None
        return self._needs[key]

    def count(self, ship: ShipClass | None, unit: ShipInPlay) -> Count:
        """The hexes that count towards a unit's next turn, by the rules that count them."""
        start = self.turn_mode(ship, unit.speed if unit.start_speed is None else unit.start_speed)
        hexes = sum(rule.decide(unit, start) for rule in self.counting)
        return Count(hexes, exact=unit.counting != "unknown")

    def rating(self, ship: ShipClass | None, unit: ShipInPlay) -> Rating | None:
        """Where a unit stands in the order of movement; None where that is not known."""
        if unit.speed is None or ship is None:
            return None
        key = Same(ship), unit.kind, unit.speed
        if key not in self._ratings:
            self._ratings[key] = self._rating(ship, unit)
        return self._ratings[key]

    def _rating(self, ship: ShipClass, unit: ShipInPlay) -> Rating | None:
        mode = self.turn_mode(ship, unit.speed)
        if mode is None:
            return None
        if (of := Same(ship)) not in self._charts:
            all_speeds = (self.turn_mode(ship, speed) or 0 for speed in range(1, self.of + 1))
            self._charts[of] = sum(all_speeds)
        return Rating(ORDER_OF_KINDS.index(unit.kind), int(unit.speed or 0), -mode, -self._charts[of])


def movement_of(rulebook: Rulebook) -> Movement:
    """The rules of movement of a rulebook; what is worked out of them once holds for all games by it."""
    return _movement(Same(rulebook))


@lru_cache(maxsize=8)
def _movement(rulebook: Same[Rulebook]) -> Movement:
    return Movement(rulebook.held)


class _Keeps:
    """Has room for what is worked out once."""


@frozen
class _Facts(_Keeps):
    movement: Movement
    subject: str
    turn: int | None
    impulse: int | None
    location: Location

    @property
    def rulebook(self) -> Rulebook:
        """The rulebook in force."""
        return self.movement.rulebook

    def finding(self, severity: Severity, message: str, *_: str, **rest: Any) -> Finding:
        """A finding here; the adjudicator fills in the rule."""
        rest.pop("leans_on", None)
        place = rest.pop("location", self.location)
        subject = rest.pop("subject", self.subject)
        status = rest.pop("data_status", "")
        return Finding(
            "",
            severity,
            message,
            subject,
            self.turn,
            self.impulse,
            place,
            data_status="" if status == "verified" else status,
            **rest,
        )

    def error(self, message: str, *lines: str, **rest: Any) -> Finding:
        """Against the rule."""
        return self.finding(Severity.ERROR, message, *lines, **rest)

    def undecided(self, message: str, *lines: str, **rest: Any) -> Finding:
        """Two readings, or a fact that must be shown and was not."""
        return self.finding(Severity.UNDECIDED, message, *lines, **rest)

    def unknown(self, reason: str) -> NotChecked:
        """The rule cannot be judged for want of a fact."""
        return NotChecked("", reason, self.subject)


@frozen
class MoveFacts(_Facts):
    """One move (subject `move`): the unit as it was, what it did, whether it moved before this impulse."""

    ship: ShipClass | None
    before: ShipInPlay
    move: Move
    again: bool = False

    @once
    def distance(self) -> int:
        """Hexes from where it was to where it is."""
        return true_range(self.move.from_hex, self.move.to_hex)

    @once
    def sixths(self) -> int | None:
        """By how many sixths of a circle it turned clockwise, 0 to 5; None where a facing is not known."""
        before, after = self.move.facing_before, self.move.facing_after
        if before is None or after is None:
            return None
        return (FACINGS.index(after) - FACINGS.index(before)) % len(FACINGS)

    @once
    def rating(self) -> Rating | None:
        """Where the unit stood in the order of movement; None where that is not known."""
        return self.movement.rating(self.ship, self.before)

    @property
    def ahead_of_old(self) -> bool:
        """Did it enter the hex its bow pointed to before it turned?"""
        move = self.move
        return move.facing_before is not None and move.from_hex.leads_to(move.facing_before, move.to_hex)

    @property
    def ahead_of_new(self) -> bool:
        """Did it enter the hex its bow points to now?"""
        move = self.move
        return move.facing_after is not None and move.from_hex.leads_to(move.facing_after, move.to_hex)


@frozen
class ImpulseFacts(_Facts):
    """The movement of an impulse (subject `impulse`): who was there before it, what was moved, in order.

    `absent` are units whose moves the record does not hold at all; `seals_shown` says whether a
    sealed order would be seen in it. `moves` are those whose order is to be judged, `moved` all who moved.
    Where moves are judged one by one as they are made, `moves` is the one made now and `waiting` those who
    are called and have not moved yet; else nobody waits.
    """

    ships: tuple[tuple[ShipClass | None, ShipInPlay], ...]
    moves: tuple[MoveFacts, ...]
    absent: frozenset[str] = frozenset()
    seals_shown: bool = True
    moved: frozenset[str] = frozenset()
    waiting: tuple[tuple[ShipClass | None, ShipInPlay], ...] = ()

    @once
    def waiting_rated(self) -> tuple[tuple[ShipInPlay, Rating | None], ...]:
        """Those who have not moved yet, each with where it stands in the order of movement."""
        return tuple((unit, self.movement.rating(ship, unit)) for ship, unit in self.waiting)


@frozen
class SpeedFacts(_Facts):
    """A unit's speed of a turn (subject `turn`): the unit with its new speed, and that of the turn before."""

    ship: ShipClass | None
    unit: ShipInPlay
    previous: Any


@frozen
class SequenceFacts(_Facts):
    """One line in the sequence of play (subject `sequence`): what was said, and what came before it.

    `verb` is the kind of order, `step` the step it belongs to, `done` the latest step the ship had
    reached in the impulse; `last_turn` and `last_impulse` are those before a marker.
    """

    verb: str
    step: str = ""
    done: str = ""
    last_turn: int = 0
    last_impulse: int = 0
