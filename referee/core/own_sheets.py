"""Data sheets of players' own ships in games, entered by their digest."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from referee.core.errors import IntegrityFailure
from referee.core.ship import OWN_SHEETS


def enter_own_sheet(sheet: Mapping[str, Any]) -> str:
    """The id by which a sheet is that of a ship like any other from now on. Raises IntegrityFailure where it stands for
    another sheet already."""
    id = own_id(sheet, sheet_digest(sheet))
    own = {**sheet, "id": id}
    if OWN_SHEETS.setdefault(id, own) != own:
        raise IntegrityFailure(f"{id} is the digest of another ship, too")
    return id


def own_id(sheet: Mapping[str, Any], digest: str) -> str:
    """The id of a player's own ship in games: `my/raider#` and the first digits of its sheet's digest."""
    return f"{sheet['id']}#{digest[:12]}"


def sheet_digest(sheet: Any) -> str:
    """The hex SHA-256 of a data sheet in canonical bytes."""
    import hashlib

    text = json.dumps(sheet, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()
