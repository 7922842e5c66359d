"""Seeking weapons: launched, guided, moved, striking (F2.0, FD, D6.13)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from referee.core.combat import (
    NOT_KNOWN,
    Guidance,
    Moment,
    Seeker,
    SeekerMove,
    ShotResult,
    Unit,
    soonest_turns,
)
from referee.core.finding import Finding, NotChecked, Severity
from referee.core.frozen import frozen
from referee.core.hexgrid import FACINGS, Hex, Offset, relative_offset, struck_shields, true_range
from referee.core.naming import how_many
from referee.core.ship import ShipClass
from referee.rulebooks.base import Rulebook, check, resolves
from referee.rulebooks.sfb.direct_fire import DeclaredShots, energy_held, half_armed
from referee.rulebooks.sfb.sensors import Aim, Findings, no_form

SEEKER_STEP = "resolve seekers"

# -- launching ---------------------------------------------------------------------------


@check("E1.0/launch", "A destroyed rack or tube launches nothing", on="launch")
def launcher_works(aim: Aim) -> Findings:
    """A rack or tube that was destroyed in an earlier step launches no more.

    Legal: a drone from DRN/2 when DRN/1 is destroyed. Illegal: one from DRN/1.
    """
    state = aim.shot.firer.state
    if state and (state.dead or aim.shot.weapon in state.destroyed):
        yield aim.error(f"{aim.shot.weapon} is destroyed", fix="launch from another")


@check("FP1.2/launch", "Only what is armed is launched", on="launch")
def launched_armed(aim: Aim) -> Findings:
    """A plasma torpedo leaves its tube only when all turns of its arming are paid, and then the tube is
    empty; drones need no energy.

    Legal: a torpedo paid for on three consecutive turns. Illegal: one paid for on two; two from one tube in a
    turn. Fix: arm it first.
    """
    if not aim.seeking or not aim.weapon.get("arming"):
        return
    if _launched_before(aim):
        yield aim.error(f"{aim.shot.weapon} has launched this turn already", fix="arm it again first")
    energy = energy_held(aim.shot, aim.rulebook)
    if energy == "partly":
        yield half_armed(aim)
    elif energy == "unpaid":
        yield aim.error("its arming was not paid", expected="paid", found="unpaid", fix="arm it first")
    elif energy == NOT_KNOWN:
        yield aim.unknown(f"whether it is armed is not known: {no_form(aim)}")


def _launched_before(aim: Aim) -> bool:
    """Was something launched from the same rack or tube before, earlier in the turn or in the step?"""
    key = aim.shot.firer.name, aim.shot.weapon
    of_this = (shot for shot in aim.step.shots if (shot.firer.name, shot.weapon) == key)
    return key in aim.step.launched or next(of_this) is not aim.shot


@check("D1.3", "Direct-fire weapons are fired, seeking weapons launched", on="shot", passes="plain")
def fired_not_launched(aim: Aim) -> Findings:
    """Phasers, disruptors and photons are fired and take effect at once. Drones, plasma torpedoes and
    suicide shuttles are launched, and move.

    Legal: fire PHOT/A. Illegal: fire DRN/1. Fix: launch it.
    """
    if aim.launched:
        yield aim.error(f"{aim.weapon['name']} is not fired", fix="launch it in the launch step")


@check("D1.3/launch", "Seeking weapons are launched", on="launch")
def launched_not_fired(aim: Aim) -> Findings:
    """Only seeking weapons and shuttles are launched; the others are fired.

    Legal: launch DRN/1. Illegal: launch PH-1/A. Fix: fire it.
    """
    if not aim.launched:
        yield aim.error(f"{aim.shot.type} is not launched", fix="fire it in the fire step")


def _is_drone(step: DeclaredShots, ship: ShipClass | None, mark: str) -> bool:
    """Is what was fired or launched under a mark a drone, or nothing that its ship's card names?"""
    mount = ship.mount(mark) if ship else None
    weapons = step.rulebook.table("weapons")["weapons"]
    return mount is None or weapons[mount.type].get("system") == "drone"


@check("FD4.21", "Drones launched a turn", on="launch step")
def drones_launched(step: DeclaredShots) -> Findings:
    """A Klingon D7 launches one drone a turn, from whichever rack; Kzinti and Orion ships launch one a turn
    from each rack. A ship that the rule does not name launches one from each. What else it fired or
    launched does not count.

    Legal: a Kzinti cruiser, one from DRN/1 and one from DRN/2. Illegal: a D7, the same.
    """
    launched = list(step.declaration.launched)
    per_rack = int(step.rulebook.table("combat")["drone_launch"]["per_rack_per_turn"])
    for aim in step.aims:
        ship, name, rack = aim.shot.firer.ship, aim.shot.firer.name, aim.shot.weapon
        if aim.weapon.get("system") != "drone":
            continue
        limits: Mapping[str, int] = ship.limits if ship else {}
        by_ship = sum(who == name and _is_drone(step, ship, mark) for who, mark in launched)
        by_rack = sum(entry == (name, rack) for entry in launched)
        launched.append((name, rack))
        most, mine, what = limits.get("drones_per_rack_per_turn", per_rack), by_rack, "rack"
        if "drones_per_turn" in limits:
            most, mine, what = limits["drones_per_turn"], by_ship, "ship"
        if mine >= most:
            yield aim.error(
                f"more than {most} drone{'s' * (most != 1)} a {what} this turn"
                + _counted(step, aim, name, rack if what == "rack" else ""),
                expected=f"≤ {most}",
                found=str(mine + 1),
                fix="launch it next turn",
            )


def _counted(step: DeclaredShots, aim: Aim, ship: str, rack: str) -> str:
    """What to say where drones that count were launched against a rule themselves."""
    launches = [
        f"{foul.weapon} in impulse {foul.moment.impulse}, itself against {foul.rule}"
        for foul in step.declaration.fouled
        if foul.ship == ship and rack in ("", foul.weapon) and foul.moment.turn == aim.shot.turn
    ]
    return f" (counted too: {'; '.join(launches)})" if launches else ""


# -- guiding -----------------------------------------------------------------------------


def _against(guidance: Guidance, message: str, expected: str, found: str, fix: str) -> Finding:
    return Finding(
        key="",
        severity=Severity.ERROR,
        message=message,
        subject=guidance.ship,
        turn=guidance.turn,
        expected=expected,
        found=found,
        fix=fix,
    )


def _drones(guidance: Guidance) -> int:
    return sum(seeker.type == "drone" for seeker in guidance.seekers)


@check("D6.131", "Lock-on is tried while drones are out", on="guidance")
def must_try_lock_on(guidance: Guidance) -> Findings:
    """A ship tries for lock-on every turn that its drones are on the map; if it fails, they are removed.

    Legal: rolled, with two drones out. Illegal: no attempt with a drone out. Fix: roll, or remove it.
    """
    if not _drones(guidance):
        return
    if guidance.attempted is None:
        yield NotChecked("", "whether lock-on was tried is not known", guidance.ship)
    elif not guidance.attempted:
        yield _against(
            guidance, "lock-on was not tried", "an attempt", "none", "roll, or take its drones off"
        )


@check("D6.132", "Drones controlled by sensors", on="guidance")
def drones_controlled(guidance: Guidance) -> Findings:
    """A ship controls at most as many drones as its sensor rating, usually six.

    Legal: six drones with rating 6. Illegal: six drones with rating 5. Fix: release one.
    """
    out = _drones(guidance)
    if guidance.rating is None:
        if out:
            yield NotChecked("", "the sensor track of this ship is not known", guidance.ship)
    elif out > guidance.rating:
        yield _against(
            guidance,
            f"{how_many(out, 'drone')} controlled with a sensor rating of {guidance.rating}",
            f"≤ {guidance.rating}",
            str(out),
            "release the drones in excess",
        )


@resolves("D4.41", "Drones die with the ship that guides them", on="ship lost")
def seekers_of_destroyed_ship(
    lost: tuple[Seeker, ...], seekers: tuple[Seeker, ...], ship: str
) -> tuple[Seeker, ...]:
    """A ship that is destroyed leaves the map at once, and the drones it guided with it.

    Legal: its drones removed. Illegal: its drones flying on.
    """
    return (*lost, *(seeker for seeker in seekers if seeker.owner == ship))


@resolves("D4.42", "Plasma torpedoes fly on", on="ship lost")
def plasma_flies_on(lost: tuple[Seeker, ...], seekers: tuple[Seeker, ...], ship: str) -> tuple[Seeker, ...]:
    """A plasma torpedo guides itself, and goes on when the ship that launched it is destroyed.

    Legal: the torpedo strikes three impulses later. Illegal: taking it off the map.
    """
    return tuple(seeker for seeker in lost if not seeker.type.startswith("plasma"))


# -- moving ------------------------------------------------------------------------------


def _weapon(rulebook: Rulebook, seeker: Seeker) -> Mapping[str, Any]:
    entry: Mapping[str, Any] = rulebook.table("weapons")["weapons"][seeker.type]
    return entry


def _edition(rulebook: Rulebook, weapon: Mapping[str, Any]) -> Mapping[str, Any]:
    """The part of a weapon's entry that is for the game in force (a cadet or a standard drone)."""
    found = (
        weapon[edition.rpartition("-")[2]]
        for edition in rulebook.chain
        if edition.rpartition("-")[2] in weapon
    )
    return next(found, weapon)


@resolves("F2.0/speed", "Speed of seekers", on="seeker speed")
def seeker_speed(seeker: Seeker, impulses: int, rulebook: Rulebook) -> int:
    """Drones and plasma torpedoes move as fast as the chart goes, a hex on each impulse, unless the set-up of a
    scenario gives them another speed.

    Legal: speed 16 in a turn of 16 impulses. Illegal: speed 8 there.
    """
    if seeker.speed is not None:
        return seeker.speed
    own = _edition(rulebook, _weapon(rulebook, seeker)).get("speed_by_impulses", {}).get(str(impulses))
    return int(own or rulebook.table("movement")["seeker_speed"][str(impulses)]["value"])


@resolves("F2.0/course", "A seeker follows its target", on="seeker course")
def seeker_course(seeker: Seeker, target: Hex | None, rulebook: Rulebook) -> tuple[tuple[Hex, str], ...]:
    """A seeker moves one hex at a time, ahead or after a turn of 60 degrees as its turn mode of 1 allows,
    on one of the shortest ways it can take to where its target is now. Where several are as short, its
    owner picks. A drone that goes after nothing flies straight ahead.

    Legal: turning toward a target to the right. Illegal: going straight on past it.
    """
    if target is None:
        return _after(seeker, (0,))
    offset = relative_offset(seeker.hex, seeker.facing, target)
    return _after(seeker, seeker_turns(rulebook, seeker.type, seeker.straight, offset))


def seeker_turns(rulebook: Rulebook, type: str, straight: int, offset: Offset) -> tuple[int, ...]:
    """The turns, by sixths clockwise, that may come before a seeker's next hex; `offset` is where it sees its target."""
    return soonest_turns(offset, straight >= _turn_mode(rulebook, type))


def _turn_mode(rulebook: Rulebook, type: str) -> int:
    return int(rulebook.table("weapons")["weapons"][type].get("turn_mode", 1))


def _after(seeker: Seeker, turns: Iterable[int]) -> tuple[tuple[Hex, str], ...]:
    """Where a seeker is a hex farther and how it faces, after turns by sixths of a circle."""
    ahead = FACINGS.index(seeker.facing)
    facings = [FACINGS[(ahead + turn) % len(FACINGS)] for turn in turns]
    return tuple([(seeker.hex.step(facing), facing) for facing in facings])


@resolves("F2.0/reached", "Where its target is a seeker moves no more", on="seeker reached")
def seeker_reached(seeker: Seeker, target: Hex | None) -> bool:
    """A seeker that is in the hex of its target has reached it, whichever of the two entered the hex of the
    other and whether it has moved yet or not: it moves no farther, and strikes when seekers do. (No
    source says what happens when a ship flies into a seeker. This referee does not let a ship pass
    through one, not even before the seeker's first hex. A seeker launched at a target in its launcher's
    own hex has entered nothing, and flies on.)

    Legal: a ship enters the hex of a drone, which strikes it. Illegal: the drone moves on first.
    """
    entered = seeker.hexes > 0 or seeker.at_launch not in (None, seeker.hex)
    return entered and seeker.hex == target


@check("F2.0", "Movement of seekers", on="seeker move", passes="plain")
def seeker_moved(move: SeekerMoved) -> Findings:
    """A seeker moves one hex at a time, on the impulses of its speed and on a course toward its target,
    until it is in the hex of that. It is undecided whether a seeker may turn toward a target beside it,
    and so circle it: this referee takes the quickest way there, and no source forbids the turn.

    Legal: from 0101C to 0201C with its target at 1010. Illegal: to 0101B, or two hexes in an impulse.
    """
    facts, rulebook = move.move, move.rulebook
    courses = [
        rule.decide(facts.seeker, facts.target, rulebook) for rule in rulebook.rules_on("seeker course")
    ]
    allowed = courses[0] if courses else ()
    if not facts.due:
        again = "moves again in this impulse, or its speed calls for no move"
        reached = facts.seeker.hex == facts.target
        yield _astray(
            facts, "moves on, and has reached its target" if reached else again, "no move", "take it back"
        )
    elif (facts.hex, facts.facing) not in allowed:
        toward = " or ".join(f"{hex}{facing}" for hex, facing in allowed)
        fix = "move it straight ahead" if facts.target is None else "move it toward its target"
        message = f"moved to {facts.hex}{facts.facing}"
        if _circles(facts, rulebook):
            message += f": toward its target beside it, though {toward} is soonest there"
            yield _astray(facts, message, toward, "the umpire decides", Severity.UNDECIDED)
        else:
            yield _astray(facts, message, toward, fix)


def _circles(move: SeekerMove, rulebook: Rulebook) -> bool:
    """Does it turn, as it may, toward a target beside it, and stay beside it where straight ahead it would not?"""
    seeker, target = move.seeker, move.target
    if target is None or move.facing == seeker.facing:
        return False
    may_turn = seeker.straight >= _turn_mode(rulebook, seeker.type)
    ahead = true_range(seeker.hex.step(seeker.facing), target)
    now, then = true_range(seeker.hex, target), true_range(move.hex, target)
    return now == then == 1 < ahead and may_turn and (move.hex, move.facing) in _after(seeker, (1, -1))


def _astray(
    move: SeekerMove, message: str, expected: str, fix: str, severity: Severity = Severity.ERROR
) -> Finding:
    return Finding(
        key="",
        severity=severity,
        message=message,
        subject=move.seeker.name,
        turn=move.moment.turn,
        impulse=move.moment.impulse,
        expected=expected,
        found=f"{move.hex}{move.facing}",
        fix=fix,
    )


@frozen
class SeekerMoved:
    """The facts of one hex a seeker moved."""

    move: SeekerMove
    rulebook: Rulebook


@resolves("F2.0/endurance", "How far a seeker goes", on="seeker spent")
def seeker_spent(seeker: Seeker, now: Moment, impulses: int, rulebook: Rulebook) -> bool:
    """A standard drone flies for three turns; a plasma torpedo until its warhead is gone.

    Legal: a plasma-F struck off after 15 hexes. Illegal: a drone on the map four turns after launch.
    """
    weapon = _weapon(rulebook, seeker)
    turns = _edition(rulebook, weapon).get("endurance_turns")
    spent = turns is not None and now.impulses_since(seeker.launched, impulses) >= turns * impulses
    return spent or ("warhead" in weapon and seeker.hexes > weapon["max_range"])


# -- striking ----------------------------------------------------------------------------


@resolves("F2.0/destroyed", "Points that destroy a drone", on="warhead")
def drone_destroyed(points: int, seeker: Seeker, rulebook: Rulebook) -> int:
    """A drone is destroyed by four points of damage, and then does none.

    Legal: 4 points: gone. Illegal: a drone with 4 points of damage that strikes.
    """
    needed = _edition(rulebook, _weapon(rulebook, seeker)).get("points_to_destroy")
    return 0 if needed is not None and seeker.damage >= needed else points


@resolves("F2.0/phasers", "Phasers weaken plasma torpedoes", on="warhead")
def plasma_weakened(points: int, seeker: Seeker, rulebook: Rulebook) -> int:
    """Every two points of phaser damage on a plasma torpedo take one point off its warhead.

    Legal: 5 points of phaser fire on a warhead of 20 leave 18. Illegal: leaving 15.
    """
    reduction = _weapon(rulebook, seeker).get("phaser_reduction")
    return (
        max(0, points - seeker.phaser_damage // reduction["damage"] * reduction["warhead"])
        if reduction
        else points
    )


@resolves("F2.0/target", "Torpedoes at drones", on="roll")
def fired_at_drone(roll: int, aim: Aim) -> int:
    """The die of a photon or disruptor fired at a drone is raised by two (one source has it).

    Legal: die 3 at a drone counts as 5. Illegal: the same for a phaser.
    """
    penalty = aim.rulebook.table("weapons")["weapons"]["drone"]["to_hit_penalty"]["value"]
    at_drone = aim.shot.target.kind == "drone" and aim.shot.type in ("photon", "disruptor")
    return roll + int(penalty) if at_drone else roll


def full_warhead(seeker: Seeker, rulebook: Rulebook) -> int:
    """What a seeker scores unharmed: a drone's warhead, or a plasma torpedo's after the hexes it has come."""
    weapon = _weapon(rulebook, seeker)
    warhead = _edition(rulebook, weapon).get("warhead")
    if not isinstance(warhead, list):
        return int(warhead or 0)
    bands = enumerate(weapon["bands"])
    return next((int(warhead[n]) for n, (low, high) in bands if low <= seeker.hexes <= high), 0)


def warhead_left(rulebook: Rulebook, seeker: Seeker) -> int:
    """What a seeker scores after all that was scored on it; nothing once it is destroyed."""
    points = full_warhead(seeker, rulebook)
    for rule in rulebook.rules_on("warhead"):
        points = rule.decide(points, seeker, rulebook)
    return points


def seeker_hit(
    rulebook: Rulebook, seeker: Seeker, target: Unit, came_from: Hex | None, moment: Moment
) -> ShotResult:
    """A seeker that reached its target: what is left of its warhead, on the shield it came in on; on the corner of
    two on the lower numbered, for no source says which."""
    points, origin = warhead_left(rulebook, seeker), None
    if came_from and target.hex and target.facing:
        origin = relative_offset(target.hex, target.facing, came_from)
    shields = struck_shields(origin) if origin else ()
    return ShotResult(
        weapon=seeker.name,
        type=seeker.type,
        firer=seeker.owner,
        target=target.name,
        true_range=0,
        effective_range=0,
        roll=None,
        needed=None,
        hit=points > 0,
        damage=points,
        turn=moment.turn,
        impulse=moment.impulse,
        step=SEEKER_STEP,
        shields=shields,
        shield=min(shields, default=None),
        origin=origin,
    )
