"""The game while it is folded."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from referee.core.combat import FreeDrone, Seeker
from referee.core.forked import Forked
from referee.core.game import (
    DueVolley,
    FireOrdered,
    FireRow,
    Foul,
    GameState,
    Roll,
    Rows,
    ShipInGame,
    umpire_of,
)
from referee.core.ownfold import OwnFold, OwnTable
from referee.core.seals import Seals
from referee.core.ship import ShipClass
from referee.core.takenback import TakenBack

LoadShip = Callable[[str], ShipClass]


PART = 64
"""Fire that one part of a row holds."""


class Changing(dict[int, FireOrdered], Forked):
    """Fire by its entry, and as a row."""

    def __init__(self) -> None:
        super().__init__()
        self._places: dict[int, int] = {}
        self._parts: list[tuple[FireOrdered, ...]] = []
        self._row: FireRow | None = FireRow()

    def __setitem__(self, seq: int, order: FireOrdered) -> None:
        part, at = divmod(self._places.setdefault(seq, len(self._places)), PART)
        if part == len(self._parts):
            self._parts.append(())
        before = self._parts[part]
        self._parts[part] = (*before[:at], order, *before[at + 1 :])
        self._row = None
        super().__setitem__(seq, order)

    @property
    def row(self) -> FireRow:
        """The fire in the order it was ordered."""
        if self._row is None:
            self._row = FireRow(self._parts)
        return self._row


class Ordered(dict[int, Mapping[str, Any]], Forked):
    """Orders by their entry; they are only ever added to, so that one row of them serves all states."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: list[tuple[int, Mapping[str, Any]]] = []

    def __setitem__(self, seq: int, data: Mapping[str, Any]) -> None:
        self.rows.append((seq, data))
        super().__setitem__(seq, data)

    def add(self, rows: Sequence[tuple[int, Mapping[str, Any]]]) -> None:
        """Several orders more."""
        self.rows += rows
        self.update(rows)


class Rolls(dict[int, Roll], Forked):
    """Declared rolls by their number, and the numbers of those for each order of a volley."""

    def __init__(self) -> None:
        super().__init__()
        self.numbers: dict[int, list[int]] = {}

    def __setitem__(self, number: int, roll: Roll) -> None:
        if roll.volley is not None and number not in self:
            self.numbers.setdefault(roll.volley, []).append(number)
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
        self.rolls = Rolls()
        self.orders = Ordered()
        self.rulings: list[tuple[int, str]] = []
        self.fouls: list[Foul] = []
        self.choices: dict[str, str] = {}
        self.anchors: set[str] = set()
        self.unapplied: int | None = None
        self.fire: Changing = Changing()
        self.due: list[DueVolley] = []
        self.seekers: dict[str, Seeker] = {}
        self.drones: dict[str, FreeDrone] = {}
        self.seekers_moved: set[str] = set()
        self.locks: dict[tuple[str, str, int], int] = {}
        self.trying: Mapping[str, Any] = {}
        self.absorbed: dict[tuple[str, int, int], int] = {}
        self.begun = False
        self.given_up: frozenset[int] = frozenset()
        self.taken_back = TakenBack()
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
            rolls=dict(self.rolls),
            orders=Rows(self.orders.rows, len(self.orders.rows)),
            rulings=tuple(self.rulings),
            fouls=tuple(self.fouls),
            choices=dict(self.choices),
            undone=undone,
            anchors=frozenset(self.anchors),
            unapplied=self.unapplied,
            lines=lines,
            fire=self.fire.row,
            due=tuple(self.due),
            seekers=dict(self.seekers),
            seekers_moved=frozenset(self.seekers_moved),
            drones=dict(self.drones),
            absorbed=dict(self.absorbed),
            locks=dict(self.locks),
            own=self.own,
        )
