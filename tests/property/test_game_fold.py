"""Whatever a record says, replaying it ends in a state or in one line; and the same entries in one state."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from json import dumps
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.adjudicator.waiting_for import awaited
from referee.core.entry_words import entry_line
from referee.core.errors import BadInput, RefereeError
from referee.core.finding import Report
from referee.core.gamefold import fold_game, states_before
from referee.judging.battles import battle_of_game
from referee.play.audit import wrong_lines
from referee.play.game_file import Game, game_of
from referee.record.canonical import canonical
from referee.record.chain import ZERO_HASH, Entry, make_entry
from referee.record.entrytypes import TYPES
from referee.record.reading import read
from referee.report.battlehtml import battle_html
from referee.report.battlejson import battle_json
from referee.report.battlemarkdown import battle_markdown
from referee.report.battletext import battle_text
from referee.report.gametext import state_hash, status_json, status_text
from referee.rulebooks.registry import load_ship
from tests.conftest import ROOT, examples

GAMES = ROOT / "examples" / "games"
DUEL = read(GAMES / "solo-duel.jsonl")
CADET = read(GAMES / "cadet-duel.jsonl")
PLAYED = [entry.seq for entry in CADET if entry.type in ("order", "events", "declare", "undo", "step")]

values = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 120) | st.sampled_from(
        ["", "fed", "kli", "Destruction", "Constellation", "spread", "volley of entry 15", "lab/1", "eaf", "x", "0" * 64, "5/2",
         "PH-1/C", "DRN/1", "PHOT/A", "ahead", "left", "uncloak", "A", "Destruction DRN/1 t1", "Destruction DRN/1 t2", "fire of entries 71"]
    ),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["ship", "policy", "event", "box", "line", "amount", "picks", "mode", "way", "weapons", "target", "name", "points", "of"]), inner, max_size=3),
    max_leaves=5,
)  # fmt: skip


LIKE: dict[type, st.SearchStrategy[Any]] = {
    int: st.integers(0, 20) | st.integers(),
    str: st.sampled_from(["Constellation", "Destruction", "fed", "kli", "PH-1/A", "PHOT/B", "DRN/1", "drone",
                          "ahead", "left", "right", "A", "D", "fire", "end of turn", "Destruction DRN/1 t1"]),
    list: st.lists(st.sampled_from(["PH-1/A", "PH-1/B", "DISR/A", "PHOT/A", "DRN/1", "Destruction DRN/1 t1"]), max_size=4),
}  # fmt: skip
"""Values of the kind that stood there."""


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The way to every part of a value."""
    if path:
        yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield from places(item, (*path, key))


def chained(entries: list[tuple[str, dict[str, Any]]], behind: list[Entry] | None = None) -> list[Entry]:
    made = list(behind or [])
    for kind, data in entries:
        prev = made[-1].hash if made else ZERO_HASH
        made.append(make_entry(prev, len(made), kind, data, "2026-11-20T15:00:00Z"))
    return made


def looked_at(entries: list[Entry]) -> Game | None:
    """The game, and everything that commands show of it; None where it is refused with one line."""
    try:
        game = game_of("g.jsonl", entries)
        wrong_lines(game)
        waits = awaited(game.state, game.rulebook, game.dice.waiting_for())
    except RefereeError as error:
        assert "\n" not in str(error) and str(error).startswith("g.jsonl: "), error
        return None
    classes = {name: game.ship_class(ship) for name, ship in game.state.ships.items()}
    for entry in entries:
        entry_line(entry)
    status_text(game.state, classes, waits)
    dumps(status_json(game.state, classes, waits, game.head))
    if game.state.own is None:
        battle = battle_of_game(game, Report())
        for write in (battle_text, battle_markdown, battle_html, battle_json):
            write(battle)
    return game


def change(data: st.DataObject, entries: list[tuple[str, dict[str, Any]]], number: int) -> None:
    """One entry changed, left out, or put in a second time."""
    kind, said = entries[number]
    how = data.draw(st.sampled_from(["value", "drop", "twice", "type", "part"]), "change")
    if how == "value":
        path = data.draw(st.sampled_from(list(places(said)) or [()]), "where")
        inner: Any = said
        for step in path[:-1]:
            inner = inner[step]
        if path:
            like = LIKE.get(type(inner[path[-1]]), values)
            inner[path[-1]] = data.draw(values | like, "value")
    elif how == "part" and said:
        del said[data.draw(st.sampled_from(sorted(said)), "field")]
    elif how == "type":
        entries[number] = (data.draw(st.sampled_from(sorted(TYPES))), said)
    elif how == "drop":
        del entries[number]
    else:
        entries.insert(data.draw(st.integers(0, len(entries))), (kind, deepcopy(said)))


def chained_and_looked_at(
    entries: list[tuple[str, dict[str, Any]]], behind: list[Entry] | None = None
) -> None:
    try:
        made = chained(entries, behind)
    except RefereeError:
        return
    if made:
        looked_at(made)


@examples(300)
@given(data=st.data())
def test_a_record_changed_anywhere_is_replayed_or_refused(data: st.DataObject) -> None:
    entries = [(entry.type, deepcopy(entry.data)) for entry in DUEL]
    change(data, entries, data.draw(st.integers(0, len(entries) - 1), "entry"))
    chained_and_looked_at(entries)


def test_an_undo_that_cannot_be_read_is_refused_behind_a_game_that_is_known() -> None:
    known = list(CADET[:204])
    game_of("g.jsonl", known)
    with pytest.raises(BadInput, match="target"):
        game_of("g.jsonl", chained([("undo", {"ship": "Constellation"})], known))


@examples(200)
@given(data=st.data())
def test_orders_of_play_changed_anywhere_are_replayed_or_refused(data: st.DataObject) -> None:
    """What comes before the change stays to the byte, for the digests in it; of what follows, a few entries."""
    number = data.draw(st.sampled_from(PLAYED), "entry")
    upto = number + 1 + data.draw(st.integers(0, 8), "more")
    entries = [(entry.type, deepcopy(entry.data)) for entry in CADET[number:upto]]
    change(data, entries, 0)
    chained_and_looked_at(entries, list(CADET[:number]))


@pytest.mark.one_in(3)
@pytest.mark.parametrize("length", range(1, len(DUEL) + 1))
def test_every_beginning_of_a_game_is_a_game(length: int) -> None:
    game = looked_at(DUEL[:length])
    assert game is not None and state_hash(game.state) == state_hash(fold_game(DUEL[:length], load_ship))


def test_the_states_before_are_those_of_the_beginnings() -> None:
    """Except that what is taken back later was never there: the volley of #29, until its undo in #30."""
    types = {entry.type for entry in DUEL} - {"genesis"}
    for entry, state in states_before(DUEL, load_ship, lambda entry: entry.type in types):
        then = fold_game(DUEL[: entry.seq], load_ship)
        same = {n: s.state for n, s in state.ships.items()} == {n: s.state for n, s in then.ships.items()}
        assert state.lines == entry.seq and same == (entry.seq != 30), entry


def test_the_fold_changes_nothing_it_is_given() -> None:
    before = [canonical(entry.data) for entry in DUEL]
    fold_game(DUEL, load_ship)
    assert [canonical(entry.data) for entry in DUEL] == before
