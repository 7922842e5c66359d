"""Reads and writes the order language: a file of orders, or one `!` line of chat.

What is not understood becomes a problem that says what would have been; nothing is dropped.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace

from referee.core.errors import BadInput
from referee.core.hexgrid import Hex, parse_map_position
from referee.core.location import Location
from referee.core.naming import MAY_BE_NAMED, MOST_SEEKERS, ends_a_name, folded, launch_label
from referee.core.once import pattern
from referee.core.orders import (
    DronePlaced,
    ImpulseBegins,
    Launch,
    Order,
    OrderProblem,
    OrdersFile,
    Placement,
    TurnBegins,
    Undo,
    in_words,
    last_of,
)
from referee.core.ship import ShipClass
from referee.formats.files import as_text
from referee.formats.orderfiles import (
    COMMENT,
    HEADERS,
    MARKERS,
    MAX_ORDERS_FILE,
    MAX_ORDERS_LINE,
    MAX_ORDERS_LINES,
)
from referee.formats.orderlines import (
    ORDER_FORMS,
    did_you_mean,
    must_be_plain,
    read_number,
    read_order,
    verb_of,
)
from referee.formats.ordernames import MAX_NAME, OrderRefused, UnitNames, tidy

MAX_SHIPS = 100  # ships placed in one file
MAX_ON_A_LINE = 20  # orders on one line
MAX_HINTS = 100  # problems of one file that are told what would have been understood

_SHIP = pattern(
    r"ship (?P<name>[^=:;]+?) ?= ?(?P<cls>\S+) at (?P<at>\S+)(?: speed (?P<speed>\S+))?(?: side (?P<side>[^=:;]+))?",
    re.IGNORECASE,
)
_OPTION = pattern(r"(?P<key>[a-z_]{1,40}) ?= ?(?P<value>[A-Za-z0-9_.-]{1,40})")

_DRONE = pattern(
    r"drone (?P<name>[^=:;]+?) at (?P<at>\S+) speed (?P<speed>\S+)"
    r"(?: after (?P<target>[^=:;]+?))?(?: side (?P<side>[^=:;]+))?",
    re.IGNORECASE,
)

LoadShip = Callable[[str], ShipClass]


@dataclass
class _Reader:
    """What has been read so far of one file or chat line."""

    place: Location
    load_ship: LoadShip | None = None
    names: UnitNames = field(default_factory=UnitNames)
    rulebook: str = ""
    impulses: int | None = None
    options: list[tuple[str, str]] = field(default_factory=list)
    ships: list[Placement] = field(default_factory=list)
    drones: list[DronePlaced] = field(default_factory=list)
    orders: list[Order] = field(default_factory=list)
    problems: list[OrderProblem] = field(default_factory=list)
    names_launches: bool = True
    """Are seekers called as they are launched? Those of a record have their names in it."""
    standing: list[Order] = field(default_factory=list)
    turn: int = 1
    launched: int = 0

    def take(self, order: Order) -> None:
        """One more order. A seeker it launches can be named from here on, unless that is undone."""
        if self.names_launches:
            order = self._called(order)
        self.orders.append(order)

    def _called(self, order: Order) -> Order:
        if isinstance(order, TurnBegins):
            self.turn = order.turn
        if isinstance(order, Undo):
            last = last_of(order.ship, self.standing)
            undone = None if last is None else self.standing.pop(last)
            if isinstance(undone, Launch):
                self.names.forget(undone.name)
            return order
        if isinstance(order, Launch) and self.launched < MOST_SEEKERS:
            order = replace(order, name=launch_label(order.ship, order.weapon, self.turn, self.names))
            self.names.add(order.name)
            self.names.drones.add(order.name)
            self.launched += 1
        self.standing.append(order)
        return order

    def refuse(self, text: str, refused: OrderRefused | BadInput, place: Location) -> None:
        """One more problem; a file of nonsense is not answered with a thousand suggestions."""
        hint = refused.hint if len(self.problems) < MAX_HINTS else ""
        self.problems.append(OrderProblem(text[:MAX_ORDERS_LINE], refused.reason, hint, location=place))


def read_orders(data: bytes, file: str, load_ship: LoadShip | None = None) -> OrdersFile:
    """An orders file from its bytes. Raises BadInput for what is not text or is too large."""
    if len(data) > MAX_ORDERS_FILE:
        raise BadInput(f"larger than {MAX_ORDERS_FILE} bytes", file=file)
    return parse_orders(as_text(data, file), file, load_ship)


def parse_orders(
    text: str,
    file: str,
    load_ship: LoadShip | None = None,
    *,
    ships: Sequence[str] = (),
    drones: Iterable[str] = (),
    flying: Iterable[str] | None = None,
) -> OrdersFile:
    """An orders file from its text; `ships` are names known beforehand, from a game record, `drones` those of
    them that are seekers, and `flying` those that are still on the map, where that is known.

    With `load_ship` weapons are held against the ship that fires and written as on its SSD.
    Raises BadInput where the text is beyond the limits.
    """
    if len(text) > MAX_ORDERS_FILE:
        raise BadInput(f"larger than {MAX_ORDERS_FILE} characters", file=file)
    lines = text.replace("\r\n", "\n").split("\n")
    if len(lines) > MAX_ORDERS_LINES + (not lines[-1]):
        raise BadInput(f"more than {MAX_ORDERS_LINES} lines", file=file)
    reader = _Reader(Location(file=file), load_ship, UnitNames(ships), names_launches=not ships)
    reader.names.drones.update(drones)
    if flying is not None:
        reader.names.gone.update(reader.names.drones.difference(flying))
    for number, line in enumerate(lines, 1):
        place = reader.place.within(line=number)
        try:
            must_be_plain(line)
        except OrderRefused as refused:
            reader.refuse(line if len(line) > MAX_ORDERS_LINE else "", refused, place)
        else:
            _read_line(reader, COMMENT.sub("", line), place)
    return OrdersFile(
        reader.rulebook,
        reader.impulses,
        tuple(reader.options),
        tuple(reader.ships),
        tuple(reader.orders),
        tuple(reader.problems),
        location=reader.place,
        drones=tuple(reader.drones),
    )


def _read_line(reader: _Reader, line: str, place: Location) -> None:
    """One line: a header, a marker, or `NAME: order; order`."""
    bare = tidy(line)
    if not bare:
        return
    place = place.within(column=len(line) - len(line.lstrip()) + 1)
    verb, _, rest = bare.partition(" ")
    verb = verb.casefold()
    before, colon, _ = line.partition(":")
    to_a_ship = bool(colon) and reader.names.exact(before) is not None
    try:
        if to_a_ship or (colon and not verb_of(bare)):
            _ship_orders(reader, line, place)
        elif verb in HEADERS:
            _header(reader, verb, bare, rest, place)
        elif verb in MARKERS:
            reader.take(read_order(reader.names, "", bare, place))
        elif verb in ORDER_FORMS:
            raise OrderRefused("no ship is named", f"write {ORDER_FORMS[verb]}")
        else:
            raise OrderRefused(f"not understood: {bare[:60]}", lambda: did_you_mean(verb))
    except OrderRefused as refused:
        reader.refuse(bare, refused, place)


def _ship_orders(reader: _Reader, line: str, place: Location) -> None:
    before, _, after = line.partition(":")
    name = reader.names.meant(before)
    column = len(before) + 2
    if after.count(";") >= MAX_ON_A_LINE:
        raise OrderRefused(f"more than {MAX_ON_A_LINE} orders on a line", "write them on lines of their own")
    for part in after.split(";"):
        here = place.within(column=column + len(part) - len(part.lstrip()))
        column += len(part) + 1
        try:
            if part.strip() or not after.strip():
                order = read_order(reader.names, name, part, here)
                if isinstance(order, TurnBegins | ImpulseBegins):
                    raise OrderRefused(
                        "turns and impulses are no ship's", "write them on a line of their own"
                    )
                reader.take(order)
        except OrderRefused as refused:
            reader.refuse(part.strip(), refused, here)


def _header(reader: _Reader, verb: str, bare: str, rest: str, place: Location) -> None:
    if reader.orders:
        raise OrderRefused(f"`{verb}` after the first turn began", "write it at the head of the file")
    if verb == "rulebook":
        if not re.fullmatch(r"[A-Za-z0-9_-]{1,60}", rest) or reader.rulebook:
            raise OrderRefused("one rulebook is named, once", f"write {ORDER_FORMS[verb]}")
        reader.rulebook = rest
    elif verb == "impulses":
        if reader.impulses is not None:
            raise OrderRefused("impulses are given twice", f"{reader.impulses} or the other")
        reader.impulses = read_number(rest, "impulses", ORDER_FORMS[verb])
    elif verb == "option":
        found = _OPTION.fullmatch(rest)
        if not found or found["key"] in dict(reader.options):
            raise OrderRefused("an option is given once, as key=value", f"write {ORDER_FORMS[verb]}")
        reader.options.append((found["key"], found["value"]))
    elif verb == "drone":
        _drone(reader, bare, place)
    else:
        _placement(reader, bare, place)


def _drone(reader: _Reader, bare: str, place: Location) -> None:
    found = _DRONE.fullmatch(bare)
    if not found:
        raise OrderRefused(
            "a drone is not placed so", f"write {ORDER_FORMS['drone']}, or without `after` straight ahead"
        )
    name = found["name"]
    _newcomer(reader, name)
    target = reader.names.meant(found["target"]) if found["target"] else ""
    if target and target not in [ship.ship for ship in reader.ships]:
        raise OrderRefused(f"{target} is no ship placed above", "a drone goes after a ship")
    hex, facing = _stands(found["at"])
    speed = read_number(found["speed"], "speed", ORDER_FORMS["drone"])
    reader.names.add(name)
    reader.names.drones.add(name)
    drone = DronePlaced(name, hex, facing, speed, target, found["side"] or "", location=place)
    reader.drones.append(drone)


def _newcomer(reader: _Reader, name: str) -> None:
    """Raises Refused where a unit of this name cannot be placed."""
    placed = [*(ship.ship for ship in reader.ships), *(drone.name for drone in reader.drones)]
    if not folded(name) or len(name) > MAX_NAME or len(placed) >= MAX_SHIPS:
        raise OrderRefused(
            f"{name[:MAX_NAME]!r} cannot be placed",
            f"names have letters or digits, at most {MAX_NAME}; ships are at most {MAX_SHIPS}",
        )
    if sign := ends_a_name(name):
        raise OrderRefused(f"no order could name {name}: it ends at {sign}", MAY_BE_NAMED)
    if any(folded(name) == folded(other) for other in placed):
        raise OrderRefused(f"a second ship called {name}", "give each ship a name of its own")


def _stands(at: str) -> tuple[Hex, str]:
    """Where a unit is placed and faces. Raises Refused."""
    try:
        hex, facing = parse_map_position(at)
    except ValueError as error:
        raise OrderRefused(str(error), "write a hex and a facing, as 0216B") from None
    if facing is None:
        raise OrderRefused(f"{at} has no facing", f"write {at}A, or whichever way it faces")
    return hex, facing


def _placement(reader: _Reader, bare: str, place: Location) -> None:
    found = _SHIP.fullmatch(bare)
    if not found:
        raise OrderRefused("a ship is not placed so", f"write {ORDER_FORMS['ship']}; {MAY_BE_NAMED}")
    name, at, speed = found["name"], found["at"], found["speed"]
    _newcomer(reader, name)
    # It can be named from here on, wherever it stands.
    reader.names.add(name)
    class_id = found["cls"]
    if reader.load_ship:
        try:
            reader.names.classes[name] = reader.load_ship(class_id)
            class_id = reader.names.classes[name].id
        except BadInput as error:
            reader.refuse(bare, error, place)
    hex, facing = _stands(at)
    before = None if speed is None else read_number(speed, "speed", ORDER_FORMS["ship"])
    reader.ships.append(Placement(name, class_id, hex, facing, before, found["side"] or "", location=place))


def format_orders(orders: OrdersFile) -> str:
    """The file that says the same: read back, it is equal. Problems and comments are not written."""
    lines = [f"rulebook {orders.rulebook}"] if orders.rulebook else []
    lines += [f"impulses {orders.impulses}"] if orders.impulses is not None else []
    lines += [f"option {key}={value}" for key, value in orders.options]
    for ship in orders.ships:
        speed = "" if ship.speed is None else f" speed {ship.speed}"
        side = f" side {ship.side}" if ship.side else ""
        lines.append(f"ship {ship.ship} = {ship.class_id} at {ship.hex}{ship.facing}{speed}{side}")
    for drone in orders.drones:
        after = f" after {drone.target}" if drone.target else ""
        side = f" side {drone.side}" if drone.side else ""
        lines.append(f"drone {drone.name} at {drone.hex}{drone.facing} speed {drone.speed}{after}{side}")
    lines += [format_order(order) for order in orders.orders]
    return "\n".join([*lines, ""])


def format_order(order: Order) -> str:
    """One order as a line of an orders file."""
    begins = isinstance(order, TurnBegins | ImpulseBegins)
    return in_words(order) if begins else f"  {in_words(order)}"
