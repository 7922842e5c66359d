"""The row of a form and the line of a text that a finding is about."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from referee.core.beside import Beside, FormPart, RowShown
from referee.core.energy import show_energy
from referee.core.errors import BadInput
from referee.core.finding import Report
from referee.core.forms import EnergyAllocation, EnergyForm, FormLines
from referee.core.location import Location, cell_of
from referee.core.sheet import Sheet
from referee.formats.files import in_lines
from referee.sources.asked import Asked
from referee.sources.forms import form_rulebook, read_forms
from referee.sources.inputs import InputBytes

_NEIGHBOURS = 2
"""Rows of a form shown above and below the one a finding is about."""
_MOST_COLUMNS = 9


def with_rows(source: InputBytes, asked: Asked, report: Report) -> Report:
    """The report on a file with the rows and lines that its findings are about."""
    return replace(report, beside=(Beside(dict(form_parts(source, asked, report))),))


def form_parts(source: InputBytes, asked: Asked, report: Report) -> Iterator[tuple[Location, FormPart]]:
    """The rows by the places of the findings."""
    if source.is_record:
        yield from _in_record(source, report)
        return
    places = [finding.location for finding in report.findings if finding.location.file == source.name]
    wanted = [place for place in places if place.cell or place.pointer]
    if source.kind == "text":
        texts = in_lines(source.data).decode("utf-8", "replace").split("\n")
        for place in places:
            if place.line and not place.cell and place.line <= len(texts):
                row = RowShown(str(place.line), "", (texts[place.line - 1].strip(),))
                yield place, FormPart(("",), (row,), 0, 0)
    if not wanted:
        return
    if source.kind == "save":
        yield from _on_displays(source, asked, wanted)
    elif source.kind == "json":
        for form in _forms(source, asked):
            lines = form_rulebook(asked).lines
            yield from ((place, part) for place in wanted if (part := _of_json(form, place, lines)))
    else:
        from referee.formats.sheets import read_sheets

        by_place = {form.place: form for form in _forms(source, asked)}
        for sheet in read_sheets(source.data, source.name, source.suffix):
            yield from _on_sheet(sheet, by_place.get(sheet.place), wanted, form_rulebook(asked).lines)


def _forms(source: InputBytes, asked: Asked) -> tuple[EnergyForm, ...]:
    """The forms of a file that was judged already; none where it holds something else."""
    try:
        return read_forms(source, asked)
    except BadInput:
        return ()


def _on_displays(
    source: InputBytes, asked: Asked, wanted: Sequence[Location]
) -> Iterator[tuple[Location, FormPart]]:
    """The forms that ships of a save hold; of a log, as they were in the step of the finding."""
    from referee.formats.eaform import form_on
    from referee.formats.vassal.game import read_save
    from referee.formats.vassal.recognise import recognise
    from referee.sources.saves import labels_of, map_of, with_map

    save = read_save(source.data, source.name, asked.encoding)
    module_map = map_of(asked)
    labels = labels_of(with_map(asked, module_map), module_map)
    steps = dict.fromkeys(place.step for place in wanted)
    for step in steps:
        then = save
        if save.kind == "log":
            from referee.formats.vassal.replay import state_at

            then = state_at(save, len(save.steps) if step is None else step)
        places = [place for place in wanted if place.step == step]
        for ship in recognise(then, None, module_map).ships:
            if ship.table is not None:
                yield from _on_sheet(ship.table, form_on(ship.table, labels), places, labels.form)


def _on_sheet(
    sheet: Sheet, form: EnergyForm | None, wanted: Sequence[Location], lines: FormLines
) -> Iterator[tuple[Location, FormPart]]:
    of_row = dict(_lines_by_row(form, lines)) if form else {}
    heads = (
        {cell_of(allocation.place.cell) for allocation in form.allocations if allocation.place.cell}
        if form
        else set()
    )
    for place in wanted:
        if place.cell and sheet.place == place.within(
            cell=None, step=sheet.place.step, line=sheet.place.line
        ):
            row, column = cell_of(place.cell)
            if row < len(sheet.rows):
                yield place, _part_of(sheet, of_row, heads, row, column)


def _lines_by_row(form: EnergyForm, lines: FormLines) -> Iterator[tuple[int, str]]:
    """The line of the form that stands in each row: `14 Movement`."""
    for allocation in form.allocations:
        for line in (*allocation.entries, *allocation.blanks):
            if cell := allocation.place_of(line).cell:
                yield cell_of(cell)[0], lines.numbered(line)


def _part_of(
    sheet: Sheet, of_row: Mapping[int, str], heads: set[tuple[int, int]], row: int, column: int
) -> FormPart:
    """The row and its neighbours that have anything in them, under the row of turns, and the columns about its cell."""
    head = next((n for n, _ in heads if n < row), None)
    filled = [n for n, cells in enumerate(sheet.rows) if any(cells) and n != head]
    before = [n for n in filled if n < row and (head is None or n > head)][-_NEIGHBOURS:]
    rows = [*before, row, *[n for n in filled if n > row][:_NEIGHBOURS]]
    first = min((n for _, n in heads), default=1)
    wide = max([column + 1, *(len(sheet.rows[n]) for n in rows)])
    low = max(first, min(column - _MOST_COLUMNS // 2, wide - _MOST_COLUMNS))
    shown = sorted({*range(min(first, column)), column, *range(low, min(wide, low + _MOST_COLUMNS))})

    def cells(n: int) -> tuple[str, ...]:
        return tuple(sheet.rows[n][c] if c < len(sheet.rows[n]) else "" for c in shown)

    return FormPart(
        heads=cells(head) if head is not None else tuple("" for _ in shown),
        rows=tuple(RowShown(str(n + 1), of_row.get(n, ""), cells(n)) for n in rows),
        row=rows.index(row),
        column=shown.index(column),
    )


def _in_record(source: InputBytes, report: Report) -> Iterator[tuple[Location, FormPart]]:
    """The forms of a record's ships, all that are filed and shown."""
    from referee.adjudicator.record_forms import allocation_from
    from referee.play.game_file import game_in

    game = game_in(source)
    lines = game.rulebook.lines
    for finding in report.findings:
        ship = game.state.ships.get(finding.subject)
        if ship is None or finding.turn not in ship.forms:
            continue
        filled = [allocation_from(form, turn, Location()) for turn, form in sorted(ship.forms.items())]
        column = next(n for n, allocation in enumerate(filled) if allocation.turn == finding.turn)
        line = next((key for key in filled[column].entries if finding.line == lines.named(key)), None)
        if line is not None:
            yield finding.location, _of_lines(filled, line, column, lines)


def _of_json(form: EnergyForm, place: Location, lines: FormLines) -> FormPart | None:
    """The lines of a form in a JSON file about the one a finding is about."""
    for column, allocation in enumerate(form.allocations):
        line = next((key for key, entry in allocation.entries.items() if entry.location == place), None)
        if line is not None:
            return _of_lines(form.allocations, line, column, lines)
    return None


def _of_lines(filled: Sequence[EnergyAllocation], line: str, column: int, lines: FormLines) -> FormPart:
    """The lines of a form without rows, in the order of the book, about one of them."""
    known = sorted({key for each in filled for key in each.entries}, key=_in_book)
    at = known.index(line)
    shown = known[max(0, at - _NEIGHBOURS) : at + _NEIGHBOURS + 1]
    rows = [
        RowShown(
            "",
            lines.numbered(key),
            tuple(show_energy(each.entries[key].amount) if key in each.entries else "" for each in filled),
        )
        for key in shown
    ]
    heads = tuple(f"turn {each.turn}" for each in filled)
    return FormPart(heads, tuple(rows), shown.index(line), column)


def _in_book(line: str) -> tuple[int, str]:
    number = line.partition(":")[0]
    return int(number) if number.isdecimal() else 99, line
