"""A volley that no fire of the record explains is named, whoever tells it; a table that keeps damage alone is told so once."""

from __future__ import annotations

from pathlib import Path

import pytest

import referee
import referee.adjudicator.told_volleys
from referee.cli.main import run
from referee.core.game import is_unexplained
from referee.play.desk import Desk
from referee.play.game_file import open_game

KEY = "NOTE/unexplained-volley"


def begun(tmp_path: Path) -> Desk:
    path = str(tmp_path / "duel.jsonl")
    ships = ["Hood=cadet/federation-ca:ann@1010C/12", "War=cadet/klingon-d6:bob@1710E/12"]
    given = [part for ship in ships for part in ("--ship", ship)]
    new = ["game", "new", path, "--players", "ann,bob", "--umpire", "uma", "--dice", "physical"]
    assert run([*new, *given]) == 0
    return Desk(path)


def undecided(desk: Desk) -> list[str]:
    return [each.subject for each in referee.check(desk.path).findings if each.key == KEY]


def notes(desk: Desk) -> list[str]:
    return [
        each.reason for each in referee.check(desk.path).not_checked if "no fire is in the" in each.reason
    ]


def test_damage_out_of_nothing_is_not_borne_out_by_its_owners_word(tmp_path: Path) -> None:
    desk = begun(tmp_path)
    desk.say("h s 12; w s 12")
    desk.next()
    answer = desk.say("war hit 9 on 1")
    assert (
        answer.entered
        and "no fire in the record explains the 9 on War: check leaves it undecided" in answer.lines
    )
    assert undecided(desk) == ["War"] and not notes(desk)
    assert [volley["points"] for _, volley in open_game(desk.path).state.unexplained] == [9]


def test_a_table_that_keeps_damage_alone_is_told_once(tmp_path: Path) -> None:
    desk = begun(tmp_path)
    desk.next()
    desk.let_stand()
    for order in ("war hit 9 on 1", "hood hit 3 on 2"):
        assert desk.say(order).entered
        desk.next()
    assert undecided(desk) == [] and not open_game(desk.path).state.unexplained
    (note,) = notes(desk)
    assert "12 points" in note and note.count("#") == 2


def test_once_play_is_in_the_record_what_was_told_before_is_not_borne_out(tmp_path: Path) -> None:
    desk = begun(tmp_path)
    desk.next()
    desk.let_stand()
    assert not desk.say("war hit 9 on 1").findings
    line = max(entry.seq for entry in desk.game.entries if "volley" in entry.data) + 1
    desk.next()
    while not desk.mover:
        desk.next()
    assert desk.say("a").entered
    found = [each for each in referee.check(desk.path).findings if each.key == KEY]
    assert [each.location.record_line for each in found] == [line] and not notes(desk)
    assert len(open_game(desk.path).state.unexplained) == 1


@pytest.mark.parametrize(
    ("who", "kept", "named"),
    [("bob", True, True), ("bob", False, False), ("ann", False, True), ("uma", True, False)],
)
def test_whose_word_is_enough(tmp_path: Path, who: str, kept: bool, named: bool) -> None:
    state = begun(tmp_path).game.state
    assert is_unexplained(state, {"player": who, "volley": {"ship": "War"}}, kept=kept) is named
    assert not is_unexplained(state, {"player": who, "volley": {"ship": "War", "of": [1, 0]}}, kept=kept)
