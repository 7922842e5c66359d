"""Whether an order of play fits the game it is given in: whose ship it is, and that all it names is there.

Rules are not judged here. What is malformed is BadInput; what only another program than this one would
write is an IntegrityFailure.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from referee.core.errors import BadInput, IntegrityFailure
from referee.core.freedrones import MOST_SPEED
from referee.core.hexgrid import FACINGS
from referee.core.naming import MOST_SEEKERS, launcher_in
from referee.core.orders import WAYS
from referee.core.takenover import check_place

if TYPE_CHECKING:
    from referee.core.board import Board

Data = Mapping[str, Any]
_SHAPES: dict[str, dict[str, type]] = {
    "speed": {"ship": str, "speed": int},
    "move": {"ship": str, "way": str},
    "place": {"ship": str, "to": str},
    "fire": {"ship": str, "weapons": list, "target": str},
    "cloak": {"ship": str, "to": str},
    "launch": {"ship": str, "weapon": str, "type": str, "target": str, "facing": str, "name": str},
    "battery": {"ship": str, "points": str, "weapons": list},
    "seeker": {"name": str, "way": str},
    "strike": {"seekers": list, "volleys": list},
}
_NAMES = {kind: (tuple(shape), list(shape.values())) for kind, shape in _SHAPES.items()}
_ORDERED = frozenset((*_SHAPES, "volley", "choose"))


def check_order(board: Board, data: Data) -> None:
    """Raises unless an order of play, if it is one, may stand in the record."""
    ordered = _ORDERED.intersection(data)
    if len(ordered) > 1:
        raise BadInput("order: says several things at once")
    if not ordered:
        _nothing(board, data)
        return
    (kind,) = ordered
    if kind not in _SHAPES:
        return
    what = data[kind]
    _shape(kind, what)
    if (data.get("turn"), data.get("impulse")) != (board.turn, board.impulse):
        raise IntegrityFailure(f"is not of turn {board.turn}, impulse {board.impulse}")
    _CHECKS[kind](board, data, what)


def _nothing(board: Board, data: Data) -> None:
    """An order that orders nothing says `hold fire` of the player's own ship, and no more."""
    name, held, rest = data["text"][0].partition(": hold fire") if len(data["text"]) == 1 else ("", "", "")
    if not held or rest:
        raise BadInput("order: orders nothing")
    _owned(board, name, data.get("player"))


def _shape(kind: str, what: Any) -> None:
    names, kinds = _NAMES[kind]
    fits = isinstance(what, dict)
    if fits and kind == "fire" and "shield" in what:
        fits = what["shield"] in (1, 2, 3, 4, 5, 6)
        what = {name: value for name, value in what.items() if name != "shield"}
    if not fits or len(what) != len(names) or [type(what.get(name)) for name in names] != kinds:
        raise BadInput(f"order: {kind} is malformed")


def _owned(board: Board, name: str, player: object) -> Any:
    ship = board.ships.get(name)
    if ship is None:
        raise BadInput(f"no ship {name[:40]!a} in the game")
    if player != ship.player and not (board.umpire and player == board.umpire):
        raise IntegrityFailure(f"{str(player)[:40]} does not play {ship.name}, {ship.player} does")
    if ship.state.dead:
        raise IntegrityFailure(f"{ship.name} is destroyed already")
    return ship


def _speed(board: Board, data: Data, what: Data) -> None:
    _owned(board, what["ship"], data["player"])
    if not 0 <= what["speed"] <= MOST_SPEED:
        raise BadInput(f"order: speed {what['speed']}")


def _move(board: Board, data: Data, what: Data) -> None:
    ship = _owned(board, what["ship"], data["player"])
    _placed(ship.unit.hex, ship.unit.facing, ship.name)
    _way(what["way"])
    if board.impulse is None:
        raise IntegrityFailure(f"{ship.name} moves outside the impulses")


def _placed(hex: Any, facing: Any, name: str) -> None:
    if hex is None or facing is None:
        raise IntegrityFailure(f"{name} is nowhere on the map")


def _way(way: str) -> None:
    if way not in WAYS:
        raise BadInput(f"order: no way {way[:20]!a}")


def _fire(board: Board, data: Data, what: Data) -> None:
    ship = _owned(board, what["ship"], data["player"])
    shown = board.load_ship(ship.state.ship)
    weapons = what["weapons"]
    if not 0 < len(weapons) <= 60 or not all(type(mark) is str and shown.mount(mark) for mark in weapons):
        raise BadInput(f"order: {ship.name} has no weapons {str(weapons)[:40]}")
    target = board.ships.get(what["target"])
    if target is None and what["target"] not in board.seekers:
        raise BadInput(f"no ship {what['target'][:40]!a} in the game")
    if target is not None and target.state.dead:
        raise IntegrityFailure(f"{target.name} is destroyed already")
    if board.impulse is None:
        raise IntegrityFailure(f"{ship.name} fires outside the impulses")


def _cloak(board: Board, data: Data, what: Data) -> None:
    ship = _owned(board, what["ship"], data["player"])
    if what["to"] not in ("cloak", "uncloak"):
        raise BadInput("order: cloak is malformed")
    if board.impulse is None:
        raise IntegrityFailure(f"{ship.name}: {what['to']} is announced outside the impulses")


_POINTS = re.compile(r"[1-9][0-9]?|[1-9][0-9]?/2")


def _battery(board: Board, data: Data, what: Data) -> None:
    ship = _owned(board, what["ship"], data["player"])
    shown = board.load_ship(ship.state.ship)
    weapons = what["weapons"]
    if not 0 < len(weapons) <= 60 or not all(type(mark) is str and shown.mount(mark) for mark in weapons):
        raise BadInput(f"order: {ship.name} has no weapons {str(weapons)[:40]}")
    if not _POINTS.fullmatch(what["points"]):
        raise BadInput(f"order: {what['points'][:20]!a} points of batteries")
    if board.impulse is None:
        raise IntegrityFailure(f"{ship.name} uses batteries outside the impulses")


def _launch(board: Board, data: Data, what: Data) -> None:
    ship = _owned(board, what["ship"], data["player"])
    _placed(ship.unit.hex, ship.unit.facing, ship.name)
    mount = board.load_ship(ship.state.ship).mount(what["weapon"])
    if mount is None or mount.type != what["type"] or what["facing"] not in FACINGS:
        raise BadInput(f"order: {ship.name} launches nothing from {what['weapon'][:40]!a}")
    if what["target"] not in board.ships:
        raise BadInput(f"no ship {what['target'][:40]!a} in the game")
    taken = (*board.ships, *board.seekers, *board.drones)
    if what["name"] in taken or not what["name"].strip():
        raise IntegrityFailure(f"there is a {what['name'][:40]} already")
    others = [name for name in board.ships if name != ship.name]
    if other := launcher_in(what["name"], others):
        raise IntegrityFailure(f"{what['name'][:40]} is called as if {other} had launched it")
    if board.impulse is None:
        raise IntegrityFailure(f"{ship.name} launches outside the impulses")
    if len(board.seekers) >= MOST_SEEKERS:
        raise IntegrityFailure(f"more than {MOST_SEEKERS} seekers on the map")


def _seeker(board: Board, data: Data, what: Data) -> None:
    seeker = board.seekers.get(what["name"])
    if seeker is None:
        raise BadInput(f"no seeker {what['name'][:40]!a} in the game")
    _way(what["way"])
    owner = board.ships[seeker.owner].player if seeker.owner else seeker.player
    umpire = bool(board.umpire) and data["player"] == board.umpire
    # A drone that is nobody's flies by itself: whoever moves the game on puts its move down.
    if owner and data["player"] != owner and not umpire:
        raise IntegrityFailure(f"{str(data['player'])[:40]} does not play {seeker.owner or seeker.name}")


def _strike(board: Board, data: Data, what: Data) -> None:
    if not what["seekers"] or not all(name in board.seekers for name in map(str, what["seekers"])):
        raise BadInput("order: strike of seekers that are not there")
    if len(set(map(str, what["seekers"]))) < len(what["seekers"]):
        raise BadInput("order: strike is malformed")
    check_volleys(board, what["volleys"])


def check_volleys(board: Board, volleys: Any) -> None:
    """Raises BadInput unless these are volleys on ships of the game."""
    if not isinstance(volleys, list):
        raise BadInput("volleys are malformed")
    for volley in volleys:
        fits = isinstance(volley, dict) and set(volley) == {"ship", "points", "shield", "origins"}
        fits = fits and type(volley["points"]) is int and 0 < volley["points"] <= 100_000
        fits = fits and volley["shield"] in (1, 2, 3, 4, 5, 6) and type(volley["shield"]) is int
        if not fits or volley["ship"] not in board.ships or not _are_origins(volley["origins"]):
            raise BadInput("volleys are malformed")


def _are_origins(origins: Any) -> bool:
    return isinstance(origins, list) and all(
        isinstance(origin, list) and len(origin) == 3 and all(type(x) is int for x in origin)
        for origin in origins
    )


def check_due(board: Board, volley: Data) -> None:
    """Raises IntegrityFailure where a volley says it is one that was due and is not."""
    if "of" not in volley:
        return
    if not isinstance(volley["of"], list):
        raise BadInput("order: volley is malformed")
    for due in board.due:
        if volley["of"] == [due.seq, due.n]:
            origins = [[points, offset.x, offset.z] for points, offset in due.origins]
            same = (volley["ship"], volley["points"], volley["shield"]) == (due.ship, due.points, due.shield)
            if not same or volley["internal"] or volley["origins"] != origins:
                raise IntegrityFailure(f"orders another volley than the one due of entry {due.seq}")
            return
    raise IntegrityFailure("orders a volley that is not due")


def check_fire_roll(board: Board, numbers: tuple[int, ...], groups: int, open_dice: bool) -> None:
    """Raises IntegrityFailure unless a roll decides all fire that was ordered and not yet rolled, with a
    group of dice for each shot."""
    due = tuple(order.seq for order in board.fire.row() if order.roll is None)
    if numbers != due:
        raise IntegrityFailure("declares other fire than what was ordered")
    if open_dice or groups != sum(len(board.fire[seq].weapons) for seq in due):
        raise IntegrityFailure("declares other dice than one roll for each shot")


def check_lock_on(board: Board, data: Data) -> None:
    """Raises unless a roll for lock-on is one die for each of some ships, by the owner of a ship that has
    not tried for them this turn."""
    ship = _owned(board, str(data.get("ship")), data["who"])
    targets = data.get("targets") or []
    if len(targets) != len(data["order"]) or not targets or len(set(targets)) < len(targets):
        raise BadInput("declare: lock-on is malformed")
    if any(group["count"] != 1 for group in data["order"]):
        raise BadInput("declare: lock-on takes one die for each target")
    for target in targets:
        if target not in board.ships or target == ship.name:
            raise BadInput(f"no ship {target[:40]!a} to lock on to")
        if (ship.name, target, board.turn) in board.locks:
            raise IntegrityFailure(f"{ship.name} has tried for lock-on on {target} this turn")


_CHECKS: dict[str, Callable[[Board, Data, Any], None]] = {
    "speed": _speed,
    "move": _move,
    "place": check_place,
    "fire": _fire,
    "cloak": _cloak,
    "launch": _launch,
    "battery": _battery,
    "seeker": _seeker,
    "strike": _strike,
}
