"""Fallen dice and their effect, told as at a table: a line for each shot, then the shields it struck and the points
that came inside."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from referee.adjudicator.fire import resolve_shots
from referee.adjudicator.record_shots import shots_of
from referee.core.combat import rolls_that_hit
from referee.core.dice import ScriptedDice
from referee.core.entry_words import chat_text, entry_line
from referee.core.errors import RefereeError
from referee.core.naming import how_many
from referee.core.safe import safe_line
from referee.rulebooks.registry import load_ship

if TYPE_CHECKING:
    from referee.core.combat import ShotResult
    from referee.core.game import EntryLike, Roll
    from referee.play.game_file import Game


def told_of(before: Game, new: Sequence[EntryLike]) -> list[str]:
    """Entries that dice made, in words; `before` is the game as they fell."""
    results = [each for each in new if each.type == "result"]
    return [line for entry in new for line in entry_told(before, entry, results)]


def entry_told(before: Game, entry: EntryLike, results: Sequence[EntryLike]) -> list[str]:
    """An entry that dice made, in words; `results` are the dice that fell for it."""
    return [safe_line(line) for line in _in_words(before, entry, results)]


def _in_words(before: Game, entry: EntryLike, results: Sequence[EntryLike]) -> Iterator[str]:
    if entry.type == "result":
        roll = before.state.rolls.get(entry.data["roll"])
        if roll is not None and before.state.own is None:
            yield from _rolled(before, roll, entry)
            return
    if entry.type == "events" and before.state.own is None:
        yield from _did(before, entry, results)
        return
    yield entry_line(entry)


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


def shot_line(result: ShotResult, *, on_ship: bool) -> str:
    """A shot: weapon, range, what it needed, the die, hit or miss, damage and shield; a seeker has none."""
    far = f"range {result.true_range}"
    if result.effective_range != result.true_range:
        far += f" (counts as {result.effective_range})"
    needed = f", needs {rolls_that_hit(result.needed)}" if result.needed is not None else ""
    die = "" if result.roll is None else f", die {result.roll}"
    if result.damage:
        shield = f" on #{result.shield}" if result.shield and on_ship else ""
        came = f"hit, {how_many(result.damage, 'point')}{shield}"
    else:
        came = "miss" if result.needed is not None else "no damage"
    return f"{result.firer} {result.weapon} at {result.target}: {far}{needed}{die}: {came}"


def _did(before: Game, entry: EntryLike, results: Sequence[EntryLike]) -> Iterator[str]:
    """What the dice did: each volley on its shield, and what came through; seekers that were hit."""
    data = entry.data
    for volley in data.get("volleys", ()):
        yield struck_line(volley)
    if "volleys" in data and not data["volleys"] and not data.get("seekers_hit"):
        yield "nothing struck"
    for hit in data.get("seekers_hit", ()):
        yield f"{hit['points']} on {hit['seeker']}{', which is gone' if hit['gone'] else ''}"
    rolls = [before.state.rolls[n] for n in data.get("rolls", ()) if n in before.state.rolls]
    number = next((roll.volley for roll in rolls if roll.volley is not None), None)
    if number is not None:
        totals = [str(sum(group["faces"])) for result in results for group in result.data["dice"]]
        dice = f" (dice {' '.join(totals)})" if totals else " (no dice needed)"
        yield volley_line(before, before.entries[number].data["volley"], data["events"]) + dice


def struck_line(volley: Mapping[str, Any]) -> str:
    """A volley that is still to be carried out."""
    return f"{volley['ship']} is struck for {how_many(volley['points'], 'point')} on #{volley['shield']}"


def volley_line(before: Game, volley: Mapping[str, Any], events: Sequence[Mapping[str, Any]]) -> str:
    """A volley: what reinforcement and the shield took off it, and which boxes came through."""
    ship = before.state.ships[volley["ship"]]
    parts = []
    inside: Counter[str] = Counter()
    ends = ""
    for event in events:
        kind = event.get("event")
        if kind == "reinforced":
            parts.append(f"{event['points']} off by {event['kind']} reinforcement")
        elif kind == "shield_hit":
            left = ship.state.shields.get(int(event["shield"]), 0)
            parts.append(f"shield #{event['shield']} {left} to {left - int(event['points'])}")
        elif kind == "armor_hit":
            parts.append(f"{len(event['boxes'])} on armor")
        elif kind == "box_destroyed":
            inside[box_name(str(event["box"]))] += 1
        elif kind == "shuttle_lost":
            inside["the shuttle in it"] += 1
        elif kind == "ship_destroyed":
            ends = "; destroyed"
    boxes = [name if count == 1 else f"{count} {name}" for name, count in inside.items()]
    parts.append(f"{sum(inside.values())} inside: {', '.join(boxes)}" if boxes else "nothing inside")
    on = f" on #{volley['shield']}" if volley.get("shield") else ""
    return f"{volley['ship']}: {how_many(volley['points'], 'point')}{on}: {', '.join(parts)}{ends}"


def box_name(box: str) -> str:
    """A box as players say it: `forward hull`; a weapon by its mark."""
    system = box.partition("/")[0]
    return box if system.upper() == system else system.replace("_", " ")
