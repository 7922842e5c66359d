"""Blank energy forms for players to fill in, as CSV and XLSX."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Mapping
from dataclasses import field
from fractions import Fraction
from types import MappingProxyType
from typing import Any, Literal

from referee.core.energy import show_energy
from referee.core.frozen import frozen
from referee.core.location import cell_name
from referee.formats.sheets.grid import CONTROL
from referee.formats.sheets.ownform import WRITTEN

_FORMULA_START = re.compile(r"'*[=+\-@]")
_SHEET_NAME_FORBIDDEN = re.compile(r"[\[\]:*?/\\]")
_SHEET_NAME_LENGTH = 31  # UTF-16 units
_HEAD = 2  # rows above the first row of figures: the ship, the turns
_LABEL_WIDTH, _TURN_WIDTH, _NOTE_WIDTH = 28, 7, 40
# Zeros are not shown, so that a sum of nothing looks as empty as its column.
BALANCE = "Over or left"
"""The label of the row that says whether a turn's energy is overspent; it is none of the form's lines."""
_FIGURE_FORMAT, _SUM_FORMAT = "0.###", "0.###;-0.###;;@"


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


@frozen
class BlankForm:
    """A form to be written: the ship it is for, its turn columns and its rows.

    A row that is a sum stands below the rows it adds up, unless those are sums themselves. Turns that
    are `over` stay as they were filled in: a sum nobody wrote may be one of blanks that mean something. `given` are
    the rows of energy there is, and `spent` the row of all that is spent: a workbook says what is over or left.
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

    def balance(self, turn: int) -> str:
        """What is over or left of a turn's energy, in words; a dash where nothing is filled in."""
        if self.spent is None or self.figure(self.spent, turn) is None:
            return "-"
        given = sum((self.figure(row, turn) or Fraction(0) for row in self.given), Fraction(0))
        left = given - (self.figure(self.spent, turn) or Fraction(0))
        return f"{show_energy(left)} left" if left >= 0 else f"over by {show_energy(-left)}"

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
    book.set_properties({"created": datetime.datetime(2000, 1, 1), "comments": WRITTEN})
    formats = _formats(book)
    titles: list[str] = []
    for form in forms:
        titles.append(_sheet_name(form.title, titles))
        _write_sheet(book.add_worksheet(titles[-1]), form, formats)
    book.close()
    return out.getvalue()


_FILLS = {"power": "#E3EEF9", "spending": "#FBF3E1", "": "#FFFFFF"}
"""The colours of rows that give energy and of those that spend it; they differ in grey as well."""


# The writer has no types of its own.
def _formats(book: Any) -> Mapping[str, Any]:
    """The formats of cells by name: those of a part of the form bear its colour, and figures may be filled in."""
    formats = {
        "bold": book.add_format({"bold": True}),
        "ship": book.add_format({"locked": False}),
        "note": book.add_format({"locked": False, "text_wrap": True}),
        "balance": book.add_format({"align": "right", "italic": True}),
        "over": book.add_format({"bold": True, "font_color": "#FFFFFF", "bg_color": "#9C1C12"}),
    }
    for part, fill in _FILLS.items():
        look = {"bg_color": fill, "border": 1, "border_color": "#B9C1CC"}
        formats[f"label {part}"] = book.add_format(look)
        formats[f"total {part}"] = book.add_format({**look, "bold": True})
        formats[f"figure {part}"] = book.add_format({**look, "num_format": _FIGURE_FORMAT, "locked": False})
        formats[f"sum {part}"] = book.add_format({**look, "num_format": _SUM_FORMAT, "bold": True})
    return formats


def _write_sheet(sheet: Any, form: BlankForm, formats: Mapping[str, Any]) -> None:
    notes = len(form.turns) + 1
    sheet.set_column(0, 0, _LABEL_WIDTH)
    sheet.set_column(1, notes - 1, _TURN_WIDTH)
    sheet.set_column(notes, notes, _NOTE_WIDTH)
    sheet.write_string(0, 0, "Ship", formats["bold"])
    sheet.write_string(0, 1, _plain_text(form.ship), formats["ship"])
    sheet.write_string(1, 0, "Turn", formats["bold"])
    for column, turn in enumerate(form.turns, 1):
        sheet.write_number(1, column, turn, formats["bold"])
    sheet.write_string(1, notes, "Notes", formats["bold"])
    for number, row in enumerate(form.rows):
        _write_row(sheet, form, number, formats)
        if row.note:
            sheet.write_string(number + _HEAD, notes, _plain_text(row.note), formats["note"])
        else:
            sheet.write_blank(number + _HEAD, notes, None, formats["note"])
        if form.turns:
            sheet.data_validation(number + _HEAD, 1, number + _HEAD, notes - 1, _energy_allowed(row))
    if form.spent is not None and form.turns:
        _write_balance(sheet, form, form.spent, formats)
    sheet.freeze_panes(_HEAD, 1)
    # Labels and totals are locked without a password: nobody writes over them by a slip.
    sheet.protect(
        "", {"format_cells": True, "format_columns": True, "format_rows": True, "insert_columns": True}
    )
    sheet.set_landscape()
    sheet.set_paper(9)
    sheet.fit_to_pages(1, 1)


def _energy_allowed(row: FormRow) -> dict[str, Any]:
    """What may be typed into a row: energy points, up to what it may hold."""
    bounds: dict[str, Any] = {"criteria": ">=", "value": 0}
    told = "A number of energy points, 0 or more, such as 2 or 2.5."
    if row.most is not None:
        bounds = {"criteria": "between", "minimum": 0, "maximum": float(row.most)}
        told = f"Energy points from 0 to {show_energy(row.most)}."
    help_ = {"input_title": _title_of(row)[:32], "input_message": row.help[:255]} if row.help else {}
    return {"validate": "decimal", **bounds, "error_title": "Energy points", "error_message": told, **help_}


def _write_row(sheet: Any, form: BlankForm, number: int, formats: Mapping[str, Any]) -> None:
    row = form.rows[number]
    kind = "total" if row.sums else "label"
    sheet.write_string(number + _HEAD, 0, _title_of(row), formats[f"{kind} {row.part}"])
    for column, turn in enumerate(form.turns, 1):
        figure = form.figure(number, turn)
        if form.is_sum(number, turn):
            formula = _sum_formula(row.sums, column)
            sheet.write_formula(
                number + _HEAD, column, formula, formats[f"sum {row.part}"], float(figure or 0)
            )
        elif figure is not None:
            sheet.write_number(number + _HEAD, column, float(figure), formats[f"figure {row.part}"])
        else:
            sheet.write_blank(number + _HEAD, column, None, formats[f"figure {row.part}"])


def _title_of(row: FormRow) -> str:
    """A row's label with the number of its line: `14 Movement`."""
    return _plain_text(f"{row.number} {row.label}")


def _write_balance(sheet: Any, form: BlankForm, spent: int, formats: Mapping[str, Any]) -> None:
    """The last row: what is over or left of each turn's energy, as it is filled in."""
    place = len(form.rows) + _HEAD
    sheet.write_string(place, 0, BALANCE, formats["bold"])
    for column, turn in enumerate(form.turns, 1):
        given = "+".join(f"N({cell_name(row + _HEAD, column)})" for row in form.given)
        used = f"N({cell_name(spent + _HEAD, column)})"
        filled = f"{cell_name(_HEAD, column)}:{cell_name(place - 1, column)}"
        over = f'"over by "&ROUND({used}-({given}),2)'
        formula = f'=IF(SUM({filled})=0,"-",IF({used}>{given},{over},ROUND({given}-{used},2)&" left"))'
        sheet.write_formula(place, column, formula, formats["balance"], form.balance(turn))
    looks = {"type": "text", "criteria": "begins with", "value": "over", "format": formats["over"]}
    sheet.conditional_format(place, 1, place, len(form.turns), looks)


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
