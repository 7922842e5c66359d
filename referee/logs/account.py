"""The account of a log as a record takes it: its ships, forms, moves, orders, dice and damage, step by step.

It is the account that is judged, with what only inference tells: how seekers flew, when a move was made that was put right,
which marks were slips, and what was taken off a display for nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import zip_longest

from referee.adjudicator.repairs import Unpaid
from referee.core.account import Account, Event
from referee.core.forms import EnergyAllocation, FormLines, is_only_begun
from referee.core.hexgrid import Hex
from referee.core.play import Move, When
from referee.core.state import ShipState
from referee.formats.vassal.gathered import Logged
from referee.formats.vassal.recognise import ShipOnTable, as_it_stood
from referee.logs.audit import GameInLog, game_of
from referee.logs.course import may_move_yet
from referee.logs.flights_told import flights_told, tries_told
from referee.logs.reading import LogRead, read_game
from referee.logs.ship_under_audit import ShipUnderAudit
from referee.logs.speeds import moved_as_said, speeds_without_form
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
from referee.sources.shown import GameShown, account_shown, came_to_stand, forms_shown, ship_shown, shown
from referee.sources.unmapped_pieces import damage_left_out

Forms = dict[str, Mapping[int, EnergyAllocation]]
"""The forms of ships by their names and turns."""
_ORDERED = frozenset(("fire", "cloak", "battery", "word"))


def log_shown(reading: Reading) -> GameShown:
    """What a log shows of its game."""
    return account_of(game_of(read_game(reading.save, reading.asked, reading.module_map), for_record=True))


def account_of(game: GameInLog) -> GameShown:
    """What happened in the game of a log that was read for a record; what of it is not known is `left_out`."""
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
    events = done.account.events if done.account else ()
    happened = list(_happened(game, events, left))
    if logged.end.turn is None:
        account = _as_it_ended(read, forms, happened, left)
    else:
        account = account_shown(
            read.save.file,
            [*_ships(events, forms), *_speeds(game), *_in_order(happened, logged)],
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
    stood = (came_to_stand(event) for event in sorted(happened, key=_step))
    stands = {came[0]: came[1:] for came in stood if came is not None}
    turn = max((turn for columns in forms.values() for turn in columns), default=1)
    left["its moves and the orders in its chat: nothing in it tells when they were made"] = None
    left[f"the turn: this is turn {turn}, the last that is filled in"] = None
    ended: list[Event] = []
    for judged in read.judged:
        now = as_it_stood(judged.ship, logged.final.pieces, "", logged.module_map)
        display = display_of(now, judged.chosen, judged.rulebook.table("box_labels"))
        stand = stands.get(judged.ship.name) or _stand_at_start(judged, logged)
        ended.append(_entering(judged, read, stand, display))
        ended += forms_shown(judged.ship.name, forms.get(judged.ship.name, {}))
    thrown = [event for event in happened if event.type == "dice"]
    when = When(turn)
    return account_shown(logged.file, [*ended, *_in_order(thrown, logged)], since=when, until=when)


def _in_order(happened: Sequence[Event], logged: Logged) -> list[Event]:
    """What happened, step by step. Where the clock tells no steps of an impulse, its seekers move when its ships
    have."""
    last: dict[When, int] = {}
    for event in happened:
        if came_to_stand(event) is not None:
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
    by_ship = {id(ship.ship): (ship, form) for ship, form in zip(read.judged, read.forms, strict=True)}
    forms: Forms = {}
    for seen in read.ships:
        if why := why_left_out(seen, logged.module_map):
            left[why] = None
            continue
        ship, form = by_ship[id(seen.ship)]
        left.update(dict.fromkeys(unread(ship.ship, ship.chosen, ship.rulebook.table("box_labels"))))
        if form is None:
            left[f"{ship.ship.name}: no energy form was found for it"] = None
            continue
        columns = (turn.allocation for turn in form.turns)
        forms[ship.ship.name] = {
            column.turn: column for column in columns if _is_played(column, logged, ship.rulebook.lines)
        }
    of_class = [(ship.ship, ship.chosen, ship.rulebook) for ship in read.judged]
    lying = damage_left_out(read.pieces.values(), logged.ships, of_class, logged.module_map, logged.file)
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
    rulebook = read.judged[0].rulebook
    options = dict(settings.options)
    if "impulses" in rulebook.options:
        options.setdefault("impulses", str(rulebook.option("impulses")))
    return replace(settings, rulebook=settings.rulebook or rulebook.id, options=options)


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


def _ships(events: Iterable[Event], forms: Forms) -> Iterator[Event]:
    """The ships as the log begins, their forms of the turns that were played, and what of them was left as turns
    began."""
    for event in events:
        data = event.data
        played = event.type == "form" and data["turn"] in forms.get(data["ship"], ())
        if played or event.type == "ship" or "begins" in data:
            yield event


def _speeds(game: GameInLog) -> Iterator[Event]:
    """The speeds that stand though no form pays for them: those of turns without a form, and those ships moved at."""
    played = game.played
    for ship in played.ships:
        moved = moved_as_said(ship, played.speeds, game.read.logged, played.moves)
        for turn, stated in {**speeds_without_form(ship, played.speeds), **moved}.items():
            yield shown("order", {"speed": {"ship": stated.ship, "speed": stated.speed}}, When(turn))


def _happened(game: GameInLog, events: Sequence[Event], left: dict[str, None]) -> Iterator[Event]:
    """What was done in the log: counters, displays, orders, seekers, tries for lock-on, dice."""
    read, flown = game.read, game.played.flown.followed
    yield from _stands(game, events, left)
    displays = [event for event in events if event.type == "display" and "begins" not in event.data]
    spoken = [heard.sentence.step for heard in read.orders.heard]
    for judged in read.judged:
        name = judged.ship.name
        own = (event for event in displays if event.data["ship"] == name)
        lost = game.played.damage.unpaid.get(name, ())
        yield from _without_slips([_still_lost(event, lost) for event in own], spoken)
    followed = {seeker.flight.launch[0] for seeker in flown}
    for event in events:
        launches = "launch" in event.data and _step(event) not in followed
        if event.type == "order" and (launches or not _ORDERED.isdisjoint(event.data)):
            yield event
    yield from flights_told(flown, read.orders)
    yield from tries_told(read.orders, {judged.ship.name for judged in read.judged}, left)
    yield from (event for event in events if event.type == "dice")


def _still_lost(display: Event, unpaid: Iterable[Unpaid]) -> Event:
    """What a display came to show; what came back and was not paid for stays lost."""
    state = display.data["state"]
    for lost in unpaid:
        state = lost.still_lost(state) if lost.step <= _step(display) else state
    return replace(display, data={**display.data, "state": state})


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
        for loss in row:
            shields = [f"{count} of shield {shield}" for shield, count in sorted(loss.shields.items())]
            what = ", ".join([*shields, *sorted(loss.boxes)])
            yield f"step {loss.step}: {name}: {what} shown whole again, which nothing paid for: they stay lost"


def _moved_in(move: Move, game: GameInLog) -> int:
    """The step a move was made in: that of a ship's first drag, where faster ships moved before it was put right or
    made again."""
    last = move.location.step or 0
    first = min((drag.step for drag in move.drags), default=last)
    if first == last:
        return last
    turn = move.when.turn
    speeds: dict[str, int] = {
        stated.ship: stated.speed for stated in game.played.speeds if stated.turn == turn
    }
    for ship in game.played.ships:
        paid = next((energy.speed for energy in ship.energy if energy.turn == turn), None)
        speeds |= {} if paid is None else {ship.ship.name: paid}
    own = speeds.get(move.ship)
    between = [
        speeds.get(other.ship)
        for other in game.played.moves.moves
        if first < (other.location.step or 0) < last
    ]
    slower = own is not None and all(speed is not None and own < speed for speed in between)
    return first if slower else last


def _stands(game: GameInLog, events: Iterable[Event], left: dict[str, None]) -> Iterator[Event]:
    """Where the ships came to stand: turn and hex of an impulse are one."""
    for event in events:
        if "seen" in event.data:
            yield _made(event, game, left)
        elif came_to_stand(event) is not None and _step(event):
            yield event
    for turn in game.played.moves.turned:
        if may_move_yet(turn, game.read.logged):
            left[f"step {turn.step}: {turn.ship} turned to {turn.after} and is still to move"] = None


def _made(event: Event, game: GameInLog, left: dict[str, None]) -> Event:
    """A move in the step it was made in."""
    move: Move = event.data["seen"]["move"]
    step = _moved_in(move, game)
    if any(drag.anew and drag.step == step for drag in move.drags):
        what = f"{move.ship} was dragged elsewhere first, and to {move.to_hex} once another had moved"
        left[f"step {move.location.step}: {what}: whether it may is not judged in the record"] = None
    return event if step == _step(event) else replace(event, at=replace(event.at, step=step))
