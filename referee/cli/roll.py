"""`referee roll`: dice for the table."""

from __future__ import annotations

from json import dumps
from typing import Annotated

import typer

from referee.cli.options import Json, PracticeText
from referee.core.dice import parse_notation
from referee.core.errors import BadInput
from referee.sources.dice_cup import chosen_dice


def register(app: typer.Typer) -> None:
    """Adds the command."""
    app.command("roll")(roll)


def roll(
    dice: Annotated[str, typer.Argument(help="What to roll: 2d6, d10, 3d6+1, or a rulebook's word.")],
    times: Annotated[int, typer.Option(help="How often.")] = 1,
    seed: PracticeText = "",
    game: Annotated[str, typer.Option(help="Roll them in this record.")] = "",
    player: Annotated[str, typer.Option("--as", help="In a game: the player who rolls.")] = "",
    purpose: Annotated[str, typer.Option("--for", help="In a game: what the dice are for.")] = "",
    by_hand: Annotated[
        bool, typer.Option("--by-hand", help="In a game: thrown on the table and typed in (dice enter).")
    ] = False,
    rulebook: Annotated[str, typer.Option(help="Whose words for rolls are meant: skill is d100.")] = "",
    json: Json = False,
) -> None:
    """Roll dice; the seed is drawn and shown unless given, so that the roll can be repeated."""
    if rulebook:
        dice = _meant(dice, rulebook)
    count, sides, bonus = parse_notation(dice)
    if not 1 <= times <= 10_000:
        raise BadInput(f"--times {times}", hint="1 to 10000")
    if game:
        if seed or json:
            raise BadInput("--seed and --json with --game", hint="a game has its own dice")
        _in_game(game, dice, (count * times, sides), player, purpose, by_hand)
        return
    if player or purpose or by_hand:
        raise BadInput("--as, --for and --by-hand without --game", hint="--game RECORD")
    cup = chosen_dice("", seed, False)
    rolls = [[cup.roll(1, sides) for _ in range(count)] for _ in range(times)]
    totals = [sum(faces) + bonus for faces in rolls]
    if json:
        document = {
            "schema": "referee/roll/1",
            "notation": dice,
            "rolls": rolls,
            "totals": totals,
            "source": cup.source,
        }
        typer.echo(dumps(document))
        return
    for faces, total in zip(rolls, totals, strict=True):
        parts = " + ".join(str(face) for face in faces) + (f" {bonus:+d}" if bonus else "")
        typer.echo(f"{dice}: {total}" + (f"  ({parts})" if count > 1 or bonus else ""))
    typer.echo(f"dice: {cup.source}  (the same seed rolls the same dice)", err=True)


def _meant(dice: str, rulebook: str) -> str:
    """The dice of a rulebook's word for a roll; dice that are written out stay as they are."""
    from referee.rulebooks.registry import load_rulebook

    words: dict[str, str] = load_rulebook(rulebook).descriptor.get("dice", {})
    return words.get(dice, dice)


def _in_game(
    path: str, notation: str, thrown_dice: tuple[int, int], player: str, purpose: str, by_hand: bool
) -> None:
    """Declares dice in a record; where no other key is awaited, throws them at once."""
    from referee.cli.game_status import say_head
    from referee.play.append import append, thrown
    from referee.play.dice import declaration
    from referee.play.dice_calls import awaits, waited_for
    from referee.play.game_file import open_game, player_in

    game = open_game(path)
    group = {"for": purpose or "roll", "count": thrown_dice[0], "sides": thrown_dice[1]}
    purpose = f"{purpose} ({notation})" if purpose else notation
    declare = declaration(game, player_in(game, player), [group], purpose)
    game = append(path, lambda _: [declare], by_hand=by_hand)
    if awaits(game):
        typer.echo(f"declared: roll {game.dice.next_roll - 1}; awaited: {waited_for(game)}")
        say_head(game)
        return
    thrown(path)
