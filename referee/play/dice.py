"""Dice in a game: declared first, thrown when every key is in, their effect recorded with them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from referee.core.dice import ScriptedDice, seeded_dice
from referee.core.errors import AnswerAwaited, BadInput, BoxAwaited
from referee.core.naming import how_many
from referee.play.hand import DieNeeded, NoDice, TooFewFaces, TypedFaces, thrown_group
from referee.record.dicekeys import VolleyDice, seed_commitment, self_test
from referee.record.diceledger import DiceLedger
from referee.record.secretfiles import read_secret, secrets_folder
from referee.rulebooks.registry import load_ship

if TYPE_CHECKING:
    from referee.core.volley import VolleyResult
    from referee.play.game_file import Game, NewEntry
    from referee.record.rolls import DeclaredRoll


def declaration(game: Game, who: str, order: list[dict[str, Any]], purpose: str, **fields: Any) -> NewEntry:
    """The entry that announces the next roll; without dice in `order` they are thrown as they are needed."""
    data: dict[str, Any] = {"roll": game.dice.next_roll, "who": who, "order": order, "purpose": purpose}
    data |= {"open": True} if not order else {}
    return "declare", data | _now(game) | fields


def secret_seed(game: Game) -> str | None:
    """The operator's or umpire's seed, if it is kept here. Raises BadInput if it is another game's."""
    kept = secrets_folder(game.path) / "dice-seed.json"
    if not Path(kept).exists():
        return None
    seed = str(read_secret(kept)["seed"])
    terms = game.state.genesis["dice"]
    if seed_commitment(str(game.state.genesis["game"]), game.dice.umpire, seed) != terms.get("commitment"):
        raise BadInput("is not the seed this game committed to", file=str(kept))
    return seed


def needs_no_faces(game: Game) -> bool:
    """Can what the open roll is for be worked out without a die, as a volley that shields stop whole? Then
    nobody's key, hand or seed is awaited."""
    roll = game.dice.open_roll
    if roll is None or roll.order:
        return False
    try:
        _effect(game, roll, NoDice())
    except (DieNeeded, BadInput):
        return False
    return True


def dice_to_type(game: Game) -> str:
    """The dice of the open roll in the order they are typed in, where they are thrown by hand: those declared,
    or those of a volley, hit by hit; of what asks for dice as they fall, the first. An empty text where
    nobody types any."""
    roll = game.dice.open_roll
    if roll is None or roll.source != "physical":
        return ""
    from referee.play.typed_faces import kept_faces

    before = kept_faces(game, roll)
    if roll.order and not before:
        return ", ".join(f"{group['count']}d{group['sides']} for {group['for']}" for group in roll.order)
    if game.state.own is not None or before:
        with suppress(BadInput):
            if not (die := die_after(game, roll, before)):
                return "they are all typed in: dice enter GAME"
            return f"{die} next" if before else f"{die} first"
        return ""
    try:
        _effect(game, roll, NoDice())
    except BadInput:
        return ""
    except DieNeeded as die:
        volley = volley_of(game, roll)
        if volley is None:
            return f"{die} first"
        hits = resolve_in(game, volley, seeded_dice("a trial")).internals
        return f"{die} for each of {how_many(hits, 'point')} inside"
    return ""


def die_after(game: Game, roll: DeclaredRoll, faces: list[int]) -> str:
    """The die that follows some faces of a roll, and what it is for; an empty text where these are all. Raises
    BadInput for a face that no die has, and for too many, AnswerAwaited where a player is asked first."""
    hand = TypedFaces(faces)
    try:
        _effect(game, roll, hand)
    except TooFewFaces as missing:
        return missing.die
    except BoxAwaited:
        # The dice behind it fall whatever box is chosen: too many of them are too many.
        with suppress(TooFewFaces):
            hand = TypedFaces(faces)
            resolve_in(game, volley_of(game, roll) or {}, hand)
            hand.finish()
        raise
    except AnswerAwaited as asked:
        hand.finish(f"first {asked.reason}")
        raise
    hand.finish()
    return ""


def throw(game: Game, faces: list[int] | None = None, by: str = "") -> list[NewEntry]:
    """The result of the open roll and what follows from it: what it does, and the seekers that leave the map
    with the ships it destroys. Raises BadInput while a key is missing."""
    new = _thrown(game, faces, by)
    return [*new, *_orphaned(game, new)]


def _orphaned(game: Game, new: Sequence[NewEntry]) -> list[NewEntry]:
    """The order by which seekers leave the map at the instant their ship is destroyed (D4.41)."""
    from referee.adjudicator.ordering import leaving_told
    from referee.adjudicator.record_seekers import leaving_with_ships

    state = game.state
    events = [event for kind, data in new if kind == "events" for event in data["events"]]
    dead = [event["ship"] for event in events if event.get("event") == "ship_destroyed"]
    gone = leaving_with_ships(game.rulebook, state, dead) if dead and state.seekers else None
    if gone is None:
        return []
    return [
        (
            "order",
            {
                "text": [leaving_told(game.rulebook, gone)],
                "player": state.players[0],
                **_now(game),
                "strike": gone,
            },
        )
    ]


def _thrown(game: Game, faces: list[int] | None, by: str) -> list[NewEntry]:
    """The result of the open roll and what it does."""
    self_test()
    if game.state.unapplied is not None:
        return applied(game, game.dice.rolls[game.state.unapplied])
    roll = game.dice.open_roll
    if roll is None:
        raise BadInput("no roll is declared", file=game.path)
    if needs_no_faces(game):
        if faces:
            raise BadInput(
                f"roll {roll.number} needs no dice", file=game.path, hint="referee game resolve GAME"
            )
        return _entries(game, roll, [], _effect(game, roll, TypedFaces([])), "")
    if roll.source == "physical":
        if not faces:
            raise BadInput(
                f"roll {roll.number} is thrown by hand",
                file=game.path,
                hint=f"referee dice enter GAME FACES --as NAME: {dice_to_type(game)}",
            )
        hand = TypedFaces(faces)
        try:
            effect = _effect(game, roll, hand)
            hand.finish()
        except AnswerAwaited:
            raise
        except BadInput as error:
            raise BadInput(error.reason, file=game.path, hint=dice_to_type(game) or error.hint) from None
        return _entries(game, roll, hand.groups, effect, by)
    if faces:
        raise BadInput(f"roll {roll.number} is not thrown by hand", file=game.path, hint="referee dice throw")
    kept = roll.source in ("umpire", "solo")
    seed = secret_seed(game) if kept else None
    ledger = DiceLedger(seed=seed)
    for entry in game.entries:
        ledger.apply(entry)
    if ledger.waiting_for():
        raise BadInput(
            f"roll {roll.number} waits for the key of {', '.join(ledger.waiting_for())}", file=game.path
        )
    if kept and seed is None:
        raise BadInput(
            "the seed of these dice is not here", file=game.path, hint="whoever keeps it throws them"
        )
    cup = VolleyDice(ledger.key_now(), roll.number, roll.source)
    effect = _effect(game, roll, cup)
    return _entries(game, roll, cup.groups, effect, "")


def applied(game: Game, roll: DeclaredRoll) -> list[NewEntry]:
    """What a roll whose dice are recorded does to its ship, by those dice. Raises BadInput if they do not fit."""
    if roll.lost:
        return lost(game, roll)
    hand = TypedFaces([face for group in roll.dice for face in group["faces"]])
    if game.state.own is not None:
        new = _effect(game, roll, hand)
        hand.finish()
        return new
    if game.state.rolls[roll.number].fire:
        effect = fire_events(game, roll, hand)
        hand.finish()
        return [effect]
    volley = volley_of(game, roll)
    if volley is None:
        raise BadInput(f"roll {roll.number} is for no volley")
    result = resolve_in(game, volley, hand)
    hand.finish()
    return [volley_events(game, roll, volley, result)]


def forfeit(
    game: Game, roll: DeclaredRoll, refuser: str, by: str, agreed: list[str], faces: str
) -> list[NewEntry]:
    """The entries of a key that was kept back, as the version of the record has them. Raises BadInput."""
    data: dict[str, Any] = {
        "roll": roll.number,
        "declaration": roll.declaration,
        "refuser": refuser,
        "by": by,
    }
    if game.dice.version == 1:
        return _faces_named(game, roll, data, faces)
    if faces:
        raise BadInput("nobody names the faces of a refused roll", file=game.path, hint="without --faces")
    if refuser != roll.who:
        return [("forfeit_roll", data)]
    return [("forfeit_roll", data | {"agreed_by": agreed or [by]}), *lost(game, roll)]


def _faces_named(game: Game, roll: DeclaredRoll, data: dict[str, Any], faces: str) -> list[NewEntry]:
    """In a record of version 1 the other side names the dice."""
    named = faces.replace(",", " ").split()
    if not named or not all(face.isascii() and face.isdecimal() and len(face) < 4 for face in named):
        raise BadInput("say which faces count", hint='--faces "6 1 5 5 ...", as many as the roll has dice')
    hand = TypedFaces([int(face) for face in named])
    data |= {"toward": "min" if data["refuser"] == roll.who else "max"}
    new = _effect(game, roll, hand)
    hand.finish()
    return [("forfeit_roll", data | {"dice": hand.groups}), *new]


def lost(game: Game, roll: DeclaredRoll) -> list[NewEntry]:
    """What a roll does whose declarer kept back the last key: his fire strikes nothing, and of a volley nothing
    comes inside."""
    from referee.adjudicator.record_shots import fire_lost

    if numbers := game.state.rolls[roll.number].fire:
        effect = fire_lost([order for order in game.state.fire if order.seq in numbers])
        return [("events", effect | {"rolls": [roll.number], **_now(game)})]
    volley = None if game.state.own is not None else volley_of(game, roll)
    return [] if volley is None else [volley_events(game, roll, volley, _outside(game, volley))]


def _outside(game: Game, volley: Mapping[str, Any]) -> VolleyResult:
    """As much of a volley as needs no die: what its shield and reinforcement take of it."""
    least, most = 0, int(volley["points"])
    while least < most:
        points = (least + most + 1) // 2
        try:
            resolve_in(game, _fewer(volley, points), NoDice())
            least = points
        except DieNeeded:
            most = points - 1
    return resolve_in(game, _fewer(volley, least), NoDice())


def _fewer(volley: Mapping[str, Any], points: int) -> dict[str, Any]:
    """A volley with only its first points."""
    origins, left = [], points
    for part, x, z in volley["origins"]:
        origins.append([min(part, left), x, z])
        left -= min(part, left)
    return {**volley, "points": points, "origins": origins}


def _entries(
    game: Game, roll: DeclaredRoll, groups: list[dict[str, Any]], effect: list[NewEntry], by: str
) -> list[NewEntry]:
    from referee.play.typed_faces import kept_picks

    result: dict[str, Any] = {"roll": roll.number, "declaration": roll.declaration, "dice": groups}
    result |= {"entered_by": by} if by else {}
    volley = None if game.state.own is not None else volley_of(game, roll)
    if volley is not None and (picks := kept_picks(game, roll)):
        result |= {"picks": picks, "picked_by": game.state.ships[volley["ship"]].player}
    return [("result", result), *effect]


def _effect(game: Game, roll: DeclaredRoll, cup: Any) -> list[NewEntry]:
    """Throws the dice of a roll and gives what follows: the events of a volley, or nothing."""
    if game.state.own is not None:
        from referee.play.self_kept_table import effect

        return effect(game, roll, cup)
    order = volley_of(game, roll)
    if order is None:
        totals = [thrown_group(cup, group) for group in roll.order]
        fire = game.state.rolls[roll.number].fire
        return [fire_events(game, roll, ScriptedDice(totals))] if fire else []
    return [volley_events(game, roll, order, resolve_in(game, order, cup, asks=True))]


def fire_events(game: Game, roll: DeclaredRoll, dice: Any) -> NewEntry:
    """What the dice of a step's fire do."""
    from referee.adjudicator.record_shots import fire_effect

    numbers = game.state.rolls[roll.number].fire
    orders = [order for order in game.state.fire if order.seq in numbers]
    effect = fire_effect(game.rulebook, load_ship, game.state, orders, dice)
    return "events", effect | {"rolls": [roll.number], **_now(game)}


def _now(game: Game) -> dict[str, int]:
    at = {} if game.state.impulse is None else {"impulse": game.state.impulse}
    return {"turn": game.state.turn, **at}


def volley_of(game: Game, roll: DeclaredRoll) -> Mapping[str, Any] | None:
    """The volley a roll is for, as its order entry says it, with the boxes its owner has chosen since."""
    number = game.state.rolls[roll.number].volley
    if number is None:
        return None
    volley: Mapping[str, Any] = game.entries[number].data["volley"]
    if volley["choose"] != "ask":
        return volley
    from referee.play.typed_faces import kept_picks

    picks = dict(roll.picks) if roll.status != "declared" else kept_picks(game, roll)
    return {**volley, "picks": volley["picks"] | picks}


def resolve_in(game: Game, volley: Mapping[str, Any], cup: Any, *, asks: bool = False) -> VolleyResult:
    """The volley of an order entry on the ship as it now is; where it `asks`, its owner is asked for boxes."""
    from referee.adjudicator.record_volley import resolve_said

    return resolve_said(game.rulebook, load_ship, game.state, volley, cup, asks=asks)


def cannot_be_resolved(game: Game, volley: Mapping[str, Any]) -> str:
    """Why a volley could never be resolved, whatever its dice, or an empty text: a roll for it would stay
    open when its keys are out."""
    try:
        resolve_in(game, volley, seeded_dice("a trial"))
    except BadInput as error:
        return error.reason
    return ""


def volley_events(
    game: Game, roll: DeclaredRoll, volley: Mapping[str, Any], result: VolleyResult
) -> NewEntry:
    """What a volley did, as the events of its ship."""
    from referee.adjudicator.record_volley import marks_of

    return "events", {"events": marks_of(volley, result), "rolls": [roll.number], **_now(game)}
