"""A scenario of the book as the beginning of a game: its units where players put them, and its orders file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from referee.core.errors import BadInput
from referee.core.hexgrid import parse_map_position
from referee.core.naming import folded
from referee.core.orders import DronePlaced, OrdersFile
from referee.core.scenario import edges_left_by, placement
from referee.rulebooks.base import nearest

if TYPE_CHECKING:
    from referee.core.hexgrid import Hex
    from referee.core.scenario import Scenario, ScenarioSeeker, ScenarioUnit


PLAYERS_CHOOSE = "where they start was not found in the sources and is the players' to choose"


def with_places(scenario: Scenario, places_given: Iterable[str]) -> Scenario:
    """A scenario with what the book leaves to the players put where they say. Raises BadInput for a unit that it
    sets up elsewhere, or that is not there."""
    for given in places_given:
        name, hex, facing, speed = _said_place(scenario, given)
        places = _places(scenario, name)
        if places and (f"{hex}{facing}" not in places or speed is not None):
            hint = f"the book sets it up at {' or '.join(places)}, at the speed it says"
            raise BadInput(f"--at {given[:60]}", hint=hint)
        changed: dict[str, Any] = {"hex": hex, "facing": facing}
        changed |= {} if speed is None else {"previous_speed": speed}
        scenario = replace(
            scenario,
            units=tuple(replace(u, **changed) if u.name == name else u for u in scenario.units),
            seekers=tuple(replace(s, **changed) if s.name == name else s for s in scenario.seekers),
        )
    return scenario


def _places(scenario: Scenario, name: str) -> list[str]:
    """Where the book sets a unit up, each with its facing; nothing where that is the players' to choose."""
    units = [f"{unit.hex}{unit.facing}" for unit in scenario.units if unit.name == name and unit.hex]
    return units + [
        f"{hex}{facing}"
        for seeker in scenario.seekers
        if seeker.name == name
        for hex, facing in ((seeker.hex, seeker.facing), *seeker.elsewhere)
    ]


def _said_place(scenario: Scenario, given: str) -> tuple[str, Hex, str, int | None]:
    """Unit, hex, facing and speed of `NAME=2801E/16`, on the map of the scenario. Raises BadInput."""
    name, _, rest = given.partition("=")
    at, slash, speed = rest.strip().partition("/")
    known = [unit.name for unit in scenario.units] + [seeker.name for seeker in scenario.seekers]
    found = next((each for each in known if folded(each) == folded(name)), None)
    if found is None:
        raise BadInput(f"--at {given[:60]}: no {name[:40]} in the scenario", hint=nearest(name, known))
    try:
        hex, facing = parse_map_position(at)
    except ValueError as error:
        raise BadInput(f"--at {given[:60]}: {error}", hint=f"--at {found}=1010A/8") from None
    if facing is None or bool(slash) != (speed.isascii() and speed.isdecimal() and len(speed) < 3):
        raise BadInput(
            f"--at {given[:60]}", hint=f"hex, facing and, if you like, speed: --at {found}=1010A/8"
        )
    if edges_left_by(hex, scenario.within):
        first, last = scenario.within
        raise BadInput(f"--at {given[:60]}", hint=f"the map of the scenario is {first} to {last}")
    return found, hex, facing, int(speed) if slash else None


def open_places(units: Iterable[ScenarioUnit]) -> list[str]:
    """The units whose place the book leaves to the players, and that they have not put anywhere."""
    return [unit.name for unit in units if not unit.hex]


def opening(scenario: Scenario, units: Iterable[ScenarioUnit], file: str) -> str:
    """A scenario as an orders file, with what the order language does not say as comments."""
    from referee.formats.orders import format_orders

    placed = list(units)
    (first, last), options = scenario.within, headed(scenario)
    ships = tuple(placement(unit) for unit in placed if unit.hex)
    drones = tuple(drone_placed(seeker) for seeker in scenario.seekers)
    head = OrdersFile(scenario.rulebook, scenario.impulses, options, ships, drones=drones)
    lines = [
        f"Scenario {scenario.id}: {scenario.title}",
        f"map {first} to {last}",
        f"aim: {scenario.objective}",
    ]
    lines += [f"{'' if status == 'verified' else f'({status}) '}{text}" for text, status in scenario.special]
    lines += [f"ends when {ending.wording}{_won(ending.wins, ending.lost)}" for ending in scenario.endings]
    lines += [f"{unit.name}: {unit.note}" for unit in placed if unit.note]
    if open_places(placed):
        lines += [f"{', '.join(open_places(placed))}: {PLAYERS_CHOOSE} (or init game --at NAME=HEX+FACING)"]
    lines += [
        f"ship {unit.name} = {unit.class_id} at HEX+FACING{_speed_said(unit)} side {unit.side}"
        for unit in placed
        if not unit.hex
    ]
    lines += [
        f"to add: {format_orders(OrdersFile(ships=(placement(unit),))).strip()}"
        for unit in scenario.units
        if unit.hex and unit not in placed
    ]
    lines += [
        f"{seeker.type} {seeker.name} ({seeker.status}): {seeker.note}"
        for seeker in scenario.seekers
        if seeker.note
    ]
    steps = _next_steps(scenario, placed, file)
    return "".join(f"# {line}\n" for line in lines) + format_orders(head) + "".join(f"# {s}\n" for s in steps)


def headed(scenario: Scenario) -> tuple[tuple[str, str], ...]:
    """The options of a scenario as an orders file has them, which gives impulses a line of their own."""
    return tuple((name, value) for name, value in scenario.rules.items() if name != "impulses")


def _speed_said(unit: ScenarioUnit) -> str:
    before = unit.speed if unit.previous_speed is None else unit.previous_speed
    return "" if before is None else f" speed {before}"


def drone_placed(seeker: ScenarioSeeker) -> DronePlaced:
    """A drone of a scenario as the order language places it."""
    return DronePlaced(seeker.name, seeker.hex, seeker.facing, seeker.speed, seeker.target, seeker.side)


def _won(wins: str, lost: str) -> str:
    return f": {wins} wins" if wins else f": {lost} has lost" if lost else ""


def _next_steps(scenario: Scenario, units: list[ScenarioUnit], file: str) -> Iterator[str]:
    ready = [unit for unit in units if unit.hex]
    if not ready:
        yield f"Next: put the hexes in above, without the `#`, then `turn 1`, and `referee check {file}`"
        return
    first = ready[0]
    yield "Next, a turn, such as:"
    yield "turn 1"
    yield f"  {first.name}: speed {first.speed if first.speed is not None else 12}"
    yield "impulse 1"
    yield f"  {first.name}: ahead"
    yield f"then `referee check {file}`"
    for unit in ready:
        if unit.robot:
            yield f"or have the robot play: `referee robot {file} --ship {unit.name} --play`"


def drone_data(drone: DronePlaced, owner: Mapping[str, str]) -> dict[str, Any]:
    """A drone that is placed as a record holds it. `owner` is who plays each side: what goes after a target is
    ordered by the player of its side, what flies straight ahead by nobody."""
    player = owner.get(drone.side, "") if drone.target else ""
    parts = {"target": drone.target, "side": drone.side, "player": player}
    placed = {"name": drone.name, "at": f"{drone.hex}{drone.facing}", "speed": drone.speed}
    return placed | {name: text for name, text in parts.items() if text}


def drones_told(drones: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """Who orders the drones."""
    by: dict[tuple[str, str], list[str]] = {}
    for drone in drones:
        by.setdefault((drone.get("player", ""), drone.get("target", "")), []).append(drone["name"])
    for (player, target), names in by.items():
        course = f"after {target}" if target else "straight ahead"
        who = f"ordered by {player}" if player else "by themselves"
        yield f"drones {', '.join(names)} fly {course}, {who}"


def robot_told(ship: str, player: str, plays: str) -> str:
    """That a ship is a robot, what plays it, and that its player may fly it; `plays` is the command."""
    return f"{ship} is a robot, which fills in no form: {plays}; or {player} flies it as any other, with a form or a speed"
