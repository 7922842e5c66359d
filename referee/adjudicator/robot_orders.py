"""An orders file on the table, for a robot that plays in it: its orders given to the table, and those of the robot.

A file says what fire and seekers did (`hit 21 on 1`), and no dice of it are rolled here but those of the damage.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from referee.adjudicator.ordering import Ordering
from referee.adjudicator.record_shots import fire_lost
from referee.adjudicator.record_volley import marks_of, resolve_said, volley_entry
from referee.adjudicator.robot import Robot, Round
from referee.adjudicator.robot_seat import TableSeat
from referee.adjudicator.table import GameTable
from referee.adjudicator.volley import volley_order
from referee.core.account import Account, Event
from referee.core.dice import Dice
from referee.core.errors import BadInput
from referee.core.game import GameState
from referee.core.gamefold import FOLD_VERSION
from referee.core.hexgrid import Hex
from referee.core.naming import launch_label
from referee.core.orders import (
    Advance,
    Cloak,
    DronePlaced,
    Fire,
    Hit,
    HoldFire,
    ImpulseBegins,
    Launch,
    Order,
    OrdersFile,
    Placement,
    SetSpeed,
    TurnBegins,
    Uncloak,
    without_undone,
)
from referee.core.ship import ShipClass
from referee.rulebooks.base import Rulebook, nearest

LoadShip = Callable[[str], ShipClass]
Entry = tuple[str, dict[str, Any]]


def table_begun(
    rulebook: Rulebook,
    placed: Iterable[Placement],
    load_ship: LoadShip,
    robots: Iterable[str],
    drones: Iterable[DronePlaced] = (),
) -> GameTable:
    """A table with ships and drones as they are placed, before the first turn: every side is a player, and a ship of
    none plays for itself. Its game is kept nowhere."""
    flown, ships = frozenset(robots), []
    for unit in placed:
        ship: dict[str, Any] = {"ship": unit.ship, "class": unit.class_id, "player": unit.side or unit.ship}
        ship |= {} if unit.hex is None else {"at": f"{unit.hex}{unit.facing or ''}"}
        ship |= {} if unit.speed is None else {"speed": str(unit.speed)}
        ships.append(ship | ({"robot": True} if unit.ship in flown else {}))
    genesis = {
        "fold": FOLD_VERSION,
        "rulebook": rulebook.id,
        "players": list(dict.fromkeys(str(ship["player"]) for ship in ships)),
        "dice": {"mode": "seed"},
        "options": dict(rulebook.values),
    }
    entries: list[Entry] = [("genesis", genesis), *(("ship", ship) for ship in ships)]
    there = {ship["ship"] for ship in ships}
    for drone in drones:
        flying = {
            "name": drone.name,
            "at": f"{drone.hex}{drone.facing}",
            "speed": drone.speed,
            "side": drone.side,
        }
        entries.append(("drone", flying | ({"target": drone.target} if drone.target in there else {})))
    account = Account(tuple(Event(seq, kind, data) for seq, (kind, data) in enumerate(entries)))
    return GameTable(rulebook, load_ship, account)


class OrdersTable:
    """A game of an orders file. `dice` decide what hits cost where the rulebook rolls for it."""

    def __init__(
        self,
        robot: Robot,
        orders: OrdersFile,
        load_ship: LoadShip,
        robots: Iterable[str],
        within: tuple[Hex, Hex],
        dice: Dice | None = None,
    ) -> None:
        """Raises BadInput, with its place, for an order that cannot be played."""
        if orders.problems:
            first = orders.problems[0]
            place = f"line {first.location.line}"
            raise BadInput(
                f"{first.text}: {first.reason}", file=orders.location.file, place=place, hint=first.hint
            )
        names = tuple(robots)
        self.table = table_begun(robot.rulebook, orders.ships, load_ship, names, drones=orders.drones)
        self.ordering = Ordering(self.table, lambda ship: self.table.state.ships[ship].player, is_told=True)
        self.dice = dice or _NoDice()
        self.seats = {
            name: OrdersSeat(robot, self, load_ship, name, within) for name in self.table.state.ships
        }
        self.robots = [self.seats[name] for name in names]
        self._drones = {drone.name: drone.name for drone in orders.drones}
        """The names on the table of drones that the file tells of. They stay where they are: the file says what they
        did."""
        self._hiding: list[Cloak | Uncloak] = []
        """Cloaks announced before the first impulse of the turn: they work from that on."""
        for order in without_undone(orders.orders)[0]:
            try:
                self.take(order)
            except BadInput as error:
                place = error.place or f"line {order.location.line}"
                raise error.at(file=orders.location.file, place=place) from None

    def seat(self, name: str) -> OrdersSeat:
        """A ship's seat at the game."""
        return self.seats[name]

    def _put(self, *new: Entry) -> None:
        for kind, data in new:
            self.table.add(kind, data)

    def take(self, order: Order) -> None:
        """An order or a marker, put on the table. Raises BadInput for a ship that is not there."""
        name = getattr(order, "ship", "")
        if name in self._drones:
            return
        if name and name not in self.seats:
            raise BadInput(f"no ship {name} is placed", hint=nearest(name, self.seats))
        match order:
            case TurnBegins() | ImpulseBegins():
                self._over(order)
                self.ordering.order(order)
                hiding, self._hiding = self._hiding, []
                for announced in hiding if isinstance(order, ImpulseBegins) else ():
                    self.ordering.order(announced)
            case SetSpeed() | HoldFire():
                self.ordering.order(order)
            case Advance(ship=ship, way=way):
                self.ordering.order(order)
                self.seats[ship].moved(way)
            case Cloak() | Uncloak():
                if self.table.moment[1] is None:
                    self._hiding.append(order)
                else:
                    self.ordering.order(order)
            case Launch(ship=ship, weapon=weapon):
                state = self.table.state
                called = launch_label(ship, weapon, state.turn, {*state.seekers, *state.ships})
                self.ordering.order(order)
                self._drones[order.name or called] = called
            case Fire(ship=ship, target=target):
                self.ordering.order(replace(order, target=self._drones.get(target, target)))
                self.seats[ship].turned = None
            case Hit():
                self._strike(order)

    def _over(self, marker: TurnBegins | ImpulseBegins) -> None:
        """An impulse is over: what its fire did the file has said, and whoever came to its Primary Fire Point in it
        remembers that."""
        if self.table.moment[1] is not None:
            self._rolled_elsewhere()
            for seat in self.robots:
                seat.close(self.table.state)
        if isinstance(marker, TurnBegins):
            for seat in self.robots:
                seat.begin_turn()

    def _strike(self, order: Hit) -> None:
        """A volley on a ship; one that is gone takes no more. Raises BadInput where dice are wanting."""
        ship = self.table.state.ships[order.ship]
        if ship.state.dead:
            return
        where = order.direction
        if where.isdecimal():
            where = f"{where}>{ship.unit.hex}{ship.unit.facing}"
        struck = volley_order(order.points, shield=order.shield, directions=((None, where),) if where else ())
        kind, data = volley_entry(ship.name, ship.player, struck, "protect-weapons", {})
        purpose = f"volley of entry {self.table.state.lines}"
        self._put((kind, data))
        rulebook, load_ship = self.table.rulebook, self.table.load_ship
        volley = data["volley"]
        scored = resolve_said(rulebook, load_ship, self.table.state, volley, self.dice)
        self._rolled(ship.player, purpose, {"events": marks_of(volley, scored)}, open=True, ship=ship.name)

    def _rolled_elsewhere(self) -> None:
        """All fire that is ordered has been rolled elsewhere: what it did is said besides."""
        if orders := self.table.state.unrolled:
            purpose = "fire of entries " + " ".join(str(order.seq) for order in orders)
            dice = [{"for": "told", "count": 1, "sides": 6}] * sum(len(order.weapons) for order in orders)
            self._rolled(self.table.state.players[0], purpose, fire_lost(orders), order=dice)

    def _rolled(self, who: str, purpose: str, effect: dict[str, Any], **about: Any) -> None:
        """A roll, declared and thrown at once, and what it does."""
        turn, impulse, _ = self.table.moment
        now = {"turn": turn} | ({} if impulse is None else {"impulse": impulse})
        number = len(self.table.state.rolls) + 1
        declared = {"roll": number, "who": who, "order": [], "purpose": purpose, **now, **about}
        result = {"roll": number, "dice": []}
        self._put(("declare", declared), ("result", result), ("events", effect | {"rolls": [number], **now}))


class OrdersSeat(TableSeat):
    """A robot's place at a game of an orders file: nobody says there in which step of an impulse it is."""

    def __init__(
        self, robot: Robot, game: OrdersTable, load_ship: LoadShip, name: str, within: tuple[Hex, Hex]
    ) -> None:
        super().__init__(robot, game.ordering, load_ship, name, within)
        self._game = game

    def round(self) -> Round:
        """Where the game stands; a file waits for no dice."""
        return replace(super().round(), waits=(), passed=())

    def reaches(self, kind: str) -> tuple[str, ...]:
        """Nothing strikes on the way: an orders file has no dice."""
        return ()

    def take(self, order: Order) -> None:
        """An order or a marker."""
        self._game.take(order)

    def _passed(self, state: GameState, kind: str) -> bool:
        return False


class _NoDice:
    """No dice: what needs them is not known."""

    source = "none"

    def roll(self, count: int, sides: int) -> int:
        """Raises BadInput."""
        raise BadInput(f"what hits cost is rolled on {count}d{sides}", hint="give it dice: --seed TEXT")
