"""What the shell offers while a command is typed: ships, rules, weapons, formats and their like."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any


def ships(_context: Any) -> Iterable[str]:
    """Every ship by id."""
    from referee.rulebooks.registry import own_ships, ship_ids

    return (*ship_ids(), *own_ships())


def ssds(_context: Any) -> Iterable[str]:
    """The ships with an SSD."""
    from referee.rulebooks.registry import ship_ids

    return ship_ids()


def rulebooks(_context: Any) -> Iterable[str]:
    """The rulebooks."""
    from referee.rulebooks.registry import rulebook_ids

    return rulebook_ids()


def rules(_context: Any) -> Iterable[str]:
    """The rules by key, and findings of no rule."""
    from referee.api.explaining import meanings
    from referee.rulebooks.registry import load_rulebook, rulebook_ids

    keys = {key for id in rulebook_ids() for key in load_rulebook(id).rules}
    return sorted(keys | meanings().keys())


def weapon_types(_context: Any) -> Iterable[str]:
    """The types of weapons."""
    from referee.rulebooks.registry import load_ship, ship_ids

    return sorted({mount.type for id in ship_ids() for mount in load_ship(id).mounts})


def weapons(_context: Any) -> Iterable[str]:
    """The weapons of the ship that the line names."""
    from referee.rulebooks.registry import load_ship, ship_ids

    named = [word for word in _line(os.environ).split() if word in ship_ids()]
    return [mount.id for mount in load_ship(named[0]).mounts] if named else ()


def scenarios(_context: Any) -> Iterable[str]:
    """The scenarios by number."""
    from referee.rulebooks.registry import scenario_ids

    return scenario_ids()


def schemas(_context: Any) -> Iterable[str]:
    """The schemas by name."""
    from referee.formats.schemas import schema_names

    return schema_names()


def dice_modes(_context: Any) -> Iterable[str]:
    """How dice of a game may be rolled."""
    from referee.play.start import MODES

    return MODES


def options(_context: Any) -> Iterable[str]:
    """Choices about the rules, each with the values it may have."""
    from referee.rulebooks.registry import load_rulebook, rulebook_ids

    known = {name: option for id in rulebook_ids() for name, option in load_rulebook(id).options.items()}
    return [
        f"{name}={value}"
        for name, option in sorted(known.items())
        for value in (option.values if len(option.values) > 1 else ("",))
    ]


def formats(context: Any) -> Iterable[str]:
    """The formats that a command writes."""
    known: Iterable[str] = getattr(sys.modules[context.command.callback.__module__], "FORMATS", ())
    return known


Offers = Callable[[Any], Iterable[str]]

OFFERED: dict[str, Offers] = {
    "rulebook": rulebooks,
    "extends": rulebooks,
    "select": rules,
    "ignore": rules,
    "scenario": scenarios,
    "like": ships,
    "compare": ships,
    "option": options,
    "format": formats,
    "color": lambda _: ("auto", "always", "never"),
}
"""What is offered for an option or argument, by the parameter's name."""

OFFERED_IN: dict[tuple[str, str], Offers] = {
    **{(command, "ship"): ships for command in ("volley", "odds", "show", "check")},
    **{(command, "ship"): ssds for command in ("blank", "form", "fire")},
    ("odds", "more"): ships,
    ("show", "what"): ships,
    ("fire", "target"): ssds,
    ("fire", "weapon"): weapon_types,
    ("fire", "weapons"): weapons,
    ("explain", "rule"): rules,
    ("work", "rule"): rules,
    ("show", "id"): rulebooks,
    ("schema", "name"): schemas,
    ("game", "dice"): dice_modes,
    ("new", "dice"): dice_modes,
}
"""The same for a command, by its own name."""


def offer(command: Any) -> None:
    """Has a command, and those inside it, offer what its values may be."""
    from typer import _completion_classes as shells

    # No summary here has markup, and to look for some Typer loads rich, which takes longer than all the rest.
    shells._sanitize_help_text = str  # type: ignore[assignment]
    _offer(command)


def _offer(command: Any) -> None:
    for parameter in getattr(command, "params", ()):
        name = command.name or ""
        found = OFFERED_IN.get((name, parameter.name)) or OFFERED.get(parameter.name)
        if found:
            parameter._custom_shell_complete = partial(_offered, found)
    for inside in getattr(command, "commands", {}).values():
        _offer(inside)


def _offered(found: Offers, context: Any, parameter: Any, typed: str) -> list[Any]:
    """What begins as was typed; where nothing does, what has it within: `d7` finds `standard/klingon-d7`."""
    from typer._click.shell_completion import CompletionItem

    known = list(found(context))
    begun = [name for name in known if name.startswith(typed)]
    return [CompletionItem(name) for name in begun or known if typed in name]


def words_typed(environment: Mapping[str, str]) -> list[str]:
    """The words of the line that is being completed that are no options, without the one that is still typed."""
    line = _line(environment)
    words = line.split()[1:] if line.endswith(" ") else line.split()[1:-1]
    return [word for word in words if not word.startswith("-")]


def _line(environment: Mapping[str, str]) -> str:
    """The line as it is typed so far."""
    return environment.get("COMP_WORDS", "") or environment.get("_TYPER_COMPLETE_ARGS", "")
