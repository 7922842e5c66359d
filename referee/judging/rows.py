"""The row of a form and the line of a text that a finding is about."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from referee.core.beside import Beside, FormPart, RowShown
from referee.core.energy import show_energy
from referee.core.errors import BadInput
from referee.core.finding import Finding, Report
from referee.core.forms import EnergyAllocation, EnergyForm, FormLines
from referee.core.frozen import replace
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
            for finding in report.findings:
                yield from _of_lines(form.allocations, finding, form_rulebook(asked).lines)
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
    """The rows of a sheet about the places on it, under the row of turns."""
    of_row = dict(_lines_by_row(form, lines)) if form else {}
    turns = [cell_of(each.place.cell) for each in form.allocations if each.place.cell] if form else []
    wide = max(map(len, sheet.rows), default=0)
    cells = [(*row, *[""] * (wide - len(row))) for row in sheet.rows]
    for place in wanted:
        there = place.within(cell=None, step=sheet.place.step, line=sheet.place.line)
        row, column = cell_of(place.cell) if place.cell and sheet.place == there else (wide, wide)
        if row < len(cells) and column < wide:
            head = next((n for n, _ in turns if n < row), -1)
            filled = (n for n, each in enumerate(cells) if n == row or (any(each) and n > head))
            rows = {n: RowShown(str(n + 1), of_row.get(n, ""), cells[n]) for n in filled}
            heads = cells[head] if head >= 0 else ("",) * wide
            yield place, _about(heads, rows, row, column, min((n for _, n in turns), default=1))


def _lines_by_row(form: EnergyForm, lines: FormLines) -> Iterator[tuple[int, str]]:
    """The line of the form that stands in each row: `14 Movement`."""
    for allocation in form.allocations:
        for line in (*allocation.entries, *allocation.blanks):
            if cell := allocation.place_of(line).cell:
                yield cell_of(cell)[0], lines.numbered(line)


def _about(
    heads: Sequence[str], rows: Mapping[int, RowShown], row: int, column: int, first: int = 0
) -> FormPart:
    """The rows and columns about a cell; the columns of the labels, before the `first` of a turn, stay."""
    order = list(rows)
    at = order.index(row)
    near = order[max(0, at - _NEIGHBOURS) : at + _NEIGHBOURS + 1]
    low = max(first, min(column - _MOST_COLUMNS // 2, len(heads) - _MOST_COLUMNS))
    shown = sorted({*range(min(first, column)), column, *range(low, min(len(heads), low + _MOST_COLUMNS))})
    parts = [replace(rows[n], cells=tuple(rows[n].cells[c] for c in shown)) for n in near]
    return FormPart(tuple(heads[c] for c in shown), tuple(parts), near.index(row), shown.index(column))


def _in_record(source: InputBytes, report: Report) -> Iterator[tuple[Location, FormPart]]:
    """The forms of a record's ships, all that are filed and shown."""
    from referee.adjudicator.record_forms import allocation_from
    from referee.play.game_file import game_in

    game = game_in(source)
    for finding in report.findings:
        if ship := game.state.ships.get(finding.subject):
            filled = [allocation_from(form, turn, Location()) for turn, form in sorted(ship.forms.items())]
            yield from _of_lines(filled, finding, game.rulebook.lines)


def _of_lines(
    filled: Sequence[EnergyAllocation], finding: Finding, lines: FormLines
) -> Iterator[tuple[Location, FormPart]]:
    """The lines of a form without rows, in the order of the book, about the one of a finding."""
    known = sorted({key for each in filled for key in each.entries}, key=_in_book)
    turns = [each.turn for each in filled]
    row = next((n for n, key in enumerate(known) if lines.named(key) == finding.line), None)
    if row is None or finding.turn not in turns:
        return
    heads = [f"turn {turn}" for turn in turns]
    spent = [[each.entries.get(key) for each in filled] for key in known]
    texts = [tuple(show_energy(entry.amount) if entry else "" for entry in entries) for entries in spent]
    rows = {n: RowShown("", lines.numbered(key), texts[n]) for n, key in enumerate(known)}
    yield finding.location, _about(heads, rows, row, turns.index(finding.turn))


def _in_book(line: str) -> tuple[int, str]:
    number = line.partition(":")[0]
    return int(number) if number.isdecimal() else 99, line
