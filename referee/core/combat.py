"""What is declared when a ship fires or launches, what it knows of its target, and what came of it."""

from __future__ import annotations

from dataclasses import field
from fractions import Fraction
from functools import lru_cache
from typing import Literal, NamedTuple

from referee.core.frozen import frozen
from referee.core.hexgrid import FACINGS, Hex, Offset, relative_offset, struck_shields, true_range
from referee.core.location import Location
from referee.core.once import pattern
from referee.core.ship import Mount, ShipClass
from referee.core.state import ShipState
from referee.core.volley import VolleyOrder

Paid = Literal["paid", "partly", "unpaid", "unknown"]
Phase = Literal["visible", "fading-out", "cloaked", "fading-in"]
NOT_KNOWN: Literal["unknown"] = "unknown"
_MOMENT = pattern(r"([1-9][0-9]{0,3})\.([1-9][0-9]?)")
_FADE = pattern(r"fading-(out|in):([1-9])")


class Moment(NamedTuple):
    """An impulse of a turn, both counted from 1."""

    turn: int
    impulse: int

    def impulses_since(self, earlier: Moment, impulses: int) -> int:
        """Impulses from an earlier moment to this one, in turns of so many impulses."""
        return (self.turn - earlier.turn) * impulses + self.impulse - earlier.impulse

    def __str__(self) -> str:
        return f"{self.turn}.{self.impulse}"


@frozen
class CloakState:
    """How far a ship is hidden: `impulse` counts a fade from 1, the impulse it was announced on."""

    phase: Phase = "visible"
    impulse: int = 0

    @property
    def active(self) -> bool:
        """Is the ship cloaked, or fading either way?"""
        return self.phase != "visible"


def parse_moment(text: str) -> Moment:
    """A turn and an impulse, as `1.16`. Raises ValueError for anything else."""
    match = _MOMENT.fullmatch(text.strip())
    if not match:
        raise ValueError(f"{text!r} is not a turn and an impulse such as 1.16")
    return Moment(int(match[1]), int(match[2]))


def parse_cloak(text: str) -> CloakState:
    """`visible` (or nothing), `cloaked`, or a fade and its impulse, as `fading-out:2`. Raises ValueError."""
    match = _FADE.fullmatch(text.strip())
    if match:
        return CloakState("fading-out" if match[1] == "out" else "fading-in", int(match[2]))
    if text.strip() not in ("", "visible", "cloaked"):
        raise ValueError(f"{text!r} is not a cloak: visible, cloaked, or such as fading-out:2")
    return CloakState("cloaked") if text.strip() == "cloaked" else CloakState()


@frozen
class Unit:
    """A ship or other unit where it stands; what is not known is None."""

    name: str = ""
    ship: ShipClass | None = None
    state: ShipState | None = None
    hex: Hex | None = None
    facing: str | None = None
    cloak: CloakState = field(default_factory=CloakState)
    kind: str = "ship"
    """`ship`, `shuttle`, `fighter`, or the weapon type of a seeker, such as `drone`."""
    crippled: bool = False
    side: str = ""
    """Whose it is, where that is known."""
    robot: bool = False
    """Does a robot play it? It fills in no form."""


@frozen
class Shot:
    """One weapon fired, or one seeker launched, at one target.

    `weapon` is the mark on the SSD (`PH-1/A`), or the type where no ship is named. `last_fired` is
    None for a weapon that has not fired; `range` is given where no hexes are. `lock_on` is what is
    known of it; `scanner` overrides the firer's own track. `shield` is the one chosen where the
    line of fire runs along a corner.
    """

    weapon: str
    type: str
    firer: Unit
    target: Unit
    turn: int | None = None
    impulse: int | None = None
    impulses: int | None = None
    mount: Mount | None = None
    range: int | None = None
    last_fired: Moment | Literal["unknown"] | None = NOT_KNOWN
    energy: Paid = NOT_KNOWN
    fire_control: Paid = NOT_KNOWN
    lock_on: bool | None = None
    scanner: int | None = None
    mode: str = "standard"
    shield: int | None = None
    place: Location = field(default_factory=Location)

    @property
    def moment(self) -> Moment | None:
        """When it is fired, if both turn and impulse are known."""
        return None if self.turn is None or self.impulse is None else Moment(self.turn, self.impulse)

    @property
    def hexes(self) -> int | None:
        """Hexes from the firer to the target on the map, None where a hex is not known."""
        if self.firer.hex is None or self.target.hex is None:
            return None
        return true_range(self.firer.hex, self.target.hex)

    @property
    def offset(self) -> Offset | None:
        """Where the target lies as seen from the firer's bow."""
        if self.firer.hex is None or self.firer.facing is None or self.target.hex is None:
            return None
        return relative_offset(self.firer.hex, self.firer.facing, self.target.hex)

    @property
    def origin(self) -> Offset | None:
        """Where the fire comes from as seen from the target's bow."""
        if self.target.hex is None or self.target.facing is None or self.firer.hex is None:
            return None
        return relative_offset(self.target.hex, self.target.facing, self.firer.hex)

    @property
    def facing_shields(self) -> tuple[int, ...]:
        """The target's shields on the line of fire: two on a corner, none where it is not known."""
        return () if self.origin is None else struck_shields(self.origin)


@frozen
class Fouled:
    """A weapon that was fired or launched against a rule: it counts all the same. `rule` is its number."""

    ship: str
    weapon: str
    moment: Moment
    rule: str


@frozen
class Declaration:
    """All shots, or all launches, of one step of an impulse, in the order they were declared.

    `capacitors` are the points each ship's phasers may draw on, by the ship's name. For a ship that is not
    there its state says, or nothing does. `batteries` are the points that charged batteries can add, though
    nobody has said that they do. `launched` are the ship and rack of each drone launched earlier in the
    turn. `fouled` is what was fired or launched before and was itself against a rule.
    """

    shots: tuple[Shot, ...]
    capacitors: tuple[tuple[str, Fraction], ...] = ()
    launched: tuple[tuple[str, str], ...] = ()
    fouled: tuple[Fouled, ...] = ()
    batteries: tuple[tuple[str, Fraction], ...] = ()


@frozen
class Outcome:
    """What a roll came to; `needed` is the highest roll that hits, None for a weapon that never misses."""

    damage: int
    hit: bool
    needed: int | None = None


def rolls_that_hit(highest: int | None, lowest: int = 1) -> str:
    """The rolls that hit, as players say them: `1-4`; an empty text for a weapon that never misses."""
    if highest is None:
        return ""
    return f"{lowest}-{highest}" if highest > lowest else str(highest)


@frozen
class ShotResult:
    """A shot, resolved. `shields` are those on the line of fire, `shield` the one struck. `origin` is
    seen from the target's bow. `assumed` says what was taken for granted."""

    weapon: str
    type: str
    firer: str
    target: str
    true_range: int
    effective_range: int
    roll: int | None
    needed: int | None
    hit: bool
    damage: int
    turn: int | None = None
    impulse: int | None = None
    step: str = "fire"
    shields: tuple[int, ...] = ()
    shield: int | None = None
    origin: Offset | None = None
    assumed: tuple[str, ...] = ()
    data_status: str = ""


@frozen
class VolleyAt:
    """Points that strike one shield of one target together, and who fired them."""

    target: str
    order: VolleyOrder
    firers: tuple[str, ...]
    turn: int | None = None
    impulse: int | None = None
    step: str = "fire"


@frozen
class LockAttempt:
    """A try for lock-on: the sensor rating (None where the track is not known), and the roll if any."""

    rating: int | None
    fire_control: Paid = NOT_KNOWN
    target_cloak: CloakState = field(default_factory=CloakState)
    roll: int | None = None


@frozen
class CloakHistory:
    """What is known of a cloak: the turns it was paid for, and what was announced when."""

    ship: str
    impulses: int
    paid: frozenset[int] = frozenset()
    announced: tuple[tuple[Moment, Literal["cloak", "uncloak"]], ...] = ()
    cloaked_at_start: bool = False


@frozen
class Seeker:
    """A drone, plasma torpedo or shuttle on its way. `damage` is what has been scored on it so far,
    `phaser_damage` by phasers alone; `hexes` is how far it has come."""

    name: str
    type: str
    owner: str
    target: str
    hex: Hex
    facing: str
    launched: Moment
    hexes: int = 0
    damage: int = 0
    phaser_damage: int = 0
    straight: int = 1
    """Hexes moved straight ahead since its last turn, the hex of the turn counted; a new one may turn."""
    speed: int | None = None
    """Hexes a turn, where its set-up says; else it goes as fast as the rules let it."""
    player: str = ""
    """Who orders it, where no ship of the game launched it (then `owner` is empty); nobody if this is too."""
    side: str = ""
    at_launch: Hex | None = None
    """Where its target stood as it was launched, where that is known."""


Fate = Literal["flying", "destroyed", "struck", "left", "lost"]
"""Still on the map, shot down, arrived at its target, off the map, or gone with its target."""


@frozen
class FreeDrone:
    """A drone that was on the map at the start: whose it is (by side), who orders it (nobody, where `player` is
    empty: then it flies by itself), what it goes after (nothing: straight ahead), and its fate."""

    name: str
    side: str = ""
    player: str = ""
    target: str = ""
    fate: Fate = "flying"


@frozen
class SeekerMove:
    """One hex a seeker moved: where it went and faces now, and where its target stood (None: it has none).
    `due` says whether the chart calls it, and it has not moved in the impulse nor reached its target."""

    seeker: Seeker
    hex: Hex
    facing: str
    target: Hex | None
    moment: Moment
    impulses: int
    due: bool = True


@frozen
class Guidance:
    """A ship and the seekers it guides in one turn. `attempted` says whether it tried for lock-on."""

    ship: str
    rating: int | None
    seekers: tuple[Seeker, ...]
    attempted: bool | None = None
    turn: int | None = None


def moves_to_reach(offset: Offset) -> int:
    """The fewest hexes a seeker that may turn 60 degrees before each move needs to a hex at rest, told by
    its offset from the bow. A hex beside the seeker or behind it takes a detour."""
    x, z = offset
    hexes = _hexes(offset)
    if not hexes or z < 0 or x + z < 0:
        return hexes
    return hexes + (4 if hexes == 1 else max(1, 3 - abs(x)))


@lru_cache(maxsize=1 << 14)
def soonest_turns(offset: Offset, may_turn: bool) -> tuple[int, ...]:
    """The turns, by sixths of a circle clockwise, that begin a shortest course of a seeker to a hex at rest, told by its
    offset from the bow."""
    moves = {}
    for sixths in (0, 1, -1) if may_turn else (0,):
        x, z = offset.turned(-sixths)
        moves[sixths] = moves_to_reach(Offset(x, z + 1))
    fewest = min(moves.values())
    return tuple([sixths for sixths, to_go in moves.items() if to_go == fewest])


def soonest_facing(here: Hex, there: Hex, facing: str | None = None) -> str:
    """The way a seeker faces that is soonest in another hex; in that hex, as its ship faces. Where it may turn on
    the way, several ways are as soon: then the one that leads there straightest, and of equals the first."""
    if here == there:
        return facing or FACINGS[0]

    def to_go(way: str) -> tuple[int, int, int]:
        offset = relative_offset(here, way, there)
        return (
            moves_to_reach(offset),
            moves_to_reach(relative_offset(here.step(way), way, there)),
            abs(offset.x),
        )

    return min(FACINGS, key=to_go)


def _hexes(offset: Offset) -> int:
    x, z = offset
    return max(abs(x), abs(z), abs(x + z))
