"""Robots play whole scenarios: no move and no shot against the rules, no point of damage lost or made."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import cache

import pytest

from referee.adjudicator.fire import check_shots
from referee.adjudicator.robot import Robot
from referee.adjudicator.robot_duel import Duel, play_out
from referee.adjudicator.robot_orders import OrdersTable
from referee.core.dice import seeded_dice
from referee.core.finding import Verdict
from referee.core.orders import Advance, Fire, Hit, ImpulseBegins, Launch, SetSpeed, TurnBegins
from referee.core.robot import Decision
from referee.core.scenario import edges_left_by
from referee.core.ship import ShipClass
from referee.formats.orders import format_orders, parse_orders
from referee.judging.orders import judge_orders
from referee.rulebooks.base import Rulebook
from referee.rulebooks.registry import load_rulebook, load_scenario, load_ship
from tests.conftest import mostly_long

GAMES = [("4", "a"), ("4", "b"), ("4", "c"), ("4", "d"), ("5", "a"), ("5", "b"), ("6", "a"), ("7", "a")]
games = pytest.mark.parametrize(("id", "seed"), mostly_long(GAMES, lambda id, seed: seed == "a"))


@cache
def duel(id: str, seed: str) -> Duel:
    scenario = load_scenario(id)
    return play_out(load_rulebook(scenario.rulebook), scenario, load_ship, seeded_dice(seed))


def book_of(id: str) -> Rulebook:
    scenario = load_scenario(id)
    return load_rulebook(scenario.rulebook).with_options(scenario.rules)


def before(id: str, seed: str) -> OrdersTable:
    """The table of a duel's orders before its first turn."""
    placed = replace(duel(id, seed).orders, orders=())
    names = [one.ship for one in placed.ships if load_ship(one.class_id).boxes]
    robot = Robot(book_of(id), seeded_dice(seed))
    return OrdersTable(robot, placed, load_ship, names, load_scenario(id).within)


def moments(id: str, seed: str) -> Iterator[tuple[OrdersTable, object]]:
    """The table before each order of a duel, and the order."""
    game = before(id, seed)
    for order in duel(id, seed).orders.orders:
        yield game, order
        if not isinstance(order, Hit):
            game.take(order)


@games
def test_every_move_is_legal(id: str, seed: str) -> None:
    text = format_orders(duel(id, seed).orders)
    read = parse_orders(text, "duel.txt", load_ship)
    assert not read.problems and read == duel(id, seed).orders
    report = judge_orders(load_rulebook(read.rulebook), read, load_ship, goes_on=True)
    assert report.verdict is Verdict.LEGAL, report.findings
    assert "C3.2" in report.checked and "C1.4/missed" in report.checked
    assert sum(isinstance(order, Advance) for order in read.orders) > 30


@games
def test_every_shot_is_legal(id: str, seed: str) -> None:
    fired = 0
    for game, order in moments(id, seed):
        if isinstance(order, Fire):
            situation = game.seats[order.ship].situation(game.table.state)
            decision = Decision(
                order.ship, "", "", fire=order.weapons, target=order.target, shield=order.shield
            )
            shots = Robot(game.table.rulebook).shots(situation, decision)
            report = check_shots(game.table.rulebook, shots)
            assert report.verdict is Verdict.LEGAL, report.findings
            fired += len(order.weapons)
    assert fired >= 10


@games
def test_the_table_finds_nothing_against_it(id: str, seed: str) -> None:
    """Every order is judged as it is given, on the ships as damage has left them."""
    assert [found for found in duel(id, seed).findings if found.severity == "error"] == []


@games
def test_it_stays_on_the_map_and_ends(id: str, seed: str) -> None:
    within = load_scenario(id).within
    for game, order in moments(id, seed):
        if isinstance(order, Advance):
            unit = game.table.state.ships[order.ship].unit
            assert unit.hex is not None and not edges_left_by(unit.hex, within)
    assert duel(id, seed).victory.over and duel(id, seed).victory.winner


@games
def test_damage_is_conserved(id: str, seed: str) -> None:
    played = duel(id, seed)
    assert sum(shot.damage for shot in played.shots) >= sum(v.order.points for _, v in played.volleys)
    lost = {one.name: 0 for one in played.ships}
    absorbed = dict(lost)
    for name, volley in played.volleys:
        shield = (volley.shield_before or 0) - (volley.shield_after or 0)
        armor = volley.armor_before - volley.armor_after
        assert volley.order.points == volley.reinforcement + shield + armor + volley.internals
        boxes = sum(bool(hit.box) for hit in volley.hits)
        assert volley.destroyed or boxes + volley.wasted == volley.internals
        lost[name] += boxes + armor
        absorbed[name] += shield
    for one in played.ships:
        assert len(one.state.destroyed) == lost[one.name]
        assert sum(one.ship.shields.values()) - sum(one.state.shields.values()) == absorbed[one.name]
        assert all(boxes >= 0 for boxes in one.state.shields.values())


@games
def test_weapons_obey_their_instructions(id: str, seed: str) -> None:
    """One drone a turn on impulse 1; each weapon once a turn; photons by ROBOT-7 and ROBOT-9."""
    turn = impulse = 0
    fired: dict[tuple[int, str, str], int] = {}
    launched: dict[tuple[int, str], int] = {}
    classes: dict[str, ShipClass] = {p.ship: load_ship(p.class_id) for p in duel(id, seed).orders.ships}
    for game, order in moments(id, seed):
        turn, impulse = game.table.moment[0], game.table.moment[1] or 0
        if isinstance(order, Fire):
            for weapon in order.weapons:
                fired[turn, order.ship, weapon] = fired.get((turn, order.ship, weapon), 0) + 1
        if isinstance(order, Launch) and order.weapon.startswith("DRN"):
            assert impulse == 1
            launched[turn, order.ship] = launched.get((turn, order.ship), 0) + 1
        if isinstance(order, SetSpeed):
            assert impulse == 0 and order.speed <= 12
    assert set(fired.values()) == {1} and set(launched.values()) <= {1}
    for name, ship in classes.items():
        tubes = sum(mount.type == "photon" for mount in ship.mounts)
        for number in range(1, turn + 1):
            photons = sum(key[:2] == (number, name) and key[2].startswith("PHOT") for key in fired)
            assert photons <= (tubes + 1) // 2


def test_the_same_dice_play_the_same_game() -> None:
    scenario, book = load_scenario("4"), load_rulebook("sfb-cadet")
    again = play_out(book, scenario, load_ship, seeded_dice("a"))
    assert again.orders == duel("4", "a").orders and again.decisions == duel("4", "a").decisions
    assert duel("4", "b").orders != again.orders


@pytest.mark.parametrize("seeds", mostly_long(["s10", "a b c s10 s33 s37"], lambda seeds: seeds == "s10"))
def test_by_option_a_shield_takes_one_volley_in_an_impulse(seeds: str) -> None:
    """What seekers do joins the fire of their impulse; apart, as is usual, a shield may take both."""
    scenario = load_scenario("4")
    most = {}
    for groups in ("impulse", "step"):
        book = load_rulebook("sfb-cadet").with_options({"volley_groups": groups})
        struck: Counter[tuple[int, int, str, int]] = Counter()
        for n, seed in enumerate(seeds.split()):
            turn = impulse = 0
            for order in play_out(book, scenario, load_ship, seeded_dice(seed)).orders.orders:
                turn = order.turn if isinstance(order, TurnBegins) else turn
                impulse = order.impulse if isinstance(order, ImpulseBegins) else impulse
                if isinstance(order, Hit):
                    struck[turn * 100 + n * 10_000, impulse, order.ship, order.shield] += 1
        most[groups] = max(struck.values())
    assert most["impulse"] == 1 < most["step"]


@pytest.mark.parametrize("seed", mostly_long("abcd", lambda seed: seed == "a"))
def test_the_orders_replay_to_the_same_ships(seed: str) -> None:
    """Fast damage rolls no dice: the hits in the orders file leave what the duel left."""
    game = before("4", seed)
    for order in duel("4", seed).orders.orders:
        game.take(order)
    for one in duel("4", seed).ships:
        again = game.table.state.ships[one.name]
        assert again.state == one.state and again.unit.hex == one.unit.hex
        assert again.unit.facing == one.unit.facing and again.unit.speed == one.unit.speed


@games
def test_every_decision_names_its_instruction_and_says_why(id: str, seed: str) -> None:
    rules = book_of(id).rules
    seen = set()
    for _, decision in duel(id, seed).decisions:
        assert decision.instruction in rules and len(decision.why) > 8
        seen.add(decision.instruction.partition("/")[0])
    assert {"ROBOT-2", "ROBOT-3", "ROBOT-4"} <= seen
