"""How a game stands, said: to all, or to one side."""

from __future__ import annotations

from json import dumps
from typing import TYPE_CHECKING

import typer

from referee.cli.options import AsJson, Record, SideKnows
from referee.core.errors import BadInput
from referee.play.game_file import open_game
from referee.play.telling import head_said

if TYPE_CHECKING:
    from referee.core.combat import CloakState
    from referee.play.game_file import Game


def register(game: typer.Typer) -> None:
    """Adds the command."""
    game.command("status")(game_status)


def game_status(
    path: Record,
    side: SideKnows = "",
    json: AsJson = False,
) -> None:
    """Show where the turn stands, the ships, and what is awaited from whom."""
    typer.echo(status_of(path, side, "json" if json else "full"), nl=False)


def say_keys(path: str) -> None:
    """Says where the secrets of a record are that were written."""
    from referee.record.secretfiles import secrets_folder

    folder = secrets_folder(path)
    if folder.is_dir():
        typer.echo(f"{folder}: your keys; keep this folder, and send it to nobody")


def status_of(path: str, side: str, form: str) -> str:
    """How a game stands: for all to see, or as one side knows it."""
    return status_said(open_game(path), side, form)


def status_said(game: Game, side: str, form: str) -> str:
    """How an opened game stands."""
    from referee.adjudicator.standing import standing_of
    from referee.play.comes_next import next_told
    from referee.play.table import awaited_in
    from referee.play.whose import movers_in, movers_told
    from referee.report.gametext import status_json, status_text

    warn_of_rules(game)
    if side:
        return side_only(game, side, form)
    waits, stands = awaited_in(game), standing_of(game.state)
    classes = game.ship_classes
    cloaks = hidden_in(game)
    over = stands is not None and stands.over
    moves = "" if over else movers_told(game, at_a_desk=False)
    if form == "json":
        document = status_json(game.state, classes, waits, game.head, stands, cloaks)
        return dumps(document | ({"moves": movers_in(game)} if moves else {}), indent=2) + "\n"
    text = status_text(game.state, classes, waits, stands, cloaks)
    after = "" if over or moves else next_told(game)
    return "\n".join(filter(None, (text, moves, after, f"head {game.head}"))) + "\n"


def hidden_in(game: Game) -> dict[str, CloakState]:
    """The ships that are cloaked or fading."""
    if not any(ship.announced or ship.forms for ship in game.state.ships.values()):
        return {}  # A cloak is announced or paid for.
    from referee.adjudicator.record_shots import cloaks_of

    return cloaks_of(game.rulebook, game.state)


def side_only(game: Game, side: str, form: str) -> str:
    """A game as one side knows it. Raises BadInput where nothing is hidden from anybody."""
    from referee.report.documents import as_text

    if game.state.own is None:
        raise BadInput("nothing in this game is secret to one side", hint="sealed orders stay sealed")
    document = game.state.own.document(side)
    return dumps(document, indent=2) + "\n" if form == "json" else as_text(document)


def say_head(game: Game) -> None:
    """The head code, for pasting into chat."""
    typer.echo(head_said(game.head))


def warn_of_rules(game: Game) -> None:
    """Says on standard error where this installation has other rules than the game."""
    if reason := game.other_rules:
        typer.echo(f"referee: {game.path}: {reason}", err=True)


def say_awaited(game: Game) -> None:
    """Says who has won, where the game is over, and what it waits for, from whom."""
    from referee.adjudicator.standing import standing_of
    from referee.play.comes_next import next_told
    from referee.play.table import awaited_in
    from referee.play.whose import movers_told
    from referee.report.gametext import victory_line

    if (stands := standing_of(game.state)) and stands.over:
        typer.echo(victory_line(stands))

    waits = awaited_in(game)
    for player, what in waits:
        typer.echo(f"awaited from {player}: {what}")
    if stands is not None and stands.over:
        return
    if sentence := movers_told(game, at_a_desk=False) or next_told(game):
        typer.echo(sentence)
