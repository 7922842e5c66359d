"""What lies in a stack or deck lies where that does; labels filled from properties."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from referee.formats.vassal.dump import dump
from referee.formats.vassal.game import Save
from referee.formats.vassal.module import read_module
from referee.formats.vassal.replay import replay, state_at
from tests.unit.formats.vassal.game_logs import module_bytes
from tests.unit.formats.vassal.vassal_saves import ESC, piece_text

Make = Callable[..., Save]
NULL = "null;7;7"
LABEL = "label;76,130;Label;10;;0,0,0;t;0;c;0;b;c;$pieceName$ ($label$)"
DECK = "+/8/deck;true;0,0,0;50;50;Never;Never;false;false;false;;;;Drone rack/Space;28;27;false;1,2"


def placed(save: Save, identity: str) -> tuple[str | None, int, int, str | None]:
    piece = save.piece(identity)
    assert piece is not None
    return piece.map, piece.x, piece.y, piece.deck


def test_a_piece_lies_where_its_stack_or_deck_does(make_save: Make) -> None:
    others = [piece_text(n, [], place=place) for n, place in (("2", "Elsewhere;1;2"), ("3", "Space;5;6"))]
    save = make_save(piece_text("1", [], place=NULL), *others, "+/9/stack/Space;100;200;1;2;@@1")
    assert placed(save, "1") == placed(save, "2") == ("Space", 100, 200, None)
    assert placed(save, "3") == ("Space", 5, 6, None)
    off_map = make_save(piece_text("1", []), "+/9/stack/null;0;0;1")
    assert placed(off_map, "1") == (None, 0, 0, None)
    save = make_save(piece_text("1", [], place=NULL), others[0], DECK)
    assert placed(save, "1") == placed(save, "2") == ("Space", 28, 27, "Drone rack")


def test_a_deck_gives_its_place_its_name(make_save: Make) -> None:
    module = read_module(module_bytes(), "m.vmod")
    lying = piece_text("4", [], place="Space;28;27"), piece_text("5", [], place="Space;28;75")
    save = make_save(
        piece_text("1", [], place=NULL), piece_text("2", []), *lying, DECK, "SpaceBoardPicker\tSector\t0\t0"
    )
    named: Any = {piece["id"]: piece["location"] for piece in dump(save, module)["pieces"]}  # type: ignore[attr-defined]
    assert named == {"1": "Drone rack", "2": "Drone rack", "4": "Drone rack", "5": "0102", "8": "Drone rack"}
    assert all(piece["location"] is None for piece in dump(save)["pieces"])  # type: ignore[attr-defined]


def test_stacks_and_decks_are_followed_through_a_log(make_save: Make) -> None:
    state = "null;100;200;1;0"
    save = make_save(
        piece_text("1", [], place=NULL), piece_text("2", []), piece_text("3", []), DECK, file="a.vlog",
        steps=(
            "LOG\tM/1/Space/100/200/null/Space/28/27/null\\" + ESC + "LOG\t+/9/stack/Space;100;200;1;@@1",
            f"LOG\tD/1/{state}/{state}",
            "LOG\tM/3/Space/28/27/null/Space/100/200/null",
            "LOG\tM/8/Space/70/80/null/Space/28/27/null",
            "LOG\tM/3/Space/300/400/null/Space/70/80/2",
            "LOG\tD/3/null;300;400;1;0/null;300;400;1;0",
            "LOG\tD/3/Other;300;400;1;0/null;300;400;1;0",
            "LOG\t-/8",
        ),
    )  # fmt: skip
    moments = [{i: (p.map, p.x, p.y, p.deck) for i, p in m.pieces.items()} for m in replay(save)]
    assert moments[0]["1"] == moments[1]["1"] == ("Space", 100, 200, None)
    assert moments[0]["2"] == moments[2]["3"] == ("Space", 28, 27, "Drone rack")
    assert moments[3]["2"] == moments[3]["3"] == ("Space", 70, 80, "Drone rack")
    assert moments[4]["3"] == moments[5]["3"] == ("Space", 300, 400, None)
    assert moments[6]["3"] == ("Other", 300, 400, None)
    assert moments[7]["2"] == ("Space", 70, 80, None)
    deck = state_at(save, 3).piece("8")
    assert deck is not None and deck.members == ("2", "3")


@pytest.mark.parametrize(
    ("label", "traits", "name"),
    [
        ("$Speed$ of $Max$", [("PROP;Speed", "5")], "CA (5 of $Max$)"),
        ("$Race$ $Way_Facing$ $Way_Degrees$", [("mark;Race", "Tholian"), ("rotate;6;a;b;c;d;e;f;Way", "2")], "CA (Tholian 3 120)"),
        ("$Turn$ $Zone$ $Wing$", [], "CA (7 on Space blue)"),
        ("$Hull_Level$ $Hull_Active$", [("emb2;;;;;;;;;;;;;;;;a,b;,;false;Hull", "-2")], "CA (-2 false)"),
        ("$BasicName$ at $CurrentMap$ $CurrentX$", [], "CA (CA at Space 100)"),
        ("$TextLabel$5$", [], "CA (5)"),
        ("$Notes$", [("propertysheet;0Notes;Sheet", "boarded")], "CA (boarded)"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("outside", [False, True])
def test_labels_are_filled(
    make_save: Make, label: str, traits: list[tuple[str, str]], name: str, outside: bool
) -> None:
    chain = [*traits, (LABEL, label)] if outside else [(LABEL, label), *traits]
    told = (
        "GlobalProperty\t;Turn;7;Module", "GlobalProperty\t;Zone;off;Module",
        "GlobalProperty\t;Zone;on Space;Space", "MutableProperty\tWing\tred\tblue\tModule",
    )  # fmt: skip
    piece = make_save(piece_text("1", chain, "CA"), *told).piece("1")
    assert piece is not None
    assert piece.name == name
    assert name == f"CA ({piece.labels[0]})"


def test_a_label_follows_the_property_it_shows(make_save: Make) -> None:
    step = "LOG\tMutableProperty\tTurn\t1\t2\tModule"
    save = make_save(
        piece_text("1", [(LABEL, "turn $Turn$")], "CA"), "GlobalProperty\t;Turn;1;Module", file="a.vlog", steps=(step,)
    )  # fmt: skip
    (moment,) = replay(save)
    assert (save.pieces[0].labels, moment.pieces["1"].labels) == (("turn 1",), ("turn 2",))
