"""A game cut to a moment: the orders that lead to it, in the order language and without a name, whatever told the game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from referee.core.account import Event
from referee.core.errors import BadInput
from referee.core.finding import Report, Severity
from referee.core.frozen import frozen
from referee.core.gameorders import after, order_said, way_between
from referee.core.hexgrid import Hex, parse_position
from referee.core.naming import launch_label
from referee.core.orders import Advance, Fire, Launch, SetSpeed, ShipOrder, in_words
from referee.formats.orderfiles import is_play
from referee.judging.files import judge_file
from referee.rulebooks.base import Rulebook
from referee.rulebooks.registry import load_rulebook
from referee.sources.asked import Asked
from referee.sources.inputs import InputBytes

SHIPS = ("One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten")
SIDES = ("Red", "Blue", "Green", "White")
"""What ships and sides are called in a cut, in the order in which they enter."""
Moment = tuple[int, int]


@frozen
class WholeGame:
    """A game: by what it is played, the class of each ship, all that happened, and what is found in it."""

    rulebook: Rulebook
    classes: Mapping[str, str]
    events: tuple[Event, ...]
    report: Report

    @property
    def names(self) -> tuple[str, ...]:
        """The names that ships and players have in it."""
        return (*self.classes, *map(str, self.events[0].data["players"]))

    def ruled(self, rule: str, moment: Moment) -> str:
        """What a rule says of a moment of it."""
        mine = {
            found.severity
            for found in self.report.findings
            if found.key == rule and (found.turn, found.impulse) in (moment, (moment[0], None))
        }
        return (
            "illegal" if Severity.ERROR in mine else "cannot-tell" if Severity.UNDECIDED in mine else "legal"
        )


@dataclass
class _Ship:
    """A ship as it stands while the game is gone through."""

    name: str
    hex: Hex
    facing: str
    speed: int | None
    side: str


@dataclass
class _Turn:
    """A turn: how ships stood before it, and what was ordered in it by impulse."""

    number: int
    ships: list[_Ship]
    in_flight: bool
    orders: list[tuple[int | None, ShipOrder]] = field(default_factory=list)


def is_told(source: InputBytes) -> bool:
    """Is a file a game that can be cut: a record, a VASSAL log, a log of the online client?"""
    return source.is_record or source.kind == "save" or (source.kind == "text" and is_play(source.data))


def told_in(source: InputBytes, asked: Asked) -> WholeGame:
    """The game in a file. Raises BadInput for a file that holds none, or several."""
    report = judge_file(source, asked)
    if source.is_record:
        return _of_record(source, report)
    if source.kind == "save":
        return _of_log(source, asked, report)
    from referee.sources.sfbol import games_told

    games = games_told(source.data, source.name, asked)
    if len(games) > 1:
        raise BadInput(f"holds {len(games)} games", file=source.name, hint="referee log part FILE N")
    if games[0].account is None or games[0].rulebook is None:
        raise BadInput("has no ship whose class is known", file=source.name, hint="--ship NAME=CLASS")
    return WholeGame(games[0].rulebook, games[0].classes, games[0].account.events, report)


def _of_record(source: InputBytes, report: Report) -> WholeGame:
    from referee.play.game_file import game_in
    from referee.sources.record import account_of

    game = game_in(source)
    if game.state.own is not None:
        raise BadInput("is a combat that the order language has no words for", file=source.name)
    events = account_of(entry for entry in game.entries if entry.seq not in game.state.undone).events
    return WholeGame(
        game.rulebook,
        {name: game.ship_class(ship).id for name, ship in game.state.ships.items()},
        events,
        report,
    )


def _of_log(source: InputBytes, asked: Asked, report: Report) -> WholeGame:
    from referee.formats.vassal.game import read_save
    from referee.logs.audit import game_of
    from referee.logs.reading import read_game
    from referee.sources.saves import map_of, with_map

    save, module_map = read_save(source.data, source.name, asked.encoding), map_of(asked)
    if save.kind != "log":
        raise BadInput(
            "is a save: nothing happens in it", file=source.name, hint="a log, or the form of the ship"
        )
    game = game_of(read_game(save, with_map(asked, module_map), module_map))
    if game.played.account is None or not game.read.judged:
        raise BadInput(
            "has no game in it of ships whose class is known", file=source.name, hint="--ship NAME=CLASS"
        )
    classes = {audited.ship.name: audited.chosen.id for audited in game.read.judged}
    return WholeGame(game.read.judged[0].rulebook, classes, game.played.account.events, report)


def options_of(rulebook: Rulebook) -> dict[str, str]:
    """The options of a game that are not as usual, but for its impulses, which orders say themselves."""
    usual = load_rulebook(rulebook.id).chosen
    return {
        name: value
        for name, value in rulebook.chosen.items()
        if usual.get(name) != value and name != "impulses"
    }


def cuts(game: WholeGame, moment: Moment, file: str) -> Iterator[str]:
    """The orders up to a moment and no further, the shortest first: from the turn of the moment on, from the turn before
    that, from the beginning. Turns count from 1 again. Raises BadInput for a moment there is not."""
    turns = list(_turns(game, moment, file))
    if not turns or turns[-1].number != moment[0]:
        raise BadInput(f"nothing is ordered in turn {moment[0]}", file=file, hint="--at TURN.IMPULSE")
    for begun in reversed(range(len(turns))):
        if begun == 0 or not turns[begun].in_flight:
            yield "\n".join(_lines(game, turns[begun:])) + "\n"


def _lines(game: WholeGame, turns: list[_Turn]) -> Iterator[str]:
    called = {ship.name: SHIPS[n] for n, ship in enumerate(turns[0].ships)}
    sides = {side: SIDES[n] for n, side in enumerate(dict.fromkeys(ship.side for ship in turns[0].ships))}
    yield f"rulebook {game.rulebook.id}"
    if "impulses" in game.rulebook.options:
        yield f"impulses {game.rulebook.option('impulses')}"
    for ship in turns[0].ships:
        speed = "" if ship.speed is None else f" speed {ship.speed}"
        side = f" side {sides[ship.side]}" if len(sides) > 1 else ""
        yield f"ship {called[ship.name]} = {game.classes[ship.name]} at {ship.hex}{ship.facing}{speed}{side}"
    for number, turn in enumerate(turns, 1):
        yield f"turn {number}"
        now: int | None = None
        for impulse, order in turn.orders:
            if impulse is not None and impulse != now:
                yield f"impulse {impulse}"
                now = impulse
            yield f"  {in_words(_renamed(order, called, number))}"


def _renamed(order: ShipOrder, called: dict[str, str], turn: int) -> ShipOrder:
    """An order with the names of the cut; a seeker is called after its ship as it is launched. Raises BadInput for one of
    a unit that is not in the cut."""
    target = order.target if isinstance(order, Fire | Launch) else order.ship
    for name in (order.ship, target):
        if name not in called:
            raise BadInput(f"{name} comes into the game after its ships")
    ship = called[order.ship]
    if isinstance(order, Launch):
        called[order.name] = launch_label(ship, order.weapon, turn, called.values())
    if isinstance(order, Fire | Launch):
        return replace(order, ship=ship, target=called[target])
    return replace(order, ship=ship)


# -- going through the game --------------------------------------------------------------


def _turns(game: WholeGame, moment: Moment, file: str) -> Iterator[_Turn]:
    """The turns up to the moment."""
    ships: dict[str, _Ship] = {}
    speeds: dict[str, int] = {}
    seekers: set[str] = set()
    turn: _Turn | None = None
    impulse: int | None = None
    for event in game.events:
        data = event.data
        if event.type == "ship" and data["ship"] in game.classes:
            ships[data["ship"]] = _entering(data, file)
        elif event.type == "step" and "turn" in data and "over" not in data:
            if turn is None or data["turn"] != turn.number:
                if turn is not None:
                    yield turn
                if data["turn"] > moment[0]:
                    return
                for name, speed in speeds.items():
                    ships[name].speed = speed
                turn = _Turn(data["turn"], [replace(ship) for ship in ships.values()], bool(seekers))
            impulse = data.get("impulse")
            if (data["turn"], impulse or 0) > moment:
                break
        seekers -= set(_gone(data))
        if event.type == "order" and turn is not None:
            for order in _ordered(event, ships, seekers, file):
                turn.orders.append((impulse, order))
                if isinstance(order, SetSpeed):
                    speeds[order.ship] = order.speed
    if turn is not None:
        yield turn


def _gone(data: Mapping[str, Any]) -> Iterator[str]:
    """The seekers that are off the map after an event."""
    yield from data.get("strike", {}).get("seekers", ())
    yield from (hit["seeker"] for hit in data.get("seekers_hit", ()) if hit["gone"])


def _entering(data: Mapping[str, Any], file: str) -> _Ship:
    if data.get("hex") is not None:
        hex, facing = data["hex"], data["facing"]
    elif data.get("at"):
        hex, facing = parse_position(data["at"])
    else:
        raise BadInput(f"does not say where {data['ship']} begins", file=file)
    return _Ship(data["ship"], hex, facing or "A", data.get("speed"), str(data.get("side") or data["player"]))


def _ordered(event: Event, ships: dict[str, _Ship], seekers: set[str], file: str) -> list[ShipOrder]:
    """The orders an event holds; ships and seekers are moved on."""
    data = event.data
    if seen := data.get("seen"):
        move, ship = seen["move"], ships[seen["ship"]]
        way = way_between((ship.hex, ship.facing), (move.to_hex, move.facing_after))
        if way is None:
            raise BadInput(
                f"{ship.name} comes from {ship.hex}{ship.facing} to {move.to_hex}{move.facing_after}, "
                "which no one order does",
                file=file,
                place=str(event.at).partition(":")[2],
            )
        ship.hex, ship.facing = move.to_hex, move.facing_after
        return [Advance(ship.name, way)]
    if (declared := data.get("fire", {}).get("declared")) is not None:
        return [
            Fire(
                declared.firer.name,
                tuple(mount.id for mount in declared.mounts),
                declared.target.name,
                declared.shield,
            )
        ]
    order = order_said(data)
    if isinstance(order, Launch):
        order = replace(order, name=data["launch"]["name"])
        seekers.add(order.name)
    elif isinstance(order, Advance):
        if order.ship not in ships:
            return []  # which way a seeker faced as it was launched is not in its order: here it flies by itself
        ship = ships[order.ship]
        ship.hex, ship.facing = after(ship.hex, ship.facing, order.way)
    return [] if order is None else [order]
