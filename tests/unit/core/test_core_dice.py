"""Dice: known answers of the seeded stream, no bias, and what scripted dice refuse."""

from __future__ import annotations

import hashlib
import hmac
from collections import Counter
from itertools import islice

import pytest

from referee.core.dice import KeyedDice, ScriptedDice, die, parse_notation, seed_key, seeded_dice, stream
from referee.core.errors import BadInput

KEY = bytes.fromhex("46d302999dda645064a394035049339f8aff855998f27c0049cbdde454b8e19e")


@pytest.mark.parametrize(
    ("roll", "sides", "dice"),
    [
        (0, 6, [4, 5, 3, 6, 4, 5, 1, 4]),
        (1, 6, [1, 1, 6, 3, 5, 5, 4, 6]),
        (2, 6, [4, 4, 1, 1, 1, 2, 4, 3]),
        (3, 10, [4, 10, 1, 8, 4, 6, 8, 7]),
        (4, 100, [27, 81, 27, 3, 91, 34]),
    ],
)
def test_known_answers(roll: int, sides: int, dice: list[int]) -> None:
    cup = KeyedDice(KEY, roll, "known")
    assert [cup.roll(1, sides) for _ in dice] == dice
    assert cup.rolls == dice


def test_roll_2_rejects_one_byte() -> None:
    assert sum(byte >= 252 for byte in islice(stream(KEY, 2), 9)) == 1


def test_the_stream_by_its_definition() -> None:
    blocks = (
        hmac.digest(KEY, b"referee.dice.v1\n" + bytes(7) + b"\x05" + bytes(3) + bytes([b]), "sha256")
        for b in (0, 1)
    )
    assert bytes(islice(stream(KEY, 5), 64)) == b"".join(blocks)
    assert seed_key("Ünder") == hashlib.sha256(b"referee.seed.v1\n\xc3\x9cnder").digest()


def test_two_dice_are_two_of_the_stream() -> None:
    assert KeyedDice(KEY, 0, "").roll(2, 6) == 9
    single = seeded_dice("a")
    assert seeded_dice("a").roll(3, 6) == sum(single.roll(1, 6) for _ in range(3))
    assert single.source == "seed a"


@pytest.mark.parametrize("sides", range(2, 257))
def test_no_side_is_likelier(sides: int) -> None:
    counts: Counter[int] = Counter()
    rejected = 0
    for byte in range(256):
        try:
            counts[die(iter([byte]), sides)] += 1
        except StopIteration:
            rejected += 1
    assert set(counts) == set(range(1, sides + 1))
    assert set(counts.values()) == {256 // sides}
    assert rejected == 256 % sides


def test_scripted_dice_come_in_order_and_must_be_used_up() -> None:
    cup = ScriptedDice([7, 3])
    assert (cup.roll(2, 6), cup.source) == (7, "scripted")
    with pytest.raises(BadInput, match="1 die left over of 2"):
        cup.finish()
    assert cup.roll(1, 6) == 3
    cup.finish()
    assert cup.rolls == [7, 3]
    with pytest.raises(BadInput, match="too few dice: roll 3"):
        cup.roll(1, 6)


@pytest.mark.parametrize(("total", "count", "sides"), [(1, 2, 6), (13, 2, 6), (0, 1, 6), (7, 1, 6)])
def test_scripted_dice_refuse_what_cannot_be_rolled(total: int, count: int, sides: int) -> None:
    with pytest.raises(BadInput, match=f"{total} cannot be rolled on {count}d{sides}"):
        ScriptedDice([total]).roll(count, sides)


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("2d6", (2, 6, 0)),
        ("d10", (1, 10, 0)),
        ("3D6+1", (3, 6, 1)),
        (" 1d100 - 20 ", (1, 100, -20)),
        ("d256", (1, 256, 0)),
    ],
)
def test_notation(text: str, meant: tuple[int, int, int]) -> None:
    assert parse_notation(text) == meant


@pytest.mark.parametrize(
    "text", ["", "6", "0d6", "2d", "d1", "d257", "2d6+", "2d6++1", "1000d6", "-2d6", "２d6"]
)
def test_what_are_no_dice(text: str) -> None:
    with pytest.raises(BadInput):
        parse_notation(text)
