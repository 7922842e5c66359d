"""The games of the doors are written for the net as they stand here, and the commonest violations are among them."""

from __future__ import annotations

from tests.doors import commonest, games
from tests.doors.played import DOORS
from tests.net.gamefiles import games as written
from tests.write_games import EXCUSED, PLAYED, source


def test_the_commonest_violations_are_played() -> None:
    assert sorted(commonest.counted()) == sorted(commonest.COMMONEST)
    assert not set(games.GAMES) & set(commonest.GAMES)
    for key, name in commonest.COMMONEST.items():
        assert key in {found[1] for found in PLAYED[name][1] if found[0] == "error"}, name


def test_excuses_are_of_games_and_doors_there_are() -> None:
    assert {(name, door) for name in PLAYED for door in DOORS} >= set(EXCUSED)
    assert all(excuse.why and (excuse.lacks or excuse.adds or excuse.refuses) for excuse in EXCUSED.values())


def test_every_game_is_written_as_it_is_played() -> None:
    stand = {f"{name}: {door}": source(game) for name, (game, _) in PLAYED.items() for door in DOORS}
    assert {game["game"]: game["of"] for game in written("doors")} == stand, "python -m tests.write_games"
