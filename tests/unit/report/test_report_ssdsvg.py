"""A ship drawn as on its SSD: every box once, marks that do not need colour, words for who cannot see it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from lxml import etree

from referee.core.ship import ShipClass
from referee.core.state import ShipState, new_state
from referee.report.ssdnarrow import WIDTH, narrow_ssd_svg
from referee.report.ssdsvg import SsdMarks, describe, ssd_svg
from referee.rulebooks.registry import load_ship, ship_ids

SVG = "{http://www.w3.org/2000/svg}"
NOTHING = SsdMarks()


def drawn(ship: ShipClass, state: ShipState, name: str = "", marks: SsdMarks = NOTHING) -> etree._Element:
    return etree.fromstring(ssd_svg([(ship, state, name, marks)]).encode())


def boxes(picture: etree._Element) -> dict[str, str]:
    """The style of every box by what its title says."""
    return {str(title.text): str(title.getparent().get("class")) for title in picture.iter(f"{SVG}title")}


@pytest.mark.parametrize("ship", ship_ids())
def test_every_box_of_a_ship_is_drawn_once_and_apart_from_the_others(ship: str) -> None:
    known = load_ship(ship)
    picture = drawn(known, new_state(known))
    titles = [str(title.text) for title in picture.iter(f"{SVG}title")]
    systems = [box for system in known.systems for box in known.box_ids(system)]
    shields = [f"shield {n}/{k + 1}" for n, count in known.shields.items() for k in range(count)]
    assert sorted(titles) == sorted([*systems, *shields])
    places = [(one.get("x"), one.get("y")) for one in picture.iter(f"{SVG}rect") if one.get("x")]
    assert len(places) == len(set(places))


@pytest.mark.parametrize("ship", ship_ids())
def test_no_box_is_outside_the_picture(ship: str) -> None:
    known = load_ship(ship)
    picture = drawn(known, new_state(known))
    wide, high = float(picture.get("width", 0)), float(picture.get("height", 0))
    for one in picture.iter(f"{SVG}rect"):
        assert 0 <= float(one.get("x", 0)) <= wide - float(one.get("width", 0))
        assert 0 <= float(one.get("y", 0)) <= high - float(one.get("height", 0))


def test_a_lost_box_is_crossed_and_a_box_of_this_volley_bears_the_number_of_its_hit() -> None:
    d7 = load_ship("standard/klingon-d7")
    state = replace(new_state(d7), destroyed=frozenset({"bridge/1", "lab/2"}), shields={**d7.shields, 1: 20})
    picture = drawn(d7, state, marks=SsdMarks(hits={"lab/2": "4"}, shields={1: 3}))
    styles = boxes(picture)
    assert styles["bridge/1: lost"] == "gone" and styles["lab/2: hit 4"] == "now" and styles["lab/1"] == "box"
    assert sum(kind == "now" and title.startswith("shield 1") for title, kind in styles.items()) == 3
    assert sum(kind == "gone" and title.startswith("shield 1") for title, kind in styles.items()) == 7
    crossed = [one.get("class") for one in picture.iter(f"{SVG}path")]
    assert sorted(set(crossed)) == ["cross", "nowcross"] and len(crossed) == 12
    assert "4" in [text.text for text in picture.iter(f"{SVG}text") if text.get("class") == "hit"]


def test_a_provisional_number_is_dashed_and_has_a_question_mark_that_is_explained() -> None:
    ca = load_ship("cadet/federation-ca")
    picture = drawn(ca, new_state(ca))
    assert boxes(picture)["lab/1"] == "box unsure" and boxes(picture)["battery/1"] == "box"
    told = [str(text.text) for text in picture.iter(f"{SVG}text")]
    assert "lab?" in told and "battery" in told
    assert any(text.startswith("dashed and ?: provisional") for text in told)


def test_the_picture_is_told_in_words_and_names_are_not_markup() -> None:
    ca = load_ship("cadet/federation-ca")
    state = replace(new_state(ca), destroyed=frozenset({"lab/1"}), shields={**ca.shields, 1: 4})
    assert describe(ca, state, "Const").startswith("Const: shields 1 4 of 15, 2 12 of 12")
    assert describe(ca, state).endswith("lost: lab 1")
    picture = drawn(ca, state, '<script>"&\u202e')
    assert '<script>"&' in picture.get("aria-label", "")
    assert not list(picture.iter(f"{SVG}script"))
    assert picture.get("role") == "img"


def test_a_destroyed_ship_says_so_and_several_ships_stand_below_each_other() -> None:
    ca = load_ship("cadet/federation-ca")
    whole, dead = new_state(ca), replace(new_state(ca), dead=True)
    both = ssd_svg([(ca, whole, "One", NOTHING), (ca, dead, "Two", NOTHING)])
    assert both == ssd_svg([(ca, whole, "One", NOTHING), (ca, dead, "Two", NOTHING)])
    picture = etree.fromstring(both.encode())
    assert float(picture.get("height", 0)) == 2 * float(drawn(ca, whole).get("height", 0))
    assert [text.text for text in picture.iter(f"{SVG}text") if text.get("class") == "banner"] == [
        "DESTROYED"
    ]


@pytest.mark.parametrize("id", ship_ids())
def test_every_ship_fits_a_page_as_narrow_as_a_phone(id: str) -> None:
    """All boxes and labels stand within its width, none on another; the same boxes are drawn as in the wide picture."""
    ship = load_ship(id)
    narrow = etree.fromstring(narrow_ssd_svg(ship, new_state(ship), "", SsdMarks()).encode())
    whole = etree.fromstring(ssd_svg([(ship, new_state(ship), "", SsdMarks())]).encode())
    assert {box for one in narrow.iter() if (box := one.get("data-box"))} == {
        box for one in whole.iter() if (box := one.get("data-box"))
    }
    taken: set[tuple[float, float]] = set()
    for rect in narrow.iter("{http://www.w3.org/2000/svg}rect"):
        x, wide = float(rect.get("x", "0")), float(rect.get("width", "0"))
        assert x >= 0 and x + wide <= WIDTH
        if rect.get("data-box"):
            place = x, float(rect.get("y", "0"))
            assert place not in taken
            taken.add(place)
    for text in narrow.iter("{http://www.w3.org/2000/svg}text"):
        letters = len(str(text.text)) * (10 if text.get("class") == "title" else 6.4)
        assert (
            text.get("class") in ("mark", "hit", "banner") or float(text.get("x", "0")) + letters <= WIDTH + 8
        )


def test_what_is_launched_is_in_the_legend() -> None:
    drones, none = load_ship("cadet/klingon-d6"), load_ship("cadet/federation-ca")
    assert "drone: launched, and flies to its target" in ssd_svg(
        [(drones, new_state(drones), "", SsdMarks())]
    )
    assert "launched" not in ssd_svg([(none, new_state(none), "", SsdMarks())])
