"""Formulas of a player's workbook, worked out again where they hang on what is written."""

from __future__ import annotations

import pytest

from referee.formats.sheets.formulas import Value, Workbook, as_in_xlsx, moved, worked_out

VALUES: dict[tuple[str, int, int], Value] = {
    ("F", 0, 0): 16.0,
    ("F", 1, 0): 2.0,
    ("F", 2, 0): None,
    ("F", 3, 0): "hexes",
    ("My fleet", 0, 0): 3.0,
}


def worked(formula: str) -> Value:
    """What a formula in F:B1 comes to when A1 becomes 10."""
    place = ("F", 0, 1)
    return worked_out(Workbook(VALUES, {place: formula}), {("F", 0, 0): 10.0})[place]


@pytest.mark.parametrize(
    ("formula", "comes_to"),
    [
        ("SUM(A1:A3)", 12.0),
        ("SUM(A1:A4,1.5)", 13.5),
        ("A1+A2*2-1", 13.0),
        ("-(A1-A2)/4", -2.0),
        ("$A$1+'My fleet'!A1", 13.0),
        ("MAX(A1,A2)-MIN(A1:A2)", 8.0),
        ('IF(A1>A2,"over by "&ROUND(A1/3,2),"left")', "over by 3.33"),
        ('IF(SUM(A1:A2)<=12,A1&" left",0)', "10 left"),
        ("N(A4)+N(A1)+ABS(-1)", 11.0),
        ("A1=10", 1.0),
    ],
)
def test_what_forms_use_is_worked_out(formula: str, comes_to: Value) -> None:
    assert worked(formula) == comes_to


@pytest.mark.parametrize(
    "formula",
    [
        "VLOOKUP(A1,A1:A3,1)",
        "A1+A4",
        "A1/A3",
        "SUM(A:A)+A1",
        "power+A1",
        "A1+",
        "[1]Other!A1+A1",
        "A1+#REF!",
        "",
    ],
)
def test_what_is_not_known_is_left(formula: str) -> None:
    assert worked(formula) is None


def test_what_does_not_hang_on_the_change_is_not_touched() -> None:
    book = Workbook(VALUES, {("F", 0, 1): "A2*2", ("F", 1, 1): "B1+1", ("F", 2, 1): "LOG(A2)"})
    assert worked_out(book, {("F", 0, 0): 10.0}) == {}
    book = Workbook(VALUES, {("F", 0, 1): "A1*2", ("F", 1, 1): "B1+1", ("F", 2, 1): "LOG(B2)"})
    assert worked_out(book, {("F", 0, 0): 10.0}) == {("F", 0, 1): 20.0, ("F", 1, 1): 21.0, ("F", 2, 1): None}


def test_a_circle_and_a_long_chain_end() -> None:
    circle = Workbook(VALUES, {("F", 0, 1): "B2+A1", ("F", 1, 1): "B1"})
    assert set(worked_out(circle, {("F", 0, 0): 10.0}).values()) == {None}
    chain = {("F", row, 1): f"B{row}+1" if row else "A1" for row in range(900)}
    assert worked_out(Workbook(VALUES, chain), {("F", 0, 0): 10.0})[("F", 20, 1)] == 30.0
    wide = Workbook(VALUES, {("F", 0, 1): "SUM(A1:ZZ9999)"})
    assert worked_out(wide, {("F", 0, 0): 10.0}) == {("F", 0, 1): None}


def test_a_shared_formula_moves_with_its_cell() -> None:
    assert moved('SUM(B3:B5)+$B$7+C$2&"B3"', 1, 2) == 'SUM(D4:D6)+$B$7+E$2&"B3"'


def test_ods_says_it_otherwise() -> None:
    assert as_in_xlsx("of:=SUM([.B3:.B5];[$'My fleet'.A1])") == "SUM(B3:B5;'My fleet'!A1)"
