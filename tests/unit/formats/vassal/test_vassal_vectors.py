"""Quoting and hex names against what the engine itself answered."""

from __future__ import annotations

import json
from pathlib import Path

from referee.formats.vassal import grid as gr
from referee.formats.vassal.sequence import decode, encode, encode_token, lossy


def test_every_quoting_vector(shared: Path) -> None:
    lines = (shared / "vectors" / "sequence.jsonl").read_text(encoding="utf-8").splitlines()
    assert len(lines) == 10_000
    for line in lines:
        vector = json.loads(line)
        encoded = vector.get("raw")
        if encoded is None:
            encoded = vector["enc"]
            assert encode(vector["in"], vector["delim"]) == encoded
        assert decode(encoded, vector["delim"]) == vector["dec"]


def test_lossy_tells_which_lists_do_not_come_back(shared: Path) -> None:
    for line in (shared / "vectors" / "sequence.jsonl").read_text(encoding="utf-8").splitlines():
        vector = json.loads(line)
        if "in" not in vector:
            continue
        tokens, delimiter = [token or "" for token in vector["in"]], vector["delim"]
        if not any(lossy(token, delimiter) for token in tokens):
            assert vector["dec"] == (tokens or [""])


def test_quoting_by_hand() -> None:
    assert encode(["a", "b;c", ""], ";") == "a;b\\;c;"
    assert encode_token("'", ";") == "'''"
    assert encode_token(None, ";") == ""
    assert decode("'it''s'", ";") == ["it''s"]
    assert decode("a\\;b;c", ";") == ["a;b", "c"]
    assert lossy("ends in \\", ";")
    assert not lossy("\\n", ";")


def _layouts(shared: Path) -> dict[tuple[int, int], gr.BoardLayout]:
    layouts = {}
    for index, variant in enumerate(json.loads((shared / "vectors" / "grids.json").read_text())):
        flag = {name: variant[name] == "true" for name in ("side", "stag", "hd", "vd")}
        numbering = gr.Numbering(
            variant["first"], variant["sep"], variant["ht"], variant["vt"],
            h_descending=flag["hd"], v_descending=flag["vd"], stagger=flag["stag"],
        )  # fmt: skip
        grid = gr.HexGrid(30, 27, 41.57, 48.0, flag["side"], numbering)
        for turned in (0, 1):
            place = gr.BoardPlace("b", 0, 0, bool(turned), gr.Size(1200, 900), grid)
            layouts[index, turned] = gr.lay_out([place], 11, 13)
    return layouts


def test_every_hex_vector_and_its_centre(shared: Path) -> None:
    layouts = _layouts(shared)
    centres = {
        key: {(x, y): name for name, x, y in layout.boards[0].centres()} for key, layout in layouts.items()
    }
    lines = (shared / "vectors" / "grid.jsonl").read_text().splitlines()
    assert len(lines) == 3_840
    for line in lines:
        v = json.loads(line)
        key = v["board"], v["rev"]
        assert layouts[key].name_at(v["x"], v["y"]) == v["loc"], v
        if v["snaploc"] != "offboard":
            assert centres[key][v["snapx"], v["snapy"]] == v["snaploc"], v


def test_a_hex_name_leads_back_to_its_centre(shared: Path) -> None:
    for layout in _layouts(shared).values():
        name, x, y = list(layout.boards[0].centres())[40]
        assert layout.find(name) == (x, y)
    assert layout.find("no such hex") is None


def test_boards_side_by_side() -> None:
    grid = gr.HexGrid(0, 0, 10, 10, numbering=gr.Numbering(stagger=False))
    places = [gr.BoardPlace(n, c, 0, False, gr.Size(100, 50), grid) for n, c in (("west", 0), ("east", 1))]
    layout = gr.lay_out(places, 5, 7)
    assert [(board.x, board.y) for board in layout.boards] == [(5, 7), (105, 7)]
    assert layout.board_at(106, 8) is layout.boards[1]
    assert layout.name_at(4, 8) == layout.name_at(205, 8) == "offboard"


def test_zones_squares_and_regions() -> None:
    squares = gr.SquareGrid(24, 24, 48, 48, gr.Numbering(first="V", separator="-", v_type="A"))
    zone = gr.Zone("Dock", ((0, 0), (50, 0), (50, 50), (0, 50)), "$name$ $gridLocation$", True)
    regions = gr.RegionGrid((("Alpha", 0, 0), ("Beta", 500, 500)))
    size = gr.Size(480, 480)
    assert gr.ZonedGrid((zone,), squares).name(10, 10, size) == "Dock B-01"
    assert gr.ZonedGrid((zone,), squares).name(100, 60, size) == "C-03"
    assert regions.name(400, 450, size) == "Beta"
    assert gr.SquareGrid().name(1, 1, size) is None
