"""What the standard game adds to damage allocation (source 001: D4.12, D4.31-D4.354)."""

from __future__ import annotations

from collections.abc import Iterator

from referee.core.arcs import bears
from referee.core.events import ArmorHit, ShuttleLost
from referee.core.finding import Finding, Severity
from referee.core.ship import TRACKS
from referee.core.state import hittable_boxes, live_boxes
from referee.rulebooks.base import check, resolves
from referee.rulebooks.sfb.commitments import VolleyShown
from referee.rulebooks.sfb.damage import Cell, Groups, VolleyInProgress


@resolves("B3.0-11/down", "Shields that are not paid for", on="absorb")
def unpaid_shields(points: int, volley: VolleyInProgress) -> int:
    """In a turn in which a ship pays nothing for its shields neither their boxes nor their reinforcement
    stop anything; armor does.

    Legal: 10 points on shield 1 of 30, unpaid: 10 internals. Illegal: taking boxes of shield 1.
    """
    volley.shields_work = volley.shields_work and not volley.state.shields_down
    return points


@check("B3.0-11/shown", "A volley and shields that were not paid for", on="volley shown")
def unpaid_shields_shown(volley: VolleyShown) -> Iterator[Finding]:
    """A volley rolled while its ship's form was sealed does not stand where shields stopped points of it and
    line 11, Shields, once it is shown, does not pay for shields: all points came through.

    Legal: 10 points on shield 1, and line 11 pays 2. Illegal: 10 points taken by shield 1, and line 11 pays
    nothing. Fix: take the volley back, or let a ruling put it right.
    """
    if not volley.shields_paid and any(volley.rolled):
        message = f"{sum(volley.rolled)} of its points were stopped, and line 11 Shields pays for none"
        yield volley.against(Severity.ERROR, message)


@resolves("D4.12", "Armor absorbs before the chart", on="absorb")
def armor_absorbs(points: int, volley: VolleyInProgress) -> int:
    """Points through any shield strike armor until it is gone; the rest go to the chart.

    Legal: a War Eagle's first five internals cost armor. Illegal: rolling for the first of them.
    """
    boxes = live_boxes(volley.ship, volley.state, "armor")[:points]
    if boxes:
        volley.record(ArmorHit(boxes))
    return points - len(boxes)


@resolves("D4.31", "A bold result once a volley", on="cell")
def bold_once_per_volley(cell: Cell, volley: VolleyInProgress) -> bool:
    """A result printed bold is scored once in a volley; again, the next column takes the point. It is
    the place on the chart that is used up, not the system.

    Legal: rolls 10 and 4 both hit phasers. Illegal: three rolls of 12 all hit auxiliary control.
    """
    return not (cell.once and cell.name in volley.used_cells)


@resolves("D4.321", "Phaser hits by direction", on="boxes")
def phaser_that_bears(boxes: tuple[str, ...], cell: Cell, volley: VolleyInProgress) -> tuple[str, ...]:
    """A phaser result costs a phaser that can fire toward where the volley came from; if none can, the
    next column takes the point. Results of any weapon, and other weapons, do not ask for direction.

    Where the direction is not known every phaser may be hit.
    Legal: a Federation cruiser struck from hex row B loses a forward or right phaser. Illegal: a left one.
    """
    toward = volley.direction()
    if cell.entry != "phaser" or toward is None:
        return boxes
    mounts = (volley.ship.mount(box) for box in boxes)
    return tuple(mount.id for mount in mounts if mount and bears(mount.arc, toward))


@resolves("D4.322", "Every third hit on the better weapon", on="boxes")
def third_hit_on_the_better(boxes: tuple[str, ...], cell: Cell, volley: VolleyInProgress) -> tuple[str, ...]:
    """On a ship with several types of a weapon every third hit of a volley on it costs one of the more
    powerful type that may be hit.

    The source names four ships; the rule is applied to any ship with two types of phaser.
    Type G is ranked above type 2: our reading. All hits of the volley on the weapon count.
    Legal: KR, third phaser hit on a phaser-1. Illegal: third phaser hit on a phaser-2.
    """
    weapons = volley.rulebook.table("weapons")["weapons"]
    mounts = [mount for box in boxes if (mount := volley.ship.mount(box))]
    kept = set(boxes)
    for system in {mount.system for mount in mounts}:
        if volley.weapon_hits.get(system, 0) % 3 != 2:
            continue
        alike = [mount for mount in mounts if mount.system == system]
        best = min(weapons[mount.type].get("power_rank", 0) for mount in alike)
        kept -= {mount.id for mount in alike if weapons[mount.type].get("power_rank", 0) != best}
    return tuple(box for box in boxes if box in kept)


@resolves("D4.324", "Any weapon may be a shuttle", on="boxes")
def shuttle_as_weapon(boxes: tuple[str, ...], cell: Cell, volley: VolleyInProgress) -> tuple[str, ...]:
    """A result of any weapon may be taken on a phaser, drone or torpedo, or by choice on a shuttle box
    with a shuttle in it.

    It is taken on a shuttle only if a weapon could have been hit too: with no weapon left the next
    column takes the point. Legal: the owner gives an occupied shuttle box. Illegal: an empty one.
    """
    if cell.entry != "any_weapon" or not boxes:
        return boxes
    shuttles = live_boxes(volley.ship, volley.state, "shuttle")
    return (*boxes, *(box for box in shuttles if box not in volley.state.shuttles_away))


@resolves("D4.323", "Torpedo results", on="entry")
def torpedo_results(groups: Groups, cell: Cell, volley: VolleyInProgress) -> Groups:
    """A torpedo result costs a photon, disruptor or plasma box.

    Other heavy weapons (fusion, PPD, ESG) may be meant too: option `other_weapons`, provisional.
    Legal: a Klingon loses a disruptor. Illegal: it loses a drone rack.
    """
    return cell.under("D4.323", groups, volley)


@resolves("D4.324/entry", "Any weapon results", on="entry")
def any_weapon_results(groups: Groups, cell: Cell, volley: VolleyInProgress) -> Groups:
    """A result of any weapon costs a phaser, whatever its direction, a drone rack or a torpedo.

    Legal: a rear phaser for a hit from ahead. Illegal: a laboratory.
    """
    return cell.under("D4.324", groups, volley)


@resolves("D4.325", "A shuttle dies with its box", on="marked")
def shuttle_in_the_box(box: str, volley: VolleyInProgress) -> str:
    """A shuttle result may be scored on any shuttle box, the owner's choice; a shuttle inside is lost.

    Legal: giving an empty box and keeping the shuttle. Illegal: keeping a shuttle whose box is hit.
    """
    if not box.startswith("shuttle/") or box in volley.state.shuttles_away:
        return ""
    volley.record(ShuttleLost(box))
    return "the shuttle inside is lost"


@resolves("D4.33", "Tracks lose their best box, never the last", on="boxes")
def track_boxes(boxes: tuple[str, ...], cell: Cell, volley: VolleyInProgress) -> tuple[str, ...]:
    """Boxes of the sensor, scanner, damage control and excess tracks go in order from the best; the
    last box of the first three is never lost.

    Legal: a sensor hit on 6 6 5 3 1 0 takes a 6. Illegal: taking the 0.
    """
    systems = {box.partition("/")[0] for box in boxes} & {*TRACKS, "excess"}
    allowed = {box for system in systems for box in hittable_boxes(volley.ship, volley.state, system)}
    return tuple(box for box in boxes if box.partition("/")[0] not in systems or box in allowed)


@resolves("D4.351", "Hull hits by group", on="entry")
def hull_groups(groups: Groups, cell: Cell, volley: VolleyInProgress) -> Groups:
    """A forward hull result costs forward hull, an aft one aft hull; neither takes the other's.
    Center hull takes both: at once on a ship that has nothing else, else when the group named is gone.

    Legal: a War Eagle's center hull takes a forward hit. Illegal: aft hull for a forward hit.
    """
    return cell.under("D4.351", groups, volley)


@resolves("D4.352", "Engines are not exchanged", on="entry")
def engines_by_side(groups: Groups, cell: Cell, volley: VolleyInProgress) -> Groups:
    """A left, right or center warp result costs that engine and no other.

    Legal: left warp for 9A. Illegal: right warp for 9A because the left is gone.
    """
    return cell.under("D4.352", groups, volley)


@resolves("D4.353", "Bridge, emergency bridge and auxiliary control", on="entry")
def control_spaces(groups: Groups, cell: Cell, volley: VolleyInProgress) -> Groups:
    """The bridge can be destroyed; emergency bridge and auxiliary control are hit by entries of their own.

    Legal: roll 2 marks a bridge box. Illegal: auxiliary control for a bridge result.
    """
    return cell.under("D4.353", groups, volley)


@resolves("D4.354", "Flag bridge and security", on="entry")
def flag_bridge(groups: Groups, cell: Cell, volley: VolleyInProgress) -> Groups:
    """A flag bridge result costs a flag bridge box, or a security station on a Klingon; other ships
    pass it on to the next column.

    Legal: a D7 loses a security station. Illegal: a Federation cruiser loses its bridge for it.
    """
    return cell.under("D4.354", groups, volley)
