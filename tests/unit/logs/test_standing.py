"""A log judged as it goes on has the findings of one that is judged whole."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace as replaced
from pathlib import Path
from random import Random
from typing import Any

import pytest

from referee.adjudicator import check
from referee.core.finding import Report
from referee.core.frozen import replace
from referee.formats.vassal.game import Save, read_save
from referee.judging.files import judge_file
from referee.logs import standing as kept
from referee.logs.audit import judge_log
from referee.logs.standing import Standing
from referee.sources.asked import Asked
from referee.sources.inputs import InputBytes
from referee.sources.settings import Settings
from tests.unit.vassal.game_logs import Game, legal_game, module_bytes, write_log


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


@pytest.mark.parametrize("seed", range(6))
def test_what_stands_changes_no_finding(asked: Asked, seed: int) -> None:
    random = Random(seed)
    save = log_of(overspent(random))
    most = len(save.steps)
    goes_on(save, asked, [*range(5, most, max(most // 25, 1)), most])
    goes_on(save, asked, [random.randint(1, most) for _ in range(12)])


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

    monkeypatch.setattr(kept, "judge_turns", judge_turns)
    judge_log(save, asked, standing=standing)
    assert len(judged) <= 3, "of each ship the last turn at most"


def test_a_file_is_judged_by_what_stands(asked: Asked) -> None:
    source = InputBytes("game.vlog", write_log(overspent(Random(2))).data, "save")
    standing = Standing()
    first = judge_file(source, asked, standing)
    assert first == judge_file(source, asked, standing) == judge_file(source, asked)
