"""A game on the table: every event of its account judged as it comes, then folded into the state.

The same table judges what a player orders now, what a record holds already, and what any other source tells.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from referee.adjudicator.beside_orders import BesideOrders
from referee.adjudicator.capacitor import battery_order
from referee.adjudicator.check import judge, timed
from referee.adjudicator.doubt import all_as_sure, but_for_gaps
from referee.adjudicator.fire_seen import fire_of
from referee.adjudicator.movement_seen import course_of
from referee.adjudicator.movement_told import ToldCourse
from referee.adjudicator.record_forms import beyond, energy_of, speed_paid, without_form
from referee.adjudicator.record_movement import movers_known, speed_counted
from referee.adjudicator.record_shots import cloak_announced
from referee.adjudicator.setup import judge_set_up, judge_shots, judge_speed, scenario_of
from referee.core.account import BESIDE_ORDERS, FORMS, NOWHERE, Account, Event
from referee.core.board import LoadShip
from referee.core.combat import Moment
from referee.core.errors import IntegrityFailure, RefereeError
from referee.core.finding import SURE, Finding, NotChecked, Perhaps, Report, merge_reports
from referee.core.forked import Forked
from referee.core.game import (
    LOCK_ON,
    FireOrdered,
    GameState,
    are_opponents,
)
from referee.core.location import Location
from referee.core.once import once
from referee.core.orders import ReadOrders, not_read
from referee.core.takenover import is_taken, untold_of
from referee.core.toldfold import Before, TakenFold, ToldFold, fold_of
from referee.rulebooks.base import Rulebook

if TYPE_CHECKING:
    from referee.adjudicator.record_seals import SealedOrders
    from referee.adjudicator.told_volleys import ToldVolleys
    from referee.adjudicator.unresolved import Unresolved
    from referee.adjudicator.volleys_before_form import SecretVolleys

Data = Mapping[str, Any]
STATED_BEFORE = Perhaps("it may have been stated at a table before the players used the record")


class GameTable(Forked):
    """A game on the table; `read` reads sealed orders that are shown, `before` looks at it. Raises as `fold_game`."""

    def __init__(
        self,
        rulebook: Rulebook,
        load_ship: LoadShip,
        account: Account,
        read: ReadOrders = not_read,
        course: Any = None,
        before: Before | None = None,
    ) -> None:
        self.rulebook = rulebook
        self.load_ship = load_ship
        self.file = account.file
        self.coverage = account.coverage
        self.genesis = account.genesis
        self._kept = account.kept
        self._untimed = bool(self.coverage.steps) and not account.kept
        self.course = course or course_of(rulebook, load_ship, account)
        self.scenario = scenario_of(self.genesis) if "scenario" in self.genesis else None
        self.fire = fire_of(rulebook, load_ship, account)
        self._read = read
        self.beside = BesideOrders(rulebook, self.fire, account)
        self._shown_of: set[tuple[str, int]] = set()
        self.without_agreement: tuple[str, ...] = ()
        """The players from whom the last entry taken takes what is theirs to do, and who have not agreed to it."""
        self.passed_over: list[tuple[Event, tuple[str, ...]]] = []  # All entries that do so.
        self._excess: set[str] = set()  # The drones beyond what sensors control: each is reported once.
        self.found: list[tuple[Event, Finding]] = []
        self.left_open: list[NotChecked] = []
        """What is not held against anybody, since the event it rests on could not be read."""
        self.lapsed: list[tuple[Event, Finding]] = []  # Wrong as an entry came, and no more by what followed.
        self._checked: dict[str, None] = {}
        self._unpaid: set[str] = set()
        self._moved: dict[str, Event] = {}  # The last move of each ship that the game does not know of yet.
        self._void = False  # Does the event at hand leave the game as it is, or was it folded otherwise?
        self.fold = self._fold = fold_of(account, load_ship)
        self.unresolved: Unresolved | None = None  # What can be followed where the source tells no dice.
        if isinstance(self._fold, ToldFold) and self.coverage.dice:
            from referee.adjudicator.unresolved import Unresolved  # only for sources without dice

            track, tell = self.course.track, self._inferred
            self.unresolved = Unresolved(rulebook, load_ship, self._fold, track, tell, self.coverage)
            track.ships_moved = self._ships_moved
        self.remarks = account.remarks
        if account.kept:
            self._take_all(account, before)
            return
        for entry in self.course.to_take(account.events[1:]):
            self.found += [(entry, finding) for finding in self.take(entry)]
        self._end(account)

    def _take_all(self, account: Account, before: Before | None) -> None:
        """Every entry of a record; nobody waits for a ship of which it is known that it never moves."""
        elsewhere, track = bool(self.coverage.steps), self.course.track
        movers = movers_known(account.events, self._fold.taken_back, to_end=elsewhere)
        self.course.only(lambda: movers(self.moment[:2]))
        for entry in self._one_by_one(account):
            if before is not None:
                before(entry, self._fold)
            lapsed = len(track.lapsed)
            self.found += [(entry, finding) for finding in self._taken(entry)]
            self.lapsed += [(entry, finding) for finding in track.lapsed[lapsed:]]
        self.course.only(None)

    def _one_by_one(self, account: Account) -> Iterator[Event]:
        """The events to be judged, but for the first; what is plain in a file is carried out without them."""
        if self.scenario is not None or not isinstance(self._fold, TakenFold):
            return iter(account.events[1:])
        from referee.adjudicator.plain_play import others  # Only for a game that was played elsewhere.

        return others(self.rulebook, self.course, self.fire, self.beside.stated, self._fold, account.events)

    def _taken(self, entry: Event) -> list[Finding]:
        """What is found of an event there is already. Raises as `take`, with the event's place in its row."""
        try:
            return self.take(entry)
        except RefereeError as error:
            raise error.at(place=f"line {entry.seq + 1}") from None

    @once
    def volleys(self) -> SecretVolleys:
        """The volleys that are rolled before the form of their ship is shown."""
        from referee.adjudicator.volleys_before_form import SecretVolleys  # A log shows all its forms.

        return SecretVolleys(self.rulebook, self.load_ship)

    @once
    def told_volleys(self) -> ToldVolleys:
        """The volleys that players tell of themselves."""
        from referee.adjudicator.told_volleys import ToldVolleys  # Only a record holds what is told so.

        return ToldVolleys(self.rulebook)

    @once
    def seals(self) -> SealedOrders:
        """The sealed orders of the game."""
        from referee.adjudicator.record_seals import SealedOrders  # Only a record seals orders.

        return SealedOrders(self.rulebook, self.load_ship, self._read, self.fire.breaks)

    @property
    def moment(self) -> tuple[int, int | None, str]:
        """Turn, impulse and step."""
        return self._fold.moment

    @property
    def state(self) -> GameState:
        """The game now."""
        self._stand()
        return self._fold.state

    def _moves(self, entry: Event) -> list[Finding]:
        """Where no steps are told the course alone moves the ships, and sets their speeds."""
        found = self.course.take(entry)
        if stated := entry.data.get("move"):
            self._moved[stated["ship"]] = entry
        elif self.coverage.energy:
            self._taken_as_paid(entry.data["speed"]["ship"])
        elif (stated := entry.data.get("speed")) and self.moment[0] in self.state.ships[stated["ship"]].forms:
            found = [*found, *self._on_speed(stated["ship"], self.moment[0], stated["speed"], self.state)]
        return self._placed(entry, found) if found else []

    def _stand(self) -> None:
        """The ships stand where the course has moved them, if it alone does; the game knows their last moves."""
        if isinstance(self._fold, ToldFold):
            self._fold.place(self.course.track.units)
            for name, entry in self._moved.items():
                self._fold.note(name, entry)
            self._moved.clear()

    def report(self) -> Report:
        """What was found in the entries, the rules of play that were asked, and those that could not be."""
        passed, _ = all_as_sure(self.seals.passed(self.state), STATED_BEFORE)
        seals = self.seals.report(self.state, self.course.made)
        findings = [*self.remarks, *(finding for _, finding in self.found)]
        findings += [
            replace(finding, location=Location(self.file).within(record_line=finding.location.record_line))
            for finding in (*seals.findings, *passed)
        ]
        by_word = self.told_volleys.report(self.state)
        findings += by_word.findings
        followed = [] if self.unresolved is None else list(self.unresolved.reports())
        findings += [finding for report in followed for finding in report.findings]
        controls = self.unresolved is None and any("launch" in data for _, data in self.state.orders)
        checked = (self.rulebook.named.controlled,) if controls else tuple(self._checked)
        reports = [
            self.course.report(),
            *self.fire.reports,
            self.beside.report(),
            seals,
            by_word,
            Report(checked=checked, not_checked=(*self._untold(), *self.left_open)),
            *followed,
        ]
        merged = replace(merge_reports(reports), findings=tuple(findings), rulebook=self.rulebook.id)
        return self.as_sure(merged)

    def as_sure(self, report: Report) -> Report:
        """What was found of the game, each finding as sure as what it rests on is told."""
        gaps = self.beside.gaps
        return but_for_gaps(report, self.rulebook, gaps) if gaps else report

    def if_it_ends(self, doubt: Perhaps) -> list[Finding]:
        """What is against moves of the last impulse if the ships that have not moved in it do so later."""
        last = self.moment[:2]
        lapsed = ((entry, found) for entry, found in self.lapsed if (found.turn, found.impulse) == last)
        return all_as_sure((replace(found, location=entry.at) for entry, found in lapsed), doubt)[0]

    def _untold(self) -> Iterator[NotChecked]:
        """What is not known of the turn in whose midst the game was taken from a file."""
        if gap := untold_of(self.genesis):
            counted = "what its forms say was fired, and what came after, is counted"
            yield NotChecked(self.rulebook.named.declared_once, f"{gap}: {counted}")

    def add(self, kind: str, data: Data) -> list[Finding]:
        """What the rules say against an entry that comes next; it is taken all the same."""
        seq = self._fold.lines
        return self.take(Event(seq, kind, data, at=Location(self.file, record_line=seq + 1)))

    def take(self, entry: Event) -> list[Finding]:
        """What the rules of play say against an event, which is then folded."""
        self.without_agreement = ()
        if entry.type in BESIDE_ORDERS:
            found = self.beside.take(entry, lambda: self.state)
            return found if entry.type in FORMS else self._placed(entry, found)
        if self.unresolved is not None and (late := self.unresolved.of_the_dead(entry)):
            return late
        if entry.type == "order" and not self.course.alone.isdisjoint(entry.data):
            return self._moves(entry)
        if entry.type == "order" and not self.fire.alone.keys().isdisjoint(entry.data):
            return self._placed(entry, self.fire.take(entry))
        if self._kept and entry.seq in self._fold.taken_back:
            self._fold.take(entry)
            counts = entry.type == "reveal" and self._is_on_board(entry.data["seal"])
            return self._placed(entry, self._shown(entry) if counts else [])
        found = self.course.take(entry)
        for kind in entry.data if entry.type == "order" else ():
            if kind in _ASKS and (kind != "move" or self._is_bound(entry.data[kind]["ship"])):
                found = [*found, *_ASKS[kind](self, entry, entry.data[kind], self.state)]
        if entry.type == "declare" and entry.data.get("purpose") == LOCK_ON:
            found = [*found, *self._timed("lock-on", entry.data["ship"])]
        if entry.type == "step" and self._untimed:
            found = [*found, *self.fire.impulse_over()]
        elif entry.type == "step":
            found = [*self._step(entry), *found]
            self._hold_to_agreement(entry, found)
        if entry.type == "events" and entry.data.get("rolls"):
            self.volleys.take(entry, self.state)
        if entry.type in ("ship", "drone") and self.scenario is not None:
            found = [*found, *judge_set_up(self.scenario, entry)]
        put = entry.data.get("place") if entry.type == "ruling" else None
        stood = self.state if put else None
        if not self._void:
            self._fold.take(entry)
        self._void = False
        if put and stood is not None:
            found = [*found, *self.fire.stands_elsewhere(put, stood, self.state)]
        if entry.type in ("form", "reveal"):
            found = [*found, *self._shown(entry)]
        return self._placed(entry, [*found, *self._followed()])

    def _followed(self) -> list[Finding]:
        """What was found meanwhile of what is followed without dice."""
        return [] if self.unresolved is None else self.unresolved.found()

    def _inferred(self, kind: str, data: Data) -> None:
        """What the account does not tell, and must have happened by what it does."""
        assert isinstance(self._fold, ToldFold)
        self._fold.infer(Event(self._fold.lines, kind, data))

    def _ships_moved(self, place: Location) -> None:
        """Ships have moved in an impulse, or the source is silent on it: seekers move that no order moves."""
        track = self.course.track
        if self.unresolved is None or not self.unresolved.seekers.flying:
            return
        if (track.turn, track.impulse) != self.moment[:2]:
            self._inferred("step", {"turn": track.turn, "impulse": track.impulse})
        self._stand()
        self.unresolved.seekers.fly(place)

    def _end(self, account: Account) -> None:
        """The account is over. Who did not move in its last impulse may yet do so."""
        assert isinstance(self.course, ToldCourse)
        ends = Event(self._fold.lines, "end", {}, at=account.end)
        sure, perhaps = self.course.end(account.end, goes_on=account.goes_on)
        sure = [*sure, *self.fire.end(), *self._followed()]
        self.found += [(ends, finding) for finding in self._placed(ends, sure)]
        doubt = replace(ends, sure=Perhaps("it may yet: the last recorded impulse may go on"))
        self.found += [(ends, finding) for finding in self._placed(doubt, perhaps)]

    def _placed(self, event: Event, found: Sequence[Finding]) -> list[Finding]:
        """Findings as sure as the event they rest on; in a record at its line, else where they have no other place."""
        if not found:
            return []
        placed = [
            replace(finding, location=event.at) if self._kept or finding.location == NOWHERE else finding
            for finding in found
        ]
        if event.sure is SURE:
            return placed
        placed, left_open = all_as_sure(placed, event.sure)
        self.left_open += left_open
        return placed

    def _is_on_board(self, seal: str) -> bool:
        """Does a seal count, that is: was it made at a time that was not taken back?"""
        return self.state.seals.get(seal) is not None

    def _step(self, entry: Event) -> list[Finding]:
        """What is against moving on: steps passed over, forms that others owe, orders not carried out."""
        data = entry.data
        to = (data["turn"], data.get("impulse"), data.get("step", ""))
        if not self.moment[0] or is_taken(self.genesis, entry.seq):
            return []
        from referee.adjudicator.progress import moving_on  # A log, which has no steps, does without it.

        state = self.state
        return [*moving_on(self.rulebook, self.load_ship, state, to), *self.seals.leaving(state, to)]

    def _hold_to_agreement(self, entry: Event, found: Iterable[Finding]) -> None:
        """Where several players keep the record, nobody alone goes on past what is another's to do: a move that is
        called, a form, fire. He agrees to it, or the umpire does; a foul of one's own does not excuse it."""
        if not are_opponents(self.genesis) or is_taken(self.genesis, entry.seq):
            return
        from referee.adjudicator.waiting_for import not_agreed  # Only a record's players agree to a step.

        if missing := not_agreed(self.state, entry.data, found, self.rulebook.named.steps_in_order):
            self.without_agreement = missing
            self.passed_over.append((entry, missing))

    def _timed(self, kind: str, subject: str) -> list[Finding]:
        """What is against doing something in the step the game stands in; where no steps are told, the course asks in
        which order things are."""
        return [] if self._untimed else timed(self.rulebook, self.moment, kind, subject, None)

    def _fire(self, entry: Event, fire: Data, state: GameState) -> list[Finding]:
        if self.unresolved is not None and (lacks := self.unresolved.lacks(fire, state)):
            self._void = True
            self.unresolved.open(self.rulebook.named.fire, lacks, fire["ship"])
            return []
        moment = Moment(state.turn, state.impulse or 0)
        weapons = tuple(fire["weapons"])
        order = FireOrdered(entry.seq, fire["ship"], weapons, fire["target"], moment, fire.get("shield"))
        report = self.fire.order(entry.seq, order, state, entry.at)
        if self.unresolved is not None:
            self.unresolved.fired(self.fire.last_fired)
        terms: Iterable[Finding] = ()
        if self.scenario is not None:
            shown = self.load_ship(state.ships[order.ship].state.ship)
            types = {mount.id: mount.type for mount in shown.mounts}
            terms = judge_shots(self.rulebook, self.scenario, state, order, types)
        return [*self._timed("fire", fire["ship"]), *report.findings, *terms, *self.seals.fired(order, state)]

    def _is_bound(self, ship: str) -> bool:
        """Was a form or were sealed orders of a ship shown for this turn? Else nothing is against its moves here."""
        return (ship, self.moment[0]) in self._shown_of

    def _move(self, entry: Event, stated: Data, state: GameState) -> list[Finding]:
        """Against what was sealed, and by a ship that said no speed against the form it has shown."""
        ship = state.ships[stated["ship"]]
        quiet = state.turn not in ship.speeds and state.turn in ship.forms
        found = []
        if quiet and ship.unit.speed is not None:
            found = self._on_speed(ship.name, state.turn, int(ship.unit.speed), state)
        return [*found, *self.seals.moved(ship.name, stated["way"], state)]

    def _launch(self, entry: Event, stated: Data, state: GameState) -> list[Finding]:
        moment = Moment(state.turn, state.impulse or 0)
        order = FireOrdered(entry.seq, stated["ship"], (stated["weapon"],), stated["target"], moment)
        if self.unresolved is not None:
            return self._launch_followed(entry, stated, order, state)
        from referee.adjudicator.record_seekers import too_many_controlled  # A log's fire takes its launches.

        report = self.fire.launch(entry.seq, order, state, entry.at)
        controlled = too_many_controlled(self.rulebook, self.load_ship, state, stated, self._excess)
        self._excess |= {str(stated.get("name", ""))} if controlled else set()
        return [*self._timed("launch", stated["ship"]), *report.findings, *controlled]

    def _launch_followed(
        self, entry: Event, stated: Data, order: FireOrdered, state: GameState
    ) -> list[Finding]:
        """A launch of which it is not known where the seeker goes: it is followed as far as it can be."""
        assert self.unresolved is not None
        self._void = True
        found: tuple[Finding, ...] = ()
        mount = None
        if lacks := self.unresolved.lacks(stated, state):
            self.unresolved.open(self.rulebook.named.fire, lacks, order.ship)
        else:
            found = self.fire.launch(entry.seq, order, state, entry.at).findings
            self.unresolved.launched(self.fire.last_launched, stated)
        if name := state.ships[order.ship].state.ship:
            mount = self.load_ship(name).mount(stated["weapon"])
        if self.unresolved.seekers.launched(stated, mount, state):
            from referee.adjudicator.record_seekers import launch_facing

            facing = launch_facing(state, order.ship, order.target)
            self._fold.take(replace(entry, data={**entry.data, "launch": {**stated, "facing": facing}}))
        elif mount is not None and not lacks:
            fired = {"ship": order.ship, "event": "weapon_fired", "weapon": mount.id}
            self._inferred("events", {"events": [fired]})
        return list(found)

    def _hit(self, entry: Event, stated: Data, state: GameState) -> list[Finding]:
        """Damage said of a ship, where dice are not told."""
        self._void = True
        if self.unresolved is not None:
            name = state.ships[stated["ship"]].state.ship
            self.unresolved.hit(stated, self.load_ship(name) if name else None, entry.at)
        return []

    def _scored(self, entry: Event, stated: Data, state: GameState) -> list[Finding]:
        """Points said to be scored on a seeker."""
        self._void = True
        if self.unresolved is not None and self.unresolved.seekers.known(stated["name"], entry.at):
            self.unresolved.scored(stated, entry.at)
            self.unresolved.seekers.scored(stated, entry.at)
        return []

    def _lock(self, entry: Event, stated: Data, state: GameState) -> list[Finding]:
        self._void = True
        if self.unresolved is not None:
            self.unresolved.tries(stated["ship"])
        return []

    def _cloak(self, entry: Event, stated: Data, state: GameState) -> list[Finding]:
        ship = state.ships[stated["ship"]]
        if self.unresolved is not None:
            self.unresolved.cloaks(ship.name)
        if state.impulse is None:  # The fold of a record has none such.
            self._void = True
            self.left_open.append(
                NotChecked(self.rulebook.named.cloak, "when it was announced is not known", ship.name)
            )
            return []
        now = Moment(state.turn, state.impulse)
        found = cloak_announced(self.rulebook, self.load_ship, ship, (now, stated["to"]), ship.announced)
        if ship.formless:
            lacks = "whether its cloak was paid for is not known: no form"
            self.left_open.append(NotChecked(self.rulebook.named.cloak_paid, lacks, ship.name))
            # A ship without a device does not fade, whatever it says.
            self._void = bool(ship.state.ship) and self.load_ship(ship.state.ship).cloak_cost is None
        return [*self._timed("cloak", ship.name), *found]

    def _battery(self, entry: Event, stated: Data, state: GameState) -> list[Finding]:
        points, weapons = Fraction(stated["points"]), tuple(stated["weapons"])
        return self._fed(stated["ship"], (state.turn, state.impulse), points, weapons, state)

    def _fed(
        self,
        name: str,
        when: tuple[int, int | None],
        points: Fraction,
        weapons: tuple[str, ...],
        state: GameState,
    ) -> list[Finding]:
        """What is against points of batteries ordered for weapons; `state` is the game before they were."""
        ship, turn = state.ships[name], when[0]
        shown = self.load_ship(ship.state.ship) if ship.state.ship else None
        known = energy_of(self.rulebook, shown, ship, turn).get(turn) if shown else None
        charged = None if known is None else known.facts.batteries_known_left
        left = None if charged is None else charged - ship.fed_in(turn)
        order = battery_order(self.rulebook, shown, name, when, points, weapons, left)
        if ship.formless and order.boxes is not None:
            # Those ordered before in the turn are gone.
            order = replace(order, boxes=max(Fraction(0), order.boxes - ship.fed_in(turn)))
        return self._by("battery order", self.rulebook.offers.battery_order(self.rulebook, order))

    def _volley(self, entry: Event, stated: Data, state: GameState) -> list[Finding]:
        """Players may fire on a table and tell the record what struck: then nothing in it bears that out."""
        return self.told_volleys.take(entry, state)

    def _seeker(self, entry: Event, stated: Data, state: GameState) -> list[Finding]:
        if self.unresolved is not None:
            self._void = True
            self.unresolved.seekers.moves(stated, entry.at)
            return []
        from referee.adjudicator.record_seekers import judge_move  # No seeker of a log is moved by an order.

        found = judge_move(self.rulebook, state, stated["name"], stated["way"])
        return [*self._timed("seekers' movement", stated["name"]), *found]

    def _strike(self, entry: Event, stated: Data, state: GameState) -> list[Finding]:
        from referee.adjudicator.record_seekers import judge_strike, leaving_with_ships

        if dict(stated) == leaving_with_ships(self.rulebook, state):
            return []
        found = judge_strike(self.rulebook, self.load_ship, state, stated)
        if found is None:
            place = f"line {entry.seq + 1}"
            raise IntegrityFailure("not what the seekers do by the rules", file=self.file, place=place)
        return [*self._timed("seekers' strike", ""), *found]

    def _speed(self, entry: Event, data: Data, state: GameState) -> list[Finding]:
        found = self._on_speed(data["ship"], state.turn, data["speed"], state)
        if self.scenario is None:
            return found
        return [*found, *judge_speed(self.rulebook, self.scenario, data["ship"], state.turn, data["speed"])]

    def _taken_as_paid(self, name: str) -> None:
        """A speed is said, and no form tells what was paid for it."""
        if name not in self._unpaid:
            self._unpaid.add(name)
            lacks = f"whether its speed is paid for is not known: {self.coverage.energy}"
            rules = self.rulebook.rules_on("speed said", "check")
            self.left_open += [NotChecked(rule.key, lacks, name) for rule in rules]

    def _on_speed(self, name: str, turn: int, speed: int, state: GameState) -> list[Finding]:
        ship = state.ships[name]
        paid = speed_paid(self.rulebook, self.load_ship(ship.state.ship), ship, turn)
        if paid is None:
            return []
        return self._by("speed said", self.rulebook.offers.speed_said(self.rulebook, name, turn, speed, paid))

    def _by(self, subject: str, facts: Any) -> list[Finding]:
        rules = self.rulebook.rules_on(subject, "check")
        found = [item for rule in rules for item in judge(rule, self.rulebook, facts)]
        if self.coverage.energy and not self._kept:
            self._checked |= {rule.key: None for rule in rules if rule.key != self.rulebook.named.cloak_paid}
            self.left_open += [item for item in found if isinstance(item, NotChecked)]
        return [item for item in found if isinstance(item, Finding)]

    def _shown(self, entry: Event) -> list[Finding]:
        """Judges the deeds of a turn, done while its form or orders were sealed, by the form or orders now shown."""
        state = self.state
        if entry.type == "form":
            name, turn = entry.data["ship"], entry.data["turn"]
            if state.released:
                self.seals.filed[name, turn] = entry.seq
        else:
            seal = state.seals.known(entry.data["seal"])
            self._shown_of.add((seal.ship, seal.turn))
            if not seal.revealed:
                return []
            if seal.kind != "eaf":
                return self.seals.shown(seal, state, self.course.made)
            name, turn = seal.ship, seal.turn
        self._shown_of.add((name, turn))
        found = self._by_form(name, turn, state)
        hidden = without_form(state, name, turn)
        for later in sorted(known for known in state.ships[name].forms if known > turn):
            found += beyond(self._by_form(name, later, state), self._by_form(name, later, hidden))
        found += self.fire.shown(name, turn, state)
        return [*found, *self.volleys.shown(name, turn, state.ships[name].forms[turn])]

    def _by_form(self, name: str, turn: int, state: GameState) -> list[Finding]:
        """What a ship's form of a turn says of the speed said in it and of the cloaks announced."""
        speed = speed_counted(state, name, turn)
        found = [] if speed is None else self._on_speed(name, turn, speed, state)
        found += self._cloaks_paid(name, turn, state)
        ship = state.ships[name]
        for n, (moment, points, weapons) in enumerate(ship.fed):
            if moment.turn == turn:
                before = replace(state, ships={**state.ships, name: replace(ship, fed=ship.fed[:n])})
                found += self._fed(name, (*moment,), points, weapons, before)
        return found

    def _cloaks_paid(self, name: str, turn: int, state: GameState) -> list[Finding]:
        """What a form that is shown says of the cloaks announced in its turn."""
        ship = state.ships[name]
        found: list[Finding] = []
        for moment, order in ship.announced:
            if moment.turn == turn:
                before = tuple(entry for entry in ship.announced if entry[0] < moment)
                paid = self.rulebook.named.cloak_paid
                announced = cloak_announced(self.rulebook, self.load_ship, ship, (moment, order), before)
                found += [finding for finding in announced if finding.key == paid]
        return found


_ASKS: Mapping[str, Callable[[GameTable, Event, Data, GameState], Iterable[Finding]]] = {
    "move": GameTable._move,
    "fire": GameTable._fire,
    "launch": GameTable._launch,
    "cloak": GameTable._cloak,
    "battery": GameTable._battery,
    "seeker": GameTable._seeker,
    "strike": GameTable._strike,
    "speed": GameTable._speed,
    "volley": GameTable._volley,
    "hit": GameTable._hit,
    "scored": GameTable._scored,
    "lock": GameTable._lock,
}
