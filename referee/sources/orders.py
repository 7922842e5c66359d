"""An orders file as an account of its game: every order that stands, at its line.

It says where ships begin and what they are ordered, by turn and impulse. It says nothing of the steps of an impulse,
of energy, dice or damage, and of a seeker only what its owner chose to say.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from referee.core.account import FILED, Account, Coverage, Event, not_understood
from referee.core.errors import BadInput
from referee.core.finding import Finding
from referee.core.forms import EnergyForm
from referee.core.frozen import replace
from referee.core.location import Location
from referee.core.orders import (
    Advance,
    Cloak,
    DroneHit,
    Fire,
    Hit,
    ImpulseBegins,
    Launch,
    LockOn,
    Order,
    OrderProblem,
    OrdersFile,
    Placement,
    Seal,
    SetSpeed,
    ShipOrder,
    TurnBegins,
    Uncloak,
    UseBattery,
    without_undone,
)
from referee.core.ship import ShipClass
from referee.rulebooks.base import Rulebook

LoadShip = Callable[[str], ShipClass]
Forms = Mapping[str, EnergyForm]
NO_FORMS: Forms = MappingProxyType({})
TELLS = Coverage(
    energy="no energy form",
    dice="no die is rolled in an orders file",
    damage="damage is not resolved in an orders file",
    steps="an orders file does not say in which step of an impulse a thing is done",
    seekers="seekers fly by themselves",
    start="what was before its first turn is not in it",
    secrets="no sealed form",
)
"""What an orders file tells of, and why it tells nothing of the rest."""


def rulebook_of(orders: OrdersFile, rulebook: Rulebook) -> Rulebook:
    """A rulebook with the options that a file asks for. Raises BadInput where it has none such."""
    options = dict(orders.options)
    if orders.impulses is not None:
        options["impulses"] = str(orders.impulses)
    try:
        return rulebook.with_options(options)
    except BadInput as error:
        raise error.at(file=orders.location.file) from None


def account_of(
    orders: OrdersFile,
    rulebook: Rulebook,
    load_ship: LoadShip,
    *,
    goes_on: bool = False,
    forms: Forms = NO_FORMS,
) -> Account:
    """The account that an orders file is; `rulebook` is the one it is played by, with its options. Where it `goes_on`,
    who has not moved in its last impulse yet may. `forms` are those given beside it, by ship."""
    return _OrdersAccount(orders, rulebook, load_ship, forms).account(goes_on)


class _OrdersAccount:
    """An orders file while its orders are told one by one."""

    def __init__(self, orders: OrdersFile, rulebook: Rulebook, load_ship: LoadShip, forms: Forms) -> None:
        self.orders = orders
        self.forms = forms
        self.rulebook = rulebook
        self.standing, self.idle = without_undone(orders.orders)
        self.remarks: list[Finding] = [not_understood(problem) for problem in orders.problems]
        self.remarks += [
            not_understood(
                OrderProblem(
                    "undo", f"{undo.ship} has nothing to undo in this impulse", location=undo.location
                )
            )
            for undo in self.idle
        ]
        self.classes = {placed.ship: self._class_of(placed, load_ship) for placed in orders.ships}
        self.sides = {placed.ship: placed.side or f"={placed.ship}" for placed in orders.ships}
        self.placed = {drone.name for drone in orders.drones}
        launches = (order for order in self.standing if isinstance(order, Launch))
        self.launched = {name for order in launches if (name := order.name)}
        self.last = self._last_orders()
        self.events: list[Event] = []
        self.turn = 0
        self.impulse: int | None = None

    def account(self, goes_on: bool) -> Account:
        """All of it."""
        self._begins()
        for order in self.standing:
            self._order(order)
        for name in self.classes:
            if self.classes[name] and (form := self.forms.get(name)):
                self._happens(FILED, {"ship": name, "form": form}, form.place)
        marker = next(
            (
                order.location
                for order in reversed(self.standing)
                if isinstance(order, ImpulseBegins)
            ),
            self.orders.location,
        )  # fmt: skip
        file = self.orders.location.file
        return Account(
            tuple(self.events),
            self._tells(),
            file,
            tuple(self.remarks),
            kept=False,
            end=marker,
            goes_on=goes_on,
        )

    def _tells(self) -> Coverage:
        return replace(TELLS, energy="") if self.forms else TELLS

    def _class_of(self, placed: Placement, load_ship: LoadShip) -> ShipClass | None:
        """The class of a ship; what is wrong with it is said once, where the file was read with its classes too."""
        try:
            return load_ship(placed.class_id)
        except BadInput as error:
            problems = {problem.location for problem in self.orders.problems}
            if placed.location not in problems:
                problem = OrderProblem(placed.class_id, error.reason, error.hint, location=placed.location)
                self.remarks.append(not_understood(problem))
            return None

    def _last_orders(self) -> dict[str, int]:
        """The line of the last order each unit is given, but for what strikes it."""
        given = (order for order in self.standing if not isinstance(order, Hit | TurnBegins | ImpulseBegins))
        return {order.ship: order.location.line or 0 for order in given}

    # -- events --------------------------------------------------------------------------

    def _happens(self, kind: str, data: dict[str, Any], place: Location, by: str = "") -> None:
        self.events.append(Event(len(self.events), kind, data, "", place, by))

    def _begins(self) -> None:
        """The first events: by what is played, the ships, the drones that are on the map."""
        rulebook, orders = self.rulebook, self.orders
        options = dict(rulebook.chosen)
        players = list(dict.fromkeys(self.sides.values()))
        game = {
            "players": players,
            "rulebook": rulebook.id,
            "options": options,
            "dice": {"mode": ""},
            "fold": 2,
        }
        self._happens("genesis", game, orders.location)
        before = options.get("previous_speed")
        for placed in orders.ships:
            speed = before if placed.speed is None else placed.speed
            ship = {"ship": placed.ship, "class": placed.class_id if self.classes[placed.ship] else ""}
            owner: dict[str, Any] = {"player": self.sides[placed.ship], "side": placed.side}
            owner |= {} if placed.ship in self.forms else {"formless": True}
            stands = {"at": f"{placed.hex}{placed.facing}"} | ({} if speed is None else {"speed": speed})
            self._happens("ship", {**ship, **owner, **stands}, placed.location)
        for drone in orders.drones:
            at = f"{drone.hex}{drone.facing}"
            data = {"name": drone.name, "at": at, "speed": drone.speed, "target": drone.target}
            self._happens("drone", {**data, "side": drone.side}, drone.location)

    def _order(self, order: Order) -> None:
        if isinstance(order, TurnBegins):
            self.turn, self.impulse = order.turn, None
            self._begin_turn(order.location)
            return
        if not self.turn:
            # Who writes no `turn 1` means it.
            self.turn = 1
            self._begin_turn(order.location)
        if isinstance(order, ImpulseBegins):
            self.impulse = order.impulse
            self._happens("step", {"turn": self.turn, "impulse": order.impulse}, order.location)
        elif order.ship in self.classes:
            self._does(order.ship, *self._ordered(order), order.location)
        elif order.ship in self.placed or order.ship in self.launched:
            self._of_seeker(order)
        else:
            reason = f"no ship {order.ship} is placed"
            self.remarks.append(not_understood(OrderProblem(order.ship, reason, location=order.location)))

    def _begin_turn(self, place: Location) -> None:
        """A turn begins, with the forms of it."""
        self._happens("step", {"turn": self.turn}, place)
        for name, form in self.forms.items():
            for column in form.allocations:
                if column.turn == self.turn:
                    paid = {
                        "ship": name,
                        "turn": self.turn,
                        "player": self.sides[name],
                        "form": column.fields,
                    }
                    self._happens("form", paid, column.place)

    def _does(self, name: str, kind: str, what: dict[str, Any], place: Location) -> None:
        data: dict[str, Any] = {"turn": self.turn, "impulse": self.impulse, kind: what}
        self._happens("order", data, place, self.sides.get(name, ""))

    def _of_seeker(self, order: ShipOrder) -> None:
        """A seeker moves and is hit, and does nothing else."""
        if isinstance(order, Advance):
            self._does(order.ship, "seeker", {"name": order.ship, "way": order.way}, order.location)
        elif isinstance(order, DroneHit):
            self._does(order.ship, "scored", {"name": order.ship, "points": order.points}, order.location)
        else:
            what = "drone" if order.ship in self.placed else "seeker"
            reason = f"a {what} only moves, or is hit"
            verb = type(order).__name__.casefold()
            self.remarks.append(not_understood(OrderProblem(verb, reason, location=order.location)))

    def _ordered(self, order: ShipOrder) -> tuple[str, dict[str, Any]]:
        """What an order of a ship orders: its kind, and what an event holds of it."""
        ship = order.ship
        match order:
            case Advance(way=way, leaves=leaves):
                return "move", {"ship": ship, "way": way} | ({"leaves": True} if leaves else {})
            case SetSpeed(speed=speed):
                return "speed", {"ship": ship, "speed": speed}
            case Fire(weapons=weapons, target=target, shield=shield):
                on = {} if shield is None else {"shield": shield}
                return "fire", {"ship": ship, "weapons": list(weapons), "target": target} | on
            case Launch(weapon=weapon, target=target, name=name):
                cls = self.classes[ship]
                mount = cls.mount(weapon) if cls else None
                name = name or f"{ship} {weapon} t{self.turn}"
                data = {"ship": ship, "weapon": weapon, "target": target, "name": name}
                return "launch", data | {"type": mount.type if mount else ""}
            case Cloak() | Uncloak():
                return "cloak", {"ship": ship, "to": type(order).__name__.casefold()}
            case UseBattery(points=points, weapons=weapons):
                return "battery", {"ship": ship, "points": str(points), "weapons": list(weapons)}
            case Hit(points=points, shield=shield, direction=direction):
                last = self.last.get(ship, 0) < (order.location.line or 0)
                struck: dict[str, Any] = {"ship": ship, "points": points, "shield": shield}
                return "hit", {**struck, "from": direction} | ({"last": True} if last else {})
            case LockOn(target=target):
                return "lock", {"ship": ship, "target": target}
            case Seal(code=code):
                return "seal", {"ship": ship, "code": code}
        return "word", {"ship": ship, "says": type(order).__name__.casefold()}
