"""Seekers in a log after their launch: each hex they moved, how long they flew, what they struck (F2.0)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace

from referee.adjudicator.check import judge
from referee.core.combat import Moment, Seeker, SeekerMove, ShotResult, Unit
from referee.core.finding import Finding, NotChecked, Report, Severity
from referee.core.frozen import frozen
from referee.core.hexgrid import Hex
from referee.core.location import Location
from referee.core.play import Move, When
from referee.rulebooks.base import Rulebook

KEY, ENDURANCE, LOST = "F2.0", "F2.0/endurance", "D6.122"
Ends = Mapping[tuple[int, int], int]


@frozen
class Harm:
    """Fire that hit a seeker; `points` is None where it cannot be told what the fire came to."""

    step: int
    points: int | None
    phaser: bool


@frozen
class Unlocked:
    """A ship lost lock-on on the target of its drone, in a step, and how."""

    step: int
    why: str


@frozen
class Flight:
    """A seeker as it was launched and the moves its counter made; `left` is the step it left the map in,
    `launch` the step of its launch and the rack or tube. `target_at` tells the target as it stood in a step."""

    seeker: Seeker
    moves: tuple[Move, ...]
    target_at: Callable[[int], Unit]
    left: int | None = None
    harm: tuple[Harm, ...] = ()
    launch: tuple[int, str] = (0, "")
    unlocked: Unlocked | None = None


@frozen
class Impact:
    """A seeker reached its target; `result` is None where it cannot be told what it scores, and `why`."""

    target: str
    step: int
    when: When
    result: ShotResult | None
    why: str = ""


@frozen
class Followed:
    """A flight, and the step it was over in: it struck, was destroyed or left the map. `sure` is false where
    it may have been destroyed before."""

    flight: Flight
    over: int | None = None
    sure: bool = True


@frozen
class Flown:
    """What is to be said of all seekers of a log, where they struck, and how each flew."""

    report: Report = Report()
    impacts: tuple[Impact, ...] = ()
    followed: tuple[Followed, ...] = ()

    @property
    def moves(self) -> tuple[Move, ...]:
        """Every move of theirs."""
        return tuple(move for one in self.followed for move in one.flight.moves)


def judge_flights(rulebook: Rulebook, flights: Iterable[Flight], ends: Ends, file: str) -> Flown:
    """Judges the seekers of a log; `ends` says in which step each impulse was over."""
    findings: list[Finding] = []
    lacking: list[NotChecked] = []
    impacts: list[Impact] = []
    followed: list[Followed] = []
    for flight in flights:
        flying = _Flying(rulebook, flight, ends, file)
        flying.fly()
        followed.append(flying.followed())
        findings += flying.findings
        lacking += flying.lacking
        impacts += [flying.impact] if flying.impact else []
    keys = (KEY, ENDURANCE) if any(one.flight.moves for one in followed) else ()
    report = Report(tuple(findings), keys, tuple(dict.fromkeys(lacking)))
    return Flown(report, tuple(impacts), tuple(followed))


class _Flying:
    """One seeker being followed."""

    def __init__(self, rulebook: Rulebook, flight: Flight, ends: Ends, file: str) -> None:
        self.rulebook, self.flight, self.ends, self.file = rulebook, flight, ends, file
        self.seeker = flight.seeker
        self.movement = rulebook.procedure("movement")(rulebook)
        self.moved: set[tuple[int, int]] = set()
        self.impact: Impact | None = None
        self.findings: list[Finding] = []
        self.lacking: list[NotChecked] = []

    def fly(self) -> None:
        for move in self.flight.moves:
            if not self._move(move):
                return
        self.findings += self._stood()
        left, lost = self.flight.left, self.flight.unlocked
        taken_off = lost is not None and left is not None and lost.step < left
        if left and self.impact is None and not taken_off and not self._shot_down(left):
            self._lacks(f"why it left the map in step {left} without having struck is not told")

    def followed(self) -> Followed:
        """The flight with its end."""
        steps = [self.impact.step if self.impact else None, self.flight.left]
        steps += [one.step for one in self.flight.harm if self._shot_down(one.step + 1)]
        over = min((step for step in steps if step), default=None)
        sure = all(one.points is not None or (over or one.step) < one.step for one in self.flight.harm)
        return Followed(self.flight, over, sure)

    def _lacks(self, reason: str) -> None:
        self.lacking.append(NotChecked(KEY, reason, self.seeker.name))

    def _move(self, move: Move) -> bool:
        """Judges a move; False where the rest cannot be judged for it."""
        turn, impulse = move.when.turn, move.when.impulse
        step = move.location.step or 0
        target = self.flight.target_at(step)
        if turn is None or impulse is None or move.facing_before is None or move.facing_after is None:
            self._lacks("its facing or the impulse it moves in is not told: its moves are not judged")
            return False
        if target.hex is None:
            self._lacks(f"where its target {self.seeker.target} stood in step {step} is not told")
            return False
        now = Moment(turn, impulse)
        lost = self.flight.unlocked
        if lost is not None and lost.step < step:
            message = f"flies on, though {self.seeker.owner} has no lock-on on {target.name}: {lost.why}"
            self._against(LOST, message, now, step, "off the map", str(move.to_hex))
            return False
        if self.impact is not None:
            self._against(KEY, "moves on after it struck", now, step, "no move", str(move.to_hex))
            return False
        of = self.movement.of
        self.seeker = replace(self.seeker, hex=move.from_hex, facing=move.facing_before)
        speed = self.rulebook.rules_on("seeker speed")[0].decide(self.seeker, of, self.rulebook)
        due = (
            (turn, impulse) not in self.moved
            and now != self.seeker.launched
            and bool(self.movement.chart.calls(speed, impulse))
        )
        facts = self.rulebook.procedure("seeker moved")(
            SeekerMove(self.seeker, move.to_hex, move.facing_after, target.hex, now, of, due), self.rulebook
        )
        for rule in self.rulebook.rules_on("seeker move", "check"):
            for item in judge(rule, self.rulebook, facts):
                if isinstance(item, Finding):
                    self.findings.append(replace(item, location=move.location))
        spent = self.rulebook.rules_on("seeker spent")
        if any(rule.decide(self.seeker, now, of, self.rulebook) for rule in spent):
            self._against(
                ENDURANCE, "flies on after its endurance", now, step, "off the map", str(move.to_hex)
            )
        straight = self.seeker.straight + 1 if move.facing_after == self.seeker.facing else 1
        self.seeker = replace(
            self.seeker,
            hex=move.to_hex,
            facing=move.facing_after,
            hexes=self.seeker.hexes + 1,
            straight=straight,
        )
        self.moved.add((turn, impulse))
        if move.to_hex == target.hex:
            self._strike(target, move.from_hex, now, step)
        return True

    def _strike(self, target: Unit, came_from: Hex, now: Moment, step: int) -> None:
        when = When(now.turn, now.impulse)
        harm = [one for one in self.flight.harm if one.step < step]
        if any(one.points is None for one in harm):
            why = f"what the fire at {self.seeker.name} came to cannot be told"
            self.impact = Impact(target.name, step, when, None, why)
            return
        damage = sum(one.points or 0 for one in harm)
        by_phasers = sum(one.points or 0 for one in harm if one.phaser)
        seeker = replace(self.seeker, damage=damage, phaser_damage=by_phasers)
        result: ShotResult = self.rulebook.procedure("seeker hit")(
            self.rulebook, seeker, target, came_from, now
        )
        unclear = bool(result.damage) and result.shield is None
        why = f"on which shield {self.seeker.name} strikes is not told" if unclear else ""
        self.impact = Impact(target.name, step, when, None if unclear else result, why)

    def _stood(self) -> Iterator[Finding]:
        """Findings on impulses that called it and were over without its move."""
        launched = self.seeker.launched
        lost = self.flight.unlocked.step if self.flight.unlocked else None
        ends = (self.impact.step if self.impact else None, self.flight.left, lost)
        until = min((step for step in ends if step), default=None)
        speed = self.rulebook.rules_on("seeker speed")[0].decide(self.seeker, self.movement.of, self.rulebook)
        for (turn, impulse), step in sorted(self.ends.items()):
            due = (turn, impulse) > (launched.turn, launched.impulse) and (until is None or step < until)
            if due and (turn, impulse) not in self.moved and self.movement.chart.calls(speed, impulse):
                now = Moment(turn, impulse)
                yield self._found(KEY, "did not move, its speed calls for a move", now, step, "a hex", "none")

    def _shot_down(self, step: int) -> bool:
        """Was it destroyed by fire, as far as can be told, before a step?"""
        harm = [one for one in self.flight.harm if one.step < step]
        if any(one.points is None for one in harm):
            return False
        hurt = replace(self.seeker, damage=sum(one.points or 0 for one in harm))
        points = 1
        for rule in self.rulebook.rules_on("warhead"):
            points = rule.decide(points, hurt, self.rulebook)
        return not points

    def _against(self, key: str, message: str, now: Moment, step: int, expected: str, found: str) -> None:
        self.findings.append(self._found(key, message, now, step, expected, found))

    def _found(self, key: str, message: str, now: Moment, step: int, expected: str, found: str) -> Finding:
        place = Location(self.file, piece=self.seeker.name, step=step)
        fix = "take it off" if key == LOST else "a seeker moves a hex an impulse until it strikes"
        return Finding(
            key, Severity.ERROR, message, self.seeker.name, now.turn, now.impulse, place,
            expected=expected, found=found, fix=fix,
        )  # fmt: skip
