"""A log as an account of its game: ships, moves and orders, in the order of its steps."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.core.account import Account
from referee.core.play import When
from referee.formats.vassal.game import read_save
from referee.logs.course import BEGUN, COUNTERS, account_told, any_moves, begins_game, classes_of, for_fire
from referee.logs.fire import orders_told
from referee.logs.moves import moves_told
from referee.logs.reading import LogRead, read_game
from referee.sources.asked import Asked
from referee.sources.settings import Settings
from tests.logtable import LogTable
from tests.unit.formats.vassal.game_logs import module_bytes

SHIPS = "Const  cadet/federation-ca  4030D  speed 16\nDestr  cadet/klingon-d6  4036A  speed 0"
TWO_HEXES = "impulse 2\nConst ahead\nimpulse 4\nConst ahead\nstep fire\nAnn: !fire PH-1/A at Destr\nimpulse 5"


def read(lines: str, folder: Path, clock: str = "1.1") -> LogRead:
    path = folder / "generated.vmod"
    path.write_bytes(module_bytes())
    save = read_save(LogTable(SHIPS, {}, clock).played(lines, ended=False), "game.vlog")
    ships = ("Const=cadet/federation-ca", "Destr=cadet/klingon-d6")
    return read_game(save, Asked(Settings(), module=str(path), ships=ships))


def account_of(log: LogRead, *, on_map: bool = True) -> Account:
    judged = list(log.judged)
    moves = moves_told(log.logged, judged) if on_map else None
    orders = orders_told(log.logged, judged, log.orders).events
    return account_told(log.logged, judged, log.asked, moves, (), orders)


def kinds(account: Account) -> list[str]:
    return [next(iter(event.data)) if event.type == "order" else event.type for event in account.events]


def test_moves_and_fire_come_in_the_order_of_their_steps(tmp_path: Path) -> None:
    account = account_of(read(TWO_HEXES, tmp_path))
    assert kinds(account)[:3] == ["genesis", "ship", "ship"]
    assert [kind for kind in kinds(account) if kind in ("seen", "fire")] == ["seen", "seen", "fire"]
    steps = [event.at.step or 0 for event in account.events if event.type == "order"]
    assert steps == sorted(steps)


def test_its_events_are_numbered_from_the_genesis(tmp_path: Path) -> None:
    account = account_of(read(TWO_HEXES, tmp_path))
    assert [event.seq for event in account.events] == list(range(len(account.events)))


def test_where_counters_stand_is_seen_and_not_said(tmp_path: Path) -> None:
    account = account_of(read(TWO_HEXES, tmp_path))
    assert account.coverage.ways == COUNTERS and not account.kept


@pytest.mark.parametrize(("clock", "start"), [("1.1", ""), ("2.1", BEGUN)])
def test_a_log_that_begins_later_says_so(clock: str, start: str, tmp_path: Path) -> None:
    log = read("Const ahead", tmp_path, clock)
    assert begins_game(log.logged) is not bool(start)
    assert account_of(log).coverage.start == start


def test_an_impulse_is_over_where_the_clock_goes_on(tmp_path: Path) -> None:
    account = account_of(read(TWO_HEXES, tmp_path))
    assert [*account.over] == [(1, 1), (1, 2), (1, 3), (1, 4)]
    assert (account.since, account.until) == (When(1, 1), When(1, 5))


def test_without_a_map_ships_stand_nowhere(tmp_path: Path) -> None:
    account = account_of(read(TWO_HEXES, tmp_path), on_map=False)
    assert [event.data["on_map"] for event in account.events if event.type == "ship"] == [False, False]
    assert "seen" not in kinds(account)


def test_for_fire_alone_no_ship_moves(tmp_path: Path) -> None:
    assert kinds(for_fire(account_of(read(TWO_HEXES, tmp_path)))) == ["genesis", "ship", "ship", "fire"]


def test_the_classes_are_found_by_their_ids(tmp_path: Path) -> None:
    classes = classes_of(read(TWO_HEXES, tmp_path).judged)
    assert {*classes} == {"cadet/federation-ca", "cadet/klingon-d6"}


@pytest.mark.parametrize(
    ("lines", "moves"), [("impulse 2\nConst ahead", True), ("Ann: hello", False), ("impulse 2", True)]
)
def test_a_log_in_which_nothing_moves_and_no_impulse_ends_has_no_course(
    lines: str, moves: bool, tmp_path: Path
) -> None:
    assert any_moves(read(lines, tmp_path).logged) is moves
