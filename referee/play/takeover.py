"""A game played elsewhere becomes a record: what its file shows, as entries of the game from its first turn on.

What breaks a rule is taken with its foul. What the record cannot hold is left out, and said.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from referee.adjudicator.fire import weapons_named
from referee.adjudicator.ordering import NewEntry, Ordering
from referee.adjudicator.record_forms import (
    allocation_from,
    not_to_be_filed,
    speed_paid,
)
from referee.adjudicator.table import GameTable
from referee.core.account import PROPOSED, Account, Event
from referee.core.errors import BadInput
from referee.core.forms import EnergyAllocation
from referee.core.frozen import frozen
from referee.core.gameorders import after
from referee.core.hexgrid import Hex
from referee.core.location import Location
from referee.core.naming import folded
from referee.core.orders import WAYS, Advance, Cloak, Fire, Hit, Launch, Order, Seal, Uncloak
from referee.core.play import When
from referee.core.ship import ShipClass
from referee.core.state import ShipState, live_boxes
from referee.play.forms import on_form
from referee.play.taken_seekers import SeekersTaken
from referee.sources.shown import came_to_stand

LATEST = 999
"""The last turn a record can stand in."""
_POWER = (("left_warp", "right_warp", "center_warp"), ("impulse",), ("apr",))
"""The boxes that make the power of each source."""


@frozen
class Taken:
    """The entries a file makes, and what of it they do not hold."""

    entries: tuple[NewEntry, ...]
    left_out: tuple[str, ...]


@frozen
class ShipTaken:
    """What an account tells of a ship by turns: its forms, and the speeds said or shown where a form says none.
    `begun` is what was left of it when a turn began, `shown` at the start of the account. `shows` says whether its
    display shows damage at all."""

    name: str
    ship: ShipClass
    player: str
    forms: Mapping[int, EnergyAllocation]
    speeds: Mapping[int, int]
    begun: Mapping[int, ShipState]
    shown: ShipState | None
    shows: bool


def ship_entries(account: Account, players: Mapping[str, str]) -> list[NewEntry]:
    """The ships as they enter the record, each with its player."""
    midway = bool(account.coverage.start) or (account.since.turn or 1) > 1
    entries: list[NewEntry] = []
    for ship in account.ships:
        data: dict[str, Any] = {"ship": ship["ship"], "class": ship["class"], "player": players[ship["ship"]]}
        data |= {"at": ship["at"]} if ship["at"] else {}
        data |= {} if ship["previous_speed"] is None else {"speed": str(ship["previous_speed"])}
        entries.append(("ship", data | ({"midway": True} if midway else {})))
    return entries


def take_over(table: GameTable, account: Account, players: Mapping[str, str]) -> Taken:
    """The entries of a game after those of its ships, which are on the table."""
    taking = _Taking(table, account, players)
    taking.play()
    return Taken(tuple(taking.ordering.new), tuple(taking.left_out))


def _ships_of(table: GameTable, account: Account, players: Mapping[str, str]) -> Iterator[ShipTaken]:
    """The ships of an account, with what it tells of each turn."""
    forms: dict[str, dict[int, EnergyAllocation]] = {}
    speeds: dict[str, dict[int, int]] = {}
    begun: dict[str, dict[int, ShipState]] = {}
    for event in account.events:
        data = event.data
        if event.type == "form":
            forms.setdefault(data["ship"], {})[data["turn"]] = data["form"]
        elif event.type == "display" and "begins" in data:
            begun.setdefault(data["ship"], {})[data["begins"]] = data["state"]
        elif event.when.turn is not None and (speed := data.get("speed")) and event.type == "order":
            speeds.setdefault(speed["ship"], {})[event.when.turn] = speed["speed"]
    for ship in account.ships:
        name = ship["ship"]
        by_turn = forms.get(name, {}), speeds.get(name, {}), begun.get(name, {})
        what = ship["state"], ship["shows"]
        yield ShipTaken(name, table.load_ship(ship["class"]), players[name], *by_turn, *what)


class _Taking:
    """A file's game being played into a record."""

    def __init__(self, table: GameTable, account: Account, players: Mapping[str, str]) -> None:
        self.left_out: dict[str, None] = {}
        self.table = table
        self.account, self.fresh = account, not account.coverage.start
        ships = _ships_of(table, account, players)
        self.ships = {ship.name: self._with_what_can_be_filed(ship) for ship in ships}
        self.ordering = Ordering(
            table, lambda name: self.ships[table.state.ship(name).name].player, is_told=True
        )
        self.seekers = SeekersTaken(self.ordering, self._put, self._taken, self.left_out)
        self.start, self.end = account.since.turn or 1, account.until.turn or 1
        self.fire: list[int] = []
        self.thrown = 0
        self.unmarked: dict[str, dict[int, None]] = {}
        """The steps of fire at a ship since its display last showed new damage."""

    def play(self) -> None:
        """From the first turn that has a form to the file's end."""
        turns = [turn for ship in self.ships.values() for turn in ship.forms if turn <= self.start]
        for turn in sorted({*turns, self.start}):
            self._begin(turn)
        if not self.fresh:
            for ship in self.ships.values():
                self._mark(ship.name, ship.shown, "as the file begins")
            self._to(self.account.since, 0)
        for event in self.account.events:
            if event.type in ("order", "dice", "display") and not {"speed", "begins"} & event.data.keys():
                self._to(event.when, event.at.step or 0)
                self._take(event)
        self._finish()

    # -- turns ---------------------------------------------------------------------------

    def _with_what_can_be_filed(self, ship: ShipTaken) -> ShipTaken:
        """A ship with the forms after the last that cannot be filed: what that one left over is not known."""
        lines = self.table.rulebook.lines
        odd = {
            turn: why for turn, form in ship.forms.items() if (why := not_to_be_filed(lines, ship.ship, form))
        }
        if not odd:
            return ship
        last = max(odd)
        before = [turn for turn in sorted(ship.forms) if turn <= last]
        self.left_out[f"{ship.name}: its form of turn {', '.join(map(str, before))}: {odd[last]}"] = None
        return replace(ship, forms={turn: form for turn, form in ship.forms.items() if turn > last})

    def _begin(self, turn: int) -> None:
        """A turn begins: the damage then shown, the forms, the speeds."""
        self._settle(len(self.fire))
        whole = turn > self.start or (turn == self.start and self.fresh)
        for ship in self.ships.values():
            if whole:
                first = ship.shown if turn == self.start else None
                self._mark(ship.name, ship.begun.get(turn, first), f"as turn {turn} begins")
            elif turn in ship.forms:
                self._power_lost(ship, ship.forms[turn])
        self._on_to(self.table.rulebook.offers.moments(self.table.rulebook, turn)[0])
        followed = not self.account.coverage.moves and whole
        for ship in self.ships.values():
            if turn in ship.forms:
                self._file(ship, ship.forms[turn], speed=not followed)
        for ship in self.ships.values() if followed else ():
            self._say_speed(ship, turn)

    def _power_lost(self, ship: ShipTaken, form: EnergyAllocation) -> None:
        """Of the damage shown later, as much stood when a form was filled in as its power tells."""
        if ship.shown is None:
            return
        state = self.table.state.ships[ship.name].state
        gone: list[str] = []
        for line, systems in zip(self.table.rulebook.lines.sources, _POWER, strict=True):
            if line in form.entries:
                live = [box for system in systems for box in live_boxes(ship.ship, state, system)]
                lost = [box for box in live if box in ship.shown.destroyed]
                gone += lost[: max(0, len(live) - int(form.amount(line)))]
        events = [{"ship": ship.name, "event": "box_destroyed", "box": box} for box in gone]
        self._taken(f"{ship.name}: power lost by turn {form.turn}, as its form says", events)

    def _file(self, ship: ShipTaken, allocation: EnergyAllocation, *, speed: bool) -> None:
        rulebook, found = self.table.rulebook, self.table.state.ships[ship.name]
        form = allocation.fields
        proposed = allocation_from(form, allocation.turn, Location())
        judged = on_form(rulebook, found, PROPOSED, "", form=proposed).findings
        data = {"ship": ship.name, "turn": allocation.turn, "player": ship.player, "form": form}
        if speed:
            filed = replace(found, forms={**found.forms, allocation.turn: form})
            data |= {"speed": speed_paid(rulebook, ship.ship, filed, allocation.turn)}
        before = len(self.ordering.findings)
        self.ordering.add("form", data)
        rules = {finding.rule for finding in self.ordering.findings[before:] if finding.severity == "error"}
        self.ordering.fouls((finding for finding in judged if finding.rule not in rules), ship.player)

    def _say_speed(self, ship: ShipTaken, turn: int) -> None:
        """The speed of a turn: from then on the ship is asked for every move the chart calls."""
        found = self.table.state.ships[ship.name]
        paid = speed_paid(self.table.rulebook, ship.ship, found, turn)
        speed = ship.speeds.get(turn, paid)
        if speed is not None:
            self._order(ship.name, "speed", {"speed": speed}, f"speed {speed}")

    def _order(self, name: str, kind: str, order: dict[str, Any], text: str) -> None:
        self._put(name, kind, {"ship": name, **order}, f"{name}: {text}")

    def _put(self, name: str, kind: str, order: dict[str, Any], text: str) -> None:
        """An order given by the player of a ship."""
        turn, impulse, _ = self.table.moment
        at: dict[str, Any] = {"turn": turn} | ({} if impulse is None else {"impulse": impulse})
        self.ordering.add("order", {"text": [text], "player": self.ships[name].player, **at, kind: order})

    # -- moving on -----------------------------------------------------------------------

    def _to(self, when: When, step: int) -> None:
        """On to a turn and impulse; never back."""
        turn, impulse = when.turn, when.impulse
        now = self.table.moment
        if turn is None or (turn, impulse or 0) == (now[0], now[1] or 0):
            return
        if turn < now[0] or (turn == now[0] and (impulse or 0) < (now[1] or 0)):
            self.left_out[f"step {step}: the clock went back to turn {turn}, impulse {impulse}"] = None
            return
        if turn > LATEST:
            self.left_out[f"step {step}: turn {turn} is more than a record holds"] = None
            return
        # In a turn in which nothing happens speeds are said all the same.
        for number in range(now[0] + 1, turn + 1):
            self._begin(number)
        if not impulse:
            return
        moments = self.table.rulebook.offers.moments(self.table.rulebook, turn)
        first = next((moment for moment in moments if moment[1] == impulse), None)
        if first is None:
            self.left_out[f"step {step}: no impulse {impulse} in a turn of this game"] = None
        elif self.table.moment[:2] != (turn, impulse):
            self._settle(len(self.fire))
            self._on_to(first)

    def _on_to(self, moment: Any) -> None:
        """On to a moment; what the seekers did not do until then is put down."""
        self.seekers.moving_on(moment)
        self.ordering.step_to(moment)

    def _finish(self) -> None:
        """The file's last moment. A turn whose forms are not all in, and in which nothing was done yet, is
        still being allocated."""
        end = self.account.until
        done = (end.impulse or 0) > 1 or bool(self.account.until_step)
        if end.turn is not None and end.turn != self.table.moment[0] and end.turn <= LATEST:
            self._to(When(end.turn, None), 0)
        turn = self.table.moment[0]
        filed = bool(self.ships) and all(turn in ship.forms for ship in self.ships.values())
        if end.impulse and (done or filed):
            self._to(end, 0)
            self._reach(self.account.until_step)
        # Dice may be thrown elsewhere than in VASSAL: fire whose damage is marked was rolled.
        shown = self.ships.keys() - self.unmarked.keys()
        marked = {order.seq for order in self.table.state.unrolled if order.target in shown}
        self._settle(max([self.thrown, *(n for n, seq in enumerate(self.fire, 1) if seq in marked)]))
        waiting = {order.target for order in self.table.state.unrolled}
        for name, steps in self.unmarked.items():
            if name not in waiting:
                reason = f"step {', '.join(map(str, steps))}: what the fire at {name} did"
                self.left_out[f"{reason}: no damage is marked on its display after it"] = None
        self._tell_reinforcement()

    def _tell_reinforcement(self) -> None:
        """A file does not tell what of its reinforcement a ship that was fired at has used up."""
        state, turn = self.table.state, self.table.moment[0]
        lines = self.table.rulebook.lines.reinforcement
        at = {order.target for order in state.fire if order.moment.turn == turn and order.roll is not None}
        for name, ship in self.ships.items():
            form = ship.forms.get(turn)
            paid = form is not None and any(
                entry.amount for line, entry in form.entries.items() if line.partition(":")[0] in lines
            )
            if paid and name in at:
                reason = f"{name}: what the fire of turn {turn} took off its reinforcement"
                self.left_out[f"{reason}: in the record it is all there"] = None

    def _reach(self, step: str) -> None:
        """On, within the impulse, to the step that the tracker's step is called after."""
        turn, impulse, _ = self.table.moment
        sought = folded(step)
        if (
            not sought
            or impulse is None
            or (turn, impulse) != (self.account.until.turn, self.account.until.impulse)
        ):
            return
        moments = self.table.rulebook.offers.moments(self.table.rulebook, turn)
        row = [moment for moment in moments if moment[1] == impulse]
        exact = [moment for moment in row if folded(moment[2]) == sought]
        wanted = next(iter(exact or [moment for moment in row if sought in folded(moment[2])]), None)
        if wanted and row.index(wanted) > row.index(self.table.moment):
            self.ordering.step_to(wanted)

    # -- what happened -------------------------------------------------------------------

    def _take(self, event: Event) -> None:
        """Puts down what the account tells next."""
        step = event.at.step or 0
        match event.type, event.data:
            case "display", {"ship": ship, "state": state}:
                self._mark(ship, state, f"step {step}")
            case "dice", {"text": text}:
                self.thrown = len(self.fire)
                note = f"step {step} of the log: {text}; VASSAL's dice, not dice of this record"
                self.ordering.add("note", {"text": note})
            case _, {"word": {"order": Hit(ship=ship)}} if self.ships[ship].shows:
                self.thrown = len(self.fire)  # The dice of the fire before it have fallen.
            case _, {"word": given} | {"fire": given} | {"cloak": given} | {"battery": given}:
                self._give(given["order"], step)
            case _, {"launch": launch} if "order" in launch:
                self._give(launch["order"], step)
            case _, {"launch": launch}:
                self.seekers.launched(launch, step)
            case _, {"flew": stand}:
                self.seekers.flew(stand, step)
            case _, {"scored": scored}:
                self.seekers.scored(scored, step)
            case _, {"gone": gone}:
                self.seekers.gone(gone, step)
            case _, {"lock": tried}:
                self.seekers.tried(tried, step)
            case _ if stand := came_to_stand(event):
                self._stood(*stand, step)

    def _stood(self, ship: str, hex: Hex | None, facing: str | None, step: int) -> None:
        """A move, if one leads there; else the ship is put there."""
        unit = self.table.state.ships[ship].unit
        there = (hex, facing)
        if there == (unit.hex, unit.facing):
            return
        if unit.hex is not None and unit.facing is not None and self.table.moment[1] is not None:
            way = next((way for way in WAYS if after(unit.hex, unit.facing, way) == there), None)
            if way:
                self.ordering.order(Advance(ship, way))
                return
        if hex is None:
            self.left_out[f"step {step}: {ship} is out of sight"] = None
        to = "" if hex is None else f"{hex}{facing or ''}"
        self.ordering.reach("movement")
        text = f"put in {to}" if to else "off the map"
        self._order(ship, "place", {"to": to}, f"{text} (step {step})")

    def _give(self, order: Order, step: int) -> None:
        what = f"step {step}: the order to {type(order).__name__.lower()}"
        if isinstance(order, Seal):
            note = f"step {step} of the log: {order.ship} sealed {order.code}; no seal of this record"
            self.ordering.add("note", {"text": note})
            return
        if self.table.moment[1] is None:
            self.left_out[f"{what} outside the impulses"] = None
            return
        try:
            match order:
                case Fire():
                    self._fired(order, step)
                case Cloak() | Uncloak():
                    self.ordering.order(order)
                case Launch():
                    self._launched(order)
                    self.left_out[f"{what}: the seeker is not followed"] = None
                case _:
                    self.left_out[what] = None
        except BadInput as error:
            self.left_out[f"{what}: {error.reason}"] = None

    def _fired(self, order: Fire, step: int) -> None:
        """Fire, remembered by its entry, which comes after the step it is ordered in."""
        self.ordering.reach("fire")
        seq = self.table.state.lines
        self.ordering.order(order)
        self.fire.append(seq)
        if order.target not in self.table.state.launched:
            self.unmarked.setdefault(self.table.state.ship(order.target).name, {})[step] = None

    def _launched(self, order: Launch) -> None:
        """A seeker that left its ship: its weapon has fired."""
        ship = self.table.state.ship(order.ship)
        self.ordering.reach("launch")
        mount = weapons_named(self.table.rulebook, self.ships[ship.name].ship, [order.weapon])[0]
        event = {"ship": ship.name, "event": "weapon_fired", "weapon": mount.id}
        self._taken(f"{ship.name} launched {mount.id} at {order.target}", [event])

    def _settle(self, count: int) -> None:
        """The first orders of fire of an impulse: their dice fell, and what they did stands on the displays."""
        seqs, self.fire, self.thrown = self.fire[:count], self.fire[count:], 0
        if not seqs:
            return
        orders = [order for order in self.table.state.fire if order.seq in seqs]
        events = [
            {"ship": order.ship, "event": "weapon_fired", "weapon": mark}
            for order in orders
            for mark in order.weapons
        ]
        self._taken("the dice of this fire fell in VASSAL", events, fire=seqs)

    def _mark(self, name: str, state: ShipState | None, when: str) -> None:
        """What a display shows otherwise than the record: damage, and boxes that are whole again."""
        if state is None:
            return
        now = self.table.state.ships[name].state
        more = {
            shield: state.shields.get(shield, left) - left for shield, left in sorted(now.shields.items())
        }
        lost = [
            {"ship": name, "event": "shield_hit", "shield": shield, "points": -points}
            for shield, points in more.items()
            if points < 0
        ]
        gone = sorted(state.destroyed - now.destroyed)
        lost += [{"ship": name, "event": "box_destroyed", "box": box} for box in gone]
        back = [
            {"ship": name, "event": "shield_restored", "shield": shield, "points": points}
            for shield, points in more.items()
            if points > 0
        ]
        whole = sorted(now.destroyed - state.destroyed)
        back += [{"ship": name, "event": "box_restored", "box": box} for box in whole]
        if lost:
            self.unmarked.pop(name, None)
        self._taken(f"{name}: damage {when}", lost)
        self._taken(f"{name}: whole again {when}", back)

    def _taken(self, text: str, events: Iterable[Mapping[str, Any]], **parts: Any) -> None:
        marked = [dict(event) for event in events]
        if not marked and not parts:
            return
        turn, impulse, step = self.table.moment
        at: dict[str, Any] = {"turn": turn, "step": step} if turn else {}
        at |= {} if impulse is None else {"impulse": impulse}
        self.ordering.add("taken", {"text": text, "events": marked, **at, **parts})
