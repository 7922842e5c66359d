"""Sheets to energy allocation forms: which row is which line, which column which turn (B3.0).

Nothing is judged here. What cannot be taken as it stands becomes a `FormProblem`, all of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction

from referee.core.energy import parse_energy
from referee.core.errors import BadInput
from referee.core.forms import (
    EnergyAllocation,
    EnergyForm,
    Figure,
    FormLabels,
    FormLines,
    FormProblem,
    StrangeRow,
)
from referee.core.frozen import frozen
from referee.core.location import Location
from referee.core.once import pattern
from referee.core.sheet import Sheet
from referee.formats.sheets.grid import UNSAVED, WorkbookSheet
from referee.formats.sheets.labels import LabelIndex
from referee.formats.sheets.layout import ENOUGH_LABELS, FormLayout, layout_of, what_stands

__all__ = ["LabelIndex", "form_on", "read_form", "read_forms", "read_json_form"]

_WORD = r"([^\W\d_]{1,20})"
_WITH_WORD = pattern(rf"(.{{0,24}}?[0-9０-９½⅓⅔¼¾])\s*(?:\(\s*{_WORD}\s*\)|{_WORD}\.?)")
"""A figure with a word behind it, as `8 hexes` or `8 (warp)`."""
_MOST_STRANGE, _LONGEST_LABEL = 40, 60
_DATE = pattern(r"[0-9]{4}-[0-9]{2}-[0-9]{2}.*")


def form_on(sheet: Sheet, labels: FormLabels | LabelIndex) -> EnergyForm | None:
    """The form on a sheet; None where no row names turns, or has not four lines of the form below it."""
    index = _indexed(labels)
    layout = layout_of(sheet, index)
    if layout.header is None or not _has_lines(sheet, index, layout.header, layout.labels):
        return None
    return _Reading(sheet, index, layout).form()


def read_form(sheet: Sheet, labels: FormLabels | LabelIndex) -> EnergyForm:
    """The form on a sheet. BadInput only where there is no header row or not one known line."""
    index = _indexed(labels)
    layout = layout_of(sheet, index)
    if layout.header is None:
        hint = "the row above the figures names the turns, such as Turn,1,2,3"
        raise _refusal(sheet, f"no header row naming the turns: {what_stands(sheet, index)}", hint)
    return _Reading(sheet, index, layout).form()


def read_forms(sheets: tuple[Sheet, ...], labels: FormLabels | LabelIndex) -> tuple[EnergyForm, ...]:
    """Every form of a workbook, a sheet a ship; of sheets that are no forms, none.

    If there is no form at all, the BadInput is about the first sheet with anything on it.
    """
    index = _indexed(labels)
    filled = tuple(sheet for sheet in sheets if sheet.rows)
    forms = tuple(form for sheet in filled if (form := form_on(sheet, index)))
    return forms or (read_form((filled or sheets)[0], index),)


def read_json_form(data: bytes, file: str, lines: FormLines) -> EnergyForm:
    """The form of a JSON file. Figures that are no energy become problems; BadInput for another shape."""
    from referee.formats.sheets.jsonform import read_json_form as read

    return read(data, file, lines)


def _indexed(labels: FormLabels | LabelIndex) -> LabelIndex:
    return labels if isinstance(labels, LabelIndex) else LabelIndex(labels)


def _has_lines(sheet: Sheet, index: LabelIndex, header: int, labels: int) -> bool:
    """Are there at least four lines of the form below the header row?"""
    known = {index.line(row[labels]) for row in sheet.rows[header + 1 :] if len(row) > labels} - {None}
    return len(known) >= ENOUGH_LABELS


def _refusal(sheet: Sheet, reason: str, hint: str) -> BadInput:
    place = str(sheet.place.within(file=""))
    return BadInput(reason, file=sheet.place.file, place=place, hint=hint)


class _Blanks(Mapping[str, Location]):
    """Where the cells of a column are that are not `filled`, by line; few are ever asked for."""

    __slots__ = ("_column", "_filled", "_rows", "_sheet")

    def __init__(
        self, sheet: Sheet, column: int, rows: Mapping[str, int], filled: Mapping[str, Figure]
    ) -> None:
        self._sheet, self._column, self._rows, self._filled = sheet, column, rows, filled

    def __getitem__(self, line: str) -> Location:
        if line in self._filled:
            raise KeyError(line)
        return self._sheet.at(self._rows[line], self._column)

    def __contains__(self, line: object) -> bool:
        return line in self._rows and line not in self._filled

    def __iter__(self) -> Iterator[str]:
        return (line for line in self._rows if line not in self._filled)

    def __len__(self) -> int:
        return len(self._rows.keys() - self._filled.keys())

    def __eq__(self, other: object) -> bool:
        if isinstance(other, _Blanks) and (self._column, self._rows) == (other._column, other._rows):
            same = self._filled.keys() == other._filled.keys()
            if same and self._sheet.origin_of(self._column) == other._sheet.origin_of(other._column):
                return True
        return super().__eq__(other)

    __hash__ = None  # type: ignore[assignment]  # a Mapping has none


@frozen
class _Column:
    """A column that is a turn, and the figures found in it so far."""

    turn: int
    entries: dict[str, Figure]
    typed: list[bool]
    unread: dict[str, Location]
    strange: list[StrangeRow]


class _Reading:
    """One sheet being read."""

    __slots__ = (
        "_columns",
        "_figured",
        "_header",
        "_index",
        "_labels",
        "_problems",
        "_row_of",
        "_rows",
        "_sheet",
        "_ship",
        "_surely",
        "_unheaded",
    )

    def __init__(self, sheet: Sheet, index: LabelIndex, layout: FormLayout) -> None:
        self._sheet = sheet
        self._rows = _padded(sheet, layout.labels + 1)
        self._index = index
        self._problems: list[FormProblem] = []
        self._row_of: dict[str, int] = {}
        self._figured: set[str] = set()
        self._ship: tuple[str, Location] | None = None
        self._header = layout.header or 0
        self._labels = layout.labels
        # The lines that some row of the form is, whatever else labels of others may mean.
        self._surely = {index.line(row[layout.labels]) for row in self._rows}
        self._columns: dict[int, _Column] = {}
        self._unheaded: set[int] = set()
        self._read_header()

    def form(self) -> EnergyForm:
        for number, row in enumerate(self._rows):
            if number != self._header:
                self._read_row(number, row)
        if not self._row_of:
            reason = f"no row is a line of an energy form: {what_stands(self._sheet, self._index)}"
            raise _refusal(self._sheet, reason, "form.rows of a map (check --map) names rows")
        return EnergyForm(
            ship=self._ship[0] if self._ship else None,
            allocations=tuple(self._allocations()),
            place=self._sheet.place,
            problems=tuple(self._problems),
        )

    def _read_header(self) -> None:
        standing: dict[int, int] = {}
        number = self._header
        headings = self._rows[number]
        of_turns = any(self._index.is_turn(cell) for cell in headings[: self._labels + 1])
        for column, heading in enumerate(headings[self._labels + 1 :], self._labels + 1):
            turn = self._index.turn_number(heading, of_turns=of_turns)
            if turn is None:
                # A heading in words, such as Notes, is no turn and none is meant.
                if not heading.strip() or any(sign.isnumeric() for sign in heading):
                    self._unheaded.add(column)
            elif turn in standing:
                first = self._sheet.at(number, standing[turn])
                reason = f"turn {turn} is named twice, first at {first}; this column is left out"
                self._problem("heading", number, column, reason)
            else:
                standing[turn] = column
                self._columns[column] = _Column(turn, {}, [], {}, [])

    def _read_row(self, number: int, row: tuple[str, ...]) -> None:
        label = row[self._labels].strip()
        if self._read_ship(number, row):
            return
        blank = self._index.is_blank
        filled = [column for column in self._columns if row[column] and not blank(row[column])]
        figures = [column for column in filled if any(map(str.isnumeric, row[column]))]
        line = self._meant(label) if label else None
        if line is not None:
            self._read_line(number, row, line, filled)
        elif either := self._index.either(label):
            self._ask(number, label, either, figures)
        elif self._index.is_ignored(label):
            return
        elif self._index.is_turn(label):
            reason = "the turns are named again; figures below are taken for the turns named first"
            self._problem("heading", number, self._labels, reason)
        elif label and (number > self._header or filled):
            near = self._like(label)
            like = tuple(line for line in near if line not in self._surely)
            meant = " or ".join(map(self._index.called, like or near))
            first = next(iter(like or near), "")
            fix = f'write {meant}, or say it in a map file, under form.rows: {{"{label}": "{first}"}}'
            reason = self._unknown(label, meant, bool(filled))
            self._problem("unknown-label", number, self._labels, reason, bool(figures), fix if near else "")
            self._leave_out(number, label, figures, like)
        elif filled:
            reason = f"{'figures' if figures else 'words'} in a row without a label"
            self._problem("unknown-label", number, (figures or filled)[0], reason, bool(figures))
            self._leave_out(number, "without a label", figures)

    def _meant(self, label: str) -> str | None:
        """The line a row is; of a label that may mean several, the one that no other row of the form is."""
        if (line := self._index.line(label)) is not None:
            return line
        left = [choice for choice in self._index.either(label) if choice not in self._surely]
        return left[0] if len(left) == 1 else None

    def _ask(self, number: int, label: str, either: tuple[str, ...], figures: list[int]) -> None:
        names = " or ".join(map(self._index.form.named, either))
        rows = " or ".join(f'{{"{label}": "{line}"}}' for line in either)
        fix = f"say which in a map file, under form.rows (--map): {rows}"
        self._problem("two-meanings", number, self._labels, f"it may be {names}", bool(figures), fix)
        self._leave_out(number, label, figures, either)

    def _leave_out(self, number: int, label: str, columns: list[int], like: tuple[str, ...] = ()) -> None:
        """Takes no account of the figures of a row: which line they are is not known."""
        for column in columns:
            row = StrangeRow(self._sheet.at(number, column), label, like)
            self._columns[column].strange.append(row)
            self._columns[column].typed.append(True)

    def _like(self, label: str) -> tuple[str, ...]:
        """The lines a label is much like; not asked of more rows than a form can have, for it takes its time."""
        strange = sum(problem.kind == "unknown-label" for problem in self._problems[:_MOST_STRANGE])
        return self._index.like(label) if strange < _MOST_STRANGE and len(label) <= _LONGEST_LABEL else ()

    def _unknown(self, label: str, meant: str, filled: bool) -> str:
        if self._index.is_weapon(label):
            return "which of these weapons it is for is missing; write its letter or number behind the name"
        hint = f"did you mean {meant}? " if meant else ""
        return hint + "no line of the energy form has this label" + ("" if filled else "; its row is empty")

    def _read_ship(self, number: int, row: tuple[str, ...]) -> bool:
        """Whether this was a `Ship` row; `Ship: name` in one cell is one too."""
        for place, label in enumerate(row[: self._labels + 1]):
            name, colon, behind = label.strip().partition(":")
            if self._index.is_ship(label) or (colon and self._index.is_ship(name)):
                self._take_ship(number, [(place, behind.strip()), *((c, row[c].strip()) for c in range(place + 1, len(row)))])  # fmt: skip
                return True
        return False

    def _take_ship(self, number: int, cells: Iterable[tuple[int, str]]) -> None:
        for column, cell in cells:
            if cell and self._ship is None:
                self._ship = cell, self._sheet.at(number, column)
            elif cell and self._ship is not None and cell != self._ship[0]:
                reason = f"the ship is given twice, first at {self._ship[1]}; this one is left out"
                self._problem("given-twice", number, column, reason)

    def _read_line(self, number: int, row: tuple[str, ...], line: str, filled: list[int]) -> None:
        first = self._row_of.get(line)
        if first is not None and not filled:
            # Several blank rows of one line, as on printed forms, contradict nothing.
            return
        if first is not None and line in self._figured:
            places = " and at ".join(str(self._sheet.at(row, self._labels)) for row in (first, number))
            reason = f"{self._index.form.named(line)} is given twice, at {places}; where they differ neither is taken"
            self._problem("given-twice", number, self._labels, reason, True)
            for column in filled:
                turn, first_said = self._columns[column], self._columns[column].entries.pop(line, None)
                self._read_cell(number, column, row[column].strip(), line)
                again = turn.entries.pop(line, None)
                if first_said and again and first_said.amount == again.amount:
                    turn.entries[line] = first_said
                else:
                    turn.unread.setdefault(line, self._sheet.at(number, column))
            return
        self._row_of[line] = number
        if filled:
            self._figured.add(line)
        for column in filled:
            self._read_cell(number, column, row[column].strip(), line)
        for column in sorted(self._unheaded):
            if row[column] and not self._index.is_blank(row[column]) and _is_figure(row[column]):
                self._problem("heading", number, column, "a figure in a column whose heading names no turn")

    def _read_cell(self, number: int, column: int, text: str, line: str) -> None:
        turn = self._columns[column]
        typed = not _is_computed(self._sheet, number, column)
        try:
            amount, unit = self._figure(text, line)
        except ValueError as error:
            reason = str(error)
            if _DATE.fullmatch(text):
                reason += ": the spreadsheet made a date of it; write 2.5 instead of 5/2"
            fix = "open the workbook and save it once" if text == UNSAVED else ""
            self._problem("unreadable", number, column, reason, True, fix)
            turn.unread[line] = self._sheet.at(number, column)
            turn.typed.append(True)
            return
        label = self._rows[number][self._labels].strip()
        turn.entries[line] = Figure(amount, self._sheet.at(number, column), unit, label, not typed)
        turn.typed.append(_is_filled_in(line, amount, self._index.form, typed=typed))

    def _figure(self, text: str, line: str) -> tuple[Fraction, str]:
        """A figure, and the word behind it where that is the row's own, as in `8 hexes`. Raises ValueError."""
        try:
            return parse_energy(text), ""
        except ValueError:
            match = _WITH_WORD.fullmatch(text)
            if match and (unit := self._index.unit(line, match[2] or match[3])):
                return parse_energy(match[1]), unit
            raise

    def _allocations(self) -> Iterator[EnergyAllocation]:
        for column, turn in sorted(self._columns.items(), key=lambda item: item[1].turn):
            if any(turn.typed):
                blanks = _Blanks(self._sheet, column, self._row_of, turn.entries)
                place = self._sheet.at(self._header, column)
                yield EnergyAllocation(
                    turn.turn,
                    turn.entries,
                    place,
                    blanks,
                    turn.unread,
                    tuple(turn.strange),
                    self._index.form,
                )

    def _problem(
        self, kind: str, row: int, column: int, reason: str, figures: bool = False, fix: str = ""
    ) -> None:
        text = self._rows[row][column].strip()
        place = self._sheet.at(row, column)
        self._problems.append(FormProblem(kind, place, text, reason, figures, fix))  # type: ignore[arg-type]


def _padded(sheet: Sheet, least: int) -> tuple[tuple[str, ...], ...]:
    """The rows at one width, as wide as the column of labels needs."""
    width = max((least, *map(len, sheet.rows)))
    return tuple(row + ("",) * (width - len(row)) for row in sheet.rows)


def _is_computed(sheet: Sheet, row: int, column: int) -> bool:
    return isinstance(sheet, WorkbookSheet) and (row, column) in sheet.formulas


def _is_filled_in(line: str, amount: Fraction, lines: FormLines, *, typed: bool) -> bool:
    """Whether a figure shows that its turn was filled in.

    Sums that stand at 0, and what a formula carries into every column, do not.
    """
    if typed:
        return bool(amount) or line not in lines.sums
    # Spreadsheets fill these in for turns that nobody has planned yet.
    return bool(amount) and line not in lines.known_at_start


def _is_figure(text: str) -> bool:
    try:
        parse_energy(text)
    except ValueError:
        return False
    return True
