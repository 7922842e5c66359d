"""Who may do what in a game: held against every entry as it is folded.

A player acts for the ships he owns, the umpire for all; what is agreed names everybody, or the umpire.
Dice and seals by themselves are the record's to follow; here is what they mean for the game. A record
that breaks one of these was not written by this program: IntegrityFailure.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from referee.core.errors import BadInput, IntegrityFailure
from referee.core.eventjson import RESTORES
from referee.core.freedrones import MOST_SPEED, check_drone, is_named
from referee.core.game import LOCK_ON, fire_numbers, volley_number
from referee.core.orderrights import (
    check_due,
    check_fire_roll,
    check_lock_on,
    check_order,
    check_volleys,
)
from referee.core.refusals import check_forfeit
from referee.core.sealrights import check_revision
from referee.core.seals import kind_text
from referee.core.takenover import MOVE_MADE, MOVE_TO_COME, check_taken, position
from referee.core.undoing import agreed

if TYPE_CHECKING:
    from referee.core.board import Board
    from referee.core.game import EntryLike, GameState

MOST_POINTS = 100_000
"""The most points one volley may strike with."""


def check_rights(board: Board, entry: EntryLike) -> None:
    """Raises IntegrityFailure unless the author of an entry may do this now."""
    if board.unapplied is not None and entry.type not in ("events", "note"):
        raise IntegrityFailure(f"comes before what roll {board.unapplied} does is marked")
    check_taken(board, entry)
    checks = _CHECKS if board.own_fold is None else _OWN_CHECKS
    if check := checks.get(entry.type):
        check(board, entry.data)


def _known(board: Board, player: object) -> None:
    if player not in board.players and (not board.umpire or player != board.umpire):
        raise IntegrityFailure(f"{str(player)[:40]} is no player")


def _owner(board: Board | GameState, ship: object, player: object, *, umpire: bool) -> None:
    """The player owns the ship, or is the umpire where the umpire may act for it."""
    found = board.ships.get(str(ship))
    if found is None:
        raise BadInput(f"no ship {str(ship)[:40]!a} in the game")
    if player != found.player and not (umpire and board.umpire and player == board.umpire):
        raise IntegrityFailure(f"{str(player)[:40]} does not play {found.name}, {found.player} does")


def _ship(board: Board, data: Mapping[str, Any]) -> None:
    name, speed = data["ship"], data.get("speed")
    if board.begun:
        raise IntegrityFailure(f"{name[:40]} enters when play has begun")
    if is_named(board, name):
        raise IntegrityFailure(f"{name[:40]} is in the game already")
    if not isinstance(data.get("class"), str) or not isinstance(data.get("at", ""), str) or not name.strip():
        raise BadInput("ship is malformed")
    if not data["class"] or {"side", "formless"} & set(data):
        raise BadInput("ship is malformed")
    if speed is not None and not (isinstance(speed, str) and speed.isascii() and speed.isdecimal()):
        raise BadInput("ship: speed is no number")
    if speed is not None and len(speed) > 2:
        raise BadInput(f"ship: speed {speed[:20]}")
    if data.get("player") not in board.players:
        raise IntegrityFailure(f"{str(data.get('player'))[:40]} is no player")


def _form(board: Board, data: Mapping[str, Any]) -> None:
    name, turn = data["ship"], data["turn"]
    _owner(board, name, data.get("player"), umpire=True)
    if "speed" in data and (type(data["speed"]) is not int or not 0 <= data["speed"] <= MOST_SPEED):
        raise BadInput("form: speed is malformed")
    if turn in board.ships[name].forms:
        raise IntegrityFailure(f"the form of {name} for turn {turn} is filed already")
    if board.seals.about(turn, name, "eaf"):
        raise IntegrityFailure(f"the form of {name} for turn {turn} is sealed: it can only be revealed")


def _seal(board: Board, data: Mapping[str, Any]) -> None:
    check_seal(board.frozen(frozenset(), 0), data)


def check_seal(game: GameState, data: Mapping[str, Any]) -> None:
    """Raises IntegrityFailure unless these orders may be sealed now: by the owner of the ship, for this
    turn, and not anew once he could know what others sealed."""
    name, turn, impulse, kind = data["ship"], data["turn"], data.get("impulse"), data["kind"]
    _owner(game, name, data["player"], umpire=False)
    if turn != game.turn:
        raise IntegrityFailure(f"seals for turn {turn} in turn {game.turn}")
    if impulse is not None and impulse < (game.impulse or 0):
        raise IntegrityFailure(f"seals for impulse {impulse} in impulse {game.impulse}")
    if kind == "eaf" and impulse is not None:
        raise IntegrityFailure("an energy form is for the whole turn, not for an impulse")
    if kind == "eaf" and turn in game.ships[name].forms:
        raise IntegrityFailure(f"the form of {name} for turn {turn} is filed already")
    for other in game.seals.of_turn(turn):
        same = (other.impulse, other.kind) == (impulse, kind)
        if same and other.shown and (other.ship == name or data["seq"] > 1 or kind != "eaf"):
            again = "anew " if data["seq"] > 1 else ""
            raise IntegrityFailure(f"seals {kind_text(kind)} {again}after {other.ship}'s were shown")
    _not_after_another(game, data)
    filed = [s.name for s in game.ships.values() if s.player != data["player"] and turn in s.forms]
    if kind == "eaf" and data["seq"] > 1 and filed:
        raise IntegrityFailure(f"seals {kind_text(kind)} anew after {filed[0]}'s was filed")
    if game.genesis["fold"] > 1:
        check_revision(game, data)


_DONE = {"moves": ("move", "moved"), "fire": ("fire", "fired")}
"""The orders that carry out what was sealed, by its kind."""


def _not_after_another(game: GameState, data: Mapping[str, Any]) -> None:
    """Moves and fire are not sealed anew once another player has moved or fired since."""
    kind, done = _DONE.get(data["kind"], ("", ""))
    about = data["turn"], data.get("impulse"), data["ship"], data["kind"]
    same = (seal for seal in game.seals.about(about[0], *about[2:]) if seal.about == about)
    before = max((seal.seq for seal in same), default=None)
    if before is None or not kind:
        return
    for seq, order in game.orders:
        now = order.get("turn"), order.get("impulse")
        if seq <= before or kind not in order or now != about[:2]:
            continue
        name = order[kind]["ship"]
        if game.ships[name].player != data["player"]:
            raise IntegrityFailure(f"seals {data['kind']} anew after {name} {done}")


def _reveal(board: Board, data: Mapping[str, Any]) -> None:
    seal = board.seals.get(data["seal"])
    if seal is None:
        raise IntegrityFailure("reveals a seal that is not in the record")
    if seal.revealed:
        raise IntegrityFailure(f"{seal.kind} of {seal.ship} is revealed already")
    if (last := board.seals.replacing(seal, same_span=board.genesis["fold"] == 1)) is not None:
        raise IntegrityFailure(
            f"the seal in line {seal.seq + 1} was replaced by the one in line {last.seq + 1}"
        )


def _events(board: Board, data: Mapping[str, Any]) -> None:
    if board.unapplied is None or data.get("rolls") != [board.unapplied]:
        raise IntegrityFailure("events that neither dice nor a ruling account for")
    if any(isinstance(event, dict) and str(event.get("event")) in RESTORES for event in data["events"]):
        raise IntegrityFailure("boxes that are whole again by dice")
    _boxes(board, data["events"])
    struck = "volleys" in data or "seekers_hit" in data
    if struck and not board.rolls[board.unapplied].fire:
        raise IntegrityFailure("volleys that no fire accounts for")
    check_volleys(board, data.get("volleys", []))
    _hits(board, data.get("seekers_hit", []))


def _hits(board: Board, hits: Any) -> None:
    """Hits on seekers that are there."""
    if not isinstance(hits, list) or not all(_is_hit(board, hit) for hit in hits):
        raise BadInput("hits on seekers are malformed")


def _is_hit(board: Board, hit: Any) -> bool:
    fits = isinstance(hit, dict) and set(hit) == {"seeker", "points", "phasers", "gone"}
    fits = fits and type(hit["points"]) is int and type(hit["phasers"]) is int
    return fits and type(hit["gone"]) is bool and str(hit["seeker"]) in board.seekers


def _boxes(board: Board, events: Sequence[Any]) -> None:
    """Every event is of a ship in the game, and of boxes and shields it has."""
    for event in events:
        ship = board.ships.get(str(event.get("ship"))) if isinstance(event, dict) else None
        if ship is None:
            raise BadInput("events of no ship of the game")
        shown = board.load_ship(ship.state.ship)
        boxes = event.get("boxes", [event["box"]] if "box" in event else [])
        if not isinstance(boxes, list) or not all(_has(shown, box) for box in boxes):
            raise BadInput(f"{ship.name} has no box {str(boxes)[:40]}")
        if "weapon" in event and not shown.mount(str(event["weapon"])):
            raise BadInput(f"{ship.name} has no weapon {str(event['weapon'])[:40]}")
        if "shield" in event and event["shield"] not in list(ship.state.shields):
            raise BadInput(f"{ship.name} has no shield {str(event['shield'])[:20]}")
        if event.get("event") == "shield_restored" and not _fits(shown, ship.state, event):
            raise BadInput(f"shield {event['shield']} of {ship.name} has not so many boxes")


def _fits(shown: Any, state: Any, event: Mapping[str, Any]) -> bool:
    """Has a shield room for boxes that are whole again?"""
    points, shield = event.get("points"), event["shield"]
    return type(points) is int and 0 <= points <= shown.shields.get(shield, 0) - state.shields[shield]


def _has(shown: Any, box: object) -> bool:
    if not isinstance(box, str):
        return False
    system, _, number = box.partition("/")
    return shown.mount(box) is not None or (
        number.isascii() and number.isdecimal() and box in shown.box_ids(system)
    )


def _taken(board: Board, data: Mapping[str, Any]) -> None:
    _boxes(board, data["events"])
    _hits(board, data.get("seekers_hit", []))


def _step(board: Board, data: Mapping[str, Any]) -> None:
    if not 0 < data["turn"] < 1000 or data.get("impulse", 1) < 1:
        raise BadInput("step is malformed")
    if "player" in data:
        _known(board, data["player"])


def _order(board: Board, data: Mapping[str, Any]) -> None:
    _known(board, data.get("player"))
    if "choose" in data:
        choice = data["choose"]
        if (
            not isinstance(choice, dict)
            or set(choice) != {"ship", "policy"}
            or type(choice["policy"]) is not str
        ):
            raise BadInput("order: choose is malformed")
        _owner(board, choice["ship"], data["player"], umpire=True)
    if "volley" in data:
        _volley(board, data["volley"], data["player"])
        check_due(board, data["volley"])
    check_order(board, data)


def _volley(board: Board, volley: Any, player: str) -> None:
    """A volley is well formed, and nobody but the owner of the ship picks its boxes (D4.223)."""
    fits = isinstance(volley, dict) and all(
        type(volley.get(name)) is int and 0 <= volley[name] <= MOST_POINTS
        for name in ("points", "general", "specific")
    )
    fits = fits and type(volley.get("internal")) is bool and volley.get("shield") in (None, 1, 2, 3, 4, 5, 6)
    fits = fits and (volley["internal"] or "shield" in volley)
    fits = fits and type(volley.get("choose")) is str and _texts(volley.get("picks"))
    origins = volley.get("origins") if fits else None
    if not isinstance(origins, list) or not all(_is_origin(origin) for origin in origins):
        raise BadInput("order: volley is malformed")
    ship = board.ships.get(str(volley.get("ship")))
    if ship is None:
        raise BadInput(f"no ship {str(volley.get('ship'))[:40]!a} in the game")
    if ship.state.dead:
        raise IntegrityFailure(f"{ship.name} is destroyed already")
    if player in (ship.player, board.umpire):
        return
    policy = board.choices.get(ship.name, "protect-weapons")
    if volley["picks"] or volley["choose"] != policy:
        raise IntegrityFailure(
            f"{ship.player} picks the boxes of {ship.name}, not {player}; its policy is {policy}"
        )


def _result(board: Board, data: Mapping[str, Any]) -> None:
    """Boxes are picked with the dice of a volley whose owner is asked for them, by him or the umpire (D4.223)."""
    if "picks" not in data and "picked_by" not in data:
        return
    roll = board.rolls.get(data["roll"])
    volley = board.orders.data_of(roll.volley).get("volley") if roll and roll.volley is not None else None
    if volley is None or volley["choose"] != "ask" or not _texts(data.get("picks")):
        raise IntegrityFailure(f"picks boxes with roll {data['roll']}, for which nobody is asked")
    _owner(board, volley["ship"], data.get("picked_by"), umpire=True)


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) < 10


def _texts(picks: object) -> bool:
    return isinstance(picks, dict) and all(
        _is_number(key.removeprefix("hit_")) and isinstance(box, str) for key, box in picks.items()
    )


def _is_origin(origin: object) -> bool:
    return (
        isinstance(origin, list)
        and len(origin) == 3
        and all(type(x) is int and abs(x) <= MOST_POINTS for x in origin)
    )


def _declare(board: Board, data: Mapping[str, Any]) -> None:
    """A roll for a volley names an order of its own, made before it and not taken back."""
    purpose = data.get("purpose", "")
    if (fire := fire_numbers(purpose)) and data["roll"] not in board.given_up:
        check_fire_roll(board, fire, len(data["order"]), "open" in data)
    if purpose == LOCK_ON:
        check_lock_on(board, data)
    number = volley_number(purpose)
    if number is None:
        return
    order = board.orders.data_of(number)
    if "volley" not in order:
        raise IntegrityFailure(f"declares a volley of entry {number}, which orders none")
    if any(roll.status not in ("void", "reroll") for roll in board.rolls.of_volley(number)):
        raise IntegrityFailure(f"declares the volley of entry {number} again")
    theirs = order["player"] != data["who"] and not _open_to_all(board, number)
    if theirs or order["volley"]["ship"] != data.get("ship"):
        raise IntegrityFailure(f"declares a volley of entry {number} for another player or ship")


def _open_to_all(board: Board, number: int) -> bool:
    """Was a roll for an order given up? Who kept back its last key is not asked to declare it again."""
    return board.genesis["fold"] > 1 and bool(board.rolls.of_volley(number))


def _ruling(board: Board, data: Mapping[str, Any]) -> None:
    by = data["by"]
    if by != board.umpire if board.umpire else by not in board.players:
        raise IntegrityFailure(f"{by} does not rule here")
    if data.get("events"):
        agreed(board, [by] if board.umpire else data.get("agreed_by"))
        _boxes(board, data["events"])
    if "place" in data:
        agreed(board, [by] if board.umpire else data.get("agreed_by"))
        _put(board, data["place"])


def _put(board: Board, put: Mapping[str, Any]) -> None:
    """A ruling puts a ship that is still there in a hex, with its facing, or takes it out of the game; or it puts a
    seeker in a hex."""
    fits = {name: type(value) for name, value in put.items() if name != "move"} == {"ship": str, "to": str}
    if not fits or put.get("move", MOVE_MADE) not in (MOVE_MADE, MOVE_TO_COME):
        raise BadInput("ruling: place is malformed")
    name, ship = put["ship"], board.ships.get(put["ship"])
    if ship is None and name not in board.seekers:
        raise BadInput(f"no ship {name[:40]!a} in the game")
    if ship is not None and (ship.state.dead or ship.out):
        raise IntegrityFailure(f"{name} is {'destroyed' if ship.state.dead else 'out of the game'} already")
    out = ship is not None and put["to"] == ""
    if out and any(name in (order.ship, order.target) and order.roll is None for order in board.fire.row()):
        raise IntegrityFailure(f"{name} is taken out of the game while fire waits for its dice")
    if not out and None in position(put["to"]):
        raise BadInput(f"{name[:40]} is put nowhere")
    if "move" in put and (out or ship is None):
        raise BadInput(f"{name[:40]} has no move there")


def _foul(board: Board, data: Mapping[str, Any]) -> None:
    _known(board, data["player"])


def _umpires(board: Board, data: Mapping[str, Any]) -> None:
    if not board.umpire or data["by"] != board.umpire:
        raise IntegrityFailure(f"{data['by']} is not the umpire")
    seal = board.seals.get(data["seal"])
    if seal is None:
        raise IntegrityFailure("is about a seal that was taken back")
    if seal.umpire == "acknowledged" and "reason" not in data:
        raise IntegrityFailure(f"{seal.kind} of {seal.ship} is acknowledged already")
    if seal.revealed:
        raise IntegrityFailure(f"{seal.kind} of {seal.ship} was shown to all already")


def _reroll(board: Board, data: Mapping[str, Any]) -> None:
    roll = board.rolls.get(data["roll"])
    if roll and roll.applied is not None:
        raise IntegrityFailure(f"what roll {roll.number} did (#{roll.applied}) must be taken back first")


_CHECKS: dict[str, Callable[[Board, Mapping[str, Any]], None]] = {
    "ship": _ship,
    "drone": check_drone,
    "form": _form,
    "seal": _seal,
    "reveal": _reveal,
    "events": _events,
    "step": _step,
    "taken": _taken,
    "order": _order,
    "declare": _declare,
    "result": _result,
    "ruling": _ruling,
    "foul": _foul,
    "umpire_ack": _umpires,
    "umpire_reject": _umpires,
    "reroll": _reroll,
    "forfeit_roll": check_forfeit,
}


# -- games on a rulebook's own table -----------------------------------------------------


def _act_declared(board: Board, data: Mapping[str, Any]) -> None:
    """A roll for an act names an order of its own, made before it and not rolled for yet."""
    number = volley_number(data.get("purpose", ""))
    if number is None:
        return
    order = board.orders.data_of(number)
    if "act" not in order:
        raise IntegrityFailure(f"declares an act of entry {number}, which orders none")
    if any(roll.status not in ("void", "reroll") for roll in board.rolls.of_volley(number)):
        raise IntegrityFailure(f"declares the act of entry {number} again")
    if order["player"] not in (data["who"], board.umpire) and not _open_to_all(board, number):
        raise IntegrityFailure(f"declares an act of entry {number} for another player")


def _act_done(board: Board, data: Mapping[str, Any]) -> None:
    """What an act does comes from the dice that have fallen for it, or from none."""
    roll = board.rolls.get(board.unapplied) if board.unapplied is not None else None
    if data.get("rolls", []) != ([] if roll is None else [roll.number]):
        raise IntegrityFailure("events that neither dice nor an act account for")
    if roll is not None and data.get("act") != roll.volley:
        raise IntegrityFailure(f"events of another act than roll {roll.number} is for")
    if roll is None and any(known.volley == data.get("act") for known in board.rolls.values()):
        raise IntegrityFailure("events of an act that has dice, without them")


def _no_drones(board: Board, data: Mapping[str, Any]) -> None:
    raise BadInput("this rulebook has no drones")


def _no_seals(board: Board, data: Mapping[str, Any]) -> None:
    raise BadInput("this rulebook has no sealed orders")


def _by_player(board: Board, data: Mapping[str, Any]) -> None:
    _known(board, data.get("player"))


_OWN_CHECKS: dict[str, Callable[[Board, Mapping[str, Any]], None]] = {
    "order": _by_player,
    "declare": _act_declared,
    "events": _act_done,
    "seal": _no_seals,
    "drone": _no_drones,
    **{kind: _CHECKS[kind] for kind in ("ruling", "foul", "umpire_ack", "umpire_reject", "reroll")},
    "forfeit_roll": check_forfeit,
}
