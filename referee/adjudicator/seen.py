"""From the marks on a ship's display to its state: which boxes are gone, by the names the marks bear."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from referee.core.naming import folded
from referee.core.ship import ShipClass
from referee.core.state import ShipState, new_state

Boxes = Mapping[str, tuple[int, int | None]]
_LAST_MARK = re.compile(r"(.*\S)[ _#./-]+([A-Za-z0-9]{1,2})")


@dataclass(frozen=True, slots=True)
class Seen:
    """A state as a display shows it, what on the display was not understood, and where it disagrees
    with the SSD known here (label, boxes shown, boxes known)."""

    state: ShipState
    not_understood: tuple[str, ...]
    disagree: tuple[tuple[str, int, int], ...]
    power_seen: bool


def seen_state(
    ship: ShipClass, boxes: Boxes, shields: Boxes | Mapping[int, Any], labels: Mapping[str, Any]
) -> Seen:
    """The state that labelled counts of boxes left show.

    Which box of a system is gone is not always shown; the first ones are taken. A label that names
    one weapon (`Photon B`) means that weapon.
    """
    destroyed: set[str] = set()
    unknown: list[str] = []
    disagree: list[tuple[str, int, int]] = []
    for label, (left, total) in boxes.items():
        named = tuple(_boxes_named(label, ship, labels))
        if not named:
            unknown.append(label)
            continue
        if total is not None and total != len(named):
            disagree.append((label, total, len(named)))
        lost = (total if total is not None else len(named)) - left
        destroyed.update(named[: max(0, lost)])
    state = new_state(ship)
    left_of = {int(number): left for number, (left, _) in shields.items()}
    power = {"impulse", "left_warp", "right_warp", "center_warp"}
    systems = {system for label in boxes for system in _systems(label, labels)}
    return Seen(
        ShipState(state.ship, {**state.shields, **left_of}, frozenset(destroyed)),
        tuple(unknown),
        tuple(disagree),
        power_seen=bool(power & systems),
    )


def _systems(label: str, labels: Mapping[str, Any]) -> Iterator[str]:
    wanted = folded(label)
    for system, spellings in labels["systems"].items():
        if any(folded(spelling) == wanted for spelling in spellings):
            yield system


def _boxes_named(label: str, ship: ShipClass, labels: Mapping[str, Any]) -> Iterator[str]:
    """The boxes of the ship a label means: those of a system, of a weapon type, or one weapon."""
    for system in _systems(label, labels):
        yield from ship.box_ids(system)
        return
    match = _LAST_MARK.fullmatch(label.strip())
    whole, (stem, mark) = folded(label), match.groups() if match else ("", "")
    for type, spellings in labels["weapons"].items():
        known = {folded(spelling) for spelling in spellings}
        for mount in ship.mounts:
            alone = folded(stem) in known and folded(mount.mark) == folded(mark)
            if mount.type == type and (whole in known or alone or whole == folded(mount.id)):
                yield mount.id
