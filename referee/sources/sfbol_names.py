"""What the names in a play-by-play mean: the client leaves words of a ship's label out, and two labels may then fit."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from referee.core.errors import BadInput
from referee.core.naming import folded, most_like
from referee.core.once import once
from referee.formats.limits import MAX_LOG_UNITS
from referee.formats.sfbol import (
    Added,
    Allocated,
    Destroyed,
    Fact,
    FieldActivated,
    Fired,
    ImpulseBegun,
    Moved,
    Turned,
    VolleySaid,
    is_launched,
)
from referee.sources.asked import Asked

TOGETHER = frozenset(
    ["coll", "disp", "dock", "pull", "push", "ram", "rams", "ramm", "stas", "tow", "towe", "tows", "trac"]
)
"""How words begin, in four letters at most, for what one ship does to the movement of another."""
MOVES = TOGETHER | frozenset(
    [
        "acce",
        "brak",
        "dece",
        "dise",
        "emer",
        "face",
        "faci",
        "het",
        "hex",
        "hexe",
        "land",
        "leav",
        "left",
        "move",
        "movi",
        "reve",
        "slip",
        "spee",
        "stop",
        "turn",
    ]
)
"""How words begin for movement."""


def stems_of(text: str) -> set[str]:
    """How the words of a text begin, in four letters at most, whatever their case."""
    return {word.strip(".,:;!?()")[:4] for word in text.casefold().split()}


def words_of(name: str) -> frozenset[str]:
    """The words of a name, whatever their case."""
    return frozenset(name.casefold().split())


class Names:
    """The units of one game by their names: ships, and what they launched."""

    def __init__(self, facts: Iterable[Fact], file: str) -> None:
        self.ships: dict[str, frozenset[str]] = {}
        self.launched: dict[str, Added] = {}
        self.types: dict[str, str] = {}
        self.put_twice: dict[str, Added] = {}
        """What is set up under a name that another unit has already."""
        put: dict[str, Added] = {}
        begun = False
        named: dict[str, int] = {}
        for fact in facts:
            kind = fact.__class__
            if kind is ImpulseBegun:
                begun = True
                continue
            if kind is Moved and fact.ship in named:  # type: ignore[union-attr]
                continue
            if isinstance(fact, Added):
                if is_launched(fact):
                    self.launched.setdefault(fact.name, fact)
                else:
                    self.types.setdefault(fact.name, fact.type)
                    first = put.setdefault(fact.name, fact)
                    if fact.type != first.type or (not begun and fact[3:5] != first[3:5]):
                        self.put_twice.setdefault(fact.name, fact)
            elif isinstance(fact, (Moved, Turned, Allocated, Destroyed, FieldActivated)):
                named.setdefault(fact.ship, fact.line)
            elif isinstance(fact, (Fired, VolleySaid)):
                named.setdefault(fact.ship, fact.line)
                named.setdefault(fact.target, fact.line)
            if len(named) + len(self.types) + len(self.launched) > MAX_LOG_UNITS:
                reason = f"has more than {MAX_LOG_UNITS} names of ships and seekers in one game"
                raise BadInput(
                    reason, file=file, place=f"line {fact.line}", hint="is it a log of the client?"
                )
        self.written = tuple(named)
        """The names of ships as lines write them, in full or not."""
        self.ships = {name: words_of(name) for name in self.types}
        rest = {
            name: words_of(name) for name in named if name not in self.launched and name not in self.types
        }
        for name in sorted(rest, key=lambda ship: -len(rest[ship])):
            if not any(rest[name] <= words for words in self.ships.values()):
                self.ships[name] = rest[name]
        self._known: dict[str, tuple[str, ...]] = {name: (name,) for name in (*self.launched, *self.ships)}

    def means(self, name: str) -> tuple[str, ...]:
        """The units a name may mean: one where it is clear. An exact label wins."""
        known = self._known.get(name)
        if known is None:
            words = words_of(name)
            same = tuple(label for label, of in self.ships.items() if of == words)
            known = (
                same if len(same) == 1 else tuple(label for label, of in self.ships.items() if words <= of)
            )
            self._known[name] = known
        return known

    def may_have_moved(self, text: str) -> tuple[str, ...]:
        """The ships that a line which is not understood may move: it begins with their name, and has a word for it; or
        it names them beside what ships do to each other's movement, and nobody speaks in it."""
        stems = stems_of(text)
        if stems.isdisjoint(MOVES):
            return ()
        if ": " not in text and text[0] != "<" and not stems.isdisjoint(TOGETHER):
            return self.named_in(text)
        words = text.split()[:8]
        for n in range(len(words), 0, -1):
            begun = words_of(" ".join(words[:n]))
            if fits := tuple(label for label, of in self.ships.items() if begun <= of):
                return fits
        return ()

    def named_in(self, text: str) -> tuple[str, ...]:
        """The ships of whose names a text has a word."""
        words = {word.strip('()[]{}<>.,;:!?"').removesuffix("'s") for word in text.casefold().split()}
        return tuple(name for name, of in self.ships.items() if not words.isdisjoint(of))

    @once
    def pattern(self) -> re.Pattern[str] | None:
        """What finds the names of ships and seekers in a text, in full or by some of their words; None without any."""
        words = sorted({word for name in self.ships for word in name.split()}, key=len, reverse=True)
        row = "|".join(map(re.escape, words))
        units = "|".join(map(re.escape, sorted(self.launched, key=len, reverse=True)))
        choices = "|".join(part for part in (units, f"(?:{row})(?:[ ]+(?:{row}))*" if row else "") if part)
        return re.compile(rf"(?i)(?<!\w)(?:{choices})(?!\w)") if choices else None


def given_for(name: str, asked: Asked, names: Names) -> str:
    """The class a player says a ship is, with `--ship NAME=CLASS`; nothing where he says none."""
    for given in asked.ships:
        named, equals, wanted = given.partition("=")
        if equals and (folded(named) == folded(name) or names.means(named.strip()) == (name,)):
            return wanted.strip()
    alone = [given for given in asked.ships if "=" not in given]
    return alone[0] if alone and len(names.ships) == 1 else ""


def ships_meant(asked: Asked, names: Names) -> dict[str, tuple[str, ...]]:
    """The ships of a game that each name of a `--ship NAME=CLASS` may mean."""
    named = (given.partition("=")[0].strip() for given in asked.ships if "=" in given)
    return {
        name: tuple(n for n in names.ships if folded(n) == folded(name)) or names.means(name)
        for name in named
    }


def hold_ships_named(
    asked: Asked, meant: Sequence[Mapping[str, tuple[str, ...]]], there: Sequence[Iterable[str]], file: str
) -> None:
    """Raises BadInput where `--ship NAME=CLASS` names a ship that no game has, or that may be several."""
    for given in asked.ships:
        named, equals, _ = given.partition("=")
        fits = [ships.get(named.strip(), ()) for ships in meant]
        if not equals or any(len(ships) == 1 for ships in fits):
            continue
        if several := next((ships for ships in fits if len(ships) > 1), ()):
            reason = f"--ship {named[:60]}: may be {' or '.join(several[:6])}"
            raise BadInput(reason, file=file, hint="name it in full")
        known = list(dict.fromkeys(name for names in there for name in names))
        near = most_like(named, known) or known[:12]
        raise BadInput(
            f"no ship {named[:60]} in it", file=file, hint=f"there are {', '.join(near)}" if near else ""
        )
