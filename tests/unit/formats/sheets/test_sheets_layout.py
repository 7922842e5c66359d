"""A form that begins in another column, or whose turns are named otherwise, is found or said to be none."""

from __future__ import annotations

import pytest

from referee.core.location import Location
from referee.core.sheet import Sheet
from referee.formats.eaform import form_on, read_form
from referee.formats.sheets.labels import LabelIndex
from referee.formats.sheets.layout import unread_labels, what_stands, why_no_form
from referee.formats.sheets.written import cells_of_turn

Rows = list[list[str]]
FORM: Rows = [
    ["Turn", "1", "2"],
    ["Warp Power", "16", "16"],
    ["Impulse Power", "2", "2"],
    ["Photon A", "2", ""],
    ["Movement", "13", "8"],
    ["Total Used", "23", ""],
]


def sheet(rows: Rows) -> Sheet:
    return Sheet(tuple(map(tuple, rows)), Location("t.vsav", piece="SSD"))


@pytest.mark.parametrize(
    ("before", "cell"),
    [
        ([[""] * 1] * 6, "C5"),
        ([["", ""]] * 6, "D5"),
        ([[str(n)] for n in range(1, 7)], "C5"),
        ([[f"row {n}", ""] for n in range(1, 7)], "D5"),
    ],
)
def test_columns_before_the_labels(index: LabelIndex, before: Rows, cell: str) -> None:
    rows = [[*first, *row] for first, row in zip(before, FORM, strict=True)]
    read = form_on(sheet(rows), index)
    assert read and not read.problems
    assert [turn.amount("14") for turn in read.allocations] == [13, 8]
    assert read.allocations[0].entries["14"].location.cell == cell
    assert "10" not in read.allocations[0].entries
    (written, blank) = (cells_of_turn(sheet(rows), index, turn) for turn in (1, 2))
    assert written and blank and written["14"][2] == "13" and blank["10:PHOT/A"][2] == ""


def test_problems_stand_in_the_column_of_the_labels(index: LabelIndex) -> None:
    rows = [["", *row] for row in [["Ship", "CA", ""], *FORM, ["Banana", "3", ""], ["Movement", "3", ""]]]
    read = read_form(sheet(rows), index)
    assert read.ship == "CA"
    places = [(problem.kind, problem.location.cell) for problem in read.problems]
    assert places == [("unknown-label", "B8"), ("given-twice", "B9")]


def test_numbers_alone_are_the_lines_where_no_words_are(index: LabelIndex) -> None:
    rows = [["Line", "", "1"], ["1", "", "16"], ["2", "", "2"], ["14", "", "13"], ["20", "", "15"]]
    read = form_on(sheet(rows), index)
    assert read and read.allocations[0].amount("14") == 13


@pytest.mark.parametrize(
    "headings",
    [["Turn", "I", "II"], ["Turn", "One", "two"], ["", "Turn I", "Turn 2"], ["", "turn one", "T2"]],
)
def test_turns_in_words_and_roman_numerals(index: LabelIndex, headings: list[str]) -> None:
    read = form_on(sheet([headings, *FORM[1:]]), index)
    assert read and [turn.turn for turn in read.allocations] == [1, 2]


def test_every_roman_numeral(index: LabelIndex) -> None:
    told = ["I", "IV", "VIII", "IX", "X", "XIV", "XXXIX", "XL", "IIII", "IC", "Notes", "Turn"]
    found = [index.turn_number(heading, of_turns=True) for heading in told]
    assert found == [1, 4, 8, 9, 10, 14, 39, None, None, None, None, None]
    assert [index.turn_number(heading) for heading in ("I", "X", "One")] == [None] * 3


@pytest.mark.parametrize(
    ("rows", "why"),
    [
        (FORM[1:], "no row over its figures names the turns"),
        ([["Turn", "1st", "2nd"], *FORM[1:]], "no row over its figures names the turns"),
        ([list(row) for row in zip(*FORM, strict=True)], "in row 1 beside each other"),
    ],
)
def test_a_form_that_cannot_be_read_is_named(index: LabelIndex, rows: Rows, why: str) -> None:
    assert form_on(sheet(rows), index) is None
    assert why in why_no_form(sheet(rows), index)


def test_other_tables_are_no_forms(index: LabelIndex) -> None:
    rows = [["Range", "0", "1", "2"], ["PH-1", "9", "8", "7"], ["PH-2", "6", "5", "4"]]
    assert form_on(sheet(rows), index) is None
    assert why_no_form(sheet(rows), index) == why_no_form(sheet([]), index) == ""


FOREIGN: Rows = [
    ["Zug", "1", "2"],
    ["Warpantrieb", "16", "16"],
    ["Impulsantrieb", "2", "2"],
    ["Foton A", "2", ""],
    ["Movement", "13", "8"],
    ["Verbraucht", "23", ""],
]


def test_of_a_form_in_another_language_it_is_told_what_was_sought_and_what_stands_there(
    index: LabelIndex,
) -> None:
    assert form_on(sheet(FOREIGN), index) is None and why_no_form(sheet(FOREIGN), index) == ""
    told = what_stands(sheet(FOREIGN), index)
    assert told.startswith("looked for rows such as Warp Engines, Impulse Power, ")
    assert "found A1 Zug, A2 Warpantrieb, A3 Impulsantrieb, A4 Foton A and 2 more" in told
    assert told.endswith("; of these A5 Movement is a line of it")
    assert unread_labels(sheet(FOREIGN), index) == [
        ("A2", "Warpantrieb"),
        ("A3", "Impulsantrieb"),
        ("A4", "Foton A"),
        ("A6", "Verbraucht"),
    ]
    # The labels may stand in any column, below or beside other words.
    aside = [["", *row] for row in FOREIGN]
    aside[1][0] = "Energie"
    assert "found B1 Zug, B2 Warpantrieb" in what_stands(sheet(aside), index)
    assert unread_labels(sheet(FORM), index) == []


def test_of_a_sheet_without_words_its_cells_are_told(index: LabelIndex) -> None:
    numbers = [["", "1", "2"], ["", "16", "16"]]
    assert what_stands(sheet(numbers), index).endswith("found B1 1, C1 2, B2 16, C2 16")
    assert what_stands(sheet([["", " "], []]), index).endswith("it is empty")
    assert unread_labels(sheet(numbers), index) == unread_labels(sheet([]), index) == []


def test_a_sheet_that_is_no_form_is_refused_with_what_stands_on_it(index: LabelIndex) -> None:
    from referee.core.errors import BadInput

    foreign = [row for row in FOREIGN if row[0] != "Movement"]
    with pytest.raises(BadInput, match=r"no row is a line .* found A1 Zug, A2 Warpantrieb"):
        read_form(sheet(foreign), index)
    with pytest.raises(BadInput, match=r"no header row .* found A1 Eins, A2 Zwei"):
        read_form(sheet([["Eins", "x"], ["Zwei", "y"]]), index)
