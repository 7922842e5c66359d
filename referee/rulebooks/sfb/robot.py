"""The Robot Opponent (source 002): its nine instructions, each a function under its number.

Every function looks at the facts of one moment. Those on "robot move" and "robot fire" decide, or leave
it to the next; those on "robot speed", "robot course" and "robot weapons" change what comes out.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from referee.core.arcs import bears
from referee.core.combat import moves_to_reach
from referee.core.gameorders import after
from referee.core.hexgrid import relative_offset
from referee.core.naming import how_many
from referee.core.orders import Way
from referee.core.robot import Decision
from referee.core.ship import Mount
from referee.rulebooks.base import resolves
from referee.rulebooks.sfb.robot_facts import RobotFacts, on_map

SIDES: dict[Way, tuple[int, ...]] = {"left": (5, 6), "right": (2, 3)}
"""The shields on either side of a ship; those ahead and astern are on neither."""
TURNS: tuple[Way, ...] = ("left", "right")

# -- speed -------------------------------------------------------------------------------


@resolves("ROBOT-1", "Speed 12, and every weapon every turn", on="robot speed")
def speed_of_a_robot(speed: Any, facts: RobotFacts) -> Any:
    """A robot moves at 12 in every turn; at 8 where the game is played on 8 impulses with the earlier
    rules. It tries to fire every weapon every turn, and keeps to the quarter turn between two shots of a
    weapon (E1.5).

    Read so: it grows no faster than any ship may (B3.0-14). Legal: 12 on 16 impulses. Illegal: 13.
    """
    speeds = facts.table["speed"]
    wanted = int(speeds["by_impulses"].get(str(facts.situation.impulses), speeds["value"]))
    before = facts.situation.robot.unit.previous_speed
    return wanted if before is None else min(wanted, facts.movement.fastest_after(before))


# -- moving ------------------------------------------------------------------------------


@resolves("ROBOT-2", "It follows its target", on="robot move")
def follow(facts: RobotFacts) -> Decision | None:
    """Until the Primary Fire Point of the turn a robot follows its target as a seeking weapon does, as far
    as its turn mode lets it: it moves so that the fewest hexes are left to go.

    Read so: of ways as short it goes straight ahead; between left and right a coin is tossed; of several
    targets it follows the nearest. Legal: turning towards a target to the left. Illegal: going on past it.
    """
    if facts.situation.memory.primary is not None or facts.target is None:
        return None
    goal = facts.target.unit.hex
    assert goal is not None
    to_go = {
        way: moves_to_reach(relative_offset(*after(facts.hex, facts.facing, way), goal)) for way in facts.ways
    }
    if not to_go:
        return None
    best = [way for way, hexes in to_go.items() if hexes == min(to_go.values())]
    way, coin = (best[0], None) if len(best) == 1 or best[0] == "ahead" else _tossed(best, facts)
    gained = ", ".join(f"{hexes} more if {way}" for way, hexes in to_go.items())
    mode = "" if len(facts.legal_ways) > 1 else f"; turn mode {facts.need} not met, {facts.count} straight"
    why = f"follows {facts.aimed_at}, {how_many(str(facts.range), 'hex', 'hexes')} off: {gained}{mode}"
    return Decision(facts.name, "", why, way=way, target=facts.aimed_at, coin=coin)


@resolves("ROBOT-3", "It turns what is unfired towards its target", on="robot move")
def turn_to_fire(facts: RobotFacts) -> Decision | None:
    """After the Primary Fire Point a robot with unfired weapons turns, as soon as its turn mode allows, to
    the side on which more of them come to bear; where as many do on both, to the side with the most shield
    left; where that is equal too, a coin is tossed. It keeps to the side until it has fired again.

    Read so: a weapon comes to bear on the side on which fewer turns of 60 degrees are needed, the target
    staying where it is; one that takes as many either way counts for both, one that bears already for
    neither. The shields of a side are #5 and #6, or #2 and #3: by option `robot_shields` their boxes left, or
    how many are whole. Legal: left, when a weapon of the right side is unfired and the target is to
    the left. Illegal: turning with nothing left to fire.
    """
    if facts.situation.memory.primary is None or facts.target is None or not facts.unfired:
        return None
    gains = dict.fromkeys(TURNS, 0)
    for mount in facts.unfired:
        needed = {side: _turns_to_bear(mount, side, facts) for side in TURNS}
        for side in TURNS:
            gains[side] += 0 < needed[side] == min(needed.values())
    if not any(gains.values()):
        return None
    bearing = f"unfired weapons that come to bear: {gains['left']} by left, {gains['right']} by right"
    begun = facts.situation.memory.turned
    side, coin, how = (begun, None, "as begun") if begun else _chosen_side(gains, facts)
    why = f"{bearing}; {side}, {how}"
    if side not in facts.ways:
        if not facts.ways:
            return None
        way: Way = "ahead" if "ahead" in facts.ways else facts.ways[0]
        met = side in facts.legal_ways
        held = "the map" if met else f"turn mode {facts.need}, {facts.count} straight"
        return Decision(facts.name, "", f"{why}; {held}: {way} for now", way=way, coin=coin)
    return Decision(facts.name, "", why, way=side, target=facts.aimed_at, coin=coin)


def _turns_to_bear(mount: Mount, side: Way, facts: RobotFacts) -> int:
    """Turns of 60 degrees to a side until a weapon bears; 0 if it does, or if it never will."""
    offset = facts.offset
    assert offset is not None
    clockwise = 1 if side == "left" else -1
    return next((n for n in range(6) if bears(mount.arc, offset.turned(clockwise * n))), 0)


def _chosen_side(gains: dict[Way, int], facts: RobotFacts) -> tuple[Way, int | None, str]:
    if gains["left"] != gains["right"]:
        return max(TURNS, key=lambda side: gains[side]), None, "where there are more"
    shields = {side: _shield_left(side, facts) for side in TURNS}
    if shields["left"] != shields["right"]:
        reason = f"with more shield ({shields['left']} left, {shields['right']} right)"
        return max(TURNS, key=lambda side: shields[side]), None, reason
    side, coin = _tossed(list(TURNS), facts)
    return side, coin, f"by a coin ({coin})"


def _shield_left(side: Way, facts: RobotFacts) -> int:
    robot = facts.situation.robot
    if facts.rulebook.option("robot_shields") == "whole":
        return sum(robot.state.shields.get(n, 0) == robot.ship.shields.get(n) for n in SIDES[side])
    return sum(robot.state.shields.get(n, 0) for n in SIDES[side])


def _tossed(ways: list[Way], facts: RobotFacts) -> tuple[Way, int]:
    coin = facts.toss()
    return ways[coin - 1], coin


@resolves("ROBOT-3/map", "It stays on the map", on="robot course")
def stay_on_map(ways: tuple[Way, ...], facts: RobotFacts) -> tuple[Way, ...]:
    """Whatever its other orders, a robot does not leave the map, and takes no course that would carry it off
    the map before it can turn again.

    Legal: turning early, an edge ahead. Illegal: a turn towards an edge that is nearer than the turn mode.
    """
    return tuple(way for way in ways if facts.stays_on_map(way))


@resolves("ROBOT-4", "Nothing left to fire: straight on", on="robot move")
def straight_on(facts: RobotFacts) -> Decision | None:
    """A robot that has no unfired weapon left, or none that a turn would bring to bear, moves straight on
    until the end of the turn, as far as the map lets it (4A).

    Legal: ahead to impulse 16. Illegal: a turn towards the target with nothing to fire.
    """
    left = ", ".join(mount.id for mount in facts.unfired)
    why = f"no turn brings {left} to bear sooner" if left else "nothing is left to fire in this turn"
    why = why if facts.target else "there is no target"
    if "ahead" in facts.ways:
        return Decision(facts.name, "", f"{why}: straight on", way="ahead")
    if facts.ways:
        return Decision(facts.name, "", f"{why}; straight on leaves the map", way=facts.ways[0])
    edge = facts.situation.within
    lasts = (way for way in facts.legal_ways if on_map(after(facts.hex, facts.facing, way)[0], edge))
    way: Way = next(lasts, "ahead")
    return Decision(facts.name, "", f"{why}; no way keeps it on the map for good", way=way)


# -- firing ------------------------------------------------------------------------------


@resolves("ROBOT-2/point", "Primary Fire Point", on="robot point")
def primary_fire_point(facts: RobotFacts) -> bool:
    """The first impulse of a turn on which a robot is within four hexes of its target is its Primary Fire
    Point, and should come once every turn.

    Read so: it is passed even where nothing bears. Legal: range 4. Illegal: range 5; a second one in a turn.
    """
    within = int(facts.table["primary_range"]["value"])
    return facts.situation.memory.primary is None and facts.range is not None and facts.range <= within


@resolves("ROBOT-2/fire", "Fire at the Primary Fire Point", on="robot fire")
def primary_fire(facts: RobotFacts) -> Decision | None:
    """At its Primary Fire Point a robot fires every weapon that bears. Where the turn has none, it fires on
    the last impulse whatever bears.

    Read so: what bears is what the rules of fire allow, so that a weapon out of its reach is kept, and one
    that fired less than a quarter of a turn ago is left for a Secondary Fire Point; of two shields on the
    line of fire the weaker is struck; in its target's hex, that towards the hex it came from.
    Legal: all phasers in arc at range 4. Illegal: holding one back, or firing at range 5 before the last
    impulse.
    """
    if facts.at_point:
        within = facts.table["primary_range"]["value"]
        reason = f"{how_many(str(facts.range), 'hex', 'hexes')} from {facts.aimed_at}, within {within}: Primary Fire Point"
        return _volley(facts, reason, primary=True)
    if facts.last_impulse and facts.situation.memory.primary is None and facts.range is not None:
        return _volley(
            facts, f"last impulse, {how_many(str(facts.range), 'hex', 'hexes')} from {facts.aimed_at}"
        )
    return None


@resolves("ROBOT-3/edge", "A target that must leave the map", on="robot fire")
def target_forced_off(facts: RobotFacts) -> Decision | None:
    """Whatever its other orders, a robot fires all it can at a target in a hex at the edge of the map that must
    leave it on the next impulse.

    Legal: all fire at a ship in 2801 facing A that is called next. Illegal: waiting for range 4.
    """
    target = facts.target
    if target is None or facts.last_impulse:
        return None
    movement, unit = facts.movement, target.unit
    need = movement.turn_mode(target.ship, unit.speed)
    called = movement.called(unit, facts.situation.impulse + 1)
    if not called or need is None or unit.hex is None or unit.facing is None:
        return None
    ways: tuple[Way, ...] = (
        ("ahead", *TURNS) if movement.count(target.ship, unit).hexes >= need else ("ahead",)
    )
    if any(on_map(after(unit.hex, unit.facing, way)[0], facts.situation.within) for way in ways):
        return None
    return _volley(
        facts, f"{target.name} in {unit.hex} must leave the map on impulse {facts.situation.impulse + 1}"
    )


@resolves("ROBOT-3/fire", "Secondary Fire Points", on="robot fire")
def secondary_fire(facts: RobotFacts) -> Decision | None:
    """After the Primary Fire Point a robot fires every unfired weapon as soon as it bears.

    Legal: a side phaser on the impulse it comes to bear. Illegal: keeping it for a better shot.
    """
    if facts.situation.memory.primary is None or not facts.bearing:
        return None
    return _volley(facts, f"unfired, and bears on {facts.aimed_at} at {facts.range}")


@resolves("ROBOT-4/end", "What does not fire", on="robot fire")
def not_fired(facts: RobotFacts) -> Decision:
    """What has no fire point yet, or does not bear, waits; when the turn ends with weapons unfired, they do not
    fire (4B).

    Legal: nothing. Illegal: fire out of arc, or after the last impulse.
    """
    if facts.target is None:
        return Decision(facts.name, "", "there is no target")
    if facts.situation.memory.primary is None and not facts.last_impulse:
        within = facts.table["primary_range"]["value"]
        reason = f"{how_many(str(facts.range), 'hex', 'hexes')} from {facts.aimed_at}: fires within {within}, or on the last impulse"
        return Decision(facts.name, "", reason)
    left = ", ".join(mount.id for mount in facts.unfired)
    if not left:
        why = "nothing is left to fire in this turn"
    elif facts.last_impulse:
        why = f"the turn ends; unfired: {left}"
    else:
        why = f"unfired, and does not bear: {left}"
    return Decision(facts.name, "", why)


def _volley(facts: RobotFacts, reason: str, primary: bool = False) -> Decision | None:
    """All that bears; a Primary Fire Point is one even where nothing does."""
    if not facts.bearing and not primary:
        return None
    fired = f"fires {', '.join(facts.bearing)}" if facts.bearing else "nothing bears"
    on = facts.struck if facts.bearing else None
    corner = "" if on is None else f" on shield #{on}"
    return Decision(
        facts.name,
        "",
        f"{reason}; {fired}{corner}",
        fire=facts.bearing,
        target=facts.aimed_at,
        shield=on,
        primary=primary,
    )


# -- launching ---------------------------------------------------------------------------


@resolves("ROBOT-5", "A drone as each turn begins", on="robot launch")
def launch_drone(facts: RobotFacts) -> Decision | None:
    """A robot with drones left launches one of them at its target on the first impulse of every turn.

    Read so: from the first rack on the SSD that works and has one. Legal: impulse 1. Illegal: impulse 2, or
    two.
    """
    if facts.situation.impulse != 1 or facts.target is None:
        return None
    gone = facts.situation.memory.launched
    racks = [
        mount for mount in facts.situation.robot.ship.mounts if facts.weapons[mount.type]["system"] == "drone"
    ]
    if sum(facts.fired_this_turn(mount) for mount in racks) >= facts.table["drones_a_turn"]["value"]:
        return None
    for mount in racks:
        left = facts.weapons[mount.type]["rack_capacity"] - gone.get(mount.id, 0)
        if left > 0 and facts.allowed("launch", facts.shot(mount)):
            why = f"first impulse of turn {facts.situation.turn}: a drone at {facts.aimed_at}, {left - 1} left in {mount.id}"
            return Decision(facts.name, "", why, launch=mount.id, target=facts.aimed_at)
    return None


@resolves("ROBOT-8", "Plasma torpedo A every third turn", on="robot launch")
def launch_plasma(facts: RobotFacts) -> Decision | None:
    """A robot with plasma torpedoes, as the Romulan KR, launches torpedo A on the first impulse on which its
    target is in the tube's arc in turns 1, 4, 7 and so on.

    Read so: its other tubes are not launched; a turn in which the target never is in arc is lost.
    Legal: turn 4. Illegal: turn 2, or torpedo B.
    """
    plasma = facts.table["plasma"]
    if (facts.situation.turn - plasma["first_turn"]) % plasma["every_turns"] or facts.target is None:
        return None
    for mount in facts.situation.robot.ship.mounts:
        weapon = facts.weapons[mount.type]
        if not weapon.get("seeking") or weapon["system"] != "torpedo" or mount.mark != plasma["mark"]:
            continue
        if not facts.fired_this_turn(mount) and facts.allowed("launch", facts.shot(mount)):
            why = f"turn {facts.situation.turn}, and {facts.aimed_at} is in the arc of {mount.id}"
            return Decision(facts.name, "", why, launch=mount.id, target=facts.aimed_at)
    return None


# -- what is unfired ---------------------------------------------------------------------


@resolves("ROBOT-6", "Weapons reloaded each turn", on="robot weapons")
def reloaded(mounts: tuple[Mount, ...], facts: RobotFacts) -> tuple[Mount, ...]:
    """At the end of each turn all weapons of a robot but drones are reloaded: in a turn each that works and
    has not fired in it is unfired. Seeking weapons are not fired (ROBOT-5, ROBOT-8), and what no firing
    table covers, as an ESG, a robot leaves alone.

    Legal: a disruptor in turns 1 and 2. Illegal: a disruptor twice in a turn.
    """
    fired, turn = facts.situation.memory.fired, facts.situation.turn
    return tuple(
        mount
        for mount in mounts
        if not facts.weapons[mount.type].get("seeking")
        and ("bands" in facts.weapons[mount.type] or "uses_table" in facts.weapons[mount.type])
        and mount.id not in facts.destroyed
        and not (mount.id in fired and fired[mount.id].turn == turn)
    )


@resolves("ROBOT-7", "One photon a turn", on="robot weapons")
def photons_in_turn(mounts: tuple[Mount, ...], facts: RobotFacts) -> tuple[Mount, ...]:
    """A robot with photon torpedoes, as the Federation cruiser, fires one of them each turn and no more, for a
    photon takes two turns to arm.

    Read so: the first tube on the SSD that did not fire in the turn before; one begins armed.
    Legal: PHOT/A in turn 1, PHOT/B in turn 2. Illegal: both in turn 1.
    """
    tubes = [mount for mount in facts.situation.robot.ship.mounts if mount.type == "photon"]
    if not tubes:
        return mounts
    photons = facts.table["photons_a_turn"]
    allowed = Fraction(photons["value"])
    for rule in facts.rulebook.rules_on("robot photons"):
        allowed = rule.decide(allowed, tubes, facts)
    left = int(allowed) - sum(facts.fired_this_turn(mount) for mount in tubes)
    turns = photons["turns_to_arm"]
    armed = [mount.id for mount in mounts if mount.type == "photon" and _armed(mount, turns, facts)]
    chosen = armed[: max(left, 0)]
    return tuple(mount for mount in mounts if mount.type != "photon" or mount.id in chosen)


def _armed(mount: Mount, turns: int, facts: RobotFacts) -> bool:
    last = facts.situation.memory.fired.get(mount.id)
    return last is None or facts.situation.turn - last.turn >= turns
