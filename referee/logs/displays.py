"""What a ship's display shows through a log: what of it cannot be read is taken as it was, and named."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from referee.core.finding import Finding, Severity
from referee.core.frozen import frozen
from referee.core.location import Location
from referee.core.once import pattern
from referee.formats.vassal.marks import illegible
from referee.formats.vassal.recognise import as_it_stood
from referee.sources.ssd_display import named_boxes

if TYPE_CHECKING:
    from referee.core.ship import ShipClass
    from referee.formats.vassal.gathered import Logged, Marked
    from referee.formats.vassal.pieces import Piece
    from referee.formats.vassal.recognise import ShipOnTable
    from referee.rulebooks.base import Rulebook

Count = tuple[int, int | None]
Shields = Mapping[int, Count]
Boxes = Mapping[str, Count]
_SHIELD = "shield "
_NUMBER = pattern(r"([+-]?[0-9]{1,9})(?:(?:/| of )[+-]?[0-9]{1,9})?")


@frozen
class Gap:
    """A label of which a display shows nothing that can be read, or that can be, from a step on, 0 for the start,
    to another; `taken` is what it is taken as, None where nothing is known. It is not `reported` where nothing is
    amiss, or it was said before."""

    label: str
    text: str
    since: int
    turn: int | None = None
    impulse: int | None = None
    until: int | None = None
    taken: Count | None = None
    reported: bool = True

    @property
    def number(self) -> bool:
        """Is it a number, if one that cannot be?"""
        return _NUMBER.fullmatch(self.text.strip()) is not None

    @property
    def shield(self) -> int:
        """The shield it is about, 0 for boxes inside."""
        return int(self.label[len(_SHIELD) :]) if self.label.startswith(_SHIELD) else 0

    @property
    def beyond(self) -> int:
        """How many boxes more a shield shows than it has; 0 for what is no shield, or no number."""
        match = _NUMBER.fullmatch(self.text.strip()) if self.shield else None
        total = self.taken[1] if self.taken else None
        return 0 if match is None or total is None else max(0, int(match[1]) - total)


@frozen
class Read:
    """A step that marked a display, with boxes and shields before and after it; `meant` where a number was
    written that cannot be."""

    marked: Marked
    before: tuple[Boxes, Shields]
    after: tuple[Boxes, Shields]
    meant: bool = False


@frozen
class DisplayRead:
    """A display through a log."""

    gaps: tuple[Gap, ...] = ()
    reads: tuple[Read, ...] = ()

    def filled(self, boxes: Boxes, shields: Shields, step: int) -> tuple[Boxes, Shields]:
        """Boxes and shields as they stood just before a step, with what is taken for what cannot be read."""
        there = {gap.label: gap.taken for gap in self._at(step)}
        return _filled(boxes, shields, there) if there else (boxes, shields)

    def unknown(self, step: int) -> bool:
        """Is there a label of boxes inside that never showed, before a step, what can be read?"""
        return any(gap.taken is None and not gap.label.startswith(_SHIELD) for gap in self._at(step))

    def _at(self, step: int) -> Iterator[Gap]:
        return (gap for gap in self.gaps if gap.since < step and (gap.until is None or step <= gap.until))


def shown_in(
    ship: ShipOnTable, chosen: ShipClass, rulebook: Rulebook, logged: Logged, start: Piece | None
) -> DisplayRead:
    """The readings of a ship's display; `start` is the display as the log begins."""
    display = ship.ssd.id if ship.ssd else ""
    reading = _DisplayReading(chosen, rulebook, logged)
    stood = ship
    if start is not None:
        stood = as_it_stood(ship, {start.id: start}, "", logged.module_map, like=ship)
        reading.see(start, stood)
    reads = []
    for marked in logged.marked:
        if display not in marked.before or display not in marked.after:
            continue
        before = as_it_stood(ship, marked.before, "", logged.module_map, like=stood)
        after = stood = as_it_stood(ship, marked.after, "", logged.module_map, like=before)
        earlier, known = reading.shown_on(before), len(reading.gaps)
        reading.see(marked.after[display], after, marked)
        meant = any(gap.reported and gap.number for gap in reading.gaps[known:])
        reads.append(Read(marked, earlier, reading.shown_on(after), meant))
    return DisplayRead(tuple(reading.gaps), tuple(reads))


def play_begins(logged: Logged) -> int:
    """The first step of play in a log that begins with the game; 0 in another."""
    if logged.start.moment != (1, 1):
        return 0
    rows = (logged.forms, logged.chat_orders, logged.rolled)
    return min((row[0].step for row in rows if row), default=logged.final.step)


class _DisplayReading:
    """A display being read, mark by mark."""

    def __init__(self, chosen: ShipClass, rulebook: Rulebook, logged: Logged) -> None:
        self.gaps: list[Gap] = []
        self._shields = {f"{_SHIELD}{number}" for number in chosen.shields}
        self._named = named_boxes(chosen, rulebook.table("box_labels"))
        self._begun, self._module_map = play_begins(logged), logged.module_map
        self._open: dict[str, int] = {}
        self._spoken: set[str] = set()
        self._last: dict[str, Count] = {}

    def see(self, display: Piece, stood: ShipOnTable, marked: Marked | None = None) -> None:
        """The display as it stands from a step on."""
        step = marked.step if marked else 0
        now = _counts(stood.boxes_left, stood.shields)
        amiss = {label: what for label, what in self._amiss(display, now, step) if self._means(label)}
        for label, number in list(self._open.items()):
            if label not in amiss or amiss[label][0] != self.gaps[number].text:
                self.gaps[number] = replace(self.gaps[number], until=step)
                del self._open[label]
        self._spoken &= amiss.keys()
        for label, (text, taken, wrong) in amiss.items():
            if label not in self._open:
                reported = wrong and label not in self._spoken
                self._spoken |= {label} if wrong else set()
                clock = (marked.clock.turn, marked.clock.impulse) if marked else (None, None)
                self._open[label] = len(self.gaps)
                self.gaps.append(Gap(label, text, step, *clock, taken=taken, reported=reported))
                self._last |= {label: taken} if taken else {}
        self._last |= {label: count for label, count in now.items() if label not in amiss}

    def _amiss(
        self, display: Piece, now: Mapping[str, Count], step: int
    ) -> Iterator[tuple[str, tuple[str, Count | None, bool]]]:
        """The labels of a display with a count that cannot be right: for each its text, the count it is taken as, and
        whether a report names it."""
        wrong = {
            label: text for label, text in illegible(display, self._module_map).items() if label not in now
        }
        for label, text in wrong.items():
            yield label, (text, self._taken(label, text), True)
        for label, last in self._last.items():
            count = now.get(label)
            if count is None:
                # Marks that are laid on a display, and lifted, show none in their place.
                if last[0] >= 0 and label not in wrong:
                    yield label, ("", last, True)
                continue
            if step < self._begun or last[1] is None or count[1] == last[1]:
                continue
            left, total = count
            if total is not None and total < last[1]:
                yield label, (f"{left} of {total}", (left, last[1]), False)  # lost boxes are left out
            else:
                text = str(left) if total is None else f"{left} of {total}"
                yield label, (text, self._taken(label, text), True)

    def shown_on(self, stood: ShipOnTable) -> tuple[Boxes, Shields]:
        """What a display shows, with what is taken for what cannot be."""
        if not self._open:
            return stood.boxes_left, stood.shields
        taken = {label: self.gaps[number].taken for label, number in self._open.items()}
        return _filled(stood.boxes_left, stood.shields, taken)

    def _taken(self, label: str, text: str) -> Count | None:
        """What is taken for what cannot be: the nearest that can, else what was shown last."""
        last, number = self._last.get(label), _NUMBER.fullmatch(text.strip())
        if last is None or last[1] is None or number is None:
            return last
        return min(max(int(number[1]), 0), last[1]), last[1]

    def _means(self, label: str) -> bool:
        return label in self._shields or bool(self._named(label))


def _counts(boxes: Boxes, shields: Shields) -> dict[str, Count]:
    return {**boxes, **{f"{_SHIELD}{number}": count for number, count in shields.items()}}


def _filled(boxes: Boxes, shields: Shields, taken: Mapping[str, Count | None]) -> tuple[Boxes, Shields]:
    """Counts with what is taken for some labels, and without those that nothing is taken for."""
    known = {**_counts(boxes, shields), **taken}
    shields_left = {
        int(n[len(_SHIELD) :]): count for n, count in known.items() if n.startswith(_SHIELD) and count
    }
    return {n: count for n, count in known.items() if not n.startswith(_SHIELD) and count}, shields_left


# -- what is said of it ------------------------------------------------------------------


def unread_mark(ship: str, gap: Gap, place: Location) -> Finding:
    """The finding on a label of a display that does not show what can be read, or what can be."""
    text = gap.text.strip()[:60]
    taken = ""
    if gap.taken is not None:
        left, total = gap.taken
        taken = f"; taken as {left}" + (f" of {total}" if total is not None else "")
    what = "cannot be" if gap.number else "cannot be read"
    return Finding(
        "NOTE/mark-unread",
        Severity.UNDECIDED,
        f"what is left of {gap.label} {what}: its display shows {text or 'nothing'}{taken}",
        ship,
        gap.turn,
        gap.impulse,
        place,
        found=text,
        fix="write how many boxes are left",
    )
