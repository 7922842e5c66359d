"""What is printed at a terminal fits it: a line ends at a word, and what programs read is left as it is."""

from __future__ import annotations

from functools import partial
from json import loads
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.conftest import ROOT
from tests.net.command import command

RECORD = "examples/games/cadet-duel.jsonl"


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs the command line as in a terminal of 80 columns."""
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("NO_COLOR", "1")
    return partial(command, terminal=True)


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("ship list", 0), ("rulebook list", 0), ("rulebook show sfb-cadet", 0), ("explain B3.0-14", 0),
        (f"game status {RECORD}", 0), (f"game report {RECORD}", 0), ("odds cadet/klingon-d6 --internals 6", 0),
        ("rulebook show sfb-cadet --coverage", 0), ("explain C1 --rulebook none", 2), ("ship show kahless", 2), ("volley", 2),
        ("volley cadet/klingon-d6 --internals 40 --repeat 2", 0), ("check examples/duel", 1),
    ],
)  # fmt: skip
def test_no_line_is_wider_and_no_word_is_broken(
    terminal: Run, monkeypatch: pytest.MonkeyPatch, line: str, code: int
) -> None:
    monkeypatch.chdir(ROOT)
    ran = terminal(*line.split())
    lines = (ran.out + ran.err).splitlines()
    assert ran.code == code and max(map(len, lines)) <= 80, max(lines, key=len)


def test_words_go_on_in_their_column_and_commands_stay_whole(terminal: Run) -> None:
    lists = terminal("ship", "list").out
    assert "cadet/romulan-we     Romulan cadet cruiser, old       8 missing, 17 provisional\n" in lists
    assert f"\n{'':<21}series (Eagle)\n" in lists and "single-source  one source has them" in lists
    found = terminal("ship", "list", "klingon").out
    assert "standard/klingon-d7" in found and "federation" not in found
    assert "and by at most\n   one impulse point" in terminal("explain", "B3.0-14").out


def test_what_programs_read_is_left_as_it_is(terminal: Run) -> None:
    out = terminal("rulebook", "list", "--json").out
    assert max(map(len, out.splitlines())) > 80 and loads(out)


def test_nothing_is_broken_in_a_pipe_or_where_it_is_to_be_copied(terminal: Run, referee: Run) -> None:
    assert (
        "# Klingon ships may not leave the map; the Federation ship leaves it only from a hex that begins with 28, or"
        in (terminal("init", "game", "--scenario", "4").out)
    )
    assert max(map(len, referee("rulebook", "show", "sfb-cadet").out.splitlines())) > 150


def test_status_says_which_command_and_join_what_it_means(referee: Run, own_folder: Path) -> None:
    ships = ("--ship", "K=cadet/klingon-d6:alice@1010D/8", "--ship", "Hood=cadet/federation-ca:bob@1015A/8")
    assert referee("game", "new", "g.jsonl", "--players", "alice,bob", *ships).code == 0
    status = referee("game", "status", "g.jsonl").out
    assert (
        "energy form of K for turn 1 (referee game apply FORM.csv, or seal it: referee seal FORM.csv)"
        in status
    )
    mine, his = (referee("game", "join", "g.jsonl", "--as", name) for name in ("alice", "bob"))
    assert (
        mine.code == 2
        and "alice keeps the seed of the dice, rolls them for all, and is in the game" in mine.err
    )
    assert his.out.startswith(
        "bob has joined: alice keeps the seed of the dice, rolls them for all, and could look"
    )


@pytest.mark.parametrize(("drawn", "name"), [("replay", "game.html"), ("map", "game.svg")])
def test_a_page_is_not_poured_on_a_terminal(
    terminal: Run, monkeypatch: pytest.MonkeyPatch, drawn: str, name: str
) -> None:
    monkeypatch.chdir(ROOT)
    ran = terminal(drawn, RECORD)
    assert (ran.code, ran.out) == (2, "") and f"-o {name}, and open that in a browser" in " ".join(
        ran.err.split()
    )
