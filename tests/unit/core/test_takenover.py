"""What only a game taken from a file may hold, and only where it says so."""

from __future__ import annotations

from typing import Any

import pytest

from referee.core.account import Event
from referee.core.errors import BadInput, IntegrityFailure, RefereeError
from referee.core.gamefold import fold_game
from referee.rulebooks.registry import load_ship

SOURCE = {"file": "a.vsav", "sha256": "0" * 64, "lines": 4, "turn": 1, "impulse": 1}
SHIP = ("ship", {"ship": "A", "class": "cadet/klingon-d6", "player": "ann", "at": "0915C"})
STEP = ("step", {"turn": 1, "impulse": 1, "step": "fire"})


def game(*entries: tuple[str, dict[str, Any]], source: Any = SOURCE) -> Any:
    genesis = {
        "format": 1, "game": "0" * 32, "ruleset": "0" * 64, "rulebook": "sfb-cadet", "players": ["ann"],
        "dice": {"mode": "seed", "text": "x"}, "fold": 2, "tool": "t", "from": source,
    }  # fmt: skip
    drafts = [Event(n, kind, data) for n, (kind, data) in enumerate([("genesis", genesis), *entries])]
    return fold_game(drafts, load_ship)


def marks(*events: dict[str, Any], **parts: Any) -> tuple[str, dict[str, Any]]:
    return "taken", {"text": "t", "events": list(events), **parts}


def place(to: str, ship: str = "A") -> tuple[str, dict[str, Any]]:
    return "order", {
        "text": ["t"],
        "player": "ann",
        "turn": 1,
        "impulse": 1,
        "place": {"ship": ship, "to": to},
    }


HIT = {"ship": "A", "event": "shield_hit", "shield": 1, "points": 3}
FIRE = ("order", {"text": ["t"], "player": "ann", "turn": 1, "impulse": 1, "fire": {"ship": "A", "weapons": ["PH-2/A"], "target": "A"}})  # fmt: skip


def test_what_a_file_shows_is_folded() -> None:
    state = game(SHIP, STEP, marks(HIT), place("2801E"))
    assert state.ships["A"].state.shields[1] == 13 and state.ships["A"].position == "2801E"
    assert game(SHIP, STEP, place("")).ships["A"].position == ""
    fired = game(
        SHIP, STEP, FIRE, marks({"ship": "A", "event": "weapon_fired", "weapon": "PH-2/A"}, fire=[3])
    )
    assert not fired.unrolled and [mark for _, mark in fired.ships["A"].fired] == ["PH-2/A"]


OTHER = ("ship", {"ship": "B", "class": "cadet/federation-ca", "player": "ann", "at": "0920A"})
LAUNCH = ("order", {"text": ["t"], "player": "ann", "turn": 1, "impulse": 1, "launch": {"ship": "A", "weapon": "DRN/1", "type": "drone", "target": "B", "facing": "D", "name": "D1"}})  # fmt: skip
TRY = {"ship": "A", "target": "B", "roll": 4}
LONG = {**SOURCE, "lines": 9}


def hit(points: int, *, gone: bool = False, name: str = "D1") -> dict[str, Any]:
    return {"seeker": name, "points": points, "phasers": points, "gone": gone}


def test_seekers_are_hit_and_gone_as_the_file_tells() -> None:
    start = (SHIP, OTHER, STEP, LAUNCH)
    flying = game(*start, marks(seekers_hit=[hit(2)]), place("0917D", "D1"), source=LONG)
    seeker = flying.seekers["D1"]
    assert (seeker.damage, seeker.phaser_damage, str(seeker.hex), seeker.facing) == (2, 2, "0917", "D")
    assert game(*start, marks(seekers=["D1"]), source=LONG).seekers == {}
    assert game(*start, marks(seekers_hit=[hit(4, gone=True)]), source=LONG).seekers == {}
    tried = game(*start, marks(locks=[TRY]), source=LONG)
    assert tried.locks == {("A", "B", 1): 4}


def test_boxes_are_whole_again_as_the_file_shows() -> None:
    gone = {"ship": "A", "event": "box_destroyed", "box": "lab/1"}
    back = {"ship": "A", "event": "box_restored", "box": "lab/1"}
    more = {"ship": "A", "event": "shield_restored", "shield": 1, "points": 2}
    state = game(SHIP, STEP, marks(HIT, gone), marks(more, back)).ships["A"].state
    assert state.shields[1] == 15 and state.destroyed == frozenset()
    with pytest.raises(BadInput, match="has not so many boxes"):
        game(SHIP, STEP, marks(HIT), marks({**more, "points": 4}))


@pytest.mark.parametrize(
    ("parts", "kind", "said"),
    [
        ({"seekers": ["D2"]}, IntegrityFailure, "says of 'D2'"),
        ({"seekers": ["D1", "D1"]}, IntegrityFailure, "says of 'D1'"),
        ({"seekers_hit": [hit(2, name="D2")]}, BadInput, "malformed"),
        ({"seekers_hit": [{"seeker": "D1"}]}, BadInput, "malformed"),
        ({"locks": [{**TRY, "roll": "4"}]}, BadInput, "malformed"),
        ({"locks": [{**TRY, "target": "C"}]}, BadInput, "malformed"),
        ({"locks": [TRY, {}]}, BadInput, "malformed"),
    ],
)
def test_seekers_and_tries_that_are_not_there_are_refused(
    parts: dict[str, Any], kind: type[RefereeError], said: str
) -> None:
    with pytest.raises(kind, match=said):
        game(SHIP, OTHER, STEP, LAUNCH, marks(**parts), source=LONG)


def test_a_try_counts_once_and_a_seeker_is_put_in_a_hex() -> None:
    start = (SHIP, OTHER, STEP, LAUNCH)
    with pytest.raises(IntegrityFailure, match="tried for B in this turn already"):
        game(*start, marks(locks=[TRY]), marks(locks=[TRY]), source=LONG)
    for nowhere in ("", "0917"):
        with pytest.raises(BadInput, match="is put nowhere"):
            game(*start, place(nowhere, "D1"), source=LONG)


@pytest.mark.parametrize(
    ("entries", "kind", "said"),
    [
        ((SHIP, STEP, STEP, STEP, marks(HIT)), IntegrityFailure, "of no file"),
        ((SHIP, STEP, STEP, STEP, place("2801E")), IntegrityFailure, "of no file"),
        ((SHIP, STEP, marks(HIT, fire=[1])), IntegrityFailure, "says of entry 1"),
        ((SHIP, STEP, marks(HIT, fire=[[]])), IntegrityFailure, "says of entry"),
        ((SHIP, STEP, FIRE, marks(fire=[2, 2])), IntegrityFailure, "says of entry 2"),
        ((SHIP, STEP, marks({**HIT, "ship": "B"})), BadInput, "no ship"),
        ((SHIP, STEP, marks({**HIT, "points": -1})), BadInput, "malformed"),
        ((SHIP, STEP, marks({**HIT, "shield": 7})), BadInput, "no shield"),
        ((SHIP, STEP, marks({"ship": "A", "event": "box_destroyed", "box": "warp/1"})), BadInput, "no box"),
        ((SHIP, STEP, place("2801E", "B")), BadInput, "no ship"),
        ((SHIP, STEP, place("28O1E")), BadInput, "28O1E"),
        ((SHIP, STEP, ("anchor", {"player": "ann", "anchor": "0" * 64, "length": 9}), marks(HIT)), IntegrityFailure, "goes on already"),
    ],
)  # fmt: skip
def test_what_no_file_accounts_for_is_refused(entries: Any, kind: type[RefereeError], said: str) -> None:
    with pytest.raises(kind, match=said):
        game(*entries)


@pytest.mark.parametrize(
    "source", [[], {}, {**SOURCE, "lines": "4"}, {**SOURCE, "more": 1}, {**SOURCE, "lines": True}]
)
def test_a_source_that_is_malformed_is_refused(source: Any) -> None:
    with pytest.raises(BadInput, match="from is malformed"):
        game(SHIP, source=source)
