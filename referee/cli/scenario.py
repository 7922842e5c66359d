"""`referee init game`: a scenario of the book as an orders file, or as the beginning of a game record."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from referee.core.orders import DronePlaced, Placement
    from referee.core.scenario import Scenario, ScenarioSeeker, ScenarioUnit


def complete_scenario(incomplete: str) -> list[str]:
    """Scenarios for the shell."""
    from referee.rulebooks.registry import scenario_ids

    return [id for id in scenario_ids() if id.startswith(incomplete)]


def init_game(
    file: Annotated[str, typer.Argument(help="The orders file to write; printed if none is named.")] = "",
    scenario: Annotated[
        str, typer.Option(help="The scenario, by number; none lists them.", autocompletion=complete_scenario)
    ] = "",
    all: Annotated[bool, typer.Option("--all", help="With the ships that may be left out.")] = False,
    record: Annotated[str, typer.Option(help="Begin a game record here instead.")] = "",
    players: Annotated[str, typer.Option(help="Who plays (with --record): alice,bob, a side each.")] = "",
    dice: Annotated[str, typer.Option(help="How dice are rolled (with --record).")] = "solo",
    seed: Annotated[str, typer.Option(help="The text of practice dice (with --record, --dice seed).")] = "",
    alone: Annotated[
        bool, typer.Option("--alone", help="Draw every player's nonce here (with --record, solo dice).")
    ] = False,
) -> None:
    """Start a game from a scenario of the book: ships, hexes, facings, speeds and what comes next."""
    from referee.cli.output import new_file
    from referee.core.errors import BadInput
    from referee.rulebooks.registry import load_scenario

    if not scenario:
        typer.echo("\n".join(_listed()))
        return
    chosen = load_scenario(scenario)
    units = [unit for unit in chosen.units if all or not unit.optional]
    if record:
        if file:
            raise BadInput(f"{file} and --record {record}", hint="an orders file, or a record")
        _begin(chosen, units, record, players, dice, seed, alone)
        return
    for option, said in (("--players", players), ("--seed", seed)):
        if said:
            raise BadInput(f"{option} without --record", hint="name the record: --record duel.jsonl")
    text = opening(chosen, units, file or "FILE")
    if file:
        new_file(file, text)
    else:
        typer.echo(text, nl=False)


def _listed() -> Iterator[str]:
    from referee.rulebooks.registry import load_scenario, scenario_ids

    for id in scenario_ids():
        one = load_scenario(id)
        yield f"{id:<3} {one.title:<22} {one.rulebook:<13} {' against '.join(one.sides[:2])}"


def opening(scenario: Scenario, units: Iterable[ScenarioUnit], file: str) -> str:
    """A scenario as an orders file, with what the order language does not say as comments."""
    from referee.core.orders import OrdersFile
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
    lines += [f"ends when {ending.says}{_won(ending.wins)}" for ending in scenario.endings]
    lines += [f"{unit.name}: {unit.note}" for unit in placed if unit.note]
    lines += [
        f"ship {unit.name} = {unit.class_id} at HEX+FACING side {unit.side}"
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


def placement(unit: ScenarioUnit) -> Placement:
    """A unit of a scenario as the order language places it: its speed is that of the turn before."""
    from referee.core.orders import Placement

    assert unit.hex is not None and unit.facing is not None
    before = unit.speed if unit.previous_speed is None else unit.previous_speed
    return Placement(unit.name, unit.class_id, unit.hex, unit.facing, before, unit.side)


def drone_placed(seeker: ScenarioSeeker) -> DronePlaced:
    """A drone of a scenario as the order language places it."""
    from referee.core.orders import DronePlaced

    return DronePlaced(seeker.name, seeker.hex, seeker.facing, seeker.speed, seeker.target)


def _won(side: str) -> str:
    return f": {side} wins" if side else ""


def _next_steps(scenario: Scenario, units: list[ScenarioUnit], file: str) -> Iterator[str]:
    ready = [unit for unit in units if unit.hex]
    if not ready:
        yield f"Next: put the hexes in above, then `turn 1`, and `referee check {file}`"
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


def _begin(
    scenario: Scenario,
    units: list[ScenarioUnit],
    record: str,
    players: str,
    dice: str,
    seed: str,
    alone: bool,
) -> None:
    """Begins a record with the scenario's ships, a side for each player, the last with what is left.

    A unit that never moves is nobody's to play, and stays out of it.
    """
    from referee.cli.game.app import say_begun
    from referee.cli.game.file import agreeing
    from referee.cli.game.start import Terms, begin
    from referee.cli.settings import read_settings
    from referee.core.errors import BadInput

    names = agreeing(players) if players else []
    if not names:
        raise BadInput("who plays is not said", hint="--players alice,bob")
    units = [unit for unit in units if unit.speed != 0]
    homeless = [unit.name for unit in units if unit.hex is None]
    if homeless:
        raise BadInput(
            f"where {', '.join(homeless)} start was not found in the sources",
            hint="place them yourself: referee game new --ship NAME=CLASS:PLAYER@HEX",
        )
    if scenario.seekers:
        drones = ", ".join(seeker.name for seeker in scenario.seekers)
        typer.echo(f"not in the record: drones {drones}; it holds what is launched in it", err=True)
    owner = {side: names[min(n, len(names) - 1)] for n, side in enumerate(scenario.sides)}
    ships = []
    for unit in units:
        placed = placement(unit)
        speed = "" if placed.speed is None else f"/{placed.speed}"
        ships.append(f"{unit.name}={unit.class_id}:{owner[unit.side]}@{unit.hex}{unit.facing}{speed}")
    options = [f"{name}={value}" for name, value in scenario.rules.items()]
    title = f"Scenario {scenario.id}: {scenario.title}"
    terms = Terms(record, names, dice, "", seed, title, alone, scenario=scenario.id)
    say_begun(terms, begin(terms, read_settings(scenario.rulebook, options), ships))
