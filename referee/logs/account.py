"""The account of a log: its ships, forms, moves, orders, dice and damage, step by step, as facts of a game."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from referee.core.forms import EnergyAllocation, FormLines, is_only_begun
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
from referee.core.state import ShipState
from referee.formats.vassal.gathered import Logged
from referee.formats.vassal.recognise import ShipOnTable, as_it_stood
from referee.logs.audit import Game, game_of
from referee.logs.flights_told import flights_told, tries_told
from referee.logs.reading import LogRead, read_game
from referee.logs.repairs import Unpaid
from referee.logs.ship_under_audit import Judged
from referee.logs.unmapped_pieces import damage_left_out
from referee.sources.settings import Settings
from referee.sources.ships import (
    Reading,
    display_of,
    say_where,
    sides_of,
    stray_seeker,
    unread,
    why_left_out,
)

_TOLD_OTHERWISE = (Advance, SetSpeed, HoldFire, Help, Status, ImpulseBegins, TurnBegins)
"""Orders that counters, forms and the clock tell; and questions, and words that nothing is done."""


def log_shown(reading: Reading) -> tuple[Shown, Settings]:
    """What a log shows, and the settings of its game."""
    game = game_of(read_game(reading.save, reading.asked, reading.says))
    return account_of(game), _settings(game.read)


def account_of(game: Game) -> Shown:
    """What happened in the game of a log; what of it is not known is `left_out`."""
    read, done = game.read, game.played
    logged = read.logged
    left: dict[str, None] = {}
    forms = _known(read, left)
    speeds: dict[str, dict[int, int]] = {}
    for told in done.speeds:
        speeds.setdefault(told.ship, {})[told.turn] = told.speed
    ships = tuple(_ship(one, read, forms, speeds) for one in read.judged)
    left.update((f"{found.location}: {found.message}", None) for found in read.orders.findings)
    if read.module is None:
        left["where the ships stand, and their moves: hex names need --module"] = None
    for one in done.flown.followed:
        left.pop(stray_seeker(one.flight.seeker.name), None)
    for seen in read.ships:
        say_where(left, seen.ship.name, _last_seen(seen.ship, logged))
    left.update(dict.fromkeys(_unpaid(done.damage.unpaid)))
    happenings = list(_happenings(game, left))
    if logged.end.turn is None:
        return _as_it_ended(read, ships, happenings, left)
    return Shown(
        read.save.file,
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


def _as_it_ended(
    read: LogRead,
    ships: Iterable[ShipTaken],
    happenings: Iterable[Happening],
    left: dict[str, None],
) -> Shown:
    """A log in which nothing tells the turn: how it stands at its end, as a save would show it."""
    logged = read.logged
    stands = {one.ship: one for one in sorted(happenings, key=_step) if isinstance(one, Stood)}
    turn = max((turn for ship in ships for turn in ship.forms), default=1)
    left["its moves and the orders in its chat: nothing in it tells when they were made"] = None
    left[f"the turn: this is turn {turn}, the last that is filled in"] = None
    ended = []
    for one, ship in zip(read.judged, ships, strict=True):
        stood = as_it_stood(one.ship, logged.final.pieces, "", logged.says)
        display = display_of(stood, one.chosen, one.book.table("box_labels"))
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


def _known(read: LogRead, left: dict[str, None]) -> dict[str, Mapping[int, EnergyAllocation]]:
    """The forms of the ships whose class is known; `left` takes why the others are not, and what of their displays
    does not fit."""
    logged = read.logged
    by_ship = {id(one.ship): (one, form) for one, form in zip(read.judged, read.forms, strict=True)}
    forms: dict[str, Mapping[int, EnergyAllocation]] = {}
    for seen in read.ships:
        if why := why_left_out(seen, logged.says):
            left[why] = None
            continue
        one, form = by_ship[id(seen.ship)]
        left.update(dict.fromkeys(unread(one.ship, one.chosen, one.book.table("box_labels"))))
        if form is None:
            left[f"{one.ship.name}: no energy form was found for it"] = None
            continue
        columns = (turn.allocation for turn in form.turns)
        forms[one.ship.name] = {
            column.turn: column for column in columns if _is_played(column, logged, one.book.lines)
        }
    of_class = [(one.ship, one.chosen, one.book) for one in read.judged]
    lying = damage_left_out(read.pieces.values(), logged.ships, of_class, logged.says, logged.file)
    left.update(dict.fromkeys(lying))
    return forms


def _is_played(column: EnergyAllocation, logged: Logged, lines: FormLines) -> bool:
    """Is a column of a turn the log came to, and is more filled in than what a turn begins with?"""
    last = logged.end.turn or column.turn
    return column.turn < last or (column.turn == last and not is_only_begun(column, lines))


def _last_seen(ship: ShipOnTable, logged: Logged) -> str:
    """Where a seeker stands as the log ends, or the step it left the map in; nothing where that is not known."""
    id = ship.counter.id if ship.counter else ""
    began, changes = logged.began.get(id), logged.changes.get(id, ())
    stand = changes[-1].after if changes else began
    if stand and stand.hex:
        return f"a seeker in {stand.hex}{stand.facing or ''} as the log ends"
    gone = bool(changes) and changes[-1].before.hex is not None
    return f"a seeker that was on the map until step {changes[-1].step}" if gone else ""


def _settings(read: LogRead) -> Settings:
    """The rulebook and impulses of the game, where the player said nothing."""
    settings = read.asked.settings
    if not read.judged:
        return settings
    book = read.judged[0].book
    options = dict(settings.options)
    if "impulses" in book.options:
        options.setdefault("impulses", str(book.option("impulses")))
    return replace(settings, rulebook=settings.rulebook or book.id, options=options)


def _ship(
    one: Judged,
    read: LogRead,
    forms: Mapping[str, Mapping[int, EnergyAllocation]],
    speeds: Mapping[str, Mapping[int, int]],
) -> ShipTaken:
    """A ship as the log begins."""
    logged, labels = read.logged, one.book.table("box_labels")
    says = logged.says
    counter = one.ship.counter.id if one.ship.counter else ""
    began = logged.began.get(counter)
    stood = at_start = as_it_stood(
        one.ship, {piece.id: piece for piece in read.save.pieces}, "", says, like=one.ship
    )
    begun = {}
    for at in logged.forms:
        stood = as_it_stood(one.ship, at.pieces, "", says, like=stood)
        if state := display_of(stood, one.chosen, labels):
            begun[at.turn] = state
    option = read.asked.settings.options.get("previous_speed", "")
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
        shown=display_of(at_start, one.chosen, labels),
    )


def _happenings(game: Game, left: dict[str, None]) -> Iterator[Happening]:
    read, done = game.read, game.played
    logged, judged, orders, flown = read.logged, read.judged, read.orders, done.flown.followed
    yield from _stands(game, left)
    for one in judged:
        labels = one.book.table("box_labels")
        showed = []
        for marked in logged.marked:
            if one.ship.ssd and one.ship.ssd.id in marked.after:
                state = display_of(as_it_stood(one.ship, marked.after, "", logged.says), one.chosen, labels)
                if state is not None:
                    for lost in done.damage.unpaid.get(one.ship.name, ()):
                        state = lost.still_lost(state) if lost.step <= marked.step else state
                    when = When(marked.clock.turn, marked.clock.impulse)
                    showed.append(Showed(marked.step, when, one.ship.name, state))
        yield from _without_slips(showed, [heard.said.step for heard in orders.heard])
    displayed = {one.ship.name for one in judged if one.ship.boxes_left or one.ship.shields}
    launches = {one.flight.launch[0] for one in flown}
    for heard in orders.heard:
        followed = isinstance(heard.order, Launch) and heard.said.step in launches
        told_otherwise = isinstance(heard.order, _TOLD_OTHERWISE) or followed
        if isinstance(heard.order, Hit) and heard.order.ship in displayed:
            yield Struck(heard.said.step, heard.when, heard.order.ship)
        elif not told_otherwise:
            yield Said(heard.said.step, heard.when, heard.order)
    yield from flights_told(flown, orders)
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


def _unpaid(unpaid: Mapping[str, Iterable[Unpaid]]) -> Iterator[str]:
    """What displays show whole again though nothing paid for it: in the record it stays lost."""
    for name, row in unpaid.items():
        for one in row:
            told = [f"{count} of shield {shield}" for shield, count in sorted(one.shields.items())]
            what = ", ".join([*told, *sorted(one.boxes)])
            yield f"step {one.step}: {name}: {what} shown whole again, which nothing paid for: they stay lost"


def _moved_in(move: Move, game: Game) -> int:
    """The step a move was made in: that of a ship's first drag, where faster ships moved before it was put right or
    made again."""
    last = move.location.step or 0
    first = min((drag.step for drag in move.drags), default=last)
    if first == last:
        return last
    turn = move.when.turn
    speeds: dict[str, int] = {one.ship: one.speed for one in game.played.speeds if one.turn == turn}
    for ship in game.played.ships:
        paid = next((energy.speed for energy in ship.energy if energy.turn == turn), None)
        speeds |= {} if paid is None else {ship.ship.name: paid}
    own = speeds.get(move.ship)
    between = [
        speeds.get(one.ship) for one in game.played.told.moves if first < (one.location.step or 0) < last
    ]
    slower = own is not None and all(speed is not None and own < speed for speed in between)
    return first if slower else last


def _stands(game: Game, left: dict[str, None]) -> Iterator[Stood]:
    """Where the ships came to stand: turn and hex of an impulse are one."""
    logged, judged, told = game.read.logged, game.read.judged, game.played.told
    stands = {
        (one.ship.name, change.step): change.after
        for one in judged
        for change in (logged.changes.get(one.ship.counter.id, ()) if one.ship.counter else ())
    }
    for move in told.moves:
        step = _moved_in(move, game)
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
