"""What a robot does now in a record, by its instructions: its move, its fire, its form where it fills in one."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from referee.adjudicator.robot import play_on
from referee.adjudicator.robot_seat import TableSeat
from referee.play.moving_on import ordering_in, recorded
from referee.play.robot import ready
from referee.play.telling import telling
from referee.rulebooks.registry import load_ship

if TYPE_CHECKING:
    from fractions import Fraction

    from referee.adjudicator.ordering import Ordering
    from referee.adjudicator.robot import Played
    from referee.core.dice import KeyedDice
    from referee.core.robot import Decision, Situation
    from referee.play.game_file import Game


class RobotTurn(NamedTuple):
    """What a robot would do: its orders stand in `ordering`, not yet in the record."""

    situation: Situation
    played: Played
    ordering: Ordering
    dice: KeyedDice


def robot_turn(game: Game, ship: str, player: str = "", seed: str = "") -> RobotTurn:
    """What the robot that flies a ship does now; its coins fall by a seed. Raises BadInput."""
    robot, within, dice = ready(game.rulebook, seed)
    ordering = ordering_in(game, player)
    seat = TableSeat(robot, ordering, load_ship, ship, within)
    seat.remember(game.entries)
    now = seat.round()
    played = play_on(robot, seat, ahead=False)
    if ordering.new and now.situation.impulse and not now.speed_said:
        _say_nothing_was_said(robot.speed(now.situation), now.situation.robot.unit.speed)
    return RobotTurn(seat.round().situation, played, ordering, dice)


def _say_nothing_was_said(wanted: Decision, moves: int | Fraction | None) -> None:
    """That a robot flies a turn at another speed than its instruction gives it, since nobody said one."""
    if wanted.speed is not None and wanted.speed != moves:
        counts = "" if moves is None else f", and counts as {moves}, as before"
        telling().line(
            f"{wanted.ship}'s speed is not given{counts}; by {wanted.instruction} it is {wanted.speed}"
        )


def robots_play(game: Game, named: str = "") -> Game | None:
    """The game after the first robot ship that has something to do has done it, or the one named; None where none
    has. Raises BadInput."""
    robots = [ship for ship in game.state.ships.values() if ship.robot]
    for ship in [game.state.ship(named)] if named else robots:
        if ship.state.dead or game.state.has_left(ship):
            continue
        turn = robot_turn(game, ship.name)
        if turn.ordering.new:
            after = recorded(game, turn.ordering, force=False)
            telling().orders(turn.ordering.new)
            return after
    return None
