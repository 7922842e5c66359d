"""Movement as a source shows it that tells where counters came to stand, and not which way they were ordered.

A counter may leave the map, or go out of sight and come back: what it did unseen is judged by where that is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from referee.adjudicator.check import judge
from referee.adjudicator.movement_told import Data, StandingCourse, ToldCourse
from referee.adjudicator.out_of_sight import Hidden, Seen, judge_return, move_made, turned_unseen
from referee.adjudicator.record_movement import GameCourse
from referee.adjudicator.tracker import Clock, Track
from referee.core.account import Account, Event, order_in
from referee.core.board import LoadShip
from referee.core.finding import About, Finding, Report, Unknown
from referee.core.frozen import frozen
from referee.core.gameorders import unit_entering
from referee.core.gap import Gap
from referee.core.hexgrid import Hex
from referee.core.location import Location
from referee.core.play import Move, ShipInPlay, When, at_speed
from referee.rulebooks.base import Rulebook

LEAP = 50
"""A clock that passes over more turns than these is not followed turn by turn."""
_SPEEDS = frozenset(("speed", "changed", "unpaid"))


@frozen
class Gone:
    """A counter that is out of sight: where and when it was seen last, and whether it is surely in play."""

    seen: Seen
    in_play: bool


class SeenCourse(ToldCourse):
    """The ships of an account that shows their counters. Impulses that are not told are played too, empty. Where it
    begins in the midst of a game it is not known who had moved in its first impulse."""

    alone = frozenset(("speed", "changed", "unpaid", "seen", "turned", "left", "back"))

    def __init__(self, rulebook: Rulebook, load_ship: LoadShip, account: Account) -> None:
        GameCourse.__init__(self, rulebook, load_ship, account.file)
        self.track = Track(rulebook, (), seals_shown=False)
        self._clock = Clock(self.track)
        self._ended, self._until = account.over, account.until
        self._last = Location(account.file)
        """Where the last thing was told that moved the game on."""
        self._speeds_told: dict[str, dict[int, int | None]] = {}
        self._away: set[str] = set()
        self._hidden: dict[str, Gone] = {}
        self._found: list[Finding] = []
        self._strayed: dict[str, int] = {}
        """The steps in which ships left the map where all could see it."""
        self._own: dict[tuple[str, int | None, int | None, int | None], int | None] = {}
        """The moves made, by ship, impulse and step; and the step in which the turn of one was made."""
        self._moved_in: dict[tuple[str, When], list[int]] = {}
        """Known only where a counter goes out of sight."""
        self._hid_in: dict[tuple[str, When], list[int]] = {}
        self._made: dict[tuple[str, When], bool | None] = {}
        """Whether a ship that was out of sight had made the move of the impulse it came back in."""
        orders = [event for event in account.events if event.type == "order"]
        if any("left" in event.data for event in orders):
            for event in orders:
                self._look_ahead(event)

    def _look_ahead(self, event: Event) -> None:
        """What an impulse may still bring decides what a ship did in it unseen."""
        if (stated := event.data.get("seen")) is not None:
            self._moved_in.setdefault((stated["ship"], event.when), []).append(event.at.step or 0)
        elif (stated := event.data.get("left")) is not None and stated["hidden"]:
            self._hid_in.setdefault((stated["ship"], event.when), []).append(event.at.step or 0)
            if "moved" in stated:
                self._made[stated["ship"], event.when] = stated["moved"]

    def take(self, entry: Any) -> list[Finding]:
        """What the rules of movement say against an event, each finding where it belongs in the log."""
        does = self.takes.get(entry.type)
        if does is None:
            return []
        found = list(does(self, entry))
        (self._found if _SPEEDS.isdisjoint(entry.data) else self.on_speeds).extend(found)
        if len(self.track.findings) > self._findings_taken:
            news = list(self._news())
            self._found += news
            found += news
        return found

    def report(self) -> Report:
        """All that was found, checked and not checked of the movement, each finding where it belongs in the log."""
        return replace(self.track.report(), findings=tuple(self._found))

    def end(self, place: Location, *, goes_on: bool) -> tuple[list[Finding], list[Finding]]:
        """The account ends: nobody else moves in impulses that are over, and in the last one ships may still do so."""
        self._clock.end(self._last, complete=False)
        found = list(self._news())
        self._found += found
        return found, []

    def _news(self) -> Iterator[Finding]:
        """What the track has found since this was last asked, placed."""
        new = self.track.findings[self._findings_taken :]
        self._findings_taken = len(self.track.findings)
        yield from map(self._placed, new)

    def _placed(self, found: Finding) -> Finding:
        """A finding at the step it is about: that of the turn, of the move, or the end of the impulse."""
        place, named = found.location, self.rulebook.named
        own = found.subject, found.turn, found.impulse, place.step
        if own in self._own:
            turned = self._own[own]
            if turned and found.key.startswith(named.on_turns):
                return replace(found, location=place.within(step=turned))
            return found
        if found.key == named.move_missed:  # Moves are made with counters, not written.
            found = replace(found, fix=f"move its counter a hex on impulse {found.impulse}")
        over = self._ended.get((found.turn or 0, found.impulse or 0))
        step = place.step if over is None else over.step
        return replace(found, location=place.within(piece=found.subject or place.piece, step=step))

    # -- ships, turns, impulses --------------------------------------------------------------

    def _ship(self, entry: Any) -> Iterable[Finding]:
        data = entry.data
        if not data["on_map"]:
            return ()
        unit = replace(unit_entering(data), counting=data["counting"], hex=data["hex"], facing=data["facing"])
        self.track.units[unit.name] = unit
        self.track.classes[unit.name] = self.load_ship(unit.class_id)
        self._speeds_told[unit.name] = {}
        if unit.hex is None:
            self._away.add(unit.name)
        return ()

    def _step_on(self, entry: Any) -> Iterable[Finding]:
        """A turn begins, an impulse does, or so many impulses are over."""
        data, place, clock = entry.data, entry.at, self._clock
        self._last = place
        impulse = data.get("impulse")
        if impulse is not None:
            if impulse != self.track.impulse:
                last = self.track.impulse or clock.furthest
                clock.to_impulse(impulse, place)
                self.track.sequence("ImpulseBegins", place, impulse=last)
        elif "over" in data:
            self._played(data["over"])
        else:
            turn, last = data["turn"], clock.turn
            clock.to_turn(turn, place)
            self.track.sequence("TurnBegins", place, turn=turn - 1 if last < turn else last)
            if "untold" in data:
                clock.furthest = data["untold"]
        return ()

    def _played(self, impulses: int) -> None:
        """So many impulses of the turn are over; a clock may show more than a turn has."""
        over = min(impulses, self.track.movement.of)
        if self._clock.furthest <= over:
            self._clock.fill(over, self._last)

    def _order(self, entry: Any) -> Iterable[Finding]:
        kind, stated = order_in(entry.data)
        return self._does[kind](self, entry, stated)

    def _said_speed(self, entry: Event, stated: Data) -> Iterable[Finding]:
        """A ship's speed of the turn; one that a form pays for is judged with the form."""
        name = stated["ship"]
        self._speeds_told[name][self._clock.turn] = stated["speed"]
        self.track.set_speed(name, None if name in self._away else stated["speed"])
        if "pays" not in stated:
            self.track.judge_speeds({name: entry.at})
        return ()

    def _unpaid(self, entry: Event, stated: Data) -> Iterator[Finding]:
        """A speed is said, or shown, and the ship's form pays for another."""
        rulebook = self.rulebook
        figures = stated["speed"], stated["pays"], stated["how"], stated["kept"]
        assert entry.when.turn is not None
        facts = rulebook.offers.speed_said(rulebook, stated["ship"], entry.when.turn, *figures)
        for rule in rulebook.rules_on("speed said", "check"):
            for item in judge(rule, rulebook, facts):
                if isinstance(item, Finding):
                    yield replace(item, location=entry.at)

    def _changed(self, entry: Event, stated: Data) -> Iterable[Finding]:
        """Another speed than the one that stands is said when ships have moved."""
        about = About(stated["ship"], entry.when.turn, entry.when.impulse, entry.at)
        changed = self.rulebook.offers.seen_moves.speed_changed
        found = changed(self.rulebook, about, stated["speed"], stated["stands"])
        return [found] if found else ()

    def _speed_in(self, name: str, turn: int | None) -> int | None:
        return None if turn is None else self._speeds_told[name].get(turn)

    # -- counters ----------------------------------------------------------------------------

    def _stands(self, entry: Event, stated: Data) -> Iterable[Finding]:
        """A counter came to stand in another hex."""
        move: Move = stated["move"]
        when = move.when
        self._last = entry.at
        if when.impulse is None:
            self._clock.to_some_impulse(entry.at)
        self._own[move.ship, when.turn, when.impulse, entry.at.step] = stated["turned"]
        if (
            self.track.units[move.ship].speed is None
            and self._speed_in(move.ship, self._clock.turn) is not None
        ):
            self._moves_uncalled(move)
        else:
            self.track.move(move)
        return ()

    def _moves_uncalled(self, move: Move) -> None:
        """A move of a ship that was away in this turn: its speed is known, and which impulses call it is not judged."""
        track, before = self.track, self.track.not_checked.copy()
        track.move(move)
        called = self.rulebook.named.called
        track.not_checked = {item: None for item in track.not_checked if item in before or item.key != called}

    def _turned(self, entry: Event, stated: Data) -> Iterable[Finding]:
        """A counter was turned in its hex."""
        about = About(stated["ship"], entry.when.turn, entry.when.impulse, entry.at)
        facings = stated["from"], stated["to"]
        early = self.rulebook.offers.seen_moves.turned_early(
            self.rulebook, about, facings, stated["moves_on"]
        )
        return [early] if early else ()

    def _left(self, entry: Event, stated: Data) -> Iterable[Finding]:
        """A counter left the map, or went out of sight: in the impulse in which it hides it may move unseen."""
        name, when = stated["ship"], entry.when
        self._away.add(name)
        if stated["strayed"]:
            self._strayed[name] = entry.at.step or 0
        if stated["hidden"] and when.impulse is not None and stated["hex"] is not None:
            seen = Seen(stated["hex"], stated["facing"], entry.at.step or 0, when)
            self._hidden[name] = Gone(seen, stated["in_play"])
            if when.impulse != self.track.impulse:
                self._clock.end(self._last)
                self._played(when.impulse - 1)
            self.track.excuse(name)
        self.track.set_speed(name, None)
        return ()

    def _back(self, entry: Event, stated: Data) -> Iterable[Finding]:
        """A counter is seen again: it is called from now on, and what it did unseen is judged by where it is."""
        name, when = stated["ship"], entry.when
        found: list[Finding] = []
        self._away.discard(name)
        gone = self._hidden.pop(name, None)
        hex, facing = stated["hex"], stated["facing"]
        if gone is None or when.impulse is None:
            self.track.set_speed(name, None)
            self.track.units[name] = _put_down(self.track.units[name], None, None)
        else:
            self._last = entry.at
            self.track.units[name] = _put_down(self.track.units[name], hex, facing)
            if when.turn is not None:
                self.track.set_speed(name, self._speed_in(name, when.turn))
            if hex is not None:
                found += self._unseen(name, gone, Seen(hex, facing, entry.at.step or 0, when), entry.at)
        if name in self._strayed:
            about = About(name, when.turn, when.impulse, entry.at)
            came = self.rulebook.offers.seen_moves.came_back(self.rulebook, about, self._strayed.pop(name))
            found += [came] if came else []
        return found

    def _unseen(self, name: str, gone: Gone, back: Seen, place: Location) -> Iterator[Finding]:
        """Holds a ship against where it went out of sight. Where it goes out of sight again in the impulse it is
        back in, the move of that may be still to come."""
        calls = self._calls(name, gone.seen, back)
        if calls is None:
            return
        before, hidden = Hidden(gone.seen), Hidden(gone.seen, in_play=gone.in_play)
        for when, called in calls:
            hidden.passes(called, when.impulse or 0)
            if when != back.when:
                before.passes(called, when.impulse or 0)
        made: bool | None = True
        if hidden.most > before.most:
            made = self._made[name, back.when] = move_made(before, hidden, back)
        again = any(step > back.step for step in self._hid_in.get((name, back.when), ()))
        if again and not made:
            return
        need = self._turn_mode(name, gone.seen, back)
        found = judge_return(self.rulebook, name, hidden, back, place)
        if found is None and need is not None:
            found = turned_unseen(self.rulebook, name, (before, hidden), back, need, place)
        if found is not None:
            yield found

    def _turn_mode(self, name: str, gone: Seen, back: Seen) -> int | None:
        """The fewest hexes straight ahead that its turn mode asked for out of sight; None where not known."""
        turns = range(gone.when.turn or 0, (back.when.turn or 0) + 1)
        ship, movement = self.track.classes[name], self.track.movement
        needs = [movement.turn_mode(ship, self._speed_in(name, turn)) for turn in turns]
        known = [need for need in needs if need is not None]
        return min(known) if known and len(known) == len(needs) else None

    def _calls(self, name: str, gone: Seen, back: Seen) -> list[tuple[When, bool | None]] | None:
        """The impulses in which a ship may have moved unseen, each with whether it was called: None is not known.
        None where it was out of sight for too long to say."""
        first, last = _moment(gone.when), _moment(back.when)
        if first is None or last is None or last < first or last[0] - first[0] > LEAP:
            return None
        calls: list[tuple[When, bool | None]] = []
        movement, ends = self.track.movement, _moment(self._until)
        for turn in range(first[0], last[0] + 1):
            unit = at_speed(self.track.units[name], self._speed_in(name, turn))
            for impulse in range(1, movement.of + 1):
                now, when = (turn, impulse), When(turn, impulse)
                seen = any(not gone.step < step < back.step for step in self._moved_in.get((name, when), ()))
                made = self._made.get((name, when), False)
                if first <= now <= last and not seen and made is not True:
                    called = movement.called(unit, impulse)
                    # In an impulse that is not over it may still move.
                    unsure = called and (now == ends or made is None)
                    calls.append((when, None if unsure else called))
        return calls

    _does: Mapping[str, Callable[[Any, Event, Data], Iterable[Finding]]] = {
        "speed": _said_speed,
        "changed": _changed,
        "unpaid": _unpaid,
        "seen": _stands,
        "turned": _turned,
        "left": _left,
        "back": _back,
    }
    takes: Mapping[str, Callable[[Any, Any], Iterable[Finding]]] = {
        "ship": _ship,
        "step": _step_on,
        "order": _order,
    }


def moves_untold(account: Account) -> Iterator[Gap]:
    """Where an account that shows counters begins in the midst of a game, who had moved before in its first impulse is
    not known."""
    coverage, (turn, impulse) = account.coverage, (account.since.turn, account.since.impulse)
    if coverage.ways and coverage.start and turn is not None and impulse is not None:
        why = f"the log begins in impulse {impulse}: whether it had moved in it before is not known"
        yield Gap("moves made", Unknown(why), moments=((turn, impulse), (turn, impulse)))


def course_of(rulebook: Rulebook, load_ship: LoadShip, account: Account) -> GameCourse:
    """The movement of an account: none, ordered step by step, ordered without steps, or seen on the map."""
    if account.coverage.moves:
        return StandingCourse(rulebook, load_ship, account)
    if account.kept or not account.coverage.steps:
        return GameCourse(rulebook, load_ship, account.file, account.taken)
    return (SeenCourse if account.coverage.ways else ToldCourse)(rulebook, load_ship, account)


def _moment(when: When) -> tuple[int, int] | None:
    return None if when.turn is None or when.impulse is None else (when.turn, when.impulse)


def _put_down(unit: ShipInPlay, hex: Hex | None, facing: str | None) -> ShipInPlay:
    """A ship that was out of sight, where it is seen; how long it went straight is not known."""
    return replace(unit, hex=hex, facing=facing, counting="unknown", turn_hex=0, straight=0, carried=0)
