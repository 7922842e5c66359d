"""Energy forms as XLSX workbooks."""

from __future__ import annotations

import datetime
import io
from collections.abc import Mapping
from typing import Any

import xlsxwriter

from referee.formats.sheets.ownform import BALANCE, WRITTEN
from referee.formats.sheets.writeform import (
    FILLS,
    HEAD,
    HEAD_FILL,
    HEAD_INK,
    LINES_INK,
    OVER_FILL,
    OVER_INK,
    PAGE_FOOT,
    PAGE_HEAD,
    ROW_POINTS,
    BlankForm,
    FormRow,
    plain_text,
    sheet_name,
)

_LABEL_WIDTH, _TURN_WIDTH, _NOTE_WIDTH = 29, 10.5, 34
# Zeros are not shown, so that a sum of nothing looks as empty as its column.
_FIGURE_FORMAT, _SUM_FORMAT = "0.###", "0.###;-0.###;;@"


def blank_form_xlsx(*forms: BlankForm) -> bytes:
    """The forms as one workbook, a sheet each, sums as formulas with their values saved.

    Texts are never formulas; the same forms always make the same bytes.
    """
    out = io.BytesIO()
    options = {
        "in_memory": True,
        "strings_to_formulas": False,
        "strings_to_urls": False,
        "strings_to_numbers": False,
    }
    workbook = xlsxwriter.Workbook(out, options)
    workbook.set_properties({"created": datetime.datetime(2000, 1, 1), "comments": WRITTEN})
    formats = _formats(workbook)
    titles: list[str] = []
    for form in forms:
        titles.append(sheet_name(form.title, titles))
        _write_sheet(workbook.add_worksheet(titles[-1]), form, formats)
    workbook.close()
    return out.getvalue()


# The writer has no types of its own.
def _formats(workbook: Any) -> Mapping[str, Any]:
    """The formats of cells by name: those of a part of the form bear its colour, and figures may be filled in."""
    formats = {
        "bold": workbook.add_format({"bold": True, "valign": "vcenter"}),
        "head": workbook.add_format({**_head(), "align": "center"}),
        "head left": workbook.add_format(_head()),
        "ship": workbook.add_format({"locked": False, "valign": "vcenter"}),
        "note": workbook.add_format({**_lines(), "locked": False, "text_wrap": True}),
        "balance": workbook.add_format({"align": "center", "italic": True, "valign": "vcenter"}),
        "over": workbook.add_format({"bold": True, "font_color": OVER_INK, "bg_color": OVER_FILL}),
    }
    for part, fill in FILLS.items():
        look = {**_lines(), "bg_color": fill}
        formats[f"label {part}"] = workbook.add_format(look)
        formats[f"total {part}"] = workbook.add_format({**look, "bold": True})
        look |= {"align": "center"}
        formats[f"figure {part}"] = workbook.add_format(
            {**look, "num_format": _FIGURE_FORMAT, "locked": False}
        )
        formats[f"sum {part}"] = workbook.add_format({**look, "num_format": _SUM_FORMAT, "bold": True})
    return formats


def _lines() -> dict[str, Any]:
    return {"border": 1, "border_color": LINES_INK, "valign": "vcenter"}


def _head() -> dict[str, Any]:
    return {"bold": True, "font_color": HEAD_INK, "bg_color": HEAD_FILL, "valign": "vcenter"}


def _write_sheet(sheet: Any, form: BlankForm, formats: Mapping[str, Any]) -> None:
    notes = len(form.turns) + 1
    sheet.set_default_row(ROW_POINTS)
    sheet.set_column(0, 0, _LABEL_WIDTH)
    sheet.set_column(1, notes - 1, _TURN_WIDTH)
    sheet.set_column(notes, notes, _NOTE_WIDTH)
    sheet.write_string(0, 0, "Ship", formats["bold"])
    sheet.write_string(0, 1, plain_text(form.ship), formats["ship"])
    sheet.write_string(1, 0, "Turn", formats["head left"])
    for column, turn in enumerate(form.turns, 1):
        sheet.write_number(1, column, turn, formats["head"])
    sheet.write_string(1, notes, "Notes", formats["head left"])
    for number, row in enumerate(form.rows):
        if row.points > ROW_POINTS:
            sheet.set_row(number + HEAD, row.points)
        _write_row(sheet, form, number, formats)
        if row.note:
            sheet.write_string(number + HEAD, notes, plain_text(row.note), formats["note"])
        else:
            sheet.write_blank(number + HEAD, notes, None, formats["note"])
        if form.turns:
            sheet.data_validation(number + HEAD, 1, number + HEAD, notes - 1, _energy_allowed(row))
    if form.spent is not None and form.turns:
        _write_balance(sheet, form, formats)
    sheet.freeze_panes(HEAD, 1)
    # Labels and totals are locked without a password: nobody writes over them by a slip.
    sheet.protect(
        "", {"format_cells": True, "format_columns": True, "format_rows": True, "insert_columns": True}
    )
    sheet.set_landscape()
    sheet.set_paper(9)
    sheet.fit_to_pages(1, 1)
    sheet.center_horizontally()
    sheet.set_margins(left=0.5, right=0.5, top=0.9, bottom=0.7)
    sheet.set_header(f'&L&"Arial,Bold"&14&A&R{PAGE_HEAD}')
    sheet.set_footer(f"&L{PAGE_FOOT}")


def _energy_allowed(row: FormRow) -> dict[str, Any]:
    """What may be typed into a row: energy points, up to what it may hold."""
    bounds: dict[str, Any] = {"criteria": ">=", "value": 0}
    if row.most is not None:
        bounds = {"criteria": "between", "minimum": 0, "maximum": float(row.most)}
    help_ = {"input_title": row.titled[:32], "input_message": row.help[:255]} if row.help else {}
    return {
        "validate": "decimal",
        **bounds,
        "error_title": "Energy points",
        "error_message": row.allowed,
        **help_,
    }


def _write_row(sheet: Any, form: BlankForm, number: int, formats: Mapping[str, Any]) -> None:
    row = form.rows[number]
    kind = "total" if row.sums else "label"
    sheet.write_string(number + HEAD, 0, row.titled, formats[f"{kind} {row.part}"])
    for column, turn in enumerate(form.turns, 1):
        figure = form.figure(number, turn)
        if form.is_sum(number, turn):
            formula = f"={form.sum_formula(number, column)}"
            sheet.write_formula(
                number + HEAD, column, formula, formats[f"sum {row.part}"], float(figure or 0)
            )
        elif figure is not None:
            sheet.write_number(number + HEAD, column, float(figure), formats[f"figure {row.part}"])
        else:
            sheet.write_blank(number + HEAD, column, None, formats[f"figure {row.part}"])


def _write_balance(sheet: Any, form: BlankForm, formats: Mapping[str, Any]) -> None:
    """The last row: what is over or left of each turn's energy, as it is filled in."""
    place = len(form.rows) + HEAD
    sheet.write_string(place, 0, BALANCE, formats["bold"])
    for column, turn in enumerate(form.turns, 1):
        formula = f"={form.balance_formula(column)}"
        sheet.write_formula(place, column, formula, formats["balance"], form.balance(turn))
    for word in ("over", "line"):
        looks = {"type": "text", "criteria": "begins with", "value": word, "format": formats["over"]}
        sheet.conditional_format(place, 1, place, len(form.turns), looks)
