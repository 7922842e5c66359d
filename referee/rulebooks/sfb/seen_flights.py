"""What counters, files and records show of seekers, held against the rules of their flight (F2.0, D4.41, D6.122)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from referee.core.combat import ShotResult
from referee.core.finding import About, Finding, Severity
from referee.core.hexgrid import Hex, true_range
from referee.core.naming import how_many

SEEKERS, DESTROYED, ENDURANCE, GUIDE_LOST = "F2.0", "F2.0/destroyed", "F2.0/endurance", "D4.41"
_MOVES = "a seeker moves a hex an impulse until it strikes"
_OFF, _UMPIRE = "off the map", "; the umpire decides"


def _error(key: str, about: About, message: str, expected: str, found: str, fix: str) -> Finding:
    return about.finding(key, Severity.ERROR, message, expected=expected, found=found, fix=fix)


# -- where it flies ----------------------------------------------------------------------


def put_down_elsewhere(about: About, hex: Hex, launched_from: Hex, owner: str) -> Finding:
    """A seeker that was put down in another hex than that of the ship that launched it."""
    message = f"put down in {hex}, {owner} launched it from {launched_from}"
    return _error(SEEKERS, about, message, str(launched_from), str(hex), "put it down in the hex of its ship")


def stood_still(about: About) -> Finding:
    """A seeker that did not move in an impulse that called it."""
    return _error(SEEKERS, about, "did not move, its speed calls for a move", "a hex", "none", _MOVES)


def leapt(about: About, stood: tuple[Hex, str], now: tuple[Hex, str]) -> Finding:
    """A seeker that is where no move leads it."""
    was, stands = (f"{hex}{facing}" for hex, facing in (stood, now))
    hexes = true_range(stood[0], now[0])
    message = f"{was} to {stands}, and no turn of 60 degrees leads there"
    if hexes > 1:
        message = f"{was} to {stands} is {how_many(hexes, 'hex', 'hexes')}"
    expected = "one hex, ahead or after a turn of 60 degrees"
    return _error(SEEKERS, about, message, expected, stands, _MOVES)


def moved_at_launch(about: About, hex: Hex) -> Finding:
    """A seeker that moves in the impulse of its launch: it is launched after seekers have moved (B2.0)."""
    message = "moves in the impulse of its launch"
    return _error(SEEKERS, about, message, "no move", str(hex), "move it from the next impulse on")


def moved_after_strike(about: About, hex: Hex) -> Finding:
    """A seeker that moves on after it struck."""
    return _error(SEEKERS, about, "moves on after it struck", "no move", str(hex), _MOVES)


def flew_after_drag(about: About, hex: Hex, dragged: int, last: Hex) -> Finding:
    """A seeker that flies on from where it was dragged in a step to, which no seeker can have come to."""
    message = f"flies on, though it was dragged in step {dragged} where no seeker flies"
    return _error(SEEKERS, about, message, f"a hex from {last}", str(hex), _MOVES)


def dragged_away(about: About, hex: Hex, why: str) -> Finding:
    """A seeker that was dragged where none flies, and that may be no more."""
    return about.finding(
        SEEKERS,
        Severity.UNDECIDED,
        f"dragged to {hex}, where no seeker flies: {why}",
        expected="a hex of its course, or put away once it is no more",
        found=str(hex),
        fix=f"say in chat whether it is destroyed{_UMPIRE}",
    )


def seen_too_far(about: About, back: Hex, seen: Hex, step: int, far: int, most: int) -> Finding:
    """A seeker that is seen farther from where it went out of sight in a step than its moves lead."""
    hexes = how_many(most, "hex", "hexes")
    gone = f"{how_many(far, 'hex', 'hexes')} from where it went out of sight in step {step}"
    return _error(
        SEEKERS,
        about,
        f"comes back in {back}, {gone}, and called for {hexes}",
        f"{hexes} at most from {seen}",
        str(back),
        "a seeker moves a hex an impulse, unseen as in sight",
    )


# -- when it should be gone --------------------------------------------------------------


def flew_spent(about: About, hex: Hex) -> Finding:
    """A seeker that flies on after its endurance."""
    return _error(ENDURANCE, about, "flies on after its endurance", _OFF, str(hex), _MOVES)


def flew_destroyed(about: About, hex: Hex, fire: int) -> Finding:
    """A seeker that flies on in a later impulse than the fire of a step destroyed it in."""
    message = f"flies on, though the fire of step {fire} destroyed it"
    return _error(DESTROYED, about, message, _OFF, str(hex), "take it off")


def flew_on_hurt(about: About, hex: str, scored: int, needed: int) -> Finding:
    """A seeker that flies on in a later impulse than the fire that destroyed it."""
    message = f"flies on, though the fire at it came to {scored}: {how_many(needed, 'point destroys', 'points destroy')} it"
    return _error(DESTROYED, about, message, _OFF, hex, "take it off")


def flew_unlocked(about: About, hex: Hex, owner: str, target: str, why: str) -> Finding:
    """A drone that flies on without its ship's lock-on."""
    message = f"flies on, though {owner} has no lock-on on {target}: {why}"
    return _error("D6.122", about, message, _OFF, str(hex), "take it off")


def flew_unguided(about: About, hex: Hex, guide: str, step: int) -> Finding:
    """A drone that flies on when the ship that guided it was destroyed by a step."""
    message = f"flies on, though {guide}, which guided it, was destroyed by step {step}"
    return _error(GUIDE_LOST, about, message, _OFF, str(hex), "take it off")


def flew_without_ship(about: About, hex: str, guide: str) -> Finding:
    """A drone that flies on when the ship that guided it is gone."""
    message = f"flies on, though {guide}, which guided it, is destroyed"
    return _error(GUIDE_LOST, about, message, _OFF, hex, "take it off")


def flew_perhaps_unguided(about: About, hex: Hex, doubt: str) -> Finding:
    """A drone that flies on though the ship that guides it may be destroyed."""
    return about.finding(
        GUIDE_LOST,
        Severity.UNDECIDED,
        f"flies on; {doubt}",
        expected="off the map if it is",
        found=str(hex),
        fix=f"say in chat whether the ship is destroyed{_UMPIRE}",
    )


def strike_untold(about: About, struck: Sequence[int], hits: Sequence[ShotResult]) -> Finding:
    """Points by shield of fewer seekers than have reached a ship: every seeker that reaches its target strikes it."""
    stated = _on_shields({n: points for n, points in enumerate(struck, 1) if points})
    rows = _strikes(hits)
    return about.finding(
        SEEKERS,
        Severity.UNDECIDED,
        f"{len(hits)} seekers are in its hex, {', '.join(rows[:6])}, and {stated} is stated: not all of them strike",
        expected=", ".join(rows[:6]),
        found=stated,
        fix=f"mark what each warhead scores, or say what became of the others{_UMPIRE}",
    )


def strike_total_misread(about: About, total: int, struck: Sequence[int]) -> Finding:
    """A sum of points that is not that of the points by shield, which are those of the warheads."""
    return _error(
        SEEKERS,
        about,
        f"{how_many(total, 'point')} in all stated, and the warheads score {sum(struck)}",
        str(sum(struck)),
        str(total),
        "mark what the warhead scores",
    )


def strike_misread(
    about: About, struck: Sequence[int], hits: Sequence[ShotResult], *, other: bool
) -> Finding:
    """Points by shield that seekers did not score; undecided where drones of another kind would."""
    stated = _on_shields({n: points for n, points in enumerate(struck, 1) if points})
    rows = _strikes(hits)
    message = f"{stated} of {about.subject} is stated, and there {', '.join(rows[:6])} strike" + "s" * (
        len(hits) == 1
    )
    return about.finding(
        SEEKERS,
        Severity.UNDECIDED if other else Severity.ERROR,
        f"{message}; is it of another kind?" if other else message,
        expected=" or ".join(rows[:6]),
        found=stated,
        fix="mark what the warhead scores, on the shield it comes in on",
    )


def _strikes(hits: Sequence[ShotResult]) -> list[str]:
    return [f"{hit.weapon} {hit.damage} on shield {' or '.join(map(str, hit.shields))}" for hit in hits]


def _on_shields(struck: Mapping[int, int]) -> str:
    return (
        ", ".join(f"{how_many(n, 'point')} on shield {shield}" for shield, n in struck.items()) or "no point"
    )


def struck_unguided(about: About) -> Finding:
    """A drone of a record that strikes though its ship is destroyed."""
    message = "it strikes though its ship is destroyed: an earlier version of this program let it, and the record stands"
    return about.finding(GUIDE_LOST, Severity.WARNING, message)


# -- when it should not ------------------------------------------------------------------


def taken_off_under_fire(about: About, scored: int, needed: int, doubt: str) -> Finding:
    """A seeker that was taken off the map after fire that does not destroy it; undecided where something else that
    was said may be more of it."""
    points = how_many(needed, "point")
    return about.finding(
        DESTROYED,
        Severity.UNDECIDED if doubt else Severity.ERROR,
        f"taken off the map, though fire came to {scored} of the {points} needed to destroy it"
        + (f"; {doubt}" if doubt else ""),
        expected=points,
        found=str(scored),
        fix=f"put it back: {how_many(needed, 'point destroys', 'points destroy')} it",
    )


def taken_off(about: About, hex: Hex, target: Hex | None) -> Finding:
    """A seeker that was taken off the map short of its target, and nothing seen took it off."""
    return about.finding(
        SEEKERS,
        Severity.UNDECIDED,
        f"taken off the map in {hex} for no reason that the log shows, its target in {target}",
        expected="it flies on until it strikes, is shot down or loses its lock-on",
        found="gone",
        fix=f"say in chat why it is gone{_UMPIRE}",
    )
