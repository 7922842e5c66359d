"""Any text that is written into a save is read back as it was, or refused; nothing else changes."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from referee.core.errors import BadInput
from referee.formats.vassal.container import open_save, write_save_bytes
from referee.formats.vassal.edit import Draft
from referee.formats.vassal.game import Save, read_save
from tests.unit.formats.vassal.vassal_saves import ESC, game_text, piece_text

TRAITS = [
    ("label;76,2;;10;;255,255,255;t;0;c;0;c;c;$pieceName$ ($label$)", "old"),
    ("table;2;2;Show Data", "a,b,c,d"),
    ("propertysheet;0Name~1More~6Boxes;Sheet;", "x~y~3/4"),
    ("PROP;Speed;false,0,0,false;:,:;", "4"),
]
TEXT = st.text("\\',;|/~\t\n\r ab½:=\x1f\u2028'", max_size=8) | st.text(max_size=8)
SOURCE = write_save_bytes(
    game_text(piece_text("1", TRAITS), piece_text("2", TRAITS, "Other"), "NOTES\told|notes", "PNOTES\tfirst"),
    key=9,
)


def notes(save: Save) -> str:
    return next(note.text or "" for note in save.notes if note.kind == "public")


WAYS: dict[str, tuple[Callable[[Draft, str], None], Callable[[Save], str]]] = {
    "cell": (
        lambda draft, text: draft.set_cell("1", 1, 0, text),
        lambda save: save.pieces[0].tables[0].rows[1][0],
    ),
    "field": (
        lambda draft, text: draft.set_field("1", "More", text),
        lambda save: save.pieces[0].sheets[0].fields[1].value,
    ),
    "label": (lambda draft, text: draft.set_label("1", text), lambda save: save.pieces[0].traits[0].state),
    "property": (
        lambda draft, text: draft.set_property("1", "Speed", text),
        lambda save: save.pieces[0].properties["Speed"],
    ),
    "note": (lambda draft, text: draft.note(text), lambda save: notes(save).removeprefix("first\n")),
    "say": (lambda draft, text: draft.say(text), lambda save: save.chat[-1]),
}


@pytest.mark.parametrize("way", WAYS)
@given(text=TEXT)
@example(text="a|b")
@example(text=" blanks around ")
@example(text="ends with \\\nin its first line")
def test_what_is_written_is_read_back_or_refused(way: str, text: str) -> None:
    save = read_save(SOURCE, "a.vsav")
    draft = Draft(save)
    write, read = WAYS[way]
    try:
        write(draft, text)
        new = draft.write(open_save(SOURCE, "a.vsav"))
    except BadInput:
        return
    after = read_save(new, "a.vsav")
    assert read(after) == text
    assert after.pieces[1] == save.pieces[1]
    if way not in ("note", "say"):
        assert notes(after) == "first" and after.chat == save.chat


@pytest.mark.parametrize("text", ["plain", "it's 1/2 ~ of; 7, 8", "Ünit (½)", "C:\\temp\\x"])
@pytest.mark.parametrize("way", WAYS)
def test_plain_text_is_never_refused(way: str, text: str) -> None:
    draft = Draft(read_save(SOURCE, "a.vsav"))
    WAYS[way][0](draft, text)
    assert WAYS[way][1](read_save(draft.write(open_save(SOURCE, "a.vsav")), "a.vsav")) == text


def test_a_line_of_notes_that_ends_with_a_backslash_takes_no_more() -> None:
    source = write_save_bytes(ESC.join((game_text(), "PNOTES\tfirst\\")), key=9)
    draft = Draft(read_save(source, "a.vsav"))
    draft.note("second")
    with pytest.raises(BadInput, match="a line that ends with a backslash"):
        draft.write(open_save(source, "a.vsav"))


SWALLOWED = piece_text("3", [*TRAITS[3:], ("label;76", "odd\\"), *TRAITS[1:3]], "Third")
"""A piece whose label ends with a backslash, so that the traits after it have no state of their own."""
CHANGES: dict[str, Callable[[Draft], None]] = {
    "cell": lambda draft: draft.set_cell("3", 1, 0, "z"),
    "field": lambda draft: draft.set_field("3", "More", "z"),
    "label": lambda draft: draft.set_label("3", "z"),
    "property": lambda draft: draft.set_property("3", "Speed", "5"),
    "place": lambda draft: draft.place("3", "Space", 4, 5),
    "lay": lambda draft: draft.lay("3", "Space", 4, 5),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_piece_whose_traits_would_not_stay_as_they_are_is_not_changed(change: str) -> None:
    source = write_save_bytes(game_text(piece_text("1", TRAITS), SWALLOWED), key=9)
    draft = Draft(read_save(source, "a.vsav"))
    with pytest.raises(BadInput, match=r"3 of its 5 traits have no state: .* ends with a backslash"):
        CHANGES[change](draft)
    WAYS["property"][0](draft, "6")
    after = draft.write(open_save(source, "a.vsav"))
    assert SWALLOWED in open_save(after, "a.vsav").text, "the piece itself is stored as it was"


def test_a_piece_whose_traits_would_not_stay_can_be_taken_up() -> None:
    source = write_save_bytes(game_text(piece_text("1", TRAITS), SWALLOWED), key=9)
    draft = Draft(read_save(source, "a.vsav"))
    draft.take_up("3")
    assert [piece.id for piece in read_save(draft.write(open_save(source, "a.vsav")), "a.vsav").pieces] == [
        "1"
    ]
