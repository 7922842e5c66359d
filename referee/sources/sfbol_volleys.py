"""The fire of a play-by-play put together: which dice are of which shots, and which damage of which fire."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from referee.core.finding import Finding
from referee.core.frozen import frozen
from referee.core.location import Location
from referee.formats.sfbol import (
    Allocated,
    DamageSaid,
    Fact,
    Fired,
    ImpulseBegun,
    Rolled,
    ShieldsSaid,
    VolleySaid,
)
from referee.sources.asked import note
from referee.sources.sfbol_names import Names

_OF_FIRE = (Fired, ImpulseBegun, VolleySaid, Rolled, Allocated, DamageSaid, ShieldsSaid)


class Volley:
    """Shots of one ship at one target, one after the other, and their dice once they are known."""

    def __init__(self, firer: str, target: str, impulse: int) -> None:
        self.firer = firer
        self.target = target
        self.impulse = impulse
        self.shots: list[Fired] = []
        self.dice: tuple[int, ...] = ()
        self.why = "no dice follow that are of it"


@frozen
class Block:
    """Damage stated of a ship: its line, by shield and in all; the shots it comes of with their dice, or why these are
    not known; the shields stated to be left, and in which line."""

    ship: str
    line: int
    damage: tuple[int, ...]
    total: int
    shots: tuple[tuple[Fired, int], ...] = ()
    why: str = ""
    left: tuple[int, ...] = ()
    left_line: int = 0


@frozen
class Fire:
    """All fire of a game: what damage was stated, by the line of it; and volleys of which only a count is told."""

    blocks: dict[int, Block]
    shield: dict[int, int]
    """The shield a shot struck by the damage stated of it, by the line of the shot."""
    without_mounts: tuple[VolleySaid, ...]
    throwers: Mapping[str, tuple[str, ...]]
    """The players whose dice each ship's fire had, where nobody else's they can have been."""


def fire_of(facts: Sequence[Fact], names: Names) -> Fire:
    """The fire of a game. Whose dice a player's are is learned where nobody else can be meant."""
    told = [fact for fact in facts if isinstance(fact, _OF_FIRE)]
    owners = _Table(names, {})
    owners.play(told)
    table = _Table(names, owners.throws)
    table.play(told)
    throwers: dict[str, tuple[str, ...]] = {}
    for player, ships in table.throws.items():
        for ship in ships:
            throwers[ship] = (*throwers.get(ship, ()), player)
    return Fire(table.blocks, table.shield, tuple(table.without_mounts()), throwers)


def volleys_untold(fire: Fire, file: str) -> list[Finding]:
    """A note on volleys of which no weapon is told."""
    if not fire.without_mounts:
        return []
    told = f"which weapons fire is not told of {len(fire.without_mounts)} volleys, only how many: they are not judged"
    return [note("volleys", told, "", location=Location(file, line=fire.without_mounts[0].line))]


class _Table:
    def __init__(self, names: Names, throws: dict[str, set[str]]) -> None:
        self.names = names
        self.known = throws
        self.throws: dict[str, set[str]] = {}
        """The ships whose dice each player was seen to throw where nobody else could be meant."""
        self.waiting: list[Volley] = []
        self.hurt: str | None = None
        self.last: Block | None = None
        self.blocks: dict[int, Block] = {}
        self.shield: dict[int, int] = {}
        self.said: list[tuple[VolleySaid, int]] = []
        self.begun = False
        self.turn = 0
        self.mounts: set[tuple[int, str]] = set()
        self.impulse = 0

    def play(self, facts: Iterable[Fact]) -> None:
        for fact in facts:
            if isinstance(fact, Fired):
                self._fired(fact)
            elif isinstance(fact, ImpulseBegun):
                self.begun = False
                self.impulse += 1
                if fact.turn != self.turn:
                    self.turn, self.waiting = fact.turn, []
            elif isinstance(fact, VolleySaid):
                self.begun = False
                self.said.append((fact, self.impulse))
            elif isinstance(fact, Rolled):
                self.begun = False
                self._rolled(fact)
            elif isinstance(fact, Allocated):
                hurt = self.names.means(fact.ship)
                self.hurt = hurt[0] if len(hurt) == 1 else None
            elif isinstance(fact, DamageSaid):
                self._damage(fact)
            elif isinstance(fact, ShieldsSaid):
                self._shields(fact)

    def _fired(self, fact: Fired) -> None:
        firer, target = self._one(fact.ship), self._one(fact.target)
        self.mounts.add((self.impulse, fact.ship))
        last = self.waiting[-1] if self.waiting and self.begun else None
        if last is None or (last.firer, last.target) != (firer, target):
            last = Volley(firer, target, self.impulse)
            self.waiting.append(last)
        last.shots.append(fact)
        self.begun = True

    def _one(self, name: str) -> str:
        fits = self.names.means(name)
        return fits[0] if len(fits) == 1 else f"{name}?"

    def _rolled(self, fact: Rolled) -> None:
        count = len(fact.faces)
        open_ = [one for one in self.waiting if not one.dice]
        ship = self.names.means(fact.name)
        if len(ship) == 1:
            open_ = [one for one in open_ if one.firer == ship[0]]
        elif known := self.known.get(fact.name):
            open_ = [one for one in open_ if one.firer in known] or open_
        fits = [one for one in open_ if len(one.shots) == count]
        if fits and len({one.firer for one in fits}) == 1:
            self._give(fact, fits[:1])
        elif fits:
            for one in fits:
                one.why = f"whose dice those of line {fact.line} are cannot be told"
        elif joined := _joined(open_, count):
            self._give(fact, joined)
        else:
            for one in open_[:1]:
                one.why = f"{count} dice in line {fact.line} are not of its {len(one.shots)} shots"

    def _give(self, fact: Rolled, volleys: Sequence[Volley]) -> None:
        faces = list(fact.faces)
        for one in volleys:
            one.dice, faces = tuple(faces[: len(one.shots)]), faces[len(one.shots) :]
            if not self.names.means(fact.name):
                self.throws.setdefault(fact.name, set()).add(one.firer)

    def _damage(self, fact: DamageSaid) -> None:
        self.last = None
        if self.hurt is None:
            return
        aimed = [one for one in self.waiting if one.target == self.hurt]
        # A volley that did nothing has no damage stated: what is stated is of the last impulse in which any was fired.
        own = [one for one in aimed if one.impulse == aimed[-1].impulse]
        self.waiting = [one for one in self.waiting if one.target != self.hurt]
        why = next(
            (one.why for one in own if not one.dice), "" if own else "no fire before it is at this ship"
        )
        shots = () if why else tuple(pair for one in own for pair in zip(one.shots, one.dice, strict=True))
        self.last = Block(self.hurt, fact.line, fact.shields, fact.total, shots, why)
        self.blocks[fact.line] = self.last
        struck = [n for n, points in enumerate(fact.shields, 1) if points]
        if len(own) == 1 and len(struck) == 1:
            self.shield |= {shot.line: struck[0] for shot in own[0].shots}

    def _shields(self, fact: ShieldsSaid) -> None:
        block = self.last
        if block is not None and block.ship == self.hurt:
            told = (block.ship, block.line, block.damage, block.total, block.shots, block.why)
            self.blocks[block.line] = Block(*told, left=fact.shields, left_line=fact.line)
        self.hurt = self.last = None

    def without_mounts(self) -> Iterable[VolleySaid]:
        """The volleys of which no mount is told in their impulse."""
        return (said for said, impulse in self.said if (impulse, said.ship) not in self.mounts)


def _joined(volleys: Sequence[Volley], count: int) -> list[Volley]:
    """The first volleys of one ship that have as many shots together; none where no row of them has."""
    for n in range(2, len(volleys) + 1):
        row = list(volleys[:n])
        if sum(len(one.shots) for one in row) == count and len({one.firer for one in row}) == 1:
            return row
    return []
