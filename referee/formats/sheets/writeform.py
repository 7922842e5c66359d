"""Blank energy forms for players to fill in, as CSV and XLSX."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Mapping
from dataclasses import field
from fractions import Fraction
from types import MappingProxyType
from typing import Any

from referee.core.frozen import frozen
from referee.core.location import cell_name
from referee.formats.sheets.grid import CONTROL

_FORMULA_START = re.compile(r"'*[=+\-@]")
_SHEET_NAME_FORBIDDEN = re.compile(r"[\[\]:*?/\\]")
_SHEET_NAME_LENGTH = 31  # UTF-16 units
_HEAD = 2  # rows above the first row of figures: the ship, the turns
_LABEL_WIDTH, _TURN_WIDTH, _NOTE_WIDTH = 28, 7, 40
# Zeros are not shown, so that a sum of nothing looks as empty as its column.
_FIGURE_FORMAT, _SUM_FORMAT = "0.###", "0.###;-0.###;;@"


@frozen
class FormRow:
    """A row of a form: its label, figures known beforehand by turn, and a note at its end.

    `sums` are the numbers of the rows (from 0, in the same form) this one adds up, for a sum.
    """

    label: str
    figures: Mapping[int, Fraction] = field(default_factory=lambda: MappingProxyType({}))
    sums: tuple[int, ...] = ()
    note: str = ""


@frozen
class BlankForm:
    """A form to be written: the ship it is for, its turn columns and its rows.

    A row that is a sum stands below the rows it adds up, unless those are sums themselves. Turns that
    are `over` stay as they were filled in: a sum nobody wrote may be one of blanks that mean something.
    """

    ship: str
    turns: tuple[int, ...]
    rows: tuple[FormRow, ...]
    title: str = "Energy allocation"
    over: frozenset[int] = frozenset()

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

    def _plain(self, row: int, turn: int) -> Fraction:
        return self.rows[row].figures.get(turn, Fraction(0))


def blank_form_csv(form: BlankForm) -> str:
    """The form as CSV text, sums computed. No text cell can be taken for a formula."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["Ship", _guarded(form.ship)])
    writer.writerow(["Turn", *form.turns, "Notes"])
    for number, row in enumerate(form.rows):
        figures = [_mixed(form.figure(number, turn)) for turn in form.turns]
        writer.writerow([_guarded(row.label), *figures, _guarded(row.note)])
    return out.getvalue()


def blank_form_xlsx(*forms: BlankForm) -> bytes:
    """The forms as one workbook, a sheet each, sums as formulas with their values saved.

    Texts are never formulas; the same forms always make the same bytes.
    """
    import datetime

    import xlsxwriter

    out = io.BytesIO()
    options = {
        "in_memory": True,
        "strings_to_formulas": False,
        "strings_to_urls": False,
        "strings_to_numbers": False,
    }
    book = xlsxwriter.Workbook(out, options)
    book.set_properties({"created": datetime.datetime(2000, 1, 1), "comments": "Written by referee"})
    formats = {
        "bold": book.add_format({"bold": True}),
        "figure": book.add_format({"num_format": _FIGURE_FORMAT}),
        "sum": book.add_format({"num_format": _SUM_FORMAT, "bold": True}),
    }
    titles: list[str] = []
    for form in forms:
        titles.append(_sheet_name(form.title, titles))
        _write_sheet(book.add_worksheet(titles[-1]), form, formats)
    book.close()
    return out.getvalue()


# The writer has no types of its own.
def _write_sheet(sheet: Any, form: BlankForm, formats: Mapping[str, Any]) -> None:
    notes = len(form.turns) + 1
    sheet.set_column(0, 0, _LABEL_WIDTH)
    sheet.set_column(1, notes - 1, _TURN_WIDTH, formats["figure"])
    sheet.set_column(notes, notes, _NOTE_WIDTH)
    sheet.write_string(0, 0, "Ship", formats["bold"])
    sheet.write_string(0, 1, _plain_text(form.ship))
    sheet.write_string(1, 0, "Turn", formats["bold"])
    for column, turn in enumerate(form.turns, 1):
        sheet.write_number(1, column, turn, formats["bold"])
    sheet.write_string(1, notes, "Notes", formats["bold"])
    for number, row in enumerate(form.rows):
        _write_row(sheet, form, number, formats)
        if row.note:
            sheet.write_string(number + _HEAD, notes, _plain_text(row.note))
    sheet.freeze_panes(_HEAD, 1)
    if form.rows and form.turns:
        sheet.data_validation(_HEAD, 1, len(form.rows) + _HEAD - 1, notes - 1, _ONLY_ENERGY)


_ONLY_ENERGY = {
    "validate": "decimal",
    "criteria": ">=",
    "value": 0,
    "error_title": "Energy points",
    "error_message": "A number of energy points, 0 or more, such as 2 or 2.5.",
}


def _write_row(sheet: Any, form: BlankForm, number: int, formats: Mapping[str, Any]) -> None:
    row = form.rows[number]
    sheet.write_string(number + _HEAD, 0, _plain_text(row.label), formats["bold"] if row.sums else None)
    for column, turn in enumerate(form.turns, 1):
        figure = form.figure(number, turn)
        if form.is_sum(number, turn):
            formula = _sum_formula(row.sums, column)
            sheet.write_formula(number + _HEAD, column, formula, formats["sum"], float(figure or 0))
        elif figure is not None:
            sheet.write_number(number + _HEAD, column, float(figure), formats["figure"])


def _sum_formula(rows: tuple[int, ...], column: int) -> str:
    """`=SUM(B3:B5,B8)`: neighbouring rows as ranges."""
    ranges: list[tuple[int, int]] = []
    for row in sorted(rows):
        if ranges and ranges[-1][1] == row - 1:
            ranges[-1] = ranges[-1][0], row
        else:
            ranges.append((row, row))
    corners = (dict.fromkeys((first, last)) for first, last in ranges)
    cells = (":".join(cell_name(row + _HEAD, column) for row in pair) for pair in corners)
    return f"=SUM({','.join(cells)})"


def _mixed(figure: Fraction | None) -> str:
    """`2 1/2`: spreadsheets of every country read it as a number, and none as a date."""
    if figure is None:
        return ""
    whole, rest = divmod(figure, 1)
    return f"{whole} {rest}" if rest else str(whole)


def _plain_text(text: str) -> str:
    """A text on one line, as every reader of sheets will take it."""
    return CONTROL.sub(" ", text).strip()


def _guarded(text: str) -> str:
    """A text that no spreadsheet takes for a formula; an apostrophe already before one is kept by another."""
    text = _plain_text(text)
    return f"'{text}" if _FORMULA_START.match(text) else text


def _sheet_name(title: str, taken: list[str]) -> str:
    """A name a worksheet may have, different from the others ignoring case."""
    wanted = _SHEET_NAME_FORBIDDEN.sub("-", _plain_text(title))
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
