"""An energy allocation form as its player filled it in, every figure with its place (B3.0)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from fractions import Fraction
from typing import Literal

from referee.core.frozen import frozen
from referee.core.location import Location

_NOTHING = Fraction(0)
ProblemKind = Literal["unknown-label", "two-meanings", "given-twice", "unreadable", "heading"]


class LineNotRead(Exception):
    """A line was asked for of which something stands on the form that could not be read: it is not known. `earlier`
    says that it is of a turn before, which the reason names."""

    def __init__(self, why: str, *, earlier: bool = False) -> None:
        super().__init__(why)
        self.earlier = earlier


@frozen
class Figure:
    """One figure of a form, in energy points, and the cell it stands in. `unit` is the word behind the figure,
    where the row has one of its own: `8 hexes`; `label` is what its row is called on a sheet. A formula of the sheet
    makes one that is `computed`."""

    amount: Fraction
    location: Location
    unit: str = ""
    label: str = ""
    computed: bool = False


@frozen
class StrangeRow:
    """A row with figures that is no line known here, or may be several: where it is, and the lines it is like."""

    location: Location
    label: str
    like: tuple[str, ...] = ()


@frozen
class FormLines:
    """The lines of a form by what they are for: their keys in an allocation, as the rulebook of the form has them;
    empty where it has no such line."""

    warp: str = ""
    impulse: str = ""
    reactors: str = ""
    power: str = ""
    """The sum of these three."""
    batteries: str = ""
    """What batteries hold as the turn begins."""
    discharged: str = ""
    """What allocation takes out of them."""
    phasers: str = ""
    """What charges the capacitor."""
    capacitor_held: str = ""
    phasers_fired: str = ""
    heavy_weapons: str = ""
    """The line of weapons that are armed, whose parts are tubes."""
    shields: str = ""
    reinforcement_general: str = ""
    reinforcement_specific: str = ""
    """Reinforcement of shields, each a part."""
    movement: str = ""
    speed: str = ""
    """The speed that stands beside its cost."""
    shield_repair: str = ""
    other: str = ""
    """What has no line of its own; its parts have names."""
    cloak: str = ""
    ecm: str = ""
    eccm: str = ""
    damage_control: str = ""
    """Damage control inside the ship."""
    spent: str = ""
    """All that was allocated."""
    used_in_turn: str = ""
    """What batteries gave after the allocation."""
    titles: Mapping[str, str] = field(default_factory=dict)
    """What the row of each line is called on a form, as the rulebook's table of labels has it."""

    def title(self, line: str) -> str:
        """What the row of a line is called: `Movement`, `PHOT A`, `Shield Reinforcement 2`; empty where it has no
        name."""
        number, _, part = line.partition(":")
        if not part or line in self.titles:
            return self.titles.get(line, "")
        if number == self.heavy_weapons:
            return part.replace("/", " ")
        return f"{self.titles.get(number, '')} {part}".strip()

    def numbered(self, line: str) -> str:
        """A line as it stands on a form: `14 Movement`."""
        number, _, part = line.partition(":")
        name = self.title(line) or part
        return " ".join(filter(None, (number, name))) if number.isdigit() or not name else name

    def paid(self, amounts: Mapping[str, object], speed: int | None = None) -> str:
        """What a form pays for, by its lines: `speed 12, phasers 3, PHOT A 2`; what is given or added up is left out."""
        given, words = self.known_at_start | self.sums | self.written_in_turn, []
        order = sorted(amounts, key=lambda line: (line != self.movement, len(line.partition(":")[0]), line))
        for line in order:
            name, amount = self.title(line) or line, str(amounts[line])
            if line == self.movement and speed is not None:
                name, amount = "speed", str(speed)
            if line not in given and amount not in ("", "0"):
                words.append(f"{name if name.isupper() else name.lower()} {amount}")
        return ", ".join(words)

    def named(self, line: str) -> str:
        """A line as people look for it: `line 14 Movement`."""
        return f"line {self.numbered(line)}"

    def tube(self, part: str) -> str:
        """The line of one weapon, by its mark."""
        return f"{self.heavy_weapons}:{part}"

    def reinforced(self, shield: int | str) -> str:
        """The line of one shield's reinforcement."""
        return f"{self.reinforcement_specific}:{shield}"

    @property
    def sources(self) -> tuple[str, ...]:
        """The lines of power."""
        return self.warp, self.impulse, self.reactors

    @property
    def known_at_start(self) -> frozenset[str]:
        """What is known as a turn begins: power, batteries, what the capacitor holds."""
        return frozenset((*self.sources, self.power, self.batteries, self.capacitor_held))

    @property
    def sums(self) -> frozenset[str]:
        """Lines that sheets work out: at 0 they do not show that anybody filled them in."""
        return frozenset((self.power, self.spent, self.used_in_turn))

    @property
    def written_in_turn(self) -> frozenset[str]:
        """What is written down while the turn is played."""
        return frozenset((self.phasers_fired, self.used_in_turn))

    @property
    def reinforcement(self) -> tuple[str, ...]:
        """The lines that reinforce shields."""
        return self.reinforcement_general, self.reinforcement_specific


@frozen
class EnergyAllocation:
    """One turn's column of a form.

    `entries` maps a line of the form to its figure. Lines are `1` to `21` of B3.0, with a part
    after a colon where a line has several: `9:held` (capacitor charge before this turn's line 9),
    `9:fired`, `10:PHOT/A` (one tube), `13:2` (shield number 2), `19:cloak`. Where a sheet states the speed
    beside its cost, there is a line `speed`. Blank cells have no entry; `blanks` says where they are.
    """

    turn: int
    entries: Mapping[str, Figure]
    place: Location
    blanks: Mapping[str, Location] = field(default_factory=dict)
    unread: Mapping[str, Location] = field(default_factory=dict)
    """Lines with something in their cell that could not be read, or that is given twice: what they say is not known."""
    strange: tuple[StrangeRow, ...] = ()
    """Rows with figures in this turn whose line is not known: any line that has no row may be meant."""
    lines: FormLines = field(default_factory=FormLines)
    """What the lines of its form are for and are called."""

    def stated(self, line: str) -> Fraction | None:
        """What the line says, in energy points; None where it is blank. Raises LineNotRead where that is not known."""
        if (entry := self.entries.get(line)) is not None:
            return entry.amount
        if why := self.why_unknown(line):
            raise LineNotRead(why)
        return None

    def amount(self, line: str) -> Fraction:
        """What the line says, in energy points; 0 where it is blank. Raises LineNotRead where that is not known."""
        return self.stated(line) or _NOTHING

    def known(self, line: str) -> Fraction | None:
        """What the line says, in energy points; 0 where it is blank, None where that is not known."""
        return None if self.why_unknown(line) else self.amount(line)

    def why_unknown(self, line: str) -> str:
        """Why it is not known what a line says; nothing where it is."""
        if line in self.entries:
            return ""
        if (place := self.unread.get(line)) is not None:
            where = "" if place.cell else f" at {place.pointer or place}"
            return f"{self.named(line)}{where} is not known"
        if not self.strange or line in self.blanks:
            return ""
        for row in self.strange:
            if not row.like or line in row.like:
                return f"the row {row.label} may be {self.lines.named(line) if row.like else 'any line'}"
        return ""

    @property
    def fields(self) -> dict[str, dict[str, str]]:
        """It as a record holds it: one field a line, so that each can be revealed by itself."""
        return {
            field_of(line): {"line": line, "amount": str(entry.amount)}
            for line, entry in sorted(self.entries.items())
        }

    @property
    def is_whole(self) -> bool:
        """Is everything of the turn read, so that what does not stand on the form is nought?"""
        return not self.unread and not self.strange

    def place_of(self, *lines: str) -> Location:
        """Where the first of these lines that the form has stands, filled in or blank; else the head of
        the column."""
        return self._stands(self.first_of(*lines)) or self.place

    def first_of(self, *lines: str) -> str:
        """The first of these lines that the form has, filled in or blank; nothing where it has none."""
        return next((line for line in lines if self._stands(line)), "")

    def named(self, line: str, lines: FormLines | None = None) -> str:
        """A line as people look for it, with its cell: `line 14 Movement (C16)`; `lines` as the rulebook in force calls
        them."""
        places = (self._stands(line), self.unread.get(line))
        cell = next((place.cell for place in places if place and place.cell), "")
        return (lines or self.lines).named(line) + (f" ({cell})" if cell else "")

    def _stands(self, line: str) -> Location | None:
        return self.entries[line].location if line in self.entries else self.blanks.get(line)

    def spoilt(self, line: str) -> tuple[str, ...]:
        """The parts of a line, by their keys, that could not be read."""
        rows = (like for row in self.strange for like in row.like)
        lines = dict.fromkeys((*self.unread, *rows))
        return tuple(key for key in lines if key.partition(":")[0] == line and self.why_unknown(key))

    def parts(self, line: str) -> dict[str, Figure]:
        """The entries of a line that has parts, by part: `10` gives `{"PHOT/A": ...}`."""
        prefix = f"{line}:"
        return {key[len(prefix) :]: entry for key, entry in self.entries.items() if key.startswith(prefix)}

    def total(self, line: str) -> Fraction:
        """A line's figure and all its parts together, in energy points."""
        return self.amount(line) + sum((entry.amount for entry in self.parts(line).values()), _NOTHING)


@frozen
class FormProblem:
    """Something on a sheet that could not be taken as it stands; nothing is dropped silently."""

    kind: ProblemKind
    location: Location
    text: str
    reason: str
    figures: bool = False
    """Are there figures in it that were left out of account?"""
    fix: str = ""


@frozen
class EnergyForm:
    """A ship's form: the turns that were filled in, in order of their headings.

    `ship` is what the form itself says its ship is (`cadet/federation-ca` or a name), if it says; so are `rulebook` and
    the speed before its first turn.
    """

    ship: str | None
    allocations: tuple[EnergyAllocation, ...]
    place: Location
    problems: tuple[FormProblem, ...] = ()
    rulebook: str = ""
    previous_speed: int | None = None


@frozen
class FormLabels:
    """What the rows of a sheet may be called, as data: the form definition of a rulebook.

    `lines` maps a line key to its spellings. `weapons` maps a weapon prefix (`PHOT`) to the spellings
    that precede a tube's mark (`Photon A`). `shields` are the spellings that precede a shield's number.
    `blanks` are the cell texts that mean "not used". `units` are the words that may stand behind a figure, by
    line, and under nothing for all of them. `either` are the spellings that may mean several lines. Spellings
    match ignoring case, spaces and punctuation.
    """

    lines: Mapping[str, tuple[str, ...]]
    weapons: Mapping[str, tuple[str, ...]]
    form: FormLines
    shields: tuple[str, ...] = ()
    ship: tuple[str, ...] = ("Ship",)
    turn: tuple[str, ...] = ("Turn",)
    ignored: tuple[str, ...] = ()
    blanks: tuple[str, ...] = ()
    units: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    either: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    chapter: str = ""
    """What of the book is not checked where no form is judged."""


def is_only_begun(allocation: EnergyAllocation, lines: FormLines) -> bool:
    """Does a turn's column hold nothing but what is known as the turn begins, and sums of nothing?"""
    known, sums = lines.known_at_start, lines.sums
    return (
        not allocation.strange
        and allocation.unread.keys() <= known
        and all(
            line in known or (line in sums and not entry.amount) for line, entry in allocation.entries.items()
        )
    )


def turns_only_begun(form: EnergyForm, lines: FormLines) -> tuple[EnergyAllocation, ...]:
    """The turns at a form's end that are only begun: after them nothing is filled in."""
    filled = [n for n, allocation in enumerate(form.allocations, 1) if not is_only_begun(allocation, lines)]
    return form.allocations[max(filled, default=0) :]


def field_of(line: str) -> str:
    """The field of a record in which a line of a form is held: `line_10_phot_a`."""
    number, _, part = line.partition(":")
    name = "".join(c if c.isascii() and c.isalnum() else "_" for c in part.lower())
    return f"line_{number}" + (f"_{name}" if part else "")
