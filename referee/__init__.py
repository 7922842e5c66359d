"""A referee for starship tabletop games.

>>> import referee
>>> referee.check("examples/duel/constellation.csv").verdict.value
'illegal'
>>> referee.volley("standard/klingon-d7", internals=25, seed="a").destroyed
False

Each name is loaded when it is first asked for: `import referee` alone costs nothing.
"""

from __future__ import annotations

TYPE_CHECKING = False  # `typing` itself would cost --version 10 ms
if TYPE_CHECKING:
    from referee.api.forecasting import odds
    from referee.api.games import Game
    from referee.api.judging import check, read, verify
    from referee.api.shooting import fire
    from referee.api.volleys import Volley, ship, volley
    from referee.core.errors import BadInput, IntegrityFailure, Refused
    from referee.core.finding import Finding, Report
    from referee.core.game import Ruling

__version__ = "0.1.0"
__all__ = [
    "BadInput",
    "Finding",
    "Game",
    "IntegrityFailure",
    "Refused",
    "Report",
    "Ruling",
    "Volley",
    "check",
    "fire",
    "odds",
    "read",
    "ship",
    "verify",
    "volley",
]

_PLACES = {
    "BadInput": "core.errors",
    "Finding": "core.finding",
    "Game": "api.games",
    "IntegrityFailure": "core.errors",
    "Refused": "core.errors",
    "Report": "core.finding",
    "Ruling": "core.game",
    "Volley": "api.volleys",
    "check": "api.judging",
    "fire": "api.shooting",
    "odds": "api.forecasting",
    "read": "api.judging",
    "ship": "api.volleys",
    "verify": "api.judging",
    "volley": "api.volleys",
}
"""The module that each name of the API comes from."""


def __getattr__(name: str) -> object:
    if name not in _PLACES:
        raise AttributeError(f"module 'referee' has no attribute {name!r}")
    from importlib import import_module

    found = getattr(import_module(f"referee.{_PLACES[name]}"), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
