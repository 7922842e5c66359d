"""The next turn of a form written into a copy of its workbook, so that all that stands in it stays."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

from referee.core.energy import show_energy
from referee.core.errors import BadInput
from referee.core.frozen import frozen
from referee.core.location import cell_name
from referee.formats.sheets import read_sheets
from referee.formats.sheets.grid import WorkbookSheet
from referee.formats.sheets.written import after_turns, cells_of_turn, with_turn

if TYPE_CHECKING:
    from referee.core.forms import EnergyForm
    from referee.core.sheet import Sheet
    from referee.formats.sheets.labels import LabelIndex
    from referee.sources.inputs import InputBytes

_MOST_NAMED = 6


@frozen
class Copied:
    """A copy of a workbook, and what is to be said of it."""

    data: bytes
    remarks: tuple[str, ...]


def same_workbook(source: InputBytes, output: str) -> bool:
    """Is the output to be a workbook of the input's own kind?"""
    if source.kind != "workbook":
        return False
    kind = ".ods" if b"opendocument" in source.data[:200] else ".xlsx"
    return output.lower().endswith(kind)


def sheet_of(source: InputBytes, form: EnergyForm) -> Sheet:
    """The sheet a form stands on."""
    sheets = read_sheets(source.data, source.name, source.suffix)
    return next((sheet for sheet in sheets if sheet.place == form.place), sheets[0])


def copied_with(
    source: InputBytes, form: EnergyForm, labels: LabelIndex, turn: int, begun: Mapping[str, Fraction]
) -> Copied:
    """The workbook with what is known of a turn in the turn's column. Raises BadInput where there is no place for
    that."""
    from referee.formats.sheets.copied import with_column, with_figures

    sheet = sheet_of(source, form)
    figures: dict[tuple[int, int], Fraction] = {}
    notes = []
    cells = cells_of_turn(sheet, labels, turn)
    if cells is None:
        if (widened := with_turn(sheet, labels, turn)) is None:
            at = after_turns(sheet, labels)
            if at is None:
                raise BadInput(f"has no row that names turns, to put turn {turn} in", file=source.name)
            source = replace(source, data=with_column(source.data, source.name, sheet.title, at))
            sheet = sheet_of(source, form)
            widened = with_turn(sheet, labels, turn, put_in=True)
            assert widened is not None
            letters = cell_name(0, at)[:-1]
            notes.append(
                f"put in: column {letters} for turn {turn}; a sum that ends at turn {turn - 1} does not count it"
            )
        figures[widened[1]] = Fraction(turn)
        cells = cells_of_turn(widened[0], labels, turn) or {}
    formulas = sheet.formulas if isinstance(sheet, WorkbookSheet) else frozenset()
    lines = labels.form
    total = sum((begun.get(line, Fraction(0)) for line in lines.sources), Fraction(0))
    for line, amount in {**begun, lines.power: total}.items():
        if line not in cells:
            if amount and line != lines.power:
                notes.append(
                    f"not written: {lines.named(line)} is {show_energy(amount)}, and the form has no row for it"
                )
            continue
        row, column, _ = cells[line]
        if (row, column) in formulas and line != lines.power:
            place = sheet.at(row, column).cell
            notes.append(
                f"not written: {lines.named(line)} is {show_energy(amount)}, and {place} is a formula"
            )
            continue
        figures[row, column] = amount
    data, lost = with_figures(source.data, source.name, sheet.title, figures)
    if lost:
        named = ", ".join(f"{title}:{cell_name(row, column)}" for title, row, column in lost[:_MOST_NAMED])
        more = f" and {len(lost) - _MOST_NAMED} more" if len(lost) > _MOST_NAMED else ""
        notes.append(
            f"left for your spreadsheet program to work out: {named}{more}; open the copy there and save it before "
            "referee reads it"
        )
    return Copied(data, tuple(notes))
