"""Dice that were typed in wrongly: what they did is taken back, and they are asked for anew. Nobody declares again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from referee.core.errors import BadInput
from referee.core.frozen import frozen
from referee.play.append import append
from referee.play.fallen_dice import SET_ASIDE, WRONG, thrown_in
from referee.play.told_again import act_told
from referee.play.undo import take_back, what_goes

if TYPE_CHECKING:
    from referee.core.game import EntryLike, Roll
    from referee.play.game_file import Game, NewEntry
    from referee.play.undo import Going


@frozen
class Anew:
    """A roll that is typed in anew: what goes back with it, and what is entered again as it was."""

    roll: int
    going: Going
    meant: tuple[NewEntry, ...]


def typed_wrongly(game: Game, given_up: str = "") -> Anew:
    """What goes back where the dice that were typed in last are typed in anew, and what stays as it was meant: fire
    they were thrown for, for dice once thrown for an order stay with it, and notes and rulings. `given_up` is the
    declaration of an open roll that is given up before. Raises BadInput where no dice were typed in, or somebody did
    something since."""
    roll = last_typed(game)
    first = min(roll.fire) if roll.fire else roll.volley
    assert first is not None
    going = what_goes(game, None, first - 1, None, given_up)
    others = [entry for entry in going.goes if _stands_against(entry, roll.declared, first)]
    if others:
        what = act_told(game.path, game.entries, others[0]).split(maxsplit=1)[0]
        raise BadInput(f"something was done since the dice: {what}", hint="u takes that back first")
    meant = [
        (entry.type, _without_what_goes(entry.data, first) if entry.type == "ruling" else dict(entry.data))
        for entry in going.goes
        if (entry.type in ("step", "order") and entry.seq < roll.declared and not _scored(roll, entry.data))
        or (is_remark(entry.type, entry.data) and not _is_on_dice(entry.data))
    ]
    return Anew(roll.number, going, tuple(meant))


def asked_anew(game: Game, anew: Anew) -> str:
    """Takes back what the dice did, and enters again what was meant. What was done, in words."""
    who = game.who_rules
    take_back(game.path, anew.going, WRONG, who)
    if anew.meant:
        append(game.path, lambda _: anew.meant)
    return f"dice {anew.roll} are typed in anew"


def _stands_against(entry: EntryLike, declared: int, first: int) -> bool:
    """Is an entry one that would be lost: a foul, a ruling that did something, or what somebody did since the dice and
    has not taken back?"""
    if is_remark(entry.type, entry.data) or came_by_itself(entry.type, entry.data):
        return False
    if entry.type == "undo" and entry.data["target"] >= first:
        return False
    return entry.seq > declared or entry.type in ("foul", "ruling")


def _scored(roll: Roll, data: Mapping[str, Any]) -> bool:
    """Is an entry a volley that dice scored, which is rolled anew by itself?"""
    return roll.volley is not None and "of" in data.get("volley", {})


def _without_what_goes(data: Mapping[str, Any], first: int) -> dict[str, Any]:
    """A ruling that is entered again: an entry it was on goes, and has its number no more."""
    return {key: value for key, value in data.items() if key != "target" or value < first}


def last_typed(game: Game) -> Roll:
    """The last roll of which dice were typed in, and did what they did: one that the program threw whole stays as it
    fell. Raises BadInput where there is none."""
    thrown = {thrown_in(entry.data) for entry in game.entries if entry.type == "note"}
    typed = [
        roll
        for roll in game.state.rolls.values()
        if roll.applied is not None
        and (roll.fire or roll.volley is not None)
        and game.dice.rolls[roll.number].typed
        and (roll.number, True) not in thrown
    ]
    if not typed:
        raise BadInput("no dice were typed in", hint="`n` asks for those that are due")
    return typed[-1]


def came_by_itself(type: str, data: Mapping[str, Any]) -> bool:
    """Is an entry what nobody did: what dice did, a volley that they scored, a step the game went on by, the flight of a
    seeker?"""
    if type == "order":
        return "of" in data.get("volley", {}) or bool({"seeker", "strike"} & set(data))
    return type in ("events", "step")


def is_remark(type: str, data: Mapping[str, Any]) -> bool:
    """Is an entry a note, or a ruling in words alone?"""
    return type == "note" or (type == "ruling" and not {"place", "events"} & set(data))


def _is_on_dice(data: Mapping[str, Any]) -> bool:
    """Is a note on dice: it goes with them?"""
    return thrown_in(data) is not None or SET_ASIDE.fullmatch(str(data.get("text", ""))) is not None
