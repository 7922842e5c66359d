"""A game as the fold of what was played elsewhere.

An account that is no record: nobody's right to an event is asked, ships may be moved elsewhere, and what is not known may
be inferred. And one that is as good as a record, of a file: what is plain in it may be carried out at once.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TYPE_CHECKING

from referee.core.board import LoadShip
from referee.core.combat import Moment, Seeker
from referee.core.frozen import replace
from referee.core.game import EntryLike, ShipInGame
from referee.core.gamefold import GameFold, carry_out
from referee.core.gameorders import say_speed, take_order
from referee.core.hexgrid import Hex
from referee.core.play import ShipInPlay

if TYPE_CHECKING:
    from referee.core.account import Account
    from referee.core.stretch import FireStretch, Stretch, TurnStart

Before = Callable[[EntryLike, GameFold], None]
"""What looks at each entry of a record that is judged by itself, and at the game before it."""


class TakenFold(GameFold):
    """A game all of whose entries are of a file: nobody plays on. Raises as `fold_game`."""

    @property
    def ships(self) -> Mapping[str, ShipInGame]:
        """The ships as they stand now."""
        return self._board.ships

    @property
    def seekers(self) -> Mapping[str, Seeker]:
        """The seekers on the map now."""
        return self._board.seekers

    @property
    def seekers_moved(self) -> Collection[str]:
        """The seekers that have moved in the impulse."""
        return self._board.seekers_moved

    def run(self, stretch: Stretch) -> None:
        """The entries of a stretch in which ships move, all at once."""
        self._state = None
        board = self._board
        board.orders.add(stretch.orders)
        units: dict[str, ShipInPlay] = {}
        for run in stretch.runs:
            units[run.ship] = run.of(units.get(run.ship) or board.ships[run.ship].unit)
        for name, unit in units.items():
            board.ships[name] = replace(board.ships[name], unit=unit)
        if stretch.step is not None:
            carry_out(board, stretch.step)
        board.seekers.update(stretch.seekers)
        board.seekers_moved |= stretch.flown
        self.lines += stretch.lines

    def begin(self, start: TurnStart) -> None:
        """The entries a turn begins with, all at once."""
        self._state = None
        board = self._board
        carry_out(board, start.step)
        board.orders.add(start.orders)
        for name, speed in start.speeds.items():
            say_speed(board, name, speed)
        self.lines += 1 + len(start.orders)

    @property
    def is_open(self) -> bool:
        """Is nothing sealed, and nothing rolled for in the game itself?"""
        board = self._board
        return not (board.seals or board.rolls or board.locks or board.own_fold or board.anchors)

    def fire(self, stretch: FireStretch) -> None:
        """The entries of a stretch in which ships fire, all at once."""
        self._state = None
        board = self._board
        board.orders.add(stretch.orders)
        board.fire.add(stretch.fire)
        fired: dict[str, list[tuple[Moment, str]]] = {}
        for order in stretch.fire:
            fired.setdefault(order.ship, []).append((order.moment, order.weapons[0]))
        for name, shots in fired.items():
            ship = board.ships[name]
            all_fired = (*ship.fired, *shots)
            board.ships[name] = replace(ship, fired=all_fired, elsewhere=len(all_fired))
        for name, shields in stretch.shields.items():
            ship = board.ships[name]
            board.ships[name] = replace(ship, state=replace(ship.state, shields=shields))
        self.lines += stretch.lines


class ProvedFold(GameFold):
    """A game whose entries made a game before: the rights of their authors were asked then. Raises as `fold_game`."""

    def __init__(self, known: Sequence[EntryLike], load_ship: LoadShip) -> None:
        super().__init__(known, load_ship)
        self._board.proved = len(known)


class ToldFold(GameFold):
    """A game folded event by event, from its first; `known` are those there are already. Raises as `fold_game`."""

    def __init__(self, known: Sequence[EntryLike], load_ship: LoadShip) -> None:
        super().__init__(known, load_ship)
        self._board.kept = False

    @property
    def seekers(self) -> Mapping[str, Seeker]:
        """The seekers on the map now."""
        return self._board.seekers

    @property
    def places(self) -> list[Hex | None]:
        """Where the ships stand now."""
        return [ship.unit.hex for ship in self._board.ships.values()]

    def infer(self, event: EntryLike) -> None:
        """Something that is not known and must have happened: an order that nobody gave is none of the game's orders."""
        self._state = None
        if event.type == "order":
            take_order(self._board, event)
        else:
            carry_out(self._board, event)

    def note(self, ship: str, event: EntryLike) -> None:
        """A move that was carried out elsewhere: of each ship the game knows its last one."""
        self._state = None
        self._board.orders.note(ship, event.seq, event.data)

    def place(self, units: Mapping[str, ShipInPlay]) -> None:
        """Ships stand where they were moved to elsewhere."""
        self._state = None
        ships = self._board.ships
        for name, unit in units.items():
            if ships[name].unit is not unit:
                ships[name] = replace(ships[name], unit=unit)


def fold_of(account: Account, load_ship: LoadShip) -> GameFold:
    """The fold of an account: of a record, of a file told as a record tells a game, or of another one."""
    if not account.kept:
        return ToldFold(account.events, load_ship)
    if account.taken >= len(account.events):
        return TakenFold(account.events, load_ship)
    return (ProvedFold if account.proved else GameFold)(account.events, load_ship)
