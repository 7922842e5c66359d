"""Dice are injected: scripted, seeded, or typed in; every roll is kept in order.

Seeded dice are a counter stream: block b of roll i is HMAC-SHA256(K, `referee.dice.v1` newline,
i as 8 bytes, b as 4 bytes, both big-endian). For s sides a byte below 256 - 256 mod s gives
byte mod s + 1; any other byte is skipped. K of a seed text is SHA-256(`referee.seed.v1` newline,
the text in UTF-8).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

from referee.core.errors import BadInput
from referee.core.once import pattern

_NOTATION = pattern(r"([1-9][0-9]{0,2})?[dD]([1-9][0-9]{0,3})(?:\s*([+-])\s*([0-9]{1,4}))?")
MAX_SIDES = 256


class Dice(Protocol):
    """A source of dice rolls that says where they come from."""

    @property
    def source(self) -> str:
        """How the report names these dice."""
        ...

    def roll(self, count: int, sides: int) -> int:
        """The sum of so many dice."""
        ...


class ScriptedDice:
    """Totals decided beforehand, in order: one for each roll, whether of one die or of two."""

    source = "scripted"

    def __init__(self, totals: Sequence[int]) -> None:
        self._totals = list(totals)
        self.rolls: list[int] = []

    def roll(self, count: int, sides: int) -> int:
        """The next total. Raises BadInput when none is left or it cannot be rolled."""
        if not self._totals:
            raise BadInput(
                f"too few dice: roll {len(self.rolls) + 1} has none", hint="give one total for each roll"
            )
        total = self._totals.pop(0)
        if not count <= total <= count * sides:
            raise BadInput(
                f"{total} cannot be rolled on {count}d{sides}",
                place=f"roll {len(self.rolls) + 1}",
                hint=f"each roll here is {count}d{sides}: {count} to {count * sides}",
            )
        self.rolls.append(total)
        return total

    def finish(self) -> None:
        """Raises BadInput if totals are left over."""
        if self._totals:
            left = len(self._totals)
            used = f"{len(self.rolls)} {'is' if len(self.rolls) == 1 else 'are'} wanted"
            raise BadInput(
                f"{left} {'die' if left == 1 else 'dice'} left over of {left + len(self.rolls)}", hint=used
            )


def stream(key: bytes, roll_index: int) -> Iterator[int]:
    """The bytes of one roll of a key, without end."""
    # Only for dice that are rolled: the library behind it takes longer to load than most of ours.
    import hashlib
    import hmac

    prefix = b"referee.dice.v1\n" + roll_index.to_bytes(8, "big")
    block = 0
    while True:
        yield from hmac.digest(key, prefix + block.to_bytes(4, "big"), hashlib.sha256)
        block += 1


def die(source: Iterator[int], sides: int) -> int:
    """One die of 2 to 256 sides from a byte stream, without bias."""
    bound = 256 - 256 % sides
    return next(byte for byte in source if byte < bound) % sides + 1


def seed_key(text: str) -> bytes:
    """The key of a seed text."""
    import hashlib

    return hashlib.sha256(b"referee.seed.v1\n" + text.encode()).digest()


class KeyedDice:
    """The dice of one roll index of a key."""

    def __init__(self, key: bytes, roll_index: int, source: str) -> None:
        self.source = source
        self.rolls: list[int] = []
        self._bytes = stream(key, roll_index)

    def roll(self, count: int, sides: int) -> int:
        """The sum of the stream's next dice. Sides from 2 to 256."""
        total = sum(die(self._bytes, sides) for _ in range(count))
        self.rolls.append(total)
        return total


def seeded_dice(text: str, roll_index: int = 0) -> KeyedDice:
    """Practice dice: anybody who knows the seed knows them."""
    return KeyedDice(seed_key(text), roll_index, f"seed {text}")


def parse_notation(text: str) -> tuple[int, int, int]:
    """Count, sides and bonus of `2d6`, `d10`, `3d6+1`. Raises BadInput for anything else."""
    match = _NOTATION.fullmatch(text.strip())
    if not match:
        raise BadInput(f"{text!r} is not dice", hint="write 2d6, d10 or 3d6+1")
    count, sides = int(match[1] or 1), int(match[2])
    if not 2 <= sides <= MAX_SIDES:
        raise BadInput(f"a die of {sides} sides", hint=f"2 to {MAX_SIDES} sides")
    bonus = int(match[4] or 0)
    return count, sides, -bonus if match[3] == "-" else bonus
