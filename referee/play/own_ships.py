"""Players' own ships in a game: the first entry carries their data sheets, each under its digest."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from referee.adjudicator.ship_check import check_ship
from referee.core.errors import BadInput, IntegrityFailure
from referee.core.finding import Severity
from referee.core.location import Location
from referee.core.ship import plain_id
from referee.rulebooks import registry
from referee.sources.ship_files import ship_of_sheet

if TYPE_CHECKING:
    from referee.record.chain import Entry

_PLACE = "line 1"


def own_terms(classes: Collection[str]) -> dict[str, Any]:
    """What the first entry of a game says of the own ships among some classes."""
    own = [registry.packaged_sheet(id) for id in sorted(set(classes)) if plain_id(id) != id]
    sheets = [{**sheet, "id": plain_id(sheet["id"])} for sheet in own]
    carried = [{"sha256": registry.sheet_digest(sheet), "sheet": sheet} for sheet in sheets]
    return {"ships": carried} if carried else {}


def enter_own_ships(genesis: Mapping[str, Any]) -> None:
    """The own ships that a first entry carries are known from now on. Raises IntegrityFailure for a sheet that is not
    that of its digest, BadInput for one that a ship's file could not hold either."""
    for n, carried in enumerate(genesis.get("ships", ()), 1):
        _enter(carried, n)


def _enter(carried: Any, n: int) -> None:
    if not isinstance(carried, dict) or set(carried) != {"sha256", "sheet"}:
        raise BadInput(f"genesis: ships: {n} is malformed", place=_PLACE)
    sheet = carried["sheet"]
    if registry.sheet_digest(sheet) != carried["sha256"]:
        reason = f"the data of own ship {n} is not that of its digest"
        raise IntegrityFailure(reason, place=_PLACE, hint="it was changed: ask for another copy")
    try:
        ship = ship_of_sheet(sheet, "")
        if ship.id in registry.ship_ids() or ship.id in registry.own_ships():
            raise BadInput(f"{ship.id} is a ship of the program", hint='give it an "id" of its own: my/raider')
        for found in check_ship(ship, registry.load_rulebook(ship.rulebook), Location()):
            if found.severity is Severity.ERROR:
                raise BadInput(found.message, place=found.location.pointer or "", hint=found.fix)
    except BadInput as error:
        reason = f"own ship {n}{error.place and f' {error.place}'}: {error.reason}"
        raise BadInput(reason, place=_PLACE, hint=error.hint) from None
    registry.enter_own_ship(sheet)


def must_carry_own_ships(genesis: Mapping[str, Any], entries: Iterable[Entry]) -> None:
    """Raises IntegrityFailure for a ship of a class of somebody's own that the first entry does not carry."""
    own = [(entry, entry.data["class"]) for entry in entries if entry.type == "ship"]
    own = [(entry, id) for entry, id in own if isinstance(id, str) and plain_id(id) != id]
    carried = own and {registry.own_id(each["sheet"], each["sha256"]) for each in genesis.get("ships", ())}
    for entry, id in own:
        if id not in carried:
            reason = f"the record does not hold the data of {id[:80]}"
            raise IntegrityFailure(reason, place=f"line {entry.line_number}", hint="ask for another copy")
