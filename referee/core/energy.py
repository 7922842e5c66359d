"""Energy points are exact fractions: read, shown, and written as JSON strings."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import lru_cache

from referee.core.once import pattern

_VULGAR = {
    "½": Fraction(1, 2),
    "⅓": Fraction(1, 3),
    "⅔": Fraction(2, 3),
    "¼": Fraction(1, 4),
    "¾": Fraction(3, 4),
}
_SHOWN = {value: sign for sign, value in _VULGAR.items()}
_DECIMAL = pattern(r"[0-9]{1,6}(\.[0-9]{1,12})?")
_COMMA = pattern(r"([0-9]{1,6}),([0-9]{1,12})")
_THOUSANDS = pattern("[1-9][0-9]{0,2},[0-9]{3}")
_OVER = pattern(r"(?:([0-9]{1,6}) )?([0-9]{1,6})/([0-9]{1,6})")
_SIGNED = pattern(r"([0-9]{1,6})? ?([½⅓⅔¼¾])")


_FULL_WIDTH = str.maketrans("０１２３４５６７８９．，／\u3000\u00a0\u202f", "0123456789.,/   ")
"""Digits, signs and spaces as wide as East Asian keyboards write them, and spaces that do not break."""

_whole = lru_cache(maxsize=256)(Fraction)
"""Whole points, of which there are few."""


@lru_cache(maxsize=1024)
def parse_energy(text: str) -> Fraction:
    """Energy points from what a player writes: `3`, `2.5`, `2,5`, `5/2`, `2 1/2`, `2½`, `３`; empty is 0.

    Raises ValueError, saying why, for anything else: signs, exponents, digits of other scripts.
    """
    text = text.translate(_FULL_WIDTH).strip(" ")
    if not text:
        return Fraction(0)
    if _DECIMAL.fullmatch(text):
        return Fraction(text)
    if _THOUSANDS.fullmatch(text):
        raise ValueError("the comma may stand for thousands or for decimals; write a point for decimals")
    if match := _COMMA.fullmatch(text):
        return Fraction(f"{match[1]}.{match[2]}")
    if match := _OVER.fullmatch(text):
        whole, top, bottom = (int(part or 0) for part in match.groups())
        if not bottom:
            raise ValueError("a fraction over zero")
        return whole + Fraction(top, bottom)
    if match := _SIGNED.fullmatch(text):
        return int(match[1] or 0) + _VULGAR[match[2]]
    if text.startswith(("-", "\u2212", "\uff0d")):
        raise ValueError("negative energy is refused")
    raise ValueError("not a number of energy points")


def energy_total(amounts: Iterable[Fraction]) -> Fraction:
    """The sum of some amounts. Most are whole points, which are quickly counted."""
    whole, parts = 0, None
    for amount in amounts:
        top, bottom = amount.as_integer_ratio()
        if bottom == 1:
            whole += top
        else:
            parts = amount if parts is None else parts + amount
    return _whole(whole) if parts is None else parts + whole


def left_over(amount: Fraction, taken: Fraction) -> Fraction:
    """What is left of an amount; nothing where more was taken."""
    if not taken:
        return amount
    return amount - taken if taken < amount else _whole(0)


def either(amounts: Iterable[Fraction]) -> str:
    """Amounts of which one is meant: `1 or 2`."""
    return " or ".join(map(show_energy, amounts))


def show_energy(amount: Fraction) -> str:
    """Energy points as players write them: `3`, `2½`, `1 2/5`."""
    whole, rest = divmod(amount, 1)
    if not rest:
        return str(whole)
    if sign := _SHOWN.get(rest):
        return f"{whole or ''}{sign}"
    return f"{whole} {rest}" if whole else str(rest)
