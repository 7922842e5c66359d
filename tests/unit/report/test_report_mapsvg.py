"""The hexes in play as a picture: where units stand, what is cropped, what is told in words."""

from __future__ import annotations

import pytest
from lxml import etree

from referee.core.beside import Broadside, DiceFallen
from referee.core.hexgrid import Hex
from referee.core.positions import PlayedGame, Position, UnitShown
from referee.core.state import new_state
from referee.report.boardsvg import board_svg
from referee.report.dicesvg import broadside_svg, faces_svg
from referee.report.mapsvg import MOST_HEXES, Bearing, MapMarks, describe, map_svg
from referee.report.mapunits import Box
from referee.report.ssdsvg import SsdMarks, ssd_svg
from referee.rulebooks.registry import load_ship

SVG = "{http://www.w3.org/2000/svg}"


def unit(name: str, at: str, facing: str | None = "A", side: str = "", **more: str) -> UnitShown:
    kind = "seeker" if "target" in more else "ship"
    return UnitShown(name, kind, Hex(int(at[:2]), int(at[2:])), facing, side, target=more.get("target", ""))


def position(*units: UnitShown) -> Position:
    return Position(2, 14, "fire", "Const: fire", "#12", units)


def texts(picture: str) -> list[str]:
    return [str(text.text) for text in etree.fromstring(picture.encode()).iter(f"{SVG}text")]


def classes(picture: str) -> list[str]:
    return [str(part.get("class")) for part in etree.fromstring(picture.encode()).iter() if part.get("class")]


def test_units_stand_in_their_hexes_and_sides_are_told_apart_without_colour() -> None:
    const, destr = unit("Const", "1010", "D", "fed"), unit("Destr", "1208", None, "kli")
    drone = unit("DRN/1", "1109", "E", "kli", target="Const")
    picture = map_svg(position(const, destr, drone), "duel")
    assert picture == map_svg(position(const, destr, drone), "duel")
    assert {"Const", "Destr", "DRN/1", "duel", "turn 2, impulse 14, fire: Const: fire"} <= set(texts(picture))
    assert "1011" in texts(picture) and "1010" not in texts(picture), "a name would stand in a ship's way"
    assert classes(picture).count("s0") == 1 and classes(picture).count("s1") == 2
    assert classes(picture).count("aim") == 1
    assert describe(position(const)) == "Turn 2.14: Const at 1010D"


def test_ways_bands_next_hexes_and_struck_shields_are_drawn_and_explained() -> None:
    shown = MapMarks(
        {"Const": [Hex(10, 12), Hex(10, 11), Hex(10, 10)]},
        [Hex(10, 9)],
        Bearing("PH-1/A of Const (FA)", {Hex(10, 9): 0, Hex(10, 8): 1}),
        {"Const": [1, 2]},
    )
    picture = map_svg(position(unit("Const", "1010")), "duel", shown)
    drawn = classes(picture)
    assert drawn.count("track t0") == 1 and drawn.count("next") == 1 and drawn.count("struck") == 2
    assert drawn.count("hex b0") == 1 and drawn.count("hex b1") == 1
    told = "; ".join(texts(picture))
    for words in (
        "the way of this turn",
        "shield struck",
        "may be entered next",
        "PH-1/A of Const (FA) bears",
    ):
        assert words in told


def test_a_big_map_is_cropped_and_says_who_is_beyond_it() -> None:
    here = [unit(f"S{n}", f"10{n + 10:02d}") for n in range(8)]
    picture = map_svg(position(*here, unit("Far", "9999")), "duel")
    assert "not in the picture: Far at 9999A" in texts(picture)
    assert classes(picture).count("hex") <= MOST_HEXES**2


def test_units_in_one_hex_stand_beside_each_other_and_one_off_the_map_is_named() -> None:
    gone = UnitShown("Gone", "ship")
    picture = map_svg(position(unit("A1", "1010"), unit("B2", "1010"), gone), "duel")
    points = [
        part.get("points") for part in etree.fromstring(picture.encode()).iter() if part.get("class") == "s0"
    ]
    assert len(set(points)) == 2
    assert "not on the map: Gone" in texts(picture)


def test_names_are_never_markup_and_a_board_names_its_hexes() -> None:
    picture = map_svg(position(unit("<b>&\u202e", "1010")), "<script>", named=lambda hex: f"H{hex}")
    assert "<b>" not in picture and "<script>" not in picture and "\u202e" not in picture
    assert "H1011" in texts(picture)


def test_sixty_ships_make_less_than_two_megabytes() -> None:
    units = [
        unit(f"Ship {n}", f"{1 + n % 10 * 4:02d}{1 + n // 10 * 5:02d}", "ABCDEF"[n % 6], str(n % 4))
        for n in range(60)
    ]
    assert len(map_svg(position(*units), "battle")) < 2 << 20


def boxes(picture: str, kind: str) -> list[Box]:
    """Where the parts of a class lie in a picture: names by their letters, others by their points."""
    found = []
    for part in etree.fromstring(picture.encode()).iter():
        if str(part.get("class")) != kind:
            continue
        if part.tag == f"{SVG}text":
            x, y, wide = float(part.get("x", "0")), float(part.get("y", "0")), 6.0 * len(str(part.text))
            anchor = str(part.get("style", "start")).rpartition(" ")[2]
            left = x - {"start": 0.0, "middle": wide / 2, "end": wide}[anchor]
            found.append(Box(left, y - 9, left + wide, y))
        else:
            pairs = [tuple(map(float, pair.split(","))) for pair in str(part.get("points")).split()]
            across, down = zip(*pairs, strict=True)
            found.append(Box(min(across), min(down), max(across), max(down)))
    return found


def test_three_ships_in_a_hex_and_the_names_about_them_cover_nothing_of_each_other() -> None:
    crowd = [
        unit(name, "1210", facing, "fed")
        for name, facing in zip(("Alpha", "Beta", "Gamma"), "ACE", strict=True)
    ]
    near = [unit("Constellation", "1310", "A", "fed"), unit("Destruction", "1411", "D", "fed")]
    shown = MapMarks(struck={"Constellation": [1, 2, 3], "Destruction": [1]})
    picture = map_svg(position(*crowd, *near), "duel", shown)
    counters, names, struck = (boxes(picture, kind) for kind in ("s0", "name", "struck"))
    assert (len(counters), len(names), len(struck)) == (5, 5, 4)
    everything = [*counters, *names, *struck]
    for n, one in enumerate(counters[:3]):
        assert not any(one.covers(other) > 12 for other in counters[:n]), "counters of one hex lie apart"
    for n, one in enumerate(names):
        assert not any(one.covers(other) for other in [*everything[:5], *names[:n], *struck])


def test_a_map_ends_at_its_edge_and_hexes_are_named_as_its_module_names_them() -> None:
    edges = Hex(1, 1), Hex(10, 12)
    picture = map_svg(position(unit("Const", "1010")), "duel", MapMarks(edges=edges), lambda hex: f"B{hex}")
    assert {"B1011", "B1012"} <= set(texts(picture)) and "B1013" not in texts(picture)
    assert "edge" in classes(picture) and "thick grey line: the edge of the map" in texts(picture)
    far = map_svg(position(unit("Const", "0505")), "duel", MapMarks(edges=edges))
    assert "edge" not in classes(far) and "thick grey line: the edge of the map" not in texts(far)


def test_what_is_told_of_a_map_is_broken_to_its_width() -> None:
    at = Position(2, 14, "fire", "Const fires " + "PH-1/A, " * 20, "#12", (unit("Const", "1010"),))
    picture = map_svg(at, "duel")
    wide = float(str(etree.fromstring(picture.encode()).get("width")))
    keys = [text for text in texts(picture) if "PH-1/A" in text]
    assert len(keys) > 1 and all(len(text) * 6 <= wide for text in keys)


ALLOWED = {
    "svg": {"xmlns", "width", "height", "viewBox", "class", "role", "aria-label"},
    "style": set(),
    "title": set(),
    "g": {"class", "transform", "id", "data-unit", "style"},
    "rect": {"class", "x", "y", "rx", "width", "height", "data-box", "fill-opacity"},
    "text": {"class", "x", "y", "style", "text-anchor", "data-power", "data-shield"},
    "path": {"class", "d", "stroke-opacity"},
    "polygon": {"class", "points"},
    "polyline": {"class", "points", "style", "data-track", "data-struck"},
    "circle": {"class", "cx", "cy", "r"},
}
"""The elements a picture is made of, and their attributes: no script, no link, nothing that is loaded."""


def pictures() -> dict[str, str]:
    ship = load_ship("cadet/federation-ca")
    state = new_state(ship)
    units = (
        unit("Const", "1010"),
        unit("Two", "1010", None, "kli"),
        unit("DRN", "1109", "E", target="Const"),
    )
    shown = MapMarks(
        {"Const": [Hex(10, 11), Hex(10, 10)]}, [Hex(10, 9)], None, {"Const": [1]}, (Hex(1, 1), Hex(11, 11))
    )
    game = PlayedGame("game", "game", "sfb-cadet", (position(*units),), {"Const": ship})
    return {
        "map": map_svg(position(*units), "duel", shown),
        "board": board_svg(game).svg,
        "ssd": ssd_svg([(ship, state, "Const", SsdMarks({"lab/1": "1"}, {1: 2}))]),
        "fire": broadside_svg(Broadside(1, 1, "A", "B", "A fires at B", {0: 0.5, 8: 0.5}, 8)),
        "dice": faces_svg(DiceFallen("ann", (1, 2, 3, 4, 5, 6))),
    }


@pytest.mark.parametrize("name", ["map", "board", "ssd", "fire", "dice"])
def test_pictures_hold_allowed_elements_alone_and_are_the_same_every_time(name: str) -> None:
    picture = pictures()[name]
    assert picture == pictures()[name]
    root = etree.fromstring(picture.encode())
    assert root.tag == f"{SVG}svg" and root.get("viewBox") and root.get("aria-label")
    for part in root.iter():
        tag = str(part.tag).removeprefix(SVG)
        assert set(part.attrib) <= ALLOWED[tag], (tag, dict(part.attrib))
        assert "url(" not in str(part.text) and "@import" not in str(part.text)
        numbers = [part.get(at, "0") for at in ("x", "y", "width", "height", "cx", "cy", "r")]
        assert all(float(number) >= -1e4 for number in numbers)
    left, top, wide, high = map(float, str(root.get("viewBox")).split())
    assert (left, top) == (0, 0) and wide > 0 and high > 0


def test_a_map_of_sixty_ships_is_small() -> None:
    many = [
        unit(f"Ship {n}", f"{n % 58 + 1:02d}{n * 7 % 58 + 1:02d}", "ABCDEF"[n % 6], "ab"[n % 2])
        for n in range(60)
    ]
    picture = map_svg(position(*many), "sixty")
    assert len(picture) < 2_000_000 and picture.count('class="name"') == 60
