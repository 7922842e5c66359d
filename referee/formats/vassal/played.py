"""A ship's energy form as it was played: every turn's column as it stood when the turn's movement began."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction

from referee.core.forms import EnergyAllocation, EnergyForm, Entry
from referee.core.frozen import frozen
from referee.core.location import Location
from referee.formats.eaform import looks_like_form, read_form
from referee.formats.sheets.labels import LabelIndex
from referee.formats.vassal.logged import FormsAt, Logged, ship_key
from referee.formats.vassal.recognise import ShipOnTable

IN_TURN = frozenset(("9:fired", "21"))
"""Lines that are filled in while a turn is played: they stand when the next one begins."""


@frozen
class TurnPlayed:
    """A turn's column, and the ship as its counter and display showed it then."""

    allocation: EnergyAllocation
    ship: ShipOnTable


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
    turns: tuple[TurnPlayed, ...]
    late: tuple[LateEdit, ...]


def form_played(logged: Logged, ship: ShipOnTable, labels: LabelIndex) -> FormPlayed | None:
    """The form of a ship of a log; None where it has none."""
    final = _form_at(logged.final, ship, labels) or _last_known(logged, ship, labels)
    if final is None:
        return None
    begun = [(at, found) for at in logged.forms if (found := _form_at(at, ship, labels))]
    columns = {column.turn: TurnPlayed(column, final.ship) for column in final.form.allocations}
    late: list[LateEdit] = []
    for number, (at, found) in enumerate(begun):
        closed = begun[number + 1][1] if number + 1 < len(begun) else final
        if number == 0:
            columns |= {c.turn: TurnPlayed(c, found.ship) for c in found.form.allocations if c.turn < at.turn}
        allocation = _as_played(at.turn, found, closed, final)
        if allocation is not None:
            columns[at.turn] = TurnPlayed(allocation, found.ship)
        late += _late(at.turn, found, closed, final)
    return FormPlayed(final.form, tuple(columns[turn] for turn in sorted(columns)), tuple(late))


@frozen
class _Form:
    form: EnergyForm
    columns: Mapping[int, EnergyAllocation]
    ship: ShipOnTable


def _form_at(at: FormsAt, ship: ShipOnTable, labels: LabelIndex) -> _Form | None:
    found = next((one for one in at.ships if ship_key(one) == ship_key(ship)), None)
    if found is None or found.table is None or not looks_like_form(found.table, labels):
        return None
    form = read_form(found.table, labels)
    pieces = [piece.id for piece in (found.ssd, found.counter) if piece and piece.tables]
    edited = {cell: step for (piece, cell), step in at.edited.items() if piece == pieces[0]}
    columns = {column.turn: _with_steps(column, edited) for column in form.allocations}
    form = EnergyForm(form.ship, tuple(columns.values()), form.place, form.problems)
    return _Form(form, columns, found)


def _last_known(logged: Logged, ship: ShipOnTable, labels: LabelIndex) -> _Form | None:
    """The form of a ship that is gone when the log ends."""
    forms = (_form_at(at, ship, labels) for at in reversed(logged.forms))
    return next((form for form in forms if form), None)


def _with_steps(column: EnergyAllocation, edited: Mapping[str, int]) -> EnergyAllocation:
    """A column whose figures know the step they were written in; the column itself the last of these."""

    def placed(location: Location) -> Location:
        step = edited.get(location.cell or "")
        return location.within(step=step) if step else location

    entries = {line: Entry(entry.amount, placed(entry.location)) for line, entry in column.entries.items()}
    steps = [entry.location.step for entry in entries.values() if entry.location.step]
    last = max(steps, default=None)
    blanks = {line: place.within(step=last) for line, place in column.blanks.items()}
    return EnergyAllocation(column.turn, entries, column.place.within(step=last), blanks)


def _as_played(turn: int, begun: _Form, closed: _Form, final: _Form) -> EnergyAllocation | None:
    """The column as movement began; what was then blank as it was first seen filled."""
    columns = [form.columns[turn] for form in (begun, closed, final) if turn in form.columns]
    if not columns:
        return None
    first = columns[0]
    entries = dict(first.entries)
    for column in columns[1:]:
        for line, entry in column.entries.items():
            entries.setdefault(line, entry)
    if turn in closed.columns:
        kept = closed.columns[turn].entries
        entries = {line: entry for line, entry in entries.items() if line not in IN_TURN or line in kept}
        entries |= {line: kept[line] for line in IN_TURN if line in kept}
    return EnergyAllocation(turn, entries, first.place, first.blanks)


def _late(turn: int, begun: _Form, closed: _Form, final: _Form) -> Iterator[LateEdit]:
    last = final.columns.get(turn)
    if last is None:
        return
    there = begun.columns.get(turn)
    then = closed.columns.get(turn)
    lines = dict.fromkeys((*(there.entries if there else ()), *last.entries))
    for line in lines:
        base = then if line in IN_TURN else there
        before = base.entries.get(line) if base else None
        after = last.entries.get(line)
        was, now = (entry.amount if entry else None for entry in (before, after))
        if (was or 0) != (now or 0) and not (line in IN_TURN and before is None):
            place = after.location if after else last.place_of(line)
            yield LateEdit(turn, line, place, was, now)
