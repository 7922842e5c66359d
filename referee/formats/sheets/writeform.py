"""Energy forms for players to fill in: what stands on one, and how it is written as CSV.

Its workbooks are written in `writexlsx`, by the same rows."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Mapping
from dataclasses import field
from fractions import Fraction
from types import MappingProxyType
from typing import Literal

from referee.core.energy import show_energy
from referee.core.frozen import frozen
from referee.core.location import cell_name
from referee.formats.sheets.csvsheet import Dialect
from referee.formats.sheets.grid import CONTROL

_FORMULA_START = re.compile(r"'*[=+\-@]")
_SHEET_NAME_FORBIDDEN = re.compile(r"[\[\]:*?/\\]")
_SHEET_NAME_LENGTH = 31  # UTF-16 units
HEAD = 2
"""Rows above the first row of figures: the ship, the turns."""
FILLS = {"power": "#E3EEF9", "spending": "#FBF3E1", "": "#FFFFFF"}
"""The colours of rows that give energy and of those that spend it; they differ in grey as well."""
OVER_INK, OVER_FILL = "#FFFFFF", "#9C1C12"
"""The colours of a turn that spends more than there is."""
HEAD_INK, HEAD_FILL, LINES_INK = "#FFFFFF", "#2F3E52", "#B9C1CC"
"""The colours of the row that names the turns, and of the lines between cells."""
ROW_POINTS, _NOTE_POINTS, _NOTE_LETTERS = 20, 13, 32
"""How high a row is: room to write on paper."""
PAGE_HEAD, PAGE_FOOT = "Energy allocation form", "Blue rows give energy. Yellow rows spend it."


@frozen
class FormRow:
    """A row of a form: its label, figures known beforehand by turn, and a note at its end.

    `sums` are the numbers of the rows (from 0, in the same form) this one adds up, for a sum. `number` is that of the
    line in the rulebook, `part` whether it gives energy or spends it, `most` the energy points it may hold at most, and
    `help` a word on that.
    """

    label: str
    figures: Mapping[int, Fraction] = field(default_factory=lambda: MappingProxyType({}))
    sums: tuple[int, ...] = ()
    note: str = ""
    number: str = ""
    part: Literal["power", "spending", ""] = ""
    most: Fraction | None = None
    help: str = ""

    @property
    def titled(self) -> str:
        """Its label with the number of its line: `14 Movement`."""
        return plain_text(f"{self.number} {self.label}")

    @property
    def points(self) -> int:
        """How high the row is, with all of its note."""
        return max(ROW_POINTS, _NOTE_POINTS * -(-len(self.note) // _NOTE_LETTERS) + 4)

    @property
    def allowed(self) -> str:
        """What may be typed into it, in words."""
        if self.most is None:
            return "A number of energy points, 0 or more, such as 2 or 2.5."
        return f"Energy points from 0 to {show_energy(self.most)}."


@frozen
class BlankForm:
    """A form to be written: the ship it is for, its turn columns and its rows.

    A row that is a sum stands below the rows it adds up, unless those are sums themselves. Turns that
    are `over` stay as they were filled in: a sum nobody wrote may be one of blanks that mean something. `given` are
    the rows of the power there is, of the charged batteries and of what they give, and `spent` that of all that is
    spent: a workbook says what is over or left.
    """

    ship: str
    turns: tuple[int, ...]
    rows: tuple[FormRow, ...]
    title: str = "Energy allocation"
    over: frozenset[int] = frozenset()
    given: tuple[int, ...] = ()
    spent: int | None = None

    def is_sum(self, row: int, turn: int) -> bool:
        """Is a cell the sum of others?"""
        form_row = self.rows[row]
        return bool(form_row.sums) and turn not in form_row.figures and turn not in self.over

    def figure(self, row: int, turn: int) -> Fraction | None:
        """What stands in a cell: a figure known beforehand, or a sum where its turn has any figure."""
        form_row = self.rows[row]
        if not self.is_sum(row, turn):
            return form_row.figures.get(turn)
        if not any(turn in other.figures for other in self.rows):
            return None
        return sum((self._plain(other, turn) for other in form_row.sums), Fraction(0))

    def sums_nothing(self, row: int, turn: int) -> bool:
        """Is a cell the sum of lines that are all blank?"""
        parts = self.rows[row].sums
        return self.is_sum(row, turn) and not any(turn in self.rows[part].figures for part in parts)

    def balance(self, turn: int) -> str:
        """What is over or left of a turn's energy, in words; a dash where nothing is filled in."""
        if self.spent is None or not any(turn in row.figures for row in self.rows):
            return "-"
        power, batteries, discharged = self.given
        made = self._summed(power, turn) or self._plain(power, turn)
        gives = self._plain(discharged, turn)
        charged = self.rows[batteries].figures.get(turn, gives)
        needed = self._summed(self.spent, turn) - made
        if needed > charged:
            return f"over by {_decimal(needed - charged)}"
        if needed > gives:
            return f"line {self.rows[discharged].number}: {_decimal(needed)}"
        return f"{_decimal(gives - needed)} left"

    def sum_formula(self, row: int, column: int) -> str:
        """The formula of a sum, neighbouring rows as ranges: `SUM(B3:B5,B8)`. Columns count from 0."""
        ranges: list[tuple[int, int]] = []
        for each in sorted(self.rows[row].sums):
            if ranges and ranges[-1][1] == each - 1:
                ranges[-1] = ranges[-1][0], each
            else:
                ranges.append((each, each))
        corners = (dict.fromkeys((first, last)) for first, last in ranges)
        cells = (":".join(cell_name(each + HEAD, column) for each in pair) for pair in corners)
        return f"SUM({','.join(cells)})"

    def balance_formula(self, column: int) -> str:
        """The formula that says what is over or left of the energy in a column, or what batteries have to give. It adds
        the lines up itself: a player may leave a total blank."""
        power, batteries, discharged = (cell_name(row + HEAD, column) for row in self.given)
        sums, used = (self.sum_formula(row, column) for row in (self.given[0], self.spent or 0))
        needed, gives = f"{used}-IF({sums}=0,N({power}),{sums})", f"N({discharged})"
        charged = f"IF(COUNT({batteries}),{batteries},{gives})"
        filled = f"{cell_name(HEAD, column)}:{cell_name(len(self.rows) + HEAD - 1, column)}"
        over = f'"over by "&ROUND({needed}-{charged},2)'
        line = f'"line {self.rows[self.given[2]].number}: "&ROUND({needed},2)'
        left = f'ROUND({gives}-({needed}),2)&" left"'
        return f'IF(SUM({filled})=0,"-",IF({needed}>{charged},{over},IF({needed}>{gives},{line},{left})))'

    def _summed(self, row: int, turn: int) -> Fraction:
        """What a sum comes to in a turn, whatever is written there."""
        return sum((self._plain(each, turn) for each in self.rows[row].sums), Fraction(0))

    def _plain(self, row: int, turn: int) -> Fraction:
        return self.rows[row].figures.get(turn, Fraction(0))


PLAIN = Dialect()


def blank_form_csv(form: BlankForm, dialect: Dialect = PLAIN) -> str:
    """The form as CSV text, sums computed; one of lines that are all blank is left blank, for there it would stay 0
    while the player fills them in. No text cell can be taken for a formula."""
    out = io.StringIO()
    writer = csv.writer(out, delimiter=dialect.separator, lineterminator=dialect.line_end)
    if dialect.note:
        out.write(f"sep={dialect.separator}{dialect.line_end}")
    writer.writerow(["Ship", _guarded(form.ship)])
    writer.writerow(["Turn", *form.turns, "Notes"])
    for number, row in enumerate(form.rows):
        figures = [
            _shown(None if form.sums_nothing(number, turn) else form.figure(number, turn), dialect.decimal)
            for turn in form.turns
        ]
        writer.writerow([_guarded(row.label), *figures, _guarded(row.note)])
    return out.getvalue()


def _decimal(figure: Fraction) -> str:
    """A figure as the workbook's own formula says it."""
    return f"{float(round(figure, 2)):g}"


def _shown(figure: Fraction | None, decimal: str) -> str:
    """`2,5` where a file has such figures; else `2 1/2`: spreadsheets of every country read it as a number, and none as
    a date."""
    if figure is None:
        return ""
    if decimal and 100 % figure.denominator == 0:
        return _decimal(figure).replace(".", decimal)
    whole, rest = divmod(figure, 1)
    return f"{whole} {rest}" if rest else str(whole)


def plain_text(text: str) -> str:
    """A text on one line, as every reader of sheets will take it."""
    return CONTROL.sub(" ", text).strip()


def _guarded(text: str) -> str:
    """A text that no spreadsheet takes for a formula; an apostrophe already before one is kept by another."""
    text = plain_text(text)
    return f"'{text}" if _FORMULA_START.match(text) else text


def sheet_name(title: str, taken: list[str]) -> str:
    """A name a worksheet may have, different from the others ignoring case."""
    wanted = _SHEET_NAME_FORBIDDEN.sub("-", plain_text(title))
    folded = {other.casefold() for other in taken}
    for number in range(1, len(taken) + 2):
        ending = f" {number}" if number > 1 else ""
        name = _cut(wanted, _SHEET_NAME_LENGTH - len(ending)).strip("' ") or "Form"
        if (name + ending).casefold() not in folded:
            return name + ending
    raise AssertionError("more names tried than are taken")


def _cut(text: str, length: int) -> str:
    """The start of a text that fits this many UTF-16 units."""
    return text.encode("utf-16-le")[: 2 * length].decode("utf-16-le", "ignore")
