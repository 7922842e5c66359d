"""An undo goes on from where the record stood before it: what comes of it is what the whole record gives."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from referee.core.errors import RefereeError
from referee.play import game_file, table
from referee.play.desk import Desk
from referee.play.game_file import open_game
from referee.play.table import standing_table, table_of
from referee.play.way_back import MOST, RECENT, WayBack, moments_kept
from referee.record.chain import make_entry
from referee.report.gametext import state_hash
from tests.unit.play.test_desk import begun

ACTS = ("a", "l", "r", "a", "n", "n", "w f ph2a,b c", "c f ph1a w", "n")


def is_as_a_whole(path: str) -> None:
    """Holds what stands after undos against the record worked out anew."""
    stood = open_game(path)
    standing = standing_table(stood)
    game_file._last.clear()
    table._standing.clear()
    whole = open_game(path)
    assert stood is not whole
    assert stood.state == whole.state and state_hash(stood.state) == state_hash(whole.state)
    assert vars(stood.dice) == vars(whole.dice) and vars(stood.seals) == vars(whole.seals)
    judged = table_of(whole)
    assert standing.moment == judged.moment and state_hash(standing.state) == state_hash(judged.state)
    assert standing.course.to_move == judged.course.to_move


@pytest.mark.one_in(2)
@pytest.mark.parametrize("seed", range(4))
def test_undos_and_redos_come_to_what_the_whole_record_gives(tmp_path: Path, seed: int) -> None:
    desk = begun(tmp_path, "--umpire", "uma", "--seed", f"{seed}", dice="seed")
    desk.say("c s 16\nw s 16")
    desk.next()
    chance = random.Random(seed)
    for _ in range(40):
        act = chance.choice((*ACTS, "undo", "undo", "redo", "far", "stand"))
        if act == "undo":
            desk.undo()
        elif act == "redo":
            desk.redo()
        elif act == "far":
            entries = desk.acts(30)
            desk.undo(to=chance.choice(entries).seq - 1)
        elif act == "stand":
            desk.let_stand()
        else:
            desk.next() if act == "n" else desk.say(act)
        if chance.random() < 0.2:
            is_as_a_whole(desk.path)
    assert any(entry.type == "undo" for entry in desk.game.entries)
    is_as_a_whole(desk.path)


def test_a_desk_that_is_opened_anew_takes_back_as_well(tmp_path: Path) -> None:
    desk = begun(tmp_path)
    desk.say("c s 16\nw s 16")
    for _ in range(6):
        desk.next()
        desk.say("a")
        desk.say("a")
    game_file._last.clear()
    table._standing.clear()
    again = Desk(desk.path)
    again.undo()
    is_as_a_whole(desk.path)
    again.redo()
    is_as_a_whole(desk.path)


def test_what_another_process_writes_is_taken_back_too(tmp_path: Path) -> None:
    desk = begun(tmp_path)
    desk.say("c s 16\nw s 16")
    desk.next()
    desk.say("a")
    before = game_file._last
    elsewhere: WayBack[game_file.Game] = WayBack()
    game_file._last = elsewhere  # What another process knows is its own.
    try:
        Desk(desk.path).say("a")
    finally:
        game_file._last = before
    assert desk.undo().lines == ("taken back: #8    order: War: ahead",)
    assert desk.whose == "War moves"
    is_as_a_whole(desk.path)


def test_an_undo_that_is_not_agreed_is_refused_from_any_stage(tmp_path: Path) -> None:
    from referee.play.append import append

    desk = begun(tmp_path)
    desk.say("c s 16\nw s 16")
    desk.next()
    desk.say("a")
    last = desk.last_act
    with pytest.raises(RefereeError, match="has not agreed"):
        append(desk.path, lambda _: [("undo", {"target": last, "reason": "no", "agreed_by": ["ann"]})])


def test_few_stages_are_kept_of_a_long_game() -> None:
    way: WayBack[int] = WayBack()
    entries = [make_entry("", n, "note", {}, "2026-11-20T15:00:00Z") for n in range(20_000)]
    for count in range(1, 20_000, 3):
        way.keep("game", entries[:count], count)
    assert len(way._kept) <= MOST + RECENT
    assert [kept.stage for kept in way._kept[-RECENT:]] == [19999 - 3 * n for n in reversed(range(RECENT))]
    assert way.last("game", entries, lambda taken, stage: taken == stage) == (19_999, 19_999)
    others = [*entries[:19_000], make_entry("", 19_000, "note", {"text": "another"}, "2026-11-20T15:00:00Z")]
    found = way.last("game", others, lambda taken, stage: True)
    assert found is not None and found[0] <= 19_000
    way.keep("other", entries[:3], 3)
    assert len(way._kept) == 1 and way.last("game", entries, lambda taken, stage: True) is None


def test_a_record_is_looked_at_more_often_toward_its_end() -> None:
    assert moments_kept(3) == []
    assert moments_kept(1600) == [512, 1024, 1535, 1536, 1567, 1583, 1591]
