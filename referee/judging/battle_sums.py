"""What adds up while a battle is read: who leads, how dice fell, and damage where only its marks are told."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

from referee.core.battle import DiceFell, FaceFell, Lead
from referee.core.fire_words import VolleyTaken
from referee.core.ship import ShipClass
from referee.core.state import ShipState, live_boxes
from referee.record.stats import stats_of

if TYPE_CHECKING:
    from referee.core.beside import DiceFallen
    from referee.core.positions import PlayedGame, UnitShown
    from referee.record.stats import DieStats

Stand = Sequence[tuple[str, str, ShipClass, ShipState]]
"""Ships as they are: each with its side, name, class, and what is left of it."""


# -- the lead ----------------------------------------------------------------------------


def note_lead(leads: list[Lead], stand: Stand, turn: int, impulse: int | None, place: str) -> None:
    """Adds who leads now, where it is somebody else than before."""
    lost = boxes_lost(stand)
    leader = leader_by(lost)
    if leader != (leads[-1].leader if leads else ""):
        leads.append(Lead(turn, impulse, leader, lost, place))


def boxes_lost(stand: Stand) -> tuple[tuple[str, int, int], ...]:
    """Of each side the boxes inside its shields that it has lost, and all it had. Where all ships are of one side, or of
    none, each is a side."""
    alone = len({side for side, *_ in stand if side}) < 2
    sides: dict[str, tuple[int, int]] = {}
    for side, name, known, state in stand:
        boxes = sum(len(known.box_ids(system)) for system in known.systems)
        live = 0 if state.dead else sum(len(live_boxes(known, state, system)) for system in known.systems)
        lost, had = sides.get(name if alone else side, (0, 0))
        sides[name if alone else side] = lost + boxes - live, had + boxes
    return tuple((side, lost, had) for side, (lost, had) in sides.items())


def leader_by(lost: Sequence[tuple[str, int, int]]) -> str:
    """The side that has lost the smallest share of its boxes; nobody where several have."""
    if len(lost) < 2 or not all(had for _, _, had in lost):
        return ""
    first, second = sorted(lost, key=lambda side: Fraction(side[1], side[2]))[:2]
    return "" if first[1] * second[2] == second[1] * first[2] else first[0]


# -- dice --------------------------------------------------------------------------------


def dice_told(stats: Sequence[DieStats], together: Sequence[DieStats]) -> tuple[DiceFell, ...]:
    """Dice by player, then those of all for each kind that several threw."""
    one_by_one = [_fell(each) for each in stats]
    several = {
        fell.sides for fell in one_by_one if sum(other.sides == fell.sides for other in one_by_one) > 1
    }
    return (*one_by_one, *(fell for fell in map(_fell, together) if fell.sides in several))


def _fell(stats: DieStats) -> DiceFell:
    expected = Fraction(stats.dice, stats.sides)
    faces = tuple(FaceFell(face.face, face.count, expected, face.low, face.high) for face in stats.faces)
    return DiceFell(stats.player, stats.sides, stats.dice, faces, stats.p, stats.exact, stats.mean)


def dice_of_counts(dice: Iterable[DiceFallen]) -> tuple[DiceFell, ...]:
    """The dice of a game whose faces are counted already, by player and in all."""
    each = {(fallen.who, len(fallen.counts), ""): fallen.counts for fallen in dice if any(fallen.counts)}
    together: dict[tuple[str, int, str], list[int]] = {}
    for (_, sides, _), counts in each.items():
        so_far = together.get(("", sides, ""), [0] * sides)
        together["", sides, ""] = [a + b for a, b in zip(so_far, counts, strict=True)]
    return dice_told(stats_of(each), stats_of(together))


# -- damage that is only marked ----------------------------------------------------------


def damage_marked(game: PlayedGame) -> tuple[tuple[VolleyTaken, ...], tuple[Lead, ...]]:
    """What the displays of ships show as lost, impulse by impulse, and how the lead went. Whose points they were, and
    what reinforcement took, marks do not tell; boxes that are marked whole again take nothing back."""
    before: dict[str, ShipState] = {}
    volleys: dict[tuple[int, int | None, str], VolleyTaken] = {}
    leads: list[Lead] = []
    for position in game.positions:
        changed = False
        for unit in position.units:
            known, state = game.classes.get(unit.name), unit.state
            then = before.get(unit.name)
            if known is None or state is None or state is then:
                continue
            before[unit.name] = state
            if then is None:
                continue
            key = (position.turn, position.impulse, unit.name)
            so_far = volleys.get(key) or VolleyTaken(*key, 0, position.place)
            if (now := _with_marks(so_far, known, then, state)) != so_far:
                volleys[key], changed = now, True
        if changed:
            note_lead(
                leads, _stand(game.classes, position.units), position.turn, position.impulse, position.place
            )
    return tuple(volleys.values()), tuple(leads)


def _stand(classes: Mapping[str, ShipClass], units: Iterable[UnitShown]) -> Stand:
    shown = [(unit, classes.get(unit.name)) for unit in units if unit.kind == "ship"]
    return [
        (unit.side, unit.name, known, unit.state)
        for unit, known in shown
        if known is not None and unit.state is not None
    ]


def _with_marks(so_far: VolleyTaken, known: ShipClass, then: ShipState, state: ShipState) -> VolleyTaken:
    """A ship's damage of an impulse with what was marked on it since."""
    hit = {
        n: was - state.shields.get(n, 0) for n, was in then.shields.items() if was > state.shields.get(n, 0)
    }
    gone = tuple(sorted(state.destroyed - then.destroyed))
    dead = state.dead and not then.dead
    if not hit and not gone and not dead:
        return so_far
    armor = set(known.box_ids("armor")) if "armor" in known.systems else set()
    shield = (
        so_far.shield
        if not hit
        else next(iter(hit))
        if len(hit) == 1 and so_far.shield in (None, *hit)
        else None
    )
    shielded, inside = sum(hit.values()), [box for box in gone if box not in armor]
    return replace(
        so_far,
        points=so_far.points + shielded + len(gone),
        shield=shield,
        shielded=so_far.shielded + shielded,
        shield_left=None if shield is None else state.shields.get(shield),
        armored=so_far.armored + len(gone) - len(inside),
        internals=so_far.internals + len(inside),
        boxes=(*so_far.boxes, *((box, None) for box in inside)),
        weapons=(*so_far.weapons, *(box for box in inside if known.mount(box) is not None)),
        destroyed=so_far.destroyed or dead,
    )
