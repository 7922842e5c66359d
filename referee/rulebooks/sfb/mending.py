"""Boxes that come back: shields by damage control, anything inside not at all (B3.0-15)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction

from referee.core.finding import Finding, NotChecked, Severity
from referee.core.frozen import frozen
from referee.rulebooks.base import Rulebook, check
from referee.rulebooks.sfb.allocation import points

ENERGY_A_BOX = 2


@frozen
class Mended:
    """Boxes shown whole again: of shields by their numbers, of systems inside by their names. `paid` are the
    points of line 15 that have mended nothing yet, `inside_paid` those of the line that mends systems; None
    where there is no form."""

    rulebook: Rulebook
    ship: str = ""
    turn: int | None = None
    impulse: int | None = None
    shields: Mapping[str, int] | None = None
    inside: Mapping[str, int] | None = None
    paid: Fraction | int | None = None
    inside_paid: Fraction | int | None = None


def boxes_mended(rulebook: Rulebook, paid: Fraction | int) -> int:
    """The shield boxes that energy on line 15 mends; none in a game that does not play it."""
    return int(paid // ENERGY_A_BOX) if rulebook.allows("shield_repair") else 0


@check("B3.0-15/mended", "Boxes that are whole again", on="mended")
def whole_again(back: Mended) -> Iterator[Finding | NotChecked]:
    """A lost shield box comes back by damage control alone, two points of line 15, Damage Control, a box,
    where the game plays it; a lost box inside the ship stays lost.

    Legal: 4 points on line 15, and 2 boxes of a shield are whole again. Illegal: 9 boxes are, for nothing; or
    an engine box is. Fix: mark as lost again what was not repaired.
    """
    if back.shields:
        yield from _shields(back, back.shields)
    if back.inside:
        yield from _inside(back, back.inside)


def _shields(back: Mended, shields: Mapping[str, int]) -> Iterator[Finding | NotChecked]:
    sentence = _in_words({f"shield {n}": number for n, number in shields.items()})
    count = sum(shields.values())
    if not back.rulebook.allows("shield_repair"):
        yield _against(back, f"{sentence}; no shield is repaired in this game", 0, count)
    elif back.paid is None:
        yield NotChecked("", f"{sentence}; what was paid to repair them is not known: no form", back.ship)
    elif count > (most := boxes_mended(back.rulebook, back.paid)):
        yield _against(
            back,
            f"{sentence}; {points(Fraction(back.paid))} of {back.rulebook.lines.named('15')} repair {most}",
            most,
            count,
        )


def _inside(back: Mended, inside: Mapping[str, int]) -> Iterator[Finding | NotChecked]:
    sentence = _in_words(inside)
    if back.inside_paid:
        reason = f"{sentence}; what {points(Fraction(back.inside_paid))} for damage inside repair is not known here"
        yield NotChecked("", reason, back.ship)
    else:
        yield _against(back, f"{sentence}; a box inside stays lost", 0, sum(inside.values()))


def _in_words(boxes: Mapping[str, int]) -> str:
    """As `9 boxes of shield 1 and 1 of shield 2 are whole again`."""
    (first, number), *more = boxes.items()
    mended = [f"{number} box{'es' * (number != 1)} of {first}", *(f"{n} of {name}" for name, n in more)]
    row = " and ".join(part for part in (", ".join(mended[:-1]), mended[-1]) if part)
    return f"{row} {'is' if number == 1 and not more else 'are'} whole again"


def _against(back: Mended, message: str, most: int, count: int) -> Finding:
    return Finding(
        key="",
        severity=Severity.ERROR,
        message=message,
        subject=back.ship,
        turn=back.turn,
        impulse=back.impulse,
        expected=str(most) if not most else f"≤ {most}",
        found=str(count),
        fix="mark as lost again what was not repaired",
    )
