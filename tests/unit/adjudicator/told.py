"""Small games of an account that is no record: it tells turns and impulses, and neither steps nor dice."""

from __future__ import annotations

from typing import Any

from referee.adjudicator.table import GameTable
from referee.core.account import Account, Coverage, Event
from referee.core.location import Location
from referee.rulebooks.base import Rulebook
from referee.rulebooks.registry import load_rulebook, load_ship

BOOK = load_rulebook("sfb-standard")
CADET = load_rulebook("sfb-cadet").with_options({"impulses": "16"})
NO_STEPS = Coverage(
    energy="no form", dice="no dice", damage="no damage", steps="no steps", seekers="no seekers"
)
Said = tuple[str, dict[str, Any]]


def at(impulse: int | None, turn: int = 1) -> Said:
    return "step", {"turn": turn} | ({} if impulse is None else {"impulse": impulse})


def says(kind: str, **said: Any) -> Said:
    """What is ordered: `says("move", ship="A", way="ahead")`."""
    return "order", {kind: said}


def told(*lines: Said, rulebook: Rulebook = CADET, ships: tuple[tuple[str, str, str, str], ...]) -> Account:
    """The account: each ship with its class, place and speed, and what comes after, each event at its line."""
    options = {name: rulebook.option(name) for name in rulebook.options if rulebook.option(name)}
    begun: list[Said] = [
        ("genesis", {"players": ["a", "b"], "rulebook": rulebook.id, "options": options, "dice": {"mode": ""},
                     "fold": 2}),
    ]  # fmt: skip
    for name, ship, where, speed in ships:
        stands = {"at": where, "speed": speed, "formless": True, "side": name}
        begun.append(("ship", {"ship": name, "class": ship, "player": name.lower(), **stands}))
    rows = enumerate((*begun, *lines))
    events = [Event(n, kind, data, at=Location("game.txt", line=n + 1)) for n, (kind, data) in rows]
    return Account(tuple(events), NO_STEPS, "game.txt", kept=False, end=Location("game.txt"))


def table(
    *lines: Said, rulebook: Rulebook = CADET, ships: tuple[tuple[str, str, str, str], ...]
) -> GameTable:
    """The table on which an account has been played."""
    return GameTable(rulebook, load_ship, told(*lines, rulebook=rulebook, ships=ships))


def errors(played: GameTable) -> list[tuple[str, str]]:
    """What is wrong: the rule and the ship."""
    return [(one.key, one.subject) for one in played.report().findings if one.severity == "error"]
