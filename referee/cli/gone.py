"""Commands and options that are gone, and what serves instead."""

from __future__ import annotations

from collections.abc import Sequence

GONE = {
    "corpus add": "write the case by hand: docs/corpus.md; `referee corpus run --cases FILE` plays it",
    "odds --chunks": "`referee odds --workers N` and `--cluster ADDRESS` share the work",
    "odds --merge": "`referee odds --workers N` and `--cluster ADDRESS` share the work",
    "odds --replay": "`referee volley SHIP --seed TEXT` shows a volley hit by hit",
    "ship confirm": "write the numbers into confirmed-ships.json: docs/ships.md, `referee schema confirmed-ships`",
    "log part": "each game of a file is judged; `referee game new --part N`, `referee map --part N` and "
    "`referee replay --part N` take one",
    "show --diff": "`referee show FILE --step N` shows a log after each of the two",
    "hex reach": "`referee map FILE --next SHIP` marks the hexes a ship may enter next",
    "robot --scenario": "`referee init game --scenario 4 --record FILE --players NAMES` begins it, and "
    "`referee robot GAME --ship SHIP --play` plays a ship of it",
    **{f"game {name}": f"it is `referee {name}`" for name in ("seal", "reveal", "dice", "record", "umpire")},
    "game new --operator": "the umpire keeps the seed of solo dice, else who is first in `referee game new --players`",
}
"""By the words of the command, with the option behind them."""


def instead_of(arguments: Sequence[str]) -> tuple[str, str]:
    """What some arguments ask for that is gone, and what serves instead; both empty where nothing of them is gone."""
    words = [word for word in arguments if not word.startswith("-")]
    options = [word.partition("=")[0] for word in arguments if word.startswith("-")]
    asked = [" ".join(words[:2]), *(f"{' '.join(words[:n])} {option}" for n in (1, 2) for option in options)]
    name = next((name for name in asked if name in GONE), "")
    return name, GONE.get(name, "")
