"""Players' own ships in a game: the first entry carries their data sheets, each under its digest."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from referee.adjudicator.ship_check import check_ship
from referee.core.errors import BadInput, IntegrityFailure
from referee.core.finding import Severity
from referee.core.location import Location
from referee.core.own_sheets import enter_own_sheet, sheet_digest
from referee.core.ship import OWN_SHEETS, plain_id
from referee.rulebooks import registry
from referee.sources.ship_files import held_sheet, ship_of_sheet


def own_terms(classes: Iterable[str]) -> dict[str, Any]:
    """What the first entry of a game says of the own ships among some classes."""
    sheets = [{**OWN_SHEETS[id], "id": plain_id(id)} for id in sorted({*classes} & {*OWN_SHEETS})]
    carried = [{"sha256": sheet_digest(sheet), "sheet": sheet} for sheet in sheets]
    return {"ships": carried} if carried else {}


def enter_own_ships(genesis: Mapping[str, Any]) -> None:
    """The own ships that a first entry carries are known from now on. Raises IntegrityFailure for one that is not as
    its digest says, BadInput for one that no file could hold."""
    for n, carried in enumerate(genesis["ships"], 1):
        _enter(carried, n)


def _enter(carried: Any, n: int) -> None:
    place = "line 1"
    if not isinstance(carried, dict) or set(carried) != {"sha256", "sheet"}:
        raise BadInput(f"own ship {n} is malformed", place=place)
    sheet = carried["sheet"]
    if sheet_digest(sheet) != carried["sha256"]:
        reason = f"the data of own ship {n} is not that of its digest"
        raise IntegrityFailure(reason, place=place, hint="it was changed: ask for another copy")
    try:
        ship = ship_of_sheet(held_sheet(sheet))
        if ship.id in registry.ship_ids() or ship.id in registry.own_ships():
            raise BadInput(
                f"{ship.id} is a ship of the program", hint='give it an "id" of its own: my/raider'
            )
        for found in check_ship(ship, registry.load_rulebook(ship.rulebook), Location()):
            if found.severity is Severity.ERROR:
                raise BadInput(found.message, place=found.location.pointer or "", hint=found.fix)
    except BadInput as error:
        which = sheet.get("id", n) if isinstance(sheet, dict) else n
        reason = f"own ship {which}{error.place and f' {error.place}'}: {error.reason}"
        raise BadInput(reason, place=place, hint=error.hint) from None
    enter_own_sheet(sheet)
