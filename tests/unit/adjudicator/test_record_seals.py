"""Sealed orders of a record against what was done."""

from __future__ import annotations

from typing import Any

from referee.adjudicator.record_seals import SealedOrders
from referee.core.game import GameState
from referee.core.orders import Order, OrderProblem
from referee.core.seals import Seal
from referee.formats.orderlines import parse_chat_order
from referee.record.chain import ZERO_HASH, make_entry
from referee.record.seals import reveal_all, seal_orders
from referee.rulebooks.registry import load_rulebook, load_ship
from tests.unit.adjudicator.recorded import D6, FED, SPEEDS, Line, entries, order, state, step

BOOK = load_rulebook("sfb-cadet").with_options({"impulses": "16"})
UNLIKE = (("A", FED, "1510A"), ("B", D6, "1506D"))
GAME, RULES = "ab" * 16, "cd" * 32


def read(lines: Any, ship: str, names: Any) -> list[Order | OrderProblem]:
    return [parse_chat_order(f"!{line}", ship, tuple(names)) for line in lines]


def orders() -> SealedOrders:
    return SealedOrders(BOOK, load_ship, read, lambda fire, state: False)


def sealed(*lines: str, show: bool, after: tuple[Any, ...] = (), kind: str = "moves") -> GameState:
    """A seals orders for impulse 2, does what is `after` it, and shows them or not."""
    written = {f"l{n}": line for n, line in enumerate(lines, 1)}
    opening = seal_orders(
        written,
        kind=kind,
        game=GAME,
        ruleset=RULES,
        turn=1,
        player="a",
        ship="A",
        impulse=2 * (kind != "eaf"),
    )
    rows: list[Line] = entries(*SPEEDS, ("seal", opening.seal_data), *after, ships=UNLIKE, game=GAME)
    seq = next(row.seq for row in rows if row.type == "seal")
    entry = make_entry(ZERO_HASH, seq, "seal", opening.seal_data, "2026-11-20T15:00:00Z")
    chained = [entry if row.seq == seq else row for row in rows]
    if show:
        chained.append(Line(len(rows), "reveal", reveal_all(opening, entry)))
    return state(chained)  # type: ignore[arg-type]


def seal_of(game: GameState) -> Seal:
    (seal,) = game.seals
    return seal


MOVED = (step(2, "move ships"), order("A", 2, move="left"))


def test_what_sealed_orders_say() -> None:
    game = sealed("left", show=True)
    said = orders().read_in(seal_of(game), game)
    assert dict(said.moves) == {2: ("left",)} and said.problems == ()


def test_a_move_as_it_was_sealed_and_another() -> None:
    game = sealed("left", show=True, after=(step(2, "move ships"),))
    assert orders().moved("A", "left", game) == []
    (found,) = orders().moved("A", "ahead", game)
    assert (found.key, found.subject) == ("C1.3/kept", "A")


def test_shown_afterwards_it_is_held_against_what_was_done() -> None:
    for way, wrong in (("left", []), ("ahead", ["C1.3/kept"])):
        game = sealed(way, show=True, after=MOVED)
        found = orders().shown(seal_of(game), game, {1: {("A", 2): "left"}})
        assert [one.key for one in found if one.severity == "error"] == wrong, way


def test_what_is_not_understood_is_said() -> None:
    game = sealed("something clever", show=True, after=MOVED)
    assert [one.key for one in orders().shown(seal_of(game), game, {1: {("A", 2): "left"}})] != []


def test_what_is_sealed_and_not_shown() -> None:
    """Not checked in its turn, and undecided once that is over."""
    game = sealed("left", show=False, after=MOVED)
    report = orders().report(game, {})
    assert report.findings == () and [one.key for one in report.not_checked] == ["C1.3/kept"]
    over = sealed("left", show=False, after=(*MOVED, step(None, "energy allocation", turn=2)))
    (found,) = orders().report(over, {}).findings
    assert (found.key, found.severity.value, found.subject) == ("C1.3/kept", "undecided", "A")


def test_a_form_that_is_still_sealed() -> None:
    game = sealed("16", show=False, kind="eaf")
    (unknown,) = orders().report(game, {}).not_checked
    assert unknown.key == "B3.0" and "is sealed" in unknown.reason
