"""Judges a game that was logged: each turn's energy as it stood when it was played, and every move."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from fractions import Fraction
from typing import Any

from referee.adjudicator.capacitor import EnergyFacts, lent_by_batteries, with_fired, with_lent
from referee.adjudicator.check import EnergyTurns, check_form, judge_turns
from referee.adjudicator.out_of_sight import Hidden, Seen, judge_return, move_made, turned_unseen
from referee.adjudicator.track import Mover
from referee.adjudicator.tracker import Clock, Track
from referee.core.finding import Finding, NotChecked, Report
from referee.core.forms import EnergyAllocation, EnergyForm
from referee.core.frozen import frozen
from referee.core.hexgrid import Hex
from referee.core.location import Location
from referee.core.play import Move, ShipInPlay, When, at_speed
from referee.core.ship import ShipClass
from referee.rulebooks.base import NamedRules, Rulebook

_LEAP = 50  # turns a clock may pass over without a move


@frozen
class PlayedTurn:
    """One turn's column as it was when the turn was played, and what was known of the ship's damage then:
    the rulebook's own `known damage`, None where the display does not show it."""

    allocation: EnergyAllocation
    known: Any = None


@frozen
class Vanished:
    """A ship left the map, or came back to it; one `hidden` is out of sight and not taken off it. `hex` and `facing`
    are where it was seen last, or is seen now. In step 0 it is hidden as the log begins, perhaps not `in_play`."""

    ship: str
    when: When
    step: int
    hidden: bool = False
    hex: Hex | None = None
    facing: str | None = None
    in_play: bool = True


@frozen
class Span:
    """From when to when a log tells the game; `moved` where the ships of that impulse had moved. One that does not
    begin the game may begin when some ships of its first impulse had moved."""

    start: When
    end: When
    start_moved: bool = False
    end_moved: bool = False
    begins_game: bool = True


@frozen
class Steps:
    """What is known of the steps of a log: in which a move's turn was made, by ship and step, and in
    which an impulse was over."""

    file: str = ""
    turned_in: Mapping[tuple[str, int], int] = field(default_factory=dict)
    ends: Mapping[tuple[int, int], int] = field(default_factory=dict)


# -- energy ------------------------------------------------------------------------------


def energy_turns(
    rulebook: Rulebook,
    ship: ShipClass,
    turns: Sequence[PlayedTurn],
    subject: str = "",
    fired: Mapping[int, Fraction] | None = None,
    now: int | None = None,
    ordered: Mapping[int, Fraction] | None = None,
    lost: Mapping[int, Fraction] | None = None,
    worked_out: Sequence[EnergyFacts] = (),
) -> Iterator[EnergyFacts]:
    """The facts of each turn's energy, what was carried over included: what phasers `fired` by turn, and batteries
    were `ordered` to give, is gone from the capacitor and the batteries, whatever the form says; no phaser takes
    what is `lost` of it. `now` is the turn that goes on, None where that is not told. Those of the first turns may
    be `worked_out` already."""
    if not turns:
        return
    energy = EnergyTurns(rulebook, ship, turns[0].allocation.turn, turns[0].known, subject)
    yield from worked_out
    if worked_out:
        energy.before = worked_out[-1].after
    for turn in turns[len(worked_out) :]:
        facts = energy.open(turn.allocation, turn.known, last=turn is turns[-1])
        points = (fired or {}).get(turn.allocation.turn, Fraction(0))
        goes_on = now is None or turn.allocation.turn >= now
        lent = lent_by_batteries(rulebook, facts, points, goes_on=goes_on) if points else Fraction(0)
        by_order = (ordered or {}).get(turn.allocation.turn, Fraction(0))
        # An order for more than there is is wrong itself (B3.0-21/ordered); the batteries give what they have.
        if by_order and (charged := facts.batteries_known_left) is not None:
            by_order = min(by_order, charged)
        used = facts.form.known(rulebook.lines.used_in_turn)
        lent = max(lent, by_order) if used is not None and by_order > used else lent
        facts = replace(facts, form=with_lent(rulebook.lines, facts.form, lent)) if lent else facts
        form = with_fired(rulebook.lines, facts.form, points)
        # What was worked out about the form as it is filled in is not worked out again.
        after = energy.close(facts if form is facts.form else replace(facts, form=form))
        in_vain = (lost or {}).get(turn.allocation.turn, Fraction(0))
        yield EnergyFacts(turn.allocation.turn, facts, after, lent, by_order, in_vain)


def judge_energy(rulebook: Rulebook, ship: ShipClass, turns: Iterable[EnergyFacts], subject: str) -> Report:
    """All findings on the facts of a ship's turns, each held against the damage of its own time."""
    return judge_turns(rulebook, ship, ((turn.facts, turn.after) for turn in turns), subject)


def form_remarks(rulebook: Rulebook, ship: ShipClass, form: EnergyForm, subject: str) -> tuple[Finding, ...]:
    """The findings on what of a form could not be read, whatever its figures are."""
    return check_form(rulebook, ship, replace(form, allocations=()), subject=subject).findings


# -- moves -------------------------------------------------------------------------------


def judge_course(
    rulebook: Rulebook,
    movers: Iterable[Mover],
    moves: Iterable[Move],
    span: Span,
    *,
    vanished: Iterable[Vanished] = (),
    steps: Steps | None = None,
    said: Mapping[tuple[str, int], Location] | None = None,
) -> Report:
    """Judges all moves of a log. Speeds are the movers': they were judged with the forms, but for those
    that were only `said`, by ship and turn."""
    steps = steps or Steps()
    course = _Course(rulebook, tuple(movers), span, Location(steps.file), said or {})
    events: list[Move | Vanished] = [*moves, *vanished]
    made = sorted(events, key=_step)
    for move in made:
        if isinstance(move, Move):
            course.moved_in.setdefault((move.ship, move.when), []).append(_step(move))
        elif move.hidden:
            course.hid_in.setdefault((move.ship, move.when), []).append(move.step)
            if not move.step:  # gone before the log begins: of that impulse it may have made its move
                course.made[move.ship, move.when] = span.start_moved or (None, False)[span.begins_game]
    for event in made:
        if isinstance(event, Move):
            course.move(event)
        else:
            course.vanish(event)
    course.end()
    report = course.track.report()
    if not report.findings and not course.returned:
        return report
    missed = rulebook.named.move_missed
    own = {(move.ship, move.when, move.location.step) for move in made if isinstance(move, Move)}
    untold = [finding for finding in report.findings if _made_before(finding, missed, span)]
    placed = (
        _placed(finding, rulebook.named, steps, own) for finding in report.findings if finding not in untold
    )
    not_told = tuple(
        NotChecked(
            missed,
            f"the log begins in impulse {finding.impulse}: whether it had moved in it before is not told",
            finding.subject,
        )
        for finding in untold
    )
    findings, not_checked = (*placed, *course.returned), (*report.not_checked, *not_told)
    return replace(report, findings=findings, not_checked=not_checked)


def _step(event: Move | Vanished) -> int:
    return (event.location.step if isinstance(event, Move) else event.step) or 0


def _made_before(finding: Finding, missed: str, span: Span) -> bool:
    """Is it a move that is missed in the impulse a log begins in, which may have been made before?"""
    first = span.start.turn, span.start.impulse
    return not span.begins_game and finding.key == missed and (finding.turn, finding.impulse) == first


def _placed(
    finding: Finding, named: NamedRules, steps: Steps, own: set[tuple[str, When, int | None]]
) -> Finding:
    """A finding at the step it is about: that of the turn, of the move, or the end of the impulse."""
    place = finding.location
    if (finding.subject, When(finding.turn, finding.impulse), place.step) in own:
        turned = steps.turned_in.get((finding.subject, place.step or 0))
        if turned and finding.key.startswith(named.on_turns):
            return replace(finding, location=place.within(step=turned))
        return finding
    # In a log moves are made with counters, not written.
    if finding.key == named.move_missed:
        finding = replace(finding, fix=f"move its counter a hex on impulse {finding.impulse}")
    step = steps.ends.get((finding.turn or 0, finding.impulse or 0), place.step)
    return replace(finding, location=place.within(piece=finding.subject or place.piece, step=step))


class _Course:
    """A log's movement being judged: turns, impulses, moves and ships that left."""

    def __init__(
        self,
        rulebook: Rulebook,
        movers: tuple[Mover, ...],
        span: Span,
        place: Location,
        said: Mapping[tuple[str, int], Location],
    ) -> None:
        self.said = said
        self.movers = {mover.name: mover for mover in movers}
        self.span = span
        self.place = place
        units = [(mover.ship, _unit(mover)) for mover in movers]
        self.track = Track(rulebook, units, seals_shown=False)
        self.clock = Clock(self.track)
        self.gone = {mover.name for mover in movers if mover.hex is None}
        self.hidden: dict[str, Vanished] = {}
        self.returned: list[Finding] = []
        self.moved_in: dict[tuple[str, When], list[int]] = {}
        self.hid_in: dict[tuple[str, When], list[int]] = {}
        # Whether a ship that was out of sight had made the move of the impulse it came back in.
        self.made: dict[tuple[str, When], bool | None] = {}
        if span.start.turn is not None:
            self._begin(span.start.turn)
            if span.start.impulse is not None:
                self.clock.furthest = span.start.impulse - 1 + span.start_moved

    def _begin(self, turn: int) -> None:
        last = self.clock.turn
        self.clock.to_turn(turn, self.place)
        # Turns a clock passed over are judged by where it stood, and in a log without hexes too.
        self.track.sequence("TurnBegins", self.place, turn=turn - 1 if last < turn else last)
        for name, mover in self.movers.items():
            self.track.set_speed(name, None if name in self.gone else mover.speeds.get(turn))
        self.track.judge_speeds({name: place for (name, t), place in self.said.items() if t == turn})

    def _pass_turns(self, last: int) -> None:
        """Turns in which nobody moved; a clock that leaps farther is not followed turn by turn."""
        if self.clock.turn and last - self.clock.turn <= _LEAP:
            while self.clock.turn < last:
                self._begin(self.clock.turn + 1)

    def _to(self, when: When, place: Location) -> None:
        self.place = place
        if when.impulse is not None and (when.turn, when.impulse) == (self.clock.turn, self.track.impulse):
            return
        if when.turn is not None:
            self._pass_turns(when.turn - 1)
            if when.turn != self.clock.turn:
                self._begin(when.turn)
        if when.impulse is None:
            self.clock.to_some_impulse(place)
        elif when.impulse != self.track.impulse:
            last = self.track.impulse or self.clock.furthest
            self.clock.to_impulse(when.impulse, place)
            self.track.sequence("ImpulseBegins", place, impulse=last)

    def move(self, move: Move) -> None:
        if move.ship not in self.movers:
            return
        self._to(move.when, move.location)
        self.track.move(move)

    def vanish(self, event: Vanished) -> None:
        if event.ship not in self.track.units:
            return
        if event.ship in self.gone and event.step:
            gone = self.hidden.pop(event.ship, None)
            if gone is not None and event.when.impulse is not None:
                self._come_back(gone, event)
                return
            self.gone.discard(event.ship)
            self.track.set_speed(event.ship, None)
            unit = self.track.units[event.ship]
            self.track.units[event.ship] = _put_down(unit, None, None)
        else:
            self.gone.add(event.ship)
            if event.hidden and event.when.impulse is not None and event.hex is not None:
                self.hidden[event.ship] = event
                self._until(event.when, event.ship)
            self.track.set_speed(event.ship, None)

    def _until(self, when: When, hides: str) -> None:
        """Plays up to the impulse in which a ship hides: in that it may move unseen."""
        if when.turn is not None and when.turn != self.clock.turn:
            self._pass_turns(when.turn - 1)
            self._begin(when.turn)
        if when.impulse is not None and when.impulse != self.track.impulse:
            self.clock.fill(when.impulse - 1, self.place)
        self.track.excuse(hides)

    def _come_back(self, gone: Vanished, back: Vanished) -> None:
        """A ship is seen again: what it did unseen is judged by where that is, and it is called from now on."""
        place = Location(self.place.file, piece=back.ship, step=back.step)
        self._to(back.when, place)  # up to then, a turn that begins too, it is called for nothing
        self.gone.discard(back.ship)
        mover = self.movers[back.ship]
        unit = _put_down(self.track.units[back.ship], back.hex, back.facing)
        self.track.units[back.ship] = unit
        if back.when.turn is not None:
            self.track.set_speed(back.ship, mover.speeds.get(back.when.turn))
        if gone.hex is not None and back.hex is not None:
            seen = Seen(gone.hex, gone.facing, gone.step, gone.when)
            self._judge_unseen(mover, seen, back, place, in_play=gone.in_play)

    def _judge_unseen(
        self, mover: Mover, gone: Seen, back: Vanished, place: Location, *, in_play: bool
    ) -> None:
        """Holds a ship against where it went out of sight. Where it goes out of sight again in the impulse it is
        back in, the move of that may be still to come."""
        calls = self._calls(mover, gone, back)
        if calls is None or back.hex is None:
            return
        seen = Seen(back.hex, back.facing, back.step, back.when)
        before, hidden = Hidden(gone), Hidden(gone, in_play=in_play)
        for when, called in calls:
            hidden.passes(called, when.impulse or 0)
            if when != back.when:
                before.passes(called, when.impulse or 0)
        made: bool | None = True
        if hidden.most > before.most:
            made = self.made[mover.name, back.when] = move_made(before, hidden, seen)
        again = any(step > back.step for step in self.hid_in.get((mover.name, back.when), ()))
        if again and not made:
            return
        book, need = self.track.rulebook, self._turn_mode(mover, gone, back)
        found = judge_return(book, mover.name, hidden, seen, place)
        if found is None and need is not None:
            found = turned_unseen(book, mover.name, (before, hidden), seen, need, place)
        if found is not None:
            self.returned.append(found)

    def _turn_mode(self, mover: Mover, gone: Seen, back: Vanished) -> int | None:
        """The fewest hexes straight ahead that its turn mode asked for out of sight; None where not known."""
        turns = range(gone.when.turn or 0, (back.when.turn or 0) + 1)
        needs = [self.track.movement.turn_mode(mover.ship, mover.speeds.get(turn)) for turn in turns]
        known = [need for need in needs if need is not None]
        return min(known) if known and len(known) == len(needs) else None

    def _calls(self, mover: Mover, gone: Seen, back: Vanished) -> list[tuple[When, bool | None]] | None:
        """The impulses in which a ship may have moved unseen, each with whether it was called: None is not known.
        None where it was out of sight for too long to say."""
        first, last = _moment(gone.when), _moment(back.when)
        if first is None or last is None or last < first or last[0] - first[0] > _LEAP:
            return None
        calls: list[tuple[When, bool | None]] = []
        movement, ends = self.track.movement, _moment(self.span.end)
        for turn in range(first[0], last[0] + 1):
            unit = at_speed(self.track.units[mover.name], mover.speeds.get(turn))
            for impulse in range(1, movement.of + 1):
                now, when = (turn, impulse), When(turn, impulse)
                seen = any(
                    not gone.step < step < back.step for step in self.moved_in.get((mover.name, when), ())
                )
                made = self.made.get((mover.name, when), False)
                if first <= now <= last and not seen and made is not True:
                    called = movement.called(unit, impulse)
                    # In an impulse that is not over it may still move.
                    unsure = called and (now == ends or made is None)
                    calls.append((when, None if unsure else called))
        return calls

    def end(self) -> None:
        """Plays on, without moves, to where the log ends."""
        turn, impulse = self.span.end.turn, self.span.end.impulse
        if turn is None or impulse is None or not self.clock.turn or turn < self.clock.turn:
            self.clock.end(self.place, complete=False)
            return
        self._pass_turns(turn)
        over = min(impulse - 1 + self.span.end_moved, self.track.movement.of)
        if self.clock.furthest <= over:
            self.clock.fill(over, self.place)
        else:
            self.clock.end(self.place, complete=False)


def _moment(when: When) -> tuple[int, int] | None:
    return None if when.turn is None or when.impulse is None else (when.turn, when.impulse)


def _put_down(unit: ShipInPlay, hex: Hex | None, facing: str | None) -> ShipInPlay:
    """A ship that was out of sight, where it is seen; how long it went straight is not known."""
    return replace(unit, hex=hex, facing=facing, counting="unknown", turn_hex=0, straight=0, carried=0)


def _unit(mover: Mover) -> ShipInPlay:
    id = mover.ship.id if mover.ship else ""
    return ShipInPlay(
        mover.name, id, mover.hex, mover.facing, mover.side, mover.kind, mover.previous_speed,
        counting=mover.counting,
    )  # fmt: skip
