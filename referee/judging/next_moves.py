"""Where a ship may go next, from any position of a game whose source tells how it moved before."""

from __future__ import annotations

from collections.abc import Iterable

from referee.adjudicator.planner import WHOLE_MAP, plan
from referee.core.errors import BadInput
from referee.core.frozen import frozen
from referee.core.hexgrid import Hex
from referee.core.impulses import called_impulses
from referee.core.naming import folded
from referee.core.play import ShipInPlay
from referee.core.positions import PlayedGame, UnitShown
from referee.rulebooks.base import Rulebook, nearest


@frozen
class NextMove:
    """The next move of a ship: its impulse, its speed, the hexes it may enter, and whether it may perhaps turn too."""

    ship: str
    impulse: int
    speed: int
    hexes: tuple[Hex, ...]
    unsure: bool

    @property
    def caption(self) -> str:
        """What is shown, in words."""
        doubt = "; how far it went straight before is not known, so it may perhaps turn too" * self.unsure
        return f"a hex that {self.ship} may enter in impulse {self.impulse}, at speed {self.speed}{doubt}"


def next_move(game: PlayedGame, n: int, name: str) -> NextMove:
    """The next move of a ship after position `n`. Raises BadInput where it cannot be told, with the reason."""
    position = game.positions[n]
    ships = {unit.name: unit for unit in position.units if unit.kind == "ship"}
    unit = ships[named(name, ships, game.file)]
    moves = _known(game, n, unit)
    rulebook: Rulebook = game.in_force
    first = _first_impulse(rulebook, moves, position.step, position.impulse)
    speed = int(moves.speed or 0)
    called = [each for each in called_impulses(speed, int(rulebook.option("impulses"))) if each >= first]
    if not called:
        over = f"{unit.name} does not move again in turn {position.turn}, at speed {speed}"
        hint = (
            "its speed of the next turn is not given yet" if speed else "a ship at speed 0 stays where it is"
        )
        raise BadInput(over, file=game.file, hint=hint)
    found = plan(
        rulebook,
        game.classes[unit.name],
        moves,
        turn=position.turn,
        first=called[0],
        last=called[0],
        within=game.board.edges or WHOLE_MAP,
    )
    hexes = tuple(dict.fromkeys(reached.hex for reached in found.reached))
    unsure = moves.counting == "unknown" and found.count < found.turn_mode
    return NextMove(unit.name, called[0], speed, hexes, unsure)


def _known(game: PlayedGame, n: int, unit: UnitShown) -> ShipInPlay:
    """How a ship has moved up to position `n`. Raises BadInput where its source does not tell that."""
    moves = unit.moves
    if moves is None or unit.name not in game.classes:
        why = f"how {unit.name} moved before is not told, and its next hexes hang on it"
        raise BadInput(why, file=game.file, hint="a log, an orders file or a record tells it")
    if unit.hex is None:
        raise BadInput(f"{unit.name} is not on the map", file=game.file)
    if moves.speed is None:
        why = f"at what speed {unit.name} moves after {game.positions[n].when} is not known"
        raise BadInput(why, file=game.file, hint="its form or an order says it")
    if (moves.hex, moves.facing) != (unit.hex, unit.facing):
        why = f"the counter of {unit.name} stands at {unit.at}, and no move that counts leads there"
        raise BadInput(why, file=game.file, hint="it was taken back later, or it is not over: look a step on")
    return moves


def _first_impulse(rulebook: Rulebook, unit: ShipInPlay, step: str, impulse: int | None) -> int:
    """The first impulse from now on in which a ship may still move."""
    steps = rulebook.descriptor["sequence_of_play"]["impulse"]
    passed = step in steps and steps.index(step) > steps.index(rulebook.offers.step_of("Advance"))
    return first_impulse(unit, impulse or 0, passed=passed)


def first_impulse(unit: ShipInPlay, impulse: int, *, passed: bool = False) -> int:
    """The first impulse a ship may still move in: this one, or the next where it moved or its step is over."""
    return impulse + 1 if passed or not impulse or unit.moved_on == impulse else impulse


def named(name: str, known: Iterable[str], file: str) -> str:
    """The ship of that name. Raises BadInput, with those like it, for none."""
    names = list(known)
    found = [each for each in names if folded(each) == folded(name)]
    if len(found) != 1:
        raise BadInput(f"no ship {name}", file=file, hint=nearest(name, names))
    return found[0]
