"""Where a ship can legally be after some impulses of a turn, and one legal way to each place."""

from __future__ import annotations

from referee.core.errors import BadInput
from referee.core.hexgrid import DIRECTIONS, FACINGS, Hex, Offset
from referee.core.orders import Way
from referee.core.play import Plan, Reached, ShipInPlay, moved
from referee.core.ship import ShipClass
from referee.rulebooks.base import Rulebook

WHOLE_MAP = (Hex(1, 1), Hex(99, 99))
"""Every hex that has a printed number; a scenario's map is smaller."""

_TURNS: tuple[tuple[Way, int], ...] = (("ahead", 0), ("left", 5), ("right", 1))
_State = tuple[int, int, int, int]
"""Column, slanted row, facing, hexes counted towards the next turn (no more than it needs)."""


def plan(
    rulebook: Rulebook,
    ship: ShipClass,
    unit: ShipInPlay,
    *,
    turn: int = 1,
    first: int = 1,
    last: int | None = None,
    within: tuple[Hex, Hex] = WHOLE_MAP,
) -> Plan:
    """Every hex and facing the ship can be in after impulses `first` to `last` of a turn.

    The ship stands as `unit` does before impulse `first`, with its speed of this turn; without `last`
    the turn is played to its end. It does not leave the map `within`. Raises BadInput where speed,
    place or turn mode is not known.
    """
    movement = rulebook.procedure("movement")(rulebook)
    of: int = movement.of
    last = of if last is None else last
    if unit.hex is None or unit.facing is None or unit.speed is None:
        raise BadInput(f"{unit.name} has no hex, facing or speed", hint="place it and give its speed")
    if not 1 <= first <= last <= of:
        raise BadInput(f"impulses {first} to {last} of {of}", hint=f"1 to {of}")
    need: int | None = movement.turn_mode(ship, unit.speed)
    if need is None:
        raise BadInput(f"the turn mode of {ship.name} at speed {unit.speed} is not known")
    count: int = movement.count(ship, unit).hexes
    gain, restart = _counted(movement, ship, unit)
    called = [n for n in range(first, last + 1) if movement.called(unit, n)]
    layers = _layers(
        _state(unit.hex, unit.facing, min(count, need)), len(called), need, gain, restart, within
    )
    return Plan(
        ship=unit.name,
        hex=unit.hex,
        facing=unit.facing,
        speed=int(unit.speed),
        turn=turn,
        first=first,
        last=last,
        of=of,
        turn_mode=need,
        count=count,
        reached=_reached(layers, called),
        data_status=ship.status_of("figures/turn_mode"),
    )


def _counted(movement: object, ship: ShipClass, unit: ShipInPlay) -> tuple[int, int]:
    """What a hex straight ahead adds to the count, and what the count is after a turn and its hex."""
    count = movement.count  # type: ignore[attr-defined]
    here, bow = unit.hex or Hex(1, 1), unit.facing or FACINGS[0]
    side = FACINGS[(FACINGS.index(bow) + 1) % len(FACINGS)]
    ahead = moved(unit, here.step(bow), bow, None)
    turned = moved(unit, here.step(side), side, None)
    return count(ship, ahead).hexes - count(ship, unit).hexes, count(ship, turned).hexes


def _state(hex: Hex, facing: str, count: int) -> _State:
    origin = Hex(0, 0).offset_to(hex)
    return origin.x, origin.z, FACINGS.index(facing), count


def _hex(state: _State) -> Hex:
    column, slanted = state[0], state[1]
    return Hex(column, slanted + (column + 1) // 2)


def _layers(
    start: _State, moves: int, need: int, gain: int, restart: int, within: tuple[Hex, Hex]
) -> list[dict[_State, tuple[_State, Way]]]:
    """For each move, the states it can end in, each with one it may have come from and how."""
    steps: tuple[Offset, ...] = DIRECTIONS
    (left, top), (right, bottom) = ((corner.column, corner.row) for corner in within)
    layers: list[dict[_State, tuple[_State, Way]]] = []
    here: dict[_State, tuple[_State, Way]] = {start: (start, "ahead")}
    for _ in range(moves):
        reached: dict[_State, tuple[_State, Way]] = {}
        for state in here:
            column, slanted, facing, count = state
            for way, sixths in _TURNS if count >= need else _TURNS[:1]:
                bow = (facing + sixths) % 6
                x, z = column + steps[bow].x, slanted + steps[bow].z
                if left <= x <= right and top <= z + (x + 1) // 2 <= bottom:
                    after = min(restart if sixths else count + gain, need)
                    reached.setdefault((x, z, bow, after), (state, way))
        layers.append(reached)
        here = reached
    return layers or [here]


def _reached(layers: list[dict[_State, tuple[_State, Way]]], called: list[int]) -> tuple[Reached, ...]:
    """The hexes and facings of the last layer, each with the impulse and manner of every move there."""
    found: dict[tuple[Hex, str], Reached] = {}
    for end in layers[-1]:
        place = _hex(end), FACINGS[end[2]]
        if place in found:
            continue
        ways: list[Way] = []
        state = end
        for layer in reversed(layers[: len(called)]):
            state, way = layer[state]
            ways.append(way)
        found[place] = Reached(*place, track=tuple(zip(called, reversed(ways), strict=True)))
    return tuple(found[place] for place in sorted(found))
