"""Fast damage allocation of scenario 4 (source 002): no dice, no chart."""

from __future__ import annotations

from referee.core.dice import Dice
from referee.core.errors import BadInput
from referee.core.events import BoxDestroyed, ShipDestroyed
from referee.core.ship import ShipClass
from referee.core.state import ShipState, live_boxes
from referee.core.volley import Choice, Chooser, Hit, VolleyOrder, VolleyResult
from referee.rulebooks.base import Rulebook, resolves
from referee.rulebooks.sfb.damage import (
    VolleyInProgress,
    apply_absorption,
    resolve_volley,
    result_of,
    the_rule,
)

WEAPONS = ("phaser", "torpedo", "drone", "other_weapon")
FAST_SUBJECTS = ("absorb", "fast point", "fast end", "choice")
WARP = ("left_warp", "right_warp", "center_warp")


def _live(volley: VolleyInProgress, systems: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(box for system in systems for box in live_boxes(volley.ship, volley.state, system))


def _inside(volley: VolleyInProgress) -> tuple[str, ...]:
    return tuple(system for system in volley.ship.systems if system != "bridge")


@resolves("FAST-1", "First point on a weapon", on="fast point")
def first_point(n: int, volley: VolleyInProgress) -> tuple[str, tuple[str, ...]]:
    """The first internal point of a volley costs a weapon, if one is left.

    Legal: a phaser for point 1. Illegal: a hull box for point 1 while a phaser is left.
    """
    return "weapon", _live(volley, WEAPONS) if n == 1 else ()


@resolves("FAST-2", "Second point on a warp engine", on="fast point")
def second_point(n: int, volley: VolleyInProgress) -> tuple[str, tuple[str, ...]]:
    """The second internal point costs a warp engine box, if one is left.

    Legal: left warp for point 2. Illegal: a laboratory for point 2 while warp is left.
    """
    return "warp", _live(volley, WARP) if n == 2 else ()


@resolves("FAST-3", "A robot keeps warp and weapons for last", on="fast point")
def robot_points(n: int, volley: VolleyInProgress) -> tuple[str, tuple[str, ...]]:
    """On a robot ship the further points spare warp engines and weapons while anything else is left,
    then cost warp before weapons (option `robot_ship`).

    Legal: hull for point 3. Illegal: a phaser for point 3 while hull is left.
    """
    if not volley.rulebook.allows("robot_ship"):
        return "any_internal", ()
    spared = tuple(system for system in _inside(volley) if system not in (*WARP, *WEAPONS))
    return "any_internal", _live(volley, spared) or _live(volley, WARP)


@resolves("FAST-4", "Further points anywhere inside", on="fast point")
def further_points(n: int, volley: VolleyInProgress) -> tuple[str, tuple[str, ...]]:
    """Every other point costs any internal box, the owner's choice, excess damage boxes included; not
    shield boxes, not drones in the racks, never the bridge.

    Legal: an excess damage box for point 3. Illegal: the bridge.
    """
    return "any_internal", _live(volley, _inside(volley))


@resolves("FAST-5", "Nothing left but the bridge", on="fast end")
def nothing_left(volley: VolleyInProgress) -> bool:
    """When no box is left but the bridge, one more point destroys the ship.

    Legal: destroyed by the point after the last box. Illegal: destroyed by the last box.
    """
    return not _live(volley, _inside(volley))


def resolve_fast(
    rulebook: Rulebook, ship: ShipClass, state: ShipState, order: VolleyOrder, chooser: Chooser
) -> VolleyResult:
    """One volley by fast damage allocation: points in order, no dice."""
    volley = VolleyInProgress(ship, state, order, rulebook)
    points = apply_absorption(volley)
    hits: list[Hit] = []
    for n in range(1, points + 1):
        if volley.state.dead:
            break
        hits.append(_score(n, volley, chooser))
    return result_of(volley, state, points, hits, chooser, FAST_SUBJECTS)


def _score(n: int, volley: VolleyInProgress, chooser: Chooser) -> Hit:
    if the_rule(volley.rulebook, "fast end")(volley):
        volley.record(ShipDestroyed("FAST-5"))
        return Hit(n, None, "", "excess", "", "", "nothing is left but the bridge: destroyed")
    offers = [(rule, *rule.decide(n, volley)) for rule in volley.rulebook.rules_on("fast point")]
    rule, result, boxes = next((offer for offer in offers if offer[2]), (None, "", ()))
    if rule is None:
        raise BadInput("no rule says where this point goes", hint="FAST-4 cannot be switched off")
    all_boxes = _live(volley, volley.ship.systems)
    refused = tuple((box, rule.key) for box in all_boxes if box not in boxes)
    choice = Choice(n, result, boxes, volley.ship, volley.state, refused, rule.key)
    box = the_rule(volley.rulebook, "choice")(choice, chooser)
    volley.record(BoxDestroyed(box))
    mount = volley.ship.mount(box)
    return Hit(n, None, rule.key, result, mount.system if mount else box.partition("/")[0], box)


def cadet_volley(
    rulebook: Rulebook, ship: ShipClass, state: ShipState, order: VolleyOrder, dice: Dice, chooser: Chooser
) -> VolleyResult:
    """A volley by the cadet chart, or by fast allocation with option `damage=fast`."""
    if rulebook.option("damage") == "fast":
        return resolve_fast(rulebook, ship, state, order, chooser)
    return resolve_volley(rulebook, ship, state, order, dice, chooser)
