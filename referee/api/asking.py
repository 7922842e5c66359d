"""What a script may say about rules and ships, as the options of the command line take it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from referee.adjudicator.volley import volley_order
from referee.core.errors import BadInput
from referee.core.volley import VolleyOrder
from referee.sources.confirmed import use_folder
from referee.sources.settings import Settings, accept_options, read_settings

Options = Mapping[str, object]
"""Choices about the rules by name, as `--option name=value`: `{"impulses": 32, "reinforcement": True}`."""
Names = str | Sequence[str]
"""One name, or several."""


def settings_for(rulebook: str = "", option: Options | None = None, house: str = "") -> Settings:
    """The rules asked for; what is not given comes from the environment, from `referee.toml` in the folder, from
    the rulebook. Raises BadInput for an option that is not there."""
    use_folder()
    chosen = [f"{name}={_text(value)}" for name, value in (option or {}).items()]
    settings = read_settings(rulebook, chosen, house)
    accept_options(settings)
    return settings


def names_in(given: Names) -> tuple[str, ...]:
    """One name or several as a row."""
    return (given,) if isinstance(given, str) and given else tuple(given)


def order_of(
    damage: int | None,
    internals: int | None,
    shield: int | None,
    reinforcement: tuple[int, int],
    direction: Sequence[str],
) -> VolleyOrder:
    """What strikes a ship: `damage` on a shield, or `internals` past the shields already. Raises BadInput."""
    if (damage is None) == (internals is None):
        raise BadInput("say damage, or internals", hint="damage strikes a shield first, internals are inside")
    if damage is not None and shield is None and not direction:
        raise BadInput("say which shield is struck", hint="shield=1, or direction=['row:B']")
    return volley_order(
        damage if damage is not None else internals or 0,
        shield=shield,
        internal=damage is None,
        reinforcement=reinforcement,
        directions=tuple((None, where) for where in direction),
    )


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
