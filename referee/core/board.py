"""The game while it is folded."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from operator import attrgetter, itemgetter
from typing import Any

from referee.core.combat import FreeDrone, Seeker
from referee.core.forked import Forked
from referee.core.game import (
    DueVolley,
    FireOrdered,
    Foul,
    GameState,
    Roll,
    ShipInGame,
    umpire_of,
)
from referee.core.ownfold import OwnFold, OwnTable
from referee.core.rows import ByNumber, Row
from referee.core.seals import Seals
from referee.core.ship import ShipClass
from referee.core.takenback import UndoneEntries

LoadShip = Callable[[str], ShipClass]
NumberedOrder = tuple[int, Mapping[str, Any]]
"""An order: its entry, and what it says."""


class OrdersByEntry(ByNumber[NumberedOrder]):
    """Orders by their entry."""

    def __init__(self) -> None:
        super().__init__(itemgetter(0))
        self._last: dict[str, NumberedOrder] = {}

    def data_of(self, seq: int) -> Mapping[str, Any]:
        """What an order says; nothing where the entry is none."""
        found = self.get(seq)
        return {} if found is None else found[1]

    def note(self, ship: str, seq: int, data: Mapping[str, Any]) -> None:
        """The last move of a ship that was carried out elsewhere: it stands behind the orders."""
        self._last[ship] = seq, data

    @property
    def all(self) -> Row[NumberedOrder]:
        """All of them in their order."""
        return self.row(*self._last.values())


class Rolls(dict[int, Roll], Forked):
    """Declared rolls by their number, and the numbers of those for each order of a volley."""

    def __init__(self) -> None:
        super().__init__()
        self.numbers: dict[int, tuple[int, ...]] = {}

    def __setitem__(self, number: int, roll: Roll) -> None:
        if roll.volley is not None and number not in self:
            self.numbers[roll.volley] = (*self.numbers.get(roll.volley, ()), number)
        super().__setitem__(number, roll)

    def of_volley(self, order: int) -> list[Roll]:
        """The rolls for an order of a volley."""
        return [self[number] for number in self.numbers.get(order, ())]


class Board(Forked):
    """The game while it is folded: what `GameState` holds, changed in place."""

    def __init__(self, genesis: Mapping[str, Any], load_ship: LoadShip, own: OwnFold | None = None) -> None:
        self.own_fold = own
        self.own: OwnTable | None = own.begun() if own else None
        self.genesis = genesis
        self.load_ship = load_ship
        self.players: tuple[str, ...] = tuple(genesis["players"])
        self.umpire = umpire_of(genesis)
        self.turn = 0
        self.impulse: int | None = None
        self.step = ""
        self.furthest: dict[int, int] = {}
        self.stepped = 0
        self.ships: dict[str, ShipInGame] = {}
        self.seals = Seals()
        self.released = Seals()
        self.rolls = Rolls()
        self.orders = OrdersByEntry()
        self.rulings: list[tuple[int, str]] = []
        self.fouls: list[Foul] = []
        self.choices: dict[str, str] = {}
        self.anchors: set[str] = set()
        self.unapplied: int | None = None
        self.fire: ByNumber[FireOrdered] = ByNumber(attrgetter("seq"))
        self.due: list[DueVolley] = []
        self.seekers: dict[str, Seeker] = {}
        self.drones: dict[str, FreeDrone] = {}
        self.seekers_moved: set[str] = set()
        self.locks: dict[tuple[str, str, int], int] = {}
        self.trying: Mapping[str, Any] = {}
        self.absorbed: dict[tuple[str, int, int], int] = {}
        self.begun = False
        self.given_up: frozenset[int] = frozenset()
        self.taken_back = UndoneEntries()
        self.proved = 0
        """So many entries made a game already: their authors' rights were asked then."""
        self.kept = True
        """Are its entries those of a record, which nobody may write but by right?"""

    def frozen(self, undone: frozenset[int], lines: int) -> GameState:
        """The state, fixed."""
        return GameState(
            genesis=self.genesis,
            turn=self.turn,
            impulse=self.impulse,
            step=self.step,
            furthest=dict(self.furthest),
            stepped=self.stepped,
            ships=dict(self.ships),
            seals=self.seals,
            released=self.released,
            rolls=dict(self.rolls),
            orders=self.orders.all,
            rulings=tuple(self.rulings),
            fouls=tuple(self.fouls),
            choices=dict(self.choices),
            undone=undone,
            anchors=frozenset(self.anchors),
            unapplied=self.unapplied,
            lines=lines,
            fire=self.fire.row(),
            due=tuple(self.due),
            seekers=dict(self.seekers),
            seekers_moved=frozenset(self.seekers_moved),
            drones=dict(self.drones),
            absorbed=dict(self.absorbed),
            locks=dict(self.locks),
            own=self.own,
        )
