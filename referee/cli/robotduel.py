"""`referee robot --scenario`: a scenario played out by robots on all sides."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from referee.adjudicator.robotduel import Duel
    from referee.cli.settings import Settings
    from referee.core.robot import Flown


def duel(id: str, turns: int, seed: str, settings: Settings, json: bool, output: str) -> None:
    """Plays a scenario out; tells how it ended, and writes its orders file."""
    from json import dumps

    from referee.adjudicator.robotduel import MOST_TURNS, play_out
    from referee.cli.data import new_file
    from referee.cli.dicecup import chosen_dice
    from referee.cli.settings import rulebook_in_force
    from referee.core.errors import BadInput
    from referee.formats.orders import format_orders
    from referee.rulebooks.registry import load_scenario, load_ship

    if not 1 <= turns <= MOST_TURNS:
        raise BadInput(f"--turns {turns}", hint=f"1 to {MOST_TURNS}")
    scenario = load_scenario(id)
    dice: Any = chosen_dice("", seed, False)
    book = rulebook_in_force(settings.rulebook or scenario.rulebook, settings)
    played = play_out(book, scenario, load_ship, dice, turns)
    head = [
        f"Scenario {scenario.id}: {scenario.title}, played by robots; dice: {dice.source}",
        *_told(played),
    ]
    text = "".join(f"# {line}\n" for line in head) + format_orders(played.orders)
    if output:
        new_file(output, text, quiet=json)
    if json:
        typer.echo(dumps(_document(id, played, dice.source), indent=2, ensure_ascii=False))
    elif output:
        for line in head:
            typer.echo(line)
    else:
        typer.echo(text, nl=False)


def _told(played: Duel) -> Iterator[str]:
    """How it ended, and what is left of the ships."""
    moment = played.decisions[-1][0]
    won = f"{played.victory.winner} wins" if played.victory.winner else "nobody wins"
    yield f"{won} in turn {moment.turn}, impulse {moment.impulse}: {played.victory.why}"
    for one in played.ships:
        if one.ship.boxes:
            yield f"{one.name}: {_left(one)}"


def _left(one: Flown) -> str:
    if one.state.dead:
        return "destroyed"
    shields = " ".join(f"#{number} {boxes}" for number, boxes in sorted(one.state.shields.items()))
    return f"at {one.unit.hex}{one.unit.facing}, {len(one.state.destroyed)} boxes lost, shields {shields}"


def _document(id: str, played: Duel, dice: str) -> dict[str, Any]:
    from referee.formats.orders import format_order

    moment = played.decisions[-1][0]
    return {
        "schema": "referee/robot-duel/1",
        "scenario": id,
        "dice": dice,
        "turns": moment.turn,
        "impulse": moment.impulse,
        "over": played.victory.over,
        "winner": played.victory.winner,
        "why": played.victory.why,
        "ships": [
            {
                "name": one.name,
                "ship": one.ship.id,
                "at": f"{one.unit.hex}{one.unit.facing}",
                "destroyed": one.state.dead,
                "boxes_lost": len(one.state.destroyed),
                "shields": {str(number): boxes for number, boxes in sorted(one.state.shields.items())},
            }
            for one in played.ships
        ],
        "decisions": [
            {
                "turn": when.turn,
                "impulse": when.impulse,
                "ship": decision.ship,
                "instruction": decision.instruction,
                "why": decision.why,
            }
            for when, decision in played.decisions
        ],
        "orders": [format_order(order).strip() for order in played.orders.orders],
    }
