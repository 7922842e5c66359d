"""A game played into a record is judged as the same orders in a file are, and ends in the same places."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from referee.adjudicator.ordering import Ordering
from referee.adjudicator.table import GameTable
from referee.core.account import Account, Event
from referee.core.orders import OrdersFile
from referee.formats.orders import parse_orders
from referee.judging.orders import judge_orders
from referee.rulebooks.registry import load_rulebook, load_ship
from tests.conftest import examples
from tests.property.test_movement_properties import Game, legal_game

ORDER_OF_MOVEMENT = {"C1.3", "C1.3/sealed"}
"""A file may say who is on one side; in a record every player is a side."""


def begun(game: Game) -> Account:
    """The first entries of a record of this game, every ship another player's."""
    players = [name.lower() for name in game.ships]
    genesis = {
        "fold": 2, "players": players, "rulebook": game.rulebook, "dice": {"mode": "solo"},
        "options": {"impulses": str(game.of)},
    }  # fmt: skip
    new: list[tuple[str, dict[str, Any]]] = [("genesis", genesis)]
    for name, (class_id, at, speed) in game.ships.items():
        new.append(
            ("ship", {"ship": name, "class": class_id, "player": name.lower(), "at": at, "speed": str(speed)})
        )
    new.append(("step", {"turn": 1, "step": "energy allocation"}))
    return Account(tuple(Event(seq, kind, data) for seq, (kind, data) in enumerate(new)))


def played(game: Game) -> tuple[Ordering, OrdersFile]:
    """The game on the table, all its orders given, and the file of them; the last turn is over in both."""
    book = load_rulebook(game.rulebook).with_options({"impulses": str(game.of)})
    said = parse_orders(f"{game.text()}turn {game.turns + 1}\n", "orders.txt", load_ship)
    assert not said.problems
    ordering = Ordering(GameTable(book, load_ship, begun(game)), str.lower)
    for order in said.orders:
        ordering.order(order)
    return ordering, said


def errors(findings: Any) -> list[tuple[str, str, int | None, int | None]]:
    return sorted(
        (finding.key, finding.subject, finding.turn or 0, finding.impulse or 0)
        for finding in findings
        if finding.severity == "error" and finding.key not in ORDER_OF_MOVEMENT
    )


def agree(game: Game) -> None:
    ordering, said = played(game)
    book = load_rulebook(game.rulebook)
    report = judge_orders(book, said, load_ship)
    # The record goes on to the next turn; that nobody has a form there is no matter of movement.
    found = (one for one in report.findings if (one.turn or 0) <= game.turns)
    assert errors(ordering.findings) == errors(found)


seeds = st.integers(0, 2**32)


@given(seeds)
@examples(60)
def test_a_legal_game_is_legal_in_the_record(seed: int) -> None:
    game = legal_game(Random(seed))
    ordering, _ = played(game)
    assert errors(ordering.findings) == []
    agree(game)


@given(seeds, st.sampled_from(["left", "right", "ahead"]))
@examples(60)
def test_another_way_is_judged_alike(seed: int, way: str) -> None:
    game = legal_game(Random(seed))
    n = seed % len(game.steps)
    steps = (*game.steps[:n], replace(game.steps[n], way=way), *game.steps[n + 1 :])
    agree(replace(game, steps=steps))


@given(seeds)
@examples(60)
def test_a_move_left_out_is_found_in_both(seed: int) -> None:
    game = legal_game(Random(seed))
    n = seed % len(game.steps)
    gone = replace(game, steps=(*game.steps[:n], *game.steps[n + 1 :]))
    missed = [found for found in errors(played(gone)[0].findings) if found[0] == "C1.4/missed"]
    assert (game.steps[n].ship, game.steps[n].impulse) in {(subject, at) for _, subject, _, at in missed}
    # Of a ship that never moves a file may simply not tell; a record is the whole game.
    if any(step.ship == game.steps[n].ship for step in gone.steps):
        agree(gone)


@given(seeds)
@examples(60)
def test_a_speed_too_great_is_found_in_both(seed: int) -> None:
    game = legal_game(Random(seed))
    name, turn = sorted(game.speeds)[seed % len(game.speeds)]
    agree(replace(game, speeds={**game.speeds, (name, turn): game.of}))


@given(seeds)
@examples(40)
def test_ships_stand_where_they_moved(seed: int) -> None:
    """Places in the state are those of the movement that was judged."""
    ordering, _ = played(legal_game(Random(seed)))
    units = ordering.table.course.track.units
    for name, ship in ordering.table.state.ships.items():
        assert (ship.unit.hex, ship.unit.facing) == (units[name].hex, units[name].facing)
        assert ship.unit.speed == units[name].speed
