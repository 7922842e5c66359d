"""A game as it is told when it is over: what happened turn by turn, every shot and volley, and what they add up to.

This is the model alone. `judging.battles` makes it of a file; `report.battletext`, `battlemarkdown`, `battlehtml` and
`battlejson` write it. A figure that a source does not tell is None, and no sum holds it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field
from fractions import Fraction
from typing import Any

from referee.core.beside import Broadside
from referee.core.finding import Finding, NotChecked
from referee.core.fire_words import SeekerHit, ShotFired, VolleyTaken
from referee.core.frozen import frozen
from referee.core.naming import how_many
from referee.core.scenario import Victory
from referee.core.ship import ShipClass
from referee.core.state import ShipState


@frozen
class Sentence:
    """One thing that happened: its kind (`move`, `seeker`, `order`, `shot`, `volley`, `ruling`, `foul`, `undo`, ...), its
    words, and where the source tells it (`#12`, `step 4`, `line 7`)."""

    kind: str
    text: str
    place: str = ""


@frozen
class ImpulseTold:
    """What happened in an impulse; before the impulses of a turn, and after them, there is none."""

    impulse: int | None
    sentences: tuple[Sentence, ...]


@frozen
class ShipThen:
    """A ship at a moment: whose it is, where, how fast, how far it is hidden, and what is left of it."""

    name: str
    player: str
    ship: str
    position: str
    speed: str
    state: ShipState | None
    left_map: bool = False
    hidden: str = ""
    """`cloaked`, `fading out` or `fading in`."""


@frozen
class TurnTold:
    """A turn: its impulses, and the game at its end with its head code. Turn 0 is the setting up."""

    turn: int
    moments: tuple[ImpulseTold, ...]
    ships: tuple[ShipThen, ...] = ()
    head: str = ""
    place: str = ""


@frozen
class FaceFell:
    """How often a face fell, how often fair dice show it in the mean, and between which counts they stay in 95 games of
    100."""

    face: int
    count: int
    expected: Fraction
    low: int
    high: int


@frozen
class DiceFell:
    """The dice of one kind of a player, or of all (no player): the faces beside fair ones, and the chance `p` that fair
    dice are at least as uneven; `exact` where that is counted out and not approximated."""

    player: str
    sides: int
    dice: int
    faces: tuple[FaceFell, ...]
    p: float
    exact: bool
    mean: Fraction

    @property
    def word(self) -> str:
        """How unusual they are, in plain words."""
        if self.dice < 2:
            return "too few dice to say anything"
        if self.p > 0.05:
            return "nothing unusual"
        rare = f"fair dice are this uneven in one game of {round(1 / max(self.p, 1e-9)):,}"
        return f"unusual: {rare}" if self.p > 0.001 else f"very unusual: {rare}"


@frozen
class Lead:
    """Who leads from a moment on (nobody: it is level), and the share of its boxes that each side has lost."""

    turn: int
    impulse: int | None
    leader: str
    lost: tuple[tuple[str, int, int], ...]
    place: str = ""

    @property
    def text(self) -> str:
        """The change in a sentence."""
        shares = ", ".join(f"{side} {lost} of {boxes}" for side, lost, boxes in self.lost)
        who = f"{self.leader} takes the lead" if self.leader else "The game is level"
        return f"{who} (boxes lost: {shares})."


LEAD_MEANS = "The lead is with the side that has lost the smallest share of its boxes inside the shields."
"""The measure of the lead, as every report states it."""


@frozen
class Retraction:
    """Something that was taken back: by which entry, why, by whose leave, and what went."""

    place: str
    reason: str
    agreed: tuple[str, ...]
    gone: tuple[str, ...]


@frozen
class Ruled:
    """What the umpire, or a player where there is none, decided, and about which entry."""

    place: str
    by: str
    text: str
    about: str = ""


@frozen
class FoulSaid:
    """A rule that was broken and let stand, as the record says it."""

    place: str
    rule: str
    player: str
    text: str
    turn: int | None = None
    impulse: int | None = None


@frozen
class Battle:
    """A whole game to be told. `untold` says what its source does not tell. `facts` is what a judge of a tournament
    asks for, by its name. `side` is the side it is told to, where it is not known to all."""

    title: str
    file: str
    facts: tuple[tuple[str, str], ...]
    turns: tuple[TurnTold, ...]
    classes: Mapping[str, ShipClass] = field(default_factory=dict)
    victory: Victory | None = None
    verdict: str = ""
    shots: tuple[ShotFired, ...] = ()
    volleys: tuple[VolleyTaken, ...] = ()
    seeker_hits: tuple[SeekerHit, ...] = ()
    broadsides: tuple[Broadside, ...] = ()
    """Fire whose points are told by ship and step, and not shot by shot."""
    dice: tuple[DiceFell, ...] = ()
    leads: tuple[Lead, ...] = ()
    findings: tuple[Finding, ...] = ()
    not_checked: tuple[NotChecked, ...] = ()
    fouls: tuple[FoulSaid, ...] = ()
    rulings: tuple[Ruled, ...] = ()
    retractions: tuple[Retraction, ...] = ()
    untold: tuple[str, ...] = ()
    document: Mapping[str, Any] | None = None
    """What a rulebook that keeps its own table tells, in its own words; the turns are empty then."""
    verify: tuple[str, ...] = ()
    head: str = ""
    side: str = ""
    now: str = ""
    """The moment a game has come to that is still played; empty for one that is over, or of which no record tells."""


@frozen
class DamageDone:
    """What somebody did to a ship in all: volleys, points, what of them reinforcement, shields and armor took, what came
    inside."""

    by: str
    target: str
    volleys: int
    points: int
    reinforced: int
    shielded: int
    armored: int
    internals: int


def who_did_what(volleys: Iterable[VolleyTaken]) -> tuple[DamageDone, ...]:
    """The damage matrix: a row for each pair of who fired and who was struck, in the order of their first volleys. A
    volley of several ships is theirs together."""
    rows: dict[tuple[str, str], list[VolleyTaken]] = {}
    for volley in volleys:
        rows.setdefault((volley.source, volley.target), []).append(volley)
    return tuple(
        DamageDone(
            by,
            target,
            len(row),
            sum(taken.points for taken in row),
            sum(taken.reinforced for taken in row),
            sum(taken.shielded for taken in row),
            sum(taken.armored for taken in row),
            sum(taken.internals for taken in row),
        )
        for (by, target), row in rows.items()
    )


@frozen
class Gunnery:
    """How a ship shot: shots, hits, points, and the points that fair dice score at the same ranges (None where the range
    of a shot is not known)."""

    ship: str
    player: str
    shots: int
    hits: int
    points: int
    average: Fraction | None


def gunnery_of(shots: Iterable[ShotFired]) -> tuple[Gunnery, ...]:
    """How each ship shot, of the shots whose outcome is told."""
    rows: dict[tuple[str, str], list[ShotFired]] = {}
    for shot in shots:
        if shot.hit is not None:
            rows.setdefault((shot.ship, shot.player), []).append(shot)
    return tuple(
        Gunnery(
            ship,
            player,
            len(row),
            sum(bool(fired.damage) for fired in row),
            sum(fired.damage or 0 for fired in row),
            None
            if any(fired.average is None for fired in row)
            else sum((fired.average or Fraction(0) for fired in row), Fraction(0)),
        )
        for (ship, player), row in rows.items()
    )


@frozen
class TurningPoint:
    """A moment that counted, and why."""

    turn: int
    impulse: int | None
    text: str
    place: str = ""


_BIGGEST = 3


def turning_points(volleys: Iterable[VolleyTaken], leads: Iterable[Lead]) -> tuple[TurningPoint, ...]:
    """The moments that counted: the biggest volleys, a ship's first internals, shields down, weapons lost, ships
    destroyed, and the lead changing hands."""
    row = tuple(volleys)
    biggest = sorted(range(len(row)), key=lambda n: (-row[n].points, n))[:_BIGGEST]
    inside: set[str] = set()
    down: set[tuple[str, int]] = set()
    found: list[tuple[int, TurningPoint]] = []
    for n, volley in enumerate(row):
        events: list[str] = []
        if n in biggest and len(row) > 1:
            rank = ("the biggest volley", "the second biggest volley", "the third biggest volley")
            events.append(
                f"{rank[biggest.index(n)]}, {how_many(volley.points, 'point')} on {volley.target}"
                + (f" by {volley.source}" if volley.by else "")
            )
        shield = (volley.target, volley.shield or 0)
        if volley.shielded and volley.shield_left == 0 and shield not in down:
            down.add(shield)
            events.append(f"shield {volley.shield} of {volley.target} is down")
        if volley.internals and volley.target not in inside:
            inside.add(volley.target)
            events.append(f"the first damage inside {volley.target}, {how_many(volley.internals, 'point')}")
        if volley.weapons:
            events.append(f"{volley.target} loses {', '.join(volley.weapons)}")
        if volley.destroyed:
            events.append(f"{volley.target} is destroyed")
        if events:
            text = "; ".join(events)
            point = TurningPoint(volley.turn, volley.impulse, f"{text[0].upper()}{text[1:]}.", volley.place)
            found.append((_order(volley.place, n), point))
    found += [
        (_order(lead.place, len(row)), TurningPoint(lead.turn, lead.impulse, lead.text, lead.place))
        for lead in leads
    ]
    return tuple(point for _, point in sorted(found, key=lambda placed: placed[0]))


def _order(place: str, n: int) -> int:
    """Where in the source a place is: its number."""
    digits = "".join(character for character in place if character.isdecimal())
    return int(digits) if digits else n


def when_text(turn: int | None, impulse: int | None) -> str:
    """A moment as a player writes it: `2.14`, `2` before the impulses of a turn."""
    if turn is None:
        return ""
    return str(turn) if impulse is None else f"{turn}.{impulse}"
