"""The line that is typed at the foot of the screen: an editor of one line, and what would complete its last word."""

from __future__ import annotations

import glob
import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from referee.core.hexgrid import FACINGS, parse_map_position
from referee.core.naming import folded
from referee.formats.orderlines import ORDER_FORMS
from referee.live.screen.styled import Line, line
from referee.play.short_orders import verb_meant

if TYPE_CHECKING:
    from referee.play.sight import ShipSight, Sight

WORDS = (
    *(
        "accept",
        "again",
        "choose",
        "clock",
        "dice",
        "explain",
        "form",
        "next",
        "note",
        "open",
        "redo",
        "rule",
        "secret",
    ),
    *("throw", "undo"),
)
"""What may be said beside orders."""
TO_TYPE = {
    "form": "the file of the form, then its SHIP if it does not say",
    "accept": "SHIP 1512B, and your ruling",
    "clock": "minutes for the forms: 5 if you say none; 0 stops it",
    "note": "your words",
    "rule": "your ruling",
    "explain": "the number of a rule, or words: turn mode",
    "": "c a: Constellation ahead   c f ph1a,b w   c s 16   ↑ what was typed before",
}
"""What is typed behind a word, or where nothing is typed yet."""
_LAST = re.compile(r"[^\s,;:]*$")
LONGEST = 2000
_FORMS = (".csv", ".xlsx", ".ods", ".json")
"""How the name of an energy form ends."""


class Prompt:
    """A line that is typed. `done` is given its text."""

    def __init__(
        self,
        label: str,
        done: Callable[[str], None],
        text: str = "",
        complete: Callable[[str], list[str]] | None = None,
        earlier: Sequence[str] = (),
        hint: Callable[[str], str] | None = None,
    ) -> None:
        self.label = label
        self.done = done
        self.text = text
        self.at = len(text)
        self._complete = complete
        self._ring: list[str] = []
        self._begun = ""
        self._earlier = [*earlier, text]
        self._nth = len(earlier)
        self._hint = hint

    @property
    def hint(self) -> str:
        """What is to be typed, and how the line is left."""
        hint = self._hint(self.text) if self._hint is not None else ""
        return f"{hint}   Enter   Esc leaves" if hint else "Enter   Esc leaves"

    def press(self, key: str, letter: str) -> None:
        """A key typed into the line."""
        if key == "tab":
            self._tab()
            return
        self._ring = []
        if key in ("up", "down"):
            self._nth = min(max(self._nth + (1 if key == "down" else -1), 0), len(self._earlier) - 1)
            self.text = self._earlier[self._nth]
            self.at = len(self.text)
        elif key == "backspace":
            self.text, self.at = self.text[: max(self.at - 1, 0)] + self.text[self.at :], max(self.at - 1, 0)
        elif key == "delete":
            self.text = self.text[: self.at] + self.text[self.at + 1 :]
        elif key in ("left", "right"):
            self.at = min(max(self.at + (1 if key == "right" else -1), 0), len(self.text))
        elif key in ("home", "ctrl+a"):
            self.at = 0
        elif key in ("end", "ctrl+e"):
            self.at = len(self.text)
        elif key == "ctrl+u":
            self.text, self.at = self.text[self.at :], 0
        elif letter and letter.isprintable():
            self.put(letter)

    def put(self, text: str) -> None:
        """A text put in where the cursor is."""
        kept = text.replace("\r\n", "\n").replace("\r", "\n")[: LONGEST - len(self.text)]
        self.text = self.text[: self.at] + kept + self.text[self.at :]
        self.at += len(kept)

    def offers(self) -> list[str]:
        """What the last word before the cursor may become."""
        return self._complete(self.text[: self.at]) if self._complete is not None else []

    def _tab(self) -> None:
        if not self._ring:
            self._ring = self.offers()
            self._begun = self.text[: self.at]
            if not self._ring:
                return
            word = _last_word(self._begun)
            shared = _shared(self._ring)
            if len(self._ring) > 1 and len(shared) > len(word) and shared.startswith(word.casefold()):
                self._take(self._ring[0][: len(shared)], "")
                self._ring = []
                return
        offer, *others = self._ring
        self._ring = [*others, offer]
        self._take(offer, "" if offer.endswith("/") else " ")

    def _take(self, offer: str, behind: str) -> None:
        rest = self.text[self.at :]
        begun = self._begun[: len(self._begun) - len(_last_word(self._begun))]
        self.text, self.at = begun + offer + behind + rest, len(begun + offer + behind)

    def row(self) -> Line:
        """The line with its cursor."""
        before, under, after = (
            self.text[: self.at],
            self.text[self.at : self.at + 1] or " ",
            self.text[self.at + 1 :],
        )
        shown = [part.replace("\n", " ⏎ ") for part in (before, under, after)]
        return line((f"{self.label} ", "bold"), shown[0][-60:], (shown[1], "mark"), shown[2])


def to_type(text: str) -> str:
    """What is to be typed behind what is typed so far, where nothing is yet."""
    word, _, rest = text.partition(" ")
    return "" if rest.strip() else TO_TYPE.get(word.strip().casefold(), "")


def _shared(offers: list[str]) -> str:
    """What all offers begin with, in small letters."""
    first, last = min(offers, key=str.casefold).casefold(), max(offers, key=str.casefold).casefold()
    same = next(
        (n for n, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), min(len(first), len(last))
    )
    return first[:same]


def _last_word(text: str) -> str:
    found = _LAST.search(text)
    return found[0] if found else ""


def completions(sight: Sight, text: str, ship: str = "") -> list[str]:
    """What the last word of an order may become: ships, words of the language, weapons, hexes. An order that names no
    ship is for `ship`, or the one that moves now."""
    word = _last_word(text)
    before = text[: len(text) - len(word)]
    begins = folded(word)
    if before.strip().casefold() == "form":
        return files(text)
    if word[:1].isdecimal():
        if not before.strip().casefold().startswith("accept"):
            return []
        return sorted({each for each in _hexes(sight) if each.startswith(word.upper())})[:40]
    mover = _ship_of(sight, before, ship)
    named = [each.name for each in sight.ships]
    weapons = mover.weapons if mover is not None else ()
    words = len(before.replace(":", " ").split())
    launches = "launch" in map(verb_meant, before.replace(":", " ").split()[:2])
    marks = [weapon.mark for weapon in weapons if not launches or (weapon.seeks and weapon.may)]
    offers = (
        [*named, *_verbs(), *WORDS]
        if not words
        else [*_verbs(), *marks, *named]
        if words == 1
        else [*marks, *named]
    )
    begun = [offer for offer in offers if folded(offer).startswith(begins)]
    named_whole = words == 1 and before.strip(" :") in named
    return list(dict.fromkeys(begun)) if begins or named_whole else []


def files(text: str) -> list[str]:
    """What the last word may become as the file of an energy form: the forms and folders whose names begin with it."""
    word = _last_word(text)
    folder, slash, begun = word.rpartition("/")
    found = sorted(Path(folder + slash or ".").glob(f"{glob.escape(begun)}*")) if word else []
    folders = [f"{path}/" for path in found if path.is_dir()]
    return [*(str(path) for path in found if path.suffix.casefold() in _FORMS), *folders]


def _verbs() -> Iterable[str]:
    return sorted(verb for verb in ORDER_FORMS if verb.isalpha())


def _ship_of(sight: Sight, before: str, ship: str) -> ShipSight | None:
    """The ship that an order begins with, else the one it is for."""
    first = before.partition(":")[0] if ":" in before else before.partition(" ")[0]
    begins = folded(first)
    begun = [each for each in sight.ships if begins and folded(each.name).startswith(begins)]
    if len(begun) == 1:
        return begun[0]
    return next((each for each in sight.ships if each.name == (ship or sight.mover)), None)


def _hexes(sight: Sight) -> Iterable[str]:
    """The hexes of the ships and those around them, with each facing."""
    for ship in sight.ships:
        try:
            stands, _ = parse_map_position(ship.at)
        except ValueError:
            continue
        for hex in (stands, *(stands.step(facing) for facing in FACINGS)):
            if hex.column > 0 and hex.row > 0:
                yield from (f"{hex}{facing}" for facing in FACINGS)
