from __future__ import annotations

from fractions import Fraction

import pytest

from referee.core.errors import BadInput
from referee.core.forms import EnergyForm, LineNotRead
from referee.core.location import Location
from referee.core.sheet import Sheet
from referee.formats.eaform import LabelIndex, form_on, read_form, read_forms
from referee.formats.sheets.csvsheet import read_csv
from referee.formats.sheets.grid import WorkbookSheet

FORM = """Ship,cadet/federation-ca
Turn,1,2,3
Warp Power,16,16,
Impulse Power,2,2,
Atomic Power,2,2,
Total Power,20,20,
Photon A,2,2 1/2,
PL-S A,2½,5/2,
Spec Reinf 3,x,-,
Movement,13,,
"""


def form(text: str, index: LabelIndex) -> EnergyForm:
    return read_form(read_csv(text.encode(), "t.csv"), index)


def problems(read: EnergyForm) -> list[tuple[str, str | None, str]]:
    return [(problem.kind, problem.location.cell, problem.text) for problem in read.problems]


def test_a_form(index: LabelIndex) -> None:
    read = form(FORM, index)
    assert read.ship == "cadet/federation-ca" and not read.problems
    first, second = read.allocations
    assert (first.turn, second.turn) == (1, 2)
    assert first.amount("14") == 13 and first.amount("10:PL-S/A") == second.amount("10:PL-S/A") == Fraction(
        5, 2
    )
    assert second.amount("10:PHOT/A") == Fraction(5, 2)
    assert "14" not in second.entries and "13:3" not in first.entries
    entry = first.entries["14"].location
    assert (entry.cell, entry.line, first.place.cell) == ("B10", 10, "B2")


def test_turns_are_ordered_by_heading(index: LabelIndex) -> None:
    read = form("Turn,12,2,T3,turn 04,Notes\nMovement,9,5,6,7,fine\nWarp,1,1,1,1,8\n", index)
    assert [(turn.turn, turn.amount("14")) for turn in read.allocations] == [(2, 5), (3, 6), (4, 7), (12, 9)]
    assert not read.problems


def test_headings_that_are_problems(index: LabelIndex) -> None:
    read = form("Turn,1,1,2nd,,Notes\nMovement,3,4,5,6,7\nWarp,1,1,a,b,1\n", index)
    assert [turn.amount("14") for turn in read.allocations] == [3]
    assert problems(read) == [("heading", "C1", "1"), ("heading", "D2", "5"), ("heading", "E2", "6")]
    assert "first at t.csv:B1" in read.problems[0].reason
    again = form("Turn,1\nMovement,3\nTurn,2\n", index)
    assert problems(again) == [("heading", "A3", "Turn")]


def test_the_header_may_say_something_else(index: LabelIndex) -> None:
    for head in ("Line", "", "Energy allocation form of the Constellation"):
        assert form(f"A title\n{head},1,2\nMovement,3,4\n", index).allocations[1].amount("14") == 4
    read = form("Hull boxes,5,6\nTurn,1,2\nMovement,3,4\n", index)
    assert [turn.turn for turn in read.allocations] == [1, 2]
    assert problems(read) == [("unknown-label", "A1", "Hull boxes")]


def test_unknown_labels_are_kept(index: LabelIndex) -> None:
    read = form("A title\n\nTurn,1\nMovement,3\nBanana,2\nGrapes,\n,4\n,\nPhoton,2\nNotes,hello\n", index)
    assert problems(read) == [
        ("unknown-label", "A5", "Banana"),
        ("unknown-label", "A6", "Grapes"),
        ("unknown-label", "B7", "4"),
        ("unknown-label", "A9", "Photon"),
    ]
    assert "its row is empty" in read.problems[1].reason
    assert "letter or number" in read.problems[3].reason


def test_words_in_an_unknown_row_are_no_figures(index: LabelIndex) -> None:
    read = form("Turn,1,2\nMovement,3,4\nremember,tea,\n,see below,\nRepair,half,2½\n", index)
    assert [(*problem, one.figures) for problem, one in zip(problems(read), read.problems, strict=True)] == [
        ("unknown-label", "A3", "remember", False),
        ("unknown-label", "B4", "see below", False),
        ("unknown-label", "A5", "Repair", True),
    ]
    assert read.problems[1].reason == "words in a row without a label"
    assert [len(turn.strange) for turn in read.allocations] == [0, 1]


def test_a_line_given_twice(index: LabelIndex) -> None:
    read = form("Turn,1\nMovement,3\n14 MOVE,4\n", index)
    assert problems(read) == [("given-twice", "A3", "14 MOVE")]
    assert "t.csv:A2" in read.problems[0].reason and "t.csv:A3" in read.problems[0].reason
    assert read.allocations[0].known("14") is None
    with pytest.raises(LineNotRead):
        read.allocations[0].amount("14")
    same = form("Turn,1\nMovement,3\n14 MOVE,3.0\n", index)
    assert problems(same) == [("given-twice", "A3", "14 MOVE")]
    assert same.allocations[0].amount("14") == 3


def test_blank_rows_of_a_line_contradict_nothing(index: LabelIndex) -> None:
    read = form("Turn,1\nHET,\nHET/EM,2\nBraking,x\n", index)
    assert not read.problems and read.allocations[0].entries["19:het"].location.cell == "B3"
    assert problems(form("Turn,1,2\nHET,1,\nHET/EM,,2\n", index)) == [("given-twice", "A3", "HET/EM")]


@pytest.mark.parametrize(
    "text",
    [
        "-1", "\u22123", "1e5", "NaN", "inf", "1e400", "٣", "12abc", "=B2+1", "1/0", "9" * 400, "1,500",
        "2 + 2", "TRUE", "1_0", "2.", ".5", "+1", "0x1",
    ],
)  # fmt: skip
def test_unreadable_cells(index: LabelIndex, text: str) -> None:
    read = form(f'Turn,1,2\nMovement,"{text}",3\nTractor,1,"{text}"\n', index)
    assert problems(read) == [("unreadable", "B2", text), ("unreadable", "C3", text)]
    assert read.allocations[0].entries.keys() == {"17"}


def test_a_date_is_explained(index: LabelIndex) -> None:
    read = form("Turn,1\nMovement,2026-05-02\n", index)
    assert "made a date of it" in read.problems[0].reason
    assert len(read.allocations) == 1


def test_ship_rows(index: LabelIndex) -> None:
    assert form("Turn,1\nMovement,1\nShip,Constellation\n", index).ship == "Constellation"
    assert form("Ship: Constellation\nTurn,1\nMovement,1\n", index).ship == "Constellation"
    assert form("Turn,1\nMovement,1\n", index).ship is None
    assert form("Ship,A,,A\nTurn,1,2,3\nMovement,1\n", index).problems == ()
    twice = form("Ship,A\nTurn,1\nMovement,1\nShip,B\n", index)
    assert twice.ship == "A" and problems(twice) == [("given-twice", "B4", "B")]


def test_columns_nobody_filled_in_are_no_turns(index: LabelIndex) -> None:
    read = form("Turn,1,2,3,4\nWarp,16,x,,\nTotal Power,16,0,0,\nTotal Used,0,0,0,5\n", index)
    assert [turn.turn for turn in read.allocations] == [1, 4]
    assert [turn.turn for turn in form("Turn,1\nMovement,0\n", index).allocations] == [1]


def test_what_formulas_carry_over_fills_no_turn(index: LabelIndex) -> None:
    rows = (("Turn", "1", "2", "3"), ("Btty Avail", "2", "2", "2"), ("Movement", "8", "", "8"))
    sheet = WorkbookSheet(rows, Location("t.xlsx", sheet="A"), "A", frozenset({(1, 2), (1, 3), (2, 3)}))
    assert [turn.turn for turn in read_form(sheet, index).allocations] == [1, 3]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a,b\nc,d\n", "no header row naming the turns"),
        ("Turn,1\nBanana,3\n", "no row is a line of an energy form"),
    ],
)
def test_what_is_no_form(index: LabelIndex, text: str, words: str) -> None:
    with pytest.raises(BadInput, match=words) as caught:
        form(text, index)
    assert str(caught.value).startswith("t.csv: ")


def test_looks_like_a_form(index: LabelIndex) -> None:
    assert form_on(read_csv(FORM.encode(), "t"), index)
    assert not form_on(read_csv(b"Turn,1\nWarp,1\nAPR,2\nMovement,3\n", "t"), index)
    assert not form_on(read_csv(b"Warp,1\nAPR,2\nMovement,3\nTractor,1\n", "t"), index)
    assert not form_on(Sheet(((), ("Turn",)), Location()), index)


def test_ragged_rows(index: LabelIndex) -> None:
    read = read_form(Sheet((("Turn", "1"), (), ("Movement",), ("Tractor", "1", "5")), Location("t")), index)
    assert read.allocations[0].amount("17") == 1
    assert problems(read) == [("heading", "C4", "5")]


def test_a_workbook_of_ships(index: LabelIndex) -> None:
    fleet = (
        Sheet((), Location("t", sheet="Empty"), "Empty"),
        Sheet((("hello",),), Location("t", sheet="Notes"), "Notes"),
        *(read_csv(FORM.replace("federation-ca", name).encode(), "t") for name in ("a", "b")),
    )
    assert [read.ship for read in read_forms(fleet, index)] == ["cadet/a", "cadet/b"]
    with pytest.raises(BadInput, match="no header row") as caught:
        read_forms(fleet[:2], index)
    assert caught.value.place == "Notes"
    with pytest.raises(BadInput):
        read_forms(fleet[:1], index)


# The Show Data table of a game played through VASSAL: label and the first turn's column.
SHOW_DATA = """Turn,1|Warp Power,16|Impulse Power,2|Atomic Power,2|Total Power,20|Btty Avail,2|BttyUsedEA,0
BttyRecharge,|Life Support,|Fire Control,|Phas Cap,0|Phasrecharge,3|PhasFired,|Photon A,2|Photon B,2|Disr A,
Disr B,|Shields,|Gen Reinf,|Spec Reinf,|Movement,8|HET/EM,|ECM,|ECCM,|Dam Con,|Tractor,|Transporter,|WW/SS,
Total Used,15|BttyUsedInTurn,"""


def test_show_data(index: LabelIndex) -> None:
    cells = [line.split(",") for line in SHOW_DATA.replace("\n", "|").split("|")]
    turns = tuple(str(turn) for turn in range(1, 12))
    rows = ((cells[0][0], *turns, "Notes"), *((label, cell, *[""] * 11) for label, cell in cells[1:]))
    sheet = Sheet(rows, Location("game.vsav", piece="SSD Meridian"))
    assert form_on(sheet, index)
    read = read_form(sheet, index)
    assert not read.problems
    (turn,) = read.allocations
    assert len(turn.entries) == 12
    assert (turn.amount("9:held"), turn.amount("9"), turn.amount("20"), turn.amount("14")) == (0, 3, 15, 8)
    assert turn.parts("10").keys() == {"PHOT/A", "PHOT/B"}
