"""An SSD in letters: shields as bars, each system's boxes, those that are gone crossed out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from typing import TYPE_CHECKING

from referee.core.state import live_boxes
from referee.live.screen.styled import Line, flowed, line

if TYPE_CHECKING:
    from referee.core.ship import ShipClass
    from referee.core.state import ShipState

_BAR = 10


def ssd_lines(name: str, ship: ShipClass, state: ShipState, width: int) -> list[Line]:
    """A ship's SSD in columns of text."""
    made = [line((name, "bold"), (f"  {ship.name}", "dim"), ("  DESTROYED", "bad") if state.dead else "")]
    across = 2 if width >= 44 else 1
    shields = [
        _shield(number, state.shields.get(number, 0), whole) for number, whole in sorted(ship.shields.items())
    ]
    half = -(-len(shields) // across)
    for n in range(half):
        row = shields[n::half]
        made.append(tuple(piece for shield in row for piece in (*shield, ("  ", ""))))
    mounts = Counter(mount.system for mount in ship.mounts)
    systems = [name for name in ship.systems if name not in mounts and name not in ship.tracks]
    parts = [_system(ship, state, system) for system in systems]
    parts += [_track(ship, state, track) for track in ship.tracks]
    made += flowed((), parts, width)
    weapons = [
        line(
            (mount.id, "gone" if mount.id in state.destroyed else ""),
            ("×" if mount.id in state.destroyed else "", "bad"),
        )
        for mount in ship.mounts
    ]
    return [*made, *flowed((), weapons, width, " ")]


def _shield(number: int, left: int, whole: int) -> Line:
    full = round(_BAR * left / whole) if whole else 0
    full = min(max(full, 1 if left else 0), _BAR)
    look = "bad" if whole and not left else "warn" if left < whole else ""
    return line((f"#{number} {left:>2}/{whole:<2} ", look), ("■" * full, look), ("·" * (_BAR - full), "dim"))


def _system(ship: ShipClass, state: ShipState, system: str) -> Line:
    live, boxes = len(live_boxes(ship, state, system)), ship.box_ids(system)
    gone = len(boxes) - live
    label = system.replace("_", " ")
    return line(f"{label} ", "□" * live, ("×" * gone, "bad"))


def _track(ship: ShipClass, state: ShipState, track: str) -> Line:
    gone: Collection[str] = state.destroyed
    pieces = [
        ("×", "bad") if box in gone else (str(number), "")
        for box, number in zip(ship.box_ids(track), ship.tracks[track], strict=True)
    ]
    return line(f"{track.replace('_', ' ')} ", *(part for piece in pieces for part in (piece, (" ", ""))))
