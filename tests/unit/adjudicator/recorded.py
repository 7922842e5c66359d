"""Small games of a record as their entries, two cruisers unless it is said otherwise, and the state they come to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from referee.core.game import GameState
from referee.core.gamefold import fold_game
from referee.rulebooks.registry import load_ship


@dataclass(frozen=True)
class Line:
    """An entry of a record that nobody has written down."""

    seq: int
    type: str
    data: Mapping[str, Any]


FED, D6 = "cadet/federation-ca", "cadet/klingon-d6"
TWO = (("A", FED, "1510A"), ("B", FED, "1506D"))


def entries(
    *more: tuple[str, dict[str, Any]], ships: tuple[tuple[str, str, str], ...] = TWO, **genesis: Any
) -> list[Line]:
    """A game at the energy allocation of turn 1, and what comes after; each ship's player has its name."""
    first = {
        "fold": 2, "players": [name.lower() for name, *_ in ships], "rulebook": "sfb-cadet",
        "dice": {"mode": "seed", "seed": "x"}, "options": {"impulses": "16"}, **genesis,
    }  # fmt: skip
    begun: list[tuple[str, dict[str, Any]]] = [("genesis", first)]
    for name, ship, at in ships:
        begun.append(("ship", {"ship": name, "class": ship, "player": name.lower(), "at": at, "speed": "8"}))
    begun.append(("step", {"turn": 1, "step": "energy allocation"}))
    return [Line(seq, kind, data) for seq, (kind, data) in enumerate((*begun, *more))]


def state(rows: list[Line]) -> GameState:
    """The game after some entries."""
    return fold_game(rows, load_ship)


def order(ship: str, impulse: int | None = None, **said: Any) -> tuple[str, dict[str, Any]]:
    """What a ship's player orders in turn 1: `move="left"`, `speed=8`, `fire=("PH-1/A", "B")`."""
    ((kind, value),) = said.items()
    what: dict[str, Any] = {
        "move": lambda: {"ship": ship, "way": value},
        "speed": lambda: {"ship": ship, "speed": value},
        "fire": lambda: {"ship": ship, "weapons": [value[0]], "target": value[1]},
    }[kind]()
    at = {} if impulse is None else {"impulse": impulse}
    return "order", {"turn": 1, **at, "player": ship.lower(), "text": ["..."], kind: what}


def step(impulse: int | None, name: str, turn: int = 1) -> tuple[str, dict[str, Any]]:
    at = {} if impulse is None else {"impulse": impulse}
    return "step", {"turn": turn, **at, "step": name}


SPEEDS = (order("A", speed=8), order("B", speed=8))
