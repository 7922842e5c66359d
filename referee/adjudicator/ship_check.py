"""Judges a ship's data sheet: can it be played, and how sure are its numbers?"""

from __future__ import annotations

from collections.abc import Iterator

from referee.core.arcs import tokens
from referee.core.finding import Finding, Severity
from referee.core.location import Location
from referee.core.ship import OWN, ShipClass
from referee.rulebooks.base import Rulebook


def check_ship(ship: ShipClass, rulebook: Rulebook, place: Location) -> Iterator[Finding]:
    """Faults of a ship's numbers (errors), what it lacks (warnings), what is provisional (a note)."""

    def finding(slug: str, severity: Severity, message: str, pointer: str, fix: str = "") -> Finding:
        return Finding(
            key=f"SHIP/{slug}",
            severity=severity,
            message=message,
            subject=ship.name,
            location=place.within(pointer=pointer),
            fix=fix,
        )

    weapons = rulebook.table("weapons")["weapons"]
    seen: set[str] = set()
    for n, mount in enumerate(ship.mounts):
        here = f"/mounts/{n}"
        if mount.id in seen:
            yield finding("mount", Severity.ERROR, f"two weapons are marked {mount.id}", f"{here}/id")
        seen.add(mount.id)
        if mount.type not in weapons:
            known = ", ".join(sorted(weapons))
            yield finding(
                "type",
                Severity.ERROR,
                f"{mount.id}: no weapon type {mount.type}",
                f"{here}/type",
                f"one of {known}",
            )
        try:
            tokens(mount.arc)
        except ValueError as error:
            yield finding(
                "arc", Severity.ERROR, f"{mount.id}: {error}", f"{here}/arc", "LF+RF, FX, 360 or row:D"
            )
    for track, numbers in ship.tracks.items():
        rising = track == "scanner"
        if sorted(numbers, reverse=not rising) != list(numbers):
            order = "from 0 up to 9" if rising else "from best down to 0"
            yield finding(
                "track", Severity.ERROR, f"the {track} track is out of order", f"/tracks/{track}", order
            )
        elif numbers[-1] != (9 if rising else 0):
            last = 9 if rising else 0
            yield finding(
                "track", Severity.ERROR, f"the {track} track does not end in {last}", f"/tracks/{track}"
            )
    own = ship.id.startswith(OWN)
    fix = "fill it in, or leave it out of `missing`" if own else "take it from the SSD"
    for lack in [", ".join(ship.missing)] if own and ship.missing else ship.missing:
        yield finding("missing", Severity.WARNING, f"not known: {lack}", "/missing", fix)
    if sorted(ship.shields) != [1, 2, 3, 4, 5, 6] and not any(m.startswith("shields") for m in ship.missing):
        yield finding("shields", Severity.ERROR, "a ship has shields 1 to 6", "/shields")
    unsure = [path for path, number in ship.sources.items() if number.status == "provisional"]
    if unsure:
        yield finding(
            "provisional",
            Severity.NOTE,
            f"{len(unsure)} numbers are provisional: {', '.join(unsure[:8])}{' ...' if len(unsure) > 8 else ''}",
            "/",
            "the SSD on the table decides",
        )
