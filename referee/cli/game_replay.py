"""`referee game replay`: the retelling, a game entry by entry."""

from __future__ import annotations

from dataclasses import replace
from json import dumps
from typing import Annotated

import typer

from referee.adjudicator.standing import standing_of
from referee.cli.game_status import hidden_in, side_only, warn_of_rules
from referee.cli.options import Record, SideKnows
from referee.core.errors import BadInput
from referee.core.gamefold import fold_game
from referee.play.game_file import open_game
from referee.play.rulebook import own_fold
from referee.play.told_again import lines_again
from referee.record.headcode import head_code
from referee.report.gametext import state_hash, status_json, status_text
from referee.report.trektext import act_lines
from referee.rulebooks.registry import load_ship


def register(game: typer.Typer) -> None:
    """Adds the command."""
    game.command("replay")(game_replay)


def game_replay(
    path: Record,
    to: Annotated[int | None, typer.Option(help="Stop after this entry (#) and show the game there.")] = None,
    side: SideKnows = "",
    json: Annotated[bool, typer.Option("--json", help="The state as JSON.")] = False,
) -> None:
    """Retell a game in the terminal: every entry with what came of it, or the state after one of them.

    The replay page, to look at in a browser, is `referee replay`.
    """
    game = open_game(path)
    warn_of_rules(game)
    if to is None and not json and not side:
        for line in lines_again(game, of_act=act_lines):
            typer.echo(line)
        typer.echo(f"state {state_hash(game.state)}")
        return
    last = len(game.entries) - 1 if to is None else to
    if not 0 <= last < len(game.entries):
        raise BadInput(f"no entry #{last}", file=path, hint=f"0 to {len(game.entries) - 1}")
    state = fold_game(game.entries[: last + 1], load_ship, own_fold(game.entries))
    if side:
        typer.echo(side_only(replace(game, state=state), side, "json" if json else "full"), nl=False)
        return
    classes = {name: game.ship_class(ship) for name, ship in state.ships.items()}
    cloaks = hidden_in(replace(game, state=state))
    if json:
        head = head_code(last, game.entries[last].hash)
        document = status_json(state, classes, [], head, standing_of(state), cloaks) | {
            "state_hash": state_hash(state)
        }
        typer.echo(dumps(document, indent=2))
    else:
        typer.echo(status_text(state, classes, [], standing_of(state), cloaks))
        typer.echo(f"state {state_hash(state)}")
