"""Which packaged classes a ship of a play-by-play may be, by the type the client gives it and by its own name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from referee.core.frozen import frozen
from referee.core.naming import folded
from referee.core.ship import ShipClass
from referee.rulebooks.registry import ShipNames, load_ship, names_of_ship, ship_ids, ships_called

BOOKS = ("sfb-standard", "sfb-cadet")
"""The rulebooks here of games that are played on the client."""
_FILLERS = frozenset(("class", "defined", "ship", "user"))
"""Words of the client's types that name no class: `User-Defined Ship`."""
_OTHER_RACES = frozenset(
    ("andromedan", "carnivon", "frax", "isc", "jindarian", "ldr", "paravian", "seltorian", "vudar", "wyn")
)
"""Races a log may name, some without a ship here."""


@frozen
class ClassesCalled:
    """The classes a ship may be: `fits` are those that its words name, `race_told` whether they name the race too and
    not only a type, as `D7`; `like` are others worth naming where no one class fits."""

    fits: tuple[ShipClass, ...]
    race_told: bool
    like: tuple[ShipClass, ...] = ()


@lru_cache(maxsize=1 << 9)
def classes_called(name: str, type: str, rulebook: str = "") -> ClassesCalled:
    """The classes a ship may be by the type the client gives it, or by its own name where that type says nothing. A type
    that says more than race and class may be a variant, and then none fits."""
    known = {id: ship for id, ship in _ships().items() if rulebook in ("", ship.rulebook)}
    races = _races_in(type) or _races_in(name)
    ours = {id: ship for id, ship in known.items() if not races or ship.race in races}
    if wanted := [word for word in _words(type) if word not in _FILLERS and _race(word) not in races]:
        fits = [id for id, ship in ours.items() if _is_meant(wanted, ship)]
    else:
        words = _type_words(name, bool(races))
        fits = [id for id, ship in ours.items() if ship.type in words]
    like = list(ours) if races else [ship.id for ship in ships_called((name, type)) if ship.id in ours]
    return ClassesCalled(tuple(map(load_ship, fits)), bool(races), tuple(map(load_ship, like)))


def _ships() -> dict[str, ShipNames]:
    named = {id: names_of_ship(id) for id in ship_ids()}
    return {id: ship for id, ship in named.items() if ship.rulebook in BOOKS}


def _race(word: str) -> str:
    return "federation" if word == "fed" else word


def _races_in(text: str) -> frozenset[str]:
    """The races a text names."""
    races = {ship.race for ship in _ships().values()} | _OTHER_RACES
    return frozenset(map(_race, _words(text))) & races


def _words(text: str) -> list[str]:
    """The words of a text, folded: `D-7` is one, `User-Defined` two. With a plus sign a type is another one, a refit."""
    parts = (
        word if any(letter.isdigit() for letter in word) else word.replace("-", " ") for word in text.split()
    )
    return [folded(word) + "+" * ("+" in word) for part in parts for word in part.split() if folded(word)]


def _is_meant(wanted: Sequence[str], ship: ShipNames) -> bool:
    """Are the words of a type, without the race, those of a class and no more?"""
    names = ship.whole | ship.aliases
    if "".join(wanted) in names or ship.race + "".join(wanted) in names:
        return True
    rest = [word for word in wanted if word != ship.type]
    return len(rest) < len(wanted) and all(
        len(word) > 2 and any(word in name for name in names) for word in rest
    )


def _type_words(name: str, race_told: bool) -> frozenset[str]:
    """The words of a ship's own name that may be a type: `D7`, or in capitals beside words that are not, as `KR`."""
    mixed = race_told or name != name.upper()
    return frozenset(
        bare
        for word in name.split()
        for bare in _words(word)
        if any(letter.isdigit() for letter in bare) or (mixed and len(bare) > 1 and word == word.upper())
    )


def class_by_map(name: str, type: str, classes: Mapping[str, str]) -> str:
    """The class a map has for a ship by its name, or for the type the client gives it."""
    by_fold = {folded(key): id for key, id in classes.items()}
    return by_fold.get(folded(name)) or by_fold.get(folded(type), "")
