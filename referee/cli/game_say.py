"""`referee game say` and `chat`: orders given to a record, and a record as lines of chat."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import typer

from referee.cli.game_status import say_awaited, say_head, status_of, warn_of_rules
from referee.cli.options import AgreedToGoOn, As, ByHand, ForceFoul, RecordFile, WrittenHere
from referee.cli.output import must_be_writable_as, write_output
from referee.core.errors import BadInput
from referee.formats.orderfiles import HEADERS
from referee.formats.orderlines import ORDER_FORMS
from referee.play.game_file import agreeing, open_game


def register(game: typer.Typer) -> None:
    """Adds the commands."""
    game.command("chat")(game_chat)
    game.command("say")(game_say)


def game_say(
    path: RecordFile,
    orders: Annotated[list[str], typer.Argument(help='Orders: "Constellation: ahead", "impulse 4".')],
    player: As = "",
    force: ForceFoul = False,
    by_hand: ByHand = False,
    agreed: AgreedToGoOn = "",
) -> None:
    """Give orders: speed, ahead, left, right, leave the map, fire, launch, cloak, battery, hit, lock on; judged, then
    recorded. `help` lists them, `status` shows the game."""
    from referee.play.say import no_order, play
    from referee.play.short_orders import orders_meant
    from referee.play.whose import movers_in

    game = open_game(path)
    if game.state.own is not None:
        from referee.play.rulebook_verbs import play_lines

        game = play_lines(path, orders, player, force, by_hand)
        say_awaited(game)
        say_head(game)
        return
    orders = _answered(path, orders)
    if not orders:
        return
    movers = movers_in(game)
    text = orders_meant(game.state, "\n".join(order.strip() for order in orders), movers[0] if movers else "")
    played = play(game, text, "", player, force, by_hand, agreeing(agreed))
    if played is None:
        raise no_order(game, orders[0])
    say_awaited(played)
    say_head(played)


def _answered(path: str, orders: Sequence[str]) -> list[str]:
    """The orders that are left once `help` and `status` are answered."""

    left = []
    for order in orders:
        asked = order.strip().removeprefix("!").rpartition(":")[2].strip().casefold()
        if asked == "help":
            for verb, line in ORDER_FORMS.items():
                if verb not in (*HEADERS, "seal", "undo"):
                    typer.echo(line)
        elif asked == "status":
            typer.echo(status_of(path, "", "full"), nl=False)
        else:
            left.append(order)
    return left


def game_chat(
    path: RecordFile,
    since: Annotated[int, typer.Option(help="Begin after this entry (#).")] = -1,
    output: WrittenHere = "",
) -> None:
    """The record as lines to paste into VASSAL's chat: orders with !, rolls, damage, rulings, the head code."""
    from referee.play.chat import chat_lines

    must_be_writable_as(output, "full")
    game = open_game(path)
    if game.state.own is not None:
        hint = "referee game report RECORD --as SIDE"
        raise BadInput("not all in it is for everybody's eyes", file=path, hint=hint)
    warn_of_rules(game)
    write_output("".join(f"{line}\n" for line in chat_lines(game, since)), output, [path])
