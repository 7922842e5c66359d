"""Fire and launches of a game record as they are judged: when they are ordered, and again when a form shows
what was a secret then."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, Literal

from referee.adjudicator.capacitor import EnergyFacts, phaser_energy
from referee.adjudicator.check import judge
from referee.adjudicator.declared_fire import Battery, Declared, fouled_in
from referee.adjudicator.fire import check_aimed, check_launches, check_shots
from referee.adjudicator.record_forms import energy_of, phasers_fired, without_form
from referee.adjudicator.record_shots import FIRST, aimed, charged, cloak_of, declared_in, locked, shots_by
from referee.core.account import Event
from referee.core.board import LoadShip
from referee.core.combat import Declaration, Fouled, Moment, Shot, Unit
from referee.core.errors import BadInput
from referee.core.finding import Finding, Report
from referee.core.forked import Forked
from referee.core.frozen import frozen, replace
from referee.core.game import FireOrdered, GameState
from referee.core.location import Location
from referee.core.play import When
from referee.core.ship import Mount
from referee.rulebooks.base import Rulebook

RANGE_SHOWN = "range shown"
"""What rules on fire at a ship whose form was sealed are about."""

_DECLARED_ANEW = "take the fire back and declare it once the ship stands there, or let it stand by a ruling"


@frozen
class Ordered:
    """Fire or a launch that was ordered in line `seq`, as it stood then, and what was said of it."""

    seq: int
    declared: Declared
    report: Report
    launched: tuple[tuple[str, str], ...] | None = None
    """Of a launch: what had been launched in the turn before it, by ship and mark."""
    aims: Sequence[Any] = ()
    """Of fire: its shots with all that the tables ask, as the ships stood then."""

    @property
    def turn(self) -> int:
        """When it was ordered."""
        return self.declared.when.turn or 0


@frozen
class PlainShot:
    """A shot against which the rules have nothing: its order, when its weapon fired `last`, how many hexes away its
    target is and what that is on the tables, and the shields it may strike."""

    order: FireOrdered
    declared: Declared
    last: Moment | None
    hexes: int
    reach: int
    facing: tuple[int, ...]

    @property
    def mount(self) -> Mount:
        """The weapon."""
        return self.declared.mounts[0]


class RecordFire(Forked):
    """The fire and launches of a record as they are judged, order by order. Its first `taken` lines tell what
    a file does that the game was taken from, from `start` on. Where it is not known in which step a thing is done, the
    fire of an impulse is judged `together`. What it judges `alone`, by the kind of order, nobody else
    knows: in a record that is nothing."""

    alone: Mapping[str, Callable[[Any, Event, Any], Any]] = {}

    def __init__(
        self,
        rulebook: Rulebook,
        load_ship: LoadShip,
        start: When = FIRST,
        taken: int = 0,
        *,
        together: bool = False,
    ) -> None:
        self.rulebook = rulebook
        self.load_ship = load_ship
        self._taken = taken
        self._together = together
        self._row: list[tuple[Declared, FireOrdered, GameState]] = []
        self._rows: list[Report] = []
        self._energy: dict[str, Mapping[int, EnergyFacts]] = {}
        self._battery = Battery(rulebook, self._energy, start, lends=True)
        self._ordered: list[Ordered] = []
        self.plain: dict[int, PlainShot] = {}
        """Shots that need not be judged by themselves, by their orders."""
        self._fouled: list[tuple[int, Fouled]] = []

    @classmethod
    def standing(
        cls, rulebook: Rulebook, load_ship: LoadShip, state: GameState, start: When = FIRST
    ) -> RecordFire:
        """Fire as a game has come to stand, to ask what may be ordered next. Which of the fire before was itself against
        a rule, only who judged it order by order can tell."""
        fire = cls(rulebook, load_ship, start)
        battery = fire._battery
        for ship in state.ships.values():
            battery.fired.update(((ship.name, mark), moment) for moment, mark in ship.fired)
            battery.spent[ship.name, state.turn] = fire._spent(ship.name, state.turn, state)
        for order in state.unrolled:
            mounts = [
                mount
                for mark in order.weapons
                if (mount := load_ship(state.ships[order.ship].state.ship).mount(mark)) is not None
            ]
            battery.fired.update(((order.ship, mount.id), order.moment) for mount in mounts)
            # Its turn may be over: the game was forced on without its dice.
            about = order.ship, order.moment.turn
            battery.spent.setdefault(about, fire._spent(*about, state))
            battery.spent[about] += phaser_energy(rulebook, mounts)
        return fire

    @property
    def last_fired(self) -> Declared:
        """The fire that was ordered last, of what is judged together."""
        return self._row[-1][0]

    @property
    def last_launched(self) -> Declared:
        """What was launched last."""
        return self._ordered[-1].declared

    @property
    def reports(self) -> list[Report]:
        """What was said of all fire, by what is known of it now."""
        return [*self._rows, *(ordered.report for ordered in self._ordered)]

    def order(self, seq: int, order: FireOrdered, state: GameState, place: Location) -> Report:
        """What the rules say of fire ordered now; where fire is judged together, once no more is told of the impulse."""
        declared = self._declared(order, state, place)
        self._energy[order.ship] = self._facts(order.ship, order.moment.turn, state)
        if self._together:
            self._row.append((declared, order, state))
            return Report()
        if seq > self._taken:
            about = order.ship, order.moment.turn
            self._battery.spent[about] = max(
                self._battery.spent.get(about, Fraction(0)), self._spent(*about, state)
            )
        shots = shots_by(self._battery, declared, order, state)
        paid = charged(shots.shots, state)
        shots_paid = shots if paid is shots.shots else replace(shots, shots=paid)
        step = self.rulebook.offers.fire_step(self.rulebook, shots_paid)
        report = check_aimed(self.rulebook, step)
        self._battery.fouled += fouled_in(shots, report)
        self._ordered.append(Ordered(seq, declared, report, aims=step.aims))
        return report

    def impulse_over(self) -> tuple[Finding, ...]:
        """What the rules say of the fire of an impulse, of which no more is told, taken together."""
        if not self._row:
            return ()
        row, self._row = self._row, []
        declaration = self._battery.declaration([declared for declared, _, _ in row])
        orders = [(order, state) for declared, order, state in row for _ in declared.mounts]
        aims = (
            aimed(self.rulebook, shot, order, state)
            for shot, (order, state) in zip(declaration.shots, orders, strict=True)
        )
        declaration = replace(declaration, shots=tuple(aims))
        report = check_shots(self.rulebook, declaration)
        self._battery.fouled += fouled_in(declaration, report)
        findings = (*report.findings, *self.rulebook.offers.shields_astray(self.rulebook, declaration))
        open_ = (*report.not_checked, *self.rulebook.offers.shields_untold(self.rulebook, declaration))
        self._rows.append(replace(report, findings=findings, not_checked=open_))
        return findings

    def end(self) -> tuple[Finding, ...]:
        """What the rules say of fire once no more is told."""
        return self.impulse_over()

    def take(self, event: Event) -> list[Finding]:
        """What the rules say of what is done `alone` here."""
        kind, done = next(iter(event.data.items()))
        return list(self.alone[kind](self, event, done))

    def launch(self, seq: int, order: FireOrdered, state: GameState, place: Location) -> Report:
        """What the rules say of a seeker launched now."""
        declared = self._declared(order, state, place)
        turn = order.moment.turn
        launched = tuple(
            (ship.name, mark)
            for ship in state.ships.values()
            for when, mark in ship.fired
            if when.turn == turn
        )
        battery = Battery(
            self.rulebook,
            {order.ship: self._facts(order.ship, turn, state)},
            self._battery.start,
            lends=True,
        )
        report = self._judged(battery, Ordered(seq, declared, Report(), launched), state)
        if report.findings:
            self._fouled += [(seq, finding) for finding in fouled_in(battery.declaration([declared]), report)]
        self._ordered.append(Ordered(seq, declared, report, launched))
        return report

    def ordered(self, seq: int) -> Ordered | None:
        """An order of fire or a launch, by its entry; None where none was."""
        if plain := self.plain.get(seq):
            return Ordered(seq, plain.declared, Report(), aims=self.step_of(plain).aims)
        return next((ordered for ordered in reversed(self._ordered) if ordered.seq == seq), None)

    # -- shots that are plain ------------------------------------------------------------

    def last_fired_by(self, ship: str, mount: Mount, now: When) -> Moment | Literal["unknown"] | None:
        """When a weapon fired last: never (None), or nobody knows."""
        return self._battery.last_fired(ship, mount, now)

    def pass_plain(self, shot: PlainShot, report: Report | None) -> None:
        """A shot has been fired against which there is nothing, with a `report` of it, if there is any."""
        self.plain[shot.order.seq] = shot
        self._battery.fired[shot.order.ship, shot.mount.id] = shot.order.moment
        if report is not None:
            self._ordered.append(Ordered(shot.order.seq, shot.declared, report))

    def step_of(self, shot: PlainShot) -> Any:
        """A plain shot with all that rules and tables ask of it."""
        battery = Battery(self.rulebook, {}, self._battery.start, lends=True)
        if shot.last is not None:
            battery.fired[shot.order.ship, shot.mount.id] = shot.last
        declaration = battery.declaration([shot.declared])
        if shot.order.shield is not None:
            aimed_at = tuple(
                replace(aimed_shot, shield=shot.order.shield) for aimed_shot in declaration.shots
            )
            declaration = replace(declaration, shots=aimed_at)
        return self.rulebook.offers.fire_step(self.rulebook, declaration)

    def breaks(self, order: FireOrdered, state: GameState) -> bool:
        """Would fire ordered in a state, after all that fired by then, be against a rule, or aimed at nothing?"""
        ship, turn = state.ships[order.ship], order.moment.turn
        shown = self.load_ship(ship.state.ship)
        battery = Battery(
            self.rulebook,
            {ship.name: self._facts(ship.name, turn, state)},
            self._battery.start,
            lends=True,
        )
        battery.fired = {(ship.name, mark): moment for moment, mark in ship.fired}
        waiting = (mark for each in state.unrolled if each.ship == ship.name for mark in each.weapons)
        mounts = (mount for mark in waiting if (mount := shown.mount(mark)) is not None)
        spent = self._spent(ship.name, turn, state) + phaser_energy(self.rulebook, mounts)
        battery.spent = {(ship.name, turn): spent}
        try:
            shots = shots_by(battery, self._declared(order, state, Location()), order, state)
        except BadInput:
            return True
        found = check_shots(self.rulebook, shots).findings
        return any(finding.severity == "error" for finding in found)

    def _declared(self, order: FireOrdered, state: GameState, place: Location) -> Declared:
        return declared_in(self.rulebook, self.load_ship, state, order, place)

    def _spent(self, ship: str, turn: int, state: GameState) -> Fraction:
        """What a ship's phasers have fired in a turn by the dice that fell, and by its form in a file."""
        found = state.ships[ship]
        return phasers_fired(self.rulebook, self.load_ship(found.state.ship), found, turn)

    def _facts(self, ship: str, turn: int, state: GameState) -> Mapping[int, EnergyFacts]:
        found = state.ships[ship]
        return energy_of(self.rulebook, self.load_ship(found.state.ship), found, turn)

    def stands_elsewhere(
        self, put: Mapping[str, Any], before: GameState, after: GameState
    ) -> Iterator[Finding]:
        """What is against fire whose dice have not fallen from where a ruling has put its ship or its target, and was not
        `before`: it is rolled from there."""
        for order in not_fallen(after) if put["to"] else ():
            if put["ship"] not in (order.ship, order.target):
                continue
            known = {(item.key, item.subject) for item in self._from(order, before).report.findings}
            ordered = self._from(order, after)
            self.plain.pop(order.seq, None)
            self._ordered = [each for each in self._ordered if each.seq != order.seq]
            self._ordered.append(ordered)
            for item in ordered.report.findings:
                if (item.key, item.subject) not in known:
                    message = f"{item.message}, since {put['ship']} stands at {put['to']}"
                    yield replace(item, message=message, fix=_DECLARED_ANEW)

    def _from(self, order: FireOrdered, state: GameState) -> Ordered:
        """Fire as it would be ordered in a state, whatever its weapons fired before."""
        declared, turn = self._declared(order, state, Location()), order.moment.turn
        energy = {order.ship: self._facts(order.ship, turn, state)}
        battery = Battery(self.rulebook, energy, FIRST, lends=True)
        battery.spent[order.ship, turn] = self._spent_before(Ordered(order.seq, declared, Report()))
        shots = shots_by(battery, declared, order, state)
        step = self.rulebook.offers.fire_step(
            self.rulebook, replace(shots, shots=charged(shots.shots, state))
        )
        return Ordered(order.seq, declared, check_aimed(self.rulebook, step), aims=step.aims)

    # -- when a form is shown ------------------------------------------------------------

    def shown(self, ship: str, turn: int, state: GameState) -> list[Finding]:
        """Findings on fire and launches that only a form shown now can give: on those of its ship in that turn, and
        on fire at the ship since, as its cloak then was."""
        hidden = without_form(state, ship, turn)
        found: list[Finding] = []
        for n, fire in enumerate(self._ordered):
            if fire.turn < turn or ship not in (fire.declared.firer.name, fire.declared.target.name):
                continue
            firer = fire.declared.firer.name
            # Arming goes on from turn to turn: a form tells of fire since, where that turn's form is shown.
            before_form = Battery(
                self.rulebook, {firer: self._facts(firer, fire.turn, hidden)}, FIRST, lends=True
            )
            after_form = Battery(
                self.rulebook, {firer: self._facts(firer, fire.turn, state)}, FIRST, lends=True
            )
            now = replace(fire, declared=self._by_form(fire.declared, ship, state))
            before, after = self._judged(before_form, fire, state), self._judged(after_form, now, state)
            self._ordered[n] = replace(now, report=_with_form(fire.report, before, after))
            known_before = {(item.key, item.subject) for item in before.findings}
            found += [item for item in after.findings if (item.key, item.subject) not in known_before]
            if fire.launched is None and _is_rolled(state, fire.seq):
                found += self._other_range(fire, now, state)
        return found

    def _by_form(self, declared: Declared, ship: str, state: GameState) -> Declared:
        """Fire with a ship as hidden as its forms now say it was."""

        def seen(unit: Unit) -> Unit:
            if unit.name != ship:
                return unit
            at = Moment(declared.when.turn or 0, declared.when.impulse or 0)
            return replace(unit, cloak=cloak_of(self.rulebook, state.ships[ship], at))

        return replace(declared, firer=seen(declared.firer), target=seen(declared.target))

    def _judged(self, battery: Battery, fire: Ordered, state: GameState) -> Report:
        firer, turn = fire.declared.firer.name, fire.declared.when.turn
        if battery.energy.get(firer):
            battery.spent[firer, turn] = self._spent_before(fire)
        declaration = battery.declaration([fire.declared])
        declaration = replace(declaration, shots=self._locked(declaration.shots, state))
        if fire.launched is None:
            return check_shots(self.rulebook, declaration)
        return check_launches(
            self.rulebook, replace(declaration, launched=fire.launched, fouled=self._before(fire))
        )

    def _spent_before(self, fire: Ordered) -> Fraction:
        """What a ship's phasers had fired in the turn before some fire of it."""
        about = fire.declared.firer.name, fire.turn
        rows = [
            earlier.declared.mounts
            for earlier in self._ordered
            if earlier.launched is None
            and earlier.seq < fire.seq
            and (earlier.declared.firer.name, earlier.turn) == about
        ]
        return sum((phaser_energy(self.rulebook, mounts) for mounts in rows), Fraction(0))

    def _before(self, fire: Ordered) -> tuple[Fouled, ...]:
        """What was launched against a rule before a launch."""
        return tuple(fouled for seq, fouled in self._fouled if seq < fire.seq)

    def _locked(self, shots: Iterable[Shot], state: GameState) -> tuple[Shot, ...]:
        return charged((locked(self.rulebook, shot, state) for shot in shots), state)

    def _other_range(self, fire: Ordered, now: Ordered, state: GameState) -> Iterator[Finding]:
        """What is against fire whose dice fell for another range than the form makes it."""
        rules = self.rulebook.rules_on(RANGE_SHOWN, "check")
        if not rules or fire.declared.target.cloak == now.declared.target.cloak:
            return
        for (shot, then), (_, by_form) in zip(
            self._reaches(fire, state), self._reaches(now, state), strict=True
        ):
            facts = self.rulebook.offers.range_shown(
                self.rulebook,
                firer=f"{shot.firer.name} {shot.weapon}",
                target=shot.target.name,
                entry=fire.seq,
                turn=shot.turn,
                impulse=shot.impulse,
                rolled=then,
                by_form=by_form,
            )
            for rule in rules:
                yield from (item for item in judge(rule, self.rulebook, facts) if isinstance(item, Finding))

    def _reaches(self, fire: Ordered, state: GameState) -> list[tuple[Shot, int | None]]:
        """The shots of some fire, each with its effective range."""
        shots = Battery(self.rulebook, {}, FIRST).declaration([fire.declared]).shots
        step = self.rulebook.offers.fire_step(self.rulebook, Declaration(self._locked(shots, state)))
        return [(aim.shot, aim.effective_range) for aim in step.aims]


def _with_form(report: Report, before: Report, after: Report) -> Report:
    """A report of fire with what is not checked of it as it stands once the form is shown."""
    kept = [item for item in report.not_checked if item not in before.not_checked]
    return replace(report, not_checked=(*kept, *after.not_checked))


def not_fallen(state: GameState) -> Iterator[FireOrdered]:
    """The fire whose dice have not fallen: of which none are declared, or those that are asked for."""
    for order in state.fire:
        roll = None if order.roll is None else state.rolls.get(order.roll)
        if order.roll is None or (roll is not None and roll.status == "declared"):
            yield order


def _is_rolled(state: GameState, seq: int) -> bool:
    """Have the dice of fire fallen in the record?"""
    order = next((order for order in state.fire if order.seq == seq), None)
    roll = None if order is None or order.roll is None else state.rolls.get(order.roll)
    return roll is not None and roll.status in ("rolled", "forfeit")
