"""Seekers in stretches that are carried out at once: they come to the same as event by event."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from benchmarks.play_speed import game, written
from referee.adjudicator.plain_flights import PlainFlights
from referee.adjudicator.table import GameTable
from referee.core.account import Event
from referee.core.errors import BadInput
from referee.core.finding import Finding
from referee.core.toldfold import TakenFold
from referee.rulebooks.registry import load_ship
from tests.unit.adjudicator.test_plain_play import account_of, both
from tests.unit.sources.sfbol_judged import judged


def flights(seed: int, turns: int = 2) -> list[str]:
    """The lines of a game full of drones."""
    return written(game(seed, turns, drones=True), seed).splitlines()


def spoiled(lines: list[str], seed: int) -> list[str]:
    """A log in which some moves of seekers are left out, made twice, out of their order or into another hex."""
    random = Random(seed)
    for _ in range(random.randint(1, 4)):
        n = random.choice([n for n, line in enumerate(lines) if line.startswith("D0") and "moved" in line])
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


@pytest.mark.one_in(7)
@pytest.mark.parametrize("seed", range(40))
def test_flights_are_judged_as_event_by_event(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = flights(seed % 5)
    account, book = account_of(spoiled(lines, seed) if seed > 4 else lines)
    at_once, one_by_one = both(account, book, monkeypatch)
    assert at_once.report() == one_by_one.report()
    assert at_once.state == one_by_one.state
    assert at_once.course.made == one_by_one.course.made
    assert at_once.course.track.units == one_by_one.course.track.units
    assert (at_once.moment, at_once.course.to_move) == (one_by_one.moment, one_by_one.course.to_move)


@pytest.mark.parametrize("seed", [0, 4, 8])
def test_games_full_of_drones_are_legal(seed: int) -> None:
    """Of the last two a drone strikes, and in the same impulse its ship launches another one: it guides six."""
    assert judged(flights(seed, 3)).verdict == "legal"


def test_a_seeker_that_follows_its_target_is_judged_by_itself_only_where_it_is_launched_and_strikes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    taken: list[Event] = []
    before = GameTable.take

    def noted(self: GameTable, entry: Event) -> list[Finding]:
        taken.append(entry)
        return before(self, entry)

    monkeypatch.setattr(GameTable, "take", noted)
    account, book = account_of(flights(1))
    GameTable(book, load_ship, account)
    moves = sum("seeker" in event.data for event in account.events if event.type == "order")
    launches = sum("launch" in event.data for event in account.events if event.type == "order")
    assert sum("seeker" in event.data for event in taken if event.type == "order") <= launches < moves / 10


def test_a_rule_of_the_players_own_on_seekers_is_asked_at_every_move() -> None:
    account, book = account_of(flights(1, 1))
    own = type(book.rules["F2.0"])("HOUSE", "Their own", "check", "seeker move", lambda facts: iter(()))
    table = GameTable(replace(book, rules={**book.rules, "HOUSE": own}), load_ship, account)
    assert isinstance(table.fold, TakenFold)
    assert not PlainFlights(table.rulebook, table.course.track.movement, table.fold).possible


def test_an_order_that_moves_a_seeker_and_says_more_is_refused() -> None:
    account, book = account_of(flights(1, 1))
    n, order = next((n, each) for n, each in enumerate(account.events) if "seeker" in each.data)
    data = {**order.data, "speed": {"ship": "Kharg", "speed": 4}}
    del data["text"]
    events = (*account.events[:n], replace(order, data=data), *account.events[n + 1 :])
    with pytest.raises(BadInput, match="several things at once"):
        GameTable(book, load_ship, replace(account, events=events))
