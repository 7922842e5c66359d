"""A scenario played out by robots into a game record: every order, roll and volley an entry of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from referee.adjudicator.planner import WHOLE_MAP
from referee.adjudicator.robot import Robot
from referee.adjudicator.robot_duel import Playing
from referee.adjudicator.table import GameTable
from referee.core.dice import KeyedDice
from referee.core.errors import BadInput
from referee.core.scenario import corners, placement
from referee.rulebooks.registry import load_rulebook, load_ship
from referee.sources.dice_cup import chosen_dice
from referee.sources.settings import Settings

if TYPE_CHECKING:
    from referee.core.game import DueVolley
    from referee.core.hexgrid import Hex
    from referee.core.robot import Decision
    from referee.core.scenario import Scenario
    from referee.play.game_file import Game, NewEntry
    from referee.rulebooks.base import Rulebook


class DuelRecord(Playing):
    """A record that robots play into. It is begun on the disk, played in memory, and written in one piece."""

    def __init__(self, path: str, scenario: Scenario, seed: str, everyone: bool = False) -> None:
        from referee.record.diceledger import DiceLedger
        from referee.record.machine import now
        from referee.sources.record import account_of

        game = _begun(path, scenario, seed, everyone)
        self.path = path
        self.when = now()
        self.entries = list(game.entries)
        self.written = len(self.entries)
        self.ledger = DiceLedger()
        for entry in self.entries:
            self.ledger.apply(entry)
        self.chained = 0
        robot, within, _ = ready(game.rulebook, f"coins {seed}")
        super().__init__(
            scenario, GameTable(game.rulebook, load_ship, account_of(self.entries, path)), robot, within
        )

    @property
    def game(self) -> Game:
        """The game as commands have it."""
        from referee.play.game_file import Game
        from referee.record.seals import SealLedger

        return Game(self.path, self.entries, self.state, self.ledger, SealLedger())

    @property
    def orders_given(self) -> list[str]:
        """Every order of the game, as it was given."""
        return [text for entry in self.entries if entry.type == "order" for text in entry.data["text"]]

    # -- entries -------------------------------------------------------------------------

    def kept(self) -> None:
        """Puts what the ordering made into the chain. Raises BadInput where it is against a rule."""
        against = [finding for finding in self.ordering.findings if finding.severity == "error"]
        if against:
            raise BadInput(f"{against[0].subject}: {against[0].message}", place=against[0].key)
        self._entries(self.ordering.new[self.chained :])
        self.chained = len(self.ordering.new)

    def sealed(self, moves: Sequence[Decision]) -> None:
        """A record needs no word of it: robots seal nothing."""

    def struck(self, due: Iterable[DueVolley]) -> None:
        """A record needs no word of it: the order of each volley says what strikes."""

    def put(self, *new: NewEntry) -> None:
        """Entries that are no orders of play."""
        for kind, data in new:
            super().put((kind, data))
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

    def roll(self, who: str, dice: list[dict[str, Any]], purpose: str, **about: Any) -> None:
        """Declares a roll, throws the dice of the record, and puts down what it does."""
        from referee.play.dice import declaration, throw

        self.put(declaration(self.game, who, dice, purpose, **about))
        self.put(*throw(self.game))


def _begun(path: str, scenario: Scenario, seed: str, everyone: bool) -> Game:
    """The record begun: a player for each side, practice dice from the seed, every ship a robot."""
    from referee.play.append import append_begun
    from referee.play.start import Terms, begin

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
    return append_begun(path, begun)


def duel_into(path: str, scenario: Scenario, seed: str, turns: int, everyone: bool = False) -> DuelRecord:
    """A scenario played by robots to its end, or for so many turns, into a new record; with `everyone` the ships
    that may be left out are in it."""
    duel = DuelRecord(path, scenario, seed, everyone)
    duel.play(turns)
    duel.write()
    return duel


def ready(rulebook: Rulebook, seed: str) -> tuple[Robot, tuple[Hex, Hex], KeyedDice]:
    """A robot of a rulebook, the map it plays on, and its dice."""
    dice = chosen_dice("", seed, False)
    assert isinstance(dice, KeyedDice)
    bounds = rulebook.option("map") if "map" in rulebook.options else ""
    within = WHOLE_MAP
    if bounds:
        within = corners(bounds)
    return Robot(rulebook, dice), within, dice
