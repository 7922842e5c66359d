"""A scenario played out by robots into a game record: every order, roll and volley an entry of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from referee.core.combat import Moment
from referee.core.errors import BadInput
from referee.core.orders import ImpulseBegins, Order

if TYPE_CHECKING:
    from referee.adjudicator.robot import Robot
    from referee.adjudicator.robot_record import RecordSeat
    from referee.core.dice import KeyedDice
    from referee.core.game import GameState
    from referee.core.hexgrid import Hex
    from referee.core.robot import Decision, Flown
    from referee.core.scenario import Scenario, Victory
    from referee.play.game_file import Game, NewEntry
    from referee.rulebooks.base import Rulebook


class DuelRecord:
    """A record that robots play into. It is begun on the disk, played in memory, and written in one piece."""

    def __init__(self, path: str, scenario: Scenario, seed: str, everyone: bool = False) -> None:
        from referee.adjudicator.ordering import Ordering
        from referee.adjudicator.robot_record import RecordSeat
        from referee.adjudicator.table import GameTable
        from referee.play.game_file import now
        from referee.record.diceledger import DiceLedger
        from referee.rulebooks.registry import load_ship

        game = _begun(path, scenario, seed, everyone)
        self.path = path
        self.scenario = scenario
        self.when = now()
        self.entries = list(game.entries)
        self.written = len(self.entries)
        self.ledger = DiceLedger()
        for entry in self.entries:
            self.ledger.apply(entry)
        self.table = GameTable(game.rulebook, load_ship, self.entries, path)
        self.ordering = Ordering(self.table, lambda ship: self.table.state.ships[ship].player)
        self.chained = 0
        self.robot, within, _ = ready(game.rulebook, f"coins {seed}")
        self.seats: dict[str, RecordSeat] = {
            name: RecordSeat(self.robot, self.ordering, load_ship, name, within) for name in self.state.ships
        }
        self.decisions: list[tuple[Moment, Decision]] = []

    @property
    def state(self) -> GameState:
        """The game now."""
        return self.table.state

    @property
    def game(self) -> Game:
        """The game as commands have it."""
        from referee.play.game_file import Game
        from referee.record.seals import SealLedger

        return Game(self.path, self.entries, self.state, self.ledger, SealLedger())

    @property
    def now(self) -> Moment:
        """Turn and impulse."""
        return Moment(self.state.turn, self.state.impulse or 0)

    def alive(self) -> list[str]:
        """The robots that are left."""
        return [name for name, ship in self.state.ships.items() if not ship.state.dead]

    def standing(self) -> Victory:
        """How the scenario stands."""
        from referee.adjudicator.standing import standing_in

        return standing_in(self.scenario, self.state)

    @property
    def ships(self) -> tuple[Flown, ...]:
        """The ships as they are left."""
        return tuple(seat.situation(self.state).robot for seat in self.seats.values())

    @property
    def told(self) -> list[str]:
        """Every order of the game, as it was given."""
        return [text for entry in self.entries if entry.type == "order" for text in entry.data["text"]]

    # -- entries -------------------------------------------------------------------------

    def give(self, *orders: Order) -> None:
        """Orders, judged by the table. Raises BadInput for one that is against a rule."""
        for order in orders:
            self.ordering.order(order)
        self.chain()

    def chain(self) -> None:
        """Puts what the ordering made into the chain. Raises BadInput where it is against a rule."""
        against = [finding for finding in self.ordering.findings if finding.severity == "error"]
        if against:
            raise BadInput(f"{against[0].subject}: {against[0].message}", place=against[0].key)
        self._entries(self.ordering.new[self.chained :])
        self.chained = len(self.ordering.new)

    def put(self, *new: NewEntry) -> None:
        """Entries that are no orders."""
        for kind, data in new:
            self.table.add(kind, data)
            self._entries([(kind, data)])

    def _entries(self, new: Sequence[NewEntry]) -> None:
        from referee.record.chain import make_entry

        for kind, data in new:
            last = self.entries[-1]
            self.entries.append(make_entry(last.hash, last.seq + 1, kind, data, self.when))
            self.ledger.apply(self.entries[-1])

    def write(self) -> None:
        """Appends all of it to the record at once."""
        from referee.record import journal
        from referee.record.secretfiles import secrets_folder
        from referee.record.signkeys import all_signed

        before, made = self.entries[: self.written], self.entries[self.written :]
        sigs = all_signed(secrets_folder(self.path), before, made)
        journal.append(
            self.path, lambda _: [(entry.type, entry.data) for entry in made], self.when, sigs=sigs
        )

    # -- dice ----------------------------------------------------------------------------

    def resolve(self) -> None:
        """Rolls all fire that was ordered and every volley that is due."""
        from referee.adjudicator.volleys_due import volleys_to_roll
        from referee.play.dice import declaration, throw

        while True:
            state = self.state
            if due := volleys_to_roll(self.game.rulebook, state):
                self.put(*self._volley(due[0]))
            elif (found := self.ordering.fire_to_roll()) is not None:
                self.chain()
                purpose, dice = found
                who = self.state.ships[self.state.unrolled[0].ship].player
                self.put(declaration(self.game, who, dice, purpose))
            else:
                return
            self.put(*throw(self.game))

    def _volley(self, due: Any) -> list[NewEntry]:
        from referee.adjudicator.record_forms import volley_due
        from referee.play.dice import declaration, volley_entry

        ship = self.state.ships[due.ship]
        order = volley_due(self.game.rulebook, self.state, due)
        assert order is not None, "a robot has no form to keep secret"
        kind, data = volley_entry(ship.name, ship.player, order, "protect-weapons", {})
        data["volley"]["of"] = [due.seq, due.n]
        purpose = f"volley of entry {len(self.entries)}"
        return [(kind, data), declaration(self.game, ship.player, [], purpose, ship=ship.name)]

    # -- play ----------------------------------------------------------------------------

    def decide(self, decision: Decision | None) -> None:
        """A decision, and its orders given."""
        from referee.adjudicator.robot import orders_of

        if decision is not None:
            self.decisions.append((self.now, decision))
            self.give(*orders_of(decision))

    def turn(self, number: int) -> None:
        """A turn, or what is played of it."""
        from referee.core.orders import TurnBegins

        self.give(TurnBegins(number))
        for name in self.alive():
            self.seats[name].begin_turn()
            self.decide(self.robot.speed(self.seats[name].situation(self.state)))
        for name in self.alive():
            self._lock_on(name)
        for impulse in range(1, self.robot.movement.of + 1):
            self.give(ImpulseBegins(impulse))
            self._move()
            self._seekers()
            for name in self.alive():
                for launch in self.robot.launches(self.seats[name].situation(self.state)):
                    self.decide(launch)
            self._fire()
            if self.standing().over:
                return
            for name in self.alive():
                self.seats[name].close(self.state)

    def _lock_on(self, name: str) -> None:
        """A robot whose sensors are damaged rolls for lock-on at every opponent (D6.11)."""
        from referee.core.game import LOCK_ON
        from referee.core.state import best_of_track
        from referee.play.dice import declaration, throw

        book = self.game.rulebook
        sides = int(book.table("combat")["lock_on"]["die"].partition("d")[2])
        now = self.seats[name].situation(self.state)
        rating = best_of_track(now.robot.ship, now.robot.state, "sensor")
        targets = [each.name for each in now.opponents if not each.state.dead]
        if rating is None or rating >= sides or not targets:
            return
        steps = book.descriptor["sequence_of_play"]["steps_of"]["lock-on"]
        if self.state.step not in steps:
            moments = book.offers.moments(book, self.state.turn)
            self.ordering.step_to(next(moment for moment in moments if moment[2] in steps))
            self.chain()
        dice = [{"for": target, "count": 1, "sides": sides} for target in targets]
        who = self.state.ships[name].player
        self.put(declaration(self.game, who, dice, LOCK_ON, ship=name, targets=targets))
        self.put(*throw(self.game))

    def _move(self) -> None:
        seats = list(self.seats.values())
        while called := seats[0].round().called:
            seat = self.seats[called[0][0]]
            decision = self.robot.move(seat.situation(self.state))
            self.decide(decision)
            if decision is not None and decision.way is not None:
                seat.moved(decision.way)

    def _seekers(self) -> None:
        if self.state.seekers:
            for kind in ("seekers' movement", "seekers' strike"):
                self.ordering.reach(kind)
            self.chain()
            self.resolve()

    def _fire(self) -> None:
        told = [self.robot.fire(self.seats[name].situation(self.state)) for name in self.alive()]
        for decision in told:
            if decision is not None and decision.fire:
                self.seats[decision.ship].turned = None
                self.decide(decision)
        self.resolve()
        if self.state.volleys_due:  # What seekers did waited for the fire of the impulse, and there was none.
            self.ordering.reach("damage of fire")
            self.chain()
            self.resolve()


def _begun(path: str, scenario: Scenario, seed: str, everyone: bool) -> Game:
    """The record begun: a player for each side, practice dice from the seed, every ship a robot."""
    from referee.core.scenario import placement
    from referee.play.append import append
    from referee.play.start import Terms, begin
    from referee.rulebooks.registry import load_rulebook, load_ship
    from referee.sources.settings import Settings

    ships = []
    players = {side: f"{side.lower()}_robot" for side in scenario.sides}
    for unit in scenario.units:
        if (unit.optional and not everyone) or unit.hex is None or not load_ship(unit.class_id).boxes:
            continue
        placed = placement(unit)
        speed = "" if placed.speed is None else f"/{placed.speed}"
        ships.append(f"{unit.name}={unit.class_id}:{players[unit.side]}@{unit.hex}{unit.facing}{speed}")
    sides = [name for name in players.values() if any(f":{name}@" in ship for ship in ships)]
    options = dict(scenario.rules)
    if "robot_ship" in load_rulebook(scenario.rulebook).options:
        options["robot_ship"] = "true"
    title = f"Scenario {scenario.id}: {scenario.title}, played by robots"
    terms = Terms(path, sides, "seed", "", seed, title, False, scenario=scenario.id)
    begun = begin(terms, Settings(rulebook=scenario.rulebook, options=options), ships)
    return append(path, lambda _: begun.entries)


def duel_into(path: str, scenario: Scenario, seed: str, turns: int, everyone: bool = False) -> DuelRecord:
    """A scenario played by robots to its end, or for so many turns, into a new record; with `everyone` the ships
    that may be left out are in it."""
    duel = DuelRecord(path, scenario, seed, everyone)
    for number in range(1, turns + 1):
        duel.turn(number)
        if duel.standing().over:
            break
    duel.write()
    return duel


def ready(book: Rulebook, seed: str) -> tuple[Robot, tuple[Hex, Hex], KeyedDice]:
    """A robot of a rulebook, the map it plays on, and its dice."""
    from referee.adjudicator.planner import WHOLE_MAP
    from referee.adjudicator.robot import Robot
    from referee.core.dice import KeyedDice
    from referee.core.scenario import corners
    from referee.sources.dice_cup import chosen_dice

    dice = chosen_dice("", seed, False)
    assert isinstance(dice, KeyedDice)
    said = book.option("map") if "map" in book.options else ""
    within = WHOLE_MAP
    if said:
        within = corners(said)
    return Robot(book, dice), within, dice
