"""What is in a play-by-play of the online client, for people and as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from referee.core.safe import safe_line


def play_text(document: Mapping[str, Any]) -> str:
    """The games of a log, their ships, what they tell and what in them is not understood."""
    return "\n".join(_lines(document)) + "\n"


def _lines(document: Mapping[str, Any]) -> Iterable[str]:
    games = document["games"]
    count = f"{len(games)} game{'s' * (len(games) != 1)}"
    yield safe_line(f"{document['file']}: a play-by-play of the online client, {count}")
    for number, game in enumerate(games, 1):
        yield ""
        turns = f"turns {game['first_turn']} to {game['last_turn']}" if game["last_turn"] else "no impulse"
        yield f"Game {number}: lines {game['first_line']} to {game['last_line']}, {turns}"
        for ship in game["ships"]:
            type = f" (Type:{ship['type']})" if ship["type"] else ""
            known = ship["class"] or "class not known: --ship NAME=CLASS"
            yield safe_line(f"  {ship['name']}{type}: {known}")
        counted = ", ".join(f"{what} {n}" for what, n in game["lines"].items())
        yield f"  {counted}" if counted else "  it records nothing"
        if game["unread"]:
            yield "  not understood:"
        for row in game["unread"]:
            yield safe_line(f"    {row['count']} x {row['shape']} (line {row['line']} first)", 160)
