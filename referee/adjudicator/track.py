"""Judges movement step by step: an orders file, or moves as a log or a record holds them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from referee.adjudicator.check import judge
from referee.core.errors import BadInput
from referee.core.finding import Finding, NotChecked, Report, Severity
from referee.core.hexgrid import FACINGS, Hex
from referee.core.location import Location
from referee.core.orders import (
    Advance,
    ImpulseBegins,
    Order,
    OrderProblem,
    OrdersFile,
    Placement,
    Seal,
    SetSpeed,
    TurnBegins,
    Way,
    without_undone,
)
from referee.core.play import Counting, Kind, Move, ShipInPlay, When, moved, turn_begun
from referee.core.ship import ShipClass
from referee.rulebooks.base import Rulebook

LoadShip = Callable[[str], ShipClass]
TURNED: Mapping[Way, int] = {"ahead": 0, "right": 1, "left": -1}
"""Sixths of a circle a way of moving turns clockwise."""


@dataclass(frozen=True, slots=True)
class Mover:
    """A unit of a movement record: its class, its speeds by turn (hexes a turn), how it begins.

    `counting` is `start` where the record begins with the scenario, `unknown` where it does not.
    """

    name: str
    ship: ShipClass | None = None
    speeds: Mapping[int, int] = field(default_factory=dict)
    previous_speed: int | None = None
    side: str = ""
    kind: Kind = "ship"
    hex: Hex | None = None
    facing: str | None = None
    counting: Counting = "start"


class Track:
    """A game's movement as it is judged: feed it turns, impulses, speeds and moves in their order."""

    def __init__(
        self,
        rulebook: Rulebook,
        movers: Iterable[tuple[ShipClass | None, ShipInPlay]],
        *,
        absent: frozenset[str] = frozenset(),
        seals_shown: bool = True,
    ) -> None:
        self.rulebook = rulebook
        self.movement = rulebook.procedure("movement")(rulebook)
        self.units: dict[str, ShipInPlay] = {}
        self.classes: dict[str, ShipClass | None] = {}
        for ship, unit in movers:
            self.units[unit.name], self.classes[unit.name] = unit, ship
        self.turn: int | None = None
        self.impulse: int | None = None
        self.findings: list[Finding] = []
        self.not_checked: dict[NotChecked, None] = {}
        self.checked: dict[str, None] = {}
        self._absent = set(absent)
        self._seals_shown = seals_shown
        self._rules = {
            subject: rulebook.rules_on(subject, "check") for subject in ("move", "impulse", "sequence")
        }
        self._speed_rules = rulebook.procedure("speed rules")(rulebook)
        self._facts = {
            name: rulebook.procedure(f"{name} facts") for name in ("move", "impulse", "speed", "sequence")
        }
        self._moves: list[Any] = []
        self._before: tuple[tuple[ShipClass | None, ShipInPlay], ...] = ()
        self._steps: dict[str, str] = {}

    def _judge(self, subject: str, facts: Any) -> None:
        for rule in self._rules[subject]:
            self.checked[rule.key] = None
            self._take(judge(rule, self.rulebook, facts))

    def _take(self, items: Iterable[Finding | NotChecked]) -> None:
        for item in items:
            if isinstance(item, Finding):
                self.findings.append(item)
            else:
                self.not_checked[item] = None

    def begin_turn(self, turn: int | None) -> None:
        """The next turn of play; call `end_impulse` before."""
        self.turn, self.impulse = turn, None
        self.units = {name: turn_begun(unit) for name, unit in self.units.items()}

    def set_speed(self, name: str, speed: int | None) -> None:
        """A unit's speed of this turn, hexes a turn."""
        self.units[name] = replace(self.units[name], speed=speed)

    def judge_speeds(self, places: Mapping[str, Location]) -> None:
        """Holds every unit's speed of this turn against that of the turn before."""
        shape = self.rulebook.procedure("facts for speed rule")
        speed_of = self._facts["speed"]
        for name, unit in self.units.items():
            if unit.speed is None:
                continue
            place = places.get(name, Location())
            facts = speed_of(
                self.movement, name, self.turn, None, place, self.classes[name], unit, unit.previous_speed
            )
            for rule in self._speed_rules:
                self.checked[rule.key] = None
                self._take(judge(rule, self.rulebook, shape(rule, facts)))

    def begin_impulse(self, impulse: int | None) -> None:
        """The next impulse of the turn."""
        self.impulse = impulse
        self._moves = []
        self._steps = {}
        self._before = tuple((self.classes[name], unit) for name, unit in self.units.items())

    def seal(self, name: str, code: str) -> None:
        """A unit's owner has sealed its next move."""
        self.units[name] = replace(self.units[name], sealed=code)

    def order(self, order: Order, ship: str, verb: str, *, turn: int = 0, impulse: int = 0) -> None:
        """Holds an order or marker against the sequence of play; `turn` and `impulse` are the last ones."""
        step = self.rulebook.procedure("step of")(verb) or ""
        done = self._steps.get(ship, "")
        facts = self._facts["sequence"](
            self.movement, ship, self.turn, self.impulse, order.location, verb, step, done, turn, impulse
        )
        self._judge("sequence", facts)
        steps = self.movement.steps
        if step and (not done or steps.index(step) > steps.index(done)):
            self._steps[ship] = step

    def move(self, move: Move) -> None:
        """One move."""
        unit = self.units[move.ship]
        again = unit.moved_on is not None and unit.moved_on == self.impulse
        facts = self._facts["move"](
            self.movement,
            move.ship,
            self.turn,
            self.impulse,
            move.location,
            self.classes[move.ship],
            unit,
            move,
            again,
        )
        self._judge("move", facts)
        self._moves.append(facts)
        if unit.hex != move.from_hex or unit.facing != move.facing_before:
            unit = replace(unit, hex=move.from_hex, facing=move.facing_before)
        self.units[move.ship] = moved(unit, move.to_hex, move.facing_after, self.impulse)

    def end_impulse(self, place: Location) -> None:
        """All moves of the impulse were made."""
        facts = self._facts["impulse"](
            self.movement,
            "",
            self.turn,
            self.impulse,
            place,
            self._before,
            tuple(self._moves),
            frozenset(self._absent),
            self._seals_shown,
        )
        self._judge("impulse", facts)
        if self._absent:
            self._absent -= {
                unit.name for _, unit in self._before if self.movement.called(unit, self.impulse)
            }
            self._forget_absent()

    def _forget_absent(self) -> None:
        """A unit none of whose moves are recorded is reported once; its speed is then taken as not known."""
        told = [name for name in self._told if name not in self._absent]
        for name in told:
            self.units[name] = replace(self.units[name], speed=None)

    @property
    def _told(self) -> tuple[str, ...]:
        return self._first_absent

    def report(self, extra: Iterable[Finding] = ()) -> Report:
        """All that was found."""
        book = self.rulebook
        return Report(
            findings=(*extra, *self.findings),
            checked=tuple(self.checked),
            not_checked=tuple(self.not_checked),
            rulebook=book.id,
            ships=tuple(
                {"name": name, "rulebook": book.id}
                | ({"ship": ship.id, "class": ship.name} if ship else {})
                for name, ship in self.classes.items()
            ),
            options={name: book.option(name) for name in book.options if book.option(name)},
        )
