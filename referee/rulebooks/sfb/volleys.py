"""How what strikes is joined into volleys (D4.22, D4.34)."""

from __future__ import annotations

from collections.abc import Iterable

from referee.core.combat import ShotResult
from referee.core.hexgrid import Offset
from referee.rulebooks.base import Rulebook, resolves


@resolves("D4.22", "One shield, one impulse, one volley", on="volley group")
def volley_by_shield(result: ShotResult, rulebook: Rulebook) -> tuple[object, ...]:
    """All points on one shield of a ship in one impulse are one volley.

    Legal: two ships' phasers on shield 1 in impulse 5: one volley. Illegal: a volley for each weapon.
    """
    return result.target, result.shield, result.turn, result.impulse


@resolves("FAST/volley", "Seekers and direct fire apart", on="volley group")
def volley_by_step(result: ShotResult, rulebook: Rulebook) -> tuple[object, ...]:
    """What seekers do and what direct fire does are volleys of their own, for they fall in different steps
    of an impulse. Option `volley_groups=impulse` joins them, as source 000 can be read.

    Legal: a drone and a phaser on shield 1: two volleys. Illegal: one, unless the option says so.
    """
    return (result.step,) if rulebook.option("volley_groups") == "step" else ()


@resolves("D4.34", "Several firers, most damage first", on="volley origins")
def origins_by_damage(results: Iterable[ShotResult]) -> tuple[tuple[int, Offset], ...]:
    """Where several ships strike one shield it is one volley; for the direction of hits the ship that did
    most comes first.

    Legal: 12 points from ahead, then 7 from the right. Illegal: the other way round.
    """
    points: dict[tuple[str, Offset], int] = {}
    for result in results:
        if result.origin is not None:
            key = (result.firer, result.origin)
            points[key] = points.get(key, 0) + result.damage
    return tuple(sorted(((n, origin) for (_, origin), n in points.items()), key=lambda entry: -entry[0]))
