"""The movement of an account that goes on: what was found of its first events is told again, not worked out again.

The course that took them stood, before the last impulses, where it goes on from now. It does so only where these events
are the same, no counter goes out of sight, and the impulses ended where they did. Then it finds what a course finds that
takes all events anew. A counter out of sight is left out because what it did there hangs on where it is seen later.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from operator import attrgetter
from typing import Any

from referee.adjudicator.fire_seen import SeenFire
from referee.adjudicator.movement_seen import SeenCourse
from referee.core.account import Account, Event
from referee.core.board import LoadShip
from referee.core.finding import Finding
from referee.core.frozen import frozen
from referee.core.location import Location
from referee.rulebooks.base import Rulebook

STEPS_BACK = 3
"""Turns and impulses before the end of the account at which the course stands for the next: what is told of the last
ones may still change."""
_UNSEEN = frozenset(("left", "back"))


@frozen
class Stood:
    """A course before it took the event `at`, no counter being out of sight, with what it found of each before, and the account it took them of."""

    course: SeenCourse
    at: int
    found: tuple[tuple[Finding, ...], ...]
    account: Account
    events: list[Event]
    by: tuple[Any, ...]


class CourseGoingOn(SeenCourse):
    """A course that goes on from where one `stood`, if one did, and its account goes on with that one's; what the
    courses are held `by` beside their accounts is the same. It stands itself before the last impulses."""

    def __init__(
        self,
        rulebook: Rulebook,
        load_ship: LoadShip,
        account: Account,
        by: tuple[Any, ...],
        stood: Stood | None = None,
    ) -> None:
        super().__init__(rulebook, load_ship, account)
        self.stood: Stood | None = None
        self._row: list[tuple[Finding, ...]] = []
        """What was found of each event, in their order."""
        self._events = _of_course(account)
        self._all_seen = _all_seen(self._events)
        if stood is not None and stood.by == by and self._all_seen and _goes_on(stood, account, self._events):
            ahead = self.__dict__
            self.__dict__ = {**stood.course.fork().__dict__, **{name: ahead[name] for name in _OF_ALL}}
            self._row, self.stood = list(stood.found), stood
        self.again = len(self._row)
        """How many events are those of before."""
        self._next = 0
        self._account, self._by = account, by
        self._stands_at = _last_sure(self._events)

    def to_take(self, events: Iterable[Event]) -> Iterator[Event]:
        """The events of its account, one by one, but for moves that were taken before and that nothing is against."""
        row, again = self._row, self.again
        for event in events:
            if (n := self._next) < again and not row[n] and "seen" in event.data:
                self._next = n + 1
            else:
                yield event

    def take(self, entry: Any) -> list[Finding]:
        """What is against an event; of one that was taken before, what was found of it then."""
        n, self._next = self._next, self._next + 1
        if n < self.again:
            before = self._row[n]
            return list(before) if before else []
        if n == self._stands_at and n > self.again and self._all_seen:
            found_before = tuple(self._row)
            self.stood = Stood(self._as_it_is(), n, found_before, self._account, self._events, self._by)
        found = super().take(entry)
        self._row.append(tuple(found))
        return found

    def _as_it_is(self) -> SeenCourse:
        """A course that stands where this one does, and goes its own way."""
        made = SeenCourse.__new__(SeenCourse)
        held = self.fork().__dict__
        made.__dict__.update({name: value for name, value in held.items() if name not in _OF_ITS_OWN})
        return made


_OF_ALL = (
    "load_ship",
    "_ended",
    "_until",
    "_moved_in",
    "_hid_in",
    "_made",
    "stood",
    "_row",
    "_events",
    "_all_seen",
)
"""What a course has from the whole account, and not from the events it took."""
_OF_ITS_OWN = ("stood", "_row", "again", "_next", "_account", "_events", "_all_seen", "_by", "_stands_at")


def _of_course(account: Account) -> list[Event]:
    """The events that the table asks its course about."""
    alone = SeenFire.alone
    return [
        event for event in account.events[1:] if event.type != "order" or alone.keys().isdisjoint(event.data)
    ]


def _all_seen(events: Sequence[Event]) -> bool:
    """Does no counter go out of sight?"""
    return all(_UNSEEN.isdisjoint(event.data) for event in events)


def _last_sure(events: Sequence[Event]) -> int:
    """The event before which the course stands for the next: what is told of the last impulses may still change."""
    steps = [n for n, event in enumerate(events) if event.type == "step"]
    return steps[-STEPS_BACK] if len(steps) > STEPS_BACK else 0


def _goes_on(stood: Stood, now: Account, events: Sequence[Event]) -> bool:
    """Are the first events of an account those a course stood behind, and what it knew beforehand of their impulses?"""
    before, at = stood.account, stood.at
    source = before.coverage, before.file, before.since, before.kept
    if source != (now.coverage, now.file, now.since, now.kept):
        return False
    first = stood.events[:at]
    if len(events) < at:
        return False
    if not all(
        first_event is other or _same(first_event, other)
        for first_event, other in zip(first, events, strict=False)
    ):
        return False
    steps = (event.data for event in first if event.type == "step")
    last = max(((data["turn"], data.get("impulse") or 0) for data in steps), default=(0, 0))
    return _over(before, last) == _over(now, last)


def _over(account: Account, last: tuple[int, int]) -> dict[tuple[int, int], Location]:
    """Where the impulses up to one were over."""
    return {moment: at for moment, at in account.over.items() if moment <= last}


def _same(event: Event, other: Event) -> bool:
    """Are two events the same to a course? What a ship paid for is not asked by it."""
    if event.type != "ship" or other.type != "ship":
        return _parts_of(event) == _parts_of(other)
    return _without_energy(event) == _without_energy(other)


_parts_of = attrgetter("seq", "type", "data", "hash", "at", "by", "when", "sure")
"""An event as a tuple, whose parts are not compared where they are the same objects."""


def _without_energy(event: Event) -> tuple[Any, ...]:
    data: Mapping[str, Any] = {name: value for name, value in event.data.items() if name != "energy"}
    return event.seq, data, event.at, event.when
