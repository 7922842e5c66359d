"""Which shield direct fire strikes, whatever was said (E1.4)."""

from __future__ import annotations

from referee.core.combat import Declaration, Shot
from referee.core.finding import About, Finding, NotChecked, Severity
from referee.rulebooks.base import Rulebook, resolves

STRUCK = "E1.4"


@resolves(STRUCK, "Nothing turns fire aside", on="struck")
def strikes_facing_shield(shot: Shot) -> tuple[int, ...]:
    """Direct fire cannot be diverted: it strikes the shield that faces the firer, and only shields take of
    it. On the corner of two shields either may be struck; where a third is named, against the rule, it is
    the lower numbered of the two.

    Legal: fire from hex row A on shield 1. Illegal: the same on shield 4.
    """
    facing = shot.facing_shields
    if shot.shield is None:
        return facing
    return facing[:1] if facing and shot.shield not in facing else (shot.shield,)


def shields_astray(rulebook: Rulebook, declaration: Declaration) -> tuple[Finding, ...]:
    """Findings on shots said to strike a shield that does not face the firer, one for each said (E1.4); none
    where the line of fire is not known."""
    findings: dict[tuple[object, ...], Finding] = {}
    for shot in declaration.shots if STRUCK in rulebook.rules else ():
        facing = shot.facing_shields if shot.target.kind == "ship" else ()
        if shot.shield is None or not facing or shot.shield in facing:
            continue
        either = " or ".join(map(str, facing))
        finding = About(shot.firer.name, shot.turn, shot.impulse, shot.place).finding(
            STRUCK,
            Severity.ERROR,
            f"fire at {shot.target.name} strikes shield {either}, said to strike {shot.shield}",
            expected=either,
            found=str(shot.shield),
            fix="the shield that faces the firer is struck",
        )
        findings.setdefault((shot.firer.name, shot.target.name, shot.place, shot.shield), finding)
    return tuple(findings.values())


def shields_untold(rulebook: Rulebook, declaration: Declaration) -> tuple[NotChecked, ...]:
    """What is not known of fire along the corner of two shields, or in the hex of a ship into which neither of the
    two moved, where it is not given which shield is struck (E1.4)."""
    unknown: dict[NotChecked, None] = {}
    for shot in declaration.shots if STRUCK in rulebook.rules else ():
        facing = shot.facing_shields if shot.target.kind == "ship" else ()
        if shot.shield is not None or shot.target.kind != "ship":
            continue
        if len(facing) > 1:
            either = " or ".join(map(str, facing))
            reason = (
                f"it strikes {shot.target.name} on the corner of shields {either}, and which is not given"
            )
        elif not facing and shot.hexes == 0:
            reason = f"it is fired in the hex of {shot.target.name}, and which shield it strikes is not given"
        else:
            continue
        unknown[NotChecked(STRUCK, reason, f"{shot.firer.name} {shot.weapon}")] = None
    return tuple(unknown)
