"""What a script may say about rules and ships, as the options of the command line take it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from referee.sources.settings import Settings, accept_options, read_settings

Options = Mapping[str, object]
"""Choices about the rules by name, as `--option name=value`: `{"impulses": 32, "reinforcement": True}`."""
Names = str | Sequence[str]
"""One name, or several."""


def settings_for(rulebook: str = "", option: Options | None = None, house: str = "") -> Settings:
    """The rules asked for; what is not said comes from the environment, from `referee.toml` in the folder, from
    the rulebook. Raises BadInput for an option that is not there."""
    chosen = [f"{name}={_text(value)}" for name, value in (option or {}).items()]
    settings = read_settings(rulebook, chosen, house)
    accept_options(settings)
    return settings


def names_in(given: Names) -> tuple[str, ...]:
    """One name or several as a row."""
    return (given,) if isinstance(given, str) and given else tuple(given)


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
