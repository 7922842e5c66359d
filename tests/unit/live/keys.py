"""The lines of the plain table as key presses on its screen."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from referee.live.screen.page import TablePage
from referee.live.screen.panels import SIGNS
from referee.play.short_orders import line_meant

SCENARIO = (Path(__file__).parent / "dakota.txt").read_text(encoding="utf-8").splitlines()
"""Scenario 4 for three turns, line by line."""
NAMED = {
    " ": "space",
    ":": "colon",
    ",": "comma",
    ".": "full_stop",
    "-": "minus",
    "/": "slash",
    "#": "number_sign",
    "*": "asterisk",
}


def keys_of(page: TablePage, line: str) -> Iterator[str]:
    """The keys that say a line; fire that may be declared is chosen from the list."""
    word, _, rest = line.partition(" ")
    if line in ("a", "l", "r", "n", "u"):
        yield line
    elif line == "y":
        yield "enter"
    elif line == "redo":
        yield "U"
    elif line == "x":
        yield "escape"
    elif line.isdecimal():
        yield from (*line, "enter")
    elif word == "stand":
        yield from ("s", *typed(rest), "enter")
    elif " f " in line and not page.desk.mover:
        yield from declared(page, line)
    else:
        yield from ("colon", *typed(line), "enter")


def typed(text: str) -> Iterator[str]:
    """The keys of a text."""
    yield from (NAMED.get(letter, letter) for letter in text)


def declared(page: TablePage, line: str) -> Iterator[str]:
    """The keys that choose the weapons of an order from the list."""
    desk = page.desk
    ship, _, said = line_meant(desk.game.state, line).partition(": fire ")
    marks, _, target = said.partition(" at ")
    ready = [one.name for one in desk.sight.ships if one.may_fire]
    fired = {order.ship for order in desk.unrolled}
    opened = next((name for name in ready if name not in fired), ready[0])
    yield "f"
    names = [one.name for one in desk.sight.ships if not one.gone]
    yield from ["tab"] * ((names.index(ship) - names.index(opened)) % len(names))
    shots = [(shot.mark, shot.target) for shot in desk.shots(ship)]
    yield from (SIGNS[shots.index((mark, target))] for mark in marks.split(", "))
    yield "enter"


def pressed(page: TablePage, keys: Iterable[str]) -> None:
    """Presses keys on a page without a terminal."""
    letters = {name: letter for letter, name in NAMED.items()}
    for key in keys:
        page.press(key, letters.get(key, key if len(key) == 1 else ""))
