"""`referee game chat`: a record as lines to paste into VASSAL's chat."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from referee.cli.game.file import Game
    from referee.core.orders import Order
    from referee.record.chain import Entry


def game_chat(
    path: Annotated[str, typer.Argument(help="The record.")],
    since: Annotated[int, typer.Option(help="Begin after this entry (#).")] = -1,
    output: Annotated[str, typer.Option("-o", "--output", help="Write it here.")] = "",
) -> None:
    """The record as lines to paste into VASSAL's chat: orders with !, rolls, damage, rulings, the head code."""
    from referee.cli.game.file import open_game, warn_of_rules
    from referee.cli.output import write_output
    from referee.core.errors import BadInput

    game = open_game(path)
    if game.state.own is not None:
        hint = "referee game report RECORD --as SIDE"
        raise BadInput("not all in it is for everybody's eyes", file=path, hint=hint)
    warn_of_rules(game)
    write_output("".join(f"{line}\n" for line in chat_lines(game, since)), output, [path])


def chat_lines(game: Game, since: int = -1) -> Iterator[str]:
    """The entries after one as lines of chat, and the head code. Raises BadInput for an entry there is not."""
    from referee.core.errors import BadInput

    if not -1 <= since < len(game.entries):
        raise BadInput(f"no entry #{since}", file=game.path, hint=f"0 to {len(game.entries) - 1}")
    names = tuple(_names(game.entries))
    stood: tuple[int, int | None] = (0, None)
    for entry in game.entries:
        undone = entry.seq in game.state.undone
        orders = [] if undone else list(_orders(entry, stood))
        if entry.type == "step" and not undone:
            stood = entry.data["turn"], entry.data.get("impulse")
        if entry.seq <= since:
            continue
        lines = [line for order in orders for line in _spoken(order, names)]
        if not orders or len(lines) < len(orders):
            lines = list(_told(entry, undone=undone))
        yield from lines
    yield f"head {game.head}"


def _names(entries: Sequence[Entry]) -> Iterator[str]:
    """The ships and seekers that orders may name."""
    for entry in entries:
        if entry.type == "ship" and "ship" in entry.data:
            yield str(entry.data["ship"])
        if "launch" in entry.data:
            yield str(entry.data["launch"]["name"])


def _orders(entry: Entry, stood: tuple[int, int | None]) -> Iterator[Order]:
    """What an entry says in the order language."""
    from referee.core.gameorders import order_said
    from referee.core.orders import ImpulseBegins, Seal, TurnBegins

    data = entry.data
    if entry.type == "order" and (said := order_said(data)):
        yield said
    elif entry.type == "seal":
        yield Seal(data["ship"], data["digest"])
    elif entry.type == "step":
        turn, impulse = data["turn"], data.get("impulse")
        if turn != stood[0]:
            yield TurnBegins(turn)
        if impulse is not None and (turn, impulse) != stood:
            yield ImpulseBegins(impulse)


def _spoken(order: Order, names: tuple[str, ...]) -> Iterator[str]:
    """Lines of chat that give an order; none where no line would be read as just that order."""
    from referee.core.orders import Fire
    from referee.formats.orders import MAX_ORDERS_LINE, format_order, parse_chat_order
    from referee.report.safe import safe_line

    line = f"!{format_order(order).strip()}"
    if isinstance(order, Fire) and len(line) > MAX_ORDERS_LINE and len(order.weapons) > 1:
        half = len(order.weapons) // 2
        for weapons in (order.weapons[:half], order.weapons[half:]):
            yield from _spoken(replace(order, weapons=weapons), names)
    elif line == safe_line(line) and parse_chat_order(line, "", names) == order:
        yield line


def _told(entry: Entry, *, undone: bool) -> Iterator[str]:
    """An entry told, in lines that are no orders: each begins with its number."""
    from textwrap import wrap

    from referee.formats.orders import MAX_ORDERS_LINE
    from referee.report.gametext import chat_text

    if entry.type in ("key", "step") and not undone:
        return
    back = " (taken back)" if undone else ""
    told = f"{entry.type}{back}: {chat_text(entry)}".rstrip(": ")
    for line in wrap(told, MAX_ORDERS_LINE - 20, break_long_words=True):
        yield f"#{entry.seq} {line}"
