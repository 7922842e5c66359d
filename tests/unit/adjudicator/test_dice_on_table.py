"""Dice thrown at once beside a table whose game is kept nowhere."""

from __future__ import annotations

from typing import Any

from referee.adjudicator.dice_on_table import DiceOnTable
from referee.adjudicator.record_volley import volley_entry
from referee.adjudicator.table import GameTable
from referee.core.account import Account, Event
from referee.core.dice import ScriptedDice
from referee.core.volley import VolleyOrder
from referee.rulebooks.registry import load_rulebook, load_ship
from tests.unit.adjudicator.recorded import FED, SPEEDS, entries, order, step

BOOK = load_rulebook("sfb-cadet").with_options({"impulses": "16"})
SHIELD = load_ship(FED).shields[1]
ONE_DIE = [{"for": "PH-1/A", "count": 1, "sides": 6}]
FIRE = order("A", 2, fire=("PH-1/A", "B"))
Said = tuple[str, dict[str, Any]]


class Game:
    """A game in the fire step of impulse 2 in which `last` was ordered, its dice, and what these put down."""

    def __init__(self, last: Said, *totals: int) -> None:
        rows = entries(*SPEEDS, step(2, "fire"), last)
        self.seq = rows[-1].seq
        self.table = GameTable(BOOK, load_ship, Account(tuple(Event(r.seq, r.type, r.data) for r in rows)))
        self.dice = DiceOnTable(self.table, ScriptedDice(totals), self._put)
        self.down: list[Said] = []

    def _put(self, *new: Said) -> None:
        for kind, data in new:
            self.down.append((kind, data))
            self.table.add(kind, data)


def volley(points: int) -> Said:
    kind, data = volley_entry("B", "b", VolleyOrder(points, 1), "protect-weapons", {})
    return kind, data | {"turn": 1, "impulse": 2}


def test_fire_is_declared_thrown_and_put_down() -> None:
    for face, points in ((1, 5), (6, 2)):
        game = Game(FIRE, face)
        assert len(game.table.state.unrolled) == 1
        game.dice.roll("a", ONE_DIE, f"fire of entries {game.seq}")
        assert [kind for kind, _ in game.down] == ["declare", "result", "events"]
        assert {(data.get("turn", 1), data.get("impulse", 2)) for _, data in game.down} == {(1, 2)}
        assert [(due.ship, due.points, due.shield) for due in game.table.state.due] == [("B", points, 1)]
        assert [(shot.roll, shot.damage) for shot in game.dice.shots] == [(face, points)]
        assert game.table.state.unrolled == ()


def test_fire_of_which_it_is_said_elsewhere_what_it_did() -> None:
    game = Game(FIRE)
    game.dice.rolled_elsewhere("a")
    assert [kind for kind, _ in game.down] == ["declare", "result", "events"]
    assert game.table.state.unrolled == () and game.table.state.due == () and game.dice.shots == []
    assert [mark for _, mark in game.table.state.ships["A"].fired] == ["PH-1/A"]
    game.dice.rolled_elsewhere("a")
    assert len(game.down) == 3, "nothing is ordered any more"


def test_a_volley_marks_its_ship() -> None:
    for points, dice, left in ((4, (), SHIELD - 4), (SHIELD + 1, (3,), 0)):
        game = Game(volley(points), *dice)
        game.dice.roll("b", [], f"volley of entry {game.seq}", ship="B")
        assert game.down[0][1]["open"] is True, "how many dice it takes is not known before"
        ((ship, result),) = game.dice.volleys
        assert ship == "B" and len(result.hits) == len(dice)
        assert game.table.state.ships["B"].state.shields[1] == left
