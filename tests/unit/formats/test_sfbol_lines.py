"""The lines of a play-by-play as facts: every shape, what is not understood, and files as they come."""

from __future__ import annotations

from collections import Counter

import pytest

from referee.formats.orderfiles import is_orders, is_play
from referee.formats.sfbol import (
    Added,
    Allocated,
    Allocating,
    DamageSaid,
    Destroyed,
    Fact,
    FieldActivated,
    Fired,
    ImpulseBegun,
    Moved,
    Rolled,
    ShieldsSaid,
    Turned,
    Unread,
    VolleySaid,
    bare,
    fact_in,
    facts_in,
    shape_of,
    speaker_in,
)
from referee.formats.sfbol_games import parts_of, read_play
from tests.unit.sources.sfbol_judged import duel, written

SHAPES: dict[str, Fact] = {
    "Impulse 1.14:": ImpulseBegun(1, 1, 14),
    "Kharg has started Energy Allocation": Allocating(1, "Kharg", False),
    "CW 705 Marauder has finished Energy Allocation": Allocating(1, "CW 705 Marauder", True),
    "Kharg has moved to 1012": Moved(1, "Kharg", 10, 12, "", "moved"),
    "O'Brien-7 has moved to 1402C": Moved(1, "O'Brien-7", 14, 2, "C", "moved"),
    "Kharg has side-slipped to 0911": Moved(1, "Kharg", 9, 11, "", "side-slipped"),
    "Kharg has turned to 2408D": Moved(1, "Kharg", 24, 8, "D", "turned"),
    "Kharg has turned to SE": Turned(1, "Kharg", "C", None),
    "Kharg has changed to facing F after 3 move": Turned(1, "Kharg", "F", 3),
    "Kharg fires 3 Phaser-1s at CW Marauder": VolleySaid(1, "Kharg", 3, "Phaser-1", "CW Marauder"),
    "Kharg fires Disruptor #B (FA) at CW Marauder using Overloaded mode (Range: 6)": Fired(
        1, "Kharg", "Disruptor", "B", "FA", "CW Marauder", "Overloaded", 6
    ),
    "Kharg fires Phaser-1 #4 (LF+RR+L) at CW Marauder (Range: 6)": Fired(
        1, "Kharg", "Phaser-1", "4", "LF+RR+L", "CW Marauder", "", 6
    ),
    "Skylark Rolls 1d6: 6, 1, 1": Rolled(1, "Skylark", 1, 6, (6, 1, 1)),
    "Allocation of damage for: Kharg": Allocated(1, "Kharg"),
    "Damage: 0/12/0/0/0/0 (Total: 12)": DamageSaid(1, (0, 12, 0, 0, 0, 0), 12),
    "Remaining Shield: 30/18/24/24/24/30": ShieldsSaid(1, (30, 18, 24, 24, 24, 30)),
    "D001(1).2.11 (Type:Klingon Drone) has been added at 1120, D001(1).2.11 was launched by Kharg": Added(
        1, "D001(1).2.11", "Klingon Drone", 11, 20, "", None, "Kharg"
    ),
    "KHS Sabre (Type:User-Defined Ship) has been added at 2326, direction A, speed 8": Added(
        1, "KHS Sabre", "User-Defined Ship", 23, 26, "A", 8, ""
    ),
    "Kharg activates ESG radius 0 - 20 pts": FieldActivated(1, "Kharg"),
    "Kharg ESG at radius 1": FieldActivated(1, "Kharg"),
    "Kharg has been destroyed": Destroyed(1, "Kharg"),
}


@pytest.mark.parametrize("text", SHAPES)
def test_a_line_of_a_known_shape_is_read(text: str) -> None:
    assert fact_in(1, text) == SHAPES[text]


@pytest.mark.parametrize(
    "text",
    [
        "Kharg raises its shields",
        "Kharg has moved to 10123",
        "Kharg has moved to 1012G",
        "Kharg has turned to EAST",
        "Impulse 0.3:",
        "Impulse 1.99:",
        "Kharg fires Disruptor #B at Sabre (Range: 6)",
        "Damage: 0/12/0/0/0 (Total: 12)",
        "Skylark Rolls 1d6: ",
        f"{'K' * 81} has moved to 1012",
        "x" * 5000,
    ],
)
def test_a_line_of_another_shape_is_kept(text: str) -> None:
    fact = fact_in(7, text)
    assert isinstance(fact, Unread) and fact.line == 7 and text.startswith(fact.text)


def test_the_generator_writes_every_shape_at_least_ten_times_and_all_are_read() -> None:
    acts = {
        (turn, impulse): [
            "Kharg: fire DISR/A, PH-2/1 at Sabre",
            "Sabre: fire PH-1/1, PHOT/A at Kharg",
            f"Kharg: launch DRN/1 at Sabre\nKharg: hit 3 on {impulse // 8 + 1}",
        ]
        for turn in range(1, 5)
        for impulse in (8, 16, 24)
    }
    ways = {
        (turn, n, "Kharg"): way
        for turn in range(1, 5)
        for n, way in ((4, "left"), (12, "right"), (20, "right"), (28, "left"))
    }
    counts: Counter[str] = Counter()
    for seed in range(6):
        for compass in (0.0, 1.0):
            text = duel(
                [{"Kharg": 8, "Sabre": 12}] * 4, acts, ways=ways, at={"Kharg": "5060A", "Sabre": "5020D"}
            )
            lines = written(text, seed=seed, turns_by_compass=compass, own_names=False)
            lines += [
                "Kharg has been destroyed",
                "USS Sabre has side-slipped to 0911",
                "Kharg activates ESG radius 0 - 20 pts",
            ]
            lines += ["Kharg ESG at radius 1"]
            for line in lines:
                counts[_shape(fact_in(1, line))] += 1
    assert counts["Unread"] == 0
    known = {_shape(fact) for fact in SHAPES.values()}
    assert known <= set(counts), known - set(counts)
    assert all(counts[name] >= 10 for name in known), counts


def _shape(fact: Fact) -> str:
    if isinstance(fact, Moved):
        return (
            f"Moved {fact.how}{' with facing' * bool(fact.facing)}"
            if fact.how == "moved"
            else f"Moved {fact.how}"
        )
    if isinstance(fact, Turned):
        return f"Turned {'by facing' if fact.after is not None else 'by compass'}"
    if isinstance(fact, Added):
        return f"Added {'by launch' * bool(fact.launcher)}"
    if isinstance(fact, Fired):
        return f"Fired {'with a mode' * bool(fact.mode)}"
    return type(fact).__name__


# -- files -----------------------------------------------------------------------------------

GAME = [
    "Kharg (Type:Klingon D7) has been added at 2020, direction A, speed 8",
    "Impulse 1.1:",
    "Impulse 2.3:",
]


def test_a_turn_that_comes_back_begins_another_game_with_its_set_up() -> None:
    text = "\n".join([*GAME, "Bob: good game", "Kharg has been destroyed", *GAME, *GAME]) + "\n"
    games = list(read_play(text.encode(), "x"))
    assert [(game.first, game.last) for game in games] == [(1, 5), (6, 8), (9, 11)]
    assert [part.first for part in parts_of(text.encode(), "x")] == [1, 6, 9]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("encoding", ["utf-8", "latin-1", "utf-8-sig", "utf-16"])
def test_line_ends_and_encodings_make_no_difference(end: str, encoding: str) -> None:
    text = end.join(
        ["Klär Ö (Type:Klingon D7) has been added at 2020", "Impulse 1.1:", "Klär Ö has moved to 2019"]
    )
    (game,) = read_play(text.encode(encoding), "x")
    assert [type(fact) for fact in game.facts] == [Added, ImpulseBegun, Moved]
    assert game.facts[2] == Moved(3, "Klär Ö", 20, 19, "", "moved")
    assert is_play(text.encode(encoding))


def test_a_cut_last_line_is_kept_as_not_understood() -> None:
    (game,) = read_play(b"Impulse 1.1:\nKharg has moved to 20", "x")
    assert game.facts[-1] == Unread(2, "Kharg has moved to 20")


def test_a_log_is_known_by_its_content() -> None:
    assert is_play(b"some words\nKharg has started Energy Allocation\n")
    assert is_play(b"\xef\xbb\xbfKharg\nImpulse 3.12:\n")
    for other in (
        "turn 1\nimpulse 2\n",
        "Turn,1,2\nMovement,8,8\n",
        "Impulse Power,3\n",
        "Impulse 3\n",
        "hello\n",
        "",
    ):
        assert not is_play(other.encode())
    assert not is_orders("Impulse 1.14:\nKharg has moved to 1012\n") or is_play(b"Impulse 1.14:\n")


def test_lines_alike_have_one_shape_and_chat_is_told_by_its_speaker() -> None:
    assert shape_of("Kharg raises 3 of 12") == shape_of("Kharg raises 14 of 2")
    assert speaker_in("<Bob> well shot") == ("Bob", True)
    assert speaker_in("Bob: well shot") == ("Bob", False)
    assert speaker_in("Kharg raises its shields") == ("", False)


def test_lines_of_a_file_are_what_each_is_by_itself() -> None:
    rows = [
        *SHAPES,
        "",
        "Impulse 1.14:",
        " Impulse  1.14: ",
        "Impulse 0.3:",
        "Impulse",
        "Impulse 1.14",
        "Impulse 2.1: x",
    ]
    rows += [f"Impulse {'1' * 100}.1:", "Bob: Impulse 1.2:", "Kharg\thas moved to  1012", "Impulse 1.14:"]
    by_itself = [fact_in(line, text) for line, text in enumerate(map(bare, rows), 7) if text]
    found = facts_in(rows, 7)
    assert found == by_itself
    assert [type(fact) for fact in found] == [type(fact) for fact in by_itself]
