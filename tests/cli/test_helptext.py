"""The help says what every value is, and every command stands under one job."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from referee.cli.app import COMMANDS, whole_program
from referee.cli.helptext import JOBS
from tests.cli.conftest import Run
from tests.write_help_lines import PLACE, written


def commands(command: Any, path: str = "referee") -> Iterator[tuple[str, Any]]:
    yield path, command
    for name, inside in getattr(command, "commands", {}).items():
        yield from commands(inside, f"{path} {name}")


def test_every_command_is_under_one_job() -> None:
    grouped = [name for names in JOBS.values() for name in names]
    assert sorted(grouped) == sorted(COMMANDS)


def test_no_value_is_called_after_its_type() -> None:
    nameless = [
        f"{path} {parameter.name}"
        for path, command in commands(whole_program())
        for parameter in command.params
        if parameter.metavar is None and not getattr(parameter, "is_flag", False) and parameter.name != "help"
    ]
    assert nameless == []


def test_every_command_says_in_whole_sentences_what_it_does() -> None:
    for path, command in commands(whole_program()):
        told = (command.help or "").partition("\n\n")[0]
        assert told and told[0].isupper() and told.rstrip().endswith("."), path


def test_the_lines_of_the_help_are_those_of_the_commands() -> None:
    """`python -m tests.write_help_lines` writes them anew."""
    assert PLACE.read_text(encoding="utf-8") == written()


def test_the_replay_page_and_the_retelling_name_each_other(referee: Run) -> None:
    page, retelling = (
        " ".join(referee(*words, "--help").out.split()) for words in (("replay",), ("game", "replay"))
    )
    assert "Write the replay page" in page and "`referee game replay`" in page
    assert "Retell a game in the terminal" in retelling and "`referee replay`" in retelling
