"""A robot's seat at a game record: its situation from the fold, its orders through the record's own ordering."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from referee.adjudicator.gametable import unresolved
from referee.adjudicator.ordering import Ordering
from referee.adjudicator.robot import Robot, Round
from referee.core.board import LoadShip
from referee.core.errors import BadInput
from referee.core.game import EntryLike, GameState, ShipInGame, undone_by
from referee.core.gamefold import GameFold
from referee.core.hexgrid import Hex
from referee.core.orders import Order, Way
from referee.core.robot import Flown, Memory, Situation


class RecordSeat:
    """A robot's place at a record."""

    def __init__(
        self,
        robot: Robot,
        ordering: Ordering,
        entries: list[EntryLike],
        load_ship: LoadShip,
        name: str,
        within: tuple[Hex, Hex],
    ) -> None:
        self.robot = robot
        self.name = name
        self.within = within
        self._ordering = ordering
        self._load_ship = load_ship
        self._primary, self._turned = self._remembered(entries)

    def round(self) -> Round:
        """Where the game stands."""
        state = self._ordering.table.state
        waits = unresolved(self.robot.rulebook, self._load_ship, state)
        waits += ("the dice that are rolled",) if state.open_rolls else ()
        return Round(
            self._situation(state, self._memory(state, self._primary, self._turned)),
            state.turn in state.ships[self.name].speeds,
            self._called(state),
            waits,
        )

    def take(self, order: Order) -> None:
        """An order of the robot's, put on the table."""
        self._ordering.order(order)

    # -- the situation -------------------------------------------------------------------

    def _situation(self, state: GameState, memory: Memory) -> Situation:
        me = state.ships[self.name]
        others = (ship for ship in state.ships.values() if ship.player != me.player)
        opponents = tuple(one for ship in others if (one := self._flown(ship)).ship.boxes)
        of = self.robot.movement.of
        return Situation(state.turn, state.impulse or 0, of, self._flown(me), opponents, self.within, memory)

    def _flown(self, ship: ShipInGame) -> Flown:
        return Flown(self._load_ship(ship.state.ship), ship.unit, ship.state)

    def _memory(self, state: GameState, primary: int | None, turned: Way | None) -> Memory:
        fired = state.ships[self.name].fired
        launched: dict[str, int] = {}
        for _, weapon in fired:
            launched[weapon] = launched.get(weapon, 0) + 1
        return Memory({weapon: moment for moment, weapon in fired}, launched, primary, turned)

    def _called(self, state: GameState) -> tuple[tuple[str, Any], ...]:
        movement = self.robot.movement
        if not state.impulse or state.step not in self._moving():
            return ()
        found = []
        for ship in state.ships.values():
            unit = ship.unit
            if ship.state.dead or unit.hex is None or unit.moved_on == state.impulse:
                continue
            if movement.called(unit, state.impulse):
                place = movement.rating(self._load_ship(ship.state.ship), unit)
                if place is None:
                    raise BadInput(f"the turn mode of {ship.name} at its speed is not known")
                found.append((ship.name, place))
        return tuple(sorted(found, key=lambda one: one[1]))

    def _moving(self) -> tuple[str, ...]:
        steps: tuple[str, ...] = self.robot.rulebook.descriptor["sequence_of_play"]["steps_of"]["movement"]
        return tuple(steps)

    def _remembered(self, entries: list[EntryLike]) -> tuple[int | None, Way | None]:
        """What the entries of this turn say of its Primary Fire Point, and the side first turned to since."""
        memory = Memory()
        undone = undone_by(entries)
        fold = GameFold(entries[0], self._load_ship)
        turn = self._ordering.table.moment[0]
        for entry in entries[1:]:
            before = fold.moment
            if entry.type == "step" and before[0] == turn and entry.seq not in undone:
                memory = self._closed(fold, entry, memory)
            fold.take(entry, undone=entry.seq in undone)
            if entry.type != "order" or fold.moment[0] != turn or entry.seq in undone:
                continue
            if entry.data.get("move", {}).get("ship") == self.name:
                memory = memory.after_move(entry.data["move"]["way"])
            elif entry.data.get("fire", {}).get("ship") == self.name:
                memory = replace(memory, turned=None)
        return memory.primary, memory.turned

    def _closed(self, fold: GameFold, entry: EntryLike, memory: Memory) -> Memory:
        """The memory as an impulse ends, at the range at which it ends."""
        impulse = fold.moment[1]
        over = impulse is not None and entry.data.get("impulse") != impulse
        if not over or impulse is None or memory.primary is not None:
            return memory
        state = fold.state
        if state.ships[self.name].state.dead:
            return memory
        past = self._memory(state, memory.primary, memory.turned)
        decision = self.robot.fire(self._situation(state, past))
        return memory.after_point(impulse) if decision is not None and decision.primary else memory
