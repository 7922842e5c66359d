"""Dice that fell: whose they were, what they showed, and those that count no more, for the game went back past them or
they were typed in wrongly."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from referee.core.entry_words import chat_text
from referee.core.frozen import replace
from referee.core.game import fire_numbers, volley_number
from referee.core.takenback import undone_by

if TYPE_CHECKING:
    from referee.core.game import EntryLike
    from referee.play.game_file import Game
    from referee.record.rolls import DeclaredRoll

WRONG = "dice typed in wrongly"
"""Why what they did is taken back."""
THROWN = re.compile(r"(?:roll|dice) ([0-9]{1,9}): thrown by the program \(([0-9]+) of ([0-9]+) dice\)")
"""The note on dice that the program threw for a table that types them in: it goes with what they were thrown for."""
SET_ASIDE = re.compile(r"(?:roll|dice) ([0-9]{1,9}): [0-9 ]+ typed in and set aside")
"""The note on dice that were typed in before all were there, and are typed in anew: it goes as that does."""


def orders_rolled(purpose: str) -> tuple[int, ...]:
    """The orders that a roll is declared for, by its purpose: of fire, or of a volley."""
    volley = volley_number(purpose)
    return (*fire_numbers(purpose), *(() if volley is None else (volley,)))


def fallen(game: Game, target: int, until: int | None = None) -> Iterator[EntryLike]:
    """The dice that fell from an entry on, for what is taken back with it."""
    declared = {entry.data["roll"]: entry for entry in game.entries if entry.type == "declare"}
    for entry in game.entries[target:until]:
        if entry.type in ("result", "forfeit_roll") and entry.data.get("dice"):
            roll = declared[entry.data["roll"]]
            orders = orders_rolled(str(roll.data.get("purpose", "")))
            if any(number >= target for number in orders or (roll.seq,)):
                yield entry


def dice_text(game: Game, entry: EntryLike) -> str:
    """Dice that fell: whose they were, for what, and their faces."""
    roll = game.dice.rolls[entry.data["roll"]]
    dice: Sequence[Mapping[str, Any]] = entry.data["dice"] or ({},)
    whose = dict.fromkeys(f"{shooter(game, roll, group)}'s" for group in dice)
    return f"{' and '.join(whose)} {chat_text(entry)}"


def shooter(game: Game, roll: DeclaredRoll, group: Mapping[str, Any]) -> str:
    """Whose a group of dice is: the player's whose ship fires; else his who declared the roll."""
    what = str(group.get("for", ""))
    firing = [ship for ship in game.state.ships.values() if what.startswith(f"{ship.name} ")]
    return max(firing, key=lambda ship: len(ship.name)).player if firing else roll.who


def as_counted(game: Game, rolls: Iterable[DeclaredRoll]) -> Iterator[DeclaredRoll]:
    """Rolls as their dice are counted: each die is his whose ship fired, and those that were typed in wrongly, and typed
    in anew, are no throw."""
    wrong = mistyped(game)
    for roll in rolls:
        shares: dict[str, list[Mapping[str, Any]]] = {}
        for group in () if roll.number in wrong else roll.dice:
            shares.setdefault(shooter(game, roll, group), []).append(group)
        yield from (replace(roll, who=player, dice=tuple(groups)) for player, groups in shares.items())


def mistyped(game: Game) -> frozenset[int]:
    """The rolls whose dice were typed in wrongly, and are typed in anew."""
    gone = undone_by(game.entries)
    undos = (each for each in game.entries if each.type == "undo" and each.seq not in gone)
    return frozenset(
        entry.data["roll"]
        for undo in undos
        if undo.data["reason"] == WRONG
        for entry in fallen(game, undo.data["target"], undo.seq)
        if not is_program_thrown(game, entry.data["roll"])
    )


def is_program_thrown(game: Game, roll: int) -> bool:
    """Did the program throw dice of a roll?"""
    notes = (thrown_in(entry.data) for entry in game.entries if entry.type == "note")
    return game.dice.rolls[roll].source != "physical" or any(note and note[0] == roll for note in notes)


def thrown_in(data: Mapping[str, Any]) -> tuple[int, bool] | None:
    """The roll that a note says the program threw, and whether it threw all its dice."""
    match = THROWN.fullmatch(str(data.get("text", "")))
    return (int(match[1]), match[2] == match[3]) if match else None
