"""The ships of a play-by-play: their classes as the player, a map or their names say, and the rulebook they are judged by."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from referee.core.errors import BadInput
from referee.core.finding import Finding, Severity
from referee.core.location import Location
from referee.core.ship import ShipClass
from referee.formats.sfbol import ImpulseBegun, all_of
from referee.formats.sfbol_games import PlayedGame
from referee.rulebooks.registry import load_ship
from referee.sources.asked import Asked, note
from referee.sources.saves import map_of
from referee.sources.settings import rulebook_in_force
from referee.sources.sfbol_classes import ClassesCalled, class_by_map, classes_called
from referee.sources.sfbol_names import Names, given_for
from referee.sources.ship_files import ship_asked_for

if TYPE_CHECKING:
    from referee.rulebooks.base import Rulebook


def _usual(file: str) -> str:
    """The rulebook of a ship that several have, where the player says none: the client's Cadet games are called so."""
    return "sfb-cadet" if "cadet" in Path(file).name.casefold() else "sfb-standard"


class ShipsKnown:
    """The ships of a game whose classes are known, the rulebook, and what is said of the others."""

    def __init__(self, game: PlayedGame, names: Names, file: str, asked: Asked) -> None:
        self.game, self.names, self.file, self.asked = game, names, file, asked
        self.classes: dict[str, ShipClass] = {}
        self.rulebook: Rulebook | None = None
        self.findings: list[Finding] = []
        self._know_ships()

    def _know_ships(self) -> None:
        wanted = self.asked.settings.rulebook
        module_map = map_of(self.asked)
        mapped = (
            {**{ship.name or ship.counter: ship.ship for ship in module_map.ships}, **module_map.classes}
            if module_map
            else {}
        )
        rulebook = wanted or (module_map.rulebook if module_map else "")
        open_: dict[str, ClassesCalled] = {}
        for name in self.names.ships:
            type = self.names.types.get(name, "")
            if given := given_for(name, self.asked, self.names):
                self.classes[name] = ship_asked_for(given, wanted)
            elif id := class_by_map(name, type, mapped):
                self.classes[name] = load_ship(id)
            else:
                open_[name] = classes_called(name, type, rulebook)
        known = {ship.rulebook for ship in self.classes.values()}
        if not rulebook and len(known) == 1:
            rulebook = next(iter(known))
        rulebook = rulebook or self._rulebook_of(open_) if len(known) < 2 else rulebook
        for name, called in open_.items():
            fits = [ship for ship in called.fits if not rulebook or ship.rulebook == rulebook]
            if len(fits) == 1:
                self.classes[name] = fits[0]
            if len(fits) == 1 and not called.race_told:
                self.findings.append(self._class_taken(name, fits[0]))
            elif len(fits) != 1:
                like = [ship for ship in called.like if not rulebook or ship.rulebook == rulebook]
                self.findings.append(self._which_class(name, fits or like))
        rulebooks = {ship.rulebook for ship in self.classes.values()}
        if not wanted and len(rulebooks) > 1:
            both = " and ".join(f"{name} ({ship.rulebook})" for name, ship in list(self.classes.items())[:4])
            raise BadInput(f"ships of several rulebooks: {both}", file=self.file, hint="say --rulebook")
        if self.classes:
            self.rulebook = self._with_impulses(
                rulebook_in_force(wanted or rulebooks.pop(), self.asked.settings, lenient=True)
            )

    def _rulebook_of(self, guessed: Mapping[str, ClassesCalled]) -> str:
        """The rulebook that has most of the ships that only their names tell; the usual one where several have as many.
        A name that is only fired at, and was never put on the map, decides nothing."""
        put = [called for name, called in guessed.items() if name in self.names.types]
        fits = [{ship.rulebook for ship in called.fits} for called in put or guessed.values()]
        votes = Counter(rulebook for rulebooks in fits for rulebook in rulebooks)
        most = max(votes.values(), default=0)
        best = [rulebook for rulebook, count in votes.items() if count == most]
        return best[0] if len(best) == 1 else _usual(self.file)

    def _with_impulses(self, rulebook: Rulebook) -> Rulebook:
        """The rulebook on the chart the log is played by, where the player does not say."""
        last = max([begun.impulse for begun in all_of(self.game.facts, ImpulseBegun)], default=0)
        chosen = "impulses" in self.asked.settings.options or "impulses" in self.asked.settings.house.options
        if chosen or "impulses" not in rulebook.options or last <= int(rulebook.option("impulses")):
            return rulebook
        most = [value for value in rulebook.options["impulses"].values if int(value) >= last]
        return rulebook.with_options({"impulses": most[0]}) if most else rulebook

    def _class_taken(self, name: str, ship: ShipClass) -> Finding:
        sentence = f"it is taken to be {ship.id}: no other class here of its rulebook is called so"
        fix = f'say --ship "{name}=CLASS" if it is another'
        return note("class", sentence, name, location=Location(self.file, line=self.game.first), fix=fix)

    def _which_class(self, name: str, classes: Sequence[ShipClass]) -> Finding:
        choices = ", ".join(found.id for found in classes[:6])
        type = self.names.types.get(name, "")
        return Finding(
            "NOTE/ship",
            Severity.UNDECIDED,
            "the class of this ship is not known: what it does is not judged"
            + (f": it may be {choices}" if choices else f" ({type})" if type else ""),
            name,
            location=Location(self.file, line=self.game.first),
            fix=f'say --ship "{name}={classes[0].id if len(classes) == 1 else "CLASS"}"'
            if classes
            else f'say --ship "{name}=SHIP", with one of `referee ship list`',
        )
