"""What a record takes of a log, and no rule asks of it: forms as they were filled in, displays, dice, and other words."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from referee.core.account import Event
from referee.core.orders import Advance, Help, HoldFire, ImpulseBegins, SetSpeed, Status, TurnBegins
from referee.core.play import When
from referee.formats.vassal.pieces import Piece
from referee.formats.vassal.recognise import as_it_stood
from referee.logs.fire import Orders
from referee.logs.reading import LogRead
from referee.logs.ship_under_audit import ShipUnderAudit
from referee.sources.ships import display_of, sides_of
from referee.sources.shown import forms_shown, shown

_TOLD_OTHERWISE = (Advance, SetSpeed, HoldFire, Help, Status, ImpulseBegins, TurnBegins)
"""Orders that counters, forms and the clock tell; and questions, and words that nothing is done."""


class ForRecord:
    """What a record takes of a log beside what the table judges."""

    def __init__(self, read: LogRead) -> None:
        self._read, self._logged = read, read.logged
        self._start: Mapping[str, Piece] = {piece.id: piece for piece in read.save.pieces}
        self._forms = {
            ship.ship.name: form
            for ship, form in zip(read.judged, read.forms, strict=True)
            if form is not None
        }

    def entering(self, ship: ShipUnderAudit) -> dict[str, Any]:
        """What is told of a ship as it enters."""
        began = self._logged.began.get(ship.ship.counter.id if ship.ship.counter else "")
        speed = self._read.asked.settings.options.get("previous_speed", "")
        stood = as_it_stood(ship.ship, self._start, "", self._logged.module_map, like=ship.ship)
        return {
            "sides": sides_of(ship.ship, ship.chosen),
            "at": f"{began.hex}{began.facing or ''}" if began and began.hex else "",
            "previous_speed": int(speed) if speed.isdecimal() else None,
            "state": display_of(stood, ship.chosen, ship.rulebook.table("box_labels")),
            "shows": bool(ship.ship.boxes_left or ship.ship.shields),
        }

    def by_turns(self, ship: ShipUnderAudit) -> Iterator[Event]:
        """The columns of a ship's form, and what its display showed as turns began."""
        name, logged, labels = ship.ship.name, self._logged, ship.rulebook.table("box_labels")
        if (form := self._forms.get(name)) is not None:
            yield from forms_shown(name, {turn.allocation.turn: turn.allocation for turn in form.turns})
        stood = as_it_stood(ship.ship, self._start, "", logged.module_map, like=ship.ship)
        for filled in logged.forms:
            stood = as_it_stood(ship.ship, filled.pieces, "", logged.module_map, like=stood)
            if state := display_of(stood, ship.chosen, labels):
                display = {"ship": name, "state": state, "begins": filled.turn}
                yield shown("display", display, When(filled.turn))

    def happened(self, known: Collection[int]) -> Iterator[Event]:
        """What displays came to show, what was said beside the orders `known` by their `id`, and all dice."""
        for ship in self._read.judged:
            yield from self._displays(ship)
        yield from words(self._read.orders, known)
        for rolled in self._logged.rolled:
            by = f" by {rolled.roll.player}" if rolled.roll.player else ""
            back = f", undone in step {rolled.taken_back}" if rolled.taken_back is not None else ""
            text = f"{rolled.roll.button} = {rolled.roll.faces}{by}{back}"
            yield shown("dice", {"text": text}, When(rolled.clock.turn, rolled.clock.impulse), rolled.step)

    def _displays(self, ship: ShipUnderAudit) -> Iterator[Event]:
        labels = ship.rulebook.table("box_labels")
        for marked in self._logged.marked:
            if ship.ship.ssd and ship.ship.ssd.id in marked.after:
                stood = as_it_stood(ship.ship, marked.after, "", self._logged.module_map)
                state = display_of(stood, ship.chosen, labels)
                if state is not None:
                    when = When(marked.clock.turn, marked.clock.impulse)
                    yield shown("display", {"ship": ship.ship.name, "state": state}, when, marked.step)


def words(orders: Orders, known: Collection[int]) -> Iterator[Event]:
    """The orders that nothing else of the account tells, as they were spoken."""
    for heard in orders.heard:
        if id(heard.order) not in known and not isinstance(heard.order, _TOLD_OTHERWISE):
            yield shown("order", {"word": {"order": heard.order}}, heard.when, heard.sentence.step)
