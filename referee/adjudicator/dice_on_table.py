"""Dice that are thrown at once on a table whose game is kept nowhere: what robots and orders files roll."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from referee.adjudicator.fire import resolve_shots
from referee.adjudicator.record_shots import effect_of, fire_lost, shots_of
from referee.adjudicator.record_volley import marks_of, resolve_said
from referee.adjudicator.table import GameTable
from referee.core.combat import ShotResult
from referee.core.dice import Dice
from referee.core.game import LOCK_ON
from referee.core.volley import VolleyResult

Put = Callable[..., None]


class DiceOnTable:
    """A row of dice beside a table; `put` puts down what a roll does. It keeps all shots that scored and all volleys."""

    def __init__(self, table: GameTable, dice: Dice, put: Put) -> None:
        self.table = table
        self.dice = dice
        self.put = put
        self.shots: list[ShotResult] = []
        self.volleys: list[tuple[str, VolleyResult]] = []

    def roll(self, who: str, dice: list[dict[str, Any]], purpose: str, **about: Any) -> None:
        """Declares a roll, throws it, and puts down what it does."""
        number = self._declare(who, dice, purpose, about)
        if purpose == LOCK_ON:
            groups = [group | {"faces": [self.dice.roll(1, group["sides"])]} for group in dice]
            self.put(("result", {"roll": number, "dice": groups}))
        else:
            self._done(number, self._effect(number))

    def rolled_elsewhere(self, who: str) -> None:
        """All fire that is ordered has been rolled elsewhere: what it did is said besides."""
        orders = self.table.state.unrolled
        if orders:
            purpose = "fire of entries " + " ".join(str(order.seq) for order in orders)
            shots = sum(len(order.weapons) for order in orders)
            dice = [{"for": "told", "count": 1, "sides": 6}] * shots
            self._done(self._declare(who, dice, purpose, {}), fire_lost(orders))

    def _declare(self, who: str, dice: list[dict[str, Any]], purpose: str, about: dict[str, Any]) -> int:
        number = len(self.table.state.rolls) + 1
        declaration = {"roll": number, "who": who, "order": dice, "purpose": purpose, **self._now(), **about}
        self.put(("declare", declaration | ({} if dice else {"open": True})))
        return number

    def _done(self, number: int, effect: dict[str, Any]) -> None:
        events = effect | {"rolls": [number], **self._now()}
        self.put(("result", {"roll": number, "dice": []}), ("events", events))

    def _now(self) -> dict[str, int]:
        turn, impulse, _ = self.table.moment
        return {"turn": turn} | ({} if impulse is None else {"impulse": impulse})

    def _effect(self, number: int) -> dict[str, Any]:
        """What the dice of a roll do: fire, or a volley."""
        rulebook, load_ship, state = self.table.rulebook, self.table.load_ship, self.table.state
        roll = state.rolls[number]
        if roll.volley is None:
            orders = [order for order in state.fire if order.seq in roll.fire]
            shots = shots_of(rulebook, load_ship, state, orders)
            results = resolve_shots(rulebook, shots, self.dice)
            self.shots += [result for result in results if result.damage]
            return effect_of(rulebook, state, shots, results)
        volley = dict(state.orders)[roll.volley]["volley"]
        result = resolve_said(rulebook, load_ship, state, volley, self.dice)
        self.volleys.append((str(volley["ship"]), result))
        return {"events": marks_of(volley, result)}
