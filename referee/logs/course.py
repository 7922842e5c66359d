"""The ships of a log, their speeds, counters and orders, as events of an account for the one table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from referee.adjudicator.fire_seen import SeenFire
from referee.adjudicator.movement_seen import LEAP
from referee.core.account import NO_TIME, Account, Coverage, Event
from referee.core.frozen import replace
from referee.core.gap import Gap
from referee.core.hexgrid import Hex
from referee.core.location import Location
from referee.core.play import Counting, Move, When
from referee.core.ship import ShipClass
from referee.formats.vassal.gathered import Logged
from referee.formats.vassal.moves import Moves, TurnedOnSpot, WentOrCame
from referee.logs.fire import OrderForTable
from referee.logs.for_record import ForRecord
from referee.logs.ship_under_audit import ShipUnderAudit
from referee.sources.asked import Asked

if TYPE_CHECKING:
    from referee.logs.speeds import SpeedTold

BEGUN = "the log begins in the midst of a game"
COUNTERS = "a log shows where counters stand"
Happened = Move | TurnedOnSpot | WentOrCame | OrderForTable | Event
NO_MOVES = Moves((), {}, (), ())
IN_ORDER = "in which step of an impulse a thing is done is judged by the log's own clock"


def begins_game(logged: Logged) -> bool:
    """Does a log begin where a game does?"""
    return logged.start.turn == 1 and logged.start.impulse == 1


def account_told(
    logged: Logged,
    judged: Sequence[ShipUnderAudit],
    asked: Asked,
    moves: Moves | None,
    speeds: Sequence[SpeedTold],
    orders: Iterable[OrderForTable] = (),
    before: Sequence[Event] = (),
    for_record: ForRecord | None = None,
) -> Account:
    """The ships of a log, how they moved where that can be told, and what they fired. An event of the account of
    `before` that tells the same move in the same place is taken as it is. With what is `for_record` it tells all that
    a record takes."""
    row = _Row(
        logged, judged, asked, moves or NO_MOVES, speeds, orders, before, for_record, on_map=moves is not None
    )
    return Account(
        tuple(row.events()),
        Coverage(ways=COUNTERS, steps=IN_ORDER, start="" if begins_game(logged) else BEGUN),
        logged.file,
        kept=False,
        gaps=tuple(_not_read(logged)),
        over={at: Location(logged.file, step=step) for at, step in logged.ends.items()},
        since=When(logged.start.turn, logged.start.impulse),
        until=When(logged.end.turn, logged.end.impulse),
    )


def _not_read(logged: Logged) -> Iterable[Gap]:
    """What is not known for steps that could not be read."""
    if not logged.unread:
        return ()
    from referee.logs.unreadable_steps import unread  # Few logs have such.

    return unread(logged.unread, logged.ships)


def for_fire(account: Account) -> Account:
    """What of an account is asked to know what was fired and launched in it, and when ships cloak."""
    asked = SeenFire.alone.keys()
    ships = (
        replace(event, data={**event.data, "on_map": False}) if event.type == "ship" else event
        for event in account.events
    )
    kept = (
        event
        for event in ships
        if event.type in ("genesis", "ship") or (event.type == "order" and not asked.isdisjoint(event.data))
    )
    return replace(account, events=tuple(kept))


def classes_of(judged: Iterable[ShipUnderAudit]) -> Mapping[str, ShipClass]:
    """The classes of the ships by their ids."""
    return {ship.chosen.id: ship.chosen for ship in judged}


def any_moves(logged: Logged) -> bool:
    """Does a counter move in a log, or its clock go on?"""
    return any(logged.changes.values()) or bool(logged.ends)


def lurked(logged: Logged, ids: Mapping[str, str], moves: Moves) -> dict[str, WentOrCame]:
    """The ships that are masked or hidden where play begins in a log, and seen later, each with how that is. Where the
    game begins with the log, one that is only dragged as it is shown is not yet in play, and another perhaps not."""
    if logged.start.moment is None:
        return {}
    first = {gone.ship: gone for gone in reversed(moves.gone)}
    return {name: gone for name, gone in first.items() if gone.came and _lurks(logged, ids[name], gone)}


def _lurks(logged: Logged, id: str, gone: WentOrCame) -> bool:
    stirred = logged.stirred.get(id)
    moved = stirred is not None and gone.when != When(stirred.turn, stirred.impulse)
    return bool(logged.lurking.get(id)) and (moved or not begins_game(logged))


def may_move_yet(turn: TurnedOnSpot, logged: Logged) -> bool:
    """Was a turn on the spot made in the impulse the log ends in, by a ship that may still move in it?"""
    return turn.moved is None and logged.end.moment == (turn.when.turn, turn.when.impulse)


_Speeds = dict[str, dict[int, "SpeedTold"]]


def _speeds_said(
    judged: Sequence[ShipUnderAudit],
    speeds: Sequence[SpeedTold],
    paid: Mapping[str, Mapping[int, int]],
    logged: Logged,
    moves: Moves,
) -> tuple[_Speeds, _Speeds, tuple[OrderForTable, ...]]:
    """The speeds of ships without a form, those they moved at though their forms pay for others, and what was said that
    forms do not pay for."""
    if not speeds:
        nothing: _Speeds = {ship.ship.name: {} for ship in judged}
        return nothing, nothing, ()
    from referee.logs.speeds import (  # Most speeds are on forms.
        moved_as_said,
        other_than_paid,
        speeds_without_form,
    )

    formless = {ship.ship.name: speeds_without_form(ship, speeds) for ship in judged}
    moved = {ship.ship.name: moved_as_said(ship, speeds, logged, moves) for ship in judged}
    return formless, moved, tuple(other_than_paid(paid, speeds, moved))


class _Row:
    """The events of a log, in the order of its steps."""

    def __init__(
        self,
        logged: Logged,
        judged: Sequence[ShipUnderAudit],
        asked: Asked,
        moves: Moves,
        speeds: Sequence[SpeedTold],
        orders: Iterable[OrderForTable],
        before_it: Sequence[Event],
        for_record: ForRecord | None,
        *,
        on_map: bool,
    ) -> None:
        self.logged, self.judged, self.moves, self.before_it = logged, judged, moves, before_it
        self.on_map, self.for_record = on_map, for_record
        self.fresh = begins_game(logged)
        self.ids = {ship.ship.name: ship.ship.counter.id for ship in judged if ship.ship.counter and on_map}
        self.paid = {
            ship.ship.name: {energy.turn: energy.speed for energy in ship.energy if energy.speed is not None}
            for ship in judged
        }
        self.formless, self.as_said, unpaid = _speeds_said(judged, speeds, self.paid, logged, moves)
        self.speeds = {name: self._speeds(name) for name in self.ids}
        ordered = list(orders)
        told_already = {id(data["order"]) for _, data, *_ in ordered if "order" in data}
        beside = for_record.happened(told_already) if for_record else ()
        self.orders: list[OrderForTable | Event] = sorted(
            [*beside, *ordered, *unpaid, *self._changed(speeds)], key=_step
        )
        option = asked.settings.options.get("previous_speed", "")
        self.before = int(option) if option.isdecimal() else None
        self.seq = 0
        self.turn = 0
        self.now: tuple[int | None, int | None] = (None, None)
        self.last = Location(logged.file)
        self.gone: set[str] = set()
        self.hidden: set[str] = set()

    def _speeds(self, name: str) -> dict[int, int]:
        """A ship's speeds by turn: those its forms pay for, or those it said and moved at."""
        speeds = {turn: stated.speed for turn, stated in self.formless[name].items()}
        return speeds | self.paid[name] | {turn: stated.speed for turn, stated in self.as_said[name].items()}

    def _changed(self, speeds: Iterable[SpeedTold]) -> Iterator[OrderForTable]:
        """The speeds said when ships had moved, other than those that stand."""
        for stated in speeds:
            standing = self._speeds(stated.ship).get(stated.turn) if stated.ship in self.paid else None
            if standing is not None and stated.late is not None and stated.speed != standing:
                changed = {"ship": stated.ship, "speed": stated.speed, "stands": standing}
                yield "changed", changed, stated.place, When(stated.turn, stated.late)

    def events(self) -> Iterator[Event]:
        """All events, from the first."""
        genesis = {"format": 1, "fold": 2, "players": ["player"], "dice": {"mode": "seed"}}
        yield self._event("genesis", genesis, self.last)
        for ship in self.judged:
            yield self._ship(ship)
            yield from map(self._next, self.for_record.by_turns(ship) if self.for_record else ())
        start = self.logged.start
        if start.turn is not None and self.on_map:
            over = (start.impulse or 1) - 1 + ((start.step_number or 1) > 1)
            yield from self._turn(start.turn, {} if start.impulse is None else {"untold": over})
        for event in self._in_order():
            if isinstance(event, Move):
                yield from self._move(event)
            elif isinstance(event, TurnedOnSpot):
                yield self._turned(event)
            elif isinstance(event, WentOrCame):
                yield from self._gone(event)
            elif isinstance(event, Event):
                yield self._next(event)
            else:
                kind, data, place, when = event
                yield self._event("order", {kind: data}, place, when)
        if self.on_map:
            yield from self._end()

    def _in_order(self) -> list[Happened]:
        """What happened to counters and was ordered, by steps; who is hidden as the log begins hides before the first."""
        first = lurked(self.logged, self.ids, self.moves)
        start = When(self.logged.start.turn, self.logged.start.impulse)
        lurking = self.logged.lurking
        hides = [WentOrCame(name, 0, start, hex=lurking[self.ids[name]]) for name in first]
        made: list[Move | TurnedOnSpot | WentOrCame] = [
            *self.moves.moves,
            *self._turns(),
            *hides,
            *self.moves.gone,
        ]
        return sorted([*(event for event in made if event.ship in self.ids), *self.orders], key=_step)

    def _turns(self) -> Iterator[TurnedOnSpot]:
        """The turns on the spot, but of who may still move in the impulse the log ends in. Those outside the impulses
        are judged by none of the rules."""
        for turn in self.moves.turned:
            known = turn.when.impulse is not None or self.for_record is not None
            if known and not may_move_yet(turn, self.logged):
                yield turn

    def _event(self, kind: str, data: Mapping[str, Any], at: Location, when: When = NO_TIME) -> Event:
        event = Event(self.seq, kind, data, at=at, when=when)
        self.seq += 1
        return event

    def _next(self, event: Event) -> Event:
        """An event that is told already, in its place."""
        event = replace(event, seq=self.seq, at=event.at.within(file=self.logged.file))
        self.seq += 1
        return event

    def _ship(self, ship: ShipUnderAudit) -> Event:
        """A ship as play begins."""
        name = ship.ship.name
        entering: dict[str, Any] = {
            "ship": name,
            "class": ship.chosen.id,
            "player": "player",
            "side": "",
            "energy": ship.energy,
            **(self.for_record.entering(ship) if self.for_record else {}),
        }
        if name not in self.ids:
            return self._event("ship", {**entering, "on_map": False}, self.last)
        began, first = self.logged.began[self.ids[name]], self.logged.start.turn
        satisfied = self.logged.module_map.start.turn_mode_satisfied if self.logged.module_map else None
        counting: Counting = (
            "unknown" if satisfied is None and not self.fresh else "turn" if satisfied is False else "start"
        )
        if began.hex is None:
            self.gone.add(name)
        data = {
            **entering,
            "on_map": True,
            "speed": self.speeds[name].get(first - 1, self.before) if first else self.before,
            "hex": began.hex,
            "facing": began.facing,
            "counting": counting,
        }
        return self._event("ship", data, self.last)

    # -- time --------------------------------------------------------------------------------

    def _turn(self, turn: int, more: Mapping[str, int]) -> Iterator[Event]:
        """A turn begins, and the ships have their speeds of it."""
        self.turn, self.now = turn, (turn, None)
        yield self._event("step", {"turn": turn, **more}, self.last)
        for name, speeds in self.speeds.items():
            paid, formless = self.paid[name].get(turn), self.formless[name].get(turn)
            moved_at = self.as_said[name].get(turn)
            stated = moved_at or formless
            speed = {"ship": name, "speed": speeds.get(turn)} | ({} if formless else {"pays": paid})
            yield self._event("order", {"speed": speed}, stated.place if stated else self.last)

    def _turns_passed(self, last: int) -> Iterator[Event]:
        """Turns in which nobody moved; a clock that leaps farther is not followed turn by turn."""
        if self.turn and last - self.turn <= LEAP:
            while self.turn < last:
                yield from self._turn(self.turn + 1, {})

    def _to_turn(self, when: When) -> Iterator[Event]:
        if when.turn is not None:
            yield from self._turns_passed(when.turn - 1)
            if when.turn != self.turn:
                yield from self._turn(when.turn, {})

    def _to(self, when: When, at: Location) -> Iterator[Event]:
        """The game goes on to a moment in which something is told."""
        self.last = at
        if when.impulse is not None and self.now == (when.turn, when.impulse):
            return
        yield from self._to_turn(when)
        if when.impulse is not None:
            self.now = when.turn, when.impulse
            yield self._event("step", {"turn": self.turn, "impulse": when.impulse}, at)

    def _end(self) -> Iterator[Event]:
        """Nobody else moved in the impulses that are over as the log ends."""
        end = self.logged.end
        if end.turn is None or end.impulse is None or not self.turn or end.turn < self.turn:
            return
        yield from self._turns_passed(end.turn)
        over = end.impulse - 1 + ((end.step_number or 1) > 1)
        yield self._event("step", {"turn": self.turn, "over": over}, self.last)

    # -- counters ----------------------------------------------------------------------------

    def _move(self, move: Move) -> Iterator[Event]:
        if self.now != (move.when.turn, move.when.impulse):
            yield from self._to(move.when, move.location)
        self.last = move.location
        turned = self.moves.turned_in.get((move.ship, move.location.step or 0))
        known = self.before_it[self.seq] if self.seq < len(self.before_it) else None
        seen = known.data.get("seen") if known is not None else None
        if known is not None and seen is not None and seen["move"] is move and seen["turned"] == turned:
            self.seq += 1
            yield known
            return
        data = {"seen": {"ship": move.ship, "move": move, "turned": turned}}
        yield self._event("order", data, move.location, move.when)

    def _turned(self, turn: TurnedOnSpot) -> Event:
        later = turn.moved.impulse if turn.moved and turn.moved.turn == turn.when.turn else None
        data: dict[str, Any] = {"ship": turn.ship, "from": turn.before, "to": turn.after, "moves_on": later}
        if self.for_record is not None:
            data["hex"] = self._hex_after(turn.ship, turn.step)
        return self._event("order", {"turned": data}, self._place(turn.ship, turn.step), turn.when)

    def _gone(self, gone: WentOrCame) -> Iterator[Event]:
        """A counter left, or it is back: one that was out of sight is judged by where it is."""
        name, place = gone.ship, self._place(gone.ship, gone.step)
        stand: dict[str, Any] = {"ship": name, "hex": gone.hex, "facing": gone.facing}
        if name in self.gone and gone.step:
            self.gone.discard(name)
            if name in self.hidden and gone.when.impulse is not None:
                yield from self._to(gone.when, place)
            self.hidden.discard(name)
            yield self._event("order", {"back": stand}, place, gone.when)
            return
        self.gone.add(name)
        strayed = (self.ids[name], gone.step) in self.logged.strayed
        hides = not gone.came and not strayed
        stand |= {"strayed": strayed, "hidden": hides, "in_play": bool(gone.step) or not self.fresh}
        if not gone.step:  # Gone before the log begins: of that impulse it may have made its move.
            moved = (self.logged.start.step_number or 1) > 1
            stand["moved"] = moved or (False if self.fresh else None)
        if hides and gone.when.impulse is not None and gone.hex is not None:
            self.hidden.add(name)
            yield from self._to_turn(gone.when)
            self.now = self.turn, None
        yield self._event("order", {"left": stand}, place, gone.when)

    def _hex_after(self, ship: str, step: int) -> Hex | None:
        changes = self.logged.changes.get(self.ids[ship], ())
        return next((change.after.hex for change in changes if change.step == step), None)

    def _place(self, ship: str, step: int) -> Location:
        return Location(self.logged.file, piece=ship, step=step)


def _step(event: Happened) -> int:
    if isinstance(event, TurnedOnSpot | WentOrCame):
        return event.step
    place = event.location if isinstance(event, Move) else event.at if isinstance(event, Event) else event[2]
    return place.step or 0
