"""A game as the fold of its record's entries: where the turn stands, the ships, what is awaited.

Pure: entries in, state out. An entry type it does not know stops the fold. `undo` takes an earlier entry
out of the fold; nothing is ever removed from the record.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import field, replace
from fractions import Fraction
from typing import Any, Protocol

from referee.core.errors import BadInput
from referee.core.eventjson import event_from_json
from referee.core.frozen import frozen
from referee.core.ship import ShipClass
from referee.core.state import ShipState, apply, new_state

FOLD_VERSION = 1
LoadShip = Callable[[str], ShipClass]


class EntryLike(Protocol):
    """What the fold needs of a record's entry."""

    @property
    def seq(self) -> int: ...
    @property
    def type(self) -> str: ...
    @property
    def data(self) -> Mapping[str, Any]: ...
    @property
    def hash(self) -> str: ...


@frozen
class ShipInGame:
    """A ship of the game: who plays it, where it is, what is left of it, its energy by turn."""

    name: str
    player: str
    state: ShipState
    position: str = ""
    forms: Mapping[int, Mapping[str, Any]] = field(default_factory=dict)


@frozen
class Seal:
    """Sealed orders: for which turn, ship and kind, in which line, and whether they are revealed."""

    hash: str
    seq: int
    kind: str
    turn: int
    ship: str
    player: str
    revision: int
    impulse: int | None = None
    revealed: bool = False


@frozen
class Roll:
    """A declared roll: its number, who rolls, what for, and how far it has come."""

    number: int
    declared: int
    who: str
    purpose: str
    keys: frozenset[str] = frozenset()
    status: str = "declared"


@frozen
class GameState:
    """The game after some entries. `lines` counts them, undone ones too."""

    genesis: Mapping[str, Any]
    turn: int = 0
    impulse: int | None = None
    step: str = ""
    ships: Mapping[str, ShipInGame] = field(default_factory=dict)
    seals: tuple[Seal, ...] = ()
    rolls: Mapping[int, Roll] = field(default_factory=dict)
    orders: tuple[tuple[int, Mapping[str, Any]], ...] = ()
    rulings: tuple[tuple[int, str], ...] = ()
    fouls: tuple[tuple[int, str], ...] = ()
    undone: frozenset[int] = frozenset()
    anchors: frozenset[str] = frozenset()
    lines: int = 0

    @property
    def players(self) -> tuple[str, ...]:
        """The players, in the order of the first entry."""
        return tuple(self.genesis["players"])

    @property
    def dice_mode(self) -> str:
        """How dice are rolled in this game; it never changes."""
        return str(self.genesis["dice"]["mode"])

    @property
    def open_rolls(self) -> tuple[Roll, ...]:
        """Rolls declared and not yet decided."""
        return tuple(roll for roll in self.rolls.values() if roll.status == "declared")

    def ship(self, name: str) -> ShipInGame:
        """A ship by name. Raises BadInput, with the names there are."""
        for known, ship in self.ships.items():
            if known.casefold() == name.casefold():
                return ship
        raise BadInput(f"no ship {name} in the game", hint=f"there are {', '.join(self.ships) or 'none'}")

    def sealed(self, ship: str, turn: int, kind: str) -> Seal | None:
        """The seal in force for a ship's orders: the latest revision."""
        found = [s for s in self.seals if (s.ship, s.turn, s.kind) == (ship, turn, kind)]
        return max(found, key=lambda seal: seal.revision, default=None)


def undone_by(entries: Iterable[EntryLike]) -> frozenset[int]:
    """The lines taken back by an undo that is not itself taken back."""
    undos = {entry.seq: int(entry.data["target"]) for entry in entries if entry.type == "undo"}
    gone: set[int] = set()
    for seq in sorted(undos, reverse=True):
        if seq not in gone:
            gone.add(undos[seq])
    return frozenset(gone)


def fold_game(entries: Iterable[EntryLike], load_ship: LoadShip) -> GameState:
    """The game after all entries. Raises BadInput for a first entry that is no genesis, or an entry the
    fold cannot take."""
    entries = list(entries)
    if not entries or entries[0].type != "genesis":
        raise BadInput("does not begin with a genesis entry")
    undone = undone_by(entries)
    state = GameState(genesis=entries[0].data, undone=undone)
    for entry in entries[1:]:
        if entry.seq not in undone:
            state = _apply(state, entry, load_ship)
    return replace(state, lines=len(entries))


def _apply(state: GameState, entry: EntryLike, load_ship: LoadShip) -> GameState:
    if entry.type in _PLAIN:
        return state
    step = _STEPS.get(entry.type)
    if step is None:
        raise BadInput(f"entry type {entry.type} is not known", place=f"line {entry.seq + 1}")
    try:
        return step(state, entry, load_ship)
    except BadInput as error:
        raise error.at(place=f"line {entry.seq + 1}") from None


def _ship(state: GameState, entry: EntryLike, load_ship: LoadShip) -> GameState:
    data = entry.data
    ship_class = load_ship(str(data["class"]))
    fresh = new_state(ship_class)
    speed = data.get("speed")
    ship = ShipInGame(
        name=data["ship"],
        player=data.get("player", ""),
        state=replace(fresh, speed=None if speed is None else Fraction(speed)),
        position=str(data.get("at", "")),
    )
    return replace(state, ships={**state.ships, ship.name: ship})


def _with_ship(state: GameState, ship: ShipInGame) -> GameState:
    return replace(state, ships={**state.ships, ship.name: ship})


def _form(state: GameState, entry: EntryLike, load_ship: LoadShip) -> GameState:
    ship = state.ship(entry.data["ship"])
    filed = {**ship.forms, int(entry.data["turn"]): entry.data["form"]}
    return _with_ship(state, replace(ship, forms=filed))


def _reveal(state: GameState, entry: EntryLike, load_ship: LoadShip) -> GameState:
    opened = [seal for seal in state.seals if seal.hash == entry.data["seal"]]
    if not opened:
        raise BadInput("reveals a seal that is not in the record")
    seals = tuple(replace(seal, revealed=True) if seal in opened else seal for seal in state.seals)
    state = replace(state, seals=seals)
    body = entry.data.get("body")
    if isinstance(body, Mapping) and body.get("kind") == "eaf" and body.get("ship") in state.ships:
        ship = state.ships[body["ship"]]
        state = _with_ship(state, replace(ship, forms={**ship.forms, int(body["turn"]): body["form"]}))
    return state


def _seal(state: GameState, entry: EntryLike, load_ship: LoadShip) -> GameState:
    data = entry.data
    seal = Seal(
        entry.hash,
        entry.seq,
        data["kind"],
        int(data["turn"]),
        data["ship"],
        data["player"],
        int(data["seq"]),
        data.get("impulse"),
    )
    return replace(state, seals=(*state.seals, seal))


def _events(state: GameState, entry: EntryLike, load_ship: LoadShip) -> GameState:
    for data in entry.data["events"]:
        ship = state.ship(str(data.get("ship", "")))
        state = _with_ship(state, replace(ship, state=apply(ship.state, event_from_json(data))))
    return state


def _step(state: GameState, entry: EntryLike, load_ship: LoadShip) -> GameState:
    data = entry.data
    return replace(state, turn=int(data["turn"]), impulse=data.get("impulse"), step=data.get("step", ""))


def _order(state: GameState, entry: EntryLike, load_ship: LoadShip) -> GameState:
    return replace(state, orders=(*state.orders, (entry.seq, entry.data)))


def _ruling(state: GameState, entry: EntryLike, load_ship: LoadShip) -> GameState:
    state = replace(state, rulings=(*state.rulings, (entry.seq, entry.data["text"])))
    return _events(state, entry, load_ship) if entry.data.get("events") else state


def _foul(state: GameState, entry: EntryLike, load_ship: LoadShip) -> GameState:
    return replace(state, fouls=(*state.fouls, (entry.seq, entry.data["reason"])))


def _anchor(state: GameState, entry: EntryLike, load_ship: LoadShip) -> GameState:
    return replace(state, anchors=state.anchors | {entry.data["player"]})


def _declare(state: GameState, entry: EntryLike, load_ship: LoadShip) -> GameState:
    data = entry.data
    roll = Roll(int(data["roll"]), entry.seq, data["who"], data.get("purpose", ""))
    return replace(state, rolls={**state.rolls, roll.number: roll})


def _roll_moves(status: str) -> Callable[[GameState, EntryLike, LoadShip], GameState]:
    def move(state: GameState, entry: EntryLike, load_ship: LoadShip) -> GameState:
        number = int(entry.data["roll"])
        if number not in state.rolls:
            raise BadInput(f"roll {number} was not declared")
        return replace(state, rolls={**state.rolls, number: replace(state.rolls[number], status=status)})

    return move


def _key(state: GameState, entry: EntryLike, load_ship: LoadShip) -> GameState:
    number = int(entry.data["roll"])
    if number not in state.rolls:
        raise BadInput(f"roll {number} was not declared")
    roll = state.rolls[number]
    held = replace(roll, keys=roll.keys | {entry.data["player"]})
    return replace(state, rolls={**state.rolls, number: held})


_PLAIN = frozenset(("nonce", "confirm", "dice_seed", "umpire_ack", "umpire_reject", "note", "undo"))
"""Entries that matter to the dice or to people, not to the state."""

_STEPS: dict[str, Callable[[GameState, EntryLike, LoadShip], GameState]] = {
    "ship": _ship,
    "form": _form,
    "seal": _seal,
    "reveal": _reveal,
    "events": _events,
    "step": _step,
    "order": _order,
    "ruling": _ruling,
    "foul": _foul,
    "anchor": _anchor,
    "declare": _declare,
    "key": _key,
    "result": _roll_moves("rolled"),
    "void": _roll_moves("void"),
    "forfeit_roll": _roll_moves("forfeit"),
    "reroll": _roll_moves("reroll"),
}
