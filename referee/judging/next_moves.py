"""Where a ship may go next, from any position of a game whose source tells how it moved before."""

from __future__ import annotations

from collections.abc import Iterable

from referee.core.errors import BadInput
from referee.core.frozen import frozen
from referee.core.hexgrid import FACINGS, Hex
from referee.core.impulses import called_impulses
from referee.core.naming import folded
from referee.core.play import ShipInPlay
from referee.core.positions import PlayedGame, UnitShown
from referee.core.scenario import WHOLE_MAP, edges_left_by
from referee.core.ship import ShipClass
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
    steps = rulebook.descriptor["sequence_of_play"]["impulse"]
    passed = position.step in steps and steps.index(position.step) > steps.index(
        rulebook.offers.step_of("Advance")
    )
    first = _first_impulse(moves, position.impulse or 0, passed)
    speed = int(moves.speed or 0)
    called = [each for each in called_impulses(speed, int(rulebook.option("impulses"))) if each >= first]
    if not called:
        over = f"{unit.name} does not move again in turn {position.turn}, at speed {speed}"
        hint = (
            "its speed of the next turn is not given yet" if speed else "a ship at speed 0 stays where it is"
        )
        raise BadInput(over, file=game.file, hint=hint)
    hexes, free = entered(rulebook, game.classes[unit.name], moves, game.board.edges or WHOLE_MAP)
    return NextMove(unit.name, called[0], speed, hexes, moves.counting == "unknown" and not free)


def entered(
    rulebook: Rulebook, ship: ShipClass, unit: ShipInPlay, within: tuple[Hex, Hex]
) -> tuple[tuple[Hex, ...], bool]:
    """The hexes of a map that a ship may enter with its next move, and whether it may turn with it. Raises BadInput
    where its turn mode is not known, or it is not on the map."""
    movement = rulebook.offers.movement(rulebook)
    assert unit.hex is not None and unit.facing is not None
    if edges_left_by(unit.hex, within):
        left = ", nor on any" if edges_left_by(unit.hex, WHOLE_MAP) else ""
        raise BadInput(
            f"{unit.name} is not on the map {within[0]}-{within[1]}{left}", hint="a ship off it does not move"
        )
    need = movement.turn_mode(ship, unit.speed)
    if need is None:
        raise BadInput(f"the turn mode of {ship.name} at speed {unit.speed} is not known")
    free = movement.count(ship, unit).hexes >= need
    ahead = FACINGS.index(unit.facing)
    hexes = [unit.hex.step(FACINGS[(ahead + turned) % 6]) for turned in ((0, 1, 5) if free else (0,))]
    return tuple(sorted(hex for hex in hexes if not edges_left_by(hex, within))), free


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


def _first_impulse(unit: ShipInPlay, impulse: int, passed: bool) -> int:
    """The first impulse a ship may still move in: this one, or the next where it moved or its step is over."""
    return impulse + 1 if passed or not impulse or unit.moved_on == impulse else impulse


def named(name: str, known: Iterable[str], file: str) -> str:
    """The ship of that name. Raises BadInput, with those like it, for none."""
    names = list(known)
    found = [each for each in names if folded(each) == folded(name)]
    if len(found) != 1:
        raise BadInput(f"no ship {name}", file=file, hint=nearest(name, names))
    return found[0]
