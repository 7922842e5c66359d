"""What is on the desk in words: a ship, a shot that may be declared, a finding; the same for every screen."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from referee.core.safe import safe_line

if TYPE_CHECKING:
    from referee.core.finding import Finding
    from referee.play.sight import ShipSight, ShotSight


def finding_lines(finding: Finding) -> Iterator[str]:
    """What is against an act, with its rule, and how to put it right."""
    named = not finding.subject or finding.message.startswith(f"{finding.subject} ")
    who = "" if named else f"{finding.subject} "
    yield safe_line(f"{finding.severity.value} [{finding.rule}] {who}{finding.message}")
    if finding.fix:
        yield safe_line(f"  fix: {finding.fix}")


def is_act(pending: str) -> bool:
    """Does an act without an order wait for a word?"""
    return pending.partition(" ")[0] in _ACTS


def pending_told(pending: str) -> str:
    """What waits for a word, as players say it."""
    return _ACTS.get(pending.partition(" ")[0], pending.replace("\n", "; "))


_ACTS = {
    "next": "going on (n)",
    "undo": "taking back (u)",
    "redo": "bringing back what was taken back",
    "again": "typing the dice anew",
    "open": "opening what is sealed (o)",
}
"""Acts without an order, as players say them."""


def told_once(lines: Sequence[str]) -> Iterator[str]:
    """What came of an act, without a line that another says as well: a step, and what a volley struck."""
    for text in lines:
        who, struck, points = text.partition(" is struck for ")
        if text.removeprefix("step: ") != text and text.removeprefix("step: ") in lines:
            continue
        if struck and any(other.startswith(f"{who}: {points}:") for other in lines):
            continue
        yield text


def ship_lines(ship: ShipSight) -> Iterator[str]:
    """A ship line by line: whose it is, where and when it may turn, its shields, what it may fire or launch, and why
    the rest may not."""
    if ship.gone:
        yield safe_line(f"{ship.name}: {ship.gone}")
        return
    speed = "" if ship.speed is None else f", speed {ship.speed}"
    cloak = f", {ship.cloak}" if ship.cloak else ""
    robot = ", a robot" if ship.robot else ""
    whose = f" ({ship.player})" if ship.player else ""
    yield safe_line(f"{ship.name}{whose} {ship.stands}{speed}{turn_told(ship)}{cloak}{robot}")
    shields = "  ".join(f"#{n} {left}/{whole}" for n, (left, whole) in enumerate(ship.shields, 1))
    inside = f"; {ship.inside} boxes inside destroyed" if ship.inside else ""
    yield f"  shields {shields}{inside}"
    yield safe_line(f"  may fire: {_may(ship, seeks=False) or 'nothing'}")
    if launches := _may(ship, seeks=True):
        yield safe_line(f"  may launch: {launches}")
    reasons: dict[str, list[str]] = {}
    for weapon in ship.weapons:
        if not weapon.may:
            reasons.setdefault(weapon.why + (f" [{weapon.rule}]" if weapon.rule else ""), []).append(
                weapon.mark
            )
    for why, marks in reasons.items():
        yield safe_line(f"  not: {', '.join(marks)}: {why}")


def _may(ship: ShipSight, *, seeks: bool) -> str:
    """What a ship may fire now, or launch, and at whom."""
    ready = (weapon for weapon in ship.weapons if weapon.may and weapon.seeks is seeks)
    return "; ".join(
        f"{weapon.mark} at {', '.join(weapon.targets)}{if_armed(weapon.arms)}" for weapon in ready
    )


def if_armed(turns: int) -> str:
    """What is said behind a weapon that takes so many turns to arm, where nobody knows that it had them."""
    return f", if armed before: it takes {turns} turns" if turns else ""


def turn_told(ship: ShipSight) -> str:
    """When a ship may turn."""
    if ship.to_turn is None:
        return ""
    if not ship.to_turn:
        return ", may turn"
    return f", {ship.to_turn} hex{'es' * (ship.to_turn != 1)} to the next turn"


def shot_lines(shots: Iterable[ShotSight], ship: ShipSight) -> Iterator[str]:
    """The shots that a ship may declare, a line each, with their odds."""
    none, arms = True, {weapon.mark: weapon.arms for weapon in ship.weapons}
    for shot in shots:
        none = False
        needs = f"needs {shot.needs} on {shot.dice}, " if shot.needs else ""
        shield = f" on {shot.shield}" if shot.shield else ""
        yield safe_line(
            f"{shot.mark} at {shot.target}{shield}: range {shot.range}, {needs}"
            f"{percent(shot.hits)} do damage, {decimal(shot.mean)} points to be expected"
            f"{if_armed(arms[shot.mark])}"
        )
    if none:
        yield "nothing may be fired"


def percent(part: Fraction) -> str:
    """A part of all as players say it: `67 %`."""
    return f"{round(part * 100)} %"


def decimal(number: Fraction) -> str:
    """A number with one digit behind the point."""
    return f"{float(number):.1f}"
