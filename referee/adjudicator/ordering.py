"""Orders of the order language put on the table of a game: each becomes an entry of its record."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NoReturn

from referee.adjudicator.fire import weapons_named
from referee.adjudicator.record_seekers import called, launch_facing, leaving_with_ships, strike_due, ways
from referee.adjudicator.record_shots import dice_of, must_be_resolvable, shots_of
from referee.adjudicator.table import GameTable
from referee.adjudicator.volleys_due import held_until, volleys_left_by, volleys_to_roll
from referee.core.errors import BadInput, IntegrityFailure
from referee.core.finding import Finding, Severity
from referee.core.game import at_fault, foul_data
from referee.core.gameorders import after
from referee.core.location import Location
from referee.core.naming import launch_label
from referee.core.orders import (
    Advance,
    Cloak,
    DroneHit,
    Fire,
    Hit,
    HoldFire,
    ImpulseBegins,
    Launch,
    LockOn,
    Order,
    SetSpeed,
    TurnBegins,
    Uncloak,
    UseBattery,
)
from referee.rulebooks.base import Rulebook

NewEntry = tuple[str, dict[str, Any]]
ELSEWHERE = {
    "Seal": "referee seal RECORD",
    "Undo": "referee game undo RECORD",
    "Status": "referee game status RECORD",
    "Help": "referee game say RECORD help",
}
"""Orders that have a command of their own."""


def leaving_told(rulebook: Rulebook, gone: Mapping[str, Any]) -> str:
    """Seekers that leave the map with their ships, in words."""
    return f"seekers: {', '.join(gone['seekers'])} gone with their ship ({rulebook.named.lost_with_guide})"


class Ordering:
    """Plays orders on a table. `new` are the entries they make, each followed by the fouls it needs.

    `acts` says which player an order for a ship, or a drone no ship launched, is given by; it raises BadInput
    where that may not be. Seekers move and strike as the game moves on, unless it `is_told` what they did.
    `agreed` are the players who agree to the steps.
    """

    def __init__(
        self,
        table: GameTable,
        acts: Callable[[str], str],
        *,
        is_told: bool = False,
        agreed: Sequence[str] = (),
    ) -> None:
        self.table = table
        self.acts = acts
        self.is_told = is_told
        self.agreed = list(agreed)
        self.passed_over: list[str] = []
        """Players from whom a step takes what is theirs to do, and who have not agreed to it."""
        self.new: list[NewEntry] = []
        self.findings: list[Finding] = []
        self.asked: list[Finding] = []
        """What breaks no rule and cannot be meant lightly: it is recorded once it is said in so many words, or forced."""
        self.to_come: Sequence[Order] = ()
        """The orders that are given after this one in the same text."""
        self._place = Location(file=table.file)
        self._awaited: tuple[str, ...] = ()
        self._rows: dict[int, list[Any]] = {}

    @property
    def fouled(self) -> bool:
        """Is anything of it against the rules?"""
        return any(finding.severity == "error" for finding in self.findings)

    def order(self, order: Order) -> None:
        """One order, in its step: the game is moved on to that first, within the impulse.
        Raises BadInput for what is no order of play, or a ship or hex that is not there."""
        self._place = order.location
        match order:
            case TurnBegins(turn=turn):
                if turn != self.table.moment[0]:
                    self._on_to(self._moments(turn)[0])
            case ImpulseBegins(impulse=impulse):
                moments = self._moments(self.table.moment[0])
                found = [moment for moment in moments if moment[1] == impulse]
                if not found:
                    hint = f"1 to {max(when[1] or 0 for when in moments)}"
                    raise BadInput(f"no impulse {impulse} in a turn", place=str(order.location), hint=hint)
                if impulse != self.table.moment[1]:
                    self._on_to(found[0])
            case SetSpeed(ship=ship, speed=speed):
                self._put(ship, "speed", {"speed": speed}, f"speed {speed}")
            case Advance(ship=name, way=way) if self._is_seeker(name):
                self._seeker(self._target(name), way)
            case Advance(ship=ship, way=way):
                self.reach("movement")
                self._edge(order)
                to_come = self._moves_to_come()
                self.table.course.only(lambda: to_come)
                self._put(ship, "move", {"way": way}, way)
                self.table.course.only(None)
            case Fire():
                self._fire(order)
            case HoldFire(ship=ship):
                self._hold_fire(ship)
            case Launch(ship=ship, weapon=weapon, target=target):
                self._launch(ship, weapon, target)
            case Cloak(ship=ship) | Uncloak(ship=ship):
                self._act("cloak")
                to = "cloak" if isinstance(order, Cloak) else "uncloak"
                self._put(ship, "cloak", {"to": to}, to)
            case UseBattery():
                self._battery(order)
            case Hit(ship=ship, points=points, shield=shield):
                hint = f"referee volley {ship} --game RECORD --damage {points} --shield {shield}"
                raise BadInput("`hit` has a command of its own", hint=hint)
            case LockOn(ship=ship, target=target):
                hint = f"referee game lock RECORD {ship} {target}"
                raise BadInput("`lock on` has a command of its own", hint=hint)
            case DroneHit(ship=name):
                raise BadInput(f"what hits {name} is rolled in a record", hint="referee game resolve RECORD")
            case _:
                name = type(order).__name__
                raise BadInput(f"`{name.lower()}` has a command of its own", hint=ELSEWHERE[name])

    def _is_seeker(self, name: str) -> bool:
        state = self.table.state
        return name not in state.ships and name in state.launched

    def _edge(self, order: Advance) -> None:
        """A move over the edge of the map ends the game for its ship: it is asked for, unless it says so. Raises
        BadInput for one that says so and stays on the map."""
        unit = self.table.state.ship(order.ship).unit
        if unit.hex is None or unit.facing is None:
            return
        beyond = self.table.course.track.movement.has_left
        there = after(unit.hex, unit.facing, order.way)[0]
        if order.leaves and not beyond(there):
            reason = f"{unit.name} does not leave the map {order.way}: {there} is on it"
            hint = "this game's map has no edge" if not self.table.course.track.movement.map else ""
            raise BadInput(
                reason, hint=hint or "leave the map left, or right, where that leads over its edge"
            )
        if beyond(there) and not beyond(unit.hex) and not order.leaves:
            turn, impulse, _ = self.table.moment
            message = f"would leave the map in {there}: it would have disengaged, and not come back"
            way = "" if order.way == "ahead" else f" {order.way}"
            fix = f"if it is meant, say `{unit.name}: leave the map{way}`"
            self.asked.append(
                Finding("MAP", Severity.WARNING, message, unit.name, turn, impulse, self._place, fix=fix)
            )

    def _fire(self, order: Fire) -> None:
        self._act("fire")
        ship = self.table.state.ship(order.ship)
        shown = self.table.load_ship(ship.state.ship)
        marks = [mount.id for mount in weapons_named(self.table.rulebook, shown, order.weapons)]
        target = self._target(order.target)
        data: dict[str, Any] = {"weapons": marks, "target": target}
        data |= {} if order.shield is None else {"shield": order.shield}
        on = "" if order.shield is None else f" on {order.shield}"
        self._put(ship.name, "fire", data, f"fire {', '.join(marks)} at {target}{on}")

    def _battery(self, order: UseBattery) -> None:
        ship = self.table.state.ship(order.ship)
        if self.table.state.impulse is None:
            lines = self.table.rulebook.lines
            raise BadInput(
                "batteries are used in the impulses",
                hint=f"what allocation takes stands on {lines.named(lines.discharged)} of the form",
            )
        shown = self.table.load_ship(ship.state.ship)
        marks = [mount.id for mount in weapons_named(self.table.rulebook, shown, order.weapons)]
        data = {"points": str(order.points), "weapons": marks}
        self._put(ship.name, "battery", data, f"battery {order.points} for {', '.join(marks)}")

    def _hold_fire(self, name: str) -> None:
        """A word that a ship fires nothing in this impulse; it does nothing by itself."""
        self._act("fire")
        state = self.table.state
        ship, impulse = state.ship(name), state.impulse
        if impulse is None:
            raise BadInput("nobody fires outside the impulses")
        if any((order.ship, order.moment) == (ship.name, (state.turn, impulse)) for order in state.fire):
            hint = "until its dice are rolled, referee game undo RECORD takes fire back"
            raise BadInput(f"{ship.name} fires in this impulse already", hint=hint)
        data = {"text": [f"{ship.name}: hold fire"], "player": self.acts(ship.name)}
        self.add("order", {**data, "turn": state.turn, "impulse": impulse})

    def _target(self, name: str) -> str:
        state = self.table.state
        if name in state.launched and name not in state.seekers:
            raise BadInput(f"{name} is not on the map any more")
        return name if name in state.seekers else state.ship(name).name

    def _launch(self, ship: str, weapon: str, target: str) -> None:
        self._act("launch")
        state = self.table.state
        launcher = state.ship(ship)
        mount = weapons_named(self.table.rulebook, self.table.load_ship(launcher.state.ship), [weapon])[0]
        struck = state.ship(target).name
        facing = launch_facing(state, launcher.name, struck)
        taken = {*state.seekers, *state.ships, *state.drones}
        name = launch_label(launcher.name, mount.id, state.turn, taken)
        data = {"weapon": mount.id, "type": mount.type, "target": struck, "facing": facing, "name": name}
        self._put(launcher.name, "launch", data, f"launch {mount.id} at {struck}")

    def _put(self, ship: str, kind: str, data: dict[str, Any], text: str) -> None:
        """An order of a ship: its entry, judged."""
        name = self.table.state.ship(ship).name
        self._add(kind, {"ship": name, **data}, self.acts(name), f"{name}: {text}")

    def _seeker(self, name: str, way: str) -> None:
        self._act("seekers' movement", wait=True)
        owner = self.table.state.seekers[name].owner or name
        self._add("seeker", {"name": name, "way": way}, self.acts(owner), f"{name}: {way}")

    def _add(self, kind: str, data: dict[str, Any], player: str, text: str) -> None:
        turn, impulse, _ = self.table.moment
        at: dict[str, Any] = {"turn": turn} | ({} if impulse is None else {"impulse": impulse})
        self.add("order", {"text": [text], "player": player, **at, kind: data})

    def add(self, kind: str, data: dict[str, Any]) -> None:
        """An entry, with the fouls of what it breaks."""
        try:
            findings = self.table.add(kind, data)
        except IntegrityFailure as error:
            raise BadInput(error.reason, hint="nothing was recorded") from None
        findings = [self._with_who_moves_first(finding) for finding in findings]
        # What is refused never comes into the record: its place is where it was said.
        self.findings += [replace(finding, location=self._place) for finding in findings]
        self.new.append((kind, data))
        self.passed_over += [name for name in self.table.without_agreement if name not in self.passed_over]
        self.fouls(findings, str(data.get("player", "")) or self.table.state.players[0])

    def _with_who_moves_first(self, finding: Finding) -> Finding:
        """What is done too early, with the ships that have still to move."""
        if not self._awaited or finding.key != self.table.rulebook.named.sequence:
            return finding
        at = f"{finding.turn}.{finding.impulse}.{finding.expected.partition(' or ')[0].replace(' ', '-')}"
        fix = f"first the move of {', '.join(self._awaited)}; to go on without it: referee game next RECORD --to {at}"
        return replace(finding, fix=fix)

    def fouls(self, findings: Iterable[Finding], player: str) -> None:
        """Puts down what breaks a rule, with the rule; it stands only where a player forces it."""
        for finding in findings:
            if finding.severity == "error":
                whose = at_fault(self.table.state.ships, finding, player)
                turn, impulse, _ = self.table.moment
                at: dict[str, Any] = {"turn": turn} | ({} if impulse is None else {"impulse": impulse})
                # A move that was missed is found when its impulse is over, and stands at its impulse.
                foul = {**(at if finding.turn is None else {}), **foul_data(finding, whose)}
                self.table.add("foul", foul)
                self.new.append(("foul", foul))

    # -- moving on -----------------------------------------------------------------------

    def _moments(self, turn: int) -> list[Any]:
        """The moments of a turn, in their order."""
        if turn not in self._rows:
            self._rows = {turn: self.table.rulebook.offers.moments(self.table.rulebook, turn)}
        return self._rows[turn]

    def _act(self, kind: str, *, wait: bool = False) -> None:
        """Moves on, within the impulse, to the step in which things of a kind are done. While ships have still to
        move it stays: who acts then does so too early (B2.0), and the ships move yet. Where the orders go on to
        another impulse and do not move them, they stay where they are, and that is what is wrong (C1.4)."""
        self._awaited = ()
        if not self.is_told:
            to_come = self._moves_to_come()
            awaited = self.table.course.to_move
            self._awaited = tuple(name for name in awaited if to_come is None or name in to_come)
        if not self._awaited:
            self.reach(kind, wait=wait)

    def _moves_to_come(self) -> frozenset[str] | None:
        """The ships that the orders still to come move in this impulse; None where they do not say how it ends."""
        names: set[str] = set()
        for order in self.to_come:
            if isinstance(order, TurnBegins | ImpulseBegins):
                return frozenset(names)
            if isinstance(order, Advance):
                names.add(order.ship)
        return None

    def reach(self, kind: str, *, wait: bool = False) -> None:
        """Moves on, within the impulse, to the step in which things of a kind are done; with `wait` the seekers
        there do nothing yet of themselves. Raises BadInput where something strikes before that."""
        if not self.reaches(kind, wait=wait):
            self._stopped()

    def reaches(self, kind: str, *, wait: bool = False) -> bool:
        """Moves on, within the impulse, to the step in which things of a kind are done; where something strikes
        before that it goes no further, and says so."""
        steps = self.table.rulebook.descriptor["sequence_of_play"]["steps_of"][kind]
        turn, impulse, step = self.table.moment
        ahead = [moment for moment in self._moments(turn) if moment[1] == impulse]
        if step in steps or impulse is None or self.table.moment not in ahead:
            return True
        later = ahead[ahead.index(self.table.moment) + 1 :]
        found = next((moment for moment in later if moment[2] in steps), None)
        return found is None or self.step_to(found, wait=wait)

    def _on_to(self, to: Any, *, wait: bool = False) -> None:
        """Moves on to where an order is given. Raises BadInput where something strikes before that."""
        if not self.step_to(to, wait=wait):
            self._stopped()

    def _stopped(self) -> NoReturn:
        """Raises BadInput: something strikes here."""
        turn, impulse, step = self.table.moment
        due = self.table.state.volleys_due[0]
        then = f"referee game next --to {turn}.{impulse}.{step.replace(' ', '-')}, then referee game resolve"
        raise BadInput(
            f"{due.ship} is struck for {due.points} in turn {turn}, impulse {impulse}: that comes first",
            hint=f"give the orders up to there, {then}",
        )

    def step_to(self, to: Any, player: str = "", *, wait: bool = False) -> bool:
        """Moves on to a moment; what has to happen on the way, with seekers, happens. Where they strike it
        goes no further, and says so."""
        if self.table.state.seekers and not self._struck() and not self.is_told:
            self.seekers_act()
            if not self._struck():
                self._seekers_on_the_way(to)
            if self._struck():
                return False
        stop = held_until(self.table.rulebook, self.table.state)
        if stop is not None and self._passes_what_waits(to):
            self._step(stop)
            return False
        if self.table.moment != to:
            self._step(to, player)
        if not wait and not self.is_told:
            self.seekers_act()
        return True

    def _step(self, to: Any, player: str = "") -> None:
        turn, impulse, step = to
        data: dict[str, Any] = {"turn": turn, "step": step} | ({"player": player} if player else {})
        data |= {"agreed_by": self.agreed} if self.agreed else {}
        self.add("step", data | ({} if impulse is None else {"impulse": impulse}))

    def _seekers_on_the_way(self, to: Any) -> None:
        """Stops in every step in which seekers move or strike; where turns are passed over, only in this one."""
        steps = self.table.rulebook.descriptor["sequence_of_play"]["steps_of"]
        stops = {*steps["seekers' movement"], *steps["seekers' strike"]}
        turn = self.table.moment[0]
        here, after = self._moments(turn), self._moments(turn + 1)
        row = [*here, *after]
        leaps = to[0] > turn + 1
        if self.table.moment not in row or (to not in row and not leaps):
            return
        end = len(here) if leaps else row.index(to)
        for moment in row[row.index(self.table.moment) + 1 : end]:
            if moment[2] in stops and self.table.state.seekers and self._busy(moment):
                self._step(moment)
                self.seekers_act()
                if self._struck() or self._passes_what_waits(to):
                    return

    def _struck(self) -> bool:
        """Is there a volley to be rolled before anything else?"""
        return bool(volleys_to_roll(self.table.rulebook, self.table.state))

    def _passes_what_waits(self, to: Any) -> bool:
        """Would moving on to a moment leave behind a volley that waits for the fire of its impulse?"""
        return bool(volleys_left_by(self.table.rulebook, self.table.state, to))

    def _busy(self, moment: Any) -> bool:
        """Is there anything for seekers to do in a step?"""
        moves = self.table.rulebook.descriptor["sequence_of_play"]["steps_of"]["seekers' movement"]
        return moment[2] in moves or bool(self._strike())

    def seekers_act(self) -> None:
        """Seekers move, and strike, where it is their step: each on its course, of equal ones the first. Those whose
        ship was destroyed leave the map before that."""
        steps = self.table.rulebook.descriptor["sequence_of_play"]["steps_of"]
        state = self.table.state
        if not state.seekers:
            return
        self.orphans_leave()
        state = self.table.state
        if state.step in steps["seekers' movement"]:
            for seeker in called(self.table.rulebook, state):
                way = ways(self.table.rulebook, state, seeker)[0]
                player = state.ships[seeker.owner].player if seeker.owner else seeker.player
                player = player or state.players[0]
                self._add("seeker", {"name": seeker.name, "way": way}, player, f"{seeker.name}: {way}")
        elif state.step in steps["seekers' strike"] and (due := self._strike()):
            text = f"seekers: {', '.join(due['seekers'])}"
            self._add("strike", due, state.players[0], text)

    def orphans_leave(self) -> None:
        """Seekers whose ship was destroyed leave the map at the instant (D4.41)."""
        state = self.table.state
        if gone := leaving_with_ships(self.table.rulebook, state):
            self._add("strike", gone, state.players[0], leaving_told(self.table.rulebook, gone))

    def _strike(self) -> dict[str, Any] | None:
        return strike_due(self.table.rulebook, self.table.load_ship, self.table.state)

    # -- dice ----------------------------------------------------------------------------

    def must_be_resolvable(self) -> None:
        """Raises BadInput where a shot ordered here could not be resolved whatever its dice."""
        if any("fire" in data for _, data in self.new):
            state = self.table.state
            shots = shots_of(self.table.rulebook, self.table.load_ship, state, state.unrolled)
            must_be_resolvable(self.table.rulebook, shots)

    def fire_to_roll(self) -> tuple[str, list[dict[str, Any]]] | None:
        """What the dice of the fire ordered are for and which they are, once it is time; None if there is
        none. Raises BadInput where a shot could not be resolved whatever its dice."""
        if not self.table.state.unrolled:
            return None
        self.reach("damage of fire")
        state = self.table.state
        orders = state.unrolled
        shots = shots_of(self.table.rulebook, self.table.load_ship, state, orders)
        must_be_resolvable(self.table.rulebook, shots)
        purpose = "fire of entries " + " ".join(str(order.seq) for order in orders)
        return purpose, dice_of(self.table.rulebook, shots)
