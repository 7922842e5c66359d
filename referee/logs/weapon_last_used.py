"""When each weapon of a ship was paid for or fired last: where a display does not tell which is lost, another is."""

from __future__ import annotations

from referee.core.errors import BadInput
from referee.core.orders import Fire, Launch
from referee.formats.vassal.played import FormPlayed
from referee.logs.fire import Orders, weapons_of
from referee.logs.ship_under_audit import ShipUnderAudit
from referee.sources.ssd_display import weapons_paid


def weapons_used(one: ShipUnderAudit, form: FormPlayed | None, orders: Orders) -> dict[str, int]:
    """The last step in which each weapon was paid for, as a turn began, or fired or launched from."""
    used: dict[str, int] = {}
    for turn in form.turns if form else ():
        for weapon in weapons_paid(one.book.lines, one.chosen, turn.allocation):
            used[weapon] = max(turn.step, used.get(weapon, 0))
    for heard in orders.of(Fire, Launch):
        assert isinstance(heard.order, Fire | Launch)
        if heard.order.ship != one.ship.name:
            continue
        try:
            mounts = weapons_of(heard.order, one)
        except BadInput:
            continue  # said with the order itself
        for mount in mounts:
            used[mount.id] = max(heard.said.step, used.get(mount.id, 0))
    return used
