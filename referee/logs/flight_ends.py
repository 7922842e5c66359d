"""What a log tells of why seekers left the map: their ships, their targets, what guides them, other counters."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence

from referee.adjudicator.declared_fire import Declared
from referee.adjudicator.flight_end import GuideLost, Left
from referee.adjudicator.out_of_sight import Seen
from referee.adjudicator.seekers_out_of_sight import Unseen
from referee.adjudicator.sensors_seen import SeenSensors
from referee.core.combat import Seeker
from referee.core.finding import Finding
from referee.core.frozen import frozen
from referee.core.hexgrid import Hex
from referee.core.play import Move, When
from referee.core.ship import Mount
from referee.core.state import live_boxes
from referee.formats.vassal.course import Change, Stand
from referee.formats.vassal.gathered import Logged
from referee.formats.vassal.moves import Moves, WentOrCame
from referee.formats.vassal.recognise import ShipOnTable
from referee.formats.vassal.spoken import reads_as_order
from referee.logs.gaps import last_excess, last_strike
from referee.logs.guidance import Guiding


@frozen
class PutOnMap:
    """A counter was put on the map: when, where, and in which step; 0 where it came with its place."""

    moment: tuple[int, int]
    stand: Stand
    step: int = 0


def stand_at(logged: Logged, counter: str, step: int) -> Stand | None:
    """Where a counter stood just before a step; None where none of its id is known."""
    changes = logged.changes.get(counter, ())
    before = bisect_left(changes, step, key=lambda change: change.step)
    return changes[before - 1].after if before else logged.began.get(counter)


class Ends:
    """Why seekers may have left the map. `strays` are counters of seekers that no launch put on the map: one of
    them may be another's counter, put down anew."""

    def __init__(
        self,
        logged: Logged,
        guiding: Guiding,
        sensors: SeenSensors,
        launches: Sequence[tuple[Declared, Mount]],
        strays: Iterable[ShipOnTable],
        misheard: Iterable[Finding] = (),
    ) -> None:
        self.misheard = sorted([*(found.location.step or 0 for found in misheard), *_unheard(logged)])
        self.logged, self.guiding, self.sensors, self.launches = logged, guiding, sensors, launches
        self.put_down = frozenset(_put_down(logged, strays))

    def left(self, seeker: Seeker, gone: Iterable[WentOrCame], after: int) -> Left | None:
        """When a seeker left the map for good, after a step, and what may have taken it off."""
        row = [went for went in gone if went.step > after]
        if not row or row[-1].came:
            return None
        last = next(went for went in row if not went.came)
        hexes = [c.before.hex for c in self._changes(seeker.name) if c.step == last.step]
        return self._left(seeker, last.step, last.when, after, hexes)

    def dragged(self, seeker: Seeker, move: Move, after: int) -> Left:
        """What may take a seeker off the map in the step in which its counter is dragged, after it moved in one."""
        return self._left(seeker, move.location.step or 0, move.when, after, [move.from_hex])

    def _left(self, seeker: Seeker, step: int, when: When, after: int, hexes: Iterable[Hex | None]) -> Left:
        sure = self._aimless(seeker, when)
        unheard = next((heard for heard in self.misheard if after < heard < step), None)
        doubt = (
            f"what was said in step {unheard} was not understood, and may be fire at it" if unheard else ""
        )
        return Left(step, when, "" if sure else self._excuse(seeker, step, when, hexes), sure, doubt)

    def unseen(self, seeker: Seeker, moves: Moves) -> Unseen | None:
        """Where a seeker was masked or hidden for the first time, and where it was seen in the impulses after;
        None where it was in sight for as long as it was on the map."""
        id = self._id(seeker.name)
        strayed = [
            gone.step for gone in moves.gone if not gone.came and (id, gone.step) in self.logged.strayed
        ]
        hid = (gone for gone in moves.gone if not gone.came and gone.step not in strayed)
        went = next(hid, None)
        if went is None or went.hex is None:
            return None
        until = min((step for step in strayed if step > went.step), default=None)
        places = [(gone.step, gone.when, gone.hex, gone.facing, gone.came) for gone in moves.gone]
        places += [
            (move.location.step or 0, move.when, move.to_hex, move.facing_after, True) for move in moves.moves
        ]
        sights: dict[When, Seen] = {}
        for step, when, hex, facing, shown in sorted(places, key=lambda place: place[0]):
            if step <= went.step or hex is None or (until and step >= until):
                continue
            before = sights.pop(when, None)
            sights[when] = Seen(hex, facing, step if shown or before is None else before.step, when)
        seen = Seen(went.hex, went.facing, went.step, went.when)
        back, *later = sights.values() if sights else (None,)
        return Unseen(seen, back, tuple(sight for sight in later if sight))

    def guide_lost(self, ship: str) -> GuideLost | None:
        """When a ship left the map for good, and whether it was destroyed (D4.4). A ship whose counter stays where it
        is counts, too, once its display shows no box of excess damage left. So does one that was said to be struck
        for more than its boxes."""
        changes = self._changes(ship)
        if not changes or changes[-1].after.hex is not None:
            return self._may_lie_dead(ship)
        if changes[-1].before.hex is None:
            return None
        last = changes[-1]
        if (self._id(ship), last.step) not in self.logged.strayed:
            return None
        when = When(last.clock.turn, last.clock.impulse)
        return GuideLost(ship, last.step, when, self._has_no_excess(ship, self._over(when)))

    def aimless(self, target: str) -> int | None:
        """The step by which a target left the map for good, or may have been destroyed: a seeker after it has nothing
        to fly to."""
        lost = self.guide_lost(target)
        return lost.step if lost else None

    def _may_lie_dead(self, ship: str) -> GuideLost | None:
        audited, marks = self.guiding.ships.get(ship), self.guiding.marks.get(ship, ())
        if audited is None:
            return None
        mark = last_excess(audited.chosen, marks)
        strikes = self.guiding.hits.get(ship, ())
        last = mark or (last_strike(audited, marks, strikes, surely=True) if strikes else None)
        if last is None or any(change.step > last.step for change in self._changes(ship)):
            return None
        return GuideLost(ship, last.step, last.when, destroyed=False, stays=True, marked=mark is not None)

    def _aimless(self, seeker: Seeker, when: When) -> bool:
        """Had its target left the map when the impulse was over in which a seeker did?"""
        lost = self.guide_lost(seeker.target)
        return lost is not None and not lost.stays and lost.step <= self._over(when)

    def _excuse(self, seeker: Seeker, step: int, when: When, hexes: Iterable[Hex | None]) -> str:
        over = self._over(when)
        for ship in (seeker.target, seeker.owner):
            if self._has_no_excess(ship, over):
                return f"{ship} may be destroyed"
        cloaks = self.guiding.cloaks
        if cloaks and cloaks.at(seeker.target, when).active:
            return f"{seeker.target} is cloaked, or about to be: whether lock-on on it is kept is not known"
        if hidden := self.sensors.hidden(seeker.owner):
            return f"{seeker.owner}: {hidden}"
        rating = self.sensors.rating(seeker.owner, step)
        out = sum(declared.firer.name == seeker.owner for declared, _ in self.launches)
        if rating is not None and out > rating:
            return f"{seeker.owner} may guide more drones than its sensors control, and have let it go"
        if any((when.turn, when.impulse, hex) in self.put_down for hex in hexes):
            return "another counter was put down in its hex in that impulse and may be the same"
        return ""

    def _has_no_excess(self, ship: str, step: int) -> bool:
        """Does a ship's display show no box of excess damage left by a step?"""
        audited = self.guiding.ships.get(ship)
        if audited is None or not audited.chosen.box_ids("excess"):
            return False
        marks = [mark.after for mark in self.guiding.marks.get(ship, ()) if mark.step <= step]
        return bool(marks) and not live_boxes(audited.chosen, marks[-1], "excess")

    def _over(self, when: When) -> int:
        """The step in which an impulse was over; one after all where it was not."""
        last = self.logged.final.step
        if when.turn is None or when.impulse is None:
            return last
        return self.logged.ends.get((when.turn, when.impulse), last)

    def _id(self, name: str) -> str:
        return next((s.counter.id for s in self.logged.ships if s.name == name and s.counter), "")

    def _changes(self, name: str) -> Sequence[Change]:
        return self.logged.changes.get(self._id(name), ())


def _unheard(logged: Logged) -> Iterator[int]:
    """The steps of lines that read like orders and are none."""
    return (chat_line.step for chat_line in logged.chat_lines if reads_as_order(chat_line.line.text))


def _put_down(logged: Logged, counters: Iterable[ShipOnTable]) -> Iterator[tuple[int, int, Hex | None]]:
    """When and where counters came onto the map."""
    for ship in counters:
        id = ship.counter.id if ship.counter else ""
        arrived, began = logged.arrived.get(id), logged.began.get(id)
        if arrived and arrived.moment and began:
            yield (*arrived.moment, began.hex)
        for change in logged.changes.get(id, ()):
            if change.before.hex is None and change.clock.moment:
                yield (*change.clock.moment, change.after.hex)
