"""The fire of a play-by-play put together: which dice are of which shots, and which damage of which fire."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Iterable, Mapping, Sequence

from referee.core.finding import Finding, Severity
from referee.core.frozen import frozen, replace
from referee.core.location import Location
from referee.core.naming import how_many
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

_OF_FIRE = frozenset((Fired, ImpulseBegun, VolleySaid, Rolled, Allocated, DamageSaid, ShieldsSaid))


Misses = Callable[[Fired, int, tuple[int, int]], bool]
"""Does a shot score nothing with its die, thrown with so many dice of so many sides?"""


class Volley:
    """Shots of one ship at one target, one after the other, and their dice once they are known."""

    def __init__(self, firer: str, target: str, impulse: int) -> None:
        self.firer = firer
        self.target = target
        self.impulse = impulse
        self.shots: list[Fired] = []
        self.dice: tuple[int, ...] = ()
        self.thrown = (1, 6)
        """How many dice each shot was thrown with, and their sides."""
        self.part: list[int] = []
        """Dice that were thrown for its first shots, and the rest apart."""
        self.part_of = "", 0, 0
        """Who threw them, and of which kind."""
        self.why = "no dice follow that are of it"
        self.doubt = ""
        """Why its dice may be those of another volley."""


@frozen
class Block:
    """Damage stated of a ship: its line, by shield and in all. It has the shots it comes of with their dice, or why
    these are not known. It has the shields stated to be left, and in which line."""

    ship: str
    line: int
    damage: tuple[int, ...]
    total: int
    shots: tuple[tuple[Fired, int], ...] = ()
    why: str = ""
    thrown: tuple[int, int] = (1, 6)
    doubt: str = ""
    missed: bool = False
    """Do those shots score nothing by their dice, at the ranges given? Then something else may have done it."""
    late: bool = False
    """Were they fired in an earlier impulse?"""
    others: tuple[tuple[int, ...], ...] = ()
    """The damage, by shield, that is stated of the ship after it in the same impulse, with no fire between."""
    left: tuple[int, ...] = ()
    left_line: int = 0

    @property
    def is_of_fire(self) -> bool:
        """Are there shots that it may come of by their dice?"""
        return bool(self.shots) and not self.missed


@frozen
class Fire:
    """All fire of a game: what damage was stated, by the line of it; and volleys of which only a count is told."""

    blocks: dict[int, Block]
    shield: dict[int, int]
    """The shield a shot struck by the damage stated of it, by the line of the shot."""
    without_mounts: tuple[VolleySaid, ...]
    throwers: Mapping[str, tuple[str, ...]]
    """The players whose dice each ship's fire had, where nobody else's they can have been."""
    silent: Mapping[int, Volley]
    """Volleys of which no damage is stated, by the line of their last shot."""
    odd: tuple[Finding, ...] = ()
    """What is said of dice and summaries that do not fit the shots."""


def fire_of(facts: Sequence[Fact], names: Names, file: str, misses: Misses, cut: int = 0) -> Fire:
    """The fire of a game. Whose dice a player's are is learned where nobody else can be meant. Of line `cut` the end is
    missing."""
    of_fire = [fact for fact in facts if fact.__class__ in _OF_FIRE]
    owners = _Table(names, misses, {}, frozenset())
    owners.play(of_fire)
    table = owners
    if owners.unclear:
        table = _Table(names, misses, owners.throws, owners.own_dice)
        table.play(of_fire)
    throwers: dict[str, tuple[str, ...]] = {}
    for player, ships in table.throws.items():
        for ship in ships:
            throwers[ship] = (*throwers.get(ship, ()), player)
    table.end()
    silent = {volley.shots[-1].line: volley for volley in table.silent}
    odd = (*table.odd_dice(file, cut), *table.odd_summaries(file))
    return Fire(table.blocks, table.shield, tuple(table.without_mounts()), throwers, silent, odd)


def volleys_untold(fire: Fire, file: str) -> list[Finding]:
    """What is said of volleys of which no weapon is told."""
    if not fire.without_mounts:
        return []
    count = how_many(len(fire.without_mounts), "volley")
    sentence = f"{count}: the log gives only how many weapons fire, not which: that fire is not judged"
    place = Location(file, line=fire.without_mounts[0].line)
    return [Finding("NOTE/volleys", Severity.UNDECIDED, sentence, location=place)]


class _Table:
    def __init__(
        self, names: Names, misses: Misses, throws: dict[str, set[str]], own_dice: Container[str]
    ) -> None:
        self.names = names
        self.misses = misses
        self.known = throws
        self.trusted = own_dice
        """Names of ships under which dice were thrown for them where nobody else could be meant."""
        self.own_dice: set[str] = set()
        self.throws: dict[str, set[str]] = {}
        """The ships whose dice each player was seen to throw where nobody else could be meant."""
        self.unclear = False
        """Were there dice that may be of several ships, or of a player who is called as one?"""
        self.waiting: list[Volley] = []
        self.hurt: str | None = None
        self.last: Block | None = None
        self.blocks: dict[int, Block] = {}
        self.first_block: dict[str, tuple[int, int]] = {}
        """Of each ship, the impulse and the line of the damage that was last taken to be of all fire at it."""
        self.shield: dict[int, int] = {}
        self.statements: list[tuple[VolleySaid, int]] = []
        self.begun = False
        self.turn = 0
        self.mounts: Counter[tuple[int, str, str]] = Counter()
        """The shots told mount by mount, by impulse, firer and what they are fired with."""
        self.silent: list[Volley] = []
        self.given: Rolled | None = None
        """The dice that were last given to a volley in the impulse."""
        self.again: list[tuple[Rolled, Rolled]] = []
        self.stray: list[Rolled] = []
        self.impossible: list[Rolled] = []
        self.impulse = 0

    def play(self, facts: Iterable[Fact]) -> None:
        for fact in facts:
            if isinstance(fact, ImpulseBegun):
                self.begun = False
                self.impulse += 1
                self.given = None
                if fact.turn != self.turn:
                    self.turn = fact.turn
                    self.end()
            elif isinstance(fact, Fired):
                self._fired(fact)
            elif isinstance(fact, VolleySaid):
                self.begun = False
                self.statements.append((fact, self.impulse))
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

    def end(self) -> None:
        """No more is told of the fire so far."""
        self.silent += self.waiting
        self.waiting = []

    def _fired(self, fact: Fired) -> None:
        firer, target = self._unit_meant(fact.ship), self._unit_meant(fact.target)
        self.mounts[self.impulse, firer, fact.type.casefold()] += 1
        last = self.waiting[-1] if self.waiting and self.begun else None
        if last is None or (last.firer, last.target) != (firer, target):
            last = Volley(firer, target, self.impulse)
            self.waiting.append(last)
        last.shots.append(fact)
        self.begun = True

    def _unit_meant(self, name: str) -> str:
        fits = self.names.means(name)
        return fits[0] if len(fits) == 1 else f"{name}?"

    def _rolled(self, fact: Rolled) -> None:
        count = len(fact.faces)
        if not all(fact.dice <= face <= fact.dice * fact.sides for face in fact.faces):
            self.impossible.append(fact)
        open_ = [volley for volley in self.waiting if not volley.dice]
        ship = self.names.means(fact.name)
        others = [
            volley
            for volley in self.waiting
            if volley.firer not in ship and volley.impulse == self.impulse and len(volley.shots) == count
        ]
        if len(ship) == 1:
            open_ = [volley for volley in open_ if volley.firer == ship[0]]
        elif len({volley.firer for volley in open_}) > 1:
            self.unclear = True
            known = self.known.get(fact.name, ())
            open_ = [volley for volley in open_ if volley.firer in known] or open_
        fits = [volley for volley in open_ if len(volley.shots) == count]
        if fits and len({volley.firer for volley in fits}) == 1:
            self._give(fact, fits[:1])
            if len(ship) == 1 and not others:
                self.own_dice.add(fact.name)
            elif len(ship) == 1 and fact.name not in self.trusted:
                self.unclear = True
                fits[0].doubt = f"the dice of line {fact.line} may be of a player who is called as the ship"
        elif fits:
            for volley in fits:
                volley.why = f"whose dice those of line {fact.line} are is not known"
        elif joined := _joined(open_, count):
            self._give(fact, joined)
        elif not self._part_given(fact, open_[:1]):
            for volley in open_[:1]:
                dice, shots = how_many(count, "die is", "dice are"), how_many(len(volley.shots), "shot")
                volley.why = f"{dice} thrown in line {fact.line}, and it has {shots}"
            if not open_ and self.given is not None and self.given.name == fact.name:
                self.again.append((fact, self.given))
            elif not open_:
                self.stray.append(fact)

    def _part_given(self, fact: Rolled, volleys: Sequence[Volley]) -> bool:
        """Dice may be thrown for some shots of a volley first, and then for the others: are these the last of them?"""
        for volley in volleys:
            if (fact.name, fact.dice, fact.sides) == volley.part_of:
                volley.part += fact.faces
            else:
                volley.part, volley.part_of = list(fact.faces), (fact.name, fact.dice, fact.sides)
            if len(volley.part) == len(volley.shots):
                self._give(fact._replace(faces=tuple(volley.part)), [volley])
                return True
        return False

    def _give(self, fact: Rolled, volleys: Sequence[Volley]) -> None:
        faces = list(fact.faces)
        self.given = fact
        for volley in volleys:
            volley.thrown = fact.dice, fact.sides
            volley.dice, faces = tuple(faces[: len(volley.shots)]), faces[len(volley.shots) :]
            if not self.names.means(fact.name):
                self.throws.setdefault(fact.name, set()).add(volley.firer)

    def _damage(self, fact: DamageSaid) -> None:
        self.last = None
        if self.hurt is None:
            return
        aimed = [volley for volley in self.waiting if volley.target == self.hurt]
        # A volley that did nothing has no damage stated: what is stated is of the last impulse in which any was fired,
        # and later than in it only what its dice scored.
        own = [volley for volley in aimed if volley.impulse == aimed[-1].impulse]
        late = bool(own) and own[0].impulse != self.impulse
        if late:
            own = [volley for volley in own if not self._missed(volley)]
        self.waiting = [volley for volley in self.waiting if volley.target != self.hurt]
        self.silent += [volley for volley in aimed if volley not in own]
        why = next(
            (volley.why for volley in own if not volley.dice),
            "" if own else "no fire before it is at this ship",
        )
        shots = (
            ()
            if why
            else tuple(pair for volley in own for pair in zip(volley.shots, volley.dice, strict=True))
        )
        thrown = next((volley.thrown for volley in own if volley.thrown != (1, 6)), (1, 6))
        doubt = next((volley.doubt for volley in own if volley.doubt), "")
        if own:
            self.first_block[self.hurt] = self.impulse, fact.line
        elif (first := self.first_block.get(self.hurt)) and first[0] == self.impulse:
            why = f"it may be of the fire before line {first[1]}"
            block = self.blocks[first[1]]
            self.blocks[first[1]] = replace(block, others=(*block.others, fact.shields))
        # Where nothing flies, damage after fire is held to that fire.
        seekers = bool(self.names.launched)
        missed = seekers and bool(shots) and all(map(self._missed, own))
        self.last = Block(
            self.hurt, fact.line, fact.shields, fact.total, shots, why, thrown, doubt, missed, late
        )
        self.blocks[fact.line] = self.last
        struck = [n for n, points in enumerate(fact.shields, 1) if points]
        if len(own) == 1 and len(struck) == 1 and not missed and not (late and seekers):
            self.shield |= {shot.line: struck[0] for shot in own[0].shots}

    def _missed(self, volley: Volley) -> bool:
        """Did a volley score nothing by its dice?"""
        return bool(volley.dice) and all(
            self.misses(shot, die, volley.thrown) for shot, die in zip(volley.shots, volley.dice, strict=True)
        )

    def _shields(self, fact: ShieldsSaid) -> None:
        block = self.last
        if block is not None and block.ship == self.hurt:
            self.blocks[block.line] = replace(block, left=fact.shields, left_line=fact.line)
        self.hurt = self.last = None

    def without_mounts(self) -> Iterable[VolleySaid]:
        """The volleys of which no mount is told in their impulse."""
        by_mount = {(impulse, firer) for impulse, firer, _ in self.mounts}
        return (
            summary
            for summary, impulse in self.statements
            if (impulse, self._unit_meant(summary.ship)) not in by_mount
        )

    def odd_dice(self, file: str, cut: int) -> Iterable[Finding]:
        """Findings on dice that nobody can throw, that were thrown once more, or that are of no fire."""
        for fact in self.impossible:
            faces = ", ".join(map(str, fact.faces[:12]))
            sentence = f"{fact.dice}d{fact.sides} cannot show {faces}"
            # How the dice of a throw of several are written is not known.
            sure = fact.dice == 1 and fact.line != cut
            severity = Severity.ERROR if sure else Severity.UNDECIDED
            place = Location(file, line=fact.line)
            yield Finding("NOTE/die", severity, sentence, fact.name, location=place)
        for fact, before in self.again:
            sentence = (
                f"dice thrown again after those of line {before.line}, and no fire is left that they are of"
            )
            yield _undecided("NOTE/dice-again", sentence, fact.name, file, fact.line)
        if self.stray:
            sentence = f"{how_many(len(self.stray), 'throw')} of dice that belong to no earlier fire: what they decide is not judged"
            yield note("dice-aside", sentence, "", location=Location(file, line=self.stray[0].line))

    def odd_summaries(self, file: str) -> Iterable[Finding]:
        """Findings on summaries that count other shots than are told mount by mount."""
        counts: Counter[tuple[int, str, str]] = Counter()
        lines: dict[tuple[int, str, str], int] = {}
        by_mount = {(impulse, firer) for impulse, firer, _ in self.mounts}
        for summary, impulse in self.statements:
            about = impulse, self._unit_meant(summary.ship), summary.type.casefold()
            if about[:2] in by_mount:
                counts[about] += summary.shots
                lines.setdefault(about, summary.line)
        for about, count in counts.items():
            if count != self.mounts[about]:
                mounts = how_many(self.mounts[about], "shot")
                words = (
                    f"{how_many(count, 'shot')} of {about[2]} reported as fired, and {mounts} given by mount"
                )
                yield Finding(
                    "NOTE/volleys",
                    Severity.UNDECIDED,
                    words,
                    about[1],
                    location=Location(file, line=lines[about]),
                )


def _undecided(key: str, sentence: str, name: str, file: str, line: int) -> Finding:
    return Finding(key, Severity.UNDECIDED, sentence, name, location=Location(file, line=line))


def _joined(volleys: Sequence[Volley], count: int) -> list[Volley]:
    """The first volleys of one ship that have as many shots together; none where no row of them has."""
    for n in range(2, len(volleys) + 1):
        row = list(volleys[:n])
        if sum(len(volley.shots) for volley in row) == count and len({volley.firer for volley in row}) == 1:
            return row
    return []
