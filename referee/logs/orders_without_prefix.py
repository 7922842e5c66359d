"""Lines of chat that read as orders to fire or launch and are none, for they do not begin as orders do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from referee.adjudicator.fire import weapons_named
from referee.core.errors import BadInput
from referee.core.finding import Finding
from referee.core.location import Location
from referee.core.orders import Fire, Launch
from referee.formats.orderlines import parse_chat_order
from referee.formats.vassal.gathered import Logged
from referee.formats.vassal.players import Player
from referee.formats.vassal.spoken import reads_as_order
from referee.logs.owners import Owners
from referee.logs.ship_under_audit import ShipUnderAudit
from referee.sources.asked import note


def without_prefix(
    logged: Logged, judged: list[ShipUnderAudit], players: Sequence[Player]
) -> Iterator[Finding]:
    """Notes on lines that would be understood as orders, each with the step it was said in."""
    ships = {audited.ship.name: audited for audited in judged}
    owners = Owners(players, ships)
    names = tuple(dict.fromkeys((*ships, *(ship.name for ship in logged.ships))))
    prefix = logged.module_map.order_prefix if logged.module_map else "!"
    for chat_line in logged.chat_lines if judged else ():
        if not reads_as_order(chat_line.line.text):
            continue
        speaker = owners.speaker(chat_line.line.player)
        chosen = ships[speaker].chosen if speaker else None
        order = parse_chat_order(f"!{chat_line.line.text.lstrip(' !')}", speaker, names, chosen)
        if not isinstance(order, Fire | Launch) or order.ship not in ships:
            continue
        audited = ships[order.ship]
        try:
            weapons_named(
                audited.rulebook,
                audited.chosen,
                order.weapons if isinstance(order, Fire) else (order.weapon,),
            )
        except BadInput:
            continue  # talk of weapons it does not have
        yield note(
            "no-order",
            f"reads as an order to {type(order).__name__.lower()} and is taken as talk: an order begins with {prefix}",
            chat_line.line.player,
            turn=chat_line.clock.turn,
            impulse=chat_line.clock.impulse,
            location=Location(logged.file, step=chat_line.step),
            found=chat_line.line.text[:120],
        )
