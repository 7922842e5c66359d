"""What rules are in force: flags, then the environment, then `referee.toml` once it is trusted, then the book's defaults."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import field, replace
from pathlib import Path
from typing import Any

from referee.core.errors import BadInput
from referee.core.frozen import frozen

CONFIG_FILE = "referee.toml"
BENDS = ("rulebook", "options", "house")
"""What of `referee.toml` bends rules."""


@frozen
class House:
    """A house-rules file: a rulebook without code that switches rules off and sets options."""

    file: str = ""
    id: str = ""
    extends: str = ""
    options: Mapping[str, str] = field(default_factory=dict)
    off: tuple[str, ...] = ()
    severity: Mapping[str, str] = field(default_factory=dict)


@frozen
class Settings:
    """The rulebook and options asked for, each with where it was asked."""

    rulebook: str = ""
    options: Mapping[str, str] = field(default_factory=dict)
    origins: Mapping[str, str] = field(default_factory=dict)
    house: House = field(default_factory=House)
    colour: str = "auto"


def read_settings(
    rulebook: str = "", options: list[str] | None = None, house: str = "", colour: str = ""
) -> Settings:
    """The settings in force. Raises BadInput for a broken `--option` or file."""
    config = read_config()
    if config:
        config = _that_counts(config)
    values: dict[str, str] = {}
    origins: dict[str, str] = {}
    chosen = config.get("rulebook", "")
    if chosen:
        origins["rulebook"] = CONFIG_FILE
    for name, value in _table(config, "options", CONFIG_FILE).items():
        values[name], origins[name] = _text(value), CONFIG_FILE
    for name, value in os.environ.items():
        if name == "REFEREE_RULEBOOK" and value:
            chosen, origins["rulebook"] = value, name
        elif name.startswith("REFEREE_OPTION_"):
            option = name.removeprefix("REFEREE_OPTION_").lower()
            values[option], origins[option] = value, name
    for option in options or []:
        name, equals, value = option.partition("=")
        if not equals:
            raise BadInput(f"--option {option} has no value", hint="write --option name=value")
        values[name.strip()], origins[name.strip()] = value.strip(), "--option"
    if rulebook:
        chosen, origins["rulebook"] = rulebook, "--rulebook"
    if chosen and origins.get("rulebook", "--rulebook") != "--rulebook":
        must_be_a_rulebook(chosen, origins["rulebook"])
    rules = read_house(house or _text(config.get("house", "")))
    colour = colour or _text(config.get("color", "auto"))
    if colour not in ("auto", "always", "never"):
        raise BadInput(f"no colour {colour}", hint="auto, always or never")
    return Settings(chosen or rules.extends, values, origins, rules, colour)


def read_config() -> dict[str, Any]:
    """What `referee.toml` in the folder says, trusted or not. Raises BadInput for a file that is broken."""
    config = read_toml(CONFIG_FILE) if Path(CONFIG_FILE).is_file() else {}
    _known(config, {*BENDS, "color", "game"}, CONFIG_FILE)
    return config


def _that_counts(config: Mapping[str, Any]) -> dict[str, Any]:
    """What counts of `referee.toml`: where it is not trusted what bends no rules, and a house file if it is trusted."""
    from referee.sources.trust import is_trusted

    if not is_trusted(CONFIG_FILE):
        return {name: value for name, value in config.items() if name not in BENDS}
    house = _text(config.get("house", ""))
    return {**config, "house": house if is_trusted(house) else ""}


def changes_of(config: Mapping[str, Any]) -> list[str]:
    """What `referee.toml` changes, in short."""
    options = _table(config, "options", CONFIG_FILE)
    named = {name: config[name] for name in ("rulebook", "house") if name in config}
    return [f"{name}={_text(value)}" for name, value in {**named, **options}.items()]


def _extended(house: str, extends: str) -> str:
    """The rulebook a house file extends. Raises BadInput, naming the file, where there is none."""
    from referee.rulebooks.base import nearest
    from referee.rulebooks.registry import is_rulebook, rulebook_ids

    if not extends:
        hint = f'write extends = "{rulebook_ids()[0]}" above its lines'
        raise BadInput("does not say which rulebook it extends", file=house, place="extends", hint=hint)
    if not is_rulebook(extends):
        hint = nearest(extends, rulebook_ids())
        raise BadInput(f"extends {extends}: no such rulebook", file=house, hint=hint)
    return extends


def must_be_a_rulebook(id: str, origin: str) -> None:
    """Raises BadInput, naming where it was set, for a rulebook that is not there."""
    from referee.rulebooks.base import nearest
    from referee.rulebooks.registry import is_rulebook, rulebook_ids

    if not is_rulebook(id):
        raise BadInput(f"no rulebook {id}", file=origin, place="rulebook", hint=nearest(id, rulebook_ids()))


def read_house(path: str) -> House:
    """A house-rules file (TOML): `extends`, `[options]`, `off = [rules]`, `[severity]`."""
    if not path:
        return House()
    data = read_toml(path)
    _known(data, {"id", "title", "extends", "options", "off", "severity"}, path)
    off = data.get("off", [])
    if not isinstance(off, list) or not all(isinstance(key, str) for key in off):
        raise BadInput("off is not a list of rule numbers", file=path)
    severity = {key: _text(value) for key, value in _table(data, "severity", path).items()}
    for key, value in severity.items():
        if value not in ("error", "warning", "note", "undecided"):
            raise BadInput(
                f"severity of {key} is {value}", file=path, hint="error, warning, note or undecided"
            )
    return House(
        file=path,
        id=_text(data.get("id", Path(path).name)),
        extends=_extended(path, _text(data.get("extends", ""))),
        options={name: _text(value) for name, value in _table(data, "options", path).items()},
        off=tuple(off),
        severity=severity,
    )


def read_toml(path: str) -> dict[str, Any]:
    """A TOML file. Raises BadInput with the line where it cannot be read."""
    from referee.formats.files import read_bytes
    from referee.formats.limits import MAX_TOML_FILE
    from referee.formats.stricttoml import load_toml

    return load_toml(read_bytes(path, MAX_TOML_FILE), path)


def _known(data: Mapping[str, Any], names: set[str], file: str) -> None:
    for name in data:
        if name not in names:
            from referee.rulebooks.base import nearest

            raise BadInput(f"unknown setting {name}", file=file, hint=nearest(name, names))


def _table(data: Mapping[str, Any], name: str, file: str) -> Mapping[str, Any]:
    table = data.get(name, {})
    if not isinstance(table, dict):
        raise BadInput(f"{name} is not a table", file=file, hint=f"write [{name}] above its lines")
    return table


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def rulebook_in_force(id: str, settings: Settings, *, lenient: bool = False) -> Any:
    """The rulebook of an id with the settings applied. Raises BadInput for unknown options or rules.

    With `lenient`, options the rulebook does not have are passed over: for runs that judge by several
    rulebooks, where `accept_options` has held each against all of them.
    """
    from referee.rulebooks.registry import load_rulebook

    rulebook = load_rulebook(id)
    house = settings.house
    if house.file and house.extends in rulebook.chain:
        try:
            rulebook = rulebook.with_options(house.options).without(house.off)
        except BadInput as error:
            raise error.at(file=house.file) from None
        rules = dict(rulebook.rules)
        for key, severity in house.severity.items():
            matching = [known for known in rules if key in (known, rules[known].number)]
            if not matching:
                raise BadInput(f"{id} has no rule {key}", file=house.file)
            for known in matching:
                rules[known] = rules[known].as_grave_as(severity, house.id)
        rulebook = replace(rulebook, rules=rules)
    for name, value in settings.options.items():
        if not lenient or name in rulebook.options:
            try:
                rulebook = rulebook.with_options({name: value})
            except BadInput as error:
                raise error.at(file=settings.origins.get(name, "")) from None
    return rulebook


def accept_options(settings: Settings) -> None:
    """Raises BadInput for an option that no rulebook knows."""
    from referee.rulebooks.base import nearest
    from referee.rulebooks.registry import load_rulebook, rulebook_ids

    if not settings.options and not settings.house.file:
        return
    rulebooks = dict.fromkeys((*rulebook_ids(), *([settings.rulebook] if settings.rulebook else ())))
    known = {name: option for id in rulebooks for name, option in load_rulebook(id).options.items()}
    for name, value in settings.options.items():
        origin = settings.origins[name]
        if name not in known:
            raise BadInput(f"no option {name}", file=origin, hint=nearest(name, known))
        takers = [option for id in rulebooks if (option := load_rulebook(id).options.get(name))]
        if not any(option.takes(value) for option in takers):
            try:
                takers[0].accept(value)
            except BadInput as error:
                raise error.at(file=origin) from None
    if settings.house.file:
        for id in rulebook_ids():
            rulebook_in_force(id, Settings(house=settings.house), lenient=True)
