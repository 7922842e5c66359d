"""`referee game new` and `join`: a record is begun, and its players take their seats."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from referee.cli.game_status import say_awaited, say_head, say_keys
from referee.cli.options import As, Choices, DataFolder, House, MapFile, ModuleFile, Record, Targets
from referee.core.errors import BadInput
from referee.core.naming import how_many
from referee.play.append import append_begun
from referee.play.game_file import agreeing
from referee.play.start import MODES, Terms, begin, rulebook_of_ships
from referee.sources.settings import read_settings

if TYPE_CHECKING:
    from referee.play.start import Begun


def register(game: typer.Typer) -> None:
    """Adds the commands."""
    game.command("new")(game_new)
    game.command("join")(game_join)


def game_new(
    path: Annotated[
        str, typer.Argument(metavar="FILE", help="The record to begin: duel.jsonl; with --from by its file.")
    ] = "",
    players: Annotated[str, typer.Option(help="Who plays: alice,bob (a-z, 0-9, _).")] = "",
    rulebook: Annotated[str, typer.Option(help="The rulebook; that of the ships, or sfb-cadet.")] = "",
    dice: Annotated[str, typer.Option(help=f"How dice are rolled: {', '.join(MODES)}.")] = "solo",
    umpire: Annotated[str, typer.Option(help="The umpire, who does not play.")] = "",
    seed: Annotated[str, typer.Option(help="The text of practice dice (mode seed).")] = "",
    ship: Annotated[
        list[str] | None,
        typer.Option(help="NAME=CLASS:PLAYER[@2801E][/SPEED], once for each; with --from NAME=CLASS."),
    ] = None,
    source: Annotated[
        str,
        typer.Option(
            "--from", help="Go on from a VASSAL save or log, a log of the online client, an orders file."
        ),
    ] = "",
    player: Annotated[
        list[str] | None, typer.Option(help="Who plays a ship or side of the file: Federation=alice.")
    ] = None,
    module: ModuleFile = "",
    map: MapFile = "",
    option: Choices = None,
    house: House = "",
    title: Annotated[str, typer.Option(help="What the game is called.")] = "",
    setup: Annotated[str, typer.Option(help="A combat file: its ships, crews, options, obstacles.")] = "",
    data: DataFolder = "",
    form: Annotated[
        list[str] | None,
        typer.Option(help="Its energy form beside a log of the online client: SHIP=form.csv."),
    ] = None,
    targets: Targets = None,
    part: Annotated[int, typer.Option(min=0, help="Which game, of such a log of several.")] = 0,
    robot: Annotated[
        list[str] | None, typer.Option(help="A ship that a robot plays: it fills in no form.")
    ] = None,
    alone: Annotated[
        bool, typer.Option("--alone", help="One person plays all sides: nobody has to join (solo dice).")
    ] = False,
) -> None:
    """Begin a record: players, rules, ships and the kind of dice, which never change."""
    from referee.play.taken import begin_from, hold_together
    from referee.sources.asked import Asked
    from referee.sources.own_documents import own_document

    only = {
        "--player": player,
        "--module": module,
        "--map": map,
        "--form": form,
        "--target": targets,
        "--part": part,
    }
    path = path or (Path(source).with_suffix(".jsonl").name if source else "")
    if not path:
        raise BadInput("the record to begin is not named", hint="referee game new duel.jsonl --players a,b")
    hold_together(source, players, only, {"--setup": setup, "--data": data})
    settings = read_settings(rulebook, option, house)
    document = own_document(setup) if setup else {}
    title = title or str(document.get("title", ""))
    terms = Terms(path, agreeing(players), dice, umpire, seed, title, alone, document, data, setup)
    terms = replace(terms, robots=tuple(robot or ()))
    if source and robot:
        raise BadInput(
            "--robot with --from", hint="leave --robot out: its forms are in the file, or asked for"
        )
    if source:
        asked = Asked(settings, tuple(ship or ()), module=module, map=map, forms=tuple(form or ()))
        asked = replace(asked, targets=tuple(targets or ()), part=part)
        begun = begin_from(source, terms, asked, player or [])
    else:
        settings = replace(settings, rulebook=settings.rulebook or rulebook_of_ships(ship or []))
        begun = begin(terms, settings, ship or [])
    say_begun(terms, begun)


def say_begun(terms: Terms, begun: Begun) -> None:
    """Writes the entries of a game that is begun, and says what comes next."""
    game = append_begun(terms.path, begun)
    typer.echo(f"began {terms.path}: {begun.rulebook.title}; dice {terms.dice}")
    if rows := game.state.genesis.get("confirmed"):
        typer.echo(
            f"its ships have {how_many(len(rows), 'number')} confirmed from an SSD, written in its first entry"
        )
    for item in begun.left_out:
        typer.echo(f"not taken: {item}")
    say_keys(terms.path)
    say_awaited(game)
    say_head(game)


def game_join(
    path: Record,
    player: As = "",
    text: Annotated[str, typer.Option(help="Any words of yours, for umpire and solo dice.")] = "",
) -> None:
    """Take your seat: a signing key of your own, and your part of the dice, before the first roll."""
    from referee.play.seat import take_seat

    game, me = take_seat(path, player, text)
    keeper = game.dice.operator
    means = (
        f": {keeper} keeps the seed of the dice, rolls them for all, and could look ahead" if keeper else ""
    )
    typer.echo(f"{me} has joined{means}")
    say_keys(path)
    say_awaited(game)
    say_head(game)
