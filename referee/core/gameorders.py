"""What orders do in a game: speeds, moves, fire, launches and cloaks, and what fire leaves to be marked.

Pure and without judgement: whether a rule forbids an order is the adjudicator's to say.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from referee.core.combat import Moment, Seeker
from referee.core.errors import BadInput
from referee.core.flight import flown
from referee.core.freedrones import fate_of, has_gone
from referee.core.frozen import replace
from referee.core.game import DueVolley, FireOrdered
from referee.core.hexgrid import FACINGS, Hex, Offset, parse_position
from referee.core.orders import Advance, Cloak, Fire, Launch, SetSpeed, ShipOrder, Uncloak, UseBattery, Way
from referee.core.play import ShipInPlay, at_speed, moved
from referee.core.takenover import is_taken, place

if TYPE_CHECKING:
    from referee.core.board import Board
    from referee.core.game import EntryLike

Data = Mapping[str, Any]
TURNED: Mapping[Way, int] = {"ahead": 0, "right": 1, "left": -1}
"""Sixths of a circle a way of moving turns clockwise."""
_WAY_TURNED: Mapping[int, Way] = {sixths % len(FACINGS): way for way, sixths in TURNED.items()}


@lru_cache(maxsize=1 << 12)
def after(hex: Hex, facing: str, way: Way) -> tuple[Hex, str]:
    """Where a unit is and how it faces after a move: it turns, then enters the hex ahead (C3.1)."""
    bow = FACINGS[(FACINGS.index(facing) + TURNED[way]) % len(FACINGS)]
    return hex.step(bow), bow


def way_between(start: tuple[Hex, str], end: tuple[Hex, str]) -> Way | None:
    """The way of moving that leads from one hex and facing to another; None where none does."""
    if end[1] == start[1]:
        return "ahead" if start[0].leads_to(end[1], end[0]) else None
    turned = (FACINGS.index(end[1]) - FACINGS.index(start[1])) % len(FACINGS)
    way = _WAY_TURNED.get(turned)
    return way if way is not None and start[0].leads_to(end[1], end[0]) else None


def order_said(data: Data) -> ShipOrder | None:
    """The order of the order language that an entry holds; None for one that has no words in it."""
    if order := data.get("speed"):
        return SetSpeed(order["ship"], order["speed"])
    if order := data.get("move"):
        return Advance(order["ship"], order["way"])
    if order := data.get("seeker"):
        return Advance(order["name"], order["way"])
    if order := data.get("fire"):
        return Fire(order["ship"], tuple(order["weapons"]), order["target"], order.get("shield"))
    if order := data.get("launch"):
        return Launch(order["ship"], order["weapon"], order["target"])
    if order := data.get("battery"):
        return UseBattery(order["ship"], Fraction(order["points"]), tuple(order["weapons"]))
    if order := data.get("cloak"):
        return (Cloak if order["to"] == "cloak" else Uncloak)(order["ship"])
    return None


def take_order(board: Board, entry: EntryLike) -> None:
    """What an order does; an order of another kind does nothing by itself."""
    for kind, order in entry.data.items():
        if (does := _DOES.get(kind)) is not None:
            does(board, entry, order)


def now(board: Board) -> Moment:
    """The moment the board stands at; impulse 0 is before the first."""
    return Moment(board.turn, board.impulse or 0)


def _choose(board: Board, entry: EntryLike, choice: Data) -> None:
    board.choices[choice["ship"]] = choice["policy"]


def _volley(board: Board, entry: EntryLike, volley: Data) -> None:
    """A volley that was due is so no more once it is ordered."""
    if "of" in volley:
        board.due = [due for due in board.due if [due.seq, due.n] != volley["of"]]


def _speed(board: Board, entry: EntryLike, order: Data) -> None:
    say_speed(board, order["ship"], order["speed"])


def say_speed(board: Board, name: str, speed: int) -> None:
    """A ship's speed of this turn."""
    ship = board.ships[name]
    speeds = {**ship.speeds, board.turn: speed}
    board.ships[name] = replace(ship, unit=at_speed(ship.unit, speed), speeds=speeds)


def _move(board: Board, entry: EntryLike, move: Data) -> None:
    """A ship that moves without a word of its speed moves at that of the turn before."""
    ship = board.ships[move["ship"]]
    if board.turn not in ship.speeds and isinstance(ship.unit.speed, int):
        ship = replace(ship, speeds={**ship.speeds, board.turn: ship.unit.speed})
    assert ship.unit.hex is not None and ship.unit.facing is not None
    hex, facing = after(ship.unit.hex, ship.unit.facing, move["way"])
    board.ships[ship.name] = replace(ship, unit=moved(ship.unit, hex, facing, board.impulse))


def _fire(board: Board, entry: EntryLike, fire: Data) -> None:
    weapons = tuple(fire["weapons"])
    board.fire.put(
        FireOrdered(entry.seq, fire["ship"], weapons, fire["target"], now(board), fire.get("shield"))
    )


def _cloak(board: Board, entry: EntryLike, order: Data) -> None:
    ship = board.ships[order["ship"]]
    board.ships[ship.name] = replace(ship, announced=(*ship.announced, (now(board), order["to"])))


def _battery(board: Board, entry: EntryLike, order: Data) -> None:
    """Points of charged batteries are used in the turn."""
    ship = board.ships[order["ship"]]
    used = now(board), Fraction(order["points"]), tuple(order["weapons"])
    board.ships[ship.name] = replace(ship, fed=(*ship.fed, used))


def _launch(board: Board, entry: EntryLike, launch: Data) -> None:
    """A seeker leaves its ship: it stands in the ship's hex and faces as was ordered (F2.0)."""
    ship = board.ships[launch["ship"]]
    assert ship.unit.hex is not None
    board.seekers[launch["name"]] = Seeker(
        launch["name"],
        launch["type"],
        ship.name,
        launch["target"],
        ship.unit.hex,
        launch["facing"],
        now(board),
        at_launch=board.ships[launch["target"]].unit.hex if launch["target"] in board.ships else None,
    )
    _has_fired(board, entry, ship.name, launch["weapon"])


def _seeker(board: Board, entry: EntryLike, move: Data) -> None:
    seeker = board.seekers[move["name"]]
    hex, facing = after(seeker.hex, seeker.facing, move["way"])
    board.seekers[seeker.name] = flown(seeker, hex, facing)
    board.seekers_moved.add(seeker.name)


def _strike(board: Board, entry: EntryLike, strike: Data) -> None:
    """Seekers that reached their targets, or are gone for another reason, leave the map."""
    for name in strike["seekers"]:
        seeker = board.seekers[name]
        has_gone(board, seeker, fate_of(board, seeker))
    strikes(board, entry, strike.get("volleys", ()))


_DOES: dict[str, Callable[[Board, EntryLike, Data], None]] = {
    "choose": _choose,
    "volley": _volley,
    "speed": _speed,
    "move": _move,
    "place": place,
    "fire": _fire,
    "cloak": _cloak,
    "launch": _launch,
    "battery": _battery,
    "seeker": _seeker,
    "strike": _strike,
}


def weapons_fired(board: Board, entry: EntryLike) -> None:
    """Remembers which weapons fired now."""
    for event in entry.data["events"]:
        if event.get("event") == "weapon_fired":
            _has_fired(board, entry, event["ship"], event["weapon"])


def _has_fired(board: Board, entry: EntryLike, name: str, weapon: str) -> None:
    ship = board.ships[name]
    fired = (*ship.fired, (now(board), weapon))
    elsewhere = len(fired) if is_taken(board.genesis, entry.seq) else ship.elsewhere
    board.ships[name] = replace(ship, fired=fired, elsewhere=elsewhere)


def strikes(board: Board, entry: EntryLike, volleys: Iterable[Data] = ()) -> None:
    """What an entry says has struck: volleys that are due from now on, and seekers that were hit."""
    for n, volley in enumerate(volleys or entry.data.get("volleys", ())):
        origins = tuple((points, Offset(x, z)) for points, x, z in volley["origins"])
        struck = volley["ship"], volley["points"], volley["shield"]
        _fall_due(board, DueVolley(entry.seq, n, *struck, origins, now(board)))
    for hit in entry.data.get("seekers_hit", ()):
        seeker = board.seekers[hit["seeker"]]
        if hit["gone"]:
            has_gone(board, seeker, "destroyed")
            continue
        board.seekers[seeker.name] = replace(
            seeker,
            damage=seeker.damage + hit["points"],
            phaser_damage=seeker.phaser_damage + hit["phasers"],
        )


def _fall_due(board: Board, volley: DueVolley) -> None:
    """A volley more is due. In a game whose volleys are those of an impulse (`volley_groups=impulse`) it joins
    what is due on the same shield in that impulse, most damage first (D4.34)."""
    joins = board.genesis.get("options", {}).get("volley_groups") == "impulse"
    place = volley.ship, volley.shield, volley.moment
    for index, due in enumerate(board.due):
        if joins and (due.ship, due.shield, due.moment) == place:
            origins = tuple(sorted((*due.origins, *volley.origins), key=lambda origin: -origin[0]))
            board.due[index] = replace(due, points=due.points + volley.points, origins=origins)
            return
    board.due.append(volley)


def unit_entering(data: Mapping[str, Any]) -> ShipInPlay:
    """A ship as it enters the game; its speed is that of the turn before the first. Raises BadInput."""
    speed, at = data.get("speed"), data.get("at", "")
    try:
        hex, facing = parse_position(at) if at else (None, None)
    except ValueError as error:
        raise BadInput(str(error)) from None
    known = None if speed is None else int(speed)
    side = str(data.get("side", data["player"]))
    unit = ShipInPlay(data["ship"], str(data["class"]), hex, facing, side, speed=known)
    return replace(unit, counting="unknown") if data.get("midway") else unit
