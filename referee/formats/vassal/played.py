"""A ship's energy form as it was played: every turn's column as it stood when the turn's movement began."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field
from fractions import Fraction
from operator import itemgetter

from referee.core.forms import EnergyAllocation, EnergyForm
from referee.core.frozen import frozen, replace
from referee.core.location import Location, cell_name
from referee.core.sheet import Sheet
from referee.formats.eaform import form_on
from referee.formats.sheets.labels import LabelIndex
from referee.formats.sheets.layout import label_column
from referee.formats.vassal.gathered import Edits, FormsAt, Logged
from referee.formats.vassal.pieces import TableSheet
from referee.formats.vassal.recognise import ShipOnTable, as_it_stood


@frozen
class ColumnPlayed:
    """A turn's column, and the ship as its counter and display showed it then, just before a step."""

    allocation: EnergyAllocation
    ship: ShipOnTable
    step: int


@frozen
class LateEdit:
    """A figure that was written or changed when movement had begun; None is blank."""

    turn: int
    line: str
    place: Location
    before: Fraction | None
    after: Fraction | None


@frozen
class FormPlayed:
    """The form as it stands at the end, its turns as they were played, and what was written too late."""

    form: EnergyForm
    turns: tuple[ColumnPlayed, ...]
    late: tuple[LateEdit, ...]


def form_played(logged: Logged, ship: ShipOnTable, labels: LabelIndex) -> FormPlayed | None:
    """The form of a ship of a log; None where it has none."""
    ids = [piece.id for piece in (ship.ssd, ship.counter) if piece and piece.tables]
    tables: list[tuple[FormsAt, ShipOnTable]] = []
    for at in (*logged.forms, logged.final):
        if not at.pieces.keys().isdisjoint(ids):
            like = tables[-1][1] if tables else ship
            tables.append((at, as_it_stood(ship, at.pieces, logged.file, logged.module_map, like=like)))
    table = tables[-1][1].table if tables else None
    edits = logged.edits.get(ids[0], {}) if ids else {}
    form = form_on(_written(table, edits, tables[-1][0]), labels) if table else None
    if table is None or form is None:
        return None
    final = _Final(form, table, edits, labels)
    columns = {
        turn: ColumnPlayed(column, tables[-1][1], tables[-1][0].step)
        for turn, column in final.columns.items()
    }
    late: list[LateEdit] = []
    begun = [(at, stood) for at, stood in tables if at.turn]
    for number, (at, stood) in enumerate(begun):
        after, closing = begun[number + 1] if number + 1 < len(begun) else tables[-1]
        if number == 0:
            earlier = (turn for turn in final.columns if turn < at.turn)
            columns |= {
                t: ColumnPlayed(c, stood, at.step) for t in earlier if (c := final.column(t, at, stood))
            }
        then = _TurnPlayed(
            at.turn,
            final.column(at.turn, at, stood),
            final.column(at.turn, after, closing),
            final.columns.get(at.turn),
        )
        if allocation := _as_played(then, labels.form.written_in_turn):
            columns[at.turn] = ColumnPlayed(allocation, stood, at.step)
        late += _late(then, labels.form.written_in_turn)
    return FormPlayed(final.form, tuple(columns[turn] for turn in sorted(columns)), tuple(late))


@frozen
class _TurnPlayed:
    """One turn's column: as movement began, as the next turn's began, as the log ended."""

    turn: int
    begun: EnergyAllocation | None
    closed: EnergyAllocation | None
    final: EnergyAllocation | None


class _Final:
    """The form as the log ended; columns of earlier moments are read only where they were different."""

    def __init__(self, form: EnergyForm, table: Sheet, edits: Edits, labels: LabelIndex) -> None:
        self.form, self._table, self._edits, self._labels = form, table, edits, labels
        self.columns = {column.turn: column for column in form.allocations}
        self._labels_at = label_column(table, labels)
        self._place = {turn: _cell(column.place) for turn, column in self.columns.items()}

    def column(self, turn: int, at: FormsAt, ship: ShipOnTable) -> EnergyAllocation | None:
        """A turn's column at an earlier moment."""
        table = ship.table
        if table is None:
            return None
        index = self._place.get(turn)
        if index is not None and table.rows and min(map(len, table.rows)) > index:
            if not self._edited_since(at, index) and _same(table, self._table, self._labels_at, index):
                return self.columns[turn]
            if _same(table, self._table, self._labels_at, index, headings=True):
                table = _only(table, self._labels_at, index)
        form = form_on(_written(table, self._edits, at), self._labels)
        return next((column for column in form.allocations if column.turn == turn), None) if form else None

    def _edited_since(self, at: FormsAt, column: int) -> bool:
        last = max([steps[-1] for steps in self._edits.get(column, {}).values()], default=0)
        return last >= at.step


@frozen
class _FormWritten(TableSheet):
    """A table of a log just before a step. A cell is written in the step that changed it last, one that
    none changed in the last step of its column."""

    edits: Edits = field(default_factory=dict, repr=False)
    before: int = 0
    columns: dict[int, int] = field(default_factory=dict, repr=False)

    def at(self, row: int, column: int) -> Location:
        """Where a cell is and when it was written; rows and columns count from 0."""
        place, rows = self.place, self.edits.get(column, {})
        step = self._last(rows[row]) if row in rows else 0
        step = step or self._last_of(column)
        name = cell_name(row, column)
        return Location(place.file, place.member, place.sheet, name, piece=place.piece, step=step or None)

    def origin_of(self, column: int) -> object:
        """As `Sheet.origin_of`: in which step each cell was written last."""
        rows = {row: self._last(steps) for row, steps in self.edits.get(column, {}).items()}
        return self.__class__, self.place, rows

    def _last_of(self, column: int) -> int:
        if column not in self.columns:
            steps = map(self._last, self.edits.get(column, {}).values())
            self.columns[column] = max(steps, default=0)
        return self.columns[column]

    def _last(self, steps: Sequence[int]) -> int:
        for step in reversed(steps):
            if step < self.before:
                return step
        return 0


def _written(table: Sheet, edits: Edits, at: FormsAt) -> _FormWritten:
    return _FormWritten(table.rows, table.place, table.title, edits, at.step)


def _cell(place: Location) -> int | None:
    """The column, from 0, of a cell such as `C1`."""
    column = 0
    for letter in (place.cell or "").rstrip("0123456789"):
        column = column * 26 + ord(letter) - 64
    return column - 1 if column else None


def _same(sheet: Sheet, other: Sheet, labels: int, column: int, *, headings: bool = False) -> bool:
    """Are labels and a column the same on both sheets, or with `headings` the labels and the top row?"""
    if len(sheet.rows) != len(other.rows):
        return False
    if headings:
        compared = itemgetter(labels)
        return sheet.rows[0] == other.rows[0] and [*map(compared, sheet.rows)] == [*map(compared, other.rows)]
    if min(map(len, (*sheet.rows, *other.rows))) <= max(labels, column):
        return sheet.rows == other.rows
    both = itemgetter(labels, column)
    return [*map(both, sheet.rows)] == [*map(both, other.rows)]


def _only(table: Sheet, labels: int, column: int) -> Sheet:
    """The sheet with its labels and one column filled; every cell stays where it is."""
    between, behind = ("",) * (column - labels - 1), ("",) * (len(table.rows[0]) - column - 1)
    rows = tuple((*row[: labels + 1], *between, row[column], *behind) for row in table.rows)
    return replace(table, rows=rows)


def _as_played(then: _TurnPlayed, in_turn: frozenset[str]) -> EnergyAllocation | None:
    """The column as movement began; what was then blank as it was first seen filled, and lines that are filled in
    while the turn is played as they stood when the next one began."""
    columns = [column for column in (then.begun, then.closed, then.final) if column]
    if not columns:
        return None
    first = columns[0]
    entries = dict(first.entries)
    if then.begun is then.closed is then.final:
        return first
    unread = dict(first.unread)
    for column in columns[1:]:
        for line, entry in column.entries.items():
            if line not in unread:
                entries.setdefault(line, entry)
        unread |= {line: place for line, place in column.unread.items() if line not in entries}
    if then.closed:
        for line in in_turn:
            entries.pop(line, None)
            unread.pop(line, None)
        entries |= {line: entry for line, entry in then.closed.entries.items() if line in in_turn}
        unread |= {line: place for line, place in then.closed.unread.items() if line in in_turn}
    strange = first.strange or next((column.strange for column in columns if column.strange), ())
    return EnergyAllocation(then.turn, entries, first.place, first.blanks, unread, strange, first.lines)


def _late(then: _TurnPlayed, in_turn: frozenset[str]) -> Iterator[LateEdit]:
    if then.final is None or then.begun is then.closed is then.final:
        return
    lines = dict.fromkeys((*(then.begun.entries if then.begun else ()), *then.final.entries))
    for line in lines:
        base = then.closed if line in in_turn else then.begun
        if any(line in column.unread for column in (base, then.final) if column):
            continue  # what could not be read may be the same
        before = base.entries.get(line) if base else None
        after = then.final.entries.get(line)
        was, now = (entry.amount if entry else None for entry in (before, after))
        if (was or 0) != (now or 0) and not (line in in_turn and before is None):
            place = after.location if after else then.final.place_of(line)
            yield LateEdit(then.turn, line, place, was, now)
