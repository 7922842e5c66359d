"""A game as the fold of its record's entries.

Pure: entries in, state out. An entry type it does not know stops the fold, and so does an entry that its
author had no right to (`referee.core.rights`). `undo` takes an earlier entry out of the fold; nothing is
ever removed from the record.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from typing import Any

from referee.core.board import Board, LoadShip
from referee.core.entry_words import ruling_text
from referee.core.errors import BadInput, RefereeError
from referee.core.eventjson import event_from_json
from referee.core.events import Reinforced
from referee.core.forked import Forked
from referee.core.freedrones import place_drone
from referee.core.frozen import replace
from referee.core.game import (
    LOCK_ON,
    EntryLike,
    Foul,
    GameState,
    Roll,
    ShipInGame,
    fire_numbers,
    umpire_of,
    volley_number,
)
from referee.core.gameorders import say_speed, strikes, take_order, unit_entering, weapons_fired
from referee.core.ownfold import OWN, OwnFold
from referee.core.play import turn_begun
from referee.core.refusals import is_last_key
from referee.core.seals import opened_by, seal_made
from referee.core.state import ShipState, fold, new_state
from referee.core.takenover import check_source, is_taken, leave_and_lock, resolve_fire, stand_by_ruling
from referee.core.undoing import look_ahead

FOLD_VERSION = 2
"""The version of the replay of a record's entries."""


class GameFold(Forked):
    """A game folded entry by entry, from its first; `known` are those there are already, `own` the fold of a rulebook
    that keeps the table itself. Raises as `fold_game`."""

    def __init__(self, known: Sequence[EntryLike], load_ship: LoadShip, own: OwnFold | None = None) -> None:
        self._board = _begun(known, load_ship, own)
        self.taken_back = self._board.taken_back
        self.lines = 1
        self._state: GameState | None = None

    def take(self, entry: EntryLike) -> None:
        """One entry more; one that is taken back later leaves no trace."""
        self._state = None
        _take(self._board, entry)
        self.lines += 1

    def look_ahead(self, entries: Sequence[EntryLike]) -> None:
        """Knows what is taken back in all entries, of which it has taken the first. Raises as `fold_game`."""
        look_ahead(self._board, entries, since=self.lines)
        self.taken_back = self._board.taken_back

    @property
    def moment(self) -> tuple[int, int | None, str]:
        """Turn, impulse and step."""
        return self._board.turn, self._board.impulse, self._board.step

    @property
    def state(self) -> GameState:
        """The game now."""
        if self._state is None:
            self._state = self._board.frozen(frozenset(), self.lines)
        return self._state

    @property
    def whole(self) -> GameState:
        """The game now, as `fold_game` gives it: with what was taken back of the entries known at the start."""
        return self._board.frozen(self.taken_back.gone, self.lines)


def fold_game(entries: Iterable[EntryLike], load_ship: LoadShip, own: OwnFold | None = None) -> GameState:
    """The game after all entries; `own` is the fold of a rulebook that keeps the table itself. Raises BadInput for a
    first entry that is no genesis, or one the fold cannot take, IntegrityFailure for one that its author had no right to."""
    entries = list(entries)
    fold = GameFold(entries, load_ship, own)
    for entry in entries[1:]:
        fold.take(entry)
    return fold.whole


def states_before(
    entries: Sequence[EntryLike],
    load_ship: LoadShip,
    wanted: Callable[[EntryLike], bool],
    own: OwnFold | None = None,
) -> Iterator[tuple[EntryLike, GameState]]:
    """Every entry wanted that stands, with the game as it was before it: none that was taken back, nor one that
    the game went back past. Raises as `fold_game`, up to the last of them."""
    game = GameFold(entries, load_ship, own)
    asked = {entry.seq for entry in entries[1:] if entry.seq not in game.taken_back and wanted(entry)}
    # What comes after the last of them is not folded.
    for entry in entries[1 : max(asked, default=0) + 1]:
        if entry.seq in asked:
            yield entry, game.whole
        game.take(entry)


def _begun(entries: Sequence[EntryLike], load_ship: LoadShip, own: OwnFold | None = None) -> Board:
    if not entries or entries[0].type != "genesis":
        raise BadInput("does not begin with a genesis entry")
    genesis = entries[0].data
    if genesis["fold"] != FOLD_VERSION:
        reason = f"is replayed by version {genesis['fold']}"
        raise BadInput(reason, place="line 1", hint=f"this is {FOLD_VERSION}")
    check_source(genesis)
    if umpire_of(genesis) in genesis["players"]:
        raise BadInput("the umpire plays", place="line 1")
    board = Board(genesis, load_ship, own)
    if any(entry.type in ("undo", "void") for entry in entries):
        look_ahead(board, entries)
    return board


def carry_out(board: Board, entry: EntryLike) -> None:
    """What an entry does, whoever may write it."""
    _STEPS[entry.type](board, entry)


@cache
def _rights() -> Callable[[Board, EntryLike], None]:
    """What asks whether the author of an entry may do it: that is asked in a record alone."""
    from referee.core.rights import check_rights

    return check_rights


def _take(board: Board, entry: EntryLike) -> None:
    try:
        if entry.seq in board.taken_back.gone:
            # Whether it might be done was asked when it was: the moment it was done in may be gone by now.
            _passed_over(board, entry)
            return
        if entry.seq in board.taken_back.stayed:
            _went_back_past(board, entry)
            return
        if board.kept and entry.seq >= board.proved:
            _rights()(board, entry)
        if board.own_fold is not None and entry.type in OWN:
            _own(board, entry)
        else:
            _STEPS[entry.type](board, entry)
    except KeyError:
        known = entry.type in _STEPS
        reason = f"{entry.type} is malformed" if known else f"entry type {entry.type} is not known"
        raise BadInput(reason, place=f"line {entry.seq + 1}") from None
    except RefereeError as error:
        raise error.at(place=f"line {entry.seq + 1}") from None


def _passed_over(board: Board, entry: EntryLike) -> None:
    """An entry that is taken back; the dice of a volley stay rolled."""
    if entry.type == "events":
        board.unapplied = None
        if board.own_fold is not None:
            board.own = board.own_fold.passed_over(board.own, entry)


def _went_back_past(board: Board, entry: EntryLike) -> None:
    """Dice and seals that the game went back past: dice for an order that is gone decide nothing, orders sealed
    there count no more, and what was shown of others stays shown."""
    data = entry.data
    if entry.type == "seal":
        at = board.turn, board.impulse, board.step
        board.released = board.released.having(seal_made(entry.hash, entry.seq, data, at))
        return
    if "seal" in data and board.seals.get(data["seal"]) is None:
        if entry.type == "reveal" and (seal := board.released.get(data["seal"])) is not None:
            board.released = board.released.having(opened_by(seal, data, entry.seq, gone_back=True))
        return
    if entry.type == "reveal":
        _reveal(board, entry, gone_back=True)
        return
    if entry.type != "declare" or _is_for_what_stands(board, data):
        _STEPS[entry.type](board, entry)
        return
    purpose = f"{data.get('purpose', '')} (taken back)".strip()
    board.rolls[data["roll"]] = Roll(data["roll"], entry.seq, data["who"], purpose)


def _is_for_what_stands(board: Board, declared: Mapping[str, Any]) -> bool:
    """Is a roll for orders of which none is taken back?"""
    purpose = declared.get("purpose", "")
    volley, fire = volley_number(purpose), fire_numbers(purpose)
    return (volley is not None or bool(fire)) and all(
        number in board.orders for number in (*fire, *(() if volley is None else (volley,)))
    )


def _own(board: Board, entry: EntryLike) -> None:
    """An entry that the rulebook's own table takes; the dice it comes from are then applied."""
    assert board.own_fold is not None
    board.own = own = board.own_fold.take(board.own, entry, board.umpire)
    board.turn, board.step = own.turn, own.step
    board.begun = board.begun or entry.type != "ship"
    if entry.type == "order":
        board.orders.put((entry.seq, entry.data))
    if entry.type == "events" and board.unapplied is not None:
        roll = board.rolls[board.unapplied]
        board.rolls[roll.number] = replace(roll, applied=entry.seq)
        board.unapplied = None


def _ship(board: Board, entry: EntryLike) -> None:
    data = entry.data
    speed = None if data.get("speed") is None else int(data["speed"])
    whole = new_state(board.load_ship(data["class"])) if data["class"] else ShipState("", {})
    state = replace(whole, speed=None if speed is None else Fraction(speed))
    unit = unit_entering(data)
    begun = {max(board.turn, 1): state}
    robot = data.get("robot") is True
    ship = ShipInGame(unit.name, data["player"], state, unit, {}, begun, robot=robot)
    board.ships[unit.name] = replace(ship, formless=True) if data.get("formless") else ship


def _form(board: Board, entry: EntryLike) -> None:
    name, turn = entry.data["ship"], entry.data["turn"]
    _file(board, name, turn, entry.data["form"])
    if is_taken(board.genesis, entry.seq):
        ship = board.ships[name]
        board.ships[name] = replace(ship, filed_elsewhere=ship.filed_elsewhere | {turn})
    if "speed" in entry.data:
        say_speed(board, name, entry.data["speed"])


def _file(board: Board, name: str, turn: int, form: Mapping[str, Any]) -> None:
    ship = board.ships[name]
    board.ships[name] = replace(ship, forms={**ship.forms, turn: form})


def _seal(board: Board, entry: EntryLike) -> None:
    board.begun = True
    at = board.turn, board.impulse, board.step
    board.seals = board.seals.having(seal_made(entry.hash, entry.seq, entry.data, at))


def _reveal(board: Board, entry: EntryLike, *, gone_back: bool = False) -> None:
    """What a reveal shows; it was held against its seal before."""
    seal = opened_by(board.seals.known(entry.data["seal"]), entry.data, entry.seq, gone_back=gone_back)
    board.seals = board.seals.having(seal)
    if seal.revealed and seal.kind == "eaf":
        _file(board, seal.ship, seal.turn, seal.shown)


def _events(board: Board, entry: EntryLike) -> None:
    _mark(board, entry.data["events"])
    weapons_fired(board, entry)
    strikes(board, entry)
    if board.unapplied is not None:
        roll = board.rolls[board.unapplied]
        board.rolls[roll.number] = replace(roll, applied=entry.seq)
        board.unapplied = None
        if roll.volley is not None:
            _count_absorbed(board, board.orders.data_of(roll.volley)["volley"], entry.data["events"])


def _taken(board: Board, entry: EntryLike) -> None:
    _mark(board, entry.data["events"])
    weapons_fired(board, entry)
    resolve_fire(board, entry)
    strikes(board, entry)
    leave_and_lock(board, entry)


def _count_absorbed(board: Board, volley: Mapping[str, Any], events: Iterable[Mapping[str, Any]]) -> None:
    """What a turn's reinforcement took off a volley is not there for the next."""
    for data in events:
        event = event_from_json(data)
        if isinstance(event, Reinforced):
            shield = 0 if event.kind == "general" else int(volley["shield"])
            key = str(data["ship"]), board.turn, shield
            board.absorbed[key] = board.absorbed.get(key, 0) + event.points


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
        if not is_taken(board.genesis, entry.seq):
            _leave_forms_out(board)
        for name, ship in board.ships.items():
            # A file tells of the turns it has forms for: those between were played all the same.
            first = board.turn + 1 if is_taken(board.genesis, entry.seq) else data["turn"]
            begun = {**dict.fromkeys(range(first, data["turn"] + 1), ship.state), **ship.begun}
            begun[data["turn"]] = ship.state
            board.ships[name] = replace(ship, begun=begun, unit=turn_begun(ship.unit))
    board.begun = board.begun or board.turn > 0
    if (data["turn"], data.get("impulse")) != (board.turn, board.impulse):
        board.seekers_moved.clear()
    board.stepped = entry.seq
    if data.get("impulse"):
        board.furthest[data["turn"]] = max(data["impulse"], board.furthest.get(data["turn"], 0))
    board.turn, board.impulse, board.step = data["turn"], data.get("impulse"), data.get("step", "")


def _leave_forms_out(board: Board) -> None:
    """A turn is over: whoever has no form in it, though others have, paid for nothing in it."""
    sealed = {seal.ship for seal in board.seals.of_turn(board.turn) if seal.kind == "eaf"}
    without = [s for s in board.ships.values() if board.turn not in s.forms and s.name not in sealed]
    if board.turn and len(without) < len(board.ships):
        for ship in without:
            board.ships[ship.name] = replace(ship, unfiled=ship.unfiled | {board.turn})


def _order(board: Board, entry: EntryLike) -> None:
    board.orders.put((entry.seq, entry.data))
    take_order(board, entry)


def _ruling(board: Board, entry: EntryLike) -> None:
    board.rulings.append((entry.seq, ruling_text(entry.data)))
    _mark(board, entry.data.get("events", ()))
    stand_by_ruling(board, entry.data)


def _foul(board: Board, entry: EntryLike) -> None:
    data = entry.data
    rule, player, subject = (data.get(name, "") for name in ("rule", "player", "subject"))
    when = data.get("turn"), data.get("impulse")
    board.fouls.append(Foul(entry.seq, data["reason"], rule, player, subject, *when, data.get("key", rule)))
    ship = board.ships.get(subject)
    if ship is not None:
        board.ships[subject] = replace(ship, broken=ship.broken | {(rule, when[0] or board.turn)})


def _anchor(board: Board, entry: EntryLike) -> None:
    board.anchors.add(entry.data["player"])


def _declare(board: Board, entry: EntryLike) -> None:
    data = entry.data
    board.begun = True
    purpose = data.get("purpose", "")
    number, fire = data["roll"], fire_numbers(purpose)
    board.rolls[number] = Roll(
        number, entry.seq, data["who"], purpose, volley=volley_number(purpose), fire=fire
    )
    for seq in fire:
        if seq in board.fire:
            board.fire.put(replace(board.fire[seq], roll=number))
    board.trying = data


def _roll_moves(status: str) -> Callable[[Board, EntryLike], None]:
    def move(board: Board, entry: EntryLike) -> None:
        roll = board.rolls[entry.data["roll"]]
        typed_by = entry.data.get("entered_by", roll.typed_by)
        board.rolls[roll.number] = replace(roll, status=status, typed_by=typed_by)
        if status in ("rolled", "forfeit") and (roll.volley is not None or roll.fire):
            board.unapplied = roll.number
        if status in ("rolled", "forfeit") and roll.purpose == LOCK_ON:
            _lock_on(board, board.trying, entry.data.get("dice"))
        if status in ("void", "reroll"):
            for seq in roll.fire:
                if seq in board.fire:
                    board.fire.put(replace(board.fire[seq], roll=None))

    return move


def _lock_on(board: Board, declared: Mapping[str, Any], dice: Iterable[Mapping[str, Any]] | None) -> None:
    """A die for each target: whether it is lock-on, the rules say (D6.11). Without dice it counts as more than
    any face."""
    fell = [sum(group["faces"]) for group in dice] if dice is not None else None
    totals = fell or [group["count"] * group["sides"] + 1 for group in declared["order"]]
    for target, total in zip(declared["targets"], totals, strict=True):
        board.locks[declared["ship"], target, board.turn] = total


def _forfeit(board: Board, entry: EntryLike) -> None:
    """A key that was kept back closes the roll only if it is the last."""
    roll, refusal = board.rolls[entry.data["roll"]], (entry.data["refuser"], entry.data["by"])
    board.rolls[roll.number] = replace(roll, kept_back=(*roll.kept_back, refusal))
    if is_last_key(board, entry.data):
        _roll_moves("forfeit")(board, entry)


def _confirm(board: Board, entry: EntryLike) -> None:
    roll = board.rolls[entry.data["roll"]]
    board.rolls[roll.number] = replace(roll, confirmed=True)


def _key(board: Board, entry: EntryLike) -> None:
    roll = board.rolls[entry.data["roll"]]
    board.rolls[roll.number] = replace(roll, keys=roll.keys | {entry.data["player"]})


def _umpire_says(board: Board, entry: EntryLike) -> None:
    seal = board.seals.known(entry.data["seal"])
    reason = entry.data.get("reason")
    answer = f"rejected: {reason}" if reason else "acknowledged"
    board.seals = board.seals.having(replace(seal, umpire=answer))


def _nothing(board: Board, entry: EntryLike) -> None:
    """Entries that matter to the dice or to people, not to the state."""


_STEPS: dict[str, Callable[[Board, EntryLike], None]] = {
    "ship": _ship,
    "drone": lambda board, entry: place_drone(board, entry.data),
    "form": _form,
    "seal": _seal,
    "reveal": _reveal,
    "umpire_ack": _umpire_says,
    "umpire_reject": _umpire_says,
    "events": _events,
    "taken": _taken,
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
    "forfeit_roll": _forfeit,
    "reroll": _roll_moves("reroll"),
    **dict.fromkeys(("nonce", "signer", "dice_seed", "note", "undo"), _nothing),
}
