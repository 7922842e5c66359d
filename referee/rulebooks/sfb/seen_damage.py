"""What displays of ships show of damage, held against what struck (D4.1, D4.223), and ships that are destroyed (D4.4, D4.41)."""

from __future__ import annotations

from referee.core.finding import About, Finding, Severity
from referee.core.naming import how_many

ABSORBED, PICKED = "D4.1", "D4.223"


def _marked(key: str, about: About, fire: int, message: str, expected: str, found: str) -> Finding:
    fix = f"mark what the fire of step {fire} cost"
    return about.finding(key, Severity.ERROR, message, expected=expected, found=found, fix=fix)


def shield_marked(
    about: About, fire: int, shield: int, points: int, on: str, expected: str, found: int
) -> Finding:
    """Other boxes of a shield are marked than the points that strike it, or one shield (`on`), cost."""
    boxes = how_many(found, "box is", "boxes are")
    message = f"{boxes} marked of shield {shield}, {how_many(points, 'point strikes', 'points strike')} {on}"
    return _marked(ABSORBED, about, fire, message, expected, str(found))


def other_shield_marked(
    about: About, fire: int, shield: int, struck: str, expected: str, found: int
) -> Finding:
    """A shield is marked that no fire struck; what it `struck` is named."""
    message = f"shield {shield} is marked; what was fired strikes {struck}"
    return _marked(ABSORBED, about, fire, message, expected, str(found))


def inside_marked(about: About, fire: int, through: str, found: int, expected: str, lacking: int) -> Finding:
    """Other boxes inside are marked than points come through; the display lacks so many boxes at the most."""
    boxes = how_many(found, "box inside is", "boxes inside are")
    message = f"{boxes} marked, {how_many(through, 'point comes', 'points come')} through"
    message += f"; its display lacks no more than {lacking}" if lacking else ""
    return _marked(ABSORBED, about, fire, message, expected, str(found))


def not_marked(about: About, fire: int, points: int, turn: int | None) -> Finding:
    """Damage by the fire of a step that is not marked though a later turn has begun."""
    return about.finding(
        ABSORBED,
        Severity.UNDECIDED,
        f"damage by the fire of step {fire} is not marked, and turn {turn} has begun",
        expected=f"{how_many(points, 'point')} marked",
        found="nothing marked",
        fix="mark the damage on the display, or show the SSD on which you mark it",
    )


def marked_on_another(about: About, fire: int, points: int, struck: str) -> Finding:
    """Damage that is marked on another ship than the one it struck."""
    boxes = how_many(points, "box is", "boxes are")
    return about.finding(
        ABSORBED,
        Severity.ERROR,
        f"{boxes} marked; the {how_many(points, 'point')} of step {fire} struck {struck}",
        expected=f"{points} on {struck}",
        found=f"{points} on {about.subject}",
        fix=f"mark it on {struck}, and take it off {about.subject}",
    )


def closed_marked(about: About, fire: int, system: str, count: int) -> Finding:
    """Boxes of a system are marked that no roll of the volley can hit."""
    message = f"{count} of {system} marked, which no roll of this volley can hit"
    return _marked(PICKED, about, fire, message, f"no {system}", str(count))


def destroyed_at_once(about: About) -> Finding:
    """A note on a ship that took more points than it has boxes (D4.4)."""
    message = "more points came inside than it has boxes: it is destroyed"
    return about.finding("D4.4", Severity.NOTE, message)


def ordered_when_destroyed(about: About, order: str) -> Finding:
    """An order for a ship that is destroyed: it left the map at the instant (D4.41)."""
    message = "it is destroyed, and off the map"
    return about.finding("D4.41", Severity.ERROR, message, found=order, fix="take the order out")


def otherwise_marked(about: About, fire: int, system: str, marked: int, hit: int) -> Finding:
    """More or fewer boxes of a system are marked than the dice hit."""
    message = f"{marked} of {system} marked, the dice hit {hit}"
    return _marked(PICKED, about, fire, message, str(hit), str(marked))
