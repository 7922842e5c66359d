"""Which dice are rolled: scripted, seeded, typed in, or drawn and shown so that they can be repeated."""

from __future__ import annotations

import sys
from typing import Any

from referee.core.dice import Dice, KeyedDice, ScriptedDice, seeded_dice
from referee.core.errors import BadInput
from referee.core.volley import Choice


class TypedDice:
    """Dice rolled at the table and typed in, one total at a time."""

    source = "physical"

    def __init__(self) -> None:
        self.rolls: list[int] = []

    def roll(self, count: int, sides: int) -> int:
        """The total a person types; asked again until it can be rolled."""
        while True:
            text = _ask(f"roll {len(self.rolls) + 1}, {count}d{sides}: ")
            if _is_number(text) and count <= int(text) <= count * sides:
                self.rolls.append(int(text))
                return int(text)
            sys.stderr.write(f"  {count} to {count * sides}\n")


class AskOwner:
    """The owner of the ship is asked for every box there is a choice of."""

    name = "ask"

    def choose(self, choice: Choice) -> str:
        """The box a person names, by its number in the list or by name; the only one is not asked for."""
        if len(choice.boxes) == 1:
            return choice.boxes[0]
        sys.stderr.write(f"hit {choice.n}, {choice.result}: ")
        sys.stderr.write("  ".join(f"{n}) {box}" for n, box in enumerate(choice.boxes, 1)) + "\n")
        while True:
            text = _ask("  box: ")
            if text in choice.boxes:
                return text
            if _is_number(text) and 1 <= int(text) <= len(choice.boxes):
                return choice.boxes[int(text) - 1]


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) < 10


def _ask(prompt: str) -> str:
    sys.stderr.write(prompt)
    sys.stderr.flush()
    line = sys.stdin.readline()
    if not line:
        raise BadInput("the answers ended too soon", file="standard input")
    return line.strip()


def chosen_dice(dice: str, seed: str, ask: bool) -> ScriptedDice | KeyedDice | TypedDice:
    """The dice a player asked for; a seed is drawn where none is given. Raises BadInput."""
    if bool(dice) + bool(seed) + ask > 1:
        raise BadInput("several kinds of dice", hint="one of --dice, --seed and --ask")
    if dice:
        parts = dice.replace(",", " ").split()
        wrong = next(
            (part for part in parts if not (part.isascii() and part.isdecimal() and len(part) < 5)), None
        )
        if wrong is not None or not parts:
            raise BadInput(f"--dice: {wrong or 'nothing'} is no roll", hint='totals as --dice "6 7 9"')
        return ScriptedDice([int(part) for part in parts])
    if ask:
        return TypedDice()
    if not seed:
        import secrets

        seed = secrets.token_hex(8)
    return seeded_dice(seed)


def must_be_used_up(cup: Dice, chooser: Any) -> None:
    """Raises BadInput if scripted rolls or listed choices are left over."""
    if isinstance(cup, ScriptedDice):
        try:
            cup.finish()
        except BadInput as error:
            raise error.at(place="--dice") from None
    left = sorted(set(getattr(chooser, "_picks", {})) - getattr(chooser, "used", set()))
    if left:
        raise BadInput(f"choices for hits {', '.join(map(str, left))} were not needed", hint="take them out")
