"""What the checks look at: an action declared, the combat it is declared in, and the tables in force."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from referee.core.finding import Finding, NotChecked, Severity
from referee.core.hexgrid import Hex, true_range
from referee.core.location import Location
from referee.rulebooks.base import Rulebook
from referee.rulebooks.trek.charts import Charts
from referee.rulebooks.trek.parts import find_part, weapons_of
from referee.rulebooks.trek.ships import TrekShip, Weapon
from referee.rulebooks.trek.state import CombatState, Vessel

Findings = Iterator[Finding | NotChecked]


@dataclass(frozen=True, slots=True)
class Action:
    """One action as it was declared: `do` and what else was said."""

    do: str
    details: Mapping[str, Any] = field(default_factory=dict)
    place: Location = field(default_factory=Location)

    def __str__(self) -> str:
        weapons = ", ".join(map(_weapon, self.details.get("weapons", ())))
        at = f"at {self.details['at']}" if "at" in self.details else ""
        ends = ("to", "from") if self.do == "transport" else ()
        rest = (
            name if value is True else f"{name} {value}" if name in ends else str(value)
            for name, value in sorted(self.details.items(), key=lambda part: part[0] in ends)
            if name not in ("do", "weapons", "at") and value is not False
        )
        return " ".join(part for part in (self.do, weapons, at, *rest) if part)


def _weapon(weapon: Mapping[str, Any]) -> str:
    """A weapon as it is said at the table."""
    power = f" with {weapon['power']}" if "power" in weapon else " at half" if weapon.get("half") else ""
    return f"{weapon['weapon']}{power}" + (f" at {weapon['at']}" if "at" in weapon else "")


@dataclass(frozen=True, slots=True)
class Use:
    """A weapon as it is to be fired: power, or `half` strength, and at whom."""

    id: str
    weapon: Weapon | None
    power: int | None
    half: bool
    at: str


@dataclass(frozen=True, slots=True)
class Telling:
    """Ways to say something about one ship in one round."""

    subject: str
    turn: int
    round: int
    place: Location

    def say(self, severity: Severity, message: str, **parts: str) -> Finding:
        """A finding; `parts` are expected, found and fix."""
        return Finding(
            "", severity, message, self.subject, self.turn or None, self.round or None, self.place, **parts
        )

    def error(self, message: str, **parts: str) -> Finding:
        """Something against a rule."""
        return self.say(Severity.ERROR, message, **parts)

    def warning(self, message: str, **parts: str) -> Finding:
        """Something odd."""
        return self.say(Severity.WARNING, message, **parts)

    def undecided(self, message: str, **parts: str) -> Finding:
        """Something that can be read in two ways."""
        return self.say(Severity.UNDECIDED, message, **parts)

    def unknown(self, reason: str) -> NotChecked:
        """A fact that is missing."""
        return NotChecked("", reason, self.subject)


@dataclass(frozen=True)
class Declared:
    """An action that a ship declares, judged before it is resolved."""

    state: CombatState
    vessel: Vessel
    action: Action
    charts: Charts
    rulebook: Rulebook

    @property
    def tell(self) -> Telling:
        """Ways to say something about it."""
        return Telling(self.vessel.name, self.state.turn, self.state.round, self.action.place)

    @property
    def ship(self) -> TrekShip:
        """The class of the acting ship."""
        return self.vessel.ship

    @property
    def kind(self) -> str:
        """What is to be done."""
        return self.action.do

    def detail(self, name: str, default: Any = "") -> Any:
        """What was said of it."""
        return self.action.details.get(name, default)

    def other(self, name: str) -> Vessel | None:
        """Another ship by name, if it is in the combat."""
        vessel = self.state.vessels.get(name)
        return vessel if vessel and vessel.active else None

    @property
    def uses(self) -> tuple[Use, ...]:
        """The weapons of a fire action."""
        return tuple(
            weapon_use(self.ship, weapon, self.detail("at")) for weapon in self.detail("weapons", [])
        )

    def seen_from(self, hex: Hex) -> int:
        """Hexes from the acting ship."""
        return true_range(self.vessel.hex, hex)


def weapon_use(ship: TrekShip, declared: Mapping[str, Any], at: str) -> Use:
    """A weapon as a declaration names it."""
    part = find_part(declared["weapon"], weapons_of(ship))
    name = part.name if part else declared["weapon"]
    return Use(
        name,
        ship.weapon(name),
        declared.get("power"),
        bool(declared.get("half")),
        declared.get("at", at),
    )


@dataclass(frozen=True)
class RoundWritten:
    """One round as it was written down: who was to act, in the order of the file."""

    turn: int
    round: int
    names: tuple[str, ...]
    known: frozenset[str]
    charts: Charts
    place: Location
    order: tuple[str, ...] = ()
    """The order of action that was given for the turn, if this is about it."""

    @property
    def tell(self) -> Telling:
        """Ways to say something about it."""
        return Telling("", self.turn, self.round, self.place)


@dataclass(frozen=True)
class Enrolled:
    """A ship as it is entered in the combat's record."""

    vessel: Vessel
    charts: Charts
    rulebook: Rulebook
    place: Location

    @property
    def tell(self) -> Telling:
        """Ways to say something about it."""
        return Telling(self.vessel.name, 0, 0, self.place)


@dataclass(frozen=True)
class EndOfRound:
    """Where everybody stands at the end of a round."""

    state: CombatState
    rulebook: Rulebook

    @property
    def tell(self) -> Telling:
        """Ways to say something about it."""
        return Telling("", self.state.turn, self.state.round, Location())


def points(amount: Fraction | int) -> str:
    """Power points as text with their word."""
    from referee.core.energy import show_energy

    shown = show_energy(Fraction(amount))
    return f"{shown} point" if amount == 1 else f"{shown} points"
