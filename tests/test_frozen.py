"""What was found in generated games, logs and forms is found as it was; a change is written down and read.

`python -m tests.frozen.write` writes it anew.
"""

from __future__ import annotations

import pytest

from tests.frozen import takeovers
from tests.frozen.games import files, in_line, kinds, made
from tests.frozen.write import FROZEN

pytestmark = pytest.mark.long
KINDS = list(kinds())


def frozen() -> dict[str, str]:
    """The lines by the name of their game."""
    lines = FROZEN.read_text(encoding="utf-8").splitlines()
    return {line.split('", "verdict"')[0]: line for line in lines}


@pytest.fixture(scope="module")
def stood() -> dict[str, str]:
    return frozen()


def changed(lines: list[str], stood: dict[str, str]) -> str:
    """What is not as it stood, line by line."""
    now = {line.split('", "verdict"')[0]: line for line in lines}
    return "\n".join(
        f"- {stood.get(name, '')}\n+ {line}" for name, line in now.items() if stood.get(name) != line
    )


@pytest.mark.parametrize("kind", KINDS, ids=[name for name, *_ in KINDS])
def test_generated_games_are_judged_as_before(kind: tuple, stood: dict[str, str]) -> None:  # type: ignore[type-arg]
    lines = made(kind)
    assert len(lines) == sum(name.rpartition(" ")[0] == f'{{"game": "{kind[0]}' for name in stood)
    assert not (difference := changed(lines, stood)), difference


def test_files_are_judged_as_before(stood: dict[str, str]) -> None:
    assert not (difference := changed([in_line(*each) for each in files()], stood)), difference


def test_logs_are_taken_over_as_before() -> None:
    stood = takeovers.TAKEN.read_text(encoding="utf-8").splitlines()
    now = list(takeovers.lines())
    assert len(now) == len(stood)
    difference = "\n".join(f"- {was}\n+ {line}" for was, line in zip(stood, now, strict=True) if was != line)
    assert not difference, difference
