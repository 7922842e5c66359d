"""Dice that fell and count no more where the game goes back past them: whose they were, and what they showed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from referee.core.entry_words import chat_text
from referee.core.game import fire_numbers, volley_number

if TYPE_CHECKING:
    from referee.core.game import EntryLike
    from referee.play.game_file import Game

THROWN = re.compile(r"roll ([0-9]{1,9}): thrown by the program \(([0-9]+) of ([0-9]+) dice\)")
"""The note on dice that the program threw for a table that types them in: it goes with what they were thrown for."""
SET_ASIDE = re.compile(r"roll ([0-9]{1,9}): [0-9 ]+ typed in and set aside")
"""The note on dice that were typed in before all were there, and are typed in anew: it goes as that does."""


def orders_rolled(purpose: str) -> tuple[int, ...]:
    """The orders that a roll is declared for, by its purpose: of fire, or of a volley."""
    volley = volley_number(purpose)
    return (*fire_numbers(purpose), *(() if volley is None else (volley,)))


def fallen(game: Game, target: int, until: int | None = None) -> Iterator[EntryLike]:
    """The dice that fell from an entry on, for what is taken back with it."""
    declared = {entry.data["roll"]: entry for entry in game.entries if entry.type == "declare"}
    for entry in game.entries[target:until]:
        if entry.type == "result" and entry.data.get("dice"):
            roll = declared[entry.data["roll"]]
            orders = orders_rolled(str(roll.data.get("purpose", "")))
            if any(number >= target for number in orders or (roll.seq,)):
                yield entry


def dice_text(game: Game, entry: EntryLike) -> str:
    """Dice that fell: whose they were, for what, and their faces."""
    return f"{game.dice.rolls[entry.data['roll']].who}'s {chat_text(entry)}"


def is_program_thrown(game: Game, roll: int) -> bool:
    """Did the program throw dice of a roll?"""
    notes = (thrown_in(entry.data) for entry in game.entries if entry.type == "note")
    return game.dice.rolls[roll].source != "physical" or any(note and note[0] == roll for note in notes)


def thrown_in(data: Mapping[str, Any]) -> tuple[int, bool] | None:
    """The roll that a note says the program threw, and whether it threw all its dice."""
    match = THROWN.fullmatch(str(data.get("text", "")))
    return (int(match[1]), match[2] == match[3]) if match else None
