"""Lock-on of ships that guide drones in a log: their sensors, their tries, when it was lost (D6.1)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from referee.adjudicator.declared_fire import Cloaks
from referee.adjudicator.flight import lost_with_lock
from referee.core.combat import NOT_KNOWN, LockAttempt, Paid, Seeker
from referee.core.play import When
from referee.core.state import ShipState, best_of_track
from referee.formats.vassal.gathered import Logged
from referee.logs.flights import Unlocked
from referee.logs.hits_on_ship import Strike
from referee.logs.lock_on import LockSaid
from referee.logs.repairs import Marking
from referee.logs.ship_under_audit import ShipUnderAudit
from referee.sources.ssd_display import seen_state

_SENSOR = "sensor"


class Sensors:
    """What a log tells of the sensors of its ships, by name, and of their lock-on."""

    def __init__(
        self,
        logged: Logged,
        judged: Iterable[ShipUnderAudit],
        marks: Mapping[str, tuple[Marking, ...]],
        locks: tuple[LockSaid, ...] = (),
        cloaks: Cloaks | None = None,
        hits: Mapping[str, tuple[Strike, ...]] | None = None,
    ) -> None:
        """`hits` are what is said to have struck ships."""
        self.logged, self.marks, self.locks, self.cloaks = logged, marks, locks, cloaks
        self.hits = hits or {}
        self.ships = {one.ship.name: one for one in judged}
        self._shown: dict[str, tuple[ShipState, bool]] = {}
        # In which step each turn began: the one before was over.
        self._began: dict[int, int] = {}
        for (turn, _), step in logged.ends.items():
            self._began[turn + 1] = max(step, self._began.get(turn + 1, 0))

    def rating(self, ship: str, step: int) -> int | None:
        """The rating of a ship's sensors just before a step; None where its track is not known or shown."""
        one = self.ships.get(ship)
        if one is None or self.hidden(ship):
            return None
        marks = self.marks.get(ship, ())
        before = [mark.after for mark in marks if mark.step < step]
        state = before[-1] if before else marks[0].before if marks else self._displayed(one)[0]
        return best_of_track(one.chosen, state, _SENSOR)

    def hidden(self, ship: str) -> str:
        """Why a rating is not known though the ship's track is known; nothing where it can."""
        one = self.ships.get(ship)
        tracked = one is not None and _SENSOR in one.chosen.tracks
        if one is None or not tracked or self._displayed(one)[1]:
            return ""
        return "its display does not show its sensors"

    def _displayed(self, one: ShipUnderAudit) -> tuple[ShipState, bool]:
        name = one.ship.name
        if name not in self._shown:
            labels = one.book.table("box_labels")
            seen = seen_state(one.chosen, one.ship.boxes_left, one.ship.shields, labels)
            boxes = set(one.chosen.box_ids(_SENSOR))
            self._shown[name] = seen.state, bool(boxes) and boxes <= seen.boxes
        return self._shown[name]

    def unlocked(self, seeker: Seeker, launched_in: int) -> Unlocked | None:
        """When a ship lost lock-on for a seeker it guides; None where it did not, or that is not known."""
        one = self.ships.get(seeker.owner)
        if one is None:
            return None
        if not lost_with_lock(one.book, (seeker,), seeker.owner):
            return None
        lost = [Unlocked(step, why) for step, why in self._lost(one, seeker) if step > launched_in]
        return min(lost, key=lambda found: found.step, default=None)

    def _lost(self, one: ShipUnderAudit, seeker: Seeker) -> Iterable[tuple[int, str]]:
        tried: set[int] = set()
        for lock in self.locks:
            turn, step = lock.when.turn, lock.place.step or 0
            if (lock.ship, lock.target) != (seeker.owner, seeker.target) or turn is None or lock.roll is None:
                continue
            rating = self.rating(seeker.owner, step)
            if turn not in tried and not self._held(one, LockAttempt(rating, roll=lock.roll)):
                yield step, f"it rolled {lock.roll} with a rating of {rating}"
            tried.add(turn)
        for turn, began in sorted(self._began.items()):
            if turn <= seeker.launched.turn:
                continue
            known = next((facts for facts in one.energy if facts.turn == turn), None)
            control: Paid = one.book.offers.fire_energy(known.facts)[2] if known else NOT_KNOWN
            if not self._held(one, LockAttempt(None, control)):
                yield began, f"fire control is not paid for in turn {turn}"
            cloak = self.cloaks.at(seeker.target, When(turn, 1)) if self.cloaks else None
            if (
                cloak
                and _SENSOR in one.chosen.tracks
                and not self._held(one, LockAttempt(None, target_cloak=cloak))
            ):
                yield began, f"{seeker.target} is cloaked"

    def _held(self, one: ShipUnderAudit, attempt: LockAttempt) -> bool:
        """Is lock-on had, or may it be?"""
        return one.book.offers.lock_on(one.book, attempt) is not False

    def tried(self, ship: str, players: frozenset[str], turn: int) -> bool | None:
        """Did a ship try for lock-on in a turn? None where that is not known: its players never say so, it tried
        as the turn before ended, or a die was rolled as the turn began that may be the try."""
        own = [lock.when for lock in self.locks if lock.ship == ship]
        if any(when.turn == turn for when in own):
            return True
        last = max((impulse for t, impulse in self.logged.ends if t == turn - 1), default=None)
        if any((when.turn, when.impulse) == (turn - 1, last) for when in own):
            return None
        says_so = any(lock.speaker in players for lock in self.locks)
        rolled = any((one.clock.turn, one.clock.impulse) == (turn, 1) for one in self.logged.rolled)
        return None if rolled or not says_so else False
