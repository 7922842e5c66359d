"""Every example in every help runs, what values are is said, and the shell completes them."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from referee.cli.app import COMMANDS, whole_program
from referee.cli.helptext import examples
from tests.cli.conftest import Run
from tests.conftest import ROOT, mostly_long
from tests.unit.sources.sfbol_judged import duel, written

SHIPS = ("--ship", "Kestrel=cadet/klingon-d6:alice@1010D/8", "--ship", "Hood=cadet/federation-ca:bob@1025A/8")
BY_STATE = {
    "game choose", "game lock", "reveal", "umpire open", "umpire reject", "umpire key", "dice key", "dice throw",
    "dice enter", "dice confirm", "dice void", "dice forfeit", "dice reroll", "dice show-seed", "game resolve", "join",
}  # fmt: skip
"""Commands for a moment of a game that is not come in the folder here: they may refuse for that, and for nothing else."""


def leaves(command: Any, words: tuple[str, ...] = ()) -> dict[str, Any]:
    """Every command that does something, by its words."""
    inside = getattr(command, "commands", {})
    found = {} if inside else {" ".join(words): command}
    for name, one in inside.items():
        found |= leaves(one, (*words, name))
    return found


@pytest.fixture
def folder(referee: Run, own_folder: Path) -> Path:
    """A player's folder with the files that examples name."""
    files = {
        "duel.vsav": "examples/duel/duel.vsav",
        "form.csv": "examples/by_mail/constellation.csv",
        "combat.json": "examples/trek/duel.json",
    }
    for name, source in files.items():
        shutil.copy(ROOT / source, name)
    orders = "rulebook sfb-cadet\nship Destruction = cadet/klingon-d6 at 1010D speed 8\nship Hood = cadet/federation-ca at 1025A speed 8\nturn 1\n  Destruction: speed 8\n  Hood: speed 8\nimpulse 2\n  Destruction: ahead\n"
    Path("orders.txt").write_text(orders)
    Path("alice.txt").write_text("Kestrel: speed 8\n")
    Path("order.age").write_text("age")
    Path("GAME.log").write_text("\n".join(written(duel([{"Kharg": 8, "Sabre": 8}]))) + "\n", encoding="utf-8")
    assert referee("init", "ship", "my-ship").code == 0
    begin = ("--players", "alice,bob", *SHIPS)
    assert referee("game", "new", "game.jsonl", *begin, "--dice", "seed", "--seed", "s").code == 0
    shutil.copy("game.jsonl", "other.jsonl")
    assert referee("game", "new", "peer.jsonl", *begin, "--dice", "peer").code == 0
    return own_folder


def test_every_command_has_an_example() -> None:
    there = set(leaves(whole_program()))
    assert there == set(examples())


@pytest.mark.parametrize("words", sorted(examples()))
def test_the_examples_of_a_help_run(referee: Run, folder: Path, words: str) -> None:
    shown = referee(*words.split(), "--help").out
    for example in examples()[words]:
        assert f"referee {example}" in shown and example.startswith(words)
        ran = referee(*shlex.split(example))
        if words in BY_STATE:
            assert ran.code in (0, 1, 2, 3) and "--help`" not in ran.err, (example, ran.err)
        else:
            assert ran.code in (0, 1), (example, ran.err)


def test_no_help_calls_a_value_by_its_type(referee: Run) -> None:
    for words, command in leaves(whole_program()).items():
        shown = referee(*words.split(), "--help").out
        assert not {"<str>", "<int>", "<text>", " TEXT]", "INTEGER"} & set(shown.split()), words
        assert command.help.partition("\n\n")[0].strip().endswith("."), words
    for group in {words.split()[0] for words in leaves(whole_program()) if " " in words}:
        rows = referee(group, "--help").out.partition("Commands:")[2].splitlines()
        assert rows and not [row for row in rows if row.endswith("...")], f"{group}: a summary is cut short"


def completed(shell: str, line: str) -> list[str]:
    """What a shell is offered for a line."""
    words = line.split(" ")
    asked = {
        "bash": {"COMP_WORDS": line, "COMP_CWORD": str(len(words) - 1)},
        "zsh": {"_TYPER_COMPLETE_ARGS": line},
        "fish": {"_TYPER_COMPLETE_ARGS": line, "_TYPER_COMPLETE_FISH_ACTION": "get-args"},
    }[shell]
    code = "import sys; from referee.cli.main import main\ntry: main()\nfinally: print(*sys.modules, file=sys.stderr)"
    ran = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT), "_REFEREE_COMPLETE": f"complete_{shell}", **asked},
    )  # fmt: skip
    heavy = {"numpy", "lxml", "rich", "jsonschema", "cryptography", "xlsxwriter", "jinja2"} & set(
        ran.stderr.split()
    )
    assert not heavy, f"{line}: {heavy}"
    return [row.partition("\t")[0] for row in ran.stdout.replace('"', "\n").split("\n") if row.strip()]


OFFERED = [
    ("referee volley standard/kl", "standard/klingon-d7"),
    ("referee odds d7", "standard/klingon-d7"),
    ("referee explain B3.0-1", "B3.0-14"),
    ("referee check form.csv --select E4", "E4.21"),
    ("referee fire --weapon pha", "phaser-1"),
    ("referee fire cadet/klingon-d6 --weapons PH", "PH-2/A"),
    ("referee check form.csv --format m", "markdown"),
    ("referee volley cadet/klingon-d6 --format ", "svg"),
    ("referee game new g.jsonl --dice p", "peer"),
    ("referee game re", "replay"),
    ("referee check --rulebook sfb", "sfb-cadet"),
    ("referee check --option reinf", "reinforcement=true"),
    ("referee schema confirmed", "confirmed-ships"),
    ("referee init game --scenario ", "4"),
    ("referee repl", "replay"),
]


@pytest.mark.parametrize(
    ("shell", "line", "offered"),
    mostly_long(
        [(shell, line, offered) for shell in ("bash", "zsh", "fish") for line, offered in OFFERED],
        lambda shell, line, offered: (
            offered == "E4.21" or (shell == "bash" and (line, offered) in OFFERED[::3])
        ),
    ),
)
def test_the_shell_completes(shell: str, line: str, offered: str) -> None:
    assert offered in completed(shell, line), line


@pytest.mark.one_in(3)
@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_shell_is_given_its_script(shell: str) -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "referee"], capture_output=True, text=True, timeout=60, check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT), "_REFEREE_COMPLETE": f"source_{shell}"},
    )  # fmt: skip
    assert ran.returncode == 0 and f"complete_{shell}" in ran.stdout and "referee" in ran.stdout


def test_every_command_that_is_offered_is_one(referee: Run) -> None:
    assert {words.split()[0] for words in leaves(whole_program())} == set(COMMANDS)
    assert json.loads((ROOT / "referee" / "cli" / "examples.json").read_bytes()) == examples()


def test_a_report_of_a_log_needs_no_record_beside_it(referee: Run, folder: Path) -> None:
    """`game report` takes a file that is no record; the folder's own game stands for a game that is not named."""
    for name in ("game.jsonl", "other.jsonl", "peer.jsonl"):
        Path(name).unlink()
    assert referee("game", "report", "GAME.log", "-o", "client.txt").code == 0
    said = referee("game", "report").err
    assert "no game is named" in said and "referee init game --scenario 4" in said


@pytest.mark.parametrize("words", [("table",), ("game", "say"), ("game", "report"), ("game", "next")])
def test_a_game_that_need_not_be_named_is_told_as_such(referee: Run, words: tuple[str, ...]) -> None:
    told = " ".join(referee(*words, "--help").out.split())
    assert "[GAME] " in told.partition("Options:")[0]
    assert "-g, --game GAME" in told and "the only record in the folder" in told


def test_a_game_that_is_begun_is_named(referee: Run) -> None:
    assert "-g, --game" not in referee("game", "new", "--help").out
