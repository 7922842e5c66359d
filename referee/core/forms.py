"""An energy allocation form as its player filled it in, every figure with its place (B3.0)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from fractions import Fraction
from typing import Literal

from referee.core.frozen import frozen
from referee.core.location import Location

BEGUN_WITH = frozenset(("1", "2", "3", "4", "5", "9:held"))
"""Lines that are known as a turn begins: power, batteries, what the capacitor holds."""
SUMS = frozenset(("4", "20", "21"))
"""Lines that sheets work out: at 0 they do not show that anybody filled them in."""
_NOTHING = Fraction(0)
ProblemKind = Literal["unknown-label", "given-twice", "unreadable", "heading"]


@frozen
class Entry:
    """One figure of a form, in energy points, and the cell it stands in."""

    amount: Fraction
    location: Location


@frozen
class EnergyAllocation:
    """One turn's column of a form.

    `entries` maps a line of the form to its figure. Lines are `1` to `21` of B3.0, with a part
    after a colon where a line has several: `9:held` (capacitor charge before this turn's line 9),
    `9:fired`, `10:PHOT/A` (one tube), `13:2` (shield number 2), `19:cloak`, and `speed` where a
    sheet states the speed beside its cost. Blank cells have no entry; `blanks` says where they are.
    """

    turn: int
    entries: Mapping[str, Entry]
    place: Location
    blanks: Mapping[str, Location] = field(default_factory=dict)
    unread: tuple[Location, ...] = ()
    """Cells of the turn with something in them that could not be taken into account."""

    def amount(self, line: str) -> Fraction:
        """What the line says, in energy points; 0 where it is blank."""
        entry = self.entries.get(line)
        return entry.amount if entry else _NOTHING

    def place_of(self, *lines: str) -> Location:
        """Where the first of these lines that the form has stands, filled in or blank; else the head of
        the column."""
        for line in lines:
            if line in self.entries:
                return self.entries[line].location
            if line in self.blanks:
                return self.blanks[line]
        return self.place

    def parts(self, line: str) -> dict[str, Entry]:
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


@frozen
class EnergyForm:
    """A ship's form: the turns that were filled in, in order of their headings.

    `ship` is what the form itself says its ship is (`cadet/federation-ca` or a name), if it says.
    """

    ship: str | None
    allocations: tuple[EnergyAllocation, ...]
    place: Location
    problems: tuple[FormProblem, ...] = ()


@frozen
class FormLabels:
    """What the rows of a sheet may be called, as data: the form definition of a rulebook.

    `lines` maps a line key to its spellings, `weapons` a weapon prefix (`PHOT`) to the spellings
    that precede a tube's mark (`Photon A`), `shields` the spellings that precede a shield's number,
    `blanks` the cell texts that mean "not used". Spellings match ignoring case, spaces and
    punctuation.
    """

    lines: Mapping[str, tuple[str, ...]]
    weapons: Mapping[str, tuple[str, ...]]
    shields: tuple[str, ...] = ()
    ship: tuple[str, ...] = ("Ship",)
    turn: tuple[str, ...] = ("Turn",)
    ignored: tuple[str, ...] = ()
    blanks: tuple[str, ...] = ()


def is_only_begun(allocation: EnergyAllocation) -> bool:
    """Does a turn's column hold nothing but what is known as the turn begins, and sums of nothing?"""
    return all(
        line in BEGUN_WITH or (line in SUMS and not one.amount) for line, one in allocation.entries.items()
    )


def turns_only_begun(form: EnergyForm) -> tuple[EnergyAllocation, ...]:
    """The turns at a form's end that are only begun: after them nothing is filled in."""
    filled = [n for n, one in enumerate(form.allocations, 1) if not is_only_begun(one)]
    return form.allocations[max(filled, default=0) :]
