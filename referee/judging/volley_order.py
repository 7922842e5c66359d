"""How a ship is struck, as options say it: for `volley`, in a game or not, and for `odds`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.adjudicator.volley import volley_order
from referee.core.errors import BadInput

if TYPE_CHECKING:
    from referee.core.volley import VolleyOrder

MOST_POINTS = 100_000


def order_from_options(
    damage: int | None, internals: int | None, shield: int | None, reinforcement: str, direction: list[str]
) -> VolleyOrder:
    """The volley that `--damage`, `--internals`, `--shield` and the like describe. Raises BadInput."""
    if damage is not None and internals is not None:
        raise BadInput(
            "--damage with --internals",
            hint="--damage strikes a shield first, --internals are inside: say one",
        )
    if damage is None and internals is None:
        raise BadInput("say how many points strike", hint="--damage N, or --internals N")
    points = damage if damage is not None else internals or 0
    if not 0 <= points <= MOST_POINTS:
        asked = "damage" if damage is not None else "internals"
        raise BadInput(f"--{asked} {points}", hint=f"0 to {MOST_POINTS}")
    if damage is not None and shield is None and not direction:
        raise BadInput("say which shield is struck", hint="--shield 1, --direction row:B, or --internals N")
    general, comma, specific = reinforcement.partition(",")
    if len(reinforcement) > 20 or not all(part.strip().isdecimal() for part in (general, comma and specific)):
        raise BadInput(f"--reinforcement {reinforcement}", hint="general and specific points, as 2,3")
    if damage is None and (int(general) or int(specific)):
        raise BadInput(
            "--reinforcement with --internals", hint="it holds what strikes a shield: --damage N --shield K"
        )
    origins = []
    for where in direction:
        part, colon, rest = where.partition(":")
        counted = bool(colon) and part.isascii() and part.isdecimal() and len(part) < 10
        origins.append((int(part), rest) if counted else (None, where))
    return volley_order(
        points,
        shield=shield,
        internal=internals is not None,
        reinforcement=(int(general), int(specific)),
        directions=tuple(origins),
    )
