"""`referee game key`, and the signing key that a player takes a seat with."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from referee.core.errors import BadInput
    from referee.play.game_file import Game, NewEntry


def new_key(game: Game, me: str) -> str:
    """A signing key for a player who joins, written to the folder of secrets: its public part. Empty where the
    record is unsigned, the key that counts is kept here already, or it has signed and cannot be replaced so."""
    from referee.record.secretfiles import secrets_folder
    from referee.record.signatures import followed
    from referee.record.signing import new_signing_key
    from referee.record.signkeys import kept_key, save_key

    signers = followed(game.entries)
    folder = secrets_folder(game.path)
    if not signers.may_join(me) or kept_key(folder, me, signers.keys[me]):
        return ""
    return save_key(folder, signers.game, me, new_signing_key())


def nothing_to_join(game: Game, me: str) -> BadInput:
    """Why somebody has no seat to take: he has it, or somebody else has."""
    from referee.core.errors import BadInput
    from referee.record.secretfiles import secrets_folder
    from referee.record.signatures import followed
    from referee.record.signkeys import kept_key

    signers = followed(game.entries)
    if not signers.signed or kept_key(secrets_folder(game.path), me, signers.keys[me]):
        return BadInput(f"{game.state.dice_mode} dice need nothing of {me}", file=game.path)
    hint = f"if {me} did not, somebody else has taken the seat: do not play on"
    return BadInput(f"{me} has signed already, with a key that is not kept here", file=game.path, hint=hint)


def game_key(
    path: Annotated[str, typer.Argument(help="The record.")],
    player: Annotated[str, typer.Option("--as", help="Whose key this is about.")] = "",
    export: Annotated[str, typer.Option(help="Write the key to this new file: whoever has it signs.")] = "",
    take: Annotated[str, typer.Option("--import", help="Take in a key that --export wrote.")] = "",
    replace: Annotated[
        bool, typer.Option("--replace", help="A new key for one that is lost; all others have to agree.")
    ] = False,
    reason: Annotated[str, typer.Option(help="Why, for --replace.")] = "lost",
) -> None:
    """Show whose signing keys are kept here; carry one to another machine, or replace a lost one."""
    from referee.core.errors import BadInput
    from referee.play.append import append
    from referee.play.game_file import open_game, player_in, say_head
    from referee.record.secretfiles import secrets_folder
    from referee.record.signatures import followed
    from referee.record.signing import new_signing_key
    from referee.record.signkeys import export_key, import_key, kept_names, save_key

    if sum(map(bool, (export, take, replace))) > 1:
        raise BadInput("--export, --import and --replace are said one at a time")
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
