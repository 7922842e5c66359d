"""`referee robot`: what the Robot Opponent does in a game."""

from __future__ import annotations

from json import dumps
from typing import TYPE_CHECKING, Annotated, Any

import typer

from referee.adjudicator.robot import play_on
from referee.adjudicator.robot_orders import OrdersTable
from referee.cli.options import AsJson, Choices, House
from referee.core.dice import seeded_dice
from referee.core.errors import BadInput
from referee.core.naming import folded
from referee.formats.orderfiles import is_orders
from referee.formats.orders import format_order, read_orders
from referee.play.orders_added import added_to
from referee.play.robot import ready
from referee.report.robottext import robot_json, robot_lines
from referee.rulebooks.base import nearest
from referee.rulebooks.registry import load_ship
from referee.sources.default_game import default_game
from referee.sources.inputs import read_input
from referee.sources.settings import read_settings, rulebook_in_force

if TYPE_CHECKING:
    from referee.adjudicator.robot import Played
    from referee.core.orders import OrdersFile
    from referee.core.robot import Situation
    from referee.rulebooks.base import Rulebook
    from referee.sources.inputs import InputBytes
    from referee.sources.settings import Settings


def register(app: typer.Typer) -> None:
    """Adds the command."""
    app.command("robot")(robot)


def robot(
    game: Annotated[
        str, typer.Argument(help="An orders file, or a record; the only record in the folder.")
    ] = "",
    ship: Annotated[str, typer.Option(help="The ship the robot flies.")] = "",
    play: Annotated[bool, typer.Option("--play", help="Write its orders into the game.")] = False,
    player: Annotated[str, typer.Option("--as", help="Who orders for it, in a record.")] = "",
    seed: Annotated[str, typer.Option(help="The text of its dice, by which its coins fall.")] = "",
    rulebook: Annotated[str, typer.Option(help="Play by this rulebook instead of the game's.")] = "",
    option: Choices = None,
    house: House = "",
    json: AsJson = False,
) -> None:
    """Say what the Robot Opponent does now, by which instruction and why.

    In an orders file it goes on to the next impulse in which it acts or waits for another ship. In a record, where
    no step comes back, it acts in the impulse the game is in.
    """
    settings = read_settings(rulebook, option, house)
    if not game:
        game = default_game("referee robot GAME --ship NAME")
    if not ship:
        raise BadInput("which ship the robot flies is not given", hint="--ship NAME")
    if game.endswith(".jsonl"):
        _in_record(game, ship, play, player, seed, settings, json)
    else:
        _in_orders(game, ship, play, seed, settings, json)


def _in_orders(path: str, ship: str, play: bool, seed: str, settings: Settings, json: bool) -> None:
    source = read_input(path)
    orders = _read(source)
    rulebook = _rulebook(orders, settings)
    robot, within, dice = ready(rulebook, seed)
    name = _named(ship, [placed.ship for placed in orders.ships], path)
    hits = seeded_dice(f"hits {seed}") if seed else None
    seat = OrdersTable(robot, orders, load_ship, (name,), within, hits).seat(name)
    if not seat.flies:
        raise BadInput(f"{name} is no ship a robot can fly", file=path, hint="it has no SSD")
    played = play_on(robot, seat)
    lines = [format_order(order) for order in played.orders]
    if play and lines:
        added_to(source, "".join(f"{line}\n" for line in lines))
    _say(seat.round().situation, played, lines, dice, json)


def _read(source: InputBytes) -> OrdersFile:
    if source.kind != "text" or not is_orders(source.data):
        raise BadInput(
            "is no orders file", file=source.name, hint="start one: referee init game --scenario 4"
        )
    return read_orders(source.data, source.name, load_ship)


def _rulebook(orders: OrdersFile, settings: Settings) -> Rulebook:
    id = settings.rulebook or orders.rulebook
    if not id:
        raise BadInput("the orders name no rulebook", hint="rulebook sfb-cadet, or --rulebook")
    rulebook: Rulebook = rulebook_in_force(id, settings)
    impulses = {} if orders.impulses is None else {"impulses": str(orders.impulses)}
    options = {name: value for name, value in orders.options if name not in settings.options}
    try:
        return rulebook.with_options({**options, **impulses})
    except BadInput as error:
        raise error.at(file=orders.location.file) from None


def _named(ship: str, names: list[str], path: str) -> str:
    """The ship that is meant. Raises BadInput, with the nearest names, for none."""
    found = [name for name in names if folded(name) == folded(ship)]
    if not found:
        raise BadInput(f"no ship {ship}", file=path, hint=nearest(ship, names))
    return found[0]


def _in_record(
    path: str, ship: str, play: bool, player: str, seed: str, settings: Settings, json: bool
) -> None:
    from referee.cli.game_status import say_head
    from referee.play.game_file import open_game
    from referee.play.moving_on import recorded
    from referee.play.robot_turn import robot_turn

    if settings.origins.get("rulebook") or any(o == "--option" for o in settings.origins.values()):
        raise BadInput(
            "a record has its rules in its first line", file=path, hint="leave --rulebook and --option out"
        )
    game = open_game(path)
    ready(game.rulebook, seed)
    name = _named(ship, list(game.state.ships), path)
    now, played, ordering, dice = robot_turn(game, name, player, seed)
    lines = [format_order(order) for order in played.orders]
    if play and ordering.new:
        game = recorded(game, ordering, force=False)
    _say(now, played, lines, dice, json)
    if play and ordering.new and not json:
        say_head(game)


def _say(now: Situation, played: Played, lines: list[str], dice: Any, json: bool) -> None:
    if json:
        document = robot_json(now, played.decisions, lines, played.awaited, dice.source)
        typer.echo(dumps(document, indent=2, ensure_ascii=False))
        return
    for line in robot_lines(now, played.decisions, lines, played.awaited):
        typer.echo(line)
    if dice.rolls:
        typer.echo(f"coin: {dice.source}")
