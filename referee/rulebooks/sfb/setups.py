"""What the set-up of a scenario brings with it: drones nobody launched, a fixed speed, weapons kept out or slow."""

from __future__ import annotations

from collections.abc import Iterator

from referee.core.combat import Seeker
from referee.core.finding import Finding, Severity
from referee.core.frozen import frozen
from referee.core.naming import how_many
from referee.core.scenario import off_map
from referee.rulebooks.base import Rulebook, check, resolves


@resolves("MAP/drone", "A drone over the edge is gone", on="drone off map")
def drone_off_the_map(seeker: Seeker, rulebook: Rulebook) -> bool:
    """In a game on a map (option `map`) a drone of the set-up that leaves it has escaped: it does not come
    back, and nobody fires at it.

    Legal: a drone in 1401 of a map to 1417 flies on. Illegal: one in 1501 does.
    """
    return not seeker.owner and off_map(rulebook.option("map"), seeker.hex)


@frozen
class SpeedInScenario:
    """A ship's speed of a turn as it was said, and the one its scenario fixes for every turn."""

    rulebook: Rulebook
    ship: str
    turn: int
    said: int
    fixed: int


@check("SCENARIO/speed", "The speed a scenario fixes", on="scenario speed")
def speed_of_the_scenario(speed: SpeedInScenario) -> Iterator[Finding]:
    """In a scenario that fixes the speed of a ship (8 in the first two) it keeps that speed in every turn.

    Legal: speed 8 in scenario 1. Illegal: speed 6 there. Fix: say the speed of the scenario.
    """
    if speed.said != speed.fixed:
        yield Finding(
            key="",
            severity=Severity.ERROR,
            message=f"speed {speed.said} was said, and the scenario keeps it at {speed.fixed}",
            subject=speed.ship,
            turn=speed.turn,
            expected=str(speed.fixed),
            found=str(speed.said),
            fix="say the speed of the scenario",
        )


@frozen
class ShotInScenario:
    """A weapon fired in a turn of a scenario that has terms of its own for weapons of the type: whether they are
    used in it at all, how many turns they take to load, whether they begin unarmed, and how sure that is. `last`
    is the turn it last fired in, 0 for never."""

    rulebook: Rulebook
    ship: str
    weapon: str
    turn: int
    impulse: int
    last: int
    used: bool
    reload: int
    unarmed: bool
    status: str = "verified"


@check("SCENARIO/weapons", "Weapons a scenario keeps out, or loads slowly", on="scenario shot")
def weapon_of_the_scenario(shot: ShotInScenario) -> Iterator[Finding]:
    """A scenario may be played without weapons of a type (the first one without photon torpedoes); where no
    energy form says what is armed, it may say how many turns a weapon takes to be ready again, and whether
    it begins unarmed (photon torpedoes in the second: one turn, unarmed).

    Legal: a photon on turns 2 and 4 of scenario 2. Illegal: on turn 1; on turns 2 and 3. Fix: fire it later.
    """
    if not shot.used:
        yield _against(shot, f"{shot.weapon} is not used in this scenario", "fire another weapon")
        return
    ready = shot.last + shot.reload + 1 if shot.last else 1 + shot.reload * shot.unarmed
    if shot.turn < ready:
        since = f"fired on turn {shot.last}" if shot.last else "begins unarmed"
        message = f"{shot.weapon} {since} and takes {how_many(shot.reload, 'turn')} to load"
        yield _against(shot, message, f"fire it on turn {ready} or later")


def _against(shot: ShotInScenario, message: str, fix: str) -> Finding:
    return Finding(
        key="",
        severity=Severity.ERROR,
        message=message,
        subject=shot.ship,
        turn=shot.turn,
        impulse=shot.impulse,
        fix=fix,
        data_status="" if shot.status == "verified" else shot.status,
    )
