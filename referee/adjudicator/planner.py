"""Where a ship can legally be after some impulses of a turn, or of turns to come, and one legal way to each place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from referee.core.errors import BadInput
from referee.core.hexgrid import DIRECTIONS, FACINGS, Hex, Offset
from referee.core.orders import Way
from referee.core.play import Counting, Leg, Plan, PlannedMove, Reached, ShipInPlay, moved, turn_begun
from referee.core.ship import ShipClass
from referee.rulebooks.base import Rulebook

WHOLE_MAP = (Hex(1, 1), Hex(99, 99))
"""Every hex that has a printed number; a scenario's map is smaller."""
MOST_TURNS = 4
"""Turns planned at once: the hexes grow with the square of the way."""

_TURNS: tuple[tuple[Way, int], ...] = (("ahead", 0), ("left", 5), ("right", 1))


class _Tally(NamedTuple):
    """What is counted towards a ship's next turn of 60 degrees, as `ShipInPlay` keeps it."""

    counting: Counting
    turn_hex: int
    straight: int
    carried: int
    start_speed: Any


_State = tuple[int, int, int, _Tally]
"""Column, slanted row, facing, and what is counted towards the next turn."""
_Layer = dict[_State, tuple[_State, Way]]


def plan(
    rulebook: Rulebook,
    ship: ShipClass,
    unit: ShipInPlay,
    *,
    turn: int = 1,
    first: int = 1,
    last: int | None = None,
    then: Sequence[int] = (),
    within: tuple[Hex, Hex] = WHOLE_MAP,
) -> Plan:
    """Every hex and facing the ship can be in after impulses `first` to `last` of a turn.

    The ship stands as `unit` does before impulse `first`, with its speed of this turn. `then` are its speeds
    of the turns that follow: the plan goes on through them, and `last` is an impulse of the last of them;
    without it that turn is played to its end. Where turns follow, this one may be over (`first` one more than
    its impulses). It does not leave the map `within`: where every way leads off it, nothing is reached. Raises
    BadInput where speed, place or turn mode is not known, the ship is not on the map, or a speed is not allowed
    after the one before.
    """
    movement = rulebook.offers.movement(rulebook)
    of: int = movement.of
    last = of if last is None else last
    if unit.hex is None or unit.facing is None or unit.speed is None:
        raise BadInput(f"{unit.name} has no hex, facing or speed", hint="place it and give its speed")
    if not _on(within, unit.hex):
        left = "" if _on(WHOLE_MAP, unit.hex) else ", nor on any"
        raise BadInput(
            f"{unit.name} is not on the map {within[0]}-{within[1]}{left}", hint="a ship off it does not move"
        )
    if not (1 <= first <= of + bool(then) and 1 <= last <= of and (then or first <= last)):
        raise BadInput(f"impulses {first} to {last} of {of}", hint=f"1 to {of}")
    legs = _legs(movement, ship, unit, turn, then)
    count: int = movement.count(ship, unit).hexes
    clock = _Tallies(movement, ship, unit, max(leg.turn_mode for leg in legs))
    steps: list[PlannedMove] = []
    layers: list[_Layer] = []
    here: _Layer = {_start(unit, clock.first): (_start(unit, clock.first), "ahead")}
    for leg in legs:
        start = first if leg is legs[0] else 1
        end = last if leg is legs[-1] else of
        if leg is not legs[0]:
            here = {(*state[:3], clock.turn_begun(state[3])): (state, "ahead") for state in here}
            layers.append(here)
            steps.append(PlannedMove(leg.turn, 0, "ahead"))
        for impulse in range(start, end + 1):
            if movement.called(replace(unit, speed=leg.speed), impulse):
                here = _layer(here, leg, clock, within)
                layers.append(here)
                steps.append(PlannedMove(leg.turn, impulse, "ahead"))
    return Plan(
        ship=unit.name,
        hex=unit.hex,
        facing=unit.facing,
        speed=int(unit.speed),
        turn=turn,
        first=first,
        last=last,
        of=of,
        turn_mode=legs[0].turn_mode,
        count=count,
        reached=_reached(here, layers, steps),
        then=tuple(legs[1:]),
        within=within,
        data_status=ship.status_of("figures/turn_mode"),
    )


def _on(within: tuple[Hex, Hex], hex: Hex) -> bool:
    (left, top), (right, bottom) = ((corner.column, corner.row) for corner in within)
    return left <= hex.column <= right and top <= hex.row <= bottom


def _legs(
    movement: Any, ship: ShipClass, unit: ShipInPlay, turn: int, then: Sequence[int]
) -> tuple[Leg, ...]:
    """The turns of a plan with the ship's speed and turn mode in each. Raises BadInput."""
    if len(then) >= MOST_TURNS:
        raise BadInput(f"{len(then) + 1} turns", hint=f"at most {MOST_TURNS} are planned at once")
    legs: list[Leg] = []
    for number, speed in enumerate((unit.speed, *then), turn):
        if legs and speed > (limit := min(movement.fastest_after(legs[-1].speed), movement.limit(unit.kind))):
            raise BadInput(f"speed {speed} in turn {number}, after {legs[-1].speed}", hint=f"at most {limit}")
        need: int | None = movement.turn_mode(ship, speed)
        if need is None:
            raise BadInput(f"the turn mode of {ship.name} at speed {speed} is not known")
        legs.append(Leg(number, int(speed or 0), need))
    return tuple(legs)


class _Tallies:
    """How the count towards a turn goes on, by the rules that count, each step worked out once.

    Hexes beyond the greatest turn mode of the plan make no difference, and are not told apart.
    """

    def __init__(self, movement: Any, ship: ShipClass, unit: ShipInPlay, most: int) -> None:
        self._movement, self._ship, self._unit, self._most = movement, ship, unit, most
        self.first = self._of(unit)
        self._next: dict[tuple[_Tally, str, int], _Tally] = {}
        self._hexes: dict[tuple[_Tally, int], int] = {}

    def _of(self, unit: ShipInPlay) -> _Tally:
        straight, carried = min(unit.straight, self._most), min(unit.carried, self._most)
        return _Tally(unit.counting, unit.turn_hex, straight, carried, unit.start_speed)

    def _unit_at(self, tally: _Tally, speed: int) -> ShipInPlay:
        return replace(
            self._unit,
            hex=Hex(50, 50),
            facing=FACINGS[0],
            speed=speed,
            counting=tally.counting,
            turn_hex=tally.turn_hex,
            straight=tally.straight,
            carried=tally.carried,
            start_speed=tally.start_speed,
        )

    def hexes(self, tally: _Tally, speed: int) -> int:
        """The hexes counted so far."""
        key = tally, speed
        if key not in self._hexes:
            self._hexes[key] = self._movement.count(self._ship, self._unit_at(tally, speed)).hexes
        return self._hexes[key]

    def after(self, tally: _Tally, way: Way, speed: int) -> _Tally:
        """The count after a move ahead, or a turn and its hex."""
        key = tally, way, speed
        if key not in self._next:
            bow = FACINGS[{"ahead": 0, "left": 5, "right": 1}[way]]
            unit = self._unit_at(tally, speed)
            assert unit.hex is not None
            self._next[key] = self._of(moved(unit, unit.hex.step(bow), bow, None))
        return self._next[key]

    def turn_begun(self, tally: _Tally) -> _Tally:
        """The count as the next turn of play begins (C3.41)."""
        return self._of(turn_begun(self._unit_at(tally, 0)))


def _start(unit: ShipInPlay, tally: _Tally) -> _State:
    assert unit.hex is not None and unit.facing is not None
    origin = Hex(0, 0).offset_to(unit.hex)
    return origin.x, origin.z, FACINGS.index(unit.facing), tally


def _hex(state: _State) -> Hex:
    column, slanted = state[0], state[1]
    return Hex(column, slanted + (column + 1) // 2)


def _layer(here: _Layer, leg: Leg, clock: _Tallies, within: tuple[Hex, Hex]) -> _Layer:
    """The states a move can end in, each with one it may have come from and how."""
    steps: tuple[Offset, ...] = DIRECTIONS
    (left, top), (right, bottom) = ((corner.column, corner.row) for corner in within)
    reached: _Layer = {}
    for state in here:
        column, slanted, facing, tally = state
        free = clock.hexes(tally, leg.speed) >= leg.turn_mode
        for way, sixths in _TURNS if free else _TURNS[:1]:
            bow = (facing + sixths) % 6
            x, z = column + steps[bow].x, slanted + steps[bow].z
            if left <= x <= right and top <= z + (x + 1) // 2 <= bottom:
                reached.setdefault((x, z, bow, clock.after(tally, way, leg.speed)), (state, way))
    return reached


def _reached(last: _Layer, layers: list[_Layer], steps: list[PlannedMove]) -> tuple[Reached, ...]:
    """The hexes and facings of the last layer, each with the turn, impulse and manner of every move there."""
    found: dict[tuple[Hex, str], Reached] = {}
    for end in last:
        place = _hex(end), FACINGS[end[2]]
        if place in found:
            continue
        track: list[PlannedMove] = []
        state = end
        for layer, step in zip(reversed(layers), reversed(steps), strict=True):
            state, way = layer[state]
            # Impulse 0 is where a turn begins: nothing moves in it.
            track += [replace(step, way=way)] if step.impulse else []
        found[place] = Reached(*place, track=tuple(reversed(track)))
    return tuple(found[place] for place in sorted(found))
