"""Sensors of ships whose displays are seen, and their lock-on: what guides drones, and when it was lost (D6.1)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from referee.adjudicator.fire_seen import SeenFire
from referee.adjudicator.flight import lost_with_lock
from referee.adjudicator.flights import Unlocked
from referee.adjudicator.repairs import Marking
from referee.core.combat import NOT_KNOWN, LockAttempt, Paid, Seeker
from referee.core.forked import Forked
from referee.core.frozen import frozen
from referee.core.play import When
from referee.core.ship import ShipClass
from referee.core.state import ShipState, best_of_track
from referee.rulebooks.base import Rulebook

_SENSOR = "sensor"


@frozen
class Display:
    """The display of a ship as it was `first`, and all that was marked on it; `shows_sensors` says that it has all their
    boxes."""

    ship: ShipClass
    rulebook: Rulebook
    first: ShipState
    shows_sensors: bool
    marks: tuple[Marking, ...] = ()


class SeenSensors(Forked):
    """The sensors of ships by their displays, and what was rolled for lock-on, paid for it and hides from it; `ends`
    says in which step each impulse was over."""

    def __init__(self, fire: SeenFire, ends: Mapping[tuple[int, int], int]) -> None:
        self._fire = fire
        self._shown: dict[str, Display] = {}
        # In which step each turn began: the one before was over.
        self._began: dict[int, int] = {}
        for (turn, _), step in ends.items():
            self._began[turn + 1] = max(step, self._began.get(turn + 1, 0))

    def take(self, data: Mapping[str, Any]) -> None:
        """The display of a ship."""
        self._shown[data["ship"]] = data["display"]

    def rating(self, ship: str, step: int) -> int | None:
        """The rating of a ship's sensors just before a step; None where its track is not known or shown."""
        display = self._shown.get(ship)
        if display is None or self.hidden(ship):
            return None
        before = [mark.after for mark in display.marks if mark.step < step]
        state = before[-1] if before else display.marks[0].before if display.marks else display.first
        return best_of_track(display.ship, state, _SENSOR)

    def hidden(self, ship: str) -> str:
        """Why a rating is not known though the ship's track is known; nothing where it can."""
        display = self._shown.get(ship)
        if display is None or _SENSOR not in display.ship.tracks or display.shows_sensors:
            return ""
        return "its display does not show its sensors"

    def unlocked(self, seeker: Seeker, launched_in: int) -> Unlocked | None:
        """When a ship lost lock-on for a seeker it guides; None where it did not, or that is not known."""
        display = self._shown.get(seeker.owner)
        if display is None or not lost_with_lock(display.rulebook, (seeker,), seeker.owner):
            return None
        lost = [Unlocked(step, why) for step, why in self._lost(display, seeker) if step > launched_in]
        return min(lost, key=lambda found: found.step, default=None)

    def _lost(self, display: Display, seeker: Seeker) -> Iterator[tuple[int, str]]:
        for (ship, target, _), (step, roll) in self._fire.locks.items():
            if (ship, target) == (seeker.owner, seeker.target):
                rating = self.rating(ship, step)
                if not _is_held(display.rulebook, LockAttempt(rating, roll=roll)):
                    yield step, f"it rolled {roll} with a rating of {rating}"
        paid = self._fire.paid.get(seeker.owner, {})
        for turn, began in sorted(self._began.items()):
            if turn <= seeker.launched.turn:
                continue
            known = paid.get(turn)
            control: Paid = display.rulebook.offers.fire_energy(known.facts)[2] if known else NOT_KNOWN
            if not _is_held(display.rulebook, LockAttempt(None, control)):
                yield began, f"fire control is not paid for in turn {turn}"
            cloak = self._fire.cloaks.at(seeker.target, When(turn, 1))
            if (
                cloak
                and _SENSOR in display.ship.tracks
                and not _is_held(display.rulebook, LockAttempt(None, target_cloak=cloak))
            ):
                yield began, f"{seeker.target} is cloaked"


def _is_held(rulebook: Rulebook, attempt: LockAttempt) -> bool:
    """Is lock-on had, or may it be?"""
    return rulebook.offers.lock_on(rulebook, attempt) is not False
