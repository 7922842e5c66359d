"""A combat being played: the state so far, its log, the dice, and the answers players give."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from referee.core.dice import Dice
from referee.core.errors import AnswerAwaited
from referee.core.finding import Finding, NotChecked, Severity
from referee.core.location import Location
from referee.rulebooks.base import Rulebook
from referee.rulebooks.trek import events as e
from referee.rulebooks.trek.charts import Charts
from referee.rulebooks.trek.sensing import who_knows
from referee.rulebooks.trek.sequence import casualty_penalty, skill_roll
from referee.rulebooks.trek.state import CombatState, Vessel, apply

Audience = tuple[str, ...]
EVERYBODY: Audience = ()


@dataclass(frozen=True, slots=True)
class LogLine:
    """One line of the log: what happened, when, by which rule, and the sides that are told."""

    n: int
    turn: int
    round: int
    rule: str
    audience: Audience
    event: e.TrekEvent


@dataclass
class Play:
    """A combat in play. Everything that happens goes through `emit`."""

    rulebook: Rulebook
    charts: Charts
    dice: Dice
    state: CombatState
    log: list[LogLine] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    checked: dict[str, None] = field(default_factory=dict)
    not_checked: list[NotChecked] = field(default_factory=list)
    replies: dict[str, list[Mapping[str, Any]]] = field(default_factory=dict)
    asking: bool = False
    """Are choices asked for that were not answered beforehand? Else the usual one is taken."""

    def vessel(self, name: str) -> Vessel:
        """A ship as it is now."""
        return self.state.vessels[name]

    def option(self, name: str) -> str:
        """The value of an option in force."""
        return self.rulebook.option(name)

    def allows(self, name: str) -> bool:
        """Is a true-or-false option on?"""
        return self.rulebook.allows(name)

    def plays(self, rule: int) -> bool:
        """Is a rule in force, or did a house file switch it off?"""
        return f"{self.rulebook.id}-{rule}" in self.rulebook.rules

    def emit(self, rule: int, event: e.TrekEvent, audience: Audience = EVERYBODY) -> None:
        """Something happens, by a rule, and some sides are told (all, if none are named)."""
        self.state = apply(self.state, event)
        entry = LogLine(
            len(self.log) + 1,
            self.state.turn,
            self.state.round,
            f"{self.rulebook.id}-{rule}",
            tuple(sorted(set(audience))),
            event,
        )
        self.log.append(entry)

    def own(self, name: str) -> Audience:
        """Only a ship's own side."""
        return (self.vessel(name).side,)

    def seeing(self, name: str) -> Audience:
        """Who sees where a ship is: all, or of a cloaked one its side and those with a lock on it."""
        vessel = self.vessel(name)
        lockers = [locker.side for locker in self.state.lockers(name)]
        return tuple(who_knows(self.charts, vessel.side, lockers, vessel.cloaked)) or EVERYBODY

    # -- dice --------------------------------------------------------------------------------

    def d10(self, rule: int, ship: str, what: str) -> int:
        """A D10, told to the ship's own side."""
        sides = self.charts.n("table_die")
        return self.die(rule, ship, what, sides)

    def die(self, rule: int, ship: str, what: str, sides: int) -> int:
        """Any die, told to the ship's own side."""
        roll = self._roll(ship, what, sides)
        self.emit(rule, e.Rolled(ship, what, sides, roll), self.own(ship))
        return roll

    def _roll(self, ship: str, what: str, sides: int) -> int:
        """One die. Whoever types dice in by hand is told what it is for."""
        if tell := getattr(self.dice, "is_for", None):
            tell(f"{ship}: {what}")
        return self.dice.roll(1, sides)

    def skill(self, rule: int, ship: str, skill: str, *, modifier: int = 0, penalty: bool = False) -> bool:
        """A skill roll, with the casualty penalty where the rule says so."""
        return self.skill_roll(rule, ship, skill, modifier=modifier, penalty=penalty)[0]

    def skill_roll(
        self, rule: int, ship: str, skill: str, *, modifier: int = 0, penalty: bool = False
    ) -> tuple[bool, int]:
        """A skill roll and its die."""
        vessel, sides = self.vessel(ship), self.charts.n("skill_die")
        score = vessel.crew.skill(skill)
        casualties = casualty_penalty(self.charts, vessel.casualties, sides) if penalty else 0
        roll = self._roll(ship, self.charts.skills[skill], sides)
        success = skill_roll(self.charts, score, roll, modifier, casualties)
        needed = score + modifier - casualties
        self.emit(
            rule, e.Rolled(ship, self.charts.skills[skill], sides, roll, needed, success), self.own(ship)
        )
        return success, roll

    # -- power -------------------------------------------------------------------------------

    def spend(self, rule: int, ship: str, points: Fraction | int, on: str) -> None:
        """Power used, which its own side is told."""
        if points:
            self.emit(rule, e.PowerSpent(ship, Fraction(points), on), self.own(ship))

    def paid_cloak(self, ship: str) -> bool:
        """Was power spent on a cloak this turn?"""
        for entry in reversed(self.log):
            if entry.turn != self.state.turn:
                return False
            if isinstance(entry.event, e.PowerSpent) and (entry.event.ship, entry.event.on) == (
                ship,
                "cloak",
            ):
                return True
        return False

    # -- answers -----------------------------------------------------------------------------

    def reply(self, ship: str, kind: str) -> Any:
        """The next answer a ship's player gave for this kind of question; None if none was given."""
        waiting = self.replies.get(ship, [])
        for index, reply in enumerate(waiting):
            if kind in reply:
                del waiting[index]
                return reply[kind]
        return None

    def asked(self, ship: str, kind: str, question: str, answers: str) -> Any:
        """The same, of what is to be chosen now that the damage is known. Raises AnswerAwaited where no answer
        was given and the choice is asked for."""
        if self.asking and not any(kind in reply for reply in self.replies.get(ship, ())):
            raise AnswerAwaited(ship, question, f'"{ship} answers: {kind} {answers}"')
        return self.reply(ship, kind)

    # -- findings ----------------------------------------------------------------------------

    def judge(self, on: str, facts: Any, subject: str = "") -> Sequence[Finding]:
        """What the checks on something find; kept, and given back."""
        found = []
        for rule in self.rulebook.rules_on(on, "check"):
            self.checked[rule.key] = None
            for item in rule.decide(facts):
                signed = rule.signed(item, self.rulebook.chain)
                if isinstance(signed, NotChecked):
                    self.not_checked.append(signed)
                else:
                    found.append(signed)
        self.findings += found
        return found

    def warn(self, rule: int, subject: str, message: str, place: Location | None = None) -> None:
        """A warning that comes up in play."""
        self.findings.append(
            Finding(
                f"{self.rulebook.id}-{rule}",
                Severity.WARNING,
                message,
                subject,
                self.state.turn or None,
                self.state.round or None,
                place or Location(),
            )
        )
