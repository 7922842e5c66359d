"""Logs of the online client: read, judged, and stripped of names."""

from __future__ import annotations

from collections.abc import Iterator

from fuzz.harness import FOR_PEOPLE, judged
from referee.formats.sfbol_games import read_play
from referee.sources.sfbol_strip import stripped

AIMS = (
    "referee/formats/sfbol.py",
    "referee/formats/sfbol_strip.py",
    "referee/sources",
    "referee/judging/sfbol.py",
)


def take(data: bytes) -> None:
    """Reads and judges a log; what is left of it without names and chat is read again."""
    games = list(read_play(data, "fuzzed.log"))
    if any(game.facts for game in games):
        judged(data, "fuzzed.log", "text")
    try:
        left = stripped(data, "fuzzed.log").text
    except FOR_PEOPLE:
        return
    again = list(read_play(left.encode(), "fuzzed.log"))
    assert len(again) == len(games), "a log without names has another number of games"


def seeds() -> Iterator[bytes]:
    """Duels as the client would write them, by the rules and not."""
    from tests.unit.sources.sfbol_judged import duel, written

    for acts in ((), ("Kharg: fire PH-2/1 at Sabre",), ("Sabre: fire PH-1/A at Kharg", "Kharg: hit 12 on 1")):
        orders = duel(({"Kharg": 8, "Sabre": 12},), {(1, 4): acts}, last=8)
        yield ("\n".join(written(orders)) + "\n").encode()
