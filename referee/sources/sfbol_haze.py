"""Lines that may explain what would be held against a ship, and are not judged: harm done to it, shields raised, fire of
which nothing else is told, a die that is shifted, an expanding sphere."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from referee.core.finding import SURE, Certainty, Perhaps
from referee.formats.sfbol import CHAT, Fact, FieldActivated, Rolled, Unread, all_of, speaker_in
from referee.sources.sfbol_names import MOVES, Names, stems_of

SHIELDS = 6
"""Figures that damage or shields left are told by, with a stroke between them."""
_DAMAGE = "batt box boxe coll dama expl hit hits mine poin pts ram ramm rams rein repa shie stri stru"
_FIRE = "dice die fire firi laun roll shoo shot"
_SHIFT = "cloa ecm eccm elec erra evas lock mane mano narr salv scan sens"
"""How words begin, in four letters at most, that tell of harm or shields, of fire, of a die that is shifted."""
_OTHERS = (
    "bolt brid cont crew disr dron ener engi figh fusi impu inte kill lab phas phot plas powe prob seek ship shut"
    " slow sphe tabl torp tran turr warp weap weas web"
)
_OF_THE_GAME = MOVES | frozenset(f"{_DAMAGE} {_FIRE} {_SHIFT} {_OTHERS}".split())
"""How all words of the game begin."""


def players_of(facts: Iterable[Fact], names: Names) -> frozenset[str]:
    """Who throws dice, and is no ship."""
    return frozenset(rolled.name for rolled in all_of(facts, Rolled) if not names.means(rolled.name))


def is_chat(fact: Unread, players: Iterable[str]) -> bool:
    """Does somebody speak in a line?"""
    who, sure = speaker_in(fact.text)
    return fact.text == CHAT or bool(who and (sure or who in players))


def is_aside(fact: Unread, names: Names) -> bool:
    """Does somebody who has no part in the game say something that has no word of it, nor a figure?"""
    return bool(
        speaker_in(fact.text)[0]
        and stems_of(fact.text).isdisjoint(_OF_THE_GAME)
        and not any(letter.isdigit() for letter in fact.text)
        and not names.named_in(fact.text)
    )


class Haze:
    """What lines that are not understood may have done, while a game is told."""

    def __init__(self, facts: Sequence[Fact], names: Names) -> None:
        self._names = names
        self._players = players_of(facts, names)
        self._damaged: dict[str, int] = {}
        """The last such line that may have changed a ship's shields since they were stated."""
        self._fire: dict[str, int] = {}
        """The last such line that may be fire of a ship, or at it."""
        self._shifted: dict[str, int] = {}
        """The last such line that may shift the dice of a ship, or of those that fire at it."""
        self._spheres: dict[str, int] = {}
        """The last line in which another ship than this activates an expanding sphere: it may have run into it."""
        kinds = {_DAMAGE: (self._damaged, self._fire), _FIRE: (self._fire,), _SHIFT: (self._shifted,)}
        self._by_stem = {stem: lines for stems, lines in kinds.items() for stem in stems.split()}
        self.since = 0
        """The line in which the impulse before this one began: damage is stated in either."""

    def takes(self, fact: Unread) -> None:
        """A line that is not understood. One that names no ship may be of any."""
        found = [self._by_stem[stem] for stem in stems_of(fact.text) & self._by_stem.keys()]
        if fact.text.count("/") >= SHIELDS - 1:
            found.append((self._damaged, self._fire))
        if found and not is_chat(fact, self._players):
            kept = [lines for row in found for lines in row]
            for name in self._names.named_in(fact.text) or self._names.ships:
                for lines in kept:
                    lines[name] = fact.line

    def over_end(self, fact: Unread, dead: Iterable[str]) -> Iterator[str]:
        """The ships that are destroyed, of which such a line may tell that they are not. One that names no ship may be of
        any."""
        if not is_chat(fact, self._players):
            named = self._names.named_in(fact.text)
            yield from (name for name in dead if not named or name in named)

    def activates(self, fact: FieldActivated) -> None:
        """An expanding sphere is activated."""
        own = self._names.means(fact.ship)
        self._spheres |= {name: fact.line for name in self._names.ships if name not in own}

    def over_shields(self, ship: str) -> Certainty:
        """How sure it is that nothing but what is told changed the shields of a ship. They are stated now."""
        line = self._damaged.pop(ship, 0)
        return self._in_doubt(line) if line else self._by_sphere(ship)

    def over_damage(self, ship: str, firers: Iterable[str]) -> Certainty:
        """How sure it is that damage of a ship comes of the dice told for it."""
        ships = (ship, *firers)
        lines = [at for ship in ships if (at := self._fire.get(ship, 0)) > self.since]
        lines += [at for ship in ships if (at := self._shifted.get(ship, 0))]
        return self._in_doubt(max(lines)) if lines else self._by_sphere(ship)

    @staticmethod
    def _in_doubt(line: int) -> Certainty:
        return Perhaps(f"line {line} is not understood, and may explain it")

    def _by_sphere(self, ship: str) -> Certainty:
        line = self._spheres.get(ship, 0)
        return Perhaps(f"the expanding sphere of line {line} may explain it") if line else SURE
