"""A robot's seat at a table: its situation from the game as it stands there, its orders through the table's ordering."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from referee.adjudicator.movement_order import to_move
from referee.adjudicator.ordering import Ordering
from referee.adjudicator.progress import unresolved
from referee.adjudicator.record_shots import cloak_of, lock_rolled, unit_of
from referee.adjudicator.robot import Robot, Round
from referee.core.board import LoadShip
from referee.core.combat import Moment, Unit
from referee.core.errors import BadInput
from referee.core.game import EntryLike, GameState, ShipInGame
from referee.core.gamefold import GameFold
from referee.core.hexgrid import Hex
from referee.core.orders import Order, Way
from referee.core.robot import Memory, ShipSeen, Situation


class TableSeat:
    """A robot's place at a game on the table. `primary` and `turned` are what it remembers of the turn (`remember`)."""

    def __init__(
        self, robot: Robot, ordering: Ordering, load_ship: LoadShip, name: str, within: tuple[Hex, Hex]
    ) -> None:
        self.robot = robot
        self.name = name
        self.within = within
        self.primary: int | None = None
        self.turned: Way | None = None
        self._ordering = ordering
        self._load_ship = load_ship
        self._last: tuple[GameState, int | None, Way | None, Situation] | None = None

    def round(self) -> Round:
        """Where the game stands."""
        state = self._ordering.table.state
        # Fire is declared by all before its dice are rolled: what others have declared holds up nobody.
        declared = replace(state, fire=()) if not self._passed(state, "fire") else state
        waits = unresolved(self.robot.rulebook, self._load_ship, declared)
        waits += ("the dice that are rolled",) if state.open_rolls else ()
        passed = tuple(kind for kind in ("launch", "fire") if self._passed(state, kind))
        announced = state.turn in state.ships[self.name].speeds
        return Round(self.situation(state), announced, self.called(), waits, passed)

    @property
    def flies(self) -> bool:
        """Is its ship one a robot can fly: has it an SSD?"""
        return bool(self._load_ship(self._ordering.table.state.ships[self.name].state.ship).boxes)

    def reaches(self, kind: str) -> tuple[str, ...]:
        """Goes on to the step for things of a kind; what strikes on the way, and has to be rolled first."""
        if self._ordering.reaches(kind):
            return ()
        return tuple(
            f"the volley of {due.points} on {due.ship}" for due in self._ordering.table.state.volleys_due
        )

    def take(self, order: Order) -> None:
        """An order of the robot's, put on the table."""
        self._ordering.order(order)

    # -- the situation -------------------------------------------------------------------

    def situation(self, state: GameState) -> Situation:
        """The game as the robot stands in it; while nothing happens the same."""
        now = state, self.primary, self.turned
        if self._last is None or self._last[0] is not state or self._last[1:3] != now[1:]:
            self._last = *now, self._situation(state)
        return self._last[3]

    def _situation(self, state: GameState) -> Situation:
        me = state.ships[self.name]
        others = (ship for ship in state.ships.values() if ship.player != me.player)
        opponents = tuple(opponent for ship in others if (opponent := self._flown(ship, state)).ship.boxes)
        of = self.robot.movement.of
        return Situation(
            state.turn,
            state.impulse or 0,
            of,
            self._flown(me, state),
            opponents,
            self.within,
            self._memory(state),
            self._locks(state),
        )

    def _flown(self, ship: ShipInGame, state: GameState) -> ShipSeen:
        moment = Moment(state.turn, state.impulse or 0)
        cloak = cloak_of(self.robot.rulebook, ship, moment)
        return ShipSeen(self._load_ship(ship.state.ship), ship.unit, ship.state, cloak)

    def _memory(self, state: GameState) -> Memory:
        fired = state.ships[self.name].fired
        launched: dict[str, int] = {}
        for _, weapon in fired:
            launched[weapon] = launched.get(weapon, 0) + 1
        last = {weapon: moment for moment, weapon in fired}
        for order in state.unrolled:
            if order.ship == self.name:
                last |= dict.fromkeys(order.weapons, order.moment)
        return Memory(last, launched, self.primary, self.turned)

    def called(self) -> tuple[tuple[str, Any], ...]:
        """The ships called on this impulse that have not moved, first in the order of movement first."""
        state = self._ordering.table.state
        if not state.impulse or self._passed(state, "movement"):
            return ()
        found = to_move(state, self.robot.movement, self._load_ship)
        unknown = [ship.name for ship, place in found if place is None]
        if unknown:
            raise BadInput(f"the turn mode of {unknown[0]} at its speed is not known")
        return tuple(sorted(((ship.name, place) for ship, place in found), key=lambda call: call[1]))

    def _locks(self, state: GameState) -> dict[str, bool | None]:
        """Whether it has lock-on where it has rolled for it in this turn."""
        moment = Moment(state.turn, state.impulse or 0)

        def unit(name: str) -> Unit:
            return unit_of(self.robot.rulebook, self._load_ship, state.ships[name], moment)

        return {
            target: lock_rolled(self.robot.rulebook, state, unit(self.name), unit(target), turn)
            for firer, target, turn in state.locks
            if firer == self.name and turn == state.turn
        }

    def _passed(self, state: GameState, kind: str) -> bool:
        """Is the step for things of a kind over in this impulse?"""
        sequence = self.robot.rulebook.descriptor["sequence_of_play"]
        steps: list[str] = sequence["impulse"]
        if state.impulse is None or state.step not in steps:
            return False
        return all(steps.index(step) < steps.index(state.step) for step in sequence["steps_of"][kind])

    # -- what it remembers ---------------------------------------------------------------

    def begin_turn(self) -> None:
        """A turn begins, and with it all that is remembered of one."""
        self.primary = self.turned = None

    def moved(self, way: Way) -> None:
        """It has moved."""
        if self.primary is not None and self.turned is None and way != "ahead":
            self.turned = way

    def close(self, state: GameState) -> None:
        """An impulse ends: it may have been the Primary Fire Point."""
        asked = self.primary is None and not state.ships[self.name].state.dead
        if asked and self.robot.at_point(self.situation(state)):
            self.primary = state.impulse

    def remember(self, entries: Sequence[EntryLike]) -> None:
        """What the entries of this turn say of its Primary Fire Point, and the side it first turned to since."""
        fold = GameFold(entries, self._load_ship)
        back = fold.taken_back
        turn = self._ordering.table.moment[0]
        self.begin_turn()
        for entry in entries[1:]:
            stands = entry.seq not in back.gone
            impulse = fold.moment[1]
            leaving = entry.type == "step" and impulse is not None and entry.data.get("impulse") != impulse
            if stands and leaving and fold.moment[0] == turn:
                self.close(fold.state)
            fold.take(entry)
            if entry.type != "order" or fold.moment[0] != turn or not stands:
                continue
            if entry.data.get("move", {}).get("ship") == self.name:
                self.moved(entry.data["move"]["way"])
            elif entry.data.get("fire", {}).get("ship") == self.name:
                self.turned = None
