"""What happens in a Trek combat. State is a fold of these (`referee.rulebooks.trek.state`)."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, fields
from fractions import Fraction
from typing import Any

_POINTS = re.compile(r"-?[0-9]{1,18}(?:/[1-9][0-9]{0,17})?", re.ASCII)


@dataclass(frozen=True, slots=True)
class TrekEvent:
    """Something that happened."""


@dataclass(frozen=True, slots=True)
class ShipEvent(TrekEvent):
    """Something that happened to, or was done by, a ship."""

    ship: str


@dataclass(frozen=True, slots=True)
class TurnBegan(TrekEvent):
    """A turn begins."""

    turn: int


@dataclass(frozen=True, slots=True)
class RoundBegan(TrekEvent):
    """A round begins; `shields` says whether shield power is restored with it."""

    round: int
    shields: bool


@dataclass(frozen=True, slots=True)
class OrderSet(TrekEvent):
    """The order in which ships act."""

    order: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CrewRated(ShipEvent):
    """The skill of a captain and the efficiency of a crew that were rolled for."""

    captain: int
    efficiency: int


@dataclass(frozen=True, slots=True)
class Rolled(ShipEvent):
    """A die, what it was for, the number needed, and how it came out; changes nothing by itself."""

    what: str
    sides: int
    roll: int
    needed: int | None = None
    success: bool | None = None


@dataclass(frozen=True, slots=True)
class Told(ShipEvent):
    """What a ship comes to know about another."""

    about: str
    facts: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Refused(ShipEvent):
    """An action that the rules do not allow, and is not taken."""

    action: str
    by_rule: str
    why: str


@dataclass(frozen=True, slots=True)
class ActionTaken(ShipEvent):
    """An action begins."""

    action: str


@dataclass(frozen=True, slots=True)
class PowerProduced(ShipEvent):
    """The turn's power; what the last turn left is gone."""

    points: Fraction


@dataclass(frozen=True, slots=True)
class PowerSpent(ShipEvent):
    """Power used on something."""

    points: Fraction
    on: str


@dataclass(frozen=True, slots=True)
class PowerReturned(ShipEvent):
    """Power given back by a device switched off."""

    points: Fraction


@dataclass(frozen=True, slots=True)
class EngineDamaged(ShipEvent):
    """Power lost by an engine, and with it by the turn's budget."""

    engine: str
    points: int


@dataclass(frozen=True, slots=True)
class EngineRepaired(ShipEvent):
    """Power an engine has again."""

    engine: str
    points: int


@dataclass(frozen=True, slots=True)
class Moved(ShipEvent):
    """Where a ship is now."""

    hex: str
    facing: str


@dataclass(frozen=True, slots=True)
class EmergencyTurned(ShipEvent):
    """An emergency heading change, which spoils the aim for the round."""

    facing: str


@dataclass(frozen=True, slots=True)
class Reversed(ShipEvent):
    """Engines changed over to `forward` or `reverse`."""

    motion: str


@dataclass(frozen=True, slots=True)
class WarpChanged(ShipEvent):
    """The warp speed now."""

    warp: int


@dataclass(frozen=True, slots=True)
class LockGained(ShipEvent):
    """A sensor lock; any other the ship held is gone."""

    on: str


@dataclass(frozen=True, slots=True)
class LockLost(ShipEvent):
    """The ship's sensor lock is gone."""

    why: str


@dataclass(frozen=True, slots=True)
class Cloaked(ShipEvent):
    """The counter leaves the map."""


@dataclass(frozen=True, slots=True)
class Decloaked(ShipEvent):
    """The counter is on the map again."""

    hex: str
    facing: str


@dataclass(frozen=True, slots=True)
class ShieldsRaised(ShipEvent):
    """Shields go up."""


@dataclass(frozen=True, slots=True)
class ShieldsLowered(ShipEvent):
    """Shields go down."""


@dataclass(frozen=True, slots=True)
class Communicated(ShipEvent):
    """A message sent or blocked, or not."""

    to: str
    jam: bool
    success: bool


@dataclass(frozen=True, slots=True)
class Transported(ShipEvent):
    """Persons or materials beamed."""

    what: str


@dataclass(frozen=True, slots=True)
class Fired(ShipEvent):
    """A weapon fired, for the rest of the turn."""

    weapon: str
    at: str


@dataclass(frozen=True, slots=True)
class Aimed(ShipEvent):
    """How a shot was aimed: range, the number needed and the die."""

    weapon: str
    range: int
    needed: int
    roll: int


@dataclass(frozen=True, slots=True)
class Landed(ShipEvent):
    """Whether a shot of a ship hit its target."""

    weapon: str
    at: str
    hit: bool


@dataclass(frozen=True, slots=True)
class Struck(ShipEvent):
    """Damage arriving at one shield of a ship."""

    by: str
    weapon: str
    shield: int
    points: int


@dataclass(frozen=True, slots=True)
class Absorbed(ShipEvent):
    """What a shield absorbed, its cost to the ship, and its cost to the shield."""

    shield: int
    points: int
    power: Fraction
    shield_power: Fraction


@dataclass(frozen=True, slots=True)
class Located(ShipEvent):
    """Where damage went."""

    shield: int
    roll: int | None
    effect: str
    points: int
    chart: str


@dataclass(frozen=True, slots=True)
class SuperstructureDamaged(ShipEvent):
    """Superstructure points lost."""

    points: int


@dataclass(frozen=True, slots=True)
class SuperstructureRepaired(ShipEvent):
    """Superstructure points mended."""

    points: int


@dataclass(frozen=True, slots=True)
class CrewHurt(ShipEvent):
    """Percent of the crew out of action."""

    percent: int


@dataclass(frozen=True, slots=True)
class CrewHealed(ShipEvent):
    """Percent of the crew back."""

    percent: int


@dataclass(frozen=True, slots=True)
class Damaged(ShipEvent):
    """A weapon, shield, grid or system out of action: `weapon torp-1`, `shield 3`, `grid shield`, `helm`."""

    part: str
    points: int


@dataclass(frozen=True, slots=True)
class Repaired(ShipEvent):
    """A part working again."""

    part: str


@dataclass(frozen=True, slots=True)
class RepairPending(ShipEvent):
    """A repair that takes effect with the next turn."""

    part: str
    points: int


@dataclass(frozen=True, slots=True)
class RepairTried(ShipEvent):
    """One type of repair used up for the turn."""

    repair: str


@dataclass(frozen=True, slots=True)
class RepairCancelled(ShipEvent):
    """A repair undone by a new hit on the same part."""

    part: str


@dataclass(frozen=True, slots=True)
class RepairAdvanced(ShipEvent):
    """One of several rolls a repair needs."""

    part: str
    done: int
    needed: int


@dataclass(frozen=True, slots=True)
class LeftPlay(ShipEvent):
    """A ship is out of the combat: `destroyed`, `surrendered` or `fled`."""

    how: str


@dataclass(frozen=True, slots=True)
class Crippled(ShipEvent):
    """A ship the game master rules crippled: it has no more power."""


def kind_of(event: TrekEvent) -> str:
    """The name of a kind of event in JSON: `PowerSpent` is `power_spent`."""
    return re.sub(r"(?<!^)([A-Z])", r"_\1", type(event).__name__).lower()


KINDS: dict[str, Callable[..., TrekEvent]] = {
    kind_of(kind.__new__(kind)): kind
    for kind in vars().copy().values()
    if isinstance(kind, type) and issubclass(kind, TrekEvent) and kind not in (TrekEvent, ShipEvent)
}


def event_json(event: TrekEvent) -> dict[str, Any]:
    """An event as an object with its kind; power as text."""
    return {"event": kind_of(event)} | {
        each.name: _plain(getattr(event, each.name))
        for each in fields(event)
        if getattr(event, each.name) is not None
    }


def _plain(value: Any) -> Any:
    if isinstance(value, Fraction):
        return str(value)
    return [_plain(item) for item in value] if isinstance(value, tuple) else value


def event_from_json(data: dict[str, Any]) -> TrekEvent:
    """An event from its object. Raises KeyError or TypeError for one that is not of this version."""
    kind = KINDS[data["event"]]
    shapes = {each.name: str(each.type) for each in fields(kind)}  # type: ignore[arg-type]
    given = {name: value for name, value in data.items() if name != "event"}
    return kind(**{name: _typed(value, shapes[name]) for name, value in given.items()})


def _typed(value: Any, shape: str) -> Any:
    if shape == "Fraction":
        # Not by `Fraction` alone, which would write out 1e999999999.
        if not _POINTS.fullmatch(value):
            raise TypeError("no power")
        return Fraction(value)
    if isinstance(value, list):
        return tuple(tuple(item) if isinstance(item, list) else item for item in value)
    return value
