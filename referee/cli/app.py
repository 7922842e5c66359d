"""Which module holds which command. Only the module of the command asked for is imported."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from json import loads
from pathlib import Path
from typing import Any

import typer

from referee import __version__

COMMANDS = {
    "check": "check",
    "show": "show",
    "map": "map",
    "replay": "replay",
    "watch": "watch",
    "volley": "volley",
    "fire": "fire",
    "roll": "roll",
    "hex": "hexes",
    "impulses": "hexes",
    "form": "form",
    "vassal": "vassal",
    "ship": "ship",
    "rulebook": "rules",
    "explain": "rules",
    "schema": "data",
    "init": "data",
    "config": "data",
    "version": "data",
    "robot": "robot",
    "game": "game",
    "table": "table",
    "join": "join",
    "record": "record",
    "seal": "seal",
    "reveal": "seal",
    "umpire": "umpire",
    "dice": "dice",
    "trek": "trek",
    "odds": "odds",
    "log": "log",
    "corpus": "corpus",
}
"""The module in this package that registers each command."""

PLAYS = frozenset(
    ("game", "table", "record", "seal", "umpire", "dice", "roll", "volley", "robot", "vassal", "data")
)
"""The modules whose commands play on in a record or write one out: what play says then is printed."""

OF_A_GAME = {
    "new": "game_new",
    "join": "game_new",
    "status": "game_status",
    "apply": "game_apply",
    "choose": "game_apply",
    "rule": "game_rule",
    "replay": "game_replay",
    "chat": "game_say",
    "say": "game_say",
    "key": "game_key",
    "undo": "game_undo",
    "report": "game_report",
    "next": "game_next",
    "resolve": "game_next",
    "lock": "game_next",
}
"""The module that registers each command of `game`."""

COMPLETE = "_REFEREE_COMPLETE"
"""What the shell sets to ask what may be typed next."""

HELP = "A referee for starship tabletop games: judges forms and saves, rolls damage, keeps records."


def command_for(arguments: list[str]) -> Any:
    """The program, with the one command these arguments name, or with a list of those they may name."""
    words = [word for word in arguments if not word.startswith("-")]
    if completes := COMPLETE in os.environ and not arguments:
        from referee.cli.complete import offer, words_typed

        words = words_typed(os.environ)
    groups, command = _led_to(words)
    if not command:
        listed = _listed(groups)
        if completes:
            offer(listed)
        return listed
    name = words[0]
    if COMMANDS[name] in PLAYS:
        from referee.cli.telling import PrintingTeller
        from referee.play.telling import tell

        tell(PrintingTeller())
    asked = not {"--help", "-h"}.isdisjoint(arguments)
    of_a_game = (OF_A_GAME[words[1]],) if name == "game" else ()
    program = _program((COMMANDS[name],), of_a_game, completes, asked, command)
    if completes:
        offer(program)
    return program


def whole_program() -> Any:
    """The program with all its commands, each once, and all that its help says."""
    modules = tuple(dict.fromkeys(COMMANDS.values()))
    of_a_game = tuple(dict.fromkeys(OF_A_GAME.values()))
    return _program(modules, of_a_game, add_completion=True, asked=True, inside="")


Lines = Mapping[str, "str | Lines"]


@cache
def help_lines() -> Lines:
    """What the help says of each command in a line, and of each group (under the empty name), with those inside it. The
    help that lists commands loads none of them."""
    lines: Lines = loads(Path(__file__).with_name("help_lines.json").read_bytes())
    return lines


def _led_to(words: list[str]) -> tuple[tuple[str, ...], str]:
    """The groups that some words lead into, and the command inside; no command where they lead to none."""
    there = help_lines()
    groups: list[str] = []
    for word in words:
        inside = there.get(word, "") if word else ""
        if isinstance(inside, str):
            return tuple(groups), word if inside else ""
        groups.append(word)
        there = inside
    return tuple(groups), ""


@cache
def _listed(groups: tuple[str, ...]) -> Any:
    """The program as far as some groups, one inside the other: the last lists its commands, and has none of them."""
    from referee.cli.helptext import Jobs, Whole

    app = within = _new(add_completion=True)
    app.info.cls = Jobs
    app.callback()(_root)
    there = help_lines()
    for name in groups:
        inside = there[name]
        assert not isinstance(inside, str)
        group = typer.Typer(help=str(inside[""]), no_args_is_help=True, cls=Whole)
        within.add_typer(group, name=name)
        within, there = group, inside
    for name, line in there.items():
        if name:
            within.command(name, help=str(line if isinstance(line, str) else line[""]))(_listing)
    return typer.main.get_command(app)


def _listing() -> None:
    """What stands for a command in a list."""


def _new(add_completion: bool) -> typer.Typer:
    return typer.Typer(
        help=HELP,
        no_args_is_help=True,
        add_completion=add_completion,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )


@cache
def _program(
    modules: tuple[str, ...], of_a_game: tuple[str, ...], add_completion: bool, asked: bool, inside: str
) -> Any:
    """The program with the commands of some modules, and in its group `game` those of others, ready to be `asked` for
    its help; of a group that has a command named as the word `inside` with that one alone. Who runs many commands in one
    process builds each once."""
    app = _new(add_completion)
    app.callback()(_root)
    for module in modules:
        import_module(f"referee.cli.{module}").register(app)
    for module in of_a_game:
        game = next(group.typer_instance for group in app.registered_groups if group.name == "game")
        import_module(f"referee.cli.{module}").register(game)
    for group in app.registered_groups:
        commands = group.typer_instance.registered_commands if group.typer_instance else []
        commands[:] = [command for command in commands if command.name == inside] or commands
    if not asked:
        return typer.main.get_command(app)
    from referee.cli.helptext import Jobs, Whole, give_examples, name_default_game, name_values

    app.info.cls = Jobs
    for group in app.registered_groups:
        group.cls = Whole
    command = typer.main.get_command(app)
    name_values(command)
    name_default_game(command)
    give_examples(command)
    return command


def like_named(name: str) -> tuple[str, ...]:
    """The commands inside groups that have a name which no command outside one has, such as `game say`."""
    if name in COMMANDS:
        return ()
    return tuple(
        f"{group} {name}"
        for group, inside in help_lines().items()
        if not isinstance(inside, str) and name and name in inside
    )


def _root(
    version: bool = typer.Option(False, "--version", help="Say which version this is."),
) -> None:
    if version:
        typer.echo(f"referee {__version__}")
        raise typer.Exit
