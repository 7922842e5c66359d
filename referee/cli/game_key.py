"""`referee game key`: the signing keys of a game."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from referee.cli.game_status import say_head
from referee.cli.options import RecordFile
from referee.core.errors import BadInput
from referee.play.append import append
from referee.play.game_file import open_game, player_in
from referee.record.secretfiles import secrets_folder
from referee.record.signatures import followed
from referee.record.signing import new_signing_key
from referee.record.signkeys import export_key, import_key, kept_names, save_key

if TYPE_CHECKING:
    from referee.play.game_file import NewEntry


def register(game: typer.Typer) -> None:
    """Adds the command."""
    game.command("key")(game_key)


def game_key(
    path: RecordFile,
    player: Annotated[str, typer.Option("--as", help="Whose key this is about.")] = "",
    export: Annotated[str, typer.Option(help="Write the key to this new file: whoever has it signs.")] = "",
    take: Annotated[str, typer.Option("--import", help="Take in a key that --export wrote.")] = "",
    replace: Annotated[
        bool, typer.Option("--replace", help="A new key for one that is lost; all others have to agree.")
    ] = False,
    reason: Annotated[str, typer.Option(help="Why, for --replace.")] = "lost",
) -> None:
    """Show whose signing keys are kept here; carry one to another machine, or replace a lost one."""
    if sum(map(bool, (export, take, replace))) > 1:
        raise BadInput("--export, --import and --replace are given one at a time")
    game = open_game(path)
    signers, folder = followed(game.entries), secrets_folder(path)
    if not signers.signed:
        raise BadInput("is unsigned: nobody has a key in it", file=path)
    if not (export or take or replace):
        kept = kept_names(folder, signers.keys)
        for name, public in signers.keys.items():
            begun = ", made when the game was begun" if name in signers.first else ""
            typer.echo(f"{name}: {public}, kept {'here' if name in kept else 'elsewhere'}{begun}")
        return
    me = player_in(game, player)
    if export:
        export_key(folder, signers, me, export)
        typer.echo(f"the signing key of {me} is in {export}: give it to nobody else")
    elif take:
        import_key(folder, signers, me, take)
        typer.echo(f"the signing key of {me} is kept here")
    else:
        others = [name for name in signers.keys if name != me]
        own = save_key(folder, signers.game, me, new_signing_key())
        data = {"player": me, "signer": own, "agreed_by": others, "reason": reason}
        entry: NewEntry = ("signer", data)
        game = append(path, lambda _: [entry])
        typer.echo(f"{me} has a new signing key")
        say_head(game)
