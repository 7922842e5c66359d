"""`referee ship confirm`: who holds the SSD says its numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from referee.cli.output import write_output
from referee.core.errors import BadInput
from referee.rulebooks.registry import read_ship_json

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any


def ship_confirm(
    ship: Annotated[str, typer.Argument(help="The ship whose SSD you hold.")] = "",
    set: Annotated[
        list[str] | None, typer.Option("--set", help="A number, without being asked: shields/3=8.")
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Every other number is as the SSD says.")] = False,
    again: Annotated[bool, typer.Option("--again", help="Go through the confirmed numbers too.")] = False,
    by: Annotated[str, typer.Option(help="Who confirms; --export leaves it out.")] = "",
    export: Annotated[
        str, typer.Option(help="Write what is confirmed here, without names, to be sent in; - prints it.")
    ] = "",
    take: Annotated[str, typer.Option(help="Take over the confirmed numbers of a game.")] = "",
) -> None:
    """Confirm a ship's numbers from its SSD, one after another; commands in this folder use them from then on."""
    from referee.cli.asking import ask, is_terminal
    from referee.sources.confirmed import FILE, asked_numbers, document, read_confirmed, write_confirmed
    from referee.sources.confirming import GUIDE, contradictions, set_numbers, walk
    from referee.sources.ship_files import known_ship

    if take:
        _take(take)
        return
    if not ship:
        raise BadInput("no ship is named", hint="referee ship confirm cadet/klingon-d6")
    id = known_ship(ship).id
    asked = asked_numbers(id)
    if not asked:
        raise BadInput(f"every number of {id} is verified", hint=f"referee ship show {id}")
    numbers: dict[str, Any] = dict(read_confirmed().get(id, {}).get("numbers", {}))
    if set or yes:
        set_numbers(id, asked, numbers, set or (), yes)
        write_confirmed(id, numbers, by)
    elif not export:
        if not is_terminal():
            raise BadInput("nobody is there to ask", hint="--set shields/3=8, and --yes for what is right")
        left = [number for number in asked if again or number.path not in numbers]
        typer.echo(f"{id}: {len(left)} numbers to confirm. Hold the SSD beside you.\n{GUIDE}")
        walk(left, numbers, ask, typer.echo, lambda answered: write_confirmed(id, answered, by))
    if export:
        confirmed = {id: {"numbers": numbers}} if numbers else {}
        if not confirmed:
            raise BadInput(f"nothing of {id} is confirmed yet", hint=f"referee ship confirm {id}")
        write_output(document(confirmed, names=False), export, [FILE])
    if export != "-":
        _say(id, numbers, [number.path for number in asked if number.path not in numbers], export)
    for contradiction in contradictions(read_ship_json(id)):
        typer.echo(f"referee: {id}: {contradiction}", err=True)


def _say(id: str, numbers: Mapping[str, Any], left: Sequence[str], export: str) -> None:
    """What is confirmed, what is left, and where it counts."""
    from referee.sources.confirmed import FILE

    rest = f", {len(left)} are not: {', '.join(left)}" if left else ", that is all of them"
    typer.echo(
        f"{id}: {len(numbers)} number{'s' * (len(numbers) != 1)} confirmed{rest}"
        if numbers
        else f"{id}: nothing confirmed"
    )
    if left and numbers:
        typer.echo(
            f"Where no number is known, only the SSD has it: --set {left[0]}=N, or referee ship confirm {id}."
        )
    if export:
        typer.echo(f"wrote {export}, without names")
    elif numbers:
        typer.echo(f"They are in {FILE} in this folder, and count for every command that runs here.")
        typer.echo("A game begun before keeps its own numbers: play it on in another folder.")


def _take(game: str) -> None:
    from referee.play.confirmed import take_numbers
    from referee.play.game_file import open_game
    from referee.sources.confirmed import FILE

    opened = open_game(game)
    for line in take_numbers(game, opened.state.genesis, opened.classes):
        typer.echo(line)
    typer.echo(f"{FILE} in this folder has the numbers of {game}")
