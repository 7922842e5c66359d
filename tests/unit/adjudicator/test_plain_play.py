"""Stretches in which ships only move as they are called and may: carried out at once, they come to the same as event by event."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random

import pytest

from referee.adjudicator.plain_fire import PlainFire
from referee.adjudicator.plain_play import PlainPlay
from referee.adjudicator.table import GameTable
from referee.core.account import Account, Event
from referee.core.finding import Finding
from referee.core.gameorders import after
from referee.core.hexgrid import FACINGS, Hex
from referee.core.location import Location
from referee.core.play import Move, ShipInPlay, When, gone_ahead, moved
from referee.core.toldfold import TakenFold
from referee.formats.sfbol_games import parts_of, read_game
from referee.rulebooks.base import Rulebook
from referee.rulebooks.registry import load_rulebook, load_ship
from referee.sources.asked import Asked
from referee.sources.settings import Settings
from referee.sources.sfbol import game_told
from tests.unit.sources.sfbol_judged import duel, written

BOOK = load_rulebook("sfb-standard")
SPEEDS = ({"Kharg": 8, "Sabre": 12}, {"Kharg": 16, "Sabre": 20}, {"Kharg": 16, "Sabre": 16})
WAYS = {
    (1, 20, "Kharg"): "right",
    (2, 24, "Sabre"): "left",
    (2, 32, "Kharg"): "left",
    (3, 4, "Sabre"): "left",
}
ACTS = {
    (1, 16): ("Kharg: fire PH-2/1, PH-2/2 at Sabre", "Sabre: fire PH-1/1, PH-1/2 at Kharg"),
    (2, 24): ("Kharg: fire DISR/A at Sabre",),
}


def account_of(lines: list[str]) -> tuple[Account, Rulebook]:
    (part,) = parts_of("\n".join(lines).encode(), "a.log")
    told = game_told(read_game(part, "a.log"), "a.log", Asked(Settings()))
    assert told.account is not None and told.rulebook is not None
    return told.account, told.rulebook


def spoiled(lines: list[str], seed: int) -> list[str]:
    """A log in which some moves are left out, made twice, out of their order or into another hex."""
    random = Random(seed)
    for _ in range(random.randint(1, 4)):
        moves = [n for n, line in enumerate(lines) if "has moved" in line]
        n = random.choice(moves)
        how = random.randrange(4)
        if how == 0:
            del lines[n]
        elif how == 1:
            lines.insert(n, lines[n])
        elif how == 2:
            lines[n - 1 : n + 1] = [lines[n], lines[n - 1]]
        else:
            lines[n] = lines[n].rstrip("ABCDEF")[:-1] + random.choice("0123456789")
    return lines


def both(account: Account, book: Rulebook, monkeypatch: pytest.MonkeyPatch) -> tuple[GameTable, GameTable]:
    """A table that carries stretches out at once, and one that takes every event by itself."""
    at_once = GameTable(book, load_ship, account)
    with monkeypatch.context() as patch:
        patch.setattr(GameTable, "_one_by_one", lambda table, account: iter(account.events[1:]))
        return at_once, GameTable(book, load_ship, account)


JUMPS = (
    {"Kharg": 4, "Sabre": 8},
    {"Kharg": 24, "Sabre": 18},
    {"Kharg": 0, "Sabre": 30},
    {"Kharg": 12, "Sabre": 12},
)
"""Speeds of which some grow by more than they may."""


@pytest.mark.one_in(7)
@pytest.mark.parametrize("speeds", [SPEEDS, JUMPS], ids=["steady", "jumps"])
@pytest.mark.parametrize("seed", range(40))
def test_a_log_is_judged_as_event_by_event(
    seed: int, speeds: tuple[dict[str, int], ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = written(duel(speeds, ACTS, ways=WAYS if speeds is SPEEDS else {}))
    account, book = account_of(spoiled(lines, seed) if seed else lines)
    at_once, one_by_one = both(account, book, monkeypatch)
    assert at_once.report() == one_by_one.report()
    assert at_once.state == one_by_one.state
    assert at_once.course.made == one_by_one.course.made
    assert at_once.course._over == one_by_one.course._over
    assert at_once.course.track.units == one_by_one.course.track.units
    assert (at_once.moment, at_once.course.to_move) == (one_by_one.moment, one_by_one.course.to_move)


def test_most_of_a_game_is_carried_out_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    passed = []
    before = PlainPlay.passed

    def counted(self: PlainPlay, events: tuple[object, ...], at: int) -> int:
        end = before(self, events, at)  # type: ignore[arg-type]
        passed.append(end - at)
        return end

    monkeypatch.setattr(PlainPlay, "passed", counted)
    account, book = account_of(written(duel(SPEEDS, ACTS, ways=WAYS)))
    GameTable(book, load_ship, account)
    assert sum(passed) > len(account.events) / 2


def test_the_turns_of_a_game_begin_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    taken: list[str] = []
    before = GameTable.take

    def noted(self: GameTable, entry: Event) -> list[Finding]:
        taken.append(entry.type)
        return before(self, entry)

    monkeypatch.setattr(GameTable, "take", noted)
    account, book = account_of(written(duel(SPEEDS[:2])))
    GameTable(book, load_ship, account)
    # The first turn is judged by itself: there is none before it.
    assert Counter(taken) == {"ship": 2, "step": 1, "order": 2}


def test_a_rule_of_the_players_own_is_asked_at_every_move() -> None:
    account, book = account_of(written(duel(SPEEDS)))
    rules = dict(book.rules)
    rules["HOUSE"] = rules["C1.1"].as_grave_as("note", "house")
    assert rules["HOUSE"].passes == "plain"  # As grave as the players say, it still finds nothing.
    own = type(rules["C1.1"])("HOUSE", "Their own", "check", "move", lambda facts: iter(()))
    table = GameTable(replace(book, rules={**book.rules, "HOUSE": own}), load_ship, account)
    assert isinstance(table.fold, TakenFold)
    fire = PlainFire(table.rulebook, table.fire, table.beside.stated, table.fold)
    assert not PlainPlay(table.rulebook, table.course, fire, table.fold).possible


def any_unit(random: Random) -> ShipInPlay:
    return ShipInPlay(
        "A",
        "standard/klingon-d7",
        Hex(random.randint(2, 60), random.randint(2, 60)),
        random.choice(FACINGS),
        speed=random.choice((0, 4, 8, 16, 31, 32)),
        previous_speed=random.choice((None, 0, 8, 30)),
        start_speed=random.choice((None, 8)),
        counting=random.choice(("start", "turn", "unknown")),  # type: ignore[arg-type]
        turn_hex=random.randint(0, 1),
        straight=random.randint(0, 9),
        carried=random.randint(0, 9),
        moved=random.randint(0, 9),
        moved_on=random.choice((None, 3)),
        sealed=random.choice(("", "x")),
    )


def test_the_rules_have_nothing_against_a_plain_move() -> None:
    random, movement = Random(7), BOOK.offers.movement(BOOK)
    ship, plain = load_ship("standard/klingon-d7"), 0
    rules = [rule for rule in BOOK.rules_on("move", "check") if rule.passes == "plain"]
    assert len(rules) == len(BOOK.rules_on("move", "check")) > 6
    for _ in range(3000):
        unit, impulse = any_unit(random), random.randint(4, 32)
        assert unit.hex is not None and unit.facing is not None
        facing = random.choice((unit.facing, unit.facing, random.choice(FACINGS)))
        there = unit.hex.step(facing, random.choice((1, 1, 1, 2)))
        move = Move("A", When(1, impulse), unit.hex, there, unit.facing, facing, Location())
        if movement.plain(unit, move, impulse):
            plain += 1
            facts = BOOK.offers.move_facts(movement, "A", 1, impulse, Location(), ship, unit, move)
            assert not [found for rule in rules for found in rule.decide(facts)]
    assert plain > 300


def test_the_rules_have_nothing_against_a_turn_that_the_turn_mode_allows() -> None:
    random, movement = Random(8), BOOK.offers.movement(BOOK)
    ship, may, may_not = load_ship("standard/klingon-d7"), 0, 0
    rules = BOOK.rules_on("move", "check")
    for _ in range(2000):
        unit, impulse = any_unit(random), random.randint(4, 32)
        assert unit.hex is not None and unit.facing is not None
        hex, facing = after(unit.hex, unit.facing, random.choice(("left", "right")))
        move = Move("A", When(1, impulse), unit.hex, hex, unit.facing, facing, Location())
        if not movement.called(unit, impulse):
            continue
        facts = BOOK.offers.move_facts(movement, "A", 1, impulse, Location(), ship, unit, move)
        found = [found for rule in rules for found in rule.decide(facts)]
        assert bool(found) != movement.may_turn(ship, unit)
        may, may_not = may + (not found), may_not + bool(found)
    assert may > 200 and may_not > 50


def test_hexes_straight_ahead_count_as_moves_do() -> None:
    random = Random(3)
    for _ in range(100):
        unit = any_unit(random)
        assert unit.hex is not None and unit.facing is not None
        one_by_one, hex = unit, unit.hex
        for impulse in range(5, 8):
            hex = hex.step(unit.facing)
            one_by_one = moved(one_by_one, hex, unit.facing, impulse)
        assert gone_ahead(unit, 3, hex, 7) == one_by_one
