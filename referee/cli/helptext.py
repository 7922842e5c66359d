"""How the help reads: what the value of each option is called, and commands grouped by the job they do."""

from __future__ import annotations

from functools import cache
from json import loads
from pathlib import Path
from typing import TYPE_CHECKING, Any

from typer.core import TyperGroup, TyperOption

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

JOBS = {
    "Judge": ("check", "watch"),
    "Roll": ("volley", "fire", "odds", "roll"),
    "Play": ("game", "table", "join", "robot", "seal", "reveal", "dice", "umpire", "trek"),
    "Keep": ("record", "corpus"),
    "Look": ("show", "map", "replay", "hex", "impulses", "vassal", "log"),
    "Prepare": ("form", "ship", "init", "config"),
    "Learn": ("explain", "rulebook", "schema", "version"),
}
"""The commands by what people come for; each is in one of them."""

CALLED = {
    **dict.fromkeys(
        ("path", "file", "files", "what", "state", "source", "game", "orders", "output", "house"), "FILE"
    ),
    **dict.fromkeys(("batch", "form", "setup", "declarations", "other", "state_out", "export"), "FILE"),
    **dict.fromkeys(("target_state", "record", "take", "identity", "beside", "secret", "cases"), "FILE"),
    **dict.fromkeys(("ship", "target", "targets", "compare", "like", "robot"), "SHIP"),
    **dict.fromkeys(("player", "side", "umpire", "by", "refuser", "to_umpire"), "NAME"),
    **dict.fromkeys(("name", "stdin_name", "id", "label", "property", "layer", "title"), "NAME"),
    **dict.fromkeys(("players", "agreed"), "NAMES"),
    **dict.fromkeys(
        ("turn", "turns", "impulse", "step", "times", "repeat", "back", "to", "on", "since"), "N"
    ),
    **dict.fromkeys(("roll", "line", "workers", "scenario", "of", "volleys", "part"), "N"),
    **dict.fromkeys(("damage", "internals", "target_damage", "reinforcement", "battery"), "POINTS"),
    **dict.fromkeys(("at", "target_at", "within", "end"), "HEX"),
    **dict.fromkeys(("weapon", "weapons", "fire"), "WEAPONS"),
    **dict.fromkeys(("select", "ignore", "rule"), "RULES"),
    **dict.fromkeys(("text", "note", "purpose", "say", "more", "given"), "TEXT"),
    **dict.fromkeys(("dice", "faces"), "DICE"),
    **dict.fromkeys(("speed", "then"), "SPEED"),
    **dict.fromkeys(("range", "straight"), "HEXES"),
    **dict.fromkeys(("start", "last_fired"), "MOMENT"),
    **dict.fromkeys(("target_cloak", "cloak"), "CLOAK"),
    **dict.fromkeys(("choose", "policy"), "POLICY"),
    "reason": "WHY",
    "order": "ORDER",
    "field": "FIELD=TEXT",
    "adapter": "PROGRAM",
    "timeout": "SECONDS",
    "paste": "LINE",
    "kind": "KIND",
    "module": "MODULE",
    "room": "ROOM",
    "tries": "N",
    "password": "ID",
    "map": "MODULE_MAP",
    "rulebook": "RULEBOOK",
    "extends": "RULEBOOK",
    "option": "KEY=VALUE",
    "data": "FOLDER",
    "seed": "SEED",
    "format": "FORMAT",
    "color": "WHEN",
    "encoding": "ENCODING",
    "shield": "SHIELD",
    "direction": "ARC",
    "scanner": "RATING",
    "mode": "MODE",
    "cluster": "ADDRESS",
    "precision": "ERROR",
    "cell": "CELL=VALUE",
    "box": "BOX",
    "head": "HEAD",
    "next_form": "SHIP",
}
"""What the value of an option or argument is called in the help, by the parameter's name."""

CALLED_IN = {
    ("range", "start"): "HEX",
    ("range", "end"): "HEX",
    ("arcs", "target"): "HEX",
    ("reach", "to"): "HEX",
    ("reach", "impulse"): "IMPULSES",
    ("reach", "within"): "HEX-HEX",
    ("explain", "rule"): "RULE",
    ("run", "rule"): "RULE",
    ("work", "rule"): "RULE",
    ("work", "given"): "NAME=VALUE",
    ("odds", "more"): "SHIP",
    ("game", "at"): "NAME=HEX",
    ("game", "dice"): "MODE",
    ("game", "ship"): "NAME=CLASS:PLAYER",
    ("new", "dice"): "MODE",
    ("new", "ship"): "NAME=CLASS:PLAYER",
    ("new", "player"): "SHIP=NAME",
    ("show", "what"): "FILE|SHIP",
    ("impulses", "of"): "IMPULSES",
    ("arcs", "ship"): "HEX",
    ("undo", "target"): "N",
    ("next", "to"): "MOMENT",
    ("show", "id"): "RULEBOOK",
    ("write", "label"): "PIECE=TEXT",
}
"""The same where a command, by its own name, calls it otherwise."""


class Whole(TyperGroup):
    """A group whose help says of each command the whole sentence."""

    jobs: Mapping[str, tuple[str, ...]] = {}

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Writes the commands, under their jobs where they have such."""
        for job, names in (self.jobs or {"Commands": tuple(self.commands)}).items():
            rows = [
                (name, self.commands[name].get_short_help_str(limit=200))
                for name in names
                if name in self.commands
            ]
            if rows:
                with formatter.section(job):
                    formatter.write_dl(rows)


class Jobs(Whole):
    """The program's commands, grouped by job in its help."""

    jobs = JOBS


def give_examples(command: Any, words: tuple[str, ...] = ()) -> None:
    """Puts the examples of a command, and of those inside it, below its help. `words` are how it is called."""
    if inside := getattr(command, "commands", {}):
        for name, subcommand in inside.items():
            give_examples(subcommand, (*words, name))
        return
    rows = examples().get(" ".join(words), ())
    command.epilog = "\b\nFor example:\n" + "\n".join(f"  referee {row}" for row in rows) if rows else None


@cache
def examples() -> Mapping[str, list[str]]:
    """Examples of each command, by its words. They run: every one of them is tested."""
    known: Mapping[str, list[str]] = loads(Path(__file__).with_name("examples.json").read_bytes())
    return known


def name_values(command: Any) -> None:
    """Calls the values of all options and arguments of a command, and of those inside it, what they are."""
    for name, parameter in _parameters(command):
        if parameter.metavar is None and not getattr(parameter, "is_flag", False):
            called = CALLED_IN.get((name, parameter.name), CALLED.get(parameter.name))
            if called:
                parameter.metavar = called if parameter.nargs == 1 else f"{called}..."


def name_default_game(command: Any, words: tuple[str, ...] = ()) -> None:
    """Says of each command that plays in a record that the record need not be named, and that `-g` names it too."""
    from referee.sources.default_game import takes_game

    for name, inside in getattr(command, "commands", {}).items():
        name_default_game(inside, (*words, name))
    if not takes_game(words) or not (game := next(iter(command.params), None)):
        return
    game.metavar = f"[{'GAME' if game.nargs == 1 else 'GAME...'}]"
    sentence = str(game.help or "The record.").partition(";")[0].rstrip(".")
    game.help = f"{sentence}; if none is named, that of referee.toml, or the only record in the folder."
    game.required = False
    sentence = "The record, wherever it stands among the words."
    command.params.append(
        TyperOption(param_decls=["-g", "--game", "_game"], metavar="GAME", help=sentence, expose_value=False)
    )


def _parameters(command: Any) -> Iterator[tuple[str, Any]]:
    """Every parameter with the name of its command."""
    for parameter in getattr(command, "params", ()):
        yield command.name or "", parameter
    for inside in getattr(command, "commands", {}).values():
        yield from _parameters(inside)
