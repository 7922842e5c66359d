"""What a player is committed to, paid for on a form (B3.0-12 to -14) or sealed (C1.3, E1.1), and what was done."""

from __future__ import annotations

from collections.abc import Iterator

from referee.core.finding import Finding, NotChecked, Severity
from referee.core.frozen import frozen
from referee.core.naming import how_many
from referee.rulebooks.base import Rulebook, check


@frozen
class SpeedSaid:
    """A ship's speed of a turn as it was said, or shown, and as its form pays for it, hexes a turn; one that is not
    `kept` is said, and the ship moves at the one that is paid for."""

    rulebook: Rulebook
    ship: str
    turn: int
    said: int
    paid: int
    how: str = "said"
    kept: bool = True


@check("B3.0-14/said", "The speed that was paid for", on="speed said")
def speed_paid_for(speed: SpeedSaid) -> Iterator[Finding]:
    """A ship moves at the speed line 14, Movement, of its form pays for, no faster and no slower.

    Legal: 12 paid, 12 said. Illegal: 12 paid, 13 said. Warning: 13 said, and moved at the 12 that are paid.
    Fix: say the speed of the form.
    """
    if speed.said != speed.paid:
        kept = f"moves at speed {speed.said}, and line 14 Movement pays for {speed.paid}"
        broken = (
            f"speed {speed.said} is {speed.how}; it moves at the {speed.paid} that line 14 Movement pays for"
        )
        yield Finding(
            key="",
            severity=Severity.ERROR if speed.kept else Severity.WARNING,
            message=kept if speed.kept else broken,
            subject=speed.ship,
            turn=speed.turn,
            expected=str(speed.paid),
            found=str(speed.said),
            fix="say the speed of the form",
        )


@frozen
class TurnPlayed:
    """A turn of a ship as a log has it: what it did, in words, and whether its form of the turn is filled in."""

    rulebook: Rulebook
    ship: str
    turn: int
    did: tuple[str, ...] = ()
    filed: bool = False


@check("B3.0/filed", "A turn that was paid for", on="turn played")
def turn_paid_for(played: TurnPlayed) -> Iterator[Finding | NotChecked]:
    """A ship that moves, fires or launches in a turn has filled in its energy form of the turn before.

    Legal: the column of turn 2 is filled in, and the ship moves. Undecided: the column is blank, and it
    moves all the same; the form may lie elsewhere. Fix: fill in the form before the turn is played.
    """
    if played.filed:
        return
    if not played.did:
        yield NotChecked("", "its form of the turn is blank", f"{played.ship}, turn {played.turn}")
        return
    yield Finding(
        key="",
        severity=Severity.UNDECIDED,
        message=f"it {' and '.join(played.did)}, and its form of the turn is blank",
        subject=played.ship,
        turn=played.turn,
        expected="a form of the turn",
        found="none",
        fix="fill in the form before the turn is played",
    )


@frozen
class FormAnew:
    """A form of a turn, written anew where the game went back past another player's that was shown: what it holds, and
    what the ship had `sealed` before that, line by line; nothing of a form that its player never showed. `known` are the
    forms that he knew."""

    rulebook: Rulebook
    ship: str
    turn: int
    known: tuple[str, ...]
    filed: tuple[str, ...]
    sealed: tuple[str, ...] | None = None


@check("B3.0/kept", "A form is not written knowing another", on="form anew")
def form_kept(form: FormAnew) -> Iterator[Finding]:
    """Energy forms are secret until all are in. Where a game goes back past forms that were shown, who writes his anew knows
    the others'. All agreed to go back, so that it breaks no rule, and a form other than the one he had sealed is worth a warning.

    Legal: 12 for movement sealed and shown, 12 filed. To warn of: 12 sealed, 8 filed. Fix: file the form as it was sealed.
    """
    if form.sealed is not None and sorted(form.sealed) == sorted(form.filed):
        return
    sealed = form.sealed or ()
    yield Finding(
        key="",
        severity=Severity.WARNING,
        message=f"its form is written anew knowing {' and '.join(form.known)}, shown before the game went back",
        subject=form.ship,
        turn=form.turn,
        expected=", ".join(line for line in sealed if line not in form.filed),
        found=", ".join(line for line in form.filed if line not in sealed) or "less",
        fix="file the form as it was sealed",
    )


@frozen
class SealedMove:
    """A move written secretly beforehand and the one that was made: ahead, left or right."""

    rulebook: Rulebook
    ship: str
    turn: int
    impulse: int
    sealed: str
    made: str


@check("C1.3/kept", "A sealed move is the one made", on="sealed move")
def sealed_move_kept(move: SealedMove) -> Iterator[Finding]:
    """Who writes his move secretly beforehand makes that move and no other.

    Legal: left sealed, left made. Illegal: left sealed, ahead made. Fix: take the move back and make it.
    """
    if move.sealed != move.made:
        yield Finding(
            key="",
            severity=Severity.ERROR,
            message=f"{move.sealed} was sealed for impulse {move.impulse}, and {move.made} was moved",
            subject=move.ship,
            turn=move.turn,
            impulse=move.impulse,
            expected=move.sealed,
            found=move.made,
            fix="make the move that was sealed",
        )


@frozen
class VolleyShown:
    """A volley rolled while the form of its ship was a secret, and what that form, once shown, makes of it.

    `rolled` and `by_form` are the points that never came inside: those that general reinforcement took, the
    shield's own reinforcement, and its boxes. `told` is a volley that players gave the points of, with no
    fire in the record behind it: how much of its reinforcement went elsewhere is not known.
    """

    rulebook: Rulebook
    ship: str
    turn: int
    impulse: int | None
    entry: int
    shield: int
    points: int
    rolled: tuple[int, int, int]
    by_form: tuple[int, int, int]
    shields_paid: bool = True
    told: bool = False

    def against(self, severity: Severity, message: str) -> Finding:
        """What is against the volley."""
        more = sum(self.rolled) - sum(self.by_form)
        lacking = (
            f"mark the {how_many(more, 'point')} that came inside" if more > 0 else "give the boxes back"
        )
        return Finding(
            key="",
            severity=severity,
            message=f"the volley of entry {self.entry} on #{self.shield} was rolled before its form was shown: "
            + message,
            subject=self.ship,
            turn=self.turn,
            impulse=self.impulse,
            expected=_stopped(self.points, self.by_form),
            found=_stopped(self.points, self.rolled),
            fix=f"undo it and roll it again, or let a ruling {lacking}",
        )


def _stopped(points: int, stopped: tuple[int, int, int]) -> str:
    """`3 of 10 stopped by general reinforcement, 7 by the shield's boxes; 0 inside`."""
    kinds = ("general reinforcement", "the shield's reinforcement", "the shield's boxes")
    by = ", ".join(f"{taken} by {kind}" for taken, kind in zip(stopped, kinds, strict=True) if taken)
    return f"{by or 'nothing'} of {points} stopped; {points - sum(stopped)} inside"


def reinforcement_as_rolled(volley: VolleyShown, kind: int, name: str) -> Iterator[Finding]:
    """What is against a volley if one kind of reinforcement took more or less of it than the form buys."""
    rolled, by_form = volley.rolled[kind], volley.by_form[kind]
    if rolled == by_form or not volley.shields_paid:
        return
    lacks = volley.told and rolled < by_form
    severity = Severity.UNDECIDED if lacks else Severity.ERROR
    yield volley.against(severity, f"{name} took {rolled} of its points, and the form has {by_form} for it")


@check("B3.0-12/shown", "A volley and general reinforcement that was a secret", on="volley shown")
def general_reinforcement_shown(volley: VolleyShown) -> Iterator[Finding]:
    """A volley rolled while its ship's form was sealed stands if general reinforcement took off it what
    line 12, General Shield Reinforcement, once it is shown, has left for it.

    Legal: 2 taken off, and line 12 pays for 2. Illegal: 2 taken off, and line 12 is empty.
    Fix: take the volley back, or let a ruling put it right.
    """
    yield from reinforcement_as_rolled(volley, 0, "general reinforcement")


@check("B3.0-13/shown", "A volley and shield reinforcement that was a secret", on="volley shown")
def specific_reinforcement_shown(volley: VolleyShown) -> Iterator[Finding]:
    """A volley rolled while its ship's form was sealed stands if the struck shield's reinforcement took off
    it what line 13, Shield Reinforcement, once it is shown, has left for that shield.

    Legal: 3 taken off, and line 13 pays for 3. Illegal: none taken off, and line 13 pays for 3.
    Fix: take the volley back, or let a ruling put it right.
    """
    yield from reinforcement_as_rolled(volley, 1, "its reinforcement")


@frozen
class RangeShown:
    """A shot at a ship whose form was a secret: the effective range its die was read at, and that which the
    form, once shown, makes of it."""

    rulebook: Rulebook
    firer: str
    target: str
    entry: int
    turn: int | None
    impulse: int | None
    rolled: int | None
    by_form: int | None


@check("G13.0/shown", "Fire at a ship whose cloak was a secret", on="range shown")
def range_as_shown(shot: RangeShown) -> Iterator[Finding]:
    """Fire rolled while the form of its target was sealed stands if the form, once shown, hides the
    target just as much as the roll assumed. Legal: rolled at range 11, and the form pays for the cloak.
    Illegal: rolled at range 3, and the form pays for the cloak.
    Fix: take the fire back, or let a ruling put it right.
    """
    if shot.rolled != shot.by_form:
        yield Finding(
            key="",
            severity=Severity.ERROR,
            message=f"entry {shot.entry}, fire at {shot.target}, was rolled at effective range {shot.rolled}; "
            f"by the form of {shot.target} it is {shot.by_form}",
            subject=shot.firer,
            turn=shot.turn,
            impulse=shot.impulse,
            expected=str(shot.by_form),
            found=str(shot.rolled),
            fix="undo it and roll it again, or let a ruling put it right",
        )


@frozen
class SealedFire:
    """Fire of an impulse written secretly beforehand and the fire that was declared, shot by shot
    (`PH-1/A at Destruction`); `over` once nobody declares fire in the impulse any more."""

    rulebook: Rulebook
    ship: str
    turn: int
    impulse: int
    sealed: tuple[str, ...]
    fired: tuple[str, ...]
    over: bool = False


@check("E1.1/kept", "Sealed fire is the fire declared", on="sealed fire")
def sealed_fire_kept(fire: SealedFire) -> Iterator[Finding]:
    """Who writes secretly which weapons he fires at what, fires these and no others. Fire that nobody wrote
    down beforehand may be declared openly, as players agree.

    Legal: PH-1/A sealed, PH-1/A fired. Illegal: PH-1/A sealed, PH-1/C fired, or nothing. Fix: take the
    fire back and declare what was sealed.
    """
    extra = [shot for shot in fire.fired if shot not in fire.sealed]
    held = [shot for shot in fire.sealed if shot not in fire.fired] if fire.over else []
    departures = [f"fires {', '.join(extra)}, which was not sealed"] if extra else []
    departures += [f"does not fire {', '.join(held)}, which was sealed"] if held else []
    if departures:
        yield Finding(
            key="",
            severity=Severity.ERROR,
            message=f"{' and '.join(departures)} for impulse {fire.impulse}",
            subject=fire.ship,
            turn=fire.turn,
            impulse=fire.impulse,
            expected=", ".join(fire.sealed) or "no fire",
            found=", ".join(fire.fired) or "no fire",
            fix="declare the fire that was sealed",
        )
