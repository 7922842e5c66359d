"""Rolls of a log that are not what they seem: faces no die has, two readings, strangers, imitations."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from referee.core.finding import About, Finding, Severity
from referee.core.location import Location
from referee.formats.vassal.gathered import Logged
from referee.formats.vassal.module import Module
from referee.formats.vassal.players import Player
from referee.logs.dice import throws_of, two_readings, warning


def judge_rolls(logged: Logged, module: Module | None, players: Sequence[Player]) -> Iterator[Finding]:
    """Findings on rolls that cannot be, that are told in two ways, that nobody of the game made, that chat alone
    tells, and on typed lines that look like rolls."""
    yield from _void(logged, module)
    yield from _only_said(logged, module)
    names = {player.name for player in players}
    for rolled in logged.rolled:
        if names and rolled.roll.player and rolled.roll.player not in names:
            yield warning(
                "dice-by-stranger",
                f"{rolled.roll.button} = {rolled.roll.faces} was rolled by {rolled.roll.player}, "
                "who is no player of this game",
                rolled.roll.player,
                Location(logged.file, step=rolled.step),
                fix="players roll, or an umpire who has joined",
                turn=rolled.clock.turn,
            )
    for line in logged.imitated:
        yield warning(
            "typed-roll",
            "a typed line looks like the report of a roll; it is none",
            line.line.player,
            Location(logged.file, step=line.step),
            fix="dice are rolled with the buttons",
            turn=line.clock.turn,
        )


def _only_said(logged: Logged, module: Module | None) -> Iterator[Finding]:
    """Warnings on reports of dice in chat without the property the button sets, where it is known to set one."""
    buttons = {rolled.roll.button for rolled in logged.rolled if rolled.roll.pressed}
    buttons |= {button.name for button in module.dice} if module else set()
    for rolled in logged.rolled:
        roll, clock = rolled.roll, rolled.clock
        if roll.pressed or roll.button not in buttons:
            continue
        found = warning(
            "roll-only-said",
            f"chat reports {roll.button} = {roll.faces}, and the button's result is not set as a press of it does",
            roll.player,
            Location(logged.file, step=rolled.step),
            fix="roll with the button, where all can see it",
            turn=clock.turn,
        )
        yield replace(found, impulse=clock.impulse)


def _void(logged: Logged, module: Module | None) -> Iterator[Finding]:
    """Rolls that leave no result: their shots are not judged by them."""
    defined = {button.name for button in module.dice} if module else set()
    by_step = {rolled.step: rolled for rolled in logged.rolled}
    for throw in throws_of(logged, module, frozenset()):
        if not throw.void or throw.undone is not None:
            continue
        rolled = by_step[throw.step]
        roll, sure = rolled.roll, rolled.roll.button in defined
        place = Location(logged.file, step=throw.step)
        about = About(roll.player, throw.when.turn, throw.when.impulse, place)
        fix = "roll again, where all can see it"
        if two_readings(roll):
            yield about.finding(
                "NOTE/two-rolls",
                Severity.UNDECIDED,
                f"chat says {roll.button} = {roll.chat_faces}, the button says {roll.faces}",
                expected=roll.chat_faces,
                found=roll.faces,
                fix=fix,
            )
            continue
        yield about.finding(
            "NOTE/die",
            Severity.ERROR if sure else Severity.UNDECIDED,
            f"the roll of {roll.button} is {roll.faces}: no such dice show that",
            expected=f"{throw.count} of 1 to {throw.sides}" if throw.sides else "faces of dice",
            found=roll.faces,
            fix=fix,
        )
