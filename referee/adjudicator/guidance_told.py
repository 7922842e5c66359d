"""The drones that ships launch, held against their sensors (D6.13), where neither dice nor damage are told."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Protocol

from referee.adjudicator.flight import is_spent
from referee.adjudicator.guidance import (
    holds_without_roll,
    judge_controlled,
    judge_tried,
    rules_of,
)
from referee.core.combat import Guidance, Moment, Seeker, Unit
from referee.core.finding import Finding, NotChecked, Report
from referee.core.frozen import frozen
from referee.core.hexgrid import Hex, true_range
from referee.core.orders import Launch
from referee.core.ship import Mount
from referee.core.state import best_of_track, new_state
from referee.rulebooks.base import Rulebook


class Flights(Protocol):
    """What is known of the flights of seekers: those on the map, when others left it, which of their ways were
    guessed and may have been others."""

    gone: dict[str, Moment]
    guessed: set[str]
    doubtful: set[str]

    @property
    def flying(self) -> Mapping[str, Seeker]: ...
    def is_doubtful(self, name: str) -> bool: ...


@frozen
class _Out:
    """A drone launched; `reach` is how far its target was then, in hexes."""

    seeker: Seeker
    reach: int


class GuidedDrones:
    """The drones launched so far. Of one that chose its way, was fired at, or may have been lost with lock-on, it is
    not known whether it is still on the map. `unresolved` says why damage is not known."""

    def __init__(self, rulebook: Rulebook, unresolved: str) -> None:
        self._rulebook = rulebook
        self._unresolved = unresolved
        self._impulses = int(rulebook.option("impulses"))
        self._controlled, self._tried_rule = rulebook.named.controlled, rulebook.named.lock_on_tried
        self._flights: Flights | None = None
        self._units: dict[str, Unit] = {}
        self._tried: set[tuple[str, int | None]] = set()
        self._out: dict[str, list[_Out]] = {}
        self._struck: dict[str, Moment | None] = {}
        self._hidden: set[str] = set()
        self._findings: list[Finding] = []
        self._checked: dict[str, None] = {}
        self._not_checked: dict[NotChecked, None] = {}

    def follow(self, flights: Flights) -> None:
        """The flights by which it is told which drones are on the map."""
        self._flights = flights

    def struck(self, name: str, fired: Moment | None = None) -> None:
        """A ship is said to be hit, or was fired at in an impulse: after that it may be damaged, or gone. Fire
        is resolved after the launches of its impulse (B2.0)."""
        if fired is None or name not in self._struck:
            self._struck[name] = fired

    def _may_be_hurt(self, name: str, now: Moment) -> bool:
        fired = self._struck.get(name)
        return name in self._struck and (fired is None or fired < now)

    def tried(self, name: str, turn: int | None) -> None:
        """A ship says in a turn that it tries for lock-on."""
        self._tried.add((name, turn))

    def hidden(self, name: str) -> None:
        """A ship said that it cloaks: lock-on to it may be lost."""
        self._hidden.add(name)

    def launched(
        self, firer: Unit, order: Launch, mount: Mount, now: Moment | None, target: Hex | None, others: int
    ) -> None:
        """One more drone of a ship, at a `target`; `others` are drones on the map that may be its own besides."""
        weapon = self._rulebook.table("weapons")["weapons"].get(mount.type, {})
        if (
            weapon.get("system") != "drone"
            or not rules_of(self._rulebook, self._controlled)
            or firer.ship is None
        ):
            return
        if now is None or firer.hex is None or firer.facing is None or target is None:
            lacks = f"when and where {mount.id} was launched is not known: so is how many drones it controls"
            self._not_checked[NotChecked(self._controlled, lacks, firer.name)] = None
            return
        row = self._out.setdefault(firer.name, [])
        self._units[firer.name] = firer
        name = order.name or f"{firer.name} {mount.id} {now}"
        drone = Seeker(name, mount.type, firer.name, order.target, firer.hex, firer.facing, now)
        row.append(_Out(drone, true_range(firer.hex, target)))
        rating = best_of_track(firer.ship, new_state(firer.ship), "sensor")
        there = [drone_out for drone_out in row if not self._is_spent(drone_out, now)]
        sure = [drone_out.seeker for drone_out in there if self._is_out(drone_out, now, rating)]
        for item in self._judge(firer.name, rating, sure, len(there) + others, now):
            if isinstance(item, Finding):
                # One too many is told once: what is launched after it is counted without it.
                row.pop()
                self._findings.append(replace(item, impulse=now.impulse, location=order.location))
            else:
                self._not_checked[item] = None

    def _judge(
        self, ship: str, rating: int | None, sure: list[Seeker], most: int, now: Moment
    ) -> Iterator[Finding | NotChecked]:
        """`rating` is that of the ship without damage, the highest it can have."""
        unsure = f"how many of the {most} drones it may control are still on the map is not known"
        guidance = Guidance(ship, rating, tuple(sure), turn=now.turn)
        judged = list(judge_controlled(self._rulebook, guidance, most, unsure))
        if judged:
            counted = any(isinstance(item, Finding) for item in judged)
            self._checked |= {self._controlled: None} if counted else {}
            yield from judged
        elif self._may_be_hurt(ship, now):
            lacks = f"what is left of its sensors is not known: {self._unresolved}"
            yield NotChecked(self._controlled, lacks, ship)
        elif rating is not None:
            self._checked[self._controlled] = None

    def _is_spent(self, drone_out: _Out, now: Moment, begins: bool = False) -> bool:
        """Has a drone flown as far as it goes, or otherwise left the map, for certain; in the impulse of a moment,
        or before the turn `begins`?"""
        flights, name = self._flights, drone_out.seeker.name
        gone = flights.gone.get(name) if flights else None
        sure = gone is not None and flights is not None and name not in flights.guessed
        if sure and gone is not None and (gone < now or (gone == now and not begins)):
            return True
        return is_spent(self._rulebook, drone_out.seeker, now)

    def _is_out(self, drone_out: _Out, now: Moment, rating: int | None) -> bool:
        """Is a drone on the map for certain? It and its target come a hex nearer each in an impulse, at most."""
        drone = drone_out.seeker
        passed = now.impulses_since(drone.launched, self._impulses)
        if passed == 0:
            return True
        if 2 * passed >= drone_out.reach and not self._is_seen(drone.name):
            return False
        shot_at = self._flights is not None and self._flights.is_doubtful(drone.name)
        if shot_at or self._may_be_hurt(drone.target, now):
            return False
        if now.turn == drone.launched.turn:
            return True
        sure = holds_without_roll(self._rulebook, rating) and not self._may_be_hurt(drone.owner, now)
        return sure and drone.target not in self._hidden

    def _is_seen(self, name: str) -> bool:
        """Is it known that a drone still flies? Not where it chose of several ways and another may have led it to
        its target by now."""
        flights = self._flights
        return flights is not None and name in flights.flying and name not in flights.doubtful

    # -- tries for lock-on ---------------------------------------------------------------

    def _turns(self, last: int) -> Iterator[Finding | NotChecked]:
        """Tries for lock-on of the ships whose drones are out as a turn begins, of the turns up to the last."""
        for name, row in self._out.items():
            for turn in range(min(drone_out.seeker.launched.turn for drone_out in row) + 1, last + 1):
                yield from self._at_turn(name, row, Moment(turn, 1))

    def _at_turn(self, name: str, row: list[_Out], now: Moment) -> Iterator[Finding | NotChecked]:
        unit = self._units[name]
        rating = best_of_track(unit.ship, new_state(unit.ship), "sensor") if unit.ship else None
        before = [drone_out for drone_out in row if drone_out.seeker.launched.turn < now.turn]
        there = [drone_out for drone_out in before if not self._is_spent(drone_out, now, begins=True)]
        if not there or not rules_of(self._rulebook, self._tried_rule):
            return
        sure = tuple(drone_out.seeker for drone_out in there if self._is_out(drone_out, now, rating))
        held = holds_without_roll(self._rulebook, rating)
        if (name, now.turn) in self._tried or (held and not self._may_be_hurt(name, now)):
            self._checked[self._tried_rule] = None
            guided = sure or tuple(drone_out.seeker for drone_out in there)
            yield from judge_tried(self._rulebook, Guidance(name, rating, guided, True, now.turn))
        elif self._may_be_hurt(name, now):
            lacks = f"no try for lock-on is recorded in turn {now.turn}, and whether its sensors are whole is not known: {self._unresolved}"
            yield NotChecked(self._tried_rule, lacks, name)
        else:
            lacks = f"its sensors need a roll for lock-on, but no try is recorded in turn {now.turn}"
            yield NotChecked(self._tried_rule, lacks, name)

    def report(self, last: int | None) -> Report:
        """What was found of them, up to the last turn of the file."""
        turns = list(self._turns(last or 0))
        found = (*self._findings, *(item for item in turns if isinstance(item, Finding)))
        left = (*self._not_checked, *(item for item in turns if isinstance(item, NotChecked)))
        return Report(found, tuple(self._checked), tuple(dict.fromkeys(left)))
