"""Fallen dice and their effect, told as at a table: a line for each shot, then the shields it struck and the points
that came inside; and forms."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from referee.adjudicator.fire import resolve_shots
from referee.adjudicator.record_shots import shots_of
from referee.core.dice import ScriptedDice
from referee.core.entry_words import WHOLE, chat_text, entry_line
from referee.core.errors import RefereeError
from referee.core.fire_words import inside_text, seeker_hit_text, shot_line, struck_text, volley_text
from referee.core.safe import safe_line
from referee.play.form_words import form_words
from referee.rulebooks.registry import load_ship

if TYPE_CHECKING:
    from referee.core.combat import ShotResult
    from referee.core.game import EntryLike, Roll
    from referee.play.game_file import Game


def told_of(before: Game, new: Sequence[EntryLike]) -> list[str]:
    """Entries that dice made, in words; `before` is the game as they fell."""
    results = [each for each in new if each.type == "result"]
    fell = ((entry, entry_told(before, entry, results)) for entry in new)
    return [line for entry, lines in fell for line in ([entry_line(entry)] if lines is None else lines)]


def entry_told(before: Game, entry: EntryLike, results: Sequence[EntryLike]) -> list[str] | None:
    """What dice made, and forms, in words; None of what is told by itself. `results` are the dice that fell for an
    entry; those of a volley are told with what it did."""
    lines: Iterable[str] | None = None
    if before.state.own is None:
        if entry.type == "result" and (roll := before.state.rolls.get(entry.data["roll"])) is not None:
            lines = _rolled(before, roll, entry)
        elif entry.type == "events":
            lines = _did(before, entry, results)
        elif form := form_words(before, entry):
            lines = [form]
    return None if lines is None else [safe_line(line, WHOLE) for line in lines]


def _rolled(before: Game, roll: Roll, entry: EntryLike) -> Iterator[str]:
    """The dice of fire, shot by shot. Those of a volley are told with what it did, others by what they are for."""
    if roll.volley is not None:
        return
    if not roll.fire:
        yield chat_text(entry)
        return
    results = shots_of_roll(before, roll, entry.data["dice"])
    if not results:
        yield chat_text(entry)
    for result in results:
        yield shot_line(result, on_ship=result.target in before.state.ships)


def shots_of_roll(before: Game, roll: Roll, dice: Sequence[Mapping[str, Any]]) -> tuple[ShotResult, ...]:
    """The shots of a roll for fire with what each came to by its dice."""
    orders = [order for order in before.state.fire if order.seq in roll.fire]
    totals = [sum(group["faces"]) for group in dice]
    try:
        shots = shots_of(before.rulebook, load_ship, before.state, orders)
        return resolve_shots(before.rulebook, shots, ScriptedDice(totals))
    except RefereeError:
        return ()


def _did(before: Game, entry: EntryLike, results: Sequence[EntryLike]) -> Iterator[str]:
    """What the dice did: each volley on its shield, and what came through; seekers that were hit."""
    data = entry.data
    for volley in data.get("volleys", ()):
        yield struck_line(volley)
    if "volleys" in data and not data["volleys"] and not data.get("seekers_hit"):
        yield "nothing struck"
    for hit in data.get("seekers_hit", ()):
        yield seeker_hit_text(hit["seeker"], hit["points"], hit["gone"])
    rolls = [before.state.rolls[n] for n in data.get("rolls", ()) if n in before.state.rolls]
    number = next((roll.volley for roll in rolls if roll.volley is not None), None)
    if number is not None:
        totals = [str(sum(group["faces"])) for result in results for group in result.data["dice"]]
        dice = f" (dice {' '.join(totals)})" if totals else " (no dice needed)"
        yield volley_line(before, before.entries[number].data["volley"], data["events"]) + dice


def struck_line(volley: Mapping[str, Any]) -> str:
    """A volley that is still to be carried out."""
    return struck_text(volley["ship"], volley["points"], volley["shield"])


def volley_line(before: Game, volley: Mapping[str, Any], events: Sequence[Mapping[str, Any]]) -> str:
    """A volley: what reinforcement and the shield took off it, and which boxes came through."""
    ship = before.state.ships[volley["ship"]]
    took, inside = [], []
    for event in events:
        kind = event.get("event")
        if kind == "reinforced":
            took.append(f"{event['points']} off by {event['kind']} reinforcement")
        elif kind == "shield_hit":
            left = ship.state.shields.get(int(event["shield"]), 0)
            took.append(f"{left} to {left - int(event['points'])}")
        elif kind == "armor_hit":
            took.append(f"{len(event['boxes'])} on armor")
        elif kind == "box_destroyed":
            inside.append(str(event["box"]))
        elif kind == "shuttle_lost":
            inside.append("the shuttle in it")
    destroyed = any(event.get("event") == "ship_destroyed" for event in events)
    where = volley.get("shield")
    return volley_text(ship.name, volley["points"], where, took, inside_text(inside), destroyed)
