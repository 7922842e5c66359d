"""Which module holds which command. Only the module of the command asked for is imported."""

from __future__ import annotations

import os
from functools import cache
from importlib import import_module
from typing import Any

import typer

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

ALSO_OF_A_GAME = ("seal", "reveal", "dice", "record", "umpire")
"""The commands that are found under `game` too."""

COMPLETE = "_REFEREE_COMPLETE"
"""What the shell sets to ask what may be typed next."""

HELP = "A referee for starship tabletop games: judges forms and saves, rolls damage, keeps records."


def command_for(arguments: list[str]) -> Any:
    """The program, with the one command these arguments name, or with all of them."""
    name, inside, *_ = [*(word for word in arguments if not word.startswith("-")), "", ""]
    if completes := COMPLETE in os.environ and not arguments:
        from referee.cli.complete import command_typed, offer

        name = command_typed(os.environ)
    modules = (COMMANDS[name],) if name in COMMANDS else tuple(dict.fromkeys(COMMANDS.values()))
    asked = name not in COMMANDS or not {"--help", "-h"}.isdisjoint(arguments)
    if PLAYS.intersection(modules):
        from referee.cli.telling import PrintingTeller
        from referee.play.telling import tell

        tell(PrintingTeller())
    beside = name == "game" and (completes or inside in ALSO_OF_A_GAME or (asked and not inside))
    within = "" if asked or "." in inside else inside  # A file's name is no command of a group.
    command = _program(modules, completes or name not in COMMANDS, asked, within, beside)
    if completes:
        offer(command)
    return command


@cache
def _program(modules: tuple[str, ...], add_completion: bool, asked: bool, inside: str, beside: bool) -> Any:
    """The program with the commands of some modules, ready to be `asked` for its help; of a group that has a command
    named as the word `inside` with that one alone. Who runs many commands in one process builds each once."""
    app = typer.Typer(
        help=HELP,
        no_args_is_help=True,
        add_completion=add_completion,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(_root)
    for module in modules:
        import_module(f"referee.cli.{module}").register(app)
    if beside and (game := app.registered_groups[0].typer_instance):
        for module in dict.fromkeys(COMMANDS[name] for name in ALSO_OF_A_GAME):
            import_module(f"referee.cli.{module}").register(game)
    for group in app.registered_groups:
        commands = group.typer_instance.registered_commands if group.typer_instance else []
        commands[:] = [command for command in commands if command.name == inside] or commands
    if not asked:
        return typer.main.get_command(app)
    from referee.cli.helptext import Jobs, Whole, give_examples, name_default_game, name_values

    app.info.cls = Jobs
    for group in (*app.registered_groups, *_groups_inside(app)):
        group.cls = Whole
    command = typer.main.get_command(app)
    name_values(command)
    name_default_game(command)
    give_examples(command)
    return command


def _groups_inside(app: typer.Typer) -> list[Any]:
    """The groups of a group: `game dice`."""
    groups = (group.typer_instance for group in app.registered_groups)
    return [inside for group in groups if group for inside in group.registered_groups]


def like_named(name: str) -> tuple[str, ...]:
    """The commands inside groups that have a name which no command outside one has, such as `game say`."""
    if name in COMMANDS:
        return ()
    groups = command_for([]).commands.items()
    return tuple(f"{group} {name}" for group, inside in groups if name in getattr(inside, "commands", {}))


def _root(
    version: bool = typer.Option(False, "--version", help="Say which version this is."),
) -> None:
    if version:
        from referee import __version__

        typer.echo(f"referee {__version__}")
        raise typer.Exit
