"""A log is read once, and nothing of it is judged twice, whether it is audited or a game is taken from it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from referee.adjudicator import rolled_fire
from referee.core.account import Account
from referee.formats.vassal.game import read_save
from referee.formats.vassal.module import read_module
from referee.logs import audit, played, reading
from referee.logs.account import account_of, log_shown
from referee.logs.audit import game_of, judge_log
from referee.sources.asked import Asked
from referee.sources.settings import Settings
from referee.sources.ships import Reading
from referee.sources.shown import came_to_stand
from tests.logtable import LogTable
from tests.net.gamefiles import log_of
from tests.unit.formats.vassal.game_logs import legal_game, module_bytes, write_log

Counted = Callable[[Any, str], list[Any]]


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> Counted:
    """Counts the calls of a function of a module, by their arguments."""

    def count(module: Any, name: str) -> list[Any]:
        calls: list[Any] = []
        known = getattr(module, name)

        def call(*args: Any, **named: Any) -> Any:
            calls.append(args)
            return known(*args, **named)

        monkeypatch.setattr(module, name, call)
        return calls

    return count


def read(data: bytes, folder: Path) -> Reading:
    path = folder / "generated.vmod"
    path.write_bytes(module_bytes())
    module = read_module(path.read_bytes(), path.name)
    return Reading(read_save(data, "game.vlog"), Asked(Settings(), module=str(path)), None, module)


def stands_in(account: Account) -> set[tuple[str, int | None]]:
    """The ships that came to stand somewhere, and the steps they did in."""
    stands = ((came_to_stand(event), event.at.step) for event in account.events)
    return {(stand[0], step) for stand, step in stands if stand is not None}


def test_a_game_is_taken_from_a_log_that_is_read_once(counted: Counted, tmp_path: Path) -> None:
    log = read(write_log(legal_game(Random(5), ships=3, turns=2)).data, tmp_path)
    reads, plays = counted(reading, "read_log"), counted(played, "GameTable")
    account = log_shown(log).account
    assert (len(reads), len(plays)) == (1, 1)
    assert len(account.ships) == 3 and stands_in(account)


def test_the_audit_and_the_account_take_the_same_game(counted: Counted, tmp_path: Path) -> None:
    log = read(write_log(legal_game(Random(5), ships=3, turns=2)).data, tmp_path)
    reads = counted(reading, "read_log")
    report = judge_log(log.save, log.asked)
    account = account_of(game_of(reading.read_game(log.save, log.asked), for_record=True)).account
    assert len(reads) == 2
    moved = sum(one.hexes or 0 for one in report.turns)
    assert moved == len(stands_in(account))


TAKEN_OFF = """
form Const: Phasrecharge 3
form Destr: Phasrecharge 3
impulse 3
Ben: !hit 17 on 1
Destr marks shield 1: 16, PH-2/A: 1
impulse 8
Destr takes off PH-2/A: 1
impulse 9
step fire
"""
FIRED = "Ben: !Destr: fire PH-2/A at Const\nBen rolls 3"


@pytest.mark.parametrize(("after", "plays"), [("", 1), (FIRED, 2)])
def test_a_log_is_played_again_only_where_fire_comes_after_damage_that_was_taken_off(
    counted: Counted, tmp_path: Path, after: str, plays: int
) -> None:
    ships = "Const  cadet/federation-ca  4030D  speed 0\nDestr  cadet/klingon-d6  4050A  speed 0"
    log = read(LogTable(ships, {}).played(TAKEN_OFF + after), tmp_path)
    played_out = counted(audit, "played")
    game = game_of(
        reading.read_game(
            log.save, replace(log.asked, ships=("Const=cadet/federation-ca", "Destr=cadet/klingon-d6"))
        )
    )
    assert len(played_out) == plays
    assert [sorted(lost.boxes) for lost in game.played.ships[1].unpaid] == [["PH-2/A"]]
    refused = {finding.key for finding in game.played.fired.report.findings}
    assert ("E2.24" in refused) == bool(after)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("seed", range(12))
def test_no_reading_of_the_dice_is_judged_twice(counted: Counted, tmp_path: Path, seed: int) -> None:
    log = read(log_of(f"odd war {seed}"), tmp_path)
    damage, rows = counted(played, "damage_marked"), counted(rolled_fire, "_results")
    judge_log(log.save, log.asked)
    judged = [(args[5], args[6]) for args in damage]
    assert not any(one == other for n, one in enumerate(judged) for other in judged[:n])
    tried = [(id(args[1]), tuple(sorted(args[2].items()))) for args in rows]
    assert len(tried) == len(set(tried))


@pytest.mark.parametrize("seed", range(6))
def test_the_table_of_a_log_knows_where_its_ships_came_to_stand(tmp_path: Path, seed: int) -> None:
    log = read(write_log(legal_game(Random(seed), ships=3, turns=2)).data, tmp_path)
    game = game_of(reading.read_game(log.save, log.asked))
    assert game.played.table is not None
    stands = {name: (ship.unit.hex, ship.unit.facing) for name, ship in game.played.table.state.ships.items()}
    last = {move.ship: (move.to_hex, move.facing_after) for move in game.played.moves.moves}
    assert last and {name: stands[name] for name in last} == last
