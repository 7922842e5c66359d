"""Everything that happened in a log as events, each with its step: for programs that read the report."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import replace

from referee.adjudicator.repairs import Marking
from referee.core.energy import show_energy
from referee.core.finding import LogEvent
from referee.core.fire_words import boxes_text
from referee.core.location import cell_name
from referee.core.naming import how_many
from referee.core.play import When
from referee.core.state import ShipState
from referee.formats.orders import format_order
from referee.formats.vassal.gathered import Logged
from referee.formats.vassal.moves import Moves
from referee.formats.vassal.played import FormPlayed
from referee.formats.vassal.recognise import Clock
from referee.logs.fire import Orders
from referee.logs.ship_under_audit import ShipUnderAudit


def events_of(
    logged: Logged,
    ships: Iterable[tuple[ShipUnderAudit, FormPlayed | None]],
    moves: Moves,
    orders: Orders,
    marks: Mapping[str, tuple[Marking, ...]],
) -> tuple[LogEvent, ...]:
    """The events of a log in their order; what was taken back is not among the moves, and said of dice."""
    found = [
        *_moves(moves),
        *_orders(orders),
        *_dice(logged),
        *_marks(marks),
        *_forms(logged, ships),
        *_notes(logged),
    ]
    return tuple(replace(event, file=logged.file) for event in sorted(found, key=lambda event: event.step))


def _event(step: int, when: When, kind: str, who: str, what: str) -> LogEvent:
    return LogEvent(step, when.turn, when.impulse, kind, who, what)


def _at(clock: Clock) -> When:
    return When(clock.turn, clock.impulse)


def _moves(moves: Moves) -> Iterator[LogEvent]:
    for move in moves.moves:
        before, after = move.facing_before or "", move.facing_after or ""
        what = f"{move.from_hex}{before} to {move.to_hex}{after}"
        yield _event(move.location.step or 0, move.when, "move", move.ship, what)
    for turn in moves.turned:
        yield _event(turn.step, turn.when, "turn", turn.ship, f"{turn.before} to {turn.after}")
    for gone in moves.gone:
        yield _event(gone.step, gone.when, "appear", gone.ship, "left the map, or came back to it")


def _orders(orders: Orders) -> Iterator[LogEvent]:
    for heard in orders.heard:
        ship = getattr(heard.order, "ship", "")
        text = format_order(heard.order).strip().removeprefix(f"{ship}: ")
        yield _event(heard.sentence.step, heard.when, "order", ship, text)
    for lock in orders.locks:
        text = f"lock on {lock.target}{'' if lock.roll is None else f' {lock.roll}'}"
        yield _event(lock.place.step or 0, lock.when, "order", lock.ship, text)


def _dice(logged: Logged) -> Iterator[LogEvent]:
    for rolled in logged.rolled:
        back = f", taken back in step {rolled.taken_back}" if rolled.taken_back is not None else ""
        what = f"{rolled.roll.button} = {rolled.roll.faces}{back}"
        yield _event(rolled.step, _at(rolled.clock), "dice", rolled.roll.player, what)


def _marks(marks: Mapping[str, tuple[Marking, ...]]) -> Iterator[LogEvent]:
    for ship, row in marks.items():
        for mark in row:
            yield _event(mark.step, mark.when, "marks", ship, ", ".join(_marked(mark.before, mark.after)))


def _marked(before: ShipState, after: ShipState) -> Iterator[str]:
    for number, left in sorted(before.shields.items()):
        if (now := after.shields.get(number, 0)) != left:
            back = "" if now < left else " back"
            yield f"{how_many(abs(left - now), 'point')}{back} on #{number}: {left} to {now}"
    if gone := sorted(after.destroyed - before.destroyed):
        yield f"{len(gone)} inside: {boxes_text(gone)}"
    if whole := sorted(before.destroyed - after.destroyed):
        yield f"whole again: {boxes_text(whole)}"


def _forms(logged: Logged, ships: Iterable[tuple[ShipUnderAudit, FormPlayed | None]]) -> Iterator[LogEvent]:
    for ship, form in ships:
        for id in dict.fromkeys(piece.id for piece in (ship.ship.ssd, ship.ship.counter) if piece):
            cells: dict[int, set[str]] = {}
            for column, rows in logged.edits.get(id, {}).items():
                for row, steps in rows.items():
                    for step in steps:  # What was changed once more is told there.
                        cells.setdefault(step, set()).update([cell_name(row, column)] * (step == steps[-1]))
            for step, names in cells.items():
                yield _event(step, When(), "form", ship.ship.name, _filed(ship, form, names))


def _filed(ship: ShipUnderAudit, form: FormPlayed | None, cells: Container[str | None]) -> str:
    """What some cells of a form pay for, turn by turn."""
    speeds, turns = {facts.turn: facts.speed for facts in ship.energy}, []
    for column in form.form.allocations if form else ():
        written = {k: show_energy(at.amount) for k, at in column.entries.items() if at.location.cell in cells}
        if paid := ship.rulebook.lines.paid(written, speeds.get(column.turn)):
            turns.append(f"filed its form of turn {column.turn}: {paid}")
    return "; ".join(turns) or "wrote on its form"


def _notes(logged: Logged) -> Iterator[LogEvent]:
    for noted in logged.noted:
        if noted.step:
            what = f"{'hides' if noted.hidden else 'shows'} the secret note {noted.name}"
            yield _event(noted.step, _at(noted.clock), "note", noted.owner, what)
