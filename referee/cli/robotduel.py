"""`referee robot --scenario`: a scenario played out by robots on all sides."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import typer

from referee.adjudicator.robot_duel import MOST_TURNS, play_out
from referee.cli.game_status import say_keys
from referee.cli.output import json_text, must_be_writable_as, say_wrote, write_output
from referee.core.dice import seeded_dice
from referee.core.errors import BadInput
from referee.core.frozen import frozen
from referee.core.naming import how_many
from referee.formats.files import hold_apart
from referee.formats.orders import format_order, format_orders
from referee.play.robot import duel_into
from referee.rulebooks.registry import load_scenario, load_ship
from referee.sources.dice_cup import chosen_dice
from referee.sources.settings import rulebook_in_force

if TYPE_CHECKING:
    from referee.core.combat import Moment
    from referee.core.finding import Finding
    from referee.core.robot import Decision, ShipSeen
    from referee.core.scenario import Scenario, Victory
    from referee.sources.settings import Settings


@frozen
class Ended:
    """How a duel ended, in a file or in a record: the ships as they are left, every decision, every order, and what
    was against the rules, which house rules may make of what a robot does."""

    scenario: Scenario
    dice: str
    victory: Victory
    ships: Sequence[ShipSeen]
    decisions: Sequence[tuple[Moment, Decision]]
    orders: Sequence[str]
    last: Moment
    against: Sequence[Finding] = ()


def duel(
    id: str, turns: int, seed: str, everyone: bool, settings: Settings, json: bool, output: str, force: bool
) -> None:
    """Plays a scenario out; tells how it ended, and writes its orders file or its record."""
    if not 1 <= turns <= MOST_TURNS:
        raise BadInput(f"--turns {turns}", hint=f"1 to {MOST_TURNS}")
    must_be_writable_as(output, "full", "jsonl")
    scenario = load_scenario(id)
    if any(unit.hex is None for unit in scenario.units) or len(scenario.sides) < 2:
        raise BadInput(
            f"scenario {id} has no ships on two sides to begin with", hint="4 to 7 are played by robots"
        )
    if everyone and not output.endswith(".jsonl"):
        raise BadInput(
            "orders do not say who is destroyed while others play on",
            hint="--all into a record: -o duel.jsonl",
        )
    if not output.endswith(".jsonl"):
        hold_apart(output, (), new=not force)
    seed = seed or chosen_dice("", "", False).source.removeprefix("seed ")
    if output.endswith(".jsonl"):
        ended = _recorded(scenario, seed, turns, everyone, settings, output)
        text = ""
    else:
        ended, text = _played(scenario, seed, turns, settings)
    if json:
        typer.echo(json_text(_document(ended)), nl=False)
    elif output:
        for line in _ending(ended):
            typer.echo(line)
    if not text:
        if not json:
            say_keys(output)
        say_wrote(output)
    elif output or not json:
        write_output(text, output, new=not force)


def _played(scenario: Scenario, seed: str, turns: int, settings: Settings) -> tuple[Ended, str]:
    """In memory, and as the text of an orders file."""
    rulebook = rulebook_in_force(settings.rulebook or scenario.rulebook, settings)
    dice = seeded_dice(seed)
    duel = play_out(rulebook, scenario, load_ship, dice, turns)
    orders = [format_order(order).strip() for order in duel.orders.orders]
    wrong = [found for found in duel.findings if found.severity == "error"]
    ended = Ended(scenario, dice.source, duel.victory, duel.ships, duel.decisions, orders, duel.last, wrong)
    text = "".join(f"# {line}\n" for line in _ending(ended)) + format_orders(duel.orders)
    return ended, text


def _recorded(
    scenario: Scenario, seed: str, turns: int, everyone: bool, settings: Settings, output: str
) -> Ended:
    """Into a record, with its dice."""
    if settings.options or settings.house.file or settings.rulebook:
        raise BadInput(
            "a duel in a record is played by the scenario's own rules", hint="write it to a .txt file"
        )
    duel = duel_into(output, scenario, seed, turns, everyone)
    dice = f"practice dice, text {seed}"
    return Ended(scenario, dice, duel.standing(), duel.ships, duel.decisions, duel.orders_given, duel.now)


def _ending(ended: Ended) -> Iterator[str]:
    """How it ended, and what is left of the ships."""
    yield f"Scenario {ended.scenario.id}: {ended.scenario.title}, played by robots; dice: {ended.dice}"
    won = f"{ended.victory.winner} wins" if ended.victory.winner else "nobody wins"
    yield f"{won} in turn {ended.last.turn}, impulse {ended.last.impulse}: {ended.victory.why}"
    for flown in ended.ships:
        if flown.ship.boxes:
            yield f"{flown.name}: {_left(flown)}"
    for found in ended.against:
        yield f"against a rule: turn {found.turn}, {found.subject}: {found.message} ({found.rule})"


def _left(flown: ShipSeen) -> str:
    if flown.state.dead:
        return "destroyed"
    shields = " ".join(f"#{number} {boxes}" for number, boxes in sorted(flown.state.shields.items()))
    return f"at {flown.unit.hex}{flown.unit.facing}, {how_many(len(flown.state.destroyed), 'box', 'boxes')} lost, shields {shields}"


def _document(ended: Ended) -> dict[str, Any]:
    return {
        "schema": "referee/robot-duel/1",
        "scenario": ended.scenario.id,
        "dice": ended.dice,
        "turns": ended.last.turn,
        "impulse": ended.last.impulse,
        "over": ended.victory.over,
        "winner": ended.victory.winner,
        "why": ended.victory.why,
        "ships": [
            {
                "name": flown.name,
                "ship": flown.ship.id,
                "at": f"{flown.unit.hex}{flown.unit.facing}",
                "destroyed": flown.state.dead,
                "boxes_lost": len(flown.state.destroyed),
                "shields": {str(number): boxes for number, boxes in sorted(flown.state.shields.items())},
            }
            for flown in ended.ships
        ],
        "decisions": [
            {
                "turn": when.turn,
                "impulse": when.impulse,
                "ship": decision.ship,
                "instruction": decision.instruction,
                "why": decision.why,
            }
            for when, decision in ended.decisions
        ],
        "orders": list(ended.orders),
    }
