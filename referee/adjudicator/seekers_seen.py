"""Seekers whose counters are seen, after their launch: each hex they moved, how long they flew, what they struck (F2.0)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from referee.adjudicator.counters_put_away import (
    FAR,
    flies_on,
    may_be_flown,
    why_it_may_be_no_more,
)
from referee.adjudicator.flight import (
    courses,
    dies_with,
    has_reached,
    is_called,
    is_spent,
    judge_step,
    strike,
)
from referee.adjudicator.flight_end import (
    GuideLost,
    LastSeen,
    Left,
    MayStrike,
    after,
    by,
    in_impulse,
    is_shot_down,
    judge_end,
    may_strike,
    scored_before,
    shot_down_by,
)
from referee.adjudicator.flights import Flight, Flown, Followed, Impact
from referee.adjudicator.seekers_out_of_sight import judge_reach
from referee.core.combat import Moment, Unit
from referee.core.finding import About, Finding, NotChecked, Report
from referee.core.flight import flown
from referee.core.forked import Forked
from referee.core.hexgrid import Hex, true_range
from referee.core.location import Location
from referee.core.play import Move, When
from referee.rulebooks.base import Rulebook

Ends = Mapping[tuple[int, int], int]


class SeenSeekers(Forked):
    """The seekers whose counters are seen to move; `ends` says in which step each impulse was over. A flight is judged
    as a whole: what struck a seeker, and what took its counter off the map, is told after it has moved."""

    def __init__(self, rulebook: Rulebook, ends: Ends, file: str) -> None:
        self._rulebook, self._ends, self._file = rulebook, ends, file
        self._findings: list[Finding] = []
        self._lacking: dict[NotChecked, None] = {}
        self.impacts: list[Impact] = []
        self.perhaps: list[MayStrike] = []
        self.followed: list[Followed] = []

    def take(self, flight: Flight) -> list[Finding]:
        """What is against the flight of a seeker."""
        flying = _Flying(self._rulebook, flight, self._ends, self._file)
        flying.fly()
        self.followed.append(flying.followed())
        self._findings += flying.findings
        self._lacking.update(dict.fromkeys(flying.lacking))
        self.impacts += [flying.impact] if flying.impact else []
        self.perhaps += [flying.perhaps] if flying.perhaps and not flying.impact else []
        return flying.findings

    @property
    def flown(self) -> Flown:
        """All flights so far, and the report on them."""
        named = self._rulebook.named
        asked = (named.seekers, named.seeker_endurance, named.lost_with_guide, named.seeker_destroyed)
        keys = asked if any(flying.flight.moves for flying in self.followed) else ()
        report = Report(tuple(self._findings), keys, tuple(self._lacking))
        return Flown(report, tuple(self.impacts), tuple(self.followed), tuple(self.perhaps))


class _Flying:
    """One seeker being followed; `moved_in` is the step of its last hex, or of its launch, `doubted` that in which
    its counter may have been put away."""

    def __init__(self, rulebook: Rulebook, flight: Flight, ends: Ends, file: str) -> None:
        self.rulebook, self.flight, self.ends, self.file = rulebook, flight, ends, file
        self.seeker = flight.seeker
        self.movement = rulebook.offers.movement(rulebook)
        self.seen = rulebook.offers.seen_flights
        self.moved: set[tuple[int, int]] = set()
        self.moved_in = flight.launch[0]
        self.put_away: list[Move] = []
        self.doubted: int | None = None
        self.impact: Impact | None = None
        self.perhaps: MayStrike | None = None
        self.down = shot_down_by(rulebook, flight.seeker, flight.hits)
        self.findings: list[Finding] = []
        self.lacking: list[NotChecked] = []

    def fly(self) -> None:
        self._put_down()
        for move in self.flight.in_sight:
            if self._puts_away(move):
                self.put_away.append(move)
            elif not self._move(move):
                return
        if self.impact is None:
            self._meet(self.doubted)
        self.findings += self._stood()
        self._end()
        self._comes_back()

    def _is_out_of_sight(self, step: int) -> bool:
        """Had it gone out of sight by a step? It is not judged from then on."""
        return self.flight.unseen is not None and self.flight.unseen.seen.step <= step

    def _comes_back(self) -> None:
        """Names a flight that went on out of sight, and finds one that comes back from too far."""
        unseen = self.flight.unseen
        if unseen is None or self.impact is not None:
            return
        if unseen.back is None and self.down and self.down.step < unseen.seen.step:
            return
        self._lacks(f"out of sight from step {unseen.seen.step}: its flight is not judged from there on")
        sights = [seen for seen in unseen.sights if not self._may_lie_anywhere(seen.step, seen.when)]
        if not sights:
            return
        found = judge_reach(
            self.rulebook,
            self.seeker.name,
            replace(unseen, back=sights[0], later=tuple(sights[1:])),
            lambda step: self.flight.target_at(step).hex,
            self._is_due,
            self.movement.of,
            self.file,
        )
        self.findings += [found] if found else []

    def _may_lie_anywhere(self, step: int, when: When) -> bool:
        """May it be no more by a step, so that its counter may lie anywhere?"""
        lost, guide = self.flight.unlocked, self.flight.guide
        ends = [each.step for each in self.flight.hits if each.points is None]
        ends += [each.step for each in (lost, guide, self.down) if each is not None]
        return any(end <= step for end in ends) or self._is_spent(when)

    def _put_down(self) -> None:
        """A finding where it was not put down in the hex of the ship that launched it."""
        due, seeker = self.flight.launched_from, self.seeker
        if due is not None and due != seeker.hex:
            about = self._about(seeker.launched, self.flight.launch[0])
            self.findings.append(self.seen.put_down_elsewhere(about, seeker.hex, due, seeker.owner))

    def _end(self) -> None:
        """Judges why it is on the map no more, where it did not strike."""
        left, lost, guide = self.flight.left, self.flight.unlocked, self.flight.guide
        if left is None or self.doubted or self.impact is not None or self._is_out_of_sight(left.step):
            return
        if (lost is not None and lost.step < left.step) or (
            guide is not None
            and not guide.stays
            and dies_with(self.rulebook, self.seeker, guide.ship)
            and by(guide.when, left.when)
        ):
            return
        target = self.flight.target_at(left.step)
        if self._strikes_as_it_leaves(left, target):
            return
        if self._is_spent(left.when):
            return
        last = LastSeen(self.seeker, self.moved_in, target.hex, self.flight.hits)
        item = judge_end(self.rulebook, last, left, self.file)
        self._may_strike(last, left if item is not None else None)
        if isinstance(item, Finding):
            self.findings.append(item)
        elif item is not None:
            self.lacking.append(item)

    def _strikes_as_it_leaves(self, left: Left, target: Unit) -> bool:
        """Is its target in its hex, or in the hex it was to move to in the impulse? Then it struck, and its counter
        was taken off without being moved there."""
        turn, impulse = left.when.turn, left.when.impulse
        shot = is_shot_down(self.rulebook, self.seeker, self.flight.hits, left.step)
        if target.hex is None or turn is None or impulse is None or shot:
            return False
        seeker, now = self.seeker, Moment(turn, impulse)
        if self._reached(target.hex):
            self._strike(target, seeker.hex.step(seeker.facing, -1), now, self._came(target.hex, left.step))
            return True
        course = courses(self.rulebook, seeker, target.hex)
        if self._is_due(now) and any(hex == target.hex for hex, _ in course):
            self._strike(target, seeker.hex, now, self._came(target.hex, left.step))
            return True
        return False

    def _meet(self, until: int | None = None) -> None:
        """Its target came into its hex, after its last move, and was there as an impulse was over: it struck."""
        last, left = self.moved_in, self.flight.left
        for (turn, impulse), step in sorted(self.ends.items()):
            if step <= last or (left and left.step <= step) or (until and until <= step):
                continue
            if self._is_out_of_sight(step) or (self.down and after(When(turn, impulse), self.down.when)):
                return
            target = self.flight.target_at(step)
            if target.hex is not None and self._reached(target.hex):
                came_from = self.seeker.hex.step(self.seeker.facing, -1)
                self._strike(target, came_from, Moment(turn, impulse), self._came(target.hex, step))
                return

    def _puts_away(self, move: Move) -> bool:
        """Is a move a drag of the counter to a heap beside the game? One of a seeker that is no more, or perhaps not,
        where none flies; and whatever is done with it there."""
        if may_be_flown(move) and not self.put_away:
            return False
        target = self.flight.target_at(move.location.step or 0)
        if self.put_away:
            return not self._flies_on(move, target.hex)
        if move.to_hex == target.hex:
            return False
        return self._is_no_more(move, target) or self._may_be_no_more(move)

    def _flies_on(self, move: Move, target: Hex | None) -> bool:
        """Does it fly on from where it was put away?"""
        if None in (move.when.turn, move.when.impulse) or move.facing_before is None:
            return False
        there = replace(self.seeker, hex=move.from_hex, facing=move.facing_before)
        course = courses(self.rulebook, there, target)
        away = self.put_away[0].to_hex
        return flies_on(self.seeker.hex, away, move, target, [hex for hex, _ in course])

    def _is_no_more(self, move: Move, target: Unit) -> bool:
        """Is it destroyed, lost or spent by a move, or does it strike now, so that its counter is dragged away?"""
        step, down, lost, guide = move.location.step or 0, self.down, self.flight.unlocked, self.flight.guide
        if (
            self.impact is not None
            or (down is not None and down.step < step)
            or (lost is not None and lost.step < step)
            or self._dies_with_guide(guide, step)
            or self._is_spent(move.when)
        ):
            return True
        left = self._leaves(move)
        if true_range(move.from_hex, move.to_hex) < FAR:
            return False
        self._meet(step)
        return self.impact is not None or self._strikes_as_it_leaves(left, target) or left.sure

    def _may_be_no_more(self, move: Move) -> bool:
        """May it be no more? Then whether its counter is put away is undecided."""
        guide = self.flight.guide
        if guide is not None and not dies_with(self.rulebook, self.seeker, guide.ship):
            guide = None
        why = why_it_may_be_no_more(move, self.flight.hits, guide, self._leaves(move))
        if why:
            self.doubted = step = move.location.step or 0
            last = LastSeen(self.seeker, self.moved_in, self.flight.target_at(step).hex)
            self._may_strike(last, Left(step, move.when))
            about = About(self.seeker.name, move.when.turn, move.when.impulse, move.location)
            self.findings.append(self.seen.dragged_away(about, move.to_hex, why))
        return bool(why)

    def _may_strike(self, last: LastSeen, left: Left | None) -> None:
        if left and last.target:
            self.perhaps = may_strike(self.rulebook, last, self._came(last.target, left.step), left.when)

    def _leaves(self, move: Move) -> Left:
        """What may take it off the map as its counter is dragged."""
        step, excuse = move.location.step or 0, self.flight.excuse
        return excuse(move, self.moved_in) if excuse else Left(step, move.when)

    def _dies_with_guide(self, guide: GuideLost | None, step: int) -> bool:
        return (
            guide is not None
            and guide.destroyed
            and guide.step < step
            and dies_with(self.rulebook, self.seeker, guide.ship)
        )

    def _came(self, hex: Hex, step: int) -> int:
        """The step in which its target came into the hex where it stands in a step, or in which the impulse of the
        step began, or the seeker moved last, whichever is later."""
        first = max([self.moved_in, *(end for end in self.ends.values() if end < step)])
        while step > first + 1 and self.flight.target_at(step - 1).hex == hex:
            step -= 1
        return step - 1

    def _reached(self, target: Hex | None) -> bool:
        return has_reached(self.rulebook, self.seeker, target)

    def _is_spent(self, when: When) -> bool:
        """Was its endurance over?"""
        if when.turn is None or when.impulse is None:
            return False
        return is_spent(self.rulebook, self.seeker, Moment(when.turn, when.impulse))

    def _is_due(self, now: Moment) -> bool:
        """Does the chart call it to move now, and has it not moved yet?"""
        moved = (now.turn, now.impulse) in self.moved or now == self.seeker.launched
        return not moved and is_called(self.rulebook, self.movement, self.seeker, now.impulse)

    def followed(self) -> Followed:
        """The flight with its end."""
        hits, left = self.flight.hits, self.flight.left
        steps = [self.impact.step if self.impact else None, left.step if left else None, self.doubted]
        steps += [hit.step for hit in hits if is_shot_down(self.rulebook, self.seeker, hits, hit.step + 1)]
        over = min((step for step in steps if step), default=None)
        sure = (self.flight.unseen is None or self.impact is not None) and not self.doubted
        sure = sure and all(hit.points is not None or (over or hit.step) < hit.step for hit in hits)
        away = tuple(self.put_away)
        moves = tuple(move for move in self.flight.moves if move not in away)
        return Followed(replace(self.flight, moves=moves), over, sure, away)

    def _lacks(self, reason: str) -> None:
        self.lacking.append(NotChecked(self.rulebook.named.seekers, reason, self.seeker.name))

    def _move(self, move: Move) -> bool:
        """Judges a move; False where the rest cannot be judged for it."""
        turn, impulse = move.when.turn, move.when.impulse
        step = move.location.step or 0
        target = self.flight.target_at(step)
        if turn is None or impulse is None or move.facing_before is None or move.facing_after is None:
            self._lacks("its facing or the impulse it moves in is not known: its moves are not judged")
            return False
        if self._flies_dead(Moment(turn, impulse), step, move):
            return False
        if target.hex is None:
            self._lacks(f"where its target {self.seeker.target} stood in step {step} is not known")
            return False
        now, seen = Moment(turn, impulse), self.seen
        about = self._about(now, step)
        lost = self.flight.unlocked
        if lost is not None and lost.step < step:
            found = seen.flew_unlocked(about, move.to_hex, self.seeker.owner, target.name, lost.why)
            self.findings.append(found)
            return False
        if self.impact is not None:
            self.findings.append(seen.moved_after_strike(about, move.to_hex))
            return False
        if self._flies_unguided(now, step, move):
            return False
        if self.doubted is not None:
            self.findings.append(seen.flew_after_drag(about, move.to_hex, self.doubted, self.seeker.hex))
            return False
        self.seeker = replace(self.seeker, hex=move.from_hex, facing=move.facing_before)
        due = self._is_due(now) and not self._reached(target.hex)
        to = move.to_hex, move.facing_after
        for found in judge_step(self.rulebook, self.seeker, to, target.hex, now, due=due):
            self.findings.append(replace(found, location=move.location))
        if self._is_spent(move.when):
            self.findings.append(seen.flew_spent(about, move.to_hex))
        self.seeker = flown(self.seeker, move.to_hex, move.facing_after)
        self.moved.add((turn, impulse))
        self.moved_in = step
        if move.to_hex == target.hex:
            self._strike(target, move.from_hex, now, step)
        return True

    def _flies_dead(self, now: Moment, step: int, move: Move) -> bool:
        """Does it move in a later impulse than fire destroyed it in? One that struck before is another matter."""
        down = self.down
        if down is None or self.impact is not None or down.step > step or not after(move.when, down.when):
            return False
        self.findings.append(self.seen.flew_destroyed(self._about(now, step), move.to_hex, down.step))
        return True

    def _flies_unguided(self, now: Moment, step: int, move: Move) -> bool:
        """Does it move in a later impulse than its guide was lost in? An error where that was destroyed; where it
        only left the map, that is named, and it is judged on."""
        guide = self.flight.guide
        if guide is None or not dies_with(self.rulebook, self.seeker, guide.ship):
            return False
        if guide.step > step or not after(move.when, guide.when):
            return False
        if guide.destroyed:
            about = self._about(now, step)
            self.findings.append(self.seen.flew_unguided(about, move.to_hex, guide.ship, guide.step))
            return True
        rule = self.rulebook.named.lost_with_guide
        if guide.stays:
            if rule not in [found.key for found in self.findings]:
                place = move.location.within(piece=self.seeker.name)
                about = About(self.seeker.name, move.when.turn, move.when.impulse, place)
                self.findings.append(self.seen.flew_perhaps_unguided(about, move.to_hex, guide.doubt))
        else:
            reason = f"{guide.doubt}: whether its drones go with it is not judged"
            self.lacking.append(NotChecked(rule, reason, self.seeker.name))
        return False

    def _strike(self, target: Unit, came_from: Hex, now: Moment, step: int) -> None:
        when = When(now.turn, now.impulse)
        # Seekers strike before the fire of their impulse.
        hits = [hit for hit in self.flight.hits if hit.step < step and not in_impulse(hit.when, when)]
        damage = scored_before(hits, step)
        if damage is None:
            why = f"what the fire at {self.seeker.name} came to is not known"
            self.impact = Impact(target.name, step, when, None, why)
            return
        by_phasers = sum(hit.points or 0 for hit in hits if hit.phaser)
        seeker = replace(self.seeker, damage=damage, phaser_damage=by_phasers)
        result = strike(self.rulebook, seeker, target, now, came_from)
        # Which of the two on a corner was marked is the players' to say.
        unclear = bool(result.damage) and len(result.shields) != 1
        why = f"on which shield {self.seeker.name} strikes is not known" if unclear else ""
        self.impact = Impact(target.name, step, when, None if unclear else result, why)

    def _stood(self) -> Iterator[Finding]:
        """Findings on impulses that called it and were over without its move."""
        launched = self.seeker.launched
        lost = self.flight.unlocked.step if self.flight.unlocked else None
        left, guide = self.flight.left, self.flight.guide
        gone = guide.step if guide and dies_with(self.rulebook, self.seeker, guide.ship) else None
        down = self.down.step if self.down else None
        ends = (
            self.impact.step if self.impact else None,
            left.step if left else None,
            lost,
            gone,
            self.flight.aimless,
            down,
            self.flight.unseen.seen.step if self.flight.unseen else None,
            self.put_away[0].location.step if self.put_away else None,
            self._perhaps_down(),
        )
        until = min((step for step in ends if step), default=None)
        for (turn, impulse), step in sorted(self.ends.items()):
            due = (turn, impulse) > (launched.turn, launched.impulse) and (until is None or step < until)
            called = due and (turn, impulse) not in self.moved
            if called and is_called(self.rulebook, self.movement, self.seeker, impulse):
                yield self.seen.stood_still(self._about(Moment(turn, impulse), step))

    def _perhaps_down(self) -> int | None:
        """The step of fire at it that may have destroyed it, for it moved no more."""
        hit = (each.step for each in self.flight.hits if each.points is None and each.step > self.moved_in)
        return min(hit, default=None)

    def _about(self, now: Moment, step: int) -> About:
        return About(
            self.seeker.name, now.turn, now.impulse, Location(self.file, piece=self.seeker.name, step=step)
        )
