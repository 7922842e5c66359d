"""Games of one file that several processes judge: the same report, in the order of the file."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future
from typing import Any

import pytest

import referee.judging.parallel_check as parallel_check
import referee.judging.sfbol as sfbol
from referee.core.errors import BadInput
from referee.core.finding import Report
from referee.core.forms import EnergyForm
from referee.formats.sfbol_games import GamePart
from referee.judging.sfbol import GameJudged, Job, Sharing
from referee.sources.asked import Asked
from referee.sources.inputs import InputBytes
from referee.sources.settings import Settings
from referee.sources.sfbol import GameTold
from tests.unit.sources.sfbol_judged import duel, written


class Here:
    """Runs what it is given at once, in this process."""

    def __init__(self) -> None:
        self.rows = 0

    def submit(self, work: Callable[..., Any], *given: Any) -> Future[Any]:
        self.rows += 1
        done: Future[Any] = Future()
        try:
            done.set_result(work(*given))
        except BadInput as error:
            done.set_exception(error)
        return done


def jobs(count: int) -> list[Job]:
    return [(GamePart(n, "x" * (10 + n % 7)), {}) for n in range(1, count + 1)]


def judge(part: GamePart, forms: Mapping[str, EnergyForm]) -> GameJudged:
    return GameJudged(Report(), GameTold(part.first, part.first, ()))


@pytest.mark.parametrize("count", [2, 3, 40, 200])
@pytest.mark.parametrize("workers", [2, 5])
def test_all_games_are_judged_once_and_in_their_order(count: int, workers: int) -> None:
    others = Here()
    found = sfbol._shared(jobs(count), judge, Sharing(others, workers, 40))  # type: ignore[arg-type]
    assert [outcome.game.first for outcome in found] == list(range(1, count + 1))
    assert others.rows > 0


@pytest.mark.parametrize("bad", [(3, 90), (90, 95), (1, 2)])
def test_what_is_raised_is_of_the_first_game(bad: tuple[int, int]) -> None:
    def refuses(part: GamePart, forms: Mapping[str, EnergyForm]) -> GameJudged:
        if part.first in bad:
            raise BadInput(f"game {part.first}")
        return judge(part, forms)

    with pytest.raises(BadInput, match=f"game {bad[0]}$"):
        sfbol._shared(jobs(100), refuses, Sharing(Here(), 2, 40))  # type: ignore[arg-type]


def test_a_report_is_the_same_by_one_process_and_by_two(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sfbol, "SHARED", 1000)
    games = [
        written(duel(({"Kharg": speed, "Sabre": 12}, {"Kharg": 4, "Sabre": 8}))) for speed in (4, 8, 12, 16)
    ]
    games[2][40:42] = reversed(games[2][40:42])
    source = InputBytes("games.log", "".join(f"{line}\n" for one in games for line in one).encode(), "text")
    shared: list[int] = []
    before = sfbol._shared

    def counted(jobs: Iterator[Job], judge: sfbol.Judge, others: Sharing) -> list[GameJudged]:
        outcomes = before(jobs, judge, others)
        shared.append(len(outcomes))
        return outcomes

    monkeypatch.setattr(sfbol, "_shared", counted)
    alone = sfbol.judge_play(source, Asked(Settings(), workers=1))
    assert not shared
    assert sfbol.judge_play(source, Asked(Settings(), workers=2)) == alone
    assert shared == [4] and alone.findings


def test_processes_that_share_the_files_do_not_share_each_once_more(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[int] = []

    def noted(path: str, asked: Asked, stdin_name: str) -> Report:
        seen.append(asked.workers)
        return Report()

    monkeypatch.setattr(parallel_check, "_judged", noted)
    for workers in (0, 1, 3):
        list(parallel_check.judged(["-"], Asked(Settings()), workers=workers))
    list(parallel_check.judged(["-", "b"], Asked(Settings()), workers=2))
    assert seen == [0, 1, 3, 1, 1]
