"""Where the ships and seekers of a game stand at its end, in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from referee.core.naming import how_many
from referee.core.positions import PlayedGame, UnitShown
from referee.core.safe import safe_line
from referee.core.ship import ShipClass
from referee.report.volleytext import power_told


def position_text(game: PlayedGame) -> str:
    """The last position of a game: its moment, each unit with its hex and speed, and what is left of a ship."""
    return "\n".join(safe_line(line, 300) for line in _lines(game)) + "\n"


def _lines(game: PlayedGame) -> Iterator[str]:
    last = game.positions[-1]
    until = f", to {last.when}" if last.turn else ", before turn 1"
    yield f"{game.title}: orders of {game.rulebook}, {how_many(len(game.positions), 'step')}{until}"
    for unit in last.units:
        place = f" at {unit.at}" if unit.at else ", off the map"
        speed = f", speed {unit.speed}" if unit.speed else ""
        known = game.classes.get(unit.name)
        yield f"  {unit.name}{f' ({known.id})' if known else ''}{place}{speed}"
        if known is not None:
            yield from _left(unit, known)


def _left(unit: UnitShown, known: ShipClass) -> Iterator[str]:
    if (state := unit.state) is None:
        return
    shields = "  ".join(f"#{n} {left}/{known.shields.get(n, 0)}" for n, left in sorted(state.shields.items()))
    fate = "DESTROYED" if state.dead else f"power {power_told(known, state)}"
    yield f"    {fate}, {f'shields {shields}' if shields else 'no shields known'}"
    mounts = {box: known.mount(box) for box in state.destroyed}
    lost = Counter(mount.type if mount else box.partition("/")[0] for box, mount in sorted(mounts.items()))
    if lost:
        yield "    lost " + ", ".join(f"{n} {system.replace('_', ' ')}" for system, n in lost.items())
