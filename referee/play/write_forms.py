"""Energy forms put on the sheets of a save: the next turn begun, and what a record has filed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

from referee.core.energy import parse_energy
from referee.core.errors import BadInput
from referee.core.forms import is_only_begun
from referee.core.naming import folded, weapon_line
from referee.core.state import new_state
from referee.formats.eaform import form_on
from referee.formats.sheets.written import cells_of_turn
from referee.formats.vassal.recognise import table_of
from referee.play.recorded_columns import Columns, Figures, with_total
from referee.play.telling import telling
from referee.sources.ships import display_of

if TYPE_CHECKING:
    from referee.core.forms import EnergyForm, FormLines
    from referee.core.game import ShipInGame
    from referee.core.state import ShipState
    from referee.formats.vassal.edit import Draft
    from referee.play.game_file import Game
    from referee.play.save_ships import Afloat, SaveBeingWritten

Cells = Mapping[str, tuple[int, int, str]]
"""Row, column and text of the cell of each line in a column."""

ALL = "all"
_NO_COLUMN = "renumber the headings of the columns that are free again"


class _Written:
    """The sheet of a ship, and what has been written on it."""

    def __init__(self, draft: Draft, table: SaveBeingWritten, afloat: Afloat) -> None:
        found = table_of(
            [piece for piece in (afloat.ship.counter, afloat.ship.ssd) if piece], table.module_map
        )
        assert found is not None and afloat.ship.table is not None
        self._draft, self._labels, self._name = draft, table.labels, afloat.ship.name
        self._mounts, self._lines = afloat.chosen.mounts, afloat.rulebook.lines
        self._piece, self._index = found
        self._sheet = afloat.ship.table

    @property
    def form(self) -> EnergyForm | None:
        """The form on it as it now reads."""
        return form_on(self._sheet, self._labels)

    def has(self, turn: int) -> bool:
        """Is a column headed with a turn?"""
        return self._cells(turn) is not None

    def write(
        self, turn: int, figures: Figures, *, whole: bool = False, columns: Columns | None = None
    ) -> Iterator[str]:
        """Fills in the cells of a turn that are empty; of a form that is `whole` none where one holds another
        figure, but for what was fired: a mix of two forms is nobody's. A column that reads as one of `columns`
        did before is brought up to date. Yields those cells that do, and lines of which there is no row."""
        cells = self._cells(turn) or {}
        figures = {self._called(line, cells): amount for line, amount in figures.items()}
        if columns and self._is_out_of_date(turn, figures, cells, columns, whole):
            self._bring_up_to_date(turn, figures, cells, columns)
            cells = self._cells(turn) or {}
        clash = [
            line for line, amount in figures.items() if line in cells and self._differs(cells[line], amount)
        ]
        other = whole and any(line != self._lines.phasers_fired for line in clash)
        # Sums: a sheet with a row for all that they add up says as much without a row for one.
        sums = self._lines.sums
        parts = all(line in cells for line, amount in figures.items() if amount and line not in sums)
        for line, amount in figures.items():
            if line not in cells:
                if amount and not (parts and line in sums):
                    yield f"{self._name}: {self._lines.named(line)} of turn {turn}, {_figure(amount)}: its sheet has no row for it"
                continue
            row, column, text = cells[line]
            if line not in clash:
                if not text.strip() and not other:
                    self._fill(row, column, _figure(amount))
            else:
                place = self._sheet.at(row, column).cell
                yield f"{self._name}: {place} holds {text.strip()}, and {_figure(amount)} would go there"

    def _is_out_of_date(
        self, turn: int, figures: Figures, cells: Cells, columns: Columns, whole: bool
    ) -> bool:
        """Does a column that says something else than `figures` read as it did when the record was written into
        it before? A form that is not `whole` was only begun."""
        shown: dict[str, Fraction] = {}
        for line, (_, _, text) in cells.items():
            amount = Fraction(0) if self._is_blank(text) else _amount(text)
            if amount is None:
                return False
            shown[line] = amount
        there = (line for line in cells if not self._is_blank(cells[line][2]))
        if all(shown[line] == figures.get(line, Fraction(0)) for line in there):
            return False
        were = columns.were_filed if whole else columns.were_begun
        return were(turn, shown, cells) or (whole and columns.were_begun(turn, shown, cells))

    def _bring_up_to_date(self, turn: int, figures: Figures, cells: Cells, columns: Columns) -> None:
        """Writes a column anew, and says which of its figures are others now."""
        begun = {line: amount for line, amount in columns.begins(turn).items() if line not in figures}
        now = {**begun, **figures}
        changed = []
        for line, (row, column, text) in cells.items():
            if self._is_blank(text) or (line in now and _amount(text) == now[line]):
                continue
            figure = _figure(now[line]) if line in now else ""
            self._fill(row, column, figure)
            changed.append(f"{self._sheet.at(row, column).cell} {text.strip()} is now {figure or 'blank'}")
        if changed:
            telling().aside(f"{self._name}: turn {turn} as the record has it since: {', '.join(changed)}")

    def _own(self, line: str) -> str:
        return weapon_line(line, self._mounts, self._lines)

    def _called(self, line: str, cells: Mapping[str, object]) -> str:
        """A line as the sheet has it: a weapon's row may be headed by another of its names."""
        same = [row for row in cells if self._own(row) == self._own(line)]
        return same[0] if line not in cells and len(same) == 1 else line

    def _differs(self, cell: tuple[int, int, str], amount: Fraction) -> bool:
        text = cell[2].strip()
        return bool(text) and _amount(text) != amount and not (self._labels.is_blank(text) and not amount)

    def _is_blank(self, text: str) -> bool:
        return not text.strip() or self._labels.is_blank(text)

    def _cells(self, turn: int) -> Cells | None:
        return cells_of_turn(self._sheet, self._labels, turn)

    def _fill(self, row: int, column: int, text: str) -> None:
        self._draft.set_cell(self._piece.id, row, column, text, self._index)
        rows = list(self._sheet.rows)
        rows[row] = (*rows[row][:column], text, *rows[row][column + 1 :])
        self._sheet = replace(self._sheet, rows=tuple(rows))


def _figure(amount: Fraction) -> str:
    """A figure as every module's sheet takes it: decimal where that is exact."""
    if amount.denominator in (1, 2, 4, 5, 8, 10):
        return f"{float(amount):g}"
    return str(amount)


def _amount(text: str) -> Fraction | None:
    try:
        return parse_energy(text.strip())
    except ValueError:
        return None


# -- as the sheets go on -----------------------------------------------------------------


def begin_next_turn(
    draft: Draft,
    table: SaveBeingWritten,
    names: Sequence[str],
    states: Mapping[str, ShipState],
    game: Game | None,
) -> Iterator[str]:
    """Fills in what is known of the turn after the last that is filled in, turn 1 where none is: power by the damage marked, or
    as `states` say, batteries and capacitor; but for the ships of `game`, whose record tells it. Yields what
    was left as it stands."""
    every = any(folded(name) == ALL for name in names)
    ships = (
        [afloat for afloat in table.ships if afloat.form] if every else [table.ship(name) for name in names]
    )
    if not ships:
        raise BadInput("no ship with an energy form was found in it", file=table.save.file)
    if every:
        yield from (f"{ship_name}: its next turn is not begun" for ship_name in table.unknown)
        for afloat in table.ships:
            if afloat.form is None:
                yield f"{afloat.ship.name}: its next turn is not begun: no energy form was found for it"
    recorded = {folded(name) for name in game.state.ships} if game else set()
    for afloat in ships:
        if folded(afloat.ship.name) in recorded:
            continue  # its record tells
        try:
            yield from _begin(draft, table, afloat, states.get(afloat.ship.name))
        except BadInput as error:
            if not every:
                raise
            hint = f" ({error.hint})" if error.hint else ""
            yield f"{afloat.ship.name}: its next turn is not begun: {error.reason}{hint}"


def _begin(draft: Draft, table: SaveBeingWritten, afloat: Afloat, state: ShipState | None) -> Iterator[str]:
    from referee.play.turn_begun import first_turn, turn_begun

    name = afloat.ship.name
    if afloat.form is None:
        raise BadInput(f"{name} has no energy form", file=table.save.file)
    form = _without_a_turn_begun(afloat.form, afloat.rulebook.lines)
    shown = (
        state
        or display_of(afloat.ship, afloat.chosen, afloat.rulebook.table("box_labels"))
        or new_state(afloat.chosen)
    )
    if form.allocations:
        turn, begun, not_known = turn_begun(afloat.rulebook, afloat.chosen, form, shown)
        yield from (f"{name}: {unknown}" for unknown in not_known)
    else:
        turn, begun = 1, first_turn(afloat.rulebook.lines, afloat.chosen, shown)
    sheet = _Written(draft, table, afloat)
    if not sheet.has(turn):
        reason = f"the form of {name} has no column for turn {turn}"
        raise BadInput(reason, file=table.save.file, hint=_NO_COLUMN)
    yield from sheet.write(turn, with_total(afloat.rulebook.lines, begun))


def _without_a_turn_begun(form: EnergyForm, lines: FormLines) -> EnergyForm:
    """The form without a last turn of which only what carries over is filled in."""
    if form.allocations and is_only_begun(form.allocations[-1], lines):
        return replace(form, allocations=form.allocations[:-1])
    return form


# -- as a record has them ----------------------------------------------------------------


def write_forms(draft: Draft, table: SaveBeingWritten, game: Game) -> Iterator[str]:
    """Puts the forms a record has filed on the sheets of its ships, and begins the turn that is filed next,
    as `form next` does. Yields what a sheet has no cell for, what stands there already, and the speeds that
    no sheet tells."""
    from referee.play.not_written import not_on_sheets

    sheets: dict[str, EnergyForm | None] = {}
    for afloat in table.ships:
        name = folded(afloat.ship.name)
        ship = next((found for key, found in game.state.ships.items() if folded(key) == name), None)
        if ship is None:
            continue
        sheets[name] = None
        if afloat.form is not None:
            sheet, columns = _Written(draft, table, afloat), Columns(game, ship)
            yield from _filed(sheet, ship, columns)
            sheets[name] = sheet.form
            yield from _next(sheet, ship, game, columns)
    yield from not_on_sheets(sheets, game)


def _filed(sheet: _Written, ship: ShipInGame, columns: Columns) -> Iterator[str]:
    """Writes each form filed, with what phasers fired in its turn."""
    for turn in sorted(ship.forms):
        if sheet.has(turn):
            yield from sheet.write(turn, columns.filed(turn), whole=True, columns=columns)


def _next(sheet: _Written, ship: ShipInGame, game: Game, columns: Columns) -> Iterator[str]:
    from referee.adjudicator.record_forms import turn_filed_next

    if ship.state.dead:
        return
    turn = turn_filed_next(game.state, ship)
    if not sheet.has(turn):
        yield f"{ship.name}: its form of turn {turn}: its sheet has no column for it ({_NO_COLUMN})"
        return
    try:
        begun = columns.begun(turn)
    except BadInput as error:
        hint = f" ({error.hint})" if error.hint else ""
        yield f"{ship.name}: its form of turn {turn}: {error.reason}{hint}"
        return
    yield from sheet.write(turn, begun, columns=columns)
