"""Fallen dice and their effect, told as at a table: a line for each shot, then the shields it struck and the points
that came inside; and forms."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from referee.adjudicator.fire import resolve_shots
from referee.adjudicator.record_forms import speed_paid
from referee.adjudicator.record_shots import shots_of
from referee.core.dice import ScriptedDice
from referee.core.entry_words import WHOLE, chat_text, entry_line
from referee.core.errors import RefereeError
from referee.core.fire_words import seeker_hit_text, shot_fired, struck_text, volley_taken
from referee.core.frozen import replace
from referee.core.safe import safe_line
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
        yield shot_fired(result, on_ship=result.target in before.state.ships).text


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
        ordered = before.entries[number].data["volley"]
        shields = before.state.ships[ordered["ship"]].state.shields
        yield volley_taken(ordered, data["events"], shields).text + dice


def struck_line(volley: Mapping[str, Any]) -> str:
    """A volley that is still to be carried out."""
    return struck_text(volley["ship"], volley["points"], volley["shield"])


def form_words(before: Game, entry: EntryLike) -> str:
    """What an entry tells of a form; nothing where it is about none. `before` is the game as it was made."""
    data = entry.data
    if entry.type == "form":
        name, does, turn, form = data["ship"], "filed", data["turn"], data["form"]
    elif entry.type == "reveal" and (seal := before.state.seals.get(data["seal"])) and seal.kind == "eaf":
        form = (
            data["body"]["form"] if data["v"] == 1 else {row["field"]: row["value"] for row in data["shown"]}
        )
        name, does, turn = seal.ship, "shows", seal.turn
    else:
        return ""
    rulebook, ship = before.rulebook, before.state.ships[name]
    filed = replace(ship, forms={**ship.forms, turn: form})
    speed = speed_paid(rulebook, before.ship_class(ship), filed, turn)
    paid = rulebook.lines.paid({row["line"]: row["amount"] for row in form.values()}, speed)
    return f"{name} {does} its form of turn {turn}{': ' * bool(paid)}{paid}"
