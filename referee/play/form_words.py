"""A form that is filed or shown, as the table is told of it: its speed, and what else it pays for."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from referee.adjudicator.record_forms import speed_paid

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from referee.core.game import EntryLike
    from referee.play.game_file import Game


def form_words(before: Game, entry: EntryLike) -> str:
    """What an entry tells of a form; nothing where it is about none. `before` is the game as it was made."""
    data = entry.data
    if entry.type == "form":
        return _paid(before, data["ship"], "filed", data["turn"], data["form"])
    seal = before.state.seals.get(data["seal"]) if entry.type == "reveal" else None
    if seal is None or seal.kind != "eaf":
        return ""
    if data["v"] == 1:
        return _paid(before, seal.ship, "shows", seal.turn, data["body"]["form"])
    lines = {row["field"]: row["value"] for row in data["shown"] if "line" in row["value"]}
    return _paid(before, seal.ship, "shows lines of", seal.turn, lines)


def _paid(before: Game, name: str, does: str, turn: int, form: Mapping[str, Any]) -> str:
    rulebook, ship = before.rulebook, before.state.ships[name]
    speed = None
    if ship.unit.hex is not None and rulebook.lines.movement in (row["line"] for row in form.values()):
        filed = replace(ship, forms={**ship.forms, turn: form})
        speed = speed_paid(rulebook, before.ship_class(ship), filed, turn)
    paid = rulebook.lines.paid({row["line"]: row["amount"] for row in form.values()}, speed)
    return f"{name} {does} its form of turn {turn}{': ' * bool(paid)}{paid}"
