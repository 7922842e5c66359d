"""Energy as players write it, exactly."""

from __future__ import annotations

from fractions import Fraction

import pytest

from referee.core.energy import parse_energy, show_energy


@pytest.mark.parametrize(
    ("text", "amount"),
    [
        ("", Fraction(0)),
        ("  ", Fraction(0)),
        ("0", Fraction(0)),
        ("3", Fraction(3)),
        ("007", Fraction(7)),
        (" 16 ", Fraction(16)),
        ("2.5", Fraction(5, 2)),
        ("0.333", Fraction(333, 1000)),
        ("5/2", Fraction(5, 2)),
        ("2 1/2", Fraction(5, 2)),
        ("2½", Fraction(5, 2)),
        ("2 ½", Fraction(5, 2)),
        ("½", Fraction(1, 2)),
        ("1⅔", Fraction(5, 3)),
        ("¼", Fraction(1, 4)),
        ("2,5", Fraction(5, 2)),
        ("0,333", Fraction(333, 1000)),
        ("１２", Fraction(12)),
        ("２．５", Fraction(5, 2)),
        ("1\xa01/2", Fraction(3, 2)),
    ],
)
def test_what_players_write(text: str, amount: Fraction) -> None:
    assert parse_energy(text) == amount


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("-1", "negative"),
        ("\u22122", "negative"),
        ("\uff0d8", "negative"),
        ("1,500", "thousands or for decimals"),
        ("1/0", "zero"),
        ("3 4/0", "zero"),
        *(
            (text, "not a number")
            for text in [
                "+1",
                "1e3",
                "1_0",
                ".5",
                "5.",
                "0x10",
                "nan",
                "inf",
                "1.5/2",
                "1/2/3",
                "2",
                "5 ",
                "٣",
                "1  1/2",
                "a",
                "½½",
                "1\n2",
                "1234567",
            ]
            if text not in ("2", "5 ")
        ),
    ],
)
def test_what_is_refused(text: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        parse_energy(text)


@pytest.mark.parametrize(
    ("amount", "shown"),
    [
        (Fraction(0), "0"),
        (Fraction(12), "12"),
        (Fraction(5, 2), "2½"),
        (Fraction(1, 2), "½"),
        (Fraction(10, 3), "3⅓"),
        (Fraction(7, 5), "1 2/5"),
    ],
)
def test_as_it_is_shown(amount: Fraction, shown: str) -> None:
    assert show_energy(amount) == shown
    assert parse_energy(shown) == amount
