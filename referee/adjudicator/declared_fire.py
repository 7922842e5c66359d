"""Fire, launches and cloaking said in a log, judged in the order they were said."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any, Literal

from referee.adjudicator.capacitor import EnergyFacts, may_lend
from referee.adjudicator.cloak import Announcement, cloak_at, history_of, judge_announcement
from referee.core.combat import (
    NOT_KNOWN,
    CloakHistory,
    CloakState,
    Declaration,
    Fouled,
    LockAttempt,
    Moment,
    Paid,
    Shot,
    Unit,
)
from referee.core.energy import parse_energy
from referee.core.finding import Finding, NotChecked, Report, Severity
from referee.core.forked import Forked
from referee.core.frozen import frozen, replace
from referee.core.location import Location
from referee.core.play import When
from referee.core.ship import Mount, ShipClass
from referee.core.state import best_of_track
from referee.rulebooks.base import Rulebook

NOTHING = Fraction(0)
MOST_TURNS = 1000
"""A clock that leaps farther is not followed turn by turn."""
Energy = Mapping[str, Mapping[int, EnergyFacts]]
"""The facts of each ship's energy, by its name and the turn."""
Locks = Mapping[tuple[str, str, int], tuple[int, int]]
"""Rolls for lock-on: the step and the die of a ship on a target in a turn."""


@frozen
class Declared:
    """Fire or a launch declared by a ship: all that is known of firer and target as they stood then;
    `speaker` is the player who said it, `shield` the one he said it strikes."""

    firer: Unit
    target: Unit
    mounts: tuple[Mount, ...]
    when: When
    place: Location
    speaker: str = ""
    shield: int | None = None


@frozen
class Announced:
    """A ship's owner said that it cloaks or uncloaks."""

    ship: str
    order: Announcement
    when: When
    place: Location


def fouled_in(declaration: Declaration, report: Report) -> list[Fouled]:
    """The shots or launches of a step that are against a rule by a report on it, each with the first such rule."""
    against: dict[str, str] = {}
    for finding in report.findings:
        if finding.severity is Severity.ERROR:
            against.setdefault(finding.subject, finding.rule)
    return [
        Fouled(shot.firer.name, shot.weapon, shot.moment, rule)
        for shot in declaration.shots
        if shot.moment and (rule := against.get(f"{shot.firer.name} {shot.weapon}"))
    ]


class Battery(Forked):
    """The weapons of all ships while fire is judged: when each last fired, what is left in capacitors.

    `energy` has the facts of each ship's turns. A weapon that did not fire since `start` is known not to
    have fired before only where the log begins with the game. Without `cloaks` ships are as their units say.
    `locks` are what was rolled for lock-on. With `lends` charged batteries may feed phasers though nobody has said
    that they do.
    """

    def __init__(
        self,
        rulebook: Rulebook,
        energy: Energy,
        start: When,
        cloaks: Cloaks | None = None,
        locks: Locks | None = None,
        *,
        lends: bool = False,
    ) -> None:
        self.locks = locks or {}
        self.lends = lends
        self.rulebook = rulebook
        self.energy = energy
        self.start = start
        self.cloaks = cloaks
        self.fired: dict[tuple[str, str], Moment] = {}
        self.spent: dict[tuple[str, int | None], Fraction] = {}
        self.fouled: list[Fouled] = []

    def declaration(self, row: Iterable[Declared]) -> Declaration:
        """One impulse's fire; from then on it has happened."""
        row = tuple(row)
        shots = [self.shot(declared, mount) for declared in row for mount in declared.mounts]
        firers = {declared.firer.name: declared.when.turn for declared in row}
        left = {
            name: charge - self.spent.get((name, turn), NOTHING)
            for name, turn in firers.items()
            if (charge := self._charge(name, turn)) is not None
        }
        capacitors = tuple((name, max(charge, Fraction(0))) for name, charge in left.items())
        # What was fired beyond the capacitor before came out of the batteries.
        batteries = tuple(
            (name, max(self._may_lend(name, firers[name]) + min(charge, Fraction(0)), Fraction(0)))
            for name, charge in left.items()
        )
        weapons = self.rulebook.table("weapons")["weapons"]
        for shot in shots:
            if shot.moment:
                self.fired[shot.firer.name, shot.weapon] = shot.moment
            if weapons[shot.type].get("system") == "phaser":
                key = shot.firer.name, shot.turn
                points = parse_energy(weapons[shot.type]["energy"])
                self.spent[key] = self.spent[key] + points if key in self.spent else points
        return Declaration(tuple(shots), capacitors, fouled=tuple(self.fouled), batteries=batteries)

    def shot(self, declared: Declared, mount: Mount) -> Shot:
        """One weapon fired or launched, with what is known of its energy and of when it last fired."""
        given = self._energy(declared.firer.name, declared.when.turn)
        tubes, control = (given[0], given[2]) if given else ({}, NOT_KNOWN)
        firer, target = (
            replace(unit, cloak=self.cloaks.at(unit.name, declared.when)) if self.cloaks else unit
            for unit in (declared.firer, declared.target)
        )
        if mount.system == "shuttle":
            firer = self._at_speed(firer, declared.when.turn)
        return Shot(
            weapon=mount.id,
            type=mount.type,
            firer=firer,
            target=target,
            turn=declared.when.turn,
            impulse=declared.when.impulse,
            impulses=int(self.rulebook.option("impulses")),
            mount=mount,
            last_fired=self.last_fired(declared.firer.name, mount, declared.when),
            energy=tubes.get(mount.id, NOT_KNOWN),
            fire_control=control,
            lock_on=self._locked(declared, firer, target),
            shield=declared.shield,
            place=declared.place,
        )

    def _at_speed(self, unit: Unit, turn: int | None) -> Unit:
        """A ship whose state tells its speed by its form, where that is known."""
        known = self.energy.get(unit.name, {}).get(turn or 0)
        if known is None or unit.state is None:
            return unit
        speed = None if known.speed is None else Fraction(known.speed)
        return replace(unit, state=replace(unit.state, speed=speed))

    def _locked(self, declared: Declared, firer: Unit, target: Unit) -> bool | None:
        """Whether what was rolled for lock-on before the fire gives it; None where nothing was."""
        step, roll = self.locks.get((firer.name, target.name, declared.when.turn or 0), (0, 0))
        return (
            lock_on(self.rulebook, firer, target, roll)
            if roll and step < (declared.place.step or 0)
            else None
        )

    def last_fired(self, ship: str, mount: Mount, now: When) -> Moment | Literal["unknown"] | None:
        """When a weapon of a ship fired last: never, or nobody knows."""
        return self.fired.get((ship, mount.id)) or self._before(now)

    def _before(self, when: When) -> Literal["unknown"] | None:
        """When a weapon fired that did not fire in the log: never, or nobody knows."""
        turn, impulse = self.start.turn, self.start.impulse
        fresh = turn == 1 and impulse == 1
        later = turn is not None and when.turn is not None and when.turn > turn + 1
        return None if fresh or later else NOT_KNOWN

    def _energy(self, ship: str, turn: int | None) -> Any:
        known = self.energy.get(ship, {}).get(turn or 0)
        return self.rulebook.offers.fire_energy(known.facts) if known else None

    def _charge(self, ship: str, turn: int | None) -> Fraction | None:
        """What the capacitor held for the turn's fire; batteries used in the turn may have added to it, all but what
        no phaser they were ordered for takes."""
        known = self.energy.get(ship, {}).get(turn or 0)
        if known is None:
            return None
        charge: Fraction | None = self.rulebook.offers.fire_energy(known.facts)[1]
        lent: Fraction | None = known.facts.form.known(self.rulebook.lines.used_in_turn)
        unknown = charge is None or lent is None or (self.lends and may_lend(known) is None)
        return None if unknown else (charge or Fraction(0)) + (lent or Fraction(0)) - known.lost

    def _may_lend(self, ship: str, turn: int | None) -> Fraction:
        known = self.energy.get(ship, {}).get(turn or 0)
        return (may_lend(known) or Fraction(0)) if known is not None and self.lends else Fraction(0)


def lock_on(
    rulebook: Rulebook, firer: Unit, target: Unit, roll: int | None, fire_control: Paid = NOT_KNOWN
) -> bool | None:
    """Whether a roll, where there was one, gives a ship lock-on (D6.11); None where it is not known."""
    shown = firer.ship is not None and firer.state is not None
    rating = best_of_track(firer.ship, firer.state, "sensor") if shown else None  # type: ignore[arg-type]
    attempt = LockAttempt(rating, fire_control, target.cloak, roll)
    held: bool | None = rulebook.offers.lock_on(rulebook, attempt)
    return held


# -- cloaks ------------------------------------------------------------------------------


class Cloaks:
    """How far ships are hidden, by what they paid for and announced."""

    def __init__(
        self, rulebook: Rulebook, energy: Energy, announced: Iterable[Announced], start: When
    ) -> None:
        self._rulebook = rulebook
        self._fresh = start.turn == 1 and start.impulse == 1
        self._announced: dict[str, list[Announced]] = {}
        for announcement in announced:
            self._announced.setdefault(announcement.ship, []).append(announcement)
        line = rulebook.lines.cloak
        paid = {
            name: [turn for turn, known in turns.items() if known.facts.form.known(line)]
            for name, turns in energy.items()
        }
        cloaking = [name for name in {*paid, *self._announced} if name in self._announced or paid[name]]
        self._histories = {name: self._history(name, paid.get(name, ())) for name in cloaking}
        """What is known of the ships that cloak."""

    def _history(self, ship: str, paid: Iterable[int]) -> CloakHistory:
        announcements = [
            (_moment(announced.when), announced.order) for announced in self._announced.get(ship, ())
        ]
        return history_of(
            self._rulebook, ship, paid, ((moment, order) for moment, order in announcements if moment)
        )

    def at(self, ship: str, when: When) -> CloakState:
        """How far a ship is hidden at a moment; visible where nothing else is known."""
        history, moment = self._histories.get(ship), _moment(when)
        if history is None or moment is None or moment.turn > MOST_TURNS:
            return CloakState()
        return cloak_at(self._rulebook, history, moment)

    def judge(self, announced: Announced, energy: Energy) -> Report:
        """The findings on an announced fade or return (G13.0), and the facts about it that are not known."""
        rules = tuple(rule.key for rule in self._rulebook.rules_on("cloak order", "check"))
        moment, named = _moment(announced.when), self._rulebook.named
        if lacks := self._unknown(announced.ship, energy):
            return Report((), rules, (lacks,))
        if moment is None or moment.turn > MOST_TURNS:
            return Report(
                (), rules, (NotChecked(named.cloak, "when it was announced is not known", announced.ship),)
            )
        # Players say it again in chat: what counts is what was said before this impulse.
        known = self._histories[announced.ship]
        known = replace(known, announced=tuple(entry for entry in known.announced if entry[0] < moment))
        items = judge_announcement(
            self._rulebook, known, moment, announced.order, _class_of(energy[announced.ship])
        )
        findings = tuple(
            replace(item, location=announced.place) for item in items if isinstance(item, Finding)
        )
        return Report(findings, rules, tuple(item for item in items if isinstance(item, NotChecked)))

    def _unknown(self, ship: str, energy: Energy) -> NotChecked | None:
        if not energy.get(ship):
            return NotChecked(
                self._rulebook.named.cloak_paid, "whether its cloak was paid for is not known: no form", ship
            )
        for known in energy[ship].values():
            if why := known.facts.form.why_unknown(self._rulebook.lines.cloak):
                return NotChecked(
                    self._rulebook.named.cloak_paid,
                    f"whether its cloak was paid for is not known: {why}",
                    ship,
                )
        if not self._fresh:
            return NotChecked(
                self._rulebook.named.cloak, "whether it was cloaked when the log begins is not known", ship
            )
        return None


def _class_of(turns: Mapping[int, EnergyFacts]) -> ShipClass | None:
    return next((known.facts.ship for known in turns.values()), None)


def _moment(when: When) -> Moment | None:
    turn, impulse = when.turn, when.impulse
    return None if turn is None or impulse is None else Moment(turn, impulse)
