"""Legal games with a command that cannot be read: nobody is blamed for it, and what comes later is judged."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from referee.core.finding import Report, Severity
from referee.formats.vassal.commands import Command
from referee.judging.files import judge_file
from referee.sources.asked import Asked
from referee.sources.inputs import InputBytes
from referee.sources.settings import Settings
from tests.conftest import examples
from tests.property.test_logs_properties import any_game, errors, show
from tests.unit.formats.vassal.game_logs import (
    Game,
    LogWriter,
    Play,
    Written,
    called,
    keeps_to_map,
    module_bytes,
    write_log,
)

Audit = Callable[[Written], Report]
seeds = st.integers(0, 2**32)
few = examples(15)
HARMS = ("place", "piece", "state", "short", "turn")


@pytest.fixture(scope="module")
def audit(tmp_path_factory: pytest.TempPathFactory) -> Audit:
    path = tmp_path_factory.mktemp("module") / "generated.vmod"
    path.write_bytes(module_bytes())
    asked = Asked(Settings(), module=str(path), digests=False)
    return lambda written: judge_file(InputBytes("game.vlog", written.data, "save"), asked)


def harmed(text: str, harm: str) -> str:
    """A move or a change that VASSAL does not write; others as they are."""
    begins, _, rest = text.removeprefix("LOG\t").partition("/")
    parts = rest.split("/")
    if begins == "M" and harm in ("place", "piece"):
        parts[2 if harm == "place" else 0] = "abc"
    elif begins == "D" and harm in ("state", "short", "turn"):
        parts = {"state": parts[:1], "short": [parts[0], "x", "y"], "turn": ["abc", *parts[1:]]}[harm]
    else:
        return text
    return f"LOG\t{begins}/{'/'.join(parts)}"


def log_with(game: Game, of: Play, harm: str) -> tuple[Written, list[int]]:
    """The log with the commands of a move spoilt, and the steps of those."""
    spoilt: list[int] = []

    class Spoiling(LogWriter):
        def play(self, play: Play) -> tuple[int | None, int]:
            steps = super().play(play)
            for step in dict.fromkeys(step for step in steps if step and play is of):
                whole = self.steps[step - 1]
                text = harmed(whole.text, harm)
                parts = tuple(Command(harmed(part.text, harm)) for part in whole.subs)
                if (text, parts) != (whole.text, whole.subs):
                    spoilt.append(step)
                self.steps[step - 1] = Command(text, parts)
            return steps

    return write_log(game, by=Spoiling), spoilt


def legal(report: Report, spoilt: list[int]) -> bool:
    """Is nothing found but what could not be read, and doubts about its ship?"""
    said = [f for f in report.findings if f.key != "NOTE/unsure"]
    unread = sorted(f.location.step or 0 for f in said if f.key == "NOTE/unread")
    return unread == sorted(spoilt) and not any(f.severity is Severity.ERROR for f in said)


def picked(random: Random, game: Game, harm: str) -> Play:
    """A move that has a command to be spoilt so, with turns after it where there are any."""
    turns = harm not in ("place", "piece")
    fit = [play for play in game.plays if play.way or not turns]
    assume(fit)
    return random.choice(fit[: len(fit) // 2 + 1])


@pytest.mark.one_in(2)
@pytest.mark.parametrize("harm", HARMS)
@given(seeds)
@few
def test_nobody_is_blamed_for_what_cannot_be_read(audit: Audit, harm: str, seed: int) -> None:
    random = Random(seed)
    game = any_game(random)
    written, spoilt = log_with(game, picked(random, game, harm), harm)
    assert spoilt
    report = audit(written)
    assert legal(report, spoilt), show(report)


@pytest.mark.one_in(2)
@pytest.mark.parametrize("harm", HARMS)
@given(seeds)
@few
def test_later_moves_are_judged(audit: Audit, harm: str, seed: int) -> None:
    """An extra hex, a second one, none at all or a turn too early, in a later impulse, once its ship was seen
    again: its place with the next move, its heading with the next turn."""
    random = Random(seed)
    game = any_game(random)
    of = picked(random, game, harm)
    later = [
        play
        for play in game.plays[game.plays.index(of) + 1 :]
        if play.ship == of.ship and (play.turn, play.impulse) > (of.turn, of.impulse)
    ]
    turned = next((n for n, play in enumerate(later) if play.way), None)
    seen = later if harm == "place" or turned is None else later[turned:]
    if len(seen) < 3 or (turned is None and harm != "place"):
        return
    wrong = random.choice(seen[1:])
    plays = list(game.plays)
    impulses = range(wrong.impulse + 1, game.impulses + 1)
    idle = [i for i in impulses if not called(game.speeds[of.ship, wrong.turn], i, game.impulses)]
    short = wrong.count < game.ships[of.ship].cls.needs(game.speeds[of.ship, wrong.turn])
    early = short and turned is not None and later.index(wrong) > turned
    kind = random.choice(
        ("again", "skipped", *(["extra"] if idle else []), *(["early"] * 3 if early else []))
    )
    number = len(plays)
    if kind == "skipped":
        plays.remove(wrong)
    elif kind == "early":
        number = plays.index(wrong)
        plays[number] = replace(wrong, way=1)
    else:
        impulse = wrong.impulse if kind == "again" else idle[0]
        plays.append(replace(wrong, impulse=impulse, way=0, undone=False))
    spoilt_game = replace(game, plays=tuple(plays))
    assume(keeps_to_map(spoilt_game))
    written, _ = log_with(spoilt_game, of, harm)
    report = audit(written)
    moment = wrong.turn, wrong.impulse
    step = written.over[moment] if kind == "skipped" else written.plays[number][0 if kind == "early" else 1]
    rule = {"again": "C1.1", "early": "C3.2"}.get(kind, "C1.4")
    assert errors(report, rule, of.ship, step), f"{kind} {wrong}\n{show(report)}"
