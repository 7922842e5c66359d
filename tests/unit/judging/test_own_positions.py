"""A record of a game on its rulebook's own table, looked at position by position: of all, and as one side knows it."""

from __future__ import annotations

import json

import pytest

from referee.core.errors import BadInput
from referee.core.positions import PlayedGame
from referee.judging.played_games import played_game
from referee.play.game_file import open_game
from referee.report.documents import happened
from referee.report.mapsvg import told_of
from referee.report.replayhtml import replay_html
from referee.sources.asked import Asked
from referee.sources.inputs import read_input
from referee.sources.settings import Settings
from tests.cli.conftest import Run
from tests.conftest import ROOT

RECORD = ROOT / "examples" / "games" / "trek-duel.jsonl"


def seen(side: str = "") -> PlayedGame:
    return played_game(read_input(str(RECORD)), Asked(Settings(), side=side))


def hexes(game: PlayedGame, ship: str) -> dict[str, str]:
    """Where a ship is after each entry, by the entry."""
    return {one.place: unit.at for one in game.positions for unit in one.units if unit.name == ship}


def test_every_entry_that_changes_the_table_is_a_position_with_its_words() -> None:
    game = seen()
    last = game.positions[-1]
    assert (last.when, game.verdict) == ("3.3", "legal")
    assert {unit.name: unit.at for unit in last.units} == {"Lancer": "0510A", "Shade": ""}
    words = [happened(one) for one in game.positions]
    assert words[:2] == ["Lancer is in the game", "Shade is in the game"]
    assert any("*** Shade EXPLODES ***" in said for said in words)
    second = next(one for one in game.positions if one.when == "2.1")
    assert told_of(second) == "turn 2, round 1: Round 1"


@pytest.mark.parametrize(("side", "foe"), [("alpha", "Shade"), ("beta", "Lancer")])
def test_a_side_sees_of_the_other_what_its_own_document_tells(side: str, foe: str) -> None:
    game, whole = seen(side), seen()
    document = open_game(str(RECORD)).state.own.document(side)  # type: ignore[union-attr]
    told = [event for one in game.positions for event in one.log.get("log", ())]
    assert told == document["log"] and len(told) < len(open_game(str(RECORD)).state.own.document()["log"])  # type: ignore[union-attr]
    assert all(side in event.get("only", (side,)) for event in told)
    assert set(hexes(game, foe).items()) <= {
        *hexes(whole, foe).items(),
        *((p, "") for p in hexes(whole, foe)),
    }
    page = replay_html(game)
    assert not game.head and f"{foe} has 30 power" not in page and f"{foe} has 40 power" not in page


def test_a_cloaked_ship_is_not_on_the_other_sides_map() -> None:
    cloaked = [
        one.place for one in seen().positions if any(e["event"] == "cloaked" for e in one.log.get("log", ()))
    ]
    assert cloaked
    theirs, own = hexes(seen("alpha"), "Shade"), hexes(seen("beta"), "Shade")
    assert all(theirs.get(place, "") == "" and own[place] for place in cloaked)


def test_who_does_not_play_is_told_who_does() -> None:
    with pytest.raises(BadInput, match="gamma does not play") as caught:
        seen("gamma")
    assert caught.value.hint == "there are alpha, beta"


def test_page_map_and_check_of_such_a_record(referee: Run) -> None:
    page = referee("replay", RECORD, "--as", "beta")
    assert page.code == 0 and '<main class="bare">' in page.out and '<section class="ssds"' not in page.out
    picture = referee("map", RECORD, "--as", "beta", "--at", "2.1")
    assert picture.code == 0 and ">Shade<" in picture.out
    data = json.loads(page.out.partition('id="game">')[2].partition("</script>")[0])
    assert {unit["name"] for unit in data["units"]} == {"Lancer", "Shade"}
    report = referee("check", RECORD, "--format", "html").out
    assert "<h1>Lancer, Shade</h1>" in report and "trek/shade" in report
    assert "Shade" not in referee("check", RECORD, "--as", "alpha", "--format", "html").out
