"""Dice in a game: declared first, thrown when every key is in, their effect recorded with them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from referee.core.errors import BadInput

if TYPE_CHECKING:
    from referee.cli.gamefile import Game, NewEntry
    from referee.core.volley import Chooser, VolleyOrder, VolleyResult
    from referee.record.rolls import Roll


class TypedFaces:
    """Faces thrown by hand, in order; groups them as they are asked for."""

    source = "physical"

    def __init__(self, faces: list[int]) -> None:
        self._faces = list(faces)
        self.groups: list[dict[str, Any]] = []

    def roll(self, count: int, sides: int) -> int:
        """The sum of the next faces. Raises BadInput for too few, or a face that the die does not have."""
        taken, self._faces = self._faces[:count], self._faces[count:]
        if len(taken) < count:
            raise BadInput("too few faces", hint=f"{count}d{sides} comes next")
        if any(not 1 <= face <= sides for face in taken):
            raise BadInput(f"{' '.join(map(str, taken))} on {count}d{sides}", hint=f"faces from 1 to {sides}")
        self.groups.append({"count": count, "sides": sides, "faces": taken})
        return sum(taken)

    def finish(self) -> None:
        """Raises BadInput if faces are left over."""
        if self._faces:
            raise BadInput(f"{len(self._faces)} faces left over")


def declaration(game: Game, who: str, order: list[dict[str, Any]], purpose: str, **fields: Any) -> NewEntry:
    """The entry that announces the next roll; without dice in `order` they are thrown as they are needed."""
    data: dict[str, Any] = {"roll": game.dice.next_roll, "who": who, "order": order, "purpose": purpose}
    data |= {"open": True} if not order else {}
    data |= {"turn": game.state.turn} | (
        {} if game.state.impulse is None else {"impulse": game.state.impulse}
    )
    return "declare", data | fields


def secret_seed(path: str) -> str | None:
    """The operator's or umpire's seed, if it is kept here."""
    from referee.record.secretfiles import read_secret, secrets_folder

    kept = secrets_folder(path) / "dice-seed.json"
    return str(read_secret(kept)["seed"]) if Path(kept).exists() else None


def throw(game: Game, faces: list[int] | None = None, by: str = "") -> list[NewEntry]:
    """The result of the open roll and what follows from it. Raises BadInput while a key is missing."""
    from referee.record.dicekeys import VolleyDice, self_test
    from referee.record.diceledger import DiceLedger

    self_test()
    roll = game.dice.open_roll
    if roll is None:
        raise BadInput("no roll is declared", file=game.path)
    if roll.source == "physical":
        if not faces:
            raise BadInput(
                f"roll {roll.number} is thrown by hand", hint="referee dice enter GAME FACES --as NAME"
            )
        hand = TypedFaces(faces)
        effect = _effect(game, roll, hand)
        hand.finish()
        return _entries(roll, hand.groups, effect, by)
    ledger = DiceLedger(seed=secret_seed(game.path))
    for entry in game.entries:
        ledger.apply(entry)
    if ledger.waiting_for():
        raise BadInput(
            f"roll {roll.number} waits for the key of {', '.join(ledger.waiting_for())}", file=game.path
        )
    if roll.source in ("umpire", "solo") and secret_seed(game.path) is None:
        raise BadInput(
            "the seed of these dice is not here", file=game.path, hint="whoever keeps it throws them"
        )
    cup = VolleyDice(ledger.key_now(), roll.number, roll.source)
    effect = _effect(game, roll, cup)
    return _entries(roll, cup.groups, effect, "")


def _entries(roll: Roll, groups: list[dict[str, Any]], effect: list[NewEntry], by: str) -> list[NewEntry]:
    result: dict[str, Any] = {"roll": roll.number, "declaration": roll.declaration, "dice": groups}
    return [("result", result | ({"entered_by": by} if by else {})), *effect]


def _effect(game: Game, roll: Roll, cup: Any) -> list[NewEntry]:
    """Throws the dice of a roll and gives what follows: the events of a volley, or nothing."""
    order = volley_of(game, roll)
    if order is None:
        for group in roll.order:
            if hasattr(cup, "throw"):
                cup.throw(group["count"], group["sides"], group["for"])
            else:
                cup.roll(group["count"], group["sides"])
                cup.groups[-1] = {"for": group["for"], **cup.groups[-1]}
        return []
    return [volley_events(game, roll, order, resolve_in(game, order, cup))]


def volley_of(game: Game, roll: Roll) -> Mapping[str, Any] | None:
    """The volley a roll is for, as its order entry says it."""
    purpose = game.entries[roll.line - 1].data.get("purpose", "")
    number = purpose.removeprefix("volley of entry ")
    if number == purpose or not number.isdecimal():
        return None
    volley = game.entries[int(number)].data.get("volley")
    return volley if isinstance(volley, Mapping) else None


def volley_entry(ship: str, player: str, order: VolleyOrder, choose: str, picks: dict[int, str]) -> NewEntry:
    """The order entry of a volley, before its dice."""
    data: dict[str, Any] = {
        "ship": ship,
        "points": order.points,
        "internal": order.internal,
        "general": order.general_reinforcement,
        "specific": order.specific_reinforcement,
        "origins": [[points, offset.x, offset.z] for points, offset in order.origins],
        "choose": choose,
        "picks": {f"hit_{n}": box for n, box in picks.items()},
    }
    data |= {} if order.shield is None else {"shield": order.shield}
    where = "inside" if order.internal else f"on {order.shield}"
    return "order", {"text": [f"{ship}: hit {order.points} {where}"], "player": player, "volley": data}


def resolve_in(game: Game, said: Mapping[str, Any], cup: Any) -> VolleyResult:
    """The volley of an order entry on the ship as it now is."""
    from referee.adjudicator.volley import resolve
    from referee.core.hexgrid import Offset
    from referee.core.volley import VolleyOrder

    ship = game.state.ship(str(said["ship"]))
    order = VolleyOrder(
        points=said["points"],
        shield=said.get("shield"),
        internal=said["internal"],
        general_reinforcement=said["general"],
        specific_reinforcement=said["specific"],
        origins=tuple((points, Offset(x, z)) for points, x, z in said["origins"]),
    )
    return resolve(game.rulebook, game.ship_class(ship), ship.state, order, cup, _chooser(said))


def _chooser(said: Mapping[str, Any]) -> Chooser:
    from referee.adjudicator.policies import POLICIES, Listed, Policy

    name = str(said["choose"])
    if name not in POLICIES and name != "file":
        raise BadInput(f"--choose {name} cannot be recorded", hint=f"{', '.join(POLICIES)}, or a file")
    picks = {int(hit.removeprefix("hit_")): str(box) for hit, box in said["picks"].items()}
    return Listed(picks, Policy("protect-weapons")) if picks else Policy(name)


def volley_events(game: Game, roll: Roll, said: Mapping[str, Any], result: VolleyResult) -> NewEntry:
    """What a volley did, as the events of its ship."""
    from referee.core.eventjson import event_json

    events = [{"ship": str(said["ship"]), **event_json(event)} for event in result.events]
    data: dict[str, Any] = {"events": events, "rolls": [roll.number], "turn": game.state.turn}
    return "events", data | ({} if game.state.impulse is None else {"impulse": game.state.impulse})


def wrong_effects(path: str, entries: list[Any]) -> list[tuple[int, str]]:
    """Lines whose events are not what the rules make of their dice, with the reason.

    Every volley is resolved again from its order and its recorded faces, on the ship as it then was.
    Events that neither dice nor an umpire's ruling account for are named too.
    """
    from dataclasses import replace

    from referee.cli.gamefile import game_of
    from referee.core.game import fold_game
    from referee.rulebooks.registry import load_ship

    whole = game_of(path, entries)
    wrong: list[tuple[int, str]] = []
    for entry in entries:
        if entry.type != "events":
            continue
        rolls = entry.data.get("rolls", [])
        roll = whole.dice.rolls.get(rolls[0]) if len(rolls) == 1 else None
        said = volley_of(whole, roll) if roll else None
        if roll is None or said is None:
            wrong.append((entry.line_number, "events without dice or ruling"))
            continue
        before = replace(whole, state=fold_game(entries[: entry.seq], load_ship))
        hand = TypedFaces([face for group in roll.dice for face in group["faces"]])
        try:
            again = volley_events(before, roll, said, resolve_in(before, said, hand))
            hand.finish()
        except BadInput as error:
            wrong.append((entry.line_number, f"roll {roll.number} cannot be resolved: {error.reason}"))
            continue
        if again[1]["events"] != entry.data["events"]:
            wrong.append((entry.line_number, f"not what roll {roll.number} does by the rules"))
    return wrong
