"""From the marks on a ship's display to its state: which boxes are gone, by the names the marks bear."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from referee.core.forms import EnergyAllocation, FormLines
from referee.core.frozen import frozen
from referee.core.naming import folded, weapon_line
from referee.core.once import Same, pattern
from referee.core.ship import ShipClass
from referee.core.state import ShipState, live_boxes, new_state
from referee.rulebooks.base import Rulebook

Boxes = Mapping[str, tuple[int, int | None]]
_LAST_MARK = pattern(r"(.*\S)[ _#./-]+([A-Za-z0-9]{1,2})")


@frozen
class StateShown:
    """A state as a display shows it, what on the display was not understood, and where it disagrees
    with the SSD known here (label, boxes shown, boxes known); `boxes` are those it shows at all. Of the weapons of a label that are
    `unsure` so many are gone of so many, which ones it does not tell: those named are taken."""

    state: ShipState
    not_understood: tuple[str, ...]
    disagree: tuple[tuple[str, int, int], ...]
    power_seen: bool
    boxes: frozenset[str] = frozenset()
    unsure: tuple[tuple[str, int, int, tuple[str, ...]], ...] = ()


def seen_state(
    ship: ShipClass,
    boxes: Boxes,
    shields: Boxes | Mapping[int, Any],
    labels: Mapping[str, Any],
    used: Mapping[str, int] = MappingProxyType({}),
) -> StateShown:
    """The state that labelled counts of boxes left show.

    Which box of a system is gone is not always shown: of weapons those are taken that were `used` last the longest
    ago, else the first ones. A label that names one weapon (`Photon B`) means that weapon. A count below nought is
    how many are gone.
    """
    return _seen(Same(ship), Same(boxes), Same(shields), Same(labels), Same(used))


@lru_cache(maxsize=64)
def _seen(
    of: Same[ShipClass],
    boxes_left: Same[Boxes],
    shields: Same[Boxes] | Same[Mapping[int, Any]],
    labels: Same[Mapping[str, Any]],
    used_last: Same[Mapping[str, int]],
) -> StateShown:
    """A display is asked again and again while it shows the same."""
    ship, boxes, used, index = of.held, boxes_left.held, used_last.held, _index(of, labels)
    destroyed: set[str] = set()
    unknown: list[str] = []
    disagree: list[tuple[str, int, int]] = []
    shown: set[str] = set()
    unsure: list[tuple[str, int, int, tuple[str, ...]]] = []
    for label, count in boxes.items():
        left, total = count
        named = index.boxes(label)
        if not named:
            unknown.append(label)
            continue
        if total is not None and total != len(named):
            disagree.append((label, total, len(named)))
        shown.update(named)
        lost = -left if left < 0 else (total if total is not None else len(named)) - left
        gone = getattr(count, "gone", None)
        if gone is not None and all(place < len(named) for place in gone):
            destroyed.update(named[place] for place in gone)
            continue
        if lost <= 0:
            continue
        taken = sorted(named, key=lambda box: used.get(box, 0))[:lost]
        destroyed.update(taken)
        if len(taken) < len(named) and named[0] in index.weapons:
            unsure.append((label, lost, len(named), tuple(sorted(taken))))
    state = new_state(ship)
    left_of = {int(number): left for number, (left, _) in shields.held.items()}
    power = {"impulse", "left_warp", "right_warp", "center_warp"}
    return StateShown(
        ShipState(state.ship, {**state.shields, **left_of}, frozenset(destroyed)),
        tuple(unknown),
        tuple(disagree),
        power_seen=any(index.system(label) in power for label in boxes),
        boxes=frozenset(shown),
        unsure=tuple(unsure),
    )


def weapons_paid(lines: FormLines, ship: ShipClass, allocation: EnergyAllocation) -> Iterator[str]:
    """The weapons of a ship that a turn's form puts energy into."""
    for part, entry in allocation.parts(lines.heavy_weapons).items():
        if entry.amount:
            yield weapon_line(lines.tube(part), ship.mounts, lines).partition(":")[2]


def charged(rulebook: Rulebook, ship: ShipClass, known: Any, batteries: str, capacitor: str) -> Any:
    """What is known of a ship's damage, with what its batteries and capacitor held at the start: `full`,
    `empty` or energy; nothing where that is not given."""
    if not (batteries or capacitor):
        return known
    known = known or rulebook.offers.known_damage(new_state(ship))
    state = known.at_start
    if batteries:
        held = len(live_boxes(ship, state, "battery")) if batteries == "full" else 0
        state = replace(state, batteries=Fraction(held))
    if capacitor:
        weapons = rulebook.table("weapons")["weapons"]
        live = (
            mount for mount in ship.mounts if mount.system == "phaser" and mount.id not in state.destroyed
        )
        full = sum((Fraction(weapons[mount.type]["energy"]) for mount in live), Fraction(0))
        amount = {"full": full, "empty": Fraction(0)}.get(capacitor)
        state = replace(state, capacitor=Fraction(capacitor) if amount is None else amount)
    return replace(known, at_start=state)


def named_boxes(ship: ShipClass, labels: Mapping[str, Any]) -> Callable[[str], tuple[str, ...]]:
    """What tells the boxes of a ship that a label means; none for a label not understood."""
    return _index(Same(ship), Same(labels)).boxes


@lru_cache(maxsize=8)
def _spellings(labels: Same[Mapping[str, Any]]) -> tuple[Mapping[str, str], Mapping[str, str]]:
    """The systems and the weapon types by all they may be called."""
    systems, types = (
        {folded(spelling): name for name, spelt in labels.held[part].items() for spelling in (*spelt, name)}
        for part in ("systems", "weapons")
    )
    return systems, types


@lru_cache(maxsize=32)
def _index(ship: Same[ShipClass], labels: Same[Mapping[str, Any]]) -> _Index:
    return _Index(ship.held, labels)


class _Index:
    """What labels may mean on one ship: systems, weapon types, single weapons."""

    def __init__(self, ship: ShipClass, labels: Same[Mapping[str, Any]]) -> None:
        self._ship = ship
        self._systems, self._types = _spellings(labels)
        self.weapons = frozenset(mount.id for mount in ship.mounts)
        self._boxes = {box for system in ship.systems for box in ship.box_ids(system)}
        self._known: dict[str, tuple[str, ...]] = {}

    def system(self, label: str) -> str | None:
        """The system a label names."""
        return self._systems.get(folded(label))

    def boxes(self, label: str) -> tuple[str, ...]:
        """The boxes a label means: those of a system, of a weapon type, or one weapon's."""
        if label not in self._known:
            self._known[label] = self._meant(label)
        return self._known[label]

    def _meant(self, label: str) -> tuple[str, ...]:
        system = self.system(label)
        if system is not None:
            return self._ship.box_ids(system)
        if label in self._boxes:
            return (label,)
        whole = folded(label)
        of_type, mark = self._types.get(whole), ""
        match = _LAST_MARK.fullmatch(label.strip())
        if of_type is None and match:
            of_type, mark = self._types.get(folded(match[1])), folded(match[2])
        return tuple(
            mount.id
            for mount in self._ship.mounts
            if folded(mount.id) == whole or (mount.type == of_type and mark in ("", folded(mount.mark)))
        )
