"""Forms written are read back; nothing a stranger sends raises anything but BadInput."""

from __future__ import annotations

import io
import json
import zipfile
from fractions import Fraction

import xlsxwriter
from hypothesis import example, given
from hypothesis import strategies as st

from referee.core.energy import parse_energy
from referee.core.errors import BadInput
from referee.core.forms import EnergyForm, FormLabels
from referee.core.location import Location
from referee.core.sheet import Sheet
from referee.formats.eaform import LabelIndex, form_on, read_form, read_forms, read_json_form
from referee.formats.sheets import read_sheets
from referee.formats.sheets.csvsheet import read_csv
from referee.formats.sheets.grid import CONTROL
from referee.formats.sheets.values import number_text
from referee.formats.sheets.writeform import BlankForm, FormRow, blank_form_csv
from referee.formats.sheets.writexlsx import blank_form_xlsx
from referee.rulebooks.sfb import LINES as FORM_LINES
from tests.conftest import examples

LABELS = {
    "1": "Warp Power",
    "3": "Atomic Power",
    "5": "Btty Avail",
    "9:held": "Phas Cap",
    "10:PHOT/A": "Photon A",
    "10:PL-S/B": "PL-S B",
    "13:2": "Spec Reinf 2",
    "14": "Movement",
}
LINES = {key: (label,) for key, label in LABELS.items() if not key.startswith(("10", "13"))} | {
    "20": ("Total Used",)
}
INDEX = LabelIndex(
    FormLabels(
        LINES,
        {"PHOT": ("Photon",), "PL-S": ("PL-S",), "PL": ("PL",)},
        FORM_LINES,
        ("Spec Reinf",),
        blanks=("", "x", "-", "n/a"),
    )
)
ENERGY = st.builds(Fraction, st.integers(0, 999), st.sampled_from((1, 1, 1, 2, 3, 4, 6, 12)))
# What can stand in a cell, printable or not.
TEXT = st.text(st.characters(exclude_categories=("Cs",)), max_size=12)
CELL = st.one_of(
    TEXT, st.sampled_from(["Turn", "1", "T2", "Ship", *LABELS.values(), "2½", "-1", "x", "=1+1", "'-"])
)
GRID = st.lists(st.lists(CELL, max_size=5), max_size=8)
NUMBER = st.one_of(st.floats(allow_nan=False, allow_infinity=False), st.booleans())
MIXED_GRID = st.lists(st.lists(CELL | NUMBER, max_size=5), max_size=6)
LINES_OF_TEXT = GRID.map(lambda rows: "\n".join(map(",".join, rows)).encode())
DAMAGE = [b"<c>", b'"', b"9999999", b"</v>", b"<f/>", b" t='e'"]
FIELDS = ["turn", "lines", "turns", "10", "14", "PHOT/A", "9:held", "~"]


@st.composite
def forms(draw: st.DrawFn) -> BlankForm:
    turns = tuple(sorted(draw(st.sets(st.integers(1, 99), min_size=1, max_size=11))))
    labels = draw(st.permutations(sorted(LABELS.values())))[: draw(st.integers(1, 8))]
    figures = st.dictionaries(st.sampled_from(turns), ENERGY)
    rows = [FormRow(label, draw(figures), note=draw(TEXT)) for label in labels]
    sums = draw(st.sets(st.integers(0, len(rows) - 1), min_size=1))
    rows.append(FormRow("Total Used", sums=tuple(sums)))
    return BlankForm(draw(TEXT), turns, tuple(rows), draw(TEXT))


def expected(form: BlankForm) -> dict[int, dict[str, Fraction]]:
    lines = {label: key for key, label in LABELS.items()} | {"Total Used": "20"}
    found: dict[int, dict[str, Fraction]] = {}
    for turn in form.turns:
        cells = {lines[row.label]: form.figure(number, turn) for number, row in enumerate(form.rows)}
        figures = {line: amount for line, amount in cells.items() if amount is not None}
        if figures:
            found[turn] = figures
    return found


def figures(form: EnergyForm) -> dict[int, dict[str, Fraction]]:
    return {
        turn.turn: {key: entry.amount for key, entry in turn.entries.items()} for turn in form.allocations
    }


def ship(form: BlankForm) -> str | None:
    """The name as it is written: on one line, without spaces around it."""
    return CONTROL.sub(" ", form.ship).strip() or None


@examples(200)
@given(forms())
def test_csv_round_trip(form: BlankForm) -> None:
    read = read_form(read_csv(blank_form_csv(form).encode(), "t.csv"), INDEX)
    # A sum of lines that are all blank is left to the player.
    blank = {
        turn for turn in form.turns if not any(turn in form.rows[part].figures for part in form.rows[-1].sums)
    }
    there = {
        turn: {line: amount for line, amount in lines.items() if line != "20" or turn not in blank}
        for turn, lines in expected(form).items()
    }
    assert figures(read) == {turn: lines for turn, lines in there.items() if lines}
    assert read.ship == ship(form)
    assert not read.problems


@examples(50)
@given(st.lists(forms(), min_size=1, max_size=2))
def test_xlsx_round_trip(written: list[BlankForm]) -> None:
    sheets = read_sheets(blank_form_xlsx(*written), "t.xlsx", ".xlsx")
    assert len(sheets) == len(written)
    for sheet, form in zip(sheets, written, strict=True):
        read = read_form(sheet, INDEX)
        assert figures(read) == expected(form)
        assert read.ship == ship(form)
        assert not read.problems


@examples(150)
@given(GRID)
def test_any_grid_is_read_or_refused(rows: list[list[str]]) -> None:
    sheet = Sheet(tuple(map(tuple, rows)), Location("t"))
    form_on(sheet, INDEX)
    try:
        read = read_form(sheet, INDEX)
    except BadInput as error:
        assert "\n" not in str(error)
        return
    assert [turn.turn for turn in read.allocations] == sorted({turn.turn for turn in read.allocations})
    assert all(entry.amount >= 0 for turn in read.allocations for entry in turn.entries.values())


@examples(150)
@given(st.one_of(st.binary(max_size=200), TEXT.map(str.encode), LINES_OF_TEXT))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    for suffix in (".csv", ".xlsx", ".ods"):
        try:
            read_forms(read_sheets(data, "t", suffix), INDEX)
        except BadInput as error:
            assert "\n" not in str(error)


@examples(80)
@given(MIXED_GRID)
def test_any_workbook_is_read_or_refused(rows: list[list[object]]) -> None:
    out = io.BytesIO()
    book = xlsxwriter.Workbook(
        out, {"in_memory": True, "strings_to_formulas": True, "strings_to_urls": False}
    )
    sheet = book.add_worksheet()
    for number, row in enumerate(rows):
        sheet.write_row(number, 0, row)
    book.close()
    try:
        read_forms(read_sheets(out.getvalue(), "t.xlsx", ".xlsx"), INDEX)
    except BadInput as error:
        assert "\n" not in str(error)


@examples(150)
@given(st.data())
def test_a_damaged_workbook_is_read_or_refused(data: st.DataObject) -> None:
    good = blank_form_xlsx(BlankForm("A", (1, 2), (FormRow("Movement", {1: Fraction(3)}),)))
    with zipfile.ZipFile(io.BytesIO(good)) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    name = data.draw(st.sampled_from(sorted(parts)))
    at = data.draw(st.integers(0, len(parts[name]) - 1))
    put = data.draw(st.one_of(st.binary(max_size=3), st.sampled_from(DAMAGE)))
    parts[name] = parts[name][:at] + put + parts[name][at + data.draw(st.integers(0, 3)) :]
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for entry, content in parts.items():
            archive.writestr(entry, content)
    try:
        read_forms(read_sheets(out.getvalue(), "t.xlsx", ".xlsx"), INDEX)
    except BadInput as error:
        assert "\n" not in str(error)


JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-5, 30), st.sampled_from(["2½", "", "x"])),
    lambda inner: st.one_of(
        st.lists(inner, max_size=2),
        st.dictionaries(
            st.sampled_from(["turn", "lines", "turns", "10", "14", "PHOT/A", "9:held", "~"]),
            inner,
            max_size=3,
        ),
    ),
    max_leaves=8,
)


@examples(150)
@given(JSON)
def test_any_json_is_read_or_refused(value: object) -> None:
    for form in (value, {"schema": "referee/energy-allocation/1", "turns": [{"turn": 1, "lines": value}]}):
        try:
            read_json_form(json.dumps(form).encode(), "t.json", FORM_LINES)
        except BadInput as error:
            assert "\n" not in str(error)


@given(ENERGY, st.sampled_from((1, 5, 16, 48)))
@example(Fraction(1, 3), 1)
def test_energy_survives_a_spreadsheet(amount: Fraction, parts: int) -> None:
    amount = Fraction(amount.numerator, parts)
    assert parse_energy(number_text(float(amount))) == amount
