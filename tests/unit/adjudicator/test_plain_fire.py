"""Volleys against which the rules have nothing: carried out at once, they come to the same as event by event."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from random import Random

import pytest

from referee.adjudicator.plain_fire import PlainFire
from referee.adjudicator.table import GameTable
from referee.core.account import Account
from referee.core.board import LoadShip
from referee.core.toldfold import TakenFold
from referee.rulebooks.base import Rule, Rulebook
from referee.rulebooks.registry import load_ship
from tests.conftest import mostly_long
from tests.unit.adjudicator.test_plain_play import account_of, both
from tests.unit.sources.sfbol_judged import duel, written

SHIPS = {
    "Kharg": "standard/klingon-d7",
    "Sabre": "standard/federation-ca",
    "Marauder": "standard/klingon-d7",
}
AT = {"Kharg": "2030A", "Sabre": "2010D", "Marauder": "2430A"}
MARKS = {
    "Kharg": ("PH-2/1", "PH-2/2", "PH-2/3", "PH-2/4", "PH-2/8", "DISR/A", "DISR/B"),
    "Sabre": ("PH-1/1", "PH-1/2", "PH-1/3", "PH-1/5", "PHOT/A", "PHOT/B"),
}
MARKS["Marauder"] = MARKS["Kharg"]
Lines = list[str]


def fought(seed: int, turns: int = 4) -> Lines:
    """The log of a game of two or three ships that fire twice a turn, mostly as they may."""
    random = Random(seed)
    names = list(SHIPS)[: random.choice((2, 2, 3))]
    acts: dict[tuple[int, int], list[str]] = {}
    for turn in range(1, turns + 1):
        for impulse in random.sample((8, 12, 16, 20, 24), 2):
            for name in names:
                marks = random.sample(MARKS[name], random.randint(1, 3))
                target = random.choice([other for other in names if other != name])
                if random.random() < 0.7:
                    acts.setdefault((turn, impulse), []).append(
                        f"{name}: fire {', '.join(marks)} at {target}"
                    )
    speeds = [{name: random.choice((4, 8, 12)) for name in names} for _ in range(turns)]
    ways = {
        (turn, impulse, name): random.choice(("left", "right"))
        for turn in range(1, turns + 1)
        for impulse in (16, 32)
        for name in names
        if random.random() < 0.5
    }
    return written(duel(speeds, acts, at=AT, ways=ways, classes={name: SHIPS[name] for name in names}))


def _one(lines: Lines, random: Random, words: str) -> int | None:
    return random.choice([n for n, line in enumerate(lines) if words in line] or [None])  # type: ignore[list-item]


def _figure(words: str, figure: str) -> Callable[[Lines, Random], None]:
    """Changes one figure of a line."""

    def changed(lines: Lines, random: Random) -> None:
        n = _one(lines, random, words)
        found = [] if n is None else list(re.finditer(figure, lines[n]))
        if found and n is not None:
            at = random.choice(found)
            new = max(0, int(at[1]) + random.choice((-1, 1, 2)))
            lines[n] = f"{lines[n][: at.start(1)]}{new}{lines[n][at.end(1) :]}"

    return changed


def _dropped(words: str) -> Callable[[Lines, Random], None]:
    def changed(lines: Lines, random: Random) -> None:
        if (n := _one(lines, random, words)) is not None:
            del lines[n]

    return changed


def _again(words: str) -> Callable[[Lines, Random], None]:
    def changed(lines: Lines, random: Random) -> None:
        if (n := _one(lines, random, words)) is not None:
            lines.insert(n, lines[n])

    return changed


def _later(lines: Lines, random: Random) -> None:
    """What is stated of a volley stands in the next impulse."""
    n = _one(lines, random, "Allocation of damage")
    after = next((k for k in range(n or 0, len(lines)) if lines[k].startswith("Impulse")), None)
    if n is not None and after is not None:
        lines.insert(n, lines.pop(after))


def _mode(lines: Lines, random: Random) -> None:
    if (n := _one(lines, random, " #A (")) is not None:
        lines[n] = lines[n].replace(" (Range", " using Overloaded mode (Range")


def _destroyed(lines: Lines, random: Random) -> None:
    if (n := _one(lines, random, "Remaining Shield")) is not None:
        lines.insert(n + 1, "USS Sabre has been destroyed")


SPOILT: dict[str, Callable[[Lines, Random], None]] = {
    "another range": _figure("(Range", r"Range: (\d+)"),
    "another die": _figure(" Rolls ", r"[ ,](\d)\b"),
    "other dice": _figure(" Rolls ", r"Rolls (\d)d"),
    "another sum": _figure("(Total", r"Total: (\d+)"),
    "other damage": _figure("Damage:", r"[ /](\d+)"),
    "other shields": _figure("Remaining Shield", r"[ /](\d+)"),
    "another mount": _figure("(Range", r"#(\d+)"),
    "a shot less": _dropped("(Range"),
    "a shot twice": _again("(Range"),
    "no dice": _dropped(" Rolls "),
    "dice twice": _again(" Rolls "),
    "no damage": _dropped("Damage:"),
    "damage twice": _again("Damage:"),
    "no shields": _dropped("Remaining"),
    "a move less": _dropped("has moved"),
    "another hex": _figure("has moved", r"(\d)[A-F]?$"),
    "stated later": _later,
    "another mode": _mode,
    "a ship destroyed": _destroyed,
}


def same(lines: Lines, monkeypatch: pytest.MonkeyPatch) -> GameTable:
    """A log judged both ways: the table that carried volleys out at once."""
    at_once, one_by_one = both(*account_of(lines), monkeypatch)
    assert at_once.report() == one_by_one.report()
    assert at_once.state == one_by_one.state
    assert at_once.found == one_by_one.found
    assert at_once.course.track.units == one_by_one.course.track.units
    return at_once


@pytest.mark.parametrize("seed", mostly_long(range(60), lambda seed: seed < 8))
def test_a_game_is_judged_as_shot_by_shot(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    same(fought(seed), monkeypatch)


CELLS = [(how, seed) for how in SPOILT for seed in range(20)]


@pytest.mark.one_in(3)
@pytest.mark.parametrize(("how", "seed"), mostly_long(CELLS, lambda how, seed: seed == 0))
def test_so_is_one_in_which_something_is_wrong(how: str, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    random = Random(seed)
    lines = fought(seed + len(how))
    for _ in range(random.randint(1, 2)):
        SPOILT[how](lines, random)
    same(lines, monkeypatch)


def test_of_a_plain_game_all_volleys_are_carried_out_at_once() -> None:
    acts = {
        (turn, 16): ("Kharg: fire PH-2/1, PH-2/2 at Sabre", "Sabre: fire PH-1/1 at Kharg") for turn in (1, 2)
    }
    speeds = [{"Kharg": 4, "Sabre": 4}] * 2
    lines = written(duel(speeds, acts))
    table = GameTable(*_book_first(account_of(lines)))
    assert len(table.fire.plain) == 6
    n = next(n for n, line in enumerate(lines) if "(Range" in line)
    lines[n] = lines[n].replace("(Range: ", "(Range: 1")
    assert len(GameTable(*_book_first(account_of(lines))).fire.plain) == 3


def _book_first(found: tuple[Account, Rulebook]) -> tuple[Rulebook, LoadShip, Account]:
    return found[1], load_ship, found[0]


@pytest.mark.parametrize("on", ["shot", "step", "damage stated", "range stated", "shields stated"])
def test_a_rule_of_the_players_own_is_asked_of_every_shot(on: str) -> None:
    account, book = account_of(fought(0, 1))
    table = GameTable(book, load_ship, account)
    assert isinstance(table.fold, TakenFold)
    assert PlainFire(book, table.fire, table.beside.stated, table.fold).possible
    own = Rule("HOUSE", "Their own", "check", on, lambda facts: iter(()))
    house = replace(book, rules={**book.rules, "HOUSE": own})
    assert not PlainFire(house, table.fire, table.beside.stated, table.fold).possible


def test_a_way_of_counting_of_the_players_own_is_asked_of_every_shot() -> None:
    account, book = account_of(fought(0, 1))
    table = GameTable(book, load_ship, account)
    assert isinstance(table.fold, TakenFold)
    rules = {**book.rules, "D6.21": replace(book.rules["D6.21"], origin="house")}
    assert not PlainFire(replace(book, rules=rules), table.fire, table.beside.stated, table.fold).possible
