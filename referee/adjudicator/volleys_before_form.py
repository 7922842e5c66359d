"""Volleys of a game record that were rolled before the form of their ship was shown, and what it says of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from referee.adjudicator.check import judge
from referee.adjudicator.record_forms import allocation_from
from referee.core.board import LoadShip
from referee.core.bought_energy import Reinforcement
from referee.core.eventjson import event_from_json
from referee.core.events import Event
from referee.core.finding import Finding
from referee.core.forked import Forked
from referee.core.frozen import frozen
from referee.core.game import EntryLike, GameState
from referee.core.location import Location
from referee.core.state import ShipState
from referee.core.volley import VolleyOrder
from referee.rulebooks.base import Rulebook

SUBJECT = "volley shown"
"""What rules on a volley rolled before its form was shown are about."""


@frozen
class VolleyOrdered:
    """A volley as it was rolled: the entry that ordered it, what that says, the ship it found and its events."""

    entry: int
    impulse: int | None
    order: Mapping[str, Any]
    struck: ShipState
    events: tuple[Event, ...]


class SecretVolleys(Forked):
    """The volleys on ships whose form of the turn is not in the record, in order."""

    def __init__(self, rulebook: Rulebook, load_ship: LoadShip) -> None:
        self.rulebook = rulebook
        self.load_ship = load_ship
        self._rolled: dict[tuple[str, int], tuple[VolleyOrdered, ...]] = {}

    def take(self, entry: EntryLike, state: GameState) -> None:
        """Keeps the volley that an entry of events resolves; `state` is the game before it."""
        roll = None if state.unapplied is None else state.rolls[state.unapplied]
        if roll is None or roll.volley is None:
            return
        volley = dict(state.orders)[roll.volley]["volley"]
        ship = state.ships[volley["ship"]]
        if state.turn in ship.forms or volley["internal"]:
            return
        events = tuple(event_from_json(data) for data in entry.data["events"] if data["ship"] == ship.name)
        ordered = VolleyOrdered(roll.volley, state.impulse, volley, ship.state, events)
        about = ship.name, state.turn
        self._rolled[about] = (*self._rolled.get(about, ()), ordered)

    def shown(self, ship: str, turn: int, form: Mapping[str, Any]) -> list[Finding]:
        """What a form that is shown only now says of the volleys of its turn."""
        allocation = allocation_from(form, turn, Location())
        amounts = {line: entry.amount for line, entry in allocation.entries.items()}
        bought: Reinforcement = self.rulebook.offers.reinforcement(self.rulebook, amounts)
        absorbed: Counter[int] = Counter()
        unpaid = self.rulebook.offers.shields_unpaid(self.rulebook, allocation)
        found: list[Finding] = []
        for ordered in self._rolled.get((ship, turn), ()):
            shield = int(ordered.order["shield"])
            general, specific = bought.left(absorbed, shield)
            order = VolleyOrder(
                points=int(ordered.order["points"]),
                shield=shield,
                general_reinforcement=general,
                specific_reinforcement=specific,
            )
            by_form = self._stopped(replace(ordered.struck, shields_down=unpaid), order)
            for kind, number in enumerate((0, shield)):
                absorbed[number] += by_form[kind]
            facts = self.rulebook.offers.volley_shown(
                self.rulebook,
                ship=ship,
                turn=turn,
                impulse=ordered.impulse,
                entry=ordered.entry,
                shield=shield,
                points=order.points,
                rolled=self.rulebook.offers.points_taken(ordered.events),
                by_form=by_form,
                shields_paid=not unpaid,
                told="of" not in ordered.order,
            )
            found += self._against(facts)
        return found

    def _stopped(self, struck: ShipState, order: VolleyOrder) -> tuple[int, int, int]:
        stopped: tuple[int, int, int] = self.rulebook.offers.points_stopped(
            self.rulebook, self.load_ship(struck.ship), struck, order
        )
        return stopped

    def _against(self, facts: Any) -> Iterable[Finding]:
        for rule in self.rulebook.rules_on(SUBJECT, "check"):
            yield from (item for item in judge(rule, self.rulebook, facts) if isinstance(item, Finding))
