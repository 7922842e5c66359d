"""A seeker's flight, asked of the rules: when it moves and where to, when it is over, what it strikes (F2.0).

Whoever follows seekers asks here: the table of a record, an orders file, a log, robots.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from referee.adjudicator.check import judge
from referee.core.combat import Moment, Seeker, SeekerMove, ShotResult, Unit
from referee.core.finding import Finding
from referee.core.gameorders import after
from referee.core.hexgrid import Hex
from referee.core.orders import WAYS, Way
from referee.rulebooks.base import Rulebook

# -- moving ------------------------------------------------------------------------------


def is_called(rulebook: Rulebook, movement: Any, seeker: Seeker, impulse: int) -> bool:
    """Does the chart call a seeker on an impulse? `movement` are the rules of movement in force."""
    called: bool = movement.chart.calls(speed_of(rulebook, movement, seeker), impulse)
    return called


def speed_of(rulebook: Rulebook, movement: Any, seeker: Seeker) -> int:
    """The hexes a seeker moves in a turn."""
    speed: int = rulebook.rules_on("seeker speed")[0].decide(seeker, movement.of, rulebook)
    return speed


def has_reached(rulebook: Rulebook, seeker: Seeker, target: Hex | None) -> bool:
    """Is a seeker where its target is, so that it moves no more?"""
    return any(rule.decide(seeker, target) for rule in rulebook.rules_on("seeker reached"))


def has_arrived(rulebook: Rulebook, seeker: Seeker, target: Hex | None) -> bool:
    """Does a seeker strike where it stands: has it reached its target, or moved into the hex of it?"""
    return has_reached(rulebook, seeker, target) or (seeker.hexes > 0 and seeker.hex == target)


def courses(rulebook: Rulebook, seeker: Seeker, target: Hex | None) -> tuple[tuple[Hex, str], ...]:
    """Where a seeker may be after its next hex, and how it then faces: along a shortest course to its target."""
    found: tuple[tuple[Hex, str], ...] = rulebook.rules_on("seeker course")[0].decide(
        seeker, target, rulebook
    )
    return found


def ways(rulebook: Rulebook, seeker: Seeker, target: Hex | None) -> tuple[Way, ...]:
    """The ways a seeker may move along a shortest course; where it has none, ahead. One that nobody moves takes
    the first."""
    course = courses(rulebook, seeker, target)
    return tuple(way for way in WAYS if after(seeker.hex, seeker.facing, way) in course) or ("ahead",)


def judge_step(
    rulebook: Rulebook, seeker: Seeker, to: tuple[Hex, str], target: Hex | None, now: Moment, *, due: bool
) -> list[Finding]:
    """What the rules say of one hex a seeker moved, and of the facing it has there; `due` says that the chart called
    it."""
    move = SeekerMove(seeker, *to, target, now, int(rulebook.option("impulses")), due)
    facts = rulebook.offers.seeker_moved(move, rulebook)
    rules = rulebook.rules_on("seeker move", "check")
    judged = (item for rule in rules for item in judge(rule, rulebook, facts))
    return [item for item in judged if isinstance(item, Finding)]


# -- the end of a flight -----------------------------------------------------------------


def is_spent(rulebook: Rulebook, seeker: Seeker, now: Moment) -> bool:
    """Has a seeker flown as far as it goes?"""
    of = int(rulebook.option("impulses"))
    return any(rule.decide(seeker, now, of, rulebook) for rule in rulebook.rules_on("seeker spent"))


def is_off_map(rulebook: Rulebook, seeker: Seeker) -> bool:
    """Has a seeker flown over the edge of the map?"""
    return any(rule.decide(seeker, rulebook) for rule in rulebook.rules_on("drone off map"))


def lost_with(rulebook: Rulebook, seekers: Iterable[Seeker], ship: str) -> tuple[Seeker, ...]:
    """Which of some seekers are lost where a ship is destroyed: the drones it guides are (D4.41), plasma flies on
    (D4.42)."""
    known = tuple(seekers)
    lost: tuple[Seeker, ...] = ()
    for rule in rulebook.rules_on("ship lost"):
        lost = rule.decide(lost, known, ship)
    return lost


def dies_with(rulebook: Rulebook, seeker: Seeker, ship: str) -> bool:
    """Is a seeker lost where a ship is destroyed?"""
    return seeker in lost_with(rulebook, (seeker,), ship)


def lost_with_lock(rulebook: Rulebook, seekers: Iterable[Seeker], ship: str) -> tuple[Seeker, ...]:
    """Which of some seekers are lost where a ship has no lock-on on what they go after (D6.122)."""
    known = tuple(seekers)
    return tuple(
        lost for rule in rulebook.rules_on("seekers lost") for lost in rule.decide(known, ship, rulebook)
    )


def strike(
    rulebook: Rulebook, seeker: Seeker, target: Unit, now: Moment, came_from: Hex | None = None
) -> ShotResult:
    """What a seeker does to its target, from the hex it came in from: astern of it, where nothing else is said."""
    whence = seeker.hex.step(seeker.facing, -1) if came_from is None else came_from
    return rulebook.offers.seeker_hit(rulebook, seeker, target, whence, now)
