"""A command or option that is gone ends in exit 2 and says what serves instead."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from referee.cli.app import help_lines
from referee.cli.gone import GONE
from tests.cli.conftest import Run


@pytest.mark.parametrize("name", GONE)
def test_what_is_gone_says_what_serves_instead(name: str, referee: Run, own_folder: Path) -> None:
    ran = referee(*name.split(), "x")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == f"referee: `referee {name}` is gone; {GONE[name]}\n"


@pytest.mark.parametrize("name", GONE)
def test_what_serves_instead_is_there(name: str, referee: Run) -> None:
    for command in re.findall(r"`referee ([^`]+)`", GONE[name]):
        words = [word for word in shlex.split(command) if word.islower() and not word.startswith("-")]
        inside = help_lines()[words[0]]
        assert isinstance(inside, str) or set(words[1:]) <= set(inside)
        for option in re.findall(r"--[a-z-]+", command):
            assert option in referee(*words[: 1 if isinstance(inside, str) else 2], "--help").out
