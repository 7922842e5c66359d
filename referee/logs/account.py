"""A log as it shows its game: its ships, forms, moves, orders, dice and damage, step by step, in one account."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import zip_longest

from referee.core.account import Account, Event
from referee.core.forms import EnergyAllocation, FormLines, is_only_begun
from referee.core.hexgrid import Hex
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
from referee.core.state import ShipState
from referee.formats.vassal.gathered import Logged
from referee.formats.vassal.recognise import ShipOnTable, as_it_stood
from referee.logs.audit import Game, game_of
from referee.logs.flights_told import flights_told, tries_told
from referee.logs.reading import LogRead, read_game
from referee.logs.repairs import Unpaid
from referee.logs.ship_under_audit import ShipUnderAudit
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
from referee.sources.shown import GameShown, account_shown, forms_shown, ship_shown, shown
from referee.sources.unmapped_pieces import damage_left_out

Forms = dict[str, Mapping[int, EnergyAllocation]]
"""The forms of ships by their names and turns."""
_TOLD_OTHERWISE = (Advance, SetSpeed, HoldFire, Help, Status, ImpulseBegins, TurnBegins)
"""Orders that counters, forms and the clock tell; and questions, and words that nothing is done."""


def log_shown(reading: Reading) -> GameShown:
    """What a log shows of its game."""
    return account_of(game_of(read_game(reading.save, reading.asked, reading.says)))


def account_of(game: Game) -> GameShown:
    """What happened in the game of a log; what of it is not known is `left_out`."""
    read, done = game.read, game.played
    logged = read.logged
    left: dict[str, None] = {}
    forms = _known(read, left)
    left.update((f"{found.location}: {found.message}", None) for found in read.orders.findings)
    if read.module is None:
        left["where the ships stand, and their moves: hex names need --module"] = None
    for followed in done.flown.followed:
        left.pop(stray_seeker(followed.flight.seeker.name), None)
    for seen in read.ships:
        say_where(left, seen.ship.name, _last_seen(seen.ship, logged))
    left.update(dict.fromkeys(_unpaid(done.damage.unpaid)))
    happened = list(_happened(game, left))
    if logged.end.turn is None:
        account = _as_it_ended(read, forms, happened, left)
    else:
        ships = [event for ship in read.judged for event in _ship(ship, read, forms)]
        account = account_shown(
            read.save.file,
            [*ships, *_speeds(game), *_in_order(happened, logged)],
            since=_start(logged, happened),
            until=When(logged.end.turn, logged.end.impulse),
            until_step=(logged.end.step or "") if (logged.end.step_number or 1) > 1 else "",
            fresh=(logged.start.impulse or 0) <= 1 and (logged.start.step_number or 1) <= 1,
            log=True,
        )
    classes = {ship.ship.name: ship.chosen for ship in read.judged}
    return GameShown(account, classes, _settings(read), tuple(left))


def _as_it_ended(read: LogRead, forms: Forms, happened: Iterable[Event], left: dict[str, None]) -> Account:
    """A log in which nothing tells the turn: how it stands at its end, as a save would show it."""
    logged = read.logged
    stands = {
        event.data["stands"]["ship"]: event.data["stands"]
        for event in sorted(happened, key=_step)
        if "stands" in event.data
    }
    turn = max((turn for columns in forms.values() for turn in columns), default=1)
    left["its moves and the orders in its chat: nothing in it tells when they were made"] = None
    left[f"the turn: this is turn {turn}, the last that is filled in"] = None
    ended: list[Event] = []
    for judged in read.judged:
        stood = as_it_stood(judged.ship, logged.final.pieces, "", logged.says)
        display = display_of(stood, judged.chosen, judged.book.table("box_labels"))
        last = stands.get(judged.ship.name)
        stand = (last["hex"], last["facing"]) if last else _stand_at_start(judged, logged)
        ended.append(_entering(judged, read, stand, display))
        ended += forms_shown(judged.ship.name, forms.get(judged.ship.name, {}))
    thrown = [event for event in happened if event.type == "dice"]
    now = When(turn)
    return account_shown(logged.file, [*ended, *_in_order(thrown, logged)], since=now, until=now)


def _in_order(happened: Sequence[Event], logged: Logged) -> list[Event]:
    """What happened, step by step. Where the clock tells no steps of an impulse, its seekers move when its ships
    have."""
    last: dict[When, int] = {}
    for event in happened:
        if "stands" in event.data:
            last[event.when] = max(_step(event), last.get(event.when, 0))

    def place(event: Event) -> tuple[int, int, int]:
        step = _step(event)
        of_seeker = "flew" in event.data or "gone" in event.data
        waits = not logged.steps_taken and of_seeker and step < last.get(event.when, 0)
        return (last[event.when], 1, step) if waits else (step, 0, step)

    return sorted(happened, key=place)


def _step(event: Event) -> int:
    return event.at.step or 0


def _start(logged: Logged, happened: Iterable[Event]) -> When:
    """From when on the log tells the game: where its clock stands, else the first turn that is told."""
    if logged.start.turn is not None:
        return When(logged.start.turn, logged.start.impulse)
    turns = ((_step(event), event.when.turn) for event in happened if event.when.turn is not None)
    return When(min(turns, default=(0, None))[1])


def _known(read: LogRead, left: dict[str, None]) -> Forms:
    """The forms of the ships whose class is known; `left` takes why the others are not, and what of their displays
    does not fit."""
    logged = read.logged
    by_ship = {id(one.ship): (one, form) for one, form in zip(read.judged, read.forms, strict=True)}
    forms: Forms = {}
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


def _stand_at_start(judged: ShipUnderAudit, logged: Logged) -> tuple[Hex | None, str | None]:
    began = logged.began.get(judged.ship.counter.id if judged.ship.counter else "")
    return (began.hex, began.facing) if began else (None, None)


def _entering(
    judged: ShipUnderAudit, read: LogRead, stand: tuple[Hex | None, str | None], display: ShipState | None
) -> Event:
    return ship_shown(
        judged.ship.name,
        judged.chosen,
        sides=sides_of(judged.ship, judged.chosen),
        stand=stand,
        speed=read.asked.settings.options.get("previous_speed", ""),
        state=display,
    )


def _ship(judged: ShipUnderAudit, read: LogRead, forms: Forms) -> Iterator[Event]:
    """A ship as the log begins, its forms, and what of it was left as turns began."""
    logged, labels, name = read.logged, judged.book.table("box_labels"), judged.ship.name
    says = logged.says
    stood = as_it_stood(
        judged.ship, {piece.id: piece for piece in read.save.pieces}, "", says, like=judged.ship
    )
    at_start = display_of(stood, judged.chosen, labels)
    yield _entering(judged, read, _stand_at_start(judged, logged), at_start)
    yield from forms_shown(name, forms.get(name, {}))
    for filled in logged.forms:
        stood = as_it_stood(judged.ship, filled.pieces, "", says, like=stood)
        if state := display_of(stood, judged.chosen, labels):
            yield shown("display", {"ship": name, "state": state, "begins": filled.turn}, When(filled.turn))


def _speeds(game: Game) -> Iterator[Event]:
    """The speeds that were said or shown; of a ship in a turn the last counts."""
    for told in game.played.speeds:
        yield shown("order", {"speed": {"ship": told.ship, "speed": told.speed}}, When(told.turn))


def _happened(game: Game, left: dict[str, None]) -> Iterator[Event]:
    read, done = game.read, game.played
    logged, orders, flown = read.logged, read.orders, done.flown.followed
    yield from _stands(game, left)
    for judged in read.judged:
        displays = _displays(judged, read, done.damage.unpaid.get(judged.ship.name, ()))
        yield from _without_slips(list(displays), [heard.said.step for heard in orders.heard])
    displayed = {judged.ship.name for judged in read.judged if judged.ship.boxes_left or judged.ship.shields}
    launches = {followed.flight.launch[0] for followed in flown}
    for heard in orders.heard:
        followed = isinstance(heard.order, Launch) and heard.said.step in launches
        told_otherwise = isinstance(heard.order, _TOLD_OTHERWISE) or followed
        if isinstance(heard.order, Hit) and heard.order.ship in displayed:
            yield shown("order", {"hit": {"ship": heard.order.ship}}, heard.when, heard.said.step)
        elif not told_otherwise:
            yield shown("order", {"said": heard.order}, heard.when, heard.said.step)
    yield from flights_told(flown, orders)
    yield from tries_told(orders, {judged.ship.name for judged in read.judged}, left)
    for rolled in logged.rolled:
        by = f" by {rolled.roll.player}" if rolled.roll.player else ""
        back = f", undone in step {rolled.taken_back}" if rolled.taken_back is not None else ""
        text = f"{rolled.roll.button} = {rolled.roll.faces}{by}{back}"
        yield shown("dice", {"text": text}, When(rolled.clock.turn, rolled.clock.impulse), rolled.step)


def _displays(judged: ShipUnderAudit, read: LogRead, unpaid: Sequence[Unpaid]) -> Iterator[Event]:
    """What the display of a ship came to show; what came back and was not paid for stays lost."""
    labels, logged = judged.book.table("box_labels"), read.logged
    for marked in logged.marked:
        if judged.ship.ssd and judged.ship.ssd.id in marked.after:
            stood = as_it_stood(judged.ship, marked.after, "", logged.says)
            state = display_of(stood, judged.chosen, labels)
            if state is not None:
                for lost in unpaid:
                    state = lost.still_lost(state) if lost.step <= marked.step else state
                when = When(marked.clock.turn, marked.clock.impulse)
                yield shown("display", {"ship": judged.ship.name, "state": state}, when, marked.step)


def _without_slips(displays: Sequence[Event], spoken: Sequence[int]) -> Iterator[Event]:
    """What a display came to show, but for marks that were taken off again in their impulse, before anything
    else was ordered."""
    for display, then in zip_longest(displays, displays[1:]):
        at_once = (
            then is not None
            and then.when == display.when
            and not any(_step(display) < step < _step(then) for step in spoken)
        )
        if not (at_once and _takes_off(display.data["state"], then.data["state"])):
            yield display


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


def _stands(game: Game, left: dict[str, None]) -> Iterator[Event]:
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
        yield _stood(move.ship, move.to_hex, move.facing_after, move.when, step)
    for turn in told.turned:
        if turn.moved is None and logged.end.moment == (turn.when.turn, turn.when.impulse):
            left[f"step {turn.step}: {turn.ship} turned to {turn.after} and is still to move"] = None
        else:
            stand = stands[turn.ship, turn.step]
            yield _stood(turn.ship, stand.hex, stand.facing, turn.when, turn.step)
    for gone in told.gone:
        stand = stands[gone.ship, gone.step]
        yield _stood(gone.ship, stand.hex, stand.facing if stand.hex else None, gone.when, gone.step)


def _stood(ship: str, hex: Hex | None, facing: str | None, when: When, step: int) -> Event:
    return shown("order", {"stands": {"ship": ship, "hex": hex, "facing": facing}}, when, step)
