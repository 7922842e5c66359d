"""`referee init game`: a scenario of the book as an orders file, or as the beginning of a game record."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from referee.cli.output import Force, must_be_writable_as, write_output
from referee.core.errors import BadInput

if TYPE_CHECKING:
    from referee.core.scenario import Scenario, ScenarioUnit


def init_game(
    file: Annotated[str, typer.Argument(help="The orders file to write; printed if none is named.")] = "",
    scenario: Annotated[str, typer.Option(help="The scenario, by number. Without it all are listed.")] = "",
    rulebook: Annotated[str, typer.Option(help="The rulebook of ships of your own (with --ship).")] = "",
    ship: Annotated[
        list[str] | None,
        typer.Option(help="A ship of your own choice, instead of a scenario: NAME=CLASS:PLAYER[@2801E/16]."),
    ] = None,
    all: Annotated[bool, typer.Option("--all", help="With the optional ships.")] = False,
    at: Annotated[
        list[str] | None,
        typer.Option("--at", help="NAME=HEX+FACING[/SPEED], where the book leaves a place to the players."),
    ] = None,
    record: Annotated[str, typer.Option(help="Begin a game record here instead.")] = "",
    players: Annotated[str, typer.Option(help="Who plays (with --record): alice,bob, a side each.")] = "",
    dice: Annotated[str, typer.Option(help="How dice are rolled (with --record).")] = "solo",
    umpire: Annotated[str, typer.Option(help="The umpire, who does not play (with --record).")] = "",
    seed: Annotated[str, typer.Option(help="The text of practice dice (with --record, --dice seed).")] = "",
    alone: Annotated[
        bool, typer.Option("--alone", help="One person plays all sides (with --record, solo dice).")
    ] = False,
    force: Force = False,
) -> None:
    """Start a game from a scenario of the book, or with ships of your own."""
    from referee.play.scenario_begun import opening, with_places
    from referee.rulebooks.registry import load_scenario

    if ship:
        from referee.cli.game_new import game_new

        if scenario or not record:
            hint = "leave one out" if scenario else "name the record: --record duel.jsonl"
            raise BadInput(f"--ship {'and --scenario' if scenario else 'without --record'}", hint=hint)
        game_new(record, players, rulebook, dice, umpire, seed, ship, alone=alone)
        return
    if not scenario:
        if at:
            raise BadInput("--at without --scenario", hint="name the scenario: --scenario 3")
        typer.echo("\n".join(_listed()))
        return
    chosen = with_places(load_scenario(scenario), at or [])
    units = [unit for unit in chosen.units if all or not unit.optional]
    if record:
        if file:
            raise BadInput(f"{file} and --record {record}", hint="an orders file, or a record")
        _begin(chosen, units, record, players, dice, umpire, seed, alone)
        return
    for option, value in (("--players", players), ("--umpire", umpire), ("--seed", seed)):
        if value:
            raise BadInput(f"{option} without --record", hint="name the record: --record duel.jsonl")
    must_be_writable_as(file, "full")
    write_output(opening(chosen, units, file or "FILE"), file, new=not force)


def _listed() -> Iterator[str]:
    from referee.rulebooks.registry import load_scenario, scenario_ids

    for id in scenario_ids():
        scenario = load_scenario(id)
        yield f"{id:<3} {scenario.title:<22} {scenario.rulebook:<13} {' against '.join(scenario.opponents[:2])}"


def _begin(
    scenario: Scenario,
    units: list[ScenarioUnit],
    record: str,
    players: str,
    dice: str,
    umpire: str,
    seed: str,
    alone: bool,
) -> None:
    """Begins a record with the scenario's ships, a side for each player, the last with what is left.

    A unit that never moves is nobody's to play, and stays out of it.
    """
    from referee.cli.game_new import say_begun
    from referee.core.scenario import placement
    from referee.play.game_file import agreeing
    from referee.play.scenario_begun import (
        PLAYERS_CHOOSE,
        drone_data,
        drone_placed,
        drones_told,
        open_places,
        robot_told,
    )
    from referee.play.start import Terms, begin
    from referee.sources.settings import read_settings

    names = agreeing(players) if players else []
    if not names:
        raise BadInput("who plays is not given", hint="--players alice,bob")
    still = [unit for unit in units if unit.speed == 0]
    units = [unit for unit in units if unit not in still]
    if homeless := open_places(units):
        raise BadInput(
            f"{', '.join(homeless)}: {PLAYERS_CHOOSE}",
            hint="put each somewhere: "
            + " ".join(f'--at "{name}=HEX+FACING/SPEED"' for name in homeless[:1]),
        )
    owner = {side: names[min(n, len(names) - 1)] for n, side in enumerate(scenario.opponents)}
    ships = []
    for unit in units:
        placed = placement(unit)
        speed = "" if placed.speed is None else f"/{placed.speed}"
        ships.append(f"{unit.name}={unit.class_id}:{owner[unit.side]}@{unit.hex}{unit.facing}{speed}")
    orders = owner if len(names) > 1 else {}
    drones = tuple(drone_data(drone_placed(seeker), orders) for seeker in scenario.seekers)
    options = [f"{name}={value}" for name, value in scenario.rules.items()]
    title = f"Scenario {scenario.id}: {scenario.title}"
    terms = Terms(record, names, dice, umpire, seed, title, alone, scenario=scenario.id, drones=drones)
    owner_of = {unit.name: owner[unit.side] for unit in units}
    terms = replace(terms, robots=tuple(unit.name for unit in units if unit.robot))
    say_begun(terms, begin(terms, read_settings(scenario.rulebook, options), ships))
    for unit in still:
        typer.echo(f"not in the record: {unit.name}, which neither moves nor fires")
    for name in terms.robots:
        typer.echo(robot_told(name, owner_of[name], f"referee robot {record} --ship {name} --play"))
    for sentence in drones_told(drones):
        typer.echo(sentence)
