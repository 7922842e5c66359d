"""A record that is played on is not worked out anew: what is taken on a fork is what the whole would give."""

from __future__ import annotations

import pytest

from referee.core.game import EntryLike
from referee.core.gamefold import GameFold
from referee.play import game_file, table
from referee.play.audit import judged
from referee.play.game_file import game_of
from referee.play.table import standing_table, table_of
from referee.record.reading import read
from referee.report.gametext import state_hash
from tests.conftest import ROOT

GAMES = ROOT / "examples" / "games"


@pytest.mark.parametrize("name", ["cadet-duel", "solo-duel", "trek-duel"])
def test_a_game_taken_entry_by_entry_is_the_game_taken_whole(name: str) -> None:
    path = str(GAMES / f"{name}.jsonl")
    entries = read(path)
    for count in range(1, len(entries) + 1, 1 if len(entries) < 60 else 7):
        onward = game_of(path, entries[:count])
    onward = game_of(path, entries)
    game_file._last.clear()
    whole = game_of(path, entries)
    assert onward is not whole
    assert state_hash(onward.state) == state_hash(whole.state)
    assert onward.state == whole.state
    assert vars(onward.dice) == vars(whole.dice) and vars(onward.seals) == vars(whole.seals)


def test_a_game_that_is_played_on_leaves_the_one_before_as_it_was() -> None:
    path = str(GAMES / "cadet-duel.jsonl")
    entries = read(path)
    first = game_of(path, entries[:120])
    stood, rolls = state_hash(first.state), dict(first.dice.rolls)
    game_of(path, entries)
    assert state_hash(first.state) == stood
    assert first.dice.rolls == rolls


def test_a_table_that_is_played_on_finds_what_the_whole_one_finds() -> None:
    path = str(GAMES / "cadet-duel.jsonl")
    entries = read(path)
    undo = next(entry.seq for entry in entries if entry.type == "undo")
    table._standing.clear()
    for count in [*range(20, len(entries), 11), undo, undo + 1, len(entries)]:
        game = game_of(path, entries[:count])
        onward, whole = standing_table(game), table_of(game)
        assert onward.moment == whole.moment
        assert state_hash(onward.state) == state_hash(whole.state)
        assert onward.course.to_move == whole.course.to_move
        assert vars(onward.fire._battery)["fired"] == vars(whole.fire._battery)["fired"]


def test_what_a_record_is_held_against_again_is_the_game_on_the_table(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    path = str(GAMES / "cadet-duel.jsonl")
    game = game_of(path, read(path))
    taken: list[int] = []
    take = GameFold.take

    def counted(fold: GameFold, entry: EntryLike) -> None:
        taken.append(entry.seq)
        take(fold, entry)

    monkeypatch.setattr(GameFold, "take", counted)
    onward, wrong = judged(game)
    assert not wrong and onward.state.turn == game.state.turn
    assert taken == [entry.seq for entry in game.entries[1:]]


def test_what_is_tried_on_a_table_leaves_no_trace_on_the_next() -> None:
    path = str(GAMES / "cadet-duel.jsonl")
    game = game_of(path, read(path)[:40])
    stood = state_hash(standing_table(game).state)
    tried = standing_table(game)
    tried.add("step", {"turn": game.state.turn, "impulse": 5, "step": "fire"})
    assert tried.moment != standing_table(game).moment
    assert state_hash(standing_table(game).state) == stood
