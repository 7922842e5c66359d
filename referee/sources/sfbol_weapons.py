"""Which weapon of a ship a line of a play-by-play means, and in which mode it says it fires."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache

from referee.core.arcs import COMBINATIONS, HALF_PLANES, tokens
from referee.core.finding import SURE, Certainty, Finding, Perhaps, Severity
from referee.core.location import Location
from referee.core.naming import folded
from referee.core.once import Same
from referee.core.ship import Mount, ShipClass
from referee.formats.sfbol import Fired
from referee.rulebooks.base import Rulebook

_MODES = {"standard": "standard", "over": "overload", "prox": "proximity"}
"""How the words for a mode begin."""
_FILLERS = ("torpedo", "bolt", "beam", "tube")


class Weapons:
    """The weapons of the ships of a game, as its lines name them."""

    def __init__(self, rulebook: Rulebook, classes: Mapping[str, ShipClass]) -> None:
        self._rulebook = rulebook
        self._classes = classes
        self._types = _types_by_name(Same(rulebook))
        self._known: dict[tuple[str, str, str, str], tuple[Mount | None, Certainty]] = {}
        self._strange: dict[tuple[str, str], tuple[int, str, int]] = {}
        self._odd_arcs: list[tuple[int, str, str]] = []
        """Weapons that have other arcs in the log, each with its line and ship, and what is said of it."""

    def mount(self, ship: str, fired: Fired) -> tuple[Mount | None, Certainty]:
        """The mount a shot is fired from, and how sure that is; None where the ship known here has none such."""
        key = ship, fired.type, fired.mark, fired.arc
        if key not in self._known:
            self._known[key] = self._found(ship, fired)
        mount, sure = self._known[key]
        if mount is None:
            about = ship, f"{fired.type} #{fired.mark}"
            line, why, count = self._strange.get(about, (fired.line, "", 0))
            self._strange[about] = line, why, count + 1
        return mount, sure

    def _found(self, ship: str, fired: Fired) -> tuple[Mount | None, Certainty]:
        type = self.type_of(fired.type)
        mounts = [mount for mount in self._classes[ship].mounts if mount.type == type]
        exact = [mount for mount in mounts if folded(mount.mark) == folded(fired.mark)]
        sure: Certainty = SURE
        if not exact and (other := _other_mark(fired.mark)):
            # The client numbers what an SSD letters, or the other way round.
            exact = [mount for mount in mounts if mount.mark == other]
            sure = Perhaps(f"its {fired.type} #{fired.mark} is taken to be {exact[0].id}") if exact else SURE
        if len(exact) != 1:
            return None, SURE
        if sure is SURE and _sectors(exact[0].arc) - _rows(exact[0].arc) != _sectors(fired.arc) - _rows(
            fired.arc
        ):
            sentence = (
                f"the log gives {exact[0].id} the arc {fired.arc}, the ship known here has {exact[0].arc}"
            )
            self._odd_arcs.append((fired.line, ship, sentence))
            sure = Perhaps(sentence)
        return exact[0], sure

    def type_of(self, name: str) -> str:
        """The weapon type a name means; nothing for none known here."""
        return self._types.get(_bare(name), "")

    def mode(self, fired: Fired) -> str:
        """The mode a shot is said to be fired in; nothing where it says none."""
        return _mode(fired.mode)

    def mode_reaching(self, type: str, hexes: int) -> str:
        """The only mode in which a weapon reaches so far, where that is not the standard one."""
        chart = self._rulebook.table("weapons")["weapons"].get(type, {})
        modes = chart.get("modes", {})
        band = next((n for n, (low, high) in enumerate(chart.get("bands", ())) if low <= hexes <= high), None)
        if band is None:
            return ""
        reach = [mode for mode, entry in modes.items() if entry["hit_on_or_under"][band] is not None]
        return reach[0] if len(reach) == 1 and reach[0] != "standard" else ""

    def misses(self, fired: Fired, die: int, thrown: tuple[int, int]) -> bool:
        """Does a shot score nothing with its die at the range its line gives, whatever its mode?"""
        type = self.type_of(fired.type)
        modes = self._rulebook.table("weapons")["weapons"].get(type, {}).get("modes", ("standard",))
        scores = self._rulebook.offers.points_stated
        return bool(type) and all(
            scores(self._rulebook, type, fired.range, die, mode, thrown) == 0 for mode in modes
        )

    def findings(self, file: str) -> Iterator[Finding]:
        """What is said of weapons that the ships known here do not have, or have in another arc."""
        fix = 'is it another class? say --ship "{}=CLASS"'
        for line, ship, sentence in self._odd_arcs:
            place = Location(file, line=line)
            yield Finding(
                "NOTE/weapon", Severity.UNDECIDED, sentence, ship, location=place, fix=fix.format(ship)
            )
        for (ship, weapon), (line, _, count) in self._strange.items():
            times = f", {count} times" if count > 1 else ""
            sentence = f"fires {weapon}{times}: {self._classes[ship].name} has no such weapon, and that fire is not judged"
            yield Finding(
                "NOTE/weapon",
                Severity.UNDECIDED,
                sentence,
                ship,
                location=Location(file, line=line),
                fix=fix.format(ship),
            )


@lru_cache(maxsize=1 << 8)
def _mode(written: str) -> str:
    named = written.strip().casefold()
    return next((mode for begins, mode in _MODES.items() if named.startswith(begins)), named)


@lru_cache(maxsize=16)
def _types_by_name(rulebook: Same[Rulebook]) -> Mapping[str, str]:
    types: dict[str, str] = {}
    for type, entry in rulebook.held.table("weapons")["weapons"].items():
        for name in (type, entry["name"], entry["prefix"]):
            types.setdefault(_bare(name), type)
    return types


@lru_cache(maxsize=1 << 10)
def _bare(name: str) -> str:
    words = name.casefold().replace("-", " ").split()
    return "".join(
        character for word in words if word not in _FILLERS for character in word if character.isalnum()
    )


def _other_mark(mark: str) -> str:
    if len(mark) == 1 and mark.isalpha():
        return str(ord(mark.upper()) - ord("A") + 1)
    return chr(ord("A") + int(mark) - 1) if mark.isdecimal() and 0 < int(mark) < 27 else ""


@lru_cache(maxsize=1 << 10)
def _sectors(arc: str) -> frozenset[str]:
    """The sectors of an arc, whatever it is called; the arc as it is written where it cannot be read."""
    try:
        parts = tokens(arc.replace(" ", ""))
    except ValueError:
        return frozenset((arc,))
    return frozenset(
        sector
        for part in parts
        for sector in (COMBINATIONS.get(part, (part,)) if part not in HALF_PLANES else (part,))
    )


@lru_cache(maxsize=1 << 10)
def _rows(arc: str) -> frozenset[str]:
    """The single rows of hexes of an arc: the client does not name them."""
    return frozenset(part for part in _sectors(arc) if part.startswith("row:"))
