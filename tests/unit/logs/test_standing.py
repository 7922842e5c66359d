"""A log judged as it goes on has the findings of one that is judged whole."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace as replaced
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest

from referee.adjudicator import check, played_energy
from referee.core.finding import Report
from referee.core.frozen import replace
from referee.formats.vassal.game import Save, read_save
from referee.judging.files import judge_file
from referee.logs.audit import judge_log
from referee.logs.standing import Standing
from referee.sources.asked import Asked
from referee.sources.inputs import InputBytes
from referee.sources.settings import Settings
from tests.conftest import mostly_long
from tests.logtable import LogTable
from tests.net.logcases import cases
from tests.unit.formats.vassal.game_logs import Game, legal_game, module_bytes, without, write_log


@pytest.fixture
def asked(tmp_path: Path) -> Asked:
    module = tmp_path / "game.vmod"
    module.write_bytes(module_bytes())
    return Asked(Settings(), module=str(module), digests=False)


def overspent(random: Random, *, turns: int = 3) -> Game:
    """A game in which a few figures are wrong, and some are written for turns that others are blank in."""
    game = legal_game(random, ships=3, turns=turns)
    written = dict(game.written)
    for name in game.ships:
        turn = random.randint(1, turns)
        written[name, turn] = {"Total Used": str(random.randint(0, 40)), "ECM": str(random.randint(0, 9))}
    return replaced(game, written=written)


def log_of(game: Game) -> Save:
    return read_save(write_log(game).data, "game.vlog")


def up_to(save: Save, steps: int) -> Save:
    return replace(save, steps=save.steps[:steps])


def goes_on(save: Save, asked: Asked, cuts: Sequence[int]) -> None:
    """Judges a log cut at one step after another by what stands, and each whole."""
    standing = Standing()
    for cut in cuts:
        part = up_to(save, cut)
        assert judge_log(part, asked, standing=standing) == judge_log(part, asked), cut


@pytest.mark.parametrize("seed", mostly_long(range(6), lambda seed: seed < 1))
def test_what_stands_changes_no_finding(asked: Asked, seed: int) -> None:
    random = Random(seed)
    save = log_of(overspent(random))
    most = len(save.steps)
    goes_on(save, asked, [*range(5, most, max(most // 25, 1)), most])
    goes_on(save, asked, [random.randint(1, most) for _ in range(12)])


@pytest.mark.parametrize("seed", mostly_long(range(8), lambda seed: seed < 1))
def test_moves_that_are_wrong_missing_or_taken_back_are_found_the_same(asked: Asked, seed: int) -> None:
    random = Random(seed)
    game = legal_game(random, ships=3, turns=3)
    for _ in range(random.randint(1, 5)):
        game = without(game, random.randrange(len(game.plays)))
    wrong = [random.randrange(len(game.plays)) for _ in range(6)]
    plays = [
        replaced(play, way=random.choice((-1, 0, 1)), undone=random.random() < 0.3) if n in wrong else play
        for n, play in enumerate(game.plays)
    ]
    save = log_of(replaced(game, plays=tuple(plays)))
    most = len(save.steps)
    goes_on(save, asked, [*range(10, most, 7), most])


def test_moves_of_impulses_long_over_are_not_judged_again(asked: Asked) -> None:
    save, standing = log_of(legal_game(Random(3), ships=3, turns=3)), Standing()
    for back in (30, 20, 10, 0):
        judge_log(up_to(save, len(save.steps) - back), asked, standing=standing)
    course = standing._course
    assert course is not None and course.again > 0.8 * len(course._row)


def test_moves_that_are_as_they_were_are_told_by_the_same_events(asked: Asked) -> None:
    save, standing = log_of(legal_game(Random(3), ships=3, turns=3)), Standing()
    most = len(save.steps)
    judge_log(up_to(save, most - 10), asked, standing=standing)
    before = [event for event in standing.events if "seen" in event.data]
    judge_log(save, asked, standing=standing)
    same = sum(
        one is two for one, two in zip(before, [e for e in standing.events if "seen" in e.data], strict=False)
    )
    assert len(before) > 50 and same > 0.9 * len(before)


@pytest.mark.parametrize(
    ("number", "steps"),
    mostly_long(product(range(len(cases())), (4, 1)), lambda number, steps: steps == 4 and number % 8 == 0),
)
def test_the_cases_of_logs_are_found_the_same_as_they_go_on(number: int, steps: int, asked: Asked) -> None:
    case = list(cases().values())[number]
    table = LogTable(case["ships"], case.get("lost", {}), case.get("clock", "1.1"))
    table.begun(case.get("begun", ""))
    log = table.played(case.get("before", "") + case["log"], case.get("ended", True))
    named = tuple(f"{name}={ship.id}" for name, ship in table.classes.items())
    (rulebook,) = {ship.rulebook for ship in table.classes.values()}
    asked = replace(asked, settings=Settings(rulebook, case.get("options", {})), ships=named)
    save = read_save(log, "game.vlog")
    most = len(save.steps)
    goes_on(save, asked, [*range(max(most - 12, 1), most, steps), most, most])


def test_another_game_under_the_same_name_is_judged_as_it_is(asked: Asked) -> None:
    standing = Standing()
    for seed in range(6):
        save = log_of(overspent(Random(seed), turns=2))
        assert judge_log(save, asked, standing=standing) == judge_log(save, asked)


def test_energy_that_is_as_it_was_is_not_worked_out_again(
    asked: Asked, monkeypatch: pytest.MonkeyPatch
) -> None:
    save, standing = log_of(legal_game(Random(3), ships=3, turns=3)), Standing()
    judge_log(up_to(save, len(save.steps) - 4), asked, standing=standing)
    judged: list[object] = []

    def judge_turns(*given: Any) -> Report:
        judged.append(given)
        return check.judge_turns(*given)

    monkeypatch.setattr(played_energy, "judge_turns", judge_turns)
    judge_log(save, asked, standing=standing)
    assert len(judged) <= 3, "of each ship the last turn at most"


def test_a_file_is_judged_by_what_stands(asked: Asked) -> None:
    source = InputBytes("game.vlog", write_log(overspent(Random(2))).data, "save")
    standing = Standing()
    first = judge_file(source, asked, standing)
    assert first == judge_file(source, asked, standing) == judge_file(source, asked)
