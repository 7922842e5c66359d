"""Who may fire now: told from how the game stands alone, and as the table judges it."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.cli.main import run
from referee.play.comes_next import next_told
from referee.play.game_file import game_of, open_game
from referee.play.may_fire import ready_in
from referee.play.sight import sight_of

SHIPS = (
    "Alpha=cadet/federation-ca:ann@1011D/8",
    "Bravo=cadet/klingon-d6:ben@1013A/8",
    "Crow=cadet/kzinti:ben@1012B/8",
)


@pytest.fixture
def path(tmp_path: Path) -> str:
    file = str(tmp_path / "three.jsonl")
    ships = [part for ship in SHIPS for part in ("--ship", ship)]
    assert (
        run(["game", "new", file, "--players", "ann,ben", "--dice", "seed", "--seed", "three", *ships]) == 0
    )
    for name in ("Alpha", "Bravo", "Crow"):
        assert run(["game", "say", file, f"{name}: speed 8"]) == 0
    assert run(["game", "next", file, "--to", "1.1 fire"]) == 0
    return file


def told(path: str) -> str:
    return next_told(open_game(path))


def test_who_has_declared_or_held_fire_is_no_more_among_those_who_may(path: str) -> None:
    assert "may still fire: Alpha, Bravo, Crow" in told(path)
    assert run(["game", "say", path, "Bravo: hold fire"]) == 0
    assert "may still fire: Alpha, Crow" in told(path)
    assert run(["game", "say", path, "Alpha: fire PH-1A at Bravo"]) == 0
    assert "may still fire: Crow" in told(path)


def test_it_is_as_the_table_judges_it_at_every_entry(path: str) -> None:
    run(["game", "say", path, "Alpha: fire PH-1A at Bravo"])
    run(["game", "say", path, "Crow: fire PH-3/C at Alpha"])
    assert run(["game", "resolve", path]) == 0
    for to in ("1.2 fire", "1.5 fire"):
        run(["game", "next", path, "--to", to])
        run(["game", "say", path, "Crow: fire PH-3/C at Alpha"])
    entries = open_game(path).entries
    seen = 0
    for length in range(1, len(entries) + 1):
        game = game_of(path, entries[:length])
        if game.state.impulse is None:
            continue
        ships = sight_of(game).ships
        assert ready_in(game) == tuple(ship.name for ship in ships if ship.may_fire), length
        assert ready_in(game, launched=True) == tuple(ship.name for ship in ships if ship.may_launch), length
        seen += 1
    assert seen > 3
