"""A VASSAL log as facts of a game: ships, forms, moves, orders, dice and damage, step by step."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from referee.core.forms import is_only_begun
from referee.core.orders import (
    Advance,
    Help,
    Hit,
    HoldFire,
    ImpulseBegins,
    Launch,
    SetSpeed,
    Status,
    TurnBegins,
)
from referee.core.play import Move, When
from referee.core.shown import Happening, Said, ShipTaken, Showed, Shown, Stood, Struck, Threw
from referee.logs.audit import audited, book_of, copied, ships_of
from referee.logs.moves import moves_told
from referee.logs.notes import orders_in
from referee.logs.ship_under_audit import Judged, rules_named
from referee.logs.speeds import speeds_told
from referee.sources.saves import hold_names, labels_of
from referee.sources.ships import Reading, class_in, display_of, say_where, sides_of, stray_seeker, unread

if TYPE_CHECKING:
    from referee.core.forms import EnergyAllocation, FormLines
    from referee.core.state import ShipState
    from referee.formats.vassal.gathered import Logged
    from referee.formats.vassal.recognise import ShipOnTable
    from referee.logs.audit import Audited
    from referee.logs.fire import Orders
    from referee.sources.settings import Settings

_TOLD_OTHERWISE = (Advance, SetSpeed, HoldFire, Help, Status, ImpulseBegins, TurnBegins)
"""Orders that counters, forms and the clock tell; and questions, and words that nothing is done."""


def log_shown(reading: Reading) -> tuple[Shown, Settings]:
    """What a log shows, and the settings of its game."""
    from referee.formats.vassal.logged import read_log

    logged = read_log(reading.save, reading.module, reading.says)
    hold_names(reading.asked, logged.ships, reading.save.file)
    left: dict[str, None] = {}
    judged, forms = _known(reading, logged, left)
    orders = orders_in(rules_named(judged, reading.asked), reading.save, logged, judged, reading.module)
    audit = audited(reading.save, replace(reading.asked, digests=False), reading.says)
    speeds: dict[str, dict[int, int]] = {}
    for told in speeds_told(logged, judged, orders):
        speeds.setdefault(told.ship, {})[told.turn] = told.speed
    ships = tuple(_ship(one, logged, forms, speeds, reading) for one in judged)
    left.update((f"{found.location}: {found.message}", None) for found in orders.findings)
    if reading.module is None:
        left["where the ships stand, and their moves: hex names need --module"] = None
    for one in audit.followed:
        left.pop(stray_seeker(one.flight.seeker.name), None)
    for ship in ships_of(logged):
        say_where(left, ship.name, _last_seen(ship, logged))
    left.update(dict.fromkeys(_unpaid(audit)))
    happenings = list(_happenings(logged, judged, orders, audit, left))
    if logged.end.turn is None:
        return _as_it_ended(logged, judged, ships, happenings, left), _settings(reading, judged)
    shown = Shown(
        reading.save.file,
        ships,
        _start(logged, happenings),
        When(logged.end.turn, logged.end.impulse),
        step=(logged.end.step or "") if (logged.end.step_number or 1) > 1 else "",
        fresh=(logged.start.impulse or 0) <= 1 and (logged.start.step_number or 1) <= 1,
        log=True,
        steps=logged.steps_taken,
        happenings=tuple(happenings),
        left_out=tuple(left),
    )
    return shown, _settings(reading, judged)


def _as_it_ended(
    logged: Logged,
    judged: list[Judged],
    ships: Iterable[ShipTaken],
    happenings: Iterable[Happening],
    left: dict[str, None],
) -> Shown:
    """A log in which nothing tells the turn: how it stands at its end, as a save would show it."""
    from referee.formats.vassal.recognise import as_it_stood

    stands = {one.ship: one for one in sorted(happenings, key=_step) if isinstance(one, Stood)}
    turn = max((turn for ship in ships for turn in ship.forms), default=1)
    left["its moves and the orders in its chat: nothing in it tells when they were made"] = None
    left[f"the turn: this is turn {turn}, the last that is filled in"] = None
    ended = []
    for one, ship in zip(judged, ships, strict=True):
        stood = as_it_stood(one.ship, logged.final.pieces, "", logged.says)
        display = display_of(stood, one.chosen, one.book.table("box_labels"), one.used)
        last = stands.get(ship.name)
        at = (last.hex, last.facing if last.hex else None) if last else (ship.hex, ship.facing)
        ended.append(replace(ship, hex=at[0], facing=at[1], begun={}, shown=display))
    thrown = tuple(one for one in happenings if isinstance(one, Threw))
    now = When(turn)
    return Shown(logged.file, tuple(ended), now, now, happenings=thrown, left_out=tuple(left))


def _step(happening: Happening) -> int:
    return happening.step


def _start(logged: Logged, happenings: Iterable[Happening]) -> When:
    """From when on the log tells the game: where its clock stands, else the first turn that is told."""
    if logged.start.turn is not None:
        return When(logged.start.turn, logged.start.impulse)
    turns = ((one.step, one.when.turn) for one in happenings if one.when.turn is not None)
    return When(min(turns, default=(0, None))[1])


def _known(
    reading: Reading, logged: Logged, left: dict[str, None]
) -> tuple[list[Judged], dict[str, Mapping[int, EnergyAllocation]]]:
    """The ships whose class is known, and their forms; `left` takes why the others are not, and what of
    their displays does not fit."""
    from referee.formats.vassal.played import form_played
    from referee.logs.unmapped_pieces import damage_left_out

    labels = labels_of(reading.asked, reading.says)
    judged: list[Judged] = []
    forms: dict[str, Mapping[int, EnergyAllocation]] = {}
    for ship in ships_of(logged):
        form = form_played(logged, ship, labels)
        if form is None and ship.ssd is None and (copy := copied(ship, logged, reading.asked)):
            left[f"{ship.name}: {copy}"] = None
            continue
        chosen, why = class_in(reading, ship, form.form if form else None)
        left.update(dict.fromkeys(why))
        if chosen is None:
            continue
        book = book_of(chosen, logged, reading.asked)
        judged.append(Judged(ship, chosen, book, says=logged.says))
        left.update(dict.fromkeys(unread(ship, chosen, book.table("box_labels"))))
        if form is None:
            left[f"{ship.name}: no energy form was found for it"] = None
            continue
        columns = (turn.allocation for turn in form.turns)
        forms[ship.name] = {
            column.turn: column for column in columns if _is_played(column, logged, book.lines)
        }
    known = [(one.ship, one.chosen, one.book) for one in judged]
    pieces = {piece.id: piece for piece in (*reading.save.pieces, *logged.pieces.values())}
    lying = damage_left_out(pieces.values(), logged.ships, known, logged.says, logged.file)
    left.update(dict.fromkeys(lying))
    return judged, forms


def _is_played(column: EnergyAllocation, logged: Logged, lines: FormLines) -> bool:
    """Is a column of a turn the log came to, and is more filled in than what a turn begins with?"""
    last = logged.end.turn or column.turn
    return column.turn < last or (column.turn == last and not is_only_begun(column, lines))


def _last_seen(ship: ShipOnTable, logged: Logged) -> str:
    """Where a seeker stands as the log ends, or the step it left the map in; nothing where that is not told."""
    id = ship.counter.id if ship.counter else ""
    began, changes = logged.began.get(id), logged.changes.get(id, ())
    stand = changes[-1].after if changes else began
    if stand and stand.hex:
        return f"a seeker in {stand.hex}{stand.facing or ''} as the log ends"
    gone = bool(changes) and changes[-1].before.hex is not None
    return f"a seeker that was on the map until step {changes[-1].step}" if gone else ""


def _settings(reading: Reading, judged: list[Judged]) -> Settings:
    """The rulebook and impulses of the game, where the player said nothing."""
    settings = reading.asked.settings
    if not judged:
        return settings
    book = judged[0].book
    options = dict(settings.options)
    if "impulses" in book.options:
        options.setdefault("impulses", str(book.option("impulses")))
    return replace(settings, rulebook=settings.rulebook or book.id, options=options)


def _ship(
    one: Judged,
    logged: Logged,
    forms: Mapping[str, Mapping[int, EnergyAllocation]],
    speeds: Mapping[str, Mapping[int, int]],
    reading: Reading,
) -> ShipTaken:
    """A ship as the log begins."""
    from referee.formats.vassal.recognise import as_it_stood

    labels = one.book.table("box_labels")
    says = logged.says
    counter = one.ship.counter.id if one.ship.counter else ""
    began = logged.began.get(counter)
    at_start = as_it_stood(one.ship, {piece.id: piece for piece in reading.save.pieces}, "", says)
    begun = {
        at.turn: state
        for at in logged.forms
        if (state := display_of(as_it_stood(one.ship, at.pieces, "", says), one.chosen, labels, one.used))
    }
    option = reading.asked.settings.options.get("previous_speed", "")
    return ShipTaken(
        one.ship.name,
        one.chosen,
        sides=sides_of(one.ship, one.chosen),
        hex=began.hex if began else None,
        facing=began.facing if began and began.hex else None,
        speed=int(option) if option.isdecimal() else None,
        forms=forms.get(one.ship.name, {}),
        speeds=speeds.get(one.ship.name, {}),
        begun=begun,
        shown=display_of(at_start, one.chosen, labels, one.used),
    )


def _happenings(
    logged: Logged, judged: list[Judged], orders: Orders, audit: Audited, left: dict[str, None]
) -> Iterator[Happening]:
    from referee.formats.vassal.recognise import as_it_stood
    from referee.play.flights import flights_told, tries_told

    yield from _stands(logged, judged, audit, left)
    for one in judged:
        labels = one.book.table("box_labels")
        showed = []
        for marked in logged.marked:
            if one.ship.ssd and one.ship.ssd.id in marked.after:
                state = display_of(
                    as_it_stood(one.ship, marked.after, "", logged.says), one.chosen, labels, one.used
                )
                if state is not None:
                    for lost in audit.unpaid.get(one.ship.name, ()):
                        state = lost.still_lost(state) if lost.step <= marked.step else state
                    when = When(marked.clock.turn, marked.clock.impulse)
                    showed.append(Showed(marked.step, when, one.ship.name, state))
        yield from _without_slips(showed, [heard.said.step for heard in orders.heard])
    displayed = {one.ship.name for one in judged if one.ship.boxes_left or one.ship.shields}
    launches = {one.flight.launch[0] for one in audit.followed}
    for heard in orders.heard:
        followed = isinstance(heard.order, Launch) and heard.said.step in launches
        told_otherwise = isinstance(heard.order, _TOLD_OTHERWISE) or followed
        if isinstance(heard.order, Hit) and heard.order.ship in displayed:
            yield Struck(heard.said.step, heard.when, heard.order.ship)
        elif not told_otherwise:
            yield Said(heard.said.step, heard.when, heard.order)
    yield from flights_told(audit.followed, orders)
    yield from tries_told(orders, {one.ship.name for one in judged}, left)
    for rolled in logged.rolled:
        by = f" by {rolled.roll.player}" if rolled.roll.player else ""
        back = f", undone in step {rolled.taken_back}" if rolled.taken_back is not None else ""
        text = f"{rolled.roll.button} = {rolled.roll.faces}{by}{back}"
        yield Threw(rolled.step, When(rolled.clock.turn, rolled.clock.impulse), text)


def _without_slips(showed: Sequence[Showed], spoken: Sequence[int]) -> Iterator[Showed]:
    """What a display came to show, but for marks that were taken off again in their impulse, before anything
    else was ordered."""
    for n, one in enumerate(showed):
        then = showed[n + 1] if n + 1 < len(showed) else None
        at_once = then and then.when == one.when and not any(one.step < step < then.step for step in spoken)
        if not (then and at_once and _takes_off(one.state, then.state)):
            yield one


def _takes_off(before: ShipState, after: ShipState) -> bool:
    stronger = any(after.shields.get(n, left) > left for n, left in before.shields.items())
    return stronger or bool(before.destroyed - after.destroyed)


def _unpaid(audit: Audited) -> Iterator[str]:
    """What displays show whole again though nothing paid for it: in the record it stays lost."""
    for name, row in audit.unpaid.items():
        for one in row:
            told = [f"{count} of shield {shield}" for shield, count in sorted(one.shields.items())]
            what = ", ".join([*told, *sorted(one.boxes)])
            yield f"step {one.step}: {name}: {what} shown whole again, which nothing paid for: they stay lost"


def _moved_in(move: Move, moves: Iterable[Move], audit: Audited) -> int:
    """The step a move was made in: that of a ship's first drag, where faster ships moved before it was put right or
    made again."""
    last = move.location.step or 0
    first = min((drag.step for drag in move.drags), default=last)
    if first == last:
        return last
    speeds = {one.ship: one.speed for one in audit.report.turns if one.turn == move.when.turn}
    own = speeds.get(move.ship)
    between = [speeds.get(one.ship) for one in moves if first < (one.location.step or 0) < last]
    slower = own is not None and all(speed is not None and own < speed for speed in between)
    return first if slower else last


def _stands(logged: Logged, judged: list[Judged], audit: Audited, left: dict[str, None]) -> Iterator[Stood]:
    """Where the ships came to stand: turn and hex of an impulse are one."""
    told = moves_told(logged, judged)
    stands = {
        (one.ship.name, change.step): change.after
        for one in judged
        for change in (logged.changes.get(one.ship.counter.id, ()) if one.ship.counter else ())
    }
    for move in told.moves:
        step = _moved_in(move, told.moves, audit)
        if any(drag.anew and drag.step == step for drag in move.drags):
            what = f"{move.ship} was dragged elsewhere first, and to {move.to_hex} once another had moved"
            left[f"step {move.location.step}: {what}: whether it may is not judged in the record"] = None
        yield Stood(step, move.when, move.ship, move.to_hex, move.facing_after)
    for turn in told.turned:
        if turn.moved is None and logged.end.moment == (turn.when.turn, turn.when.impulse):
            left[f"step {turn.step}: {turn.ship} turned to {turn.after} and is still to move"] = None
        else:
            stand = stands[turn.ship, turn.step]
            yield Stood(turn.step, turn.when, turn.ship, stand.hex, stand.facing)
    for gone in told.gone:
        stand = stands[gone.ship, gone.step]
        yield Stood(gone.step, gone.when, gone.ship, stand.hex, stand.facing if stand.hex else None)
