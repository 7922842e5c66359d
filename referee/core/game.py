"""A game at a moment: where the turn stands, the ships, the seals and rolls. `referee.core.gamefold` makes
it of a record's entries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from fractions import Fraction
from typing import Any, Literal, Protocol

from referee.core.combat import FreeDrone, Moment, Seeker
from referee.core.errors import BadInput
from referee.core.finding import Finding
from referee.core.frozen import frozen
from referee.core.hexgrid import Offset
from referee.core.naming import names_like
from referee.core.ownfold import OwnTable
from referee.core.play import ShipInPlay
from referee.core.scenario import off_map
from referee.core.seals import Seal, Seals
from referee.core.state import ShipState


class EntryLike(Protocol):
    """What the fold needs of a record's entry."""

    @property
    def seq(self) -> int: ...
    @property
    def type(self) -> str: ...
    @property
    def data(self) -> Mapping[str, Any]: ...
    @property
    def hash(self) -> str: ...


@frozen
class ShipInGame:
    """A ship of the game: who plays it, what is left of it, where it is, its energy by turn.

    `begun` is what was left of it when each turn began: its form of the turn is judged by that. `fired`
    is when which weapon fired, `announced` when its cloak was told to fade it out or in, `speeds` what
    was said by turn. A `robot` is nobody's to play: it fills in no form, and is struck as robots are.
    Of a game taken from a file, `elsewhere` counts those of `fired` that the file tells, and
    `filed_elsewhere` has the turns of its forms: what they say was fired is as it stood in the file.
    `unfiled` are the turns that were played on without its form, though other ships had theirs in. `fed` is when
    how many points of its batteries were ordered for which weapons; `broken` are the rules it broke by
    the fouls of the record, each with the turn.
    """

    name: str
    player: str
    state: ShipState
    unit: ShipInPlay
    forms: Mapping[int, Mapping[str, Any]] = field(default_factory=dict)
    begun: Mapping[int, ShipState] = field(default_factory=dict)
    fired: tuple[tuple[Moment, str], ...] = ()
    announced: tuple[tuple[Moment, Literal["cloak", "uncloak"]], ...] = ()
    speeds: Mapping[int, int] = field(default_factory=dict)
    robot: bool = False
    elsewhere: int = 0
    filed_elsewhere: frozenset[int] = frozenset()
    unfiled: frozenset[int] = frozenset()
    fed: tuple[tuple[Moment, Fraction, tuple[str, ...]], ...] = ()
    broken: frozenset[tuple[str, int]] = frozenset()
    formless: bool = False
    """Are its forms not told at all? Then what it does is taken as paid for."""
    out: bool = False
    """Was it taken out of the game by a ruling, as its player left?"""

    def fed_in(self, turn: int) -> Fraction:
        """The points of its batteries that orders of a turn use."""
        return sum((points for moment, points, _ in self.fed if moment.turn == turn), Fraction(0))

    @property
    def position(self) -> str:
        """Its hex and facing, `2801E`; an empty text where it is not on the map."""
        return "" if self.unit.hex is None else f"{self.unit.hex}{self.unit.facing or ''}"

    def when_begun(self, turn: int) -> ShipState:
        """What was left of it when a turn began."""
        return self.begun.get(turn, self.state)


@frozen
class Roll:
    """A declared roll: its number, who rolls, what for, and how far it has come.

    `volley` is the order entry it resolves (in a game on a rulebook's own table an act), or `fire` are those; `applied` is the entry of what it did.
    """

    number: int
    declared: int
    who: str
    purpose: str
    keys: frozenset[str] = frozenset()
    status: str = "declared"
    volley: int | None = None
    fire: tuple[int, ...] = ()
    applied: int | None = None
    typed_by: str = ""
    confirmed: bool = False
    kept_back: tuple[tuple[str, str], ...] = ()
    """Who kept a key back, and who says so."""


@frozen
class FireOrdered:
    """Fire that was ordered: the entry that did, the shots, and the roll that decides them."""

    seq: int
    ship: str
    weapons: tuple[str, ...]
    target: str
    moment: Moment
    shield: int | None = None
    roll: int | None = None


@frozen
class Foul:
    """A rule that was broken, as the record says it: by which ship or weapon, and when, where it says so.
    `key` is the number with its slug, the number alone where the record has no more."""

    seq: int
    reason: str
    rule: str = ""
    player: str = ""
    subject: str = ""
    turn: int | None = None
    impulse: int | None = None
    key: str = ""

    @property
    def charge(self) -> str:
        """What broke the rule, and how."""
        return f"{self.subject}: {self.reason}" if self.subject else self.reason


@frozen
class Ruling:
    """What the umpire decided, beside what was found: who ruled, in which words, about which entry if about one;
    `seq` is the entry it stands in."""

    seq: int
    by: str
    text: str
    target: int | None = None


@frozen
class DueVolley:
    """Points that have struck and are not marked: the `n`th of what entry `seq` did, and what joined it."""

    seq: int
    n: int
    ship: str
    points: int
    shield: int
    origins: tuple[tuple[int, Offset], ...] = ()
    moment: Moment | None = None


@frozen
class GameState:
    """The game after some entries. `lines` counts them, undone ones too.

    `choices` is the policy each ship's owner has said for it; `unapplied` the roll whose dice have fallen
    and whose damage is not yet marked. `absorbed` counts the points reinforcement took, by ship, turn and
    shield (0: general reinforcement).
    """

    genesis: Mapping[str, Any]
    turn: int = 0
    impulse: int | None = None
    step: str = ""
    ships: Mapping[str, ShipInGame] = field(default_factory=dict)
    seals: Seals = field(default_factory=Seals)
    rolls: Mapping[int, Roll] = field(default_factory=dict)
    orders: Sequence[tuple[int, Mapping[str, Any]]] = ()
    rulings: tuple[tuple[int, str], ...] = ()
    fouls: tuple[Foul, ...] = ()
    choices: Mapping[str, str] = field(default_factory=dict)
    undone: frozenset[int] = frozenset()
    anchors: frozenset[str] = frozenset()
    unapplied: int | None = None
    lines: int = 0
    fire: Sequence[FireOrdered] = ()
    due: tuple[DueVolley, ...] = ()
    seekers: Mapping[str, Seeker] = field(default_factory=dict)
    seekers_moved: frozenset[str] = frozenset()
    drones: Mapping[str, FreeDrone] = field(default_factory=dict)
    """All that were on the map at the start, those that are gone too."""
    absorbed: Mapping[tuple[str, int, int], int] = field(default_factory=dict)
    locks: Mapping[tuple[str, str, int], int] = field(default_factory=dict)
    furthest: Mapping[int, int] = field(default_factory=dict)
    """The furthest impulse that has begun, by turn, whether or not the game was set back since."""
    stepped: int = 0
    """The entry that last moved the game on."""
    released: Seals = field(default_factory=Seals)
    """What was sealed where the game went back past it: it counts no more; what was shown of it stays known."""
    own: OwnTable | None = None
    """The table of a rulebook that keeps it itself: its ships are not among `ships`."""

    @property
    def players(self) -> tuple[str, ...]:
        """The players, in the order of the first entry."""
        return tuple(self.genesis["players"])

    @property
    def umpire(self) -> str:
        """The umpire, or an empty text."""
        return umpire_of(self.genesis)

    @property
    def dice_mode(self) -> str:
        """How dice are rolled in this game; it never changes."""
        return str(self.genesis["dice"]["mode"])

    @property
    def open_rolls(self) -> tuple[Roll, ...]:
        """Rolls declared and not yet decided."""
        return tuple(roll for roll in self.rolls.values() if roll.status == "declared")

    @property
    def unrolled(self) -> tuple[FireOrdered, ...]:
        """Fire ordered for which no dice are declared."""
        return tuple(order for order in self.fire if order.roll is None)

    @property
    def volleys_due(self) -> tuple[DueVolley, ...]:
        """Volleys still to be rolled; a ship that is gone takes no more."""
        return tuple(due for due in self.due if not self.ships[due.ship].state.dead)

    @property
    def fire_held(self) -> frozenset[str]:
        """The ships of which was said in this impulse that they hold their fire."""
        held: set[str] = set()
        for _, data in reversed(self.orders):
            if (data.get("turn"), data.get("impulse")) != (self.turn, self.impulse):
                break
            name, colon, order = str(data["text"][0]).partition(": ") if data.get("text") else ("", "", "")
            if colon and order == "hold fire":
                held.add(name)
        return frozenset(held)

    def has_left(self, ship: ShipInGame) -> bool:
        """Has a ship left the map the game is played on, or was it taken out of the game?"""
        return ship.out or off_map(str(self.genesis.get("options", {}).get("map", "")), ship.unit.hex)

    @property
    def unexplained(self) -> tuple[tuple[int, Mapping[str, Any]], ...]:
        """Volleys that no fire of the record accounts for, ordered by others than the umpire: the entry of each and what
        it says. Where the game keeps no fire the word of the owner of the ship struck is enough."""
        by_word = [(seq, data) for seq, data in self.orders if is_unexplained(self, data, kept=True)]
        kept = not by_word or self.keeps_play
        rows = [row for row in by_word if kept or is_unexplained(self, row[1], kept=False)]
        return tuple((seq, data["volley"]) for seq, data in rows)

    @property
    def keeps_play(self) -> bool:
        """Are speeds, moves or fire in the record? On a table that keeps damage alone none are."""
        return bool(self.fire) or any(not PLAYED.isdisjoint(data) for _, data in self.orders)

    @property
    def launched(self) -> tuple[str, ...]:
        """The names of all seekers there ever were, those that are gone too: drones of the start, then launched."""
        launches = (str(data["launch"]["name"]) for _, data in self.orders if "launch" in data)
        return (*self.drones, *launches)

    @property
    def volleys_open(self) -> tuple[int, ...]:
        """Orders of volleys that were due and whose roll was given up, or its effect taken back."""
        last = {roll.volley: roll for roll in self.rolls.values() if roll.volley is not None}
        return tuple(
            number
            for number, data in (self.orders if last else ())
            if "of" in data.get("volley", ())
            and number in last
            and last[number].applied is None
            and last[number].status != "declared"
            and last[number].number != self.unapplied
            and not self.ships[data["volley"]["ship"]].state.dead
        )

    def ship(self, name: str) -> ShipInGame:
        """A ship by name. Raises BadInput, with the names there are."""
        if name in self.ships:
            return self.ships[name]
        for known, ship in self.ships.items():
            if known.casefold() == name.casefold():
                return ship
        raise BadInput(f"no ship {name} in the game", hint=names_like(name, self.ships))

    def replaces(self, seal: Seal) -> Seal | None:
        """The last seal that was made in the place of another."""
        return self.seals.replacing(seal)

    @property
    def in_force(self) -> list[Seal]:
        """The seals that no later one replaces."""
        return [seal for seal in self.seals if self.replaces(seal) is None]

    def in_force_in(self, turn: int) -> list[Seal]:
        """The seals of a turn that no later one replaces."""
        return [seal for seal in self.seals.of_turn(turn) if self.replaces(seal) is None]

    def sealed(self, ship: str, turn: int, kind: str) -> Seal | None:
        """The seal in force for a ship's orders: the latest revision."""
        return max(self.seals.about(turn, ship, kind), key=lambda seal: seal.revision, default=None)


def is_unexplained(state: GameState, data: Mapping[str, Any], *, kept: bool) -> bool:
    """Is this the order of a volley that no fire of the record accounts for, and that the umpire did not give? Where fire
    is not `kept` in the record, the owner of the ship struck may give it too."""
    volley = data.get("volley")
    if volley is None or "of" in volley or volley["ship"] not in state.ships:
        return False
    owner = () if kept else (state.ships[volley["ship"]].player,)
    return data["player"] not in (*owner, state.umpire)


def foul_data(finding: Finding, player: str) -> dict[str, Any]:
    """What a record holds of a rule that was broken."""
    about = {"subject": finding.subject, "turn": finding.turn, "impulse": finding.impulse}
    about |= {"key": finding.key if finding.key != finding.rule else ""}
    known = {name: value for name, value in about.items() if value not in (None, "")}
    return {"player": player, "reason": finding.message, "rule": finding.rule, **known}


def at_fault(ships: Mapping[str, ShipInGame], finding: Finding, author: str) -> str:
    """The player who breaks a rule: whose ship, or whose ship's weapon, it is about, else the author of the entry."""
    names = (name for name in ships if f"{finding.subject} ".startswith(f"{name} "))
    name = max(names, key=len, default="")
    return ships[name].player if name else author


def are_opponents(genesis: Mapping[str, Any]) -> bool:
    """Do several players keep the record together, each for himself? Practice and solo dice are one keeper's."""
    return len(genesis["players"]) > 1 and genesis["dice"]["mode"] in ("peer", "umpire", "physical")


def umpire_of(genesis: Mapping[str, Any]) -> str:
    """The umpire a first entry names, or an empty text."""
    return str(genesis.get("umpire", "") or genesis["dice"].get("umpire", ""))


def volley_number(purpose: str) -> int | None:
    """The order entry a roll is for, if it is for a volley or an act."""
    number = purpose.removeprefix("volley of entry ").removeprefix("act of entry ")
    fits = number != purpose and number.isascii() and number.isdecimal() and len(number) < 10
    return int(number) if fits else None


PLAYED = frozenset(("speed", "move", "launch", "cloak"))
"""The orders of players who play on in the record, beside fire."""
LOCK_ON = "lock-on"
"""The purpose of a roll for lock-on, a die for each target."""


def fire_numbers(purpose: str) -> tuple[int, ...]:
    """The order entries a roll is for, if it is for fire: `fire of entries 12 15`."""
    listed = purpose.removeprefix("fire of entries ")
    numbers = listed.split(" ") if listed != purpose else []
    fits = all(number.isascii() and number.isdecimal() and len(number) < 10 for number in numbers)
    return tuple(map(int, numbers)) if fits else ()
