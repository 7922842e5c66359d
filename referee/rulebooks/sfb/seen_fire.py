"""What a log or a record tells of fire, held against the rules of it (E1.1, E2-E4, D4.22, H6.1)."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from fractions import Fraction

from referee.core.combat import ShotResult
from referee.core.energy import show_energy
from referee.core.finding import About, Finding, NotChecked, Severity
from referee.core.location import Location
from referee.core.naming import how_many
from referee.rulebooks.sfb.allocation import EnergyTurn
from referee.rulebooks.sfb.direct_fire import weapon_energy

CHARGE, PHASERS = "H6.1", "E2.21"
_TABLES = {"disruptor": "E3.0", "photon": "E4.0"}


def sealed_shield(
    about: About, weapon: str, target: str, shield: int | None, struck: tuple[int, ...]
) -> Finding:
    """A note on fire that was sealed for a shield which it does not strike (C1.3)."""
    shields = " or ".join(map(str, struck))
    return about.finding(
        "E1.1/kept",
        Severity.NOTE,
        f"{weapon} was sealed for shield {shield} of {target}, and strikes shield {shields}",
        expected=f"shield {shields}",
        found=f"shield {shield}",
        fix=f"declare it without a shield: fire {weapon} at {target}",
    )


def dice_amiss(about: About, message: str, expected: str, found: str) -> Finding:
    """The error on other dice than one for every shot (E1.1)."""
    fix = "roll one die for every shot declared"
    return about.finding("E1.1", Severity.ERROR, message, expected=expected, found=found, fix=fix)


def score_misread(result: ShotResult, reported: str, place: Location) -> Finding:
    """The error on what a shot is said to have scored, by the rule whose table its weapon scores by."""
    key = "E2.4" if result.type.startswith("phaser") else _TABLES.get(result.type, "E1.3")
    came_to = how_many(result.damage, "point") if result.hit else "a miss"
    return Finding(
        key,
        Severity.ERROR,
        f"{result.weapon} rolled {result.roll} at range {result.effective_range}: {came_to}, reported as {reported}",
        result.firer,
        result.turn,
        result.impulse,
        place,
        expected=came_to,
        found=reported,
        fix="read the table again",
        data_status=result.data_status,
    )


def total_misread(about: About, step: int | None, total: int, reported: int) -> Finding:
    """The error on what the shots of a step are said to come to (D4.22)."""
    message = f"the fire of step {step} comes to {how_many(total, 'point')}, reported as {reported}"
    return _misadded(about, message, str(total), str(reported))


def cannot_score(about: About, points: int, weapons: str, possible: Collection[int]) -> Finding:
    """The error on points that no roll of the weapons that fired scores on a drone."""
    message = f"{how_many(points, 'point')}, which {weapons} cannot score on it from there"
    expected = " or ".join(map(str, sorted(possible)))
    return about.finding("E1.3", Severity.ERROR, message, expected=expected, found=str(points))


def hit_misread(about: About, points: int, shield: int, came_to: str) -> Finding:
    """The error on the points a ship's owner says struck a shield of it (D4.22)."""
    message = f"reported as hit by {points} on shield {shield}; the fire comes to {came_to}"
    return _misadded(about, message, came_to, f"{points} on shield {shield}")


def _misadded(about: About, message: str, expected: str, found: str) -> Finding:
    fix = "add up the shots again"
    return about.finding("D4.22", Severity.ERROR, message, expected=expected, found=found, fix=fix)


def charge_fired(
    turn: EnergyTurn, about: About, points: Fraction, *, seen_whole: bool, over: bool
) -> Iterator[Finding | NotChecked]:
    """What phasers fired by what was seen, against what the form says they did (H6.1). More on the form may have been
    fired in what of the turn was not `seen_whole`; until the turn is `over` it may yet be written down."""
    form, subject = turn.form, f"{about.subject}, turn {about.turn}"
    if "9:fired" not in form.entries:
        yield from _by_either_reading(turn, about, points)
        return
    if (written := form.amount("9:fired")) == points:
        return
    less = written < points
    if not less and not seen_whole:
        reason = "the log does not have the turn from its beginning: what was fired before is not known"
        yield NotChecked(CHARGE, reason, subject)
    elif not over:
        reason = "the turn is not over in the log: what was fired may yet be written down"
        yield NotChecked(CHARGE, reason, subject)
    else:
        fired = how_many(show_energy(points), "point")
        yield About(about.subject, about.turn, location=form.place_of("9:fired")).finding(
            CHARGE,
            Severity.ERROR if less else Severity.UNDECIDED,
            f"phasers were fired for {fired}, the form says {show_energy(written)}",
            expected=show_energy(points),
            found=show_energy(written),
            fix="write down what was fired" if less else "say every shot, or write down what was fired",
        )


def batteries_fed(turn: EnergyTurn, about: About, points: Fraction, *, stated: bool, over: bool) -> Finding:
    """Phasers fired by batteries of which the form says nothing (E2.21): a note in a turn that goes on, and a warning in
    one that is `over`, though an order `stated` it."""
    lent, line = show_energy(points), turn.line("21")
    message = (
        f"{lent} of battery power was ordered, but {line} does not say so"
        if stated
        else f"the phasers used {lent} more than the capacitor held: {lent} of battery power is counted as used in the turn"
    )
    return About(about.subject, about.turn, location=turn.form.place_of("21")).finding(
        PHASERS,
        Severity.WARNING if over else Severity.NOTE,
        message,
        expected=lent,
        fix=f"write {lent} on {turn.form.named('21', turn.rulebook.lines)}",
    )


def _by_either_reading(turn: EnergyTurn, about: About, points: Fraction) -> Iterator[Finding]:
    """Phasers that fired more than the capacitor held and batteries gave, if line 21 is the turn's total, and no more
    if it is what they gave after the allocation."""
    charge: Fraction | None = weapon_energy(turn)[1]
    if charge is None or turn.form.why_unknown("21") or turn.form.why_unknown("6"):
        return
    least, most = turn.used_in_turn
    if charge + least < points <= charge + most:
        yield About(about.subject, about.turn, location=turn.form.place_of("21")).finding(
            CHARGE,
            Severity.UNDECIDED,
            f"{show_energy(points)} points of phasers were fired from {show_energy(charge)} in the capacitor and "
            f"{show_energy(most)} on {turn.line('21')}: right if batteries gave it after the allocation, wrong if it is the "
            "turn's total",
            expected=f"≤ {show_energy(charge + least)} or {show_energy(charge + most)}",
            found=show_energy(points),
            fix=turn.which_total,
        )
