"""The drones a ship guides, as their counters are seen, held against its sensors: tries for lock-on, how many at once (D6.13)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from referee.adjudicator.flights import Followed
from referee.adjudicator.guidance import (
    holds_without_roll,
    judge_controlled,
    judge_tried,
)
from referee.adjudicator.sensors_seen import SeenSensors
from referee.core.combat import Guidance, Seeker
from referee.core.finding import Finding, NotChecked, Report
from referee.core.forked import Forked
from referee.core.frozen import frozen
from referee.core.location import Location
from referee.core.naming import how_many
from referee.core.play import When
from referee.rulebooks.base import Rulebook

Ends = Mapping[tuple[int, int], int]


@frozen
class Launched:
    """A drone launched in a step; `followed` is its flight, None where its counter is not known."""

    step: int
    when: When
    followed: Followed | None = None


@frozen
class Guide:
    """A ship that launched drones. `tried` tells whether it tried for lock-on in a turn, None where that is not
    known."""

    name: str
    tried: Callable[[int], bool | None]
    drones: tuple[Launched, ...]
    strange: int = 0
    """Counters of drones of which nobody knows who launched them."""


class SeenGuides(Forked):
    """The ships that guide drones which are seen to fly; `ends` says in which step each impulse was over. A ship is
    judged with all its drones, once their flights are known."""

    def __init__(self, rulebook: Rulebook, sensors: SeenSensors, ends: Ends, file: str) -> None:
        self._rulebook, self._sensors, self._ends, self._file = rulebook, sensors, ends, file
        self._findings: list[Finding] = []
        self._lacking: dict[NotChecked, None] = {}
        self._both = rulebook.named.lock_on_tried, rulebook.named.controlled
        self._checked: tuple[str, ...] = ()

    def take(self, guide: Guide) -> list[Finding]:
        """What is against the drones of a ship."""
        if hidden := self._sensors.hidden(guide.name):
            self._lacking.update({NotChecked(key, hidden, guide.name): None for key in self._both})
            return []
        self._checked = self._both
        items = list(_Guiding(self._rulebook, guide, self._sensors, self._ends, self._file).findings())
        self._lacking.update({item: None for item in items if isinstance(item, NotChecked)})
        found = [item for item in items if isinstance(item, Finding)]
        self._findings += found
        return found

    def report(self) -> Report:
        """What was found of them."""
        return Report(tuple(self._findings), self._checked, tuple(self._lacking))


class _Guiding:
    """One ship's drones being judged."""

    def __init__(self, rulebook: Rulebook, guide: Guide, sensors: SeenSensors, ends: Ends, file: str) -> None:
        self.rulebook, self.guide, self.ends, self.file = rulebook, guide, ends, file
        self._sensors = sensors
        self.drones = sorted(guide.drones, key=lambda drone: drone.step)
        self.too_many: set[int] = set()

    def findings(self) -> Iterator[Finding | NotChecked]:
        """Everything against the ship, and what is not known."""
        yield from self._tries()
        for drone in self.drones:
            yield from self._count(drone.step, drone.when, self._out(drone.step))
        yield from self._moved()

    def _rating(self, step: int) -> int | None:
        """The rating of its sensors just before a step; None where the track of its class is not known."""
        return self._sensors.rating(self.guide.name, step)

    # -- tries for lock-on ---------------------------------------------------------------

    def _tries(self) -> Iterator[Finding | NotChecked]:
        for turn in sorted({turn for turn, _ in self.ends}):
            tried_by = self.ends.get((turn, 1))
            earlier = [d.followed for d in self.drones if d.followed and (d.when.turn or turn) < turn]
            out = [
                flight
                for flight in earlier
                if tried_by and (flight.over is None or flight.over > tried_by) and flight.sure
            ]
            if not out or tried_by is None:
                continue
            rating = self._rating(tried_by)
            tried = True if holds_without_roll(self.rulebook, rating) else self.guide.tried(turn)
            guidance = Guidance(self.guide.name, rating, _seekers(out), tried, turn)
            yield from self._placed(judge_tried(self.rulebook, guidance), When(turn, 1), tried_by)

    # -- how many at once ----------------------------------------------------------------

    def _out(self, step: int) -> list[Followed | None]:
        """The drones launched up to a step that are still on the map, None for one that is not followed."""
        launched = [drone for drone in self.drones if drone.step <= step and drone.step not in self.too_many]
        flights = [drone.followed for drone in launched]
        return [flight for flight in flights if flight is None or flight.over is None or flight.over > step]

    def _count(self, step: int, when: When, out: Sequence[Followed | None]) -> Iterator[Finding | NotChecked]:
        sure = [flight for flight in out if flight and flight.sure]
        most = len(out) + self.guide.strange
        unsure = f"{how_many(most - len(sure), 'drone that may be its own is', 'drones that may be its own are')} not followed: how many it controls in step {step} is not known"
        guidance = Guidance(self.guide.name, self._rating(step), _seekers(sure), turn=when.turn)
        for item in self._placed(judge_controlled(self.rulebook, guidance, most, unsure), when, step):
            if isinstance(item, Finding):
                self.too_many.add(step)
            yield item

    def _moved(self) -> Iterator[Finding | NotChecked]:
        """Drones that move on though the sensors no longer control so many; said once a turn."""
        rows: dict[tuple[int, int], list[tuple[int, Followed]]] = {}
        for drone in self.drones:
            if drone.followed is None or drone.step in self.too_many:
                continue
            for move in drone.followed.flight.moves:
                turn, impulse = move.when.turn, move.when.impulse
                if turn is not None and impulse is not None:
                    row = rows.setdefault((turn, impulse), [])
                    row.append((move.location.step or 0, drone.followed))
        turns_told: set[int] = set()
        for (turn, impulse), row in sorted(rows.items()):
            row.sort(key=lambda move: move[0])
            rating = self._rating(row[0][0] - 1)
            flying = list({id(flight): (step, flight) for step, flight in reversed(row)}.values())[::-1]
            if rating is None or len(flying) <= rating or turn in turns_told:
                continue
            turns_told.add(turn)
            step = flying[rating][0]
            guidance = Guidance(self.guide.name, rating, _seekers(flight for _, flight in flying), turn=turn)
            yield from self._placed(judge_controlled(self.rulebook, guidance), When(turn, impulse), step)

    def _placed(
        self, judged: Iterable[Finding | NotChecked], when: When, step: int
    ) -> Iterator[Finding | NotChecked]:
        """What was judged, at a step of the log."""
        for item in judged:
            if isinstance(item, Finding):
                place = Location(self.file, piece=self.guide.name, step=step)
                yield replace(item, impulse=when.impulse, location=place)
            else:
                yield item


def _seekers(flights: Iterable[Followed]) -> tuple[Seeker, ...]:
    return tuple(flight.flight.seeker for flight in flights)
