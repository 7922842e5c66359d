"""Pieces nobody says the meaning of: named once, and in doubt where they may be damage on a ship's display."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from referee.core.finding import Finding, Severity
from referee.core.location import Location
from referee.core.once import pattern
from referee.formats.vassal.marks import NUMBERED, shield_of
from referee.formats.vassal.recognise import loose, on_displays
from referee.sources.asked import note
from referee.sources.counters import seeker_kind
from referee.sources.ssd_display import named_boxes, seen_state

if TYPE_CHECKING:
    from referee.core.ship import ShipClass
    from referee.formats.modulemap import ModuleMap
    from referee.formats.vassal.pieces import Piece
    from referee.formats.vassal.recognise import ShipOnTable
    from referee.rulebooks.base import Rulebook

    Known = tuple[ShipOnTable, ShipClass, Rulebook]
    """A ship whose class is known."""

_LOST = pattern(r"(?i)(?<![a-z])(?:destroyed|damaged?|dmg|dead|hit|lost|gone|crippled)(?![a-z])")
_MOST = 12  # names that are told


def unmapped(
    pieces: Iterable[Piece],
    ships: Sequence[ShipOnTable],
    known: Sequence[Known],
    module_map: ModuleMap | None,
    file: str,
) -> Iterator[Finding]:
    """The findings on pieces whose meaning is not known, where a ship of a `known` class is: undecided on those on
    its display that may be damage, a note on the rest where there is no map. The `ships` are spoken of elsewhere."""
    if not known:
        return
    there = tuple(pieces)
    shown = [ship for ship in ships if ship.ssd]
    of = {id(entry[0]): entry for entry in known}
    doubts: dict[tuple[int, str, bool], bool] = {}
    doubted: dict[str, tuple[Piece, Known]] = {}
    for piece, ship, apart in on_displays(loose(there, shown, module_map), shown):
        key = id(ship), piece.basic_name, apart
        if id(ship) in of and key not in doubts:
            doubts[key] = _may_be_damage(piece.basic_name, of[id(ship)], apart=apart)
        if doubts.get(key):
            doubted[piece.id] = piece, of[id(ship)]
    place, fix = Location(file), "say what they are in a module map, for --map: referee init map drafts one"
    if doubted:
        on = dict.fromkeys(ship.name for _, (ship, _, _) in doubted.values())
        displays = dict.fromkeys(ship.ssd.basic_name for _, (ship, _, _) in doubted.values() if ship.ssd)
        yield Finding(
            "NOTE/unmapped",
            Severity.UNDECIDED,
            f"{_counted(piece for piece, _ in doubted.values())} on {' and '.join(displays)} may be damage: not counted",
            next(iter(on)) if len(on) == 1 else "",
            location=place.within(piece=next(iter(displays))) if len(displays) == 1 else place,
            fix=fix,
        )
    if module_map is None:
        rest = [piece for piece in loose(there, ships) if piece.id not in doubted]
        if rest:
            yield note("unmapped", f"{_counted(rest)}: what these are is not known here, they are not judged", "", location=place, fix=fix)  # fmt: skip


def damage_left_out(
    pieces: Iterable[Piece],
    ships: Sequence[ShipOnTable],
    known: Sequence[Known],
    module_map: ModuleMap | None,
    file: str,
) -> Iterator[str]:
    """What lies on displays that may be damage, and is taken over as none."""
    for found in unmapped(pieces, ships, known, module_map, file):
        if found.severity is Severity.UNDECIDED:
            yield f"{found.message} (referee init map drafts a map that says what it is)"


def _may_be_damage(name: str, on: Known, *, apart: bool) -> bool:
    """May a piece of a name be damage on a display? It is called so, or the display lies apart from the ships and
    does not show its ship's power itself."""
    ship, chosen, rulebook = on
    labels = rulebook.table("box_labels")
    if (
        apart
        and not seen_state(chosen, ship.boxes_left, ship.shields, labels).power_seen
        and not seeker_kind(name)
    ):
        return True  # but for a seeker that waits there to be launched
    what = " ".join(_LOST.sub(" ", name).split()).strip(" -:#()")
    if what == name.strip():
        return False
    match, named = NUMBERED.fullmatch(what), named_boxes(chosen, labels)
    labelled = (what, match[1]) if match else (what,)
    return any(named(label) or shield_of(label) for label in labelled)


def _counted(pieces: Iterable[Piece]) -> str:
    """Names with how many there are of each."""
    counts = Counter(piece.basic_name for piece in pieces)
    figures = [f"{name} ({count})" if count > 1 else name for name, count in list(counts.items())[:_MOST]]
    return ", ".join(figures) + (f" and {len(counts) - _MOST} more names" if len(counts) > _MOST else "")
