"""What a display shows of a ship is left as it is by a record that says the same, whatever boxes it has."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.core.state import new_state
from referee.formats.vassal.container import write_save_bytes
from referee.formats.vassal.edit import Draft
from referee.formats.vassal.game import Save, read_save
from referee.play.save_ships import table_in
from referee.play.write_save import mark_damage
from referee.sources.asked import Asked
from referee.sources.settings import Settings
from referee.sources.ships import display_of
from tests.conftest import examples
from tests.unit.formats.vassal.vassal_saves import game_text, piece_text

SHIP = "cadet/federation-ca"
# Some of them name the same boxes, one is of no ship.
LABELS = ("Warp L", "F Hull", "Excess", "PH-1", "PH-1 A", "PH-1 C", "Photon", "Bridge", "Sails")
LABELS += tuple(f"Shield {n}" for n in range(1, 7))
COUNTS = st.integers(0, 20).flatmap(lambda most: st.tuples(st.integers(0, most), st.just(most)))
SHOWN = st.dictionaries(st.sampled_from(LABELS), COUNTS)


def save_with(shown: dict[str, tuple[int, int]], way: str) -> Save:
    """A ship whose display counts its boxes, left and all, on a sheet or as properties."""
    if way == "sheet":
        names = "~".join(f"6{label}" for label in shown)
        values = "~".join(f"{left}/{most}" for left, most in shown.values())
        traits = [(f"propertysheet;{names};Damage;;2", values)] if shown else []
    else:
        counts = shown.items()
        traits = [(f"PROP;{label};true,0,{most},false;;left", str(left)) for label, (left, most) in counts]
    table = ("table;2;2;Show Data", "Turn,1,Warp Power,5")
    text = game_text(
        piece_text("1", [("rotate;6", "0")], "One", "Space;0;0"),
        piece_text("2", [table, *traits], "SSD One", "SSD;100;0"),
    )
    return read_save(write_save_bytes(text, key=7), "a.vsav")


@pytest.mark.parametrize("way", ["sheet", "properties"])
@examples(60)
@given(shown=SHOWN)
def test_marks_of_the_state_they_show_stay(way: str, shown: dict[str, tuple[int, int]]) -> None:
    save = save_with(shown, way)
    table = table_in(save, Asked(Settings(), (f"One={SHIP}",)))
    one = table.ship("One")
    state = display_of(one.ship, one.chosen, one.rulebook.table("box_labels")) or new_state(one.chosen)
    draft = Draft(save)
    assert list(mark_damage(draft, table, one, state)) == []
    assert draft.text == Draft(save).text


@examples(60)
@given(shown=SHOWN, number=st.integers(1, 6))
def test_damage_changes_no_mark_but_its_own(shown: dict[str, tuple[int, int]], number: int) -> None:
    save = save_with(shown, "sheet")
    asked = Asked(Settings(), (f"One={SHIP}",))
    table = table_in(save, asked)
    one = table.ship("One")
    state = display_of(one.ship, one.chosen, one.rulebook.table("box_labels")) or new_state(one.chosen)
    draft = Draft(save)
    left = max(0, state.shields[number] - 1)
    struck = replace(state, shields={**state.shields, number: left})
    list(mark_damage(draft, table, one, struck))
    after = table_in(read_save(write_save_bytes(draft.text, key=7), "b.vsav"), asked).ship("One")
    assert after.ship.boxes_left == one.ship.boxes_left
    others = [
        {n: count for n, count in ship.shields.items() if n != number} for ship in (one.ship, after.ship)
    ]
    assert others[0] == others[1]
    read = display_of(after.ship, after.chosen, after.rulebook.table("box_labels"))
    if number in one.ship.shields and one.ship.shields[number][1] >= one.chosen.shields[number]:
        assert read is not None and read.shields[number] == left
