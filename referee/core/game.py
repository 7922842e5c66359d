"""A game as the fold of its record's entries: where the turn stands, the ships, what is awaited.

Pure: entries in, state out. An entry type it does not know stops the fold, and so does an entry that its
author had no right to (`referee.core.rights`). `undo` takes an earlier entry out of the fold; nothing is
ever removed from the record.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import field, replace
from fractions import Fraction
from typing import Any, Protocol

from referee.core.errors import BadInput, RefereeError
from referee.core.eventjson import event_from_json
from referee.core.frozen import frozen
from referee.core.rights import check_rights
from referee.core.ship import ShipClass
from referee.core.state import ShipState, fold, new_state

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
    """A ship of the game: who plays it, where it is, what is left of it, its energy by turn.

    `begun` is what was left of it when each turn began: its form of the turn is judged by that.
    """

    name: str
    player: str
    state: ShipState
    position: str = ""
    forms: Mapping[int, Mapping[str, Any]] = field(default_factory=dict)
    begun: Mapping[int, ShipState] = field(default_factory=dict)

    def when_begun(self, turn: int) -> ShipState:
        """What was left of it when a turn began."""
        return self.begun.get(turn, self.state)


@frozen
class Seal:
    """Sealed orders: for which turn, ship and kind, in which line, and what has been shown of them."""

    hash: str
    seq: int
    kind: str
    turn: int
    ship: str
    player: str
    revision: int
    impulse: int | None = None
    shown: Mapping[str, Any] = field(default_factory=dict)
    revealed: bool = False

    @property
    def about(self) -> tuple[int, int | None, str, str]:
        """Turn, impulse, ship and kind: revisions of the same orders share them."""
        return self.turn, self.impulse, self.ship, self.kind


@frozen
class Roll:
    """A declared roll: its number, who rolls, what for, and how far it has come.

    `volley` is the order entry it resolves, `applied` the entry of what that did.
    """

    number: int
    declared: int
    who: str
    purpose: str
    keys: frozenset[str] = frozenset()
    status: str = "declared"
    volley: int | None = None
    applied: int | None = None
    typed_by: str = ""
    confirmed: bool = False


@frozen
class GameState:
    """The game after some entries. `lines` counts them, undone ones too.

    `choices` is the policy each ship's owner has said for it; `unapplied` the roll whose dice have fallen
    and whose damage is not yet marked.
    """

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
    choices: Mapping[str, str] = field(default_factory=dict)
    undone: frozenset[int] = frozenset()
    anchors: frozenset[str] = frozenset()
    unapplied: int | None = None
    lines: int = 0

    @property
    def players(self) -> tuple[str, ...]:
        """The players, in the order of the first entry."""
        return tuple(self.genesis["players"])

    @property
    def umpire(self) -> str:
        """The umpire, or an empty text."""
        return str(self.genesis.get("umpire", ""))

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


class Board:
    """The game while it is folded: what `GameState` holds, changed in place."""

    def __init__(self, genesis: Mapping[str, Any], load_ship: LoadShip) -> None:
        self.genesis = genesis
        self.load_ship = load_ship
        self.players: tuple[str, ...] = tuple(genesis["players"])
        self.umpire = str(genesis.get("umpire", ""))
        self.turn = 0
        self.impulse: int | None = None
        self.step = ""
        self.ships: dict[str, ShipInGame] = {}
        self.seals: dict[str, Seal] = {}
        self.rolls: dict[int, Roll] = {}
        self.orders: dict[int, Mapping[str, Any]] = {}
        self.rulings: list[tuple[int, str]] = []
        self.fouls: list[tuple[int, str]] = []
        self.choices: dict[str, str] = {}
        self.anchors: set[str] = set()
        self.unapplied: int | None = None
        self.begun = False

    def frozen(self, undone: frozenset[int], lines: int) -> GameState:
        """The state, fixed."""
        return GameState(
            genesis=self.genesis,
            turn=self.turn,
            impulse=self.impulse,
            step=self.step,
            ships=self.ships,
            seals=tuple(self.seals.values()),
            rolls=self.rolls,
            orders=tuple(self.orders.items()),
            rulings=tuple(self.rulings),
            fouls=tuple(self.fouls),
            choices=self.choices,
            undone=undone,
            anchors=frozenset(self.anchors),
            unapplied=self.unapplied,
            lines=lines,
        )


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
    fold cannot take, IntegrityFailure for one that its author had no right to."""
    entries = list(entries)
    if not entries or entries[0].type != "genesis":
        raise BadInput("does not begin with a genesis entry")
    if entries[0].data["fold"] != FOLD_VERSION:
        raise BadInput(
            f"is replayed by version {entries[0].data['fold']}", place="line 1", hint=f"this is {FOLD_VERSION}"
        )
    undone = undone_by(entries)
    board = Board(entries[0].data, load_ship)
    for entry in entries[1:]:
        try:
            check_rights(board, entry, entries)
            (_passed_over if entry.seq in undone else _STEPS[entry.type])(board, entry)
        except KeyError:
            place = f"line {entry.seq + 1}"
            known = entry.type in _STEPS
            reason = f"{entry.type} is misshapen" if known else f"entry type {entry.type} is not known"
            raise BadInput(reason, place=place) from None
        except RefereeError as error:
            raise error.at(place=f"line {entry.seq + 1}") from None
    return board.frozen(undone, len(entries))


def _passed_over(board: Board, entry: EntryLike) -> None:
    """An entry that is taken back; the dice of a volley stay rolled."""
    if entry.type == "events":
        board.unapplied = None


def _ship(board: Board, entry: EntryLike) -> None:
    data = entry.data
    speed = data.get("speed")
    state = replace(
        new_state(board.load_ship(str(data["class"]))), speed=None if speed is None else Fraction(speed)
    )
    board.ships[data["ship"]] = ShipInGame(
        data["ship"], data["player"], state, str(data.get("at", "")), {}, {max(board.turn, 1): state}
    )


def _form(board: Board, entry: EntryLike) -> None:
    _file(board, entry.data["ship"], entry.data["turn"], entry.data["form"])


def _file(board: Board, name: str, turn: int, form: Mapping[str, Any]) -> None:
    ship = board.ships[name]
    board.ships[name] = replace(ship, forms={**ship.forms, turn: form})


def _seal(board: Board, entry: EntryLike) -> None:
    data = entry.data
    board.begun = True
    board.seals[entry.hash] = Seal(
        entry.hash,
        entry.seq,
        data["kind"],
        data["turn"],
        data["ship"],
        data["player"],
        data["seq"],
        data.get("impulse"),
    )


def _reveal(board: Board, entry: EntryLike) -> None:
    """What a reveal shows; it was held against its seal before. Single lines add up to the whole."""
    data = entry.data
    seal = board.seals[data["seal"]]
    if data["v"] == 1:
        shown, whole = data["body"]["form"], True
    else:
        shown = {**seal.shown, **{item["field"]: item["value"] for item in data["shown"]}}
        whole = len(shown) == len(data["fields"])
    board.seals[seal.hash] = replace(seal, shown=shown, revealed=whole)
    if whole and seal.kind == "eaf":
        _file(board, seal.ship, seal.turn, shown)


def _events(board: Board, entry: EntryLike) -> None:
    _mark(board, entry.data["events"])
    if board.unapplied is not None:
        roll = board.rolls[board.unapplied]
        board.rolls[roll.number] = replace(roll, applied=entry.seq)
        board.unapplied = None


def _mark(board: Board, events: Iterable[Mapping[str, Any]]) -> None:
    by_ship: dict[str, list[Any]] = {}
    for data in events:
        name = str(data.get("ship", ""))
        if name not in board.ships:
            raise BadInput(f"no ship {name[:40]!a} in the game")
        by_ship.setdefault(name, []).append(event_from_json(data))
    for name, happened in by_ship.items():
        ship = board.ships[name]
        board.ships[name] = replace(ship, state=fold(ship.state, tuple(happened)))


def _step(board: Board, entry: EntryLike) -> None:
    data = entry.data
    if data["turn"] != board.turn:
        for name, ship in board.ships.items():
            board.ships[name] = replace(ship, begun={**ship.begun, data["turn"]: ship.state})
    board.begun = board.begun or board.turn > 0
    board.turn, board.impulse, board.step = data["turn"], data.get("impulse"), data.get("step", "")


def _order(board: Board, entry: EntryLike) -> None:
    board.orders[entry.seq] = entry.data
    if "choose" in entry.data:
        board.choices[entry.data["choose"]["ship"]] = entry.data["choose"]["policy"]


def _ruling(board: Board, entry: EntryLike) -> None:
    board.rulings.append((entry.seq, entry.data["text"]))
    _mark(board, entry.data.get("events", ()))


def _foul(board: Board, entry: EntryLike) -> None:
    board.fouls.append((entry.seq, entry.data["reason"]))


def _anchor(board: Board, entry: EntryLike) -> None:
    board.anchors.add(entry.data["player"])


def _declare(board: Board, entry: EntryLike) -> None:
    data = entry.data
    board.begun = True
    purpose = data.get("purpose", "")
    board.rolls[data["roll"]] = Roll(
        data["roll"], entry.seq, data["who"], purpose, volley=volley_number(purpose)
    )


def volley_number(purpose: str) -> int | None:
    """The order entry a roll is for, if it is for a volley."""
    number = purpose.removeprefix("volley of entry ")
    return int(number) if number != purpose and number.isascii() and number.isdecimal() else None


def _roll_moves(status: str) -> Callable[[Board, EntryLike], None]:
    def move(board: Board, entry: EntryLike) -> None:
        roll = board.rolls[entry.data["roll"]]
        typed_by = entry.data.get("entered_by", roll.typed_by)
        board.rolls[roll.number] = replace(roll, status=status, typed_by=typed_by)
        if status in ("rolled", "forfeit") and roll.volley is not None:
            board.unapplied = roll.number

    return move


def _confirm(board: Board, entry: EntryLike) -> None:
    roll = board.rolls[entry.data["roll"]]
    board.rolls[roll.number] = replace(roll, confirmed=True)


def _key(board: Board, entry: EntryLike) -> None:
    roll = board.rolls[entry.data["roll"]]
    board.rolls[roll.number] = replace(roll, keys=roll.keys | {entry.data["player"]})


def _nothing(board: Board, entry: EntryLike) -> None:
    """Entries that matter to the dice or to people, not to the state."""


_STEPS: dict[str, Callable[[Board, EntryLike], None]] = {
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
    "confirm": _confirm,
    "void": _roll_moves("void"),
    "forfeit_roll": _roll_moves("forfeit"),
    "reroll": _roll_moves("reroll"),
    **dict.fromkeys(("nonce", "dice_seed", "umpire_ack", "umpire_reject", "note", "undo"), _nothing),
}
